"""Studies: published measurements repeated, and the verdicts of records on each published claim."""

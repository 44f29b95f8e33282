"""Studies: published measurements made anew, and what records say of each published claim."""

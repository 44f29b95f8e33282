"""Results: append-only segment files, one per run."""

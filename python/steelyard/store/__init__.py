"""Results: append-only segment files, one per run, and the cache of builds and measurements."""

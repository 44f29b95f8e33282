"""Plan cells, run them, verify every output, make records."""

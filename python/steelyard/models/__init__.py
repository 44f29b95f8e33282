"""Models of the cost of a primitive on a processor, fitted to measurements."""

"""Models of what a primitive costs on a processor, fitted to what was measured."""

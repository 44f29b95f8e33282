"""What the commands of `steelyard fit` do, one module for each."""

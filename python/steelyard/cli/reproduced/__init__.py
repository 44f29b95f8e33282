"""What `steelyard reproduce` prints of each experiment."""

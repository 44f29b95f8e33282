"""Implementations of the commands of `steelyard fit`, one module each."""

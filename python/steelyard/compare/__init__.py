"""Two sides of the same cells beside each other: what changed, why, in which function, and whether it may."""

from steelyard.compare.model import Comparison, Pair, Row

__all__ = ["Comparison", "Pair", "Row"]

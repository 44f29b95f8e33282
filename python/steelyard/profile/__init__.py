"""Where the cycles, the energy and the stack of a call go: by function, source line and instruction."""

from steelyard.profile.model import Profile

__all__ = ["Profile"]

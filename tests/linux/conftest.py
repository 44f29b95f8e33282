"""A device behind an SSH server of the test's own."""

from linux.measure.board import board

__all__ = ["board"]

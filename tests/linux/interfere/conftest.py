"""The command of `tests/cli` and the device behind an SSH server."""

from cli.conftest import steelyard
from linux.measure.board import board

__all__ = ["board", "steelyard"]

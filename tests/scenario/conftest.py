"""The command line of these tests is that of `tests/cli`."""

from cli.conftest import Steelyard, own_idea, steelyard

__all__ = ["Steelyard", "own_idea", "steelyard"]

"""The command line: one module per command, results on standard output, messages on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from steelyard.errors import SteelyardError


def main() -> None:
    """Run the command line; an error ends in one sentence and the exit status of its kind."""
    from steelyard.cli.app import app
    from steelyard.errors import SteelyardError, missing_extra

    try:
        app()
    except SteelyardError as error:
        _end(error)
    except ModuleNotFoundError as error:
        problem = missing_extra(error.name or "")
        if problem is None:
            raise
        _end(problem)


def _end(error: SteelyardError) -> NoReturn:
    print(f"steelyard: {error}", file=sys.stderr)
    sys.exit(error.exit_status)

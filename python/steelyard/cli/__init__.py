"""The command line: one module per command, results on standard output, messages on standard error."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; an error ends in one sentence and the exit status of its kind."""
    from steelyard.cli.app import app
    from steelyard.errors import SteelyardError

    try:
        app()
    except SteelyardError as error:
        print(f"steelyard: {error}", file=sys.stderr)
        sys.exit(error.exit_status)

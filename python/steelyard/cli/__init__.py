"""The command line: one module per command, results on standard output, messages on standard error.

No traceback reaches the user: what nobody foresaw is one sentence too, and its report is kept in a file.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from steelyard.cli.interrupt import ignore_from_now, interrupted, watch
from steelyard.cli.output import INTERRUPTED
from steelyard.ending import leave

if TYPE_CHECKING:
    from steelyard.errors import SteelyardError

_OUTPUT_ERRORS = (errno.EPIPE, errno.ENOSPC, errno.EIO, errno.EBADF, errno.EDQUOT)


def main() -> None:
    """Run the command line; an error ends in one sentence and the exit status of its kind."""
    try:
        watch()
        status = _run()
        try:
            if sys.stdout is not None:
                sys.stdout.flush()
        except OSError as error:
            status = status or _end(_output_lost(error))
            _abandon_output()
        ignore_from_now()
    except KeyboardInterrupt:
        status = INTERRUPTED
    if status == INTERRUPTED or interrupted.is_set():
        leave(INTERRUPTED)
    sys.exit(status)


def _run() -> int:
    from steelyard.errors import EnvironmentProblem, SteelyardError, missing_extra

    try:
        _prepare_output()
        from steelyard.cli.app import app

        app()
    except SystemExit as end:
        # The command line's library ends the program itself when the reader of its output has gone.
        if isinstance(end.__context__, BrokenPipeError):
            return _end(_output_lost(end.__context__))
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except SteelyardError as error:
        return _end(error)
    except MemoryError:
        return _end(EnvironmentProblem("There is not enough memory for this."))
    except Exception as error:
        if interrupted.is_set():
            # What was cut short may fail in any way.
            return INTERRUPTED
        if isinstance(error, ModuleNotFoundError):
            problem = missing_extra(error.name or "")
            if problem is not None:
                return _end(problem)
        if isinstance(error, OSError) and error.filename is None and error.errno in _OUTPUT_ERRORS:
            return _end(_output_lost(error))
        from steelyard.cli.unforeseen import unforeseen

        return _end(unforeseen(error))
    return 0


def _prepare_output() -> None:
    """Let no character stop a command that its terminal cannot show; refuse a closed standard output."""
    from steelyard.errors import EnvironmentProblem

    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        raise EnvironmentProblem("Standard output is closed; nothing was done.")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _output_lost(error: OSError) -> SteelyardError:
    from steelyard.errors import EnvironmentProblem

    return EnvironmentProblem(f"Standard output cannot be written: {error.strerror}.")


def _abandon_output() -> None:
    """Let what is left in the buffer go nowhere, instead of to the error that Python prints at its end."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _end(error: SteelyardError) -> int:
    if interrupted.is_set():
        return INTERRUPTED
    with suppress(OSError):
        print(f"steelyard: {error}", file=sys.stderr)
    return error.exit_status

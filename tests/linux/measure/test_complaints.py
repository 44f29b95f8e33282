"""Standard error of programs: its end is kept, and closing never fails."""

from __future__ import annotations

import os
from threading import Thread

from steelyard.linux.device.complaints import Complaints


def test_the_last_line_is_kept() -> None:
    with Complaints() as errors:
        os.write(errors.fileno(), b"first.\nlast line.\n\n")
        assert errors.last_line() == "last line"


def test_closing_beside_a_program_that_complains() -> None:
    for _ in range(300):
        errors = Complaints()
        program = Thread(target=_complain, args=(os.dup(errors.fileno()),))
        program.start()
        errors.close()
        program.join(20)
        assert not program.is_alive()


def _complain(standard_error: int) -> None:
    """Write as a program does whose driver may close its end meanwhile."""
    try:
        for _ in range(20):
            os.write(standard_error, b"Connection closed.\n")
    except BrokenPipeError:
        pass
    finally:
        os.close(standard_error)

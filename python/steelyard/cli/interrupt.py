"""Ctrl-C ends any command within a second.

Python raises KeyboardInterrupt on the main thread between two of its own instructions: commands then keep
what is done and say so. It raises nothing while that thread is in native code, such as an emulated call of a
billion cycles. So the signal also wakes a thread, which ends the process if it has not ended by itself soon.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress
from threading import Event, Thread
from types import FrameType
from typing import NoReturn

from steelyard.cli.output import INTERRUPTED
from steelyard.ending import leave

_GRACE_S = 0.6
_SENTENCE = b"steelyard: interrupted; what was finished before is kept.\n"
# A progress bar hides it.
_SHOW_CURSOR = b"\r\x1b[K\x1b[?25h"

interrupted = Event()
"""Set before KeyboardInterrupt is raised."""


def watch() -> None:
    """End this process soon after Ctrl-C from now on, unless it was started to ignore that.

    To be called on the main thread.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, _interrupt)
    # Where nothing can be raised (a finalizer) Python would print a traceback; the end comes all the same.
    sys.unraisablehook = _without_interrupts
    Thread(target=_end_after_signal, args=(reading,), name="interrupt", daemon=True).start()


def ignore_from_now() -> None:
    """Let Ctrl-C change nothing any more, since all is done."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    interrupted.set()
    raise KeyboardInterrupt


def _without_interrupts(unraisable: sys.UnraisableHookArgs) -> None:
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


def _end_after_signal(reading: int) -> None:
    while signal.SIGINT not in os.read(reading, 1):
        pass
    # A second one ends the wait.
    select.select([reading], [], [], _GRACE_S)
    with suppress(OSError, ValueError):
        # Nobody may be reading there.
        if select.select([], [2], [], 0)[1]:
            os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + _SENTENCE)
    leave(INTERRUPTED)

"""An end of this process that waits for nothing: neither for its threads nor for programs that it started."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import NoReturn

# A thread that was about to start a program does so within this time, or not at all.
_LAST_START_S = 0.2
_BETWEEN_S = 0.005

leaving = Event()
"""Set once the process ends: whoever starts programs starts none, and believes no failure of one."""

_tasks: list[Callable[[], None]] = []


def before_leaving(task: Callable[[], None]) -> None:
    """Have `leave` call this, on whichever thread; it must wait for nothing."""
    _tasks.append(task)


def leave(status: int) -> NoReturn:
    """End this process and the programs that it started; output that was not flushed is lost."""
    leaving.set()
    _end_children()
    for task in _tasks:
        with suppress(OSError):
            task()
    os._exit(status)


def _end_children() -> None:
    """End this process's children with their process groups, where the kernel lists them, as Linux does."""
    end = time.monotonic() + _LAST_START_S
    without = 0
    while without < 2 and time.monotonic() < end:
        living = list(_living_children())
        without = 0 if living else without + 1
        for child in living:
            with suppress(OSError):
                # Others may belong to the group of this process.
                if os.getpgid(child) == child:
                    os.killpg(child, signal.SIGKILL)
                else:
                    os.kill(child, signal.SIGKILL)
        time.sleep(_BETWEEN_S)


def _living_children() -> Iterator[int]:
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, path.read_bytes().split()):
                # Left to be waited for: whoever started it has yet to learn how it ended.
                if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                    yield child

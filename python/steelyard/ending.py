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
    _say_no_more()
    _end_children()
    for task in _tasks:
        with suppress(OSError):
            task()
    os._exit(status)


def _say_no_more() -> None:
    """Close the way to the terminal: threads start some children anew, and these complain of lost ones."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _end_children() -> None:
    """End this process's children with their process groups, and what they started, where the kernel lists
    them, as Linux does.
    """
    end = time.monotonic() + _LAST_START_S
    without = 0
    while without < 2 and time.monotonic() < end:
        living = list(_living_children())
        without = 0 if living else without + 1
        for child in living:
            _end_with_children(child)
        time.sleep(_BETWEEN_S)


def _end_with_children(process: int) -> None:
    """End a process and all below it; stopped first, it starts nothing while these are listed."""
    with suppress(OSError):
        os.kill(process, signal.SIGSTOP)
    for child in _children(process):
        _end_with_children(child)
    with suppress(OSError):
        # Others may belong to the group of this process.
        if os.getpgid(process) == process:
            os.killpg(process, signal.SIGKILL)
        else:
            os.kill(process, signal.SIGKILL)


def _living_children() -> Iterator[int]:
    for child in _children("self"):
        with suppress(OSError):
            # Left to be waited for: whoever started it has yet to learn how it ended.
            if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                yield child


def _children(process: int | str) -> Iterator[int]:
    # A process and its threads may end while they are looked at.
    threads: list[str] = []
    with suppress(OSError):
        threads = os.listdir(f"/proc/{process}/task")
    for thread in threads:
        with suppress(OSError):
            yield from map(int, Path(f"/proc/{process}/task/{thread}/children").read_bytes().split())

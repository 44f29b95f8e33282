"""Read a file that may be anything: only a regular file, and only up to a limit of bytes."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from steelyard.errors import UsageError
from steelyard.nearest import printable

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def read_limited(path: Path, limit_bytes: int, what: str = "a file of its kind") -> bytes:
    """Return the bytes of a regular file.

    UsageError, which begins with the path, for anything else, for a missing file, and for one that is larger
    than `what` may be.
    """
    shown = printable(str(path), 400)
    try:
        # Opening a pipe would wait for its writer, so that its kind is asked for first.
        _refuse_others(shown, os.stat(path).st_mode)
        with open(path, "rb", opener=_without_waiting) as file:
            _refuse_others(shown, os.fstat(file.fileno()).st_mode)
            raw = file.read(limit_bytes + 1)
    except OSError as error:
        raise UsageError(f"{shown}: cannot be read: {error.strerror}.") from None
    except ValueError:
        raise UsageError(f"{shown}: not the name of a file.") from None
    if len(raw) > limit_bytes:
        raise UsageError(f"{shown}: larger than the {limit_bytes >> 20} MiB that {what} may have.")
    return raw


def _refuse_others(shown: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "no regular file")
        raise UsageError(f"{shown}: cannot be read: it is {kind}, not a file.")


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)

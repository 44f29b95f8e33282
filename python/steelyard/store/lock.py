"""Locks of a store: one on the folder, for a moment or a collection, and one on the segment of each writer.

All are `flock`, which the kernel ends with the process that holds it, and which processes in other
containers see on a shared volume. Process numbers mean nothing there and are not used.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from steelyard.errors import EnvironmentProblem

LOCK_NAME = ".lock"

_WAIT_S = 300.0
_PAUSE_S = 0.02


class StoreError(EnvironmentProblem):
    """The store cannot be read or written; one sentence."""


@contextmanager
def store_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of an existing store: nobody else begins a segment, collects or merges meanwhile.

    StoreError if the lock file cannot be opened, if the file system has no locks, or if another process does
    not release the lock within minutes.
    """
    path = folder / LOCK_NAME
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o666)
    except OSError as error:
        raise StoreError(f"{path}: the store cannot be locked: {error.strerror}.") from None
    try:
        _wait(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def lock_for_writing(descriptor: int, folder: Path) -> None:
    """Lock a new segment for as long as its descriptor is open; StoreError where there are no locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError as error:
        raise _without_locks(folder, error) from None


def is_being_written(descriptor: int) -> bool:
    """Whether a writer holds the lock of this open segment; also where nothing can be known of locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return False


def _wait(descriptor: int, folder: Path) -> None:
    end = time.monotonic() + _WAIT_S
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.EACCES, errno.EINTR):
                raise _without_locks(folder, error) from None
        if time.monotonic() > end:
            raise StoreError(
                f"{folder}: another process has held the store's lock for {_WAIT_S:.0f} s;"
                " nothing was changed."
            )
        time.sleep(_PAUSE_S)


def _without_locks(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        f"{folder}: files cannot be locked there ({error.strerror}), so that runs could spoil each other's"
        " records; name a folder of another file system by --store."
    )

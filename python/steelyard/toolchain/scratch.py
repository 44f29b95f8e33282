"""Temporary folders of builds, below one root per process; roots that a killed process left are removed."""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock

from steelyard._native import remove_folder
from steelyard.ending import before_leaving
from steelyard.errors import EnvironmentProblem

_PREFIX = "steelyard-run-"
_LOCK = "lock"


@dataclass(frozen=True)
class _Root:
    """A process's root; the kernel gives the lock of its file back when the process ends, however it ends."""

    path: str
    process: int
    lock: int


_root: _Root | None = None
_root_lock = Lock()


@contextmanager
def scratch_folder() -> Iterator[str]:
    """Yield the path of a new folder that is removed at the end; OSError if there is no room."""
    folder = tempfile.mkdtemp(dir=scratch_root())
    try:
        yield folder
    finally:
        # What is left goes with the root.
        with suppress(OSError):
            remove_folder(folder)


def scratch_root() -> str:
    """Return the folder of this process's temporary files; EnvironmentProblem if it cannot be made."""
    global _root
    with _root_lock:
        # A forked child shares the parent's file, and with it the lock, but not the parent's end.
        if _root is None or _root.process != os.getpid():
            remove_abandoned()
            try:
                _root = _new_root()
            except OSError as error:
                raise EnvironmentProblem(
                    f"No temporary folder can be made in {tempfile.gettempdir()}: {error.strerror}."
                ) from error
            atexit.register(_remove, _root)
            before_leaving(partial(_remove, _root))
        return _root.path


def remove_abandoned() -> None:
    """Remove the roots of this user's processes that ended without removing theirs."""
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as listed:
        for entry in listed:
            if entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False):
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid == os.geteuid():
                        _remove_if_abandoned(Path(entry.path))


def _remove_if_abandoned(folder: Path) -> None:
    """Remove a root whose lock is free; OSError if it is held."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        # A process may be about to put its lock here; it makes another root if this one is gone.
        folder.rmdir()
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def _new_root() -> _Root:
    while True:
        path = tempfile.mkdtemp(prefix=_PREFIX)
        try:
            lock = os.open(f"{path}/{_LOCK}", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except FileNotFoundError:
            continue
        # Between these two lines another process may have found the file unlocked, and removed the root.
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.exists(f"{path}/{_LOCK}"):
                return _Root(path, os.getpid(), lock)
        os.close(lock)


def _remove(root: _Root) -> None:
    if root.process == os.getpid():
        shutil.rmtree(root.path, ignore_errors=True)
        os.close(root.lock)

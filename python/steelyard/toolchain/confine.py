"""Confine a program to given folders by Landlock, which Linux has without root since version 5.19.

A thread confines itself and then starts the program, which inherits the limits of the thread that started it.
Nothing runs between fork and exec, so any number of threads may do this, and no wrapper is executed.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from threading import Thread
from typing import Generic, TypeVar

from steelyard.errors import EnvironmentProblem

_Made = TypeVar("_Made")

# The same numbers on every architecture; see landlock(7) and include/uapi/linux/landlock.h.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_GET_VERSION, _PATH_BENEATH = 1, 1
_PR_SET_NO_NEW_PRIVS = 38

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE = 1 << 14
# By version, the mask of all rights that it knows.
_KNOWN = {2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_TO_READ = _EXECUTE | _READ_FILE | _READ_DIR
_TO_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE

# Programs and their shared libraries; folders of data, of users and of settings are not among them.
_SYSTEM = (
    *("/bin", "/lib", "/lib32", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec"),
    *("/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/alternatives", "/nix/store", "/gnu/store"),
)
_DEVICES = ("/dev/null",)


@dataclass(frozen=True)
class Places:
    """Files and folders that a program may read and those that it may change; each with all that is below."""

    readable: tuple[str, ...]
    writable: tuple[str, ...]


class _Call(Thread, Generic[_Made]):
    """A call on a thread of its own, with its result or its exception."""

    def __init__(self, call: Callable[[], _Made]) -> None:
        super().__init__()
        self._call = call
        self._made: _Made | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Make the call."""
        try:
            self._made = self._call()
        except BaseException as error:
            self._error = error

    def result(self) -> _Made:
        """Return what the call returned, or raise what it raised."""
        self.start()
        self.join()
        if self._error is not None:
            raise self._error
        return self._made  # type: ignore[return-value]


@cache
def landlock_version() -> int:
    """Return the version of Landlock that this machine enforces, 0 if it has none."""
    if sys.platform != "linux":
        return 0
    version = int(_libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _GET_VERSION))
    # The first version forbids what compilers do: to move a file from one folder to another.
    if version < 2:
        return 0
    try:
        _Call(lambda: _confine_thread(Places((), ()), version)).result()
    except OSError:
        return 0
    return version


def confined(start: Callable[[], _Made], places: Places) -> _Made:
    """Return what `start` returns; programs that it starts reach nothing outside `places` and the system's.

    On a machine without Landlock they are not confined. EnvironmentProblem if the kernel refuses.
    """
    version = landlock_version()
    if not version:
        return start()

    def alone() -> _Made:
        try:
            _confine_thread(places, version)
        except OSError as error:
            raise EnvironmentProblem(
                f"The compiler cannot be confined to its folder: {error.strerror}."
            ) from error
        return start()

    return _Call(alone).result()


def _confine_thread(places: Places, version: int) -> None:
    """Confine the calling thread for good; OSError if the kernel refuses."""
    known = _KNOWN[max(first for first in _KNOWN if first <= version)]
    libc = _libc()
    ruleset = _checked(libc.syscall(_CREATE_RULESET, struct.pack("=Q", known), ctypes.c_size_t(8), 0))
    try:
        for path in (*_SYSTEM, *places.readable):
            _allow(libc, ruleset, path, _TO_READ)
        for path in (*_DEVICES, *places.writable):
            _allow(libc, ruleset, path, known)
        _checked(libc.prctl(_PR_SET_NO_NEW_PRIVS, *map(ctypes.c_ulong, (1, 0, 0, 0))))
        _checked(libc.syscall(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    """Allow rights on what is at and below a path; what does not exist needs none."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _TO_A_FILE
        rule = struct.pack("=Qi", rights, place)
        _checked(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
    finally:
        os.close(place)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result

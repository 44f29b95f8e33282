"""Start compilers and linkers: in a folder that contains only their inputs, with limits, confined to it."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from steelyard import _native
from steelyard.ending import before_leaving, leaving
from steelyard.errors import EnvironmentProblem, SteelyardError
from steelyard.toolchain.confine import Places, can_confine
from steelyard.toolchain.scratch import scratch_folder

_TELLING = re.compile(r"error|Error: |undefined reference")
"""What stands in a line that says why a compiler, an assembler or a linker gives up."""

_TEXT_LIMIT_CHARACTERS = 200_000
_KEPT_CHARACTERS = 20_000

PRINTED = "-"
"""Name, among the outputs of a command, of what it prints."""


class BuildFailed(SteelyardError):
    """The compiler or linker refused; `text` is its whole output and `command` what was run."""

    def __init__(self, message: str, command: str, text: str) -> None:
        super().__init__(message)
        self.command = command
        self.text = text

    @property
    def whole(self) -> str:
        """Sentence, command and output, as a record keeps them."""
        return f"{self}\n{self.command}\n{self.text}".strip()[:_KEPT_CHARACTERS]


@dataclass(frozen=True)
class Limits:
    """Limits of a program and of each program that it starts: bytes of address space and of a file, seconds
    of processor time; `wall_s` limits all of them together.
    """

    memory_bytes: int
    file_bytes: int
    cpu_s: int
    wall_s: float

    def reached(self, status: int, text: str) -> str | None:
        """Return, as a clause, which limit ended a program, None if none did."""
        if status == -signal.SIGXCPU or "CPU time limit exceeded" in text:
            return f"the compiler was stopped after {self.cpu_s} s of processor time"
        if status == -signal.SIGXFSZ or "File size limit exceeded" in text or "File too large" in text:
            return f"the compiler was stopped at a file of {self.file_bytes >> 20} MB"
        if any(sign in text for sign in _OUT_OF_MEMORY):
            return f"the compiler needs more than the {self.memory_bytes >> 20} MB of memory that it may take"
        return None


# clang maps 0.2 GB for an empty file; all of SM2, Serpent and Twofish at -O3 compiles within 0.5 GB and 3 s.
LIMITS = Limits(memory_bytes=2 << 30, file_bytes=256 << 20, cpu_s=120, wall_s=600)
_OUT_OF_MEMORY = ("out of memory", "memory exhausted", "bad_alloc", "Cannot allocate memory", "OutOfMemory")


@dataclass(frozen=True)
class Ended:
    """Exit status of a program, negative for a signal, and the beginning of what it said.

    `stopped` says which limit ended it.
    """

    status: int
    printed: bytes
    complaints: bytes
    stopped: str | None

    @property
    def text(self) -> str:
        """Everything that the program said."""
        return (self.complaints + self.printed).decode("utf-8", "replace")[:_TEXT_LIMIT_CHARACTERS]


def run_program(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    *,
    places: Places | None = None,
    limits: Limits = LIMITS,
) -> Ended:
    """Run a program to its end, confined to `places` if they are given; OSError if it cannot be started.

    All programs that it starts are stopped with it. Other Python threads run meanwhile. KeyboardInterrupt, on
    whichever thread, if `end_programs` ended it or this process is about to end.
    """
    if leaving.is_set():
        raise KeyboardInterrupt
    try:
        status, printed, complaints, in_time = _native.run_program(
            list(command),
            folder,
            list(environment.items()),
            places.with_system if places is not None and can_confine() else None,
            memory_bytes=limits.memory_bytes,
            file_bytes=limits.file_bytes,
            cpu_s=limits.cpu_s,
            wall_s=limits.wall_s,
        )
    except _native.ConfinementError as error:
        raise EnvironmentProblem(f"The compiler cannot be confined to its folder: {error}.") from error
    if leaving.is_set():
        raise KeyboardInterrupt
    ended = Ended(status, printed, complaints, None)
    if not in_time:
        return replace(ended, stopped=f"the compiler was stopped after {limits.wall_s:g} s")
    return replace(ended, stopped=limits.reached(status, ended.text) if status else None)


before_leaving(_native.end_programs)


def compiler_environment() -> dict[str, str]:
    """Return the environment of every compiler run; nothing in it can change the result."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "SOURCE_DATE_EPOCH": "0"}


def run_in_folder(
    command: Sequence[str],
    files: Mapping[str, bytes],
    outputs: Sequence[str],
    problem: str,
    shown: str,
    places: Places,
    environment: Mapping[str, str] | None = None,
    limits: Limits = LIMITS,
) -> list[bytes]:
    """Run a command in a folder with only these files; return the contents of its output files.

    The command reaches this folder, `places` and the programs and libraries of the system. BuildFailed,
    beginning with `problem`, if it fails or reaches a limit; `shown` is the command for display.
    `environment` is added to that of every compiler run.
    """
    try:
        with scratch_folder() as folder:
            _native.write_files(folder, list(files.items()))
            done = run_program(
                command,
                folder,
                compiler_environment() | {"TMPDIR": folder, "HOME": folder} | dict(environment or {}),
                places=replace(places, writable=(*places.writable, folder)),
                limits=limits,
            )
            made = [Path(folder, output) for output in outputs]
            if done.status == 0 and all(path.is_file() for path in made if path.name != PRINTED):
                return [done.printed if path.name == PRINTED else path.read_bytes() for path in made]
    except OSError as error:
        raise EnvironmentProblem(
            f"{Path(command[0]).name} cannot be run in the temporary folder: {error.strerror}."
        ) from error
    text = done.text
    telling = (line for line in text.splitlines() if _TELLING.search(line))
    first = done.stopped or next(telling, "no reason given").strip()
    raise BuildFailed(f"{problem}: {first}", shown, text)

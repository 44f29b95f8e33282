"""A program on a device that answers requests line by line (`firmware/linux/wire.h`)."""

from __future__ import annotations

import contextlib
import json
import math
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from steelyard.errors import EnvironmentProblem, SteelyardError
from steelyard.linux.device.complaints import Complaints
from steelyard.linux.device.device import SSH_FAILED, Device
from steelyard.linux.device.lines import Lines, Silence, TooLong
from steelyard.nearest import printable

Reply = dict[str, Any]
"""A line of JSON from a program; firmware/linux/wire.h and measure.h define its fields."""

_START_TIMEOUT_S = 30.0
_END_TIMEOUT_S = 5.0
_LINE_LIMIT_BYTES = 1 << 24
_DEPTH_LIMIT = 8
_SIGNALS_FROM = 128


class AgentDied(SteelyardError):
    """The program ended, or did not answer, during a request; one sentence."""


class AgentRefused(SteelyardError):
    """The device cannot run the program (another architecture, a folder without execution); one sentence."""


class Agent:
    """One running program. `machine` is its first line: kernel, processor, cores, missing figures.

    AgentRefused if it does not start.
    """

    def __init__(self, device: Device, path: str, arguments: Sequence[str] = ()) -> None:
        self._device = device
        self._open = contextlib.ExitStack()
        self._errors = self._open.enter_context(Complaints())
        self._lines: Lines | None = None
        self.machine: Reply = {}
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._process = device.start(path, arguments, self._errors)
            assert self._process.stdout is not None
            self._lines = Lines(self._process.stdout.fileno(), _LINE_LIMIT_BYTES)
            with understood(device.name):
                self.machine = _greeting(self._reply(_START_TIMEOUT_S)["machine"])
        except (AgentDied, OSError) as error:
            told = self._errors.last_line().rsplit(": ", 1)[-1]
            reason = told or (getattr(error, "strerror", None) or str(error)).rstrip(".")
            self.close()
            if "Exec format error" in reason:
                raise AgentRefused(f"{device.name} runs no programs of this architecture.") from None
            raise AgentRefused(
                f"{device.name} does not run the program that was copied there ({reason})."
            ) from None
        except BaseException:
            self.close()
            raise

    def ask(self, verb: str, words: Mapping[str, object], timeout_s: float) -> Reply:
        """Send one request and return its reply; AgentDied without one, EnvironmentProblem without a
        connection.
        """
        line = " ".join([verb, *(f"{key}={value}" for key, value in words.items())])
        try:
            assert self._process is not None and self._process.stdin is not None
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None
        return self._reply(timeout_s)

    def listen(self, timeout_s: float) -> Reply:
        """Return the next reply to a request that has several; errors as for `ask`."""
        return self._reply(timeout_s)

    def _reply(self, timeout_s: float) -> Reply:
        assert self._lines is not None
        try:
            line = self._lines.next(time.monotonic() + timeout_s)
            return _parsed(line)
        except KeyboardInterrupt:
            # The program's answer to the end of its input would come after the one to its request.
            self._kill()
            raise
        except EOFError:
            raise self._ended() from None
        except Silence:
            self._kill()
            raise AgentDied(
                f"The program on {self._device.name} gave no answer within {timeout_s:.0f} seconds"
                " and was ended."
            ) from None
        except TooLong:
            self._kill()
            raise AgentDied(
                f"The program on {self._device.name} answered with more than {_LINE_LIMIT_BYTES >> 20} MiB"
                " and was ended."
            ) from None
        except (ValueError, RecursionError):
            self._kill()
            raise AgentDied(f"The program on {self._device.name} answered with something else.") from None

    def _ended(self) -> SteelyardError:
        """Return the error that says how the program ended."""
        assert self._process is not None
        try:
            status = self._process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._kill()
            return AgentDied(f"The program on {self._device.name} stopped answering.")
        number = -status if status < 0 else status - _SIGNALS_FROM
        told = self._errors.last_line()
        if self._device.transport == "ssh" and status == SSH_FAILED:
            reason = told or "ssh gave no reason"
            return EnvironmentProblem(f"The connection to {self._device.name} was lost ({reason}).")
        if number > 0:
            with contextlib.suppress(ValueError):
                name = signal.Signals(number).name
                return AgentDied(f"The program on {self._device.name} was killed ({name}).")
        told = f" ({told})" if told else ""
        return AgentDied(f"The program on {self._device.name} ended with status {status}{told}.")

    def _kill(self) -> None:
        if self._process is not None:
            if isinstance(process_id := self.machine.get("process_id"), int):
                self._device.kill(process_id)
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            self._process.wait()

    def close(self) -> None:
        """End the program by ending its input, or by force if it ignores that."""
        if self._process is None:
            self._open.close()
            return
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        try:
            self._process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._kill()
        self._process = None
        self._open.close()


@contextlib.contextmanager
def understood(device: str) -> Iterator[None]:
    """Read a reply inside; a field that it lacks, or that is of another kind, is AgentDied."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        what = f"{type(error).__name__}: {printable(str(error))}"
        raise AgentDied(f"The program on {device} answered with something else ({what}).") from None


def _parsed(line: bytes) -> Reply:
    """Parse an object; ValueError or RecursionError for anything else, and for numbers without a value."""
    reply = json.loads(line, parse_float=_finite, parse_constant=_finite)
    if not isinstance(reply, dict) or _depth(reply) > _DEPTH_LIMIT:
        raise ValueError("no object of a reply")
    return reply


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _depth(value: object) -> int:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inside), default=0)


def _greeting(machine: Reply) -> Reply:
    """Return the machine's description, its texts fit to be shown; ValueError if it is none."""
    absent = machine.get("absent", {})
    if not all(isinstance(why, str) for why in absent.values()):
        raise ValueError("absent")
    if any(isinstance(value, dict | list) for name, value in machine.items() if name != "absent"):
        raise ValueError("a table or list of the machine")
    shown = {name: printable(value) if isinstance(value, str) else value for name, value in machine.items()}
    return {**shown, "absent": {printable(name): printable(why) for name, why in absent.items()}}

"""A Linux device: this machine, an emulator of user programs on it, or a device reached by the user's ssh."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Literal, Protocol

from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.linux.device.complaints import Complaints
from steelyard.linux.device.lines import Lines, Silence, TooLong
from steelyard.nearest import printable
from steelyard.toolchain.scratch import scratch_root

Transport = Literal["local", "ssh", "qemu"]

LOCAL = "local"

SSH_FAILED = 255
"""Exit status of ssh if ssh itself failed rather than the program."""

_MARK = "steelyard-device"
_CONNECT_TIMEOUT_S = 15
_UPLOAD_TIMEOUT_S = 120
# Long enough to type a password; whoever has a longer greeting than this has no device behind it.
_GREETING_TIMEOUT_S = 90
_GREETING_LINE_BYTES = 1 << 16
_GREETING_LINES = 1000

# The session holds the folder: it goes when the connection does, whatever ends it. The device's login shell,
# which may be any, reads this in single quotes, so none may stand inside.
_HOLD = (
    'd=$(mktemp -d "$0/steelyard.XXXXXX") || exit 73; trap : HUP TERM INT;'
    f' echo "{_MARK} $(uname -m) $d"; cat >/dev/null; rm -rf "$d"'
)
# Not the last command, so that no shell replaces itself by it and a signal becomes an exit status.
_START = '"$0" "$@"; exit $?'


class Device(Protocol):
    """A place where programs are copied and started.

    `name` is its name in records, `machine` its `uname -m`. `times_count` is False if an emulator runs the
    programs: their times must not be reported.
    """

    name: str
    transport: Transport
    machine: str
    times_count: bool

    def put(self, name: str, program: bytes) -> str:
        """Copy a program to the device and return its path. EnvironmentProblem if that fails."""

    def start(self, path: str, arguments: Sequence[str], errors: Complaints) -> subprocess.Popen[bytes]:
        """Start a program with pipes as its standard input and output; its standard error goes to `errors`.

        OSError if this machine itself cannot execute it.
        """

    def kill(self, process_id: int) -> None:
        """End a process of the device by force, if ending the process that `start` returned does not reach
        it.
        """

    def close(self) -> None:
        """Remove everything that was put on the device."""


class LocalDevice:
    """This machine."""

    name = LOCAL
    transport: Transport = "local"
    times_count = True

    def __init__(self, prefix: Sequence[str] = ()) -> None:
        self.machine = platform.machine()
        self._prefix = tuple(prefix)
        self._folder = tempfile.TemporaryDirectory(dir=scratch_root())

    def put(self, name: str, program: bytes) -> str:
        """Implement `Device.put`."""
        path = Path(self._folder.name, name)
        try:
            path.write_bytes(program)
            path.chmod(0o700)
        except OSError as error:
            raise EnvironmentProblem(f"{path}: cannot be written: {error.strerror}.") from error
        return str(path)

    def start(self, path: str, arguments: Sequence[str], errors: Complaints) -> subprocess.Popen[bytes]:
        """Implement `Device.start`."""
        return _piped([*self._prefix, path, *arguments], errors)

    def kill(self, process_id: int) -> None:
        """Do nothing: `start` returned the process itself."""

    def close(self) -> None:
        """Implement `Device.close`."""
        self._folder.cleanup()


class QemuDevice(LocalDevice):
    """An emulated processor on this machine: it computes the same results, but its times are meaningless."""

    transport: Transport = "qemu"
    times_count = False

    def __init__(self, emulator: str, machine: str) -> None:
        program = shutil.which(emulator)
        if program is None:
            raise EnvironmentProblem(
                f"{emulator} is not installed on this machine; run: apt-get install qemu-user"
            )
        super().__init__((program,))
        self.name = emulator
        self.machine = machine


class SshDevice:
    """A device that the user's `ssh` reaches, over one connection that all programs share.

    `options` are ssh's own, as on its command line; its configuration files apply. `folder` is where on the
    device a temporary folder is made (default: its TMPDIR or /tmp).
    """

    transport: Transport = "ssh"
    times_count = True

    def __init__(self, destination: str, options: Sequence[str] = (), folder: str | None = None) -> None:
        if not destination or destination.startswith("-"):
            raise UsageError(f'"{destination}" is no device: local, or one for ssh such as root@board.')
        ssh = shutil.which("ssh")
        if ssh is None:
            raise EnvironmentProblem(
                "ssh is not installed on this machine; run: apt-get install openssh-client"
            )
        self.name = destination
        self._ssh = ssh
        self._options = [word for option in options for word in _words(option)]
        self._open = ExitStack()
        self._session: subprocess.Popen[bytes] | None = None
        control = self._open.enter_context(tempfile.TemporaryDirectory(dir=scratch_root()))
        self._socket = str(Path(control, "c"))
        self._errors = self._open.enter_context(Complaints())
        where = shlex.quote(folder) if folder is not None else '"${TMPDIR:-/tmp}"'
        try:
            self._session = self._open.enter_context(self._connect(where))
            self.machine, self._folder = self._answer(self._session)
        except BaseException:
            self.close()
            raise

    def _connect(self, where: str) -> subprocess.Popen[bytes]:
        # Of an option given twice ssh takes the first, so that the user's go before these.
        command = [
            *(self._ssh, "-T", *self._options),
            *("-o", f"ConnectTimeout={_CONNECT_TIMEOUT_S}", "-o", "ServerAliveInterval=15"),
            *("-o", "ControlMaster=yes", "-o", f"ControlPath={self._socket}", "-o", "ControlPersist=no"),
            *("--", self.name, f"exec sh -c '{_HOLD}' {where}"),
        ]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors.fileno(),
            env=_environment(),
        )

    def _answer(self, session: subprocess.Popen[bytes]) -> tuple[str, str]:
        """Return `uname -m` and the folder; output of a login shell before them is skipped."""
        assert session.stdout is not None
        lines = Lines(session.stdout.fileno(), _GREETING_LINE_BYTES)
        end = time.monotonic() + _GREETING_TIMEOUT_S
        try:
            for _ in range(_GREETING_LINES):
                words = lines.next(end).decode("utf-8", "replace").rstrip("\r").split(" ", 2)
                if words[0] == _MARK and len(words) == 3:
                    return printable(words[1]), words[2]
            raise TooLong
        except EOFError:
            with suppress(subprocess.TimeoutExpired):
                session.wait(_CONNECT_TIMEOUT_S)
        except Silence:
            session.kill()
            raise EnvironmentProblem(
                f"{self.name}: nothing was answered within {_GREETING_TIMEOUT_S} seconds."
            ) from None
        except TooLong:
            session.kill()
            raise EnvironmentProblem(
                f"{self.name}: its login shell prints too much for a device to be behind it."
            ) from None
        status = session.poll()
        if status is None:
            session.kill()
        reason = self._errors.last_line() or f"ssh ended with status {status}"
        if status == SSH_FAILED:
            raise EnvironmentProblem(f"{self.name} cannot be reached: {reason}.")
        raise EnvironmentProblem(f"{self.name}: no temporary folder can be made there: {reason}.")

    def put(self, name: str, program: bytes) -> str:
        """Implement `Device.put`."""
        path = f"{self._folder}/{name}"
        script = 'cat >"$0.new" && chmod 700 "$0.new" && mv "$0.new" "$0"'
        try:
            with Complaints() as errors:
                done = subprocess.run(
                    self._command(script, [path]),
                    input=program,
                    stdout=subprocess.DEVNULL,
                    stderr=errors.fileno(),
                    env=_environment(),
                    timeout=_UPLOAD_TIMEOUT_S,
                    check=False,
                )
                told = errors.last_line()
        except subprocess.TimeoutExpired:
            raise EnvironmentProblem(
                f"{self.name}: a program could not be copied within {_UPLOAD_TIMEOUT_S} seconds."
            ) from None
        if done.returncode == SSH_FAILED:
            raise self._lost()
        if done.returncode != 0:
            self._require_connection()
            reason = told or "no reason given"
            raise EnvironmentProblem(f"{self.name}: a program cannot be copied there: {reason}.")
        return path

    def start(self, path: str, arguments: Sequence[str], errors: Complaints) -> subprocess.Popen[bytes]:
        """Implement `Device.start`."""
        self._require_connection()
        return _piped(self._command(_START, [path, *arguments]), errors)

    def kill(self, process_id: int) -> None:
        """Implement `Device.kill`."""
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(
                self._command('kill -9 "$0"', [str(process_id)]),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                timeout=_CONNECT_TIMEOUT_S,
                check=False,
            )

    def _require_connection(self) -> None:
        # Without its socket ssh would make a connection of its own, to a folder that is gone.
        if self._session is None or self._session.poll() is not None:
            raise self._lost()

    def _lost(self) -> EnvironmentProblem:
        return EnvironmentProblem(f"The connection to {self.name} was lost.")

    def _command(self, script: str, arguments: Sequence[str]) -> list[str]:
        words = " ".join(shlex.quote(word) for word in arguments)
        options = [*self._options, "-o", "ControlMaster=no", "-o", f"ControlPath={self._socket}"]
        return [self._ssh, "-T", *options, "--", self.name, f"exec sh -c '{script}' {words}"]

    def close(self) -> None:
        """Implement `Device.close`: the end of its input makes the session remove the folder."""
        session = self._session
        if session is not None and session.stdin is not None:
            try:
                session.stdin.close()
                session.wait(timeout=_CONNECT_TIMEOUT_S)
            except (OSError, subprocess.TimeoutExpired):
                session.kill()
        self._open.close()


def _words(option: str) -> list[str]:
    try:
        return shlex.split(option)
    except ValueError as error:
        reason = str(error)[0].lower() + str(error)[1:]
        raise UsageError(f"--ssh-option {printable(option)}: {reason}.") from None


def _piped(command: Sequence[str], errors: Complaints) -> subprocess.Popen[bytes]:
    # A group of its own: Ctrl-C is the driver's, which ends the program itself.
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors.fileno(),
        env=_environment(),
        process_group=0,
    )


def _environment() -> dict[str, str]:
    """Return the user's environment without a locale, so that programs report errors in English."""
    return {**os.environ, "LC_ALL": "C"}

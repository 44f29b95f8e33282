"""A device behind an SSH server of the test's own; its fixture `board` may be imported anywhere."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.linux.device.connect import Way

_SSHD = "/usr/sbin/sshd"
_START_S = 20


class Board:
    """An SSH server on this machine; `config` is for the client and calls it `board`."""

    def __init__(self, folder: Path, sshd: subprocess.Popen[bytes], config: Path) -> None:
        self.folder = folder
        self.sshd = sshd
        self.config = config

    def way(self, destination: str = "board") -> Way:
        return Way(destination, (f"-F {self.config}",), folder=str(self.folder))

    @property
    def arguments(self) -> tuple[str, ...]:
        """Of a command line that reaches it."""
        return ("board", "--ssh-option", f"-F {self.config}", "--folder", str(self.folder))

    def hang_up(self) -> None:
        """End the connections there are, and the server, so that no further one is made."""
        pid = self.sshd.pid
        sessions = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        self.sshd.terminate()
        for session in sessions:
            os.kill(int(session), signal.SIGKILL)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    if not os.access(_SSHD, os.X_OK) or shutil.which("ssh") is None or shutil.which("ssh-keygen") is None:
        pytest.skip("needs an SSH server and client (openssh-server, openssh-client)")
    keys = tmp_path / "keys"
    keys.mkdir(mode=0o700)
    for name in ("host", "user"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(keys / name)], check=True, timeout=60
        )
    (keys / "authorized_keys").write_bytes((keys / "user.pub").read_bytes())
    port = _free_port()
    server = keys / "sshd_config"
    server.write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {keys}/host\nPidFile none\nUsePAM no\n"
        f"StrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\n"
        f"AuthorizedKeysFile {keys}/authorized_keys\nLogLevel ERROR\n"
    )
    config = keys / "ssh_config"
    config.write_text(
        f"Host board\n  HostName 127.0.0.1\n  Port {port}\n  User {getpass.getuser()}\n"
        f"  IdentityFile {keys}/user\n  IdentitiesOnly yes\n  StrictHostKeyChecking no\n"
        f"  UserKnownHostsFile {keys}/known_hosts\n  LogLevel ERROR\n"
    )
    if os.geteuid() == 0:
        # The server insists on this empty folder where it could change its user.
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    with (tmp_path / "sshd.log").open("wb") as log:
        sshd = subprocess.Popen([_SSHD, "-D", "-e", "-f", str(server)], stderr=log)
        try:
            _wait_for(port, sshd, tmp_path / "sshd.log")
            devices = tmp_path / "device"
            devices.mkdir()
            yield Board(devices, sshd, config)
        finally:
            sshd.terminate()
            sshd.wait(timeout=_START_S)


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def _wait_for(port: int, sshd: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _START_S
    while time.monotonic() < end:
        if sshd.poll() is not None:
            pytest.skip(f"the SSH server does not start here: {log.read_text()}")
        with socket.socket() as probing:
            probing.settimeout(1)
            if probing.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.skip("the SSH server does not answer here")

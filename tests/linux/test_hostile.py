"""A device that says what no device says: every answer has a limit of bytes, depth and time."""

from __future__ import annotations

import os
import resource
import stat
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.linux.device import agent as agents
from steelyard.linux.device import device as devices
from steelyard.linux.device.agent import Agent, AgentDied, AgentRefused, understood
from steelyard.linux.device.device import LocalDevice, SshDevice
from steelyard.linux.device.lines import Lines, Silence, TooLong
from steelyard.toolchain import scratch

ENOUGH_KB = 300_000
"""Far below what an answer without a limit took."""


def peak_kb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that makes `ssh` a script."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    def says(script: str) -> None:
        (tmp_path / "ssh").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "ssh").chmod(0o755)

    return says


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("exec cat /dev/zero", "its login shell prints too much"),
        ("exec yes hello", "its login shell prints too much"),
        ("exec sleep 600", "nothing was answered within 1 seconds"),
        ("echo steelyard-device; exec sleep 600", "nothing was answered within 1 seconds"),
        ("exec >&-; exec sleep 600", "no temporary folder can be made there"),
        ("echo 'no \033[31mroute' >&2; exit 255", r"cannot be reached: no \\x1b\[31mroute"),
        ("yes | tr -d '\\n' | head -c 30000000 >&2; exit 255", "cannot be reached: y"),
    ],
)
def test_greetings_of_ssh(ssh: Any, monkeypatch: pytest.MonkeyPatch, script: str, said: str) -> None:
    ssh(script)
    monkeypatch.setattr(devices, "_GREETING_TIMEOUT_S", 1)
    monkeypatch.setattr(devices, "_CONNECT_TIMEOUT_S", 1)
    began, before = time.monotonic(), peak_kb()
    with pytest.raises(EnvironmentProblem, match=said) as caught:
        SshDevice("board")
    assert time.monotonic() - began < 20
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
    assert peak_kb() - before < ENOUGH_KB


def test_options_of_ssh(steelyard: Any) -> None:
    with pytest.raises(UsageError, match=r"--ssh-option -p '22: no closing quotation"):
        SshDevice("board", ("-p '22",))
    said = steelyard.sentence("host", "info", "board", "--ssh-option", "-p '22", status=2)
    assert "no closing quotation" in said


def started(script: str) -> Agent:
    device = LocalDevice()
    try:
        return Agent(device, device.put("program", f"#!/bin/sh\n{script}\n".encode()))
    finally:
        device.close()


@pytest.mark.parametrize(
    "script",
    [
        "echo '{}'",
        "echo '[]'",
        "echo '{\"machine\": 5}'",
        'echo \'{"machine": {"absent": [1]}}\'',
        'echo \'{"machine": {"cores": {"a": 1}}}\'',
        'echo \'{"machine": {"cores": NaN}}\'',
        'echo \'{"machine": {"cores": 1e999}}\'',
        "yes '[' | tr -d '\\n' | head -c 200000; echo",
        "yes '{\"a\":' | tr -d '\\n' | head -c 200000; echo",
        "yes 9 | tr -d '\\n' | head -c 10000; echo",
        "printf '\\377\\376\\n'",
        "exec cat /dev/zero",
        "exit 3",
    ],
)
def test_greetings_of_a_program(script: str) -> None:
    began, before = time.monotonic(), peak_kb()
    with pytest.raises(AgentRefused) as caught:
        started(script)
    assert time.monotonic() - began < 20
    assert str(caught.value).isprintable()
    assert peak_kb() - before < ENOUGH_KB


def test_what_a_greeting_lacks_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = started('echo \'{"machine": {"kernel": "a\\u001b[31m"}}\'; read line')
    assert agent.machine == {"kernel": "a\\x1b[31m", "absent": {}}
    agent.close()
    monkeypatch.setattr(agents, "_START_TIMEOUT_S", 1)
    with pytest.raises(AgentRefused, match="no answer within 1 seconds"):
        started("exec sleep 600")


def test_a_reply_without_its_fields() -> None:
    for reply, said in (({}, "KeyError: 'status'"), ({"status": {}}, "AttributeError")):
        with pytest.raises(AgentDied, match=said), understood("board"):
            reply["status"].upper()


def test_lines() -> None:
    read, write = os.pipe()
    lines = Lines(read, 100)
    os.write(write, b"one\ntwo\nthr")
    end = time.monotonic() + 10
    assert [lines.next(end), lines.next(end)] == [b"one", b"two"]
    with pytest.raises(Silence):
        lines.next(time.monotonic() + 0.05)
    os.write(write, b"ee\n" + b"x" * 200)
    assert lines.next(end) == b"three"
    with pytest.raises(TooLong):
        lines.next(end)
    os.close(write)
    os.close(read)


def test_complaints_without_end_take_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program writes to standard error lies in no file, also not in one without a name."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "_root", None)
    before = peak_kb()
    agent = started("echo '{\"machine\": {}}'; yes complaint | head -c 100000000 >&2; echo last. >&2; exit 3")
    with pytest.raises(AgentDied, match=r"ended with status 3 \(last\)"):
        agent.ask("cell", {}, 60)
    own = Path("/proc/self/fd")
    held = [path.stat() for path in own.iterdir() if path.exists()]
    assert not [status for status in held if stat.S_ISREG(status.st_mode) and status.st_size > 50_000_000]
    assert peak_kb() - before < ENOUGH_KB
    agent.close()


def test_a_program_that_goes_on_complaining_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = started("echo '{\"machine\": {}}'; yes complaint >&2")
    threads = threading.active_count()
    with pytest.raises(AgentDied, match="no answer within 1 seconds and was ended"):
        agent.ask("cell", {}, 1)
    agent.close()
    end = time.monotonic() + 10
    while threading.active_count() >= threads and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() < threads


def test_folders_lie_below_the_process_s_own(ssh: Any) -> None:
    """A process that is killed leaves none: the next one finds its root unlocked."""
    device = LocalDevice()
    program = Path(device.put("program", b""))
    assert program.is_relative_to(scratch.scratch_root())
    device.close()
    assert not program.parent.exists()
    ssh('for word in "$@"; do case $word in ControlPath=*) echo "$word" >&2;; esac; done; exit 255')
    with pytest.raises(EnvironmentProblem) as caught:
        SshDevice("board")
    assert f"ControlPath={scratch.scratch_root()}/" in str(caught.value)

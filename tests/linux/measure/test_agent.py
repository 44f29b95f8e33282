"""The agent on this machine: right and wrong outputs, threads, and what happens when it dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from linux.measure.cells import BRIEF, measured

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.errors import EnvironmentProblem
from steelyard.linux.device.agent import Agent, AgentDied, AgentRefused
from steelyard.linux.device.complaints import Complaints
from steelyard.linux.device.connect import Reached, Way, reach
from steelyard.linux.device.device import LocalDevice
from steelyard.linux.measure.plan import make_host_plan
from steelyard.linux.measure.question import question
from steelyard.linux.measure.run import run_host_plan
from steelyard.measure.selection import Selection
from steelyard.record.schema import FIELD_NAMES


def test_every_kind_is_measured_and_verified(catalog: Catalog, here: Reached) -> None:
    names = ("aes-128", "rc4-128", "sha-256", "hmac-sha-256", "aes-128-ccm", "sm2")
    records = measured(catalog, here, Selection(primitive=names, mode=("none", "cbc"), length=(32,)))
    assert {record["status"] for record in records} == {"ok"}, [record["error"] for record in records]
    assert all(record["verified"] and tuple(record) == FIELD_NAMES for record in records)
    assert {record["operation"] for record in records} == {
        *("init", "init-decrypt", "encrypt", "decrypt", "digest", "mac", "seal", "open", "sign", "verify")
    } - ({"init-decrypt"} if not catalog.variant("aes/sbox").file.init_decrypt else set())


def test_a_record_has_times_and_says_what_is_absent(catalog: Catalog, here: Reached) -> None:
    selection = Selection(primitive=("aes-128",), mode=("ctr",), length=(4096,), operation=("encrypt",))
    (record,) = measured(catalog, here, selection)
    assert (record["device"], record["target"], record["tier"]) == ("local", here.host.id, "host")
    assert record["runs"] == BRIEF.runs
    low, mean, high = (record[name] for name in ("time_low_us", "time_us", "time_high_us"))
    assert isinstance(low, float) and isinstance(mean, float) and isinstance(high, float)
    assert 0 < low <= mean <= high
    assert record["throughput_bytes_per_s"] == pytest.approx(4096 / mean * 1e6)
    assert len(json.loads(str(record["run_times_us"]))) > BRIEF.runs
    absent = json.loads(str(record["absent"]))
    for name in ("cycles", "governor", "temperature_celsius"):
        assert (record[name] is None) == (name in absent)
    assert all(absent.values())


@pytest.mark.parametrize("mode", ["ecb", "ctr", "cfb", "cbc"])
def test_threads_together_do_what_one_does(catalog: Catalog, here: Reached, mode: str) -> None:
    selection = Selection(primitive=("aes-128",), mode=(mode,), length=(1040,))
    records = measured(catalog, here, selection, threads=(3,))
    assert {record["status"] for record in records} == {"ok"}, [record["error"] for record in records]
    assert {record["threads"] for record in records} == {3}


def test_a_wrong_output_is_no_result(here: Reached, own_idea: Callable[..., Path]) -> None:
    user = load_catalog([own_idea("broken", ("encrypt.c", "x1 ^= u;", "x1 ^= (uint16_t)(u + 1);"))])
    records = measured(user, here, Selection(variant=("idea/broken",), primitive=("idea",), mode=("none",)))
    assert {record["status"] for record in records} == {"wrong-output"}
    assert all(record["time_us"] is None and not record["verified"] for record in records)
    assert "output is" in str(records[0]["error"])


class _Killing(LocalDevice):
    """Kills the program it started before it can answer the second request."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[subprocess.Popen[bytes]] = []

    def start(self, path: str, arguments: Any, errors: Complaints) -> subprocess.Popen[bytes]:
        self.started.append(super().start(path, arguments, errors))
        return self.started[-1]


def test_a_killed_agent_costs_its_cell_and_the_rest_goes_on(catalog: Catalog, here: Reached) -> None:
    device = _Killing()
    try:
        reached = Reached(device, here.host, here.machine)
        plan = make_host_plan(
            catalog, Selection(primitive=("aes-128",), mode=("ctr",), length=(16, 32, 64)), (1,)
        )
        records: list[Any] = []

        def keep(record: Any) -> None:
            records.append(record)
            if len(records) == 1:
                os.kill(device.started[-1].pid, signal.SIGKILL)
                device.started[-1].wait()

        run_host_plan(plan, reached, BRIEF, keep)
    finally:
        device.close()
    assert [record["status"] for record in records] == ["ok", "fault", "ok", "ok", "ok", "ok"]
    assert records[1]["error"] == "The program on local was killed (SIGKILL)."
    assert records[1]["time_us"] is None
    assert len(device.started) == 2


def test_ctrl_c_keeps_what_is_finished(catalog: Catalog, here: Reached) -> None:
    plan = make_host_plan(catalog, Selection(primitive=("aes-128",), mode=("ctr",), length=(16, 32)), (1,))
    kept: list[Any] = []

    def keep(record: Any) -> None:
        kept.append(record)
        if len(kept) == 2:
            raise KeyboardInterrupt

    result = run_host_plan(plan, here, BRIEF, keep)
    assert result.interrupted
    assert len(kept) == 2


def test_an_agent_that_does_not_answer_is_ended(here: Reached) -> None:
    device = LocalDevice()
    try:
        path = device.put("sleeper", b"#!/bin/sh\necho '{\"machine\":{}}'\nread line\nexec sleep 600\n")
        agent = Agent(device, path)
        with pytest.raises(AgentDied, match="gave no answer within 1 seconds and was ended"):
            agent.ask("cell", {"id": 1}, timeout_s=1)
        agent.close()
    finally:
        device.close()


def test_what_does_not_run_here_is_refused_in_a_sentence() -> None:
    device = LocalDevice()
    try:
        path = device.put("talker", b"#!/bin/sh\necho something else\n")
        with pytest.raises(AgentRefused, match="does not run the program"):
            Agent(device, path)
        foreign = device.put("foreign", b"\x7fELF\x01\x01\x01" + bytes(64))
        with pytest.raises((AgentRefused, EnvironmentProblem)):
            Agent(device, foreign)
    finally:
        device.close()


def test_a_program_of_another_architecture_is_told(here: Reached) -> None:
    other = "linux-mips" if here.host.id != "linux-mips" else "linux-riscv64"
    with (
        pytest.raises(EnvironmentProblem, match=r"^local (runs no programs of|.*only emulates)"),
        reach(Way(architecture=other)),
    ):
        pass


def test_the_requests_of_a_program_that_are_wrong_are_answered(catalog: Catalog, here: Reached) -> None:
    plan = make_host_plan(catalog, Selection(primitive=("aes-128",), mode=("ctr",), length=(16,)), (1,))
    from steelyard.linux.build import build_variant

    path = here.device.put("aes-agent", build_variant(plan.cells[0].build(here.host)).elf)
    words = dict(question(plan.cells[0].asked, "seed").words)
    agent = Agent(here.device, path)
    try:
        for change, sentence in (
            ({"operation": "seal"}, "no such operation"),
            ({"key": "zz"}, "key, iv"),
            ({"key": "00" * 600}, "key, iv"),
            ({"bytes": 1 << 40}, "wrong"),
            ({"padding": "some"}, "wrong"),
            ({"threads": 100000}, "threads must be"),
            ({"threads": 2, "bytes": 64}, "one thread has to do all"),
            ({"runs": 1}, "runs must be"),
            ({"junk": "x" * 70000}, "too long"),
        ):
            reply = agent.ask("cell", {"id": 1, **words, **change}, timeout_s=20)
            assert reply["status"] in ("failed", "unsupported"), change
            assert sentence in reply["detail"]
        assert (
            agent.ask("cell", {"id": 2, **words, "runs": 2, "window_ms": 0}, timeout_s=20)["status"] == "ok"
        )
    finally:
        agent.close()


def test_times_of_an_emulator_that_linux_starts_by_itself_are_refused(
    here: Reached, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "s390x")
    with pytest.raises(EnvironmentProblem, match="it only emulates"), reach(Way(architecture=here.host.id)):
        pass

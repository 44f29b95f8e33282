"""A device behind the user's ssh and a real server: measured, left clean, and what may go wrong."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from linux.measure.board import Board
from linux.measure.cells import BRIEF, measured

from steelyard.catalog.load import Catalog
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.linux.device.agent import Agent, AgentDied
from steelyard.linux.device.connect import Way, reach
from steelyard.linux.device.device import SshDevice
from steelyard.linux.measure.plan import make_host_plan
from steelyard.linux.measure.run import run_host_plan
from steelyard.measure.selection import Selection


def test_a_device_is_measured_and_left_as_it_was(catalog: Catalog, board: Board) -> None:
    selection = Selection(primitive=("aes-128",), mode=("cbc",), length=(64,))
    with reach(board.way()) as reached:
        assert reached.device.transport == "ssh"
        assert list(board.folder.iterdir())
        records = measured(catalog, reached, selection)
    assert [(r["status"], r["device"], r["transport"]) for r in records] == [("ok", "board", "ssh")] * 2
    assert all(isinstance(record["time_us"], float) for record in records)
    assert list(board.folder.iterdir()) == []


def run_and_disturb(catalog: Catalog, board: Board, records: list[Any], disturb: Callable[[], None]) -> None:
    """Measure four cells of AES on the board, with a disturbance after the first."""
    plan = make_host_plan(catalog, Selection(primitive=("aes-128",), mode=("ctr",), length=(16, 32)), (1,))

    def keep(record: Any) -> None:
        records.append(record)
        if len(records) == 1:
            disturb()

    with reach(board.way()) as reached:
        run_host_plan(plan, reached, BRIEF, keep)


def test_an_agent_killed_on_the_device_costs_its_cell(catalog: Catalog, board: Board) -> None:
    records: list[Any] = []
    run_and_disturb(catalog, board, records, lambda: _kill_below(str(board.folder)))
    assert [record["status"] for record in records] == ["ok", "fault", "ok", "ok"]
    assert "board" in records[1]["error"]


def test_a_lost_connection_ends_the_run_and_keeps_what_is_finished(catalog: Catalog, board: Board) -> None:
    records: list[Any] = []
    with pytest.raises(EnvironmentProblem, match=r"^The connection to board was lost"):
        run_and_disturb(catalog, board, records, board.hang_up)
    assert records[0]["status"] == "ok"


def test_what_cannot_be_reached_is_one_sentence(board: Board) -> None:
    board.sshd.terminate()
    board.sshd.wait(timeout=20)
    with pytest.raises(EnvironmentProblem, match=r"^board cannot be reached: .*refused"), reach(board.way()):
        pass


def test_a_folder_that_is_not_there_is_one_sentence(board: Board) -> None:
    way = Way("board", board.way().options, folder="/nowhere/at/all")
    with pytest.raises(EnvironmentProblem, match="no temporary folder can be made"), reach(way):
        pass


def test_a_destination_is_no_option() -> None:
    with pytest.raises(UsageError, match="is no device"), reach(Way("-oProxyCommand=true")):
        pass


def test_an_agent_that_hangs_on_the_device_is_ended_there(board: Board) -> None:
    script = b'#!/bin/sh\necho "{\\"machine\\":{\\"process_id\\":$$}}"\nread line\nexec sleep 600\n'
    device = SshDevice("board", (f"-F {board.config}",), str(board.folder))
    try:
        agent = Agent(device, device.put("sleeper", script))
        with pytest.raises(AgentDied, match="gave no answer"):
            agent.ask("cell", {"id": 1}, timeout_s=1)
        end = time.monotonic() + 10
        while Path(f"/proc/{agent.machine['process_id']}").exists() and time.monotonic() < end:
            time.sleep(0.1)
        assert not Path(f"/proc/{agent.machine['process_id']}").exists()
        agent.close()
    finally:
        device.close()


def _kill_below(folder: str) -> None:
    """Kill the agent that was started from this folder, found by its executable."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                executable = os.readlink(f"/proc/{name}/exe")
            except OSError:
                continue
            if executable.startswith(folder) and "agent-" in executable:
                os.kill(int(name), signal.SIGKILL)

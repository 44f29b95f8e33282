"""The program on a device: right on every architecture, and what happens where it is wrong or dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from linux.emulated import EACH_HOST
from linux.interfere.synthetic import plan

from steelyard.catalog.load import load_catalog
from steelyard.linux.device.connect import Reached, Way, reach
from steelyard.linux.hosts import Host
from steelyard.linux.interfere import load, run
from steelyard.linux.interfere.load import OPERATIONS, Load, OwnLoad
from steelyard.linux.interfere.result import Row
from steelyard.linux.measure.plan import make_host_plan
from steelyard.linux.measure.question import question
from steelyard.measure.selection import select


def loads(*names: str) -> list[Load]:
    """Loads of 300 bytes with these primitives, in CTR where they are block ciphers."""
    selection = select(primitive=list(names), operation=list(OPERATIONS), mode=["ctr"], length=[300])
    return [OwnLoad(cell) for cell in make_host_plan(load_catalog(), selection, [1]).cells]


@pytest.fixture
def here() -> Iterator[Reached]:
    with reach(Way()) as reached:
        yield reached


def rows(reached: Reached, *names: str, on_block: Callable[[Load], None] = lambda load: None) -> list[Row]:
    """Runs of 64 periods without any privilege."""
    short = plan(duration_="64ms", priority=0, core=None, rate="2000/s", length="300")
    return list(run.Runner(reached, short, "a seed", on_block).rows(loads(*names)))


@EACH_HOST
def test_right_on_every_architecture_and_no_times_of_an_emulator(host: Host) -> None:
    with reach(Way(qemu=host.id)) as reached:
        found = rows(reached, "speck-64-128")
    assert [(row["status"], row["verified"]) for row in found] == [("ok", True)], found
    assert all(row["wakeup_mean_us_with"] is None and row["scheduler"] is None for row in found)


def test_a_wrong_output_has_no_figures(here: Reached, monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(*arguments: Any) -> Any:
        asked = question(*arguments)
        return replace(asked, answers={**asked.answers, "output": "00" * 300})

    monkeypatch.setattr(load, "question", planted)
    (row,) = rows(here, "speck-64-128")
    assert (row["status"], row["verified"], row["wakeup_mean_us_with"]) == ("wrong-output", False, None)
    assert "output is " in str(row["error"])


def test_a_killed_program_is_a_sentence_and_the_next_run_goes_on(here: Reached) -> None:
    killed: list[int] = []

    def children() -> set[int]:
        listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
        return set(map(int, listed.split()))

    # Those of other tests, a browser's for instance, live on.
    others = children()

    def kill_once(killing: Load) -> None:
        if not killed:
            killed.extend(children() - others)
            for child in killed:
                os.kill(child, signal.SIGKILL)

    first, second = rows(here, "speck-64-128", "siphash-2-4", on_block=kill_once)
    assert first["status"] == "failed"
    assert first["error"] == "The program on local was killed (SIGKILL)."
    assert first["wakeup_mean_us_with"] is None
    assert (second["status"], second["verified"]) == ("ok", True)

"""kill -9 at random moments of `measure`, `store gc` and `report`: nothing is lost, nothing doubled.

SOAK_KILLS says how many of the long test (100 by default):

    SOAK_KILLS=100 python -m pytest -m soak -s tests/store/test_kill.py
"""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from steelyard.record.schema import Record, identity
from steelyard.store.read import read_records

CELLS = ("--primitive", "rc5-32-*", "--target", "atmega128", "--toolchain", "gcc", "--mode", "*", "--jobs", 2)
ROUNDS = (("measure",), ("gc",), ("report",), ("measure", "gc"))


def stored(folder: Path, cut: Counter[str]) -> tuple[dict[tuple[object, ...], Record], Counter[str]]:
    """The newest record of each cell, and how often each record is there.

    A line that is cut off is counted: a run was killed while it wrote a record that nobody had seen.
    """

    def said(sentence: str) -> None:
        assert "is cut off and was left out" in sentence, sentence
        cut[sentence] += 1

    newest = {identity(record): record for record in read_records(folder, said).to_dicts()}
    every = read_records(folder, said, newest_only=False).to_dicts()
    return newest, Counter(map(json.dumps, every))


@pytest.mark.parametrize(
    "kills", [5, pytest.param(int(os.environ.get("SOAK_KILLS", "100")), marks=pytest.mark.soak)]
)
def test_kills_lose_and_double_nothing(steelyard: Any, tmp_path: Path, kills: int) -> None:
    steelyard.cache = tmp_path / "cache"
    page = tmp_path / "report.html"
    commands: dict[str, tuple[object, ...]] = {
        "measure": ("measure", *CELLS, "--json"),
        "gc": ("store", "gc"),
        "report": ("report", "-o", page),
    }
    steelyard.run(*commands["measure"], "--seed", "first")
    lasts_s = {}
    for name, command in commands.items():
        start = time.monotonic()
        steelyard.run(*command)
        lasts_s[name] = time.monotonic() - start
    cells = len(read_records(steelyard.store, pytest.fail))
    chance = random.Random(kills)
    ended: Counter[str] = Counter()
    cut: Counter[str] = Counter()
    before, every_before = stored(steelyard.store, cut)
    for number in count():
        if sum(ended[f"{name} killed"] for name in commands) >= kills:
            break
        names = ROUNDS[number % len(ROUNDS)]
        seed = f"round {number}"
        victims = {
            name: steelyard.start(*commands[name], *(("--seed", seed) if name == "measure" else ()))
            for name in names
        }
        time.sleep(chance.uniform(0.0, 1.1 * max(lasts_s[name] for name in names)))
        for name, victim in victims.items():
            victim.kill()
            printed, _ = victim.communicate()
            done = victim.returncode == 0
            ended[f"{name} {'was done' if done else 'killed'}"] += 1
            if name == "measure" and done:
                every_now = stored(steelyard.store, cut)[1]
                assert all(every_now[json.dumps(record)] == 1 for record in json.loads(printed))
        after, every_after = stored(steelyard.store, cut)
        assert before.keys() <= after.keys()
        changed = [cell for cell in before if after[cell] != before[cell]]
        assert all(after[cell]["input_seed"] == seed for cell in changed)
        assert not changed or "measure" in names
        doubled = {text for text, times in every_after.items() if times > max(1, every_before[text])}
        assert not doubled
        if "gc" not in names:
            assert not every_before - every_after
        if page.exists():
            assert page.read_text("utf-8").rstrip().endswith("</html>")
        ended["records written"] += len(every_after - every_before)
        before, every_before = after, every_after
    steelyard.run("store", "gc")
    after, every_after = stored(steelyard.store, Counter())
    assert after == before
    assert len(after) == cells == every_after.total()
    assert "nothing is damaged" in steelyard.sentence("store", "verify", status=0)
    assert len(list(steelyard.store.iterdir())) == 2
    print(f"kill -9: {dict(ended)}, {len(cut)} lines cut off; {len(after)} cells, all whole.")

"""How long `steelyard compare` takes for fifty cells on this machine, cold and warm.

    python -m docs.generate --measure fifty-cells

runs it on the two commits of `pull_request`, with a cache that is empty, one that holds the base, and one
that holds both sides, and keeps the seconds in docs/records/fifty-cells.csv.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from docs.generate.pull_request import CODE, ROOT, two_commits

from steelyard.present.markdown import markdown_table

KEPT = ROOT / "docs" / "records" / "fifty-cells.csv"
CHIPS = ("atmega128", "stm32f407", "rp2040", "fe310-g000", "msp430f1611")
SELECTION = (
    *("--primitives", CODE, "--variant", "rc4/simple", "--primitive", "rc4-*", "--toolchain", "clang"),
    *(word for chip in CHIPS for word in ("--target", chip)),
    *("--length", "64", "--length", "256"),
)
"""Two primitives on five chips: set-up, and two lengths in both directions."""
CELLS = 50

_COLUMNS = ("cache", "cells", "seconds", "cpu_seconds", "cpus")
_TOLD = {
    "empty": "nothing measured before",
    "base": "the base measured before",
    "both": "both measured before",
}


def measure() -> None:
    """Measure the three cases, and keep their seconds."""
    with tempfile.TemporaryDirectory() as temporary, KEPT.open("w", encoding="utf-8", newline="") as file:
        folder = Path(temporary, "project")
        two_commits(folder)
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(_COLUMNS)
        caches = [Path(temporary, name) for name in ("cold", "warm")]
        _compared(folder, caches[1], "main", "main")
        cases = (("empty", caches[0]), ("base", caches[1]), ("both", caches[1]))
        for name, cache in cases:
            rows.writerow((name, *_compared(folder, cache, "main", "two-bytes-a-turn"), os.cpu_count()))


def _compared(folder: Path, cache: Path, base: str, head: str) -> tuple[int, float, float]:
    """Return the cells of a comparison, its seconds, and seconds of the processor."""
    command = [sys.executable, "-m", "steelyard", "compare", "--git", base, head, *SELECTION, "--json"]
    began, used = time.perf_counter(), os.times()
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "STEELYARD_CACHE": str(cache)}, capture_output=True, text=True
    )
    seconds, after = time.perf_counter() - began, os.times()
    if done.returncode not in (0, 4):
        raise RuntimeError(done.stderr)
    cells = len({row["cell"] for row in json.loads(done.stdout)})
    if cells != CELLS:
        raise RuntimeError(f"{cells} cells in place of {CELLS}")
    cpu = after.children_user + after.children_system - used.children_user - used.children_system
    return cells, round(seconds, 1), round(cpu, 1)


def _table() -> str:
    with KEPT.open(encoding="utf-8", newline="") as file:
        rows = [
            (_TOLD[row["cache"]], row["cells"], row["seconds"], row["cpu_seconds"], row["cpus"])
            for row in csv.DictReader(file)
        ]
    return markdown_table(("cache", "cells", "seconds", "CPU seconds", "processors"), rows, left=1)


def blocks() -> dict[str, Callable[[], str]]:
    """Return the block of the page on continuous integration."""
    return {"fifty cells": _table}

"""Measure how runs of thousands of cells scale, and how fast a store of a million records answers.

    python -m tools.scale --cells 1000 --cells 10000 --cells 50000 --records 1000000

Prints the tables of docs/scale.md as Markdown; `--page` puts them there. Each run is a process of its own
with an empty cache, then the same again with the cache that it has left. The cells are of real selections:
every variant of the primitives below, ten chips, three levels of optimisation, messages of 1 to 128 bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from steelyard.catalog.load import load_catalog
from steelyard.measure.image import Rules
from steelyard.measure.plan import Cell, Plan
from steelyard.measure.selection import Selection
from steelyard.measure.session import prepare
from steelyard.measure.workers import Cluster
from steelyard.record.schema import Record
from steelyard.store.lines import line
from steelyard.store.query import rows_of
from steelyard.store.read import read_records
from steelyard.store.segments import SegmentWriter

if TYPE_CHECKING:
    import polars as pl

SELECTION = Selection(
    primitive=(
        *("rc4-128", "chacha20", "salsa20", "md5", "sha-1", "sha-256"),
        *("speck-64-128", "speck-128-128", "xtea", "rc5-32-12-8", "lea-128"),
    ),
    variant=("*",),
    mode=("ctr", "ofb", "cfb"),
    operation=("encrypt", "digest"),
    target=(
        *("atmega128", "atmega328p", "attiny45", "stm32f051", "samd21", "rp2040", "stm32l100"),
        *("stm32l152", "fe310-g000", "gd32vf103"),
    ),
    flags=("-Os", "-O2", "-O3"),
    length=tuple(range(1, 129)),
)
"""More than 100,000 cells that take milliseconds each: what is around them is what is measured."""
RULES = Rules(samples=2)
_LOOK_S = 1.0
_PLACE = "<!-- measured: scale -->\n"
_END = "<!-- end -->\n"


def shortened(plan: Plan, cells: int) -> Plan:
    """Return a plan of so many cells, of whole builds drawn from a longer one, the last one cut."""
    keys = list(plan.cells)
    drawn = random.Random(cells).sample(range(len(keys)), len(keys))
    chosen: dict[int, list[Cell]] = {}
    left = cells
    for number in drawn:
        chosen[number] = plan.cells[keys[number]][:left]
        left -= len(chosen[number])
        if left == 0:
            return Plan({keys[number]: chosen[number] for number in sorted(chosen)})
    raise SystemExit(f"The selection has {plan.cell_count} cells; {left} of {cells} are missing.")


def run(cells: int, workers: int, store: Path) -> dict[str, Any]:
    """Measure a plan in this process, and return what it took."""
    began = time.process_time()
    session = prepare(load_catalog(), [SELECTION])
    planned_s = time.process_time() - began
    plan = shortened(session.plan, cells)
    session.plan.cells = plan.cells
    seen = _Memory()
    started, before_s = time.monotonic(), time.process_time()
    with seen:
        result = session.run(store, RULES, Cluster(workers=workers))
    wall_s, driver_s = time.monotonic() - started, time.process_time() - before_s
    assert len(result.records) == cells
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "cells": cells,
        "builds": len(plan.cells),
        "workers": workers,
        "verified": sum(record["verified"] is True for record in result.records),
        "wall_s": wall_s,
        "planned_s": planned_s,
        "driver_s": driver_s,
        "children_s": children.ru_utime + children.ru_stime,
        "spent_cpu_s": result.spent.cpu_s,
        "spent_wall_s": result.spent.wall_s,
        "driver_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "worker_mb": seen.largest_mb,
        "half_mb": seen.half_mb,
    }


class _Memory:
    """The largest resident memory of any child, and what this process had when half of the time was over."""

    def __init__(self) -> None:
        self.largest_mb = 0.0
        self._own: list[float] = []
        self._end = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    @property
    def half_mb(self) -> float:
        return max(self._own[: len(self._own) // 2 + 1])

    def _look(self) -> None:
        ended = False
        while not ended:
            self._own.append(_resident_mb(os.getpid()))
            for path in Path("/proc/self/task").glob("*/children"):
                with suppress(OSError):
                    for child in path.read_text().split():
                        self.largest_mb = max(self.largest_mb, _resident_mb(int(child)))
            ended = self._end.wait(_LOOK_S)


def _resident_mb(process: int) -> float:
    with suppress(OSError):
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
        if found:
            return int(found[1]) / 1024
    return 0.0


def apart(folder: Path, cells: int, workers: int) -> dict[str, Any]:
    """Run in a process of its own, with the cache of a folder."""
    words = ("--run", str(cells), "--workers", str(workers), "--folder", str(folder))
    environment = os.environ | {"STEELYARD_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "tools.scale", *words], env=environment, stdout=subprocess.PIPE, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    print(json.dumps(found), file=sys.stderr)
    return found


def grown(folder: Path, known: Sequence[Record], wanted: int) -> int:
    """Make a store of so many records from measured ones, in 20 segments; return its bytes.

    They differ in the length of their messages and in their dates; the last twentieth are newer records of
    cells that are there.
    """
    per_run = wanted // 20
    for number in range(20):
        with SegmentWriter(folder) as writer:
            lines = []
            for place in range(per_run):
                serial = (number % 19) * per_run + place
                record = dict(known[serial % len(known)])
                record["message_bytes"] = 1 + serial // len(known)
                record["date"] = f"2026-01-{number + 1:02}T00:00:00+00:00"
                lines.append(line(record))
                if len(lines) == 1000:
                    writer.append_lines(b"".join(lines))
                    lines = []
            writer.append_lines(b"".join(lines))
    return sum(path.stat().st_size for path in folder.glob("records-*"))


def timed(what: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return the seconds by the clock and of processor time that something takes, and its result."""
    start, cpu = time.monotonic(), time.process_time()
    result = what()
    return time.monotonic() - start, time.process_time() - cpu, result


def _collected(ask: Callable[[], pl.LazyFrame]) -> pl.DataFrame:
    return ask().collect()


def queries(folder: Path, known: Record) -> Iterator[tuple[str, float, float, int]]:
    """Ask a store; yield what was asked, seconds by the clock and of the processor, rows of the answer.

    The first query asks for the primitive and the chip of a known record.
    """
    import polars as pl

    def newest(*where: pl.Expr) -> pl.LazyFrame:
        return rows_of(folder, print).newest(*where)

    asked: dict[str, Callable[[], pl.LazyFrame]] = {
        "cells of one primitive on one chip, all columns": lambda: newest(
            pl.col("primitive") == known["primitive"], pl.col("target") == known["target"]
        ),
        "fastest variant of each primitive on each chip, 64 bytes": lambda: (
            newest(pl.col("message_bytes") == 64)
            .filter(pl.col("status") == "ok")
            .group_by("primitive", "target")
            .agg(pl.col("variant").sort_by("cycles").first(), pl.col("cycles").min())
        ),
        "newest records by status and chip": lambda: newest().group_by("status", "target").len(),
        "mean cycles of all newest records by primitive": lambda: (
            newest().group_by("primitive").agg(pl.col("cycles").mean())
        ),
    }
    for name, ask in asked.items():
        wall_s, cpu_s, frame = timed(partial(_collected, ask))
        yield name, wall_s, cpu_s, frame.height


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return a table as Markdown."""
    marks = ["---"] * left + ["---:"] * (len(headings) - left)
    return "".join(f"| {' | '.join(one)} |\n" for one in (headings, marks, *rows))


def row(found: dict[str, Any], state: str) -> list[str]:
    """Return the row of a run."""
    spent = found["spent_cpu_s"]
    share = f"{found['driver_s'] / spent:.1%}" if spent > 1 else ""
    busy = f"{at_work(found) / found['workers']:.0%}" if spent > 1 else ""
    return [
        f"{found['cells']:,}",
        state,
        f"{found['builds']:,}",
        str(found["workers"]),
        f"{found['wall_s']:.1f}",
        f"{found['driver_s'] + found['children_s']:.1f}",
        f"{spent:.1f}" if spent > 1 else "",
        f"{found['driver_s']:.1f}",
        share,
        busy,
        f"{found['half_mb']:.0f}",
        f"{found['driver_mb']:.0f}",
        f"{found['worker_mb']:.0f}",
    ]


def at_work(found: dict[str, Any]) -> float:
    """Return how many workers were at work on average: on a busy machine it says more than the clock."""
    mean: float = found["spent_wall_s"] / found["wall_s"]
    return mean


HEADINGS = (
    *("cells", "cache", "builds", "workers", "s", "CPU s", "compile + emulate, CPU s"),
    *("plan's process, CPU s", "share", "workers busy", "MB at half", "MB, most", "MB, worker"),
)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, action="append", help="cells of a run; repeatable")
    parser.add_argument("--records", type=int, default=1_000_000, help="records of the store that is asked")
    parser.add_argument("--speed-up", type=int, default=10_000, help="cells of runs on one and two workers")
    parser.add_argument("--page", type=Path, help="page whose block is replaced")
    parser.add_argument("--run", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=2, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        print(json.dumps(run(given.run, given.workers, given.folder / "store")))
        return
    with tempfile.TemporaryDirectory(prefix="steelyard-scale-") as temporary:
        text = "".join(
            report(Path(temporary), given.cells or [1000, 10000, 50000], given.speed_up, given.records)
        )
    print(text)
    if given.page:
        page = given.page.read_text("utf-8")
        before, rest = page.split(_PLACE)
        given.page.write_text(f"{before}{_PLACE}{text}{_END}{rest.partition(_END)[2]}", "utf-8")


def report(folder: Path, sizes: Sequence[int], speed_up: int, records: int) -> Iterator[str]:
    """Yield the tables, measured one after the other."""
    load = os.getloadavg()[0]
    yield (
        f"Measured on {datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python"
        f" {platform.python_version()}; load average {load:.1f} before the first run.\n\n"
    )
    rows = []
    for cells in sizes:
        own = folder / str(cells)
        rows += [row(apart(own, cells, 2), state) for state in ("cold", "warm")]
    yield table(HEADINGS, rows, 2)
    if speed_up:
        alone, both = (apart(folder / f"{workers} workers", speed_up, workers) for workers in (1, 2))
        yield "\n## Two workers beside one\n\n"
        yield table(
            ("cells", "one worker, s", "two workers, s", "ratio", "workers at work, of 1", "of 2", "ratio"),
            [
                [
                    f"{speed_up:,}",
                    f"{alone['wall_s']:.1f}",
                    f"{both['wall_s']:.1f}",
                    f"{alone['wall_s'] / both['wall_s']:.2f}",
                    f"{at_work(alone):.2f}",
                    f"{at_work(both):.2f}",
                    f"{at_work(both) / at_work(alone):.2f}",
                ]
            ],
        )
    if not records:
        return
    known: list[Record] = read_records(folder / str(sizes[0]) / "store", print).to_dicts()
    size = grown(folder / "million", known, records)
    first_s, first_cpu_s, _ = timed(lambda: rows_of(folder / "million", print))
    answers = [
        (name, f"{wall_s:.2f}", f"{cpu_s:.2f}", f"{count:,}")
        for name, wall_s, cpu_s, count in queries(folder / "million", known[0])
    ]
    yield (
        f"\n## A store of a million records\n\n"
        f"{records:,} records in 20 segments of {size / 1e9:.1f} GB together; their copies by columns took"
        f" {first_s:.0f} s ({first_cpu_s:.0f} s of processor time), once.\n\n"
    )
    yield table(("query", "s", "CPU s", "rows"), answers)


if __name__ == "__main__":
    main()

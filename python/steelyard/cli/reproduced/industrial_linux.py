"""Ciphers on an embedded Linux board: measured on a device, its Table 2, gaps and claims."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from steelyard.cli.output import bar, print_json, warn
from steelyard.cli.reproduced.common import claim_rows, print_claims, print_lines

if TYPE_CHECKING:
    from pathlib import Path

    from steelyard.catalog.load import Catalog
    from steelyard.linux.device.connect import Way
    from steelyard.linux.measure.library import LibraryCell
    from steelyard.linux.measure.plan import HostCell
    from steelyard.measure.run import RunResult
    from steelyard.record.schema import Record
    from steelyard.reproduce.industrial_linux import Reproduction

_LIMIT_S = 20.0
_GAPS_SHOWN = 8
_Cell = tuple[object, ...]


def measure(
    catalog: Catalog, way: Way, store: Path | None, *, quick: bool, again: bool
) -> tuple[RunResult, str]:
    """Measure what the store lacks of it on a device; all records there of this device, and its name.

    Ctrl-C leaves what is done in the store, and the next run goes on from there.
    """
    from steelyard.linux.device.connect import reach
    from steelyard.linux.measure.asking import HostRules
    from steelyard.linux.measure.library import run_library_plan
    from steelyard.linux.measure.run import run_host_plan
    from steelyard.measure.run import RunResult
    from steelyard.reproduce.industrial_linux import stages
    from steelyard.store.read import read_records
    from steelyard.store.segments import SegmentWriter, store_folder

    result = RunResult()
    every = stages(catalog, quick=quick)
    with SegmentWriter(store_folder(store)) as writer, reach(way, warn) as reached:
        device = reached.device.name
        old = [r for r in read_records(store_folder(store), warn).to_dicts() if r["device"] == device]
        done = set() if again else {_identity(record) for record in old if _counts(record, reached.machine)}
        for number, stage in enumerate(every, start=1):
            runs_of = {identity for identity, runs in done if runs >= stage.runs}
            stage.own.cells = [one for one in stage.own.cells if _of_own(one) not in runs_of]
            stage.asked.cells = [one for one in stage.asked.cells if _of_library(one) not in runs_of]
            total = len(stage.own.cells) + len(stage.asked.cells)
            warn(f"{stage.title}: {total} cells to measure (step {number} of {len(every)}).")
            rules = HostRules(runs=stage.runs, limit_s=_LIMIT_S)
            with bar("measuring", total) as advance:

                def keep(record: Record) -> None:
                    writer.append([record])
                    result.records.append(record)
                    if record["status"] == "ok":
                        done.add(_identity(record))
                    advance(f"{record['primitive']} {record['mode'] or record['operation']}")

                result.interrupted = run_host_plan(stage.own, reached, rules, keep).interrupted
                if not result.interrupted:
                    result.interrupted = run_library_plan(stage.asked, reached, rules, keep).interrupted
            if result.interrupted:
                break
    result.records = [*old, *result.records]
    return result, device


def _counts(record: Record, machine: object) -> bool:
    """Whether a record is of this machine as it is, has a figure, and nothing else kept the machine busy."""
    from steelyard.reproduce.industrial_linux import UNDISTURBED_PERCENT

    assert isinstance(machine, dict)
    told = json.loads(str(record["machine"] or "{}"))
    share = record["cpu_process_percent"]
    if isinstance(share, float) and share < UNDISTURBED_PERCENT:
        return False
    same = all(told.get(name) == machine.get(name) for name in ("kernel", "processor", "cores"))
    return same and record["status"] == "ok" and record["verified"] is True


def _identity(record: Record) -> tuple[_Cell, int]:
    who = (record["library"], record["variant"], record["flags"], record["settings"])
    what = (record["primitive"], record["mode"], record["operation"], record["message_bytes"])
    runs = record["runs"]
    return (*who, *what, record["padding"], record["threads"]), runs if isinstance(runs, int) else 0


def _of_own(cell: HostCell) -> _Cell:
    mode = cell.mode.id if cell.mode is not None else None
    what = (cell.primitive.id, mode, cell.operation, cell.message_bytes)
    return (None, cell.variant.id, cell.flags, None, *what, cell.padding, cell.threads)


def _of_library(cell: LibraryCell) -> _Cell:
    asked = cell.asked
    what = (asked.primitive.id, asked.mode, asked.operation, asked.message_bytes)
    return (cell.library.id, None, None, cell.settings, *what, asked.padding, cell.threads)


def show(records: Iterable[Record], catalog: Catalog, *, quick: bool = False, as_json: bool) -> None:
    """Print the comparison that the records allow."""
    from steelyard.reproduce import industrial_linux

    message = industrial_linux.QUICK_BYTES if quick else industrial_linux.MESSAGE_BYTES
    defaults = {variant.id for variant in catalog.variants if variant.file.default}
    made = industrial_linux.reproduce(records, defaults, message)
    if as_json:
        print_json(_rows(made))
    else:
        _print(made, message)


def _rows(made: Reproduction) -> Iterator[dict[str, object]]:
    """An object per row of Table 2 and implementation, per gap and per claim; `table` says which it is."""
    for row in made.rows:
        yield {"table": "aes", **asdict(row)}
    for reason, count in made.gaps().items():
        yield {"table": "gap", "reason": reason, "cells": count}
    yield from claim_rows((*made.claims, made.between))


def _print(made: Reproduction, message_bytes: int) -> None:
    """The tables."""
    from steelyard.report.published.industrial_linux import table2_lines

    print_lines(table2_lines(made))
    print(
        f"A message of {message_bytes:,} bytes; CPU is the busy share of the machine, in the next column that"
        " of the process in one core."
    )
    print_claims((*made.claims, made.between), made.choices)
    for reason, count in list(made.gaps().items())[:_GAPS_SHOWN]:
        warn(f"{count} cell{'s' if count > 1 else ''} without a figure: {reason}.")


def failures(records: Sequence[Record]) -> list[Record]:
    """Cells that should have a figure and have none; gaps of libraries are none of them."""
    return [r for r in records if r["status"] not in ("ok", "unsupported")]

"""Cells for tests, measured as briefly as can be."""

from __future__ import annotations

from steelyard.catalog.load import Catalog
from steelyard.machine.host.connect import Reached
from steelyard.measure.host.asking import HostRules
from steelyard.measure.host.plan import make_host_plan
from steelyard.measure.host.run import run_host_plan
from steelyard.measure.record import Record
from steelyard.measure.selection import Selection

BRIEF = HostRules(runs=3, limit_s=20, window_ms=0)


def measured(
    catalog: Catalog, reached: Reached, selection: Selection, threads: tuple[int, ...] = (1,)
) -> list[Record]:
    seen: list[Record] = []
    result = run_host_plan(make_host_plan(catalog, selection, threads), reached, BRIEF, seen.append)
    assert seen == result.records
    return seen

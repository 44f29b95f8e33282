"""Cells for tests, measured as briefly as can be."""

from __future__ import annotations

from steelyard.catalog.load import Catalog
from steelyard.linux.device.connect import Reached
from steelyard.linux.measure.asking import HostRules
from steelyard.linux.measure.plan import make_host_plan
from steelyard.linux.measure.run import run_host_plan
from steelyard.measure.selection import Selection
from steelyard.record.schema import Record

BRIEF = HostRules(runs=3, limit_s=20, window_ms=0)


def measured(
    catalog: Catalog, reached: Reached, selection: Selection, threads: tuple[int, ...] = (1,)
) -> list[Record]:
    seen: list[Record] = []
    result = run_host_plan(make_host_plan(catalog, selection, threads), reached, BRIEF, seen.append)
    assert seen == result.records
    return seen

"""Variants that count: by how much siblings differ on the ATmega128, built by GCC with -Os."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import steelyard
from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Algorithm
from steelyard.measure.rules import RULES, TradeOffRule
from steelyard.record.schema import Record

RULE = RULES["trade-off"]
LEAST_COUNT = 110


def primitives_compared(algorithm: Algorithm) -> list[str]:
    """The first primitive that all variants do, or all primitives where there is none."""
    listed = [p.id for p in algorithm.file.primitive if getattr(p, "counted", True)]
    common = [name for name in listed if all(variant.does(name) for variant in algorithm.variants)]
    return common[:1] or listed


def measured(catalog: Catalog, store: Path) -> list[Record]:
    """What all variants cost; of those that do not fit the chip, the sizes."""
    names = [name for algorithm in catalog.algorithms for name in primitives_compared(algorithm)]
    records = steelyard.measure(
        names,
        variant="*",
        target="atmega128",
        toolchain="gcc",
        flags="-Os",
        footprint="both",
        samples=2,
        store=store,
    )
    return records.rows(named=True)


@pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="avr-gcc is not installed")
def test_enough_variants_and_each_a_trade_off(tmp_path: Path) -> None:
    assert isinstance(RULE, TradeOffRule)
    catalog = load_catalog()
    records = measured(catalog, tmp_path)
    failed = {(r["variant"], r["error"]) for r in records if r["status"] not in ("ok", "does-not-fit")}
    assert failed == set()
    with_figures = {record["variant"] for record in records}
    # What takes a pointer is no C, and `test_pointer_heads` has its figures.
    listed = {variant.id for variant in catalog.variants if variant.file.interface is None}
    assert sorted(listed - with_figures) == []
    assert sorted((str(one[1]), str(other[1])) for one, other in RULE.alike(records)) == []
    assert len({build[1] for build in RULE.kept(records)}) >= LEAST_COUNT

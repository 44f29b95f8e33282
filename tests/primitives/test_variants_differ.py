"""Variants that count: by how much siblings differ on the ATmega128, built by GCC with -Os."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

import pytest

import steelyard
from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Algorithm

LEAST_DIFFERENCE = 0.05
LEAST_COUNT = 110

Metrics = Mapping[str, float]


def primitives_compared(algorithm: Algorithm) -> list[str]:
    """The first primitive that all variants do, or all primitives where there is none."""
    listed = [p.id for p in algorithm.file.primitive if getattr(p, "counted", True)]
    common = [name for name in listed if all(variant.does(name) for variant in algorithm.variants)]
    return common[:1] or listed


def differ(one: Metrics, other: Metrics) -> bool:
    """Whether any figure that both have is more than 5 % larger in one than in the other."""
    shared = one.keys() & other.keys()
    return any(
        max(one[name], other[name]) > (1 + LEAST_DIFFERENCE) * min(one[name], other[name]) for name in shared
    )


def alike(metrics: Mapping[str, Metrics]) -> set[tuple[str, str]]:
    """Pairs of variants of one algorithm that are no trade-off of each other."""
    siblings: defaultdict[str, list[str]] = defaultdict(list)
    for variant in sorted(metrics):
        siblings[variant.partition("/")[0]].append(variant)
    pairs = (pair for names in siblings.values() for pair in combinations(names, 2))
    return {(a, b) for a, b in pairs if not differ(metrics[a], metrics[b])}


def measured(catalog: Catalog, store: Path) -> dict[str, dict[str, float]]:
    """By variant, cycles of each operation, ROM and RAM; sizes alone where it does not fit the chip."""
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
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for record in records.iter_rows(named=True):
        if record["status"] not in ("ok", "does-not-fit"):
            continue
        own = (record["primitive"], record["operation"], record["message_bytes"])
        figures = {
            "cycles": record["cycles"],
            "ROM": record["rom_bytes"],
            "RAM": record["ram_bytes"],
            "static RAM": record["ram_static_bytes"] + record["ram_context_bytes"],
        }
        found[record["variant"]] |= {f"{name} {own}": value for name, value in figures.items() if value}
    return found


@pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="avr-gcc is not installed")
def test_enough_variants_and_each_a_trade_off(tmp_path: Path) -> None:
    catalog = load_catalog()
    metrics = measured(catalog, tmp_path)
    offenders = sorted(alike(metrics))
    counted = metrics.keys() - {name for pair in offenders for name in pair}
    without_figure = sorted({variant.id for variant in catalog.variants} - metrics.keys())
    assert without_figure == []
    assert offenders == []
    assert len(counted) >= LEAST_COUNT


def figures(**values: float) -> dict[str, float]:
    return values


def names(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{a} {b}" for a, b in pairs]


def test_siblings_within_five_percent_are_seen() -> None:
    same = {
        "a/x": figures(cycles=100, rom=50),
        "a/y": figures(cycles=105, rom=48),
        "b/z": figures(cycles=100),
    }
    assert names(alike(same)) == ["a/x a/y"]
    assert names(alike({**same, "a/y": figures(cycles=106, rom=48)})) == []
    assert names(alike({**same, "a/y": figures(rom=47)})) == []
    assert names(alike({**same, "a/y": figures(ram=1)})) == ["a/x a/y"]

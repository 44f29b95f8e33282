"""Rijndael and the size of caches: cycles by variant and size, claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from steelyard.cli.output import print_json, warn
from steelyard.cli.reproduced.common import claim_rows, print_claims
from steelyard.present.terminal import print_table

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.record.schema import Record
    from steelyard.reproduce.cache_sweep import Reproduction
    from steelyard.reproduce.comparison import Steps


TARGET = "sa1100"
"""The chip whose compiler is taken where none is named."""


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured."""
    from steelyard.reproduce import cache_sweep

    return cache_sweep.steps(catalog, toolchain)


def show(records: Sequence[Record], catalog: Catalog, *, as_json: bool) -> None:
    """Print the comparison that the records allow."""
    from steelyard.reproduce import cache_sweep

    made = cache_sweep.reproduce(records)
    if as_json:
        print_json(_rows(made))
    else:
        _print(made)


def _rows(made: Reproduction) -> Iterator[dict[str, object]]:
    """One object per point and claim; `table` says which it is."""
    for point in made.points:
        yield {"table": "point", **asdict(point)}
    yield from claim_rows(made.claims)


def _print(made: Reproduction) -> None:
    """The tables."""
    from steelyard.reproduce.cache_sweep import CACHE_BYTES, TARGETS

    sizes = [f"{size // 1024} KB" for size in CACHE_BYTES]
    print_table(("target", "flags", "variant", *sizes), _lines(made), left=3)
    print(
        "Cycles of a block of 16 bytes in ECB, of a message of 1,024 bytes,"
        " with instruction and data caches of this size each; in parentheses the misses."
    )
    print_claims(made.claims, list(TARGETS))
    for target in made.absent:
        warn(f"nothing was measured on {target}.")


def _lines(made: Reproduction) -> Iterator[tuple[str, ...]]:
    from steelyard.reproduce.cache_sweep import CACHE_BYTES

    found: dict[tuple[str, str, str], dict[int, str]] = {}
    for point in made.points:
        misses = "" if point.misses is None else f" ({point.misses:,.1f})"
        line = found.setdefault((point.target, point.flags, point.variant), {})
        line[point.cache_bytes] = f"{point.cycles:,.0f}{misses}"
    for labels, line in sorted(found.items()):
        yield (*labels, *(line.get(size, "") for size in CACHE_BYTES))

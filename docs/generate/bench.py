"""Blocks of the default set: its table, its headline for the README, its picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl
from docs.generate.records import RECORDS, read_kept

from steelyard.catalog.load import read_file
from steelyard.data import data_root
from steelyard.measure.selection import SelectionFile
from steelyard.report import tables
from steelyard.report.picture import picture_svg

PICTURE = RECORDS.parent / "cycles-per-byte.svg"


def table(primitives: Sequence[str] = (), targets: Sequence[str] = ()) -> str:
    """Return the cycles of one block, or of the longest message, for these primitives and targets, or all."""
    records = read_kept("bench")
    for field, chosen in (("primitive", primitives), ("target", targets)):
        if chosen:
            records = records.filter(pl.col(field).is_in(chosen))
    marked = pl.col("security").is_in(["legacy", "broken"])
    name = pl.format("{} ({})", "primitive", "security")
    return tables.markdown(
        tables.pivot(records.with_columns(primitive=pl.when(marked).then(name).otherwise("primitive")))
    )


def headline() -> str:
    """Return the rows and columns that bench.toml names for one screen."""
    chosen = read_file(data_root() / "bench.toml", SelectionFile).headline
    return table(chosen.primitive, chosen.target)


def picture() -> str:
    """Return the picture of the same records."""
    return picture_svg(read_kept("bench"))


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks by name."""
    return {
        "bench table": table,
        "bench headline": headline,
        "bench origin": lambda: tables.origin(read_kept("bench")),
    }

"""The default set: its table, its headline for the README, its picture."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
from docs.generate.records import RECORDS, read_kept

from steelyard.catalog.load import load_catalog
from steelyard.present.markdown import markdown_table
from steelyard.report import summary, tables
from steelyard.report.picture import picture_svg

PICTURE = RECORDS.parent / "cycles-per-byte.svg"


def table() -> str:
    """Return the cycles of one block, or of the longest message."""
    records = read_kept("bench")
    marked = pl.col("security").is_in(["legacy", "broken"])
    name = pl.format("{} ({})", "primitive", "security")
    return tables.markdown(
        tables.pivot(records.with_columns(primitive=pl.when(marked).then(name).otherwise("primitive")))
    )


def headline() -> str:
    """Return what `make bench` ends with: the fastest recommended of each kind on each chip."""
    records = read_kept("bench")
    made = summary.fastest(records, load_catalog())
    shown = markdown_table(made.headings, made.rows, left=made.left)
    return f"{summary.explained(records)}\n\n{shown}"


def picture() -> str:
    """The picture of the same records."""
    return picture_svg(read_kept("bench"))


def blocks() -> dict[str, Callable[[], str]]:
    """The blocks by name."""
    return {
        "bench table": table,
        "bench headline": headline,
        "bench origin": lambda: tables.origin(read_kept("bench")),
    }

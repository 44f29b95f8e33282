"""Tables of records for terminal, Markdown and page: one row per operation, one column per target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from steelyard.measure.selection import OPERATIONS
from steelyard.present.markdown import markdown_table
from steelyard.present.table import natural

_LABELS = ("primitive", "operation", "mode", "message_bytes")
_HEADINGS = ("Primitive", "Operation", "Mode", "Bytes")

_ABSENCES = {
    "does-not-fit": "does not fit",
    "build-failed": "build failed",
    "wrong-output": "wrong output",
    "fault": "fault",
}


@dataclass(frozen=True)
class Cell:
    """A cell of a grid: its value, or None and the reason (empty if nothing was tried)."""

    value: float | None
    text: str


@dataclass(frozen=True)
class Row:
    """A row of a grid: its labels, then a cell per column."""

    labels: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Grid:
    """A table for printing; `labels` head the first columns, `columns` the cells."""

    labels: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def absence(status: str) -> str:
    """What a table says of a cell that has no result; nothing of one that has."""
    return _ABSENCES.get(status, "")


def verified_results(records: pl.DataFrame) -> pl.DataFrame:
    """Return the records that count as results: status ok and verified in the same run."""
    return records.filter((pl.col("status") == "ok") & pl.col("verified").fill_null(False))


def without_number(records: pl.DataFrame) -> pl.DataFrame:
    """Return the records of cells that gave no result."""
    return records.filter(pl.col("status") != "ok")


def in_order(records: pl.DataFrame) -> pl.DataFrame:
    """Return the records sorted by cell, operations in the order of their use."""
    rank = pl.col("operation").replace_strict(
        {name: index for index, name in enumerate(OPERATIONS)},
        default=len(OPERATIONS),
        return_dtype=pl.Int64,
    )
    return records.sort(
        "primitive",
        "variant",
        "target",
        "toolchain",
        "flags",
        "mode",
        rank,
        "message_bytes",
        maintain_order=True,
    )


def headline(records: pl.DataFrame) -> pl.DataFrame:
    """Return the records of each operation's longest message; modes only if the bare operation is missing."""
    bare = pl.col("mode").is_null()
    return records.filter(bare | ~bare.any().over("primitive", "operation")).filter(
        pl.col("message_bytes").is_null()
        | (pl.col("message_bytes") == pl.col("message_bytes").max().over("primitive", "operation", "mode"))
    )


def pivot(records: pl.DataFrame, metric: str = "cycles", *, digits: int = 0) -> Grid:
    """Return one row per primitive, operation, mode and length, one column per target with the lowest
    `metric`.

    Only verified results give numbers; a cell without any names the reason from the statuses of its records.
    """
    tried = records.filter(pl.col("primitive").is_not_null() & pl.col("operation").is_not_null())
    groups = (
        tried.with_columns(
            counted=pl.when((pl.col("status") == "ok") & pl.col("verified").fill_null(False)).then(
                pl.col(metric)
            )
        )
        .group_by(*_LABELS, "target", maintain_order=True)
        .agg(pl.col("counted").min(), pl.col("status").filter(pl.col("status") != "ok").first())
    )
    targets = sorted(groups["target"].unique().to_list(), key=natural)
    found: dict[tuple[str | int | None, ...], dict[str, Cell]] = {}
    for *labels, target, value, status in groups.iter_rows():
        text = f"{value:,.{digits}f}" if value is not None else absence(status)
        found.setdefault(tuple(labels), {})[target] = Cell(value, text)
    rows = [
        Row(
            tuple("" if label is None else str(label) for label in labels),
            tuple(cells.get(target, Cell(None, "")) for target in targets),
        )
        for labels, cells in found.items()
    ]
    rows.sort(key=lambda row: (natural(row.labels[0]), *_operation_order(row.labels)))
    return _without_empty_labels(Grid(_HEADINGS, tuple(targets), tuple(rows)))


def _operation_order(labels: Sequence[str]) -> tuple[int, str, str, int]:
    _, operation, mode, length = labels
    rank = OPERATIONS.index(operation) if operation in OPERATIONS else len(OPERATIONS)
    return rank, operation, mode, int(length or -1)


def _without_empty_labels(grid: Grid) -> Grid:
    """Return the grid without label columns that are empty in all rows."""
    kept = [i for i in range(len(grid.labels)) if i == 0 or any(row.labels[i] for row in grid.rows)]
    return Grid(
        tuple(grid.labels[i] for i in kept),
        grid.columns,
        tuple(Row(tuple(row.labels[i] for i in kept), row.cells) for row in grid.rows),
    )


def markdown(grid: Grid) -> str:
    """Return the grid as a Markdown table, labels left and numbers right aligned; ends with a newline."""
    return markdown_table(
        (*grid.labels, *grid.columns),
        ((*row.labels, *(cell.text for cell in row.cells)) for row in grid.rows),
        left=len(grid.labels),
    )


def origin(records: pl.DataFrame) -> str:
    """Return the origin of the records: compilers, Steelyard, day."""
    compilers = sorted(
        f"{name} {version}"
        for name, version in records.select("toolchain", "toolchain_version").unique().rows()
        if name is not None
    )
    steelyards = sorted(
        f"{version} ({commit})"
        for version, commit in records.select("steelyard_version", "steelyard_commit").unique().rows()
    )
    days = sorted(records["date"].str.slice(0, 10).unique().to_list())
    made_by = f"Compilers: {'; '.join(compilers)}. Steelyard {'; '.join(steelyards)}."
    return f"{made_by} Measured {' to '.join(days)}.\n"

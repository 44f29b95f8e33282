"""Evaluation of the models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.cli.output import warn
from steelyard.cli.view import View
from steelyard.present.table import Table

if TYPE_CHECKING:
    from steelyard.models.evaluation import Case


def run(metric: list[str] | None, records: Path | None, wanted: View, *, cells: bool) -> None:
    """Evaluate and print."""
    import os

    # Arrays of a few hundred rows: threads of the linear algebra would cost more than they bring.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from steelyard.measure.selection import match
    from steelyard.models.evaluation import every_case, summaries
    from steelyard.models.training import METRICS, read_records, training

    metrics = match("metric", metric or ("*",), METRICS)
    found = training(read_records(records))
    cases = [case for one in metrics for case in every_case(found, one, warn)]
    summed = [] if cells else [*summaries(cases), *summaries(cases, by_group=True)]
    rows = [_cell(case) for case in cases] if cells else summed
    by_family = [row for row in rows if row["group"] is not None and _is_main(row)]
    shown = [rows] if cells else [[row for row in rows if row["group"] is None], by_family]
    wanted.show(rows, [_table(listed) for listed in shown if listed])


def _cell(case: Case) -> dict[str, object]:
    return {
        "metric": case.metric,
        "left_out": case.left_out,
        "group": case.group,
        "model": case.model,
        "primitives": case.primitives,
        "target": case.target,
        "primitive": case.row.primitive,
        "operation": case.row.operation,
        "message_bytes": case.row.message_bytes if case.row.message_bytes >= 0 else None,
        "measured": case.measured,
        "predicted": round(case.predicted, 1),
        "low": None if case.low is None else round(case.low, 1),
        "high": None if case.high is None else round(case.high, 1),
    }


def _is_main(row: Mapping[str, object]) -> bool:
    """Whether a row is printed: parameters alone or three measured primitives, by family; --json has all."""
    from steelyard.models.evaluation import BOTH, CHOSEN_WITH, COST_VECTOR, PARAMETERS

    return row["model"] in (PARAMETERS, COST_VECTOR) or (
        row["model"] == BOTH and row["primitives"] == CHOSEN_WITH
    )


_TEXT = ("metric", "left_out", "model", "group", "target", "primitive", "operation")
_SHARES = ("median_error", "error_of_90_percent", "within_factor_two", "coverage", "median_of_groups")


def _table(rows: Sequence[Mapping[str, object]]) -> Table:
    columns = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    ordered = [name for name in _TEXT if name in columns] + [name for name in columns if name not in _TEXT]
    left = sum(name in _TEXT for name in ordered)
    return Table(
        "",
        tuple(name.replace("_", " ") for name in ordered),
        tuple(tuple(_shown(name, row[name]) for name in ordered) for row in rows),
        left=left,
        least_needed=("median of groups", "groups", "cells"),
        objects=tuple(rows),
    )


def _shown(name: str, value: object) -> str:
    if value is None:
        return "-"
    if name in _SHARES:
        assert isinstance(value, int | float)
        return f"{100 * value:.1f} %"
    return f"{value:,.10g}" if isinstance(value, int | float) else str(value)

"""The models put to the test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.cli.output import print_json, print_table, warn

if TYPE_CHECKING:
    from steelyard.models.evaluation import Case


def run(metric: list[str] | None, records: Path | None, *, cells: bool, as_json: bool) -> None:
    """Evaluate and print."""
    import os

    # Arrays of a few hundred rows: threads of the linear algebra would cost more than they bring.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from steelyard.measure.selection import match
    from steelyard.models.training import METRICS, read_records, training

    metrics = match("metric", metric or ("*",), METRICS)
    found = training(read_records(records))
    cases = list(_cases(found, metrics))
    summed = [] if cells else [*summaries(cases), *summaries(cases, by_group=True)]
    rows = [_cell(case) for case in cases] if cells else summed
    if as_json:
        print_json(rows)
    elif cells:
        _table(rows)
    else:
        _table([row for row in rows if row["group"] is None])
        _table([row for row in rows if row["group"] is not None and _is_main(row)])


def _cases(found: object, metrics: Sequence[str]) -> Iterator[Case]:
    from steelyard.models.evaluation import ARCHITECTURES, CORES, algorithms_left_out, cores_left_out
    from steelyard.models.training import Training

    assert isinstance(found, Training)
    for metric in metrics:
        for left_out in (CORES, ARCHITECTURES):
            warn(f"{metric}: one {left_out} left out after the other.")
            yield from cores_left_out(found, metric, left_out)
        warn(f"{metric}: one algorithm family left out after the other.")
        yield from algorithms_left_out(found, metric)


def summaries(cases: Sequence[Case], *, by_group: bool = False) -> Iterator[dict[str, object]]:
    """A row for every question, model and number of measured primitives; `by_group` for each family too."""
    from steelyard.models.evaluation import summary

    def key(case: Case) -> tuple[str, str, str, int, str]:
        return case.metric, case.left_out, case.model, case.primitives, case.group if by_group else ""

    for (metric, left_out, model, primitives, group), found in groupby(sorted(cases, key=key), key=key):
        made = asdict(summary(list(found)))
        yield {
            "metric": metric,
            "left_out": left_out,
            "model": model,
            "primitives": primitives,
            "group": group or None,
            **{name: round(value, 4) if isinstance(value, float) else value for name, value in made.items()},
        }


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
    """Family by family, the parameters alone and three measured primitives are shown; --json has all."""
    from steelyard.models.evaluation import BOTH, CHOSEN_WITH, COST_VECTOR, PARAMETERS

    return row["model"] in (PARAMETERS, COST_VECTOR) or (
        row["model"] == BOTH and row["primitives"] == CHOSEN_WITH
    )


_TEXT = ("metric", "left_out", "model", "group", "target", "primitive", "operation")
_SHARES = ("median_error", "error_of_90_percent", "within_factor_two", "coverage", "median_of_groups")


def _table(rows: Sequence[Mapping[str, object]]) -> None:
    if not rows:
        return
    columns = [name for name in rows[0] if any(row[name] is not None for row in rows)]
    ordered = [name for name in _TEXT if name in columns] + [name for name in columns if name not in _TEXT]
    left = sum(name in _TEXT for name in ordered)
    print_table(
        [name.replace("_", " ") for name in ordered],
        ([_shown(name, row[name]) for name in ordered] for row in rows),
        left=left,
    )


def _shown(name: str, value: object) -> str:
    if value is None:
        return "-"
    if name in _SHARES:
        assert isinstance(value, int | float)
        return f"{100 * value:.1f} %"
    return f"{value:,.10g}" if isinstance(value, int | float) else str(value)

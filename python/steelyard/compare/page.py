"""A comparison as tables and sentences of a terminal, and as the flat objects of `--json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from steelyard.compare import words
from steelyard.compare.model import Comparison, Pair, Row
from steelyard.present.table import Table

HEADINGS = ("Module", "Base", "Head", "Delta", "%")
"""Columns of every table; a budget and the verdict follow."""

_MOST_PLACES = 10
_CELL = (
    *("kind", "primitive", "variant", "parts", "target", "toolchain", "flags", "footprint", "operation"),
    *("mode", "padding", "message_bytes", "ad_bytes", "cache_state", "settings", "symbol", "image"),
)
"""Fields of the head's record, or of the base's where the head has none."""
_TRACED = (
    *("status", "variant", "toolchain", "toolchain_version", "flags", "source_hash", "image_hash"),
    *("timing_version", "emulator_version", "steelyard_version", "steelyard_commit", "samples", "date"),
)
"""Fields of both sides, with `base_` and `head_` before their names."""


def page(comparison: Comparison, *, unchanged: bool = False) -> Iterator[Table | str]:
    """Yield a table for each measure that changed, then why and where; with `unchanged` all rows."""
    yield f"{comparison.base} against {comparison.head}. {words.outcome(comparison)}."
    for measure in comparison.shown_measures:
        found = table(comparison, measure, unchanged=unchanged)
        if found.rows:
            yield found
    yield from sentences(comparison)
    yield from words.places(comparison, _MOST_PLACES)


def sentences(comparison: Comparison) -> Iterator[str]:
    """Yield what the tables do not say: cells without a figure, what changed, budgets."""
    yield from (f"{said}" for said in words.troubles(comparison))
    same = [name for name in comparison.shown_measures if not any(table(comparison, name).rows)]
    if same:
        yield f"No change: {', '.join(same)}."
    yield from words.explanations(comparison)
    said = words.budget_sentence(comparison)
    if said is not None:
        yield said


def table(comparison: Comparison, measure: str, *, unchanged: bool = False) -> Table:
    """Return the cells that have a measure, those that exceed a limit or a budget first."""
    found = [
        (pair, row)
        for pair, row in comparison.rows_of(measure)
        if unchanged or row.verdict != "same" or row.base is None
    ]
    found.sort(key=lambda one: (not one[1].bad, -abs(one[1].percent or 0)))
    budgeted = any(row.budget is not None for _, row in found)
    granted = ""
    if measure in comparison.limits:
        limit = comparison.limits[measure]
        granted = f", limit {'none' if limit is None else limit.text(measure)}"
    return Table(
        f"{measure}{'' if words.unit_of(measure) == measure else f' in {words.unit_of(measure)}'}{granted}",
        (*HEADINGS, *(("Budget",) if budgeted else ()), "Verdict"),
        tuple(tuple(_cells(pair, row, budgeted=budgeted)) for pair, row in found),
        left=1,
        numeric=(False, *(True,) * (len(HEADINGS) - 1), *((True,) if budgeted else ()), False),
        objects=tuple(_object(pair, row) for pair, row in found),
    )


def _cells(pair: Pair, row: Row, *, budgeted: bool) -> Iterator[str]:
    yield pair.name
    yield "" if row.base is None else words.figure(row.base)
    yield words.figure(row.head)
    yield "" if row.delta is None else words.signed(row.delta)
    yield words.percent(row)
    if budgeted:
        yield "" if row.budget is None else words.figure(row.budget)
    yield words.verdict(pair, row)


def objects(comparison: Comparison) -> Iterable[Mapping[str, object]]:
    """Return an object for each measure of each cell; a cell without a figure has one, without a measure."""
    return [_object(pair, row) for pair in comparison.pairs for row in pair.rows or (None,)]


def _object(pair: Pair, row: Row | None) -> dict[str, object]:
    blame = row.blame if row is not None else None
    found: dict[str, object] = {"cell": pair.name, **{name: pair.record[name] for name in _CELL}}
    found |= {"standing": pair.standing, "error": pair.error}
    found |= {
        "measure": row.measure if row is not None else None,
        "unit": words.unit_of(row.measure) if row is not None else None,
        "base": row.base if row is not None else None,
        "head": row.head if row is not None else None,
        "delta": row.delta if row is not None else None,
        "percent": row.percent if row is not None else None,
        "limit": row.limit.text(row.measure) if row is not None and row.limit is not None else None,
        "budget": row.budget if row is not None else None,
        "verdict": row.verdict if row is not None else None,
        "changed": list(pair.causes),
        "is_of_code": pair.is_of_code,
        "function": blame.what if blame is not None else None,
        "function_base": blame.base if blame is not None else None,
        "function_head": blame.head if blame is not None else None,
        "function_delta": blame.delta if blame is not None else None,
        "line": blame.place if blame is not None else None,
        "line_text": blame.source if blame is not None else None,
        "place": pair.place,
    }
    for side, record in (("base", pair.base), ("head", pair.head)):
        found |= {f"{side}_{name}": record[name] if record is not None else None for name in _TRACED}
    return found

"""The function whose cycles changed most, and the function or constant whose bytes did."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from steelyard.compare.measures import value
from steelyard.compare.model import Blame, Pair, Row
from steelyard.profile import Profile, difference, tables
from steelyard.profile.difference import Changed
from steelyard.profile.model import CALLER
from steelyard.record.schema import Record

_OUTSIDE = "?"
"""Name that records give to code outside every symbol, and to the call instruction."""
_PARTS: Mapping[str, tuple[str, ...]] = {
    "rom": ("code", "const", "support"),
    "ram": ("static", "context", "stack", "heap"),
}
"""Measures that are sums of others."""

Symbols = Callable[[Record], Mapping[str, int] | None]
"""Returns the bytes of a record's image by symbol, None where there is no image."""


def blamed(pair: Pair, symbols: tuple[Symbols, Symbols] | None = None) -> Pair:
    """Return a pair whose changed measures name what changed most, as its records and images tell it."""
    if pair.base is None or pair.head is None:
        return pair
    rows = tuple(_with_blame(row, pair.base, pair.head, symbols) if row.delta else row for row in pair.rows)
    return replace(pair, rows=rows)


def _with_blame(row: Row, base: Record, head: Record, symbols: tuple[Symbols, Symbols] | None) -> Row:
    found: Blame | None = None
    if row.measure in ("cycles", "instructions"):
        found = _most(row, _functions(base, row.measure), _functions(head, row.measure))
    elif row.measure in ("rom", "code", "const") and symbols is not None:
        before, after = symbols[0](base), symbols[1](head)
        if before is not None and after is not None:
            found = _most(row, before, after)
    if found is None and row.measure in _PARTS:
        parts = _PARTS[row.measure]
        found = _most(row, *({name: value(side, name) or 0 for name in parts} for side in (base, head)))
    return row if found is None else replace(row, blame=found)


def _functions(record: Record, measure: str) -> dict[str, float]:
    """Return cycles or instructions by function as a record has them, means per call."""
    listed = json.loads(str(record["functions"] or "[]"))
    return {CALLER if one["name"] == _OUTSIDE else one["name"]: one[measure] for one in listed}


def _most(row: Row, base: Mapping[str, float], head: Mapping[str, float]) -> Blame | None:
    """Return what changed most in the direction of the whole; None if nothing did."""
    assert row.delta is not None
    sign = 1 if row.delta > 0 else -1
    names = sorted({*base, *head})
    found = max(names, key=lambda name: sign * (head.get(name, 0) - base.get(name, 0)), default=None)
    if found is None or sign * (head.get(found, 0) - base.get(found, 0)) <= 0:
        return None
    return Blame(found, base.get(found, 0), head.get(found, 0))


def refined(row: Row, base: Profile, head: Profile) -> Row:
    """Return a row of cycles whose blame is that of two profiles: inlined functions and a source line too.

    An inlined function is named unless cycles only moved into it or out of it: then the one around it stays.
    """
    functions = difference.functions(base, head)
    inlined = _most(
        row, {one.name: one.before for one in functions}, {one.name: one.after for one in functions}
    )
    assert row.delta is not None
    found = row.blame
    if inlined is not None and (found is None or abs(inlined.delta) <= abs(row.delta)):
        found = inlined
    if found is None:
        return row
    sign = 1 if row.delta > 0 else -1
    lines = [
        one
        for one in difference.lines(base, head)
        # A line that is gone has no place in the head.
        if one.text and one.after and (one.function == found.what or found is row.blame)
    ]
    line = max(lines, key=lambda one: sign * one.difference, default=None)
    if line is not None and sign * line.difference > 0:
        found = replace(found, place=_in_head(line, head), source=line.text)
    return replace(row, blame=found)


def _in_head(line: Changed, head: Profile) -> str:
    """Return file and number of a line: those of the head, where it still has the line."""
    for row in tables.by_line(head):
        if (row.function, row.text) == (line.function, line.text) and row.line is not None:
            return f"{row.file}:{row.line}"
    return line.name

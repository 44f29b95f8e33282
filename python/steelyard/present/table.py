"""A table as data, the input of every renderer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A table of texts; the first `left` columns are labels, the others hold numbers.

    `least_needed` names the headings of the columns that a narrow medium leaves out, in this order;
    `less_needed` names those that follow if wrapping names does not suffice. `objects`, if given, are the
    sources of the rows: one per row, with values by field. `numeric`, if given, states for every column
    whether it holds numbers, instead of `left`.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int
    least_needed: tuple[str, ...] = ()
    less_needed: tuple[str, ...] = ()
    objects: tuple[Mapping[str, object], ...] = ()
    numeric: tuple[bool, ...] = ()

    def is_numeric(self, index: int) -> bool:
        """Whether a column holds numbers."""
        return self.numeric[index] if self.numeric else index >= self.left


def table_of(
    objects: Sequence[Mapping[str, object]], fields: Sequence[str], least_needed: Sequence[str] = ()
) -> Table:
    """Return a table of these fields of objects, with the fields' names as headings."""
    return Table(
        "",
        tuple(fields),
        tuple(tuple(plain(one.get(name)) for name in fields) for one in objects),
        left=0,
        least_needed=tuple(least_needed),
        objects=tuple(objects),
        numeric=tuple(is_number([one.get(name) for one in objects]) for name in fields),
    )


def plain(value: object) -> str:
    """Return a field's value as text: empty for null and false, with thousands separators in a number."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, int | float):
        return f"{value:,.10g}" if isinstance(value, float) else f"{value:,}"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def is_number(values: Sequence[object]) -> bool:
    """Whether a column has values and all are numbers."""
    known = [value for value in values if value is not None]
    return bool(known) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in known
    )


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key that puts `aes-128` before `aes-1024` and `atmega88` before `atmega128`."""
    return tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|\D+", text)
    )

"""A table as data: every renderer takes the same one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A table of texts; the first `left` columns are labels, the others hold numbers.

    `least_needed` names the headings of the columns that a narrow medium leaves out, the first one first;
    `less_needed` those that it leaves out after these, where wrapping names is not enough.
    `objects`, where given, are what the rows were made of: one per row, with values by field.
    `numeric`, where given, says of every column whether it holds numbers, instead of `left`.
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
    """A table of these fields of objects, under the names of the fields."""
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
    """A value of a field as text: nothing for null and false, thousands of a number separated."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, int | float):
        return f"{value:,.10g}" if isinstance(value, float) else f"{value:,}"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def is_number(values: Sequence[object]) -> bool:
    """Whether a column of these values holds numbers: some, and nothing else."""
    known = [value for value in values if value is not None]
    return bool(known) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in known
    )


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key under which `aes-128` stands before `aes-1024` and `atmega88` before `atmega128`."""
    return tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|\D+", text)
    )

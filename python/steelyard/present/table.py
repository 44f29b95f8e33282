"""A table as data: every renderer takes the same one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A table of texts; the first `left` columns are labels, the others hold numbers.

    `least_needed` names the headings of the columns that a narrow medium may leave out, the first one first.
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int
    least_needed: tuple[str, ...] = ()

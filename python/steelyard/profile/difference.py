"""What a change cost: two profiles beside each other, by function and by source line."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from steelyard.profile import tables
from steelyard.profile.model import Profile
from steelyard.profile.tables import FunctionRow, LineRow


@dataclass(frozen=True)
class Changed:
    """A function or a line in both profiles; cycles are means per call, 0 where one has none of it."""

    name: str
    function: str
    text: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        """Cycles that the second profile has more than the first."""
        return self.after - self.before


def functions(one: Profile, other: Profile) -> list[Changed]:
    """Return functions of equal names with their own cycles, the greatest difference first."""

    def name(row: FunctionRow) -> tuple[Hashable, Changed]:
        return row.function, Changed(row.function, row.function, "", 0, 0)

    return _matched(tables.by_function(one), tables.by_function(other), name, one.samples, other.samples)


def lines(one: Profile, other: Profile) -> list[Changed]:
    """Return lines of equal text in files of equal names, the greatest difference first.

    The number of a line may have changed, so it is not compared; the name shown has that of the first profile
    which has the line. A line without a text, as of an image without its sources, is known by its number.
    """

    def name(row: LineRow) -> tuple[Hashable, Changed]:
        if row.line is None:
            return (None, row.function), Changed("", row.function, "", 0, 0)
        file = posixpath.basename(row.file or "")
        return (file, row.text or row.line), Changed(f"{row.file}:{row.line}", row.function, row.text, 0, 0)

    return _matched(tables.by_line(one), tables.by_line(other), name, one.samples, other.samples)


_Row = TypeVar("_Row", FunctionRow, LineRow)


def _matched(
    one: Iterable[_Row],
    other: Iterable[_Row],
    name: Callable[[_Row], tuple[Hashable, Changed]],
    samples: int,
    other_samples: int,
) -> list[Changed]:
    found: dict[Hashable, Changed] = {}
    for rows, count, is_first in ((one, samples, True), (other, other_samples, False)):
        for row in rows:
            key, empty = name(row)
            had, cycles = found.get(key, empty), row.own.cycles / count
            before, after = (cycles, 0.0) if is_first else (0.0, cycles)
            found[key] = Changed(had.name, had.function, had.text, had.before + before, had.after + after)
    return sorted(found.values(), key=lambda one: (-abs(one.difference), -one.before, one.name))

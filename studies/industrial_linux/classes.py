"""Ordered, disjoint classes of configurations, by the publication's equation 6.

It divides a feature space into classes U_1 < ... < U_n that have nothing in common and together are the
whole. Here the feature is the delay, the space the rows of Table 2, and a class ends where the 95 % interval
of a delay lies above those of all that are faster: what is in one class, measurement does not tell apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from steelyard.studies.industrial_linux.figures import (
    HERE,
    KEYS_BITS,
    MODES,
    RUNS,
    Measured,
)
from steelyard.study.published import read_table

_T_OF_50_RUNS = 2.010
"""Student's t of a two-sided 95 % interval with 49 degrees of freedom."""

Row = tuple[int, str]
"""Bits of the key, mode."""


@dataclass(frozen=True)
class Interval:
    """A row of Table 2 with the 95 % interval of its mean delay."""

    row: Row
    low: float
    high: float


Classes = tuple[tuple[Row, ...], ...]


def classes(intervals: Sequence[Interval]) -> Classes:
    """The classes, fastest first; within a class by the lower end of the interval."""
    found: list[list[Row]] = []
    reached = float("-inf")
    for one in sorted(intervals, key=lambda interval: (interval.low, interval.high)):
        if one.low > reached:
            found.append([])
        found[-1].append(one.row)
        reached = max(reached, one.high)
    return tuple(tuple(rows) for rows in found)


def published_intervals() -> list[Interval]:
    """The printed rows; their means are taken to be of 50 runs."""
    found = []
    for row in read_table(HERE / "table2-aes.csv"):
        mean, reach = float(row["delay_ms"]), _T_OF_50_RUNS * float(row["delay_sd_ms"]) / RUNS**0.5
        found.append(Interval((int(row["key_bits"]), row["mode"]), mean - reach, mean + reach))
    return found


def intervals(one: Measured) -> list[Interval]:
    """The rows of an implementation; MissingFigure where one was not measured."""
    return [
        Interval((bits, mode), figure.low_us, figure.high_us)
        for bits in KEYS_BITS
        for mode in MODES
        for figure in (one.aes(bits, mode),)
    ]


def ordered_alike(ours: Classes, theirs: Classes) -> tuple[int, int]:
    """Pairs of rows that stand in the same order of classes in both, of those in two classes of `theirs`."""
    of_ours, of_theirs = _numbers(ours), _numbers(theirs)
    alike = asked = 0
    for one, other in combinations(of_theirs, 2):
        distance = of_theirs[one] - of_theirs[other]
        if distance:
            asked += 1
            alike += distance * (of_ours[one] - of_ours[other]) > 0
    return alike, asked


def _numbers(found: Classes) -> Mapping[Row, int]:
    return {row: number for number, rows in enumerate(found) for row in rows}

"""What every publication made anew has in common: printed numbers, orders and claims beside ours."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from steelyard.catalog.load import Catalog
from steelyard.data import data_root
from steelyard.measure.selection import Selection
from steelyard.record.schema import Record
from steelyard.reproduce.figures import OfCipher, Sheet
from steelyard.reproduce.verdict import Statement, Verdict

ABOUT = 0.10
"""How far, relative to a published number, another may be and still be "about" it."""
CLOSE = 0.25
"""How far apart, relative to the larger one, two figures may be and still be "close"."""

_Setting = TypeVar("_Setting")
_Figures = TypeVar("_Figures", bound=OfCipher)


@dataclass(frozen=True)
class Step:
    """Something to measure; chips are changed as by `--set`, `samples` is None for the usual number.

    One that is `optional` is left out, with a sentence, where nothing of it can be built here.
    """

    selections: tuple[Selection, ...]
    settings: tuple[str, ...] = ()
    samples: int | None = None
    optional: bool = False


Steps = tuple[Callable[[Sequence[Record]], Step], ...]
"""What an experiment measures, one after the other; each step may depend on the records so far."""

StepsOf = Callable[[Catalog, str], Steps]
"""The steps of an experiment with a catalogue and a compiler."""


@dataclass(frozen=True)
class Number:
    """A printed number beside the same figure of ours in one setting."""

    quantity: str
    unit: str
    low: float
    high: float
    choice: str
    flags: str
    ours: float

    @property
    def ratio(self) -> float:
        """Ours over the nearest printed; 1 where ours lies within what is printed."""
        return self.ours / min(max(self.ours, self.low), self.high)


@dataclass(frozen=True)
class Order:
    """A printed order of ciphers beside ours in one setting; `AES/Serpent` leaves open which comes first."""

    quantity: str
    published: tuple[str, ...]
    choice: str
    flags: str
    ours: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether ours is one of the orders that the printed one allows."""
        left = list(self.ours)
        for group in self.published:
            names = group.split("/")
            if set(left[: len(names)]) != set(names):
                return False
            del left[: len(names)]
        return True


@dataclass(frozen=True)
class Claim:
    """A published claim with the finding on it, over all settings and by choice of variants."""

    claim: str
    section: str
    statement: str
    verdict: Verdict


def read_reference(folder: str, name: str) -> list[dict[str, str]]:
    """The rows of a file of published figures."""
    path = Path(data_root() / "reference" / folder / name)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def claims_of(folder: str, experiment: str, verdict: Callable[[str], Verdict]) -> tuple[Claim, ...]:
    """The claims of a publication that an experiment judges; `verdict` is asked of each claim's name."""
    return tuple(
        Claim(row["claim"], row["section"], row["statement"], verdict(row["claim"]))
        for row in read_reference(folder, "claims.csv")
        if row["experiment"] == experiment
    )


def statements(tests: Mapping[str, Callable[[_Setting], bool]]) -> tuple[Statement[_Setting], ...]:
    """The parts of a claim by their texts."""
    return tuple(Statement(text, test) for text, test in tests.items())


# Tests of the figures that are compared, each by a function of one cipher's


def is_close(one: float, other: float) -> bool:
    """Whether two figures are "close"."""
    return abs(one - other) <= CLOSE * max(one, other)


def ranked(
    table: Sheet[_Figures],
    names: Sequence[str],
    figure: Callable[[_Figures], float],
    *,
    highest_first: bool = False,
) -> tuple[str, ...]:
    """The ciphers in order of a figure."""
    return tuple(sorted(names, key=lambda name: figure(table[name]), reverse=highest_first))


def ratio(figure: Callable[[_Figures], float], above: str, below: str) -> Callable[[Sheet[_Figures]], float]:
    """One cipher's figure over another's."""
    return lambda table: figure(table[above]) / figure(table[below])


def about(
    figure: Callable[[_Figures], float], name: str, published: float
) -> Callable[[Sheet[_Figures]], bool]:
    """A cipher's figure is about the published one."""
    return lambda table: abs(figure(table[name]) / published - 1) <= ABOUT


def alike(figure: Callable[[_Figures], float], one: str, other: str) -> Callable[[Sheet[_Figures]], bool]:
    """Two ciphers' figures are close."""
    return lambda table: is_close(figure(table[one]), figure(table[other]))


def rising(figure: Callable[[_Figures], float], *names: str) -> Callable[[Sheet[_Figures]], bool]:
    """The figures of these ciphers rise in this order."""
    return lambda table: all(figure(table[a]) < figure(table[b]) for a, b in pairwise(names))


def within(
    figure: Callable[[_Figures], float], above: str, below: str, low: float, high: float
) -> Callable[[Sheet[_Figures]], bool]:
    """The ratio of two ciphers' figures lies in a range."""
    of_two = ratio(figure, above, below)
    return lambda table: low <= of_two(table) <= high


def more(figure: Callable[[_Figures], float], name: str, *than: str) -> Callable[[Sheet[_Figures]], bool]:
    """A cipher's figure is higher than those of others."""
    return lambda table: all(figure(table[name]) > figure(table[other]) for other in than)


def among_first(
    all_names: Sequence[str], figure: Callable[[_Figures], float], *names: str
) -> Callable[[Sheet[_Figures]], bool]:
    """These ciphers have the lowest figures of all, in whatever order."""
    return lambda table: set(ranked(table, all_names, figure)[: len(names)]) == set(names)


def among_last(
    all_names: Sequence[str], figure: Callable[[_Figures], float], *names: str
) -> Callable[[Sheet[_Figures]], bool]:
    """These ciphers have the highest figures of all, in whatever order."""
    return lambda table: set(ranked(table, all_names, figure)[-len(names) :]) == set(names)


def at_place(
    all_names: Sequence[str], figure: Callable[[_Figures], float], name: str, *places: int
) -> Callable[[Sheet[_Figures]], bool]:
    """A cipher has one of these places, from 1, when all are ranked, lowest first."""
    return lambda table: ranked(table, all_names, figure).index(name) + 1 in places


def in_order(
    figure: Callable[[_Figures], float], order: tuple[str, ...], *, highest_first: bool = False
) -> Callable[[Sheet[_Figures]], bool]:
    """Ranked, the ciphers stand in this order."""
    return lambda table: ranked(table, order, figure, highest_first=highest_first) == order

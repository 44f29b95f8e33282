"""Tests of figures that several studies share, and the words "about" and "close" as numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TypeVar

from steelyard.present.table import Table
from steelyard.study.figures import OfCipher, Sheet, Tables, settings
from steelyard.study.model import Order
from steelyard.study.verdict import MissingFigure

ABOUT = 0.10
"""Maximum difference from a published number, relative to it, that still counts as "about"."""
CLOSE = 0.25
"""Maximum difference of two figures, relative to the larger one, that still counts as "close"."""

_Figures = TypeVar("_Figures", bound=OfCipher)


def orders_table(orders: Iterable[Order]) -> Table:
    """Return the published order of each quantity, then ours, each with the settings that show it."""
    found: dict[tuple[str, tuple[str, ...]], dict[tuple[tuple[str, ...], bool], dict[str, list[str]]]] = {}
    for order in orders:
        by_order = found.setdefault((order.quantity, order.published), {})
        by_order.setdefault((order.ours, order.agrees), {}).setdefault(order.choice, []).append(order.flags)
    lines = []
    for (quantity, published), by_order in found.items():
        lines.append((", ".join(published), quantity, "published"))
        for (ours, agrees), shown in by_order.items():
            where = "; ".join(f"{choice} {' '.join(flags)}" for choice, flags in shown.items())
            lines.append(("  " + ", ".join(ours), "agrees" if agrees else "", where))
    return Table("Published orders and ours", ("Order", "Of", "Settings"), tuple(lines), 3)


def orders_of(
    found: Tables[_Figures],
    names: Sequence[str],
    published: Iterable[Mapping[str, str]],
    figures: Mapping[str, Mapping[str, Callable[[_Figures], float]]],
    *,
    highest_first: Collection[str] = (),
) -> Iterator[Order]:
    """Yield each published order of these ciphers beside ours in every setting that has the figures.

    `figures` are by quantity, then by a part of it, whose name may be empty; the lowest comes first, or the
    highest of the quantities in `highest_first`.
    """
    for row in published:
        whole = row["quantity"]
        for part, figure in figures[whole].items():
            for choice, flags, table in settings(found):
                with suppress(MissingFigure):
                    ours = ranked(table, names, figure, highest_first=whole in highest_first)
                    quantity = f"{whole}, {part}" if part else whole
                    yield Order(quantity, tuple(row["order"].split()), choice, flags, ours)


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
    """Return the ciphers in order of a figure."""
    return tuple(sorted(names, key=lambda name: figure(table[name]), reverse=highest_first))


def ratio(figure: Callable[[_Figures], float], above: str, below: str) -> Callable[[Sheet[_Figures]], float]:
    """Return one cipher's figure over another's."""
    return lambda table: figure(table[above]) / figure(table[below])


def about(
    figure: Callable[[_Figures], float], name: str, published: float
) -> Callable[[Sheet[_Figures]], bool]:
    """Test that a cipher's figure is about the published one."""
    return lambda table: abs(figure(table[name]) / published - 1) <= ABOUT


def alike(figure: Callable[[_Figures], float], one: str, other: str) -> Callable[[Sheet[_Figures]], bool]:
    """Test that two ciphers' figures are close."""
    return lambda table: is_close(figure(table[one]), figure(table[other]))


def rising(figure: Callable[[_Figures], float], *names: str) -> Callable[[Sheet[_Figures]], bool]:
    """Test that the figures of these ciphers rise in this order."""
    return lambda table: all(figure(table[a]) < figure(table[b]) for a, b in pairwise(names))


def within(
    figure: Callable[[_Figures], float], above: str, below: str, low: float, high: float
) -> Callable[[Sheet[_Figures]], bool]:
    """Test that the ratio of two ciphers' figures lies in a range."""
    of_two = ratio(figure, above, below)
    return lambda table: low <= of_two(table) <= high


def more(figure: Callable[[_Figures], float], name: str, *than: str) -> Callable[[Sheet[_Figures]], bool]:
    """Test that a cipher's figure is higher than those of others."""
    return lambda table: all(figure(table[name]) > figure(table[other]) for other in than)


def among_first(
    all_names: Sequence[str], figure: Callable[[_Figures], float], *names: str
) -> Callable[[Sheet[_Figures]], bool]:
    """Test that these ciphers have the lowest figures of all, in any order."""
    return lambda table: set(ranked(table, all_names, figure)[: len(names)]) == set(names)


def among_last(
    all_names: Sequence[str], figure: Callable[[_Figures], float], *names: str
) -> Callable[[Sheet[_Figures]], bool]:
    """Test that these ciphers have the highest figures of all, in any order."""
    return lambda table: set(ranked(table, all_names, figure)[-len(names) :]) == set(names)


def at_place(
    all_names: Sequence[str], figure: Callable[[_Figures], float], name: str, *places: int
) -> Callable[[Sheet[_Figures]], bool]:
    """Test that a cipher has one of these places, from 1, when all are ranked, lowest first."""
    return lambda table: ranked(table, all_names, figure).index(name) + 1 in places


def in_order(
    figure: Callable[[_Figures], float], order: tuple[str, ...], *, highest_first: bool = False
) -> Callable[[Sheet[_Figures]], bool]:
    """Test that the ranked ciphers stand in this order."""
    return lambda table: ranked(table, order, figure, highest_first=highest_first) == order

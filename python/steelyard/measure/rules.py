"""Rules that a variant keeps or breaks, judged by its measurements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

from steelyard.record.schema import Record

Built = tuple[object, ...]
"""Key of a build in rules, see `built`."""


class Rule(Protocol):
    """A property that builds keep or break."""

    @property
    def title(self) -> str:
        """Description of the builds that keep it, to follow "only"."""

    def kept(self, records: Iterable[Record]) -> set[Built]:
        """Return the builds that keep the rule in all of these records."""


@dataclass(frozen=True)
class MemoryRule:
    """Bounds in bytes: constants (tables) up to `most_const_bytes`, RAM less than `ram_below_bytes`."""

    title: str
    most_const_bytes: int
    ram_below_bytes: int

    def kept(self, records: Iterable[Record]) -> set[Built]:
        """Return the builds within the bounds in all of these records."""
        found: defaultdict[Built, list[bool]] = defaultdict(list)
        for record in records:
            found[built(record)].append(self.kept_by(record))
        return {key for key, kept in found.items() if all(kept)}

    def kept_by(self, record: Record) -> bool:
        """Whether a verified record is within the bounds; a record without figures is not."""
        const_bytes, ram_bytes = record["rom_const_bytes"], record["ram_bytes"]
        if record["status"] != "ok" or record["verified"] is not True:
            return False
        if not isinstance(const_bytes, int) or not isinstance(ram_bytes, int):
            return False
        return const_bytes <= self.most_const_bytes and ram_bytes < self.ram_below_bytes


@dataclass(frozen=True)
class TradeOffRule:
    """Cycles, ROM or RAM of some cell differ by more than `least_difference` from each sibling's.

    Siblings are measured variants of one algorithm, built for the same primitive and target with the same
    compiler and flags. A variant without siblings keeps the rule; if one does not fit, sizes are compared.
    """

    title: str
    least_difference: float

    def kept(self, records: Iterable[Record]) -> set[Built]:
        """Return the builds that are a trade-off of every sibling."""
        figures = _figures(records)
        return figures.keys() - {build for pair in self._alike(figures) for build in pair}

    def alike(self, records: Iterable[Record]) -> set[tuple[Built, Built]]:
        """Return pairs of siblings that are no trade-off of each other."""
        return set(self._alike(_figures(records)))

    def _alike(self, figures: _Figures) -> Iterator[tuple[Built, Built]]:
        siblings: defaultdict[Built, list[Built]] = defaultdict(list)
        for build in sorted(figures, key=str):
            primitive, variant, _parameters, *where = build
            siblings[primitive, str(variant).partition("/")[0], *where].append(build)
        for builds in siblings.values():
            for one, other in combinations(builds, 2):
                if not self._differ(figures[one], figures[other]):
                    yield one, other

    def _differ(self, one: _Cells, other: _Cells) -> bool:
        return any(
            max(one[cell], other[cell]) > (1 + self.least_difference) * min(one[cell], other[cell])
            for cell in one.keys() & other.keys()
        )


RULES: dict[str, Rule] = {
    # "Energy Evaluation of Software Implementations of Block Ciphers under Memory Constraints", introduction
    # and section 5.1.
    "small-memory": MemoryRule("tables of at most 1 KB, less than 1 KB of RAM", 1024, 1024),
    "trade-off": TradeOffRule("more than 5 % from each sibling in cycles, ROM or RAM", 0.05),
}


def built(record: Record) -> Built:
    """Return the key of a record's build: primitive, variant, parameters, chip, compiler and flags."""
    return tuple(record[name] for name in _BUILT)


_BUILT = ("primitive", "variant", "parameters", "target", "toolchain", "flags")
_CELL = ("footprint", "operation", "mode", "padding", "message_bytes", "ad_bytes", "cache_state")

_Cells = dict[tuple[object, ...], float]
_Figures = dict[Built, _Cells]


def _figures(records: Iterable[Record]) -> _Figures:
    """Return the figures that are not zero, by build, then by cell and metric."""
    found: defaultdict[Built, _Cells] = defaultdict(dict)
    for record in records:
        if record["status"] == "ok" and record["verified"] is not True:
            continue
        if record["status"] not in ("ok", "does-not-fit"):
            continue
        cell = tuple(record[name] for name in _CELL)
        static, context = record["ram_static_bytes"], record["ram_context_bytes"]
        kept = static + context if isinstance(static, int) and isinstance(context, int) else None
        metrics = {name: record[name] for name in ("cycles", "rom_bytes", "ram_bytes")} | {"kept": kept}
        for metric, value in metrics.items():
            if isinstance(value, int | float) and value:
                found[built(record)][*cell, metric] = value
    return dict(found)

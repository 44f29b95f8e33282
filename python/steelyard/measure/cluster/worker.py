"""What a worker of a cluster does: measure the cells of one build after another."""

from __future__ import annotations

import pickle
import resource
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from steelyard.cache.content import Cache
from steelyard.measure.builds import Builds
from steelyard.measure.cluster.terms import Disagreement, Terms, disagreement
from steelyard.measure.plan import Cell
from steelyard.measure.workers import Spent
from steelyard.record.schema import Record
from steelyard.toolchain import discover
from steelyard.toolchain.sources import CarriedReadings, Closure, Place


@dataclass(frozen=True)
class Parcel:
    """The cells of a build, the keys of the answers of builds alike that serve them, and those that are
    known.
    """

    cells: Sequence[Cell]
    keys: frozenset[str]
    evidence: Mapping[str, bytes]


@dataclass(frozen=True)
class Measured:
    """Outcomes of the cells of a build in their order, the answers of builds alike, and what both took."""

    outcomes: list[Record]
    evidence: dict[str, bytes]
    spent: Spent


def sources(packed: bytes) -> bytes:
    """Return the sources of builds, which a cluster keeps by the hash of their contents."""
    return packed


def refusal(packed_terms: bytes) -> str | None:
    """Return, as a clause, why this worker cannot take part; None if it can."""
    return _bench(packed_terms).refusal


def measure(packed_terms: bytes, packed_sources: bytes, packed_parcel: bytes) -> Measured:
    """Measure the cells of a build; Disagreement if this worker differs from the machine that plans."""
    bench = _bench(packed_terms)
    if bench.refusal is not None:
        raise Disagreement(bench.refusal)
    return bench.measure(packed_sources, pickle.loads(packed_parcel))


class _Bench:
    """All builds of one run on this worker."""

    def __init__(self, terms: Terms) -> None:
        self.refusal = disagreement(terms)
        self._carried: dict[Place, Closure] = {}
        self._taken: set[int] = set()
        self._cache = Cache()
        found = {(one.family, one.id): one for one in discover()}
        # Where the machine that plans has no compiler, an image comes prebuilt, here too.
        toolchains = {
            name: found[name] if identity is not None else replace(found[name], installed=None)
            for name, identity in terms.toolchains.items()
        }
        readings = CarriedReadings(terms.root, self._carried)
        given = (toolchains, terms.rules, readings, terms.longest_cycles)
        self._builds = Builds(*given, stopped=lambda: False, cache=self._cache)

    def measure(self, packed_sources: bytes, parcel: Parcel) -> Measured:
        """Measure the cells of a build."""
        before = _now()
        known = hash(packed_sources)
        if known not in self._taken:
            self._carried |= pickle.loads(packed_sources)
            self._taken.add(known)
        for key, answers in parcel.evidence.items():
            self._cache.put("random-inputs", key, answers)
        outcomes = list(self._builds.outcomes(parcel.cells, lambda _, look: look()))
        found = {key: self._cache.get("random-inputs", key) for key in parcel.keys}
        evidence = {key: answers for key, answers in found.items() if answers is not None}
        return Measured(outcomes, evidence, _now() - before)


@lru_cache(maxsize=2)
def _bench(packed_terms: bytes) -> _Bench:
    return _Bench(pickle.loads(packed_terms))


def _now() -> Spent:
    """Return the time now, and the processor time of this process and of the compilers it has waited for."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    cpu_s = sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, who))
    return Spent(cpu_s, time.monotonic())

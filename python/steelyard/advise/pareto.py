"""The front of measured builds: those that no other build beats in all of two or three figures."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from steelyard.errors import UsageError
from steelyard.measure.parameters import EVERY
from steelyard.measure.plan import ALL_FLAGS
from steelyard.measure.selection import Selection, match
from steelyard.record.schema import FIELDS, Record

DEFAULT_METRICS = ("cycles", "rom_bytes", "ram_bytes")
METRICS = tuple(one.name for one in FIELDS if one.metric and one.type in (int, float))
FEWEST_METRICS, MOST_METRICS = 2, 3
MORE_IS_BETTER = ("throughput_bytes_per_s",)
ACROSS = ("primitive", "target", "settings", "footprint")
"""What two records of one front may differ in besides variant, parameters, compiler and flags."""

_WORK = (
    *("kind", "primitive", "target", "settings", "footprint", "operation", "mode", "padding"),
    *("message_bytes", "ad_bytes", "cache_state"),
)


@dataclass(frozen=True)
class Place:
    """A record beside the others of its front; `dominated_by` is a record of the front that beats it."""

    record: Record
    values: tuple[float, ...]
    dominated_by: Record | None

    @property
    def on_front(self) -> bool:
        """Whether no other record is at least as good in every figure and better in one."""
        return self.dominated_by is None


@dataclass(frozen=True)
class Front:
    """Records of the same work, those on the front first, each group by its figures.

    `work` holds the fields that all of them share.
    """

    work: dict[str, object]
    metrics: tuple[str, ...]
    places: tuple[Place, ...]

    @property
    def best(self) -> list[Place]:
        """Return the places on the front."""
        return [place for place in self.places if place.on_front]


@dataclass
class Fronts:
    """The fronts of all works, and how many records have no place for each reason."""

    fronts: list[Front] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def searching(selection: Selection) -> Selection:
    """Return the selection with every variant, its parameters and the usual flags where it names none."""
    return selection.model_copy(
        update={
            "variant": selection.variant or (EVERY,),
            "flags": selection.flags or ALL_FLAGS,
            "parameter": selection.parameter or (EVERY,),
        }
    )


def of_the_work(kept: Iterable[Record], measured: Iterable[Record]) -> Iterator[Record]:
    """Yield the kept records of the same work as some measured one, at whatever flags and parameters."""
    works = {tuple(record[name] for name in _WORK) for record in measured}
    for record in kept:
        if tuple(record[name] for name in _WORK) in works:
            yield record


def check_metrics(names: Sequence[str]) -> tuple[str, ...]:
    """Return the figures of a front, by default cycles, ROM and RAM; UsageError unless two or three."""
    metrics = tuple(dict.fromkeys(names)) or DEFAULT_METRICS
    for name in metrics:
        match("metric", [name], METRICS)
        if name not in METRICS:
            raise UsageError(f"--metric {name}: name one figure, without * or ?.")
    if not FEWEST_METRICS <= len(metrics) <= MOST_METRICS:
        raise UsageError(f"--metric: a front is over two or three figures, not {len(metrics)}.")
    return metrics


def check_across(names: Sequence[str]) -> tuple[str, ...]:
    """Return the fields in which records of one front may differ; UsageError for an unknown name."""
    return match("across", names, ACROSS)


def fronts(records: Iterable[Record], metrics: Sequence[str], across: Sequence[str] = ()) -> Fronts:
    """Return the front of each work among verified records; smaller is better, but for throughput.

    Records of one work agree in primitive, chip, settings, footprint, operation, mode and lengths, but for
    the fields of `across`. Of two with equal figures neither beats the other.
    """
    metrics, across = check_metrics(metrics), check_across(across)
    shared = tuple(name for name in _WORK if name not in across)
    found = Fronts()
    works: dict[tuple[object, ...], list[tuple[Record, tuple[float, ...]]]] = {}
    for record in records:
        values = figures(record, metrics)
        if values is None:
            found.left_out[_reason(record, metrics)] += 1
        else:
            works.setdefault(tuple(record[name] for name in shared), []).append((record, values))
    for work, listed in works.items():
        beaten = dominators([values for _, values in listed])
        places = [
            Place(record, values, None if by is None else listed[by][0])
            for (record, values), by in zip(listed, beaten, strict=True)
        ]
        places.sort(key=lambda place: (not place.on_front, place.values, str(place.record["variant"])))
        found.fronts.append(Front(dict(zip(shared, work, strict=True)), metrics, tuple(places)))
    return found


def build(record: Record) -> str:
    """Return the build of a record in words: variant, parameters, settings, compiler and flags."""
    words = (record[name] for name in ("variant", "parameters", "settings", "toolchain", "flags"))
    return " ".join(str(word) for word in words if word)


def figures(record: Record, metrics: Sequence[str]) -> tuple[float, ...] | None:
    """Return the figures to be made small; None of a record that is not verified or lacks one of them."""
    if record["status"] != "ok" or record["verified"] is not True:
        return None
    values = []
    for name in metrics:
        value = record[name]
        if not isinstance(value, int | float):
            return None
        values.append(-float(value) if name in MORE_IS_BETTER else float(value))
    return tuple(values)


def _reason(record: Record, metrics: Sequence[str]) -> str:
    if record["status"] != "ok":
        return str(record["status"])
    if record["verified"] is not True:
        return "not verified"
    return f"without {next(name for name in metrics if record[name] is None)}"


def dominators(points: Sequence[tuple[float, ...]]) -> list[int | None]:
    """Return for each point of two or three figures the number of a front point that beats it, or None.

    Points are met in the order of their figures, so that a point can only be beaten by one met before: in the
    first figure all before are at least as good. Of the others the front keeps a staircase.
    """
    order = sorted(range(len(points)), key=lambda number: points[number])
    beaten: list[int | None] = [None] * len(points)
    stairs = _Stairs()
    for number in order:
        point = points[number]
        rest = (point[1], point[2] if len(point) > 2 else 0.0)
        by = stairs.reaching(rest)
        if by is None:
            stairs.add(rest, number)
        elif points[by] != point:
            beaten[number] = by
    return beaten


class _Stairs:
    """Pairs of which none is at least as good as another in both: the first rises where the second falls."""

    def __init__(self) -> None:
        self._firsts: list[float] = []
        self._seconds: list[float] = []
        self._numbers: list[int] = []

    def reaching(self, pair: tuple[float, float]) -> int | None:
        """Return the number of a step that is at least as good in both, None if there is none."""
        place = bisect_left(self._firsts, pair[0])
        if place == len(self._firsts) or self._firsts[place] > pair[0]:
            place -= 1
        return self._numbers[place] if place >= 0 and self._seconds[place] <= pair[1] else None

    def add(self, pair: tuple[float, float], number: int) -> None:
        """Add a pair that no step reaches; steps that it reaches go."""
        first = last = bisect_left(self._firsts, pair[0])
        while last < len(self._firsts) and self._seconds[last] >= pair[1]:
            last += 1
        self._firsts[first:last] = [pair[0]]
        self._seconds[first:last] = [pair[1]]
        self._numbers[first:last] = [number]

"""Why one profile takes fewer cycles than another: parts that add up to the whole difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from steelyard.errors import UsageError
from steelyard.machine.result import CALL_ADDRESS
from steelyard.profile import difference
from steelyard.profile.kinds import CALL_KIND, Kinds
from steelyard.profile.model import Profile
from steelyard.record.schema import MIX_CLASSES, Record

STACK = "stack"
"""Name of the stack among the places of a profile."""

Group = Literal["instructions", "waits"]


@dataclass(frozen=True)
class Side:
    """One of two: its name, its profile, and its record where it was measured now."""

    name: str
    profile: Profile
    kinds: Kinds
    record: Record | None = None

    def field(self, name: str) -> object:
        """Return a field of the record, or of the profile's cell."""
        return self.profile.cell.get(name) if self.record is None else self.record.get(name)


@dataclass(frozen=True)
class Part:
    """Cycles of a class of instructions without their waits, or waits by a cause, of both sides.

    Counts are executed instructions, None of waits. Figures are of one call, or of one byte.
    """

    group: Group
    name: str
    counts: tuple[Fraction, Fraction] | None
    cycles: tuple[Fraction, Fraction]

    @property
    def difference(self) -> Fraction:
        """Cycles of the second side beyond those of the first."""
        return self.cycles[1] - self.cycles[0]

    @property
    def count_difference(self) -> Fraction:
        """Executed instructions of the second side beyond those of the first; 0 of waits."""
        return Fraction(0) if self.counts is None else self.counts[1] - self.counts[0]


@dataclass(frozen=True)
class Figure:
    """A figure beside the cycles, of both sides; None where a side has none."""

    name: str
    unit: str
    values: tuple[Fraction | None, Fraction | None]

    @property
    def difference(self) -> Fraction | None:
        """The second side's figure beyond the first's."""
        first, second = self.values
        return None if first is None or second is None else second - first


@dataclass(frozen=True)
class Explanation:
    """Two sides, and parts whose differences add up to `difference` exactly.

    `per_byte` if figures that are spent in a call are divided by the bytes of its message.
    """

    sides: tuple[Side, Side]
    per_byte: bool
    cycles: tuple[Fraction, Fraction]
    instructions: tuple[Fraction, Fraction]
    parts: tuple[Part, ...]
    figures: tuple[Figure, ...]
    function: tuple[str, Fraction] | None

    @property
    def difference(self) -> Fraction:
        """Cycles of the second side beyond those of the first."""
        return self.cycles[1] - self.cycles[0]

    @property
    def by_count_and_pace(self) -> tuple[Fraction, Fraction]:
        """Return the difference by the number of instructions, at the first's pace, and by the pace."""
        first, second = self.paces
        if first is None or second is None:
            return self.difference, Fraction(0)
        count = (self.instructions[1] - self.instructions[0]) * first
        return count, self.instructions[1] * (second - first)

    @property
    def paces(self) -> tuple[Fraction | None, Fraction | None]:
        """Return the cycles per instruction of both sides, None without instructions."""
        first, second = (
            cycles / count if count else None
            for cycles, count in zip(self.cycles, self.instructions, strict=True)
        )
        return first, second

    def of(self, group: Group) -> list[Part]:
        """Return the parts of a group, the greatest difference first."""
        listed = (part for part in self.parts if part.group == group)
        return sorted(listed, key=lambda part: (-abs(part.difference), part.name))


def explain(first: Side, second: Side) -> Explanation:
    """Return what the difference of two profiles is made of.

    Sides of different primitives or lengths are compared per byte. UsageError if they have no bytes.
    """
    per_byte = any(first.field(name) != second.field(name) for name in ("primitive", "message_bytes"))
    scales = tuple(_scale(side, per_byte=per_byte) for side in (first, second))
    spent = [_spent(side, scale) for side, scale in zip((first, second), scales, strict=True)]
    parts = [
        Part(
            "instructions",
            name,
            _both(name, *(one.counts for one in spent)),
            _both(name, *(one.cycles for one in spent)),
        )
        for name in MIX_CLASSES
        if any(name in one.counts for one in spent)
    ]
    parts += [
        Part("waits", name, None, _both(name, *(one.waits for one in spent)))
        for name in dict.fromkeys(name for one in spent for name in one.waits)
    ]
    whole = tuple(side.profile.cycles * scale for side, scale in zip((first, second), scales, strict=True))
    count = tuple(
        side.profile.instructions * scale for side, scale in zip((first, second), scales, strict=True)
    )
    return Explanation(
        (first, second),
        per_byte,
        (whole[0], whole[1]),
        (count[0], count[1]),
        tuple(parts),
        tuple(_figures((first, second), (scales[0], scales[1]), (spent[0], spent[1]))),
        _function(first, second) if not per_byte else None,
    )


def _both(
    name: str, first: Mapping[str, Fraction], second: Mapping[str, Fraction]
) -> tuple[Fraction, Fraction]:
    return first.get(name, Fraction(0)), second.get(name, Fraction(0))


@dataclass(frozen=True)
class _Spent:
    counts: Mapping[str, Fraction]
    cycles: Mapping[str, Fraction]
    waits: Mapping[str, Fraction]


def _scale(side: Side, *, per_byte: bool) -> Fraction:
    """Return what makes a figure of all samples one of a call, or of a byte."""
    scale = Fraction(1, side.profile.samples)
    if not per_byte:
        return scale
    message_bytes = side.field("message_bytes")
    if not isinstance(message_bytes, int) or message_bytes < 1:
        raise UsageError(
            "the two are of different primitives or lengths, and can only be compared by the byte:"
            f" {side.name} has no message."
        )
    return scale / message_bytes


def _spent(side: Side, scale: Fraction) -> _Spent:
    counts: dict[str, int] = {}
    cycles: dict[str, int] = {}
    waits: dict[str, int] = {}
    profile = side.profile
    for one in profile.spent:
        at_caller = one.address == CALL_ADDRESS
        kind = CALL_KIND if at_caller else side.kinds.of(profile.by_address[one.address].text)
        counts[kind] = counts.get(kind, 0) + one.executions
        cycles[kind] = cycles.get(kind, 0) + one.cycles - sum(one.causes)
        for cause, waited in zip(profile.causes, one.causes, strict=True):
            if waited:
                waits[cause] = waits.get(cause, 0) + waited
    return _Spent(*({name: value * scale for name, value in one.items()} for one in (counts, cycles, waits)))


_IN_CALL = (
    ("loads", ""),
    ("stores", ""),
    ("branches_taken", ""),
    ("cache_misses", ""),
    ("energy_nj", "nJ"),
)
_OF_BUILD = ("rom_code_bytes", "rom_const_bytes", "rom_support_bytes", "ram_stack_bytes", "ram_context_bytes")


def _figures(
    sides: tuple[Side, Side], scales: tuple[Fraction, Fraction], spent: tuple[_Spent, _Spent]
) -> list[Figure]:
    """Return what is worth telling beside the cycles; figures of a call are scaled like these."""
    found = []
    traffic: list[tuple[Fraction, Fraction]] = []
    for side, scale in zip(sides, scales, strict=True):
        places = [place for place in side.profile.heat if place.place == STACK]
        traffic.append(
            (sum((p.loads for p in places), 0) * scale, sum((p.stores for p in places), 0) * scale)
        )
    found.append(Figure("loads from the stack", "", (traffic[0][0], traffic[1][0])))
    found.append(Figure("stores to the stack", "", (traffic[0][1], traffic[1][1])))
    # The call from outside is the caller's.
    calls = [one.counts.get(CALL_KIND, Fraction(0)) for one in spent]
    outer = [
        sum(one.executions for one in side.profile.spent if one.address == CALL_ADDRESS) * scale
        for side, scale in zip(sides, scales, strict=True)
    ]
    found.append(Figure("calls of functions", "", (calls[0] - outer[0], calls[1] - outer[1])))
    for name, unit in _IN_CALL:
        values = [
            None if value is None else value * scale * side.profile.samples
            for side, scale, value in (
                (side, scale, _number(side, name)) for side, scale in zip(sides, scales, strict=True)
            )
        ]
        found.append(Figure(name, unit, (values[0], values[1])))
    for name in _OF_BUILD:
        found.append(Figure(name, "byte", (_number(sides[0], name), _number(sides[1], name))))
    return [one for one in found if any(one.values)]


def _number(side: Side, name: str) -> Fraction | None:
    value = side.field(name)
    return Fraction(value) if isinstance(value, int | float) else None


def _function(first: Side, second: Side) -> tuple[str, Fraction] | None:
    """Return the function of both sides whose own cycles differ most, with the difference."""
    changed = [one for one in difference.functions(first.profile, second.profile) if one.before and one.after]
    if not changed or not changed[0].difference:
        return None
    return changed[0].name, Fraction(changed[0].difference)


def apportioned(parts: Sequence[Fraction], digits: int, whole: Fraction | None = None) -> list[Fraction]:
    """Return the parts rounded to decimals, so that they add up to `whole`, by default their rounded sum.

    The largest remainders are rounded up. `whole` has these decimals and is at most one of them per part away
    from the sum of the parts rounded down.
    """
    unit = Fraction(1, 10**digits)
    told = round((sum(parts, Fraction(0)) if whole is None else whole) / unit)
    floors = [part / unit // 1 for part in parts]
    order = sorted(range(len(parts)), key=lambda number: (floors[number] - parts[number] / unit, number))
    missing = told - sum(floors)
    for number in order[:missing] if missing >= 0 else order[missing:]:
        floors[number] += 1 if missing >= 0 else -1
    return [Fraction(floor) * unit for floor in floors]

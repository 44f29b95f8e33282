"""Rules about memory that a variant keeps or breaks, by what was measured of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from steelyard.measure.record import Record


@dataclass(frozen=True)
class MemoryRule:
    """Bounds in bytes: constants (tables) up to `most_const_bytes`, RAM less than `ram_below_bytes`."""

    title: str
    most_const_bytes: int
    ram_below_bytes: int

    def kept_by(self, record: Record) -> bool:
        """Whether a verified record is within the bounds; one without figures is not."""
        const_bytes, ram_bytes = record["rom_const_bytes"], record["ram_bytes"]
        if record["status"] != "ok" or record["verified"] is not True:
            return False
        if not isinstance(const_bytes, int) or not isinstance(ram_bytes, int):
            return False
        return const_bytes <= self.most_const_bytes and ram_bytes < self.ram_below_bytes


RULES = {
    # "Energy Evaluation of Software Implementations of Block Ciphers under Memory Constraints", introduction
    # and section 5.1.
    "small-memory": MemoryRule("tables of at most 1 KB, less than 1 KB of RAM", 1024, 1024),
}


def keeping(records: Iterable[Record], rule: MemoryRule) -> set[tuple[Hashable, ...]]:
    """What keeps the rule in each of its records: (primitive, variant, target, toolchain, flags)."""
    found: defaultdict[tuple[Hashable, ...], list[bool]] = defaultdict(list)
    for record in records:
        found[built(record)].append(rule.kept_by(record))
    return {key for key, kept in found.items() if all(kept)}


def built(record: Record) -> tuple[Hashable, ...]:
    """What a rule is about: a variant of a primitive as one compiler with its flags built it for one chip."""
    return tuple(record[name] for name in ("primitive", "variant", "target", "toolchain", "flags"))

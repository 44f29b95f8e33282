"""Code, RAM and time of block ciphers as FELICS counts them, and the figure of merit made of these."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from steelyard.record.schema import Record
from steelyard.study.figures import cycles, integer

TARGETS = {"atmega128": "AVR", "msp430f1611": "MSP430", "sam3x8e": "ARM"}
"""The chips of FELICS, and what it calls their kind."""
SCENARIOS = (0, 1, 2)
CBC_BYTES = 128
CTR_BYTES = 16

TREE, CATALOGUE = "FELICS", "catalogue"
"""Whose implementations are ranked among each other."""

_SIZES = (
    *(f"rom_{part}_bytes" for part in ("code", "const", "mode")),
    *(f"ram_{part}_bytes" for part in ("static", "context", "io", "stack")),
)
"""What a record needs for an entry, besides cycles."""

_OF_TREE = re.compile(r"(?:felics-)?(?:([a-z0-9*+.-]+?)-)?([0-9]+)-([0-9]+)-v[0-9]+")


@dataclass(frozen=True)
class Entry:
    """One implementation at one of the compiler's flags on a chip, in one scenario; cycles of the whole."""

    scenario: int
    source: str
    cipher: str
    target: str
    variant: str
    toolchain: str
    flags: str
    code_bytes: int
    ram_bytes: int
    cycles: float


@dataclass(frozen=True)
class Scored:
    """An entry with its score: code, RAM and time, each over the least on its chip, added up."""

    entry: Entry
    score: float


@dataclass(frozen=True)
class Ranked:
    """A cipher with its best entry by chip; the figure of merit is their mean, None without one of them."""

    scenario: int
    source: str
    cipher: str
    best: Mapping[str, Scored]

    @property
    def merit(self) -> float | None:
        """The figure of merit."""
        if any(name not in self.best for name in TARGETS):
            return None
        return sum(one.score for one in self.best.values()) / len(self.best)


def named(record: Record) -> tuple[str, str]:
    """Return whose implementation it is, and its cipher: a primitive, or FELICS' name with sizes in bits."""
    algorithm, _, name = str(record["variant"]).partition("/")
    found = _OF_TREE.fullmatch(name)
    if found is None or not (name.startswith("felics-") or algorithm.startswith("felics-")):
        return CATALOGUE, str(record["primitive"])
    stem = found[1] or algorithm.removeprefix("felics-")
    return TREE, f"{stem} {found[2]}/{found[3]}"


def entries(records: Iterable[Record]) -> Iterator[Entry]:
    """Yield what records of verified operations make.

    An implementation one of whose operations failed has no entry in that scenario.
    """
    groups: defaultdict[tuple[str, ...], dict[tuple[str, str | None], Record]] = defaultdict(dict)
    for record in records:
        if _is_asked(record):
            names = ("primitive", "variant", "target", "toolchain", "flags")
            key = tuple(str(record[name]) for name in names)
            mode = str(record["mode"]) if record["mode"] is not None else None
            groups[key][str(record["operation"]), mode] = record
    for found in groups.values():
        for scenario in SCENARIOS:
            one = _entry(scenario, found)
            if one is not None:
                yield one


def _is_asked(record: Record) -> bool:
    """Whether a record is one of those that the study measures."""
    if record["kind"] != "block" or record["target"] not in TARGETS or record["settings"] is not None:
        return False
    match record["mode"]:
        case None:
            return bool(record["footprint"] == "both")
        case "cbc":
            return bool(record["footprint"] == "both" and record["message_bytes"] == CBC_BYTES)
        case "ctr":
            return record["footprint"] == "encrypt" and record["message_bytes"] == CTR_BYTES
        case _:
            return False


def _entry(scenario: int, found: Mapping[tuple[str, str | None], Record]) -> Entry | None:
    mode = {0: None, 1: "cbc", 2: "ctr"}[scenario]
    ways = ("encrypt",) if scenario == 2 else ("encrypt", "decrypt")
    wanted = [found.get((way, mode)) for way in ways]
    if scenario != 2:
        # A cipher without a key schedule has no set-up.
        wanted += [found[name, None] for name in ("init", "init-decrypt") if (name, None) in found]
    done = [one for one in wanted if one is not None and one["status"] == "ok" and one["verified"] is True]
    block = found.get(("encrypt", None))
    if len(done) < len(wanted) or block is None or any(one[name] is None for one in done for name in _SIZES):
        return None
    first, block_bytes = done[0], integer(block, "message_bytes")
    source, cipher = named(first)
    context = max(integer(one, "ram_context_bytes") for one in done)
    code = sum(integer(first, f"rom_{part}_bytes") for part in ("code", "const", "mode"))
    data = {0: block_bytes, 1: CBC_BYTES + block_bytes, 2: CTR_BYTES + block_bytes}[scenario]
    if scenario == 2:
        # Round keys are constants.
        code += context
    else:
        data += _key_bytes(found, cipher) + context
    spent = {str(one["operation"]): cycles(one) for one in done}
    if source == TREE and "init-decrypt" in spent:
        # The set-up for decryption goes on from that for encryption, which is part of it.
        spent.pop("init", None)
    stack = max(integer(one, "ram_stack_bytes") for one in done)
    return Entry(
        scenario=scenario,
        source=source,
        cipher=cipher,
        target=str(first["target"]),
        variant=str(first["variant"]),
        toolchain=str(first["toolchain"]),
        flags=str(first["flags"]),
        code_bytes=code,
        ram_bytes=data + integer(first, "ram_static_bytes") + stack,
        cycles=sum(spent.values()),
    )


def _key_bytes(found: Mapping[tuple[str, str | None], Record], cipher: str) -> int:
    """Return the bytes of the key: what the set-up is given, or what FELICS' name says."""
    setup = found.get(("init", None))
    return integer(setup, "ram_io_bytes") if setup is not None else int(cipher.rpartition("/")[2]) // 8


def scored(listed: Sequence[Entry]) -> list[Scored]:
    """Return the entries of one scenario and source with their scores."""
    found = []
    for target in TARGETS:
        here = [one for one in listed if one.target == target]
        if not here:
            continue
        least = [min(_figures(one)[number] for one in here) for number in range(3)]
        found += [
            Scored(one, sum(figure / lowest for figure, lowest in zip(_figures(one), least, strict=True)))
            for one in here
        ]
    return found


def _figures(one: Entry) -> tuple[int, int, float]:
    return one.code_bytes, one.ram_bytes, one.cycles


def ranked(listed: Sequence[Scored]) -> list[Ranked]:
    """Return the ciphers of one scenario and source, the lowest figure of merit first."""
    best: defaultdict[str, dict[str, Scored]] = defaultdict(dict)
    for one in listed:
        had = best[one.entry.cipher].get(one.entry.target)
        if had is None or one.score < had.score:
            best[one.entry.cipher][one.entry.target] = one
    made = [Ranked(listed[0].entry.scenario, listed[0].entry.source, name, of) for name, of in best.items()]
    return sorted(made, key=_order)


def _order(one: Ranked) -> tuple[bool, float, str]:
    merit = one.merit
    return merit is None, merit if merit is not None else 0.0, one.cipher

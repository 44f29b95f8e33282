"""What the publication claims, as tests of the filled categories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

from steelyard.advise.categories import BOTH, DECRYPTION, DIGEST, ENCRYPTION, Build, Category, categories
from steelyard.studies.rl78_minimal.sheets import CIPHERS, HASHES, KECCAKS, Sheet, bounds
from steelyard.study.comparison import ABOUT
from steelyard.study.verdict import MissingFigure, Verdict, judge, together


def _category(memory: str, name: str) -> Category:
    return next(one for one in categories(memory) if one.name == name)


def _aes(rom: str, ram: str) -> Callable[[Sheet], Build | None]:
    def build(table: Sheet) -> Build | None:
        table.compiled()
        return table.cell("aes-128", ENCRYPTION, _category("ROM", rom), _category("RAM", ram)).build

    return build


def _fits(rom: str, ram: str) -> Callable[[Sheet], bool]:
    return lambda table: _aes(rom, ram)(table) is not None


def _as_fast(rom: str, ram: str, published: float) -> Callable[[Sheet], bool]:
    def test(table: Sheet) -> bool:
        build = _aes(rom, ram)(table)
        return build is not None and build.cycles <= (1 + ABOUT) * published

    return test


def _within_rom(direction: str, most_bytes: int, *primitives: str) -> Callable[[Sheet], bool]:
    def test(table: Sheet) -> bool:
        table.compiled()
        return min(table.least_rom(name, direction).rom_bytes for name in primitives) <= most_bytes

    return test


# Categories that are impossible


def impossible_rams() -> Iterator[tuple[str, Category, int]]:
    """Primitives, categories of RAM that no code of theirs fits, and the least bytes it takes."""
    for bound in bounds():
        for ram in categories(bound.memory) if bound.memory == "RAM" else ():
            if ram.most_bytes is not None and bound.least_bytes > ram.most_bytes:
                yield bound.primitive, ram, bound.least_bytes


def _empty(primitive: str, ram: Category) -> Callable[[Sheet], bool]:
    """No build of a hash fits a category of RAM, whatever its ROM."""

    def test(table: Sheet) -> bool:
        table.builds(primitive, DIGEST)
        return all(table.cell(primitive, DIGEST, rom, ram).build is None for rom in categories("ROM"))

    return test


def _some_are_filled(table: Sheet) -> bool:
    return any(cell.build is not None for cell in table.cells())


# Categories beside each other


@dataclass(frozen=True)
class Filled:
    """One primitive in one direction in all categories; a claim on categories needs two that are filled."""

    table: Sheet
    primitive: str
    direction: str

    def in_ram(self) -> list[list[Build]]:
        """The builds by category of ROM in each category of RAM with at least two of them."""
        self.table.compiled()
        self.table.builds(self.primitive, self.direction)
        found = []
        for ram in categories("RAM"):
            cells = [
                self.table.cell(self.primitive, self.direction, rom, ram).build for rom in categories("ROM")
            ]
            held = [build for build in cells if build is not None]
            if len(held) > 1:
                found.append(held)
        if not found:
            raise MissingFigure(f"at most one category of any RAM holds {self.primitive}, {self.direction}")
        return found


def _rom_buys_speed(filled: Filled) -> bool:
    """In most categories of RAM the most ROM is faster than the least, by more than "about"."""
    answers = [(1 - ABOUT) * held[0].cycles > held[-1].cycles for held in filled.in_ram()]
    return 2 * sum(answers) > len(answers)


def _record_is_not_best_everywhere(filled: Filled) -> bool:
    """Some category holds another build than the fastest of all."""
    fastest = min(filled.table.builds(filled.primitive, filled.direction), key=lambda build: build.cycles)
    return any(build.cycles > fastest.cycles for held in filled.in_ram() for build in held)


@dataclass(frozen=True)
class Kind:
    """All ciphers, or all hashes, in all categories."""

    of_each: tuple[Filled, ...]

    def ranks_change(self) -> bool:
        """Whether some two take turns in fewer cycles per byte from one category to another."""
        answers = [orders for one, other in combinations(self.of_each, 2) if (orders := _orders(one, other))]
        if not answers:
            raise MissingFigure("no category holds two primitives of a kind")
        return any(len(orders) > 1 for orders in answers)


def _orders(one: Filled, other: Filled) -> set[bool]:
    """Whether the first takes fewer cycles per byte, in each category that holds both."""
    found = set()
    one.table.compiled()
    with suppress(MissingFigure):
        for ram in categories("RAM"):
            for rom in categories("ROM"):
                a, b = (
                    each.table.cell(each.primitive, each.direction, rom, ram).build for each in (one, other)
                )
                if a is not None and b is not None:
                    found.add(a.cycles_per_byte < b.cycles_per_byte)
    return found


# The border


def _beside(primitive: str) -> Callable[[Sheet], list[tuple[Build, Build, Build]]]:
    """Of each build of both directions, those of each alone from the same variant and flags, then itself.

    Routines that take a pointer where there are any, since the claim is on these.
    """

    def builds(table: Sheet) -> list[tuple[Build, Build, Build]]:
        pointers = table.only(by_pointer=True)
        table = pointers if (primitive, BOTH) in pointers.works else table
        found = {
            direction: {
                (build.variant, build.toolchain, build.toolchain_version, build.flags): build
                for build in table.builds(primitive, direction)
            }
            for direction in (ENCRYPTION, DECRYPTION, BOTH)
        }
        whole = [
            (found[ENCRYPTION][key], found[DECRYPTION][key], build)
            for key, build in found[BOTH].items()
            if key in found[ENCRYPTION] and key in found[DECRYPTION]
        ]
        if not whole:
            raise MissingFigure(f"no build of {primitive} in one direction and in both")
        return whole

    return builds


def _same_beside(primitive: str, figure: Callable[[Build], float]) -> Callable[[Sheet], bool]:
    """A figure of both directions is the larger one of the two, in every build."""

    def test(table: Sheet) -> bool:
        return all(
            abs(figure(both) / max(figure(one), figure(other)) - 1) <= ABOUT
            for one, other, both in _beside(primitive)(table)
        )

    return test


def _no_more_than_both(primitive: str) -> Callable[[Sheet], bool]:
    """The ROM of both directions is at least that of the larger one and at most that of both together."""

    def test(table: Sheet) -> bool:
        return all(
            max(one.rom_bytes, other.rom_bytes) <= both.rom_bytes <= one.rom_bytes + other.rom_bytes
            for one, other, both in _beside(primitive)(table)
        )

    return test


CLAIMS: Mapping[str, Mapping[str, Callable[[Sheet], bool]]] = {
    "seed004-01": {
        "something fits": _fits("1 KB", "64 B"),
        f"no slower than 3,855 cycles by more than {ABOUT:.0%}": _as_fast("1 KB", "64 B", 3855),
    },
    "seed004-02": {
        "something fits": _fits("512 B", "128 B"),
        f"no slower than 6,622 cycles by more than {ABOUT:.0%}": _as_fast("512 B", "128 B", 6622),
    },
    "seed004-03": {"within 210 bytes": _within_rom(ENCRYPTION, 210, "present-80")},
    "seed004-04": {
        "Keccak within 453 bytes": _within_rom(DIGEST, 453, *KECCAKS),
        "Skein-256 within 396 bytes": _within_rom(DIGEST, 396, "skein-256-256"),
    },
    "seed004-07": {
        **{
            f"{name}: {least} bytes at least, and no build, fit {ram.name} of RAM": _empty(name, ram)
            for name, ram, least in impossible_rams()
        },
        "other categories are filled": _some_are_filled,
    },
    "seed004-08": {
        **{
            f"{name}: {what} of both directions are the larger one's, within {ABOUT:.0%}": _same_beside(
                name, figure
            )
            for name in CIPHERS
            for what, figure in (
                ("cycles", lambda build: build.cycles),
                ("bytes of stack", lambda build: build.stack_bytes),
            )
        },
        **{
            f"{name}: the ROM of both lies between one's and the sum": _no_more_than_both(name)
            for name in CIPHERS
        },
    },
}
"""What each claim on single builds and cells says, as tests of the categories."""

OF_CATEGORIES = ("seed004-05", "seed004-06")
"""Claims on categories beside each other, asked of every primitive of which two are filled."""

Settings = Mapping[str, Mapping[str, Sheet]]
"""Sheets by what counts as RAM."""

_KINDS = tuple((ENCRYPTION, name) for name in CIPHERS) + tuple((DIGEST, name) for name in HASHES)


def verdict(claim: str, settings: Settings) -> Verdict:
    if claim not in OF_CATEGORIES:
        return judge(CLAIMS[claim], settings, _CAVEATS.get(claim))
    filled = {
        choice: {
            name: Filled(table, name, direction) for direction, name in _KINDS for table in sheets.values()
        }
        for choice, sheets in settings.items()
    }
    if claim == "seed004-06":
        return judge({"more ROM buys speed": _rom_buys_speed}, filled, *_OF_FILLED)
    kinds = {
        choice: {
            direction: Kind(tuple(one for one in of_each.values() if one.direction == direction))
            for direction in (ENCRYPTION, DIGEST)
        }
        for choice, of_each in filled.items()
    }
    both = together(
        (
            judge(
                {"some category's fastest is not the fastest of all": _record_is_not_best_everywhere}, filled
            ),
            judge({"some two primitives change places between categories": Kind.ranks_change}, kinds),
        )
    )
    return both.with_caveat(_OF_FILLED[0] if both.tests_asked else None)


_OF_FILLED = (
    "asked of primitives that fill two categories of one RAM",
    "that speed never falls is built in: a category holds every build that a smaller one holds",
)
_CAVEATS = {"seed004-08": "asked of routines in assembly with one pointer, where there are any"}
"""What to bear in mind of a claim."""

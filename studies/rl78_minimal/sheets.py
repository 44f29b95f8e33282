"""Categories of ROM and RAM filled with builds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from steelyard.advise.categories import (
    CHOICES,
    DIRECTIONS,
    Build,
    Category,
    categories,
    within,
)
from steelyard.study.published import read_table
from steelyard.study.verdict import MissingFigure

HERE = Path(__file__).parent
TARGET = "rl78-g13"
CIPHERS = ("aes-128", "camellia-128", "clefia-128", "present-80")
HASHES = {
    "sha-256": 64,
    "sha-512": 128,
    "keccak-r1088-c512": 136,
    "keccak-r576-c1024": 72,
    "skein-256-256": 32,
    "skein-512-512": 64,
    "groestl-256": 64,
}
"""Bytes of a block of each."""
KECCAKS = ("keccak-r1088-c512", "keccak-r576-c1024")


@dataclass(frozen=True)
class Cell:
    """A category of ROM and of RAM for one primitive and direction; `build` is None where nothing fits."""

    primitive: str
    direction: str
    rom: Category
    ram: Category
    build: Build | None


class Sheet:
    """All categories filled, with one way of counting RAM."""

    def __init__(self, choice: str, builds: Sequence[Build]) -> None:
        self.choice = choice
        self._builds: dict[tuple[str, str], list[Build]] = {}
        order = (*CIPHERS, *HASHES)
        for build in sorted(
            builds, key=lambda one: (order.index(one.primitive), DIRECTIONS.index(one.direction))
        ):
            self._builds.setdefault((build.primitive, build.direction), []).append(build)

    @property
    def works(self) -> list[tuple[str, str]]:
        """Primitives and directions of which there is a build."""
        return list(self._builds)

    def builds(self, primitive: str, direction: str) -> list[Build]:
        """Every build; MissingFigure without any."""
        if (primitive, direction) not in self._builds:
            raise MissingFigure(f"no verified figures of {primitive}, {direction}, on {TARGET}")
        return self._builds[primitive, direction]

    def compiled(self) -> None:
        """MissingFigure where neither assembly nor an image that was compiled here is among the builds.

        Categories ask for all variants and flags, and assembly is the same at all flags.
        """
        builds = [build for listed in self._builds.values() for build in listed]
        if all(build.prebuilt and not build.by_pointer for build in builds):
            raise MissingFigure(
                f"no compiler for {TARGET} is here; images that come with Steelyard are not every variant"
            )

    def cell(self, primitive: str, direction: str, rom: Category, ram: Category) -> Cell:
        """The fastest build that fits, or the one of least ROM that fits the RAM; of equals the smaller."""
        best = within(self.builds(primitive, direction), rom, ram, CHOICES[self.choice])
        return Cell(primitive, direction, rom, ram, best)

    def cells(self) -> Iterator[Cell]:
        """Every category of every work."""
        for primitive, direction in self.works:
            for ram in categories("RAM"):
                for rom in categories("ROM"):
                    yield self.cell(primitive, direction, rom, ram)

    def least_rom(self, primitive: str, direction: str) -> Build:
        """The build of the least ROM, whatever its RAM."""
        return min(self.builds(primitive, direction), key=lambda build: (build.rom_bytes, build.cycles))

    def only(self, *, by_pointer: bool) -> Sheet:
        """Return these categories, filled with assembly alone or with C alone."""
        listed = (build for builds in self._builds.values() for build in builds)
        return Sheet(self.choice, [build for build in listed if build.by_pointer is by_pointer])


# Categories that are impossible


@dataclass(frozen=True)
class Bound:
    """The least that any code of a primitive takes of a memory behind the pointer interface, and why."""

    primitive: str
    memory: str
    least_bytes: int
    why: str


@cache
def bounds() -> tuple[Bound, ...]:
    """The bounds of `bounds.csv`; the bytes are the sum of the parts that it names."""
    return tuple(
        Bound(
            row["primitive"],
            row["memory"],
            sum(int(part.strip().partition(" ")[0]) for part in row["parts"].split("+")),
            row["parts"],
        )
        for row in read_table(HERE / "bounds.csv")
    )


def impossible(primitive: str, rom: Category, ram: Category) -> Bound | None:
    """The bound that keeps any code of a primitive out of a category, or None."""
    limits = {"ROM": rom.most_bytes, "RAM": ram.most_bytes}
    for bound in bounds():
        most_bytes = limits[bound.memory]
        if bound.primitive == primitive and most_bytes is not None and bound.least_bytes > most_bytes:
            return bound
    return None

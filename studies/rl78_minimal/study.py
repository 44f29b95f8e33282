"""Ciphers and hashes on the RL78 in categories of ROM and RAM, as published in 2013.

The publication and its tables are described in the README beside. Its idea is what is made anew: memory is
given by others, so the answer is the fastest code in each category of ROM and RAM, or none. Its own code is
assembly, ours is what this library has, in C.

* ROM is code, constants and library routines of an image that holds one direction of a cipher with its
  set-up, both directions, or a hash (`rom_bytes`); the least ROM is a category of its own, whatever its
  speed.
* RAM is statics, context and stack, the most that an operation of the image takes. Whether the publication
  counts the buffers of message, key and digest as well is not known: both ways are asked.
* Speed is cycles of one block of a cipher, its set-up apart; of both directions those of the slower one. Of a
  hash it is what a block more costs in a message, so that padding and the final step do not blur it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import polars as pl

from steelyard.catalog.load import Catalog
from steelyard.measure.plan import ALL_FLAGS
from steelyard.measure.selection import Selection
from steelyard.present.chart import Chart, tooltip
from steelyard.present.table import Table
from steelyard.record.schema import Record
from steelyard.study.charts import lines
from steelyard.study.comparison import ABOUT
from steelyard.study.figures import cycles, integer
from steelyard.study.measure import in_steps
from steelyard.study.model import Outcome, Row, Step, Steps, Study
from steelyard.study.published import claims_of, read_table
from steelyard.study.verdict import MissingFigure, judge

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

ENCRYPTION, DECRYPTION, BOTH, DIGEST = DIRECTIONS = ("encryption", "decryption", "both", "digest")
_FOOTPRINTS = {ENCRYPTION: "encrypt", DECRYPTION: "decrypt", BOTH: "both"}

SHORT_BLOCKS, LONG_BLOCKS = 1, 5
"""A hash's block is the difference of messages of so many blocks, shared among those between."""


@dataclass(frozen=True)
class Category:
    """A bound of a memory; None is the least there is."""

    name: str
    most_bytes: int | None


@cache
def categories(memory: str) -> tuple[Category, ...]:
    """The categories of `ROM` or `RAM`, smallest first."""
    return tuple(
        Category(row["category"], int(row["most_bytes"]) if row["most_bytes"] else None)
        for row in read_table(HERE / "categories.csv")
        if row["memory"] == memory
    )


@dataclass(frozen=True)
class Build:
    """One image and what it costs; `set_up_cycles` is None of a hash, `buffer_bytes` are the caller's."""

    primitive: str
    direction: str
    variant: str
    toolchain: str
    toolchain_version: str
    flags: str
    rom_bytes: int
    ram_bytes: int
    buffer_bytes: int
    stack_bytes: int
    block_bytes: int
    cycles: float
    set_up_cycles: float | None

    @property
    def cycles_per_byte(self) -> float:
        """Cycles of a block by its bytes."""
        return self.cycles / self.block_bytes


CHOICES: dict[str, Callable[[Build], int]] = {
    "context and stack": lambda build: build.ram_bytes,
    "and the caller's buffers": lambda build: build.ram_bytes + build.buffer_bytes,
}
"""What counts as RAM."""


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

    def cell(self, primitive: str, direction: str, rom: Category, ram: Category) -> Cell:
        """The fastest build that fits, or the one of least ROM that fits the RAM; of equals the smaller."""
        ram_of = CHOICES[self.choice]
        assert ram.most_bytes is not None
        fitting = [
            build
            for build in self.builds(primitive, direction)
            if ram_of(build) <= ram.most_bytes
            and (rom.most_bytes is None or build.rom_bytes <= rom.most_bytes)
        ]
        if rom.most_bytes is None:
            best = min(fitting, key=lambda build: (build.rom_bytes, build.cycles), default=None)
        else:
            best = min(fitting, key=lambda build: (build.cycles, build.rom_bytes), default=None)
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


@dataclass(frozen=True)
class Number:
    """A printed number beside ours; `ours` and `build` are None where nothing of ours fits the category."""

    primitive: str
    direction: str
    rom: str
    ram: str
    quantity: str
    unit: str
    published: float
    choice: str
    ours: float | None
    build: Build | None

    @property
    def ratio(self) -> float | None:
        """Ours over the published."""
        return None if self.ours is None else self.ours / self.published


@dataclass(frozen=True)
class Reproduction(Outcome):
    """Categories filled by what counts as RAM; `prebuilt` if images of Steelyard's own were measured."""

    sheets: dict[str, Sheet]
    numbers: tuple[Number, ...]
    prebuilt: bool

    @property
    def worth_showing(self) -> bool:
        return any(sheet.works for sheet in self.sheets.values())

    def figure_rows(self) -> Iterator[Row]:
        for choice, sheet in self.sheets.items():
            for cell in sheet.cells():
                yield {
                    "table": "category",
                    "ram_is": choice,
                    "primitive": cell.primitive,
                    "direction": cell.direction,
                    "rom_category": cell.rom.name,
                    "ram_category": cell.ram.name,
                    "build": None if cell.build is None else asdict(cell.build),
                    "cycles_per_byte": None if cell.build is None else cell.build.cycles_per_byte,
                }
        for number in self.numbers:
            yield {"table": "number", **asdict(number), "ratio": number.ratio}

    def tables(self) -> Mapping[str, Table]:
        return {
            **{choice: _category_table(sheet) for choice, sheet in self.sheets.items()},
            "numbers": self._number_table(),
        }

    def _number_table(self) -> Table:
        rows = tuple(
            (
                one.primitive,
                one.direction,
                one.rom,
                one.ram,
                one.choice,
                f"{one.published:,.0f} {one.unit}",
                "none" if one.ours is None else f"{one.ours:,.0f}",
                "" if one.ratio is None else f"{one.ratio:.2f}",
                "" if one.build is None else f"{one.build.variant} {one.build.flags}",
            )
            for one in self.numbers
        )
        headings = ("Primitive", "Direction", "ROM", "RAM", "RAM is", "Published", "Ours", "Ratio", "Build")
        return Table("Published numbers beside ours", headings, rows, 5)

    def charts(self) -> Iterator[Chart]:
        points = [
            {
                "ram_is": choice,
                "direction": cell.direction,
                "ram": cell.ram.name,
                "rom": cell.rom.name,
                "primitive": cell.primitive,
                "variant": cell.build.variant,
                "flags": cell.build.flags,
                "rom_bytes": cell.build.rom_bytes,
                "ram_bytes": CHOICES[choice](cell.build),
                "cycles": cell.build.cycles,
                "cycles_per_byte": cell.build.cycles_per_byte,
            }
            for choice, sheet in self.sheets.items()
            for cell in sheet.cells()
            if cell.build is not None
        ]
        x = {
            "field": "rom",
            "type": "ordinal",
            "sort": [rom.name for rom in categories("ROM")],
            "title": "ROM",
            "axis": {"labelAngle": 0},
        }
        told = tooltip(
            ("primitive", "variant", "flags"),
            rom=("ROM", ""),
            rom_bytes=("ROM, bytes", ",d"),
            ram_bytes=("RAM, bytes", ",d"),
            cycles=("cycles of a block", ",.0f"),
            cycles_per_byte=("cycles per byte", ",.1f"),
        )
        order = (*CIPHERS, *HASHES)
        yield Chart(
            id="rl78-minimal-speed",
            title="Speed by category of ROM",
            caption="What more ROM buys within one category of RAM; a gap is a category nothing fits.",
            spec=lines(x, "cycles_per_byte", "cycles per byte", "primitive", order, told),
            rows=pl.DataFrame(points, infer_schema_length=None),
            open=(),
            single=("ram_is", "direction", "ram"),
            series=("primitive",),
        )

    def warnings(self) -> Iterator[str]:
        if self.prebuilt:
            yield (
                f"the compiler for {TARGET} is not installed: images that come with Steelyard were measured,"
                " not every variant, footprint and flag; run: steelyard toolchain install rl78"
            )


def _category_table(sheet: Sheet) -> Table:
    """A line for each primitive, direction and category of RAM, a column for each category of ROM."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for cell in sheet.cells():
        found.setdefault((cell.primitive, cell.direction, cell.ram.name), []).append(_shown(cell))
    headings = ("Primitive", "Direction", "RAM", *(f"ROM {rom.name}" for rom in categories("ROM")))
    rows = tuple((*labels, *cells) for labels, cells in found.items())
    first = next(iter(CHOICES))
    ram = first if sheet.choice == first else f"{first} {sheet.choice}"
    return Table(f"Cycles of a block; RAM is {ram}", headings, rows, 3)


def _shown(cell: Cell) -> str:
    build = cell.build
    if build is None:
        return "none"
    size = f"{build.rom_bytes:,} B: " if cell.rom.most_bytes is None else ""
    return f"{size}{build.cycles:,.0f} ({build.variant.partition('/')[2]} {build.flags})"


# What is measured


def steps(_: Catalog, toolchain: str) -> Steps:
    """What is measured: every variant in every footprint at the usual flags."""
    common = {"variant": ("*",), "target": (TARGET,), "toolchain": (toolchain,), "flags": ALL_FLAGS}
    ciphers = Selection.model_validate(
        {**common, "primitive": CIPHERS, "footprint": tuple(_FOOTPRINTS.values())}
    )
    hashes = [
        Selection.model_validate(
            {
                **common,
                "primitive": (primitive,),
                "length": (SHORT_BLOCKS * block_bytes, LONG_BLOCKS * block_bytes),
            }
        )
        for primitive, block_bytes in HASHES.items()
    ]
    return (lambda _: Step((ciphers, *hashes)),)


# From records to builds


def reproduce(records: Sequence[Record], _: Collection[str] = ()) -> Reproduction:
    """The comparison that these records allow; nothing but them and the published numbers goes in."""
    found = list(builds(records))
    tables = {choice: Sheet(choice, found) for choice in CHOICES}
    settings = {choice: {"": table} if found else {} for choice, table in tables.items()}
    claims = claims_of(HERE, lambda claim: judge(CLAIMS[claim], settings, _CAVEATS.get(claim)))
    prebuilt = any(record["prebuilt"] for record in records)
    return Reproduction(claims, tables, tuple(_numbers(tables)), prebuilt)


def builds(records: Iterable[Record]) -> Iterator[Build]:
    """The images whose operations were all measured and verified."""
    found: dict[tuple[object, ...], list[Record]] = {}
    for record in records:
        if (
            record["target"] == TARGET
            and record["settings"] is None
            and record["mode"] is None
            and (record["primitive"] in CIPHERS or record["primitive"] in HASHES)
        ):
            found.setdefault(tuple(record[name] for name in _IMAGE), []).append(record)
    for of_image in found.values():
        made = _build([one for one in of_image if one["status"] == "ok" and one["verified"] is True])
        if made is not None:
            yield made


_IMAGE = ("primitive", "variant", "toolchain", "toolchain_version", "flags", "footprint")


def _build(records: Sequence[Record]) -> Build | None:
    if not records:
        return None
    first = records[0]
    primitive = str(first["primitive"])
    if primitive in HASHES:
        block_bytes = HASHES[primitive]
        by_length = {integer(one, "message_bytes"): one for one in records if one["operation"] == "digest"}
        short, long = (by_length.get(count * block_bytes) for count in (SHORT_BLOCKS, LONG_BLOCKS))
        if short is None or long is None:
            return None
        a_block = (cycles(long) - cycles(short)) / (LONG_BLOCKS - SHORT_BLOCKS)
        # The caller's buffers of a hash called block by block: one block and the digest.
        buffers = integer(short, "ram_io_bytes")
        return _of((short, long), DIGEST, block_bytes, a_block, None, buffers)
    by_operation = {str(one["operation"]): one for one in records}
    direction = next(name for name, footprint in _FOOTPRINTS.items() if footprint == first["footprint"])
    asked = {ENCRYPTION: ("encrypt",), DECRYPTION: ("decrypt",), BOTH: ("encrypt", "decrypt")}[direction]
    set_ups = [one for name, one in by_operation.items() if name.startswith("init")]
    if not set_ups or any(name not in by_operation for name in asked):
        return None
    blocks = [by_operation[name] for name in asked]
    return _of(
        (*set_ups, *blocks),
        direction,
        integer(blocks[0], "message_bytes"),
        max(map(cycles, blocks)),
        max(map(cycles, set_ups)),
        max(integer(one, "ram_io_bytes") for one in (*set_ups, *blocks)),
    )


def _of(
    records: Sequence[Record],
    direction: str,
    block_bytes: int,
    a_block: float,
    set_up: float | None,
    buffer_bytes: int,
) -> Build:
    first = records[0]
    return Build(
        str(first["primitive"]),
        direction,
        str(first["variant"]),
        str(first["toolchain"]),
        str(first["toolchain_version"]),
        str(first["flags"]),
        integer(first, "rom_bytes"),
        max(integer(one, "ram_bytes") for one in records),
        buffer_bytes,
        max(integer(one, "ram_stack_bytes") for one in records),
        block_bytes,
        a_block,
        set_up,
    )


# Published numbers beside ours


def _numbers(tables: Mapping[str, Sheet]) -> Iterator[Number]:
    roms, rams = ({one.name: one for one in categories(memory)} for memory in ("ROM", "RAM"))
    for row in read_table(HERE / "numbers.csv"):
        # The abstract does not say which Keccak its smallest is.
        names = KECCAKS if row["primitive"] == "keccak" else (row["primitive"],)
        for choice, table in tables.items():
            rom, ram = roms[row["rom_category"]], rams.get(row["ram_category"])
            of_all = [
                build
                for name in names
                if (name, row["direction"]) in table.works
                and (build := _best(table, name, row["direction"], rom, ram)) is not None
            ]
            best = min(of_all, key=lambda build: _figure(build, row["quantity"]), default=None)
            yield Number(
                best.primitive if best is not None else row["primitive"],
                row["direction"],
                row["rom_category"],
                row["ram_category"] or "any",
                row["quantity"],
                row["unit"],
                float(row["value"]),
                choice,
                None if best is None else _figure(best, row["quantity"]),
                best,
            )


def _best(table: Sheet, primitive: str, direction: str, rom: Category, ram: Category | None) -> Build | None:
    if ram is None:
        return table.least_rom(primitive, direction)
    return table.cell(primitive, direction, rom, ram).build


def _figure(build: Build, quantity: str) -> float:
    return build.rom_bytes if quantity == "code size" else build.cycles


# The claims


def _category(memory: str, name: str) -> Category:
    return next(one for one in categories(memory) if one.name == name)


def _aes(rom: str, ram: str) -> Callable[[Sheet], Build | None]:
    return lambda table: table.cell("aes-128", ENCRYPTION, _category("ROM", rom), _category("RAM", ram)).build


def _fits(rom: str, ram: str) -> Callable[[Sheet], bool]:
    return lambda table: _aes(rom, ram)(table) is not None


def _as_fast(rom: str, ram: str, published: float) -> Callable[[Sheet], bool]:
    def test(table: Sheet) -> bool:
        build = _aes(rom, ram)(table)
        return build is not None and build.cycles <= (1 + ABOUT) * published

    return test


def _within_rom(direction: str, most_bytes: int, *primitives: str) -> Callable[[Sheet], bool]:
    return lambda table: min(table.least_rom(name, direction).rom_bytes for name in primitives) <= most_bytes


_LARGEST_ROM = Category("any", 1 << 24)
_LARGEST_RAM = Category("any", 1 << 24)


def _record_is_not_best_everywhere(direction: str, primitives: Iterable[str]) -> Callable[[Sheet], bool]:
    """For most primitives some category holds another build than the fastest of all."""

    def test(table: Sheet) -> bool:
        answers = []
        for primitive in primitives:
            record = table.cell(primitive, direction, _LARGEST_ROM, _LARGEST_RAM).build
            held = {
                cell.build
                for cell in table.cells()
                if (cell.primitive, cell.direction) == (primitive, direction) and cell.rom.most_bytes
            }
            answers.append(bool(held - {record, None}))
        return 2 * sum(answers) > len(answers)

    return test


def _ranks_change(direction: str, primitives: Iterable[str]) -> Callable[[Sheet], bool]:
    """Some two primitives stand in another order, by cycles per byte, in another category."""

    def test(table: Sheet) -> bool:
        listed = list(primitives)
        for name in listed:
            table.builds(name, direction)
        seen: dict[tuple[str, str], set[bool]] = {}
        for ram in categories("RAM"):
            for rom in categories("ROM"):
                held = {name: table.cell(name, direction, rom, ram).build for name in listed}
                for one in listed:
                    for other in listed:
                        a, b = held[one], held[other]
                        if one < other and a is not None and b is not None:
                            seen.setdefault((one, other), set()).add(a.cycles_per_byte < b.cycles_per_byte)
        return any(len(answers) == 2 for answers in seen.values())

    return test


def _rom_buys_speed(direction: str, primitive: str) -> Callable[[Sheet], bool]:
    """Some category of more ROM is faster than the least ROM in the same RAM."""

    def test(table: Sheet) -> bool:
        table.builds(primitive, direction)
        for ram in categories("RAM"):
            found = [table.cell(primitive, direction, rom, ram).build for rom in categories("ROM")]
            times = [build.cycles for build in found if build is not None]
            if times and min(times) < times[0]:
                return True
        return False

    return test


def _some_are_empty(table: Sheet) -> bool:
    cells = list(table.cells())
    return any(cell.build is None for cell in cells) and any(cell.build is not None for cell in cells)


def _counted(table: Sheet) -> bool:
    """Every build's ROM, RAM with stack and cycles are known at its call."""
    found = [build for work in table.works for build in table.builds(*work)]
    return bool(found) and all(min(build.rom_bytes, build.stack_bytes, build.cycles) > 0 for build in found)


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
    "seed004-05": {
        **{
            f"most {what}: some category's fastest is not the fastest of all": (
                _record_is_not_best_everywhere(direction, names)
            )
            for what, direction, names in (
                ("ciphers", ENCRYPTION, CIPHERS),
                ("hashes", DIGEST, tuple(HASHES)),
            )
        },
        **{
            f"{what} change places between categories": _ranks_change(direction, names)
            for what, direction, names in (
                ("ciphers", ENCRYPTION, CIPHERS),
                ("hashes", DIGEST, tuple(HASHES)),
            )
        },
    },
    "seed004-06": {
        f"{name} gains": _rom_buys_speed(direction, name)
        for direction, names in ((ENCRYPTION, CIPHERS), (DIGEST, tuple(HASHES)))
        for name in names
    },
    "seed004-07": {"some categories are empty, some are not": _some_are_empty},
    "seed004-08": {"ROM, RAM with stack and cycles of every build are counted at its call": _counted},
}
"""What each claim says, as tests of the categories."""

_IN_C = "what fits nothing here was not written in assembly"
_CAVEATS = {
    **dict.fromkeys(("seed004-01", "seed004-02", "seed004-03", "seed004-04", "seed004-07"), _IN_C),
    "seed004-06": "that speed never falls is built in: a category holds every build that a smaller one holds",
    "seed004-08": "routines here take their arguments as the compiler passes them, not by one pointer",
}
"""What to bear in mind of a claim."""

STUDY = Study(
    title="Categories of ROM and RAM on the RL78 (2013)",
    note="The fastest build of this library that fits each of the publication's categories of memory, or"
    " none; in that of the minimum the build of the least ROM. Every variant, footprint and flag that was"
    " measured takes part. Cycles are of a block, set-up apart.",
    targets=(TARGET,),
    primitives=(*CIPHERS, *HASHES),
    any_compiler=True,
    judge=reproduce,
    measure=in_steps(steps, TARGET),
)

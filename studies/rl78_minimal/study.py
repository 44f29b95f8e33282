"""Ciphers and hashes on the RL78 in categories of ROM and RAM, as published in 2013.

The publication and its tables are described in the README beside. Its idea is what is made anew: memory is
given by others, so the answer is the fastest code in each category of ROM and RAM, or none. Its own code is
assembly behind one interface: a pointer to a record, in a register. This library has such code, and C.

* ROM is code and constants of the routines that take a pointer, for one direction of a cipher, for both or
  for a block of a hash. ROM of C is code, constants and library routines of an image that holds one
  direction with its set-up, both directions, or a hash (`rom_bytes`). The least ROM is a category of its
  own, whatever its speed.
* RAM is record and stack. RAM of C is statics, context and stack, the most that an operation of the image
  takes; whether the publication counts the buffers of message, key and digest as well is not known, and
  both ways are asked: a record holds them already.
* Speed is cycles of one block; of both directions those of the slower one. In C the set-up of a cipher is
  apart, and a block of a hash is what a block more costs in a message, so that padding and the final step do
  not blur it.

How the claims are asked was written down before any figure was looked at:

* That a category is impossible follows from what the interface has in memory and what must be kept at once,
  not from code that nobody wrote: the sum is larger than the category (`bounds.csv`). Records may contradict
  it, with a build that fits all the same.
* Whether more ROM buys speed, and whether one category's fastest is another's, is asked of primitives of
  which at least two categories of the same RAM are filled; the others say nothing about categories.
* That costs can be counted at one border is asked of images that hold one direction and both: what a routine
  takes must not depend on what else lies beside it.
* Categories are not filled by images that come with Steelyard alone, without a compiler for the chip.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import polars as pl

from steelyard.advise.categories import (
    CHOICES,
    FOOTPRINTS,
    LONG_BLOCKS,
    SHORT_BLOCKS,
    Build,
    Category,
    builds_of,
    categories,
)
from steelyard.catalog.load import Catalog
from steelyard.measure.plan import ALL_FLAGS
from steelyard.measure.selection import Selection
from steelyard.present.chart import Chart, tooltip
from steelyard.present.table import Table
from steelyard.record.schema import Record
from steelyard.studies.rl78_minimal.claims import Settings, verdict
from steelyard.studies.rl78_minimal.sheets import (
    CIPHERS,
    HASHES,
    HERE,
    KECCAKS,
    TARGET,
    Cell,
    Sheet,
    impossible,
)
from steelyard.study.charts import lines
from steelyard.study.measure import in_steps
from steelyard.study.model import Defaults, Outcome, Row, Step, Steps, Study
from steelyard.study.published import claims_of, read_table


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
            "assembly": _assembly_table(self.sheets[next(iter(CHOICES))]),
            "price of C": _price_of_c(self.sheets[next(iter(CHOICES))]),
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
        return "none" if impossible(cell.primitive, cell.rom, cell.ram) is None else "impossible"
    size = f"{build.rom_bytes:,} B: " if cell.rom.most_bytes is None else ""
    flags = "" if build.by_pointer else f" {build.flags}"
    return f"{size}{build.cycles:,.0f} ({build.variant.partition('/')[2]}{flags})"


def _assembly_table(sheet: Sheet) -> Table:
    """What each routine with the pointer interface takes."""
    assembly = sheet.only(by_pointer=True)
    rows = tuple(
        (
            primitive,
            direction,
            build.variant.partition("/")[2],
            f"{build.rom_bytes:,}",
            f"{build.called_rom_bytes:,}",
            f"{build.ram_bytes:,}",
            f"{build.stack_bytes}",
            f"{build.cycles:,.0f}",
        )
        for primitive, direction in assembly.works
        for build in sorted(assembly.builds(primitive, direction), key=lambda one: one.rom_bytes)
    )
    headings = (
        *("Primitive", "Direction", "Variant", "ROM", "ROM called from C", "RAM", "of it stack"),
        "Cycles of a block",
    )
    return Table("Assembly with the pointer interface, in bytes", headings, rows, 3)


def _price_of_c(sheet: Sheet) -> Table:
    """What the best C takes beside the best assembly: of ROM, and of cycles in the largest category."""
    assembly, c = sheet.only(by_pointer=True), sheet.only(by_pointer=False)
    rom, ram = categories("ROM")[-1], categories("RAM")[-1]
    rows = []
    for primitive, direction in assembly.works:
        if (primitive, direction) not in c.works:
            continue
        least, least_c = (one.least_rom(primitive, direction).rom_bytes for one in (assembly, c))
        fast, fast_c = (one.cell(primitive, direction, rom, ram).build for one in (assembly, c))
        rows.append(
            (
                primitive,
                direction,
                f"{least:,}",
                f"{least_c:,}",
                f"{least_c / least:.1f}",
                "none" if fast is None else f"{fast.cycles:,.0f}",
                "none" if fast_c is None else f"{fast_c.cycles:,.0f}",
                "" if fast is None or fast_c is None else f"{fast_c.cycles / fast.cycles:.1f}",
            )
        )
    largest = f"within {rom.name} and {ram.name}"
    headings = (
        *("Primitive", "Direction", "Least ROM", "in C", "times"),
        *(f"Fewest cycles {largest}", "in C", "times"),
    )
    return Table("The price of C", headings, tuple(rows), 2)


# What is measured


ASSEMBLY_FLAGS = ("-Os",)
"""Assembly is the same at all flags."""


def steps(catalog: Catalog, toolchain: str) -> Steps:
    """What is measured: every variant in every footprint, C at the usual flags."""
    selections = []
    for by_pointer, flags in ((False, ALL_FLAGS), (True, ASSEMBLY_FLAGS)):
        for primitive in (*CIPHERS, *HASHES):
            variants = _variants(catalog, primitive, by_pointer=by_pointer)
            if not variants:
                continue
            block_bytes = HASHES.get(primitive)
            more = (
                {"footprint": tuple(FOOTPRINTS.values())}
                if block_bytes is None
                else {"length": (SHORT_BLOCKS * block_bytes, LONG_BLOCKS * block_bytes)}
            )
            common = {"primitive": (primitive,), "target": (TARGET,), "toolchain": (toolchain,)}
            selections.append(
                Selection.model_validate({**common, "variant": variants, "flags": flags, **more})
            )
    return (lambda _: Step(tuple(selections)),)


def _variants(catalog: Catalog, primitive: str, *, by_pointer: bool) -> tuple[str, ...]:
    family = catalog.target(TARGET).file.family
    return tuple(
        variant.id
        for algorithm in catalog.algorithms
        if any(one.id == primitive for one in algorithm.file.primitive)
        for variant in algorithm.variants
        if variant.does(primitive)
        and (variant.file.interface is not None) == by_pointer
        and family in (variant.file.families or (family,))
    )


# From records to builds


def reproduce(records: Sequence[Record], _: Defaults = ()) -> Reproduction:
    """The comparison that these records allow; nothing but them and the published numbers goes in."""
    found = list(builds(records))
    tables = {choice: Sheet(choice, found) for choice in CHOICES}
    settings: Settings = {choice: {"": table} if found else {} for choice, table in tables.items()}
    claims = claims_of(HERE, lambda claim: verdict(claim, settings))
    prebuilt = any(record["prebuilt"] for record in records)
    return Reproduction(claims, tables, tuple(_numbers(tables)), prebuilt)


def builds(records: Iterable[Record]) -> Iterator[Build]:
    """The images whose operations were all measured and verified."""
    return builds_of(
        (
            record
            for record in records
            if record["target"] == TARGET
            and record["settings"] is None
            and record["mode"] is None
            and (record["primitive"] in CIPHERS or record["primitive"] in HASHES)
        ),
        HASHES,
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


STUDY = Study(
    title="Categories of ROM and RAM on the RL78 (2013)",
    note="The fastest build of this library that fits each of the publication's categories of memory, or"
    " none, or why none can; in that of the minimum the build of the least ROM. Every variant, footprint and"
    " flag that was measured takes part. Cycles are of a block; in C, set-up apart.",
    targets=(TARGET,),
    primitives=(*CIPHERS, *HASHES),
    any_compiler=True,
    judge=reproduce,
    measure=in_steps(steps, TARGET),
)

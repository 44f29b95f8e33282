"""The default variants: measured, chosen by primitives/defaults.toml, written into the variants."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import geometric_mean
from typing import Annotated

import polars as pl
from docs.generate.records import DEFAULTS, path_of, read_kept
from pydantic import Field

from steelyard.catalog.load import load_catalog, read_file
from steelyard.catalog.models import CPU_CLASSES, Algorithm, CpuClass, Identifier, Strict, Variant
from steelyard.present.markdown import markdown_table
from steelyard.record.schema import Record
from steelyard.report import tables
from steelyard.store.read import read_records

ROOT = Path(__file__).resolve().parents[2]
RULE = ROOT / "primitives" / "defaults.toml"

COUNTED = {
    "block": ("encrypt", "decrypt"),
    "stream": ("encrypt",),
    "hash": ("digest",),
    "mac": ("mac",),
    "aead": ("seal", "open"),
    "signature": ("sign", "verify"),
}
"""The operations whose cycles are a variant's time; a key is set up once."""

COLUMNS = (
    *(
        "kind",
        "primitive",
        "variant",
        "parts",
        "target",
        "toolchain",
        "toolchain_version",
        "flags",
        "footprint",
    ),
    *("operation", "message_bytes", "status", "verified", "cycles", "rom_bytes", "ram_bytes"),
    *("steelyard_version", "steelyard_commit", "date"),
)
"""Fields of a record that are kept."""

Bytes = Annotated[int, Field(ge=1)]


class ClassRule(Strict):
    """A class of processors: the chip and the compiler that speak for it, and the limits in bytes."""

    id: CpuClass
    title: str
    target: Identifier | None = None
    toolchain: Identifier | None = None
    rom_bytes: Bytes = 1
    ram_bytes: Bytes = 1
    reason: str


class LeftOut(Strict):
    """A variant that is no default, and why."""

    variant: str
    reason: str


class Rule(Strict):
    """Contents of primitives/defaults.toml; sizes in bytes."""

    primitive: tuple[Identifier, ...]
    flags: str
    message_bytes: Bytes
    samples: Annotated[int, Field(ge=2)]
    slower_percent: Annotated[float, Field(ge=0)]
    left_out: tuple[LeftOut, ...] = ()
    classes: tuple[ClassRule, ...] = Field(alias="class")

    @property
    def measured(self) -> tuple[ClassRule, ...]:
        """The classes that have a chip."""
        return tuple(one for one in self.classes if one.target is not None)


@dataclass(frozen=True)
class Weighed:
    """A variant on a chip over all primitives of its algorithm: geometric mean of cycles, most bytes."""

    variant: str
    cycles: float
    rom_bytes: int
    ram_bytes: int

    def counted(self, limits: ClassRule) -> float:
        """The cycles that count: more where it exceeds the limits."""
        rom, ram = self._shares(limits)
        return self.cycles * max(1.0, rom) * max(1.0, ram) ** 2

    def share(self, limits: ClassRule) -> float:
        """What it needs of its limits, in the worse of the two."""
        return max(self._shares(limits))

    def _shares(self, limits: ClassRule) -> tuple[float, float]:
        return self.rom_bytes / limits.rom_bytes, self.ram_bytes / limits.ram_bytes


def rule() -> Rule:
    """The rule; CatalogError for an invalid file."""
    return read_file(RULE, Rule)


def chosen(variants: Sequence[Weighed], limits: ClassRule, slower_percent: float) -> Weighed:
    """The default of these variants.

    One that needs f times the ROM of the limits counts as f times slower, one that needs f times the RAM as
    f * f times. Of those not slower than the fastest by more than `slower_percent`, the one that needs the
    least of its limits.
    """
    counted = {one: one.counted(limits) for one in variants}
    slowest = min(counted.values()) * (1 + slower_percent / 100)
    fast = [one for one in variants if counted[one] <= slowest]
    return min(fast, key=lambda one: (one.share(limits), one.variant))


def weighed(records: Iterable[Record]) -> dict[tuple[str, str], list[Weighed]]:
    """Return what can be chosen, by algorithm and chip, from records of footprint `both`.

    A variant counts if every counted operation of every primitive that its siblings have was verified.
    """
    cells: dict[tuple[str, str], dict[str, dict[tuple[str, str], Record]]] = {}
    asked: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for record in records:
        if record["operation"] not in COUNTED[str(record["kind"])]:
            continue
        variant = str(record["variant"])
        place, cell = (
            (variant.split("/")[0], str(record["target"])),
            (
                str(record["primitive"]),
                str(record["operation"]),
            ),
        )
        if record["status"] == "ok" and record["verified"]:
            asked.setdefault(place, set()).add(cell)
            cells.setdefault(place, {}).setdefault(variant, {})[cell] = record
    return {
        place: [
            _weighed(name, done.values())
            for name, done in sorted(listed.items())
            if set(done) == asked[place]
        ]
        for place, listed in cells.items()
    }


def _weighed(variant: str, records: Iterable[Record]) -> Weighed:
    listed = list(records)
    by_primitive: dict[str, float] = {}
    for one in listed:
        name = str(one["primitive"])
        by_primitive[name] = by_primitive.get(name, 0.0) + float(one["cycles"] or 0)
    return Weighed(
        variant,
        geometric_mean(by_primitive.values()),
        max(int(one["rom_bytes"] or 0) for one in listed),
        max(int(one["ram_bytes"] or 0) for one in listed),
    )


def choices(records: Iterable[Record]) -> dict[tuple[str, CpuClass], Weighed]:
    """Return the default by algorithm and measured class, where there are variants to choose between."""
    told = rule()
    of_chip = {one.target: one for one in told.measured}
    return {
        (algorithm, of_chip[target].id): chosen(listed, of_chip[target], told.slower_percent)
        for (algorithm, target), listed in weighed(records).items()
    }


def eligible(algorithm: Algorithm) -> tuple[Variant, ...]:
    """The variants that can be defaults: in C, for every primitive of their algorithm, and not left out."""
    left_out = {one.variant for one in rule().left_out}
    names = [primitive.id for primitive in algorithm.file.primitive]
    return tuple(
        one
        for one in algorithm.variants
        if one.id not in left_out and one.file.families is None and all(one.does(name) for name in names)
    )


def by_rule(records: Iterable[Record]) -> dict[str, tuple[CpuClass, ...]]:
    """Return the classes of which each variant is the default; what is not measured stays as it is."""
    found = choices(records)
    classes: dict[str, tuple[CpuClass, ...]] = {}
    for algorithm in load_catalog().algorithms:
        for variant in algorithm.variants:
            classes[variant.id] = tuple(
                one
                for one in CPU_CLASSES
                if (
                    found[algorithm.id, one].variant == variant.id
                    if (algorithm.id, one) in found
                    else one in variant.file.default
                )
            )
    return classes


def write_defaults() -> None:
    """Write what the kept records choose into `default` of every variant."""
    wanted = by_rule(read_kept(DEFAULTS).iter_rows(named=True))
    for variant in load_catalog().variants:
        if wanted[variant.id] != variant.file.default:
            path = variant.folder / "variant.toml"
            path.write_text(
                _with_default(path.read_text(encoding="utf-8"), wanted[variant.id]), encoding="utf-8"
            )


def _with_default(text: str, classes: Sequence[CpuClass]) -> str:
    """The text of a variant.toml with this default; its line stands behind the sources."""
    bare = re.sub(r"(?m)^default = .*\n", "", text)
    if not classes:
        return bare
    listed = ", ".join(f'"{one}"' for one in classes)
    line = f"default = {'true' if tuple(classes) == CPU_CLASSES else f'[{listed}]'}\n"
    return re.sub(r"(?ms)^sources = \[.*?\]\n", lambda sources: sources[0] + line, bare, count=1)


def renew() -> None:
    """Measure, keep the records and write what they choose."""
    tables.in_order(measure()).select(COLUMNS).write_csv(path_of(DEFAULTS))
    read_kept.cache_clear()
    write_defaults()


def measure() -> pl.DataFrame:
    """Measure every variant that can be a default on the chip of each class; constructions over defaults."""
    told = rule()
    blocks: list[list[str]] = []
    others: list[list[str]] = []
    for algorithm in load_catalog().algorithms:
        names = [primitive.id for primitive in algorithm.file.primitive if primitive.id in told.primitive]
        if names:
            listed = [
                *_options("--primitive", names),
                *_options("--variant", [v.id for v in eligible(algorithm)]),
            ]
            (blocks if algorithm.file.kind == "block" else others).append(listed)
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "store")
        for one in told.measured:
            for part, length in ((blocks, ()), (others, ("--length", str(told.message_bytes)))):
                command = [
                    *(sys.executable, "-m", "steelyard", "measure", "--store", str(store), *length),
                    *(
                        "--target",
                        str(one.target),
                        "--toolchain",
                        str(one.toolchain),
                        f"--flags={told.flags}",
                    ),
                    *("--footprint", "both", "--samples", str(told.samples)),
                    *(word for options in part for word in options),
                ]
                # Cells that fail are records too: a variant that does not fit is none to choose.
                subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        return read_records(store, print)


def _options(name: str, values: Iterable[str]) -> list[str]:
    return [word for value in values for word in (name, value)]


def classes() -> str:
    """Return the classes of processors, with what speaks for each and its limits."""
    lines = [
        (
            f"`{one.id}`",
            one.title,
            f"`{one.target}`" if one.target else "",
            f"{one.toolchain} {rule().flags}" if one.toolchain else "",
            f"{one.rom_bytes:,}" if one.target else "",
            f"{one.ram_bytes:,}" if one.target else "",
            one.reason,
        )
        for one in rule().classes
    ]
    headings = ("Class", "Processors", "Chip", "Build", "ROM", "RAM", "Why")
    return markdown_table(headings, lines, left=4)


def compared(cpu_class: CpuClass) -> str:
    """Return the default of each algorithm on a class beside the best variant under each goal."""
    (limits,) = (one for one in rule().measured if one.id == cpu_class)
    lines = []
    for (algorithm, target), listed in sorted(weighed(read_kept(DEFAULTS).iter_rows(named=True)).items()):
        if target != limits.target:
            continue
        default = chosen(listed, limits, rule().slower_percent)
        lines.append(
            (
                f"`{algorithm}`",
                f"`{_name(default)}`",
                f"{default.cycles:,.0f}",
                f"{default.rom_bytes:,}",
                f"{default.ram_bytes:,}",
                *(_better(default, listed, *goal) for goal in _GOALS),
            )
        )
    headings = ("Algorithm", "Default", "Cycles", "ROM", "RAM", "Fastest", "Smallest ROM", "Smallest RAM")
    return markdown_table(headings, lines, left=2)


_GOALS: tuple[tuple[Callable[[Weighed], float], str], ...] = (
    (lambda one: one.cycles, "cycles"),
    (lambda one: one.rom_bytes, "bytes"),
    (lambda one: one.ram_bytes, "bytes"),
)


def _name(one: Weighed) -> str:
    return one.variant.partition("/")[2]


def _better(
    default: Weighed, listed: Sequence[Weighed], figure: Callable[[Weighed], float], unit: str
) -> str:
    """The variant with the least of a figure; nothing where it is the default's."""
    best = min(listed, key=lambda one: (figure(one), one != default))
    return "" if best == default else f"`{_name(best)}`, {figure(best):,.0f} {unit}"


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks by name."""
    of_class = {f"defaults {one.id}": partial(compared, one.id) for one in rule().measured}
    return {"classes": classes, **of_class}

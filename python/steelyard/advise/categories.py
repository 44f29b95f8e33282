"""Categories of ROM and RAM: the fastest build that fits each, or what is missing.

They are those of "Minimalism of Software Implementation" (M. Matsui, Y. Murakami, FSE 2013), which had them
for the RL78; any primitive on any chip can be asked the same question. ROM is code, constants and library
routines of an image that holds one direction with its set-up, both directions, or a hash. RAM is statics,
context and stack, the most that an operation of the image takes. The least ROM is a category of its own,
whatever its speed. Routines with the pointer interface count as they are called: record and stack.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from steelyard.catalog.load import Catalog
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.measure.plan import DEFAULT_AD_LENGTHS_BYTES
from steelyard.measure.selection import Selection, match, match_primitives
from steelyard.record.schema import Record

ENCRYPTION, DECRYPTION, BOTH, DIGEST = DIRECTIONS = ("encryption", "decryption", "both", "digest")
FOOTPRINTS = {ENCRYPTION: "encrypt", DECRYPTION: "decrypt", BOTH: "both"}
"""Footprint of the images of each direction of a cipher."""

MESSAGE_BYTES = 64
"""Bytes of a message of what takes no blocks, where none are asked for."""

SHORT_BLOCKS, LONG_BLOCKS = 1, 5
"""A hash's block is the difference of messages of so many blocks, shared among those between."""

_IMAGE = (
    *("primitive", "variant", "parts", "parameters", "target", "settings"),
    *("toolchain", "toolchain_version", "flags", "footprint"),
)
_CALLED = {
    "encrypt": (("encrypt",), ("seal",)),
    "decrypt": (("decrypt",), ("open",)),
    "both": (("encrypt", "decrypt"), ("seal", "open"), ("mac",), ("digest",)),
    "sign": (("sign",),),
    "verify": (("verify",),),
}
"""Operations of an image of each footprint, by kind of primitive."""
_WITHOUT_SET_UP = ("digest", "verify")


@dataclass(frozen=True)
class Category:
    """A bound of a memory; None is the least there is."""

    name: str
    most_bytes: int | None


@cache
def categories(memory: str) -> tuple[Category, ...]:
    """The published categories of `ROM` or `RAM`, smallest first."""
    with (data_root() / "advice" / "categories.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Category(row["category"], int(row["most_bytes"]) if row["most_bytes"] else None)
            for row in csv.DictReader(file)
            if row["memory"] == memory
        )


@dataclass(frozen=True)
class Build:
    """One image and what it costs; `set_up_cycles` is None of a hash, `buffer_bytes` are the caller's.

    `cycles` are those of one block of a block cipher or hash, and of one message of other primitives, whose
    bytes are `block_bytes`; of both directions those of the slower one. `by_pointer` if its figures are those
    of the routines that take a pointer to their record, without what leads to them from C: such routines have
    text and key in the record, and no set-up.
    """

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
    prebuilt: bool
    by_pointer: bool = False
    called_rom_bytes: int | None = None
    """With what leads from the functions of C to routines that take a pointer; None of C."""
    parameters: str | None = None
    security: str | None = None

    @property
    def cycles_per_byte(self) -> float:
        """Cycles of a block by its bytes."""
        return self.cycles / self.block_bytes


CHOICES: dict[str, Callable[[Build], int]] = {
    "context and stack": lambda build: build.ram_bytes,
    "and the caller's buffers": lambda build: build.ram_bytes + build.buffer_bytes,
}
"""What counts as RAM."""


def within(
    builds: Iterable[Build], rom: Category, ram: Category, ram_of: Callable[[Build], int]
) -> Build | None:
    """Return the fastest build that fits, or that of least ROM that fits the RAM; of equals the smaller."""
    fitting = [
        build
        for build in builds
        if (ram.most_bytes is None or ram_of(build) <= ram.most_bytes)
        and (rom.most_bytes is None or build.rom_bytes <= rom.most_bytes)
    ]
    if rom.most_bytes is None:
        return min(fitting, key=lambda build: (build.rom_bytes, build.cycles), default=None)
    return min(fitting, key=lambda build: (build.cycles, build.rom_bytes), default=None)


@dataclass(frozen=True)
class Missing:
    """What an empty category lacks.

    `least_rom` is the build of least ROM among those that fit the RAM, `least_ram` that of least RAM, of
    `least_ram_bytes`, among those that fit the ROM; where none does, among all. Each excess is in bytes
    beyond the bound, 0 within it. `nearest` exceeds its worse bound by the smallest factor.
    """

    least_rom: Build
    rom_excess: int
    least_ram: Build
    least_ram_bytes: int
    ram_excess: int
    fits_ram: bool
    nearest: Build


def missing(builds: Sequence[Build], rom: Category, ram: Category, ram_of: Callable[[Build], int]) -> Missing:
    """Return what keeps every one of the builds, of which there is one, out of a category."""
    most_rom = float("inf") if rom.most_bytes is None else rom.most_bytes
    most_ram = float("inf") if ram.most_bytes is None else ram.most_bytes
    fit_ram = [build for build in builds if ram_of(build) <= most_ram]
    fit_rom = [build for build in builds if build.rom_bytes <= most_rom]
    least_rom = min(fit_ram or builds, key=lambda build: (build.rom_bytes, build.cycles))
    least_ram = min(fit_rom or builds, key=lambda build: (ram_of(build), build.cycles))
    return Missing(
        least_rom,
        int(max(0, least_rom.rom_bytes - most_rom)),
        least_ram,
        ram_of(least_ram),
        int(max(0, ram_of(least_ram) - most_ram)),
        bool(fit_ram),
        min(builds, key=lambda one: (max(one.rom_bytes / most_rom, ram_of(one) / most_ram), one.cycles)),
    )


@dataclass(frozen=True)
class Filled:
    """A category of one primitive and direction on a chip; either a build fits, or something is missing."""

    target: str
    primitive: str
    direction: str
    rom: Category
    ram: Category
    build: Build | None
    missing: Missing | None


def fill(
    target: str,
    builds: Iterable[Build],
    roms: Sequence[Category],
    rams: Sequence[Category],
    ram_of: Callable[[Build], int],
) -> Iterator[Filled]:
    """Yield every category of each primitive and direction that has a build."""
    works: dict[tuple[str, str], list[Build]] = {}
    for build in builds:
        works.setdefault((build.primitive, build.direction), []).append(build)
    for (primitive, direction), listed in works.items():
        for ram in rams:
            for rom in roms:
                best = within(listed, rom, ram, ram_of)
                lack = missing(listed, rom, ram, ram_of) if best is None else None
                yield Filled(target, primitive, direction, rom, ram, best, lack)


# What is measured


def cells(catalog: Catalog, selection: Selection) -> tuple[list[Selection], dict[str, int]]:
    """Return the selections that the categories of a selection need, and the block bytes of its hashes.

    Ciphers are built for each direction and for both; block ciphers and hashes take blocks, others messages
    of the selection's length. UsageError for unknown names, or if no variant is left.
    """
    hashes: dict[str, int] = {}
    together: dict[tuple[object, ...], list[str]] = {}
    for name in match_primitives(selection.primitive, catalog):
        algorithm = catalog.algorithm_of(name)
        kind, block_bytes = algorithm.file.kind, algorithm.primitive(name).block_bytes
        variants = tuple(
            pattern
            for pattern in selection.variant
            if any(fnmatchcase(variant.id, pattern) for variant in algorithm.variants)
        )
        lengths = selection.length or (MESSAGE_BYTES,)
        if kind == "hash" and block_bytes:
            hashes[name] = block_bytes
            lengths = (SHORT_BLOCKS * block_bytes, LONG_BLOCKS * block_bytes)
        footprints = tuple(FOOTPRINTS.values()) if kind in ("block", "stream", "aead") else ()
        if variants:
            key = (variants, () if kind == "block" else lengths, footprints)
            together.setdefault(key, []).append(name)
    if not together:
        match("variant", selection.variant, [variant.id for variant in catalog.variants])
        raise UsageError("--variant: none of the chosen primitives has it.")
    return [
        selection.model_copy(
            update={
                "primitive": tuple(names),
                "variant": variants,
                "length": lengths,
                "footprint": footprints,
            }
        )
        for (variants, lengths, footprints), names in together.items()
    ], hashes


def of_cells(records: Iterable[Record], selections: Sequence[Selection]) -> Iterator[Record]:
    """Yield the records of chips as they are, warm, that belong to selections of `cells`."""
    lengths = {name: one.length for one in selections for name in one.primitive}
    for record in records:
        name = str(record["primitive"])
        if (
            name in lengths
            and record["settings"] is None
            and record["mode"] is None
            and record["cache_state"] != "cold"
            and record["ad_bytes"] in (None, DEFAULT_AD_LENGTHS_BYTES[0])
            and (not lengths[name] or record["message_bytes"] in (None, *lengths[name]))
        ):
            yield record


# From records to builds


def builds_of(records: Iterable[Record], hash_block_bytes: Mapping[str, int]) -> Iterator[Build]:
    """Yield the images whose operations were all measured and verified; the blocks of hashes are given.

    The records are of raw blocks, and of messages of one length per primitive, or of both lengths of a hash.
    """
    found: dict[tuple[object, ...], list[Record]] = {}
    for record in records:
        if record["status"] == "ok" and record["verified"] is True:
            found.setdefault(tuple(record[name] for name in _IMAGE), []).append(record)
    for of_image in found.values():
        made = _build(of_image, hash_block_bytes.get(str(of_image[0]["primitive"])))
        if made is not None:
            yield made


def _build(records: Sequence[Record], hash_block_bytes: int | None) -> Build | None:
    first = records[0]
    if first["record_bytes"] is not None:
        return _by_pointer(records, hash_block_bytes)
    if hash_block_bytes is not None:
        by_length = {_integer(one, "message_bytes"): one for one in records if one["operation"] == "digest"}
        short, long = (by_length.get(count * hash_block_bytes) for count in (SHORT_BLOCKS, LONG_BLOCKS))
        if short is None or long is None:
            return None
        a_block = (_cycles(long) - _cycles(short)) / (LONG_BLOCKS - SHORT_BLOCKS)
        # The caller's buffers of a hash called block by block: one block and the digest.
        buffers = _integer(short, "ram_io_bytes")
        return _of((short, long), DIGEST, hash_block_bytes, a_block, None, buffers)
    called = _called(records)
    set_ups = [one for one in records if str(one["operation"]).startswith("init")]
    if called is None or not (set_ups or called[0]["operation"] in _WITHOUT_SET_UP):
        return None
    return _of(
        (*set_ups, *called),
        _direction(called),
        _integer(called[0], "message_bytes"),
        max(map(_cycles, called)),
        max(map(_cycles, set_ups), default=None),
        max(_integer(one, "ram_io_bytes") for one in (*set_ups, *called)),
    )


def _called(records: Sequence[Record]) -> list[Record] | None:
    """Return the records of all operations that an image is there for, None if one is missing."""
    by_operation = {str(one["operation"]): one for one in records}
    for names in _CALLED[str(records[0]["footprint"])]:
        if all(name in by_operation for name in names):
            return [by_operation[name] for name in names]
    return None


def _direction(called: Sequence[Record]) -> str:
    if len(called) > 1:
        return BOTH
    operation = str(called[0]["operation"])
    return {"encrypt": ENCRYPTION, "seal": ENCRYPTION, "decrypt": DECRYPTION, "open": DECRYPTION}.get(
        operation, operation
    )


def _by_pointer(records: Sequence[Record], hash_block_bytes: int | None) -> Build | None:
    """Return the routines that take a pointer, apart from what leads to them."""
    first = records[0]
    called = _called(records)
    if called is None:
        return None
    stack_bytes = max(_integer(one, "pointer_stack_bytes") for one in called)
    return Build(
        primitive=str(first["primitive"]),
        direction=_direction(called),
        variant=str(first["variant"]),
        toolchain=str(first["toolchain"]),
        toolchain_version=str(first["toolchain_version"]),
        flags=str(first["flags"]),
        rom_bytes=_integer(first, "rom_code_bytes") + _integer(first, "rom_const_bytes"),
        ram_bytes=_integer(first, "record_bytes") + stack_bytes,
        buffer_bytes=0,
        stack_bytes=stack_bytes,
        block_bytes=hash_block_bytes or _integer(called[0], "message_bytes"),
        cycles=max(float(one["pointer_cycles"] or 0) for one in called),
        set_up_cycles=None,
        prebuilt=first["prebuilt"] is True,
        by_pointer=True,
        called_rom_bytes=_integer(first, "rom_bytes"),
        parameters=_text(first["parameters"]),
        security=_text(first["security"]),
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
        primitive=str(first["primitive"]),
        direction=direction,
        variant=str(first["variant"]),
        toolchain=str(first["toolchain"]),
        toolchain_version=str(first["toolchain_version"]),
        flags=str(first["flags"]),
        rom_bytes=_integer(first, "rom_bytes"),
        ram_bytes=max(_integer(one, "ram_bytes") for one in records),
        buffer_bytes=buffer_bytes,
        stack_bytes=max(_integer(one, "ram_stack_bytes") for one in records),
        block_bytes=block_bytes,
        cycles=a_block,
        set_up_cycles=set_up,
        prebuilt=first["prebuilt"] is True,
        parameters=_text(first["parameters"]),
        security=_text(first["security"]),
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _integer(record: Record, name: str) -> int:
    value = record[name]
    return int(value) if isinstance(value, int | float) else 0


def _cycles(record: Record) -> float:
    value = record["cycles"]
    return float(value) if isinstance(value, int | float) else 0.0

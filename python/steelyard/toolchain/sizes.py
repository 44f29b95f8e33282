"""Sizes of an image, by owner: the linker script puts each owner's bytes into sections of their own."""

from __future__ import annotations

import struct
from collections import defaultdict
from dataclasses import dataclass

from steelyard.catalog.models import Memory, Target
from steelyard.errors import UsageError

_OWNERS = ("own", "mode", "harness", "support")
_CONSTANTS = ("const", "rodata", "data")
_STATICS = ("data", "bss")
_OF_ROM = ("own", "support")
# System V ABI, "Object Files": places in the file header, and values, of 32-bit files.
_TABLE_OFFSET, _TABLE_ENTRY = 32, 46
_BIG_ENDIAN, _ALLOCATED, _SYMBOL_TABLE = 2, 2, 2
_SYMBOL_VALUE, _SYMBOL_SIZE, _SYMBOL_SECTION = 1, 2, 5
_SYMBOL_BYTES = 16
_NO_BITS = 8
_PARTS = ("text", "reset", *_CONSTANTS, "bss")

UNNAMED = "(unnamed)"
"""Bytes of an image that belong to no symbol, such as the texts of a switch or local constants."""


@dataclass(frozen=True)
class Section:
    """A section of a 32-bit ELF file; `type`, `flags`, `address` and `link` as in its header."""

    name: str
    type: int
    flags: int
    address: int
    start: int
    size_bytes: int
    link: int


def sections(elf: bytes) -> list[Section]:
    """Return the sections in the file's order; ValueError if it is no 32-bit ELF file.

    A run sizes thousands of images; a general ELF reader would take as long for one as its linker.
    """
    if elf[:5] != b"\x7fELF\x01":
        raise ValueError("not a 32-bit ELF file")
    order = _order(elf)
    (table,) = struct.unpack_from(f"{order}I", elf, _TABLE_OFFSET)
    entry_bytes, count, names_index = struct.unpack_from(f"{order}HHH", elf, _TABLE_ENTRY)
    raw = [struct.unpack_from(f"{order}10I", elf, table + index * entry_bytes) for index in range(count)]
    names = raw[names_index][4]
    return [Section(_text(elf, names + r[0]), r[1], r[2], r[3], r[4], r[5], r[6]) for r in raw]


def _order(elf: bytes) -> str:
    return ">" if elf[5] == _BIG_ENDIAN else "<"


def _text(elf: bytes, start: int) -> str:
    return elf[start : elf.index(0, start)].decode("utf-8", "replace")


@dataclass(frozen=True)
class Sizes:
    """Bytes of an image as the metrics define them.

    Code and constants are the variant's own (constants: tables in ROM and the initialisers of its .data);
    those of the mode and the runtime are separate. `ram_mode_bytes` and `ram_support_bytes` are their .data
    and .bss.
    """

    rom_code_bytes: int
    rom_const_bytes: int
    rom_mode_bytes: int
    rom_support_bytes: int
    ram_static_bytes: int
    ram_context_bytes: int
    ram_mode_bytes: int
    ram_support_bytes: int

    @property
    def rom_bytes(self) -> int:
        """Sum of code, constants and support routines."""
        return self.rom_code_bytes + self.rom_const_bytes + self.rom_support_bytes


def image_sizes(elf: bytes) -> Sizes:
    """Read the sizes from the ELF file; ValueError if a loaded section belongs to no owner."""
    by_part: defaultdict[tuple[str, str], int] = defaultdict(int)
    for section in sections(elf):
        if section.flags & _ALLOCATED and section.size_bytes:
            owner, _, part = section.name.removeprefix(".").partition(".")
            if owner not in _OWNERS or part not in _PARTS:
                raise ValueError(f"section {section.name} belongs to no owner")
            by_part[owner, part] += section.size_bytes
    context_bytes = _symbol_sizes(elf).get("harness_context", 0)

    def total(owner: str, parts: tuple[str, ...]) -> int:
        return sum(by_part[owner, part] for part in parts)

    return Sizes(
        rom_code_bytes=total("own", ("text",)),
        rom_const_bytes=total("own", _CONSTANTS),
        rom_mode_bytes=total("mode", ("text", *_CONSTANTS)),
        rom_support_bytes=total("support", ("text", *_CONSTANTS)),
        ram_static_bytes=total("own", _STATICS),
        ram_context_bytes=context_bytes,
        ram_mode_bytes=total("mode", _STATICS),
        ram_support_bytes=total("support", _STATICS),
    )


def allocated(elf: bytes) -> tuple[tuple[str, int, int, int, bytes], ...]:
    """Return what a chip has of an image: each allocated section's name, type, address, size and bytes."""
    return tuple(
        (one.name, one.type, one.address, one.size_bytes, _content(elf, one))
        for one in sections(elf)
        if one.flags & _ALLOCATED and one.size_bytes
    )


def _content(elf: bytes, section: Section) -> bytes:
    return b"" if section.type == _NO_BITS else elf[section.start : section.start + section.size_bytes]


def defined_symbols(elf: bytes) -> frozenset[str]:
    """Return the names of the symbols that the image defines."""
    return frozenset(_symbol_sizes(elf))


def _symbol_sizes(elf: bytes) -> dict[str, int]:
    """Return the sizes in bytes of the symbols that the image defines."""
    tables = sections(elf)
    found = {}
    for table in tables:
        if table.type == _SYMBOL_TABLE:
            names = tables[table.link]
            entries = elf[table.start : table.start + table.size_bytes]
            for entry in struct.iter_unpack(f"{_order(elf)}IIIBBH", entries):
                if entry[_SYMBOL_SECTION] != 0:
                    found[_text(elf, names.start + entry[0])] = entry[_SYMBOL_SIZE]
    return found


def rom_by_symbol(elf: bytes) -> dict[str, int]:
    """Return the bytes of `rom_bytes` by symbol: functions and constants of the variant and of the runtime.

    Bytes that no symbol names are those of `(unnamed)`; symbols of one name are added up.
    """
    tables = sections(elf)
    counted = {}
    for index, section in enumerate(tables):
        owner, _, part = section.name.removeprefix(".").partition(".")
        if owner in _OF_ROM and part in ("text", *_CONSTANTS) and section.flags & _ALLOCATED:
            counted[index] = section
    # Two names of one place are one function: its bytes count once.
    places: dict[tuple[int, int], tuple[str, int]] = {}
    for table in tables:
        if table.type == _SYMBOL_TABLE:
            names = tables[table.link]
            entries = elf[table.start : table.start + table.size_bytes]
            for entry in struct.iter_unpack(f"{_order(elf)}IIIBBH", entries):
                if entry[_SYMBOL_SECTION] in counted and entry[_SYMBOL_SIZE]:
                    named = (_text(elf, names.start + entry[0]), entry[_SYMBOL_SIZE])
                    place = (entry[_SYMBOL_SECTION], entry[_SYMBOL_VALUE])
                    places[place] = min(named, places.get(place, named))
    found: defaultdict[str, int] = defaultdict(int)
    for name, size in places.values():
        found[name] += size
    rest = sum(section.size_bytes for section in counted.values()) - sum(found.values())
    return {**found, **({UNNAMED: rest} if rest > 0 else {})}


def without_prefix(elf: bytes, prefix: str) -> bytes:
    """Return the image with its symbols named as in C: those that begin with the prefix lose it.

    A name without the prefix is the same entry of the string table, starting later.
    """
    if not prefix:
        return elf
    changed = bytearray(elf)
    order, start = _order(elf), prefix.encode()
    tables = sections(elf)
    for table in tables:
        if table.type == _SYMBOL_TABLE:
            names = tables[table.link].start
            for place in range(table.start, table.start + table.size_bytes, _SYMBOL_BYTES):
                (name,) = struct.unpack_from(f"{order}I", elf, place)
                if name and elf.startswith(start, names + name):
                    struct.pack_into(f"{order}I", changed, place, name + len(start))
    return bytes(changed)


def chip_memory(target: Target, kind: str) -> Memory:
    """Return a program's memory of a kind; UsageError if the data file names none or several.

    It is the chip's own memory, or the board's if the chip has none.
    """
    found = [m for m in target.file.memory if m.kind == kind and m.name != "lab"]
    found = [m for m in found if not m.external] or found
    if len(found) != 1:
        raise UsageError(
            f"Target {target.id} has {len(found)} memories of kind {kind}; what is built for it lies in one,"
            " the others are marked as external."
        )
    return found[0]


def does_not_fit(sizes: Sizes, target: Target) -> str | None:
    """Return by how much the image is too large for the chip, in one sentence, or None; harness excluded.

    ROM: variant, mode and support. RAM: statics and context, before any stack.
    """
    excess = {
        "flash": sizes.rom_bytes + sizes.rom_mode_bytes - chip_memory(target, "flash").size,
        "RAM": sizes.ram_static_bytes
        + sizes.ram_context_bytes
        + sizes.ram_mode_bytes
        + sizes.ram_support_bytes
        - chip_memory(target, "ram").size,
    }
    parts = [f"{count} bytes too large for the {name}" for name, count in excess.items() if count > 0]
    if not parts:
        return None
    before = ", before any stack" if excess["RAM"] > 0 else ""
    return f"{' and '.join(parts)} of {target.file.title}{before}"

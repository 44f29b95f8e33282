"""Sizes of an image, by owner: the linker script puts each owner's bytes into sections of their own."""

from __future__ import annotations

import io
from collections import defaultdict
from dataclasses import dataclass

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from steelyard.catalog.models import Memory, Target

_OWNERS = ("own", "mode", "harness", "support")
_CONSTANTS = ("const", "rodata", "data")
_STATICS = ("data", "bss")
_PARTS = ("text", "reset", *_CONSTANTS, "bss")


@dataclass(frozen=True)
class Sizes:
    """Bytes of an image as the metrics define them.

    Code and constants are the variant's own (constants: tables in ROM and the initialisers of its .data); the
    mode's and the runtime's stand apart. `ram_mode_bytes` and `ram_support_bytes` are their .data and .bss.
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
        """Code, constants and support routines."""
        return self.rom_code_bytes + self.rom_const_bytes + self.rom_support_bytes


def image_sizes(elf: bytes) -> Sizes:
    """Read the sizes from the ELF; ValueError where a section that is loaded belongs to no owner."""
    file = ELFFile(io.BytesIO(elf))
    by_part: defaultdict[tuple[str, str], int] = defaultdict(int)
    context_bytes = 0
    for section in file.iter_sections():
        if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_size"]:
            owner, _, part = section.name.removeprefix(".").partition(".")
            if owner not in _OWNERS or part not in _PARTS:
                raise ValueError(f"section {section.name} belongs to no owner")
            by_part[owner, part] += section["sh_size"]
        if isinstance(section, SymbolTableSection):
            for symbol in section.get_symbol_by_name("harness_context") or ():
                context_bytes = symbol["st_size"]

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


def defined_symbols(elf: bytes) -> frozenset[str]:
    """Names of the symbols that the image defines."""
    return frozenset(
        symbol.name
        for section in ELFFile(io.BytesIO(elf)).iter_sections()
        if isinstance(section, SymbolTableSection)
        for symbol in section.iter_symbols()
        if symbol["st_shndx"] != "SHN_UNDEF"
    )


def chip_memory(target: Target, kind: str) -> Memory:
    """The memory of a kind that a program has; ValueError where the data file names none or several.

    It is the chip's own, or the board's where the chip has none.
    """
    found = [m for m in target.file.memory if m.kind == kind and m.name != "lab"]
    found = [m for m in found if not m.external] or found
    if len(found) != 1:
        raise ValueError(f"target {target.id}: {len(found)} memories of kind {kind}, not 1")
    return found[0]


def does_not_fit(sizes: Sizes, target: Target) -> str | None:
    """By how much the image is too large for the chip, in one sentence, or None; the harness does not count.

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
    return f"{' and '.join(parts)} of {target.file.title}" if parts else None

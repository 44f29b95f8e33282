"""Start-up code of an image: what a call without it would miss, and how far it is run before a call.

Loading an image already does what start-up code does to memory: initialised data lie where the program finds
them, and the memory behind them is clear. Constructors are code of the image and have to run.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Literal

from steelyard.catalog.models import Target
from steelyard.errors import UsageError
from steelyard.machine import Emulator
from steelyard.measure.execute import pointer_bytes
from steelyard.toolchain.sizes import Section, sections

START_UP_TO = "main"
"""Symbol at which a C program begins, behind all that start-up code does for it."""

# System V ABI, "ELF Header": the number of sections; a stripped image may have none.
_COUNT = slice(48, 50)
# System V ABI, "Sections": types of the arrays of constructors.
_ARRAYS = (14, 16)
# Names that linker scripts give to the ends of such arrays where they lie in another section.
_ENDS = {
    ".preinit_array": ("__preinit_array_start", "__preinit_array_end"),
    ".init_array": ("__init_array_start", "__init_array_end"),
    ".ctors": ("__ctors_start", "__ctors_end"),
}
# GCC's crtbegin.o lists it in every image: it registers tables of C++ exceptions and of transactions.
_HARMLESS = "frame_dummy"


def load(emulator: Emulator, image: bytes, target: Target, start_up_to: str | None) -> None:
    """Load an ELF image for calls of its functions; with `start_up_to` run its own reset code to that symbol.

    UsageError if the image is refused, if its start-up code fails, or if it has constructors and they are not
    run.
    """
    emulator.load(image, start_up_to)
    if start_up_to is not None:
        return
    section = _constructors(emulator, image, target)
    if section is not None:
        raise UsageError(
            f"the image has constructors in {section}, which have to run before a call; give --start-up,"
            f" which runs the image's own start-up code to {START_UP_TO}."
        )


def _constructors(emulator: Emulator, image: bytes, target: Target) -> str | None:
    """Return the first section with the address of a constructor, or None if there is none."""
    symbols = emulator.symbols()
    size_bytes = pointer_bytes(target)
    order: Literal["big", "little"] = "big" if target.file.big_endian else "little"
    marks = {0, (1 << 8 * size_bytes) - 1}
    if _HARMLESS in symbols:
        address = symbols[_HARMLESS][0]
        marks |= {address, address | 1}
    for name, start, length in _arrays(image, symbols):
        content = emulator.read(*emulator.place(start)[:2], length)
        entries = (content[at : at + size_bytes] for at in range(0, length, size_bytes))
        if any(int.from_bytes(entry, order) not in marks for entry in entries):
            return name
    return None


def _sections(image: bytes) -> list[Section]:
    """Return the sections of an image that the emulator has loaded; UsageError if their table is broken."""
    if not any(image[_COUNT]):
        return []
    try:
        return sections(image)
    except (ValueError, IndexError, struct.error):
        raise UsageError("the section table of the ELF file is broken.") from None


def _arrays(image: bytes, symbols: dict[str, tuple[int, int]]) -> Iterator[tuple[str, int, int]]:
    """Yield the name, the address and the length in bytes of each array of constructors that is not empty."""
    for section in _sections(image):
        if section.size_bytes and (section.type in _ARRAYS or section.name.startswith(tuple(_ENDS))):
            yield section.name, section.address, section.size_bytes
    for name, (start, end) in _ENDS.items():
        if start in symbols and end in symbols and symbols[end][0] > symbols[start][0]:
            yield name, symbols[start][0], symbols[end][0] - symbols[start][0]

"""Sections of objects that assembly of others names without saying what they are."""

from __future__ import annotations

import struct

_ALLOCATED, _WRITTEN = 2, 1
_FLAGS = {b".progmem": _ALLOCATED, b".noinit": _ALLOCATED | _WRITTEN}
"""What a section of an AVR is by its name, as the linker's own script takes it."""


def with_memory(elf: bytes) -> bytes:
    """Return an object whose sections `.progmem` and `.noinit` have a place in memory.

    An assembler takes a section without flags as one that no program loads; the AVR linker's own script
    puts those of these names where they belong all the same. Other objects are returned as they are.
    """
    if elf[:6] != b"\x7fELF\x01\x01" or not any(name in elf for name in _FLAGS):
        return elf
    (first,) = struct.unpack_from("<I", elf, 32)
    size, count, names_at = struct.unpack_from("<HHH", elf, 46)
    (names,) = struct.unpack_from("<I", elf, first + names_at * size + 16)
    changed = bytearray(elf)
    for at in range(first, first + count * size, size):
        name_at, _, flags = struct.unpack_from("<III", elf, at)
        name = elf[names + name_at : elf.index(b"\0", names + name_at)]
        wanted = next((one for begin, one in _FLAGS.items() if name.startswith(begin)), 0)
        if not flags & _ALLOCATED:
            struct.pack_into("<I", changed, at + 8, flags | wanted)
    return bytes(changed)

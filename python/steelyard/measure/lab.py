"""The caller's buffers in lab memory, with guards around them that show writes out of bounds."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cached_property

from steelyard.machine import Permit

GUARD_BYTES = 16


class Lab:
    """Places named buffers one after another from `base`, a guard before, between and after them.

    With `odd` every buffer begins at an odd address, with `align` at a multiple of so many bytes from `base`.
    """

    def __init__(self, base: int, sizes: Mapping[str, int], *, odd: bool = False, align: int = 1) -> None:
        self._sizes = dict(sizes)
        self._offsets: dict[str, int] = {}
        end = GUARD_BYTES
        for name, size in sizes.items():
            self._offsets[name] = end | 1 if odd else -(-end // align) * align
            end = self._offsets[name] + size + GUARD_BYTES
        self.base = base
        self.size = end

    @cached_property
    def addresses(self) -> Mapping[str, int]:
        """Addresses of all buffers by name."""
        return {name: self.address(name) for name in self._offsets}

    def size_of(self, name: str) -> int:
        """Return the bytes of a buffer."""
        return self._sizes[name]

    def address(self, name: str) -> int:
        """Return the data address of a buffer."""
        return self.base + self._offsets[name]

    def filled(self, contents: Mapping[str, bytes]) -> bytes:
        """Return the whole lab memory with these contents; a buffer without any holds the guards' pattern."""
        return self.placed((_PATTERN * (self.size // len(_PATTERN) + 1))[: self.size], contents)

    def placed(self, memory: bytes, contents: Mapping[str, bytes]) -> bytes:
        """Return the lab memory with these contents in their buffers."""
        changed = bytearray(memory)
        for name, content in contents.items():
            offset = self._offsets[name]
            changed[offset : offset + len(content)] = content
        return bytes(changed)

    def content(self, memory: bytes, name: str) -> bytes:
        """Return the contents of a buffer."""
        offset = self._offsets[name]
        return memory[offset : offset + self._sizes[name]]

    def permits(self, address_limit: int) -> list[Permit]:
        """Return the buffers, and all memory up to an address but this lab's: what is left are the guards."""
        end = self.base + self.size
        around = [Permit(0, self.base, True), Permit(end, address_limit - end, True)]
        return around + [Permit(self.address(name), size, True) for name, size in self._sizes.items()]

    def beside(self, address: int) -> str | None:
        """Return a clause that says beside which buffer a guard's byte lies; None for another address."""
        offset = address - self.base
        if not 0 <= offset < self.size:
            return None
        for name in reversed(self._offsets):
            end = self._offsets[name] + self._sizes[name]
            if offset >= end:
                return (
                    f"{offset - end + 1} bytes past the end of the {name} buffer of {self._sizes[name]} bytes"
                )
        return "before the first buffer"

    def trespass(self, before: bytes, after: bytes, written: Set[str]) -> str | None:
        """Return a clause that names the first byte changed outside the buffers in `written`, or None."""
        expected = bytearray(before)
        for name in written & self._offsets.keys():
            offset = self._offsets[name]
            end = offset + self._sizes[name]
            expected[offset:end] = after[offset:end]
        if bytes(expected) == after:
            return None
        first = next(i for i, (one, other) in enumerate(zip(expected, after, strict=True)) if one != other)
        for name, offset in self._offsets.items():
            size = self._sizes[name]
            if first < offset:
                return f"{offset - first} bytes before the {name} buffer were written"
            if first < offset + size:
                return f"byte {first - offset} of the {name} was changed"
            if first < offset + size + GUARD_BYTES // 2:
                return f"{first - offset - size + 1} bytes past the end of the {name} buffer were written"
        return "bytes past the last buffer were written"


# No two neighbours are alike, and no run of a byte a program is likely to write.
_PATTERN = bytes((37 * i + 91) & 0xFF for i in range(256))

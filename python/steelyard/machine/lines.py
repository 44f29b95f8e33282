"""Which function and which source line an instruction of an image comes from."""

from __future__ import annotations

from typing import NamedTuple

from steelyard import _native
from steelyard.errors import UsageError


class Frame(NamedTuple):
    """One function of an address; what is not known is None.

    `file` is named as the compiler was given it, without the folder in which it was compiled. Lines and
    columns begin with 1.
    """

    function: str | None
    file: str | None
    line: int | None
    column: int | None


class Lines:
    """Functions and source lines of an image by its DWARF; an image without it has none."""

    def __init__(self, image: bytes) -> None:
        """Read an ELF image; UsageError if it cannot be read."""
        try:
            self._native = _native.Lines(image)
        except _native.ElfError as error:
            raise UsageError(f"the image has no usable lines: {error}.") from error
        self._found: dict[int, tuple[Frame, ...]] = {}

    def at(self, address: int) -> tuple[Frame, ...]:
        """Return the functions of an address as the emulator numbers code, the innermost inlined one first.

        Nothing is returned where nothing is known. UsageError if the debug information is damaged.
        """
        found = self._found.get(address)
        if found is None:
            try:
                found = tuple(Frame(*frame) for frame in self._native.frames(address))
            except _native.ElfError as error:
                raise UsageError(f"the image has no usable lines: {error}.") from error
            self._found[address] = found
        return found

"""Routines that take a pointer, called by themselves: their cost, and whether they keep what they must."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from steelyard.machine import Call, Emulator, Permit
from steelyard.measure.plan import Cell
from steelyard.toolchain.family import PointerInterface, families

HASH_BLOCK = "hash_block_ax"
"""The routine of every hash."""


@dataclass(frozen=True)
class PointerRoutine:
    """One routine of an image and the record that it is given, as it was left in the context."""

    emulator: Emulator
    interface: PointerInterface
    symbol: str | int
    record: Permit
    max_cycles: int

    def call(self, noise: Callable[[int], bytes], stack: Sequence[Permit]) -> tuple[Call, str | None]:
        """Call it with noise in what it must keep; return the cost and, in words, what was not kept.

        It may write its record and its stack only: anything else is a fault of the call.
        """
        emulator, argument = self.emulator, self.interface.argument
        mask = (1 << 8 * argument.size) - 1
        emulator.write("data", argument.base, (self.record.address & mask).to_bytes(argument.size, "little"))
        before = [noise(one.size) for one in self.interface.kept]
        for one, content in zip(self.interface.kept, before, strict=True):
            emulator.write("data", one.base, content)
        emulator.fence([self.record, *stack])
        called = emulator.call(self.symbol, [], max_cycles=self.max_cycles, observe="stack")
        emulator.fence(None)
        lost = [
            one.name
            for one, content in zip(self.interface.kept, before, strict=True)
            if emulator.read("data", one.base, one.size) != content
        ]
        return called, f"{self.symbol} does not keep {' and '.join(lost)}" if lost else None


def pointer_routine(emulator: Emulator, cell: Cell, record: Permit, max_cycles: int) -> PointerRoutine | None:
    """Return the routine behind the measured operation, or None where none takes a pointer."""
    build = cell.build
    if build.variant.file.interface is None or build.mode is not None or cell.operation.startswith("init"):
        return None
    interface = families()[build.target.file.family].pointer_interface
    assert interface is not None
    symbol = HASH_BLOCK if build.algorithm.file.kind == "hash" else f"block_{cell.operation}_ax"
    return PointerRoutine(emulator, interface, symbol, record, max_cycles)

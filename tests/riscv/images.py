"""Compiled images on Unicorn and on the emulator: after every call memory and results are the same.

`python tests/riscv/images.py` compares every variant, compiler and mode on chips with and without atomics.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import unicorn
from elftools.elf.elffile import ELFFile
from unicorn import riscv_const

sys.path.insert(0, str(Path(__file__).parents[1]))

from arm.images import MAX_CYCLES, compare_all

from steelyard.catalog.models import Target
from steelyard.machine.emulator import Emulator

CHIPS = ("gd32vf103", "esp32-c3")
_RETURN = 0xFFFF_FFF0
"""Where the emulator lets calls return to; it may be left in the stack."""
_PAGE_BYTES = 0x1000
_ARGUMENT_REGISTERS = 8


class Chip:
    """A target's memories on both simulators, with an image started up."""

    def __init__(self, target: Target, elf: bytes) -> None:
        self._ours = Emulator(target)
        self._ours.load(elf, "harness_ready")
        self._memory = [memory for memory in target.file.memory if memory.kind == "ram"]
        self._uc = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32)
        for memory in target.file.memory:
            self._uc.mem_map(memory.base, memory.size)
        self._uc.mem_map(_RETURN & -_PAGE_BYTES, _PAGE_BYTES)
        for segment in ELFFile(io.BytesIO(elf)).iter_segments("PT_LOAD"):
            self._uc.mem_write(segment["p_paddr"], segment.data())
        self._uc.emu_start(self._ours.address("_start"), self._ours.address("harness_ready"))
        self._stack = self._uc.reg_read(riscv_const.UC_RISCV_REG_SP)
        assert self._stack == self._ours.stack_pointer
        self.compare("start-up")

    def write(self, address: int, data: bytes) -> None:
        """The same bytes for both."""
        self._ours.write("data", address, data)
        self._uc.mem_write(address, data)

    def call(self, function: str, arguments: list[list[int]]) -> int:
        """Runs a function on both, its arguments words; returns our instructions."""
        result = self._ours.call(
            function, [(value, size) for value, size in arguments], max_cycles=MAX_CYCLES
        )
        assert result.fault is None, result.fault
        words = [value for value, _ in arguments]
        for number, word in enumerate(words[:_ARGUMENT_REGISTERS]):
            self._uc.reg_write(riscv_const.UC_RISCV_REG_A0 + number, word)
        behind = b"".join(word.to_bytes(4, "little") for word in words[_ARGUMENT_REGISTERS:])
        stack = (self._stack - len(behind)) & ~15
        self._uc.mem_write(stack, behind)
        self._uc.reg_write(riscv_const.UC_RISCV_REG_SP, stack)
        self._uc.reg_write(riscv_const.UC_RISCV_REG_RA, _RETURN)
        self._uc.emu_start(self._ours.address(function), _RETURN)
        self.compare(function)
        return result.instructions

    def compare(self, when: str) -> None:
        """AssertionError names the first byte of RAM that differs."""
        for memory in self._memory:
            ours = self._ours.read("data", memory.base, memory.size)
            theirs = bytes(self._uc.mem_read(memory.base, memory.size))
            if ours != theirs:
                at = next(i for i, (our, their) in enumerate(zip(ours, theirs, strict=True)) if our != their)
                raise AssertionError(
                    f"{when}: {memory.base + at:#x} holds {ours[at]:#04x}, on Unicorn {theirs[at]:#04x}"
                )


def compare(calls: dict[str, Any], target: Target, elf: bytes) -> int:
    """Runs a job on both simulators; returns its instructions."""
    chip = Chip(target, elf)
    for part in calls["memory"]:
        chip.write(part["address"], bytes.fromhex(part["hex"]))
    return sum(chip.call(call["function"], call["arguments"]) for call in calls["calls"])


if __name__ == "__main__":
    sys.exit(compare_all("riscv", CHIPS, compare))

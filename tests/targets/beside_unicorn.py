"""Compiled images on Unicorn and on the emulator: after every call memory and results are the same."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import unicorn
from arm.pair import MODELS
from cortex_m.pair import MODELS as THUMB_MODELS
from elftools.elf.elffile import ELFFile
from targets.image_jobs import MESSAGE_BYTES, Image, images, job
from unicorn import arm_const, riscv_const, sparc_const

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Target
from steelyard.machine.emulator import Emulator
from steelyard.toolchain.compilers import Toolchain, discover

MAX_CYCLES = 2_000_000_000
_PAGE_BYTES = 0x1000
_MODELS = MODELS | THUMB_MODELS


@dataclass(frozen=True)
class Convention:
    """How a function of a family is called on Unicorn."""

    architecture: int
    mode: int
    stack_pointer: int
    link: int
    first_argument: int
    argument_registers: int
    stack_alignment: int
    returns_to: int = 0xFFFF_FFF0
    """Where the emulator lets calls return to; it may be left in the stack."""
    link_offset: int = 0
    """Of the link register from there."""
    frame_bytes: int = 0
    """Between the stack pointer and the arguments there."""
    big_endian: bool = False
    windows: bool = False
    """The emulator spills register windows into the stack, Unicorn does not."""


_ARM = Convention(
    unicorn.UC_ARCH_ARM,
    unicorn.UC_MODE_ARM,
    arm_const.UC_ARM_REG_SP,
    arm_const.UC_ARM_REG_LR,
    arm_const.UC_ARM_REG_R0,
    argument_registers=4,
    stack_alignment=8,
)
CONVENTIONS = {
    "arm": _ARM,
    "cortex-m": Convention(
        unicorn.UC_ARCH_ARM,
        unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS,
        arm_const.UC_ARM_REG_SP,
        arm_const.UC_ARM_REG_LR,
        arm_const.UC_ARM_REG_R0,
        argument_registers=4,
        stack_alignment=8,
        returns_to=0x1FFF_FFF1,
    ),
    "riscv": Convention(
        unicorn.UC_ARCH_RISCV,
        unicorn.UC_MODE_RISCV32,
        riscv_const.UC_RISCV_REG_SP,
        riscv_const.UC_RISCV_REG_RA,
        riscv_const.UC_RISCV_REG_A0,
        argument_registers=8,
        stack_alignment=16,
    ),
    "sparc": Convention(
        unicorn.UC_ARCH_SPARC,
        unicorn.UC_MODE_SPARC32 | unicorn.UC_MODE_BIG_ENDIAN,
        sparc_const.UC_SPARC_REG_SP,
        sparc_const.UC_SPARC_REG_O7,
        sparc_const.UC_SPARC_REG_O0,
        argument_registers=6,
        stack_alignment=8,
        link_offset=-8,
        frame_bytes=92,
        big_endian=True,
        windows=True,
    ),
}


class Chip:
    """A target's memories on both simulators, with an image started up."""

    def __init__(self, target: Target, elf: bytes) -> None:
        self._ours = Emulator(target)
        self._ours.load(elf, "harness_ready")
        self._convention = convention = CONVENTIONS[target.file.family]
        self._uc = unicorn.Uc(convention.architecture, convention.mode)
        if convention.architecture == unicorn.UC_ARCH_ARM:
            self._uc.ctl_set_cpu_model(_MODELS[str(target.core["architecture"])])
        for memory in target.file.memory:
            self._uc.mem_map(memory.base, memory.size)
        self._uc.mem_map(convention.returns_to & -_PAGE_BYTES, _PAGE_BYTES)
        for segment in ELFFile(io.BytesIO(elf)).iter_segments("PT_LOAD"):
            self._uc.mem_write(segment["p_paddr"], segment.data())
        self._compared = [(one.base, one.size) for one in target.file.memory if one.kind == "ram"]
        if convention.windows:
            end = self._ours.address("_end")
            self._compared = [
                (base, end - base if base <= end < base + size else size) for base, size in self._compared
            ]
        self._uc.emu_start(self._ours.address("_start"), self._ours.address("harness_ready") & ~1)
        self._stack = self._uc.reg_read(convention.stack_pointer)
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
        convention = self._convention
        words = [value for value, _ in arguments]
        for number, word in enumerate(words[: convention.argument_registers]):
            self._uc.reg_write(convention.first_argument + number, word)
        order = "big" if convention.big_endian else "little"
        behind = b"".join(word.to_bytes(4, order) for word in words[convention.argument_registers :])
        stack = (self._stack - convention.frame_bytes - len(behind)) & -convention.stack_alignment
        self._uc.mem_write(stack + convention.frame_bytes, behind)
        self._uc.reg_write(convention.stack_pointer, stack)
        self._uc.reg_write(convention.link, convention.returns_to + convention.link_offset)
        self._uc.emu_start(self._ours.address(function), convention.returns_to & ~1)
        self._uc.reg_write(convention.stack_pointer, self._stack)
        self.compare(function)
        return result.instructions

    def compare(self, when: str) -> None:
        """AssertionError names the first byte of RAM that differs."""
        for base, size in self._compared:
            ours = self._ours.read("data", base, size)
            theirs = bytes(self._uc.mem_read(base, size))
            if ours != theirs:
                at = next(i for i, (our, their) in enumerate(zip(ours, theirs, strict=True)) if our != their)
                raise AssertionError(
                    f"{when}: {base + at:#x} holds {ours[at]:#04x}, on Unicorn {theirs[at]:#04x}"
                )


def compare(calls: dict[str, Any], target: Target, elf: bytes) -> int:
    """Runs a job on both simulators; returns its instructions."""
    chip = Chip(target, elf)
    for part in calls["memory"]:
        chip.write(part["address"], bytes.fromhex(part["hex"]))
    return sum(chip.call(call["function"], call["arguments"]) for call in calls["calls"])


def jobs(
    catalog: Catalog, toolchains: list[Toolchain], chips: tuple[str, ...]
) -> Iterator[tuple[Image, bytes, dict[str, Any]]]:
    """Every image of these chips that fits, and its calls."""
    with tempfile.TemporaryDirectory() as folder:
        for image in chain.from_iterable(images(catalog, toolchains, chips)):
            elf = image.elf()
            if elf is not None:
                yield image, elf, job(image, elf, Path(folder) / "image.elf", MESSAGE_BYTES)


def compare_all(family: str, chips: tuple[str, ...]) -> int:
    """Compares every image of the chips of a family; 0 where nothing differs, 1 where something does."""
    toolchains = [one for one in discover() if one.available and one.family == family]
    compared = different = 0
    for image, elf, calls in jobs(load_catalog(), toolchains, chips):
        compared += 1
        try:
            instructions = compare(calls, image.target, elf)
            print(f"{image.name}: difference 0 ({instructions} instructions)", flush=True)
        except AssertionError as difference:
            different += 1
            print(f"{image.name}: difference: {difference}", flush=True)
    print(f"{compared} images, {different} different")
    return int(different > 0)

"""Compiled images on Unicorn and on the emulator: after every call memory and results are the same.

`python tests/arm/images.py` compares every variant, compiler and mode on a StrongARM and an XScale chip.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import unicorn
from elftools.elf.elffile import ELFFile
from unicorn import arm_const

sys.path.insert(0, str(Path(__file__).parents[1]))

from arm.pair import MODELS
from cortex_m.pair import MODELS as THUMB_MODELS
from targets.image_jobs import MESSAGE_BYTES, Image, images, job

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Target
from steelyard.machine.emulator import Emulator
from steelyard.toolchain.compilers import Toolchain, discover

CHIPS = ("sa1100", "pxa250-400")
MODES = {"arm": unicorn.UC_MODE_ARM, "cortex-m": unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS}
"""Of Unicorn, by family."""
MAX_CYCLES = 2_000_000_000
_RETURN = {"arm": 0xFFFF_FFF0, "cortex-m": 0x1FFF_FFF1}
"""Where the emulator lets calls return to; it may be left in the stack."""
_PAGE_BYTES = 0x1000


class Chip:
    """A target's memories on both simulators, with an image started up."""

    def __init__(self, target: Target, elf: bytes) -> None:
        self._ours = Emulator(target)
        self._ours.load(elf, "harness_ready")
        self._memory = [memory for memory in target.file.memory if memory.kind == "ram"]
        family = target.file.family
        self._return = _RETURN[family]
        self._uc = unicorn.Uc(unicorn.UC_ARCH_ARM, MODES[family])
        self._uc.ctl_set_cpu_model((MODELS | THUMB_MODELS)[str(target.core["architecture"])])
        for memory in target.file.memory:
            self._uc.mem_map(memory.base, memory.size)
        self._uc.mem_map(self._return & -_PAGE_BYTES, _PAGE_BYTES)
        for segment in ELFFile(io.BytesIO(elf)).iter_segments("PT_LOAD"):
            self._uc.mem_write(segment["p_paddr"], segment.data())
        self._uc.emu_start(self._ours.address("_start"), self._ours.address("harness_ready") & ~1)
        self._stack = self._uc.reg_read(arm_const.UC_ARM_REG_SP)
        assert self._stack == self._ours.stack_pointer
        self.compare("start-up")

    def write(self, address: int, data: bytes) -> None:
        """The same bytes for both."""
        self._ours.write("data", address, data)
        self._uc.mem_write(address, data)

    def call(self, function: str, arguments: list[list[int]]) -> int:
        """Runs a function on both, up to eight words of arguments; returns our instructions."""
        result = self._ours.call(
            function, [(value, size) for value, size in arguments], max_cycles=MAX_CYCLES
        )
        assert result.fault is None, result.fault
        words = [value for value, _ in arguments]
        for number, word in enumerate(words[:4]):
            self._uc.reg_write(arm_const.UC_ARM_REG_R0 + number, word)
        behind = b"".join(word.to_bytes(4, "little") for word in words[4:])
        stack = (self._stack - len(behind)) & ~7
        self._uc.mem_write(stack, behind)
        self._uc.reg_write(arm_const.UC_ARM_REG_SP, stack)
        self._uc.reg_write(arm_const.UC_ARM_REG_LR, self._return)
        self._uc.emu_start(self._ours.address(function), self._return & ~1)
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


def jobs(
    catalog: Catalog, toolchains: list[Toolchain], chips: tuple[str, ...]
) -> Iterator[tuple[Image, bytes, dict[str, Any]]]:
    """Every image of these chips that fits, and its calls."""
    with tempfile.TemporaryDirectory() as folder:
        for image in chain.from_iterable(images(catalog, toolchains, chips)):
            elf = image.elf()
            if elf is not None:
                yield image, elf, job(image, elf, Path(folder) / "image.elf", MESSAGE_BYTES)


def compare_all(
    family: str, chips: tuple[str, ...], beside: Callable[[dict[str, Any], Target, bytes], int] = compare
) -> int:
    """Compares every image of the chips of a family; 0 where nothing differs, 1 where something does."""
    toolchains = [one for one in discover() if one.available and one.family == family]
    compared = different = 0
    for image, elf, calls in jobs(load_catalog(), toolchains, chips):
        compared += 1
        try:
            print(f"{image.name}: difference 0 ({beside(calls, image.target, elf)} instructions)", flush=True)
        except AssertionError as difference:
            different += 1
            print(f"{image.name}: difference: {difference}", flush=True)
    print(f"{compared} images, {different} different")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(compare_all("arm", CHIPS))

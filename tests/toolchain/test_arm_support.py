"""The runtime routines of ARM and Cortex-M images, run with random operands.

Into ARM images no library of a compiler is linked.
"""

from __future__ import annotations

import io
import random
import re

import pytest
from elftools.elf.elffile import ELFFile
from toolchain.runtime import (
    ARITHMETIC,
    SHIFTS,
    built,
    loaded,
    shifted,
)
from toolchain.workshop import TOY_FILES, Workshop

from steelyard.toolchain.sizes import defined_symbols

BRANCH_EXCHANGE = re.compile(rb"[\x10-\x3f]\xff\x2f[\x01-\xe1]", re.DOTALL)
"""`bx` and `blx` of a register, which the StrongARM does not have, little endian."""

# The routines by name, whatever the backend does inline.
BY_NAME = """
#include <stdint.h>
int __clzsi2(uint32_t), __ctzsi2(uint32_t), __popcountsi2(uint32_t);
int __clzdi2(uint64_t), __ctzdi2(uint64_t), __popcountdi2(uint64_t);
uint32_t __bswapsi2(uint32_t);
uint64_t __bswapdi2(uint64_t), __aeabi_llsl(uint64_t, int), __aeabi_llsr(uint64_t, int);
uint64_t __aeabi_lmul(uint64_t, uint64_t);
int64_t __aeabi_lasr(int64_t, int);
void *const keep[] = {
    (void *)__clzsi2, (void *)__ctzsi2, (void *)__popcountsi2, (void *)__clzdi2, (void *)__ctzdi2,
    (void *)__popcountdi2, (void *)__bswapsi2, (void *)__bswapdi2, (void *)__aeabi_llsl, (void *)__aeabi_llsr,
    (void *)__aeabi_lasr, (void *)__aeabi_lmul,
};
void *volatile kept;
#include "block.h"
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    (void)ctx; (void)out;
    kept = keep[in[0] & 7];
}
"""


@pytest.mark.parametrize(
    ("chip", "toolchain"),
    # GCC has its own for the Cortex-M.
    [("sa1110", "gcc"), ("sa1110", "clang"), ("stm32f051", "clang"), ("stm32f407", "clang")],
)
def test_routines_by_name(workshop: Workshop, chip: str, toolchain: str) -> None:
    emulator = loaded(workshop, chip, toolchain, {**TOY_FILES, "decrypt.c": BY_NAME})

    def call(name: str, *arguments: tuple[int, int], size_bytes: int = 4) -> int:
        result = emulator.call(name, arguments, max_cycles=100_000)
        assert result.fault is None, result.fault
        return result.returned(size_bytes)

    corners = (0, 1, 2, 3, 2**31, 2**32 - 1, 2**32, 2**63, 2**64 - 1)
    source = random.Random(5)
    for value in (*corners, *(source.getrandbits(64) >> source.randrange(64) for _ in range(40))):
        low, whole = value & 0xFFFFFFFF, (value, 8)
        assert call("__clzsi2", (low, 4)) == 32 - low.bit_length()
        assert call("__clzdi2", whole) == 64 - value.bit_length()
        assert call("__ctzsi2", (low, 4)) == ((low & -low).bit_length() - 1 if low else 32)
        assert call("__ctzdi2", whole) == ((value & -value).bit_length() - 1 if value else 64)
        assert call("__popcountsi2", (low, 4)) == low.bit_count()
        assert call("__popcountdi2", whole) == value.bit_count()
        assert call("__bswapsi2", (low, 4)) == int.from_bytes(low.to_bytes(4, "little"), "big")
        swapped = int.from_bytes(value.to_bytes(8, "little"), "big")
        assert call("__bswapdi2", whole, size_bytes=8) == swapped
        other = source.getrandbits(64)
        assert call("__aeabi_lmul", whole, (other, 8), size_bytes=8) == value * other % 2**64
        for shift in SHIFTS:
            routines = ("__aeabi_llsl", "__aeabi_llsr", "__aeabi_lasr")
            for routine, result in zip(routines, shifted(value, shift), strict=True):
                assert call(routine, whole, (shift, 4), size_bytes=8) == result % 2**64


def branches_to_thumb(elf: bytes) -> int:
    """Words of the code that are `bx` or `blx` of a register."""
    found = 0
    for section in ELFFile(io.BytesIO(elf)).iter_sections():
        if section.name.endswith((".text", ".reset")):
            data = section.data()
            words = (data[i : i + 4] for i in range(0, len(data) - 3, 4))
            found += sum(BRANCH_EXCHANGE.fullmatch(word) is not None for word in words)
    return found


@pytest.mark.parametrize("flag", ["-O0", "-Os", "-O3"])
@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
def test_strongarm_images_hold_nothing_of_a_compilers_library(
    workshop: Workshop, toolchain: str, flag: str
) -> None:
    """That of the distribution is for ARMv4T: its returns are `bx lr`."""
    files = {**ARITHMETIC, "decrypt.c": BY_NAME}
    result = built(workshop, "sa1110", toolchain, files, flag)
    assert not any("-lgcc" in command for command in result.commands)
    assert branches_to_thumb(result.elf) == 0
    assert {"__aeabi_uldivmod", "__aeabi_uidivmod"} <= defined_symbols(result.elf)


def test_checker_sees_a_branch_to_thumb(workshop: Workshop) -> None:
    """Clang returns by `bx lr` on the XScale, which has it."""
    leaf = """
#include "block.h"
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) { (void)ctx; out[0] = in[0]; }
"""
    files = {**TOY_FILES, "decrypt.c": leaf}
    assert branches_to_thumb(built(workshop, "pxa250-400", "clang", files).elf) > 0
    assert branches_to_thumb(built(workshop, "sa1110", "clang", files).elf) == 0

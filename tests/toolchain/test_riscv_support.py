"""The runtime routines of RISC-V images, run with random operands; clang brings none."""

from __future__ import annotations

import random

import pytest
from toolchain.runtime import (
    ARITHMETIC,
    BITS,
    MEMORY,
    assert_bits_are_pythons,
    assert_memory_routines_are_those_of_c,
    loaded,
    wrong_answers,
)
from toolchain.workshop import TOY_FILES, Workshop

CHIPS = ("gd32vf103", "esp32-c3-ram")

# Of the same names in both runtimes.
BY_NAME = """
#include <stdint.h>
uint64_t __ashldi3(uint64_t, int), __lshrdi3(uint64_t, int);
int64_t __ashrdi3(int64_t, int);
void *const keep[] = {(void *)__ashldi3, (void *)__lshrdi3, (void *)__ashrdi3};
void *volatile kept;
#include "block.h"
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    (void)ctx; (void)out;
    kept = keep[in[0] & 1];
}
"""


@pytest.mark.parametrize("flag", ["-O0", "-Os", "-O2"])
@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
@pytest.mark.parametrize("chip", CHIPS)
def test_arithmetic_is_pythons(workshop: Workshop, chip: str, toolchain: str, flag: str) -> None:
    assert wrong_answers(loaded(workshop, chip, toolchain, ARITHMETIC, flag)) == 0


def test_checker_catches_a_wrong_routine(workshop: Workshop) -> None:
    """Planted fault: routines of the variant's own, which the linker prefers to the archive's."""
    wrong = "unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { return a + b; }\n"
    assert wrong_answers(loaded(workshop, "gd32vf103", "clang", {**ARITHMETIC, "wrong.c": wrong})) > 0


@pytest.mark.parametrize("flag", ["-O0", "-Os", "-O3"])
@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
@pytest.mark.parametrize("chip", CHIPS)
def test_bits_and_shifts_are_pythons(workshop: Workshop, chip: str, toolchain: str, flag: str) -> None:
    emulator = loaded(workshop, chip, toolchain, {**TOY_FILES, "encrypt.c": BITS}, flag)
    assert_bits_are_pythons(emulator, 2)


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
def test_shifts_by_name(workshop: Workshop, toolchain: str) -> None:
    emulator = loaded(workshop, "gd32vf103", toolchain, {**TOY_FILES, "decrypt.c": BY_NAME})
    source = random.Random(5)
    for value in (0, 1, 2**31, 2**32, 2**63, 2**64 - 1, *(source.getrandbits(64) for _ in range(40))):
        signed = value - (1 << 64) if value >> 63 else value
        for shift in (0, 1, 31, 32, 33, 63):
            wanted = {"__ashldi3": value << shift, "__lshrdi3": value >> shift, "__ashrdi3": signed >> shift}
            for name, result in wanted.items():
                called = emulator.call(name, [(value, 8), (shift, 4)], max_cycles=1000)
                assert called.fault is None, called.fault
                assert called.returned(8) == result % 2**64, (name, hex(value), shift)


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
@pytest.mark.parametrize("chip", CHIPS)
def test_memory_routines_are_those_of_c(workshop: Workshop, chip: str, toolchain: str) -> None:
    emulator = loaded(workshop, chip, toolchain, {**TOY_FILES, "encrypt.c": MEMORY})
    assert_memory_routines_are_those_of_c(emulator)

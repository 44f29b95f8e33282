"""The runtime routines of MSP430 images, run with random operands: clang's wheel brings no library for it."""

from __future__ import annotations

import struct

import pytest
from toolchain.runtime import (
    ARITHMETIC,
    BITS,
    MEMORY,
    assert_bits_are_pythons,
    assert_memory_routines_are_those_of_c,
    loaded,
    operands,
    run,
    wrong_answers,
)
from toolchain.workshop import TOY_FILES, Workshop

CHIPS = ("msp430f1611", "msp430f5529")

# 32-bit shifts by a variable, and products of two words, with and without sign.
SHIFTS = """
#include "block.h"
#include <string.h>
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint32_t a, r[5];
    uint16_t shift, low, high;
    (void)ctx;
    memcpy(&a, in, 4);
    memcpy(&shift, in + 4, 2);
    low = (uint16_t)a;
    high = (uint16_t)(a >> 16);
    r[0] = a << shift;
    r[1] = a >> shift;
    r[2] = (uint32_t)((int32_t)a >> shift);
    r[3] = (uint32_t)low * high;
    r[4] = (uint32_t)((int32_t)(int16_t)low * (int16_t)high);
    memcpy(out, r, sizeof r);
}
"""


@pytest.mark.parametrize("flag", ["-O0", "-Os", "-O2"])
@pytest.mark.parametrize("chip", CHIPS)
def test_arithmetic_is_pythons(workshop: Workshop, chip: str, flag: str) -> None:
    assert wrong_answers(loaded(workshop, chip, "clang", ARITHMETIC, flag)) == 0


def test_checker_catches_a_wrong_routine(workshop: Workshop) -> None:
    """Planted fault: a routine of the variant's own, which the linker prefers to the archive's."""
    wrong = "unsigned __mspabi_mpyi_hw(unsigned a, unsigned b) { return a + b; }\n"
    assert wrong_answers(loaded(workshop, "msp430f1611", "clang", {**ARITHMETIC, "wrong.c": wrong})) > 0


@pytest.mark.parametrize("flag", ["-O0", "-Os"])
@pytest.mark.parametrize("chip", CHIPS)
def test_shifts_and_products_are_pythons(workshop: Workshop, chip: str, flag: str) -> None:
    emulator = loaded(workshop, chip, "clang", {**TOY_FILES, "encrypt.c": SHIFTS}, flag)
    for value, _ in operands(2):
        word = value % 2**32
        halves = [half - 2**16 if half >> 15 else half for half in (word & 0xFFFF, word >> 16)]
        signed = word - 2**32 if word >> 31 else word
        for shift in (0, 1, 15, 16, 17, 31):
            results = (
                word << shift,
                word >> shift,
                signed >> shift,
                (word & 0xFFFF) * (word >> 16),
                halves[0] * halves[1],
            )
            answer = run(emulator, "block_encrypt", struct.pack("<IH", word, shift), 20)
            assert answer == b"".join((result % 2**32).to_bytes(4, "little") for result in results)


@pytest.mark.parametrize("flag", ["-O0", "-Os"])
def test_bits_and_long_shifts_are_pythons(workshop: Workshop, flag: str) -> None:
    # An int has 16 bits here.
    source = (
        BITS.replace("__builtin_popcount(low)", "__builtin_popcountl(low)")
        .replace("__builtin_clz(low | 1)", "__builtin_clzl(low | 1)")
        .replace("__builtin_ctz(low | 1u << 31)", "__builtin_ctzl(low | 1ul << 31)")
    )
    emulator = loaded(workshop, "msp430f1611", "clang", {**TOY_FILES, "encrypt.c": source}, flag)
    assert_bits_are_pythons(emulator, 3)


def test_memory_routines_do_what_c_says(workshop: Workshop) -> None:
    emulator = loaded(workshop, "msp430f1611", "clang", {**TOY_FILES, "encrypt.c": MEMORY})
    assert_memory_routines_are_those_of_c(emulator)

"""The runtime routines of MSP430 images, run with random operands: clang's wheel brings no library for it."""

from __future__ import annotations

import struct

import pytest
from toolchain.runtime import loaded, operands, run, signed
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


@pytest.mark.parametrize("flag", ["-O0", "-Os"])
@pytest.mark.parametrize("chip", CHIPS)
def test_shifts_and_products_are_pythons(workshop: Workshop, chip: str, flag: str) -> None:
    emulator = loaded(workshop, chip, "clang", {**TOY_FILES, "encrypt.c": SHIFTS}, flag)
    for value, _ in operands(2):
        word = value % 2**32
        halves = [signed(half, 16) for half in (word & 0xFFFF, word >> 16)]
        for shift in (0, 1, 15, 16, 17, 31):
            results = (
                word << shift,
                word >> shift,
                signed(word, 32) >> shift,
                (word & 0xFFFF) * (word >> 16),
                halves[0] * halves[1],
            )
            answer = run(emulator, "block_encrypt", struct.pack("<IH", word, shift), 20)
            assert answer == b"".join((result % 2**32).to_bytes(4, "little") for result in results)

"""The runtime routines of SPARC images by their names: no compiler has a library in them."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator

import pytest
from toolchain.runtime import SHIFTS, divided, loaded, longs, operands, run, signed
from toolchain.workshop import TOY_FILES, Workshop

from steelyard.machine import Emulator

# The routines by name, whatever the backend does inline. Those with a dot give the low word first.
BY_NAME = """
#include "block.h"
#include <string.h>
uint64_t __ashldi3(uint64_t, int), __lshrdi3(uint64_t, int), __muldi3(uint64_t, uint64_t);
uint64_t __udivdi3(uint64_t, uint64_t), __umoddi3(uint64_t, uint64_t);
int64_t __ashrdi3(int64_t, int), __divdi3(int64_t, int64_t), __moddi3(int64_t, int64_t);
uint64_t signed_product(int32_t, int32_t) __asm__(".mul");
uint64_t product(uint32_t, uint32_t) __asm__(".umul");
int32_t signed_quotient(int32_t, int32_t) __asm__(".div");
int32_t signed_remainder(int32_t, int32_t) __asm__(".rem");
uint32_t quotient(uint32_t, uint32_t) __asm__(".udiv");
uint32_t remainder_of(uint32_t, uint32_t) __asm__(".urem");
static uint64_t turned(uint64_t words) { return words << 32 | words >> 32; }
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint64_t a, b, r[14];
    uint32_t low, other, shift;
    (void)ctx;
    memcpy(&a, in, 8);
    memcpy(&b, in + 8, 8);
    memcpy(&shift, in + 16, 4);
    low = (uint32_t)a;
    other = (uint32_t)b;
    r[0] = __ashldi3(a, (int)shift);
    r[1] = __lshrdi3(a, (int)shift);
    r[2] = (uint64_t)__ashrdi3((int64_t)a, (int)shift);
    r[3] = __muldi3(a, b);
    r[4] = __udivdi3(a, b);
    r[5] = __umoddi3(a, b);
    r[6] = (uint64_t)__divdi3((int64_t)a, (int64_t)b);
    r[7] = (uint64_t)__moddi3((int64_t)a, (int64_t)b);
    r[8] = turned(signed_product((int32_t)low, (int32_t)other));
    r[9] = turned(product(low, other));
    r[10] = (uint64_t)signed_quotient((int32_t)low, (int32_t)other);
    r[11] = (uint64_t)signed_remainder((int32_t)low, (int32_t)other);
    r[12] = quotient(low, other);
    r[13] = remainder_of(low, other);
    memcpy(out, r, sizeof r);
}
"""


def by_name(left: int, right: int, shift: int) -> bytes:
    """What BY_NAME leaves, by Python's integers."""
    low, other = left % 2**32, right % 2**32
    results = (
        left << shift,
        left >> shift,
        signed(left, 64) >> shift,
        left * right,
        *divided(left, right),
        *divided(signed(left, 64), signed(right, 64)),
        signed(low, 32) * signed(other, 32),
        low * other,
        *divided(signed(low, 32), signed(other, 32)),
        *divided(low, other),
    )
    return longs(results, "big")


def wrong_by_name(emulator: Emulator) -> int:
    source = random.Random(6)
    wrong = 0
    for left, right in _longs():
        shift = source.choice(SHIFTS)
        given = struct.pack(">QQI", left, right, shift)
        wrong += run(emulator, "block_encrypt", given, 14 * 8) != by_name(left, right, shift)
    return wrong


def _longs() -> Iterator[tuple[int, int]]:
    """Those of `operands`, and long divisors of a length near the dividend's."""
    yield from operands(3)
    source = random.Random(7)
    for _ in range(40):
        left = source.getrandbits(64)
        yield left, left >> source.randrange(4) | 1


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
@pytest.mark.parametrize("chip", ["erc32", "leon3", "ultrasparc2"])
def test_routines_by_name_are_pythons(workshop: Workshop, chip: str, toolchain: str) -> None:
    assert wrong_by_name(loaded(workshop, chip, toolchain, {**TOY_FILES, "encrypt.c": BY_NAME})) == 0


@pytest.mark.parametrize("routine", ["__ashldi3", "__lshrdi3", "__muldi3", "__udivdi3", "__moddi3"])
def test_checker_catches_a_wrong_routine(workshop: Workshop, routine: str) -> None:
    """Planted fault: routines of the variant's own, which the linker prefers to the archive's."""
    wrong = f"unsigned long long {routine}(unsigned long long a, unsigned long long b) {{ return a - b; }}\n"
    files = {**TOY_FILES, "encrypt.c": BY_NAME, "wrong.c": wrong}
    assert wrong_by_name(loaded(workshop, "erc32", "gcc", files)) > 0

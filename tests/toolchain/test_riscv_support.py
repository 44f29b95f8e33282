"""The shifts of RISC-V images by their names, which both runtimes have alike."""

from __future__ import annotations

import random

import pytest
from toolchain.runtime import SHIFTS, loaded, shifted
from toolchain.workshop import TOY_FILES, Workshop

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


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
def test_shifts_by_name(workshop: Workshop, toolchain: str) -> None:
    emulator = loaded(workshop, "gd32vf103", toolchain, {**TOY_FILES, "decrypt.c": BY_NAME})
    source = random.Random(5)
    for value in (0, 1, 2**31, 2**32, 2**63, 2**64 - 1, *(source.getrandbits(64) for _ in range(40))):
        for shift in SHIFTS:
            routines = ("__ashldi3", "__lshrdi3", "__ashrdi3")
            for name, result in zip(routines, shifted(value, shift), strict=True):
                called = emulator.call(name, [(value, 8), (shift, 4)], max_cycles=1000)
                assert called.fault is None, called.fault
                assert called.returned(8) == result % 2**64, (name, hex(value), shift)

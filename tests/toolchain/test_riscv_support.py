"""The runtime routines of RISC-V images, run with random operands; clang brings none."""

from __future__ import annotations

import random
import struct

import pytest
from toolchain.test_arm_support import BITS, MEMORY, POINTER, bits
from toolchain.test_support import ARITHMETIC, expected, operands, run
from toolchain.workshop import TOY_FILES, Workshop, target, toolchain_or_skip

from steelyard.machine import Emulator

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


def loaded(
    workshop: Workshop, chip: str, toolchain: str, files: dict[str, str], flag: str = "-Os"
) -> Emulator:
    result = workshop.build(
        files, target=target(chip), toolchain=toolchain_or_skip(toolchain, "riscv"), flags=(flag,)
    )
    emulator = Emulator(target(chip))
    emulator.load(result.elf, "harness_ready")
    return emulator


def wrong_answers(emulator: Emulator) -> int:
    wrong = 0
    for left, right in operands(1):
        given = left.to_bytes(8, "little") + right.to_bytes(8, "little")
        wrong += run(emulator, "block_encrypt", given, len(expected(left, right))) != expected(left, right)
    return wrong


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
    for value, _ in operands(2):
        for shift in (0, 1, 31, 32, 33, 63):
            answer = run(emulator, "block_encrypt", struct.pack("<QI", value, shift), 48)
            assert answer == bits(value, shift), (hex(value), shift)


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
    source = random.Random(4)
    for _ in range(60):
        length, to, at, fill = (source.randrange(limit) for limit in (64, 48, 48, 256))
        left = source.randbytes(64)
        right = left if source.random() < 0.3 else left[:9] + source.randbytes(55)
        given = bytes([length, to, at, fill]) + left + right
        pattern = source.randbytes(404)
        emulator.reset()
        emulator.buffer("in", given)
        emulator.buffer("out", pattern)
        called = emulator.call("block_encrypt", [(0, POINTER), "out", "in"], max_cycles=100_000)
        assert called.fault is None
        answer = bytearray(pattern)
        answer[to % 4 : to % 4 + length] = given[at % 4 : at % 4 + length]
        answer[128 + to : 128 + to + length] = answer[128 + at : 128 + at + length]
        answer[256 + to % 4 : 256 + to % 4 + length] = bytes([fill]) * length
        answer[400] = (left[:length] > right[:length]) + 2 * (left[:length] < right[:length])
        assert emulator.content("out") == answer

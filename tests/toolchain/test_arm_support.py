"""The runtime routines of ARM and Cortex-M images, run with random operands.

Into ARM images no library of a compiler is linked.
"""

from __future__ import annotations

import io
import random
import re
import struct

import pytest
from elftools.elf.elffile import ELFFile
from toolchain.test_support import ARITHMETIC, expected, operands, run
from toolchain.workshop import TOY_FILES, Workshop, target, toolchain_or_skip, toy_encrypt

from steelyard.machine import Emulator
from steelyard.toolchain import BuildResult
from steelyard.toolchain.sizes import chip_memory, defined_symbols

CHIPS = ("sa1110", "pxa250-400", "stm32f051", "stm32f407")
POINTER = 4
BRANCH_EXCHANGE = re.compile(rb"[\x10-\x3f]\xff\x2f[\x01-\xe1]", re.DOTALL)
"""`bx` and `blx` of a register, which the StrongARM does not have, little endian."""

# What a backend may call for: bits, byte orders and shifts of 64 bits by a variable.
BITS = """
#include "block.h"
#include <string.h>
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint64_t a, r[6];
    uint32_t low, shift;
    (void)ctx;
    memcpy(&a, in, 8);
    memcpy(&shift, in + 8, 4);
    low = (uint32_t)a;
    r[0] = a << shift;
    r[1] = a >> shift;
    r[2] = (uint64_t)((int64_t)a >> shift);
    r[3] = __builtin_bswap64(a) ^ __builtin_bswap32(low);
    r[4] = (uint64_t)__builtin_popcountll(a) << 32 | (uint32_t)__builtin_popcount(low);
    r[5] = (uint64_t)__builtin_clzll(a | 1) << 48 | (uint64_t)__builtin_clz(low | 1) << 32
         | (uint32_t)__builtin_ctzll(a | 1ull << 63) << 16 | (uint32_t)__builtin_ctz(low | 1u << 31);
    memcpy(out, r, sizeof r);
}
"""
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
MEMORY = """
#include "block.h"
#include <string.h>
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    volatile size_t length = in[0];
    (void)ctx;
    memcpy(out + in[1] % 4, in + in[2] % 4, length);
    memmove(out + 128 + in[1], out + 128 + in[2], length);
    memset(out + 256 + in[1] % 4, in[3], length);
    int order = memcmp(in + 4, in + 68, length);
    out[400] = (uint8_t)(order > 0 ? 1 : order < 0 ? 2 : 0);
}
"""


def built(
    workshop: Workshop, chip: str, toolchain: str, files: dict[str, str], flag: str = "-Os"
) -> BuildResult:
    family = target(chip).file.family
    return workshop.build(
        files, target=target(chip), toolchain=toolchain_or_skip(toolchain, family), flags=(flag,)
    )


def loaded(
    workshop: Workshop, chip: str, toolchain: str, files: dict[str, str], flag: str = "-Os"
) -> Emulator:
    emulator = Emulator(target(chip))
    emulator.load(built(workshop, chip, toolchain, files, flag).elf, "harness_ready")
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
    wrong = "".join(
        f"unsigned long long {name}(unsigned a, unsigned b) {{ return a + b; }}\n"
        for name in ("__aeabi_uidiv", "__aeabi_uidivmod")
    )
    assert wrong_answers(loaded(workshop, "sa1110", "gcc", {**ARITHMETIC, "wrong.c": wrong})) > 0


@pytest.mark.parametrize("flag", ["-O0", "-Os", "-O3"])
@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
@pytest.mark.parametrize("chip", CHIPS)
def test_bits_and_shifts_are_pythons(workshop: Workshop, chip: str, toolchain: str, flag: str) -> None:
    emulator = loaded(workshop, chip, toolchain, {**TOY_FILES, "encrypt.c": BITS}, flag)
    for value, _ in operands(2):
        for shift in (0, 1, 31, 32, 33, 63):
            answer = run(emulator, "block_encrypt", struct.pack("<QI", value, shift), 48)
            assert answer == bits(value, shift), (hex(value), shift)


def bits(value: int, shift: int) -> bytes:
    """What BITS leaves in out."""
    low = value & 0xFFFFFFFF
    signed = value - (1 << 64) if value >> 63 else value

    def swapped(number: int, size: int) -> int:
        return int.from_bytes(number.to_bytes(size, "little"), "big")

    def trailing(number: int) -> int:
        return (number & -number).bit_length() - 1

    results = (
        value << shift,
        value >> shift,
        signed >> shift,
        swapped(value, 8) ^ swapped(low, 4),
        value.bit_count() << 32 | low.bit_count(),
        (64 - (value | 1).bit_length()) << 48
        | (32 - (low | 1).bit_length()) << 32
        | trailing(value | 1 << 63) << 16
        | trailing(low | 1 << 31),
    )
    return b"".join((result % 2**64).to_bytes(8, "little") for result in results)


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
        for shift in (0, 1, 31, 32, 33, 63):
            by = (shift, 4)
            signed = value - (1 << 64) if value >> 63 else value
            assert call("__aeabi_llsl", whole, by, size_bytes=8) == (value << shift) % 2**64
            assert call("__aeabi_llsr", whole, by, size_bytes=8) == value >> shift
            assert call("__aeabi_lasr", whole, by, size_bytes=8) == (signed >> shift) % 2**64


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


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
@pytest.mark.parametrize("chip", CHIPS)
def test_start_up_equals_a_loader(workshop: Workshop, chip: str, toolchain: str) -> None:
    result = built(workshop, chip, toolchain, TOY_FILES)
    emulator = Emulator(target(chip))
    emulator.load(result.elf)
    ram = chip_memory(target(chip), "ram")
    emulator.write("data", ram.base, b"\xa5" * 0x400)
    emulator._machine.run_until("harness_ready", 10_000_000)
    for section in ELFFile(io.BytesIO(result.elf)).iter_sections():
        part = section.name.rpartition(".")[2]
        if part in ("data", "bss") and section["sh_size"]:
            meant = section.data() if part == "data" else bytes(section["sh_size"])
            assert emulator.read("data", section["sh_addr"], section["sh_size"]) == meant, section.name
    assert emulator.address("__stack") == ram.base + ram.size == emulator.stack_pointer
    assert ram.base < emulator.address("_end") < ram.base + ram.size


@pytest.mark.parametrize("toolchain", ["gcc", "clang"])
@pytest.mark.parametrize("chip", CHIPS)
def test_image_computes_what_its_source_says(workshop: Workshop, chip: str, toolchain: str) -> None:
    emulator = loaded(workshop, chip, toolchain, TOY_FILES)
    key, block = bytes(range(8)), bytes(range(100, 108))
    context = (emulator.address("harness_context"), POINTER)
    emulator.buffer("key", key)
    emulator.buffer("in", block)
    emulator.buffer("out", bytes(8))
    assert emulator.call("block_init", [context, "key"], max_cycles=100_000).fault is None
    assert emulator.call("block_encrypt", [context, "out", "in"], max_cycles=100_000).fault is None
    assert emulator.content("out") == toy_encrypt(key, block)

"""C that calls a compiler's runtime, and what Python says it computes, for the tests of every family."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from elftools.elf.elffile import ELFFile
from toolchain.workshop import TOY_FILES, Workshop, target, toolchain_or_skip, toy_encrypt

from steelyard.machine import Emulator
from steelyard.toolchain import BuildResult
from steelyard.toolchain.sizes import chip_memory

ByteOrder = Literal["little", "big"]

WIDTHS = (1, 2, 4, 8)
SHIFTS = (0, 1, 31, 32, 33, 63)
PAIRS = 60
POINTER_BYTES = 2
"""Of the null context; wider pointers take it as well."""

# Every operator on every width, as the compiler translates it; both operands stand little endian in `in`.
OPERATORS = """
#include "block.h"
#include <string.h>
#define PAIR(type) \\
    static __attribute__((noinline)) type mod_##type(type a, type b) { return (type)(a % b); } \\
    static uint8_t *do_##type(uint8_t *out, const uint8_t *in) { \\
        type a, b, r[3]; \\
        memcpy(&a, in, sizeof a); \\
        memcpy(&b, in + 8, sizeof b); \\
        r[0] = (type)(a * b); \\
        r[1] = (type)(a / b); \\
        r[2] = mod_##type(a, b); \\
        memcpy(out, r, sizeof r); \\
        return out + sizeof r; \\
    }
PAIR(uint8_t) PAIR(int8_t) PAIR(uint16_t) PAIR(int16_t)
PAIR(uint32_t) PAIR(int32_t) PAIR(uint64_t) PAIR(int64_t)
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    (void)ctx;
    out = do_uint8_t(out, in); out = do_int8_t(out, in);
    out = do_uint16_t(out, in); out = do_int16_t(out, in);
    out = do_uint32_t(out, in); out = do_int32_t(out, in);
    out = do_uint64_t(out, in); out = do_int64_t(out, in);
}
"""
ARITHMETIC = {**TOY_FILES, "encrypt.c": OPERATORS}
# Operands stand whole in `in` where the most significant byte comes first, each type takes their low part.
BIG_ENDIAN_ARITHMETIC = {
    **TOY_FILES,
    "encrypt.c": OPERATORS.replace(
        "memcpy(&a, in, sizeof a);",
        "uint64_t left, right; memcpy(&left, in, 8); memcpy(&right, in + 8, 8); a = (type)left;",
    ).replace("memcpy(&b, in + 8, sizeof b);", "b = (type)right;"),
}
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
# Lengths up to 511, from and to every alignment.
MEMORY = """
#include "block.h"
#include <string.h>
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    volatile size_t length = (size_t)in[0] * 2 + (in[3] & 1);
    (void)ctx;
    memcpy(out + in[1] % 4, in + in[2] % 4, length);
    memmove(out + 700 + in[1], out + 700 + in[2], length);
    memset(out + 1500 + in[1] % 4, in[3], length);
    int order = memcmp(in + 4, in + 604, length);
    out[2200] = (uint8_t)(order > 0 ? 1 : order < 0 ? 2 : 0);
    out[2201] = memcpy(out + 2202, in, 0) == out + 2202;
}
"""
MEMORY_ROUNDS = 60
FILLED_BYTES = 0x400
"""Of RAM that are no zeros before the start-up code runs."""


def built(
    workshop: Workshop, chip: str, toolchain: str, files: Mapping[str, str] = TOY_FILES, flag: str = "-Os"
) -> BuildResult:
    """The toy primitive with these files, or a skip where the compiler is missing."""
    family = target(chip).file.family
    compiler = toolchain_or_skip(toolchain, family)
    return workshop.build(files, target=target(chip), toolchain=compiler, flags=(flag,))


def loaded(
    workshop: Workshop, chip: str, toolchain: str, files: Mapping[str, str] = TOY_FILES, flag: str = "-Os"
) -> Emulator:
    """The same on its chip, start-up code done."""
    emulator = Emulator(target(chip))
    emulator.load(built(workshop, chip, toolchain, files, flag).elf, "harness_ready")
    return emulator


def operands(seed: int) -> Iterator[tuple[int, int]]:
    """Pairs of 64 bits whose low parts are no zero divisor at any width; the corners first."""
    yield from ((1, 1), (2**64 - 1, 1), (2**64 - 1, 2**64 - 1), (0, 2**63 + 1), (2**63, 2**63 - 1))
    yield 0x8000_0000_8000_8080, 0x8000_0000_8000_8081
    source = random.Random(seed)
    for _ in range(PAIRS):
        shifts = source.randrange(64), source.randrange(64)
        left, right = (source.getrandbits(64) >> shift for shift in shifts)
        yield left, right | 1


def order_of(chip: str) -> ByteOrder:
    return "big" if target(chip).file.family == "sparc" else "little"


def signed(value: int, bits: int) -> int:
    """The number of that many bits in two's complement."""
    return value - (1 << bits) if value >> bits - 1 else value


def divided(left: int, right: int) -> tuple[int, int]:
    """Quotient towards zero, and the remainder with the dividend's sign."""
    quotient = abs(left) // abs(right) * (-1 if (left < 0) != (right < 0) else 1)
    return quotient, left - quotient * right


def longs(values: Iterable[int], order: ByteOrder = "little") -> bytes:
    """Numbers as words of 64 bits."""
    return b"".join((value % 2**64).to_bytes(8, order) for value in values)


def expected(left: int, right: int, order: ByteOrder = "little") -> bytes:
    """What OPERATORS leaves in out, by Python's integers."""
    answer = b""
    for width in WIDTHS:
        modulus = 256**width
        unsigned = left % modulus, right % modulus
        for a, b in (unsigned, [signed(one, 8 * width) for one in unsigned]):
            for value in (a * b, *divided(a, b)):
                answer += (value % modulus).to_bytes(width, order)
    return answer


def run(emulator: Emulator, function: str, given: bytes, out_bytes: int) -> bytes:
    emulator.reset()
    emulator.buffer("in", given)
    emulator.buffer("out", bytes(out_bytes))
    result = emulator.call(function, [(0, 2), "out", "in"], max_cycles=1_000_000)
    assert result.fault is None, result.fault
    return emulator.content("out")


def wrong_answers(emulator: Emulator, width: str | None = None, order: ByteOrder = "little") -> int:
    """How many answers of OPERATORS, or of `only_one(width)`, are not Python's."""
    place = slice(None) if width is None else results_of(width)
    wrong = 0
    for left, right in operands(1):
        answer = expected(left, right, order)[place]
        wrong += run(emulator, "block_encrypt", longs((left, right), order), len(answer)) != answer
    return wrong


def only_one(width: str) -> dict[str, str]:
    """OPERATORS on one type, where all at once are too large for the chip."""
    head, _, _ = OPERATORS.partition("PAIR(uint8_t)")
    body = "void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in)"
    source = f"{head}PAIR({width})\n{body} {{ (void)ctx; do_{width}(out, in); }}\n"
    return {**ARITHMETIC, "encrypt.c": source}


def results_of(width: str) -> slice:
    """Where the results on one type lie among all that OPERATORS leaves."""
    size = int("".join(filter(str.isdigit, width))) // 8
    start = sum(6 * smaller for smaller in WIDTHS if smaller < size) + 3 * size * width.startswith("i")
    return slice(start, start + 3 * size)


def bits(value: int, shift: int, order: ByteOrder) -> bytes:
    """What BITS leaves in out."""
    low = value & 0xFFFFFFFF

    def swapped(number: int, size: int) -> int:
        return int.from_bytes(number.to_bytes(size, "little"), "big")

    def trailing(number: int) -> int:
        return (number & -number).bit_length() - 1

    results = (
        *shifted(value, shift),
        swapped(value, 8) ^ swapped(low, 4),
        value.bit_count() << 32 | low.bit_count(),
        (64 - (value | 1).bit_length()) << 48
        | (32 - (low | 1).bit_length()) << 32
        | trailing(value | 1 << 63) << 16
        | trailing(low | 1 << 31),
    )
    return longs(results, order)


def shifted(value: int, shift: int) -> tuple[int, int, int]:
    """64 bits to the left and to the right, without a sign and with it."""
    return value << shift, value >> shift, signed(value, 64) >> shift


def assert_bits_are_pythons(emulator: Emulator, order: ByteOrder = "little") -> None:
    """Runs BITS."""
    for value, _ in operands(2):
        for shift in SHIFTS:
            given = value.to_bytes(8, order) + shift.to_bytes(4, order)
            answer = run(emulator, "block_encrypt", given, 48)
            assert answer == bits(value, shift, order), (hex(value), shift)


def assert_memory_routines_are_those_of_c(emulator: Emulator) -> None:
    """Runs MEMORY."""
    source = random.Random(4)
    for index in range(MEMORY_ROUNDS):
        half, to, at, fill = (source.randrange(limit) for limit in (256, 200, 200, 256))
        # The shorter half of them stays short.
        half = (0, 0, 127, 128, 255)[index] if index < 5 else half % 16 if index % 2 else half
        length = 2 * half + (fill & 1)
        left = source.randbytes(600)
        right = left if source.random() < 0.3 else left[:9] + source.randbytes(591)
        given = bytes([half, to, at, fill]) + left + right
        pattern = source.randbytes(2210)
        emulator.reset()
        emulator.buffer("in", given)
        emulator.buffer("out", pattern)
        called = emulator.call("block_encrypt", [(0, POINTER_BYTES), "out", "in"], max_cycles=1_000_000)
        assert called.fault is None, called.fault
        answer = bytearray(pattern)
        answer[to % 4 : to % 4 + length] = given[at % 4 : at % 4 + length]
        answer[700 + to : 700 + to + length] = answer[700 + at : 700 + at + length]
        answer[1500 + to % 4 : 1500 + to % 4 + length] = bytes([fill]) * length
        answer[2200] = (left[:length] > right[:length]) + 2 * (left[:length] < right[:length])
        answer[2201] = 1
        assert emulator.content("out") == answer, (length, to, at)


def started(elf: bytes, chip: str) -> Emulator:
    """A chip whose RAM held no zeros where the toy lies before the start-up code ran."""
    emulator = Emulator(target(chip))
    emulator.load(elf)
    ram = chip_memory(target(chip), "ram")
    emulator.write("data", ram.base, b"\xa5" * min(ram.size, FILLED_BYTES))
    emulator._machine.run_until("harness_ready", 10_000_000)
    return emulator


def differing_sections(emulator: Emulator, elf: bytes) -> list[str]:
    """Sections in RAM that are not what a loader would have put there."""
    found = []
    for section in ELFFile(io.BytesIO(elf)).iter_sections():
        owner, _, part = section.name.lstrip(".").partition(".")
        if part in ("data", "bss") and section["sh_size"]:
            space, address, _ = emulator.place(section["sh_addr"])
            meant = section.data() if part == "data" else bytes(section["sh_size"])
            if emulator.read(space, address, section["sh_size"]) != meant:
                found.append(f"{owner}.{part}")
    return found


def assert_start_up_equals_a_loader(elf: bytes, chip: str) -> None:
    """Where the stack begins at the end of RAM: what the start-up code leaves is what the image says."""
    emulator = started(elf, chip)
    assert differing_sections(emulator, elf) == []
    ram = chip_memory(target(chip), "ram")
    top = emulator.empty_stack(ram.base + ram.size)
    assert emulator.address("__stack") == top == emulator.stack_pointer
    end = emulator.address("_end")
    assert ram.base < end < ram.base + ram.size
    if end + 4 <= ram.base + FILLED_BYTES:
        assert emulator.read("data", end, 4) == b"\xa5" * 4


def assert_image_computes_what_its_source_says(emulator: Emulator, chip: str) -> None:
    """Runs the toy."""
    key, block = bytes(range(8)), bytes(range(100, 108))
    pointer_bytes = 2 if target(chip).file.word_bits <= 16 else 4
    context = (emulator.address("harness_context") % 256**pointer_bytes, pointer_bytes)
    emulator.buffer("key", key)
    emulator.buffer("in", block)
    emulator.buffer("out", bytes(8))
    assert emulator.call("block_init", [context, "key"], max_cycles=100_000).fault is None
    assert emulator.call("block_encrypt", [context, "out", "in"], max_cycles=100_000).fault is None
    assert emulator.content("out") == toy_encrypt(key, block)

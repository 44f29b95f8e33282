"""The runtime routines that clang needs, run with random operands on cores with and without a multiplier."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from toolchain.workshop import TARGETS, TOY_FILES, Workshop, target, toolchain_or_skip

from steelyard.machine import Emulator
from steelyard.toolchain.family import families
from steelyard.toolchain.sizes import defined_symbols

ROUTINES = {
    "__mulqi3", "__mulhi3", "__mulsi3", "__muldi3",
    "__udivmodqi4", "__divmodqi4", "__udivmodhi4", "__divmodhi4", "__udivmodsi4", "__divmodsi4",
    "__udivdi3", "__umoddi3", "__divdi3", "__moddi3",
    "memcpy", "memmove", "memset", "memcmp",
}  # fmt: skip
WIDTHS = (1, 2, 4, 8)
OPERAND_BYTES = 8
PAIRS = 60

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
# The 8-bit routines, which the compiler seldom asks for, by their own names: quotient and remainder to out.
EIGHT_BIT = """
.macro eight_bit label routine
    .global \\label
\\label:
    mov r30, r20
    mov r31, r21
    ld r24, Z
    mov r26, r22
    mov r27, r23
    ldd r22, Z+1
    push r26
    push r27
    .ifdef far_calls
    call \\routine
    .else
    rcall \\routine
    .endif
    pop r27
    pop r26
    st X+, r24
    st X, r25
    ret
.endm
#ifdef __AVR_HAVE_JMP_CALL__
.set far_calls, 1
#endif
.section .text.block_decrypt, "ax"
eight_bit block_decrypt __divmodqi4
eight_bit unsigned_division __udivmodqi4
eight_bit product __mulqi3
"""


def operands(seed: int) -> Iterator[tuple[int, int]]:
    """Pairs of 64 bits whose low parts are no zero divisor at any width; the corners first."""
    yield from ((1, 1), (2**64 - 1, 1), (2**64 - 1, 2**64 - 1), (0, 2**63 + 1), (2**63, 2**63 - 1))
    yield 0x8000_0000_8000_8080, 0x8000_0000_8000_8081
    source = random.Random(seed)
    for _ in range(PAIRS):
        shifts = source.randrange(64), source.randrange(64)
        left, right = (source.getrandbits(64) >> shift for shift in shifts)
        yield left, right | 1


def expected(left: int, right: int) -> bytes:
    """What OPERATORS leaves in out, by Python's integers; division towards zero, remainder with its sign."""
    answer = b""
    for width in WIDTHS:
        modulus = 256**width
        for signed in (False, True):
            a, b = (
                int.from_bytes((x % modulus).to_bytes(width, "little"), "little", signed=signed)
                for x in (left, right)
            )
            quotient = abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)
            for value in (a * b, quotient, a - quotient * b):
                answer += (value % modulus).to_bytes(width, "little")
    return answer


def run(emulator: Emulator, function: str, given: bytes, out_bytes: int) -> bytes:
    emulator.reset()
    emulator.buffer("in", given)
    emulator.buffer("out", bytes(out_bytes))
    result = emulator.call(function, [(0, 2), "out", "in"], max_cycles=1_000_000)
    assert result.fault is None, result.fault
    return emulator.content("out")


def wrong_answers(emulator: Emulator) -> int:
    wrong = 0
    for left, right in operands(1):
        given = left.to_bytes(OPERAND_BYTES, "little") + right.to_bytes(OPERAND_BYTES, "little")
        answer = expected(left, right)
        wrong += run(emulator, "block_encrypt", given, len(answer)) != answer
    return wrong


def loaded(
    workshop: Workshop, target_id: str, toolchain_id: str, files: dict[str, str], flag: str = "-Os"
) -> Emulator:
    result = workshop.build(
        files, target=target(target_id), toolchain=toolchain_or_skip(toolchain_id), flags=(flag,)
    )
    emulator = Emulator(target(target_id))
    emulator.load(result.elf, "harness_ready")
    return emulator


ARITHMETIC = {**TOY_FILES, "encrypt.c": OPERATORS}


# The image with all routines is larger than the ATtiny45, whose core is the ATmega103's plus movw.
@pytest.mark.parametrize("flag", ["-Os", "-O2"])
@pytest.mark.parametrize("toolchain_id", ["clang", "gcc"])
@pytest.mark.parametrize("target_id", ["atmega103", "atmega128", "atmega4809"])
def test_arithmetic_is_pythons(workshop: Workshop, target_id: str, toolchain_id: str, flag: str) -> None:
    assert wrong_answers(loaded(workshop, target_id, toolchain_id, ARITHMETIC, flag)) == 0


@pytest.mark.parametrize("width", ["uint8_t", "uint16_t", "int16_t", "int32_t"])
def test_arithmetic_is_pythons_on_the_smallest_core(workshop: Workshop, width: str) -> None:
    head, _, _ = OPERATORS.partition("PAIR(uint8_t)")
    head += f"PAIR({width})\n#define ONLY do_{width}\n"
    one = (
        head
        + """
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) { (void)ctx; ONLY(out, in); }
"""
    )
    emulator = loaded(workshop, "attiny45", "clang", {**TOY_FILES, "encrypt.c": one})
    size = int("".join(filter(str.isdigit, width))) // 8
    start = sum(6 * smaller for smaller in WIDTHS if smaller < size) + (
        3 * size if width.startswith("i") else 0
    )
    for left, right in operands(2):
        given = left.to_bytes(OPERAND_BYTES, "little") + right.to_bytes(OPERAND_BYTES, "little")
        assert (
            run(emulator, "block_encrypt", given, 3 * size) == expected(left, right)[start : start + 3 * size]
        )


def test_checker_catches_a_wrong_routine(workshop: Workshop) -> None:
    """Planted fault: a __mulsi3 of the variant's own, which the linker prefers to the archive's."""
    wrong = "#include <stdint.h>\nuint32_t __mulsi3(uint32_t a, uint32_t b) { return a + b; }\n"
    emulator = loaded(workshop, "atmega128", "clang", {**ARITHMETIC, "wrong.c": wrong})
    assert wrong_answers(emulator) > 0


@pytest.mark.parametrize("target_id", TARGETS)
def test_eight_bit_routines_by_name(workshop: Workshop, target_id: str) -> None:
    files = {name: text for name, text in TOY_FILES.items() if name != "decrypt.c"} | {"eight.S": EIGHT_BIT}
    emulator = loaded(workshop, target_id, "clang", files)
    for left, right in operands(3):
        a, b = left & 255, right & 255
        given = bytes([a, b])
        assert run(emulator, "unsigned_division", given, 2) == bytes(divmod(a, b))
        assert run(emulator, "product", given, 2)[0] == a * b & 255
        signed = [value - 256 if value > 127 else value for value in (a, b)]
        quotient = abs(signed[0]) // abs(signed[1]) * (-1 if (signed[0] < 0) != (signed[1] < 0) else 1)
        remainder = signed[0] - quotient * signed[1]
        assert run(emulator, "block_decrypt", given, 2) == bytes([quotient & 255, remainder & 255])


@pytest.mark.parametrize("flag", ["-O0", "-O1", "-Os", "-O2", "-O3"])
@pytest.mark.parametrize("target_id", ["atmega103", "atmega128", "atmega4809"])
def test_every_routine_that_clang_calls_is_there(workshop: Workshop, target_id: str, flag: str) -> None:
    """Whatever of these operations the backend does not do inline, the image links."""
    shifts = "".join(
        f"{kind}{width}_t s{kind}{width}({kind}{width}_t a, uint8_t b)"
        f" {{ return ({kind}{width}_t)((a << b) ^ (a >> b) ^ (a << 3) ^ (a >> 5)); }}\n"
        for kind in ("uint", "int")
        for width in (8, 16, 32, 64)
    )
    others = """
#include "block.h"
typedef struct { uint8_t byte[40]; } forty;
void copy(forty *to, const forty *from) { *to = *from; }
void zero(forty *to) { *to = (forty){{0}}; }
int bits(uint64_t x) { return __builtin_popcountll(x) + __builtin_clzll(x) + __builtin_ctzll(x); }
uint64_t swap(uint64_t x) { return __builtin_bswap64(x) ^ __builtin_bswap32((uint32_t)x); }
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
"""
    calls = "".join(
        f"    *(volatile uint8_t *)out = (uint8_t)s{kind}{width}(({kind}{width}_t)in[0], in[1]);\n"
        for kind in ("uint", "int")
        for width in (8, 16, 32, 64)
    )
    last = """
    (void)ctx;
    copy((forty *)out, (const forty *)in);
    zero((forty *)out);
    out[0] = (uint8_t)(bits(in[0]) + (int)swap(in[1]));
}
"""
    files = {**ARITHMETIC, "decrypt.c": "#include <stdint.h>\n" + shifts + others + calls + last}
    result = workshop.build(
        files, target=target(target_id), toolchain=toolchain_or_skip("clang"), flags=(flag, "-fno-inline")
    )
    always = {"__muldi3", "__mulsi3", "__udivdi3", "__umoddi3", "__divdi3", "__moddi3"}
    assert always <= defined_symbols(result.elf) & ROUTINES


def test_list_of_routines_is_the_familys() -> None:
    listed = families()["avr"].toolchain["clang"].support
    names = {source.rpartition("/")[2].partition(".")[0] for source in listed}
    assert names == {routine.strip("_") for routine in ROUTINES}


@pytest.mark.parametrize("toolchain_id", ["clang", "gcc"])
@pytest.mark.parametrize("target_id", TARGETS)
def test_memory_routines_are_those_of_c(workshop: Workshop, target_id: str, toolchain_id: str) -> None:
    calls = """
#include "block.h"
#include <string.h>
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    volatile size_t length = in[0];
    (void)ctx;
    memcpy(out, in, length);
    memmove(out + 64 + in[1], out + 64 + in[2], length);
    memset(out + 128, in[3], length);
    int order = memcmp(in + 4, in + 36, length);
    out[192] = (uint8_t)(order > 0 ? 1 : order < 0 ? 2 : 0);
    out[193] = memcpy(out + 200, in, 0) == out + 200;
}
"""
    emulator = loaded(workshop, target_id, toolchain_id, {**TOY_FILES, "encrypt.c": calls})
    source = random.Random(4)
    for _ in range(40):
        length, to, at, fill = (
            source.randrange(32),
            source.randrange(16),
            source.randrange(16),
            source.randrange(256),
        )
        left = source.randbytes(32)
        right = left if source.random() < 0.3 else left[:5] + source.randbytes(27)
        given = bytes([length, to, at, fill]) + left + right
        pattern = bytes(source.randbytes(208))
        emulator.reset()
        emulator.buffer("in", given)
        emulator.buffer("out", pattern)
        assert emulator.call("block_encrypt", [(0, 2), "out", "in"], max_cycles=100_000).fault is None
        answer = bytearray(pattern)
        answer[:length] = given[:length]
        answer[64 + to : 64 + to + length] = answer[64 + at : 64 + at + length]
        answer[128 : 128 + length] = bytes([fill]) * length
        answer[192] = (left[:length] > right[:length]) + 2 * (left[:length] < right[:length])
        answer[193] = 1
        assert emulator.content("out") == answer

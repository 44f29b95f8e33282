"""The runtime routines that clang needs, run with random operands on cores with and without a multiplier."""

from __future__ import annotations

import random

import pytest
from toolchain.runtime import ARITHMETIC, loaded, only_one, operands, run, wrong_answers
from toolchain.workshop import TARGETS, TOY_FILES, Workshop, target, toolchain_or_skip

from steelyard.toolchain.family import families
from steelyard.toolchain.sizes import defined_symbols

ROUTINES = {
    "__mulqi3", "__mulhi3", "__mulsi3", "__muldi3",
    "__udivmodqi4", "__divmodqi4", "__udivmodhi4", "__divmodhi4", "__udivmodsi4", "__divmodsi4",
    "__udivdi3", "__umoddi3", "__divdi3", "__moddi3",
    "memcpy", "memmove", "memset", "memcmp",
}  # fmt: skip
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


# The image with all routines is larger than the ATtiny45, whose core is the ATmega103's plus movw.
@pytest.mark.parametrize("flag", ["-Os", "-O2"])
@pytest.mark.parametrize("toolchain_id", ["clang", "gcc"])
@pytest.mark.parametrize("target_id", ["atmega103", "atmega128", "atmega4809"])
def test_arithmetic_is_pythons(workshop: Workshop, target_id: str, toolchain_id: str, flag: str) -> None:
    assert wrong_answers(loaded(workshop, target_id, toolchain_id, ARITHMETIC, flag)) == 0


@pytest.mark.parametrize("width", ["uint8_t", "uint16_t", "int16_t", "int32_t"])
def test_arithmetic_is_pythons_on_the_smallest_core(workshop: Workshop, width: str) -> None:
    assert wrong_answers(loaded(workshop, "attiny45", "clang", only_one(width)), width) == 0


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

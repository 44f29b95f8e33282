"""The runtime routines that clang needs, run with random operands on cores with and without a multiplier."""

from __future__ import annotations

import pytest
from toolchain.runtime import ARITHMETIC, divided, loaded, operands, run, signed
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


@pytest.mark.parametrize("target_id", TARGETS)
def test_eight_bit_routines_by_name(workshop: Workshop, target_id: str) -> None:
    files = {name: text for name, text in TOY_FILES.items() if name != "decrypt.c"} | {"eight.S": EIGHT_BIT}
    emulator = loaded(workshop, target_id, "clang", files)
    for left, right in operands(3):
        a, b = left & 255, right & 255
        given = bytes([a, b])
        assert run(emulator, "unsigned_division", given, 2) == bytes(divmod(a, b))
        assert run(emulator, "product", given, 2)[0] == a * b & 255
        answer = bytes(one & 255 for one in divided(signed(a, 8), signed(b, 8)))
        assert run(emulator, "block_decrypt", given, 2) == answer


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

"""The headers of a C library that code may include: they compile on every family and mean what they say."""

from __future__ import annotations

import random

import pytest
from toolchain.runtime import POINTER_BYTES, built, loaded
from toolchain.workshop import TOY_FILES, Workshop, target

from steelyard.machine import Emulator
from steelyard.toolchain.run import BuildFailed

# Each function of string.h and each reader of a table, with lengths and indices that no compiler knows.
SOURCE = """
#include "block.h"
#include <avr/pgmspace.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef char as_named[sizeof(uint8_t) == 1 && sizeof(int16_t) == 2 && sizeof(uint32_t) == 4 ? 1 : -1];
typedef char as_well[sizeof(int64_t) == 8 && UINT32_MAX == 0xffffffff ? 1 : -1];
typedef char as_the_compiler[sizeof(size_t) == sizeof sizeof 0 ? 1 : -1];
typedef char at_first[offsetof(block_context, key) == 0 ? 1 : -1];
static const uint8_t bytes[8] PROGMEM = {3, 1, 4, 1, 5, 9, 2, 6};
static const uint16_t words[4] PROGMEM = {0x1234, 0x5678, 0x9abc, 0xdef0};
static const uint32_t doubles[4] PROGMEM = {0x01234567, 0x89abcdef, 0x13579bdf, 0x02468ace};
static const void *const pointers[2] PROGMEM = {bytes, words};
void avr(uint8_t *out, uint8_t at);
static uint8_t sign(int difference) { return difference < 0 ? 1 : difference > 0 ? 2 : 0; }
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint8_t at = in[0] & 3;
    uint16_t word = pgm_read_word(&words[at]);
    uint32_t wide = pgm_read_dword(&doubles[at]);
    (void)ctx;
    out[0] = pgm_read_byte(&bytes[in[0] & 7]);
    out[1] = (uint8_t)word;
    out[2] = (uint8_t)(word >> 8);
    for (uint8_t i = 0; i < 4; i++) { out[3 + i] = (uint8_t)(wide >> 8 * i); }
    out[7] = memcpy_P(out + 8, bytes, 2u + at) == out + 8;
    out[13] = sign(memcmp_P(in, bytes, 1u + at));
    out[14] = sign(memcmp_P(out + 8, bytes, 2u + at));
    out[15] = pgm_read_ptr(&pointers[at & 1]) == (at & 1 ? (const void *)words : (const void *)bytes);
    memset(out + 16, in[1], 3u + at);
    memcpy(out + 24, in, 4u + at);
    memmove(out + 25, out + 24, 3u + at);
    out[32] = sign(memcmp(in, in + 4, 1u + at));
    avr(out + 34, at);
}
#ifdef __AVR__
#include <avr/io.h>
void avr(uint8_t *out, uint8_t at) {
    uint8_t kept = SREG, low = SPL;
    SREG = (uint8_t)(kept | _BV(SREG_T));
    out[0] = (uint8_t)(SREG >> SREG_T & 1);
    SREG = (uint8_t)(kept & ~_BV(SREG_T));
    out[1] = (uint8_t)(SREG >> SREG_T & 1);
    out[2] = SP == (uint16_t)(low | (uint16_t)SPH << 8);
#ifdef RAMPZ
    uint32_t wide = pgm_read_dword_far(pgm_get_far_address(doubles) + 4u * at);
    RAMPZ = 1;
    out[3] = RAMPZ;
    RAMPZ = 0;
    for (uint8_t i = 0; i < 4; i++) { out[4 + i] = (uint8_t)(wide >> 8 * i); }
#else
    (void)at;
#endif
}
#else
void avr(uint8_t *out, uint8_t at) { (void)out; (void)at; }
#endif
"""
FILES = {**TOY_FILES, "encrypt.c": SOURCE}
BYTES = bytes((3, 1, 4, 1, 5, 9, 2, 6))
WORDS = (0x1234, 0x5678, 0x9ABC, 0xDEF0)
DOUBLES = (0x01234567, 0x89ABCDEF, 0x13579BDF, 0x02468ACE)
OUT_BYTES = 42

WITH_RAMPZ = ("atmega103", "atmega128")
AVR = (*WITH_RAMPZ, "atmega328p", "atmega4809", "attiny45")
OTHERS = ("sa1110", "stm32f051", "stm32f407", "fe310-g002", "leon3", "ultrasparc2", "msp430f1611")
BOTH = ("gcc", "clang")
CASES = [
    *((chip, compiler, flag) for chip in AVR for compiler in BOTH for flag in ("-O0", "-Os", "-O3")),
    *((chip, compiler, "-Os") for chip in OTHERS for compiler in BOTH),
    *((chip, "gcc", "-Os") for chip in ("rl78-g13", "m30102")),
]


def sign(left: bytes, right: bytes) -> int:
    return 1 if left < right else 2 if left > right else 0


def expected(chip: str, given: bytes) -> bytes:
    """What SOURCE writes over zeros."""
    at = given[0] & 3
    out = bytearray(OUT_BYTES)
    out[0] = BYTES[given[0] & 7]
    out[1:3] = WORDS[at].to_bytes(2, "little")
    out[3:7] = DOUBLES[at].to_bytes(4, "little")
    out[7] = 1
    out[8 : 10 + at] = BYTES[: 2 + at]
    out[13] = sign(given[: 1 + at], BYTES[: 1 + at])
    out[15] = 1
    out[16 : 19 + at] = given[1:2] * (3 + at)
    out[24 : 28 + at] = given[:1] + given[: 3 + at]
    out[32] = sign(given[: 1 + at], given[4 : 5 + at])
    if chip in AVR:
        out[34:37] = (1, 0, 1)
    if chip in WITH_RAMPZ:
        out[37] = 1
        out[38:42] = DOUBLES[at].to_bytes(4, "little")
    return bytes(out)


@pytest.mark.parametrize(("chip", "compiler", "flag"), CASES)
def test_headers_give_right_answers(workshop: Workshop, chip: str, compiler: str, flag: str) -> None:
    emulator = loaded(workshop, chip, compiler, FILES, flag)
    source = random.Random(7)
    for first in range(8):
        # Some begin as the table does, some as their own second half.
        given = bytes([first, *source.randbytes(7)])
        given = (given, BYTES, given[:4] * 2)[first % 3]
        emulator.reset()
        emulator.buffer("in", given)
        emulator.buffer("out", bytes(OUT_BYTES))
        called = emulator.call("block_encrypt", [(0, POINTER_BYTES), "out", "in"], max_cycles=1_000_000)
        assert called.fault is None, called.fault
        assert emulator.content("out") == expected(chip, given), first


@pytest.mark.parametrize("chip", AVR)
@pytest.mark.parametrize("compiler", BOTH)
def test_tables_stay_in_flash(workshop: Workshop, chip: str, compiler: str) -> None:
    sizes = built(workshop, chip, compiler, FILES).sizes
    assert sizes.ram_static_bytes == 0
    assert sizes.rom_const_bytes == 8 + 4 * 2 + 4 * 4 + 2 * 2


FAR = """
#include "block.h"
#include <avr/pgmspace.h>
static const uint8_t low[30000] PROGMEM = {[29996] = 17, 34, 51, 68};
static const uint8_t middle[30000] PROGMEM = {[29996] = 85, 102, 119, 136};
static const uint8_t high[30000] PROGMEM = {[29996] = 153, 170, 187, 204};
static void put(uint8_t *out, uint_farptr_t at) {
    uint32_t value = pgm_read_dword_far(at);
    uint16_t half = pgm_read_word_far(at + 1);
    for (uint8_t i = 0; i < 4; i++) { out[i] = (uint8_t)(value >> 8 * i); }
    out[4] = (uint8_t)half;
    out[5] = (uint8_t)(half >> 8);
    out[6] = pgm_read_byte_far(at + 3);
}
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint16_t at = (uint16_t)(in[0] | (uint16_t)in[1] << 8);
    (void)ctx;
    put(out, pgm_get_far_address(low) + at);
    put(out + 7, pgm_get_far_address(middle) + at);
    put(out + 14, pgm_get_far_address(high) + at);
}
void block_decrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint_farptr_t at = 0xfffe;
    (void)ctx; (void)in;
    put(out, at);
}
"""


@pytest.mark.parametrize("chip", WITH_RAMPZ)
@pytest.mark.parametrize("compiler", BOTH)
def test_tables_beyond_64_kib_are_read_far(workshop: Workshop, chip: str, compiler: str) -> None:
    files = {**TOY_FILES, "encrypt.c": FAR}
    del files["decrypt.c"]
    emulator = loaded(workshop, chip, compiler, files)
    tables = [emulator.address(name) for name in ("low", "middle", "high")]
    assert max(tables) < 0x10000 < max(tables) + 29996
    emulator.buffer("in", (29996).to_bytes(2, "little") + bytes(6))
    emulator.buffer("out", bytes(21))
    called = emulator.call("block_encrypt", [(0, POINTER_BYTES), "out", "in"], max_cycles=1_000_000)
    assert called.fault is None, called.fault
    lines = ((17, 34, 51, 68), (85, 102, 119, 136), (153, 170, 187, 204))
    answer = b"".join(bytes((*line, line[1], line[2], line[3])) for line in lines)
    assert emulator.content("out") == answer
    # A word whose bytes lie on both sides of the limit.
    emulator.buffer("out", bytes(21))
    called = emulator.call("block_decrypt", [(0, POINTER_BYTES), "out", "in"], max_cycles=1_000_000)
    assert called.fault is None, called.fault
    four = emulator.read("program", 0xFFFE, 4)
    assert emulator.content("out")[:7] == bytes((*four, four[1], four[2], four[3]))


IN_ASSEMBLY = """
#include <avr/io.h>
.section .text.block_encrypt, "ax"
.global block_encrypt
block_encrypt:
    mov r30, r22
    mov r31, r23
    in r24, _SFR_IO_ADDR(SPL)
    lds r25, SPL
    st Z, r24
    std Z+1, r25
    ret
"""


@pytest.mark.parametrize("chip", AVR)
@pytest.mark.parametrize("compiler", BOTH)
def test_registers_have_names_in_assembly(workshop: Workshop, chip: str, compiler: str) -> None:
    files = {**TOY_FILES, "encrypt.S": IN_ASSEMBLY}
    del files["encrypt.c"]
    emulator = loaded(workshop, chip, compiler, files)
    emulator.buffer("in", bytes(8))
    emulator.buffer("out", bytes(2))
    called = emulator.call("block_encrypt", [(0, POINTER_BYTES), "out", "in"], max_cycles=1_000_000)
    assert called.fault is None, called.fault
    by_port, by_address = emulator.content("out")
    assert by_port == by_address != 0


@pytest.mark.parametrize("compiler", BOTH)
def test_other_chips_have_no_registers_of_an_avr(workshop: Workshop, compiler: str) -> None:
    with pytest.raises(BuildFailed, match="only an AVR has these registers"):
        loaded(workshop, "stm32f407", compiler, {**TOY_FILES, "encrypt.c": "#include <avr/io.h>\n"})


ANNOTATED = """
#include "block.h"
#include <valgrind/memcheck.h>
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    (void)ctx;
    if (RUNNING_ON_VALGRIND) {
        (void)VALGRIND_MAKE_MEM_UNDEFINED(in, 8);
        (void)VALGRIND_MAKE_MEM_DEFINED(in + 2, 3);
    }
    out[0] = in[0];
    out[1] = in[2];
    out[2] = in[7];
}
"""


@pytest.mark.parametrize(("chip", "compiler", "flag"), [case for case in CASES if case[2] == "-Os"])
def test_marks_are_obeyed(workshop: Workshop, chip: str, compiler: str, flag: str) -> None:
    again = ANNOTATED.replace("block_encrypt", "block_decrypt")
    image = built(workshop, chip, compiler, {**TOY_FILES, "encrypt.c": ANNOTATED, "decrypt.c": again}, flag)
    emulator = Emulator(target(chip), shadow=True)
    emulator.load(image.elf, start_until="harness_ready")
    for function in ("block_encrypt", "block_decrypt"):
        emulator.reset()
        given, out = emulator.buffer("in", bytes(range(9))), emulator.buffer("out", bytes(3))
        called = emulator.call(
            function, [(0, POINTER_BYTES), "out", "in"], max_cycles=1_000_000, observe="secrets"
        )
        assert called.fault is None, called.fault
        assert called.leaks == ()
        assert emulator.marks(given, 9) == b"\xff\xff\0\0\0\xff\xff\xff\0"
        assert emulator.content("out") == bytes([0, 2, 7])
        assert emulator.marks(out, 3) == b"\xff\0\xff"

"""M16C images of GCC: routines of our own for arithmetic and string.h, start-up, the ladder of flags."""

from __future__ import annotations

import io
import random

import pytest
from elftools.elf.elffile import ELFFile
from toolchain.test_rl78 import MEMORY
from toolchain.test_support import ARITHMETIC, OPERATORS, WIDTHS, expected, operands, run
from toolchain.workshop import TOY_FILES, Workshop, target, toolchain_or_skip, toy_encrypt

from steelyard.machine import Emulator
from steelyard.toolchain import BuildResult
from steelyard.toolchain.family import families
from steelyard.toolchain.sizes import chip_memory, defined_symbols

CHIP = "m30102"
POINTER = 2
HEAD, _, _ = OPERATORS.partition("PAIR(uint8_t)")
SHIFTS = """
#include "block.h"
#include <string.h>
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    uint64_t a, r[3];
    int places = in[8];
    (void)ctx;
    memcpy(&a, in, 8);
    r[0] = a << places;
    r[1] = a >> places;
    r[2] = (uint64_t)((int64_t)a >> places);
    memcpy(out, r, sizeof r);
}
"""


def built(workshop: Workshop, files: dict[str, str], flag: str = "-Os") -> BuildResult:
    toolchain = toolchain_or_skip("gcc", "m16c")
    return workshop.build(files, target=target(CHIP), toolchain=toolchain, flags=(flag,))


def loaded(workshop: Workshop, files: dict[str, str], flag: str = "-Os") -> Emulator:
    emulator = Emulator(target(CHIP))
    emulator.load(built(workshop, files, flag).elf, "harness_ready")
    return emulator


def only(width: str) -> dict[str, str]:
    """The operators on one type: all at once are too large for the chip."""
    body = "void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in)"
    source = f"{HEAD}PAIR({width})\n{body} {{ (void)ctx; do_{width}(out, in); }}\n"
    return {**ARITHMETIC, "encrypt.c": source}


def wrong_answers(emulator: Emulator, width: str) -> int:
    size = int("".join(filter(str.isdigit, width))) // 8
    start = sum(6 * smaller for smaller in WIDTHS if smaller < size) + 3 * size * width.startswith("i")
    wrong = 0
    for left, right in operands(1):
        given = left.to_bytes(8, "little") + right.to_bytes(8, "little")
        answer = expected(left, right)[start : start + 3 * size]
        wrong += run(emulator, "block_encrypt", given, 3 * size) != answer
    return wrong


@pytest.mark.parametrize("flag", ["-O0", "-Os", "-O2"])
@pytest.mark.parametrize("width", [f"{sign}int{8 * size}_t" for size in WIDTHS for sign in ("u", "")])
def test_arithmetic_is_pythons(workshop: Workshop, width: str, flag: str) -> None:
    assert wrong_answers(loaded(workshop, only(width), flag), width) == 0


def test_checker_catches_a_wrong_routine(workshop: Workshop) -> None:
    """Planted fault: a product of the variant's own, which the linker prefers to the archive's."""
    wrong = "unsigned long __mulsi3(unsigned long a, unsigned long b) { return a + b; }\n"
    emulator = loaded(workshop, {**only("uint32_t"), "wrong.c": wrong})
    assert wrong_answers(emulator, "uint32_t") > 0


@pytest.mark.parametrize("flag", ["-O0", "-Os"])
def test_shifts_are_pythons(workshop: Workshop, flag: str) -> None:
    emulator = loaded(workshop, {**TOY_FILES, "encrypt.c": SHIFTS}, flag)
    for value, _ in operands(2):
        signed = value - (1 << 64) if value >> 63 else value
        for places in (0, 1, 15, 16, 17, 31, 32, 47, 63):
            given = value.to_bytes(8, "little") + bytes([places])
            results = (value << places, value >> places, signed >> places)
            answer = b"".join((result % 2**64).to_bytes(8, "little") for result in results)
            assert run(emulator, "block_encrypt", given, 24) == answer, (hex(value), places)


def test_memory_routines_are_those_of_c(workshop: Workshop) -> None:
    emulator = loaded(workshop, {**TOY_FILES, "encrypt.c": MEMORY})
    source = random.Random(4)
    for index in range(40):
        half, to, at, fill = (source.randrange(limit) for limit in (256, 200, 200, 256))
        half = (0, 0, 127, 128, 255)[index] if index < 5 else half
        length = 2 * half + (fill & 1)
        left = source.randbytes(600)
        right = left if source.random() < 0.3 else left[:9] + source.randbytes(591)
        given = bytes([half, to, at, fill]) + left + right
        pattern = source.randbytes(2201)
        emulator.reset()
        emulator.buffer("in", given)
        emulator.buffer("out", pattern)
        called = emulator.call("block_encrypt", [(0, POINTER), "out", "in"], max_cycles=100_000)
        assert called.fault is None
        answer = bytearray(pattern)
        answer[to % 4 : to % 4 + length] = given[at % 4 : at % 4 + length]
        answer[700 + to : 700 + to + length] = answer[700 + at : 700 + at + length]
        answer[1500 + to % 4 : 1500 + to % 4 + length] = bytes([fill]) * length
        answer[2200] = (left[:length] > right[:length]) + 2 * (left[:length] < right[:length])
        assert emulator.content("out") == answer


def test_start_up_equals_a_loader(workshop: Workshop) -> None:
    result = built(workshop, TOY_FILES)
    emulator = Emulator(target(CHIP))
    emulator.load(result.elf)
    ram = chip_memory(target(CHIP), "ram")
    emulator.write("data", ram.base, b"\xa5" * 0x100)
    emulator._machine.run_until("harness_ready", 10_000_000)
    for section in ELFFile(io.BytesIO(result.elf)).iter_sections():
        part = section.name.rpartition(".")[2]
        if part in ("data", "bss") and section["sh_size"]:
            meant = section.data() if part == "data" else bytes(section["sh_size"])
            assert emulator.read("data", section["sh_addr"], section["sh_size"]) == meant, section.name
    assert emulator.address("__stack") == ram.base + ram.size == emulator.stack_pointer
    assert ram.base < emulator.address("_end") < ram.base + ram.size


def test_the_reset_vector_leads_to_the_start(workshop: Workshop) -> None:
    flash = chip_memory(target(CHIP), "flash")
    emulator = Emulator(target(CHIP))
    emulator.load(built(workshop, TOY_FILES).elf)
    vector = emulator.read("data", flash.base + flash.size - 4, 4)
    assert int.from_bytes(vector, "little") == emulator.address("_start")


def test_image_computes_what_its_source_says(workshop: Workshop) -> None:
    emulator = loaded(workshop, TOY_FILES)
    key, block = bytes(range(8)), bytes(range(100, 108))
    context = (emulator.address("harness_context"), POINTER)
    emulator.buffer("key", key)
    emulator.buffer("in", block)
    emulator.buffer("out", bytes(8))
    assert emulator.call("block_init", [context, "key"], max_cycles=100_000).fault is None
    assert emulator.call("block_encrypt", [context, "out", "in"], max_cycles=100_000).fault is None
    assert emulator.content("out") == toy_encrypt(key, block)


def test_tables_count_as_rom_and_as_ram(workshop: Workshop) -> None:
    result = built(workshop, TOY_FILES)
    assert result.sizes.rom_const_bytes >= 16 + 3
    assert result.sizes.ram_static_bytes >= 16 + 3 + 2 + 1
    assert {"block_encrypt", "harness_context", "_start", "_end", "__stack"} <= defined_symbols(result.elf)


def test_the_ladder_ends_where_the_compiler_can_do_everything() -> None:
    ladder = families()["m16c"].toolchain["gcc"].ladder
    assert ladder[0] == ()
    assert ladder[-1] == ("-O0",)

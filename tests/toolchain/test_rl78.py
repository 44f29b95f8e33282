"""RL78 images of GCC: arithmetic of its library, routines of string.h, start-up, tables in the mirror."""

from __future__ import annotations

import io
import random

import pytest
from elftools.elf.elffile import ELFFile
from toolchain.test_support import ARITHMETIC, expected, operands, run
from toolchain.workshop import TOY_FILES, Workshop, target, toolchain_or_skip, toy_encrypt

from steelyard.machine import Emulator
from steelyard.toolchain import BuildResult
from steelyard.toolchain.sizes import chip_memory, defined_symbols, sections

# The smallest core has too little flash for all routines at once; its toy is below.
CHIPS = ("rl78-g13", "rl78-g14")
POINTER = 2
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
}
"""


def built(workshop: Workshop, chip: str, files: dict[str, str], flag: str = "-Os") -> BuildResult:
    toolchain = toolchain_or_skip("gcc", "rl78")
    if chip == "rl78-g10" and toolchain.require().place != "built from source":
        pytest.skip("whether the libgcc of a compiler on PATH is for one register bank is not known")
    return workshop.build(files, target=target(chip), toolchain=toolchain, flags=(flag,))


def loaded(workshop: Workshop, chip: str, files: dict[str, str], flag: str = "-Os") -> Emulator:
    emulator = Emulator(target(chip))
    emulator.load(built(workshop, chip, files, flag).elf, "harness_ready")
    return emulator


def wrong_answers(emulator: Emulator) -> int:
    wrong = 0
    for left, right in operands(1):
        given = left.to_bytes(8, "little") + right.to_bytes(8, "little")
        wrong += run(emulator, "block_encrypt", given, len(expected(left, right))) != expected(left, right)
    return wrong


@pytest.mark.parametrize("flag", ["-O0", "-Os", "-O2"])
@pytest.mark.parametrize("chip", CHIPS)
def test_arithmetic_is_pythons(workshop: Workshop, chip: str, flag: str) -> None:
    assert wrong_answers(loaded(workshop, chip, ARITHMETIC, flag)) == 0


def test_checker_catches_a_wrong_routine(workshop: Workshop) -> None:
    """Planted fault: a division of the variant's own, which the linker prefers to the library's."""
    wrong = "unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { return a + b; }\n"
    assert wrong_answers(loaded(workshop, "rl78-g13", {**ARITHMETIC, "wrong.c": wrong})) > 0


@pytest.mark.parametrize("chip", CHIPS)
def test_memory_routines_are_those_of_c(workshop: Workshop, chip: str) -> None:
    emulator = loaded(workshop, chip, {**TOY_FILES, "encrypt.c": MEMORY})
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


@pytest.mark.parametrize("chip", ["rl78-g10", *CHIPS])
def test_start_up_equals_a_loader(workshop: Workshop, chip: str) -> None:
    result = built(workshop, chip, TOY_FILES)
    emulator = Emulator(target(chip))
    emulator.load(result.elf)
    ram = chip_memory(target(chip), "ram")
    emulator.write("data", ram.base, b"\xa5" * 0x100)
    emulator._machine.run_until("harness_ready", 10_000_000)
    for section in ELFFile(io.BytesIO(result.elf)).iter_sections():
        part = section.name.rpartition(".")[2]
        if part in ("data", "bss") and section["sh_size"]:
            meant = section.data() if part == "data" else bytes(section["sh_size"])
            assert emulator.read("data", section["sh_addr"], section["sh_size"]) == meant, section.name
    assert emulator.address("__stack") == ram.base + ram.size == emulator.stack_pointer
    assert ram.base < emulator.address("_end") < ram.base + ram.size


@pytest.mark.parametrize("chip", ["rl78-g10", *CHIPS])
def test_image_computes_what_its_source_says(workshop: Workshop, chip: str) -> None:
    emulator = loaded(workshop, chip, TOY_FILES)
    key, block = bytes(range(8)), bytes(range(100, 108))
    context = (emulator.address("harness_context") & 0xFFFF, POINTER)
    emulator.buffer("key", key)
    emulator.buffer("in", block)
    emulator.buffer("out", bytes(8))
    assert emulator.call("block_init", [context, "key"], max_cycles=100_000).fault is None
    assert emulator.call("block_encrypt", [context, "out", "in"], max_cycles=100_000).fault is None
    assert emulator.content("out") == toy_encrypt(key, block)


def test_a_product_with_an_element_of_a_table_is_right(workshop: Workshop) -> None:
    """GCC 12 as it is loads one factor before the other's address is computed in the same register."""
    product = """
#include "block.h"
static const uint8_t factors[3] = {7, 11, 13};
void block_encrypt(const block_context *ctx, uint8_t *out, const uint8_t *in) {
    (void)ctx;
    uint16_t whole = (uint16_t)(in[0] * factors[in[1] % 3]);
    out[0] = (uint8_t)whole;
    out[1] = (uint8_t)(whole >> 8);
}
"""
    emulator = loaded(workshop, "rl78-g13", {**TOY_FILES, "encrypt.c": product})
    for left, index in ((200, 0), (255, 1), (3, 5)):
        answer = left * (7, 11, 13)[index % 3]
        assert run(emulator, "block_encrypt", bytes((left, index)), 2) == answer.to_bytes(2, "little")


def test_symbols_have_the_names_of_c(workshop: Workshop) -> None:
    result = built(workshop, "rl78-g13", TOY_FILES)
    assert {"block_encrypt", "harness_context", "_start", "_end", "__stack"} <= defined_symbols(result.elf)
    assert result.sizes.ram_context_bytes == 8


def test_tables_lie_in_the_flash_that_the_mirror_shows(workshop: Workshop) -> None:
    result = built(workshop, "rl78-g13", TOY_FILES)
    by_name = {section.name: section for section in sections(result.elf)}
    (window,) = [memory for memory in target("rl78-g13").file.memory if memory.kind == "flash-window"]
    assert result.sizes.rom_const_bytes >= 16 + 3
    for segment in ELFFile(io.BytesIO(result.elf)).iter_segments():
        if segment["p_vaddr"] == window.base:
            assert segment["p_paddr"] == window.base & 0xFFFF
            break
    else:
        pytest.fail(f"no table in the mirror: {sorted(by_name)}")

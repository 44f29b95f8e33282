"""RL78 images of GCC: arithmetic of its library, routines of string.h, start-up, tables in the mirror."""

from __future__ import annotations

import io

import pytest
from elftools.elf.elffile import ELFFile
from toolchain.runtime import (
    ARITHMETIC,
    MEMORY,
    assert_image_computes_what_its_source_says,
    assert_memory_routines_are_those_of_c,
    assert_start_up_equals_a_loader,
    built,
    loaded,
    run,
    wrong_answers,
)
from toolchain.workshop import TOY_FILES, Workshop, target, toolchain_or_skip

from steelyard.toolchain.sizes import defined_symbols, sections

# The smallest core has too little flash for all routines at once; its toy is below.
CHIPS = ("rl78-g13", "rl78-g14")
POINTER = 2


def needs_own_libgcc(chip: str) -> None:
    if chip == "rl78-g10" and toolchain_or_skip("gcc", "rl78").require().place != "built from source":
        pytest.skip("whether the libgcc of a compiler on PATH is for one register bank is not known")


@pytest.mark.parametrize("flag", ["-O0", "-Os", "-O2"])
@pytest.mark.parametrize("chip", CHIPS)
def test_arithmetic_is_pythons(workshop: Workshop, chip: str, flag: str) -> None:
    assert wrong_answers(loaded(workshop, chip, "gcc", ARITHMETIC, flag)) == 0


def test_checker_catches_a_wrong_routine(workshop: Workshop) -> None:
    """Planted fault: a division of the variant's own, which the linker prefers to the library's."""
    wrong = "unsigned long long __udivdi3(unsigned long long a, unsigned long long b) { return a + b; }\n"
    assert wrong_answers(loaded(workshop, "rl78-g13", "gcc", {**ARITHMETIC, "wrong.c": wrong})) > 0


@pytest.mark.parametrize("chip", CHIPS)
def test_memory_routines_are_those_of_c(workshop: Workshop, chip: str) -> None:
    emulator = loaded(workshop, chip, "gcc", {**TOY_FILES, "encrypt.c": MEMORY})
    assert_memory_routines_are_those_of_c(emulator)


@pytest.mark.parametrize("chip", ["rl78-g10", *CHIPS])
def test_start_up_equals_a_loader(workshop: Workshop, chip: str) -> None:
    needs_own_libgcc(chip)
    assert_start_up_equals_a_loader(built(workshop, chip, "gcc"), chip)


@pytest.mark.parametrize("chip", ["rl78-g10", *CHIPS])
def test_image_computes_what_its_source_says(workshop: Workshop, chip: str) -> None:
    needs_own_libgcc(chip)
    assert_image_computes_what_its_source_says(loaded(workshop, chip, "gcc"), POINTER)


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
    emulator = loaded(workshop, "rl78-g13", "gcc", {**TOY_FILES, "encrypt.c": product})
    for left, index in ((200, 0), (255, 1), (3, 5)):
        answer = left * (7, 11, 13)[index % 3]
        assert run(emulator, "block_encrypt", bytes((left, index)), 2) == answer.to_bytes(2, "little")


def test_symbols_have_the_names_of_c(workshop: Workshop) -> None:
    result = built(workshop, "rl78-g13", "gcc")
    assert {"block_encrypt", "harness_context", "_start", "_end", "__stack"} <= defined_symbols(result.elf)
    assert result.sizes.ram_context_bytes == 8


def test_tables_lie_in_the_flash_that_the_mirror_shows(workshop: Workshop) -> None:
    result = built(workshop, "rl78-g13", "gcc")
    by_name = {section.name: section for section in sections(result.elf)}
    (window,) = [memory for memory in target("rl78-g13").file.memory if memory.kind == "flash-window"]
    assert result.sizes.rom_const_bytes >= 16 + 3
    for segment in ELFFile(io.BytesIO(result.elf)).iter_segments():
        if segment["p_vaddr"] == window.base:
            assert segment["p_paddr"] == window.base & 0xFFFF
            break
    else:
        pytest.fail(f"no table in the mirror: {sorted(by_name)}")

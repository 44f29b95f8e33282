"""RL78 images of GCC: arithmetic of its library, routines of string.h, start-up, tables in the mirror."""

from __future__ import annotations

import io

import pytest
from elftools.elf.elffile import ELFFile
from toolchain.runtime import built, loaded, run
from toolchain.workshop import TOY_FILES, Workshop, target

from steelyard.toolchain.sizes import defined_symbols, sections


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

"""M16C images of GCC: routines of our own for arithmetic and string.h, start-up, the ladder of flags."""

from __future__ import annotations

import pytest
from toolchain.runtime import built, loaded, longs, operands, run, shifted
from toolchain.workshop import TOY_FILES, Workshop, target

from steelyard.machine import Emulator
from steelyard.toolchain.family import families
from steelyard.toolchain.sizes import chip_memory, defined_symbols

CHIP = "m30102"
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


@pytest.mark.parametrize("flag", ["-O0", "-Os"])
def test_shifts_are_pythons(workshop: Workshop, flag: str) -> None:
    emulator = loaded(workshop, CHIP, "gcc", {**TOY_FILES, "encrypt.c": SHIFTS}, flag)
    for value, _ in operands(2):
        for places in (0, 1, 15, 16, 17, 31, 32, 47, 63):
            given = value.to_bytes(8, "little") + bytes([places])
            answer = longs(shifted(value, places))
            assert run(emulator, "block_encrypt", given, 24) == answer, (hex(value), places)


def test_the_reset_vector_leads_to_the_start(workshop: Workshop) -> None:
    flash = chip_memory(target(CHIP), "flash")
    emulator = Emulator(target(CHIP))
    emulator.load(built(workshop, CHIP, "gcc").elf)
    vector = emulator.read("data", flash.base + flash.size - 4, 4)
    assert int.from_bytes(vector, "little") == emulator.address("_start")


def test_tables_count_as_rom_and_as_ram(workshop: Workshop) -> None:
    result = built(workshop, CHIP, "gcc")
    assert result.sizes.rom_const_bytes >= 16 + 3
    assert result.sizes.ram_static_bytes >= 16 + 3 + 2 + 1
    assert {"block_encrypt", "harness_context", "_start", "_end", "__stack"} <= defined_symbols(result.elf)


def test_the_ladder_ends_where_the_compiler_can_do_everything() -> None:
    ladder = families()["m16c"].toolchain["gcc"].ladder
    assert ladder[0] == ()
    assert ladder[-1] == ("-O0",)

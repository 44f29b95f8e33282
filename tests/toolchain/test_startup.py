"""AVR's start-up code where it is seldom: a planted fault, and initialisers beyond 64 KiB."""

from __future__ import annotations

import io

import pytest
from elftools.elf.elffile import ELFFile
from toolchain.runtime import built, differing_sections, started
from toolchain.workshop import ENCRYPT, TOY_FILES, Workshop, target

from steelyard.toolchain import Toolchain


def test_checker_sees_a_byte_that_was_not_copied(workshop: Workshop) -> None:
    elf = built(workshop, "atmega128", "gcc").elf
    emulator = started(elf, "atmega128")
    emulator.write("data", emulator.address("divisor"), b"\xff")
    assert differing_sections(emulator, elf) == ["own.data"]


@pytest.mark.parametrize("target_id", ["atmega103", "atmega128"])
def test_initialisers_beyond_64_kib_of_flash_are_copied(
    workshop: Workshop, toolchain: Toolchain, target_id: str
) -> None:
    """RAMPZ has to step in the middle of the copy; the space in front is found by building twice."""
    table = "volatile uint8_t initialised[64] = {" + ",".join(str(i + 1) for i in range(64)) + "};\n"
    code = (
        table
        + "void space(void);\n"
        + ENCRYPT.replace("blocks++;", "space(); blocks += initialised[in[0] & 63];")
    )

    def image(space_bytes: int) -> bytes:
        space = f'.section .text.space,"ax"\n.global space\nspace: .skip {space_bytes}\n'
        files = {**TOY_FILES, "encrypt.c": "#include <stdint.h>\n" + code, "space.S": space}
        return workshop.build(files, target=target(target_id), toolchain=toolchain).elf

    def load_address(elf: bytes) -> int:
        symbols = ELFFile(io.BytesIO(elf)).get_section_by_name(".symtab")
        return int(symbols.get_symbol_by_name("__data_load_start")[0]["st_value"])

    elf = image(2 + (0x10000 - 20 - load_address(image(2))) // 2 * 2)
    assert 0x10000 - 24 < load_address(elf) < 0x10000
    emulator = started(elf, target_id)
    assert differing_sections(emulator, elf) == []
    assert emulator.read("data", emulator.address("initialised"), 64) == bytes(range(1, 65))

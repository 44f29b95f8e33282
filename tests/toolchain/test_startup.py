"""Start-up code: the machine at `harness_ready` is as the image says."""

from __future__ import annotations

import io

import pytest
from elftools.elf.elffile import ELFFile
from toolchain.workshop import ENCRYPT, TARGETS, TOY_FILES, Workshop, target, toy_encrypt

from steelyard import _native
from steelyard.catalog.models import Target
from steelyard.machine import describe
from steelyard.toolchain import Toolchain
from steelyard.toolchain.sizes import chip_memory

DATA_SPACE = 0x800000


def started(elf: bytes, chip: Target) -> _native.Machine:
    """A machine whose RAM held no zeros before the start-up code ran."""
    machine = _native.Machine(describe(chip))
    machine.load_elf(elf)
    ram = chip_memory(chip, "ram")
    machine.write("data", ram.base, b"\xa5" * ram.size)
    machine.run_until("harness_ready", 10_000_000)
    return machine


def differing_sections(machine: _native.Machine, elf: bytes) -> list[str]:
    """Sections in RAM that are not what a loader would have put there."""
    found = []
    for section in ELFFile(io.BytesIO(elf)).iter_sections():
        owner, _, part = section.name.lstrip(".").partition(".")
        if part in ("data", "bss") and section["sh_size"]:
            there = machine.read("data", section["sh_addr"] - DATA_SPACE, section["sh_size"])
            meant = section.data() if part == "data" else bytes(section["sh_size"])
            if there != meant:
                found.append(f"{owner}.{part}")
    return found


@pytest.mark.parametrize("target_id", TARGETS)
def test_start_up_equals_a_loader(workshop: Workshop, toolchain: Toolchain, target_id: str) -> None:
    chip = target(target_id)
    elf = workshop.build(target=chip, toolchain=toolchain).elf
    machine = started(elf, chip)
    assert differing_sections(machine, elf) == []
    ram = chip_memory(chip, "ram")
    symbols = machine.symbols()
    assert symbols["__stack"][0] == ram.base + ram.size - 1
    assert ram.base < symbols["_end"][0] < ram.base + ram.size
    assert machine.read("data", symbols["_end"][0], 4) == b"\xa5" * 4


def test_checker_sees_a_byte_that_was_not_copied(workshop: Workshop) -> None:
    chip = target("atmega128")
    elf = workshop.build(target=chip).elf
    machine = started(elf, chip)
    address = machine.symbols()["divisor"][0]
    machine.write("data", address, b"\xff")
    assert differing_sections(machine, elf) == ["own.data"]


@pytest.mark.parametrize("target_id", TARGETS)
def test_image_computes_what_its_source_says(
    workshop: Workshop, toolchain: Toolchain, target_id: str
) -> None:
    chip = target(target_id)
    machine = started(workshop.build(target=chip, toolchain=toolchain).elf, chip)
    lab = next(memory for memory in chip.file.memory if memory.name == "lab").base
    key, block = bytes(range(8)), bytes(range(100, 108))
    context = machine.symbols()["harness_context"][0]
    machine.write("data", lab, key + block)
    budget = 100_000
    assert machine.call("block_init", [(context, 2), (lab, 2)], max_cycles=budget)["fault"] is None
    arguments = [(context, 2), (lab + 16, 2), (lab + 8, 2)]
    assert machine.call("block_encrypt", arguments, max_cycles=budget)["fault"] is None
    assert machine.read("data", lab + 16, 8) == toy_encrypt(key, block)


@pytest.mark.parametrize("target_id", ["atmega103", "atmega128"])
def test_initialisers_beyond_64_kib_of_flash_are_copied(
    workshop: Workshop, toolchain: Toolchain, target_id: str
) -> None:
    """RAMPZ has to step in the middle of the copy; the space in front is found by building twice."""
    chip = target(target_id)
    table = "volatile uint8_t initialised[64] = {" + ",".join(str(i + 1) for i in range(64)) + "};\n"
    code = (
        table
        + "void space(void);\n"
        + ENCRYPT.replace("blocks++;", "space(); blocks += initialised[in[0] & 63];")
    )

    def image(space_bytes: int) -> bytes:
        space = f'.section .text.space,"ax"\n.global space\nspace: .skip {space_bytes}\n'
        files = {**TOY_FILES, "encrypt.c": "#include <stdint.h>\n" + code, "space.S": space}
        return workshop.build(files, target=chip, toolchain=toolchain).elf

    def load_address(elf: bytes) -> int:
        symbols = ELFFile(io.BytesIO(elf)).get_section_by_name(".symtab")
        return int(symbols.get_symbol_by_name("__data_load_start")[0]["st_value"])

    elf = image(2 + (0x10000 - 20 - load_address(image(2))) // 2 * 2)
    assert 0x10000 - 24 < load_address(elf) < 0x10000
    machine = started(elf, chip)
    assert differing_sections(machine, elf) == []
    assert machine.read("data", machine.symbols()["initialised"][0], 64) == bytes(range(1, 65))

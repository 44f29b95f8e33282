"""The target files load, agree with independent tables, and take their cycle counts from the manual."""

from __future__ import annotations

import csv
import shutil
import subprocess
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Memory, Target

HERE = Path(__file__).parent
CHIPS = {target.id: target for target in load_catalog().targets}
TARGETS = {name: target for name, target in CHIPS.items() if target.file.family == "avr"}
CORES = {str(target.core["id"]): target.core for target in TARGETS.values()}

PAPER_MESSAGE_BYTES = 4096
"""The longest message of the published tables; the lab holds it beside key, IV and guards."""

# The gcc macro that says a core has a feature of ours; SPM and BREAK have none.
MACROS = {
    "jmp-call": "__AVR_HAVE_JMP_CALL__",
    "mul": "__AVR_HAVE_MUL__",
    "movw": "__AVR_HAVE_MOVW__",
    "lpmx": "__AVR_HAVE_LPMX__",
    "elpm": "__AVR_HAVE_ELPM__",
    "elpmx": "__AVR_HAVE_ELPMX__",
    "eijmp-eicall": "__AVR_HAVE_EIJMP_EICALL__",
}

# Our names for the addressing modes of one mnemonic; all others are the mnemonic itself.
ADDRESSING = {
    "ld_x": ("LD", "Rd,X"),
    "ld_x_inc": ("LD", "Rd,X+"),
    "ld_x_dec": ("LD", "Rd,-X"),
    "ldd_y": ("LDD", "Rd,Y+q"),
    "ld_y_inc": ("LD", "Rd,Y+"),
    "ld_y_dec": ("LD", "Rd,-Y"),
    "ldd_z": ("LDD", "Rd,Z+q"),
    "ld_z_inc": ("LD", "Rd,Z+"),
    "ld_z_dec": ("LD", "Rd,-Z"),
    "st_x": ("ST", "X,Rr"),
    "st_x_inc": ("ST", "X+,Rr"),
    "st_x_dec": ("ST", "-X,Rr"),
    "std_y": ("STD", "Y+q,Rr"),
    "st_y_inc": ("ST", "Y+,Rr"),
    "st_y_dec": ("ST", "-Y,Rr"),
    "std_z": ("STD", "Z+q,Rr"),
    "st_z_inc": ("ST", "Z+,Rr"),
    "st_z_dec": ("ST", "-Z,Rr"),
    "lpm": ("LPM", ""),
    "lpm_z": ("LPM", "Rd,Z"),
    "lpm_z_inc": ("LPM", "Rd,Z+"),
    "elpm": ("ELPM", ""),
    "elpm_z": ("ELPM", "Rd,Z"),
    "elpm_z_inc": ("ELPM", "Rd,Z+"),
}

UNKNOWN_TO_GCC = {"atmega4809", "avr128da48"}
"""Chips that GCC 5.4 has no name for."""

SKIPS = {"cpse", "sbrc", "sbrs", "sbic", "sbis"}
BRANCHES = {"brbs", "brbc"}
BY_PROGRAM_COUNTER = {"rcall", "icall", "call", "ret", "reti"}


def test_the_five_chips_are_there() -> None:
    assert set(TARGETS) >= {"atmega103", "atmega128", "atmega328p", "atmega4809", "attiny45"}


@pytest.mark.parametrize("target", CHIPS.values(), ids=CHIPS)
def test_memories_do_not_overlap(target: Target) -> None:
    for one, other in combinations(target.file.memory, 2):
        apart = one.base + one.size <= other.base or other.base + other.size <= one.base
        assert one.space != other.space or apart, (one.name, other.name)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_the_lab_holds_the_longest_message(target: Target) -> None:
    assert target.lab.size >= PAPER_MESSAGE_BYTES + 512
    data = [memory for memory in target.file.memory if memory.space == "data"]
    assert all(memory.base + memory.size <= 0x10000 for memory in data)
    assert target.lab.wait_read_cycles == target.lab.wait_write_cycles == 0


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_every_claim_has_its_evidence(target: Target) -> None:
    file = target.file
    assert file.evidence
    assert file.known_gaps
    assert file.source
    simulated = any("simavr 1.6: all" in line for line in file.evidence)
    assert simulated == (file.tier == "exact"), "exact is what an independent simulator confirmed"


def _pack() -> list[dict[str, str]]:
    """Facts of manufacturers' device packs, of the chips they were read for.

    Those of AVR were read off the headers that avr-libc3 makes of the packs.
    """
    with (HERE / "device_pack.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", _pack(), ids=lambda row: f"{row['target']}-{row['fact']}")
def test_memories_and_registers_are_those_of_the_device_pack(row: dict[str, str]) -> None:
    target = CHIPS[row["target"]]
    name, _, field = row["fact"].partition(".")
    found: Any
    if field:
        memory: Memory = next(memory for memory in target.file.memory if memory.name == name)
        found = getattr(memory, field)
    else:
        address = target.core.get("address", {})
        assert isinstance(address, dict)
        found = {**target.file.core_options, **address}[name]
    assert found == int(row["value"], 0)


def _macros(*flags: str) -> set[str]:
    compiler = shutil.which("avr-gcc")
    if compiler is None:
        pytest.skip("avr-gcc is not installed")
    command = (compiler, *flags, "-dM", "-E", "-x", "c", "/dev/null")
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return {line.split(maxsplit=1)[1] for line in result.stdout.splitlines()}


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_the_core_has_the_instructions_the_compiler_uses(target: Target) -> None:
    macros = {macro.split()[0] for macro in _macros(*target.file.toolchain["gcc"].compile)}
    features = target.core["features"]
    assert isinstance(features, list)
    assert {name for name, macro in MACROS.items() if macro in macros} == set(features) & set(MACROS)
    assert ("__AVR_HAVE_RAMPZ__" in macros) == ("rampz" in _section(target.core, "address"))
    assert ("__AVR_3_BYTE_PC__" in macros) == ("eind" in _section(target.core, "address"))


@pytest.mark.parametrize("name", sorted(TARGETS.keys() - UNKNOWN_TO_GCC))
def test_the_compiler_takes_the_chip_for_the_same_architecture(name: str) -> None:
    def architecture(*flags: str) -> set[str]:
        return {macro for macro in _macros(*flags) if macro.startswith("__AVR_ARCH__")}

    chosen = architecture(*TARGETS[name].file.toolchain["gcc"].compile)
    assert chosen
    assert chosen == architecture(f"-mmcu={name}")


def _section(core: Mapping[str, object], name: str) -> dict[str, int]:
    section = core[name]
    assert isinstance(section, dict)
    return section


def _manual() -> dict[tuple[str, str], dict[str, str]]:
    """Instruction Set Summary of the AVR Instruction Set Manual, DS40002198."""
    with (HERE / "ds40002198_clocks.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {(row["mnemonic"], row["operands"]): row for row in rows}


def _manual_clocks(core: str, instruction: str) -> list[int] | None:
    """Clocks of a row of ours; calls and returns have a second number, for a program counter of 22 bits."""
    manual = _manual()
    if instruction in ADDRESSING:
        row = manual[ADDRESSING[instruction]]
    else:
        row = next(row for (mnemonic, _), row in manual.items() if mnemonic == instruction.upper())
    text = row["avrxt" if core.startswith("avrxt") else "avre"]
    if text == "-":
        return None
    clocks = [int(number) for number in text.split("/")]
    extended = "eind" in _section(CORES[core], "address")
    return clocks[1:] if extended and instruction in BY_PROGRAM_COUNTER else clocks


COUNTS = [(core, instruction) for core, data in CORES.items() for instruction in _section(data, "cycles")]


@pytest.mark.parametrize(("core", "instruction"), COUNTS)
def test_cycles_are_those_of_the_manual(core: str, instruction: str) -> None:
    cycles = _section(CORES[core], "cycles")[instruction]
    extra = _section(CORES[core], "extra")
    clocks = _manual_clocks(core, instruction)
    if clocks is None:
        assumed = CORES[core]["assumed"]
        assert isinstance(assumed, list)
        assert any(line.startswith(f"cycles.{instruction}:") for line in assumed)
        return
    assert cycles == clocks[0]
    if instruction in SKIPS:
        assert [cycles + extra["skip_one_word"], cycles + extra["skip_two_words"]] == clocks[1:]
    if instruction in BRANCHES:
        assert cycles + extra["branch_taken"] == clocks[1]


def test_no_core_forgets_an_instruction_of_the_manual() -> None:
    ours = {name for core in CORES.values() for name in _section(core, "cycles")}
    known = {mnemonic for name, (mnemonic, _) in ADDRESSING.items() if name in ours}
    known |= {name.upper() for name in ours}
    assert {mnemonic for mnemonic, _ in _manual()} <= known

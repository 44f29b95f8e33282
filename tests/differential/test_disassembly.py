"""The text of every compiled instruction is that of the distribution's disassembler, up to spelling."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from differential.disassemblers import Objdump, Simulator
from jobs import write_jobs

from steelyard.catalog.load import load_catalog
from steelyard.machine import Emulator


@dataclass(frozen=True)
class Beside:
    """The other disassembler of a family, and a chip whose images it is given."""

    chip: str
    disassembler: Objdump | Simulator
    # What it adds to an instruction.
    comment: str = r"#.*|<.*>"
    # Its spellings, and ours.
    spellings: tuple[tuple[str, str], ...] = ()


FAMILIES = {
    "riscv": Beside("gd32vf103", Objdump(("riscv64-unknown-elf-objdump", "-M", "no-aliases,numeric"))),
    "cortex-m": Beside(
        "stm32f407",
        Objdump(("arm-none-eabi-objdump", "-M", "reg-names-std")),
        r"@.*|<.*>",
        (
            # A move that shifts by a constant is a shift.
            (r"mov(s?)(\w*)\.w (\w+), (\w+), (lsl|lsr|asr|ror) (#\d+)", r"\5\1\2.w \3, \4, \6"),
            (r"mov(s?)(\w*)\.w (\w+), (\w+), rrx", r"rrx\1\2 \3, \4"),
        ),
    ),
}


# What fills the room between functions.
_NO_INSTRUCTION = re.compile(r"c\.unimp")


def spelled(text: str, beside: Beside) -> str:
    """Without comments and names of places, in single spaces, in our spelling, with numbers in decimal."""
    text = re.sub(r"\s+", " ", re.sub(beside.comment, "", text)).strip()
    for theirs, ours in beside.spellings:
        text = re.sub(theirs, ours, text)
    return re.sub(r"\b0x([0-9a-f]+)\b", lambda number: str(int(number[1], 16)), text)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_compiled_instruction(family: str, tmp_path: Path) -> None:
    beside = FAMILIES[family]
    missing = beside.disassembler.missing()
    if missing is not None:
        pytest.skip(missing)
    write_jobs(tmp_path, [beside.chip], sampled=True)
    images = sorted(tmp_path.glob("*.elf"))
    assert len(images) > 100
    emulator = Emulator(load_catalog().target(beside.chip))
    seen: set[tuple[str, str]] = set()
    for image in images:
        emulator.load(image.read_bytes())
        for line in beside.disassembler.lines(image):
            # What stands before an instruction may change its name; what begins with a dot is data.
            instruction = (line.code, line.text.split()[0])
            if instruction in seen or line.text.startswith("."):
                continue
            text = emulator.disassembled(line.address)
            said = spelled(text[0], beside) if text is not None else "nothing"
            expected = _NO_INSTRUCTION.sub("nothing", spelled(line.text, beside))
            assert said == expected, (image.name, line)
            seen.add(instruction)
    assert len(seen) > 1000

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
    # Number of images at least; of prebuilt ones there are fewer.
    images: int = 100


FAMILIES = {
    "riscv": Beside("gd32vf103", Objdump(("riscv64-unknown-elf-objdump", "-M", "no-aliases,numeric"))),
    "rl78": Beside("rl78-g13", Simulator("rl78", ("rl78-g13",)), images=60),
}


# What fills the room between functions.
_NO_INSTRUCTION = re.compile(r"c\.unimp")


def spelled(text: str, comment: str) -> str:
    """Without comments and names of places, in single spaces, with numbers in decimal."""
    text = re.sub(r"\s+", " ", re.sub(comment, "", text)).strip()
    return re.sub(r"\b0x([0-9a-f]+)\b", lambda number: str(int(number[1], 16)), text)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_compiled_instruction(family: str, tmp_path: Path) -> None:
    beside = FAMILIES[family]
    missing = beside.disassembler.missing()
    if missing is not None:
        pytest.skip(missing)
    write_jobs(tmp_path, [beside.chip], sampled=True)
    images = sorted(tmp_path.glob("*.elf"))
    assert len(images) > beside.images
    emulator = Emulator(load_catalog().target(beside.chip))
    seen: set[str] = set()
    for image in images:
        emulator.load(image.read_bytes())
        for line in beside.disassembler.lines(image):
            if line.code in seen:
                continue
            text = emulator.disassembled(line.address)
            said = spelled(text[0], beside.comment) if text is not None else "nothing"
            expected = _NO_INSTRUCTION.sub("nothing", spelled(line.text, beside.comment))
            assert said == expected, (image.name, line)
            seen.add(line.code)
    assert len(seen) > 1000

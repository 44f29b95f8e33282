"""The text of every compiled instruction is that of the distribution's disassembler, up to spelling."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from jobs import write_jobs

from steelyard.catalog.load import load_catalog
from steelyard.machine import Emulator


@dataclass(frozen=True)
class Beside:
    """The distribution's disassembler of a family, and a chip whose images it is given."""

    chip: str
    command: tuple[str, ...]


FAMILIES = {
    "riscv": Beside("gd32vf103", ("riscv64-unknown-elf-objdump", "-M", "no-aliases,numeric")),
}


@dataclass(frozen=True)
class Line:
    """An instruction: its address, its bytes as written, and its text."""

    address: int
    code: str
    text: str


# What fills the room between functions.
_NO_INSTRUCTION = re.compile(r"c\.unimp")
_LINE = re.compile(r"\s*([0-9a-f]+):\t([0-9a-f ]+?)\s*\t(.*)")


def lines(command: tuple[str, ...], image: Path) -> Iterator[Line]:
    done = subprocess.run([*command, "-d", str(image)], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        found = _LINE.fullmatch(line)
        if found:
            yield Line(int(found[1], 16), found[2], found[3])


def spelled(text: str) -> str:
    """Without comments and names of places, in single spaces, with numbers in decimal."""
    text = re.sub(r"\s+", " ", re.sub(r"\s*(#.*|<.*>)", "", text)).strip()
    return re.sub(r"\b0x([0-9a-f]+)\b", lambda number: str(int(number[1], 16)), text)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_compiled_instruction(family: str, tmp_path: Path) -> None:
    beside = FAMILIES[family]
    if shutil.which(beside.command[0]) is None:
        pytest.skip(f"{beside.command[0]} is not installed")
    write_jobs(tmp_path, [beside.chip], sampled=True)
    images = sorted(tmp_path.glob("*.elf"))
    assert len(images) > 100
    emulator = Emulator(load_catalog().target(beside.chip))
    seen: set[str] = set()
    for image in images:
        emulator.load(image.read_bytes())
        for line in lines(beside.command, image):
            if line.code in seen:
                continue
            text = emulator.disassembled(line.address)
            said = spelled(text[0]) if text is not None else "nothing"
            assert said == _NO_INSTRUCTION.sub("nothing", spelled(line.text)), (image.name, line)
            seen.add(line.code)
    assert len(seen) > 1000

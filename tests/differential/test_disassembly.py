"""The text of every compiled instruction is that of the distribution's disassembler, up to spelling."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
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
    "arm": Beside(
        "pxa250-200",
        Objdump(("arm-none-eabi-objdump", "-M", "reg-names-std")),
        r"@ (?!\((?:str|ldr|mov)).*|<.*>",
        (
            # Behind a push or pop of one register, and behind `nop`, the comment is what it stands for.
            (r".*@ \((.*)\)", r"\1"),
            (r"stmfd(\w*) sp!,", r"push\1"),
            (r"ldmfd(\w*) sp!,", r"pop\1"),
            (r"(ldm|stm)(?!ia|ib|da|db)(\w*) ", r"\1ia\2 "),
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


# Long calls, to Thumb and to A32.
_LONG_CALLS = (0xF000F801, 0xF7FFFFDC, 0xF400FAAA, 0xF000E802, 0xF7FFEFFE)


def test_every_halfword_of_thumb(tmp_path: Path) -> None:
    """No image of the bench has Thumb on ARM: the assembler makes one of all instructions of two bytes."""
    tools = [f"arm-none-eabi-{tool}" for tool in ("as", "ld", "objdump")]
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{missing[0]} is not installed")
    # From 0xe800 on instructions of four bytes begin.
    lines = [f".inst.n {half}" for half in range(0xE800)] + [f".inst.w {call}" for call in _LONG_CALLS]
    source = ".arch armv5te\n.thumb\n.global _start\n_start:\n" + "\n".join(lines) + "\n"
    image = tmp_path / "thumb.elf"
    subprocess.run([tools[0], "-o", tmp_path / "thumb.o"], input=source, text=True, check=True)
    subprocess.run([tools[1], "-Ttext=0xa0000000", tmp_path / "thumb.o", "-o", image], check=True)
    emulator = Emulator(load_catalog().target("pxa250-200"))
    emulator.load(image.read_bytes())
    beside = FAMILIES["arm"]
    ours: Counter[str] = Counter()
    theirs: set[str] = set()
    for line in beside.disassembler.lines(image):
        text = emulator.disassembled(line.address | 1)
        expected = spelled(line.text, beside).replace(".n ", " ")
        mnemonic = expected.split(" ")[0]
        if "UNDEFINED" in line.text:
            # Bits that should be 0 are not.
            assert text is not None and text[0].startswith(("bx ", "blx ")), line
        elif text is not None:
            assert spelled(text[0], beside) == expected, line
            ours[mnemonic] += 1
        elif "{}" not in expected:
            theirs.add(mnemonic)
    assert ours.total() > 50_000
    assert ours["bl"] == 3 and ours["blx"] > 2
    assert theirs.isdisjoint(ours)

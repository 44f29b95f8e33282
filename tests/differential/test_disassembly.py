"""The text of every compiled instruction is that of the distribution's disassembler, up to spelling."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

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
    # Patterns of its text, and what the emulator may say instead.
    spellings: tuple[tuple[str, str], ...] = ()
    # Spellings that are replaced in both texts.
    alike: tuple[tuple[str, str], ...] = ()
    # Number of images at least; of prebuilt ones there are fewer.
    images: int = 100


_SPARC = (
    (r"unimp \d+", "nothing"),
    # The manual's synthetic instructions, by its appendix A.
    (r"nop", r"sethi %hi(0), %g0"),
    (r"b(,a)? (.*)", r"ba\1 \2"),
    (r"cmp (.*)", r"subcc \1, %g0"),
    (r"tst (.*)", r"orcc %g0, \1, %g0"),
    (r"tst (.*)", r"orcc \1, %g0, %g0"),
    (r"btst (.*), (.*)", r"andcc \2, \1, %g0"),
    (r"btst (.*)", r"andcc \1, %g0"),
    (r"mov (.*)", r"or %g0, \1"),
    (r"mov (.*), (.*)", r"or \1, 0, \2"),
    (r"mov (.*), (.*)", r"or \1, %g0, \2"),
    (r"clr (%.*)", r"or %g0, %g0, \1"),
    (r"clr (%.*)", r"or %g0, 0, \1"),
    (r"clr([bh]?) (\[.*)", r"st\1 %g0, \2"),
    (r"inc(cc)? (%.*)", r"add\1 \2, 1, \2"),
    (r"dec(cc)? (%.*)", r"sub\1 \2, 1, \2"),
    (r"neg (%\w+)", r"sub %g0, \1, \1"),
    (r"neg (.*)", r"sub %g0, \1"),
    (r"(save|restore)", r"\1 %g0, %g0, %g0"),
    (r"ret", r"jmpl %i7 + 8, %g0"),
    (r"retl", r"jmpl %o7 + 8, %g0"),
    (r"jmp (.*)", r"jmpl \1, %g0"),
    (r"wr (%\w+), %y", r"wr \1, %g0, %y"),
)

# Instructions that the MSP430 emulates by others (SLAU049F, 3.4.5).
_MSP430 = (
    (r"rla(\.b)? (.*)", r"add\1 \2,\2"),
    (r"rlc(\.b)? (.*)", r"addc\1 \2,\2"),
    (r"clr(\.b)? (.*)", r"mov\1 #0,\2"),
    (r"pop(\.b)? (.*)", r"mov\1 @r1+,\2"),
    (r"inc(\.b)? (.*)", r"add\1 #1,\2"),
    (r"incd(\.b)? (.*)", r"add\1 #2,\2"),
    (r"dec(\.b)? (.*)", r"sub\1 #1,\2"),
    (r"decd(\.b)? (.*)", r"sub\1 #2,\2"),
    (r"adc(\.b)? (.*)", r"addc\1 #0,\2"),
    (r"sbc(\.b)? (.*)", r"subc\1 #0,\2"),
    (r"dadc(\.b)? (.*)", r"dadd\1 #0,\2"),
    (r"tst(\.b)? (.*)", r"cmp\1 #0,\2"),
    (r"inv(\.b)? (.*)", r"xor\1 #-1,\2"),
    (r"br (.*)", r"mov \1,r0"),
    (r"ret", r"mov @r1+,r0"),
    (r"nop", r"mov #0,r3"),
    (r"clrc", r"bic #1,r2"),
    (r"setc", r"bis #1,r2"),
)

FAMILIES = {
    "msp430": Beside("msp430f1611", Simulator("msp430"), r"(?<=,)\s+|;.*", _MSP430),
    "m16c": Beside("m30102", Simulator("m16c"), images=50),
    "avr": Beside("atmega128", Objdump(("avr-objdump",)), comment=";.*"),
    "riscv": Beside("gd32vf103", Objdump(("riscv64-unknown-elf-objdump", "-M", "no-aliases,numeric"))),
    "sparc": Beside("leon3", Objdump(("sparc64-linux-gnu-objdump",)), r"!.*|<.*>", _SPARC),
    "cortex-m": Beside(
        "stm32f407",
        Objdump(("arm-none-eabi-objdump", "-M", "reg-names-std")),
        r"@.*|<.*>",
        alike=(
            # A move that shifts by a constant is a shift.
            (r"mov(s?)(\w*)\.w (\w+), (\w+), (lsl|lsr|asr|ror) (#\d+)", r"\5\1\2.w \3, \4, \6"),
            (r"mov(s?)(\w*)\.w (\w+), (\w+), rrx", r"rrx\1\2 \3, \4"),
        ),
    ),
    "rl78": Beside("rl78-g13", Simulator("rl78", ("rl78-g13",)), images=60),
    "arm": Beside(
        "pxa250-400",
        Objdump(("arm-none-eabi-objdump", "-M", "reg-names-std")),
        r"@ (?!\((?:str|ldr|mov)).*|<.*>",
        alike=(
            # Behind a push or pop of one register, and behind `nop`, the comment is what it stands for.
            (r".*@ \((.*)\)", r"\1"),
            (r"stmfd(\w*) sp!,", r"push\1"),
            (r"ldmfd(\w*) sp!,", r"pop\1"),
            (r"(ldm|stm)(?!ia|ib|da|db)(\w*) ", r"\1ia\2 "),
        ),
    ),
}


# What fills the room between functions.
_NO_INSTRUCTION = re.compile(r"c\.unimp|\.word .*")


def spelled(text: str, beside: Beside) -> str:
    """Without comments and names of places, in single spaces, with numbers in decimal."""
    text = re.sub(r"\s+", " ", re.sub(beside.comment, "", text)).strip()
    for theirs, ours in beside.alike:
        text = re.sub(theirs, ours, text)
    return re.sub(r"\b0x([0-9a-fA-F]+)\b", lambda number: str(int(number[1], 16)), text)


def respelled(text: str, spellings: tuple[tuple[str, str], ...]) -> list[str]:
    """The text in each way that the emulator may spell it."""
    found = ((re.fullmatch(pattern, text), replacement) for pattern, replacement in spellings)
    return [match.expand(replacement) for match, replacement in found if match] or [text]


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
            assert said in respelled(expected, beside.spellings), (image.name, line)
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
        if "UNDEFINED" in line.text or mnemonic in ("bxns", "blxns"):
            # Bits that should be 0 are not; in later architectures they mean something.
            assert text is None or text[0].startswith(("bx ", "blx ")), line
        elif text is not None:
            assert spelled(text[0], beside) == expected, line
            ours[mnemonic] += 1
        elif "{}" not in expected:
            theirs.add(mnemonic)
    assert ours.total() > 50_000
    assert ours["bl"] == 3 and ours["blx"] > 2
    # A call through the program counter is UNPREDICTABLE, and refused.
    assert theirs & set(ours) <= {"blx"}


# What objdump writes where bits are not as they should be.
_OTHERWISE = re.compile(r"$|mrc|mcr|.*UNDEFINED|.*UNPREDICTABLE")
# What every word that objdump writes so is.
_OF_THE_UNIT = re.compile(
    r"v(n?ml[as]|fn?m[as]|n?mul|add|sub|div|sqrt|abs|neg|cmpe?|rint\w|sel\w\w|maxnm|minnm)\.f32 "
)


def test_words_of_the_floating_point_unit(tmp_path: Path) -> None:
    """Random words of coprocessors 10 and 11, as the Cortex-M33 reads them."""
    objdump = shutil.which("arm-none-eabi-objdump")
    if objdump is None:
        pytest.skip("arm-none-eabi-objdump is not installed")
    random = Random(1)
    fixed = (
        (0xEE000A00, 0x00FFF0EF),
        (0xFE000A00, 0x00FFF0EF),
        (0xEC000A00, 0x01FFF1FF),
        (0xEE000A10, 0x00FFF160),
    )
    words = [value | random.getrandbits(32) & free for value, free in fixed for _ in range(5000)]
    code = b"".join(half.to_bytes(2, "little") for word in words for half in (word >> 16, word & 0xFFFF))
    (tmp_path / "words").write_bytes(code)
    told = subprocess.run(
        [objdump, "-D", "-b", "binary", "-m", "arm", "-M", "force-thumb,reg-names-std", tmp_path / "words"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    lines = re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(.*)$", told, re.MULTILINE)
    theirs = {int(address, 16): spelled(text, FAMILIES["cortex-m"]) for address, text in lines}
    emulator = Emulator(load_catalog().target("stm32l552"))
    start = 0x20000000
    emulator.write("data", start, code)
    same = 0
    for number, word in enumerate(words):
        text, expected = emulator.disassembled(start + 4 * number), theirs.get(4 * number, "")
        if text is None:
            assert not _OF_THE_UNIT.match(expected), (hex(word), expected)
        elif not _OTHERWISE.match(expected):
            assert spelled(text[0], FAMILIES["cortex-m"]) == expected, hex(word)
            same += 1
    assert same > 4000

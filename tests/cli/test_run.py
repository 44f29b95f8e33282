"""Images run from one address to another, raw ones too; firmware times itself."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import steelyard as api

HERE = Path(__file__).parent
GOLDEN = HERE.parent / "golden" / "sum.elf"
CORTEX_M = ("thumb-freestanding-eabi", "cortex_m3", 0x0800_0000, 0x2000_0000)
SCRIPT = """
ENTRY(start)
PHDRS {{ code PT_LOAD; data PT_LOAD; }}
SECTIONS {{
    .text {flash:#x} : {{ *(.text) }} :code
    .results {ram:#x} (NOLOAD) : {{ *(.results) }} :data
    /DISCARD/ : {{ *(.ARM.*) *(.riscv.*) *(.comment) }}
}}
"""
RISCV = ("riscv32-freestanding", "sifive_e31", 0x0800_0000, 0x8000_0000)


def _clang(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "ziglang", *map(str, arguments)], check=True, capture_output=True)


def _linked(source: Path, machine: tuple[str, str, int, int], folder: Path) -> Path:
    """The firmware as an ELF file; beside it the bytes of its flash, `.bin`."""
    triple, cpu, flash, ram = machine
    part, elf, raw, script = (folder / f"firmware.{suffix}" for suffix in ("o", "elf", "bin", "ld"))
    script.write_text(SCRIPT.format(flash=flash, ram=ram))
    _clang("cc", "-target", triple, f"-mcpu={cpu}", "-c", source, "-o", part)
    _clang("ld.lld", "-T", script, part, "-o", elf)
    _clang("ld.lld", "-T", script, "--oformat=binary", part, "-o", raw)
    return elf


def _symbol(elf: Path, name: str, target: str) -> int:
    from steelyard.catalog.load import load_catalog
    from steelyard.machine import Emulator

    emulator = Emulator(load_catalog().target(target))
    emulator.load(elf.read_bytes())
    return emulator.address(name)


def test_raw_firmware_times_itself_on_cortex_m(steelyard: Any, tmp_path: Path) -> None:
    elf = _linked(HERE / "firmware.S", CORTEX_M, tmp_path)
    done = _symbol(elf, "done", "stm32f100")
    asked = ("--target", "stm32f100", "--to", hex(done), "--read", "0x20000000:20")
    (row,) = steelyard.json("run", elf.with_suffix(".bin"), "--raw", "0x8000000", *asked)
    assert row["status"] == "ok"
    cyccnt, cpicnt, lsucnt, foldcnt, systick = struct.unpack(
        "<5I", bytes.fromhex(row["memory"]["0x20000000:20"])
    )
    # From the store that switches the counters on up to the load of the first: two and three rounds of four.
    counted = 2 + 3 * 4
    # ARM DDI 0403, C1.8.1: cycles are instructions and overheads; a counter is read in its load's last cycle.
    assert cyccnt == counted + cpicnt + lsucnt - foldcnt
    assert cpicnt > 3
    # Between SysTick's readings lie the store that starts the counters, and four loads behind that of CYCCNT.
    assert systick == 1 + cyccnt + 4
    from_elf = steelyard.json("run", elf, "--target", "stm32f100", "--to", "done", "--read", "results")[0]
    assert from_elf["memory"]["results"] == row["memory"]["0x20000000:20"]
    assert from_elf["cycles"] == row["cycles"]
    assert (from_elf["instructions"], from_elf["fault_kind"]) == (row["instructions"], None)


def test_raw_firmware_times_itself_on_riscv(steelyard: Any, tmp_path: Path) -> None:
    elf = _linked(HERE / "firmware-riscv.S", RISCV, tmp_path)
    done = _symbol(elf, "done", "fe310-g002-itim")
    asked = ("--target", "fe310-g002-itim", "--to", hex(done), "--read", "0x80000000:12")
    (row,) = steelyard.json("run", elf.with_suffix(".bin"), "--raw", "0x8000000", *asked)
    minstret, mcycle, mtime = struct.unpack("<3I", bytes.fromhex(row["memory"]["0x80000000:12"]))
    # From one csrr to the other: itself, li (two instructions), and the loop.
    assert minstret == 1 + 2 + 2 * 30_000
    assert minstret < mcycle < 2 * minstret
    # 32,768 Hz beside 256 MHz.
    assert mtime in (mcycle * 32768 // 256_000_000, mcycle * 32768 // 256_000_000 + 1)


STORES = {
    "sa1100": (
        0xC000_0000,
        struct.pack("<4I", 0xE3A00005, 0xE59F1000, 0xE5810000, 0xC010_0000),
        12,
        "0xc0100000:4",
    ),
    "atmega128": (0, struct.pack("<3H", 0xE005, 0x9300, 0x0100), 6, "0x800100:1"),
    "msp430f1611": (0x4000, struct.pack("<3H", 0x40B2, 5, 0x1100), 6, "0x1100:2"),
    "rl78-g13": (0x1000, bytes.fromhex("cf00f005"), 4, "0xff000:1"),
    "m30102": (0xFA000, bytes.fromhex("c7050004"), 4, "0x400:1"),
    "leon3": (0x4000_0000, struct.pack(">3I", 0x03100400, 0x84102005, 0xC4204000), 12, "0x40100000:4"),
    "fe310-g002-itim": (
        0x0800_0000,
        struct.pack("<3I", 0x80000537, 0x00500593, 0x00B52023),
        12,
        "0x80000000:4",
    ),
    "samd21": (
        0,
        struct.pack("<2I6H", 0x2000_1000, 9, 0x2005, 0x2101, 0x0749, 0x6008, 0xE7FE, 0),
        0x10,
        "0x20000000:4",
    ),
}
"""By target: where a program lies that stores 5, the program, its length, and where it stores."""


@pytest.mark.parametrize("target", STORES)
def test_raw_programs_run_on_every_family(steelyard: Any, tmp_path: Path, target: str) -> None:
    base, program, length, place = STORES[target]
    image = tmp_path / "program.bin"
    image.write_bytes(program)
    asked = ("--raw", hex(base), "--target", target, "--to", hex(base + length), "--read", place)
    (row,) = steelyard.json("run", image, *asked)
    assert row["status"] == "ok"
    assert sum(bytes.fromhex(row["memory"][place])) == 5
    assert row["cycles"] >= row["instructions"] > 0
    # The same from Python.
    done = api.run(image, target, stop=hex(base + length), raw_address=base, read=place)
    assert (done.call.cycles, done.memory[place].hex()) == (row["cycles"], row["memory"][place])


def test_an_image_runs_from_a_symbol_to_another(steelyard: Any) -> None:
    first = _symbol(GOLDEN, "sum", "atmega128")
    asked = ("run", GOLDEN, "--target", "atmega128", "--from", "sum", "--read", "0x800100:2")
    (row,) = steelyard.json(*asked, "--to", hex(first + 2))
    assert (row["status"], row["instructions"]) == ("ok", 1)
    assert row["cycles"] >= 1
    assert (row["from"], row["memory"]) == ("sum", {"0x800100:2": "0000"})
    (none,) = steelyard.json(*asked, "--to", "sum")
    assert (none["cycles"], none["instructions"]) == (0, 0)
    assert "0x800100:2: 0000" in steelyard.run(*asked, "--to", "sum").stdout


def test_a_run_that_faults_says_why(steelyard: Any, tmp_path: Path) -> None:
    image = tmp_path / "program.bin"
    image.write_bytes(struct.pack("<2I2H", 0x2000_1000, 0x7000_0009, 0xBF00, 0xE7FD))
    asked = ("run", image, "--raw", "0x8000000", "--target", "stm32f100")
    said = steelyard.run(*asked, "--to", "0x8000009", status=2).stderr
    assert "reset vector at 0x08000004 is 0x70000009" in said
    begun = (*asked, "--from", "0x8000008")
    endless = steelyard.json(*begun, "--to", "0x8000010", "--max-cycles", "1000", status=1)[0]
    assert (endless["status"], endless["fault_kind"]) == ("fault", "cycle-budget")
    image.write_bytes(struct.pack("<2I4H", 0x2000_1000, 0x8000009, 0x2001, 0x0780, 0x6800, 0xE7FE))
    lost = steelyard.json(*asked, "--to", "0x800000e", "--read", "0x20000000:4", status=1)[0]
    assert lost["fault_kind"] == "unmapped-address"
    assert "0x40000000" in lost["error"]
    assert lost["memory"] == {"0x20000000:4": "00000000"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--to", "revers"), 'did you mean "reverse"?'),
        (("--to", "sum", "--from", "5"), "0x5 is no address of an instruction"),
        (("--to", "0x99999999"), "no address of an instruction"),
        (("--to", "sum", "--read", "nothing_such"), "--read: unknown symbol"),
        (("--to", "sum", "--read", "0x800100:0"), "a length is 1 to"),
        (("--to", "sum", "--read", "0x80ffff:9"), "beyond the data space"),
        (("--to", "sum", "--raw", "here"), "--raw here: not an address"),
        (("--to", "0", "--raw", "0x1fffe"), "does not fit the chip"),
    ],
)
def test_bad_input_is_one_sentence(steelyard: Any, options: tuple[str, ...], sentence: str) -> None:
    assert sentence in steelyard.sentence("run", GOLDEN, "--target", "atmega128", *options, status=2)


def test_a_missing_image_and_an_unknown_chip_are_one_sentence(steelyard: Any) -> None:
    asked = ("--target", "atmega128", "--to", "0")
    assert "cannot be read" in steelyard.sentence("run", "nothing.elf", *asked, status=2)
    assert 'did you mean "atmega128"?' in steelyard.sentence(
        "run", GOLDEN, "--target", "atmega12", "--to", "0", status=2
    )


def test_words_are_written_before_the_run(steelyard: Any, tmp_path: Path) -> None:
    elf = _linked(HERE / "firmware.S", CORTEX_M, tmp_path)
    asked = ("run", elf, "--target", "stm32f100", "--from", "done", "--to", "done")
    reads = ("--read", "0x20000000", "--read", "results:4")
    (row,) = steelyard.json(*asked, "--write", "0x20000000=0x12345678", *reads)
    assert row["memory"]["0x20000000"] == "78563412"
    (row,) = steelyard.json(*asked, "--write", "results=7", "--write", "0xe000edfc=0x1000000", *reads)
    assert row["memory"]["results:4"] == "07000000"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0x20000000", "not PLACE=VALUE"),
        ("0x20000000=0x100000000", "a value of 4 bytes"),
        ("resulst=1", "results"),
        ("0x70000000=1", "where no memory lies"),
    ],
)
def test_what_cannot_be_written_is_one_sentence(steelyard: Any, tmp_path: Path, text: str, said: str) -> None:
    elf = _linked(HERE / "firmware.S", CORTEX_M, tmp_path)
    assert said in steelyard.sentence(
        "run", elf, "--target", "stm32f100", "--to", "done", "--write", text, status=2
    )

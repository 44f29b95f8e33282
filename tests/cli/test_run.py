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


REGISTERS = {
    "stm32f100": ("r0=0x20000100", "r12=1", "lr=0xffffffff", "sp=0x20000800"),
    "stm32f407": ("s31=0x3f800000",),
    "samd21": ("r7=5",),
    "sa1100": ("r0=0xc0100000", "lr=4"),
    "atmega128": ("r24=255",),
    "msp430f1611": ("r12=0xffff", "r1=0x3000"),
    "msp430f5529": ("r15=0xfffff",),
    "rl78-g13": ("a=255", "hl=0xffff", "sp=0xff00"),
    "m30102": ("r0=0xffff", "sb=1", "sp=0x7fe"),
    "leon3": ("%o0=0xffffffff", "%sp=0x40100000", "%i7=1"),
    "fe310-g002-itim": ("x10=0xffffffff", "x31=1"),
}
"""By target: registers that a run may begin with, the largest values among them."""

GIVEN = {
    # str r1, [r0]
    "stm32f100": (0x0800_0000, "0160", ("r0=0x20000100", "r1=0x12345678"), "0x20000100:4", "78563412"),
    # vstr s1, [r0]
    "stm32f407": (0x0800_0000, "c0ed000a", ("r0=0x20000100", "s1=0x3f800000"), "0x20000100:4", "0000803f"),
    # str r1, [r0]
    "sa1100": (0xC000_0000, "001080e5", ("r0=0xc0100000", "r1=7"), "0xc0100000:4", "07000000"),
    # sts 0x0100, r24
    "atmega128": (0, "80930001", ("r24=7",), "0x800100:1", "07"),
    # mov r12, &0x1100
    "msp430f1611": (0x4000, "824c0011", ("r12=0x1234",), "0x1100:2", "3412"),
    # mov !0xff000, a
    "rl78-g13": (0x1000, "9f00f0", ("a=7",), "0xff000:1", "07"),
    # mov.w r0, 0x0400
    "m30102": (0xFA000, "730f0004", ("r0=0x1234",), "0x400:2", "3412"),
    # st %o0, [%g1]
    "leon3": (0x4000_0000, "d0204000", ("%o0=7", "%g1=0x40100000"), "0x40100000:4", "00000007"),
    # sw x11, 0(x10)
    "fe310-g002-itim": (0x0800_0000, "2320b500", ("x10=0x80000000", "x11=7"), "0x80000000:4", "07000000"),
}
"""By target: where an instruction that stores a register lies, itself, registers, and what it leaves."""


@pytest.mark.parametrize("target", GIVEN)
def test_registers_are_set_before_the_run(steelyard: Any, tmp_path: Path, target: str) -> None:
    base, code, registers, place, left = GIVEN[target]
    image = tmp_path / "store.bin"
    image.write_bytes(bytes.fromhex(code) + bytes(4))
    given = [word for register in registers for word in ("--register", register)]
    extent = ("--raw", hex(base), "--from", hex(base), "--to", hex(base + len(code) // 2), "--read", place)
    (row,) = steelyard.json("run", image, "--target", target, *extent, *given)
    assert (row["status"], row["instructions"]) == ("ok", 1)
    assert row["memory"][place] == left


@pytest.mark.parametrize("target", REGISTERS)
def test_every_family_has_registers_to_set(target: str) -> None:
    from steelyard.catalog.load import load_catalog
    from steelyard.errors import UsageError
    from steelyard.machine import Emulator

    emulator = Emulator(load_catalog().target(target))
    for text in REGISTERS[target]:
        name, value = text.split("=")
        assert emulator.registers({name: int(value, 0)})
        with pytest.raises(UsageError, match=f"register {name} has"):
            emulator.registers({name: 1 << 32})
    with pytest.raises(UsageError, match="unknown register"):
        emulator.registers({"pc": 0})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("r0", "not NAME=VALUE"),
        ("r0=x", "not NAME=VALUE"),
        ("r00=1", 'unknown register "r00"; did you mean "r0"?'),
        ("r0=0x100000000", "not NAME=VALUE"),
        ("s0=1", "unknown register"),
        ("sp=0x20000001", "is no stack pointer"),
    ],
)
def test_a_wrong_register_is_one_sentence(steelyard: Any, tmp_path: Path, text: str, said: str) -> None:
    elf = _linked(HERE / "firmware.S", CORTEX_M, tmp_path)
    asked = ("run", elf, "--target", "stm32f100", "--to", "done", "--register", text)
    assert said in steelyard.sentence(*asked, status=2)


def _clock_set_up(folder: Path, last: int = 0) -> Path:
    """Firmware that sets and reads a register of a peripheral twice, then stores 5 in RAM.

    `last` is where it loads from at the end.
    """
    image = folder / f"clock{last:x}.bin"
    code = struct.pack(
        "<14H",
        # ldr r0, =0x40021000; movs r1, #5; str r1, [r0]; ldr r2, [r0]; str r1, [r0, #4]; ldr r2, [r0, #4]
        *(0x4806, 0x2105, 0x6001, 0x6802, 0x6041, 0x6842),
        # ldr r3, =0x20000000; adds r1, r1, r2; str r1, [r3]; ldr r0, =last; ldr r0, [r0]; b .; nop
        *(0x4B04, 0x1889, 0x6019, 0x4804, 0x6800, 0xE7FE, 0xBF00, 0xBF00),
    )  # fmt: skip
    words = struct.pack("<3I", 0x4002_1000, 0x2000_0000, last or 0x2000_0000)
    image.write_bytes(struct.pack("<2I", 0x2000_1000, 0x0800_0009) + code + words)
    return image


CLOCK = ("--raw", "0x8000000", "--target", "stm32f100", "--to", "0x800001e", "--read", "0x20000000:4")


def test_peripherals_can_be_ignored(steelyard: Any, tmp_path: Path) -> None:
    image = _clock_set_up(tmp_path)
    (lost,) = steelyard.json("run", image, *CLOCK, status=1)
    assert (lost["fault_kind"], lost["ignored"]) == ("unmapped-address", None)
    (row,) = steelyard.json("run", image, *CLOCK, "--ignore-peripherals")
    said = "4 accesses to peripherals ignored, first at 0x40021000 from 0x800000c."
    assert (row["status"], row["ignored"]) == ("ok", said)
    assert row["memory"]["0x20000000:4"] == "05000000"
    assert row["instructions"] == 11
    assert said in steelyard.run("run", image, *CLOCK, "--ignore-peripherals").stdout
    # Where no peripheral lies it stays a fault, and where none is asked for nothing is said.
    stray = _clock_set_up(tmp_path, 0x7000_0000)
    (stray_row,) = steelyard.json("run", stray, *CLOCK, "--ignore-peripherals", status=1)
    assert "0x70000000" in stray_row["error"]
    done = api.run(image, "stm32f100", stop="0x800001e", raw_address=0x800_0000, ignore_peripherals=True)
    assert done.ignored.accesses == 4


def test_the_core_s_own_timer_is_no_ignored_peripheral(steelyard: Any, tmp_path: Path) -> None:
    image = tmp_path / "timer.bin"
    # sw x11, 0(x10); sw x11, 0(x12); lw x14, 0(x12); lw x15, 0(x10); sw x14, 0(x13); sw x15, 4(x13)
    code = (0x00B52023, 0x00B62023, 0x00062703, 0x00052783, 0x00E6A023, 0x00F6A223)
    image.write_bytes(struct.pack("<6I", *code) + bytes(4))
    # A serial port, the timer's mtimecmp, and RAM.
    given = ("x10=0x10013000", "x11=7", "x12=0x2004000", "x13=0x80000000")
    asked = [word for register in given for word in ("--register", register)]
    raw = ("--raw", "0x8000000", "--to", "0x8000018", "--read", "0x80000000:8", "--target", "fe310-g002-itim")
    (row,) = steelyard.json("run", image, *raw, *asked, "--ignore-peripherals")
    assert row["memory"]["0x80000000:8"] == "07000000" + "00000000"
    assert row["ignored"] == "2 accesses to peripherals ignored, first at 0x10013000 from 0x8000000."


def test_many_images_run_in_one_process(steelyard: Any, tmp_path: Path) -> None:
    clock = _clock_set_up(tmp_path)
    stray = _clock_set_up(tmp_path, 0x7000_0000)
    missing, large = tmp_path / "missing.bin", tmp_path / "large.bin"
    large.write_bytes(bytes(0x20001))
    images = (clock, stray, missing, large, clock)
    rows = steelyard.json("run", *images, *CLOCK, "--ignore-peripherals", status=1)
    assert [row["image"] for row in rows] == [str(image) for image in images]
    assert [row["status"] for row in rows] == ["ok", "fault", "unusable", "unusable", "ok"]
    assert rows[4] == rows[0] == steelyard.json("run", clock, *CLOCK, "--ignore-peripherals")[0]
    assert rows[1] == steelyard.json("run", stray, *CLOCK, "--ignore-peripherals", status=1)[0]
    assert "cannot be read" in rows[2]["error"]
    assert "does not fit the chip" in rows[3]["error"]
    assert rows[3]["cycles"] is None
    told = steelyard.run("run", *images, *CLOCK, "--ignore-peripherals", status=1)
    assert len(told.stderr.strip().splitlines()) == 3
    assert f"{clock}: 0x20000000:4: 05000000" in told.stdout.replace("\n", "")
    wrong = steelyard.sentence("run", *images, *CLOCK, "--register", "r99=1", status=2)
    assert "unknown register" in wrong


def test_an_image_lies_at_both_addresses_of_a_flash(steelyard: Any, tmp_path: Path) -> None:
    """Run where the chip also has it, with waits: a cycle count of its own memory."""
    own = tmp_path / "slow.toml"
    # A core without a queue of fetched words, which would hide the second row.
    own.write_text(
        'id = "slow"\ncore = "cortex-m4"\nclock_hz = 24_000_000\nmemory = [\n'
        '{ name = "flash", space = "program", kind = "flash", base = 0x08000000, size = 4096, also_at=[0]},\n'
        '{ name = "sram", space = "data", kind = "ram", base = 0x20000000, size = 0x2000 },\n]\n'
        "[flash]\naccess_ns = 83.0\nrow_bytes = 8\n",
        "utf-8",
    )
    image = tmp_path / "nops.bin"
    image.write_bytes(struct.pack("<2I8H", 0x2000_1000, 9, *[0xBF00] * 8))
    asked = ("run", image, "--raw", "0x8000000", "--target", own)
    cycles = [
        steelyard.json(*asked, "--from", hex(base + 8), "--to", hex(base + 0x18))[0]["cycles"]
        for base in (0x800_0000, 0)
    ]
    # Two rows of four instructions, each a cycle late.
    assert cycles == [8 + 2, 8 + 2]


def test_bits_have_words_and_the_core_says_who_it_is(steelyard: Any, tmp_path: Path) -> None:
    image = tmp_path / "bits.bin"
    # str r1, [r0]; ldr r2, [r3]; str r2, [r4]
    image.write_bytes(struct.pack("<2I4H", 0x2000_1000, 0x0800_0009, 0x6001, 0x681A, 0x6022, 0xE7FE))
    given = ("r0=0x22000008", "r1=1", "r3=0xe000ed00", "r4=0x20000004")
    asked = [word for register in given for word in ("--register", register)]
    raw = ("--raw", "0x8000000", "--to", "0x800000e", "--read", "0x20000000:8")
    (row,) = steelyard.json("run", image, "--target", "stm32f100", *raw, *asked)
    assert row["memory"]["0x20000000:8"] == "04000000" + "31c22f41"


def test_many_images_are_called_in_one_process(steelyard: Any, tmp_path: Path) -> None:
    raw = tmp_path / "raw.elf"
    raw.write_bytes(b"no ELF file")
    called = ("--call", "sum", "--target", "atmega128", "--arg", "in:0102", "--arg", "2")
    rows = steelyard.json("measure", "--elf", GOLDEN, "--elf", raw, "--elf", GOLDEN, *called, status=1)
    assert [row["status"] for row in rows] == ["ok", "unsupported", "ok"]
    assert "not a usable" in rows[1]["error"]
    (alone,) = steelyard.json("measure", "--elf", GOLDEN, *called)
    assert {row["cycles"] for row in (rows[0], rows[2], alone)} == {alone["cycles"]}
    shown = {row["image"]: row["cycles"] for row in steelyard.json("show", "--unverified")}
    assert shown == {str(GOLDEN): alone["cycles"], str(raw): None}
    assert str(raw) in steelyard.sentence("measure", "--elf", raw, *called, status=2)


def test_a_called_function_may_ignore_peripherals(steelyard: Any, tmp_path: Path) -> None:
    source = tmp_path / "port.S"
    source.write_text(
        ".syntax unified\n.thumb\n.thumb_func\n.global port\n.type port, %function\nport:\n"
        "ldr r1, =0x40010800\nldr r0, [r1, #8]\nadds r0, #3\nstr r0, [r1]\nbx lr\n.ltorg\n"
        '.section .results, "aw", %nobits\n.space 4\n.set start, port\n.global start\n',
        "utf-8",
    )
    elf = _linked(source, CORTEX_M, tmp_path)
    asked = ("measure", "--elf", elf, "--call", "port", "--target", "stm32f100")
    assert steelyard.json(*asked, status=1)[0]["fault_kind"] == "unmapped-address"
    (row,) = steelyard.json(*asked, "--ignore-peripherals")
    first = _symbol(elf, "port", "stm32f100") + 2 & ~1
    assert row["ignored"] == f"2 accesses to peripherals ignored, first at 0x40010808 from {first:#x}."
    assert (row["status"], row["return_value"]) == ("ok", "3")
    assert row["ignored"] in steelyard.run(*asked, "--ignore-peripherals").stderr
    assert "--elf" in steelyard.sentence("measure", "--ignore-peripherals", "--target", "stm32f100", status=2)

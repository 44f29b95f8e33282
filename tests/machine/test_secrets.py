"""What depends on secrets, where runs part, and the way of a secret: tiny C functions on several families."""

from __future__ import annotations

import importlib.util
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.machine import Call, Difference, Emulator, Leak, Trace, first_differences

ROOT = Path(__file__).parents[2]
MAX_CYCLES = 100_000
KEY = bytes(range(0x31, 0x41))

CODE = """
#include <stdint.h>
#include <valgrind/memcheck.h>

#define PLACE __attribute__((noinline, used))

const uint8_t table[256] = {TABLE};
volatile uint8_t sink;

PLACE uint8_t branches(const uint8_t *key) {
    if (key[3] & 2) {
        sink = 1;
    }
    return 0;
}

PLACE uint8_t looks_up(const uint8_t *key) {
    return table[key[5] ^ 0x5a];
}

PLACE uint8_t stores(const uint8_t *key) {
    static volatile uint8_t room[256];
    room[key[2]] = 1;
    return 0;
}

PLACE uint8_t mixes(const uint8_t *key) {
    uint8_t sum = 0;
    for (uint8_t i = 0; i < 16; i++) {
        sum = (uint8_t)(sum ^ key[i]);
    }
    return sum;
}

PLACE uint8_t leaks_what_was_stored(const uint8_t *key) {
    volatile uint8_t copy = (uint8_t)(key[7] + 3);
    return table[copy];
}

PLACE uint8_t marks(uint8_t *key) {
    (void)VALGRIND_MAKE_MEM_UNDEFINED(key, 4);
    uint8_t one = table[key[3]];
    (void)VALGRIND_MAKE_MEM_DEFINED(key, 3);
    return (uint8_t)(one + table[key[1]]);
}

PLACE uint8_t parts_late(const uint8_t *key) {
    for (uint16_t i = 0; i < 3000; i++) {
        sink = (uint8_t)i;
    }
    return branches(key);
}

void start(void) {
    for (;;) {
    }
}
"""

SCRIPT = """
ENTRY(start)
SECTIONS {{
    . = {flash:#x};
    .text : {{ *(.text .text.* .progmem.data) }}
    .rodata {rodata} : {{ *(.rodata .rodata.*) }}
    . = {ram:#x};
    .data : {{ *(.data .data.*) }}
    .bss (NOLOAD) : {{ *(.bss .bss.* COMMON) }}
    /DISCARD/ : {{ *(.ARM.*) *(.comment) *(.riscv.*) *(.debug*) *(.eh_frame*) *(.note*) }}
}}
"""

FAMILIES: dict[str, tuple[str, tuple[str, ...], int, str, int]] = {
    "atmega128": ("avr", ("-mmcu=atmega128",), 0, "0x800100", 0x800400),
    "fe310-g002": ("riscv32-none-elf", ("-march=rv32imac", "-mcmodel=medany"), 0x2040_0000, "", 0x8000_0000),
    "stm32f407": ("thumb-none-eabi", ("-mcpu=cortex-m4", "-mfloat-abi=soft"), 0x0800_0000, "", 0x2000_0000),
    "msp430f1611": ("msp430", (), 0x4000, "", 0x1100),
}
"""Target of clang, flags, and where code, constants and data lie, by chip."""

TARGETS = ("atmega128", "fe310-g002", "stm32f407", "msp430f1611")


def _clang(*arguments: object) -> None:
    spec = importlib.util.find_spec("ziglang")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    if arguments[0] == "clang":
        arguments = ("clang", "-resource-dir", folder / "lib", *arguments[1:])
    done = subprocess.run([folder / "zig", *map(str, arguments)], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module", params=TARGETS)
def image(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    target: str = request.param
    triple, flags, flash, rodata, ram = FAMILIES[target]
    folder = tmp_path_factory.mktemp(target)
    source, part, elf, script = (folder / f"code.{suffix}" for suffix in ("c", "o", "elf", "ld"))
    table = ", ".join(str((7 * index + 3) % 256) for index in range(256))
    source.write_text(CODE.replace("TABLE", table))
    script.write_text(SCRIPT.format(flash=flash, rodata=rodata, ram=ram))
    include = f"-I{ROOT / 'firmware' / 'include'}"
    _clang(
        *("clang", f"--target={triple}", *flags, "-std=gnu99", "-nostdlibinc", "-O1", include, "-c"),
        *(source, "-o", part),
    )
    _clang("ld.lld", "-T", script, part, "-o", elf)
    return target, elf.read_bytes()


class _Chip:
    """A chip with the image, and the key in its lab memory."""

    def __init__(self, image: tuple[str, bytes], *, shadow: bool) -> None:
        self.emulator = Emulator(load_catalog().target(image[0]), shadow=shadow)
        self.emulator.load(image[1])
        self.key = 0

    def sets_key(self, key: bytes = KEY, *, mark: bool = True) -> None:
        self.emulator.reset()
        self.key = self.emulator.buffer("key", key)
        if mark:
            self.emulator.mark(self.key, len(key))

    def leaks(self, function: str, *, mark: bool = True) -> tuple[Leak, ...]:
        self.sets_key(mark=mark)
        call = self.emulator.call(function, ["key"], max_cycles=MAX_CYCLES, observe="secrets")
        assert call.fault is None, call.fault
        assert call.leaks is not None
        assert call.instructions > 0
        return call.leaks

    def holds(self, function: str, address: int) -> bool:
        """Whether the code of a function holds an address."""
        begin, size = self.emulator.symbols()[function]
        return begin & ~1 <= address < (begin & ~1) + size


@pytest.fixture
def chip(image: tuple[str, bytes]) -> Iterator[_Chip]:
    yield _Chip(image, shadow=True)


def test_leaks_are_found_where_they_are_and_only_there(chip: _Chip) -> None:
    (branch,) = [leak for leak in chip.leaks("branches") if leak.kind == "branch"]
    assert branch[2:] == (1, None, None)
    assert chip.holds("branches", branch.address)

    (load,) = [leak for leak in chip.leaks("looks_up") if leak.kind == "load"]
    table = chip.emulator.address("table")
    assert (load.times, load.lowest, load.highest) == (1, *2 * (table + (KEY[5] ^ 0x5A),))
    assert chip.holds("looks_up", load.address)

    (store,) = [leak for leak in chip.leaks("stores") if leak.kind == "store"]
    assert store.times == 1
    assert chip.emulator.read("data", store.lowest or 0, 1) == b"\x01"
    assert chip.holds("stores", store.address)

    assert chip.leaks("mixes") == ()
    for function in ("branches", "looks_up", "stores"):
        assert chip.leaks(function, mark=False) == (), function


def test_secrets_change_no_result(image: tuple[str, bytes], chip: _Chip) -> None:
    plain = _Chip(image, shadow=False)
    for function in ("branches", "looks_up", "stores", "mixes", "leaks_what_was_stored"):
        calls: list[Call] = []
        for one in (plain, chip):
            one.sets_key(mark=one is chip)
            one.emulator.empty_caches()
            calls.append(one.emulator.call(function, ["key"], max_cycles=MAX_CYCLES, observe="stack"))
        # A machine that follows secrets has memories that answer at once.
        alike = [call._replace(cycles=0, memory=None) for call in calls]
        assert alike[0] == alike[1], function
        assert calls[1].cycles <= calls[0].cycles, function
    assert chip.emulator.marks(chip.key, 3) == b"\xff" * 3
    chip.emulator.mark(chip.key + 1, 1, secret=False)
    assert chip.emulator.marks(chip.key, 3) == b"\xff\0\xff"
    chip.emulator.buffer("key", KEY)
    assert chip.emulator.marks(chip.key, 3) == bytes(3)


@pytest.mark.parametrize(
    ("function", "kind", "byte"),
    [("branches", "branch", 3), ("looks_up", "load", 5), ("stores", "store", 2)],
)
def test_the_way_begins_at_the_load_of_the_key(chip: _Chip, function: str, kind: str, byte: int) -> None:
    (leak,) = [leak for leak in chip.leaks(function) if leak.kind == kind]
    chip.sets_key()
    way = chip.emulator.path(function, ["key"], max_cycles=MAX_CYCLES, leak=leak)
    assert way[0].address == chip.key + byte
    assert chip.holds(function, way[0].pc)
    assert way[-1].pc == leak.address
    assert way[-1].address == leak.lowest
    assert len(way) <= 12
    assert all(passed.text for passed in way)


def test_the_way_goes_through_memory(chip: _Chip) -> None:
    (leak,) = [leak for leak in chip.leaks("leaks_what_was_stored") if leak.kind == "load"]
    chip.sets_key()
    way = chip.emulator.path("leaks_what_was_stored", ["key"], max_cycles=MAX_CYCLES, leak=leak)
    assert way[0].address == chip.key + 7
    assert way[-1].pc == leak.address
    moved = [passed.address for passed in way[1:-1] if passed.address is not None]
    assert len(moved) == 2
    assert moved[0] == moved[1]
    with pytest.raises(UsageError, match="the call met no divide"):
        chip.sets_key()
        chip.emulator.path(
            "mixes", ["key"], max_cycles=MAX_CYCLES, leak=Leak("divide", leak.address, 1, None, None)
        )


def test_code_marks_its_own_secrets(image: tuple[str, bytes], chip: _Chip) -> None:
    leaks = chip.leaks("marks", mark=False)
    assert [(leak.kind, leak.times) for leak in leaks] == [("load", 1)]
    assert chip.emulator.marks(chip.key, 5) == b"\0\0\0\xff\0"
    chip.sets_key(mark=False)
    way = chip.emulator.path("marks", ["key"], max_cycles=MAX_CYCLES, leak=leaks[0])
    assert way[0].address == chip.key + 3
    plain = _Chip(image, shadow=False)
    plain.sets_key(mark=False)
    results = {
        one.emulator.call("marks", ["key"], max_cycles=MAX_CYCLES, observe="none").returned(1)
        for one in (plain, chip)
    }
    assert results == {sum((7 * KEY[place] + 3) % 256 for place in (1, 3)) % 256}


def _run(chip: _Chip, function: str, key: bytes) -> Callable[[int | None], Trace]:
    def run(stretch: int | None) -> Trace:
        chip.sets_key(key, mark=False)
        call, trace = chip.emulator.trace(function, ["key"], max_cycles=1_000_000, stretch=stretch)
        assert call.fault is None
        return trace

    return run


@pytest.mark.parametrize("function", ["branches", "parts_late"])
def test_runs_part_at_the_branch(image: tuple[str, bytes], chip: _Chip, function: str) -> None:
    (leak,) = [leak for leak in chip.leaks("branches") if leak.kind == "branch"]
    plain = _Chip(image, shadow=False)
    other = bytes([*KEY[:3], KEY[3] ^ 2, *KEY[4:]])
    found = first_differences(_run(plain, function, KEY), _run(plain, function, other))
    flow = found["flow"]
    assert flow.before == leak.address
    assert flow.pc[0] != flow.pc[1]
    if function == "parts_late":
        assert flow.number > 2 * 4096
    swapped = first_differences(_run(plain, function, other), _run(plain, function, KEY))["flow"]
    assert swapped == flow._replace(pc=flow.pc[::-1], address=flow.address[::-1], cycles=flow.cycles[::-1])


def test_runs_part_in_the_addresses_alone(image: tuple[str, bytes], chip: _Chip) -> None:
    (leak,) = [leak for leak in chip.leaks("looks_up") if leak.kind == "load"]
    plain = _Chip(image, shadow=False)
    other = bytes([*KEY[:5], KEY[5] ^ 0x80, *KEY[6:]])
    found = first_differences(_run(plain, "looks_up", KEY), _run(plain, "looks_up", other))
    assert "flow" not in found
    address = found["address"]
    assert isinstance(address, Difference)
    table = plain.emulator.address("table")
    assert address.pc == (leak.address, leak.address)
    assert address.address == tuple(table + (key[5] ^ 0x5A) for key in (KEY, other))
    assert first_differences(_run(plain, "mixes", KEY), _run(plain, "mixes", other)) == {}


def test_machines_refuse_what_they_cannot_do(image: tuple[str, bytes], chip: _Chip) -> None:
    plain = _Chip(image, shadow=False)
    plain.sets_key(mark=False)
    with pytest.raises(UsageError, match="does not follow secrets"):
        plain.emulator.mark(plain.key, 1)
    with pytest.raises(UsageError, match="does not follow secrets"):
        plain.emulator.call("mixes", ["key"], max_cycles=MAX_CYCLES, observe="secrets")
    chip.sets_key()
    with pytest.raises(UsageError, match="makes no profile"):
        chip.emulator.call("mixes", ["key"], max_cycles=MAX_CYCLES, observe="profile")
    with pytest.raises(UsageError, match="is not traced"):
        chip.emulator.trace("mixes", ["key"], max_cycles=MAX_CYCLES)

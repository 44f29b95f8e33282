"""A plain chip around a core, whose memories answer at once, and the cycles of a sequence on it.

Only the interface of every machine is used: description, write, call, run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from golden.timing.table import Run, Sequence, code_of

from steelyard import _native
from steelyard.catalog.models import Target
from steelyard.machine.emulator import describe

_LIMIT_CYCLES = 100_000
_RUN_LIMIT_CYCLES = 10_000_000
_Space = Literal["program", "data"]
_Contents = list[tuple[_Space, int, bytes]]


@dataclass(frozen=True)
class Plain:
    """What surrounds a family's cores: memories, options, and how a sequence is started.

    `code` is where a sequence lies. It is called as a function that ends in `behind`, `warming` times and
    once more, with `arguments`; or, where `start` is an address, run from there to its end. `contents` says
    what lies in memory, given the address behind the sequence.
    """

    memory: tuple[dict[str, object], ...]
    clock_hz: int
    code: int
    options: Mapping[str, int]
    contents: Callable[[int], _Contents]
    arguments: tuple[tuple[int, int], ...] = ()
    behind: bytes = b""
    warming: int = 0
    start: int | None = None
    mark: int = 0
    space: _Space = "data"


def _region(name: str, space: str, kind: str, base: int, size: int, **more: object) -> dict[str, object]:
    return {"name": name, "space": space, "kind": kind, "base": base, "size": size, **more}


def _nothing(_end: int) -> _Contents:
    return []


_CODE, _RAM = 0x0001_0000, 0x4000_0000
_WORDS = tuple((value, 4) for value in (_RAM, _RAM + 0x100, _RAM + 0x200, 4))
_FOUR = (
    _region("ram", "data", "ram", _RAM, 0x8000),
    _region("code", "program", "ram", _CODE, 0x4000),
)


def _zeros(_end: int) -> _Contents:
    return [("data", _RAM, bytes(0x400))]


def _cortex_m(_end: int) -> _Contents:
    return [("data", 0x2000_0000, bytes(range(0x10, 0x90)))]


def _rl78(_end: int) -> _Contents:
    # `ret`, where the call table's first entry points; `retb`, where the vector of `brk` does.
    handlers = [(0x3F0, b"\xd7"), (0x3F2, b"\x61\xec"), (0x80, b"\xf0\x03"), (0x7E, b"\xf2\x03")]
    # The registers of the product unit are clear.
    clear = [(0xF00E0, bytes(4)), (0xFFFF0, bytes(8))]
    return [("data", address, data) for address, data in (*handlers, *clear)]


_MSP430_CODE = 0x8000


def _msp430(end: int) -> _Contents:
    """R4, R5 and SP point to RAM, where the end's address lies over and over; R10 = 2; R15 = the end."""
    words = end.to_bytes(4, "little") * 0x100
    moves = code_of(f"4031 c100 4034 c000 4035 c010 403a 0002 403f {end:04x}")
    return [("data", 0xC000, words), ("data", _MSP430_CODE - len(moves), moves)]


_M16C_CODE = 0xF2000
_M16C_START = 0xF1F00


def _m16c(end: int) -> _Contents:
    """R0 = 0x0102, R1 = 0x0304, R3 = 2; A0 points to the word 2; A1 and the word behind FB to the end.

    FB = 0x1200, SB = 0x1300, SP = 0x1400. All vectors lead to the end.
    """
    vector = end.to_bytes(4, "little")
    words = [(0, 0x0102), (1, 0x0304), (2, 0), (3, 2), (4, 0x1000), (5, 0x1100)]
    code = b"".join(bytes((0x75, 0xC0 + number)) + value.to_bytes(2, "little") for number, value in words)
    for number, value in ((5, 0x1400), (6, 0x1300), (7, 0x1200)):
        code += bytes((0xEB, number << 4)) + value.to_bytes(2, "little")
    # jmp.a: the queue is full behind it.
    code += b"\xfc" + _M16C_CODE.to_bytes(3, "little")
    contents = [
        (_M16C_START, code),
        (0x1000, b"\2\0"),
        (0x1100, vector),
        (0x1202, vector),
        (0x3000, vector * 64),
        (0x3300, b"\3\4"),
        (0xFFE00, vector[:2] * (0x1DC // 2)),
        (0xFFFDC, vector * 3),
    ]
    return [("data", address, data) for address, data in contents]


def _avr(xt: bool) -> Plain:
    flash = 0x4000
    memory = [
        _region("flash", "program", "flash", 0, flash),
        _region("ram", "data", "ram", 0x2800, 0x1800),
    ]
    options = {"eecr_address": 0x3C, "eedr_address": 0x3D, "eear_address": 0x3E, "eeprom_write_us": 0}
    if xt:
        memory += [
            _region("io", "data", "io", 0, 0x1400),
            _region("eeprom", "data", "eeprom", 0x1400, 0x100),
            _region("window", "data", "flash-window", 0x4000, flash),
        ]
        options = {"nvmctrl_address": 0x1000, "ccp_address": 0x34, "eeprom_write_us": 0}
    else:
        memory += [
            _region("io", "data", "io", 0x20, 0xE0),
            _region("eeprom", "eeprom", "eeprom", 0, 0x100),
        ]
    return Plain(tuple(memory), 16_000_000, 0x200, options, _nothing, behind=code_of("9508"), space="program")


_PLAIN = {
    "arm": Plain(_FOUR, 200_000_000, _CODE, {}, _zeros, _WORDS, code_of("e1a0f00e"), warming=1),
    "cortex-m": Plain(
        (
            _region("ram", "data", "ram", 0x2000_0000, 0x8000),
            _region("code", "program", "ram", 0x0010_0000, 0x4000),
        ),
        48_000_000,
        0x0010_0000,
        {},
        _cortex_m,
        tuple((value, 4) for value in (0x2000_0000, 0x2000_0100, 0x2000_0200, 4)),
        code_of("4770"),
        mark=1,
    ),
    "m16c": Plain(
        (_region("ram", "data", "ram", 0, 0x10_0000),),
        16_000_000,
        _M16C_CODE,
        {},
        _m16c,
        start=_M16C_START,
    ),
    "msp430": Plain(
        (
            _region("io", "data", "io", 0, 0x200),
            _region("code", "program", "ram", 0x7F00, 0x1000),
            _region("ram", "data", "ram", 0xC000, 0x1000),
        ),
        8_000_000,
        _MSP430_CODE,
        {"multiplier_address": 0x130},
        _msp430,
        start=_MSP430_CODE - 20,
    ),
    "riscv": Plain(
        _FOUR,
        16_000_000,
        _CODE,
        {
            "mtime_address": 0x0200_BFF8,
            "mtimecmp_address": 0x0200_4000,
            "msip_address": 0x0200_0000,
            "mtime_hz": 1_000_000,
        },
        _zeros,
        _WORDS,
        bytes.fromhex("67800000"),
        warming=24,
    ),
    "rl78": Plain(
        (
            _region("flash", "data", "flash", 0, 0x1_0000),
            _region("sfr2", "data", "io", 0xF0000, 0x800),
            _region("mirror", "data", "flash-window", 0xF8000, 0x1000),
            _region("ram", "data", "ram", 0xFEF00, 0xFE0),
            _region("registers", "data", "io", 0xFFEE0, 0x20),
            _region("sfr", "data", "io", 0xFFF00, 0x100),
        ),
        32_000_000,
        0x400,
        {},
        _rl78,
        behind=b"\xd7",
    ),
    "sparc": Plain(
        _FOUR,
        50_000_000,
        _CODE,
        {},
        _zeros,
        _WORDS,
        code_of("81c3e008 01000000", big_endian=True),
        warming=1,
    ),
}


class Refused(Exception):
    """The emulator does not take a core's data."""


class Fault(Exception):
    """A sequence ended in another way than it should."""


class Bench:
    """A core of these data, as `targets/cores/*.toml` has them without `chip`; Refused if they are none."""

    def __init__(self, core: Mapping[str, Any]) -> None:
        family = str(core["family"])
        plain = _avr(xt=str(core["id"]).startswith("avrxt")) if family == "avr" else _PLAIN[family]
        description = {
            "core": core,
            "memory": plain.memory,
            "core_options": plain.options,
            "clock_hz": plain.clock_hz,
        }
        self._machine = _machine(json.dumps(description))
        self._plain = plain
        self._around = self._time(b"", None)

    def cycles(self, sequence: Sequence) -> int:
        """Cycles of a sequence, without those of the call and the return around it; Fault if it has none."""
        around = 0 if sequence.ends else self._around
        return self._time(sequence.code, sequence.ends) - around

    def _time(self, code: bytes, ends: str | None) -> int:
        plain, machine = self._plain, self._machine
        end = plain.code + len(code)
        for space, address, data in plain.contents(end):
            machine.write(space, address, data)
        machine.write(plain.space, plain.code, code + plain.behind)
        machine.empty_caches()
        if plain.start is not None or ends:
            start = plain.code if plain.start is None else plain.start
            result = machine.run(start, end, max_cycles=_LIMIT_CYCLES, observe="none")
        else:
            arguments = list(plain.arguments)
            for _ in range(plain.warming + 1):
                result = machine.call(
                    plain.code | plain.mark, arguments, max_cycles=_LIMIT_CYCLES, observe="none"
                )
                if result["fault"] is not None:
                    break
        fault = result["fault"]
        if (fault["kind"] if fault else None) != ends:
            raise Fault(fault["message"] if fault else f"does not end by {ends}")
        return result["cycles"]


class ChipBench:
    """A chip with its memories; Refused if the emulator does not take it."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def cycles(self, run: Run) -> int:
        """Cycles of a run; Fault if it does not reach its end, or if the chip's own clock is another."""
        target, clock_hz = self._target, round(run.clock_mhz * 1e6)
        if run.own and target.file.clock_hz != clock_hz:
            raise Fault(f"the chip has a clock of {target.file.clock_hz} Hz")
        family = target.file.family
        code = code_of(run.code, big_endian=family == "sparc")
        clocked = target.file.model_copy(update={"clock_hz": clock_hz})
        # Made anew for each run, as timers go on where the last one left them.
        machine = _machine(describe(target.model_copy(update={"file": clocked})))
        base = next(memory.base for memory in target.file.memory if memory.kind == "flash")
        start = base + 0x100 if family == "avr" else base
        machine.load_raw(start, code)
        result = machine.run(
            start | (family == "cortex-m"), start + len(code), max_cycles=_RUN_LIMIT_CYCLES, observe="none"
        )
        if result["fault"] is not None:
            raise Fault(result["fault"]["message"])
        return result["cycles"]


def _machine(description: str) -> _native.Machine:
    try:
        return _native.Machine(description)
    except _native.MachineError as error:
        raise Refused(str(error)) from None

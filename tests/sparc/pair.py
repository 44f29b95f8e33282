"""Steelyard's emulator and Unicorn side by side, on the same SPARC programs."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import unicorn
from sparc.stream import DATA_BYTES, FREE, RESULT_OFFSET, RESULT_WORDS, Stream, words
from unicorn import sparc_const

from steelyard import _native
from steelyard.catalog.load import read_core

CODE = 0x0010_0000
CODE_BYTES = 0x0010_0000
RAM = 0x4000_0000
RAM_BYTES = 0x0002_0000
STATE = RAM
MIDDLE = RAM + 0x8000
STACK = RAM + RAM_BYTES - 0x1000
STOP = CODE + CODE_BYTES - 8

_CORE = Path(__file__).parents[2] / "targets/cores/leon2.toml"
_RESULT = MIDDLE + RESULT_OFFSET
_DATA = MIDDLE - DATA_BYTES // 2


def core() -> dict[str, Any]:
    """A core with all instructions of V8."""
    return read_core(_CORE)[0]


def image(code: bytes) -> bytes:
    """An executable of one segment."""
    header = struct.pack(">16sHHIIIIIHHHHHH", b"\x7fELF\1\2\1", 2, 2, 1, CODE, 52, 0, 0, 52, 32, 1, 40, 0, 0)
    return header + struct.pack(">8I", 1, 84, CODE, CODE, len(code), len(code), 7, 4) + code


class Subject:
    """Steelyard's emulator."""

    def __init__(self) -> None:
        memory = [
            {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_BYTES},
            {"name": "code", "space": "program", "kind": "ram", "base": CODE, "size": CODE_BYTES},
        ]
        self.machine = _native.Machine(json.dumps({"core": core(), "memory": memory, "clock_hz": 50_000_000}))
        self.machine.load_elf(image(words(0)))
        self.machine.stack_pointer = STACK

    def run(self, code: bytes, state: bytes, data: bytes) -> bytes:
        """What a program leaves in its data."""
        self.machine.write("program", CODE, code)
        self.machine.write("data", STATE, state)
        self.machine.write("data", _DATA, data)
        result = self.machine.call(CODE, [], max_cycles=100_000_000, observe="none")
        if result["fault"] is not None:
            raise AssertionError(result["fault"]["message"])
        return self.machine.read("data", _DATA, DATA_BYTES)


class Reference:
    """Unicorn."""

    def __init__(self) -> None:
        self._uc = unicorn.Uc(unicorn.UC_ARCH_SPARC, unicorn.UC_MODE_SPARC32 | unicorn.UC_MODE_BIG_ENDIAN)
        self._uc.mem_map(CODE, CODE_BYTES)
        self._uc.mem_map(RAM, RAM_BYTES)

    def run(self, code: bytes, state: bytes, data: bytes) -> bytes:
        """What a program leaves in its data."""
        uc = self._uc
        uc.mem_write(CODE, code)
        uc.ctl_remove_cache(CODE, CODE + len(code))
        uc.mem_write(STATE, state)
        uc.mem_write(_DATA, data)
        uc.reg_write(sparc_const.UC_SPARC_REG_SP, STACK - 96)
        uc.reg_write(sparc_const.UC_SPARC_REG_O7, STOP - 8)
        uc.emu_start(CODE, STOP)
        return bytes(uc.mem_read(_DATA, DATA_BYTES))


def differences(ours: bytes, theirs: bytes) -> list[str]:
    """What differs, in words; nothing where all is equal."""
    names = [*(f"r{number}" for number in FREE), "y", "carry", "negative", "zero", "overflow"]
    found = []
    for at in range(0, DATA_BYTES, 4):
        if ours[at : at + 4] == theirs[at : at + 4]:
            continue
        number = (_DATA + at - _RESULT) // 4
        in_result = 0 <= number < RESULT_WORDS and number < len(names)
        name = names[number] if in_result else f"data{at - DATA_BYTES // 2:+#x}"
        found.append(f"{name} {ours[at : at + 4].hex()}, Unicorn {theirs[at : at + 4].hex()}")
    return found


def compare(seed: int, instructions: int, units: int = 500, subject: Any = None) -> Stream:
    """Runs random programs of so many instructions on both; AssertionError names the first difference."""
    stream = Stream(seed, STATE, MIDDLE)
    ours, theirs = subject or Subject(), Reference()
    made = 0
    while made < instructions:
        program, count = stream.program(units)
        state, data = stream.state(), stream.data()
        made += count
        found = differences(ours.run(program, state, data), theirs.run(program, state, data))
        if found:
            raise AssertionError(f"seed {seed}, behind {made} instructions: {'; '.join(found[:8])}")
    return stream

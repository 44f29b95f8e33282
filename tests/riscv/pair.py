"""Steelyard's emulator and Unicorn side by side, on the same programs."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import unicorn
from riscv.stream import FRAME_BYTES, SAVED_BYTES, STATE_BYTES, Stream, words
from unicorn import riscv_const

from steelyard import _native
from steelyard.catalog.load import read_core

CODE = 0x0010_0000
CODE_BYTES = 0x0010_0000
RAM = 0x4000_0000
RAM_BYTES = 0x0002_0000
STATE = RAM
STACK = RAM + RAM_BYTES - 0x1000
STOP = CODE + CODE_BYTES - 4
FRAME = STACK - SAVED_BYTES - FRAME_BYTES
RESULT = FRAME - STATE_BYTES

_CORES = Path(__file__).parents[2] / "targets/cores"


def core(name: str = "e31") -> dict[str, Any]:
    """The data of a core that is shipped."""
    return read_core(_CORES / f"{name}.toml")[0]


def describe(core: dict[str, Any], **more: Any) -> str:
    """A chip with RAM for code and RAM for data, as JSON."""
    memory = [
        {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_BYTES},
        {"name": "code", "space": "program", "kind": "ram", "base": CODE, "size": CODE_BYTES},
    ]
    return json.dumps({"core": core, "memory": memory, "clock_hz": 100_000_000, **more})


def image(code: bytes, address: int = CODE) -> bytes:
    """An executable of one segment."""
    header = struct.pack(
        "<16sHHIIIIIHHHHHH", b"\x7fELF\1\1\1", 2, 243, 1, address, 52, 0, 1, 52, 32, 1, 40, 0, 0
    )
    return header + struct.pack("<8I", 1, 84, address, address, len(code), len(code), 7, 4) + code


class Subject:
    """Steelyard's emulator."""

    def __init__(self, data: dict[str, Any] | None = None) -> None:
        self.machine = _native.Machine(describe(data or core()))
        self.machine.load_elf(image(words(0)))
        self.machine.stack_pointer = STACK

    def run(self, code: bytes, state: bytes, frame: bytes) -> bytes:
        """What a program leaves in its frame and below."""
        self.machine.write("program", CODE, code)
        self.machine.write("data", STATE, state)
        self.machine.write("data", FRAME, frame)
        result = self.machine.call(CODE, [(STATE, 4)], max_cycles=100_000_000, observe="none")
        if result["fault"] is not None:
            raise AssertionError(result["fault"]["message"])
        return self.machine.read("data", RESULT, FRAME_BYTES + STATE_BYTES)


class Reference:
    """Unicorn."""

    def __init__(self) -> None:
        self._uc = unicorn.Uc(unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32)
        self._uc.mem_map(CODE, CODE_BYTES)
        self._uc.mem_map(RAM, RAM_BYTES)

    def run(self, code: bytes, state: bytes, frame: bytes) -> bytes:
        """What a program leaves in its frame and below."""
        uc = self._uc
        uc.mem_write(CODE, code)
        uc.ctl_remove_cache(CODE, CODE + len(code))
        uc.mem_write(STATE, state)
        uc.mem_write(FRAME, frame)
        for register, value in (
            (riscv_const.UC_RISCV_REG_A0, STATE),
            (riscv_const.UC_RISCV_REG_SP, STACK),
            (riscv_const.UC_RISCV_REG_RA, STOP),
        ):
            uc.reg_write(register, value)
        uc.emu_start(CODE, STOP)
        return bytes(uc.mem_read(RESULT, FRAME_BYTES + STATE_BYTES))


def differences(ours: bytes, theirs: bytes) -> list[str]:
    """What differs, in words; nothing where all is equal."""
    if ours == theirs:
        return []
    sides = [struct.unpack(f"<{len(side) // 4}I", side) for side in (ours, theirs)]
    found = []
    for number, (our, their) in enumerate(zip(*sides, strict=True)):
        if our != their:
            name = f"x{number}" if number < 32 else f"frame+{4 * number - STATE_BYTES:#x}"
            found.append(f"{name} {our:#010x}, Unicorn {their:#010x}")
    return found


def compare(seed: int, instructions: int, units: int = 500, subject: Any = None) -> Stream:
    """Runs random programs of so many instructions on both; AssertionError names the first difference."""
    stream = Stream(seed)
    ours, theirs = subject or Subject(), Reference()
    made = 0
    while made < instructions:
        program, state, frame = stream.program(units), stream.state(), stream.frame()
        made += program.instructions
        found = differences(ours.run(program.code, state, frame), theirs.run(program.code, state, frame))
        assert not found, f"seed {seed}, within {made} instructions: {'; '.join(found[:8])}"
    return stream

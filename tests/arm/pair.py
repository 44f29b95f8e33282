"""Steelyard's emulator and Unicorn side by side, on the same programs."""

from __future__ import annotations

import json
import struct
import tomllib
from pathlib import Path
from typing import Any

import unicorn
from arm.stream import FRAME_BYTES, Stream, arm
from unicorn import arm_const

from steelyard import _native

CODE = 0x0010_0000
CODE_BYTES = 0x0010_0000
RAM = 0x4000_0000
RAM_BYTES = 0x0002_0000
STATE = RAM
STACK = RAM + RAM_BYTES - 0x1000
STOP = CODE + CODE_BYTES - 4
FRAME = STACK - 40 - FRAME_BYTES
RESULT = FRAME - 60

MODELS = {"armv4": arm_const.UC_CPU_ARM_SA1100, "armv5te": arm_const.UC_CPU_ARM_PXA250}

_SAMPLE = Path(__file__).parents[2] / "crates/steelyard-emu/tests/data/arm-sample-core.toml"


def sample_core(architecture: str) -> dict[str, Any]:
    """The core data of the emulator's own tests."""
    return {**tomllib.loads(_SAMPLE.read_text()), "architecture": architecture}


def describe(core: dict[str, Any], **more: Any) -> str:
    """A chip with RAM for code and RAM for data, as JSON."""
    memory = [
        {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_BYTES},
        {"name": "code", "space": "program", "kind": "ram", "base": CODE, "size": CODE_BYTES},
    ]
    return json.dumps({"core": core, "memory": memory, "clock_hz": 200_000_000, **more})


def image(code: bytes, address: int = CODE) -> bytes:
    """An executable of one segment."""
    header = struct.pack(
        "<16sHHIIIIIHHHHHH", b"\x7fELF\1\1\1", 2, 40, 1, address, 52, 0, 0x5000000, 52, 32, 1, 40, 0, 0
    )
    return header + struct.pack("<8I", 1, 84, address, address, len(code), len(code), 7, 4) + code


class Subject:
    """Steelyard's emulator."""

    def __init__(self, architecture: str, core: dict[str, Any] | None = None) -> None:
        self.machine = _native.Machine(describe(core or sample_core(architecture)))
        self.machine.load_elf(image(arm(0)))
        self.machine.stack_pointer = STACK

    def run(self, code: bytes, state: bytes, frame: bytes) -> bytes:
        """What a program leaves in its frame and below."""
        self.machine.write("program", CODE, code)
        self.machine.write("data", STATE, state)
        self.machine.write("data", FRAME, frame)
        result = self.machine.call(CODE, [(STATE, 4)], max_cycles=100_000_000, observe="none")
        if result["fault"] is not None:
            raise AssertionError(result["fault"]["message"])
        return self.machine.read("data", RESULT, FRAME_BYTES + 60)


class Reference:
    """Unicorn."""

    def __init__(self, architecture: str) -> None:
        self._uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_ARM)
        self._uc.ctl_set_cpu_model(MODELS[architecture])
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
            (arm_const.UC_ARM_REG_R0, STATE),
            (arm_const.UC_ARM_REG_SP, STACK),
            (arm_const.UC_ARM_REG_LR, STOP),
        ):
            uc.reg_write(register, value)
        uc.emu_start(CODE, STOP)
        return bytes(uc.mem_read(RESULT, FRAME_BYTES + 60))


def differences(ours: bytes, theirs: bytes) -> list[str]:
    """What differs, in words; nothing where all is equal."""
    if ours == theirs:
        return []
    names = ["flags", *(f"r{number}" for number in range(13)), "lr"]
    words = [struct.unpack(f"<{len(side) // 4}I", side) for side in (ours, theirs)]
    found = []
    for number, (our, their) in enumerate(zip(*words, strict=True)):
        if our != their:
            name = names[number] if number < len(names) else f"frame+{4 * number - 60:#x}"
            found.append(f"{name} {our:#010x}, Unicorn {their:#010x}")
    return found


def compare(architecture: str, seed: int, instructions: int, units: int = 500, subject: Any = None) -> Stream:
    """Runs random programs of so many instructions on both; AssertionError names the first difference."""
    stream = Stream(architecture == "armv5te", seed)
    ours, theirs = subject or Subject(architecture), Reference(architecture)
    made = 0
    while made < instructions:
        program, state, frame = stream.program(units), stream.state(), stream.frame()
        made += program.instructions
        found = differences(ours.run(program.code, state, frame), theirs.run(program.code, state, frame))
        assert not found, f"{architecture}, seed {seed}, within {made} instructions: {'; '.join(found[:8])}"
    return stream

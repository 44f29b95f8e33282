"""Steelyard's emulator and Unicorn side by side, on the same Thumb programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import unicorn
from arm.pair import image
from cortex_m.stream import FRAME_BYTES, Stream, halves
from unicorn import arm_const

from steelyard import _native
from steelyard.catalog.load import read_core
from steelyard.data import data_root

CODE = 0x0010_0000
CODE_BYTES = 0x0010_0000
RAM = 0x4000_0000
RAM_BYTES = 0x0002_0000
STATE = RAM
STACK = RAM + RAM_BYTES - 0x1000
STOP = CODE + CODE_BYTES - 4
FRAME = STACK - 40 - FRAME_BYTES
RESULT = FRAME - 60

MODELS = {
    "armv6-m": arm_const.UC_CPU_ARM_CORTEX_M0,
    "armv7-m": arm_const.UC_CPU_ARM_CORTEX_M3,
    "armv7e-m": arm_const.UC_CPU_ARM_CORTEX_M4,
    "armv8-m-mainline": arm_const.UC_CPU_ARM_CORTEX_M33,
}
CORES = {
    "armv6-m": "cortex-m0",
    "armv7-m": "cortex-m3",
    "armv7e-m": "cortex-m4",
    "armv8-m-mainline": "cortex-m33",
}


def core_data(architecture: str) -> dict[str, Any]:
    """The shipped core of an architecture."""
    path = Path(str(data_root())) / "targets" / "cores" / f"{CORES[architecture]}.toml"
    return read_core(path)[0]


def describe(core: dict[str, Any], **more: Any) -> str:
    """A chip with RAM for code and RAM for data, as JSON."""
    memory = [
        {"name": "ram", "space": "data", "kind": "ram", "base": RAM, "size": RAM_BYTES},
        {"name": "code", "space": "program", "kind": "ram", "base": CODE, "size": CODE_BYTES},
    ]
    return json.dumps({"core": core, "memory": memory, "clock_hz": 16_000_000, **more})


class Subject:
    """Steelyard's emulator."""

    def __init__(self, architecture: str) -> None:
        self.machine = _native.Machine(describe(core_data(architecture)))
        self.machine.load_elf(image(halves(0, 0)))
        self.machine.stack_pointer = STACK

    def run(self, code: bytes, state: bytes, frame: bytes) -> bytes:
        """What a program leaves in its frame and below."""
        self.machine.write("program", CODE, code)
        self.machine.write("data", STATE, state)
        self.machine.write("data", FRAME, frame)
        result = self.machine.call(CODE | 1, [(STATE, 4)], max_cycles=100_000_000, observe="none")
        if result["fault"] is not None:
            raise AssertionError(result["fault"]["message"])
        return self.machine.read("data", RESULT, FRAME_BYTES + 60)


class Reference:
    """Unicorn."""

    def __init__(self, architecture: str) -> None:
        self._uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
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
            (arm_const.UC_ARM_REG_LR, STOP | 1),
        ):
            uc.reg_write(register, value)
        uc.emu_start(CODE | 1, STOP)
        return bytes(uc.mem_read(RESULT, FRAME_BYTES + 60))


def differences(architecture: str, ours: bytes, theirs: bytes) -> list[str]:
    """What differs, in words; nothing where all is equal."""
    if ours == theirs:
        return []
    low = [f"r{number}" for number in range(8)]
    high = [f"r{number}" for number in range(8, 13)]
    ordered = [*high, *low] if architecture == "armv6-m" else [*low, *high]
    names = ["flags", *ordered, "lr"]
    found = []
    for at in range(0, len(ours), 4):
        our, their = (int.from_bytes(side[at : at + 4], "little") for side in (ours, theirs))
        if our != their:
            name = names[at // 4] if at // 4 < len(names) else f"frame+{at - 60:#x}"
            found.append(f"{name} {our:#010x}, Unicorn {their:#010x}")
    return found


def compare(architecture: str, seed: int, instructions: int, units: int = 400, subject: Any = None) -> Stream:
    """Runs random programs of so many instructions on both; AssertionError names the first difference."""
    stream = Stream(architecture, seed)
    ours, theirs = subject or Subject(architecture), Reference(architecture)
    made = 0
    while made < instructions:
        program, state, frame = stream.program(units), stream.state(), stream.frame()
        made += program.instructions
        found = differences(
            architecture, ours.run(program.code, state, frame), theirs.run(program.code, state, frame)
        )
        assert not found, f"{architecture}, seed {seed}, within {made} instructions: {'; '.join(found[:8])}"
    return stream

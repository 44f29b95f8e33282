"""Million instructions a second on the M4 model: `python tests/cortex_m/speed.py`.

The same calls of the same images on the emulator (the pipeline's timing is always on), on Unicorn without
hooks, and on gdb's ARM simulator (`tools/simulators/build.sh arm`), which knows Thumb alone: it runs images
compiled for a Cortex-M0.
"""

from __future__ import annotations

import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import unicorn
from unicorn import arm_const

sys.path.insert(0, str(Path(__file__).parents[1]))

from arm.speed import OBSERVERS
from targets.beside_unicorn import MAX_CYCLES
from targets.image_jobs import BENCH, BENCH_MESSAGE_BYTES, Image, images, job

from steelyard import _native
from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Target
from steelyard.machine.emulator import describe
from steelyard.toolchain.compilers import discover

CHIP = "stm32f407"
COMPILED_FOR = ("stm32f407", "stm32f051")
"""Chips with their memories where CHIP has them; what runs on a Cortex-M0 runs on the M4."""
ROUNDS = 7
ROUND_S = 0.1
_RETURN = 0x1FFF_FFF0
_THUMB_STATE = 0x3F
_BREAKPOINT = 0xEF18_0000
"""A call of the simulator's own, in A32: it takes Thumb's `bkpt` for a call that prints."""
_STOPPED_BY_BREAKPOINT = 5


class _Ours:
    """The emulator, prepared for the last call of a job."""

    def __init__(self, description: str, elf: bytes, calls: dict[str, Any]) -> None:
        self._machine = _native.Machine(description)
        self._machine.load_elf(elf)
        self._machine.run_until("harness_ready", MAX_CYCLES)
        for part in calls["memory"]:
            self._machine.write("data", part["address"], bytes.fromhex(part["hex"]))
        wanted = [call for call in calls["calls"] if "decrypt" not in call["function"]]
        for call in wanted:
            self._function = call["function"]
            self._arguments = [(value, size) for value, size in call["arguments"]]
            self.instructions = self.call("profile")
        self.start = self._machine.symbols()[self._function][0]
        self.words = [value for value, _ in self._arguments]
        self.stack = self._machine.stack_pointer

    def call(self, observe: Any) -> int:
        """Instructions of a call."""
        result = self._machine.call(self._function, self._arguments, max_cycles=MAX_CYCLES, observe=observe)
        assert result["fault"] is None, result["fault"]
        return result["instructions"]

    def memory(self, target: Target) -> list[tuple[int, bytes]]:
        """Of the chip, by address."""
        regions = target.file.memory
        return [(one.base, self._machine.read("data", one.base, one.size)) for one in regions]


def _registers(prepared: _Ours, back: int) -> dict[int, int]:
    """A call's registers by number; words on the stack are written already."""
    words = dict(enumerate(prepared.words[:4]))
    return {
        **words,
        13: prepared.stack - 4 * max(0, len(prepared.words) - 4) & ~7,
        14: back,
        15: prepared.start,
    }


def _unicorn(prepared: _Ours, memory: list[tuple[int, bytes]]) -> Callable[[], None]:
    uc = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
    uc.ctl_set_cpu_model(arm_const.UC_CPU_ARM_CORTEX_M4)
    for base, content in memory:
        uc.mem_map(base, len(content))
        uc.mem_write(base, content)
    uc.mem_map(_RETURN & -0x1000, 0x1000)
    registers = _registers(prepared, _RETURN | 1)

    def call() -> None:
        for number, value in registers.items():
            if number < 13:
                uc.reg_write(arm_const.UC_ARM_REG_R0 + number, value)
        uc.reg_write(arm_const.UC_ARM_REG_SP, registers[13])
        uc.reg_write(arm_const.UC_ARM_REG_LR, registers[14])
        uc.emu_start(registers[15] | 1, _RETURN)

    return call


class _Simulator:
    """gdb's ARM simulator behind `tools/simulators/simulator.c`, whose head says what goes over the pipe."""

    def __init__(self, program: Path, prepared: _Ours, memory: list[tuple[int, bytes]]) -> None:
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        layout = struct.pack("<BBH", 1, 0, 17) + b"".join(
            struct.pack("<HB", number, 4) for number in (*range(16), 25)
        )
        end = max(base + len(content) for base, content in memory)
        contents = [*memory, (end, struct.pack("<I", _BREAKPOINT))]
        writes = (struct.pack("<BII", 2, base, len(content)) + content for base, content in contents)
        self._exchange(layout + b"".join(writes))
        # The state first: its mode has a stack pointer of its own.
        registers = {16: _THUMB_STATE, **_registers(prepared, end)}
        self._call = b"".join(struct.pack("<BHI", 3, number, value) for number, value in registers.items())
        self._call += struct.pack("<B", 8)

    def _exchange(self, batch: bytes) -> bytes:
        commands, answers = self._process.stdin, self._process.stdout
        assert commands is not None
        assert answers is not None
        commands.write(struct.pack("<I", len(batch)) + batch)
        commands.flush()
        return answers.read(int.from_bytes(answers.read(4), "little"))

    def __call__(self) -> None:
        answer = self._exchange(self._call)
        assert answer[0] == _STOPPED_BY_BREAKPOINT, f"gdb's simulator stopped with signal {answer[0]}"

    def busy_s(self) -> float:
        """Processor time it has had."""
        return int(Path(f"/proc/{self._process.pid}/schedstat").read_text().split()[0]) / 1e9

    def end(self) -> None:
        self._process.communicate()


def _speed(call: Callable[[], object], instructions: int, busy_s: Callable[[], float]) -> float:
    """Million instructions per second of processor time."""
    count, began = 0, busy_s()
    while (spent := busy_s() - began) < ROUND_S:
        call()
        count += 1
    return count * instructions / spent / 1e6


def _row(image: Image, target: Target, program: Path | None) -> list[float | None]:
    elf = image.elf()
    assert elf is not None
    with tempfile.TemporaryDirectory() as folder:
        calls = job(image, elf, Path(folder) / "image.elf", BENCH_MESSAGE_BYTES)
    with_waits = describe(target)
    without = json.loads(with_waits)
    without.pop("flash")
    machines = [_Ours(json.dumps(without), elf, calls), _Ours(with_waits, elf, calls)]
    first = machines[0]
    runs: list[tuple[Callable[[], object], Callable[[], float]]] = [
        (partial(one.call, observe), time.thread_time) for one in machines for observe in OBSERVERS
    ]
    runs.append((_unicorn(first, first.memory(target)), time.thread_time))
    simulator = program and _Simulator(program, first, first.memory(target))
    if simulator:
        runs.append((simulator, simulator.busy_s))
    speeds: list[list[float]] = [[] for _ in runs]
    # In turn, so that a change of the machine's pace meets all of them.
    for _ in range(ROUNDS):
        for kept, (call, busy_s) in zip(speeds, runs, strict=True):
            kept.append(_speed(call, first.instructions, busy_s))
    if simulator:
        simulator.end()
    return [*map(statistics.median, speeds), *([] if simulator else [None])]


def _program() -> Path | None:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    program = cache / "steelyard/simulators/arm/simulator"
    return program if program.exists() else None


def main() -> None:
    """Prints a row for each image."""
    catalog = load_catalog()
    target = catalog.target(CHIP)
    toolchains = [one for one in discover() if one.available and one.family == "cortex-m"]
    if (program := _program()) is None:
        print("gdb's ARM simulator is missing: tools/simulators/build.sh arm builds it", file=sys.stderr)
    names = [f"{where}, {what}" for where in ("no waits", "ART") for what in ("cycles", "stack", "mix")]
    names += ["Unicorn", "gdb's ARM simulator"]
    print(f"million instructions/s on {CHIP}: {'; '.join(names)}")
    for image in chain.from_iterable(images(catalog, toolchains, COMPILED_FOR)):
        mode = image.mode.id if image.mode else None
        default = catalog.default_variant(image.algorithm.id)
        if (image.primitive.id, mode) not in BENCH or image.variant.id != default.id:
            continue
        runs_thumb_alone = image.target.id != CHIP
        figures = _row(image, target, program if runs_thumb_alone else None)
        shown = "".join(f"{'-' if speed is None else format(speed, '.0f'):>7}" for speed in figures)
        print(f"{image.name:<48}{shown}", flush=True)


if __name__ == "__main__":
    main()

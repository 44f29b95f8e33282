"""Million instructions a second of the emulator on ARM images: `python tests/arm/speed.py`.

The pipeline's timing is always on; caches and latencies are those of the chip, or left out.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from itertools import chain
from pathlib import Path
from typing import Any, Literal

sys.path.insert(0, str(Path(__file__).parents[1]))

from arm.images import CHIPS
from targets.beside_unicorn import MAX_CYCLES
from targets.image_jobs import BENCH, BENCH_MESSAGE_BYTES, images, job

from steelyard import _native
from steelyard.catalog.load import load_catalog
from steelyard.machine.emulator import describe
from steelyard.toolchain.compilers import discover

OBSERVERS: tuple[Literal["none", "stack", "profile"], ...] = ("none", "stack", "profile")
REPETITIONS = 9
REPETITION_S = 0.1


def _without_caches(description: str) -> str:
    plain: dict[str, Any] = json.loads(description)
    plain.pop("cache", None)
    for memory in plain["memory"]:
        memory.pop("latency", None)
    return json.dumps(plain)


def _speeds(description: str, elf: bytes, calls: dict[str, Any]) -> list[float]:
    """By observer, the median over the repetitions of the last call; the ones before it prepare it."""
    machine = _native.Machine(description)
    machine.load_elf(elf)
    machine.run_until("harness_ready", MAX_CYCLES)
    for part in calls["memory"]:
        machine.write("data", part["address"], bytes.fromhex(part["hex"]))
    wanted = [call for call in calls["calls"] if "decrypt" not in call["function"]]
    arguments = [[(value, size) for value, size in call["arguments"]] for call in wanted]
    for call, given in zip(wanted[:-1], arguments, strict=False):
        machine.call(call["function"], given, max_cycles=MAX_CYCLES)
    last, given = wanted[-1]["function"], arguments[-1]
    instructions = machine.call(last, given, max_cycles=MAX_CYCLES)["instructions"]
    medians = []
    for observe in OBSERVERS:
        speeds = []
        for _ in range(REPETITIONS):
            count, began = 0, time.thread_time()
            while (spent := time.thread_time() - began) < REPETITION_S:
                machine.call(last, given, max_cycles=MAX_CYCLES, observe=observe)
                count += 1
            speeds.append(count * instructions / spent / 1e6)
        medians.append(statistics.median(speeds))
    return medians


def main() -> None:
    """Prints a row for each image, chip, and with and without caches."""
    catalog = load_catalog()
    toolchains = [one for one in discover() if one.available and one.family == "arm"][:1]
    print(f"{'million instructions/s':<62}{'cycles':>8}{'stack':>8}{'mix':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for image in chain.from_iterable(images(catalog, toolchains, CHIPS)):
            mode = image.mode.id if image.mode else None
            default = catalog.default_variant(image.algorithm.id)
            if (image.primitive.id, mode) not in BENCH or image.variant.id != default.id:
                continue
            elf = image.elf()
            assert elf is not None
            calls = job(image, elf, Path(folder) / "image.elf", BENCH_MESSAGE_BYTES)
            description = describe(image.target)
            for name, chip in (("caches", description), ("no caches", _without_caches(description))):
                figures = "".join(f"{speed:>8.0f}" for speed in _speeds(chip, elf, calls))
                print(f"{image.name + ', ' + name:<62}{figures}", flush=True)


if __name__ == "__main__":
    main()

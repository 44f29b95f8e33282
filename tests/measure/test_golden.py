"""Cycle counts of committed images, whatever compilers this machine has.

`python tests/golden/record.py` builds the images anew and writes what they cost beside them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from steelyard.catalog.load import Catalog
from steelyard.machine import Emulator
from steelyard.measure.lab import Lab

FOLDER = Path(__file__).parent.parent / "golden"
CALLS = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))["call"]


def test_every_image_is_expected() -> None:
    assert {path.name for path in FOLDER.glob("*.elf")} == {call["image"] for call in CALLS} | {"sum.elf"}


@pytest.mark.parametrize("expected", CALLS, ids=lambda call: f"{call['image']}:{call['function']}")
def test_golden_call(catalog: Catalog, expected: dict[str, object]) -> None:
    target = catalog.target(str(expected["target"]))
    emulator = Emulator(target)
    emulator.load((FOLDER / str(expected["image"])).read_bytes(), start_until="harness_ready")
    lab = Lab(target.lab.base, {"key": 32, "data": 64, "out": 64})
    emulator.buffer("lab", lab.filled({"key": bytes(range(32)), "data": bytes(range(64)), "out": bytes(64)}))
    places = {name: (lab.address(name), 2) for name in ("key", "data", "out")}
    places |= {"context": (emulator.address("harness_context"), 2), "length": (64, 2)}
    observed: list[dict[str, object]] = []
    for function in [*str(expected["before"]).split(), str(expected["function"])]:
        names = str(
            expected["arguments"] if function == expected["function"] else expected["before_arguments"]
        )
        call = emulator.call(function, [places[name] for name in names.split()], max_cycles=10_000_000)
        assert call.fault is None
        observed.append(
            {"cycles": call.cycles, "instructions": call.instructions, "stack_bytes": call.stack_bytes}
        )
    output = lab.content(emulator.content("lab"), "out")[: int(str(expected["output_bytes"]))]
    assert observed[-1] == {name: expected[name] for name in ("cycles", "instructions", "stack_bytes")}
    assert output.hex() == expected["output"]

"""Records for tests: a cell of a cipher, with what a test changes."""

from __future__ import annotations

import json

from steelyard.record.schema import Record, complete


def record(**changed: str | float | bool | None) -> Record:
    """An encryption that takes 1,000 cycles, 700 of them in `round`."""
    functions = [
        {"name": "round", "cycles": 700.0, "instructions": 350.0},
        {"name": "encrypt", "cycles": 297.0, "instructions": 150.0},
        {"name": "?", "cycles": 3.0, "instructions": 1.0},
    ]
    usual: Record = {
        "kind": "block",
        "primitive": "aes-128",
        "variant": "aes/mine",
        "target": "atmega128",
        "toolchain": "gcc",
        "toolchain_version": "12.2.0",
        "flags": "-Os",
        "footprint": "encrypt",
        "operation": "encrypt",
        "padding": None,
        "message_bytes": 16,
        "clock_hz": 8_000_000,
        "status": "ok",
        "verified": True,
        "samples": 16,
        "input_seed": "steelyard",
        "cycles": 1000.0,
        "cycles_min": 990,
        "cycles_max": 1010,
        "cycles_sd": 4.5,
        "rom_bytes": 500,
        "rom_code_bytes": 244,
        "rom_const_bytes": 256,
        "rom_support_bytes": 0,
        "ram_bytes": 200,
        "ram_static_bytes": 0,
        "ram_context_bytes": 176,
        "ram_stack_bytes": 24,
        "functions": json.dumps(functions),
        "source_hash": "a",
        "image_hash": "1",
        "timing_version": "avr-1",
        "emulator_version": "1",
        "steelyard_version": "1",
        "steelyard_commit": "c",
    }
    return complete({**usual, **changed})


def slower(cycles: float, **changed: str | float | bool | None) -> Record:
    """The same with more cycles in `round`, from another source."""
    functions = [
        {"name": "round", "cycles": 700.0 + cycles, "instructions": 350.0},
        {"name": "encrypt", "cycles": 297.0, "instructions": 150.0},
        {"name": "?", "cycles": 3.0, "instructions": 1.0},
    ]
    of_it = {"cycles": 1000.0 + cycles, "functions": json.dumps(functions)}
    of_it |= {"source_hash": "b", "image_hash": "2"}
    return record(**{**of_it, **changed})

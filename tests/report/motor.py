"""A scene of a motor as `steelyard scenario` saves it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from scenario.scenes import MOTOR

from steelyard.scenario.loop import Loop, Timing
from steelyard.scenario.tables import DcMotor, LoopTable

LATENCIES_S = {"none": 0.001, "aes-128-ccm": 0.002, "serpent-128 cbc": 0.008, "sm2": 0.2}
EVIL = "<script>window.planted = 1</script>"


def motor_loop() -> Loop:
    motor = DcMotor.model_validate({**MOTOR, "speed_rad_per_s": 100})
    table = LoopTable.model_validate(
        {
            "plant": "motor",
            "setpoint_step": 10,
            "duration": "400ms",
            "limits": {"overshoot": "20%"},
            "controller": {"kind": "pid", "gain": 1.2, "integral_time": "30ms", "minimum": 0, "maximum": 310},
        }
    )
    return Loop.build(motor, table, 0.005, Path())


@cache
def protections() -> list[dict[str, Any]]:
    """The loop evaluated with every latency; the rest made up."""
    loop = motor_loop()
    made = []
    for rank, (name, latency) in enumerate(LATENCIES_S.items()):
        outcome = loop.evaluate(Timing((latency,)))
        made.append(
            {
                "name": name,
                "rank": rank + 1 if outcome.stable else None,
                "within_limits": not outcome.violations,
                "problems": list(outcome.violations),
                "utilisation": {"drive": 0.2 + 10 * latency, "panel": 0.1},
                "buses": {"can": 0.11},
                "added_delay_s": latency - 0.001,
                "latency_s": {"speed": [latency / 2, latency / 2, latency]},
                "misses": 0 if outcome.stable else 40,
                "jobs": 80,
                "energy_j_per_day": None,
                "rom_bytes": {"drive": 2048, "panel": None},
                "ram_bytes": {"drive": 300},
                "loops": {"speed": outcome.to_json()},
            }
        )
    return made


def scene(**changes: Any) -> dict[str, Any]:
    """What `steelyard scenario` saves."""
    bars = [
        {
            "row": row,
            "what": "control",
            "kind": kind,
            "start_s": at,
            "end_s": at + 1e-5,
            "missed": row == "can",
        }
        for row, kind in (("drive", "task"), ("drive", "encryption"), ("can", "message"))
        for at in (0.0, 0.005)
    ]
    return {
        "title": "A motor's speed", "summary": f"Over a bus {EVIL}.", "notes": ["It is small."],
        "protections": protections(), "timelines": {"none": bars, "sm2": bars[:4]},
        "plants": {"speed": {"reduction": None, "notes": ["It grows."]}}, **changes,
    }  # fmt: skip

"""Small scenes for tests, and systems made of them without a record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from steelyard.catalog.load import load_catalog
from steelyard.scenario.cost import NOTHING
from steelyard.scenario.protection import NONE, Protection
from steelyard.scenario.scene import Scene
from steelyard.scenario.system import Processor, System, build

CATALOG = load_catalog()

MOTOR: dict[str, Any] = {
    "kind": "dc-motor", "resistance_ohm": 3.07, "inductance_h": 6.57e-3, "torque_constant_nm_per_a": 0.49,
    "inertia_kg_m2": 2e-3,
}  # fmt: skip
ALUMINIUM = {
    "conductivity_w_per_m_k": 167, "density_kg_per_m3": 2700, "heat_capacity_j_per_kg_k": 896,
    "convection_w_per_m2_k": 12,
}  # fmt: skip
"""In air that moves a little."""


def system_of(scene: Scene) -> System:
    """The system with nothing protected, all clocks at 1 MHz."""
    processors = {name: Processor(1e6, lambda job: NOTHING) for name in scene.device}
    return build(CATALOG, scene, dict.fromkeys(scene.message, Protection(NONE)), processors)


def one_device(tasks: Mapping[str, Mapping[str, Any]], scheduler: str = "fixed-priority") -> Scene:
    """A scene of tasks on one device."""
    return Scene.model_validate(
        {
            "title": "one device",
            "device": {"chip": {"target": "atmega128", "scheduler": scheduler}},
            "task": {name: {"device": "chip", **task} for name, task in tasks.items()},
        }
    )


def chain(**changes: Any) -> Scene:
    """Sensor, controller and actuator on one CAN bus, with an urgent message and a load on each device."""
    tables: dict[str, Any] = {
        "title": "chain",
        "device": {name: {"target": "atmega128"} for name in ("sensor", "controller", "actuator")},
        "bus": {"can": {"kind": "can", "bit_rate": "500kbit/s"}},
        "task": {
            "sample": {"device": "sensor", "period": "10ms", "priority": 1, "work": "1ms"},
            "load": {"device": "sensor", "period": "7ms", "priority": 2, "work": "2ms"},
            "control": {"device": "controller", "after": "value", "priority": 1, "work": "2ms"},
            "other": {"device": "controller", "period": "6ms", "priority": 2, "work": "1ms"},
            "act": {"device": "actuator", "after": "command", "priority": 1, "work": "1ms"},
            "check": {"device": "actuator", "period": "9ms", "priority": 2, "work": "1ms"},
        },
        "message": {
            "value": {"from": "sample", "to": "control", "bus": "can", "id": 20, "payload": "8B"},
            "command": {"from": "control", "to": "act", "bus": "can", "id": 30, "payload": "4B"},
            "urgent": {"from": "actuator", "bus": "can", "id": 1, "payload": "8B", "period": "2ms"},
            "long": {"from": "other", "bus": "can", "id": 40, "payload": "8B"},
        },
        "plant": {
            "lag": {"kind": "state-space", "a": [[-1.0]], "b": [[1.0]], "z": [[1.0]]},
        },
        "loop": {
            "loop": {
                "plant": "lag",
                "chain": ["sample", "value", "control", "command", "act"],
                "setpoint_step": 1,
                "duration": "5s",
                "controller": {"kind": "pid", "gain": 2.0, "integral_time": "1s"},
            }
        },
    }
    for name, table in changes.items():
        tables[name] = {**tables[name], **table}
    return Scene.model_validate(tables)

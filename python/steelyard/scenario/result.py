"""The answers of a scene as JSON, for `--json`, the store and the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from steelyard.scenario.answer import Answer, Twin
from steelyard.scenario.system import SECOND_NS

KIND = "scenario"
"""Kind of these results in the store."""

_DAY_S = 86400.0


def row(answer: Answer) -> dict[str, Any]:
    """Return the answer of a way without the curves of its loops; null for unknown values."""
    return {
        "name": answer.way.name,
        "rank": answer.rank,
        "within_limits": answer.within_limits,
        "problems": list(answer.problems),
        "messages": {name: one.name for name, one in answer.way.chosen.items()},
        "added_delay_s": answer.added_delay_s,
        "utilisation": dict(answer.analysis.devices) if answer.analysis else {},
        "buses": dict(answer.analysis.buses) if answer.analysis else {},
        "responses": _responses(answer),
        "costs": _costs(answer),
        "latency_s": {name: list(three) for name, three in answer.latency_s.items()},
        "latency_bound_s": {name: _seconds(one.worst_ns) for name, one in answer.analysis.latencies.items()}
        if answer.analysis
        else {},
        "misses": answer.run.misses if answer.run else None,
        "jobs": answer.run.jobs if answer.run else None,
        "simulated_s": _seconds(answer.run.duration_ns) if answer.run else None,
        **_devices(answer),
        "loops": {name: {**outcome.to_json(), "response": None} for name, outcome in answer.loops.items()},
    }


def _seconds(nanoseconds: int | None) -> float | None:
    return None if nanoseconds is None else nanoseconds / SECOND_NS


def _responses(answer: Answer) -> dict[str, Any]:
    if answer.analysis is None or answer.run is None:
        return {}
    return {
        name: {
            "deadline_s": _seconds(one.deadline_ns),
            "bound_s": _seconds(one.response_ns),
            "simulated_s": _seconds(answer.run.seen[name].longest_ns) if answer.run.seen[name].jobs else None,
            "jobs": answer.run.seen[name].jobs,
            "misses": answer.run.seen[name].misses,
            "lost": answer.run.seen[name].lost,
        }
        for name, one in answer.analysis.responses.items()
    }


def _costs(answer: Answer) -> dict[str, Any]:
    """Return the equivalent metrics by message and side."""
    if answer.system is None:
        return {}
    return {
        f"{message} {side}": {
            "device": answer.system.worker(message, side),
            "rate_hz": answer.system.rate_hz(message, side),
            **asdict(cost),
            "throughput_bytes_per_s": cost.throughput_bytes_per_s,
            "cpu_share": cost.cpu_share,
        }
        for (message, side), cost in answer.system.costs.items()
    }


def _devices(answer: Answer) -> dict[str, Any]:
    devices = answer.devices
    memory = {name: one.memory for name, one in devices.items()}
    return {
        "rom_bytes": {name: one.rom_bytes if one else None for name, one in memory.items()},
        "ram_bytes": {name: one.ram_bytes if one else None for name, one in memory.items()},
        "rom_size_bytes": {name: one.rom_size_bytes for name, one in devices.items()},
        "ram_size_bytes": {name: one.ram_size_bytes for name, one in devices.items()},
        "power_w": {name: one.power_w for name, one in devices.items()},
        "crypto_w": {name: one.crypto_w for name, one in devices.items()},
        "energy_j_per_day": {
            name: None if one.power_w is None else one.power_w * _DAY_S for name, one in devices.items()
        },
        "battery_life_s": {name: one.life_s for name, one in devices.items()},
    }


def content(twin: Twin, answers: Sequence[Answer]) -> dict[str, Any]:
    """Return all of a scene's answers, with curves and timelines."""
    scene = twin.scene
    rows = [row(answer) for answer in answers]
    for answer, one in zip(answers, rows, strict=True):
        one["loops"] = {name: outcome.to_json() for name, outcome in answer.loops.items()}
    return {
        "title": scene.title,
        "summary": " ".join(scene.about.split()),
        "devices": [_device(name, twin) for name in scene.device],
        "protections": rows,
        "timelines": {answer.way.name: _timeline(answer) for answer in answers if answer.run is not None},
        "plants": {
            name: {"reduction": loop.reduction, "notes": list(loop.notes)}
            for name, loop in twin.loops.items()
        },
        "notes": [*scene.source, *twin.warnings],
    }


def _device(name: str, twin: Twin) -> dict[str, Any]:
    table = twin.scene.device[name]
    return {
        "name": name,
        "is": table.target or table.node or table.host,
        "clock_hz": twin.devices[name].clock_hz,
        "scheduler": table.scheduler,
        "tasks": [task for task, one in twin.scene.task.items() if one.device == name],
    }


def _timeline(answer: Answer) -> list[Mapping[str, Any]]:
    assert answer.run is not None
    return [
        {
            "row": one.row,
            "what": one.what,
            "kind": one.kind,
            "start_s": one.start_ns / SECOND_NS,
            "end_s": one.end_ns / SECOND_NS,
            "missed": one.missed,
        }
        for one in answer.run.segments
    ]

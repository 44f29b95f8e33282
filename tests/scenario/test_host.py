"""A Linux device in a scene: its costs are those of its records."""

from __future__ import annotations

import pytest
from scenario.scenes import CATALOG, chain

from steelyard.errors import UsageError
from steelyard.record.schema import Record, blank
from steelyard.scenario.cost import Cost, Job, NoFigure
from steelyard.scenario.host import Host
from steelyard.scenario.protection import parse
from steelyard.scenario.quantities import Work
from steelyard.scenario.scene import Device
from steelyard.scenario.system import Processor, build


def row(operation: str, time_us: float | None, **fields: object) -> Record:
    """A record of a device named board."""
    return {
        **blank(),
        "device": "board", "threads": 1, "status": "ok", "verified": True, "operation": operation,
        "time_us": time_us, "time_min_us": time_us, "time_max_us": (time_us or 0) * 2,
        "cpu_process_percent": 50.0, **fields,
    }  # type: ignore[dict-item]  # fmt: skip


ROWS = [
    row("encrypt", 100.0, primitive="aes-128", mode="ctr", message_bytes=20),
    row("init", 5.0, primitive="hmac-sha-256"),
    row("mac", 60.0, primitive="hmac-sha-256", message_bytes=40),
    row("encrypt", 10.0, primitive="aes-128", mode="ctr", message_bytes=20, library="openssl"),
    row("seal", None, primitive="aes-128-ccm", message_bytes=20, ad_bytes=0),
    row("encrypt", 1.0, primitive="aes-128", mode="ctr", message_bytes=20, device="other"),
]


def cost(protection: str, library: str | None = None) -> Cost:
    """The cost of sending 20 bytes and 4 that are authenticated."""
    host = Host(CATALOG, "gateway", Device(host="board", library=library))
    host.take(ROWS)
    ad_bytes = 4 if "+" in protection else 0
    return host.cost(Job(parse(CATALOG, protection), 20, ad_bytes, "send", each=False))


def test_parts_are_added() -> None:
    found = cost("aes-128 ctr + hmac-sha-256")
    assert found.delay_s == pytest.approx(165e-6)
    assert found.longest_s == pytest.approx(330e-6)
    assert found.cpu_s == pytest.approx(82.5e-6)
    assert found.cpu_share == pytest.approx(0.5)
    assert found.throughput_bytes_per_s == pytest.approx(20 / 165e-6)
    assert found.energy_j is None
    assert cost("aes-128 ctr", "openssl").delay_s == pytest.approx(10e-6)


def test_what_lacks_is_said() -> None:
    with pytest.raises(NoFigure, match="run: steelyard host measure board --primitive chacha20-poly1305"):
        cost("chacha20-poly1305")
    with pytest.raises(NoFigure, match="only emulated"):
        cost("aes-128-ccm")


def test_work_in_cycles_needs_a_clock() -> None:
    scene = chain()
    devices = {**scene.device, "controller": Device(host="board")}
    scene = scene.model_copy(update={"device": devices})
    processors = {name: Processor(None if name == "controller" else 1e6, cost) for name in devices}  # type: ignore[arg-type]
    none = dict.fromkeys(scene.message, parse(CATALOG, "none"))
    build(CATALOG, scene, none, processors)
    task = scene.task["control"].model_copy(update={"work": Work(cycles=2000)})
    changed = scene.model_copy(update={"task": {**scene.task, "control": task}})
    with pytest.raises(UsageError, match=r"task\.control\.work: it is in cycles"):
        build(CATALOG, changed, none, processors)

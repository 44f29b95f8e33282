"""Scenes that are wrong are told so in one sentence that names file and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from steelyard.errors import UsageError
from steelyard.scenario.scene import read_scene, scenes

GOOD = """
title = "test"
[device.node]
target = "atmega128"
[device.master]
target = "stm32f407"
[bus.can]
kind = "can"
bit_rate = "500kbit/s"
[bus.line]
kind = "rs-485"
bit_rate = "19200bit/s"
master = "master"
[task.sample]
device = "node"
period = "10ms"
work = "2000 cycles"
[task.control]
device = "master"
after = "value"
work = "1ms"
[task.act]
device = "node"
after = "command"
work = "100us"
[message.value]
from = "sample"
to = "control"
bus = "can"
id = 1
payload = "8B"
[message.command]
from = "control"
to = "act"
bus = "line"
payload = "8"
[plant.tank]
kind = "state-space"
a = [[-1.0]]
b = [[1.0]]
z = [[1.0]]
[loop.level]
plant = "tank"
chain = ["sample", "value", "control", "command", "act"]
setpoint_step = 1
duration = "1s"
controller = { kind = "pid", gain = 1.0 }
[try]
protection = ["aes-128-ccm"]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "scene.toml"
    file.write_text(GOOD)
    return file


def test_good(path: Path) -> None:
    scene = read_scene(path, ["task.sample.period=20ms", "message.value.payload=4B", "simulation.seed=5"])
    assert scene.task["sample"].period == 0.02
    assert scene.message["value"].payload == 4
    assert scene.simulation.seed == 5
    assert scene.task["sample"].work.cycles == 2000
    assert scene.unprotected().attempt is None


def test_shipped_scenes_are_read() -> None:
    assert {"motor-speed", "sensor-network", "thermal-plate", "water-tank"} <= set(scenes())
    for path in scenes().values():
        assert read_scene(path).about


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("task.sample.period=5MHz", 'task.sample.period: "5MHz" is a frequency, and a time is asked for'),
        ("task.sample.period=5", "task.sample.period: 5 has no unit"),
        ("task.sample.period=0ms", "more than zero is needed"),
        ("task.sample.work=5kbit/s", "task.sample.work:"),
        ("bus.can.bit_rate=500kHz", "bus.can.bit_rate:"),
        ("bus.can.data_rate=2Mbit/s", "unknown field bus.can.data_rate"),
        ("bus.can.kind=canfd", "bus.can"),
        ("message.value.payload=2.5B", "whole number"),
        ("task.sample.peroid=5ms", 'unknown field task.sample.peroid; did you mean "period"?'),
        ("task.sample.device=nod", 'task.sample.device: unknown device "nod"; did you mean "node"?'),
        ("task.control.period=5ms", "task.control: it needs a period, or the message it comes after"),
        ("task.control.after=command", "message command does not go to this task"),
        ("task.sample.after=value", "it needs a period, or"),
        ("device.node.node=mica2", "device.node: it needs one of target, node and host"),
        ("device.node.library=openssl", "library is for a device that names a host"),
        ("device.node.scheduler=rms", "device.node.scheduler"),
        ("message.value.bus=cam", 'unknown bus "cam"'),
        ("message.value.to=contrl", 'unknown task "contrl"'),
        ("message.value.id=5000", "more than the 11 bits"),
        ("message.command.id=5", "it is for CAN"),
        ("message.command.poll=5ms", "is for what comes to a master"),
        ("message.value.period=5ms", "it is sent by a task"),
        ("message.value.from=node", "period is missing"),
        ("task.act.priority=3", "task.sample.priority is missing; other tasks of node have one"),
        ("task.node={device='node',period='1s',work='1s'}", "a device has the same name"),
        ("loop.level.plant=tan", 'unknown plant "tan"'),
        ("loop.level.chain=['sample','command','act']", "command does not go from sample to act"),
        ("loop.level.chain=['act']", "act samples the plant and needs a period"),
        ("loop.level.chain=['sample','control']", "on two devices with no message between"),
        ("loop.level.duration=5", "loop.level.duration: 5 has no unit"),
        ("loop.level.controller={kind='pid'}", "loop.level.controller.gain is missing"),
        ("try.need=['integrity']", "it needs protection, a list, or need"),
        ("try.messages=['valu']", 'unknown message "valu"; did you mean "value"?'),
        ("title=5", "title"),
    ],
)
def test_wrong(path: Path, change: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_scene(path, [change])
    sentence = str(caught.value)
    assert sentence.startswith(str(path))
    assert said in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("change", ["task.sample.period", "=5", "task..period=5", "title.deep=5"])
def test_wrong_set(path: Path, change: str) -> None:
    with pytest.raises(UsageError, match="--set"):
        read_scene(path, [change])


def test_polling_is_needed_towards_a_master(path: Path) -> None:
    changes = ["message.value.bus=line"]
    path.write_text(GOOD.replace("id = 1\n", ""))
    with pytest.raises(UsageError, match=r"message.value.poll is missing; it comes to the bus's master"):
        read_scene(path, changes)
    assert read_scene(path, [*changes, "message.value.poll=50ms"]).message["value"].poll == 0.05


def test_circle_of_triggers(path: Path) -> None:
    path.write_text(
        GOOD.replace('period = "10ms"\nwork = "2000', 'after = "back"\nwork = "2000')
        + '[message.back]\nfrom = "act"\nto = "sample"\nbus = "can"\nid = 9\npayload = "1B"\n'
    )
    with pytest.raises(UsageError, match="wait for each other in a circle"):
        read_scene(path)

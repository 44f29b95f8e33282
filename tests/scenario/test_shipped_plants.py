"""The plants and controllers of the scenes that come with Steelyard."""

from __future__ import annotations

from pathlib import Path

import pytest

from steelyard.data import data_root
from steelyard.scenario.loop import Loop, Timing
from steelyard.scenario.scene import Scene, read_scene

SCENES = data_root() / "advice" / "scenes"
# By scene: latencies from sensor to actuator that its loop bears, and that it does not.
LATENCIES_S = {
    "motor-speed": (0.45e-3, 2.4e-3),
    "water-tank": (0.15, 15.0),
    "thermal-plate": (0.25, 3.5),
}


def loop_of(name: str) -> Loop:
    path = SCENES / f"{name}.toml"
    scene: Scene = read_scene(path)
    (table,) = scene.loop.values()
    return Loop.build(scene.plant[table.plant], table, period_s(scene), path.parent)


def period_s(scene: Scene) -> float:
    """Of the chain's task, or of the poll that asks for it."""
    (loop,) = scene.loop.values()
    message = scene.message[loop.chain[1]]
    period = message.poll or scene.task[loop.chain[0]].period
    assert period is not None
    return period


def test_every_scene_with_a_loop_is_here() -> None:
    with_loops = {path.stem for path in Path(SCENES).glob("*.toml") if read_scene(path).loop}
    assert with_loops == set(LATENCIES_S)


@pytest.mark.parametrize("name", LATENCIES_S)
def test_limits_part_short_delays_from_long_ones(name: str) -> None:
    loop = loop_of(name)
    short, long = (loop.evaluate(Timing((latency,))) for latency in LATENCIES_S[name])
    assert short.violations == ()
    assert short.metrics["phase_margin_deg"] > 35
    assert long.stable
    assert any("overshoot" in one or "margin" in one for one in long.violations)


def test_plate_is_reduced_well() -> None:
    reduction = loop_of("thermal-plate").reduction
    assert reduction is not None
    assert (reduction["full_states"], reduction["order"]) == (1000, 12)
    assert reduction["max_relative_error"] < 1e-3
    assert reduction["step_error"] < 1e-3

"""What the page on plants shows works as written."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from steelyard.scenario.scene import read_scene

PAGE = Path(__file__).parents[2] / "docs" / "plants.md"

# What the page leaves out of its scene.
REST = """
title = "A pendulum"
[device.one]
target = "stm32f407"
[device.two]
target = "stm32f407"
[bus.wire]
kind = "ethernet"
bit_rate = "100Mbit/s"
[task.look]
device = "one"
period = "10ms"
work = "10us"
[task.think]
device = "two"
after = "angle"
work = "10us"
[task.act]
device = "one"
after = "push"
work = "10us"
[message.angle]
from = "look"
to = "think"
bus = "wire"
payload = "8B"
[message.push]
from = "think"
to = "act"
bus = "wire"
payload = "8B"
"""


def test_script_runs(
    run: Callable[[str, Path], subprocess.CompletedProcess[str]],
    code_blocks: Callable[[Path, str], list[str]],
    tmp_path: Path,
) -> None:
    (script,) = code_blocks(PAGE, "python")
    (tmp_path / "example.py").write_text(script, encoding="utf-8")
    lines = run("python example.py", tmp_path).stdout.splitlines()
    assert lines[0] == "4.95 ms make it unstable"
    overshoots = [int(line.split()[2]) for line in lines[1:]]
    assert len(overshoots) == 3
    assert overshoots == sorted(overshoots)


def test_scene_holds_the_pendulum_up(code_blocks: Callable[[Path, str], list[str]], tmp_path: Path) -> None:
    from steelyard.scenario.loop import Loop, Timing

    shown, reduce = code_blocks(PAGE, "toml")
    path = tmp_path / "pendulum.toml"
    path.write_text(REST + shown, encoding="utf-8")
    scene = read_scene(path)
    loop = Loop.build(scene.plant["pendulum"], scene.loop["balance"], 0.01, tmp_path)
    assert "unstable" in loop.notes[0]
    assert loop.evaluate(Timing((0.001,))).violations == ()
    assert "order = 12" in reduce

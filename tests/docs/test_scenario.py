"""The page on scenes: its scene is one, its lines work, and it names every table, bus and shipped scene."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from steelyard.scenario.scene import Scene, read_scene, scenes

PAGE = Path(__file__).parents[2] / "docs" / "scenario.md"

Run = Callable[[str, Path], subprocess.CompletedProcess[str]]
CodeBlocks = Callable[[Path, str], list[str]]


def test_lines(run: Run, code_blocks: CodeBlocks, tmp_path: Path) -> None:
    (scene,) = code_blocks(PAGE, "toml")
    (tmp_path / "valve.toml").write_text(scene, encoding="utf-8")
    lines = [line for block in code_blocks(PAGE, "sh") for line in block.splitlines()]
    assert len(lines) == 6
    _, _, plain, *others = lines
    rows = json.loads(run(f"{plain} --json", tmp_path).stdout)
    none, first, *_ = rows
    assert none["name"] == "none" and first["rank"] == 1
    assert "aes-128-ccm" in [row["name"] for row in rows]
    for line in (lines[0], *others):
        assert run(line, tmp_path).stdout.strip()


def test_everything_is_named() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in scenes():
        assert f"`{name}`" in text
    for name, field in Scene.model_fields.items():
        if name not in ("title", "about", "source"):
            assert f"`{field.alias or name}`" in text
    kinds = {bus.kind for path in scenes().values() for bus in read_scene(path).bus.values()}
    for kind in (*kinds, "can"):
        assert f"`{kind}`" in text

"""The examples of sweep, pareto and explain work as their pages have them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

COMMANDS = Path(__file__).parents[2] / "docs" / "commands"

Run = Callable[[str, Path], subprocess.CompletedProcess[str]]
CodeBlocks = Callable[[Path, str], list[str]]


def _rows(run: Run, code_blocks: CodeBlocks, page: str, folder: Path) -> list[list[dict[str, Any]]]:
    lines = code_blocks(COMMANDS / page, "sh")[0].splitlines()
    assert all(line.startswith("steelyard ") for line in lines)
    return [json.loads(run(f"{line} --json", folder).stdout) for line in lines]


def test_sweep(run: Run, code_blocks: CodeBlocks, tmp_path: Path) -> None:
    inlined, waits, flash = _rows(run, code_blocks, "sweep.md", tmp_path)
    assert {row["parameters"] for row in inlined} == {"inline=auto", "inline=never", "inline=always"}
    assert [row["settings"] for row in waits] == [f"wait_states={number}" for number in range(6)]
    assert [row["cycles"] for row in waits] == sorted(row["cycles"] for row in waits)
    assert {row["settings"] for row in flash} == {
        f"clock_hz={clock}{code}" for clock in (24_000_000, 168_000_000) for code in ("", " code=ram")
    }
    assert (tmp_path / "waits.svg").is_file()
    assert all(row["verified"] for rows in (inlined, waits, flash) for row in rows)


def test_pareto(run: Run, code_blocks: CodeBlocks, tmp_path: Path) -> None:
    alone, joined, categories = _rows(run, code_blocks, "pareto.md", tmp_path)
    assert {row["on_front"] for row in alone} == {True, False}
    assert {tuple(sorted(row.keys() & {"cycles_per_byte", "rom_bytes", "cycles"})) for row in joined} == {
        ("cycles_per_byte", "rom_bytes")
    }
    assert (tmp_path / "front.svg").is_file()
    assert {row["fits"] for row in categories} == {True, False}


def test_explain(run: Run, code_blocks: CodeBlocks, tmp_path: Path) -> None:
    for rows in _rows(run, code_blocks, "explain.md", tmp_path):
        (whole,) = (row for row in rows if row["kind"] == "whole")
        parts = [row["difference"] for row in rows if row["kind"] in ("instructions", "waits")]
        # Sixteen samples: fractions of a cycle are exact.
        assert sum(parts) == whole["difference"] != 0


def test_the_declared_parameter_is_that_of_the_page(code_blocks: CodeBlocks) -> None:
    (shown,) = code_blocks(COMMANDS / "sweep.md", "toml")
    variant = COMMANDS.parents[1] / "primitives" / "block" / "rc5" / "compact" / "variant.toml"
    told = variant.read_text(encoding="utf-8")
    for line in shown.splitlines():
        assert line.partition("  #")[0].rstrip() in told

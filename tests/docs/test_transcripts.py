"""Transcripts, recipes and the notebook say what the commands say; the citation is valid."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docs.generate import transcripts

from steelyard.record.origin import steelyard_version
from steelyard.toolchain import discover

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

Run = Callable[[str, Path], subprocess.CompletedProcess[str]]
CodeBlocks = Callable[[Path, str], list[str]]


def test_transcripts_are_current() -> None:
    """Where this fails after a change: `python -m docs.generate --examples`."""
    stale = []
    with transcripts.workplace() as run:
        for page in transcripts.transcript_pages():
            text = page.read_text(encoding="utf-8")
            assert transcripts.commands_of(page), page.name
            if transcripts.rerun(text, run) != text:
                stale.append(page.name)
    assert stale == []


def test_a_stale_transcript_is_seen() -> None:
    text = (DOCS / "commands" / "measure.md").read_text(encoding="utf-8")
    said = transcripts.rerun(text, lambda command: f"{command}: nothing\n")
    assert "$ steelyard measure" in said and ": nothing\n" in said
    assert said != text


def test_the_notebook_is_current(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEELYARD_STORE", str(tmp_path / "store"))
    notebook = transcripts.read_notebook()
    assert transcripts.run_notebook(notebook) == notebook
    changed: Any = json.loads(json.dumps(notebook).replace("times fewer", "times as many"))
    assert changed != notebook


def test_recipes_of_the_cookbook_run(run: Run, code_blocks: CodeBlocks, tmp_path: Path) -> None:
    found = code_blocks(DOCS / "cookbook.md", "sh")
    assert len(re.findall(r"^### .*\?$", (DOCS / "cookbook.md").read_text(encoding="utf-8"), re.M)) == 10
    builds_rl78 = any(one.family == "rl78" and one.available for one in discover())
    said = {}
    for line in (line for block in found for line in block.splitlines()):
        if "rl78" not in line or builds_rl78:
            said[line] = run(line, tmp_path).stdout
    assert all(text.strip() for line, text in said.items() if " plot " not in line)
    assert {"chacha20.pdf", "chacha20.csv", "builds.svg", "front.svg"} <= {p.name for p in tmp_path.iterdir()}

    def answered(words: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(run(f"steelyard {words} --json", tmp_path).stdout)
        return rows

    energies = answered("show --target nrf52840 --operation seal --energy --sort energy_nj")
    assert [row["primitive"] for row in energies] == ["ascon-aead128", "aes-128-ccm"]
    assert energies[0]["energy_nj"] < energies[1]["energy_nj"]
    sizes = answered("show --primitive chacha20 --target atmega328p --toolchain clang --length 64")
    by_flags = {row["flags"]: row for row in sizes}
    assert by_flags["-O3"]["rom_bytes"] > by_flags["-Os"]["rom_bytes"]
    assert by_flags["-O3"]["cycles"] < by_flags["-Os"]["cycles"]
    front = answered("plot front --primitive aes-128 --target atmega128")
    assert "aes/avr-asm" in {row["variant"] for row in front if row["on_front"]}


def test_the_citation_is_valid() -> None:
    """The required fields of the Citation File Format 1.2.0, and the version that is built."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    yaml = pytest.importorskip("yaml", reason="make docs installs it")
    said = yaml.safe_load(text)
    assert said["cff-version"] == "1.2.0"
    assert said["type"] == "software" and said["license"] == "Apache-2.0"
    assert all(isinstance(said[name], str) and said[name] for name in ("message", "title", "abstract"))
    assert [{"name"} <= author.keys() for author in said["authors"]] == [True]
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", said["date-released"])
    assert steelyard_version().startswith(said["version"])
    known = {"cff-version", "message", "type", "title", "authors", "version", "date-released", "license"}
    assert said.keys() <= known | {"abstract", "keywords"}

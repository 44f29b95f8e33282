"""The shortest recipe of CONTRIBUTING.md, followed to the letter in a copy of the checkout."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from checkout import ROOT, copy_checkout, run_copy

RECIPE = "## 1. A variant"


def steps() -> list[tuple[str, str]]:
    """The code blocks of the recipe: language and text."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (section,) = re.findall(rf"^{re.escape(RECIPE)}\n(.*?)(?=^## )", text, re.DOTALL | re.MULTILINE)
    blocks: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    return blocks


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return copy_checkout(tmp_path, "bench.toml")


def test_one_more_variant_is_a_folder_and_its_metadata(checkout: Path) -> None:
    (_, copy), (_, metadata), (_, measure) = steps()
    assert copy.startswith("cp -r ")
    subprocess.run(shlex.split(copy), cwd=checkout, check=True)
    variant = checkout / shlex.split(copy)[-1]
    (variant / "variant.toml").write_text(metadata, encoding="utf-8")
    assert len(list(variant.iterdir())) <= 5

    program, *words = shlex.split(measure)
    assert program == "steelyard"
    done = run_copy(checkout, *words, "--toolchain", "clang", "--json")
    assert done.returncode == 0, done.stderr
    records = json.loads(done.stdout)
    name = f"{variant.parent.name}/{variant.name}"
    assert {record["variant"] for record in records} == {"rc4/compact", "rc4/fast", name}
    assert {(record["status"], record["verified"]) for record in records} == {("ok", True)}
    # The recipe copies the code unchanged, so the copy costs what the original costs.
    cycles = {(record["variant"], record["operation"]): record["cycles"] for record in records}
    for operation in ("init", "encrypt", "decrypt"):
        assert cycles[name, operation] == cycles["rc4/fast", operation] > 0


def test_a_wrong_variant_is_caught_by_the_recipe(checkout: Path) -> None:
    (_, copy), (_, metadata), (_, measure) = steps()
    subprocess.run(shlex.split(copy), cwd=checkout, check=True)
    variant = checkout / shlex.split(copy)[-1]
    (variant / "variant.toml").write_text(metadata, encoding="utf-8")
    code = (variant / "crypt.c").read_text(encoding="utf-8")
    assert "j + si" in code
    (variant / "crypt.c").write_text(code.replace("j + si", "j + si + 1"), encoding="utf-8")

    done = run_copy(checkout, *shlex.split(measure)[1:], "--toolchain", "clang", "--json")
    assert done.returncode == 1
    wrong = [r for r in json.loads(done.stdout) if r["variant"] == "rc4/mine" and r["operation"] == "encrypt"]
    assert [(record["status"], record["cycles"]) for record in wrong] == [("wrong-output", None)]


def test_recipes_name_files_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([a-z][\w./-]*/[\w./-]*)`", text) if "/mine/" not in name}
    assert len(named) > 15
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []

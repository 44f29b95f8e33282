"""Recipes of CONTRIBUTING.md, followed to the letter in a copy of the checkout."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from checkout import ROOT, copy_checkout, run_copy

VARIANT = "## 1. A variant"
INSTRUCTION = "## 8. An instruction"


def steps(recipe: str = VARIANT) -> list[tuple[str, str]]:
    """The code blocks of a recipe: language and text."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (section,) = re.findall(rf"^{re.escape(recipe)}\n(.*?)(?=^## )", text, re.DOTALL | re.MULTILINE)
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


_NEW_INSTRUCTION = """
use steelyard_emu::{machine_from_json, Argument, Observe};

#[test]
fn it_runs_and_has_a_text() {
    let core = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../core.json")).unwrap();
    let ram = r#"{"name": "ram", "space": "data", "kind": "ram", "base": 65536, "size": 4096}"#;
    let description = format!(r#"{{"core": {core}, "memory": [{ram}], "clock_hz": 1000000}}"#);
    let mut machine = machine_from_json(&description).unwrap();
    // andn a0, a0, a1; ret
    let code: Vec<u8> = [0x40b5_7533_u32, 0x0000_8067].iter().flat_map(|word| word.to_le_bytes()).collect();
    machine.load_raw(0x1_0000, &code).unwrap();
    let arguments = [0xff, 0x0f].map(|value| Argument { value, size_bytes: 4 });
    let result = machine.call(0x1_0000, &arguments, 100, Observe::Profile).unwrap();
    assert!(result.fault.is_none(), "{:?}", result.fault);
    assert_eq!(result.return_value as u32, 0xf0);
    assert_eq!(machine.disassembled(0x1_0000), Some(("andn x10,x10,x11".into(), 4)));
}
"""


def test_an_instruction_is_added_in_three_files(tmp_path: Path) -> None:
    crate = tmp_path / "crates" / "steelyard-emu"
    shutil.copytree(ROOT / "crates" / "steelyard-emu", crate, ignore=shutil.ignore_patterns("tests"))
    workspace = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    workspace = workspace.replace('["crates/*", "differential"]', '["crates/steelyard-emu"]')
    (tmp_path / "Cargo.toml").write_text(workspace, encoding="utf-8")
    shutil.copy(ROOT / "Cargo.lock", tmp_path)
    core = tomllib.loads((ROOT / "targets" / "cores" / "e31.toml").read_text(encoding="utf-8"))
    del core["chip"]
    (tmp_path / "core.json").write_text(json.dumps(core), encoding="utf-8")
    (crate / "tests").mkdir()
    (crate / "tests" / "main.rs").write_text(_NEW_INSTRUCTION, encoding="utf-8")

    (language, diff), *_ = steps(INSTRUCTION)
    assert language == "diff"
    assert 1 <= len(re.findall(r"^\+\+\+ ", diff, re.MULTILINE)) <= 3
    subprocess.run(["patch", "-p1"], input=diff, text=True, cwd=tmp_path, check=True)
    # What the crate depends on is compiled already.
    compiled = ("--target-dir", ROOT / "target")
    command = ["cargo", "test", "--quiet", "--profile", "quick", "--test", "all", *compiled]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


def test_recipes_name_files_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([a-z][\w./-]*/[\w./-]*)`", text) if "/mine/" not in name}
    assert len(named) > 15
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []

"""What the pages tell a reader to type works as written, and the measured tables can be measured again."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from docs.generate import bench
from docs.generate.records import read_kept

import steelyard

DOCS = Path(__file__).parents[2] / "docs"

Run = Callable[[str, Path], subprocess.CompletedProcess[str]]
CodeBlocks = Callable[[Path, str], list[str]]


def test_own_code(run: Run, code_blocks: CodeBlocks, tmp_path: Path) -> None:
    folder = shutil.copytree(DOCS / "examples", tmp_path / "examples")
    lines = [line for block in code_blocks(DOCS / "own-code.md", "sh") for line in block.splitlines()]
    assert len(lines) == 8
    alone, beside, parts, theirs, floating, build, call, chain = lines
    own = json.loads(run(f"{alone} --json", folder).stdout)
    assert {record["variant"] for record in own} == {"rc4/simple"}
    assert all(record["status"] == "ok" and record["verified"] for record in own)
    both = json.loads(run(f"{beside} --json", folder).stdout)
    assert {record["variant"] for record in both} == {"rc4/compact", "rc4/fast", "rc4/simple"}
    over = json.loads(run(f"{parts} --json", folder).stdout)
    assert {record["parts"] for record in over} == {"aes/sbox-rows", "aes/ttable-1k"}
    as_it_is = json.loads(run(f"{theirs} --json", folder).stdout)
    assert {record["operation"] for record in as_it_is} == {"encrypt", "decrypt"}
    assert all(record["verified"] and record["evidence"].startswith("independent") for record in as_it_is)
    hard = json.loads(run(f"{floating} --json", folder).stdout)
    assert {(record["status"], record["verified"]) for record in hard} == {("ok", True)}
    run(build, folder)
    (called,) = json.loads(run(f"{call} --json", folder).stdout)
    # Fletcher's checksum of "abcde": the bytes sum to 495 = 240 modulo 255, the sums to 1475 = 200.
    assert called["return_value"] == str(200 << 8 | 240)
    assert (called["status"], called["verified"]) == ("ok", False)
    assert called["cycles"] > 0
    first, second = json.loads(run(f"{chain} --json", folder).stdout)
    assert (first["status"], second["status"]) == ("ok", "ok")
    assert first["cycles"] == called["cycles"] > second["cycles"]
    assert "fletcher" not in run("steelyard show", folder).stdout
    assert "fletcher" in run("steelyard show --unverified", folder).stdout


def test_a_chip_of_one_s_own(run: Run, code_blocks: CodeBlocks, tmp_path: Path) -> None:
    folder = shutil.copytree(DOCS / "examples", tmp_path / "examples")
    (block,) = code_blocks(DOCS / "own-chip.md", "sh")
    # The other line runs the reader's firmware.
    measured, predicted = (
        json.loads(run(f"{line} --json", folder).stdout)
        for line in block.splitlines()
        if "firmware.elf" not in line
    )
    assert {(row["status"], row["target"]) for row in measured} == {("ok", "my-chip")}
    assert all(row["target_hash"] for row in measured)
    assert {row["operation"] for row in predicted} == {"init", "encrypt", "decrypt"}


def test_own_code_metadata_is_the_example_s(code_blocks: CodeBlocks) -> None:
    shown, theirs, script = code_blocks(DOCS / "own-code.md", "toml")
    their_variant = DOCS / "examples" / "their-code" / "xtea" / "theirs" / "variant.toml"
    assert theirs == their_variant.read_text(encoding="utf-8")
    assert script == (DOCS / "examples" / "calls.toml").read_text(encoding="utf-8")
    assert shown == (DOCS / "examples" / "my-ciphers" / "rc4" / "simple" / "variant.toml").read_text(
        encoding="utf-8"
    )


def test_libraries(run: Run, code_blocks: CodeBlocks, tmp_path: Path) -> None:
    folder = shutil.copytree(DOCS / "examples", tmp_path / "examples")
    page = DOCS / "import" / "libraries.md"
    alone, beside = (line for block in code_blocks(page, "sh") for line in block.splitlines())
    rows = json.loads(run(f"{alone} --json", folder).stdout)
    assert {(row["variant"], row["target"]) for row in rows} == {
        ("xtea/their-library", "atmega328p"),
        ("xtea/their-library", "stm32f407"),
    }
    assert all(row["status"] == "ok" and row["verified"] for row in rows)
    rows = json.loads(run(f"{beside} --json", folder).stdout)
    assert len({row["variant"] for row in rows}) > 1
    shown, sets = code_blocks(page, "toml")
    assert shown == (DOCS / "examples" / "their-library" / "adapter.toml").read_text(encoding="utf-8")
    library = tmp_path / "kem"
    library.mkdir()
    for name in ("kem.c", "fips202.c"):
        (library / name).touch()
    (library / "adapter.toml").write_text(sets, encoding="utf-8")
    listed = json.loads(run(f"steelyard import {library} --list --json", folder).stdout)
    assert [(row["variant"], row["primitive"]) for row in listed] == [
        ("ml-kem/somebody-512", "ml-kem-512"),
        ("ml-kem/somebody-768", "ml-kem-768"),
    ]


def test_getting_started(run: Run, code_blocks: CodeBlocks, tmp_path: Path) -> None:
    page = DOCS / "getting-started.md"
    for block in code_blocks(page, "sh"):
        for line in block.splitlines():
            if line.startswith("steelyard "):
                run(line, tmp_path)
    assert (tmp_path / "report.html").stat().st_size > 100_000
    assert pl.read_csv(tmp_path / "records.csv").height > 0
    (script,) = code_blocks(page, "python")
    (tmp_path / "example.py").write_text(script, encoding="utf-8")
    assert "encrypt" in run("python example.py", tmp_path).stdout


@pytest.fixture
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STEELYARD_STORE", str(tmp_path / "store"))


def kept_cycles(records: pl.DataFrame) -> dict[tuple[object, ...], float]:
    key = ("primitive", "target", "operation", "mode", "message_bytes", "footprint", "flags")
    chosen = records.filter(pl.col("toolchain") == "clang")
    return {row[:-1]: row[-1] for row in chosen.select(*key, "cycles").iter_rows()}


@pytest.mark.usefixtures("own_store")
def test_kept_records_can_be_measured_again() -> None:
    """With the compiler that is pinned to the letter; what GCC makes depends on the distribution."""
    kept = kept_cycles(read_kept("sensor-nodes"))
    again = kept_cycles(
        pl.concat(
            [
                steelyard.measure(
                    "md5", target=["atmega103", "atmega128"], toolchain="clang", length=[0, 80]
                ),
                steelyard.measure(
                    "idea", target="atmega103", toolchain="clang", mode="ecb", length=16, footprint="both"
                ),
            ]
        )
    )
    assert len(again) == 6
    assert {cell: kept.get(cell) for cell in again} == again, (
        "run: python -m docs.generate --measure sensor-nodes"
    )


def test_front_page_table_holds_what_was_measured() -> None:
    records = read_kept("bench")
    table = bench.table()
    numbers = {text.replace(",", "") for text in re.findall(r"\b\d{1,3}(?:,\d{3})+\b", table)}
    measured = {str(round(cycles)) for cycles in records["cycles"].drop_nulls()}
    assert numbers
    assert numbers <= measured


@pytest.mark.parametrize(
    "page", ["advice.md", "commands/recommend.md", "commands/protocol.md", "commands/battery.md"]
)
def test_advice(run: Run, code_blocks: CodeBlocks, tmp_path: Path, page: str) -> None:
    lines = [line for block in code_blocks(DOCS / page, "sh") for line in block.splitlines()]
    assert len(lines) > 1
    for line in lines:
        assert run(line, tmp_path).stdout.strip()

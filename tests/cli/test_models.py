"""`steelyard fit` and `steelyard predict` from the command line: fitted, checked, refused in a sentence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from command import options

from steelyard.models.training import chips, read_records

gcc = pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="avr-gcc is not installed")

CHIP = """
id = "risc"
title = "a 32-bit RISC without caches"
clock_hz = 50_000_000
[parameters]
word_bits = 32
registers = 13
rotate_any = true
"""


@pytest.fixture
def chip_file(tmp_path: Path) -> Path:
    path = tmp_path / "my-chip.toml"
    path.write_text(CHIP, "utf-8")
    return path


@pytest.fixture(scope="session")
def few_records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of eight chips of six families, so that an evaluation takes seconds."""
    path = tmp_path_factory.mktemp("records") / "few.parquet"
    names = ["atmega128", "attiny45", "msp430f1611", "sa1110", "pxa250-400", "stm32l152", "leon3", "esp32-c3"]
    read_records().filter(pl.col("target").is_in(names)).write_parquet(path)
    return path


def _gcc_records(target: str) -> pl.DataFrame:
    return read_records().filter((pl.col("target") == target) & (pl.col("toolchain") == "gcc"))


def _csv(path: Path, target: str, primitives: list[str], factor: float = 1.0) -> Path:
    """What the records say of some primitives on a chip, as a user would hand it in."""
    rows = _gcc_records(target).filter(pl.col("primitive").is_in(primitives))
    rows.select(
        "primitive", "operation", "message_bytes", pl.col("cycles") * factor, "rom_bytes", "ram_bytes"
    ).write_csv(path)
    return path


@gcc
def test_an_affine_fit_is_exact_where_nothing_depends_on_data(steelyard: Any) -> None:
    asked = ("fit", "affine", *options(primitive="chacha20", target="atmega128", toolchain="gcc", checks=8))
    rows = steelyard.json(*asked)
    assert {row["operation"] for row in rows} == {"encrypt", "decrypt"}
    for row in rows:
        assert (row["exact_lengths"], row["checked_lengths"], row["worst_error_percent"]) == (8, 8, 0)
        assert row["block_bytes"] == 64
        assert row["init_cycles"] > 0
        assert not row["data_dependent_or_cached"]
    assert "2 of 2 operations are met to half a cycle" in steelyard.run(*asked).stdout


@gcc
def test_records_that_come_along_are_those_of_this_emulator(steelyard: Any) -> None:
    """What `fit collect` would write today, for one chip and a few cheap rows."""
    kept = _gcc_records("atmega128").filter(pl.col("primitive") == "speck-64-128")
    asked = options(primitive="speck-64-128", target="atmega128", toolchain="gcc", flags="-Os", samples=4)
    fresh = steelyard.json("measure", *asked)
    if fresh[0]["toolchain_version"] != kept["toolchain_version"][0]:
        pytest.skip("another compiler than that of the records")
    before = {row["operation"]: row for row in kept.to_dicts()}
    for row in fresh:
        for field in ("cycles", "rom_bytes", "ram_bytes", "instructions"):
            assert row[field] == before[row["operation"]][field], "run: steelyard fit collect"


def test_an_evaluation_tells_errors_and_coverage(steelyard: Any, few_records: Path) -> None:
    rows = steelyard.json("fit", "evaluate", "--metric", "cycles", "--records", few_records)
    whole = {(row["left_out"], row["model"], row["primitives"]): row for row in rows if row["group"] is None}
    alone = whole["core family", "parameters", 0]
    assert alone["groups"] == 7
    assert alone["median_error"] < whole["core family", "equation 1", 0]["median_error"]
    assert 0 < alone["coverage"] <= 1
    assert whole["algorithm family", "operations", 0]["groups"] == 42
    assert whole["architecture", "few-shot", 3]["cells"] == alone["cells"]
    by_group = [row for row in rows if row["group"] == "leon" and row["model"] == "parameters"]
    assert sum(row["cells"] for row in by_group if row["left_out"] == "core family") < alone["cells"]


def test_a_chip_of_which_only_parameters_are_known(steelyard: Any, chip_file: Path) -> None:
    rows = steelyard.json("predict", "--primitive", "aes-128", "--target", chip_file)
    assert {row["operation"] for row in rows} == {"init", "encrypt", "decrypt"}
    for row in rows:
        for metric in ("cycles", "rom_bytes", "ram_bytes"):
            assert 0 < row[f"{metric}_low"] < row[metric] < row[f"{metric}_high"]
            assert row[f"{metric}_model"] == "parameters"
        assert row["time_us"] == pytest.approx(row["cycles"] / 50, rel=1e-3)
    table = steelyard.run("predict", "--primitive", "aes-128", "--target", chip_file).stdout
    assert "From its parameters" in table


def test_measurements_move_predictions_and_are_kept(steelyard: Any, chip_file: Path, tmp_path: Path) -> None:
    """Planted: a chip five times as slow as its parameters say."""
    slow = _csv(tmp_path / "slow.csv", "stm32l152", ["aes-128", "rc6-32-20-16", "sha-512"], 5.0)
    asked = ("predict", "--primitive", "aes-128", "--primitive", "lea-128", "--target", chip_file)
    before = {(row["primitive"], row["operation"]): row for row in steelyard.json(*asked)}
    after = {(row["primitive"], row["operation"]): row for row in steelyard.json(*asked, "--calibrate", slow)}
    assert after["aes-128", "encrypt"]["cycles_model"] == "measured"
    assert after["aes-128", "encrypt"]["cycles_low"] == after["aes-128", "encrypt"]["cycles"]
    assert after["lea-128", "encrypt"]["cycles_model"] == "few-shot"
    ratio = after["lea-128", "encrypt"]["cycles"] / before["lea-128", "encrypt"]["cycles"]
    assert 2.5 < ratio < 8


def test_measurements_alone_and_many_of_them(steelyard: Any, tmp_path: Path) -> None:
    few = _csv(tmp_path / "few.csv", "leon3", ["aes-128", "rc6-32-20-16", "sha-512"])
    (row, *_) = steelyard.json("predict", "--primitive", "lea-128", "--calibrate", few)
    assert row["cycles_model"] == "few-shot, no parameters"
    names = ["aes-128", "rc6-32-20-16", "sha-512", "idea", "seed", "tea", "md5", "sm4", "des", "speck-64-128"]
    many = _csv(tmp_path / "many.csv", "leon3", names)
    file = tmp_path / "leon.toml"
    told = chips()["leon3"].model_dump()
    lines = [f"{key} = {json.dumps(value)}" for key, value in told.items()]
    file.write_text("\n".join(('id = "lion"', "[parameters]", *lines)), "utf-8")
    asked = ("predict", "--primitive", "lea-128", "--calibrate", many, "--target", file)
    found = {row["operation"]: row for row in steelyard.json(*asked)}
    assert found["encrypt"]["cycles_model"] == "operations"
    real = _gcc_records("leon3").filter(pl.col("primitive") == "lea-128")
    for operation, cycles in real.select("operation", "cycles").iter_rows():
        assert found[operation]["cycles"] == pytest.approx(cycles, rel=0.25)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "field id is missing"),
        ('id = "x"', "parameters: field word_bits is missing"),
        ('id = "x"\nword_bits = 8', "field word_bits: without inherits or core"),
        ('id = "x"\nclock_hz = "fast"', "field clock_hz"),
        ('id = "x"\n[parameters]\nword_bits = 12\nregisters = 8\n', "word_bits"),
        ('id = "x"\n[parameters]\nword_bits = 8\nregisters = 0\n', "registers"),
        ('id = "x"\n[parameters]\nword_bits = 8\nregisters = 8\nregister = 3\n', "unknown field register;"),
        ('id = "x"\n[parameters', "my-chip.toml"),
    ],
)
def test_a_wrong_chip_is_one_sentence(steelyard: Any, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "my-chip.toml"
    path.write_text(text, "utf-8")
    assert said in steelyard.sentence("predict", "--target", path, status=2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no row"),
        ("primitive,cycles\naes-128,5\n", "no column operation"),
        ("primitive,operation\naes-128,init\n", "no column of cycles"),
        ("primitive,operation,cycles\nlea-1288,init,5\n", "lea-128"),
        ("primitive,operation,cycles\naes-128,encrpt,5\n", "encrypt"),
        ("primitive,operation,cycles\naes-128,init,-5\n", "above 0"),
        ("primitive,operation,cycles\naes-128,init,many\n", "no number"),
        ("primitive,operation,cycles\naes-128,init,nan\n", "above 0"),
        ("primitive,operation,message_bytes,cycles\nmd5,digest,100,5\n", "64 or 256, not 100"),
        ("primitive,operation,cycles\naes-128,init,\n", "no row has a figure of cycles"),
        ("primitive,operation,cycles\naes-128,init,5\naes-128,init,6\n", "was 5 before, here it is 6"),
        ("primitive,operation,cycles,cycles\naes-128,init,5,5\n", "2 columns cycles"),
    ],
)
def test_wrong_measurements_are_one_sentence(steelyard: Any, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(text, "utf-8")
    assert said in steelyard.sentence("predict", "--calibrate", path, status=2)


def test_other_mistakes_are_one_sentence(steelyard: Any, chip_file: Path, tmp_path: Path) -> None:
    assert "--target" in steelyard.sentence("predict", status=2)
    assert "missing.toml" in steelyard.sentence("predict", "--target", tmp_path / "missing.toml", status=2)
    assert "missing.csv" in steelyard.sentence("predict", "--calibrate", tmp_path / "missing.csv", status=2)
    asked = ("predict", "--target", chip_file)
    assert "aes-128" in steelyard.sentence(*asked, "--primitive", "aes-1288", status=2)
    assert "records" in steelyard.sentence(*asked, "--records", chip_file, status=2)
    assert "cycles" in steelyard.sentence("fit", "evaluate", "--metric", "cycle", status=2)
    assert "gcc" in steelyard.sentence("reproduce", "ganesan", "--toolchain", "icc", status=2)
    assert "no folder" in steelyard.sentence("fit", "collect", "--output", tmp_path / "no" / "x", status=2)
    few = tmp_path / "two.parquet"
    read_records().filter(pl.col("target").is_in(["atmega128", "sa1110"])).write_parquet(few)
    assert "families" in steelyard.sentence(*asked, "--records", few, status=2)

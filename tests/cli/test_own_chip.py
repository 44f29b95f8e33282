"""Chips of one's own, wherever a target is named: inherited, merged, hashed, refused in a sentence."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from report.packed import everything

import steelyard as api
from steelyard.catalog.load import load_catalog
from steelyard.catalog.own import named_target
from steelyard.models.described import described
from steelyard.models.training import chips

arm_gcc = pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="no arm-none-eabi-gcc")
EXAMPLE = ROOT / "docs" / "examples" / "my-chip.toml"
SLOW_FLASH = 'id = "slow"\ninherits = "stm32f100"\n[flash]\naccess_ns = 83.0\nrow_bytes = 8\n'


def _file(folder: Path, text: str, name: str = "own.toml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def _nops(folder: Path) -> Path:
    """A vector table, eight instructions of a cycle behind it, and a branch to itself."""
    image = folder / "nops.bin"
    image.write_bytes(
        struct.pack("<2I", 0x2000_1000, 0x0800_0009) + struct.pack("<9H", *[0xBF00] * 8, 0xE7FE)
    )
    return image


def test_the_example_of_the_documentation_runs_and_predicts(steelyard: Any, tmp_path: Path) -> None:
    assert EXAMPLE.read_text("utf-8") in (ROOT / "docs" / "own-chip.md").read_text("utf-8")
    asked = ("--raw", "0x8000000", "--to", "0x8000018")
    (row,) = steelyard.json("run", _nops(tmp_path), "--target", EXAMPLE, *asked)
    (known,) = steelyard.json("run", _nops(tmp_path), "--target", "stm32f100", *asked)
    assert (row["target"], row["clock_hz"], row["tier"]) == ("my-chip", 48_000_000, "model")
    assert len(row["target_hash"]) == 64
    assert (known["target_hash"], known["cycles"]) == (None, 8)
    # Two cycles for a row of four instructions; the next row is read ahead, so that the first alone waits.
    assert row["cycles"] == known["cycles"] + 1
    (told, *_) = steelyard.json("predict", "--primitive", "speck-64-128", "--target", EXAMPLE)
    assert told["time_us"] == pytest.approx(told["cycles"] / 48, rel=1e-3)


@arm_gcc
def test_records_carry_the_chip_and_its_hash(steelyard: Any, tmp_path: Path) -> None:
    asked = ("measure", "--primitive", "speck-64-128", "--operation", "encrypt", "--toolchain", "gcc")
    (row,) = steelyard.json(*asked, "--target", _file(tmp_path, SLOW_FLASH))
    (known,) = steelyard.json(*asked, "--target", "stm32f100")
    assert (row["status"], row["verified"], row["target"]) == ("ok", True, "slow")
    assert row["cycles"] > known["cycles"]
    assert row["rom_bytes"] == known["rom_bytes"]
    (stored,) = steelyard.json("show", "--target", "slow")
    assert stored["target_hash"] == row["target_hash"] is not None
    (faster,) = steelyard.json(*asked, "--target", _file(tmp_path, SLOW_FLASH.replace("83.0", "41.0")))
    assert faster["cycles"] == known["cycles"]
    assert faster["target_hash"] != row["target_hash"]
    frame = api.measure(
        "speck-64-128", target=str(_file(tmp_path, SLOW_FLASH)), operation="encrypt", toolchain="gcc",
        store=steelyard.store,
    )  # fmt: skip
    assert frame["cycles"].to_list() == [row["cycles"]]
    report = tmp_path / "report.html"
    steelyard.run("report", "--output", report)
    assert '"slow"' in everything(report)


def test_a_call_of_an_image_takes_a_file_too(steelyard: Any, tmp_path: Path) -> None:
    golden = ROOT / "tests" / "golden" / "sum.elf"
    own = _file(tmp_path, 'id = "half"\ninherits = "atmega128"\nclock_hz = 8_000_000\n')
    asked = ("measure", "--elf", golden, "--call", "sum", "--arg", "in:0102", "--arg", "2")
    (row,) = steelyard.json(*asked, "--target", own)
    (known,) = steelyard.json(*asked, "--target", "atmega128")
    assert (row["target"], row["cycles"]) == ("half", known["cycles"])
    assert row["time_us"] == known["time_us"] * known["clock_hz"] / 8_000_000
    assert row["target_hash"]


def test_tables_are_merged_and_lists_replaced(tmp_path: Path) -> None:
    catalog = load_catalog()
    text = 'id = "own"\ninherits = "stm32f407"\nassumed = ["all of it"]\n[flash]\nprefetch = false\n'
    own, known = (named_target(catalog, str(name)) for name in (_file(tmp_path, text), "stm32f407"))
    assert own.file.flash is not None and known.file.flash is not None
    assert own.file.flash == known.file.flash.model_copy(update={"prefetch": False})
    assert own.file.assumed[-1] == "all of it"
    assert not set(known.file.assumed) <= set(own.file.assumed)
    assert own.file.memory == known.file.memory
    assert (own.file.tier, own.file.title) == ("model", "own")
    # What was seen of the known chip is no evidence; what holds for the core is.
    assert set(own.file.evidence) < set(known.file.evidence)
    assert own.timing_version != known.timing_version
    text = f'id = "whole"\ncore = "cortex-m3"\nclock_hz = 1_000_000\n{_memory(EXAMPLE)}'
    assert named_target(catalog, str(_file(tmp_path, text))).file.family == "cortex-m"


def _memory(example: Path) -> str:
    text = example.read_text("utf-8")
    return text[text.index("memory = [") : text.index("]\n\n")] + "]\n"


def test_parameters_follow_from_the_flash() -> None:
    """Of every known chip with a flash as `models/parameters.toml` has them, which says them for itself."""
    catalog = load_catalog()
    checked = 0
    for target in catalog.targets:
        if target.file.flash is not None and target.id in chips():
            asked = described(target.id, catalog).model_dump(exclude={"name", "clock_hz"})
            assert asked == chips()[target.id].model_dump(), target.id
            checked += 1
    assert checked >= 9


def test_the_parameters_of_a_file_count_before_those_that_follow(tmp_path: Path) -> None:
    catalog = load_catalog()
    chip = described(str(_file(tmp_path, SLOW_FLASH + "[parameters]\nload_cycles = 7\n")), catalog)
    assert (chip.wait_states, chip.fetch_bytes, chip.load_cycles, chip.clock_hz) == (1, 8, 7, 24_000_000)
    assert chip.registers == chips()["sam3x8e"].registers


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('id = "stm32f407"\ninherits = "stm32f100"', 'field id: "stm32f407" is a known chip'),
        ('id = "x"\ninherits = "stm32f10"', 'field inherits: unknown target "stm32f10"; did you mean'),
        ('id = "x"\ncore = "cortex-m5"', 'field core: unknown core "cortex-m5"; did you mean'),
        ('id = "x"\ncore = "cortex-m3"', "field clock_hz is missing"),
        ('id = "x"\ninherits = "stm32f100"\nclok_hz = 3', 'unknown field clok_hz; did you mean "clock_hz"?'),
        (
            'id = "x"\ninherits = "stm32f100"\n[flash]\naccess_ns = 1\nrow_bytes = "a"',
            "field flash.row_bytes",
        ),
        ('id = "x"\ninherits = \n', "line 2"),
        ('id = "x"', "it has neither inherits nor core"),
        ('inherits = "stm32f100"', "field id is missing"),
        ('id = "x"\ninherits = "stm32f100"\ntier = "good"', "field tier"),
        ('id = "X"\ninherits = "stm32f100"', "field id"),
    ],
)
@pytest.mark.parametrize("command", ["run", "measure"])
def test_what_is_wrong_is_one_sentence(
    steelyard: Any, tmp_path: Path, command: str, text: str, said: str
) -> None:
    own = _file(tmp_path, text)
    rest = ("--primitive", "speck-64-128") if command == "measure" else (_nops(tmp_path), "--to", "0x8000018")
    sentence = steelyard.sentence(command, *rest, "--target", own, status=2)
    assert said in sentence
    assert str(own) in sentence


def test_a_program_lies_in_one_flash(steelyard: Any, tmp_path: Path) -> None:
    bank = '{ name = "bank", space = "program", kind = "flash", base = 0x08080000, size = 0x20000 },'
    two = _memory(EXAMPLE).replace("[\n", f"[\n{bank}\n")
    own = _file(tmp_path, f'id = "two"\ninherits = "stm32f100"\n{two}')
    asked = ("--primitive", "speck-64-128", "--target", own)
    assert "2 memories of kind flash" in steelyard.sentence("measure", *asked, status=2)
    (row,) = steelyard.json(
        "run", _nops(tmp_path), "--target", own, "--raw", "0x8000000", "--to", "0x8000018"
    )
    assert row["status"] == "ok"


def test_two_files_do_not_share_a_name(steelyard: Any, tmp_path: Path) -> None:
    one = _file(tmp_path, SLOW_FLASH)
    other = _file(tmp_path, SLOW_FLASH.replace("83.0", "41.0"), "other.toml")
    asked = ("measure", "--primitive", "speck-64-128", "--target", one, "--target", other)
    assert 'another file has "slow" too' in steelyard.sentence(*asked, status=2)

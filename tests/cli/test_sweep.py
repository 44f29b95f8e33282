"""`steelyard sweep` through the real entry point."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from command import options

from steelyard.data import data_root

RC5 = options(primitive="rc5-32-12-8", variant="rc5/compact", target="atmega128", operation="encrypt")
ONE = [*RC5, *options(toolchain="gcc")]


def test_parameters_are_searched_verified_and_told_apart(steelyard: Any) -> None:
    rows = steelyard.json("sweep", *ONE)
    assert [row["parameters"] for row in rows] == ["unroll=1", "unroll=2", "unroll=4"]
    assert all(row["status"] == "ok" and row["verified"] for row in rows)
    assert len({row["image_hash"] for row in rows}) == len({row["source_hash"] for row in rows}) == 3
    assert rows[0]["cycles"] > rows[1]["cycles"] > rows[2]["cycles"]
    assert rows[0]["rom_bytes"] < rows[1]["rom_bytes"] < rows[2]["rom_bytes"]
    # Each is a cell of its own in the store; measure takes the default.
    assert len(steelyard.json("show")) == 3
    (plain,) = steelyard.json("measure", *ONE)
    assert {**plain, "date": None} == {**rows[0], "date": None}
    (chosen,) = steelyard.json("measure", *ONE, "--parameter", "unroll=4")
    assert chosen["image_hash"] == rows[2]["image_hash"]
    (shown,) = steelyard.json("show", "--parameter", "unroll=2,3")
    assert shown["parameters"] == "unroll=2"
    assert 'did you mean "unroll"' in steelyard.sentence("show", "--parameter", "unrol=2", status=2)


def test_a_wrong_value_of_a_parameter_is_found_like_any_wrong_output(steelyard: Any, tmp_path: Path) -> None:
    """The other values are verified too: one that is planted wrong gets no figure."""
    rc5 = (data_root() / "primitives" / "block" / "rc5").resolve()
    mine = shutil.copytree(rc5 / "compact", tmp_path / "own" / "rc5" / "mine")
    shutil.copy(rc5 / "context.h", mine)
    source = mine / "encrypt.c"
    text = source.read_text()
    assert text.count("#if HALVES_PER_PASS == 4\n") == 1
    source.write_text(
        text.replace("#if HALVES_PER_PASS == 4\n", "#if HALVES_PER_PASS == 4\n        a ^= 1;\n")
    )
    arguments = options(primitive="rc5-32-12-8", variant="rc5/mine", target="atmega128", operation="encrypt")
    rows = steelyard.json(
        "sweep", "--primitives", tmp_path / "own", *arguments, "--toolchain", "gcc", status=1
    )
    assert {row["parameters"]: row["status"] for row in rows} == {
        "unroll=1": "ok",
        "unroll=2": "ok",
        "unroll=4": "wrong-output",
    }
    assert rows[-1]["cycles"] is None


def test_flags_of_a_parameter_reach_the_compiler(steelyard: Any, tmp_path: Path) -> None:
    rc5 = (data_root() / "primitives" / "block" / "rc5").resolve()
    mine = shutil.copytree(rc5 / "fast", tmp_path / "own" / "rc5" / "mine")
    shutil.copy(rc5 / "context.h", mine)
    facts = (mine / "variant.toml").read_text().replace("default = true\n", "")
    declared = '[parameters.level]\nsummary = "optimisation"\nvalues = ["size", "speed"]\ndefault = "size"\n'
    (mine / "variant.toml").write_text(facts + declared + 'flags = { size = "", speed = "-O3" }\n')
    arguments = options(
        primitive="rc5-32-12-8", variant="rc5/mine", target="atmega128", operation="encrypt", toolchain="gcc"
    )
    rows = steelyard.json("sweep", "--primitives", tmp_path / "own", *arguments, "--flags=-Os")
    plain = steelyard.json(
        "measure", "--primitives", tmp_path / "own", *arguments, "--flags=-Os", "--flags=-O3"
    )
    assert [row["cycles"] for row in rows] == [row["cycles"] for row in plain]
    assert rows[0]["cycles"] != rows[1]["cycles"]
    (mine / "variant.toml").write_text(facts + declared + 'flags = { size = "", speed = "-fplugin=x" }\n')
    said = steelyard.sentence("sweep", "--primitives", tmp_path / "own", *arguments, status=2)
    assert "-fplugin=x" in said


def test_chip_fields_are_crossed_and_become_columns(steelyard: Any) -> None:
    chosen = options(primitive="aes-128", target="stm32f407", operation="encrypt", toolchain="gcc")
    fields = ("--set", "clock_hz=24M,168M", "--set", "wait_states=own,0..5+5", "--set", "code=flash,ram")
    done = steelyard.run("sweep", *chosen, *fields, "--plot", "waits.svg")
    assert done.stderr.count("exclude each other") == 4
    lines = done.stdout.splitlines()
    assert lines[0].startswith("In all rows: aes-128") and "stm32f407" in lines[0]
    names = lines[2].split()[:3]
    assert sorted(names) == ["clock_hz", "code", "wait_states"]
    cycles = {}
    for line in lines[4:12]:
        *at, figure = line.split()[:4]
        one = dict(zip(names, at, strict=True))
        cycles[one["clock_hz"], one["wait_states"], one["code"]] = int(figure.replace(",", ""))
    assert len(cycles) == 8
    # Wait states are cycles: the clock does not matter. In RAM there are none.
    assert cycles["24,000,000", "5", "flash"] == cycles["168,000,000", "5", "flash"]
    assert cycles["24,000,000", "0", "flash"] < cycles["24,000,000", "5", "flash"]
    assert cycles["24,000,000", "own", "ram"] == cycles["168,000,000", "own", "ram"]
    # At 168 MHz the flash of this chip has five wait states [targets/stm32f407.toml].
    assert cycles["168,000,000", "own", "flash"] == cycles["168,000,000", "5", "flash"]
    assert (steelyard.folder / "waits.svg").read_text().startswith("<svg")
    records = steelyard.json("show")
    assert {row["settings"] for row in records} >= {"clock_hz=24000000 wait_states=5"}


def test_the_same_sweep_again_measures_nothing_anew(steelyard: Any) -> None:
    first = steelyard.json("sweep", *ONE, "--set", "clock_hz=8M,16M")
    assert [row["clock_hz"] for row in first] == [8_000_000] * 3 + [16_000_000] * 3
    again = steelyard.json("sweep", *ONE, "--set", "clock_hz=8M,16M")
    assert [row["date"] for row in again] == [row["date"] for row in first]
    repeated = steelyard.json("measure", *ONE, "--set", "clock_hz=8M", "--parameter", "unroll=2")
    assert repeated == [
        row for row in first if (row["clock_hz"], row["parameters"]) == (8_000_000, "unroll=2")
    ]


def test_a_page_needs_no_network(steelyard: Any) -> None:
    steelyard.run("sweep", *ONE, "--plot", "unroll.html", "--metric", "rom_bytes")
    page = (steelyard.folder / "unroll.html").read_text()
    assert "vegaEmbed" in page and '"rom_bytes"' in page
    assert 'src="http' not in page and "<link" not in page


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--parameter", "unroll=3"], "1, 2, 4 only"),
        (["--metric", "rom_bytes"], "--plot"),
        (["--plot", "x.svg", "--metric", "rom_byte"], 'did you mean "rom_bytes"'),
    ],
)
def test_bad_input_is_one_sentence(steelyard: Any, arguments: list[str], said: str) -> None:
    assert said in steelyard.sentence("sweep", *ONE, *arguments, status=2)


def test_variants_list_their_parameters(steelyard: Any) -> None:
    rows = json.loads(steelyard.run("list", "variants", "--json").stdout)
    declared = {row["variant"]: row["parameters"] for row in rows if row["parameters"]}
    assert declared["rc5/compact"] == ["unroll=1|2|4"]
    assert declared["chacha20/compact"] == ["inline=auto|never|always"]

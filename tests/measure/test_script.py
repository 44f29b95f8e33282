"""Calls of an image in a chain: what one leaves in a buffer, the next one finds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.catalog.load import CatalogError, load_catalog
from steelyard.errors import UsageError
from steelyard.measure.script import call_script, read_script
from steelyard.record.schema import Record

SUM = Path(__file__).parent.parent / "golden" / "sum.elf"
TARGET = load_catalog().target("atmega128")

CHAIN = """
[buffers]
data = "010203"
room = 4
[[call]]
function = "sum"
arguments = ["data", "u16:3"]
unchanged = ["data"]
returns = 6
[[call]]
function = "reverse"
arguments = ["data", "u16:3"]
expect = { data = "030201" }
[[call]]
function = "reverse"
arguments = ["data", "u16:2"]
expect = { data = "020301", room = "00000000" }
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., list[Record]]:
    def called(text: str = CHAIN, *changes: tuple[str, str]) -> list[Record]:
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / "calls.toml"
        path.write_text(text, "utf-8")
        return call_script(SUM, read_script(path), tmp_path, TARGET, 100_000)

    return called


def test_a_call_finds_what_the_one_before_left(run: Callable[..., list[Record]]) -> None:
    records = run()
    assert [one["status"] for one in records] == ["ok"] * 3
    assert [one["symbol"] for one in records] == ["sum", "reverse", "reverse"]
    assert json.loads(str(records[2]["outputs"])) == ["020301"]
    assert all(float(one["cycles"] or 0) > 0 and one["image_hash"] for one in records)
    assert records[0]["return_value"] == "6"


@pytest.mark.parametrize(
    ("change", "status", "said"),
    [
        (("returns = 6", "returns = 7"), "wrong-output", "call 1: the result is 6, expected 7"),
        (('data = "030201" }', 'data = "030202" }'), "wrong-output", "data is 030201, expected 030202"),
        (('"reverse"\n', '"reverse"\nunchanged = ["data"]\n'), "wrong-output", "of the data was changed"),
        (('"u16:3"]\nexpect', '"u16:30"]\nexpect'), "fault", "call 2: "),
    ],
)  # fmt: skip
def test_the_first_failure_ends_the_chain(
    run: Callable[..., list[Record]], change: tuple[str, str], status: str, said: str
) -> None:
    records = run(CHAIN, change)
    failed = next(number for number, one in enumerate(records) if one["status"] != "ok")
    assert records[failed]["status"] == status and said in str(records[failed]["error"])
    assert records[failed]["cycles"] is None
    behind = records[failed + 1 :]
    assert {one["status"] for one in behind} == {"unsupported"}
    assert all(f"call {failed + 1} of the script failed" in str(one["error"]) for one in behind)


def test_a_buffer_may_lie_in_a_file(run: Callable[..., list[Record]], tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(bytes([1, 2, 3]))
    assert [one["status"] for one in run(CHAIN, ('"010203"', '{ file = "data.bin" }'))] == ["ok"] * 3
    with pytest.raises(UsageError, match=r"gone\.bin: cannot be read"):
        run(CHAIN, ('"010203"', '{ file = "gone.bin" }'))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('["data", "u16:3"]\nunchanged', '["dada", "u16:3"]\nunchanged'), 'did you mean "data"'),
        (('unchanged = ["data"]', 'unchanged = ["none"]'), 'unknown buffer "none"'),
        (("[[call]]", "[[cal]]"), "cal"),
        (("room = 4", 'room = "0"'), "room"),
        (("room = 4", "room = 99999999"), "room"),
        (('"sum"', '"summ"'), 'did you mean "sum"'),
        (("room = 4", "room = 1000000"), "room for"),
    ],
)
def test_a_wrong_script_is_one_sentence(
    run: Callable[..., list[Record]], change: tuple[str, str], said: str
) -> None:
    with pytest.raises((CatalogError, UsageError), match=said):
        run(CHAIN, change)


def test_a_script_runs_from_the_command_line(steelyard: Any, tmp_path: Path) -> None:
    path = tmp_path / "calls.toml"
    path.write_text(CHAIN, "utf-8")
    image = ("measure", "--elf", SUM, "--target", "atmega128")
    rows = steelyard.json(*image, "--script", path)
    assert [row["status"] for row in rows] == ["ok"] * 3
    faster = steelyard.json(*image, "--script", path, "--set", "clock_hz=4M")
    assert faster[0]["settings"] == "clock_hz=4000000"
    assert faster[0]["time_us"] == pytest.approx(rows[0]["time_us"] * rows[0]["clock_hz"] / 4e6)
    assert "--call" in steelyard.sentence(*image, "--script", path, "--call", "sum", status=2)


@pytest.mark.parametrize(
    "option",
    [("--flags=-O2",), ("--primitive", "aes-128"), ("--length", 3), ("--primitives", "x"), ("--all",)],
)
def test_options_that_say_nothing_of_an_image_are_refused(steelyard: Any, option: tuple[Any, ...]) -> None:
    image = ("measure", "--elf", SUM, "--target", "atmega128", "--call", "sum")
    assert f"{str(option[0]).partition('=')[0]} says nothing of an image" in steelyard.sentence(
        *image, *option, status=2
    )


def test_a_setting_given_twice_is_refused(steelyard: Any) -> None:
    twice = ("--set", "clock_hz=1M", "--set", "clock_hz=2M")
    sentence = steelyard.sentence(
        "measure", "--primitive", "aes-128", "--target", "atmega128", *twice, status=2
    )
    assert "--set clock_hz is given twice" in sentence

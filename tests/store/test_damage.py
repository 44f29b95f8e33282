"""What is damaged costs itself and one sentence, whatever lies in the folder; printed JSON is strict."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from store.samples import old_line, old_segment, record, silent, written

from steelyard.store.export import to_json
from steelyard.store.gc import collect
from steelyard.store.lines import line, sealed
from steelyard.store.read import read_records
from steelyard.store.results import read_results, save_result
from steelyard.store.segments import segments

NAME = "records-v2-000000000009-20260101T000000000000-0123abcd.ndjson"


def read(folder: Path) -> tuple[list[str], list[str]]:
    """The primitives that are read, and what is said."""
    said: list[str] = []
    return read_records(folder, said.append)["primitive"].to_list(), said


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (b'"cycles":1.5', b'"cycles":1.6', "checksum"),
        (b'"cycles":1.5', b'"cycles":"abc"', "checksum"),
        (b'"p-1"', b'"p-7"', "checksum"),
        (b'{"kind"', b'\xef\xbb\xbf{"kind"', "checksum"),
        (b'"crc32":', b'"crc33":', "is not a record"),
        (b'"}', b'"', "is not a record"),
    ],
)
def test_a_changed_line_is_named(tmp_path: Path, old: bytes, new: bytes, problem: str) -> None:
    path = written(tmp_path, record(0), record(1), record(2))
    lines = path.read_bytes().splitlines(keepends=True)
    assert old in lines[1]
    lines[1] = lines[1].replace(old, new)
    path.write_bytes(b"".join(lines))
    primitives, said = read(tmp_path)
    assert primitives == ["p-0", "p-2"]
    assert len(said) == 1
    assert said[0].startswith(f"{path}: line 2 ")
    assert problem in said[0]
    assert collect(tmp_path, said.append).kept_records == 2
    assert said[0] == said[1]
    assert read(tmp_path) == (["p-0", "p-2"], [])


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("cycles", '"abc"', "cycles is not a number"),
        ("cycles", "true", "cycles is not a number"),
        ("cycles", "NaN", "it is not JSON"),
        ("cycles", "Infinity", "it is not JSON"),
        ("cycles", "1e999", "cycles is too large or no number"),
        ("cycles", "-5", "cycles is negative"),
        ("samples", "1.5", "samples is not a whole number"),
        ("samples", "99999999999999999999", "samples is too large or no number"),
        ("ram_bytes", "-1", "ram_bytes is negative"),
        ("verified", '"yes"', "verified is not true or false"),
        ("verified", "1", "verified is not true or false"),
        ("status", '"fine"', "status is none of ok, "),
        ("status", "null", "status is none of ok, "),
        ("target", "null", "target is missing"),
        ("cycles", "[" * 100_000, "it is not JSON"),
        ("target", '"x"}]', "it is not JSON"),
    ],
)
def test_values_that_no_record_has(tmp_path: Path, field: str, value: str, problem: str) -> None:
    """A line of an older format has no checksum; its values are looked at as well as those of a newer one."""
    good = [old_line(record(number, samples=3, verified=True, ram_bytes=5)) for number in range(3)]
    row = json.loads(good[1])
    bad = old_line(row | {field: "@"}).replace(b'"@"', value.encode())
    path = old_segment(tmp_path, good[0], bad, good[2])
    primitives, said = read(tmp_path)
    assert primitives == ["p-0", "p-2"]
    assert len(said) == 1
    assert said[0].startswith(f"{path}: line 2 is not a record ({problem}")
    rows = json.loads(to_json(read_records(tmp_path, said.append)), parse_constant=silent)
    assert len(rows) == 2


def test_values_that_are_signed(tmp_path: Path) -> None:
    more = {"mode_overhead_cycles_per_block": -3.5, "temperature_celsius": -10.0, "cycles": 7}
    written(tmp_path, record(1, **more))
    (row,) = read_records(tmp_path, silent).to_dicts()
    assert {name: row[name] for name in more} == more


def test_a_checksum_does_not_make_a_record(tmp_path: Path) -> None:
    path = written(tmp_path, record(0))
    with path.open("ab") as file:
        file.write(line(record(1, cycles="abc")) + line({"a": 1}) + line(record(2)))
    (tmp_path / NAME).write_bytes(sealed(b'{"replaces":3}') + line(record(3)))
    other = tmp_path / NAME.replace("9-", "8-")
    other.write_bytes(sealed(b'{"replaces":[[],"x"]}') + line(record(4)))
    primitives, said = read(tmp_path)
    assert primitives == ["p-0", "p-2", "p-4", "p-3"]
    assert [sentence.split()[1:3] for sentence in said] == [["line", "2"], ["line", "3"], ["line", "1"]]


def test_a_number_that_is_none_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        written(tmp_path, record(1, cycles=float("nan")))


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_an_endless_line(tmp_path: Path, version: str) -> None:
    written(tmp_path, record(0))
    name = NAME if version == "v2" else old_segment(tmp_path).name
    (tmp_path / name).write_bytes(b'{"a":"' + b"x" * 60_000_000)
    primitives, said = read(tmp_path)
    assert primitives == ["p-0"]
    assert len(said) == 1
    assert said[0].startswith(f"{tmp_path / name}: line 1 ")


def test_a_file_larger_than_the_memory(tmp_path: Path) -> None:
    written(tmp_path, record(0))
    with (tmp_path / NAME).open("wb") as file:
        file.truncate(1 << 42)
    assert read(tmp_path) == (
        ["p-0"],
        [
            f"{tmp_path / NAME} is too large for this machine's memory and was left out;"
            " the other files are used."
        ],
    )


@pytest.mark.parametrize("kind", ["folder", "dangling", "loop", "fifo", "socket", "device"])
def test_what_is_no_file(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "store"
    written(store, record(0))
    save_result(store, "scenario", "one", {"x": 1})
    for name in (NAME, "result-v1-scenario-other-0123456789ab.json"):
        path = store / name
        if kind == "folder":
            path.mkdir()
        elif kind == "fifo":
            os.mkfifo(path)
        elif kind == "socket":
            # The address of a socket is short.
            monkeypatch.chdir(store)
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(name)
        else:
            path.symlink_to({"dangling": "nowhere", "loop": name, "device": "/dev/zero"}[kind])
    primitives, said = read(store)
    assert primitives == ["p-0"]
    assert len(said) == 1
    assert said[0].startswith(f"{store / NAME} ")
    assert "left out; the other files are used" in said[0]
    said.clear()
    assert [one.name for one in read_results(store, "scenario", said.append)] == ["one"]
    assert len(said) == 1
    said.clear()
    assert collect(store, said.append).kept_records == 1
    assert len(said) == 1
    assert (store / NAME).is_symlink() or (store / NAME).exists()
    assert len(segments(store)) == 2


def test_old_segments_are_read_and_come_first(tmp_path: Path) -> None:
    written(tmp_path, record(0, cycles=3.0))
    old_segment(tmp_path, old_line(record(0)), old_line(record(1)), start="20990101T000000000000")
    before = read_records(tmp_path, silent).sort("primitive")
    assert before["cycles"].to_list() == [3.0, 1.5]
    assert collect(tmp_path, silent).dropped_records == 1
    assert [segment.version for segment in segments(tmp_path)] == [2]
    assert read_records(tmp_path, silent).sort("primitive").equals(before)


def test_commands_print_strict_json(steelyard: Any) -> None:
    bad = [old_line(record(1, verified=True)).replace(b"1.5", value) for value in (b"NaN", b"1e999", b"-5")]
    old_segment(steelyard.store, *bad, old_line(record(2, verified=True)))
    for command in (("show", "--json"), ("store", "export")):
        done = steelyard.run(*command)
        assert len(json.loads(done.stdout, parse_constant=silent)) == 1
        assert done.stderr.count("was left out") == 3

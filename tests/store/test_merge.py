"""Merging and verifying stores through the commands."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from store.samples import old_line, old_segment, record, silent, written

from steelyard.store.read import read_records
from steelyard.store.results import read_results, save_result


def cycles(folder: Path) -> dict[str, float]:
    return {row["primitive"]: row["cycles"] for row in read_records(folder, silent).to_dicts()}


def test_merge(steelyard: Any, tmp_path: Path) -> None:
    other = tmp_path / "other"
    written(steelyard.store, record(1), record(2))
    old_segment(other, old_line(record(2)), old_line(record(3)), old_line(record(1, cycles=8.0)))
    written(other, record(3, cycles=9.0))
    save_result(other, "scenario", "theirs", {"x": 1})
    for folder, x in ((other, 2), (steelyard.store, 3)):
        save_result(folder, "scenario", "both", {"x": x})
    before = {path: path.read_bytes() for path in other.iterdir()}
    said = steelyard.sentence("store", "merge", other, status=0)
    assert said == "steelyard: 3 records taken over, 1 other results; 1 were there already."
    expected = {"p-1": 8.0, "p-2": 1.5, "p-3": 9.0}
    assert cycles(steelyard.store) == expected
    results = read_results(steelyard.store, "scenario", silent)
    assert {one.name: one.content["x"] for one in results} == {"both": 3, "theirs": 1}
    assert "0 records taken over; 4 were there already" in steelyard.sentence(
        "store", "merge", other, status=0
    )
    steelyard.run("store", "gc")
    assert cycles(steelyard.store) == expected
    assert {path: path.read_bytes() for path in other.iterdir()} == before


def test_merge_of_one_segment(steelyard: Any, tmp_path: Path) -> None:
    segment = written(tmp_path / "other", record(1), record(2))
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(lines[0].replace(b"1.5", b"2.5") + lines[1])
    done = steelyard.run("store", "merge", segment)
    assert f"{segment}: line 1 is not what was written" in done.stderr
    assert "1 records taken over; 0 were there already" in done.stderr
    assert cycles(steelyard.store) == {"p-2": 1.5}


@pytest.mark.parametrize("source", ["absent", "notes.txt", "own"])
def test_merge_of_what_is_no_other_store(steelyard: Any, tmp_path: Path, source: str) -> None:
    (tmp_path / "notes.txt").write_text("x")
    own = written(steelyard.store, record(1))
    paths = {"own": steelyard.store}
    said = steelyard.sentence("store", "merge", paths.get(source, tmp_path / source), status=2)
    assert "name another one" in said if source == "own" else "neither the folder of a store" in said
    assert "name another one" in steelyard.sentence("store", "merge", own, status=2)
    assert len(list(steelyard.store.glob("*.ndjson"))) == 1


def test_verify_names_what_is_bad(steelyard: Any) -> None:
    said = steelyard.sentence("store", "verify", status=0)
    assert said == "steelyard: 0 whole records in 0 segments; nothing is damaged."
    path = written(steelyard.store, record(1), record(2), record(1))
    old = old_segment(steelyard.store, old_line(record(3)))
    assert "4 whole records in 2 segments, 1 of an older format without checksum; nothing is damaged" in (
        steelyard.sentence("store", "verify", status=0)
    )
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[1].replace(b"p-2", b"p-3") + lines[2][:-1] + b" \n")
    old.write_bytes(old.read_bytes().replace(b"1.5", b"-1.5"))
    result = save_result(steelyard.store, "scenario", "one", {})
    result.write_text('{"x": NaN}')
    done = steelyard.run("store", "verify", "--json", status=1)
    found = {(Path(row["file"]), row["line"]): row["problem"] for row in json.loads(done.stdout)}
    assert found == {
        (path, 2): "is not what was written (checksum)",
        (path, 3): "is not a record",
        (old, 1): "is not a record (cycles is negative)",
        (result, None): "is not a whole result",
    }
    assert "1 whole records in 2 segments; 4 damaged lines or files" in done.stderr
    table = steelyard.run("store", "verify", "--columns", "line,problem", status=1).stdout
    assert "cycles is negative" in table


def test_a_path_that_is_not_utf8(steelyard: Any, tmp_path: Path) -> None:
    steelyard.store = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    path = written(steelyard.store, record(1, verified=True), record(2))
    path.write_bytes(path.read_bytes()[:-5])
    assert [row["primitive"] for row in steelyard.json("show")] == ["p-1"]
    (bad,) = steelyard.json("store", "verify", status=1)
    assert bad["file"] == f"{tmp_path}/\\xff/{path.name}"
    assert path.name in steelyard.run("store", "verify", status=1).stdout.replace("\n", "")
    assert "1 kept" in steelyard.run("store", "gc").stderr

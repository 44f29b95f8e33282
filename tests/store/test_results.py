"""Results beside the records: one per name, whole or absent, damaged ones named."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from steelyard.store.results import read_results, save_result
from steelyard.store.segments import StoreError, segments


def none_expected(sentence: str) -> None:
    raise AssertionError(sentence)


def test_saved_is_read_and_replaced(tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert read_results(store, "scenario", none_expected) == []
    save_result(store, "scenario", "tank level", {"x": 1})
    save_result(store, "scenario", "a/../b", {"x": [1.5, None, "é"]})
    save_result(store, "interference", "tank level", {"x": 3})
    save_result(store, "scenario", "tank level", {"x": 2})
    found = read_results(store, "scenario", none_expected)
    assert [(one.name, one.content) for one in found] == [
        ("a/../b", {"x": [1.5, None, "é"]}),
        ("tank level", {"x": 2}),
    ]
    assert found[0].date.endswith("+00:00")
    assert len(list(store.iterdir())) == 3
    assert segments(store) == []


def test_names_that_look_alike_stay_apart(tmp_path: Path) -> None:
    for name in ("a b", "a-b", "a/b"):
        save_result(tmp_path, "scenario", name, {"name": name})
    assert {one.content["name"] for one in read_results(tmp_path, "scenario", none_expected)} == {
        "a b", "a-b", "a/b",
    }  # fmt: skip


def test_damaged_files_cost_themselves_alone(tmp_path: Path) -> None:
    save_result(tmp_path, "scenario", "good", {})
    cut = save_result(tmp_path, "scenario", "cut", {"x": 1})
    cut.write_bytes(cut.read_bytes()[:-5])
    wrong = save_result(tmp_path, "scenario", "wrong", {})
    wrong.write_text(json.dumps({"kind": "scenario", "name": 3, "date": "", "version": "", "content": {}}))
    sentences: list[str] = []
    assert [one.name for one in read_results(tmp_path, "scenario", sentences.append)] == ["good"]
    assert len(sentences) == 2
    assert all("is not a whole result and was left out" in sentence for sentence in sentences)


def test_any_changed_byte_costs_the_file(tmp_path: Path) -> None:
    path = save_result(tmp_path, "scenario", "one", {"cycles": 1234})
    whole = path.read_bytes()
    for place in range(len(whole) - 1):
        for bit in (1, 4, 32):
            changed = bytearray(whole)
            changed[place] ^= bit
            path.write_bytes(changed)
            sentences: list[str] = []
            assert read_results(tmp_path, "scenario", sentences.append) == [], bytes(changed)
            assert len(sentences) == 1


def test_a_result_without_a_checksum_is_read(tmp_path: Path) -> None:
    path = save_result(tmp_path, "scenario", "one", {"x": 1})
    row = json.loads(path.read_bytes())
    del row["crc32"]
    path.write_text(json.dumps(row))
    (one,) = read_results(tmp_path, "scenario", none_expected)
    assert one.content == {"x": 1}


def test_newer_format_is_refused(tmp_path: Path) -> None:
    path = save_result(tmp_path, "scenario", "one", {})
    path.rename(path.with_name(path.name.replace("-v1-", "-v2-")))
    with pytest.raises(StoreError, match="has format 2, this Steelyard knows 1"):
        read_results(tmp_path, "scenario", none_expected)
    assert read_results(tmp_path, "interference", none_expected) == []


def test_unwritable_place_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(StoreError, match="the result cannot be written"):
        save_result(file / "store", "scenario", "one", {})


def test_failed_save_keeps_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_result(tmp_path, "scenario", "one", {"x": 1})
    with pytest.raises(ValueError, match="float"):
        save_result(tmp_path, "scenario", "one", {"x": float("inf")})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StoreError, match="No space left"):
        save_result(tmp_path, "scenario", "one", {"x": 2})
    monkeypatch.undo()
    assert read_results(tmp_path, "scenario", none_expected)[0].content == {"x": 1}
    assert len(list(tmp_path.iterdir())) == 1

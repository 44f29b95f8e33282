"""A query of large segments by their copies says what reading all of them says."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from command import Steelyard
from store.samples import record, silent, written

from steelyard.cache.content import cache_root
from steelyard.store import query
from steelyard.store.gc import collect
from steelyard.store.query import rows_of
from steelyard.store.read import read_records
from steelyard.store.segments import SegmentWriter

LARGE = 40


@pytest.fixture(autouse=True)
def all_are_worth_a_copy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(query, "WORTH_BYTES", 20_000)
    monkeypatch.setenv("STEELYARD_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Two large segments with small ones before, between and behind; some cells are measured again."""
    folder = tmp_path / "store"
    written(folder, record(0, cycles=1.0))
    written(folder, *(record(number, cycles=2.0) for number in range(LARGE)))
    written(folder, *(record(number, cycles=3.0) for number in range(5)))
    written(folder, *(record(number, cycles=4.0) for number in range(3, LARGE + 3)))
    written(folder, record(7, cycles=5.0), record(7, cycles=6.0, target="stm32f051"))
    return folder


def copies() -> list[Path]:
    return sorted((cache_root() / "segments").glob("*.parquet"))


def test_the_newest_as_by_reading(store: Path) -> None:
    expected = read_records(store, silent)
    for _ in range(2):
        assert rows_of(store, silent).newest().collect().equals(expected)
        assert len(copies()) == 2
    where = pl.col("primitive").is_in(["p-1", "p-7", "p-30"])
    found = rows_of(store, silent).newest(where).collect()
    assert found.equals(expected.filter(where))
    assert found.sort("cycles")["cycles"].to_list() == [3.0, 4.0, 5.0, 6.0]


def test_what_is_written_or_collected_meanwhile(store: Path) -> None:
    rows_of(store, silent)
    with SegmentWriter(store) as writer:
        writer.append(record(number, cycles=9.0) for number in range(LARGE))
        frame = rows_of(store, silent).newest().collect()
        assert frame.equals(read_records(store, silent))
        # One that a run writes has no copy yet.
        assert len(copies()) == 2
    collect(store, silent)
    assert rows_of(store, silent).newest().collect().equals(read_records(store, silent))


def test_a_damaged_segment_has_no_copy(store: Path) -> None:
    large = max(store.glob("records-*"), key=lambda path: path.stat().st_size)
    data = bytearray(large.read_bytes())
    data[1000] ^= 1
    large.write_bytes(bytes(data))
    said: list[str] = []
    found = rows_of(store, said.append).newest().collect()
    assert len(said) == 1 and "line 1 is not what was written (checksum)" in said[0]
    assert found.equals(read_records(store, lambda sentence: None))
    assert len(copies()) == 1


def test_a_damaged_copy_is_made_again(store: Path) -> None:
    expected = rows_of(store, silent).newest().collect()
    damaged = copies()[0]
    data = damaged.read_bytes()
    for changed in (data[: len(data) // 2], data[:100] + bytes([data[100] ^ 1]) + data[101:]):
        damaged.write_bytes(changed)
        assert rows_of(store, silent).newest().collect().equals(expected)
        assert damaged.read_bytes() == data


def test_a_cache_that_cannot_be_written(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STEELYARD_CACHE", str(tmp_path / "file"))
    assert rows_of(store, silent).newest().collect().equals(read_records(store, silent))


def test_no_store(tmp_path: Path) -> None:
    assert rows_of(tmp_path / "none", silent).newest().collect().height == 0


def test_show_selects_as_before(steelyard: Steelyard, store: Path) -> None:
    steelyard.store = store
    rows = steelyard.json("show", "--unverified", "--primitive", "p-7", "--target", "stm*")
    assert [(row["target"], row["cycles"]) for row in rows] == [("stm32f051", 6.0)]
    assert len(steelyard.json("show", "--unverified")) == len(read_records(store, silent))

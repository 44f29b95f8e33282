"""Writers, readers and collections at the same time, with whatever clock and whatever process numbers."""

from __future__ import annotations

import errno
import fcntl
import multiprocessing
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from store.samples import record, silent, written

from steelyard.store import segments as segments_module
from steelyard.store.gc import collect
from steelyard.store.merge import merge
from steelyard.store.read import read_records
from steelyard.store.segments import SegmentWriter, StoreError, segments

CONTEXT = multiprocessing.get_context("spawn")


def newest(folder: Path) -> dict[str, float]:
    rows = read_records(folder, silent).to_dicts()
    return {row["primitive"]: row["cycles"] for row in rows}


def test_gc_asks_the_lock_and_no_process_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer in another container has a process number that means nothing here."""
    monkeypatch.setattr(os, "getpid", lambda: 4194999)
    with SegmentWriter(tmp_path) as writer:
        writer.append([record(1)])
        monkeypatch.undo()
        written(tmp_path, record(2))
        written(tmp_path, record(3))
        assert collect(tmp_path, silent).busy_segments == 1
        assert writer.path is not None and writer.path.exists()
        writer.append([record(4)])
    assert sorted(newest(tmp_path)) == ["p-1", "p-2", "p-3", "p-4"]
    assert collect(tmp_path, silent).busy_segments == 0
    assert len(segments(tmp_path)) == 1


def removed(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    shutil.copy(path, path.with_suffix(".copy"))
    path.with_suffix(".copy").rename(path)


def folder_removed(path: Path) -> None:
    shutil.rmtree(path.parent)


@pytest.mark.parametrize("spoil", [removed, replaced, folder_removed])
@pytest.mark.parametrize("more", [0, 2])
def test_a_segment_that_is_taken_away_is_written_anew(
    tmp_path: Path, spoil: Callable[[Path], None], more: int
) -> None:
    store = tmp_path / "store"
    with SegmentWriter(store) as writer:
        writer.append([record(0), record(1)])
        assert writer.path is not None
        spoil(writer.path)
        for number in range(more):
            writer.append([record(2 + number)])
    assert sorted(newest(store)) == [f"p-{number}" for number in range(2 + more)]


def test_a_clock_that_is_set_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for cycles, year in ((1.0, 2030), (2.0, 2020), (3.0, 1999), (4.0, 2025)):

        class Clock(datetime):
            @classmethod
            def now(cls, tz: object = None, year: int = year) -> datetime:  # type: ignore[override]
                return datetime(year, 1, 1, tzinfo=UTC)

        monkeypatch.setattr(segments_module, "datetime", Clock)
        written(tmp_path, record(1, cycles=cycles))
    assert newest(tmp_path) == {"p-1": 4.0}
    collect(tmp_path, silent)
    assert newest(tmp_path) == {"p-1": 4.0}
    written(tmp_path, record(1, cycles=5.0))
    assert newest(tmp_path) == {"p-1": 5.0}


def test_gc_keeps_the_order_around_a_writer(tmp_path: Path) -> None:
    written(tmp_path, record(1, cycles=1.0), record(2, cycles=1.0), record(3, cycles=1.0))
    with SegmentWriter(tmp_path) as writer:
        writer.append([record(1, cycles=2.0), record(2, cycles=2.0)])
        written(tmp_path, record(2, cycles=3.0))
        before = newest(tmp_path)
        assert before == {"p-1": 2.0, "p-2": 3.0, "p-3": 1.0}
        for _ in range(2):
            collect(tmp_path, silent)
            assert newest(tmp_path) == before
    collect(tmp_path, silent)
    assert newest(tmp_path) == before


def test_a_name_with_a_huge_number(tmp_path: Path) -> None:
    path = written(tmp_path, record(1, cycles=1.0))
    path.rename(tmp_path / path.name.replace("000000000001", "9" * 40))
    written(tmp_path, record(1, cycles=2.0))
    assert newest(tmp_path) == {"p-1": 2.0}


@pytest.mark.parametrize("moment", range(1, 5))
def test_gc_that_dies_doubles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int) -> None:
    """The collection ends at one of its changes of the folder, as by kill -9; the next one tidies up."""
    for cycles in (1.0, 2.0, 3.0):
        written(tmp_path, record(0, cycles=cycles), record(int(cycles)))
    before = newest(tmp_path)
    every = read_records(tmp_path, silent, newest_only=False)
    calls = iter(range(1, 100))

    class Killed(BaseException):
        pass

    def dying(change: Callable[..., object]) -> Callable[..., object]:
        def changed(*arguments: object, **named: object) -> object:
            if next(calls) == moment:
                raise Killed
            return change(*arguments, **named)

        return changed

    monkeypatch.setattr(os, "replace", dying(os.replace))
    monkeypatch.setattr(Path, "unlink", dying(Path.unlink))
    with pytest.raises(Killed):
        collect(tmp_path, silent)
    monkeypatch.undo()
    assert newest(tmp_path) == before
    assert read_records(tmp_path, silent, newest_only=False).height in (every.height, len(before))
    collect(tmp_path, silent)
    assert read_records(tmp_path, silent, newest_only=False).height == len(before)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", segments(tmp_path)[0].path.name]


def test_gc_that_may_not_remove(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for cycles in (1.0, 2.0):
        written(tmp_path, record(0, cycles=cycles))

    def refused(path: Path, **_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM), path)

    monkeypatch.setattr(Path, "unlink", refused)
    for _ in range(2):
        with pytest.raises(StoreError, match="cannot be removed: Operation not permitted; no record is lost"):
            collect(tmp_path, silent)
        assert read_records(tmp_path, silent, newest_only=False)["cycles"].to_list() == [2.0]


def write(folder: Path, number: int) -> None:
    for turn in range(6):
        with SegmentWriter(folder) as writer:
            for one in range(10):
                writer.append([record(100 * number + one, cycles=float(turn)), record(number)])


def clean(folder: Path) -> None:
    for _ in range(15):
        collect(folder, silent)


def test_several_collections_beside_writers_and_readers(tmp_path: Path) -> None:
    written(tmp_path, *(record(1000 + number) for number in range(50)))
    others = [CONTEXT.Process(target=write, args=(tmp_path, number)) for number in range(1, 4)]
    others += [CONTEXT.Process(target=clean, args=(tmp_path,)) for _ in range(3)]
    for process in others:
        process.start()
    heights = [50]
    while any(process.is_alive() for process in others):
        heights.append(read_records(tmp_path, silent).height)
    for process in others:
        process.join()
        assert process.exitcode == 0
    assert heights == sorted(heights)
    after = newest(tmp_path)
    assert len(after) == 50 + 3 * 11
    assert {after[f"p-{100 * number + one}"] for number in (1, 2, 3) for one in range(10)} == {5.0}


def test_two_merges_at_once_double_nothing(tmp_path: Path) -> None:
    written(tmp_path / "from", *(record(number) for number in range(200)))
    pair = [CONTEXT.Process(target=merge, args=(tmp_path / "to", tmp_path / "from", print)) for _ in "ab"]
    for process in pair:
        process.start()
    for process in pair:
        process.join()
        assert process.exitcode == 0
    assert read_records(tmp_path / "to", silent, newest_only=False).height == 200


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, record(1))

    def unknown(*_: object) -> None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr(fcntl, "flock", unknown)
    with pytest.raises(StoreError, match=r"files cannot be locked there .* name a folder of another"):
        written(tmp_path, record(2))
    with pytest.raises(StoreError, match="files cannot be locked there"):
        collect(tmp_path, silent)
    assert newest(tmp_path) == {"p-1": 1.5}
    assert len(segments(tmp_path)) == 1

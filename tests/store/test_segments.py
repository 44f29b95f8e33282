"""Segments: whole records or nothing, whoever writes at the same time."""

from __future__ import annotations

import multiprocessing
import os
import pwd
import resource
from pathlib import Path

import pytest
from store.samples import record, silent

from steelyard.cache.content import cache_root
from steelyard.errors import EnvironmentProblem
from steelyard.record.schema import FIELD_NAMES, IDENTITY, METRICS, complete, identity
from steelyard.store.gc import collect
from steelyard.store.read import read_records
from steelyard.store.segments import SegmentWriter, StoreError, segments, store_folder


def write_many(folder: Path, writer_number: int, count: int) -> None:
    with SegmentWriter(folder) as writer:
        for number in range(count):
            writer.append([record(writer_number * 1000 + number)])


def test_written_is_read(tmp_path: Path) -> None:
    with SegmentWriter(tmp_path) as writer:
        assert segments(tmp_path) == []
        writer.append([])
        assert segments(tmp_path) == []
        writer.append([record(1), record(2, error='a "quoted"\nline\u2028 é')])
        assert read_records(tmp_path, silent)["error"].to_list() == [None, 'a "quoted"\nline\u2028 é']
    frame = read_records(tmp_path, silent)
    assert tuple(frame.columns) == FIELD_NAMES
    assert frame.to_dicts()[0] == record(1)


def test_newest_record_of_a_cell_counts(tmp_path: Path) -> None:
    for cycles in (1.0, 2.0, 3.0):
        with SegmentWriter(tmp_path) as writer:
            writer.append(
                [record(1, cycles=cycles), record(2, cycles=10 * cycles), record(1, cycles=cycles + 0.5)]
            )
    newest = read_records(tmp_path, silent).sort("primitive")
    assert newest["cycles"].to_list() == [3.5, 30.0]
    assert read_records(tmp_path, silent, newest_only=False).height == 9


def test_a_line_that_was_there_before_is_the_newest_again(tmp_path: Path) -> None:
    for cycles in (1.0, 2.0, 1.0):
        with SegmentWriter(tmp_path) as writer:
            writer.append([record(1, cycles=cycles), record(2)])
    assert read_records(tmp_path, silent).sort("primitive")["cycles"].to_list() == [1.0, 1.5]
    assert read_records(tmp_path, silent, newest_only=False).height == 6


def test_a_line_that_is_being_written_is_none_yet(tmp_path: Path) -> None:
    with SegmentWriter(tmp_path) as writer:
        writer.append([record(1)])
        assert writer.path is not None
        with writer.path.open("ab") as file:
            file.write(b'{"status":"ok","tar')
        assert read_records(tmp_path, silent)["primitive"].to_list() == ["p-1"]


def test_concurrent_writers_and_readers(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(tmp_path, number, 150)) for number in range(3)]
    for process in writers:
        process.start()
    heights = []
    while any(process.is_alive() for process in writers):
        heights.append(read_records(tmp_path, silent).height)
    for process in writers:
        process.join()
        assert process.exitcode == 0
    assert heights == sorted(heights)
    assert read_records(tmp_path, silent).height == 450
    assert len(segments(tmp_path)) == 3


def test_full_disk_leaves_whole_lines(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        size = len(str(record(1))) * 2
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        try:
            with SegmentWriter(tmp_path) as writer:
                for number in range(100):
                    writer.append([record(number)])
        except StoreError as error:
            os._exit(error.exit_status)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 3
    assert read_records(tmp_path, silent).height >= 1


def test_damage_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    with SegmentWriter(tmp_path) as writer:
        writer.append([record(number) for number in range(5)])
    (segment,) = segments(tmp_path)
    lines = segment.path.read_bytes().splitlines(keepends=True)
    lines[1] = b'{"status": "ok"\n'
    lines[2] = b"[1, 2]\n"
    lines[3] = b"\x00\xff" * 40 + b"\n"
    lines.insert(4, lines[0].replace(b"1.5", b"NaN"))
    segment.path.write_bytes(b"".join(lines)[:-30])
    said: list[str] = []
    assert read_records(tmp_path, said.append)["primitive"].to_list() == ["p-0"]
    assert [sentence.split(": line ")[1].split(" ")[0] for sentence in said] == ["2", "3", "4", "5", "6"]
    assert all(sentence.startswith(str(segment.path)) for sentence in said)
    assert "cut off" in said[-1]


@pytest.mark.parametrize("name", ["records-v3-20300101T000000000000-9-01234567.ndjson", "records-v17.sqlite"])
def test_newer_format(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    for use in (lambda: segments(tmp_path), lambda: SegmentWriter(tmp_path)):
        with pytest.raises(StoreError, match="nothing was touched"):
            use()


def test_foreign_files_are_no_matter(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "records-old.ndjson").write_text("x")
    assert segments(tmp_path) == []
    assert read_records(tmp_path / "absent", silent).is_empty()


def test_gc_leaves_running_writers_alone(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    for number in (1, 1, 2):
        process = context.Process(target=write_many, args=(tmp_path, number, 4))
        process.start()
        process.join()
    with SegmentWriter(tmp_path) as writer:
        writer.append([record(1000, cycles=7.0)])
        before = read_records(tmp_path, silent).sort("primitive")
        done = collect(tmp_path, silent)
        assert (done.dropped_records, done.kept_records, done.busy_segments) == (4, 8, 1)
        assert len(segments(tmp_path)) == 2
        assert read_records(tmp_path, silent).sort("primitive").equals(before)
        writer.append([record(1001, cycles=8.0)])
    after = read_records(tmp_path, silent)
    assert sorted(set(after["cycles"].to_list())) == [1.5, 7.0, 8.0]


def test_folder_of_the_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("STEELYARD_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert store_folder() == tmp_path / "xdg" / "steelyard" / "store"
    monkeypatch.setenv("STEELYARD_STORE", str(tmp_path / "named"))
    assert store_folder() == tmp_path / "named"
    assert store_folder(tmp_path / "chosen") == tmp_path / "chosen"


def test_folder_of_the_store_without_a_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A relative XDG_DATA_HOME does not count; a user of a container may have neither HOME nor an entry."""
    monkeypatch.delenv("STEELYARD_STORE", raising=False)
    monkeypatch.delenv("STEELYARD_CACHE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert store_folder() == tmp_path / ".local" / "share" / "steelyard" / "store"
    assert cache_root() == tmp_path / ".cache" / "steelyard"

    def unknown(_: int) -> None:
        raise KeyError

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(EnvironmentProblem, match="no home directory; name a folder in STEELYARD_STORE"):
        store_folder()
    with pytest.raises(EnvironmentProblem, match="no home directory; name a folder in STEELYARD_CACHE"):
        cache_root()


def test_fields_are_defined_once() -> None:
    assert len(set(FIELD_NAMES)) == len(FIELD_NAMES)
    assert not set(IDENTITY) & set(METRICS)
    assert len(identity(record(1))) == len(IDENTITY)
    with pytest.raises(KeyError):
        complete({"cyclse": 1})

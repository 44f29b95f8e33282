"""The cache: an entry is right or it is not there, for any number of processes."""

from __future__ import annotations

import errno
import multiprocessing
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.cache.content import CACHE_FORMAT, Cache, cache_root, content_key
from steelyard.errors import EnvironmentProblem

KEY = content_key("a test")


def test_entry_comes_back_as_it_went_in(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert cache.get("object", KEY) is None
    cache.put("object", KEY, b"bytes")
    assert cache.get("object", KEY) == b"bytes"
    assert cache.get("image", KEY) is None


@pytest.mark.parametrize("damage", [b"", b"short", None], ids=["empty", "truncated", "flipped"])
def test_corrupt_entry_is_dropped(tmp_path: Path, damage: bytes | None) -> None:
    cache = Cache(tmp_path)
    cache.put("object", KEY, b"payload")
    path = cache.path("object", KEY)
    raw = path.read_bytes()
    path.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]) if damage is None else damage)
    assert cache.get("object", KEY) is None
    assert not path.exists()


@pytest.mark.parametrize("what", ["folder", "loop", "dangling", "pipe", "unreadable"])
def test_anything_else_in_an_entrys_place_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    cache = Cache(tmp_path)
    cache.put("object", KEY, b"payload")
    path = cache.path("object", KEY)
    if what == "unreadable":
        # A mode would not keep root from reading.
        with monkeypatch.context() as patch:
            patch.setattr("steelyard.cache.content._open_at_once", _refusing)
            assert cache.get("object", KEY) is None
    else:
        path.unlink()
        if what == "folder":
            (path / "inner").mkdir(parents=True)
        elif what == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to(path if what == "loop" else "absent")
        assert cache.get("object", KEY) is None
    cache.put("object", KEY, b"payload")
    assert cache.get("object", KEY) == b"payload"
    assert path.is_file()
    assert not path.is_symlink()


def _refusing(path: str, _flags: int) -> int:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def test_format_version_is_in_the_path(tmp_path: Path) -> None:
    assert f"v{CACHE_FORMAT}" in Cache(tmp_path).path("object", KEY).parts


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_key_tells_lists_of_parts_apart(one: list[bytes], other: list[bytes]) -> None:
    assert (content_key(*one) == content_key(*other)) == (one == other)


def test_full_disk_is_one_sentence_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    cache = Cache(tmp_path)
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(EnvironmentProblem, match=r"no space left on device.*STEELYARD_CACHE") as problem:
        cache.put("object", KEY, b"payload")
    assert problem.value.exit_status == 3
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_file_in_the_way_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    cache = Cache(tmp_path / "file")
    with pytest.raises(EnvironmentProblem, match="STEELYARD_CACHE"):
        cache.put("object", KEY, b"payload")


def _write_and_read(root: Path, worker: int) -> bool:
    cache = Cache(root)
    payload = b"x" * 200_000
    for _ in range(30):
        cache.put("object", KEY, payload)
        if cache.get("object", KEY) != payload:
            return False
    return True


def test_concurrent_writers_never_show_half_an_entry(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert all(pool.starmap(_write_and_read, [(tmp_path, worker) for worker in range(3)]))
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def test_place_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STEELYARD_CACHE", str(tmp_path / "own"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_root() == tmp_path / "own"
    monkeypatch.delenv("STEELYARD_CACHE")
    assert cache_root() == tmp_path / "xdg" / "steelyard"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_root() == tmp_path / ".cache" / "steelyard"

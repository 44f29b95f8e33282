"""Records of a build that was measured before are read again, and made again when anything of it changed."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.data import data_root
from steelyard.measure.image import Rules
from steelyard.measure.selection import select
from steelyard.measure.session import prepare
from steelyard.record.schema import Record

# The packages have functions of the same names.
builds: Any = importlib.import_module("steelyard.measure.builds")
build: Any = importlib.import_module("steelyard.toolchain.build")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A variant of the user's, to be changed."""
    folder = tmp_path / "rc4" / "mine"
    algorithm = data_root() / "primitives" / "stream" / "rc4"
    shutil.copytree(algorithm / "compact", folder)
    shutil.copy(algorithm / "context.h", folder)
    return folder


def _measure(mine: Path, store: Path, rules: Rules | None = None, length: int = 16) -> list[Record]:
    chosen = select(
        primitive=["rc4-128"],
        variant=["rc4/mine"],
        target=["atmega128"],
        toolchain=["clang"],
        length=[length],
    )
    return prepare(load_catalog([mine]), [chosen]).run(store, rules or Rules(samples=2)).records


def _without_building(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise builds.BuildFailed("built again", "", "")

    monkeypatch.setattr(builds, "build", refuse)


def _states(records: list[Record]) -> set[object]:
    return {record["status"] for record in records}


def test_a_second_run_builds_nothing_and_writes_the_same(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _measure(mine, tmp_path / "first")
    assert _states(first) == {"ok"}
    _without_building(monkeypatch)
    assert _measure(mine, tmp_path / "second") == first
    (one,), (other,) = ((tmp_path / name).glob("records-*") for name in ("first", "second"))
    assert sorted(one.read_bytes().splitlines()) == sorted(other.read_bytes().splitlines())


def _edit(name: str, text: str) -> Callable[[Path, pytest.MonkeyPatch], object]:
    def edit(mine: Path, _: pytest.MonkeyPatch) -> None:
        path = mine / name
        path.write_text(path.read_text() + text)

    return edit


def _replace(name: str) -> Callable[[Path, pytest.MonkeyPatch], object]:
    return lambda _, patch: patch.setattr(builds, name, lambda: "another")


@pytest.mark.parametrize(
    "change",
    [
        _edit("crypt.c", "\n/* changed */\n"),
        _edit("context.h", "\n/* changed */\n"),
        _replace("measuring_code"),
        _replace("libraries"),
        lambda _, patch: patch.setattr(builds, "EMULATOR_VERSION", "another"),
        lambda _, patch: patch.setattr(build, "code_of", lambda *_: "another"),
    ],
)
def test_a_change_is_measured(
    mine: Path,
    tmp_path: Path,
    change: Callable[[Path, pytest.MonkeyPatch], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert _states(_measure(mine, tmp_path / "store")) == {"ok"}
    _without_building(monkeypatch)
    change(mine, monkeypatch)
    assert _states(_measure(mine, tmp_path / "store")) == {"build-failed"}


def test_other_rules_and_other_cells_are_measured(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _states(_measure(mine, tmp_path / "store")) == {"ok"}
    _without_building(monkeypatch)
    for rules in (Rules(samples=3), Rules(samples=2, seed="other"), Rules(samples=2, max_cycles=10**6)):
        assert _states(_measure(mine, tmp_path / "store", rules)) == {"build-failed"}
    assert _states(_measure(mine, tmp_path / "store", length=24)) == {"build-failed"}

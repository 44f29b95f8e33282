"""The kept catalogue is what loading would give now, whatever changed since."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steelyard.catalog import kept
from steelyard.catalog.load import Catalog, CatalogError, load_catalog

ALGORITHM = """\
kind = "block"
title = "Toy"
specification = "a test"

[[primitive]]
id = "toy-64"
key_bytes = 8
block_bytes = 8
security = "broken"
authority = "a test"
"""
VARIANT = 'summary = "plain"\nsources = ["toy.c"]\ndefault = true\n'


def _algorithm(folder: Path, text: str = ALGORITHM) -> Path:
    variant = folder / "plain"
    variant.mkdir(parents=True)
    (folder / "algorithm.toml").write_text(text)
    (variant / "variant.toml").write_text(VARIANT)
    (variant / "toy.c").write_text("")
    (variant / "context.h").write_text("")
    return folder


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The one algorithm of a small product with a cache of its own."""
    data = tmp_path / "data"
    monkeypatch.setattr("steelyard.catalog.load.data_root", lambda: data)
    monkeypatch.setenv("STEELYARD_CACHE", str(tmp_path / "cache"))
    return _algorithm(data / "primitives" / "block" / "toy")


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is parsed from now on."""
    found: list[str] = []
    parse = tomllib.loads

    def noted(text: str) -> dict[str, Any]:
        found.append(text)
        return parse(text)

    monkeypatch.setattr("steelyard.catalog.load.tomllib.loads", noted)
    return found


def _as_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_loaded", {})


def test_nothing_is_parsed_a_second_time(
    toy: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_catalog()
    assert len(parsed) == 2
    assert load_catalog() is first
    _as_another_process(monkeypatch)
    again = load_catalog()
    assert len(parsed) == 2
    assert again == first and again is not first
    assert again.primitive("toy-64").macros == first.primitive("toy-64").macros


def _same_length_and_time(toy: Path) -> None:
    path = toy / "algorithm.toml"
    stamp = path.stat()
    path.write_text(ALGORITHM.replace('"Toy"', '"Yot"'))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def _another_variant(toy: Path) -> None:
    _algorithm(toy / "more")
    (toy / "more" / "algorithm.toml").unlink()
    (toy / "more" / "plain").rename(toy / "other")
    (toy / "other" / "variant.toml").write_text(VARIANT.replace("default = true\n", ""))


def _title(catalog: Catalog) -> object:
    return catalog.algorithms[0].file.title


def _variants(catalog: Catalog) -> object:
    return [variant.id for variant in catalog.variants]


@pytest.mark.parametrize("another_process", [False, True])
@pytest.mark.parametrize(
    ("change", "look", "now"),
    [
        (_same_length_and_time, _title, "Yot"),
        (_another_variant, _variants, ["toy/other", "toy/plain"]),
        (lambda toy: (toy / "plain").rename(toy / "simple"), _variants, ["toy/simple"]),
    ],
)
def test_a_change_is_seen(
    toy: Path,
    change: Callable[[Path], object],
    look: Callable[[Catalog], object],
    now: object,
    another_process: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert look(load_catalog()) != now
    change(toy)
    if another_process:
        _as_another_process(monkeypatch)
    assert look(load_catalog()) == now


@pytest.mark.parametrize("name", ["toy.c", "context.h", "variant.toml"])
def test_what_is_gone_is_missed(toy: Path, name: str) -> None:
    load_catalog()
    (toy / "plain" / name).unlink()
    with pytest.raises(CatalogError, match=r"there is no|has no variant|unknown file"):
        load_catalog()


def test_a_folder_of_the_users_is_looked_at_too(toy: Path, tmp_path: Path) -> None:
    own = _algorithm(tmp_path / "own" / "mine", ALGORITHM.replace("toy-64", "mine-64"))
    assert [p.id for p in load_catalog([own]).primitives] == ["mine-64", "toy-64"]
    assert [p.id for p in load_catalog().primitives] == ["toy-64"]
    (own / "algorithm.toml").write_text(ALGORITHM.replace("toy-64", "mine-65"))
    assert load_catalog([own]).primitive("mine-65").key_bytes == 8
    (own / "plain" / "toy.c").unlink()
    with pytest.raises(CatalogError, match=r"toy\.c"):
        load_catalog([own])


def test_a_change_of_the_code_is_one(toy: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    load_catalog()
    monkeypatch.setattr(kept, "_code", lambda: b"other code")
    load_catalog()
    assert len(parsed) == 4


def test_without_a_cache_everything_is_read(
    toy: Path, tmp_path: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("no folder")
    load_catalog()
    _as_another_process(monkeypatch)
    assert load_catalog().primitive("toy-64").block_bytes == 8
    assert len(parsed) == 4

"""Images that come with Steelyard: they are those of the sources, they are refused where they are not."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from toolchain.workshop import all_toolchains

import steelyard
from steelyard.cache.content import Cache
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.measure.prebuild import Prebuilt, prebuild, prebuilt_builds, prebuilt_name
from steelyard.toolchain import Toolchain, build, discover, prebuilt_key
from steelyard.toolchain.family import families
from steelyard.toolchain.prebuilt import (
    ARCHIVE_LIMIT_BYTES,
    Entry,
    Manifest,
    prebuilt_folder,
    prebuilt_images,
    write,
)

COMMITTED = sorted(path.stem for path in prebuilt_folder().glob("*.json"))
SAMPLE = 7
"""Every so many-th image is built again and compared."""


def test_there_are_images_for_the_chips_whose_compiler_takes_long() -> None:
    assert {"rl78-g13", "m30102"} <= set(COMMITTED)


def manifest(target: str) -> Manifest:
    return Manifest.model_validate_json((prebuilt_folder() / f"{target}.json").read_bytes())


def by_name(target: str) -> Toolchain:
    told = manifest(target)
    return all_toolchains()[told.family, told.toolchain]


@pytest.mark.parametrize("target", COMMITTED)
def test_an_archive_is_what_its_manifest_says_and_small(target: str) -> None:
    told = manifest(target)
    images = prebuilt_images(target, told.toolchain)
    assert images is not None
    assert images.path.stat().st_size <= ARCHIVE_LIMIT_BYTES
    assert told.target == target
    for entry in told.images.values():
        assert hashlib.sha256(images.elf(entry)).hexdigest() == entry.sha256


@pytest.mark.parametrize("target", COMMITTED)
def test_the_images_are_all_of_the_default_set_made_of_these_sources(target: str) -> None:
    """Where this fails after a change of C: `steelyard toolchain prebuild` makes them anew."""
    toolchain, told = by_name(target), manifest(target)
    builds = prebuilt_builds(target, toolchain)
    assert {prebuilt_name(one) for one in builds} == set(told.images)
    stale = [
        prebuilt_name(one)
        for one in builds
        if prebuilt_key(one.request(toolchain), told.toolchain_version) != told.images[prebuilt_name(one)].key
    ]
    assert stale == []


@pytest.mark.parametrize("target", COMMITTED)
def test_a_sample_is_rebuilt_bit_for_bit(target: str, tmp_path: Path) -> None:
    toolchain, told = by_name(target), manifest(target)
    if toolchain.version != told.toolchain_version:
        pytest.skip(f"{told.toolchain_version} is not installed; run: {toolchain.install}")
    builds = prebuilt_builds(target, toolchain)
    images = prebuilt_images(target, told.toolchain)
    assert images is not None
    for one in builds[::SAMPLE]:
        entry = told.images[prebuilt_name(one)]
        result = build(one.request(toolchain), Cache(tmp_path))
        assert result.elf == images.elf(entry), prebuilt_name(one)
        assert dict(result.object_flags) == entry.object_flags
        assert not result.prebuilt


@pytest.fixture
def no_compilers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without any compiler but the wheel's, and without a cache."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("STEELYARD_CACHE", str(tmp_path / "cache"))
    assert not {(one.family, one.id): one for one in discover()}["rl78", "gcc"].available
    yield


@pytest.mark.usefixtures("no_compilers")
@pytest.mark.parametrize("target", COMMITTED)
def test_without_the_compiler_the_images_are_measured(target: str, tmp_path: Path) -> None:
    frame = steelyard.measure(primitive="speck-64-128", target=target, store=tmp_path / "store")
    assert frame["status"].to_list() == ["ok"] * 3
    assert frame["verified"].all() and frame["prebuilt"].all()
    assert frame["toolchain_version"].unique().to_list() == [manifest(target).toolchain_version]


@pytest.mark.usefixtures("no_compilers")
def test_what_is_not_prebuilt_says_what_to_run(tmp_path: Path) -> None:
    sentence = r"steelyard toolchain install rl78\), and no prebuilt image is of this build"
    with pytest.raises(EnvironmentProblem, match=sentence) as problem:
        steelyard.measure(primitive="xtea", target="rl78-g13", flags="-O3", store=tmp_path)
    assert problem.value.exit_status == 3


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the archives, which is used in their place."""
    folder = tmp_path / "prebuilt"
    shutil.copytree(prebuilt_folder(), folder)
    monkeypatch.setattr("steelyard.toolchain.prebuilt.prebuilt_folder", lambda: folder)
    return folder


@pytest.mark.usefixtures("no_compilers")
def test_images_of_other_sources_are_refused(copied: Path, tmp_path: Path) -> None:
    """Planted fault: the key of one image, as after a change of a source that it was made from."""
    path = copied / "rl78-g13.json"
    told = json.loads(path.read_text())
    changed = [name for name in told["images"] if name.startswith("xtea ")]
    for name in changed:
        told["images"][name]["key"] = "0" * 64
    path.write_text(json.dumps(told))
    with pytest.raises(EnvironmentProblem, match="made from other sources than these, so it is refused"):
        steelyard.measure(primitive="xtea", target="rl78-g13", store=tmp_path / "store")
    frame = steelyard.measure(primitive=["xtea", "rc4-128"], target="rl78-g13", store=tmp_path / "store")
    assert frame["primitive"].unique().to_list() == ["rc4-128"]


@pytest.mark.usefixtures("no_compilers")
def test_a_damaged_archive_is_refused(copied: Path, tmp_path: Path) -> None:
    path = copied / "rl78-g13.tar.xz"
    packed = bytearray(path.read_bytes())
    packed[len(packed) // 2] ^= 1
    path.write_bytes(packed)
    with pytest.raises(EnvironmentProblem, match="is not the archive of its manifest"):
        steelyard.measure(primitive="xtea", target="rl78-g13", store=tmp_path / "store")


def empty_manifest(images: dict[str, bytes]) -> Manifest:
    entries = {
        name: Entry(key="k", sha256=hashlib.sha256(image).hexdigest(), object_flags={})
        for name, image in images.items()
    }
    told = {"target": "chip", "family": "rl78", "toolchain": "gcc", "toolchain_version": "1"}
    return Manifest(**told, archive_sha256="", images=entries)


def test_the_same_images_give_the_same_archive(tmp_path: Path) -> None:
    images = {"one": b"1" * 5000, "two": b"2" * 5000, "again": b"1" * 5000}
    paths = [write(tmp_path / name, empty_manifest(images), images) for name in ("a", "b")]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert paths[0].with_name("chip.json").read_bytes() == paths[1].with_name("chip.json").read_bytes()


def test_an_archive_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    images = {"large": os.urandom(ARCHIVE_LIMIT_BYTES + 1)}
    with pytest.raises(UsageError, match=f"more than the {ARCHIVE_LIMIT_BYTES} that are allowed"):
        write(tmp_path, empty_manifest(images), images)
    assert not list(tmp_path.iterdir())


def test_prebuilding_writes_what_is_committed(tmp_path: Path) -> None:
    told = manifest("rl78-g13")
    toolchain = by_name("rl78-g13")
    if toolchain.version != told.toolchain_version:
        pytest.skip(f"{told.toolchain_version} is not installed; run: {toolchain.install}")
    made: Prebuilt = prebuild("rl78-g13", tmp_path)
    assert made.images == len(told.images)
    assert (tmp_path / "rl78-g13.json").read_bytes() == (prebuilt_folder() / "rl78-g13.json").read_bytes()


def test_chips_whose_compilers_install_quickly_are_not_prebuilt(tmp_path: Path) -> None:
    assert families()["avr"].toolchain["gcc"].build is None
    with pytest.raises(UsageError, match="install quickly"):
        prebuild("atmega128", tmp_path)

"""Finding compilers, and saying what to run where there is none."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from toolchain.workshop import toolchain_or_skip

from steelyard.cache.content import Cache
from steelyard.cli.toolchain import app
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.toolchain import discover, find_toolchain


def test_the_toolchains_of_every_family_are_listed(tmp_path: Path) -> None:
    listed = [(one.family, one.id) for one in discover(Cache(tmp_path))]
    assert listed == sorted(listed)
    assert {("arm", "clang"), ("arm", "gcc"), ("avr", "clang"), ("avr", "gcc")} <= set(listed)
    assert {("cortex-m", "clang"), ("cortex-m", "gcc"), ("m16c", "gcc"), ("rl78", "gcc")} <= set(listed)


def test_missing_gcc_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    listed = {one.id: one for one in discover(Cache(tmp_path))}
    assert not listed["gcc"].available
    assert listed["gcc"].version is None
    with pytest.raises(EnvironmentProblem, match="run: apt-get install gcc-avr binutils-avr") as problem:
        find_toolchain("avr", "gcc", Cache(tmp_path))
    assert problem.value.exit_status == 3


def test_missing_package_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ziglang", None)
    with pytest.raises(EnvironmentProblem, match=r"run: python -m pip install ziglang==\d"):
        find_toolchain("avr", "clang", Cache(tmp_path))


def test_unknown_name_gets_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match='did you mean "clang"'):
        find_toolchain("avr", "clamg", Cache(tmp_path))
    with pytest.raises(UsageError, match='did you mean "avr"'):
        find_toolchain("avt", "gcc", Cache(tmp_path))


def test_version_is_looked_up_once(tmp_path: Path, commands: list[list[str]]) -> None:
    first = discover(Cache(tmp_path))
    assert commands
    commands.clear()
    assert discover(Cache(tmp_path)) == first
    assert commands == []


def test_installation_is_no_more_than_the_compilers(tmp_path: Path) -> None:
    """A prefix such as a home folder or a virtual environment also holds what a record must cover."""
    for one in discover(Cache(tmp_path)):
        if one.installed is None:
            continue
        folders = one.installed.programs.installation
        assert folders
        for beyond in (sys.prefix, sys.base_prefix, "/usr", "/usr/share", "/usr/include", str(Path.home())):
            assert beyond not in folders
        if one.id == "clang":
            assert Path(folders[0], "zig").is_file()
        else:
            assert {Path(folder).name for folder in folders} >= {"bin", "lib"}


def test_machine_without_landlock_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for confines in (False, True):
        monkeypatch.setattr("steelyard.toolchain.confine.can_confine", lambda confines=confines: confines)
        app(["list", "--json"], standalone_mode=False)
        assert ("has no Landlock" in capsys.readouterr().err) != confines


def test_another_compiler_under_the_same_name_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toolchain_or_skip("gcc")
    real = shutil.which("avr-gcc")
    wrapper = tmp_path / "bin" / "avr-gcc"
    wrapper.parent.mkdir()
    monkeypatch.setenv("PATH", str(wrapper.parent), prepend=":")
    identities = set()
    for comment in ("first", "second"):
        wrapper.write_text(f'#!/bin/sh\n# {comment}\nexec {real} "$@"\n')
        wrapper.chmod(0o755)
        installed = find_toolchain("avr", "gcc", Cache(tmp_path / "cache")).require()
        assert installed.version == toolchain_or_skip("gcc").version
        identities.add(installed.identity)
    assert len(identities) == 2

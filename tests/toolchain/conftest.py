"""Fixtures: workshops, each compiler, a count of what was run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from toolchain.workshop import TOOLCHAINS, Workshop, toolchain_or_skip

from steelyard import _native
from steelyard.cache.content import Cache
from steelyard.toolchain import Toolchain


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path / "toy" / "plain", Cache())


@pytest.fixture
def cold_workshop(tmp_path: Path) -> Workshop:
    """One with a cache that dies with the test."""
    return Workshop(tmp_path / "toy" / "plain", Cache(tmp_path / "cache"))


@pytest.fixture(params=TOOLCHAINS)
def toolchain(request: pytest.FixtureRequest) -> Toolchain:
    return toolchain_or_skip(request.param)


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Every command that is run from here on."""
    seen: list[list[str]] = []
    real = _native.run_program

    def counted(command: list[str], *given: Any, **limits: Any) -> Any:
        seen.append(command)
        return real(command, *given, **limits)

    monkeypatch.setattr(_native, "run_program", counted)
    return seen

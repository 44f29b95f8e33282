"""The command on a store and cache of its own; what the compiler keeps of a C library is shared."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import Steelyard
from linux.measure.board import board as board

from steelyard.cache.content import cache_root


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that knows no program yet, but the C libraries that were built for an earlier one."""
    folder = tmp_path_factory.mktemp("programs")
    kept = cache_root() / "zig"
    kept.mkdir(parents=True, exist_ok=True)
    (folder / "zig").symlink_to(kept)
    return folder


@pytest.fixture
def steelyard(tmp_path: Path, programs: Path) -> Steelyard:
    return Steelyard(tmp_path / "store", programs, tmp_path)

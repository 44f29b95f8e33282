"""Devices: this machine, and one behind an SSH server of the test's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from linux.measure.board import board as board

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.linux.build import c_libraries
from steelyard.linux.device.connect import Reached, Way, reach


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of the tests' own; only C libraries, which take a minute of each architecture, are kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZIG_GLOBAL_CACHE_DIR", str(c_libraries()))
        patch.setenv("STEELYARD_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def here() -> Iterator[Reached]:
    with reach(Way()) as reached:
        yield reached

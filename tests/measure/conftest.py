"""Builds and plans, in process."""

from __future__ import annotations

from pathlib import Path

import pytest

from steelyard.catalog.load import Catalog, load_catalog


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    patch = pytest.MonkeyPatch()
    patch.setenv("STEELYARD_CACHE", str(folder))
    return folder

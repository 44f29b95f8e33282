"""One cache for the whole run: what a worker, a test or a program that it starts has built serves all others.

It is content-addressed and kept below pytest's own cache, so that a further run finds what has not changed;
`--cache-clear` empties it. A test whose subject is a cold or a damaged cache makes one of its own.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Steelyard

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.data import data_root
from steelyard.linux.build import c_libraries
from steelyard.toolchain.recipe import toolchains_folder


def pytest_configure(config: pytest.Config) -> None:
    """Choose the cache before anything looks for it; the workers of xdist inherit the environment."""
    if hasattr(config, "workerinput"):
        return
    # What takes minutes stays where it is: compilers built from source, the C libraries of foreign machines.
    libraries, toolchains = c_libraries(), toolchains_folder()
    toolchains.mkdir(parents=True, exist_ok=True)
    run_cache = config.cache.mkdir("steelyard")
    link = run_cache / toolchains.name
    if not link.is_symlink() or link.readlink() != toolchains:
        link.unlink(missing_ok=True)
        link.symlink_to(toolchains)
    os.environ["ZIG_GLOBAL_CACHE_DIR"] = str(libraries)
    os.environ["STEELYARD_CACHE"] = str(run_cache)
    # The workers are as many as the cores: threads of one algebra would spin while they wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture
def steelyard(tmp_path: Path) -> Steelyard:
    return Steelyard(tmp_path / "store", tmp_path)


@pytest.fixture
def own_idea(tmp_path: Path) -> Callable[..., Path]:
    """Makes a user's folder with a variant of IDEA, no default, changed by replacements (file, old, new)."""

    def make(name: str, *changes: tuple[str, str, str]) -> Path:
        folder = tmp_path / "own"
        idea = (data_root() / "primitives" / "block" / "idea").resolve()
        variant = shutil.copytree(idea / "fast", folder / "idea" / name)
        for shared in idea.glob("*.[ch]"):
            shutil.copy(shared, variant.parent)
        facts = variant / "variant.toml"
        lines = facts.read_text("utf-8").splitlines(keepends=True)
        facts.write_text("".join(line for line in lines if not line.startswith("default = ")), "utf-8")
        for file, old, new in changes:
            path = next(place / file for place in (variant, variant.parent) if (place / file).exists())
            text = path.read_text("utf-8")
            assert old in text
            path.write_text(text.replace(old, new, 1), "utf-8")
        return folder

    return make

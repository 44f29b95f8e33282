"""A user's own variant."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.data import data_root


@pytest.fixture
def own_idea(tmp_path: Path) -> Callable[..., Path]:
    """Makes a user's folder with the default variant of IDEA, changed by replacements (file, old, new)."""

    def make(name: str, *changes: tuple[str, str, str]) -> Path:
        folder = tmp_path / "own"
        idea = (data_root() / "primitives" / "block" / "idea").resolve()
        variant = shutil.copytree(idea / "fast", folder / "idea" / name)
        for shared in idea.glob("*.[ch]"):
            shutil.copy(shared, variant.parent)
        for file, old, new in (("variant.toml", "default = true\n", ""), *changes):
            path = next(place / file for place in (variant, variant.parent) if (place / file).exists())
            text = path.read_text("utf-8")
            assert old in text
            path.write_text(text.replace(old, new, 1), "utf-8")
        return folder

    return make

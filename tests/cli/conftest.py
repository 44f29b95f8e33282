"""The real entry point, run as its own process on a store of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from steelyard.cache.content import cache_root
from steelyard.data import data_root


@dataclass
class Steelyard:
    """`steelyard` with its store and working folder; the cache is the run's where a test names no other."""

    store: Path
    folder: Path
    cache: Path = field(default_factory=cache_root)
    environment: dict[str, str] = field(default_factory=dict)

    def command(self, *arguments: object) -> list[str]:
        return [sys.executable, "-m", "steelyard", *map(str, arguments)]

    def env(self) -> dict[str, str]:
        named = {"STEELYARD_STORE": str(self.store), "STEELYARD_CACHE": str(self.cache)}
        return {**os.environ, **named, **self.environment}

    def run(
        self, *arguments: object, status: int | None = 0, **options: Any
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            self.command(*arguments),
            env=self.env(),
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            **options,
        )
        assert "Traceback" not in done.stderr
        assert status is None or done.returncode == status, done.stderr + done.stdout
        return done

    def start(self, *arguments: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*arguments),
            env=self.env(),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def json(self, *arguments: object, status: int | None = 0) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = json.loads(self.run(*arguments, "--json", status=status).stdout)
        return rows

    def sentence(self, *arguments: object, status: int) -> str:
        """Standard error of a command that must end with this status, say one sentence and print nothing."""
        done = self.run(*arguments, status=status)
        assert done.stdout == ""
        lines = done.stderr.strip().splitlines()
        assert len(lines) == 1
        return lines[0]


@pytest.fixture
def steelyard(tmp_path: Path) -> Steelyard:
    return Steelyard(tmp_path / "store", tmp_path)


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

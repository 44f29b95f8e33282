"""The real entry point, run as its own process on a store of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steelyard.cache.content import cache_root


def options(**named: object) -> list[str]:
    """Options of a command line by their names; those with a list of values are given once for each."""
    return [
        f"--{name.replace('_', '-')}={one}"
        for name, value in named.items()
        for one in (value if isinstance(value, list) else [value])
    ]


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

    def start(self, *arguments: object, **options: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*arguments),
            env=self.env(),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
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

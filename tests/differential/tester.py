"""The differential tester as its users run it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Chosen by `--package`, it and the emulator would be compiled again: what they depend on would have features
# other than those that `cargo test --workspace` has built it with.
_COMMAND = ("cargo", "run", "--quiet", "--profile", "quick", "--bin", "differential", "--")
_MISSING = 3


def differential(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a command of the tester; skips the test where a reference is missing and nothing differs."""
    if shutil.which("cargo") is None:
        pytest.skip("the differential tester is a Rust program and cargo is not installed")
    # Unicorn is looked for in the first Python.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        [*_COMMAND, *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode == _MISSING:
        pytest.skip(next(line for line in result.stdout.splitlines() if ": left out: " in line))
    return result

"""Copies of this checkout in which a test adds a folder, and their command line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
COPIED = ("python", "primitives", "modes", "firmware", "targets", "vectors", "studies", "explorer/dist")


def copy_checkout(folder: Path, *more: str) -> Path:
    """What the command line reads, and more folders and files; links stay links."""
    for name in (*COPIED, *more):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, symlinks=True)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def run_copy(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the copy's command line, with a store of its own."""
    own = {"PYTHONPATH": str(folder / "python"), "STEELYARD_STORE": str(folder / "store")}
    command = [sys.executable, "-m", "steelyard", *words]
    return subprocess.run(command, cwd=folder, env={**os.environ, **own}, capture_output=True, text=True)

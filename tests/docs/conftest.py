"""What the tests of the documentation share: its generator and its code blocks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(scope="session")
def code_blocks() -> Callable[[Path, str], list[str]]:
    """Read the code blocks of one language from a page."""

    def read(page: Path, language: str) -> list[str]:
        return re.findall(
            rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        )

    return read


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a command line as a reader would, with this environment's programs and a store of its own."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "STEELYARD_STORE": str(tmp_path / "store"),
        "PYTHONWARNINGS": "error",
    }

    def runner(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            shell=True,
            executable="/bin/sh",
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        return done

    return runner

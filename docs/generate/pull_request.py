"""The Markdown of a pull request: two commits of the example's code, measured and compared.

    python -m docs.generate --measure pull-request

commits docs/examples/my-ciphers to a repository, then docs/examples/pull-request/crypt.c in place of a
source, runs `steelyard compare` there, and keeps its Markdown in docs/records/pull-request.md. The compiler
is the one that is pinned, and commits have a fixed date: the same sources give the same bytes anywhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "docs" / "records" / "pull-request.md"
EXAMPLES = ROOT / "docs" / "examples"
CODE = "my-ciphers"

COMMAND = (
    *("compare", "--git", "main", "two-bytes-a-turn", "--primitives", CODE, "--primitive", "rc4-128"),
    *("--variant", "rc4/simple", "--target", "atmega128", "--target", "stm32f407", "--toolchain", "clang"),
    *("--operation", "init", "--operation", "encrypt", "--length", "64"),
    *("--limit", "rom=+128B", "--format", "markdown"),
)
"""What is run in the repository."""

_WHO = {
    **{f"GIT_{role}_NAME": "Ada" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "ada@example.org" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_DATE": "2026-01-01T12:00:00Z" for role in ("AUTHOR", "COMMITTER")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def two_commits(folder: Path) -> None:
    """Make a repository of the example's code in a folder: the branches `main` and `two-bytes-a-turn`."""

    def git(*words: str) -> None:
        environment = {**os.environ, **_WHO}
        subprocess.run(["git", "-C", str(folder), *words], env=environment, check=True, capture_output=True)

    shutil.copytree(EXAMPLES / CODE, folder / CODE)
    git("init", "--initial-branch=main")
    git("add", "--all")
    git("commit", "--message", "RC4 with both indices in the context")
    git("checkout", "-b", "two-bytes-a-turn")
    shutil.copy(EXAMPLES / "pull-request" / "crypt.c", folder / CODE / "rc4" / "simple" / "crypt.c")
    git("commit", "--all", "--message", "Two bytes in each turn, indices in registers")


def made() -> str:
    """Return the Markdown of the two commits, measured now."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "project")
        two_commits(folder)
        command = [sys.executable, "-m", "steelyard", *COMMAND]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    # The example has a regression.
    if done.returncode != 4:
        raise RuntimeError(f"steelyard {' '.join(COMMAND)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def measure() -> None:
    """Measure the two commits, and keep what is printed."""
    KEPT.write_text(made(), encoding="utf-8")


def _command() -> str:
    lines = (
        " ".join(COMMAND)
        .replace(" --primitives", " \\\n    --primitives")
        .replace(" --toolchain", " \\\n    --toolchain")
    )
    return f"```sh\nsteelyard {lines}\n```\n"


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks: the command, and the Markdown that it printed."""
    return {
        "pull request command": _command,
        "pull request": lambda: KEPT.read_text(encoding="utf-8"),
    }

"""A repository with the example's variant of RC4, for comparisons of revisions."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my-ciphers"
SLOW = ("s[++ctx->i]", "s[++ctx->i]; for (volatile uint8_t n = 0; n < 3; n++) {}\n        (void)0")
"""A loop in the crypt function, which costs cycles, code and stack."""


@dataclass
class Repository:
    """A repository of one's own code: commits, and changes of the variant's files."""

    root: Path

    @property
    def code(self) -> Path:
        """The folder of --primitives."""
        return self.root / "my-ciphers"

    def git(self, *words: str) -> str:
        """Run git without the configuration of this machine."""
        roles = ("GIT_AUTHOR", "GIT_COMMITTER")
        who = {f"{role}_{what}": "test@example.org" for role in roles for what in ("NAME", "EMAIL")}
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", "-C", str(self.root), *words],
            env={**os.environ, **who, **alone},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def change(self, old: str, new: str, file: str = "crypt.c") -> None:
        """Replace what stands once in a file of the variant."""
        path = self.code / "rc4" / "simple" / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")

    def commit(self, said: str) -> None:
        """Commit everything."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", said)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = tmp_path / "project"
    shutil.copytree(EXAMPLE, root / "my-ciphers")
    made = Repository(root)
    made.git("init", "--quiet", "--initial-branch=main")
    made.commit("the example")
    return made

"""The pictures of the explorer in README.md are made by a command."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser
from tools.screenshots import DOCS, HEIGHT, PICTURES, WIDTH


def test_every_picture_is_made(browser: Browser, tmp_path: Path) -> None:
    """In a process of its own: this one has a browser already."""
    command = [sys.executable, "-m", "tools.screenshots", "--folder", str(tmp_path)]
    done = subprocess.run(command, cwd=DOCS.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made.keys() == PICTURES.keys()
    for picture in made.values():
        # Width and height stand at a fixed place of a PNG [PNG specification, 11.2.2].
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">II", picture[16:24]) == (WIDTH, HEIGHT)


def test_the_readme_shows_them() -> None:
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    for name in PICTURES:
        assert f"](docs/{name})" in readme
        assert (DOCS / name).is_file()

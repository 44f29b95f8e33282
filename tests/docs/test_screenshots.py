"""The pictures of the explorer in README.md are made by a command."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

import pytest
from tools.page_speed import BROWSERS
from tools.screenshots import DOCS, HEIGHT, PICTURES, WIDTH, main


@pytest.mark.skipif(
    not any(map(shutil.which, BROWSERS)), reason="no Chromium on PATH; on Debian: apt-get install chromium"
)
def test_every_picture_is_made(tmp_path: Path) -> None:
    assert main(["--folder", str(tmp_path)]) == 0
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

"""The pages about the targets say what the data files say."""

from __future__ import annotations

import runpy
from pathlib import Path

PAGES = Path(__file__).parents[2] / "docs" / "targets"


def test_pages_are_those_of_the_data_files() -> None:
    rendered = runpy.run_path(str(PAGES / "render.py"))["render"]()
    written = {path.relative_to(PAGES): path.read_text() for path in PAGES.rglob("*.md")}
    assert written == rendered, "run: python docs/targets/render.py"

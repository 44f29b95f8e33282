"""The pages and their blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from docs.generate import bench, catalogue, fidelity, models, program, studies

ROOT = Path(__file__).resolve().parents[2]

_BLOCK = re.compile(r"(<!-- generated: (?P<name>[^>]+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """The Markdown files that may hold generated blocks."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@cache
def blocks() -> Mapping[str, Callable[[], str]]:
    """What makes each block that is no study's, by its name."""
    parts = (program, catalogue, bench, models, fidelity)
    return {name: made for part in parts for name, made in part.blocks().items()}


def regenerated(text: str) -> str:
    """A page's text with its blocks made anew; KeyError for a block that nothing makes."""
    return _BLOCK.sub(lambda found: f"{found[1]}{_made(found['name'])}{found[3]}", text)


def _made(name: str) -> str:
    found = blocks().get(name)
    return studies.make(name) if found is None else found()

"""The pages and their blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from docs.generate import (
    bench,
    catalogue,
    claims,
    constant_time,
    defaults,
    energy,
    fidelity,
    fifty_cells,
    figures,
    instruction_sets,
    models,
    program,
    pull_request,
    studies,
    transcripts,
)

ROOT = Path(__file__).resolve().parents[2]

_BLOCK = re.compile(r"(<!-- generated: (?P<name>[^>]+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """Return the Markdown files that may hold generated blocks."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@cache
def blocks() -> Mapping[str, Callable[[], str]]:
    """Return the functions that make the blocks outside studies, by name."""
    parts = (
        *(program, catalogue, defaults, bench, claims, energy, models, fidelity, figures),
        *(instruction_sets, constant_time, pull_request, fifty_cells, transcripts),
    )
    return {name: made for part in parts for name, made in part.blocks().items()}


def regenerated(text: str) -> str:
    """Return a page's text with its blocks made again; KeyError for an unknown block."""
    return _BLOCK.sub(lambda found: f"{found[1]}{_made(found['name'])}{found[3]}", text)


def _made(name: str) -> str:
    found = blocks().get(name)
    return studies.make(name) if found is None else found()

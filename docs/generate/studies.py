"""Tables and claims of studies from their kept records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from docs.generate.records import BENCH, measurable, page_module, read_kept

from steelyard.catalog.load import load_catalog
from steelyard.present.markdown import markdown_table
from steelyard.present.table import Table
from steelyard.report import tables
from steelyard.study.claims import records_of
from steelyard.study.discover import load_study
from steelyard.study.model import Claim, Outcome

Shown = Table | tuple[Claim, ...] | str
"""Content of a block."""


@cache
def outcome(name: str) -> Outcome:
    """Return the outcome of a study on its kept records."""
    study = load_study(name)
    return study.judge(records_of(study, read_kept(name))[1], load_catalog().defaults)


def markdown(shown: Shown) -> str:
    """Return a block as Markdown."""
    if isinstance(shown, str):
        return shown
    if not isinstance(shown, Table):
        shown = _claims(shown)
    # A bar would end a cell.
    rows = [tuple(cell.replace(" | ", " → ") for cell in row) for row in shown.rows]
    return markdown_table(shown.headings, rows, left=shown.left)


def _claims(claims: Iterable[Claim]) -> Table:
    """Return claims with their verdicts and evidence."""
    listed = tuple(claims)
    asked = any(one.published is not None for one in listed)
    own = ("In its own Table 3",) if asked else ()
    rows = tuple(
        (
            one.claim,
            one.statement,
            one.verdict.finding,
            one.verdict.strength,
            *([one.published or ""] if asked else []),
            one.verdict.reason,
        )
        for one in listed
    )
    return Table(
        "Claims",
        ("Claim", "It says", "Verdict", "Tests passed", *own, "Of so many settings"),
        rows,
        5 + len(own),
    )


def make(name: str) -> str:
    """Return a block `STUDY PART`: one of its page alone, `origin`, `claims`, or one of the study's tables.

    KeyError for any other name.
    """
    study, _, part = name.partition(" ")
    if study not in measurable() or study == BENCH:
        raise KeyError(name)
    own = _own_blocks(study)
    if part in own:
        return markdown(own[part]())
    if part == "origin":
        return tables.origin(read_kept(study))
    return markdown(outcome(study).claims if part == "claims" else outcome(study).tables()[part])


@cache
def _own_blocks(study: str) -> Mapping[str, Callable[[], Shown]]:
    page = page_module(study)
    found: Mapping[str, Callable[[], Shown]] = getattr(page, "blocks", lambda *_: {})(read_kept, outcome)
    return found

"""Experiments that are all tables, as the documentation shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import polars as pl

from steelyard.present.markdown import markdown_table
from steelyard.present.table import Table
from steelyard.report.published import rl78_minimal as rl78_tables
from steelyard.report.published import word_sizes as word_tables
from steelyard.reproduce import rl78_minimal, word_sizes
from steelyard.reproduce.comparison import Claim

NOT_YET = "Not measured yet.\n"


def rl78_categories(records: pl.DataFrame, choice: str) -> str:
    """Markdown: the categories filled, with one way of counting RAM."""
    if records.is_empty():
        return NOT_YET
    return lines_table(rl78_tables.category_lines(rl78_minimal.reproduce(records.to_dicts()).tables[choice]))


def rl78_numbers(records: pl.DataFrame) -> str:
    """Markdown: printed numbers beside ours."""
    if records.is_empty():
        return NOT_YET
    return lines_table(rl78_tables.number_lines(rl78_minimal.reproduce(records.to_dicts())))


def rl78_claims(records: pl.DataFrame) -> str:
    """Markdown: the verdict on every claim."""
    return claims_table(rl78_minimal.reproduce(records.to_dicts()).claims)


def word_costs(records: pl.DataFrame, defaults: Collection[str]) -> str:
    """Markdown: cycles per byte by chip."""
    if records.is_empty():
        return NOT_YET
    return lines_table(word_tables.cost_lines(word_sizes.reproduce(records.to_dicts(), defaults)))


def word_claims(records: pl.DataFrame, defaults: Collection[str]) -> str:
    """Markdown: the verdict on every claim."""
    return claims_table(word_sizes.reproduce(records.to_dicts(), defaults).claims)


def lines_table(lines: Table) -> str:
    """Markdown: a table of the report."""
    # A bar would end a cell.
    rows = [tuple(cell.replace(" | ", " → ") for cell in row) for row in lines.rows]
    return markdown_table(lines.headings, rows, left=lines.left)


def claims_table(claims: Iterable[Claim]) -> str:
    """Markdown: claims with their verdicts and what these rest on."""
    rows = [(one.claim, one.statement, one.verdict.finding, one.verdict.reason) for one in claims]
    return markdown_table(("Claim", "It says", "Verdict", "Of so many settings"), rows, left=4)

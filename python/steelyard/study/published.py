"""Published content from the files of a study's folder: tables, claims, the publication itself."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from steelyard.catalog.load import read_file
from steelyard.catalog.models import Strict
from steelyard.study.model import Claim
from steelyard.study.verdict import Verdict


class Publication(Strict):
    """Contents of `publication.toml`: the publication, and a line on what the study measures of it.

    `id` is the publication's short name, which its studies share. Without a title the study concerns several
    publications.
    """

    id: str
    summary: str
    authors: str = ""
    title: str = ""
    published: str = ""

    @property
    def citation(self) -> str:
        """Authors, title and place of publication, as far as known."""
        named = ": ".join(part for part in (self.authors, self.title) if part)
        return ", ".join(part for part in (named, self.published) if part)


def read_publication(folder: Path) -> Publication:
    """Return the publication of a study; UsageError, in one sentence, for an invalid file."""
    return read_file(folder / "publication.toml", Publication)


def read_table(path: Path) -> list[dict[str, str]]:
    """Return the rows of a file of published figures."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def claims_of(folder: Path, verdict: Callable[[str], Verdict]) -> tuple[Claim, ...]:
    """Return the claims of a study's folder; `verdict` is called with each claim's name."""
    return tuple(
        Claim(row["claim"], row["section"], row["statement"], verdict(row["claim"]))
        for row in read_table(folder / "claims.csv")
    )

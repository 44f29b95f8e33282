"""What was published, as the files of a study's folder have it: tables, claims, the publication itself."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from steelyard.catalog.load import read_file
from steelyard.catalog.models import Strict
from steelyard.study.model import Claim
from steelyard.study.verdict import Verdict


class Publication(Strict):
    """`publication.toml`: what was published and, in a line, what of it the study measures.

    `id` is the publication's short name, which studies of the same publication share. Without a title the
    study is of several publications.
    """

    id: str
    summary: str
    authors: str = ""
    title: str = ""
    published: str = ""

    @property
    def citation(self) -> str:
        """Authors, title and where it was published, as far as that is known."""
        named = ": ".join(part for part in (self.authors, self.title) if part)
        return ", ".join(part for part in (named, self.published) if part)


def read_publication(folder: Path) -> Publication:
    """The publication that a study is of; UsageError, in one sentence, where the file is wrong."""
    return read_file(folder / "publication.toml", Publication)


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a file of published figures."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def claims_of(folder: Path, verdict: Callable[[str], Verdict]) -> tuple[Claim, ...]:
    """The claims of a study's folder; `verdict` is asked of each claim's name."""
    return tuple(
        Claim(row["claim"], row["section"], row["statement"], verdict(row["claim"]))
        for row in read_table(folder / "claims.csv")
    )

"""Studies as sections of the report, if the records suffice."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from steelyard.present.chart import Chart
from steelyard.present.table import Table
from steelyard.study.claims import records_of
from steelyard.study.discover import load_study, publication_of, study_names
from steelyard.study.model import Claim, Defaults


@dataclass(frozen=True)
class Publication:
    """A section of the report: plots in the form of the publication's, tables, and its claims.

    `id` is the section's anchor in the page.
    """

    id: str
    title: str
    citation: str
    note: str
    compiler: str
    charts: tuple[Chart, ...]
    choices: tuple[str, ...]
    claims: tuple[Claim, ...]
    lines: tuple[Table, ...]


def publications(records: pl.DataFrame, defaults: Defaults) -> tuple[Publication, ...]:
    """Return a section for each study with enough records; `defaults` are the default variants."""
    made = []
    for name in study_names():
        study = load_study(name)
        compilers, taken = records_of(study, records)
        if not taken:
            continue
        outcome = study.judge(taken, defaults)
        if outcome.worth_showing:
            made.append(
                Publication(
                    name,
                    study.title,
                    publication_of(name).citation,
                    study.note,
                    " and ".join(compilers),
                    tuple(outcome.charts()),
                    outcome.choices,
                    outcome.claims,
                    tuple(outcome.tables().values()),
                )
            )
    return tuple(made)

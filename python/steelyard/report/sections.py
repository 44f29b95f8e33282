"""Parts of the report that follow from records and data together: predictions, protocols, batteries."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from steelyard.catalog.load import Catalog
from steelyard.report.charts import Chart
from steelyard.report.published.common import Lines


@dataclass(frozen=True)
class Section:
    """A section of the page: plots and tables; `id` is its place."""

    id: str
    title: str
    note: str
    charts: tuple[Chart, ...]
    lines: tuple[Lines, ...] = ()


def sections(results: pl.DataFrame, catalog: Catalog) -> tuple[Section, ...]:
    """The sections that verified results have enough for."""
    from steelyard.report import advice, predicted

    made = (predicted.section(results), advice.section(results, catalog))
    return tuple(one for one in made if one is not None)

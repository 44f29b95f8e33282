"""A part of the report beside all results: plots and tables that a command saved or that records imply."""

from __future__ import annotations

from dataclasses import dataclass

from steelyard.present.chart import Chart
from steelyard.present.table import Table


@dataclass(frozen=True)
class Section:
    """Tables, then plots; `id` is the section's anchor in the page."""

    id: str
    title: str
    note: str
    charts: tuple[Chart, ...] = ()
    lines: tuple[Table, ...] = ()

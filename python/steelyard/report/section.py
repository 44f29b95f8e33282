"""A part of the report beside the records: plots and tables that a command saved or that records imply."""

from __future__ import annotations

from dataclasses import dataclass

from steelyard.present.chart import Chart
from steelyard.present.table import Table


@dataclass(frozen=True)
class Section:
    """A picture, tables, then plots; `id` is its place in the address of the page, `kind` its heading there.

    `picture` is an SVG of Steelyard's own making, with every text of others in it escaped.
    """

    id: str
    title: str
    note: str
    kind: str
    charts: tuple[Chart, ...] = ()
    lines: tuple[Table, ...] = ()
    picture: str = ""

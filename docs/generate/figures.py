"""The publications' figures, drawn again from kept records with the charts of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import polars as pl
from docs.generate import md5_lengths
from docs.generate.studies import outcome
from pydantic import Field

from steelyard.catalog.load import read_file
from steelyard.catalog.models import Strict
from steelyard.present.chart import Chart
from steelyard.present.markdown import markdown_table
from steelyard.report import theme
from steelyard.study.discover import publication_of

FIGURES = Path(__file__).resolve().parents[1] / "figures"
_PICTURES: dict[str, Callable[[], str]] = {md5_lengths.NAME: md5_lengths.picture}
"""Pictures that the report has no chart for."""
_WIDTH_PX = 640
_LEGEND_COLUMNS = 5
_BESIDE_BARS_PX = 120
"""What axes and legend need beside bars whose height follows their number."""


class Figure(Strict):
    """A figure of a publication: `chart` with its choices, a `picture` that is no chart of the report, or
    `absent`, why there is none.
    """

    study: str
    number: str
    shows: str
    numbers: str
    chart: str = ""
    choose: dict[str, str] = Field(default_factory=dict)
    absent: str = ""
    picture: str = ""

    @property
    def path(self) -> Path:
        """File of the picture."""
        return FIGURES / f"{self.chart or self.picture}.svg"


class _File(Strict):
    figure: list[Figure]


@cache
def figures() -> tuple[Figure, ...]:
    """Return the figures of all publications."""
    return tuple(read_file(FIGURES / "figures.toml", _File).figure)


def pictures() -> dict[Path, str]:
    """Return the pictures by file."""
    drawn = {one.path: _svg(_chart(one), one.choose) for one in figures() if one.chart}
    return drawn | {one.path: _PICTURES[one.picture]() for one in figures() if one.picture}


def _chart(one: Figure) -> Chart:
    return next(chart for chart in outcome(one.study).charts() if chart.id == one.chart)


def shown_rows(chart: Chart, choose: dict[str, str]) -> pl.DataFrame:
    """Return the rows that a choice leaves; ValueError if it names another column or leaves none."""
    if set(choose) != set(chart.single):
        raise ValueError(f"{chart.id}: choose {', '.join(chart.single)}")
    rows = chart.rows.filter(*(pl.col(column) == value for column, value in choose.items()))
    if not len(rows):
        raise ValueError(f"{chart.id}: no rows with {choose}")
    return rows


def _svg(chart: Chart, choose: dict[str, str]) -> str:
    import vl_convert

    rows = shown_rows(chart, choose)
    data = {"name": "rows", "values": rows.to_dicts()}
    spec: dict[str, Any] = {**chart.spec, "width": _WIDTH_PX, "data": data}
    if chart.step_px is not None:
        (series,) = chart.series
        spec["height"] = chart.step_px * rows[series].n_unique() + _BESIDE_BARS_PX
        spec["autosize"] = {"type": "fit", "contains": "padding"}
    colours = theme.vega_config("light")
    legend = {**colours.get("legend", {}), "columns": _LEGEND_COLUMNS}
    config = {**colours, "legend": legend, "background": "#ffffff", "padding": 16}
    svg: str = vl_convert.vegalite_to_svg({**spec, "config": config})
    return svg


def _of_study(study: str) -> str:
    lines = []
    for one in figures():
        if one.study == study and one.chart:
            chart = _chart(one)
            name = one.number if one.number.startswith("Table") else f"Figure {one.number}"
            chosen = ", ".join(one.choose.values())
            picture = f"![{chart.title}](figures/{one.path.name})"
            lines += [picture, "", f"{name}: {one.shows} ({chosen}). {chart.caption}", ""]
    return "\n".join(["", *lines])


def _list() -> str:
    return markdown_table(
        ("Publication", "Figure", "Shows", "Numbers printed", "Here"), list(_rows()), left=5
    )


def _rows() -> Iterator[tuple[str, ...]]:
    for one in figures():
        here = f"[drawn](figures/{one.path.name})" if one.chart or one.picture else one.absent
        yield publication_of(one.study).id, one.number, one.shows, one.numbers, here


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks by name."""
    studies = dict.fromkeys(one.study for one in figures() if one.chart)
    return {"figures": _list, **{f"figures {study}": partial(_of_study, study) for study in studies}}

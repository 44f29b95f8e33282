"""What the report shows of a publication made anew, whichever it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from steelyard.present.chart import SCHEMA, Chart, Spec
from steelyard.present.table import Table
from steelyard.reproduce.comparison import Claim

_STEP_PX = 44
_COMPILER = "gcc"
_PRINTED = "#d6336c"
"""Colour of what is printed; it stands out in light and dark, on every bar."""


@dataclass(frozen=True)
class Publication:
    """A section of the report: plots in the form of the publication's, tables, and its claims.

    `id` is the section's place in the page.
    """

    id: str
    title: str
    note: str
    compiler: str
    charts: tuple[Chart, ...]
    choices: tuple[str, ...]
    claims: tuple[Claim, ...]
    lines: tuple[Table, ...] = ()


def of_one_compiler(records: pl.DataFrame) -> tuple[str, pl.DataFrame] | None:
    """The compiler whose records are compared, and these: GCC, which publications use, or else another."""
    compilers = sorted(records["toolchain"].drop_nulls().unique(), key=lambda name: (name != _COMPILER, name))
    if not compilers:
        return None
    return compilers[0], records.filter(pl.col("toolchain") == compilers[0])


def bar_chart(
    name: str, title: str, caption: str, axis: str, order: Sequence[str], rows: pl.DataFrame, digits: int = 1
) -> Chart:
    """Bars of `value` for each `cipher` and `what`, with a mark from `low` to `high` where it is printed.

    A reader chooses `variants` and `flags`. The columns are those named, and `variant`.
    """
    y: Spec = {"field": "cipher", "type": "nominal", "sort": list(order), "title": None}
    offset: Spec = {"field": "what", "type": "nominal", "sort": None}
    x: Spec = {"field": "value", "type": "quantitative", "title": axis, "axis": {"tickCount": 6}}
    number = f",.{digits}f"
    tick_px = min(16, _STEP_PX // max(1, rows["what"].n_unique()))
    tooltip = [
        {"field": "cipher"},
        {"field": "variant"},
        {"field": "what"},
        {"field": "value", "title": axis, "format": number},
        {"field": "low", "title": "published, from", "format": number},
        {"field": "high", "title": "published, to", "format": number},
    ]
    layers: list[Spec] = [
        {
            "mark": {"type": "bar"},
            "encoding": {
                "y": y,
                "yOffset": offset,
                "x": x,
                "color": {"field": "what", "type": "nominal", "title": None, "sort": None},
                "tooltip": tooltip,
            },
        }
    ]
    if rows["low"].count():
        outline: Spec = {"y": y, "yOffset": offset, "tooltip": tooltip}
        ends = {"x": {"field": "low", "type": "quantitative"}, "x2": {"field": "high"}}
        printed: Spec = {"transform": [{"filter": "isValid(datum.low)"}]}
        layers += [
            {
                **printed,
                "mark": {"type": "rule", "strokeWidth": 3, "color": _PRINTED},
                "encoding": {**outline, **ends},
            },
            {
                **printed,
                "mark": {"type": "tick", "thickness": 3, "size": tick_px, "color": _PRINTED},
                "encoding": {**outline, "x": ends["x"]},
            },
        ]
    return Chart(
        id=name,
        title=title,
        caption=caption,
        spec={
            "$schema": SCHEMA,
            "data": {"name": "rows"},
            "width": "container",
            "autosize": {"type": "fit-x", "contains": "padding"},
            "layer": layers,
        },
        rows=rows,
        open=(),
        single=("variants", "flags"),
        series=("cipher",),
        half=True,
        step_px=_STEP_PX,
    )

"""Plots that several studies draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from steelyard.present.chart import SCHEMA, Chart, Spec

_STEP_PX = 44
_PRINTED = "#d6336c"
"""Colour of printed values; it stands out in light and dark, on every bar."""


def plot(**parts: object) -> Spec:
    """Return a specification as wide as the page, with these parts."""
    return {
        "$schema": SCHEMA,
        "data": {"name": "rows"},
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        **parts,
    }


def tooltip(fields: Mapping[str, tuple[str, str] | None]) -> list[Spec]:
    """Return a mark's tooltip: fields with title and format, or None if the field needs neither."""
    return [
        {"field": field}
        if how is None
        else {"field": field, "title": how[0], **({"format": how[1]} if how[1] else {})}
        for field, how in fields.items()
    ]


def lines(x: Spec, field: str, title: str, colour: str, order: Sequence[str], told: list[Spec]) -> Spec:
    """Return a line with points for each `colour`, `field` on a logarithmic scale."""
    return plot(
        height=320,
        mark={"type": "line", "point": {"size": 55, "filled": True}, "strokeWidth": 2},
        encoding={
            "x": x,
            "y": {
                "field": field,
                "type": "quantitative",
                "title": title,
                "scale": {"type": "log", "nice": False, "padding": 12},
                "axis": {"tickCount": 6, "format": ",~r"},
            },
            "color": {"field": colour, "type": "nominal", "title": None, "sort": list(order)},
            "tooltip": told,
        },
    )


def bar_chart(
    name: str, title: str, caption: str, axis: str, order: Sequence[str], rows: pl.DataFrame, digits: int = 1
) -> Chart:
    """Return bars of `value` for each `cipher` and `what`, with a mark from `low` to `high` if printed.

    A reader selects `variants` and `flags`. The columns are those named, and `variant`.
    """
    y: Spec = {"field": "cipher", "type": "nominal", "sort": list(order), "title": None}
    offset: Spec = {"field": "what", "type": "nominal", "sort": None}
    x: Spec = {"field": "value", "type": "quantitative", "title": axis, "axis": {"tickCount": 6}}
    number = f",.{digits}f"
    tick_px = min(16, _STEP_PX // max(1, rows["what"].n_unique()))
    told = tooltip(
        {
            **dict.fromkeys(("cipher", "variant", "what")),
            "value": (axis, number),
            "low": ("published, from", number),
            "high": ("published, to", number),
        }
    )
    outline: Spec = {"y": y, "yOffset": offset, "tooltip": told}
    colour = {"field": "what", "type": "nominal", "title": None, "sort": None}
    layers: list[Spec] = [{"mark": {"type": "bar"}, "encoding": {**outline, "x": x, "color": colour}}]
    if rows["low"].count():
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
        spec=plot(layer=layers),
        rows=rows,
        open=(),
        single=("variants", "flags"),
        series=("cipher",),
        half=True,
        step_px=_STEP_PX,
    )

"""Plots that several studies draw."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from steelyard.present.chart import Chart, Spec, nominal, plot, quantitative, tooltip

_STEP_PX = 44
_PRINTED = "#d6336c"
"""Colour of printed values; it stands out in light and dark, on every bar."""


def lines(x: Spec, field: str, title: str, colour: str, order: Sequence[str], told: list[Spec]) -> Spec:
    """Return a line with points for each `colour`, `field` on a logarithmic scale."""
    return plot(
        height=320,
        mark={"type": "line", "point": {"size": 55, "filled": True}, "strokeWidth": 2},
        encoding={
            "x": x,
            "y": quantitative(
                field,
                title,
                scale={"type": "log", "nice": False, "padding": 12},
                axis={"tickCount": 6, "format": ",~r"},
            ),
            "color": nominal(colour, sort=list(order)),
            "tooltip": told,
        },
    )


def bar_chart(
    name: str, title: str, caption: str, axis: str, order: Sequence[str], rows: pl.DataFrame, digits: int = 1
) -> Chart:
    """Return bars of `value` for each `cipher` and `what`, with a mark from `low` to `high` if printed.

    A reader selects `variants` and `flags`. The columns are those named, and `variant`.
    """
    y: Spec = nominal(
        "cipher",
        sort=list(order),
    )
    offset: Spec = {"field": "what", "type": "nominal", "sort": None}
    x: Spec = quantitative("value", axis, axis={"tickCount": 6})
    number = f",.{digits}f"
    tick_px = min(16, _STEP_PX // max(1, rows["what"].n_unique()))
    told = tooltip(
        ("cipher", "variant", "what"),
        value=(axis, number),
        low=("published, from", number),
        high=("published, to", number),
    )
    outline: Spec = {"y": y, "yOffset": offset, "tooltip": told}
    colour = nominal("what", sort=None)
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

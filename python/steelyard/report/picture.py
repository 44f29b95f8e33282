"""One picture of the records: cycles per byte, per primitive and target."""

from __future__ import annotations

from typing import Any

import polars as pl

from steelyard.report import tables, theme

_WIDTH_PX = 640
_STEP_PX = 26


def picture_svg(records: pl.DataFrame) -> str:
    """Return an SVG of cycles per byte: a row per primitive, cheapest first, a mark per target.

    Each mark is the lowest verified figure among variants, compilers and flags, for one block of a block
    cipher and the longest measured message of the others.
    """
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg({**_spec(_rows(records)), "config": _config()})
    return svg


def _rows(records: pl.DataFrame) -> pl.DataFrame:
    return (
        tables.headline(tables.verified_results(records))
        .filter(pl.col("operation").is_in(["encrypt", "digest"]) & pl.col("cycles_per_byte").is_not_null())
        .group_by("primitive", "target")
        .agg(pl.col("cycles_per_byte").min())
        .sort("primitive", "target")
    )


def _spec(rows: pl.DataFrame) -> dict[str, Any]:
    targets = sorted(rows["target"].unique().to_list(), key=tables.natural)
    cheapest_first = rows.group_by("primitive").agg(pl.col("cycles_per_byte").min()).sort("cycles_per_byte")
    scale = {"domain": targets}
    row_axis = {
        "field": "primitive",
        "type": "nominal",
        "sort": cheapest_first["primitive"].to_list(),
        "title": None,
        "axis": {"grid": True, "labelFontSize": 13},
    }
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "data": {"values": rows.to_dicts()},
        "width": _WIDTH_PX,
        "height": {"step": _STEP_PX},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.35},
                "encoding": {
                    "y": row_axis,
                    "x": {"aggregate": "min", "field": "cycles_per_byte", "type": "quantitative"},
                    "x2": {"aggregate": "max", "field": "cycles_per_byte"},
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 90, "opacity": 0.85},
                "encoding": {
                    "y": row_axis,
                    "x": {
                        "field": "cycles_per_byte",
                        "type": "quantitative",
                        "title": "cycles per byte",
                        "scale": {"type": "log", "nice": False, "padding": 20},
                        "axis": {"tickCount": 8, "format": ",~r"},
                    },
                    "color": {"field": "target", "type": "nominal", "scale": scale, "title": None},
                    "shape": {"field": "target", "type": "nominal", "scale": scale, "title": None},
                },
            },
        ],
    }


def _config() -> dict[str, Any]:
    return {**theme.vega_config("light"), "background": "#ffffff", "padding": 16}

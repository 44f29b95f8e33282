"""Pictures of pages from Vega-Lite specifications."""

from __future__ import annotations

from typing import Any

from steelyard.present.chart import SCHEMA
from steelyard.report import theme


def svg_of(spec: dict[str, Any]) -> str:
    """Return the drawing of a specification, on white."""
    import vl_convert

    config = {**theme.vega_config("light"), "background": "#ffffff", "padding": 16}
    svg: str = vl_convert.vegalite_to_svg({"$schema": SCHEMA, **spec, "config": config})
    return svg

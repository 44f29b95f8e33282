"""Colours and type of the plots, light and dark; the page's style sheet uses the same values."""

from __future__ import annotations

from typing import Any

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"

# Twelve hues of differing lightness, so that they survive colour blindness and grey printing better.
_CATEGORIES = {
    "light": [
        "#1f5fa8",
        "#d9731a",
        "#2b8a5a",
        "#b03a5b",
        "#7a5bb5",
        "#8a6d1d",
        "#0f8b9d",
        "#c2559b",
        "#5d6b7a",
        "#6a9a1f",
        "#9c4a1a",
        "#3d3d8f",
    ],
    "dark": [
        "#6aa9f0",
        "#f2a154",
        "#5fc796",
        "#ee7d9a",
        "#b39bea",
        "#d3b45a",
        "#4fc9da",
        "#ea92cb",
        "#a3b1c0",
        "#a9d15c",
        "#dd8b5e",
        "#9a9af0",
    ],
}

_INK = {"light": ("#1c2430", "#5b6675", "#e3e7ec"), "dark": ("#e8ecf2", "#a3aebc", "#2c3643")}


def vega_config(theme: str) -> dict[str, Any]:
    """Return the Vega-Lite configuration of the theme `light` or `dark`; the background is transparent."""
    ink, muted, line = _INK[theme]
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "range": {"category": _CATEGORIES[theme]},
        "axis": {
            "labelColor": muted,
            "titleColor": muted,
            "gridColor": line,
            "domainColor": line,
            "tickColor": line,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 8,
        },
        "legend": {"labelColor": ink, "labelFontSize": 12, "symbolSize": 90, "orient": "bottom"},
        "header": {"labelColor": ink, "titleColor": muted, "labelFontSize": 12},
        "title": {"color": ink, "fontSize": 15, "anchor": "start", "subtitleColor": muted},
        "rule": {"color": muted},
    }

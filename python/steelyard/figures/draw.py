"""Draw a figure as SVG, PDF or PNG, without a browser; the same rows give the same bytes."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.figures.colours import colours
from steelyard.figures.model import Figure, Paper
from steelyard.nearest import printable
from steelyard.present.chart import Spec

POINTS = {"mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72.0, "pt": 1.0}
"""Points of 1/72 inch in a unit of length."""
FORMATS = ("svg", "pdf", "png")
FONTS = ("Liberation Sans", "Helvetica", "Arial", "DejaVu Sans")
"""Fonts of which the first one installed is taken where none is named."""

_INK, _MUTED, _LINE = "#1c2430", "#4a5563", "#d5dae1"
_LETTER = 0.55
"""Mean width of a letter, of the size of the type."""
_LEGEND_MARK = 2.6
"""Width of a legend's symbol with its space, of the size of the type."""


def drawn(figure: Figure, paper: Paper, form: str, ppi: float) -> bytes:
    """Return the file of a figure in one of FORMATS; `ppi` is the resolution of a PNG.

    EnvironmentProblem for a font that is not installed: its text would be missing.
    """
    import vl_convert

    _check_font(paper.font)
    spec = _laid_out(figure, paper)
    scale = 1 / figure.enlarge
    if form == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec, scale=scale))
    if form == "png":
        return bytes(vl_convert.vegalite_to_png(spec, scale=scale, ppi=ppi))
    return _sized(str(vl_convert.vegalite_to_svg(spec)), scale).encode()


def chosen_font(name: str | None) -> str:
    """Return the named font, or the first one of FONTS that is installed."""
    found = name or next((one for one in FONTS if _is_installed(one)), FONTS[0])
    _check_font(found)
    return found


@cache
def _is_installed(font: str) -> bool:
    import vl_convert

    # A font that is missing leaves no text in a PDF, without a word.
    asked = f'<svg xmlns="http://www.w3.org/2000/svg"><text y="9" font-family="{font}">a</text></svg>'
    return b"BaseFont" in vl_convert.svg_to_pdf(asked)


def _check_font(font: str) -> None:
    if not re.fullmatch(r"[\w .-]+", font):
        raise UsageError(f'--font: "{printable(font)}" is no name of a font, such as "Liberation Serif".')
    if not _is_installed(font):
        raise EnvironmentProblem(
            f'The font "{printable(font)}" is not installed; fc-list names those that are.'
        )


def _laid_out(figure: Figure, paper: Paper) -> Spec:
    """Return the specification with rows, size, type and colours."""
    size = paper.font_size * figure.enlarge
    width = paper.width * figure.enlarge
    columns, legend_rows = _legend(figure, width, size)
    if paper.height is not None:
        height = paper.height * figure.enlarge
    elif figure.lines:
        height = figure.lines * size * 1.35 + 5 * size + legend_rows * size * 1.5
    else:
        height = figure.aspect * width + legend_rows * size * 1.5
    return {
        **figure.spec,
        "width": round(width, 2),
        "height": round(height, 2),
        "autosize": {"type": "fit", "contains": "padding"},
        "data": {"name": "rows", "values": figure.rows.to_dicts()},
        "config": _config(paper.font, size, columns, figure),
    }


def _legend(figure: Figure, width: float, size: float) -> tuple[int, int]:
    """Return columns and rows of the legend."""
    if not figure.series:
        return 1, 0
    widest = max(map(len, figure.series)) * _LETTER * size + _LEGEND_MARK * size
    columns = max(1, min(len(figure.series), int(width // widest)))
    return columns, math.ceil(len(figure.series) / columns)


def _config(font: str, size: float, columns: int, figure: Figure) -> dict[str, Any]:
    # One weight of one font: a PDF with several does not have the same bytes twice.
    text = {
        f"{part}{what}": value
        for part in ("label", "title")
        for what, value in (("FontSize", size), ("FontWeight", "normal"), ("Color", _INK))
    }
    many = colours(figure.families) if figure.families else colours([str(n) for n in range(48)])
    return {
        "background": "#ffffff",
        "padding": {"left": 1, "top": 3, "right": 4, "bottom": 2},
        "font": font,
        "view": {"stroke": None},
        "range": {"category": many},
        "line": {"strokeWidth": 1},
        "point": {"size": 14, "filled": True, "strokeWidth": 0.8},
        "tick": {"thickness": 1.2},
        "rule": {"color": _MUTED, "strokeWidth": 0.7},
        "text": {"fontSize": size, "color": _INK},
        "axis": {
            **text,
            "gridColor": _LINE,
            "gridWidth": 0.4,
            "domainColor": _MUTED,
            "domainWidth": 0.5,
            "tickColor": _MUTED,
            "tickWidth": 0.5,
            "tickSize": 0.4 * size,
            "titlePadding": 0.5 * size,
            "labelPadding": 0.25 * size,
            "labelLimit": 0,
        },
        "legend": {
            **text,
            "orient": "bottom",
            "columns": columns,
            "symbolSize": size * size * 0.6,
            "symbolStrokeWidth": 1,
            "labelLimit": 0,
            "rowPadding": 0.2 * size,
            "columnPadding": 0.8 * size,
            "offset": 0.8 * size,
            "padding": 0,
        },
    }


def _sized(svg: str, scale: float) -> str:
    """Return the picture with its size in millimetres, as papers and editors read it."""

    def size(found: re.Match[str]) -> str:
        width, height = (float(one) * scale / POINTS["mm"] for one in found.groups())
        return f'width="{width:.3f}mm" height="{height:.3f}mm" viewBox='

    return re.sub(r'width="([\d.]+)" height="([\d.]+)" viewBox=', size, svg, count=1) + "\n"

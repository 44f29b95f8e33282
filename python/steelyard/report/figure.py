"""A chart of a command as a file of its own: SVG, or an HTML page that works without a network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from steelyard.cache.content import Cache
from steelyard.errors import UsageError
from steelyard.nearest import printable
from steelyard.present.chart import SCHEMA, Spec
from steelyard.report import theme
from steelyard.report.bundle import vega_bundle
from steelyard.report.plotting import VEGA_LITE
from steelyard.store.export import write_file

FORMS = (".html", ".svg")


def check_figure(path: Path | None) -> None:
    """UsageError for the name of a file that is neither SVG nor HTML."""
    if path is not None and path.suffix.lower() not in FORMS:
        raise UsageError(f"--plot {printable(str(path))}: the file's name ends in {' or '.join(FORMS)}.")


def write_figure(path: Path, title: str, spec: Spec, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a specification with its rows to a file; StoreError if it cannot be written.

    In a page the figures of a point show beside the pointer.
    """
    check_figure(path)
    whole = {
        "$schema": SCHEMA,
        "title": title,
        **({} if "facet" in spec else {"width": 640, "height": 400}),
        **spec,
        "data": {"values": list(rows)},
        "config": {**theme.vega_config("light"), "background": "#ffffff", "padding": 16},
    }
    text = _svg(whole) if path.suffix.lower() == ".svg" else _page(title, whole)
    write_file(path, text.encode())


def _svg(whole: Spec) -> str:
    import vl_convert

    text: str = vl_convert.vegalite_to_svg(whole, vl_version=VEGA_LITE)
    return text


def _page(title: str, whole: Spec) -> str:
    # Within a script element a text of the data could end it.
    spec = json.dumps(whole).replace("<", "\\u003c")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        f"<script>{vega_bundle(Cache())}</script>\n</head>\n<body>\n"
        f'<main id="chart" role="img" aria-label="{escape(title)}"></main>\n'
        f'<script>vegaEmbed("#chart", {spec}, {{renderer: "svg", actions: false}});</script>\n'
        "</body>\n</html>\n"
    )

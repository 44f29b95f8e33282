"""The plotting code (Vega, Vega-Lite, Vega-Embed) that makes a report work without a network."""

from __future__ import annotations

import contextlib
from importlib.metadata import version

from steelyard.cache.content import Cache, content_key
from steelyard.data import data_root
from steelyard.errors import EnvironmentProblem
from steelyard.report.plotting import FILE, VEGA_LITE, plotting_code


def vega_bundle(cache: Cache) -> str:
    """Return JavaScript that defines `vegaEmbed`: a wheel brings it, a checkout makes it once."""
    shipped = data_root() / FILE
    if shipped.is_file():
        return shipped.read_text("utf-8")
    key = content_key(VEGA_LITE, version("vl-convert-python"))
    kept = cache.get("plotting", key)
    if kept is not None:
        return kept.decode()
    text = plotting_code()
    # A cache that cannot be written costs time, not the report.
    with contextlib.suppress(EnvironmentProblem):
        cache.put("plotting", key, text.encode())
    return text

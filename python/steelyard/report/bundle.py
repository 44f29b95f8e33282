"""The plotting code (Vega, Vega-Lite, Vega-Embed) that makes a report work without a network."""

from __future__ import annotations

import contextlib
from importlib.metadata import version

from steelyard.cache.content import Cache, content_key
from steelyard.errors import EnvironmentProblem

# The Vega-Lite release the specifications in charts.py are written for.
VEGA_LITE = "6.4"


def vega_bundle(cache: Cache) -> str:
    """Return JavaScript that defines `vegaEmbed`; it is cached because making it takes a second or two."""
    key = content_key(VEGA_LITE, version("vl-convert-python"))
    kept = cache.get("plotting", key)
    if kept is not None:
        return kept.decode()
    import vl_convert

    text = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE)
    # A cache that cannot be written costs time, not the report.
    with contextlib.suppress(EnvironmentProblem):
        cache.put("plotting", key, text.encode())
    return text

"""The programs in a report: the explorer, and the plotting code (Vega, Vega-Lite, Vega-Embed)."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from steelyard.cache.content import Cache, content_key
from steelyard.data import data_root
from steelyard.errors import EnvironmentProblem
from steelyard.report.plotting import FILE, VEGA_LITE, plotting_code

EXPLORER = "explorer"
"""Folder of the built explorer among the data; in a checkout `make setup` builds it."""


@dataclass(frozen=True)
class Explorer:
    """The built explorer: its script and its style sheet."""

    script: str
    style: str


def explorer() -> Explorer:
    """Return the explorer of the wheel or of the checkout; EnvironmentProblem if it was not built."""
    folder = Path(data_root() / EXPLORER)
    try:
        return Explorer(*((folder / f"explorer.{kind}").read_text("utf-8") for kind in ("js", "css")))
    except OSError:
        raise EnvironmentProblem(
            "The page of the report is not built in this checkout; run: make setup"
        ) from None


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

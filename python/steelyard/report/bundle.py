"""The plotting code (Vega, Vega-Lite, Vega-Embed) that makes a report work without a network."""

from __future__ import annotations

import contextlib
import os
import tempfile
from importlib import metadata
from pathlib import Path

import vl_convert

# The Vega-Lite release the specifications in charts.py are written for.
VEGA_LITE = "6.4"


def vega_bundle(cache_folder: Path) -> str:
    """JavaScript that defines `vegaEmbed`, kept in `cache_folder` because making it takes a second or two.

    A cached file is used only when its last line shows that it was written whole.
    """
    path = cache_folder / f"vega-lite-{VEGA_LITE}-vl-convert-{metadata.version('vl-convert-python')}.js"
    end = "\n// whole\n"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = ""
    if text.endswith(end):
        return text
    text = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE) + end
    # A cache that cannot be written costs time, not the report.
    with contextlib.suppress(OSError):
        _write_atomically(path, text)
    return text


def _write_atomically(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise

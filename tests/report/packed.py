"""What the file of a report holds, unpacked."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import polars as pl


def blocks(path: Path) -> dict[str, bytes]:
    """The blocks of data in a report's file, by their names."""
    found = re.findall(
        r'<script id="([^"]+)" type="application/(json|gzip)">(.*?)</script>', path.read_text("utf-8"), re.S
    )
    return {
        name: gzip.decompress(base64.b64decode(text)) if form == "gzip" else text.encode()
        for name, form, text in found
    }


def frames(path: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The records in a report's file: what tables and plots need, and the rest."""
    held = blocks(path)
    records, details = (pl.read_ipc_stream(io.BytesIO(held[name])) for name in ("records", "details"))
    return records, details


def everything(path: Path) -> str:
    """Every text in a report's file, packed ones included."""
    held = blocks(path)
    tables = [json.dumps(frame.to_dicts(), default=str) for frame in frames(path)]
    others = [text.decode() for name, text in held.items() if name not in ("records", "details", "plotting")]
    return "\n".join([path.read_text("utf-8"), *others, *tables])


def page_data(path: Path) -> dict[str, Any]:
    """What the page says besides its records."""
    data: dict[str, Any] = json.loads(blocks(path)["page"])
    return data

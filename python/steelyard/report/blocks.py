"""Blocks of data inside the page: columns as Arrow, everything else as JSON, compressed and in base64.

A browser inflates a block by itself when a view first needs it, so that a page with many records is there at
once. Texts are places in an ordered list of the distinct ones, numbers are as narrow as their values allow.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from markupsafe import Markup

from steelyard.present.chart import Chart
from steelyard.present.table import natural

_INT32 = (-(2**31), 2**31 - 1)


def compressed(data: bytes) -> Markup:
    """Return bytes as gzip in base64, which cannot end the element that holds it; the same for the same."""
    return Markup(base64.b64encode(gzip.compress(data, 9, mtime=0)).decode())


def script_safe(value: Any) -> Markup:
    """Return JSON that cannot end its enclosing element, whatever texts it holds."""
    text = _json(value)
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def json_block(value: Any) -> Markup:
    """Return a value as compressed JSON."""
    return compressed(_json(value).encode())


def arrow_block(
    frame: pl.DataFrame, orders: Mapping[str, Sequence[str]], plain: Sequence[str] = ()
) -> Markup:
    """Return the columns of a frame that hold anything as a compressed Arrow stream.

    Texts are kept as places in their sorted list: in the given order, else as people sort names. Those of
    `plain` columns, nearly all distinct, stay texts.
    """
    kept = [
        series if name in plain else _narrow(series, orders.get(name, ()))
        for name, series in frame.to_dict().items()
        if series.null_count() < len(series)
    ]
    buffer = io.BytesIO()
    pl.DataFrame(kept).write_ipc_stream(buffer, compat_level=pl.CompatLevel.oldest())
    return compressed(buffer.getvalue())


def chart_data(chart: Chart) -> dict[str, Any]:
    """Return a chart as the page draws it: its specification, its rows by column, the reader's choices."""
    columns: dict[str, Any] = {}
    for name, series in chart.rows.to_dict().items():
        columns[name] = _finite(series).to_list()
    return {
        "id": chart.id,
        "title": chart.title,
        "caption": chart.caption,
        "spec": chart.spec,
        "count": chart.rows.height,
        "columns": columns,
        "open": chart.open,
        "single": chart.single,
        "series": chart.series,
        "preset": chart.preset,
        "step": chart.step_px,
        "half": chart.half,
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _finite(series: pl.Series) -> pl.Series:
    """Return the series with null for what JSON and a reader have no word for."""
    return series.set(series.is_infinite() | series.is_nan(), None) if series.dtype.is_float() else series


def _narrow(series: pl.Series, order: Sequence[str]) -> pl.Series:
    if series.dtype == pl.Boolean:
        series = pl.Series(series.name, ["no", "yes"]).gather(series.cast(pl.UInt32))
    if series.dtype == pl.String:
        present = series.drop_nulls().unique().to_list()
        rank = {text: place for place, text in enumerate(order)}
        texts = sorted(present, key=lambda text: (rank.get(text, len(rank)), natural(text), text))
        return series.cast(pl.Enum(texts))
    series = _finite(series)
    least, most = series.min(), series.max()
    if series.dtype.is_float() and not (series.drop_nulls() % 1 == 0).all():
        return series
    assert isinstance(least, int | float)
    assert isinstance(most, int | float)
    fits = _INT32[0] <= least and most <= _INT32[1]
    return series.cast(pl.Int32 if fits else pl.Float64)

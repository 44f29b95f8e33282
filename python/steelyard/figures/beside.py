"""Figures of measured values beside others: over a setting of a chip, a prediction, and a board's figures."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl

from steelyard.errors import UsageError
from steelyard.figures.model import Figure, NothingToPlot, view
from steelyard.figures.rows import SERIES, family_of_chips, in_families, plotted, with_series
from steelyard.present.chart import Spec, nominal, quantitative
from steelyard.present.table import natural
from steelyard.report.predicted import KEY, predictions_path
from steelyard.report.sweeps import axes, number, settings_of
from steelyard.report.tables import headline, in_order

_BUILD = ("primitive", "variant", "target", "toolchain", "flags", "footprint")
_LOG: Spec = {"type": "log", "nice": False, "padding": 6}
MODEL = "data sheet and three primitives"
"""The model whose predictions are shown where none is named: the one that `steelyard predict` uses most."""


def sweep(results: pl.DataFrame) -> Figure:
    """Cycles over a setting that `--set` changed, a line for each cell."""
    found = headline(results.filter(pl.col("settings").is_not_null() & pl.col("cycles").is_not_null()))
    rows = plotted(found, "a setting", "--target sa1100 --set icache.size=4K makes some.")
    rows = in_order(rows).with_columns(pl.col("mode").str.to_uppercase())
    fields = [settings_of(text) for text in rows["settings"]]
    varied = axes(fields)
    if not varied:
        raise NothingToPlot(
            "all records of the selection have the same settings; a sweep needs several values."
        )
    # Settings that change together, such as both caches, are one axis; others tell lines apart.
    together, *rest = varied
    apart = [name for names in rest for name in names]
    x_values = [number(one.get(together[0])) for one in fields]
    others = [" ".join(f"{name}={one[name]}" for name in apart if name in one) or None for one in fields]
    rows = rows.with_columns(
        value=pl.Series(x_values, dtype=pl.Float64), other_settings=pl.Series(others, dtype=pl.String)
    ).filter(pl.col("value").is_not_null())
    rows = plotted(rows, f"numbers of {together[0]}", "--set FIELD=VALUE makes some.")
    rows = rows.select(
        *_BUILD, "operation", "mode", "message_bytes", "cache_state", "settings", "value", "other_settings",
        "cycles", "cache_misses",
    )  # fmt: skip
    cell = ("variant", "primitive", "target", "operation", "mode", *_BUILD[3:], "message_bytes")
    rows = with_series(rows, (*cell, "other_settings", "cache_state")).sort(
        SERIES, "value", maintain_order=True
    )
    series, families = in_families(rows, "sweep")
    is_size = any(name.endswith("size") for name in together)
    unit = " (bytes)" if is_size else " (Hz)" if together[0].endswith("_hz") else ""
    return Figure(
        "Cycles over a setting of the chip",
        view(
            mark={"type": "line", "point": {"size": 14, "filled": True}},
            encoding={
                "x": quantitative(
                    "value",
                    " and ".join(together) + unit,
                    scale={**_LOG, "base": 2},
                    axis={"values": sorted(set(rows["value"])), "format": "~s" if not is_size else "d",
                          "grid": False, "labelOverlap": True},
                ),
                "y": quantitative("cycles", "cycles", scale=_LOG, axis={"tickCount": 5, "format": "~s"}),
                "color": nominal(SERIES, sort=list(series)),
            },
        ),
        rows,
        series=series,
        families=families,
    )  # fmt: skip


def model(results: pl.DataFrame) -> Figure:
    """Predicted against measured cycles, with the intervals that are meant to hold four of five figures.

    Each prediction was made with the chip's family of cores left out.
    """
    here = results.filter(pl.col("mode").is_null() & (pl.col("cycles") > 0))
    if predictions_path().exists():
        cells = (
            pl.read_parquet(predictions_path())
            .filter(pl.col("model") == MODEL)
            .join(here.select(*KEY, measured="cycles"), on=list(KEY), nulls_equal=True)
            .unique(list(KEY), keep="first", maintain_order=True)
        )
    else:
        cells = pl.DataFrame()
    rows = plotted(cells, "a prediction", "--bench makes some.")
    families = family_of_chips()
    rows = rows.with_columns(
        family=pl.col("target").replace_strict(families, default=pl.col("target"), return_dtype=pl.String),
        error_percent=100 * (pl.col("predicted") / pl.col("measured") - 1),
    ).sort("family", *KEY, maintain_order=True)
    known = tuple(sorted(rows["family"].unique()))
    ends = [float(rows["measured"].min()), float(rows["measured"].max())]  # type: ignore[arg-type]
    x: Spec = {"type": "quantitative", "scale": _LOG, "axis": {"format": "~s", "tickCount": 5}}
    colour = nominal("family", sort=list(known))
    layers = [
        {
            "data": {"values": [{"measured": end, "predicted": end} for end in ends]},
            "mark": {"type": "line", "strokeDash": [3, 3], "strokeWidth": 0.7, "color": "#4a5563"},
            "encoding": {
                "x": {"field": "measured", **x, "title": "measured (cycles)"},
                "y": {"field": "predicted", **x, "title": "predicted (cycles)"},
            },
        },
        {
            "mark": {"type": "rule", "opacity": 0.25, "strokeWidth": 0.5},
            "encoding": {
                "x": {"field": "measured", **x},
                "y": {"field": "low", **x},
                "y2": {"field": "high"},
                "color": colour,
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 6, "opacity": 0.8},
            "encoding": {
                "x": {"field": "measured", **x},
                "y": {"field": "predicted", **x},
                "color": colour,
            },
        },
    ]
    return Figure(
        "Predicted against measured cycles",
        view(layer=layers),
        rows,
        aspect=0.85,
        series=known,
        families=known,
    )


def fidelity(path: Path) -> Figure:
    """Emulated figures of routines relative to those published for a board, from the rows of a file.

    The file is what `steelyard fidelity --output` wrote. UsageError for another file.
    """
    needed = {"board", "routine", "language", "unit", "published", "emulated", "error_percent"}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--rows {path}: cannot be read: {error}.") from None
    if not lines or not needed <= lines[0].keys():
        raise UsageError(f"--rows {path}: is no file of steelyard fidelity --output FILE.")
    kept = [{name: line[name] for name in sorted(needed)} for line in lines if line["error_percent"]]
    if not kept:
        raise NothingToPlot(f"{path}: no routine ran on the emulator.")
    rows = pl.DataFrame(kept).with_columns(pl.col("published", "emulated", "error_percent").cast(pl.Float64))
    rows = rows.sort("board", "error_percent", "routine", maintain_order=True)
    boards = sorted(rows["board"].unique(), key=natural)
    languages = tuple(sorted(rows["language"].unique()))
    y = nominal("board", sort=boards, axis={"grid": True})
    x = quantitative("error_percent", "emulated, from published (%)", axis={"tickCount": 6})
    return Figure(
        "The emulator beside boards",
        view(
            layer=[
                {"mark": {"type": "rule", "strokeDash": [3, 3]}, "encoding": {"x": {"datum": 0}}},
                {
                    "mark": {"type": "point", "filled": True, "opacity": 0.6},
                    "encoding": {
                        "y": y,
                        "yOffset": {"field": "language", "type": "nominal"},
                        "x": x,
                        "color": nominal("language", sort=list(languages)),
                    },
                },
                {
                    "mark": {"type": "tick", "color": "#1c2430"},
                    "encoding": {"y": y, "x": {**x, "aggregate": "median"}},
                },
            ]
        ),
        rows,
        lines=2 * len(boards),
        series=languages,
        families=languages,
    )

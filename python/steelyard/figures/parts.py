"""Figures of parts: ROM, RAM and energy by component, power over time, and spread over inputs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import polars as pl

from steelyard.figures.model import Figure, view
from steelyard.figures.rows import SERIES, in_families, plotted, with_series
from steelyard.present.chart import Spec, nominal, quantitative
from steelyard.report.tables import headline, in_order

_BUILD = ("primitive", "variant", "target", "toolchain", "flags", "footprint", "mode")
_ROM = {
    "rom_code_bytes": "code",
    "rom_const_bytes": "constants",
    "rom_support_bytes": "support routines",
}
_RAM = {
    "ram_static_bytes": "static",
    "ram_context_bytes": "context",
    "ram_stack_bytes": "stack",
    "ram_heap_bytes": "heap",
}
_WHOLE = "whole chip"


def rom(results: pl.DataFrame) -> Figure:
    """ROM of each build, by code, constants and support routines."""
    return _memory(results, "ROM", _ROM)


def ram(results: pl.DataFrame) -> Figure:
    """RAM of each build, by statics, context, deepest stack and heap."""
    return _memory(results, "RAM", _RAM)


def _memory(results: pl.DataFrame, memory: str, parts: dict[str, str]) -> Figure:
    found = results.filter(pl.any_horizontal(pl.col(name).is_not_null() for name in parts))
    rows = plotted(found, f"bytes of {memory}", "makes some.")
    rows = (
        in_order(rows)
        .group_by(*_BUILD, maintain_order=True)
        .agg(pl.col(list(parts)).max())
        .rename(parts)
        .unpivot(on=list(parts.values()), index=list(_BUILD), variable_name="part", value_name="bytes")
        .filter(pl.col("bytes") > 0)
        .with_columns(pl.col("mode").str.to_uppercase())
    )
    return _bars(rows, memory, f"{memory} (bytes)", "bytes", list(parts.values()))


def _bars(rows: pl.DataFrame, title: str, axis: str, field: str, parts: Sequence[str]) -> Figure:
    """Return bars of `field` for each series, stacked by the column `part`."""
    order = {part: number for number, part in enumerate(parts) if part in rows["part"].unique()}
    rows = with_series(
        rows.with_columns(order=pl.col("part").replace_strict(order, return_dtype=pl.Int64)),
        [
            name
            for name in ("variant", "primitive", "target", "operation", *_BUILD[3:])
            if name in rows.columns
        ],
    )
    names = list(dict.fromkeys(rows[SERIES]))
    in_families(rows, title)
    x: Spec = quantitative(field, axis, stack="zero", axis={"tickCount": 5, "format": "~s"})
    return Figure(
        title,
        view(
            mark={"type": "bar", "height": {"band": 0.75}},
            encoding={
                "y": nominal(SERIES, sort=names, axis={"ticks": False}),
                "x": x,
                "color": nominal("part", sort=list(order)),
                "order": {"field": "order", "type": "quantitative"},
            },
        ),
        rows,
        lines=len(names),
        series=tuple(order),
        families=tuple(order),
    )


def energy(results: pl.DataFrame) -> Figure:
    """Energy of a call by component where a simulated form is known; the whole of it elsewhere."""
    found = headline(results.filter(pl.col("energy_nj").is_not_null()))
    rows = plotted(found, "an energy", "--target 'nrf*' makes some, on chips with an energy model.")
    listed = [part for row in in_order(rows).iter_rows(named=True) for part in _components(row)]
    rows = pl.DataFrame(listed, infer_schema_length=None).with_columns(
        pl.col("mode").cast(pl.String).str.to_uppercase()
    )
    parts = sorted(rows["part"].unique(), key=lambda part: (part != _WHOLE, part))
    return _bars(rows, "Energy by component", "energy of a call (µJ)", "energy_uj", parts)


def _components(row: dict[str, Any]) -> Iterator[dict[str, object]]:
    cell = {name: row[name] for name in (*_BUILD, "operation", "message_bytes")}
    if row["energy_shares"] is None or row["energy_simulated_nj"] is None:
        band = {"low_uj": row["energy_low_nj"] / 1e3, "high_uj": row["energy_high_nj"] / 1e3}
        yield {**cell, "part": _WHOLE, "energy_uj": row["energy_nj"] / 1e3, **band}
        return
    for part, share in json.loads(row["energy_shares"]).items():
        energy_uj = share * row["energy_simulated_nj"] / 1e3
        yield {
            **cell,
            "part": part.replace("_", " "),
            "energy_uj": energy_uj,
            "low_uj": None,
            "high_uj": None,
        }


def power(results: pl.DataFrame) -> Figure:
    """Power of the first sample of a call over time, by the simulated form where one is known."""
    key = (*_BUILD, "operation", "message_bytes")
    found = headline(results.filter(pl.col("power_series").is_not_null()))
    rows = plotted(found, "power over time", "--target sa1100 makes some, a chip with energy by events.")
    listed = [
        {**{name: row[name] for name in key}, **window}
        for row in in_order(rows).iter_rows(named=True)
        for window in _windows(row["power_series"], row["clock_hz"])
    ]
    rows = pl.DataFrame(listed, infer_schema_length=None).with_columns(
        pl.col("mode").cast(pl.String).str.to_uppercase()
    )
    rows = with_series(rows, ("variant", "primitive", "target", "operation", *_BUILD[3:]))
    series, families = in_families(rows, "power")
    return Figure(
        "Power over time",
        view(
            mark={"type": "line", "interpolate": "step-after", "strokeWidth": 0.8},
            encoding={
                "x": quantitative("time_us", "time (µs)", axis={"grid": False, "tickCount": 6}),
                "y": quantitative("power_mw", "power (mW)", scale={"zero": False}, axis={"tickCount": 5}),
                "color": nominal(SERIES, sort=list(series)),
            },
        ),
        rows,
        aspect=0.6,
        series=series,
        families=families,
    )


def _windows(power_series: str, clock_hz: int) -> Iterator[dict[str, object]]:
    """Yield form, time and power of each window, and of the end of the last one."""
    series = json.loads(power_series)
    edges = [0, *accumulate(series.pop("cycles"))]
    form = "simulated_mw" if "simulated_mw" in series else "measured_mw"
    powers = series[form]
    for edge, power_mw in zip(edges, [*powers, powers[-1]], strict=True):
        yield {"form": form.removesuffix("_mw"), "time_us": edge / clock_hz * 1e6, "power_mw": power_mw}


def spread(results: pl.DataFrame) -> Figure:
    """Fewest, mean and most cycles over the seeded inputs, relative to the mean."""
    found = headline(results.filter((pl.col("cycles") > 0) & (pl.col("cycles_max") > pl.col("cycles_min"))))
    rows = plotted(found, "cycles that differ over inputs", "--primitive idea --samples 64 makes some.")
    rows = in_order(rows).select(
        *_BUILD, "operation", "message_bytes", "samples", "cycles", "cycles_min", "cycles_max", "cycles_sd",
        low_percent=100 * (pl.col("cycles_min") / pl.col("cycles") - 1),
        high_percent=100 * (pl.col("cycles_max") / pl.col("cycles") - 1),
        sd_percent=100 * pl.col("cycles_sd") / pl.col("cycles"),
    )  # fmt: skip
    rows = rows.with_columns(pl.col("mode").str.to_uppercase())
    rows = with_series(rows, ("variant", "primitive", "target", "operation", *_BUILD[3:]))
    series, families = in_families(rows, "spread")
    y = nominal(SERIES, sort=list(series), axis={"grid": True, "ticks": False})
    x = {
        "field": "low_percent",
        "type": "quantitative",
        "title": "cycles, from mean (%)",
        "axis": {"tickCount": 5},
    }
    colour = nominal(SERIES, sort=list(series), legend=None)
    return Figure(
        "Spread of cycles over inputs",
        view(
            layer=[
                {
                    "mark": {"type": "rule", "strokeWidth": 1},
                    "encoding": {"y": y, "x": x, "x2": {"field": "high_percent"}, "color": colour},
                },
                {
                    "transform": [{"calculate": "-datum.sd_percent", "as": "minus_sd"}],
                    "mark": {"type": "bar", "height": {"band": 0.45}},
                    "encoding": {
                        "y": y,
                        "x": {**x, "field": "minus_sd"},
                        "x2": {"field": "sd_percent"},
                        "color": colour,
                    },
                },
                {"mark": {"type": "rule"}, "encoding": {"x": {"datum": 0}}},
            ]
        ),
        rows,
        lines=len(series),
        families=families,
    )

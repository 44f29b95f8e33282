"""Figures of speed: by length, by mode, by build, primitives on chips, and with memory."""

from __future__ import annotations

from itertools import groupby

import polars as pl

from steelyard.figures.model import Figure, view
from steelyard.figures.rows import (
    SERIES,
    family_of_chips,
    in_families,
    plotted,
    with_series,
)
from steelyard.present.chart import Spec, nominal, quantitative
from steelyard.present.table import natural
from steelyard.report.tables import headline, in_order

_BUILD = ("primitive", "variant", "target", "toolchain", "flags", "footprint")
_LOG: Spec = {"type": "log", "nice": False, "padding": 6}
_BEHIND = "not on the front"


def _with_mode(results: pl.DataFrame) -> pl.DataFrame:
    return in_order(results).with_columns(pl.col("mode").str.to_uppercase())


def length(results: pl.DataFrame) -> Figure:
    """Cycles per byte by message length, a line for each primitive, variant, chip and build."""
    found = results.filter(pl.col("cycles_per_byte").is_not_null() & (pl.col("message_bytes") > 0))
    rows = plotted(found, "cycles per byte of a message", "--length 64 --length 1024 makes some.")
    rows = _with_mode(rows).select(
        *_BUILD, "operation", "mode", "message_bytes", "ad_bytes", "cycles", "cycles_per_byte"
    )
    rows = with_series(rows, ("variant", "primitive", "target", "operation", "mode", *_BUILD[3:], "ad_bytes"))
    series, families = in_families(rows, "length")
    lengths = sorted(rows["message_bytes"].unique())
    return Figure(
        "Cycles per byte by message length",
        view(
            mark={"type": "line", "point": {"size": 14, "filled": True}},
            encoding={
                "x": quantitative(
                    "message_bytes",
                    "message length (bytes)",
                    scale={**_LOG, "base": 2},
                    axis={"values": lengths, "format": "d", "grid": False, "labelOverlap": True},
                ),
                "y": quantitative(
                    "cycles_per_byte", "cycles per byte", scale=_LOG, axis={"tickCount": 5, "format": "~s"}
                ),
                "color": nominal(SERIES, sort=list(series)),
            },
        ),
        rows,
        series=series,
        families=families,
    )


def modes(results: pl.DataFrame) -> Figure:
    """Cycles per byte of each mode, at the longest measured message."""
    found = headline(results.filter(pl.col("mode").is_not_null() & pl.col("cycles_per_byte").is_not_null()))
    rows = plotted(found, "a mode of operation", "--mode '*' --length 256 makes some.")
    rows = _with_mode(rows).select(
        *_BUILD, "operation", "mode", "message_bytes", "cycles", "cycles_per_byte",
        "mode_overhead_cycles_per_block",
    )  # fmt: skip
    rows = with_series(rows, ("variant", "primitive", "target", "operation", *_BUILD[3:]))
    series, families = in_families(rows, "modes")
    return Figure(
        "Cycles per byte by mode of operation",
        view(
            mark={"type": "point", "filled": True, "size": 22},
            encoding={
                "y": nominal("mode", sort=sorted(rows["mode"].unique()), axis={"grid": True}),
                "x": quantitative(
                    "cycles_per_byte",
                    "cycles per byte",
                    scale={"zero": False, "padding": 8},
                    axis={"tickCount": 5, "format": "~s"},
                ),
                "color": nominal(SERIES, sort=list(series)),
            },
        ),
        rows,
        lines=2 * rows["mode"].n_unique(),
        series=series,
        families=families,
    )


def builds(results: pl.DataFrame) -> Figure:
    """Cycles of each compiler and its flags, relative to the fewest cycles of any build of the same cell."""
    cell = ["primitive", "variant", "target", "footprint", "operation", "mode", "message_bytes", "ad_bytes"]
    here = results.filter(pl.col("toolchain").is_not_null() & (pl.col("cycles") > 0))
    found = here.with_columns(
        relative=pl.col("cycles") / pl.col("cycles").min().over(cell),
        asked=pl.struct("toolchain", "flags").n_unique().over(cell),
    ).filter(pl.col("asked") > 1)
    rows = plotted(found, "two builds of a cell", "--flags=-Os --flags=-O3 makes some, or a second compiler.")
    families = family_of_chips()
    rows = _with_mode(rows).select(
        *cell, "toolchain", "toolchain_version", "flags", "cycles", "rom_bytes", "relative",
        build=pl.concat_str(["toolchain", "flags"], separator=" ", ignore_nulls=True),
        family=pl.col("target").replace_strict(families, default=pl.col("target"), return_dtype=pl.String),
    )  # fmt: skip
    order = sorted(rows["build"].unique(), key=natural)
    known = tuple(sorted(rows["family"].unique()))
    y = nominal("build", sort=order, axis={"grid": True})
    x = quantitative(
        "relative",
        "cycles / fewest cycles of any build",
        scale={"type": "log", "base": 2, "nice": False, "padding": 8},
        axis={"format": ".3~f", "tickCount": 6},
    )
    return Figure(
        "Cycles by compiler and flags",
        view(
            layer=[
                {
                    "mark": {"type": "point", "filled": True, "opacity": 0.55},
                    "encoding": {
                        "y": y,
                        "yOffset": {"field": "family", "type": "nominal"},
                        "x": x,
                        "color": nominal("family", sort=list(known)),
                    },
                },
                {
                    "mark": {"type": "tick", "color": "#1c2430", "thickness": 1.4},
                    "encoding": {"y": y, "x": {**x, "aggregate": "median"}},
                },
            ]
        ),
        rows,
        lines=2 * len(order),
        series=known,
        families=known,
    )


def heat(results: pl.DataFrame) -> Figure:
    """The fewest cycles per byte of each primitive on each chip, of all variants and builds."""
    found = headline(results.filter(pl.col("cycles_per_byte").is_not_null()))
    rows = plotted(found, "cycles per byte of a message", "--length 1024 makes some.")
    rows = (
        in_order(rows)
        .sort("cycles_per_byte", maintain_order=True)
        .unique(["primitive", "target"], keep="first", maintain_order=True)
        .select(
            "kind", "primitive", "target", "variant", "toolchain", "flags", "operation", "message_bytes",
            "cycles", "cycles_per_byte",
        )
    )  # fmt: skip
    families = family_of_chips()
    chips = sorted(rows["target"].unique(), key=lambda one: (families.get(one, one), natural(one)))
    middle = rows.group_by("kind", "primitive").agg(pl.col("cycles_per_byte").median())
    primitives = middle.sort("kind", "cycles_per_byte", "primitive")["primitive"].to_list()
    x = nominal("target", sort=chips, axis={"labelAngle": -90, "orient": "top", "ticks": False})
    y = nominal("primitive", sort=primitives, axis={"ticks": False})
    return Figure(
        "Cycles per byte by primitive and chip",
        view(
            mark={"type": "rect", "stroke": "#ffffff", "strokeWidth": 0.4},
            encoding={
                "x": x,
                "y": y,
                "color": quantitative(
                    "cycles_per_byte",
                    "cycles per byte",
                    scale={"type": "log", "scheme": "viridis", "reverse": True, "nice": False},
                    legend={"gradientThickness": 5, "tickCount": 4, "format": "~s", "gradientLength": 130},
                ),
            },
        ),
        rows,
        lines=len(primitives) + max(map(len, chips)) // 2 + 4,
    )


def front(results: pl.DataFrame) -> Figure:
    """ROM against speed, the area of a symbol the RAM; the front no build is better than in all three.

    Fronts are those of each chip and operation; symbols off the front are grey.
    """
    found = headline(
        results.filter(
            pl.col("cycles").is_not_null()
            & pl.col("rom_bytes").is_not_null()
            & pl.col("ram_bytes").is_not_null()
            & ~pl.col("operation").str.starts_with("init")
        )
    )
    rows = plotted(found, "cycles, ROM and RAM", "makes some.")
    rows = _with_mode(rows).select(
        *_BUILD, "operation", "mode", "message_bytes", "cycles", "cycles_per_byte", "rom_bytes", "ram_bytes"
    )
    rows = rows.with_columns(
        speed=pl.coalesce("cycles_per_byte", "cycles"), on_front=pl.Series(_on_front(rows), dtype=pl.Boolean)
    )
    per_byte = rows["cycles_per_byte"].null_count() == 0
    rows = with_series(rows, ("variant", "primitive", "target", "operation", "mode", *_BUILD[3:]))
    series, families = in_families(rows.filter("on_front"), "front")
    behind = rows.filter(~pl.col("on_front")).height
    rows = rows.with_columns(shown=pl.when("on_front").then(pl.col(SERIES)).otherwise(pl.lit(_BEHIND)))
    rows = rows.sort("on_front", maintain_order=True)
    names = [*series, _BEHIND] if behind else list(series)
    return Figure(
        "ROM, RAM and speed",
        view(
            mark={"type": "point", "filled": True, "opacity": 0.85},
            encoding={
                "x": quantitative(
                    "rom_bytes",
                    "ROM (bytes)",
                    scale={**_LOG, "base": 2},
                    axis={"format": "d", "tickCount": 7},
                ),
                "y": quantitative(
                    "speed",
                    "cycles per byte" if per_byte else "cycles",
                    scale=_LOG,
                    axis={"tickCount": 5, "format": "~s"},
                ),
                "size": quantitative(
                    "ram_bytes",
                    "RAM (bytes)",
                    scale={"type": "sqrt", "range": [6, 130]},
                    legend={"orient": "right", "tickCount": 4, "columns": 1},
                ),
                "color": nominal("shown", sort=names),
            },
        ),
        rows,
        series=tuple(names),
        families=(*families, "") if behind else families,
    )


def _on_front(rows: pl.DataFrame) -> list[bool]:
    """Whether no other row of the same chip and operation is as good in all three figures and better in one.

    Lengths of messages are alike in a comparison: rows are compared by cycles per byte where they have them.
    """
    figures = [
        (one["target"], one["operation"], one["mode"], one["cycles_per_byte"] or one["cycles"],
         one["rom_bytes"], one["ram_bytes"])
        for one in rows.iter_rows(named=True)
    ]  # fmt: skip
    groups = {
        key: [one[3:] for one in group] for key, group in groupby(sorted(figures), key=lambda one: one[:3])
    }
    return [
        not any(
            other != one[3:] and all(a <= b for a, b in zip(other, one[3:], strict=True))
            for other in groups[one[:3]]
        )
        for one in figures
    ]

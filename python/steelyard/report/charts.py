"""The plots of a report: for each, the rows taken from the records and a Vega-Lite specification.

Specifications are plain dictionaries whose data set is called `rows`, so that a page can exchange the rows
while the reader chooses, and a picture can be made from the same specification without a browser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import accumulate

import polars as pl

from steelyard.present.chart import Chart, Spec, nominal, plot, quantitative, tooltip
from steelyard.report.tables import in_order

_BUILD = ["primitive", "variant", "target", "toolchain", "flags", "footprint", "mode"]


def length_chart(results: pl.DataFrame) -> Chart:
    """Plot cycles per byte against the message length, one line for every primitive and variant."""
    rows = (
        in_order(results.filter(pl.col("cycles_per_byte").is_not_null()))
        .with_columns(
            operation=pl.concat_str(
                ["operation", pl.col("mode").str.to_uppercase()], separator=" ", ignore_nulls=True
            )
        )
        .select(
            "primitive",
            "variant",
            "target",
            "toolchain",
            "flags",
            "footprint",
            "operation",
            "message_bytes",
            "cycles",
            "cycles_per_byte",
        )
    )
    spec: Spec = plot(
        height=360,
        mark={"type": "line", "point": {"size": 45, "filled": True}, "strokeWidth": 2},
        encoding={
            "x": quantitative(
                "message_bytes",
                "message length, bytes",
                scale={"type": "log", "base": 2, "nice": False},
                axis={"tickCount": 12},
            ),
            "y": quantitative(
                "cycles_per_byte",
                "cycles per byte",
                scale={"type": "log", "nice": False, "padding": 20},
                axis={"tickCount": 6, "format": ",~r"},
            ),
            "color": nominal("series"),
            "tooltip": tooltip(
                ("primitive", "variant", "target", "toolchain", "flags", "operation"),
                message_bytes=("message, bytes", ",d"),
                cycles=("", ",.0f"),
                cycles_per_byte=("cycles per byte", ",.1f"),
            ),
        },
    )
    return Chart(
        id="length",
        title="Cycles per byte by message length",
        caption="Payload bytes only; what a hash pads is paid for but not counted as payload. "
        "Both axes are logarithmic.",
        spec=spec,
        rows=rows,
        open=("target", "primitive", "operation"),
        single=("toolchain", "flags", "footprint"),
        series=("primitive", "variant", "target", "operation"),
        preset=("target", "operation"),
    )


def _bar_spec(title: str) -> Spec:
    return plot(
        mark={"type": "bar"},
        encoding={
            "y": nominal("series", axis={"labelLimit": 260}),
            "x": quantitative("bytes", title, stack="zero", axis={"tickCount": 6}),
            "color": nominal("part", sort=None),
            "order": {"field": "order", "type": "quantitative"},
            "tooltip": tooltip(
                ("variant", "primitive", "target", "toolchain", "flags", "footprint", "part"),
                bytes=("", ",d"),
            ),
        },
    )


def _memory_rows(results: pl.DataFrame, parts: dict[str, str]) -> pl.DataFrame:
    """Return one row per build and part of its memory, in bytes; the stack is its operations' deepest."""
    builds = (
        results.group_by(_BUILD, maintain_order=True)
        .agg(pl.col(list(parts)).max())
        .sort("primitive", "variant", "target", "toolchain", "flags")
    )
    order = {label: index for index, label in enumerate(parts.values())}
    return (
        builds.rename(parts)
        .unpivot(on=list(order), index=_BUILD, variable_name="part", value_name="bytes")
        .drop_nulls("bytes")
        .with_columns(
            order=pl.col("part").replace_strict(order, return_dtype=pl.Int64),
            mode=pl.col("mode").str.to_uppercase().fill_null("no mode"),
        )
    )


_ROM_PARTS = {
    "rom_code_bytes": "code",
    "rom_const_bytes": "constants",
    "rom_support_bytes": "support routines",
}
_RAM_PARTS = {
    "ram_static_bytes": "static",
    "ram_context_bytes": "context",
    "ram_stack_bytes": "stack",
}


def rom_chart(results: pl.DataFrame) -> Chart:
    """Plot the ROM of every build, stacked by code, constants and support routines."""
    return _memory_chart(
        "ROM",
        "What the variant's own objects and the support routines they pull in leave in the linked "
        "image; the code of a mode is not part of it.",
        _memory_rows(results, _ROM_PARTS),
    )


def ram_chart(results: pl.DataFrame) -> Chart:
    """Plot the RAM of every build, stacked by statics, context and stack."""
    return _memory_chart(
        "RAM",
        "Statics, the context with expanded keys, and the deepest stack of the build's measured "
        "operations; message buffers are the caller's and not part of it.",
        _memory_rows(results, _RAM_PARTS),
    )


def _memory_chart(memory: str, caption: str, rows: pl.DataFrame) -> Chart:
    return Chart(
        id=memory.lower(),
        title=memory,
        caption=caption,
        spec=_bar_spec(f"{memory}, bytes"),
        rows=rows,
        open=("target", "primitive", "footprint"),
        single=("mode", "toolchain", "flags"),
        series=("variant", "primitive", "footprint", "target"),
        preset=("target",),
        half=True,
        step_px=22,
    )


def power_chart(results: pl.DataFrame) -> Chart:
    """Plot the power of the first sample of calls over its cycles, in each form of the energy."""
    key = [*_BUILD, "operation", "message_bytes"]
    listed = [
        {**cell, **window}
        for cell in in_order(results.filter(pl.col("power_series").is_not_null()))
        .select(*key, "clock_hz", "power_series")
        .iter_rows(named=True)
        for window in _windows(cell.pop("power_series"), cell.pop("clock_hz"))
    ]
    rows = pl.DataFrame(listed, infer_schema_length=None)
    if len(rows):
        rows = rows.with_columns(pl.col("mode").cast(pl.String).str.to_uppercase().fill_null("no mode"))
    spec: Spec = plot(
        height=300,
        mark={"type": "line", "interpolate": "step-after", "strokeWidth": 1.5},
        encoding={
            "x": quantitative("time_us", "time, microseconds"),
            "y": quantitative("power_mw", "power, milliwatts", scale={"zero": False, "padding": 12}),
            "color": nominal("series"),
            "tooltip": tooltip(
                ("primitive", "variant", "target", "flags", "operation", "form"),
                time_us=("time, us", ",.2f"),
                power_mw=("power, mW", ",.0f"),
            ),
        },
    )
    return Chart(
        id="power",
        title="Power over time",
        caption="The first sample of a call, divided into about 64 windows; an instruction counts where it "
        "begins. Measured is the chip's current by published figures, simulated a simulator's sum over its "
        "parts.",
        spec=spec,
        rows=rows,
        open=("primitive",),
        single=("form", "operation", "mode", "target", "toolchain", "flags", "footprint"),
        series=("primitive", "variant"),
    )


def _windows(power_series: str, clock_hz: int) -> Iterator[dict[str, str | float]]:
    """Return form, time and power of each window, and of the end of the last one."""
    series = json.loads(power_series)
    counts = series.pop("cycles")
    edges = [0, *accumulate(counts)]
    for name, powers in series.items():
        for edge, power_mw in zip(edges, [*powers, powers[-1]], strict=True):
            yield {"form": name.removesuffix("_mw"), "time_us": edge / clock_hz * 1e6, "power_mw": power_mw}


def optimisation_level(flags: str) -> str:
    """Return the last `-O` option among the flags, which is the one a compiler obeys; empty without one."""
    found = re.findall(r"(?:^|\s)(-O\S*)", flags)
    return found[-1] if found else ""


def compiler_chart(results: pl.DataFrame) -> Chart:
    """Plot cycles of clang over cycles of GCC for every cell that both compiled at the same optimisation
    level.
    """
    key = ["primitive", "variant", "target", "level", "footprint", "operation", "mode", "message_bytes"]
    levelled = results.with_columns(
        level=pl.col("flags").map_elements(optimisation_level, return_dtype=pl.String)
    ).filter(pl.col("cycles").is_not_null())
    per_compiler = [
        levelled.filter(pl.col("toolchain") == name)
        .group_by(key, maintain_order=True)
        .agg(pl.col("cycles").min().alias(name), pl.col("toolchain_version").first().alias(f"{name}_version"))
        for name in ("gcc", "clang")
    ]
    rows = (
        per_compiler[0]
        .join(per_compiler[1], on=key, how="inner", nulls_equal=True)
        .with_columns(
            ratio=pl.col("clang") / pl.col("gcc"),
            cell=pl.concat_str(
                [
                    "operation",
                    pl.col("mode").str.to_uppercase(),
                    pl.concat_str([pl.col("message_bytes").cast(pl.String), pl.lit(" bytes")]),
                ],
                separator=" ",
                ignore_nulls=True,
            ),
        )
        .sort("variant", "primitive", "target", "operation")
    )
    spec: Spec = plot(
        layer=[
            {"mark": {"type": "rule", "strokeDash": [4, 3], "opacity": 0.7}, "encoding": {"x": {"datum": 1}}},
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 0.75},
                "encoding": {
                    "y": nominal("series", axis={"grid": True, "labelLimit": 260}),
                    "x": quantitative(
                        "ratio",
                        "cycles with clang / cycles with GCC",
                        scale={"type": "log", "base": 2, "nice": False, "padding": 24},
                        axis={"format": ".2~f", "tickCount": 8},
                    ),
                    "color": nominal("target"),
                    "shape": nominal("target"),
                    "tooltip": tooltip(
                        ("variant", "primitive", "target", "level", "footprint", "cell"),
                        gcc=("cycles, GCC", ",.0f"),
                        clang=("cycles, clang", ",.0f"),
                        ratio=("", ".2f"),
                    ),
                },
            },
        ]
    )
    return Chart(
        id="compilers",
        title="GCC against clang",
        caption="A point is one cell built by both compilers at the same optimisation level; "
        "left of the line clang's code is faster, right of it GCC's.",
        spec=spec,
        rows=rows,
        open=("target", "operation", "footprint"),
        single=("level",),
        series=("variant", "primitive"),
        step_px=26,
    )

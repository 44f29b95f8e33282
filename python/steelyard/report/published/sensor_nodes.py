"""Five primitives on the processors of sensor nodes (2003)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress

import polars as pl

from steelyard.present.chart import SCHEMA, Chart, Spec
from steelyard.present.table import Table
from steelyard.report.published.common import Publication, of_one_compiler
from steelyard.reproduce import sensor_nodes
from steelyard.reproduce.sensor_node_claims import SPARC, normalised
from steelyard.reproduce.sensor_nodes import (
    CHOICES,
    DEFAULT,
    FIVE,
    PRIMITIVES,
    PUBLIC_KEY,
    Platform,
    Reproduction,
    Row,
    Sheet,
    Timed,
    platforms,
    rows,
)
from steelyard.reproduce.verdict import MissingFigure

_NOTE = (
    "Sheet 3 and the figures of the publication beside those of the records here. The same C source was"
    " compiled for every chip; variants are the catalogue's default ones, or those of one name. Flags of"
    " the compiler are stated for the M16C alone, so every claim is asked at each of those measured."
)
_USUAL_FLAGS = "-O2"
_STEP_PX = 18


def publication(records: pl.DataFrame, defaults: Collection[str]) -> Publication | None:
    """What the records say of it; None where no platform has any of its rows."""
    wanted = (*PRIMITIVES.values(), PUBLIC_KEY)
    targets = [platform.target for platform in platforms()]
    here = records.filter(pl.col("target").is_in(targets) & pl.col("primitive").is_in(wanted))
    found = of_one_compiler(here)
    if found is None:
        return None
    compiler, taken = found
    made = sensor_nodes.reproduce(taken.to_dicts(), defaults)
    shown = usual(made)
    if shown is None:
        return None
    return Publication(
        "sensor-nodes",
        sensor_nodes.TITLE,
        _NOTE,
        compiler,
        tuple(_charts(made)),
        CHOICES,
        made.claims,
        (
            time_lines(shown),
            span_lines(made),
            normalised_lines(shown),
            code_lines(shown),
            spread_lines(shown),
        ),
    )


def usual(made: Reproduction) -> Sheet | None:
    """The setting that is shown where there is room for one: default variants, at `-O2` if measured."""
    by_flags = {flags: table for flags, table in made.tables[DEFAULT].items() if table.timed}
    return by_flags.get(_USUAL_FLAGS) or next(iter(by_flags.values()), None)


# Tables


def _grid(
    title: str,
    table: Sheet,
    cell: Callable[[Timed], str],
    *,
    only_printed: bool = False,
) -> Table:
    """A line for each row, a column for each platform that has any of them."""
    shown = _columns(table)
    lines = []
    for row in rows():
        if only_printed and not row.printed_us:
            continue
        cells = []
        for platform in shown:
            text = ""
            with suppress(MissingFigure):
                text = cell(table[platform.target, row.label])
            cells.append(text)
        lines.append((*_named(row), *cells))
    headings = ("Algorithm", "Bytes", "Action", *(platform.target for platform in shown))
    return Table(f"{title}: {_setting(table)}", headings, tuple(lines), 3)


def _columns(table: Sheet) -> tuple[Platform, ...]:
    measured = {target for target, _ in table.timed}
    return tuple(platform for platform in platforms() if platform.target in measured)


def _named(row: Row) -> tuple[str, str, str]:
    return row.algorithm, row.text_bytes, row.action


def _setting(table: Sheet) -> str:
    return f"{table.choice} variants, {table.flags}"


def time_lines(table: Sheet) -> Table:
    """Sheet 3: printed microseconds, ours, and ours over them."""

    def cell(one: Timed) -> str:
        printed_us, ratio = one.row.printed(one.platform.target), one.ratio
        if printed_us is None or ratio is None:
            return f"{one.time_us:,.1f}"
        return f"{printed_us:,.0f} | {one.time_us:,.1f} ({ratio:.2f})"

    return _grid("Microseconds, published | ours (ratio)", table, cell)


def cycle_lines(table: Sheet) -> Table:
    """Figure 2: printed cycles, that is, time by clock, and ours."""

    def cell(one: Timed) -> str:
        printed_us = one.row.printed(one.platform.target)
        if printed_us is None:
            return f"{one.cycles:,.0f}"
        return f"{printed_us * one.platform.clock_mhz:,.0f} | {one.cycles:,.0f}"

    return _grid("Cycles (Figure 2), published | ours", table, cell)


def normalised_lines(table: Sheet) -> Table:
    """Figure 3: time by clock and word size over SPARC's; empty without SPARC."""

    def cell(one: Timed) -> str:
        printed = printed_normalised(one.row, one.platform)
        ours = normalised(table, one.platform.target, one.row.label)
        return f"{ours:.2f}" if printed is None else f"{printed:.2f} | {ours:.2f}"

    return _grid("Time by clock and word size over SPARC's (Figure 3), published | ours", table, cell)


def printed_normalised(row: Row, platform: Platform) -> float | None:
    """A bar of Figure 3 as Sheet 3 has it; None where nothing is printed."""
    (sparc,) = (one for one in platforms() if one.target == SPARC)
    ours, theirs = row.printed(platform.target), row.printed(SPARC)
    if ours is None or theirs is None:
        return None
    return ours * platform.clock_mhz * platform.word_bits / (theirs * sparc.clock_mhz * sparc.word_bits)


def spread_lines(table: Sheet) -> Table:
    """How much the times of random inputs differ."""

    def cell(one: Timed) -> str:
        if not one.varies:
            return "none"
        return f"{one.sd / one.cycles:.2%}"

    return _grid("Standard deviation over random inputs, of the mean", table, cell)


def code_lines(table: Sheet) -> Table:
    """Figure 4: bytes of code and constants, without library routines."""
    shown = _columns(table)
    lines = tuple(
        (
            algorithm,
            *(
                f"{size:,}" if (size := table.code_bytes.get((platform.target, algorithm))) else ""
                for platform in shown
            ),
        )
        for algorithm in FIVE
    )
    headings = ("Algorithm", *(platform.target for platform in shown))
    return Table(f"Bytes of code and constants (Figure 4): {_setting(table)}", headings, lines, 1)


def span_lines(made: Reproduction) -> Table:
    """Minimum and maximum ratio of ours to the printed time in any setting, by row and platform."""
    found: dict[tuple[str, str], list[float]] = {}
    for table in made.settings():
        for place, one in table.timed.items():
            if one.ratio is not None:
                found.setdefault(place, []).append(one.ratio)
    measured = {target for target, _ in found}
    shown = [platform for platform in platforms() if platform.target in measured]
    lines = tuple(
        (
            *_named(row),
            *(
                f"{min(ratios):.2f} to {max(ratios):.2f}"
                if (ratios := found.get((platform.target, row.label)))
                else ""
                for platform in shown
            ),
        )
        for row in sensor_nodes.printed_rows()
    )
    headings = ("Algorithm", "Bytes", "Action", *(platform.target for platform in shown))
    return Table("Ours over the published times, over all flags and variants", headings, lines, 3)


def public_key_lines(table: Sheet) -> Table:
    """What an encryption of 16 bytes with a public key takes on low-end nodes."""
    lines = tuple(
        (
            one.target,
            one.variant,
            "" if one.cycles is None else f"{one.cycles:,.0f}",
            "" if one.time_us is None else f"{one.time_us / 1e6:,.1f}",
            "" if one.rom_bytes is None else f"{one.rom_bytes:,}",
            "" if one.ram_bytes is None else f"{one.ram_bytes:,}",
            one.error or "",
        )
        for one in table.public_key.values()
    )
    headings = ("Target", "Variant", "Cycles", "Seconds", "ROM", "RAM", "")
    return Table("16 bytes encrypted with a public key", headings, lines, 2)


# Plots


def _charts(made: Reproduction) -> Iterator[Chart]:
    frame = pl.DataFrame(list(_points(made)), infer_schema_length=None)
    figures = (
        ("time", "Execution times", "time, microseconds", "Sheet 3 and Figure 1", "time_us"),
        ("cycles", "Clock cycles", "cycles", "Figure 2", "cycles"),
        (
            "normalised",
            "Normalised overhead",
            "time by clock and word size over SPARC's",
            "Figure 3",
            "overhead",
        ),
    )
    for name, title, axis, figure, field in figures:
        chosen = frame.select(
            "variants", "flags", "row", "target", "whose", pl.col(field).alias("value")
        ).drop_nulls("value")
        if len(chosen):
            caption = f"In the form of the publication's {figure}: rings are printed values, dots are ours."
            yield _dots(f"sensor-nodes-{name}", title, caption, axis, chosen)
    code = pl.DataFrame(list(_sizes(made)), infer_schema_length=None)
    if len(code):
        caption = (
            "In the form of the publication's Figure 4, which prints no numbers; without library routines."
        )
        yield _dots("sensor-nodes-code", "Code size", caption, "code and constants, bytes", code)


def _points(made: Reproduction) -> Iterator[dict[str, object]]:
    for table in made.settings():
        for one in table.timed.values():
            named = {
                "variants": table.choice,
                "flags": table.flags,
                "row": one.row.label,
                "target": one.platform.target,
            }
            overhead = None
            with suppress(MissingFigure):
                overhead = normalised(table, one.platform.target, one.row.label)
            figures = {"time_us": one.time_us, "cycles": one.cycles, "overhead": overhead}
            yield {**named, "whose": "ours", **figures}
            printed_us = one.row.printed(one.platform.target)
            if printed_us is not None:
                yield {
                    **named,
                    "whose": "published",
                    "time_us": printed_us,
                    "cycles": printed_us * one.platform.clock_mhz,
                    "overhead": printed_normalised(one.row, one.platform) if overhead is not None else None,
                }


def _sizes(made: Reproduction) -> Iterator[dict[str, object]]:
    for table in made.settings():
        for (target, algorithm), size in table.code_bytes.items():
            named = {"variants": table.choice, "flags": table.flags, "row": algorithm, "target": target}
            yield {**named, "whose": "ours", "value": float(size)}


def _dots(name: str, title: str, caption: str, axis: str, frame: pl.DataFrame) -> Chart:
    order = list(dict.fromkeys(frame["row"]))
    targets = list(dict.fromkeys(frame["target"]))
    spec: Spec = {
        "$schema": SCHEMA,
        "data": {"name": "rows"},
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "mark": {"type": "point", "strokeWidth": 2},
        "encoding": {
            "y": {
                "field": "row",
                "type": "nominal",
                "sort": order,
                "title": None,
                "axis": {"grid": True, "labelLimit": 200},
            },
            "x": {
                "field": "value",
                "type": "quantitative",
                "title": axis,
                "scale": {"type": "log", "nice": False, "padding": 16},
                "axis": {"tickCount": 6, "format": ",~r"},
            },
            "color": {"field": "target", "type": "nominal", "title": None, "sort": targets},
            "fill": {
                "condition": {
                    "test": "datum.whose === 'ours'",
                    "field": "target",
                    "type": "nominal",
                    "sort": targets,
                    "legend": None,
                },
                "value": "transparent",
            },
            "tooltip": [
                {"field": "row"},
                {"field": "target"},
                {"field": "whose"},
                {"field": "value", "title": axis, "format": ",.4~r"},
            ],
        },
    }
    return Chart(
        id=name,
        title=title,
        caption=caption,
        spec=spec,
        rows=frame,
        open=("target",),
        single=("variants", "flags"),
        series=("row",),
        half=True,
        step_px=_STEP_PX,
    )

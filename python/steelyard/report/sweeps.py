"""Figures over a setting of a chip, such as the size of its caches, from records of changed chips."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from steelyard.present.chart import Chart, Spec, nominal, plot, quantitative, tooltip
from steelyard.report.section import Section

_CELL = (
    *("primitive", "variant", "parts", "target", "toolchain", "flags", "footprint", "operation", "mode"),
    *("padding", "message_bytes", "ad_bytes", "cache_state"),
)
_SHOWN = ("primitive", "variant", "operation", "mode", "message_bytes", "toolchain", "flags", "cache_state")
_SIZES = {"": 1, "K": 1024, "M": 1 << 20}
_FIGURES = {
    "cycles": "cycles",
    "time_us": "time, µs",
    "energy_nj": "energy, nJ",
    "cache_misses": "cache misses",
}

Row = dict[str, Any]


def number(text: str | None) -> float | None:
    """Return a value of `--set` as a number: 4K is 4096; None for a word, or nothing."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KM]?)", text or "")
    return float(found[1]) * _SIZES[found[2]] if found else None


def settings_of(text: str) -> dict[str, str]:
    """Return the values of a record's `settings` by their fields."""
    return dict(one.split("=", 1) for one in text.split())


def axes(settings: Sequence[Mapping[str, str]]) -> list[tuple[str, ...]]:
    """Return the fields that vary; those whose values change together, such as both caches', are one axis."""
    names = dict.fromkeys(name for one in settings for name in one)
    values = {name: tuple(one.get(name) for one in settings) for name in names}
    together: defaultdict[tuple[str | None, ...], list[str]] = defaultdict(list)
    for name in names:
        if len(set(values[name])) > 1:
            together[values[name]].append(name)
    return [tuple(fields) for fields in together.values()]


def section(results: pl.DataFrame) -> Section | None:
    """Return a plot for each setting of which a cell was measured at two values; None if there is none."""
    changed = results.filter(pl.col("settings").is_not_null() & pl.col("cycles").is_not_null())
    by_fields: defaultdict[frozenset[str], list[tuple[Row, dict[str, str]]]] = defaultdict(list)
    for row in changed.iter_rows(named=True):
        settings = settings_of(row["settings"])
        by_fields[frozenset(settings)].append((row, settings))
    swept: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
    for measured in by_fields.values():
        for axis in axes([settings for _, settings in measured]):
            swept[axis] += _points(measured, axis)
    charts = tuple(
        _chart(axis, pl.DataFrame(rows, infer_schema_length=None)) for axis, rows in swept.items() if rows
    )
    if not charts:
        return None
    return Section(
        id="sweeps",
        kind="Memory",
        title="Settings of chips",
        note="Cells measured on chips that --set or steelyard sweep changed, over what was changed."
        " Everything else on these pages is about chips as they are sold.",
        charts=charts,
    )


def _points(measured: Sequence[tuple[Row, dict[str, str]]], axis: tuple[str, ...]) -> Iterator[Row]:
    """Yield a row for each figure of each record of a cell that has two values or more along an axis."""
    cells: defaultdict[tuple[Any, ...], list[tuple[float, Row, str]]] = defaultdict(list)
    for row, settings in measured:
        value = number(settings.get(axis[0]))
        if value is not None:
            rest = " ".join(f"{name}={text}" for name, text in settings.items() if name not in axis)
            cells[(*(row[name] for name in _CELL), rest)].append((value, row, rest))
    for points in cells.values():
        if len({value for value, *_ in points}) < 2:
            continue
        for value, row, rest in sorted(points, key=lambda point: point[0]):
            for field, title in _FIGURES.items():
                if row[field] is not None:
                    yield {
                        "target": row["target"],
                        **{name: row[name] for name in _SHOWN},
                        "other settings": rest or None,
                        "figure": title,
                        "value": value,
                        "amount": float(row[field]),
                    }


def _chart(axis: tuple[str, ...], rows: pl.DataFrame) -> Chart:
    name = " and ".join(axis)
    unit = ", bytes" if axis[0].endswith("size") else ", Hz" if axis[0].endswith("_hz") else ""
    values = sorted(set(rows["value"]))
    by_powers = values[0] > 0 and values[-1] >= 4 * values[0]
    scale: Spec = {"type": "log", "base": 2, "nice": False} if by_powers else {"zero": False}
    spec = plot(
        height=360,
        mark={"type": "line", "point": {"size": 45, "filled": True}, "strokeWidth": 2},
        encoding={
            "x": quantitative(
                "value",
                f"{name}{unit}",
                scale=scale,
                axis={"values": values, "format": ",~r", "labelOverlap": True},
            ),
            "y": quantitative("amount", None, scale={"zero": False}, axis={"tickCount": 6, "format": ",~r"}),
            "color": nominal("series"),
            "tooltip": tooltip(("series",), value=(name, ",~r"), amount=("figure", ",.6~g")),
        },
    )
    return Chart(
        id=f"sweep-{'-'.join(axis).replace('.', '-').replace('_', '-')}",
        title=f"Over {name}",
        caption="A line is a cell; its points differ in nothing but this setting.",
        spec=spec,
        rows=rows,
        open=("primitive", "operation", "cache_state"),
        single=("figure", "target"),
        series=(*_SHOWN, "other settings"),
    )

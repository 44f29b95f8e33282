"""The effect of encryption on a periodic task: a section of the report, from results of `host interfere`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from steelyard.linux.interfere import words
from steelyard.linux.interfere.result import SIDES
from steelyard.linux.interfere.series import bin_edge_us
from steelyard.present.chart import Chart, Spec, nominal, plot, quantitative, tooltip
from steelyard.present.table import Table
from steelyard.report.section import Section

Row = Mapping[str, Any]

_QUANTITIES = {"wakeup": "wake-up latency", "response": "response time"}
_ADDED = {
    "wakeup_mean_us": "wake-up latency, mean",
    "wakeup_p99_us": "wake-up latency, 99th percentile",
    "response_mean_us": "response time, mean",
    "response_p99_us": "response time, 99th percentile",
}
_SHOWN = {"mean": "mean", "p99": "99 %", "p999": "99.9 %", "max": "max"}
_CHOICES = ("device", "task", "messages")
_DRAWN_US = 0.1
"""Shorter times are drawn at this value, because the axis is logarithmic."""


def section(rows: Sequence[Row]) -> Section | None:
    """Return tables, histograms and differences of the successful runs; None without any."""
    good = [row for row in rows if row["scheduler"] is not None]
    if not good:
        return None
    return Section(
        id="interference",
        kind="Linux devices",
        title="A control task beside encryption",
        note="A periodic task ran with and without messages being encrypted beside it, in turns. Wake-up"
        " latency (release jitter) is counted from a release to the task's first instruction, response time"
        " to the end of its work. Late answers and lost periods are misses. These are times of a real machine"
        " with everything else that ran on it; what encryption adds has a 95 % interval, and where that holds"
        " zero no difference was found.",
        charts=(_histogram(good), _added(good)),
        lines=(_latencies(good), _differences(good)),
    )


def _labels(row: Row) -> dict[str, str]:
    return {
        "device": row["device"],
        "task": words.task(row),
        "messages": words.messages(row),
        "primitive": words.what(row),
    }


def _latencies(rows: Sequence[Row]) -> Table:
    headings = (
        *(f"{name}, {which} us" for name in ("Wake-up", "Response") for which in _SHOWN.values()),
        "Late", "Lost", "Of", "CPU %",
    )  # fmt: skip
    lines = [
        (
            {**_labels(row), "encryption": side},
            (
                *(
                    words.microseconds(row[f"{quantity}_{statistic}_us_{side}"])
                    for quantity in _QUANTITIES
                    for statistic in _SHOWN
                ),
                f"{row[f'late_{side}']:,}",
                f"{row[f'lost_{side}']:,}",
                f"{row[f'jobs_{side}'] + row[f'lost_{side}']:,}",
                words.percent(row[f"cpu_process_percent_{side}"]),
            ),
        )
        for row in rows
        for side in SIDES
    ]
    return _table("Latencies and misses", headings, lines)


def _differences(rows: Sequence[Row]) -> Table:
    columns = {**_ADDED, "misses_percent": "misses, %", "cpu_process_percent": "CPU, % of a core"}
    headings = tuple(
        label[:1].upper() + label[1:] if "%" in label else f"{label[:1].upper()}{label[1:]}, us"
        for label in columns.values()
    )
    lines = [
        (
            _labels(row),
            (
                "-" if row["messages_per_s"] is None else f"{row['messages_per_s']:,.5g}",
                words.microseconds(row["message_us_mean"]),
                *(words.added(row, name) for name in columns),
            ),
        )
        for row in rows
    ]
    return _table("What encryption adds", ("Made /s", "Each, us", *headings), lines)


def _table(
    title: str, headings: tuple[str, ...], lines: Sequence[tuple[dict[str, str], tuple[str, ...]]]
) -> Table:
    """Return a table labelled by the fields in which its lines differ; common fields go into the title."""
    differing = [
        name for name in lines[0][0] if name == "primitive" or len({one[name] for one, _ in lines}) > 1
    ]
    shared = [text for name, text in lines[0][0].items() if name not in differing]
    return Table(
        ": ".join((title, "; ".join(shared))) if shared else title,
        (*(_HEADINGS.get(name, name.capitalize()) for name in differing), *headings),
        tuple((*(labels[name] for name in differing), *cells) for labels, cells in lines),
        left=len(differing),
    )


_HEADINGS = {"primitive": "Encrypted with"}


def _histogram(rows: Sequence[Row]) -> Chart:
    bars = [
        {
            **_labels(row),
            "quantity": name,
            "encryption": side,
            "from": max(_DRAWN_US, bin_edge_us(number)),
            "to": max(_DRAWN_US, bin_edge_us(number + 1)),
            "periods": count,
        }
        for row in rows
        for quantity, name in _QUANTITIES.items()
        for side in SIDES
        for number, count in json.loads(row[f"{quantity}_histogram_{side}"])
    ]
    x: Spec = quantitative(
        "from", "microseconds", scale={"type": "log", "nice": False}, axis={"format": "~r", "tickCount": 10}
    )
    spec: Spec = plot(
        height=300,
        mark={"type": "rect", "opacity": 0.55},
        encoding={
            "x": x,
            "x2": {"field": "to"},
            "y": quantitative(
                "periods",
                "periods",
                scale={"type": "symlog", "constant": 1, "zero": True},
                axis={"values": [0, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000], "format": ",d"},
            ),
            "y2": {"datum": 0},
            "color": {"field": "encryption", "type": "nominal", "title": "encryption", "sort": list(SIDES)},
            "tooltip": tooltip(
                ("encryption",), **{"from": ("from, us", ",.1f")}, to=("to, us", ",.1f"), periods=("", ",d")
            ),
        },
    )
    return Chart(
        id="interference-histogram",
        title="Periods by latency",
        caption="Every period of the run, with and without encryption; both axes are logarithmic, so that the"
        " few late ones are seen.",
        spec=spec,
        rows=pl.DataFrame(bars, schema=_schema("from", "to", "periods", texts=("quantity", "encryption"))),
        open=(),
        single=(*_CHOICES, "primitive", "quantity"),
        series=("encryption",),
    )


def _added(rows: Sequence[Row]) -> Chart:
    points = [
        {
            **_labels(row),
            "quantity": name,
            **{end: row[f"added_{added}{suffix}"] for end, suffix in _ENDS.items()},
        }
        for row in rows
        for added, name in _ADDED.items()
        if row[f"added_{added}"] is not None
    ]
    y: Spec = nominal("series", axis={"grid": True, "labelLimit": 260})
    told = tooltip(
        ("primitive", "quantity"),
        added=("added, us", "+,.2f"),
        low=("from, us", "+,.2f"),
        high=("to, us", "+,.2f"),
    )
    spec: Spec = plot(
        layer=[
            {"mark": {"type": "rule", "strokeDash": [4, 3], "opacity": 0.7}, "encoding": {"x": {"datum": 0}}},
            {
                "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.6},
                "encoding": {
                    "y": y,
                    "x": quantitative("low", "added by encryption, us"),
                    "x2": {"field": "high"},
                    "tooltip": told,
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70},
                "encoding": {"y": y, "x": {"field": "added", "type": "quantitative"}, "tooltip": told},
            },
        ]
    )
    return Chart(
        id="interference-added",
        title="Added by encryption",
        caption="With encryption less without, in neighbouring blocks; the line is the 95 % interval. Where"
        " it crosses zero, no difference was found.",
        spec=spec,
        rows=pl.DataFrame(points, schema=_schema("added", "low", "high", texts=("quantity",))),
        open=("primitive",),
        single=(*_CHOICES, "quantity"),
        series=("primitive",),
        step_px=30,
    )


_ENDS = {"added": "", "low": "_low", "high": "_high"}


def _schema(*numbers: str, texts: tuple[str, ...]) -> dict[str, Any]:
    named = dict.fromkeys((*_CHOICES, "primitive", *texts), pl.String)
    return {**named, **dict.fromkeys(numbers, pl.Float64)}

"""Ciphers on an embedded Linux board (2020)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress

import polars as pl

from steelyard.linux.hosts import load_hosts
from steelyard.present.chart import SCHEMA, Chart, Spec
from steelyard.present.table import Table
from steelyard.report.published.common import Publication
from steelyard.reproduce import industrial_linux
from steelyard.reproduce.industrial_linux import MESSAGE_BYTES, MODES, Reproduction, configurations
from steelyard.reproduce.verdict import MissingFigure

_NOTE = (
    "Table 2 of the publication beside the records of Linux devices here: AES on one message of"
    f" {MESSAGE_BYTES:,} bytes. Each implementation is judged by itself: Steelyard's own code, libraries of"
    " the device, and these without the instructions that not every CPU has."
)
_COMPILER = "clang, as far as the code is ours"


def publication(records: pl.DataFrame, defaults: Collection[str]) -> Publication | None:
    """What the records say of it; None where no device was measured with its message."""
    hosts = [host.id for host in load_hosts()]
    taken = records.filter(pl.col("target").is_in(hosts))
    if taken.is_empty():
        return None
    made = industrial_linux.reproduce(taken.to_dicts(), defaults)
    if not made.rows:
        return None
    return Publication(
        industrial_linux.EXPERIMENT,
        industrial_linux.TITLE,
        _NOTE,
        _COMPILER,
        (_chart(made),),
        made.choices,
        (*made.claims, made.between),
        (table2_lines(made), table1_lines(made)),
    )


def _chart(made: Reproduction) -> Chart:
    rows = pl.DataFrame(
        [
            {
                "implementation": row.implementation,
                "device": row.device,
                "key": f"{row.key_bits}-bit key",
                "mode": row.mode.upper(),
                "throughput": row.mb_per_s,
                "delay": row.delay_ms,
                "published": row.published_mb_per_s,
            }
            for row in made.rows
        ]
    )
    spec: Spec = {
        "$schema": SCHEMA,
        "data": {"name": "rows"},
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "height": 320,
        "mark": {"type": "point", "filled": True, "size": 70},
        "encoding": {
            "x": {"field": "mode", "type": "nominal", "title": None, "sort": [m.upper() for m in MODES]},
            "xOffset": {"field": "implementation", "type": "nominal"},
            "y": {
                "field": "throughput",
                "type": "quantitative",
                "title": "throughput, 10^6 bytes/s",
                "scale": {"type": "log"},
            },
            "color": {"field": "implementation", "type": "nominal", "title": None},
            "shape": {"field": "key", "type": "nominal", "title": None},
            "tooltip": [
                {"field": "implementation"},
                {"field": "key"},
                {"field": "mode"},
                {"field": "throughput", "title": "10^6 bytes/s", "format": ",.2f"},
                {"field": "delay", "title": "delay, ms", "format": ",.2f"},
                {"field": "published", "title": "published, MB/s", "format": ",.2f"},
            ],
        },
    }
    return Chart(
        id="industrial-linux-throughput",
        title="AES by mode, key and implementation",
        caption="What Table 2 prints stands in the tooltip; its board was another machine than these.",
        spec=spec,
        rows=rows,
        open=(),
        single=("device",),
        series=("implementation",),
    )


def table2_lines(made: Reproduction) -> Table:
    """Each printed row, and below it ours of every implementation."""
    headings = ("Key", "Mode", "Of", "Delay, ms", "SD", "MB/s", "CPU, %", "Process, %", "Memory, KB")
    return Table("Table 2", headings, tuple(_table2(made)), 3)


def _table2(made: Reproduction) -> Iterator[tuple[str, ...]]:
    shown: set[tuple[int, str]] = set()
    devices = {row.device for row in made.rows}
    for row in made.rows:
        if (row.key_bits, row.mode) not in shown:
            shown.add((row.key_bits, row.mode))
            yield (
                str(row.key_bits),
                row.mode.upper(),
                "published",
                f"{row.published_delay_ms:.2f}",
                f"{row.published_sd_ms:.2f}",
                f"{row.published_mb_per_s:.2f}",
                f"{row.published_cpu_percent:.1f}",
                "",
                f"{row.published_memory_kb:,.0f}",
            )
        yield (
            str(row.key_bits),
            row.mode.upper(),
            row.implementation if len(devices) == 1 else f"{row.implementation}, {row.device}",
            f"{row.delay_ms:.2f}",
            f"{row.sd_ms:.2f}",
            f"{row.mb_per_s:,.2f}",
            _one_digit(row.cpu_machine_percent),
            _one_digit(row.cpu_process_percent),
            "" if row.memory_kb is None else f"{row.memory_kb:,.0f}",
        )


def _one_digit(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def table1_lines(made: Reproduction) -> Table:
    """Every configuration of Table 1: the throughput of each implementation, in 10^6 bytes per second."""
    found = [one for by_device in made.settings.values() for one in by_device.values()]
    devices = {one.device for one in found}
    named = tuple(one.implementation + (f", {one.device}" if len(devices) > 1 else "") for one in found)
    rows = []
    for row in configurations():
        for mode in row.modes or (None,):
            cells = []
            for one in found:
                text = ""
                with suppress(MissingFigure):
                    if row.algorithm == "SM2":
                        signed = one.figure(row.primitive, operation="sign", message_bytes=None)
                        text = f"{1e6 / signed.delay_us:,.0f} signatures/s"
                    else:
                        text = f"{one.figure(row.primitive, mode).throughput_bytes_per_s / 1e6:,.2f}"
                cells.append(text)
            rows.append((row.algorithm, row.primitive, (mode or "").upper(), *cells))
    return Table("Table 1, in 10^6 bytes/s", ("Algorithm", "Primitive", "Mode", *named), tuple(rows), 3)


def claim_lines(made: Reproduction) -> Table:
    """The verdict on every claim and what it rests on."""
    rows = tuple(
        (one.claim, one.statement, one.verdict.finding, one.verdict.reason)
        for one in (*made.claims, made.between)
    )
    return Table("Claims", ("Claim", "It says", "Verdict", "Of so many implementations"), rows, 4)


def gap_lines(made: Reproduction) -> Table:
    """Why cells have no figure."""
    rows = tuple((reason, str(count)) for reason, count in made.gaps().items())
    return Table("Gaps", ("Without a figure because", "Cells"), rows, 1)

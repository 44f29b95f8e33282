"""Ciphers on an embedded Linux board, as published: delay, throughput, CPU and memory of one long message.

The publication and its tables are described in the README beside. What decides how a claim is asked was
written down before any figure was looked at:

* The message has 8,717,200 bytes: delay times throughput of every printed row. Whole blocks are made of it
  by PKCS #7 in ECB, CBC and PCBC, the padding of the tool whose algorithms Table 1 lists; 50 runs count.
* Every implementation on a device is a choice of its own: Steelyard's default variants at -O2, each library
  as it is, and each library with the instructions alone that every CPU of its kind has (`baseline`), since
  the board of the publication has none for AES.
* One configuration takes longer than another if the 95 % intervals of their means do not overlap.
* "About", "little" and "nearly constant" are 10 %; "nearly in proportion" is a time per round that is close,
  within 25 %, as in the other experiments: the publication's own differ by 12 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial

import polars as pl

from steelyard.catalog.load import load_catalog
from steelyard.linux.hosts import load_hosts
from steelyard.present.chart import Chart, nominal, plot, quantitative, tooltip
from steelyard.present.table import Table
from steelyard.record.schema import Record
from steelyard.studies.industrial_linux.claims import judged
from steelyard.studies.industrial_linux.figures import (
    HERE,
    MESSAGE_BYTES,
    MODES,
    QUICK_BYTES,
    Settings,
    configurations,
    measured,
)
from steelyard.studies.industrial_linux.measure import Options, measure
from steelyard.study.model import Outcome, Study
from steelyard.study.model import Row as JsonRow
from steelyard.study.published import read_table
from steelyard.study.verdict import MissingFigure


@dataclass(frozen=True)
class Row:
    """A printed row and ours of one implementation on one device; memory in 1,000 bytes."""

    key_bits: int
    mode: str
    implementation: str
    device: str
    published_delay_ms: float
    published_sd_ms: float
    published_mb_per_s: float
    published_cpu_percent: float
    published_memory_kb: float
    delay_ms: float
    sd_ms: float
    mb_per_s: float
    cpu_machine_percent: float | None
    cpu_process_percent: float | None
    memory_kb: float | None
    runs: int


@dataclass(frozen=True)
class Reproduction(Outcome):
    """Implementations by device, and the printed rows beside them."""

    settings: Settings
    printed: tuple[Row, ...]
    message_bytes: int

    @property
    def worth_showing(self) -> bool:
        return bool(self.printed)

    def figure_rows(self) -> Iterator[JsonRow]:
        for row in self.printed:
            yield {"table": "aes", **asdict(row)}
        for reason, count in self.gaps().items():
            yield {"table": "gap", "reason": reason, "cells": count}

    def tables(self) -> Mapping[str, Table]:
        headings = ("Key", "Mode", "Of", "Delay, ms", "SD", "MB/s", "CPU, %", "Process, %", "Memory, KB")
        gaps = tuple((reason, str(count)) for reason, count in self.gaps().items())
        return {
            "table2": Table("Table 2", headings, tuple(self._table2()), 3),
            "table1": self._table1(),
            "gaps": Table("Gaps", ("Without a figure because", "Cells"), gaps, 1),
        }

    def _table2(self) -> Iterator[tuple[str, ...]]:
        shown: set[tuple[int, str]] = set()
        devices = {row.device for row in self.printed}
        for row in self.printed:
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

    def _table1(self) -> Table:
        """Every configuration of Table 1: the throughput of each implementation, in 10^6 bytes per second."""
        found = [one for by_device in self.settings.values() for one in by_device.values()]
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

    def charts(self) -> Iterator[Chart]:
        rows = [
            {
                "implementation": row.implementation,
                "device": row.device,
                "key": f"{row.key_bits}-bit key",
                "mode": row.mode.upper(),
                "throughput": row.mb_per_s,
                "delay": row.delay_ms,
                "published": row.published_mb_per_s,
            }
            for row in self.printed
        ]
        told = tooltip(
            ("implementation", "key", "mode"),
            throughput=("10^6 bytes/s", ",.2f"),
            delay=("delay, ms", ",.2f"),
            published=("published, MB/s", ",.2f"),
        )
        spec = plot(
            height=320,
            mark={"type": "point", "filled": True, "size": 70},
            encoding={
                "x": nominal("mode", sort=[m.upper() for m in MODES]),
                "xOffset": {"field": "implementation", "type": "nominal"},
                "y": quantitative("throughput", "throughput, 10^6 bytes/s", scale={"type": "log"}),
                "color": nominal("implementation"),
                "shape": nominal("key"),
                "tooltip": told,
            },
        )
        yield Chart(
            id="industrial-linux-throughput",
            title="AES by mode, key and implementation",
            caption="What Table 2 prints stands in the tooltip; its board was another machine than these.",
            spec=spec,
            rows=pl.DataFrame(rows),
            open=(),
            single=("device",),
            series=("implementation",),
        )

    def remarks(self) -> Iterator[str]:
        yield (
            f"A message of {self.message_bytes:,} bytes; CPU is the busy share of the machine, in the next"
            " column that of the process in one core."
        )

    def gaps(self) -> dict[str, int]:
        """Why cells have no figure, and how many; the primitives that somebody lacks are one reason."""
        found: Counter[str] = Counter()
        lacking: dict[str, Counter[str]] = {}
        for by_device in self.settings.values():
            for one in by_device.values():
                for (primitive, *_), why in one.gaps():
                    who = why.removesuffix(f" has no {primitive}")
                    if who == why:
                        found[why] += 1
                    else:
                        lacking.setdefault(who, Counter())[primitive] += 1
        for who, primitives in lacking.items():
            found[f"{who} has no {', '.join(_families(primitives))}"] += primitives.total()
        return dict(found.most_common())


def _families(primitives: Iterable[str]) -> Iterator[str]:
    """The primitives in order; more than two of an algorithm as that and their number."""
    families: dict[str, list[str]] = {}
    for primitive in sorted(primitives):
        families.setdefault(load_catalog().algorithm_of(primitive).id, []).append(primitive)
    for algorithm, members in families.items():
        yield ", ".join(members) if len(members) < 3 else f"{algorithm} ({len(members)} of them)"


def _one_digit(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def reproduce(
    records: Iterable[Record], defaults: Collection[str], message_bytes: int = MESSAGE_BYTES
) -> Reproduction:
    """The comparison that these records allow; nothing but them and the published numbers goes in.

    `defaults` are the names of the default variants.
    """
    found = measured(records, defaults, message_bytes)
    return Reproduction(judged(found), found, tuple(_rows(found)), message_bytes)


def _rows(found: Settings) -> Iterator[Row]:
    for printed in read_table(HERE / "table2-aes.csv"):
        bits, mode = int(printed["key_bits"]), printed["mode"]
        for name, by_device in found.items():
            for device, one in by_device.items():
                with suppress(MissingFigure):
                    ours = one.aes(bits, mode, timed=False)
                    rss = ours.rss_peak_bytes
                    yield Row(
                        bits,
                        mode,
                        name,
                        device,
                        float(printed["delay_ms"]),
                        float(printed["delay_sd_ms"]),
                        float(printed["throughput_MB_per_s"]),
                        float(printed["cpu_percent"]),
                        float(printed["memory_KB"]),
                        ours.delay_us / 1e3,
                        ours.sd_us / 1e3,
                        ours.throughput_bytes_per_s / 1e6,
                        ours.cpu_machine_percent,
                        ours.cpu_process_percent,
                        rss / 1e3 if rss is not None else None,
                        len(ours.runs_us),
                    )


def _with(options: Options) -> Study:
    message = QUICK_BYTES if options.quick else MESSAGE_BYTES
    return Study(
        title="Ciphers on an embedded Linux board (2020)",
        note="Table 2 of the publication beside the records of Linux devices here: AES on one message of"
        f" {MESSAGE_BYTES:,} bytes. Each implementation is judged by itself: Steelyard's own code, libraries"
        " of the device, and these without the instructions that not every CPU has. Only our own code is"
        " compiled here.",
        targets=tuple(host.id for host in load_hosts()),
        any_compiler=True,
        judge=partial(reproduce, message_bytes=message),
        measure=partial(measure, options),
        options=Options,
        with_options=_with,
    )


STUDY = _with(Options())

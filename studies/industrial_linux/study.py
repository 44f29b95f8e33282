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
* A larger block makes a cipher faster if the line through the logarithms of all its configurations rises,
  by the 95 % interval of its slope.
* The equivalent metric connects cipher and system if it predicts, in the median within 10 %, delays of
  configurations that it was not fitted to (`metric.py`); reading a delay is closer than an abstract model if
  half of its 95 % interval is less than that error.
* The deviation from run to run is a machine's: it is asked of one that no hypervisor shares.
* Throughput is the message over the delay, so that the two are reciprocal is nothing to be measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property, partial

import polars as pl

from steelyard.catalog.load import load_catalog
from steelyard.linux.hosts import load_hosts
from steelyard.present.chart import Chart, Spec, nominal, plot, quantitative, tooltip
from steelyard.present.table import Table
from steelyard.record.schema import Record
from steelyard.studies.industrial_linux.claims import judged
from steelyard.studies.industrial_linux.classes import (
    Classes,
    classes,
    intervals,
    ordered_alike,
    published_intervals,
)
from steelyard.studies.industrial_linux.delay import Parts, of_measured, of_published
from steelyard.studies.industrial_linux.figures import (
    HERE,
    MESSAGE_BYTES,
    MODES,
    QUICK_BYTES,
    ROUNDS,
    TRIAL,
    Measured,
    Settings,
    configurations,
    measured,
    message_of,
)
from steelyard.studies.industrial_linux.measure import Options, measure
from steelyard.studies.industrial_linux.metric import Metric, Metrics, median_error, metrics_of
from steelyard.study.charts import lines
from steelyard.study.comparison import ABOUT
from steelyard.study.model import Defaults, Outcome, Study
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
    metrics: Metrics

    @property
    def measured(self) -> Iterator[Measured]:
        """Every implementation on every device."""
        return (one for by_device in self.settings.values() for one in by_device.values())

    @property
    def predictions(self) -> Mapping[str, Metric]:
        """The metric of each implementation, and of all together, by name."""
        own = {self._name(one): self.metrics.of(one) for one in self.measured}
        return {**own, "all together": self.metrics.common}

    @cached_property
    def classes(self) -> Mapping[str, Classes]:
        """The classes of Table 2's rows, as printed and by implementation."""
        found = {"published": classes(published_intervals())}
        for one in self.measured:
            with suppress(MissingFigure):
                found[self._name(one)] = classes(intervals(one))
        return found

    @cached_property
    def parts(self) -> Mapping[str, Mapping[str, Parts]]:
        """The parts of a delay in each mode, as printed and by implementation."""
        found = {"published": {mode: of_published(mode) for mode in MODES}}
        for one in self.measured:
            with suppress(MissingFigure):
                found[self._name(one)] = {mode: of_measured(one, mode) for mode in MODES}
        return found

    def _name(self, one: Measured) -> str:
        devices = {other.device for other in self.measured}
        return one.implementation if len(devices) == 1 else f"{one.implementation}, {one.device}"

    @property
    def worth_showing(self) -> bool:
        return bool(self.printed)

    def figure_rows(self) -> Iterator[JsonRow]:
        for row in self.printed:
            yield {"table": "aes", **asdict(row)}
        for name, metric in self.predictions.items():
            for asked in metric.asked:
                algorithm, key_bits, block_bits, mode, message_bytes = asked.delay.configuration
                yield {
                    "table": "prediction",
                    "metric": name,
                    "implementation": asked.delay.system[0],
                    "device": asked.delay.system[1],
                    "algorithm": algorithm,
                    "key_bits": key_bits,
                    "block_bits": block_bits,
                    "mode": mode,
                    "message_bytes": message_bytes,
                    "delay_us": asked.delay.microseconds,
                    "predicted_us": asked.predicted_us,
                }
        for name, found in self.classes.items():
            for number, rows in enumerate(found, start=1):
                for bits, mode in rows:
                    yield {"table": "class", "of": name, "class": number, "key_bits": bits, "mode": mode}
        for name, by_mode in self.parts.items():
            for mode, parts in by_mode.items():
                yield {"table": "delay", "of": name, "mode": mode, **asdict(parts)}
        for reason, count in self.gaps().items():
            yield {"table": "gap", "reason": reason, "cells": count}

    def tables(self) -> Mapping[str, Table]:
        headings = ("Key", "Mode", "Of", "Delay, ms", "SD", "MB/s", "CPU, %", "Process, %", "Memory, KB")
        gaps = tuple((reason, str(count)) for reason, count in self.gaps().items())
        return {
            "table2": Table("Table 2", headings, tuple(self._table2()), 3),
            "parts": self._parts(),
            "classes": self._classes(),
            "metric": self._metric(),
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

    def _parts(self) -> Table:
        """Each row of Table 2: of whom the delay, and what of it rounds and the rest make."""
        rows = []
        for printed in read_table(HERE / "table2-aes.csv"):
            bits, mode = int(printed["key_bits"]), printed["mode"]
            cells: list[str] = []
            theirs = self.parts["published"][mode]
            for by_mode in self.parts.values():
                of_rounds = ROUNDS[bits] * by_mode[mode].of_a_round
                cells += [f"{of_rounds:.1f}", f"{by_mode[mode].rest:.1f}"]
            rows.append((str(bits), mode.upper(), f"{theirs.rest_share:.0%}", *cells))
        of_each = (heading for name in self.parts for heading in (f"{name}: rounds", "rest"))
        headings = ("Key", "Mode", "Rest in a published delay of 10 rounds", *of_each)
        return Table("What delays are made of, ms", headings, tuple(rows), 2)

    def _classes(self) -> Table:
        theirs = self.classes["published"]
        rows = []
        for name, found in self.classes.items():
            alike, asked = ordered_alike(found, theirs)
            shown = " < ".join(", ".join(f"{mode.upper()}-{bits}" for bits, mode in one) for one in found)
            rows.append((name, shown, str(len(found)), f"{alike} of {asked}"))
        headings = ("Of", "Classes, fastest first", "Number", "Pairs in the published order")
        return Table("Classes of Table 2 by equation 6", headings, tuple(rows), 2)

    def _metric(self) -> Table:
        rows = []
        for name, metric in self.predictions.items():
            errors = sorted(one.error for one in metric.asked)
            if errors:
                rows.append(
                    (
                        name,
                        str(len(errors)),
                        f"{median_error(metric.asked):.1%}",
                        f"{errors[int(0.9 * (len(errors) - 1))]:.1%}",
                        f"{sum(error <= ABOUT for error in errors) / len(errors):.0%}",
                    )
                )
        headings = (
            "Metric of",
            "Delays left out",
            "Median error",
            "90 % of errors below",
            f"Within {ABOUT:.0%}",
        )
        return Table("The equivalent metric on delays that it has not seen", headings, tuple(rows), 1)

    def _table1(self) -> Table:
        """Every configuration of Table 1: the throughput of each implementation, in 10^6 bytes per second."""
        found = list(self.measured)
        named = tuple(map(self._name, found))
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
        yield self._figure5()

    def _figure5(self) -> Chart:
        """Delays by key and mode as printed, and of each implementation, on a logarithmic scale."""
        printed = {(row.device, row.key_bits, row.mode): row.published_delay_ms for row in self.printed}
        delays = [
            *((*place, "published", delay) for place, delay in printed.items()),
            *((row.device, row.key_bits, row.mode, row.implementation, row.delay_ms) for row in self.printed),
        ]
        rows = [
            {"device": device, "key_bits": bits, "mode": mode.upper(), "implementation": name, "delay": delay}
            for device, bits, mode, name, delay in delays
        ]
        x: Spec = {
            "field": "mode",
            "type": "ordinal",
            "sort": [mode.upper() for mode in MODES],
            "title": None,
            "axis": {"labelAngle": 0},
        }
        spec = lines(
            x,
            "delay",
            "delay of the message, ms",
            "implementation",
            list(dict.fromkeys(name for *_, name, _ in delays)),
            tooltip(("implementation", "mode", "key_bits"), delay=("delay, ms", ",.2f")),
        )
        spec["encoding"]["detail"] = {"field": "key_bits"}
        return Chart(
            id="industrial-linux-figure-5",
            title="Delay of AES by mode and key",
            caption="The publication's Figure 5 with its own delays and ours; of three lines, the highest"
            " is that of the longest key.",
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
        if self.message_bytes != MESSAGE_BYTES:
            yield f"Times are {TRIAL}."

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
    records: Iterable[Record], defaults: Defaults, message_bytes: int | None = None
) -> Reproduction:
    """The comparison that these records allow; nothing but them and the published numbers goes in.

    `defaults` are the default variants. Without `message_bytes` the long message counts, or that
    of a trial where nothing else was measured.
    """
    listed = list(records)
    message_bytes = message_of(listed) if message_bytes is None else message_bytes
    found = measured(listed, defaults, message_bytes)
    metrics = metrics_of([one for by_device in found.values() for one in by_device.values()])
    return Reproduction(judged(found, metrics), found, tuple(_rows(found)), message_bytes, metrics)


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
    return Study(
        title="Ciphers on an embedded Linux board (2020)",
        note="Table 2 of the publication beside the records of Linux devices here: AES on one message of"
        f" {MESSAGE_BYTES:,} bytes. Each implementation is judged by itself: Steelyard's own code, libraries"
        " of the device, and these without the instructions that not every CPU has. Only our own code is"
        " compiled here.",
        targets=tuple(host.id for host in load_hosts()),
        any_compiler=True,
        judge=partial(reproduce, message_bytes=QUICK_BYTES) if options.quick else reproduce,
        measure=partial(measure, options),
        options=Options,
        with_options=_with,
        measure_in_all=partial(measure, Options(quick=True)),
    )


STUDY = _with(Options())

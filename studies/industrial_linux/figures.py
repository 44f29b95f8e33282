"""The configurations of the publication, and what records of Linux devices say of each implementation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from steelyard.linux.hosts import load_hosts
from steelyard.linux.libraries import libraries
from steelyard.record.schema import Record
from steelyard.study.model import Defaults
from steelyard.study.published import read_table
from steelyard.study.verdict import MissingFigure

HERE = Path(__file__).parent

MESSAGE_BYTES = 8_717_200
QUICK_BYTES = 4800
"""Message length of a trial that everything works."""
RUNS, FEW_RUNS, QUICK_RUNS = 50, 5, 2
"""Counted runs of Table 2, of Table 1, and of a trial."""
TRIAL = (
    f"not measured in full yet: a trial with {QUICK_BYTES:,} bytes and {QUICK_RUNS} runs decides nothing that"
    " depends on time; run: steelyard reproduce industrial-linux"
)
PADDING = "pkcs7"
MODES = ("cbc", "cfb", "ctr", "ecb", "ofb")
KEYS_BITS = (128, 192, 256)
ROUNDS = {128: 10, 192: 12, 256: 14}
ODD_BYTES = 1001
"""No whole number of blocks."""
SHORT_BYTES = (1024, 65_536)
"""Shorter messages, from which the metric learns what a block more costs."""
THREADS = 2

OWN, BASELINE = "own", "baseline"
STEADY = 0.01
"""Most of a delay that its standard deviation may be."""
T_OF_TREND = 2.306
"""Student's t of a two-sided 95 % interval, 8 degrees of freedom: ten configurations less two constants."""
SPEED_UP = 1.5
"""Least that two threads must gain for blocks to count as independent."""
UNDISTURBED_PERCENT = 90.0
"""Least share of a core that one thread had, where its times are taken for its own."""
CHAINED = ("cbc", "cfb", "ofb")


@dataclass(frozen=True)
class Configuration:
    """A row of Table 1 as primitives and modes here; without modes what has none."""

    algorithm: str
    primitive: str
    modes: tuple[str, ...]


@cache
def configurations() -> tuple[Configuration, ...]:
    """Table 1, a primitive each; RC4 and SM2 have no modes, whatever is printed."""
    printed = {
        row["algorithm"]: tuple(row["modes"].split()) for row in read_table(HERE / "table1-algorithms.csv")
    }
    return tuple(
        Configuration(
            row["algorithm"],
            row["primitive"],
            () if row["algorithm"] in ("RC4", "SM2") else printed[row["algorithm"]],
        )
        for row in read_table(HERE / "primitives.csv")
    )


# From records to figures


@dataclass(frozen=True)
class Figure:
    """A verified cell; times in microseconds, of one message. What the device does not tell is None."""

    primitive: str
    mode: str | None
    implementation: str
    delay_us: float
    low_us: float
    high_us: float
    sd_us: float
    message_bytes: int | None
    cpu_process_percent: float | None
    cpu_machine_percent: float | None
    rss_peak_bytes: int | None
    runs_us: tuple[float, ...]

    @property
    def disturbed(self) -> bool:
        """Whether it waited for a core, since other work had the machine busy."""
        share = self.cpu_process_percent
        return share is not None and share < UNDISTURBED_PERCENT

    @property
    def throughput_bytes_per_s(self) -> float:
        """The mean of the throughputs of the runs, as the publication has it."""
        count = self.message_bytes or 0
        return sum(count / time * 1e6 for time in self.runs_us) / len(self.runs_us)


Key = tuple[str, str | None, str, int | None, int]
"""Primitive, mode, operation, bytes of the message, threads."""


class Measured:
    """The figures of one implementation on one device, with messages of `message_bytes`."""

    def __init__(
        self,
        implementation: str,
        device: str,
        message_bytes: int,
        machine: Mapping[str, object],
    ) -> None:
        self.implementation = implementation
        self.device = device
        self.message_bytes = message_bytes
        self.machine = machine
        self._figures: dict[Key, Figure] = {}
        self._gaps: dict[Key, str] = {}

    def add(self, record: Record) -> None:
        """A record of this implementation; the last one counts."""
        key = _key(record)
        if record["status"] == "ok" and record["verified"] is True and record["time_us"] is not None:
            self._figures[key] = _figure(record, self.implementation)
            self._gaps.pop(key, None)
        elif key not in self._figures:
            self._gaps[key] = str(record["error"] or "no times").rstrip(".")

    def __iter__(self) -> Iterator[Figure]:
        return iter(self._figures.values())

    @property
    def is_trial(self) -> bool:
        """Whether the message is that of a trial, whose times decide nothing."""
        return self.message_bytes == QUICK_BYTES

    def items(self) -> Iterator[tuple[Key, Figure]]:
        """Every figure with what it is of."""
        return iter(self._figures.items())

    def gaps(self) -> Iterator[tuple[Key, str]]:
        """What could not be measured, and why."""
        return iter(self._gaps.items())

    def figure(
        self,
        primitive: str,
        mode: str | None = None,
        *,
        operation: str = "encrypt",
        message_bytes: int | None = -1,
        threads: int = 1,
        timed: bool = True,
    ) -> Figure:
        """The figure of a cell, of the long message where no other is named; MissingFigure without one.

        Where its time is asked for, that of a trial, or of a machine that was busy with other work, is none.
        """
        count = self.message_bytes if message_bytes == -1 else message_bytes
        key = (primitive, mode, operation, count, threads)
        if key not in self._figures:
            what = f"{primitive}{f' in {mode.upper()}' if mode else ''} by {self.implementation}"
            why = f": {self._gaps[key]}" if key in self._gaps else ""
            raise MissingFigure(f"no verified figure of {what}{why}")
        if timed and self.is_trial:
            raise MissingFigure(TRIAL)
        if timed and self._figures[key].disturbed:
            raise MissingFigure(
                f"{self.device} was busy with other work while {self.implementation} was measured"
            )
        return self._figures[key]

    def aes(self, bits: int, mode: str, *, timed: bool = True) -> Figure:
        """A row of Table 2."""
        return self.figure(f"aes-{bits}", mode, timed=timed)

    def table2(self, *, timed: bool = True) -> list[Figure]:
        """All fifteen rows."""
        return [self.aes(bits, mode, timed=timed) for bits in KEYS_BITS for mode in MODES]


def _key(record: Record) -> Key:
    count, threads = record["message_bytes"], record["threads"]
    assert isinstance(threads, int)
    return (
        str(record["primitive"]),
        str(record["mode"]) if record["mode"] is not None else None,
        str(record["operation"]),
        count if isinstance(count, int) else None,
        threads,
    )


def _figure(record: Record, implementation: str) -> Figure:
    def number(name: str) -> float:
        value = record[name]
        assert isinstance(value, float | int)
        return float(value)

    def perhaps(name: str) -> float | None:
        return number(name) if record[name] is not None else None

    every = json.loads(str(record["run_times_us"]))
    begin = int(number("warmup_runs"))
    count, rss = record["message_bytes"], record["rss_peak_bytes"]
    mode = record["mode"]
    return Figure(
        str(record["primitive"]),
        str(mode) if mode is not None else None,
        implementation,
        number("time_us"),
        number("time_low_us"),
        number("time_high_us"),
        number("time_sd_us"),
        count if isinstance(count, int) else None,
        perhaps("cpu_process_percent"),
        perhaps("cpu_machine_percent"),
        rss if isinstance(rss, int) else None,
        tuple(every[begin : begin + int(number("runs"))]),
    )


def implementation_of(record: Record) -> str:
    """Who did the work: `own`, a library, or a library with `baseline`."""
    if record["library"] is None:
        return OWN
    return (
        f"{record['library']} {BASELINE}" if "baseline" in str(record["settings"]) else str(record["library"])
    )


def _is_own_choice(record: Record, defaults: Defaults) -> bool:
    return record["library"] is not None or (
        (record["variant"], record["target"]) in defaults and record["flags"] == "-O2"
    )


Settings = dict[str, dict[str, Measured]]
"""By implementation and device."""


def message_of(records: Iterable[Record]) -> int:
    """The long message, or that of a trial where there are no records of anything longer."""
    lengths = {record["message_bytes"] for record in records if record["device"] is not None}
    return QUICK_BYTES if QUICK_BYTES in lengths and MESSAGE_BYTES not in lengths else MESSAGE_BYTES


def measured(
    records: Iterable[Record],
    defaults: Defaults,
    message_bytes: int = MESSAGE_BYTES,
) -> Settings:
    """The records of Linux devices by implementation and device; of cells measured anew the last counts."""
    found: Settings = {}
    hosts = {host.id for host in load_hosts()}
    for record in sorted(records, key=lambda one: str(one["date"])):
        if record["target"] not in hosts or not _is_own_choice(record, defaults):
            continue
        name, device = implementation_of(record), str(record["device"])
        by_device = found.setdefault(name, {})
        if device not in by_device:
            machine = json.loads(str(record["machine"] or "{}"))
            by_device[device] = Measured(name, device, message_bytes, machine)
        by_device[device].add(record)
    order = {name: number for number, name in enumerate((OWN, *libraries()))}
    return dict(sorted(found.items(), key=lambda one: (order.get(one[0].split()[0], 99), one[0])))

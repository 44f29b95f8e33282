"""Ciphers on an embedded Linux board, as published: delay, throughput, CPU and memory of one long message.

The publication is described in `reference/README.md`, its tables lie in `reference/detection-2020/`. What
decides how a claim is asked was written down before any figure was looked at:

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

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import ModeFile
from steelyard.linux.hosts import load_hosts
from steelyard.linux.libraries import libraries
from steelyard.linux.measure.library import LibraryPlan, derive_cells, make_library_plan
from steelyard.linux.measure.plan import HostPlan, make_host_plan
from steelyard.measure.selection import Selection
from steelyard.record.schema import Record
from steelyard.reproduce.comparison import (
    ABOUT,
    CLOSE,
    Claim,
    claims_of,
    is_close,
    read_reference,
    statements,
)
from steelyard.reproduce.verdict import MissingFigure, Shown, Statement, Verdict, built_in, judge

EXPERIMENT = "industrial-linux"
TITLE = "Ciphers on an embedded Linux board (2020)"
REFERENCE = "detection-2020"

MESSAGE_BYTES = 8_717_200
QUICK_BYTES = 4800
"""Message length of a trial that everything works."""
RUNS, FEW_RUNS, QUICK_RUNS = 50, 5, 2
"""Counted runs of Table 2, of Table 1, and of a trial."""
PADDING = "pkcs7"
MODES = ("cbc", "cfb", "ctr", "ecb", "ofb")
KEYS_BITS = (128, 192, 256)
ROUNDS = {128: 10, 192: 12, 256: 14}
ODD_BYTES = 1001
"""No whole number of blocks."""
SHORT_BYTES = (1024, 65_536)
"""Messages from which the delay of the long one is predicted."""
THREADS = 2

OWN, BASELINE = "own", "baseline"
STEADY = 0.01
"""Most of a delay that its standard deviation may be."""
SPEED_UP = 1.5
"""Least that two threads must gain for blocks to count as independent."""
HALF_PERCENT = 50.0
UNDISTURBED_PERCENT = 90.0
"""Least share of a core that one thread had, where its times are taken for its own."""
SIZES_BITS = (32, 48, 64, 96, 128)
CHAINED = ("cbc", "cfb", "ofb")


@dataclass(frozen=True)
class Stage:
    """Cells that are measured alike; what is at hand already is left out by whoever measures."""

    title: str
    own: HostPlan
    asked: LibraryPlan
    runs: int


@dataclass(frozen=True)
class Configuration:
    """A row of Table 1 as primitives and modes here; without modes what has none."""

    algorithm: str
    primitive: str
    modes: tuple[str, ...]


@cache
def configurations() -> tuple[Configuration, ...]:
    """Table 1, a primitive each; RC4 and SM2 have no modes, whatever is printed."""
    printed = {row["algorithm"]: tuple(row["modes"].split()) for row in _table("table1-algorithms.csv")}
    return tuple(
        Configuration(
            row["algorithm"],
            row["primitive"],
            () if row["algorithm"] in ("RC4", "SM2") else printed[row["algorithm"]],
        )
        for row in _table("primitives.csv")
    )


def _table(name: str) -> list[dict[str, str]]:
    return read_reference(REFERENCE, name)


# What is measured


def stages(catalog: Catalog, *, quick: bool = False) -> tuple[Stage, ...]:
    """Everything that is measured, Table 2 first; `quick` with a short message and few runs."""
    message = QUICK_BYTES if quick else MESSAGE_BYTES
    runs, few = (QUICK_RUNS, QUICK_RUNS) if quick else (RUNS, FEW_RUNS)
    aes = tuple(f"aes-{bits}" for bits in KEYS_BITS)
    both = ("any", BASELINE)
    return (
        _stage("Table 2", catalog, [_encrypting(aes, MODES, message)], runs, instructions=both),
        _stage(
            "two threads",
            catalog,
            [_encrypting(aes[:1], ("ecb", "ctr"), message)],
            runs,
            threads=THREADS,
            instructions=both,
        ),
        _stage(
            "shorter messages",
            catalog,
            [
                _encrypting(aes[:1], MODES, *SHORT_BYTES),
                _encrypting(aes[:1], ("cfb", "ofb"), ODD_BYTES),
            ],
            runs,
            instructions=both,
        ),
        _derivations(catalog, runs),
        _stage("Table 1", catalog, list(_of_table1(message)), few),
    )


def _encrypting(primitives: Sequence[str], modes: Sequence[str], *lengths: int) -> Selection:
    return Selection(
        primitive=tuple(primitives),
        operation=("encrypt",),
        mode=tuple(modes),
        length=lengths,
        padding=(PADDING,),
    )


def _of_table1(message: int) -> Iterator[Selection]:
    for one in configurations():
        if one.algorithm == "SM2":
            yield Selection(primitive=(one.primitive,), operation=("sign", "verify"))
            yield Selection(primitive=(one.primitive,), operation=("encrypt", "decrypt"), length=(32,))
        else:
            yield _encrypting((one.primitive,), one.modes or ("none",), message)


def _stage(
    title: str,
    catalog: Catalog,
    selections: Iterable[Selection],
    runs: int,
    *,
    threads: int = 1,
    instructions: Sequence[str] = ("any",),
) -> Stage:
    own, asked = HostPlan(), LibraryPlan()
    for selection in selections:
        plan = make_host_plan(catalog, selection, [threads])
        more = make_library_plan(plan, libraries().values(), instructions)
        own.cells += [cell for cell in plan.cells if cell not in own.cells]
        asked.cells += more.cells
    return Stage(title, own, asked, runs)


def _derivations(catalog: Catalog, runs: int) -> Stage:
    cells = derive_cells(catalog.algorithm_of("hmac-sha-256"), ("hmac-sha-256",), libraries().values())
    return Stage("salt (PBKDF2)", HostPlan(), LibraryPlan(list(cells)), runs)


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

        Where its time is asked for, one of a machine that was busy with other work is none.
        """
        count = self.message_bytes if message_bytes == -1 else message_bytes
        key = (primitive, mode, operation, count, threads)
        if key not in self._figures:
            what = f"{primitive}{f' in {mode.upper()}' if mode else ''} by {self.implementation}"
            why = f": {self._gaps[key]}" if key in self._gaps else ""
            raise MissingFigure(f"no verified figure of {what}{why}")
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


def _is_own_choice(record: Record, defaults: Collection[str]) -> bool:
    return record["library"] is not None or (record["variant"] in defaults and record["flags"] == "-O2")


Settings = dict[str, dict[str, Measured]]
"""By implementation and device."""


def measured(
    records: Iterable[Record],
    defaults: Collection[str],
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


# Table 2 beside ours


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
class Reproduction:
    """Everything that is shown."""

    settings: Settings
    rows: tuple[Row, ...]
    claims: tuple[Claim, ...]
    between: Claim
    """A claim that this publication and another make together, which chips judge as well."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The implementations that there are records of."""
        return tuple(self.settings)

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


def reproduce(
    records: Iterable[Record], defaults: Collection[str], message_bytes: int = MESSAGE_BYTES
) -> Reproduction:
    """The comparison that these records allow; nothing but them and the published numbers goes in.

    `defaults` are the names of the default variants.
    """
    found = measured(records, defaults, message_bytes)
    own = claims_of(REFERENCE, EXPERIMENT, lambda claim: _verdict(claim, found))
    return Reproduction(found, tuple(_rows(found)), own, _modes_claim(found))


def _rows(found: Settings) -> Iterator[Row]:
    for printed in _table("table2-aes.csv"):
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


# The claims


def _longer(one: Figure, other: Figure) -> bool:
    return one.low_us > other.high_us


def _spread(values: Iterable[float]) -> float:
    listed = list(values)
    return max(listed) / min(listed) - 1


def _told(values: Iterable[float | None], what: str) -> list[float]:
    listed = list(values)
    if any(value is None for value in listed):
        raise MissingFigure(f"the device does not tell {what}")
    return [value for value in listed if value is not None]


def _keys_cost(mode: str) -> Callable[[Measured], bool]:
    return lambda one: all(
        _longer(one.aes(more, mode), one.aes(less, mode)) for less, more in pairwise(KEYS_BITS)
    )


def _delay_of_size(one: Measured, cipher: str, mode: str, size: int) -> float:
    names = [c.primitive for c in configurations() if c.primitive.startswith(f"{cipher}-{size}-")]
    delays = [one.figure(name, mode).delay_us for name in names]
    return sum(delays) / len(delays)


def _larger_is_faster(cipher: str, mode: str) -> Callable[[Measured], bool]:
    def test(one: Measured) -> bool:
        delays = [_delay_of_size(one, cipher, mode, size) for size in SIZES_BITS]
        return all(larger < smaller for smaller, larger in pairwise(delays))

    return test


_COMPARED = ("aes-128", "sm4", "camellia-128", "simon-128-128", "speck-128-128")


def _cost_of_mode(one: Measured, mode: str) -> list[float]:
    """Delay relative to ECB of each algorithm that has it; MissingFigure for fewer than two of them."""
    ratios = []
    for primitive in _COMPARED:
        with suppress(MissingFigure):
            ratios.append(one.figure(primitive, mode).delay_us / one.figure(primitive, "ecb").delay_us)
    if len(ratios) < 2:
        raise MissingFigure(f"no two algorithms of {one.implementation} in {mode.upper()} and ECB")
    return ratios


def _depends_on_algorithm(mode: str) -> Callable[[Measured], bool]:
    return lambda one: _spread(_cost_of_mode(one, mode)) > ABOUT


def _ctr_first(bits: int) -> Callable[[Measured], bool]:
    return lambda one: all(
        _longer(one.aes(bits, mode), one.aes(bits, "ctr")) for mode in MODES if mode != "ctr"
    )


def _alike_chained(bits: int) -> Callable[[Measured], bool]:
    return lambda one: _spread(one.aes(bits, mode).delay_us for mode in CHAINED) <= ABOUT


def _faster_than_chained(bits: int) -> Callable[[Measured], bool]:
    return lambda one: all(_longer(one.aes(bits, mode), one.aes(bits, "ecb")) for mode in CHAINED)


def _cpu(one: Measured) -> list[float]:
    return _told((figure.cpu_machine_percent for figure in one.table2()), "the CPU share of the machine")


def _half_of_cpu(one: Measured) -> bool:
    return all(abs(share / HALF_PERCENT - 1) <= ABOUT for share in _cpu(one))


def _same_cpu(one: Measured) -> bool:
    return _spread(_cpu(one)) <= ABOUT


def _memory(one: Measured) -> list[float]:
    return _told((figure.rss_peak_bytes for figure in one.table2(timed=False)), "the memory of a process")


def _steady(one: Measured) -> list[float]:
    return [figure.sd_us / figure.delay_us for figure in one.table2()]


def _reciprocal(one: Measured) -> bool:
    """The mean of the runs' throughputs times the mean delay is the message."""
    return all(
        abs(figure.throughput_bytes_per_s * figure.delay_us / 1e6 / one.message_bytes - 1) <= STEADY
        for figure in one.table2()
    )


def _per_round(one: Measured, mode: str) -> list[float]:
    return [one.aes(bits, mode).delay_us / rounds for bits, rounds in ROUNDS.items()]


def _by_rounds(mode: str) -> Callable[[Measured], bool]:
    return lambda one: is_close(min(_per_round(one, mode)), max(_per_round(one, mode)))


def _gain(one: Measured, mode: str) -> float:
    alone = one.figure("aes-128", mode)
    return alone.delay_us / one.figure("aes-128", mode, threads=THREADS).delay_us


def _independent(mode: str) -> Callable[[Measured], bool]:
    def test(one: Measured) -> bool:
        cores = one.machine.get("cores")
        if not isinstance(cores, int) or cores < THREADS:
            raise MissingFigure(f"{one.device} has less than {THREADS} cores")
        return _gain(one, mode) >= SPEED_UP

    return test


def _any_length(mode: str) -> Callable[[Measured], bool]:
    """The output of a length that is no whole number of blocks was compared byte by byte, and is as long."""
    return lambda one: (
        one.figure("aes-128", mode, message_bytes=ODD_BYTES, timed=False).message_bytes == ODD_BYTES
    )


def _covered(algorithm: str) -> Callable[[Measured], bool]:
    def test(one: Measured) -> bool:
        try:
            for row in configurations():
                if row.algorithm == "SM2" == algorithm:
                    one.figure(row.primitive, operation="sign", message_bytes=None, timed=False)
                elif row.algorithm == algorithm:
                    for mode in row.modes or (None,):
                        one.figure(row.primitive, mode, timed=False)
        except MissingFigure:
            return False
        return True

    return test


def _predicted(one: Measured, mode: str) -> float:
    """The delay of the long message by the line through two short ones, over that measured."""
    (short, shorter_us), (long, longer_us) = (
        (count, one.figure("aes-128", mode, message_bytes=count).delay_us) for count in SHORT_BYTES
    )
    per_byte_us = (longer_us - shorter_us) / (long - short)
    predicted_us = shorter_us + per_byte_us * (one.message_bytes - short)
    return predicted_us / one.figure("aes-128", mode).delay_us


def _connected(mode: str) -> Callable[[Measured], bool]:
    return lambda one: abs(_predicted(one, mode) - 1) <= ABOUT


def _over_ecb(bits: int, *modes: str) -> Callable[[Measured], float]:
    """The slowest of the modes relative to ECB."""
    return lambda one: max(one.aes(bits, mode).delay_us for mode in modes) / one.aes(bits, "ecb").delay_us


def _spread_of_chained(bits: int) -> Callable[[Measured], float]:
    return lambda one: _spread(one.aes(bits, mode).delay_us for mode in CHAINED)


def _key_ratio(mode: str) -> Callable[[Measured], float]:
    return lambda one: one.aes(256, mode).delay_us / one.aes(128, mode).delay_us


def _extreme(mode: str, which: Callable[[list[float]], float]) -> Callable[[Measured], float]:
    return lambda one: which(_cost_of_mode(one, mode))


def _spread_by_round(mode: str) -> Callable[[Measured], float]:
    return lambda one: _spread(_per_round(one, mode))


def _gain_in(mode: str) -> Callable[[Measured], float]:
    return lambda one: _gain(one, mode)


def _predicted_in(mode: str) -> Callable[[Measured], float]:
    return lambda one: _predicted(one, mode)


def _shown(
    text: str, test: Callable[[Measured], bool], **numbers: Callable[[Measured], float]
) -> Statement[Measured]:
    """A statement with numbers beside it, each by its name with spaces for underscores."""
    return Statement(text, test, tuple(Shown(name.replace("_", " "), one) for name, one in numbers.items()))


_BITS = {bits: f"{bits}-bit key" for bits in KEYS_BITS}

CLAIMS: dict[str, tuple[Statement[Measured], ...]] = {
    "seed003-01": tuple(
        _shown(f"AES in {mode.upper()}", _keys_cost(mode), of_256_bits_over_128=_key_ratio(mode))
        for mode in MODES
    ),
    "seed003-02": statements(
        {
            f"{cipher.upper()} in {mode.upper()}, 32 to 128 bits": _larger_is_faster(cipher, mode)
            for cipher in ("simon", "speck")
            for mode in ("cbc", "pcbc", "cfb", "ctr", "ecb", "ofb")
        }
    ),
    "seed003-03": tuple(
        _shown(
            f"{mode.upper()} relative to ECB differs by more than {ABOUT:.0%} among algorithms",
            _depends_on_algorithm(mode),
            least=_extreme(mode, min),
            most=_extreme(mode, max),
        )
        for mode in CHAINED
    ),
    "seed003-04": tuple(
        _shown(name, _ctr_first(bits), over_ECB=_over_ecb(bits, "ctr")) for bits, name in _BITS.items()
    ),
    "seed003-05": tuple(
        _shown(f"{name}, within {ABOUT:.0%}", _alike_chained(bits), spread=_spread_of_chained(bits))
        for bits, name in _BITS.items()
    ),
    "seed003-06": tuple(
        _shown(name, _faster_than_chained(bits), slowest_over_ECB=_over_ecb(bits, *CHAINED))
        for bits, name in _BITS.items()
    ),
    "seed003-07": (
        _shown(
            f"within {ABOUT:.0%} of {HALF_PERCENT:g} % of the machine",
            _half_of_cpu,
            least=lambda one: min(_cpu(one)),
            most=lambda one: max(_cpu(one)),
        ),
        _shown(f"alike in all configurations, within {ABOUT:.0%}", _same_cpu),
    ),
    "seed003-08": (
        _shown(
            f"peak memory within {ABOUT:.0%}",
            lambda one: _spread(_memory(one)) <= ABOUT,
            spread=lambda one: _spread(_memory(one)),
        ),
    ),
    "seed003-09": (
        _shown(
            f"below {STEADY:.0%} in all configurations",
            lambda one: max(_steady(one)) < STEADY,
            most=lambda one: max(_steady(one)),
        ),
    ),
    "seed003-10": statements({f"their product is the message, within {STEADY:.0%}": _reciprocal}),
    "seed003-11": tuple(
        _shown(
            f"{mode.upper()}: time per round within {CLOSE:.0%}",
            _by_rounds(mode),
            spread=_spread_by_round(mode),
        )
        for mode in MODES
    ),
    "seed003-13": tuple(
        _shown(
            f"{mode.upper()}: {THREADS} threads gain {SPEED_UP:g} times",
            _independent(mode),
            gain=_gain_in(mode),
        )
        for mode in ("ecb", "ctr")
    ),
    "seed003-14": statements(
        {
            f"{mode.upper()} of {ODD_BYTES:,} bytes puts out as many": _any_length(mode)
            for mode in ("cfb", "ofb")
        }
    ),
    "seed003-15": statements(
        {name: _covered(name) for name in dict.fromkeys(row.algorithm for row in configurations())}
    ),
    "seed003-16": tuple(
        _shown(
            f"{mode.upper()}: delay by the line through {SHORT_BYTES[0]:,} and {SHORT_BYTES[1]:,} bytes"
            f" within {ABOUT:.0%}",
            _connected(mode),
            predicted_over_measured=_predicted_in(mode),
        )
        for mode in MODES
    ),
}
"""What each claim says, as tests of one implementation's figures."""

OPINION = "seed003-12"


def _of_modes(claim: str) -> str | None:
    """What of a claim is so by the definition of the modes, which are data here."""
    if claim == "seed003-13":
        chained = [mode.upper() for mode in CHAINED if "encrypt" not in _mode_files()[mode].pieces]
        return f"by their definition {', '.join(chained)} encrypt one block after the other"
    if claim == "seed003-14":
        forward = [mode.upper() for mode in ("cfb", "ofb") if _mode_files()[mode].decrypts_with == "encrypt"]
        return f"by their definition {' and '.join(forward)} decrypt with the encryption of the cipher"
    return None


@cache
def _mode_files() -> Mapping[str, ModeFile]:
    return {mode.id: mode.file for mode in load_catalog().modes}


def _verdict(claim: str, found: Settings) -> Verdict:
    if claim != OPINION:
        return judge(CLAIMS[claim], found).with_caveat(_of_modes(claim))
    read = sum(
        figure.cpu_machine_percent is not None and figure.rss_peak_bytes is not None
        for by_device in found.values()
        for one in by_device.values()
        for figure in one
    )
    return built_in(
        "simpler and more practical are no figures; that the way works is shown by"
        f" {read} cells measured on a device with its CPU and memory read during the task",
        found,
    )


_MODES_CLAIM = "cross-03"


def _modes_claim(found: Settings) -> Claim:
    """CTR slowest in one publication and fastest in another: our own code and a library's, on one device."""
    (row,) = (
        row for row in read_reference("between-publications", "claims.csv") if row["claim"] == _MODES_CLAIM
    )

    def slowest(one: Measured) -> bool:
        if one.implementation != OWN:
            raise MissingFigure("a library's")
        return max(MODES, key=lambda mode: one.aes(128, mode).delay_us) == "ctr"

    def fastest(one: Measured) -> bool:
        if one.implementation == OWN:
            raise MissingFigure("our own")
        return _ctr_first(128)(one)

    own = {name: one for name, one in found.items() if name == OWN}
    theirs = {name: one for name, one in found.items() if name != OWN}
    first = judge(statements({"own code, a block at a time: CTR the slowest of five": slowest}), own)
    second = judge(statements({"library: CTR the fastest of five": fastest}), theirs)
    findings = {first.finding, second.finding}
    both = findings.pop() if len(findings) == 1 else "holds in part"
    if "not testable" in (first.finding, second.finding):
        both = "not testable"
    reason = f"{first.reason}; {second.reason}"
    verdict = Verdict(both, {**first.by_choice, **second.by_choice}, reason)
    return Claim(_MODES_CLAIM, row["section"], row["statement"], verdict)

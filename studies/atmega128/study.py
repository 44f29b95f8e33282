"""Five block ciphers on the ATmega128 at 16 MHz, as published in 2010.

The publication and its tables are described in the README beside. Compiler version, flags and the variants it
measured are not stated: every claim is asked of several choices of variants, at each of the usual flags. What
its text does say decides what is comparable: programs in C ("Cipher implementation details and tools"), whose
initialisation makes the round keys that encryption then uses ("Execution time"). So a variant that expands
the key while it encrypts is left out, and one that makes tables besides is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from operator import attrgetter, methodcaller
from pathlib import Path

import polars as pl

from steelyard.catalog.load import Catalog
from steelyard.measure.selection import Selection
from steelyard.present.chart import Chart
from steelyard.present.table import Table
from steelyard.record.schema import Record
from steelyard.study import figures
from steelyard.study.charts import bar_chart
from steelyard.study.comparison import (
    ABOUT,
    CLOSE,
    about,
    alike,
    among_first,
    among_last,
    at_place,
    in_order,
    more,
    orders_of,
    orders_table,
    ratio,
    rising,
    within,
)
from steelyard.study.figures import Cipher, by_variant, cycles, integer
from steelyard.study.measure import in_steps
from steelyard.study.model import Defaults, Order, Outcome, Row, Step, Steps, Study
from steelyard.study.published import claims_of, read_table
from steelyard.study.verdict import MissingFigure, judge

HERE = Path(__file__).parent

AES, SERPENT, CAMELLIA, CAST5, MARS = FIVE = ("AES", "Serpent", "Camellia", "CAST5", "MARS")
ASSEMBLY = "AES in assembly"

# Expanded keys in bytes, as the ciphers' specifications have them: a block per round and one more for AES
# (FIPS 197) and Serpent, 26 subkeys of 64 bits for Camellia (RFC 3713), 16 of 32 bits and 16 of 5 for
# CAST-128 (RFC 2144), 40 words for MARS.
CIPHERS = (
    Cipher(AES, "aes-128", 176),
    Cipher(SERPENT, "serpent-128", 528),
    Cipher(CAMELLIA, "camellia-128", 208),
    Cipher(CAST5, "cast-128", 80),
    Cipher(MARS, "mars-128", 160),
    Cipher("AES-192", "aes-192", 208),
    Cipher("AES-256", "aes-256", 240),
    Cipher(ASSEMBLY, "aes-128", 176, assembly=True),
)

TARGET = "atmega128"
UNOPTIMISED = "-O0"
CODE_8051_BYTES, DATA_8051_BYTES = 4 * 1024, 256


@dataclass(frozen=True)
class Figures:
    """One variant of one cipher, built to encrypt and to decrypt; times in clock cycles of one block.

    `init_cycles` is the longer of the two set-ups where decryption has one of its own, `data_bytes` the most
    that an operation needs.
    """

    cipher: str
    variant: str
    toolchain: str
    flags: str
    clock_hz: int
    block_bytes: int
    code_bytes: int
    data_bytes: int
    init_cycles: float
    encrypt_cycles: float
    decrypt_cycles: float

    def times_us(self) -> dict[str, float]:
        """Microseconds of `init`, `encrypt` and `decrypt`."""
        counts = {
            "init": self.init_cycles,
            "encrypt": self.encrypt_cycles,
            "decrypt": self.decrypt_cycles,
        }
        return {name: 1e6 * count / self.clock_hz for name, count in counts.items()}

    def throughput(self, operation: str) -> float:
        """Bits per second that `encrypt` or `decrypt` handles, key set-up apart."""
        cycles = {"encrypt": self.encrypt_cycles, "decrypt": self.decrypt_cycles}[operation]
        return 8 * self.block_bytes * self.clock_hz / cycles


Sheet = figures.Sheet[Figures]
Tables = figures.Tables[Figures]


@dataclass(frozen=True)
class Number:
    """A printed number beside the same figure of ours in one setting."""

    quantity: str
    unit: str
    low: float
    high: float
    choice: str
    flags: str
    ours: float

    @property
    def ratio(self) -> float:
        """Ours over the nearest printed; 1 where ours lies within what is printed."""
        return self.ours / min(max(self.ours, self.low), self.high)


@dataclass(frozen=True)
class Reproduction(Outcome):
    """Figures by choice of variants and flags, the publication's beside them."""

    sheets: Tables
    numbers: tuple[Number, ...]
    orders: tuple[Order, ...]

    @property
    def worth_showing(self) -> bool:
        return not self._bars.is_empty()

    def figure_rows(self) -> Iterator[Row]:
        for choice, by_flags in self.sheets.items():
            for table in by_flags.values():
                for one in table:
                    yield {
                        "table": "figure",
                        "choice": choice,
                        **asdict(one),
                        **{f"{name}_time_us": time for name, time in one.times_us().items()},
                        "encrypt_throughput_bits_per_s": one.throughput("encrypt"),
                        "decrypt_throughput_bits_per_s": one.throughput("decrypt"),
                    }
        for number in self.numbers:
            yield {"table": "number", **asdict(number), "ratio": number.ratio}
        for order in self.orders:
            yield order.row

    def tables(self) -> Mapping[str, Table]:
        columns = ("Flags", "Cipher", "Variant", "Code, bytes", "Data, bytes", "Set-up, µs", "Encryption, µs")
        rest = ("Decryption, µs", "Enc., kbit/s", "Dec., kbit/s", "Chosen as")
        seldom = ("Dec., kbit/s", "Enc., kbit/s", "Set-up, µs")
        flags = tuple(dict.fromkeys(number.flags for number in self.numbers))
        numbers = ("Published number", "Published", "Variants", *flags)
        return {
            "figures": Table("Figures", (*columns, *rest), tuple(self._figure_lines()), 3, seldom),
            "numbers": Table("Published numbers and ours", numbers, tuple(self._number_lines(flags)), 3),
            "orders": orders_table(self.orders),
        }

    def _figure_lines(self) -> Iterator[tuple[str, ...]]:
        """Each variant chosen in any way, once."""
        for one, chosen_as in figures.by_choice(self.sheets):
            yield (
                one.flags,
                one.cipher,
                one.variant,
                f"{one.code_bytes:,}",
                f"{one.data_bytes:,}",
                *(f"{time:,.1f}" for time in one.times_us().values()),
                *(f"{one.throughput(name) / 1e3:,.1f}" for name in ("encrypt", "decrypt")),
                ", ".join(chosen_as),
            )

    def _number_lines(self, flags: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """A line for each quantity and choice of variants, ours at each of the flags with its ratio."""
        ours: dict[tuple[str, str, str], dict[str, str]] = {}
        for number in self.numbers:
            span = f"{number.low:g}" + (f" to {number.high:g}" if number.high > number.low else "")
            line = ours.setdefault((number.quantity, f"{span} {number.unit}", number.choice), {})
            line[number.flags] = f"{number.ours:.1f} ({number.ratio:.2f})"
        for labels, line in ours.items():
            yield (*labels, *(line.get(name, "") for name in flags))

    def charts(self) -> Iterator[Chart]:
        for panel in _PANELS:
            rows = self._bars.filter(pl.col("quantity") == panel.quantity).drop("quantity")
            caption = f"Ours in the form of Figure {panel.number}; ciphers in the printed order, best first."
            if rows["low"].count():
                caption += " The marks are what it prints as a number" + (
                    ", a ratio to AES, here to ours." if panel.quantity == "throughput" else "."
                )
            title = panel.quantity.capitalize()
            yield bar_chart(f"atmega128-{panel.number}", title, caption, panel.axis, panel.order, rows)

    @cached_property
    def _bars(self) -> pl.DataFrame:
        """A row for each bar of the panels, none of a setting in which one of the five is missing."""
        listed = [bar for _, _, table in figures.settings(self.sheets) for bar in self._of_setting(table)]
        return pl.DataFrame(listed, infer_schema_length=None)

    def _of_setting(self, table: Sheet) -> Iterator[Row]:
        five: dict[str, tuple[Figures, dict[_Bar, float]]] = {}
        with suppress(MissingFigure):
            five = {name: (table[name], _bars_of(table[name])) for name in FIVE}
        for cipher, (one, values) in five.items():
            numbers = [n for n in self.numbers if (n.choice, n.flags) == (table.choice, one.flags)]
            for (quantity, what), value in values.items():
                low, high = _printed(cipher, quantity, what, five[AES][1], numbers)
                yield {
                    "quantity": quantity,
                    "variants": table.choice,
                    "flags": one.flags,
                    "cipher": cipher,
                    "variant": one.variant,
                    "what": what,
                    "value": value,
                    "low": low,
                    "high": high,
                }


# The publication's figures


@dataclass(frozen=True)
class _Panel:
    """One of the publication's figures: its quantity, axis title and printed order of the ciphers."""

    number: int
    quantity: str
    axis: str
    order: tuple[str, ...]


_PANELS = (
    _Panel(1, "code memory", "code, bytes", (AES, SERPENT, CAMELLIA, CAST5, MARS)),
    _Panel(2, "data memory", "data, bytes", (AES, SERPENT, CAMELLIA, CAST5, MARS)),
    _Panel(3, "execution time", "time, microseconds", (CAST5, AES, CAMELLIA, MARS, SERPENT)),
    _Panel(4, "throughput", "throughput, kbit/s", (AES, CAST5, CAMELLIA, MARS, SERPENT)),
)

_Bar = tuple[str, str]
"""Quantity and what it is of: set-up, encryption, decryption."""


def _bars_of(one: Figures) -> dict[_Bar, float]:
    init_us, encrypt_us, decrypt_us = one.times_us().values()
    return {
        ("code memory", "code"): float(one.code_bytes),
        ("data memory", "data"): float(one.data_bytes),
        ("execution time", "set-up"): init_us,
        ("execution time", "encryption"): encrypt_us,
        ("execution time", "decryption"): decrypt_us,
        ("throughput", "encryption"): one.throughput("encrypt") / 1e3,
        ("throughput", "decryption"): one.throughput("decrypt") / 1e3,
    }


def _printed(
    cipher: str, quantity: str, what: str, aes: Mapping[_Bar, float], numbers: Sequence[Number]
) -> tuple[float | None, float | None]:
    """What is printed of this bar: a number, or a ratio to AES, which is applied to our AES."""
    for number in numbers:
        if number.quantity == f"{cipher} {quantity}":
            factor = 1024 if number.unit == "KB" else 1
            return number.low * factor, number.high * factor
        if number.quantity == f"AES {quantity} / {cipher} {quantity}, {what}":
            return aes[quantity, what] / number.high, aes[quantity, what] / number.low
    return None, None


# What is measured


def steps(_: Catalog, toolchain: str) -> Steps:
    """What is measured: every variant of the ciphers, built to encrypt and to decrypt."""
    selection = Selection(
        primitive=tuple(dict.fromkeys(cipher.primitive for cipher in CIPHERS)),
        variant=("*",),
        target=(TARGET,),
        toolchain=(toolchain,),
        flags=("-Os", "-O2", "-O3"),
        footprint=("both",),
    )
    # What an unoptimised build would explain; no claim is asked of it.
    plain = selection.model_copy(
        update={"primitive": ("aes-128", "serpent-128", "mars-128"), "flags": (UNOPTIMISED,)}
    )
    return (lambda _: Step((selection, plain)),)


def reproduce(records: Sequence[Record], defaults: Defaults) -> Reproduction:
    """The comparison that these records of one compiler allow; `defaults` are the default variants.

    Nothing but them and the published numbers goes in.
    """
    optimised = [record for record in records if record["flags"] != UNOPTIMISED]
    found = figures.tables(optimised, CIPHERS, _choices(defaults), _candidates)
    claims = claims_of(HERE, lambda claim: judge(CLAIMS[claim], _asked(claim, found)))
    orders = orders_of(found, FIVE, read_table(HERE / "orders.csv"), _ORDERS, highest_first=("throughput",))
    return Reproduction(claims, found, tuple(_numbers(found)), tuple(orders))


# From records to figures

CHOICES: dict[str, Callable[[Figures], float] | None] = {
    "default": None,
    "fastest": lambda one: one.encrypt_cycles + one.decrypt_cycles,
    "smallest": lambda one: one.code_bytes,
    "least data": lambda one: one.data_bytes,
    "shortest set-up": lambda one: one.init_cycles,
}
"""How each variant is chosen, alike for all: the least of this, or the catalogue's default on 8 bits."""

_LANGUAGE = {False: "C", True: "assembly"}

_ONE_AIM = ("fastest", "smallest")
"""Choices in which C and assembly are written for the same end."""
_OF_ONE_AIM = ("seed002-17",)


def _asked(claim: str, found: Tables) -> Tables:
    """The settings of which a claim is asked; a choice of which it is not has none."""
    if claim not in _OF_ONE_AIM:
        return found
    return {choice: by_flags if choice in _ONE_AIM else {} for choice, by_flags in found.items()}


_Choose = Callable[[Cipher, Sequence[Figures]], Figures]


def _choices(defaults: Defaults) -> dict[str, _Choose]:
    """`defaults` are the catalogue's default variants; none is in assembly, whose fastest stands for it."""

    def choice(name: str) -> _Choose:
        def choose(cipher: Cipher, candidates: Sequence[Figures]) -> Figures:
            size = CHOICES["fastest" if name == "default" and cipher.assembly else name]
            if size is None:
                found = next((one for one in candidates if (one.variant, TARGET) in defaults), None)
            else:
                found = min(candidates, key=size, default=None)
            if found is None:
                raise MissingFigure(_why_missing(cipher, candidates))
            return found

        return choose

    return {name: choice(name) for name in CHOICES}


def _why_missing(cipher: Cipher, candidates: Sequence[Figures]) -> str:
    what = f"the default variant of {cipher.primitive}" if candidates else cipher.primitive
    return (
        f"no verified figures of {what} in {_LANGUAGE[cipher.assembly]}"
        f" whose set-up makes round keys of {cipher.round_keys_bytes} bytes"
    )


def _candidates(records: Sequence[Record], cipher: Cipher) -> Iterator[Figures]:
    for variant, done in by_variant(records, cipher):
        encrypt = done["encrypt"]
        yield Figures(
            cipher.name,
            variant,
            str(encrypt["toolchain"]),
            str(encrypt["flags"]),
            integer(encrypt, "clock_hz"),
            integer(encrypt, "message_bytes"),
            integer(encrypt, "rom_bytes"),
            max(integer(record, "ram_bytes") for record in done.values()),
            max(cycles(record) for name, record in done.items() if name.startswith("init")),
            cycles(encrypt),
            cycles(done["decrypt"]),
        )


# Figures of the five, by name

Figure = Callable[[Figures], float]


_code: Figure = attrgetter("code_bytes")
_data: Figure = attrgetter("data_bytes")
_init: Figure = attrgetter("init_cycles")
_encrypt: Figure = attrgetter("encrypt_cycles")
_decrypt: Figure = attrgetter("decrypt_cycles")

_MEMORIES: dict[str, Figure] = {"code memory": _code, "data memory": _data}
_TIMES: dict[str, Figure] = {"encryption": _encrypt, "decryption": _decrypt}
_THROUGHPUTS: dict[str, Figure] = {
    "encryption": methodcaller("throughput", "encrypt"),
    "decryption": methodcaller("throughput", "decrypt"),
}


# Published numbers and orders beside ours

_NUMBERS: dict[str, dict[str, Callable[[Sheet], float]]] = {
    "MARS code memory": {"": lambda table: _code(table[MARS]) / 1024},
    "MARS data memory": {"": lambda table: _data(table[MARS])},
    "AES throughput / MARS throughput": {
        f", {what}": ratio(figure, AES, MARS) for what, figure in _THROUGHPUTS.items()
    },
    "AES throughput / Serpent throughput": {
        f", {what}": ratio(figure, AES, SERPENT) for what, figure in _THROUGHPUTS.items()
    },
}

_ORDERS: dict[str, dict[str, Figure]] = {
    "code memory": {"": _code},
    "data memory": {"": _data},
    "key expansion": {"": _init},
    "time per block": _TIMES,
    "throughput": _THROUGHPUTS,
}


def _numbers(found: Tables) -> Iterator[Number]:
    for row in read_table(HERE / "text-numbers.csv"):
        low, high = float(row["low"]), float(row["high"])
        for suffix, ours in _NUMBERS[row["quantity"]].items():
            for choice, flags, table in figures.settings(found):
                with suppress(MissingFigure):
                    quantity = row["quantity"] + suffix
                    yield Number(quantity, row["unit"], low, high, choice, flags, ours(table))


# The claims

_TIME_ORDER, _THROUGHPUT_ORDER = (
    (CAST5, AES, CAMELLIA, MARS, SERPENT),
    (AES, CAST5, CAMELLIA, MARS, SERPENT),
)


CLAIMS: Mapping[str, Mapping[str, Callable[[Sheet], bool]]] = {
    "seed002-01": {
        f"code within {ABOUT:.0%} of 31 KB": about(_code, MARS, 31 * 1024),
        f"data within {ABOUT:.0%} of 392 bytes": about(_data, MARS, 392),
    },
    "seed002-02": {f"most {what}": among_last(FIVE, figure, MARS) for what, figure in _MEMORIES.items()},
    "seed002-03": {
        f"least {what} of the five": among_first(FIVE, figure, AES, SERPENT)
        for what, figure in _MEMORIES.items()
    },
    "seed002-04": {
        f"{name} needs more code than AES and Serpent": more(_code, name, AES, SERPENT)
        for name in (CAST5, CAMELLIA)
    },
    "seed002-05": {
        "code or data is too large": lambda table: (
            table[MARS].code_bytes > CODE_8051_BYTES or table[MARS].data_bytes > DATA_8051_BYTES
        )
    },
    "seed002-06": {"shortest of the five": among_first(FIVE, _init, AES)},
    "seed002-07": {"longest of the five": among_last(FIVE, _init, SERPENT)},
    "seed002-08": {f"longer than {name}": more(_init, CAST5, name) for name in (AES, CAMELLIA)},
    "seed002-09": {what: among_first(FIVE, figure, CAST5) for what, figure in _TIMES.items()},
    "seed002-10": {what: more(figure, AES, CAST5) for what, figure in _THROUGHPUTS.items()},
    "seed002-11": {what: in_order(figure, _TIME_ORDER) for what, figure in _TIMES.items()},
    "seed002-12": {
        what: in_order(figure, _THROUGHPUT_ORDER, highest_first=True) for what, figure in _THROUGHPUTS.items()
    },
    "seed002-13": {
        f"{what}, within {CLOSE:.0%}": alike(figure, CAMELLIA, CAST5) for what, figure in _THROUGHPUTS.items()
    },
    "seed002-14": {what: within(figure, AES, MARS, 4.5, 6) for what, figure in _THROUGHPUTS.items()},
    "seed002-15": {what: within(figure, AES, SERPENT, 30, 40) for what, figure in _THROUGHPUTS.items()},
    "seed002-16": {what: rising(figure, AES, "AES-192", "AES-256") for what, figure in _TIMES.items()},
    "seed002-17": {
        f"{what} of AES, within {CLOSE:.0%}": alike(figure, AES, ASSEMBLY)
        for what, figure in {**_TIMES, "code size": _code}.items()
    },
    "seed002-18": {
        **{f"slowest {what}": among_last(FIVE, figure, SERPENT) for what, figure in _TIMES.items()},
        **{
            f"{what} among the two smallest": at_place(FIVE, figure, SERPENT, 1, 2)
            for what, figure in _MEMORIES.items()
        },
    },
}
"""What each claim says, as tests of the five's figures."""

STUDY = Study(
    title="Block ciphers on the ATmega128 (2010)",
    note="A publication's figures and claims beside those of the records here. It says neither which"
    " implementation of a cipher it took nor its compiler's flags, so every claim is asked of several choices"
    " of variants at each of the flags measured.",
    targets=(TARGET,),
    primitives=tuple(cipher.primitive for cipher in CIPHERS),
    judge=reproduce,
    measure=in_steps(steps, TARGET),
)

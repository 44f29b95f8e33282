"""Five block ciphers on the ATmega128 at 16 MHz, as published in 2010.

The publication is described in `reference/README.md`, its numbers lie in `reference/block-ciphers-avr-2010/`.
Compiler version, flags and the variants it measured are not stated: every claim is asked of several choices
of variants, at each of the usual flags. What its text does say decides what is comparable: programs in C
("Cipher implementation details and tools"), whose initialisation makes the round keys that encryption then
uses ("Execution time"). So a variant that expands the key while it encrypts is left out, and one that makes
tables besides is not.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from steelyard.data import data_root
from steelyard.measure.record import Record
from steelyard.measure.selection import Selection
from steelyard.reproduce.figures import Cipher, Figures, Table, tables
from steelyard.reproduce.verdict import MissingFigure, Statement, Verdict, judge

TITLE = "Block ciphers on the ATmega128 (2010)"

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

ABOUT = 0.10
"""How far, relative to a published number, another may be and still be "about" it."""
CLOSE = 0.25
"""How far apart, relative to the larger one, two figures may be and still be "close"."""

CODE_8051_BYTES, DATA_8051_BYTES = 4 * 1024, 256

Statements = tuple[Statement[Table], ...]
Tables = dict[str, dict[str, Table]]


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
class Order:
    """A printed order of the five beside ours in one setting; `AES/Serpent` leaves open which comes first."""

    quantity: str
    published: tuple[str, ...]
    choice: str
    flags: str
    ours: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether ours is one of the orders that the printed one allows."""
        left = list(self.ours)
        for group in self.published:
            names = group.split("/")
            if set(left[: len(names)]) != set(names):
                return False
            del left[: len(names)]
        return True


@dataclass(frozen=True)
class Claim:
    """A published claim with the finding on it, over all settings and by choice of variants."""

    claim: str
    section: str
    statement: str
    verdict: Verdict


@dataclass(frozen=True)
class Reproduction:
    """Everything that is shown: figures by choice of variants and flags, the publication's beside them."""

    tables: Tables
    numbers: tuple[Number, ...]
    orders: tuple[Order, ...]
    claims: tuple[Claim, ...]


def selection(toolchain: str) -> Selection:
    """What is measured: every variant of the ciphers, built to encrypt and to decrypt."""
    return Selection(
        primitive=tuple(dict.fromkeys(cipher.primitive for cipher in CIPHERS)),
        variant=("*",),
        target=("atmega128",),
        toolchain=(toolchain,),
        flags=("-Os", "-O2", "-O3"),
        footprint=("both",),
    )


def reproduce(records: Sequence[Record], defaults: Collection[str]) -> Reproduction:
    """The comparison that these records of one compiler allow; `defaults` are the default variants' names.

    Nothing but them and the published numbers goes in.
    """
    found = tables(records, CIPHERS, defaults)
    claims = []
    for row in _read("claims.csv"):
        verdict = judge(CLAIMS[row["claim"]], found)
        claims.append(Claim(**row, verdict=verdict))
    return Reproduction(found, tuple(_numbers(found)), tuple(_orders(found)), tuple(claims))


def _read(name: str) -> list[dict[str, str]]:
    folder = Path(data_root() / "reference" / "block-ciphers-avr-2010")
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# Figures of the five, by name

Figure = Callable[[Figures], float]


def _code(figures: Figures) -> float:
    return figures.code_bytes


def _data(figures: Figures) -> float:
    return figures.data_bytes


def _init(figures: Figures) -> float:
    return figures.init_cycles


def _encrypt(figures: Figures) -> float:
    return figures.encrypt_cycles


def _decrypt(figures: Figures) -> float:
    return figures.decrypt_cycles


def _encrypt_throughput(figures: Figures) -> float:
    return figures.throughput("encrypt")


def _decrypt_throughput(figures: Figures) -> float:
    return figures.throughput("decrypt")


_MEMORIES: dict[str, Figure] = {"code memory": _code, "data memory": _data}
_TIMES: dict[str, Figure] = {"encryption": _encrypt, "decryption": _decrypt}
_THROUGHPUTS: dict[str, Figure] = {"encryption": _encrypt_throughput, "decryption": _decrypt_throughput}


def _ranked(table: Table, figure: Figure, *, highest_first: bool = False) -> tuple[str, ...]:
    """The five in order of a figure."""
    return tuple(sorted(FIVE, key=lambda name: figure(table[name]), reverse=highest_first))


def _ratio(figure: Figure, above: str, below: str) -> Callable[[Table], float]:
    return lambda table: figure(table[above]) / figure(table[below])


# Published numbers and orders beside ours

_NUMBERS: dict[str, dict[str, Callable[[Table], float]]] = {
    "MARS code memory": {"": lambda table: _code(table[MARS]) / 1024},
    "MARS data memory": {"": lambda table: _data(table[MARS])},
    "AES throughput / MARS throughput": {
        f", {what}": _ratio(figure, AES, MARS) for what, figure in _THROUGHPUTS.items()
    },
    "AES throughput / Serpent throughput": {
        f", {what}": _ratio(figure, AES, SERPENT) for what, figure in _THROUGHPUTS.items()
    },
}

_ORDERS: dict[str, tuple[dict[str, Figure], bool]] = {
    "code memory": ({"": _code}, False),
    "data memory": ({"": _data}, False),
    "key expansion": ({"": _init}, False),
    "time per block": (_TIMES, False),
    "throughput": (_THROUGHPUTS, True),
}


def _settings(found: Tables) -> Iterator[tuple[str, str, Table]]:
    for choice, by_flags in found.items():
        for flags, table in by_flags.items():
            yield choice, flags, table


def _numbers(found: Tables) -> Iterator[Number]:
    for row in _read("text-numbers.csv"):
        low, high = float(row["low"]), float(row["high"])
        for suffix, ours in _NUMBERS[row["quantity"]].items():
            for choice, flags, table in _settings(found):
                with suppress(MissingFigure):
                    quantity = row["quantity"] + suffix
                    yield Number(quantity, row["unit"], low, high, choice, flags, ours(table))


def _orders(found: Tables) -> Iterator[Order]:
    for row in _read("orders.csv"):
        figures, highest_first = _ORDERS[row["quantity"]]
        for what, figure in figures.items():
            for choice, flags, table in _settings(found):
                with suppress(MissingFigure):
                    ours = _ranked(table, figure, highest_first=highest_first)
                    quantity = f"{row['quantity']}, {what}" if what else row["quantity"]
                    yield Order(quantity, tuple(row["order"].split()), choice, flags, ours)


# The claims

_TIME_ORDER, _THROUGHPUT_ORDER = (
    (CAST5, AES, CAMELLIA, MARS, SERPENT),
    (AES, CAST5, CAMELLIA, MARS, SERPENT),
)


def _statements(tests: Mapping[str, Callable[[Table], bool]]) -> Statements:
    return tuple(Statement(text, test) for text, test in tests.items())


def _about(figure: Figure, name: str, published: float) -> Callable[[Table], bool]:
    return lambda table: abs(figure(table[name]) / published - 1) <= ABOUT


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= CLOSE * max(one, other)


def _alike(figure: Figure, one: str, other: str) -> Callable[[Table], bool]:
    return lambda table: _close(figure(table[one]), figure(table[other]))


def _rising(figure: Figure, *names: str) -> Callable[[Table], bool]:
    return lambda table: all(figure(table[a]) < figure(table[b]) for a, b in pairwise(names))


def _within(figure: Figure, above: str, below: str, low: float, high: float) -> Callable[[Table], bool]:
    ratio = _ratio(figure, above, below)
    return lambda table: low <= ratio(table) <= high


def _first(figure: Figure, *names: str) -> Callable[[Table], bool]:
    """These have the lowest figures of the five, in whatever order."""
    return lambda table: set(_ranked(table, figure)[: len(names)]) == set(names)


def _two_least(figure: Figure, name: str) -> Callable[[Table], bool]:
    return lambda table: name in _ranked(table, figure)[:2]


def _last(figure: Figure, name: str) -> Callable[[Table], bool]:
    return lambda table: _ranked(table, figure)[-1] == name


def _more(figure: Figure, name: str, *than: str) -> Callable[[Table], bool]:
    return lambda table: all(figure(table[name]) > figure(table[other]) for other in than)


def _in_order(
    figure: Figure, order: tuple[str, ...], *, highest_first: bool = False
) -> Callable[[Table], bool]:
    return lambda table: _ranked(table, figure, highest_first=highest_first) == order


def _beyond_8051(table: Table) -> bool:
    return table[MARS].code_bytes > CODE_8051_BYTES or table[MARS].data_bytes > DATA_8051_BYTES


CLAIMS: dict[str, Statements] = {
    "seed002-01": _statements(
        {
            f"code within {ABOUT:.0%} of 31 KB": _about(_code, MARS, 31 * 1024),
            f"data within {ABOUT:.0%} of 392 bytes": _about(_data, MARS, 392),
        }
    ),
    "seed002-02": _statements({f"most {what}": _last(figure, MARS) for what, figure in _MEMORIES.items()}),
    "seed002-03": _statements(
        {f"least {what} of the five": _first(figure, AES, SERPENT) for what, figure in _MEMORIES.items()}
    ),
    "seed002-04": _statements(
        {
            f"{name} needs more code than AES and Serpent": _more(_code, name, AES, SERPENT)
            for name in (CAST5, CAMELLIA)
        }
    ),
    "seed002-05": _statements({"code or data is too large": _beyond_8051}),
    "seed002-06": _statements({"shortest of the five": _first(_init, AES)}),
    "seed002-07": _statements({"longest of the five": _last(_init, SERPENT)}),
    "seed002-08": _statements({f"longer than {name}": _more(_init, CAST5, name) for name in (AES, CAMELLIA)}),
    "seed002-09": _statements({what: _first(figure, CAST5) for what, figure in _TIMES.items()}),
    "seed002-10": _statements({what: _more(figure, AES, CAST5) for what, figure in _THROUGHPUTS.items()}),
    "seed002-11": _statements({what: _in_order(figure, _TIME_ORDER) for what, figure in _TIMES.items()}),
    "seed002-12": _statements(
        {
            what: _in_order(figure, _THROUGHPUT_ORDER, highest_first=True)
            for what, figure in _THROUGHPUTS.items()
        }
    ),
    "seed002-13": _statements(
        {
            f"{what}, within {CLOSE:.0%}": _alike(figure, CAMELLIA, CAST5)
            for what, figure in _THROUGHPUTS.items()
        }
    ),
    "seed002-14": _statements(
        {what: _within(figure, AES, MARS, 4.5, 6) for what, figure in _THROUGHPUTS.items()}
    ),
    "seed002-15": _statements(
        {what: _within(figure, AES, SERPENT, 30, 40) for what, figure in _THROUGHPUTS.items()}
    ),
    "seed002-16": _statements(
        {what: _rising(figure, AES, "AES-192", "AES-256") for what, figure in _TIMES.items()}
    ),
    "seed002-17": _statements(
        {
            f"{what} of AES, within {CLOSE:.0%}": _alike(figure, AES, ASSEMBLY)
            for what, figure in {**_TIMES, "code size": _code}.items()
        }
    ),
    "seed002-18": _statements(
        {
            **{f"slowest {what}": _last(figure, SERPENT) for what, figure in _TIMES.items()},
            **{
                f"{what} among the two smallest": _two_least(figure, SERPENT)
                for what, figure in _MEMORIES.items()
            },
        }
    ),
}
"""What each claim says, as tests of the five's figures."""

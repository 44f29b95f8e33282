"""Five block ciphers on the StrongARM SA-1100 at 200 MHz under memory constraints, as published.

The publication and its tables are described in the README beside. What its text says decides which variants
are compared:

* C, with tables of at most 1 KB and less than 1 KB of RAM (introduction, section 5.1): the rule
  "small-memory".
* Key expansion and encryption are timed apart (section 6.1): a variant that expands the key while it encrypts
  is left out. XTEA has no key expansion.
* Two versions of Rijndael: one with constant tables, the other with two tables of 256 bytes that are made at
  run time (sections 5 and 5.1). Both work on words of 32 bits. Tables do not depend on the key, and a
  function of its own makes them in the second: it is no part of the key expansion.
* Section 5 says how each cipher was written. The variant of this library that is nearest to it is
  `DESCRIBED`; the rule alone leaves more, of which "fastest" and "smallest" are chosen, alike for all.

Compiler version and flags are not stated: every claim is asked at each of the usual flags.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from operator import attrgetter, methodcaller
from pathlib import Path
from statistics import correlation

import polars as pl

from steelyard.catalog.load import Catalog
from steelyard.measure.rules import RULES, MemoryRule
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
    is_close,
    more,
    orders_of,
    orders_table,
    within,
)
from steelyard.study.figures import Cipher, by_variant, cycles, integer
from steelyard.study.measure import in_steps
from steelyard.study.model import Defaults, Order, Outcome, Row, Step, Steps, Study
from steelyard.study.published import claims_of, read_table
from steelyard.study.verdict import Claimed, MissingFigure, Verdict, judge, of_all

TARGET = "sa1100"
HERE = Path(__file__).parent

RC6, RIJNDAEL, SERPENT, TWOFISH, XTEA = FIVE = ("RC6", "Rijndael", "Serpent", "Twofish", "XTEA")
RUN_TIME = "Rijndael, run-time table"
CALLED, INLINE = SERPENTS = ("Serpent, functions", "Serpent, inline")
TABLES_4 = "Serpent, 4-bit tables"
MARS = "MARS"
SIX = (*FIVE, RUN_TIME)
_OF_128_BITS = (RC6, RIJNDAEL, SERPENT, TWOFISH)

# Expanded keys in bytes, as the ciphers' specifications have them: 44 words for RC6-32/20, a block per round
# and one more for Rijndael and Serpent, 40 words for Twofish and MARS; XTEA's is its key.
_RIJNDAEL_BYTES, _SERPENT_BYTES, _TABLE_BYTES = 176, 528, 256
CIPHERS = (
    Cipher(RC6, "rc6-32-20-16", 176),
    Cipher(RIJNDAEL, "aes-128", _RIJNDAEL_BYTES, context_below_bytes=_RIJNDAEL_BYTES + _TABLE_BYTES),
    Cipher(SERPENT, "serpent-128", _SERPENT_BYTES),
    Cipher(TWOFISH, "twofish-128", 160),
    Cipher(XTEA, "xtea", 16),
    Cipher(RUN_TIME, "aes-128", _RIJNDAEL_BYTES + 2 * _TABLE_BYTES, variants=("aes/sbox-columns-ram",)),
    Cipher(CALLED, "serpent-128", _SERPENT_BYTES, variants=("serpent/bitslice-calls",)),
    Cipher(INLINE, "serpent-128", _SERPENT_BYTES, variants=("serpent/bitslice",)),
    Cipher(TABLES_4, "serpent-128", _SERPENT_BYTES, variants=("serpent/table4",)),
    Cipher(MARS, "mars-128", 160, variants=("mars/fast",)),
)

MAKES_TABLES = "aes_make_tables"
"""The function of RUN_TIME's set-up that is no key expansion."""

DESCRIBED = {
    # Four rounds in the body of a loop.
    RC6: "rc6/fast",
    # Two S-boxes of 256 bytes, constant, and MixColumns for a 32-bit processor.
    RIJNDAEL: "aes/sbox-rows",
    # S-boxes as Boolean functions that are called from a compact loop.
    SERPENT: "serpent/bitslice-calls",
    # q0 and q1 as tables of 256 bytes, rounds in a loop.
    TWOFISH: "twofish/q-tables",
    # The original source: both halves of a cycle in a loop.
    XTEA: "xtea/fast",
}
"""The variant nearest to how section 5 describes each cipher."""

MODES = ("ecb", "cbc", "ctr", "cfb", "ofb")
DATUM_BYTES, BLOCKS = 16, 1000
MESSAGE_BYTES = BLOCKS * DATUM_BYTES
MODE_SAMPLES = 2
"""Messages measured in a mode: each is of a thousand random blocks."""

MEGABYTES = {"10^6": 10**6, "2^20": 2**20}
"""What the publication's MB may mean; it does not say."""

NEGLIGIBLE = 0.05
"""Most of the time of a thousand blocks that the key expansion may take and still not count."""
SMALL = 0.10
"""Most of ECB's throughput that another mode may lose and still differ relatively little."""
POWER_SPREAD = 0.20
"""Spread of the power that sections 6.2 and 7 state."""
NEARLY_PROPORTIONAL = 0.99
"""Least correlation of energy and time."""
CURRENT_SPREAD = 0.38
"""By how much the current of an instruction differs from the average, as section 6.2 cites it."""
HARDLY = 0.05
"""Most of the power that functional units may take and still hardly matter."""
DOMINANT = 0.5
"""Least share of the power with which caches, control and clock dominate."""
FUNCTIONAL_UNITS = ("ALU", "multiplier")
DOMINATING = ("clock", "instruction cache", "data cache", "TLBs")
"""Parts of the simulated form; it has no part for control."""
MEASURED, SIMULATED = FORMS = ("measured", "simulated")
"""Forms of the energy: as a chip was measured, and as the publication's simulator computes it."""

MARS_TABLE_BYTES = 2048

OPERATIONS = ("key expansion", "encryption", "decryption")


@dataclass(frozen=True)
class Weighed:
    """One variant of one cipher, built for both directions; cycles and nanojoules of 16 bytes of data.

    `text_bytes` holds constant tables, `ram_bytes` is the most that an operation needs, `expand_cycles` the
    set-up for encryption and `expand_decrypt_cycles` that for decryption. `mode_cycles` are by mode those of
    a thousand data. Energy is None where the chip has no model of it; `encrypt_shares` are those of the
    simulated form, and `encrypt_swing` is the largest difference of its power in a window from the average,
    of 1.
    """

    cipher: str
    variant: str
    toolchain: str
    flags: str
    clock_hz: int
    text_bytes: int
    const_bytes: int
    ram_bytes: int
    context_bytes: int
    small_memory: bool
    expand_cycles: float
    expand_decrypt_cycles: float
    encrypt_cycles: float
    decrypt_cycles: float
    expand_nj: float | None
    encrypt_nj: float | None
    decrypt_nj: float | None
    expand_simulated_nj: float | None
    encrypt_simulated_nj: float | None
    decrypt_simulated_nj: float | None
    encrypt_shares: tuple[tuple[str, float], ...]
    encrypt_swing: float | None
    mode_cycles: tuple[tuple[str, float], ...]

    def cycles_of(self, operation: str) -> float:
        """Cycles of one of OPERATIONS."""
        return dict(
            zip(OPERATIONS, (self.expand_cycles, self.encrypt_cycles, self.decrypt_cycles), strict=True)
        )[operation]

    def energy_nj(self, operation: str, form: str = MEASURED) -> float:
        """Nanojoules of one of OPERATIONS in one of FORMS; MissingFigure without a model."""
        found = {
            MEASURED: (self.expand_nj, self.encrypt_nj, self.decrypt_nj),
            SIMULATED: (self.expand_simulated_nj, self.encrypt_simulated_nj, self.decrypt_simulated_nj),
        }
        energy_nj = dict(zip(OPERATIONS, found[form], strict=True))[operation]
        if energy_nj is None:
            raise MissingFigure(f"no {form} energy of {self.cipher}")
        return energy_nj

    def power_mw(self, operation: str, form: str = MEASURED) -> float:
        """Average power of one of OPERATIONS in milliwatts; MissingFigure without a model."""
        return self.energy_nj(operation, form) / 1e6 * self.clock_hz / self.cycles_of(operation)

    def perhaps_power_mw(self, operation: str, form: str = MEASURED) -> float | None:
        """Average power of the operation in milliwatts, None without a model."""
        with suppress(MissingFigure):
            return self.power_mw(operation, form)
        return None

    def share(self, *parts: str) -> float:
        """Share of the power of encryption that these parts take together; MissingFigure without a model."""
        if not self.encrypt_shares:
            raise MissingFigure(f"no shares of {self.cipher}")
        return sum(share for part, share in self.encrypt_shares if part in parts)

    def cycles_in(self, mode: str) -> float:
        """Cycles of 16 bytes in a mode; MissingFigure where it was not measured."""
        for name, count in self.mode_cycles:
            if name == mode:
                return count / BLOCKS
        raise MissingFigure(f"no verified figures of {self.variant} in {mode.upper()}")

    def throughput(self, mode: str) -> float:
        """Bytes per second in a mode, key expansion apart; MissingFigure where it was not measured."""
        return DATUM_BYTES * self.clock_hz / self.cycles_in(mode)

    def message_cycles(self, blocks: int) -> float:
        """Cycles of the key expansion and of so many data in ECB."""
        return self.expand_cycles + blocks * self.cycles_in("ecb")


Sheet = figures.Sheet[Weighed]
Tables = figures.Tables[Weighed]


@dataclass(frozen=True)
class Throughput:
    """A throughput of Table 2 beside ours in one setting, in bytes per second."""

    cipher: str
    mode: str
    published_mb_per_s: float
    choice: str
    flags: str
    variant: str
    ours_bytes_per_s: float
    clock_hz: int

    def ratio(self, megabyte: str) -> float:
        """Ours over the published one, whose MB is one of MEGABYTES."""
        return self.ours_bytes_per_s / (self.published_mb_per_s * MEGABYTES[megabyte])

    def published_cycles(self, megabyte: str) -> float:
        """Cycles of 16 bytes as published."""
        return DATUM_BYTES * self.clock_hz / (self.published_mb_per_s * MEGABYTES[megabyte])

    @property
    def cycles(self) -> float:
        """Ours."""
        return DATUM_BYTES * self.clock_hz / self.ours_bytes_per_s


@dataclass(frozen=True)
class Reproduction(Outcome):
    """Figures by choice of variants and flags, the publication's beside them."""

    sheets: Tables
    throughputs: tuple[Throughput, ...]
    orders: tuple[Order, ...]

    @property
    def worth_showing(self) -> bool:
        return not self._bars.is_empty()

    def figure_rows(self) -> Iterator[Row]:
        for choice, _, sheet in figures.settings(self.sheets):
            for one in sheet:
                powers = {
                    f"{operation.replace(' ', '_')}_power_mw": one.perhaps_power_mw(operation)
                    for operation in OPERATIONS
                }
                modes = {"mode_cycles": dict(one.mode_cycles)}
                yield {"table": "figure", "choice": choice, **asdict(one), **modes, **powers}
        for one_mode in self.throughputs:
            yield {
                "table": "throughput",
                **asdict(one_mode),
                "cycles": one_mode.cycles,
                "ratio": {name: one_mode.ratio(name) for name in MEGABYTES},
                "published_cycles": {name: one_mode.published_cycles(name) for name in MEGABYTES},
            }
        for order in self.orders:
            yield order.row

    def tables(self) -> Mapping[str, Table]:
        rows = tuple(
            (
                *(one.flags, one.cipher, one.variant, *weights(one), *_power(one)),
                ", ".join(choices) + ("" if one.small_memory else " (breaks the memory rule)"),
            )
            for one, choices in figures.by_choice(self.sheets)
        )
        headings = (
            *("Flags", "Cipher", "Variant", *WEIGHTS),
            *("Encryption, mW", "Simulated, mW", "Caches, clock", "ALU, multiplier", "Chosen as"),
        )
        seldom = (
            "Caches, clock",
            "ALU, multiplier",
            "Simulated, mW",
            "Encryption, mW",
            "Key, µJ",
            "Decryption, µJ",
            "Tables",
            "Text",
            "Key expansion",
            "Encryption, µJ",
        )
        return {
            "figures": Table("Bytes, cycles and energy of each variant chosen", headings, rows, 3, seldom),
            "throughput": self._throughput_table(),
            "orders": orders_table(self.orders),
        }

    def _throughput_table(self) -> Table:
        rows = tuple(
            (
                one.flags,
                one.choice,
                one.cipher,
                one.mode,
                f"{one.published_mb_per_s:.3f}",
                f"{one.ours_bytes_per_s / 1e6:.3f}",
                *(f"{one.ratio(megabyte):.2f}" for megabyte in MEGABYTES),
            )
            for one in self.throughputs
        )
        headings = ("Flags", "Variants", "Cipher", "Mode", "Published, MB/s", "Ours, 10^6 bytes/s")
        ratios = tuple(f"Ratio, MB of {megabyte}" for megabyte in MEGABYTES)
        return Table("Throughput beside the published one", (*headings, *ratios), rows, 4)

    def charts(self) -> Iterator[Chart]:
        for quantity, (title, axis, caption, digits) in _FIGURES.items():
            rows = self._bars.filter(pl.col("quantity") == quantity).drop("quantity")
            if len(rows):
                yield bar_chart(f"energy-sa1100-{quantity}", title, caption, axis, _ORDER, rows, digits)

    @cached_property
    def _bars(self) -> pl.DataFrame:
        """A row for each bar, none of a setting in which one of the five is missing."""
        published = {(one.cipher, one.mode.lower()): one.published_mb_per_s for one in self.throughputs}
        listed = [
            {"variants": choice, "flags": flags, **bar}
            for choice, flags, sheet in figures.settings(self.sheets)
            for bar in _bars_of(sheet, published)
        ]
        return pl.DataFrame(listed, infer_schema_length=None)

    def remarks(self) -> Iterator[str]:
        yield "Cycles and energy are of a key expansion and of 16 bytes; XTEA's are of two blocks."


WEIGHTS = (
    *("Text", "Tables", "RAM", "Key expansion", "Encryption", "Decryption"),
    *("Key, µJ", "Encryption, µJ", "Decryption, µJ"),
)


def weights(one: Weighed) -> tuple[str, ...]:
    """Bytes, cycles and microjoules of a variant, as WEIGHTS names them."""
    energies = (one.expand_nj, one.encrypt_nj, one.decrypt_nj)
    return (
        *(f"{size:,}" for size in (one.text_bytes, one.const_bytes, one.ram_bytes)),
        *(f"{one.cycles_of(operation):,.0f}" for operation in OPERATIONS),
        *("" if energy_nj is None else f"{energy_nj / 1e3:,.2f}" for energy_nj in energies),
    )


def _power(one: Weighed) -> Iterator[str]:
    for form in FORMS:
        power_mw = one.perhaps_power_mw("encryption", form)
        yield "" if power_mw is None else f"{power_mw:,.0f}"
    for parts in (DOMINATING, FUNCTIONAL_UNITS):
        yield f"{one.share(*parts):.1%}" if one.encrypt_shares else ""


_ORDER = (RC6, XTEA, RIJNDAEL, RUN_TIME, SERPENT, TWOFISH)
_FIGURES = {
    "cycles": (
        "Cycles",
        "cycles",
        "Ours in the form of the publication's Figures 3 and 4, which print no numbers.",
        0,
    ),
    "energy": (
        "Energy",
        "energy, microjoules",
        "Ours by the chip's energy model, in the form of the publication's Figures 6 and 7, which print no"
        " numbers.",
        2,
    ),
    "power": (
        "Power",
        "average power, milliwatts",
        "Ours as the publication's simulator computes it, in the form of its Figure 5, which prints no"
        " numbers; one scale for all, set by a program that is no cipher. As the chip was measured, the power"
        " of all is nearly the same.",
        0,
    ),
    "code": (
        "Code size",
        "text with constant tables, bytes",
        "Ours in the form of the publication's Figure 2, which prints no numbers; both directions.",
        0,
    ),
    "throughput": (
        "Throughput by mode",
        "MB/s of 10^6 bytes",
        "A thousand blocks of 16 bytes, key expansion apart. The marks are the publication's Table 2, from MB"
        " of 10^6 to MB of 2^20 bytes, as it does not say which it means.",
        3,
    ),
}
"""Title, axis, caption and digits of each quantity drawn."""


def _bars_of(sheet: Sheet, published: Mapping[tuple[str, str], float]) -> Iterator[Row]:
    shown: list[Weighed] = []
    with suppress(MissingFigure):
        shown = [sheet[name] for name in FIVE]
        shown.append(sheet[RUN_TIME])
    for one in shown if len(shown) >= len(FIVE) else ():
        named = {"cipher": one.cipher, "variant": one.variant, "low": None, "high": None}
        yield {**named, "quantity": "code", "what": "code", "value": float(one.text_bytes)}
        for operation in OPERATIONS:
            yield {**named, "quantity": "cycles", "what": operation, "value": one.cycles_of(operation)}
            with suppress(MissingFigure):
                energy_uj = one.energy_nj(operation) / 1e3
                yield {**named, "quantity": "energy", "what": operation, "value": energy_uj}
                power_mw = one.power_mw(operation, SIMULATED)
                yield {**named, "quantity": "power", "what": operation, "value": power_mw}
        for mode in MODES:
            with suppress(MissingFigure):
                low = published.get((one.cipher, mode))
                yield {
                    **named,
                    "quantity": "throughput",
                    "what": mode.upper(),
                    "value": one.throughput(mode) / 1e6,
                    "low": low,
                    "high": None if low is None else low * MEGABYTES["2^20"] / 1e6,
                }


# What is measured


def steps(_: Catalog, toolchain: str) -> Steps:
    """What is measured: every variant of the ciphers, then those that are chosen in the five modes."""
    flags = ("-O2", "-O3")

    def blocks(_: Sequence[Record]) -> Step:
        selection = Selection(
            primitive=tuple(dict.fromkeys(cipher.primitive for cipher in CIPHERS)),
            variant=("*",),
            target=(TARGET,),
            toolchain=(toolchain,),
            flags=flags,
            footprint=("both",),
        )
        return Step((selection,))

    def modes(records: Sequence[Record]) -> Step:
        chosen = {
            (one.cipher, one.variant)
            for by_flags in _tables(records).values()
            for table in by_flags.values()
            for one in table
            if one.cipher in SIX
        }
        named = {cipher.name: cipher.primitive for cipher in CIPHERS}
        selection = Selection(
            primitive=tuple(dict.fromkeys(named[cipher] for cipher, _ in sorted(chosen))),
            variant=tuple(sorted({variant for _, variant in chosen})),
            target=(TARGET,),
            toolchain=(toolchain,),
            flags=flags,
            operation=("encrypt",),
            mode=MODES,
            length=(MESSAGE_BYTES,),
            footprint=("both",),
        )
        return Step((selection,), samples=MODE_SAMPLES)

    return blocks, modes


def reproduce(records: Sequence[Record], _: Defaults = ()) -> Reproduction:
    """The comparison that these records of one compiler allow.

    Nothing but them and the published numbers goes in.
    """
    found = _tables(records)
    claims = claims_of(HERE, lambda claim: _verdict(claim, found))
    orders = orders_of(found, FIVE, read_table(HERE / "orders.csv"), _ORDERS)
    return Reproduction(claims, found, tuple(_throughputs(found)), tuple(orders))


# From records to figures


def _tables(records: Sequence[Record]) -> Tables:
    usual = [record for record in records if _is_usual(record)]
    return figures.tables(usual, CIPHERS, CHOICES, _candidates)


def _is_usual(record: Record) -> bool:
    return (
        record["target"] == TARGET
        and record["settings"] is None
        and record["cache_state"] != "cold"
        and record["message_bytes"] in (None, 8, DATUM_BYTES, MESSAGE_BYTES)
    )


def _candidates(records: Sequence[Record], cipher: Cipher) -> Iterator[Weighed]:
    rule = RULES["small-memory"]
    assert isinstance(rule, MemoryRule)
    modes: dict[tuple[str, str], float] = {
        (str(record["variant"]), str(record["mode"])): cycles(record)
        for record in records
        if record["mode"] in MODES
        and record["operation"] == "encrypt"
        and record["message_bytes"] == MESSAGE_BYTES
        and cipher.counts(record)
    }
    for variant, done in by_variant(records, cipher):
        if cipher.name == RUN_TIME:
            done["init"] = _without_tables(done["init"])
        encrypt, decrypt = done["encrypt"], done["decrypt"]
        expand_decrypt = done.get("init-decrypt", done["init"])
        per_datum = DATUM_BYTES / integer(encrypt, "message_bytes")
        yield Weighed(
            cipher.name,
            variant,
            str(encrypt["toolchain"]),
            str(encrypt["flags"]),
            integer(encrypt, "clock_hz"),
            integer(encrypt, "rom_bytes"),
            integer(encrypt, "rom_const_bytes"),
            max(integer(record, "ram_bytes") for record in done.values()),
            integer(encrypt, "ram_context_bytes"),
            all(rule.kept_by(record) for record in done.values()),
            cycles(done["init"]),
            cycles(expand_decrypt),
            per_datum * cycles(encrypt),
            per_datum * cycles(decrypt),
            _energy_nj(done["init"], "energy_nj", 1),
            _energy_nj(encrypt, "energy_nj", per_datum),
            _energy_nj(decrypt, "energy_nj", per_datum),
            _energy_nj(done["init"], "energy_simulated_nj", 1),
            _energy_nj(encrypt, "energy_simulated_nj", per_datum),
            _energy_nj(decrypt, "energy_simulated_nj", per_datum),
            tuple(json.loads(str(encrypt["energy_shares"] or "{}")).items()),
            _swing(encrypt["power_series"]),
            tuple((mode, modes[variant, mode]) for mode in MODES if (variant, mode) in modes),
        )


def _energy_nj(record: Record, field: str, factor: float) -> float | None:
    value = record[field]
    return factor * value if isinstance(value, float) else None


def _swing(power_series: object) -> float | None:
    """Return the largest difference of a window's power from the average, of 1, short windows apart."""
    if not isinstance(power_series, str):
        return None
    series = json.loads(power_series)
    if "simulated_mw" not in series:
        return None
    weighed = list(zip(series["cycles"], series["simulated_mw"], strict=True))
    mean_mw = sum(count * power_mw for count, power_mw in weighed) / sum(series["cycles"])
    longest = max(series["cycles"])
    whole = [power_mw for count, power_mw in weighed if 2 * count >= longest]
    return float(max(abs(power_mw - mean_mw) for power_mw in whole) / mean_mw)


def _without_tables(init: Record) -> Record:
    """Return the record of a set-up without the cycles of MAKES_TABLES; energies in the share of its cycles.

    MissingFigure if the record does not tell the cycles of functions apart.
    """
    if init["functions"] is None:
        raise MissingFigure(f"no cycles of the functions of {init['variant']}")
    made = sum(one["cycles"] for one in json.loads(str(init["functions"])) if one["name"] == MAKES_TABLES)
    left = 1 - made / cycles(init)
    scaled = {
        name: left * value
        for name, value in init.items()
        if isinstance(value, float) and (name == "cycles" or name.startswith("energy_"))
    }
    return {**init, **scaled}


def _described(cipher: Cipher, candidates: Sequence[Weighed]) -> Weighed:
    if cipher.name not in DESCRIBED:
        return _only(cipher, candidates)
    for one in candidates:
        if one.variant == DESCRIBED[cipher.name]:
            return one
    raise MissingFigure(f"no verified figures of {DESCRIBED[cipher.name]}")


def _only(cipher: Cipher, candidates: Sequence[Weighed]) -> Weighed:
    """The figure of a cipher that stands for one variant, whatever memory it takes."""
    if not candidates:
        raise MissingFigure(f"no verified figures of {', '.join(cipher.variants)}")
    return candidates[0]


def _least(
    figure: Callable[[Weighed], float],
) -> Callable[[Cipher, Sequence[Weighed]], Weighed]:
    """The variant with the lowest figure among those under the memory rule."""

    def choose(cipher: Cipher, candidates: Sequence[Weighed]) -> Weighed:
        if cipher.name not in SIX:
            return _only(cipher, candidates)
        under = [one for one in candidates if one.small_memory]
        if not under:
            raise MissingFigure(
                f"no verified figures of {cipher.name} ({cipher.primitive}) under the memory rule"
                f" with a context of at least {cipher.round_keys_bytes} bytes"
            )
        return min(under, key=figure)

    return choose


_AS_DESCRIBED = "as described"

CHOICES: Mapping[str, Callable[[Cipher, Sequence[Weighed]], Weighed]] = {
    _AS_DESCRIBED: _described,
    "fastest": _least(lambda one: one.encrypt_cycles + one.decrypt_cycles),
    "smallest": _least(lambda one: one.text_bytes),
}
"""How the variant of each cipher is chosen."""


# Figures by name


Figure = Callable[[Weighed], float]

_text: Figure = attrgetter("text_bytes")
_ram: Figure = attrgetter("ram_bytes")
_expand: Figure = attrgetter("expand_cycles")
_encrypt: Figure = attrgetter("encrypt_cycles")
_decrypt: Figure = attrgetter("decrypt_cycles")
_encrypt_nj: Figure = methodcaller("energy_nj", "encryption")
_decrypt_nj: Figure = methodcaller("energy_nj", "decryption")


def _in_mode(mode: str) -> Figure:
    return lambda one: one.cycles_in(mode)


_TIMES = {"encryption": _encrypt, "decryption": _decrypt}
_ENERGIES = {"encryption": _encrypt_nj, "decryption": _decrypt_nj}


# Published numbers and orders beside ours


def _throughputs(found: Tables) -> Iterator[Throughput]:
    for row in read_table(HERE / "table2-throughput.csv"):
        published, mode = float(row["throughput_MB_per_s"]), row["mode"]
        for choice, flags, table in figures.settings(found):
            with suppress(MissingFigure):
                one = table[row["cipher"]]
                ours = one.throughput(mode.lower())
                yield Throughput(one.cipher, mode, published, choice, flags, one.variant, ours, one.clock_hz)


_ORDERS: Mapping[str, Mapping[str, Callable[[Weighed], float]]] = {
    "encryption time": {"": _encrypt},
    "decryption time": {"": _decrypt},
    "throughput": {mode.upper(): _in_mode(mode) for mode in MODES},
    "encryption energy": {"": _encrypt_nj},
    "decryption energy": {"": _decrypt_nj},
}


# The claims


def _verdict(claim: str, found: Tables) -> Verdict:
    return judge(CLAIMS[claim], found).with_caveat(_CAVEATS.get(claim))


def _alike_power(operation: str, form: str) -> Callable[[Sheet], bool]:
    def test(table: Sheet) -> bool:
        powers = [table[name].power_mw(operation, form) for name in SIX]
        return (max(powers) - min(powers)) / max(powers) < POWER_SPREAD

    return test


def _proportional(form: str) -> Callable[[Sheet], bool]:
    def test(table: Sheet) -> bool:
        cells = [(table[name], operation) for name in SIX for operation in OPERATIONS]
        times = [one.cycles_of(operation) for one, operation in cells]
        energies = [one.energy_nj(operation, form) for one, operation in cells]
        if min(len(set(times)), len(set(energies))) == 1:
            return False
        return correlation(times, energies) >= NEARLY_PROPORTIONAL

    return test


def _steady(form: str) -> Callable[[Sheet], bool]:
    def test(table: Sheet) -> bool:
        powers = [table[name].power_mw(operation, form) for name in SIX for operation in OPERATIONS]
        return min(powers) >= (1 - POWER_SPREAD) * max(powers)

    return test


def _narrow(name: str) -> Callable[[Sheet], bool]:
    def test(table: Sheet) -> bool:
        swing = table[name].encrypt_swing
        if swing is None:
            raise MissingFigure(f"no power over time of {name}")
        return swing <= CURRENT_SPREAD

    return test


def _hardly_matter(name: str) -> Callable[[Sheet], bool]:
    return lambda table: table[name].share(*FUNCTIONAL_UNITS) <= HARDLY


def _dominate(name: str) -> Callable[[Sheet], bool]:
    return lambda table: table[name].share(*DOMINATING) >= DOMINANT


def _has_no_expansion(table: Sheet) -> bool:
    """Its context holds no more than the key."""
    return table[XTEA].context_bytes <= DATUM_BYTES


def _best_mode(name: str, mode: str, *, besides: tuple[str, ...] = ()) -> Callable[[Sheet], bool]:
    others = [other for other in MODES if other not in (mode, *besides)]
    return lambda table: all(table[name].cycles_in(mode) <= table[name].cycles_in(o) for o in others)


def _worst_mode(name: str, mode: str) -> Callable[[Sheet], bool]:
    return lambda table: all(table[name].cycles_in(mode) >= table[name].cycles_in(o) for o in MODES)


def _little_lost(name: str) -> Callable[[Sheet], bool]:
    def test(table: Sheet) -> bool:
        one = table[name]
        return all(one.throughput(mode) >= (1 - SMALL) * one.throughput("ecb") for mode in MODES)

    return test


def _cost(one: Weighed, mode: str) -> float:
    return one.cycles_in(mode) - one.cycles_in("ecb")


def _constant_cost(mode: str) -> Callable[[Sheet], bool]:
    def test(table: Sheet) -> bool:
        costs = [_cost(table[name], mode) for name in _OF_128_BITS]
        return min(costs) > 0 and is_close(min(costs), max(costs))

    return test


def _printed_cost(mode: str) -> Callable[[Sheet], bool]:
    low, high = _published_costs(mode)

    def test(table: Sheet) -> bool:
        costs = [_cost(table[name], mode) for name in _OF_128_BITS]
        return all((1 - ABOUT) * low <= cost <= (1 + ABOUT) * high for cost in costs)

    return test


def _published_costs(mode: str) -> tuple[float, float]:
    """Least and most cycles that a mode costs beyond ECB in Table 2, whatever its MB means."""
    rows = {(row["cipher"], row["mode"].lower()): row for row in read_table(HERE / "table2-throughput.csv")}

    def published_cycles(cipher: str, mode: str, megabyte: int) -> float:
        row = rows[cipher, mode]
        return DATUM_BYTES * float(row["clock_mhz"]) * 1e6 / (float(row["throughput_MB_per_s"]) * megabyte)

    costs = [
        published_cycles(cipher, mode, megabyte) - published_cycles(cipher, "ecb", megabyte)
        for cipher in _OF_128_BITS
        for megabyte in MEGABYTES.values()
    ]
    return min(costs), max(costs)


def _negligible(name: str) -> Callable[[Sheet], bool]:
    return lambda table: _expand(table[name]) <= NEGLIGIBLE * table[name].message_cycles(BLOCKS)


def _much_faster(table: Sheet) -> bool:
    one = table[RUN_TIME]
    return one.encrypt_cycles < one.decrypt_cycles and not is_close(one.encrypt_cycles, one.decrypt_cycles)


def _ram_below_1_kb(name: str) -> Callable[[Sheet], bool]:
    """Asked only where the memory rule did not choose the variants: there it could not fail."""

    def test(table: Sheet) -> bool:
        if table.choice != _AS_DESCRIBED:
            raise MissingFigure("other choices are made by the memory rule, under which it cannot fail")
        return table[name].ram_bytes < 1024

    return test


def _marginally_more(name: str) -> Callable[[Sheet], bool]:
    """The most RAM, yet close to the next."""

    def test(table: Sheet) -> bool:
        others = max(_ram(table[other]) for other in FIVE if other != RIJNDAEL)
        return _ram(table[name]) > others and is_close(_ram(table[name]), others)

    return test


_FULL_RANGE = range(1, BLOCKS + 1)
_THREE = (XTEA, RIJNDAEL, RC6)


def _fastest_of_three(blocks: int, name: str) -> Callable[[Sheet], bool]:
    return lambda table: min(_THREE, key=lambda n: table[n].message_cycles(blocks)) == name


def _may_do_for_medium(table: Sheet) -> bool:
    """At some length Rijndael is close to the fastest of the three."""
    three = [table[name] for name in _THREE]
    return any(
        is_close(table[RIJNDAEL].message_cycles(n), min(one.message_cycles(n) for one in three))
        for n in _FULL_RANGE
    )


def _less_code(table: Sheet) -> bool:
    called, inline = _text(table[CALLED]), _text(table[INLINE])
    return called < inline and not is_close(called, inline)


def _no_slower(figure: Callable[[Weighed], float]) -> Callable[[Sheet], bool]:
    return lambda table: figure(table[CALLED]) <= (1 + ABOUT) * figure(table[INLINE])


def _rank_parts(figures_of: Mapping[str, Callable[[Weighed], float]]) -> dict[str, Callable[[Sheet], bool]]:
    """RC6, XTEA, Rijndael, in this order before the others."""
    order = (RC6, XTEA, RIJNDAEL)
    return {
        f"{what}: {name} at place {place}": at_place(FIVE, figure, name, place)
        for what, figure in figures_of.items()
        for place, name in enumerate(order, start=1)
    }


CLAIMS: Mapping[str, Claimed[Sheet]] = {
    "seed001-01": {"fewest cycles of the five": among_first(FIVE, _encrypt, RC6)},
    "seed001-02": _rank_parts({"decryption": _decrypt}),
    "seed001-03": {
        "RC6 expands a key longer than it encrypts a block": lambda table: (
            _expand(table[RC6]) > _encrypt(table[RC6])
        ),
        **{f"shorter: {name}": more(_expand, RC6, name) for name in (RIJNDAEL, RUN_TIME)},
    },
    "seed001-04": {
        f"{what}, within {CLOSE:.0%}": alike(figure, XTEA, RIJNDAEL) for what, figure in _TIMES.items()
    }
    | {"context no larger than the key": _has_no_expansion},
    "seed001-05": {
        f"the two slowest of the five in {what}": among_last(FIVE, figure, SERPENT, TWOFISH)
        for what, figure in {"key expansion": _expand, "encryption": _encrypt}.items()
    },
    "seed001-06": of_all(
        {mode.upper(): in_order(_in_mode(mode), (RC6, XTEA, RIJNDAEL, SERPENT, TWOFISH)) for mode in MODES}
    ),
    "seed001-07": {name: _best_mode(name, "ecb") for name in FIVE},
    "seed001-08": {name: _best_mode(name, "ofb", besides=("ecb",)) for name in FIVE},
    "seed001-09": {name: _worst_mode(name, "ctr") for name in FIVE},
    "seed001-10": {f"{name} loses at most {SMALL:.0%}": _little_lost(name) for name in FIVE},
    "seed001-11": {
        **{f"{m.upper()} alike for all, within {CLOSE:.0%}": _constant_cost(m) for m in MODES[1:]},
        **{f"{m.upper()} about what is printed": _printed_cost(m) for m in MODES[1:]},
    },
    "seed001-12": {
        "run-time table: much faster": _much_faster,
        "own: similar": lambda table: is_close(
            table[RIJNDAEL].encrypt_cycles, table[RIJNDAEL].decrypt_cycles
        ),
    },
    "seed001-13": {f"{name}: at most {NEGLIGIBLE:.0%} of 1,000 blocks": _negligible(name) for name in FIVE},
    "seed001-14": {
        f"{operation}, {form}: below {POWER_SPREAD:.0%}": _alike_power(operation, form)
        for form in FORMS
        for operation in OPERATIONS
    },
    "seed001-15": {
        **{f"{form}: correlation of at least {NEARLY_PROPORTIONAL}": _proportional(form) for form in FORMS},
        **{f"{form}: energy per cycle within {POWER_SPREAD:.0%}": _steady(form) for form in FORMS},
    },
    "seed001-16": _rank_parts(_ENERGIES),
    "seed001-17": of_all({f"{name}: no window beyond {CURRENT_SPREAD:.0%}": _narrow(name) for name in SIX}),
    "seed001-18": {
        **{f"{name}: functional units at most {HARDLY:.0%}": _hardly_matter(name) for name in SIX},
        **{f"{name}: caches and clock at least {DOMINANT:.0%}": _dominate(name) for name in SIX},
    },
    "seed001-19": {"least text of the five": among_first(FIVE, _text, XTEA)},
    "seed001-20": {"text below 1,024 bytes": lambda table: _text(table[RC6]) < 1024},
    "seed001-21": {
        f"text ratio within {ABOUT:.0%} of 2": within(
            _text, RUN_TIME, RIJNDAEL, 2 * (1 - ABOUT), 2 * (1 + ABOUT)
        )
    },
    "seed001-22": {"third of the five": at_place(FIVE, _text, TWOFISH, 3)},
    "seed001-23": {
        "among the two largest of the five": at_place(FIVE, _text, SERPENT, 4, 5),
        "more text than with 4-bit tables": more(_text, CALLED, TABLES_4),
    },
    "seed001-24": of_all({name: _ram_below_1_kb(name) for name in SIX}),
    "seed001-25": {
        f"{name}: most, and within {CLOSE:.0%} of the next": _marginally_more(name)
        for name in (RIJNDAEL, RUN_TIME)
    },
    "seed001-29": {
        f"{name.partition(', ')[2]}, {what}": more(figure, TABLES_4, name)
        for name in SERPENTS
        for what, figure in _TIMES.items()
    },
    "seed001-30": {
        f"text smaller by more than {CLOSE:.0%}": _less_code,
        **{f"{what} at most {ABOUT:.0%} slower": _no_slower(figure) for what, figure in _TIMES.items()},
    },
    "seed001-31": {
        "XTEA fastest of the three for one block": _fastest_of_three(1, XTEA),
        f"Rijndael within {CLOSE:.0%} of the fastest at some length": _may_do_for_medium,
        "RC6 fastest of the three for 1,000 blocks": _fastest_of_three(BLOCKS, RC6),
    },
    "seed001-32": {
        f"tables within {ABOUT:.0%} of 2 KB": about(attrgetter("const_bytes"), MARS, MARS_TABLE_BYTES),
        "most text of the finalists": more(_text, MARS, *_OF_128_BITS),
    },
}
"""What each claim says, as tests of the ciphers' figures."""

_CAVEATS: Mapping[str, str] = {
    "seed001-14": "the measured form has one current for computing and one for transfers, from the chip",
    "seed001-15": "the measured form has one current for computing and one for transfers, from the chip",
    "seed001-17": "asked of windows of some twenty instructions in the simulated form, as single instructions"
    " were not measured; the chip's two published currents differ by 10 %",
    "seed001-18": "the simulator has no part for control, and its ALU and multiplier are placeholders of"
    " 1 pF",
}
"""What to bear in mind of a claim."""

STUDY = Study(
    title="Block ciphers under memory constraints on the SA-1100",
    note="A publication's figures and claims beside those of the records here. Variants are chosen by what it"
    " says of its own implementations, or as the fastest or smallest under its limits of memory; its"
    " compiler's flags are not stated, so every claim is asked at each of those measured. Cycles and energy"
    " are of 16 bytes, two blocks of XTEA.",
    targets=(TARGET,),
    primitives=tuple(cipher.primitive for cipher in CIPHERS),
    judge=reproduce,
    measure=in_steps(steps, TARGET),
)

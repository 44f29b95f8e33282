"""Five block ciphers on the ATmega128 (2010)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

import polars as pl

from steelyard.present.chart import Chart
from steelyard.report.published.common import Publication, bar_chart, of_one_compiler
from steelyard.reproduce import atmega128
from steelyard.reproduce.atmega128 import AES, CAMELLIA, CAST5, FIVE, MARS, SERPENT, Figures, Sheet
from steelyard.reproduce.comparison import Number
from steelyard.reproduce.verdict import MissingFigure

_NOTE = (
    "A publication's figures and claims beside those of the records here. It says neither which"
    " implementation of a cipher it took nor its compiler's flags, so every claim is asked of several choices"
    " of variants at each of the flags measured."
)

_Bars = dict[tuple[str, str], float]
"""By quantity and what it is of (set-up, encryption, decryption)."""


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


def publication(records: pl.DataFrame, defaults: Collection[str]) -> Publication | None:
    """What the records say of the publication of 2010; None where no setting has all of its ciphers.

    Those of GCC are taken, which it names, or else those of another compiler.
    """
    wanted = {cipher.primitive for cipher in atmega128.CIPHERS}
    on_chip = records.filter((pl.col("target") == "atmega128") & pl.col("primitive").is_in(wanted))
    found = of_one_compiler(on_chip)
    if found is None:
        return None
    compiler, taken = found
    made = atmega128.reproduce(taken.to_dicts(), defaults)
    rows = [
        row
        for choice, by_flags in made.tables.items()
        for flags, table in by_flags.items()
        for row in _rows(
            table, choice, flags, [n for n in made.numbers if (n.choice, n.flags) == (choice, flags)]
        )
    ]
    if not rows:
        return None
    frame = pl.DataFrame(rows, infer_schema_length=None)
    charts = tuple(_chart(panel, frame.filter(pl.col("quantity") == panel.quantity)) for panel in _PANELS)
    return Publication(
        "publication", atmega128.TITLE, _NOTE, compiler, charts, tuple(made.tables), made.claims
    )


def _rows(table: Sheet, choice: str, flags: str, numbers: list[Number]) -> Iterator[dict[str, object]]:
    """A row per bar, none where one of the five is missing."""
    bars: dict[str, tuple[Figures, _Bars]] = {}
    with suppress(MissingFigure):
        bars = {name: (table[name], _bars(table[name])) for name in FIVE}
    for cipher, (figures, values) in bars.items():
        for (quantity, what), value in values.items():
            low, high = _printed(cipher, quantity, what, bars[AES][1], numbers)
            yield {
                "quantity": quantity,
                "variants": choice,
                "flags": flags,
                "cipher": cipher,
                "variant": figures.variant,
                "what": what,
                "value": value,
                "low": low,
                "high": high,
            }


def _bars(figures: Figures) -> _Bars:
    to_us = 1e6 / figures.clock_hz
    return {
        ("code memory", "code"): float(figures.code_bytes),
        ("data memory", "data"): float(figures.data_bytes),
        ("execution time", "set-up"): figures.init_cycles * to_us,
        ("execution time", "encryption"): figures.encrypt_cycles * to_us,
        ("execution time", "decryption"): figures.decrypt_cycles * to_us,
        ("throughput", "encryption"): figures.throughput("encrypt") / 1e3,
        ("throughput", "decryption"): figures.throughput("decrypt") / 1e3,
    }


def _printed(
    cipher: str, quantity: str, what: str, aes: Mapping[tuple[str, str], float], numbers: list[Number]
) -> tuple[float | None, float | None]:
    """What is printed of this bar: a number, or a ratio to AES, which is applied to our AES."""
    for number in numbers:
        if number.quantity == f"{cipher} {quantity}":
            factor = 1024 if number.unit == "KB" else 1
            return number.low * factor, number.high * factor
        if number.quantity == f"AES {quantity} / {cipher} {quantity}, {what}":
            return aes[quantity, what] / number.high, aes[quantity, what] / number.low
    return None, None


def _chart(panel: _Panel, rows: pl.DataFrame) -> Chart:
    caption = (
        f"Ours in the form of the publication's Figure {panel.number}; ciphers in its order, best first."
    )
    if rows["low"].count():
        caption += " The marks are what it prints as a number" + (
            ", a ratio to AES, here to ours." if panel.quantity == "throughput" else "."
        )
    return bar_chart(
        f"publication-{panel.number}",
        panel.quantity.capitalize(),
        caption,
        panel.axis,
        panel.order,
        rows.drop("quantity"),
    )

"""Five block ciphers under memory constraints on the SA-1100."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import polars as pl

from steelyard.present.chart import Chart
from steelyard.present.table import Table
from steelyard.report.published.common import Publication, bar_chart, of_one_compiler
from steelyard.reproduce import sa1100
from steelyard.reproduce.sa1100 import FIVE, MEGABYTES, MODES, OPERATIONS, SIX, Sheet, Weighed
from steelyard.reproduce.verdict import MissingFigure

_NOTE = (
    "A publication's figures and claims beside those of the records here. Variants are chosen by what it says"
    " of its own implementations, or as the fastest or smallest under its limits of memory; its compiler's"
    " flags are not stated, so every claim is asked at each of those measured. Cycles and energy are of 16"
    " bytes, two blocks of XTEA."
)

_ORDER = ("RC6", "XTEA", "Rijndael", sa1100.RUN_TIME, "Serpent", "Twofish")
_FIGURES = {
    "cycles": (
        "Cycles",
        "cycles",
        "Ours in the form of the publication's Figures 3 and 4, which print no numbers.",
    ),
    "energy": (
        "Energy",
        "energy, microjoules",
        "Ours by the chip's energy model, in the form of the publication's Figures 6 and 7, which print no"
        " numbers.",
    ),
    "code": (
        "Code size",
        "text with constant tables, bytes",
        "Ours in the form of the publication's Figure 2, which prints no numbers; both directions.",
    ),
    "throughput": (
        "Throughput by mode",
        "MB/s of 10^6 bytes",
        "A thousand blocks of 16 bytes, key expansion apart. The marks are the publication's Sheet 2, from MB"
        " of 10^6 to MB of 2^20 bytes, as it does not say which it means.",
    ),
}


def publication(records: pl.DataFrame) -> Publication | None:
    """What the records say of the publication; None where no setting has all of its ciphers."""
    wanted = {cipher.primitive for cipher in sa1100.CIPHERS}
    on_chip = records.filter((pl.col("target") == sa1100.TARGET) & pl.col("primitive").is_in(wanted))
    found = of_one_compiler(on_chip)
    if found is None:
        return None
    compiler, taken = found
    made = sa1100.reproduce(taken.to_dicts())
    published = {(one.cipher, one.mode.lower()): one.published_mb_per_s for one in made.throughputs}
    rows = [
        {"variants": choice, "flags": flags, **row}
        for choice, by_flags in made.tables.items()
        for flags, table in by_flags.items()
        for row in _rows(table, published)
    ]
    if not rows:
        return None
    frame = pl.DataFrame(rows, infer_schema_length=None)
    return Publication(
        "energy-sa1100",
        sa1100.TITLE,
        _NOTE,
        compiler,
        tuple(_charts(frame)),
        tuple(made.tables),
        made.claims,
        (weight_lines(made), throughput_lines(made)),
    )


def _rows(table: Sheet, published: dict[tuple[str, str], float]) -> Iterator[dict[str, object]]:
    """A row per bar, none where one of the five is missing."""
    shown: list[Weighed] = []
    with suppress(MissingFigure):
        shown = [table[name] for name in FIVE]
        shown.append(table[sa1100.RUN_TIME])
    for one in shown if len(shown) >= len(FIVE) else ():
        named = {"cipher": one.cipher, "variant": one.variant, "low": None, "high": None}
        yield {**named, "quantity": "code", "what": "code", "value": float(one.text_bytes)}
        for operation in OPERATIONS:
            cycles = one.cycles_of(operation)
            yield {**named, "quantity": "cycles", "what": operation, "value": cycles}
            with suppress(MissingFigure):
                energy_uj = one.energy_nj(operation) / 1e3
                yield {**named, "quantity": "energy", "what": operation, "value": energy_uj}
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


def _charts(frame: pl.DataFrame) -> Iterator[Chart]:
    for quantity, (title, axis, caption) in _FIGURES.items():
        rows = frame.filter(pl.col("quantity") == quantity).drop("quantity")
        if len(rows):
            digits = {"cycles": 0, "code": 0, "energy": 2, "throughput": 3}[quantity]
            yield bar_chart(f"energy-sa1100-{quantity}", title, caption, axis, _ORDER, rows, digits)


def weight_lines(made: sa1100.Reproduction) -> Table:
    """Size, cycles and energy of the six in each setting."""
    headings = ("Flags", "Variants", "Cipher", "Variant", "Text", "Tables", "RAM", "Key expansion")
    rows = [
        (
            flags,
            choice,
            one.cipher,
            one.variant,
            *(f"{size:,}" for size in (one.text_bytes, one.const_bytes, one.ram_bytes)),
            *(f"{one.cycles_of(operation):,.0f}" for operation in OPERATIONS),
            *(_micro(one, operation) for operation in OPERATIONS),
        )
        for choice, by_flags in made.tables.items()
        for flags, table in by_flags.items()
        for one in table
        if one.cipher in SIX
    ]
    energies = ("Key, µJ", "Encryption, µJ", "Decryption, µJ")
    title = "Bytes, cycles and energy"
    return Table(title, (*headings, "Encryption", "Decryption", *energies), tuple(rows), 4)


def _micro(one: Weighed, operation: str) -> str:
    with suppress(MissingFigure):
        return f"{one.energy_nj(operation) / 1e3:,.2f}"
    return ""


def throughput_lines(made: sa1100.Reproduction) -> Table:
    """Sheet 2 beside ours."""
    rows = [
        (
            one.flags,
            one.choice,
            one.cipher,
            one.mode,
            f"{one.published_mb_per_s:.3f}",
            f"{one.ours_bytes_per_s / 1e6:.3f}",
            *(f"{one.ratio(megabyte):.2f}" for megabyte in MEGABYTES),
        )
        for one in made.throughputs
    ]
    headings = ("Flags", "Variants", "Cipher", "Mode", "Published, MB/s", "Ours, 10^6 bytes/s")
    ratios = tuple(f"Ratio, MB of {megabyte}" for megabyte in MEGABYTES)
    return Table("Throughput beside the published one", (*headings, *ratios), tuple(rows), 4)

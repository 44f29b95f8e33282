"""The records of many chips on one screen: the fastest recommended primitive of each kind on each chip."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from steelyard.catalog.load import Catalog
from steelyard.measure.check import CONSTANT_ENOUGH
from steelyard.present.table import Table, natural
from steelyard.report import tables

KINDS = {
    "block": ("block cipher", "encrypt"),
    "stream": ("stream cipher", "encrypt"),
    "hash": ("hash", "digest"),
    "mac": ("MAC", "mac"),
    "aead": ("AEAD", "seal"),
}
"""Kinds of primitives whose cost grows with the message: what they are called, and their operation."""


def by_family(catalog: Catalog, chips: Sequence[str]) -> list[str]:
    """The chips of the catalogue among these, by the width of their words, then by family."""
    files = {target.id: target.file for target in catalog.targets if target.id in chips}
    families: dict[str, int] = {}
    for file in files.values():
        families[file.family] = min(file.word_bits, families.get(file.family, file.word_bits))
    return sorted(files, key=lambda chip: (families[files[chip].family], files[chip].family, natural(chip)))


def comparable(records: pl.DataFrame) -> pl.DataFrame:
    """The records of chips whose cycles per byte compare: of one block, or of the kind's longest message."""
    operations = pl.col("kind").replace_strict(
        {kind: operation for kind, (_, operation) in KINDS.items()}, default=None, return_dtype=pl.String
    )
    usual = records.filter(
        pl.col("device").is_null() & pl.col("mode").is_null() & (pl.col("operation") == operations)
    )
    longest = pl.col("message_bytes").max().over("kind")
    return usual.filter((pl.col("kind") == "block") | (pl.col("message_bytes") == longest))


def fastest(records: pl.DataFrame, catalog: Catalog) -> Table:
    """Return a row per chip with the fastest recommended primitive of each kind, and its cycles per byte.

    If no primitive of a kind has a result, the cell says why.
    """
    tried = comparable(records.filter(pl.col("security") == "recommended"))
    best = (
        tables.verified_results(tried)
        .sort("cycles_per_byte", "primitive")
        .group_by("target", "kind", maintain_order=True)
        .first()
    )
    found = {(row["target"], row["kind"]): row for row in best.iter_rows(named=True)}
    reasons = {
        (target, kind): tables.absence(status)
        for target, kind, status in tried.select("target", "kind", "status").iter_rows()
    }
    present = set(tried["kind"])
    kinds = [kind for kind in KINDS if kind in present]
    files = {target.id: target.file for target in catalog.targets}
    checked = _is_checked(best)
    rows, objects = [], []
    for chip in by_family(catalog, tried["target"].unique().to_list()):
        cells = [found.get((chip, kind)) for kind in kinds]
        texts = (
            reasons.get((chip, kind), "")
            if cell is None
            else f"{cell['primitive']} {_figure(cell['cycles_per_byte'])}"
            for kind, cell in zip(kinds, cells, strict=True)
        )
        rows.append((chip, files[chip].core, *texts))
        figures = {
            KINDS[kind][0]: None if cell is None else cell["cycles_per_byte"]
            for kind, cell in zip(kinds, cells, strict=True)
        }
        constant = [
            KINDS[kind][0]
            for kind, cell in zip(kinds, cells, strict=True)
            if cell is not None and cell["constant_time"] in CONSTANT_ENOUGH
        ]
        if checked:
            rows[-1] = (*rows[-1], ", ".join(constant))
        objects.append({"chip": chip, "core": files[chip].core, **figures, "constant_time": constant})
    headings = ("chip", "core", *(KINDS[kind][0] for kind in kinds), *(["constant-time"] if checked else []))
    numeric = (False, False, *[True] * len(kinds), *([False] if checked else []))
    return Table(
        "", headings, tuple(rows), left=2, least_needed=("core",), objects=tuple(objects), numeric=numeric
    )


def _is_checked(records: pl.DataFrame) -> bool:
    """Whether any record has a verdict on constant time."""
    return bool(records["constant_time"].count())


def explained(records: pl.DataFrame) -> str:
    """What the figures of `fastest` are."""
    messages = comparable(records).filter(pl.col("kind") != "block")
    names: dict[int, list[str]] = {}
    for kind, (name, _) in KINDS.items():
        for length in messages.filter(pl.col("kind") == kind)["message_bytes"].unique():
            names.setdefault(length, []).append(name)
    lengths = "; ".join(f"{', '.join(listed)}: {length:,} bytes" for length, listed in names.items())
    verdicts = " constant-time: those of the row whose time does not follow a secret there."
    return (
        "Clock cycles per byte of the fastest recommended primitive of each kind, over all variants,"
        f" compilers and flags measured. Block cipher: one block{'; ' if lengths else ''}{lengths}."
        f"{verdicts if _is_checked(records) else ''}"
    )


def _figure(cycles_per_byte: float) -> str:
    return f"{cycles_per_byte:,.0f}" if cycles_per_byte >= 100 else f"{cycles_per_byte:.1f}"

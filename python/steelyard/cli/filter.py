"""Select records of the store with the selection options."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.catalog.load import load_catalog
from steelyard.cli.output import warn
from steelyard.linux.hosts import load_hosts
from steelyard.measure.parameters import EVERY, parse_parameters
from steelyard.measure.rules import RULES, built
from steelyard.measure.selection import (
    CACHE_STATES,
    FOOTPRINTS,
    NO_MODE,
    OPERATIONS,
    PADDINGS,
    Selection,
    match,
)
from steelyard.store.read import read_records
from steelyard.store.segments import store_folder

if TYPE_CHECKING:
    import polars as pl

    from steelyard.record.schema import Record


def selected_records(
    store: Path | None, selection: Selection, *, unverified: bool = False, rule: str | None = None
) -> pl.DataFrame:
    """Return the newest matching records, sorted by cell.

    UsageError for a name that neither the records nor the catalogue has. `rule` keeps the builds that keep a
    rule of `rules.RULES`, independent of the selection. Without `unverified`, records of status ok whose
    output was not compared are left out.
    """
    import polars as pl

    from steelyard.report.tables import in_order

    frame = read_records(store_folder(store), warn)
    if not unverified:
        frame = frame.filter((pl.col("status") != "ok") | pl.col("verified").fill_null(False))
    if rule is not None:
        frame = _within(frame.filter(pl.col("device").is_null()), rule)
    for name, known in _known().items():
        patterns: Sequence[str] = getattr(selection, name)
        if patterns:
            column = "cache_state" if name == "cache" else name
            values = pl.col(column).fill_null(NO_MODE)
            present = frame[column].fill_null(NO_MODE).unique().to_list()
            match(name, patterns, sorted({*known, *present}))
            wanted = [v for v in present if any(fnmatchcase(v, pattern) for pattern in patterns)]
            if name == "mode" and NO_MODE not in patterns:
                wanted = [value for value in wanted if value != NO_MODE]
            frame = frame.filter(values.is_in(wanted))
    frame = _with_parameters(frame, selection.parameter)
    if selection.length:
        frame = frame.filter(pl.col("message_bytes").is_in(selection.length))
    if selection.ad_length:
        frame = frame.filter(pl.col("ad_bytes").is_in(selection.ad_length))
    return in_order(frame)


def _with_parameters(frame: pl.DataFrame, texts: Sequence[str]) -> pl.DataFrame:
    """Return the records with one of the values of each parameter; UsageError for one that none has."""
    import polars as pl

    values = [dict(one.split("=", 1) for one in (text or "").split()) for text in frame["parameters"]]
    known = sorted({name for one in values for name in one})
    keep = [True] * frame.height
    for name, asked in parse_parameters(texts).items():
        if name == EVERY:
            continue
        match("parameter", [name], known)
        keep = [
            kept and name in one and (EVERY in asked or one[name] in asked)
            for kept, one in zip(keep, values, strict=True)
        ]
    return frame.filter(pl.Series(keep, dtype=pl.Boolean))


def keeping(records: Sequence[Record], rule: str) -> list[bool]:
    """Return for each record whether its build keeps the rule of that name in all of these records."""
    (name,) = match("rule", [rule], list(RULES))
    kept = RULES[name].kept(records)
    return [built(record) in kept for record in records]


def _within(frame: pl.DataFrame, rule: str) -> pl.DataFrame:
    import polars as pl

    return frame.filter(pl.Series(keeping(frame.rows(named=True), rule), dtype=pl.Boolean))


def _known() -> dict[str, Sequence[str]]:
    catalog = load_catalog()
    return {
        "primitive": [*(primitive.id for primitive in catalog.primitives), *catalog.awaited_primitives],
        "variant": [variant.id for variant in catalog.variants],
        "target": [*(target.id for target in catalog.targets), *(host.id for host in load_hosts())],
        "toolchain": sorted({name for target in catalog.targets for name in target.file.toolchain}),
        "flags": [],
        "operation": OPERATIONS,
        "mode": [NO_MODE, *(mode.id for mode in catalog.modes)],
        "cache": CACHE_STATES,
        "footprint": FOOTPRINTS,
        "padding": PADDINGS,
    }

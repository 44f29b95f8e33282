"""The records of a frame that a selection names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from steelyard.catalog.load import Catalog
from steelyard.linux.hosts import load_hosts
from steelyard.measure.parameters import EVERY, parse_parameters
from steelyard.measure.selection import (
    CACHE_STATES,
    FOOTPRINTS,
    NO_MODE,
    OPERATIONS,
    PADDINGS,
    Selection,
    match,
)

if TYPE_CHECKING:
    import polars as pl


def chosen(frame: pl.DataFrame, selection: Selection, catalog: Catalog) -> pl.DataFrame:
    """Return the records that a selection names, in their order; UsageError as `conditions`."""

    def present(values: pl.Expr) -> list[str]:
        return frame.select(values.unique()).to_series().to_list()

    return frame.filter(*conditions(selection, catalog, present))


def conditions(
    selection: Selection, catalog: Catalog, present: Callable[[pl.Expr], list[str]]
) -> list[pl.Expr]:
    """Return what records that a selection names fulfil; `present` gives the values of an expression in them.

    UsageError for a name that neither the records nor the catalogue has.
    """
    import polars as pl

    where = []
    for name, known in _known(catalog).items():
        patterns: Sequence[str] = getattr(selection, name)
        if patterns:
            values = pl.col("cache_state" if name == "cache" else name).fill_null(NO_MODE)
            there = present(values)
            match(name, patterns, sorted({*known, *there}))
            wanted = [v for v in there if any(fnmatchcase(v, pattern) for pattern in patterns)]
            if name == "mode" and NO_MODE not in patterns:
                wanted = [value for value in wanted if value != NO_MODE]
            where.append(values.is_in(wanted))
    if selection.parameter:
        values = pl.col("parameters").fill_null("")
        where.append(values.is_in(_with_parameters(present(values), selection.parameter)))
    if selection.length:
        where.append(pl.col("message_bytes").is_in(selection.length))
    if selection.ad_length:
        where.append(pl.col("ad_bytes").is_in(selection.ad_length))
    return where


def _with_parameters(present: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return the texts with one of the values of each parameter; UsageError for one that none has."""
    values = {one: dict(part.split("=", 1) for part in one.split()) for one in present}
    known = sorted({name for one in values.values() for name in one})
    kept = set(present)
    for name, asked in parse_parameters(texts).items():
        if name == EVERY:
            continue
        match("parameter", [name], known)
        kept &= {
            text for text, one in values.items() if name in one and (EVERY in asked or one[name] in asked)
        }
    return sorted(kept)


def _known(catalog: Catalog) -> dict[str, Sequence[str]]:
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

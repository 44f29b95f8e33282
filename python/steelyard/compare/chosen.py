"""The records of a frame that a selection names."""

from __future__ import annotations

from collections.abc import Sequence
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
    """Return the records that a selection names, in their order.

    UsageError for a name that neither the records nor the catalogue has.
    """
    import polars as pl

    for name, known in _known(catalog).items():
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
    return frame


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

"""Rows of figures: names of series, their families, and cells of which each build is one."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.figures.model import MOST_SERIES, NothingToPlot
from steelyard.present.table import natural

SERIES = "series"
_ALWAYS = ("variant", "target")

_OPTIONS = {
    "primitive": "--primitive",
    "variant": "--variant",
    "target": "--target",
    "toolchain": "--toolchain",
    "flags": "--flags",
    "footprint": "--footprint",
    "operation": "--operation",
    "mode": "--mode",
    "message_bytes": "--length",
}


def plotted(rows: pl.DataFrame, what: str, measure: str) -> pl.DataFrame:
    """Return the rows, or raise NothingToPlot: no record has `what`; `measure` are options that make one."""
    if rows.is_empty():
        raise NothingToPlot(f"no verified record of the selection has {what}; steelyard measure {measure}")
    return rows


def with_series(rows: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """Add the column `series`: the values of those columns in which rows differ, in order of their names.

    Of columns that follow from the others, such as the footprint from the operation, only chip and variant
    are named.
    """
    differ = [name for name in columns if rows[name].n_unique() > 1] or list(columns[:1])
    for name in reversed(differ):
        others = [one for one in differ if one != name]
        follows = bool(others) and rows.select(others).unique().height == rows.select(differ).unique().height
        if follows and name not in _ALWAYS:
            differ = others
    parts = [pl.col(name).cast(pl.String) for name in differ]
    named = rows.with_columns(pl.concat_str(parts, separator=" ", ignore_nulls=True).alias(SERIES))
    ranks = sorted(named[SERIES].unique(), key=natural)
    place = {name: number for number, name in enumerate(ranks)}
    return named.sort(pl.col(SERIES).replace_strict(place, return_dtype=pl.Int64), maintain_order=True)


def in_families(rows: pl.DataFrame, figure: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the series, family by family, and the family of each; UsageError for too many of them.

    A family is that of the chip where the rows have several chips, and the algorithm otherwise. If all
    series belong to one family, each has a hue of its own.
    """
    of_chip = rows["target"].n_unique() > 1
    families = family_of_chips()
    found: dict[str, str] = {}
    for series, target, variant, primitive in rows.select(
        SERIES, "target", "variant", "primitive"
    ).iter_rows():
        name = families.get(target, target) if of_chip else str(variant or primitive).partition("/")[0]
        found.setdefault(series, str(name))
    if len(found) > MOST_SERIES:
        differ = [option for name, option in _OPTIONS.items() if name in rows.columns and _many(rows, name)]
        raise UsageError(
            f"{figure}: these records make {len(found)} series, and at most {MOST_SERIES} can be told apart;"
            f" choose fewer with {', '.join(differ)}."
        )
    order = sorted(found, key=lambda series: (found[series], natural(series)))
    alone = len({*found.values()}) == 1
    return tuple(order), tuple(series if alone else found[series] for series in order)


def _many(rows: pl.DataFrame, name: str) -> bool:
    return rows[name].n_unique() > 1


def family_of_chips() -> dict[str, str]:
    """Return the family of every known chip."""
    return {target.id: target.file.family for target in load_catalog().targets}

"""Select records of the store with the selection options."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.catalog.load import load_catalog
from steelyard.cli.output import warn
from steelyard.compare.chosen import conditions
from steelyard.measure.rules import RULES, built
from steelyard.measure.selection import Selection, match
from steelyard.store.query import rows_of
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

    rows = rows_of(store_folder(store), warn)

    def present(values: pl.Expr) -> list[str]:
        return rows.newest().select(values.unique()).collect().to_series().to_list()

    where = conditions(selection, load_catalog(), present)
    chosen = rows.newest(*(where if rule is None else ()))
    if not unverified:
        chosen = chosen.filter((pl.col("status") != "ok") | pl.col("verified").fill_null(False))
    frame = chosen.collect()
    if rule is not None:
        # A build keeps a rule in all of its records, not only in those that are selected.
        frame = _within(frame.filter(pl.col("device").is_null()), rule).filter(*where)
    return in_order(frame)


def keeping(records: Sequence[Record], rule: str) -> list[bool]:
    """Return for each record whether its build keeps the rule of that name in all of these records."""
    (name,) = match("rule", [rule], list(RULES))
    kept = RULES[name].kept(records)
    return [built(record) in kept for record in records]


def _within(frame: pl.DataFrame, rule: str) -> pl.DataFrame:
    import polars as pl

    return frame.filter(pl.Series(keeping(frame.rows(named=True), rule), dtype=pl.Boolean))

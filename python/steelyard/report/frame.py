"""The records of a page as two frames: what is chosen by and drawn, and what only an opened row shows."""

from __future__ import annotations

import re

import polars as pl

from steelyard.catalog.load import Catalog
from steelyard.record import schema as record
from steelyard.report import columns, tables
from steelyard.report.command import COMMAND_FIELDS, repeat_command

FACETS = (
    *("kind", "primitive", "variant", "family", "core", "target", "toolchain", "flags", "level", "operation"),
    *("mode", "padding", "message_bytes", "ad_bytes", "footprint", "parts", "security", "constant_time"),
    *("tier", "cache_state", "settings", "device", "library", "status"),
)
"""Fields by whose values a reader chooses records, in the order of the page."""

DERIVED = {
    "family": "family of the chip's processor",
    "core": "processor core of the chip",
    "level": "last -O option among the flags, which is the one that a compiler obeys",
}
"""What a page adds to the fields of a record, and its definitions."""

_DRAWN = (
    *("cycles_min", "cycles_max", "cycles_sd", "cycles_per_byte", "energy_low_nj", "energy_high_nj"),
    *("rom_mode_bytes", "ram_static_bytes", "ram_context_bytes", "energy_simulated_nj", "power_mw"),
    *("time_low_us", "time_high_us", "time_median_us", "time_min_us", "time_max_us", "threads", "samples"),
    *("toolchain_version", "error"),
)
RECORD_COLUMNS = tuple(
    dict.fromkeys(
        (
            *FACETS,
            *(column.name for column in (*columns.RESULTS, *columns.FAILURES)),
            *_DRAWN,
        )
    )
)
"""What tables and plots need of every record; the rest is read when a row is opened."""

_PLAIN = ("functions", "power_series", "energy_shares", "run_times_us", "command", "image_hash")
"""Columns whose texts are nearly all distinct."""


def optimisation_level(flags: str) -> str:
    """Return the last `-O` option among the flags, which is the one a compiler obeys; empty without one."""
    found = re.findall(r"(?:^|\s)(-O\S*)", flags)
    return found[-1] if found else ""


def explored(results: pl.DataFrame, failures: pl.DataFrame, catalog: Catalog | None) -> pl.DataFrame:
    """Return the records of a page in order, with what it adds to them; a failure has no figures."""
    shown = tables.in_order(
        pl.concat(
            [results, failures.with_columns(pl.lit(None).alias(name) for name in record.METRICS)],
            how="vertical_relaxed",
        )
    )
    files = {target.id: target.file for target in catalog.targets} if catalog else {}
    families = {name: file.family for name, file in files.items()}
    cores = {name: file.core for name, file in files.items()}
    commands = [repeat_command(row) for row in shown.select(COMMAND_FIELDS).iter_rows(named=True)]
    levels = {flags: optimisation_level(flags) for flags in shown["flags"].drop_nulls().unique()}
    return shown.with_columns(
        pl.col("target").replace_strict(families, default=None, return_dtype=pl.String).alias("family"),
        pl.col("target").replace_strict(cores, default=None, return_dtype=pl.String).alias("core"),
        pl.col("flags").replace_strict(levels, default=None, return_dtype=pl.String).alias("level"),
        command=pl.Series(commands, dtype=pl.String),
    )


def for_tables(frame: pl.DataFrame) -> pl.DataFrame:
    """Return what tables and plots need."""
    return frame.select(RECORD_COLUMNS)


def for_details(frame: pl.DataFrame) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return what only an opened row shows, and the columns among it that stay plain texts."""
    rest = frame.drop(RECORD_COLUMNS)
    return rest, tuple(name for name in _PLAIN if name in rest.columns)

"""Records kept for the pages: read them, and measure them again on request."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl

from steelyard.catalog.load import load_catalog
from steelyard.report import summary, tables
from steelyard.store.read import frame_schema, read_records
from steelyard.study.claims import records_of
from steelyard.study.discover import load_study, study_folder, study_names
from steelyard.toolchain.recipe import toolchains_folder

RECORDS = Path(__file__).resolve().parents[1] / "records"
BENCH, DEFAULTS = "bench", "defaults"
RECORDS_FILE = "records.csv"

_ORDER = ("primitive", "variant", "target", "toolchain", "flags", "mode", "operation", "message_bytes")
_ORIGIN = ("toolchain_version", "steelyard_version", "steelyard_commit", "date")
_RECORDS_OF = {"ganesan": "sensor-nodes"}
"""Studies that are judged by the kept records of another."""
_OF_BENCH = ("kind", "security", "status", "verified", "cycles", "cycles_per_byte")


def path_of(name: str) -> Path:
    """Return the file of kept records; a study's is in its folder."""
    own = _RECORDS_OF.get(name, name)
    return RECORDS / f"{name}.csv" if name in (BENCH, DEFAULTS) else study_folder(own) / "page" / RECORDS_FILE


def measurable() -> tuple[str, ...]:
    """Return the names of the kept records."""
    return BENCH, *(name for name in study_names() if name not in _RECORDS_OF and path_of(name).exists())


@cache
def read_kept(name: str) -> pl.DataFrame:
    """Return kept records with all columns; columns that no page shows are null."""
    schema = frame_schema()
    kept = pl.read_csv(path_of(name), schema_overrides=schema)
    return pl.concat([pl.DataFrame(schema=schema), kept], how="diagonal")


def page_module(name: str) -> ModuleType | None:
    """Return `page/blocks.py` of a study's folder, which holds what only its page shows, or None."""
    if not (study_folder(name) / "page" / "blocks.py").exists():
        return None
    return import_module(f"steelyard.studies.{study_folder(name).name}.page.blocks")


def measure(names: Sequence[str]) -> None:
    """Measure and keep records without an earlier store or cache."""
    # All is measured before anything is written, so that records carry the commit of an unchanged checkout.
    measured = {name: {RECORDS_FILE: _bench()} if name == BENCH else _of_study(name) for name in names}
    for name, frames in measured.items():
        records = frames.pop(RECORDS_FILE)
        tables.in_order(records).select(columns_read(name, records)).write_csv(path_of(name))
        for file, frame in frames.items():
            frame.write_csv(path_of(name).with_name(file))
    read_kept.cache_clear()


def _bench() -> pl.DataFrame:
    # Table and picture show what a message costs, without set-up and the way back.
    records = tables.headline(_measured("measure --bench"))
    return records.filter(pl.col("operation").is_in([operation for _, operation in summary.KINDS.values()]))


def _of_study(name: str) -> dict[str, pl.DataFrame]:
    page = page_module(name)
    commands = getattr(page, "COMMANDS", (f"reproduce {name}",))
    return frames_of(name, _measured(*commands, may_fail=getattr(page, "MAY_FAIL", False)))


def frames_of(name: str, records: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return what is kept of a study's records, by the names of the files in its folder `page`."""
    page = page_module(name)
    keep = getattr(page, "keep", None)
    kept: pl.DataFrame = records if keep is None else keep(records, load_catalog().defaults)
    beside = getattr(page, "BESIDE", {})
    return {RECORDS_FILE: kept, **{file: made(records) for file, made in beside.items()}}


class _Watched(dict[str, Any]):
    """A record that notes which of its fields are read."""

    def __init__(self, record: dict[str, Any], read: set[str]) -> None:
        super().__init__(record)
        self._read = read

    def __getitem__(self, name: str) -> Any:
        self._read.add(name)
        return super().__getitem__(name)


def columns_read(name: str, records: pl.DataFrame) -> list[str]:
    """Return the columns that pages show or use for verdicts, without empty ones."""
    read = {*_ORDER, *_ORIGIN}
    if name == BENCH:
        read.update(_OF_BENCH)
    else:
        study = load_study(name)
        _, taken = records_of(study, records)
        study.judge([_Watched(record, read) for record in taken], load_catalog().defaults)
        read.update(getattr(page_module(name), "COLUMNS", ()))
    return [column for column in records.columns if column in read and records[column].count()]


def _measured(*lines: str, may_fail: bool = False) -> pl.DataFrame:
    program = str(Path(sys.executable).with_name("steelyard"))
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "store")
        fresh = Path(folder, "cache")
        environment = {**os.environ, "STEELYARD_CACHE": str(fresh)}
        # Compilers that were built from source stay what they are.
        fresh.mkdir()
        (fresh / toolchains_folder().name).symlink_to(toolchains_folder())
        for line in lines:
            command = [program, *line.split(), "--store", str(store)]
            ended = subprocess.run(command, stdout=subprocess.DEVNULL, env=environment)
            # Failed cells are records like others where a page lists them.
            if not (may_fail and ended.returncode == 1):
                ended.check_returncode()
        return read_records(store, print)

"""Every verdict and figure that `steelyard reproduce` says of the kept records is what it was.

After records were measured anew, `python tests/study/test_before.py` writes the file anew: its changes are the
verdicts that turned.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from reproduce.test_atmega128 import ALL_HOLD
from reproduce.test_atmega128 import records as atmega128_records
from study.said import said

from steelyard.catalog.load import load_catalog
from steelyard.record.schema import Record
from steelyard.reproduce import (
    atmega128,
    cache_sweep,
    ganesan,
    industrial_linux,
    rl78_minimal,
    sa1100,
    sensor_nodes,
    word_sizes,
)
from steelyard.store.read import frame_schema

RECORDS = Path(__file__).parents[2] / "docs" / "records"
BEFORE = Path(__file__).with_name("before.json")


@cache
def defaults() -> set[str]:
    return {variant.id for variant in load_catalog().variants if variant.file.default}


def kept(name: str) -> list[Record]:
    return pl.read_csv(RECORDS / f"{name}.csv", schema_overrides=frame_schema()).to_dicts()


def of_gcc(name: str) -> list[Record]:
    return [record for record in kept(name) if record["toolchain"] == "gcc"]


MADE: Mapping[str, Callable[[], Any]] = {
    "atmega128": lambda: atmega128.reproduce(list(atmega128_records(ALL_HOLD)), defaults()),
    "cache-sweep": lambda: cache_sweep.reproduce(of_gcc("energy-sa1100")),
    "energy-sa1100": lambda: sa1100.reproduce(of_gcc("energy-sa1100")),
    "ganesan": lambda: ganesan.reproduce(sensor_nodes.reproduce(of_gcc("sensor-nodes"), defaults()).tables),
    "industrial-linux": lambda: industrial_linux.reproduce(kept("industrial-linux"), defaults()),
    "rl78-minimal": lambda: rl78_minimal.reproduce(kept("rl78-minimal")),
    "sensor-nodes": lambda: sensor_nodes.reproduce(of_gcc("sensor-nodes"), defaults()),
    "word-sizes": lambda: word_sizes.reproduce(of_gcc("word-sizes"), defaults()),
}


def rows(name: str) -> Iterator[Mapping[str, object]]:
    module = import_module(f"steelyard.cli.reproduced.{name.replace('-', '_')}")
    return module._rows(MADE[name]())  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", MADE)
def test_what_a_study_says_is_what_it_said(name: str) -> None:
    assert said(rows(name)) == json.loads(BEFORE.read_text("utf-8"))[name]


if __name__ == "__main__":
    BEFORE.write_text(json.dumps({name: said(rows(name)) for name in MADE}, indent=1) + "\n", "utf-8")

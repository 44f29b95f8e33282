"""`steelyard reproduce industrial-linux` on this machine: kept, gone on with, measured anew."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from steelyard.catalog.load import Catalog
from steelyard.cli.app import app
from steelyard.linux.measure.library import LibraryPlan
from steelyard.linux.measure.plan import make_host_plan
from steelyard.measure.selection import Selection
from steelyard.record.schema import Record
from steelyard.store.segments import SegmentWriter
from steelyard.studies.industrial_linux import measure as industrial_linux
from steelyard.studies.industrial_linux.measure import Stage

CELLS = 4


def few_stages(catalog: Catalog, *, quick: bool = False) -> tuple[Stage, ...]:
    selection = Selection(
        primitive=("aes-128", "aes-256"),
        operation=("encrypt",),
        mode=("ctr", "ecb"),
        length=(industrial_linux.QUICK_BYTES,),
        padding=("pkcs7",),
    )
    return (Stage("Table 2", make_host_plan(catalog, selection, [1]), LibraryPlan(), 2),)


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four cells, whatever else the machine does."""
    monkeypatch.setattr(industrial_linux, "stages", few_stages)
    monkeypatch.setattr(industrial_linux, "UNDISTURBED_PERCENT", 0.0)


@dataclass(frozen=True)
class Said:
    """What a run of the command put out."""

    shown: str
    told: str

    @property
    def to_measure(self) -> int:
        """Cells that it found missing."""
        found = re.search(r"Table 2: (\d+) cells to measure", self.told)
        assert found is not None, self.told
        return int(found[1])


def run(store: Path, *options: str, status: int = 0) -> Said:
    words = ["reproduce", "industrial-linux", "--quick", f"--store={store}", *options]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == status, result.output
    return Said(result.stdout, result.stderr)


def test_what_is_measured_is_kept_and_shown(tmp_path: Path) -> None:
    first = run(tmp_path, "--json")
    assert first.to_measure == CELLS
    rows = [row for row in json.loads(first.shown) if row.get("table") == "aes"]
    assert {(row["key_bits"], row["mode"], row["implementation"]) for row in rows} == {
        (bits, mode, "own") for bits in (128, 256) for mode in ("ctr", "ecb")
    }
    assert all(row["delay_ms"] > 0 for row in rows)
    second = run(tmp_path, "--json")
    assert second.to_measure == 0
    assert json.loads(second.shown) == json.loads(first.shown)
    assert run(tmp_path, "--again").to_measure == CELLS


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = SegmentWriter.append

    written: list[Record] = []

    def interrupted(self: SegmentWriter, records: list[Record]) -> None:
        if len(written) == CELLS - 1:
            raise KeyboardInterrupt
        written.extend(records)
        kept(self, records)

    with monkeypatch.context() as patch:
        patch.setattr(SegmentWriter, "append", interrupted)
        stopped = run(tmp_path, status=130)
    assert "the same command goes on from there" in stopped.told
    assert run(tmp_path).to_measure == 1


def test_what_other_work_disturbed_is_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path)
    monkeypatch.setattr(industrial_linux, "UNDISTURBED_PERCENT", 1e6)
    assert run(tmp_path).to_measure == CELLS

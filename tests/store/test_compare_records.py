"""tools/compare_records.py tells every changed field, and what is in one store only."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from steelyard.record.schema import Record, complete
from steelyard.store.segments import SegmentWriter

TOOL = Path(__file__).parents[2] / "tools" / "compare_records.py"


def record(primitive: str, **more: object) -> Record:
    fields: dict[str, object] = {"target": "atmega128", "status": "ok", "cycles": 1.5, "date": "then"}
    return complete({"primitive": primitive, **fields, **more})  # type: ignore[dict-item]


def compared(
    tmp_path: Path, before: Iterable[Record], after: Iterable[Record], *more: str
) -> tuple[int, str]:
    for name, records in (("before", before), ("after", after)):
        with SegmentWriter(tmp_path / name) as writer:
            writer.append(records)
    command = [sys.executable, str(TOOL), str(tmp_path / "before"), str(tmp_path / "after"), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.returncode, done.stdout


def test_the_same_figures_at_another_time_are_equal(tmp_path: Path) -> None:
    status, said = compared(tmp_path, [record("a"), record("b")], [record("b", date="now"), record("a")])
    assert status == 0
    assert said.startswith("2 equal, 0 changed, 0 only before, 0 only after;")


def test_what_changed_is_named(tmp_path: Path) -> None:
    before = [record("a"), record("b", samples=2), record("c")]
    after = [record("a", cycles=1.5000001), record("b", samples=2), record("d"), record("e")]
    status, said = compared(tmp_path, before, after)
    assert status == 1
    assert said.startswith("1 equal, 1 changed, 1 only before, 2 only after;")
    assert "  cycles: 1, first a atmega128: 1.5 -> 1.5000001" in said
    assert "  only before: c atmega128" in said


def test_a_figure_that_comes_or_goes_is_a_change(tmp_path: Path) -> None:
    status, said = compared(tmp_path, [record("a", energy_nj=None)], [record("a", energy_nj=2.0)])
    assert status == 1
    assert "  energy_nj: 1, first a atmega128: None -> 2.0" in said


def test_a_field_can_be_left_out(tmp_path: Path) -> None:
    before, after = [record("a", source_hash="1")], [record("a", source_hash="2"), record("b")]
    assert compared(tmp_path, before, after, "--ignore", "source_hash")[0] == 0

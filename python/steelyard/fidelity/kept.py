"""The kept run of `steelyard fidelity`: each published figure of a board with what was emulated."""

from __future__ import annotations

import csv
from pathlib import Path

from steelyard.data import data_root
from steelyard.fidelity.compare import Row


def kept_path() -> Path:
    """Return the path of the kept rows, which `steelyard fidelity --output` wrote."""
    return data_root() / "reference" / "emulated.csv"


def kept_rows() -> list[Row]:
    """Read the kept rows."""
    with kept_path().open(encoding="utf-8", newline="") as file:
        return [_row(line) for line in csv.DictReader(file)]


def _row(line: dict[str, str]) -> Row:
    def number(name: str) -> float | None:
        return float(line[name]) if line[name] else None

    return Row(
        board=line["board"],
        routine=line["routine"],
        source=line["source"],
        path=line["path"],
        language=line["language"],
        options=line["options"],
        unit=line["unit"],
        published=float(line["published"]),
        emulated=number("emulated"),
        error_percent=number("error_percent"),
        cycles=int(line["cycles"]) if line["cycles"] else None,
        assembly_percent=number("assembly_percent"),
        toolchain_version=line["toolchain_version"] or None,
        timing_version=line["timing_version"] or None,
        reason=line["reason"] or None,
    )

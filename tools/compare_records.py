"""Compare the newest records of two stores, field by field: whether a change of the code changed a figure.

    python tools/compare_records.py BEFORE_STORE AFTER_STORE [--ignore FIELD]...

A store is a folder, a segment (.ndjson) or an exported Parquet file. Fields that say when, by whom and with
which version a record was made are not compared. Prints how many records are equal, changed, and in one store
only; of the changed ones which fields differ how often, with the first example of each. Exit status 1 if a
record changed or is missing after.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import polars as pl

from steelyard.record.schema import FIELD_NAMES, IDENTITY
from steelyard.store.read import read_records, read_segments
from steelyard.store.segments import Segment, segment_of

PROVENANCE = ("date", "emulator_version", "image", "steelyard_commit", "steelyard_version")
SHOWN = (
    "primitive",
    "variant",
    "target",
    "toolchain",
    "flags",
    "footprint",
    "operation",
    "mode",
    "message_bytes",
)


def records(place: Path) -> pl.DataFrame:
    """The newest records of the cells of a store, a segment or an exported file."""
    if place.suffix == ".parquet":
        return pl.read_parquet(place).unique(subset=list(IDENTITY), keep="last", maintain_order=True)
    if place.suffix == ".ndjson":
        return read_segments([segment_of(place) or Segment(place, 1, 0, "")], print)
    return read_records(place, print)


def differing(before: pl.DataFrame, after: pl.DataFrame, compared: list[str]) -> pl.DataFrame:
    """Cells that both have, with a column `name?` that says whether the field differs."""
    both = before.join(after, on=list(IDENTITY), how="inner", suffix=" after", nulls_equal=True)
    return both.with_columns(
        pl.col(name).ne_missing(pl.col(f"{name} after")).alias(f"{name}?") for name in compared
    )


def main() -> int:
    """Run the command; its exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--ignore", action="append", default=[], choices=FIELD_NAMES, metavar="FIELD")
    chosen = parser.parse_args()
    before, after = records(chosen.before), records(chosen.after)
    compared = [name for name in FIELD_NAMES if name not in (*IDENTITY, *PROVENANCE, *chosen.ignore)]
    both = differing(before, after, compared)
    changed = both.filter(pl.any_horizontal(f"{name}?" for name in compared))
    only_before = before.join(after, on=list(IDENTITY), how="anti", nulls_equal=True)
    only_after = after.join(before, on=list(IDENTITY), how="anti", nulls_equal=True)
    print(f"{both.height - changed.height} equal, {changed.height} changed,", end=" ")
    print(
        f"{only_before.height} only before, {only_after.height} only after; {len(compared)} fields compared"
    )
    for name in compared:
        rows = changed.filter(pl.col(f"{name}?"))
        if rows.height:
            row = rows.row(0, named=True)
            cell = " ".join(str(row[part]) for part in SHOWN if row[part] is not None)
            values = (str(row[name])[:60], str(row[f"{name} after"])[:60])
            print(f"  {name}: {rows.height}, first {cell}: {values[0]} -> {values[1]}")
    for frame, when in ((only_before, "before"), (only_after, "after")):
        for row in frame.head(3).iter_rows(named=True):
            print(f"  only {when}: {' '.join(str(row[part]) for part in SHOWN if row[part] is not None)}")
    return 1 if changed.height or only_before.height else 0


if __name__ == "__main__":
    sys.exit(main())

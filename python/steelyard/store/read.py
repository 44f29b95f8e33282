"""Query the segments with DuckDB; readers never lock, so runs may write meanwhile."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.record.schema import FIELDS, IDENTITY
from steelyard.store.segments import Segment, StoreError, segments

if TYPE_CHECKING:
    import polars as pl

_DUCKDB_TYPES = {str: "VARCHAR", int: "BIGINT", float: "DOUBLE", bool: "BOOLEAN"}


def read_records(folder: Path, warn: Callable[[str], None], *, newest_only: bool = True) -> pl.DataFrame:
    """Return all records of a store, one row each with the columns of FIELDS; with `newest_only` one per
    cell.

    Invalid lines are left out and reported by `warn` in one sentence each. StoreError if the store was
    written by a newer Steelyard or cannot be read. A store that does not exist yet has no records.
    """
    found = segments(folder)
    try:
        return read_segments(found, warn, newest_only=newest_only)
    except StoreError:
        # A garbage collection that ran meanwhile has put the same records into another segment.
        if all(segment.path.exists() for segment in found):
            raise
        return read_segments(segments(folder), warn, newest_only=newest_only)


def read_segments(
    found: Sequence[Segment], warn: Callable[[str], None], *, newest_only: bool = True
) -> pl.DataFrame:
    """Return the records of these segments like `read_records`.

    The last record of a cell in the order of segments is the newest.
    """
    import polars as pl

    schema = {**frame_schema(), "segment": pl.String()}
    rows = _query(found) if found else []
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    # With ignore_errors DuckDB turns a line it cannot parse into a row of nulls.
    broken = frame.filter(pl.col("status").is_null() | pl.col("target").is_null())
    for sentence in _bad_lines(found, Counter(broken["segment"].to_list())):
        warn(sentence)
    frame = frame.filter(pl.col("status").is_not_null() & pl.col("target").is_not_null()).drop("segment")
    return frame.unique(subset=list(IDENTITY), keep="last", maintain_order=True) if newest_only else frame


def frame_schema() -> dict[str, pl.DataType]:
    """Return the Polars schema of a frame of records."""
    import polars as pl

    types = {str: pl.String(), int: pl.Int64(), float: pl.Float64(), bool: pl.Boolean()}
    return {field.name: types[field.type] for field in FIELDS}


def _query(found: Sequence[Segment]) -> list[tuple[object, ...]]:
    import duckdb

    columns = {field.name: _DUCKDB_TYPES[field.type] for field in FIELDS}
    names = ", ".join(f'"{name}"' for name in columns)
    files = [str(segment.path) for segment in found]
    try:
        with duckdb.connect(config={"threads": 2}) as connection:
            return connection.execute(
                f"SELECT {names}, parse_filename(filename) FROM read_ndjson($files, columns = $columns,"
                " filename = true, ignore_errors = true)",
                {"files": files, "columns": columns},
            ).fetchall()
    except duckdb.Error as error:
        reason = str(error).splitlines()[0]
        raise StoreError(f"{found[0].path.parent}: the store cannot be read: {reason}.") from None


def _bad_lines(found: Sequence[Segment], broken: Counter[str]) -> Iterator[str]:
    """Yield a sentence for each invalid line of the segments known to have some."""
    for segment in found:
        if not broken[segment.path.name]:
            continue
        lines = segment.path.read_bytes().split(b"\n")
        for number, line in enumerate(lines, start=1):
            if not line.strip() or _is_record(line):
                continue
            truncated = number == len(lines)
            if truncated and segment.being_written:
                continue
            what = "is cut off" if truncated else "is not a record"
            yield f"{segment.path}: line {number} {what} and was left out; the other lines are used."


def _is_record(line: bytes) -> bool:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and record.get("status") is not None and record.get("target") is not None

"""Read the records of the segments; readers never lock, so runs may write meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.record.schema import FIELDS, IDENTITY
from steelyard.store.segments import Segment, StoreError, segments

if TYPE_CHECKING:
    import polars as pl


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
    lines = [line for segment in found for line in _lines(segment) if line.strip()]
    if newest_only:
        # A run that finds everything done writes the lines of the run before again.
        lines = list(dict.fromkeys(reversed(lines)))[::-1]
    records = _records(lines)
    if records.height < len(lines):
        for sentence in _bad_lines(found):
            warn(sentence)
    if newest_only:
        records = records.unique(subset=list(IDENTITY), keep="last", maintain_order=True)
    return records


def frame_schema() -> dict[str, pl.DataType]:
    """Return the Polars schema of a frame of records."""
    import polars as pl

    types = {str: pl.String(), int: pl.Int64(), float: pl.Float64(), bool: pl.Boolean()}
    return {field.name: types[field.type] for field in FIELDS}


def _lines(segment: Segment) -> list[bytes]:
    """The lines of a segment; one that is being written now is none yet."""
    unfinished = segment.being_written
    try:
        content = segment.path.read_bytes()
    except OSError as error:
        raise StoreError(f"{segment.path}: the store cannot be read: {error.strerror}.") from None
    lines = content.split(b"\n")
    return lines[:-1] if unfinished else lines


def _records(lines: Sequence[bytes]) -> pl.DataFrame:
    """A row for each line that is a record."""
    import polars as pl

    empty = pl.DataFrame(schema=frame_schema())
    if not lines:
        return empty
    try:
        frame = pl.read_ndjson(b"\n".join(lines), schema=frame_schema(), ignore_errors=True)
    except pl.exceptions.ComputeError:
        # One that is no JSON spoils those that are read with it.
        if len(lines) == 1:
            return empty
        middle = len(lines) // 2
        return pl.concat([_records(lines[:middle]), _records(lines[middle:])])
    # What is JSON but no record is a row of nulls.
    return frame.filter(pl.col("status").is_not_null() & pl.col("target").is_not_null())


def _bad_lines(found: Sequence[Segment]) -> Iterator[str]:
    """A sentence for each line that is no record."""
    for segment in found:
        lines = _lines(segment)
        for number, line in enumerate(lines, start=1):
            if line.strip() and _records([line]).is_empty():
                what = "is cut off" if number == len(lines) else "is not a record"
                yield f"{segment.path}: line {number} {what} and was left out; the other lines are used."

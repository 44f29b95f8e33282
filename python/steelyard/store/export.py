"""Export records as JSON, CSV or Parquet, or as the CSV in which pqm4 publishes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from steelyard.record.field import decoded
from steelyard.record.schema import FIELDS
from steelyard.store.lock import StoreError
from steelyard.store.pqm4 import to_pqm4

if TYPE_CHECKING:
    import polars as pl

ExportFormat = Literal["json", "csv", "parquet", "pqm4"]


def encode(frame: pl.DataFrame, form: ExportFormat) -> bytes:
    """Encode the records of a frame; every column is present, null where it does not apply.

    UsageError where the format is for records of other kinds than there are.
    """
    if form == "json":
        return to_json(frame).encode()
    if form == "pqm4":
        return to_pqm4(frame.to_dicts()).encode()
    buffer = io.BytesIO()
    if form == "csv":
        frame.write_csv(buffer)
    else:
        frame.write_parquet(buffer)
    return buffer.getvalue()


def to_json(frame: pl.DataFrame) -> str:
    """Return one JSON array with one object per line; fields that hold JSON as text are what they hold."""
    rows = ",\n".join(json.dumps(decoded(row, FIELDS), allow_nan=False) for row in frame.to_dicts())
    return f"[\n{rows}\n]\n" if rows else "[]\n"


def write_file(path: Path, data: bytes) -> None:
    """Write a file through a temporary one beside it, so that it is complete or absent.

    StoreError if that fails.
    """
    temporary = path.with_name(f".{path.name}.partial")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise StoreError(f"{path}: cannot be written: {error.strerror}.") from None

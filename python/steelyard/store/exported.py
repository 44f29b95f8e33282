"""Read records from a file: an export, the output of `--json`, or a segment of a store."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steelyard.errors import UsageError
from steelyard.files import read_limited
from steelyard.nearest import printable
from steelyard.record.check import parsed
from steelyard.record.field import encoded
from steelyard.record.schema import FIELD_NAMES, FIELDS
from steelyard.store.read import frame_schema, newest, read_segments
from steelyard.store.segments import segment_of

if TYPE_CHECKING:
    import polars as pl

_LIMIT_BYTES = 4 << 30
_PARQUET = b"PAR1"


def read_exported(path: Path, warn: Callable[[str], None]) -> pl.DataFrame:
    """Return the newest record of every cell in a file, with the columns of `record.schema.FIELDS`.

    The file is a segment, or JSON, CSV or Parquet as `steelyard store export` and `--json` write them. A
    column that is unknown is left out and a missing one is null. UsageError for anything else; `warn`
    receives a sentence about each line of a segment that is no record.
    """
    import polars as pl

    segment = segment_of(path)
    if segment is not None:
        return read_segments([segment], warn)
    rows = _rows(path, read_limited(path, _LIMIT_BYTES, "an export"))
    found = []
    for number, row in enumerate(rows, start=1):
        record = parsed(json.dumps(encoded(row, FIELDS), default=str).encode())
        if isinstance(record, str):
            raise UsageError(f"{path}: its row {number} is not a record ({record}).")
        found.append(record)
    return newest(pl.DataFrame(found, schema=frame_schema(), orient="row"))


def _rows(path: Path, raw: bytes) -> list[dict[str, Any]]:
    """Return the rows of a file by their columns."""
    import polars as pl

    if raw.lstrip()[:1] == b"[":
        try:
            listed = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{path}: not valid JSON: {printable(str(error))}.") from None
        return [row if isinstance(row, dict) else {} for row in listed]
    try:
        if raw.startswith(_PARQUET):
            frame = pl.read_parquet(io.BytesIO(raw))
        else:
            header = raw.split(b"\n", 1)[0].decode("utf-8", "replace").strip().split(",")
            if not {"status", "target"} <= set(header):
                raise UsageError(
                    f"{path}: these are no records; store export writes them as JSON, CSV or Parquet."
                )
            types = {field.name: field.type for field in FIELDS}
            schema: dict[str, Any] = {
                name: frame_schema()[name] if name in types else pl.String() for name in header
            }
            frame = pl.read_csv(io.BytesIO(raw), schema=schema)
    except pl.exceptions.PolarsError as error:
        raise UsageError(f"{path}: cannot be read: {printable(str(error).splitlines()[0])}.") from None
    rows: list[dict[str, Any]] = frame.select(
        name for name in frame.columns if name in FIELD_NAMES
    ).to_dicts()
    return rows

"""Records for the tests of the store, and what writes them."""

from __future__ import annotations

import json
from pathlib import Path

from steelyard.record.schema import Record, complete
from steelyard.store.segments import SegmentWriter


def record(number: int, **more: object) -> Record:
    fields: dict[str, object] = {
        "target": "atmega128",
        "status": "ok",
        "primitive": f"p-{number}",
        "cycles": 1.5,
    }
    return complete({**fields, **more})  # type: ignore[dict-item]


def silent(sentence: str) -> None:
    raise AssertionError(sentence)


def written(folder: Path, *records: Record) -> Path:
    """The finished segment of a run that made these records."""
    with SegmentWriter(folder) as writer:
        writer.append(records)
        assert writer.path is not None
        return writer.path


def old_segment(folder: Path, *lines: bytes, start: str = "20260101T000000000000") -> Path:
    """A segment of format 1, whose lines have no checksum."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"records-v1-{start}-4194999-0123abcd.ndjson"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def old_line(one: Record) -> bytes:
    return json.dumps(one, separators=(",", ":")).encode()

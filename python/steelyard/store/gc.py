"""Garbage collection: drop superseded records by writing the newest ones to one new segment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from steelyard.store.read import read_segments
from steelyard.store.segments import SegmentWriter, segments


@dataclass(frozen=True)
class Collected:
    """Result of a collection.

    Records dropped and kept, segments replaced, and segments left because a run still writes them.
    """

    dropped_records: int
    kept_records: int
    replaced_segments: int
    busy_segments: int


def collect(folder: Path, warn: Callable[[str], None]) -> Collected:
    """Replace all segments of finished runs by one that holds the newest record of each cell.

    The new segment is complete on disk before an old one is deleted; segments of running processes stay.
    """
    found = segments(folder)
    finished = [segment for segment in found if not segment.being_written]
    everything = read_segments(finished, warn, newest_only=False)
    newest = read_segments(finished, lambda _: None)
    if len(finished) > 1 or newest.height < everything.height:
        with SegmentWriter(folder, start=finished[-1].start) as writer:
            writer.append(newest.iter_rows(named=True))
        for segment in finished:
            segment.path.unlink(missing_ok=True)
    return Collected(
        dropped_records=everything.height - newest.height,
        kept_records=newest.height,
        replaced_segments=len(finished),
        busy_segments=len(found) - len(finished),
    )

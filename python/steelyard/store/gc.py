"""Garbage collection: drop superseded records by writing the newest ones to a new segment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from steelyard.store.lines import sealed
from steelyard.store.lock import StoreError, store_lock
from steelyard.store.read import Line, folder_contents, newest, whole_records
from steelyard.store.segments import FORMAT_VERSION, PARTIAL_PREFIX, Segment, place, replacing


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
    """Replace the segments of finished runs by one that holds the newest record of each cell.

    Segments of running writers stay, and those before and after one are replaced apart, so that the order of
    runs stays. A line that is no record is dropped; `warn` receives a sentence about each. A collection that
    ends early, at whatever moment, has dropped no newest record and doubled none. StoreError if the store
    cannot be locked, read or written.
    """
    if not folder.exists():
        return Collected(0, 0, 0, 0)
    with store_lock(folder):
        held = folder_contents(folder)
        _remove(folder.glob(f"{PARTIAL_PREFIX}*.partial"))
        _remove(segment.path for segment in held.replaced)
        finished = set(held.finished)
        good, records, damages = whole_records([line for line in held.lines if line.segment in finished])
        damages = [*held.damages, *damages]
        for damage in damages:
            warn(damage.sentence)
        rows = set(newest(records.with_row_index("row"))["row"])
        stale = {line.segment.path for row, line in enumerate(good) if row not in rows}
        stale |= {damage.path for damage in damages}
        order = sorted((*held.finished, *held.busy), key=Segment.place)
        for is_finished, group in groupby(order, key=finished.__contains__):
            if is_finished:
                _renew(folder, list(group), [good[row] for row in sorted(rows)], stale)
    return Collected(
        dropped_records=records.height - len(rows),
        kept_records=len(rows),
        replaced_segments=len(held.finished),
        busy_segments=len(held.busy),
    )


def _renew(folder: Path, group: list[Segment], kept: Sequence[Line], stale: set[Path]) -> None:
    """Put one segment in the place of neighbours, unless a single one has nothing to drop."""
    if len(group) == 1 and group[0].version == FORMAT_VERSION and group[0].path not in stale:
        return
    lines = [sealed(line.text) for line in kept if line.segment in group]
    if lines:
        first = replacing(segment.path.name for segment in group)
        place(folder, [first, *lines], group[-1].sequence, group[-1].start)
    _remove(segment.path for segment in group)


def _remove(paths: Iterable[Path]) -> None:
    """Remove files that nobody needs; one that stays is left out by readers too."""
    for path in paths:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{path}: cannot be removed: {error.strerror}; no record is lost.") from None

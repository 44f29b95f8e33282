"""Take over the records of another store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from steelyard.errors import UsageError
from steelyard.store.lines import sealed
from steelyard.store.lock import StoreError, store_lock
from steelyard.store.read import Contents, contents, folder_contents, whole_records
from steelyard.store.results import copy_results
from steelyard.store.segments import next_sequence, place, segment_of


@dataclass(frozen=True)
class Merged:
    """Result of a merge: records and results taken over, and records that were there before."""

    new_records: int
    known_records: int
    new_results: int


def merge(folder: Path, source: Path, warn: Callable[[str], None]) -> Merged:
    """Append the records of `source`, a store's folder or one segment, in their order to the store `folder`.

    They count as newer than those that are there, except lines that the store holds already, which stay where
    they are. Results of a folder are copied where the store has none of their name. A merge that ends early
    has taken over no record or all of them. `warn` receives a sentence about each line that is no record.
    UsageError if `source` is no store or this one, StoreError if something cannot be read or written.
    """
    theirs = _contents(source)
    good, _, damages = whole_records(theirs.lines)
    for damage in (*theirs.damages, *damages):
        warn(damage.sentence)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if folder.samefile(source if source.is_dir() else source.parent):
            raise UsageError(f"{source} belongs to the store itself; name another one.")
    except OSError as error:
        raise StoreError(f"{folder}: the store cannot be written: {error.strerror}.") from None
    with store_lock(folder):
        ours = {sealed(line.text) for line in folder_contents(folder).lines}
        lines = [text for line in good if (text := sealed(line.text)) not in ours]
        if lines:
            place(folder, lines, next_sequence(folder))
        results = copy_results(source, folder) if source.is_dir() else 0
    return Merged(len(lines), len(good) - len(lines), results)


def _contents(source: Path) -> Contents:
    if source.is_dir():
        return folder_contents(source)
    segment = segment_of(source)
    try:
        if segment is not None:
            return contents([segment])
    except FileNotFoundError:
        pass
    raise UsageError(
        f"{source}: this is neither the folder of a store nor one of its segments, records-v*.ndjson."
    )

"""Look at every record of a store, whether it counts or is superseded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from steelyard.record.check import parsed
from steelyard.store.lines import has_checksum
from steelyard.store.read import Damage, damaged, folder_contents
from steelyard.store.results import damaged_results


@dataclass(frozen=True)
class Verified:
    """What a store holds: whole records, how many of them have no checksum, and what is bad."""

    records: int
    without_checksum: int
    segments: int
    damages: tuple[Damage, ...]


def verify(folder: Path) -> Verified:
    """Check the checksum of each line, the record in it against the schema, and each result.

    Nothing is changed; runs may write meanwhile. StoreError if the folder cannot be read.
    """
    held = folder_contents(folder)
    looked_at = [(line, parsed(line.text)) for line in held.lines]
    bad = damaged(looked_at)
    return Verified(
        records=len(looked_at) - len(bad),
        without_checksum=sum(
            not has_checksum(line.text) for line, record in looked_at if not isinstance(record, str)
        ),
        segments=len(held.finished) + len(held.busy),
        damages=(*held.damages, *bad, *damaged_results(folder)),
    )

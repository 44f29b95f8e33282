"""A long list of records in little memory."""

from __future__ import annotations

import json
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from steelyard.record.schema import Record

_TOGETHER = 32
"""Records compressed together: more of them take hardly less memory, and longer to find one."""
_LEVEL = 1


class Records(Sequence[Record]):
    """A list of records to append to, which keeps all but the last ones compressed.

    What is returned is a copy: a change of it changes nothing here.
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._packed: list[bytes] = []
        self._ends: list[int] = []
        self._last: list[Record] = []
        self._open: tuple[int, list[Record]] = (-1, [])
        self.extend(records)

    def append(self, record: Record) -> None:
        """Add a record at the end."""
        self._last.append(record)
        if len(self._last) >= _TOGETHER:
            self.pack()

    def extend(self, records: Iterable[Record]) -> None:
        """Add records at the end; those of another such list in its own pieces."""
        if isinstance(records, Records):
            records.pack()
            self.pack()
            before = len(self)
            self._packed += records._packed
            self._ends += (before + end for end in records._ends)
            return
        for record in records:
            self.append(record)

    def pack(self) -> None:
        """Compress the last records too, where no more of them come soon."""
        if self._last:
            self._packed.append(zlib.compress(json.dumps(self._last).encode(), _LEVEL))
            self._ends.append(len(self))
            self._last = []

    def __iadd__(self, records: Iterable[Record]) -> Records:
        self.extend(records)
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Records | list):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return (self._ends[-1] if self._ends else 0) + len(self._last)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> list[Record]: ...
    def __getitem__(self, index: int | slice) -> Record | list[Record]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        piece = bisect_right(self._ends, number)
        if piece == len(self._packed):
            return dict(self._last[number - len(self)])
        return dict(self._piece(piece)[number - self._ends[piece]])

    def __iter__(self) -> Iterator[Record]:
        for piece in range(len(self._packed)):
            yield from map(dict, self._piece(piece))
        yield from map(dict, self._last)

    def _piece(self, number: int) -> list[Record]:
        if self._open[0] != number:
            self._open = (number, json.loads(zlib.decompress(self._packed[number])))
        return self._open[1]

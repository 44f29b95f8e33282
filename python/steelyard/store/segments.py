"""Storage of records: one append-only segment per run in the data directory, a line of JSON for each record.

A segment's name carries the format version, a sequence number, the start of the run and a random part, so
that runs never share a file. The sequence number is greater than all that were in the store when the run
began to write: a later run comes after an earlier one, whatever the clock says. Segments are never rewritten
in place.
A segment that a collection wrote begins with a line that names the segments it replaces.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from steelyard.data import user_folder
from steelyard.record.schema import Record
from steelyard.store.lines import line, sealed
from steelyard.store.lock import StoreError, lock_for_writing, store_lock

__all__ = ["FORMAT_VERSION", "Segment", "SegmentWriter", "StoreError", "place", "segments", "store_folder"]

FORMAT_VERSION = 2
"""Version 1 had neither sequence numbers nor checksums; it is still read."""

PARTIAL_PREFIX = ".records-"

_NAME = re.compile(r"records-v(?:1-(\d{8}T\d{12})-\d+|2-(\d{12,})-(\d{8}T\d{12}))-[0-9a-f]{8}\.ndjson")
_REPLACES = b'{"replaces":'
_VERSION = re.compile(r"records-v(\d{1,9})\b")


@dataclass(frozen=True)
class Segment:
    """The file of one run; `start` is its first moment by the clock of its machine."""

    path: Path
    version: int
    sequence: int
    start: str

    def place(self) -> tuple[int, str, str]:
        """Return the segment's place among the others: what comes later counts."""
        return self.sequence, self.start, self.path.name


def store_folder(chosen: str | Path | None = None) -> Path:
    """Return the store's folder: `chosen`, or `STEELYARD_STORE`, or `steelyard/store` in the user's data
    directory (XDG Base Directory Specification).

    EnvironmentProblem if none is named and the user has no home directory.
    """
    if chosen is not None:
        return Path(chosen)
    named = os.environ.get("STEELYARD_STORE")
    if named:
        return Path(named)
    return user_folder("XDG_DATA_HOME", ".local/share", "STEELYARD_STORE") / "steelyard" / "store"


def segments(folder: Path) -> list[Segment]:
    """Return the store's segments, oldest first; StoreError if a newer Steelyard wrote one.

    A store that does not exist yet has none.
    """
    found = []
    for name in _names(folder):
        version = _VERSION.match(name)
        if version is not None and int(version[1]) > FORMAT_VERSION:
            raise StoreError(
                f"{folder / name}: the store has format {version[1]}, this Steelyard knows {FORMAT_VERSION};"
                " nothing was touched: use a newer Steelyard or another --store."
            )
        segment = segment_of(folder / name)
        if segment is not None:
            found.append(segment)
    return sorted(found, key=Segment.place)


def segment_of(path: Path) -> Segment | None:
    """Return the segment of a file's name, None for any other file."""
    match = _NAME.fullmatch(path.name)
    if match is None:
        return None
    return Segment(path, 1, 0, match[1]) if match[1] else Segment(path, 2, int(match[2]), match[3])


def _names(folder: Path) -> list[str]:
    """Return the names of the folder's files.

    While a collection exchanges files, a listing may hold neither the new one nor all of the old ones. Two
    listings in a row that agree are whole.
    """
    before: list[str] | None = None
    while True:
        try:
            names = sorted(os.listdir(folder))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"{folder}: the store cannot be read: {error.strerror}.") from None
        if names == before:
            return names
        before = names


def place(folder: Path, lines: Iterable[bytes], sequence: int, start: str | None = None) -> Path:
    """Put a new segment into a store whose lock is held: all of it or, whatever happens, nothing.

    `start` is now by default. StoreError if it cannot be written.
    """
    path = folder / _new_name(sequence, start)
    try:
        descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=PARTIAL_PREFIX, suffix=".partial")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.writelines(lines)
                # What mkstemp makes is its owner's alone, unlike the segments of runs.
                os.fchmod(file.fileno(), 0o644)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        _flush_folder(folder)
    except OSError as error:
        raise StoreError(f"{folder}: records cannot be written: {error.strerror}.") from None
    return path


def replacing(names: Iterable[str]) -> bytes:
    """Return the first line of a segment that holds what is needed of the segments of these names."""
    return sealed(_REPLACES + json.dumps(list(names), separators=(",", ":")).encode() + b"}")


def replaced_by(first_line: bytes) -> list[str] | None:
    """Return the names in the first line of a collection's segment, None for any other line."""
    if not first_line.startswith(_REPLACES):
        return None
    try:
        names = json.loads(first_line)["replaces"]
    except (ValueError, RecursionError):
        return None
    return names if isinstance(names, list) else None


def _new_name(sequence: int, start: str | None = None) -> str:
    moment = start or datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    return f"records-v{FORMAT_VERSION}-{sequence:012}-{moment}-{secrets.token_hex(4)}.ndjson"


def next_sequence(folder: Path) -> int:
    """Return the sequence number of a new segment of a store whose lock is held."""
    return max((segment.sequence for segment in segments(folder)), default=0) + 1


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class SegmentWriter:
    """Segment of a run, created at the first record; each record is on disk when `append` returns.

    The segment is locked until `close`. If its file is removed or replaced meanwhile, what it held and what
    follows goes into a new segment.
    """

    def __init__(self, folder: Path) -> None:
        segments(folder)
        self._folder = folder
        self._descriptor: int | None = None
        self.path: Path | None = None

    def __enter__(self) -> SegmentWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def append(self, records: Iterable[Record]) -> None:
        """Write records, each a line; as `append_lines`."""
        self.append_lines(b"".join(map(line, records)))

    def append_lines(self, data: bytes) -> None:
        """Write lines in one write; StoreError when the disk is full or the folder read-only.

        After a failed write the segment is truncated to its last whole line.
        """
        if not data:
            return
        try:
            self._write(self._present(), data)
        except OSError as error:
            raise StoreError(
                f"{self._folder}: a record cannot be written: {error.strerror};"
                " what was finished before is kept."
            ) from None

    def close(self) -> None:
        """Flush the segment to disk and unlock it; closing twice does nothing."""
        if self._descriptor is None:
            return
        try:
            os.fsync(self._present())
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be flushed to disk: {error.strerror}.") from None
        finally:
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None

    def _present(self) -> int:
        """Return the descriptor of a segment that is in the store."""
        if self._descriptor is None:
            self._descriptor = self._create()
        elif not self._is_in_store(self._descriptor):
            with os.fdopen(self._descriptor, "rb") as lost:
                self._descriptor = None
                lost.seek(0)
                held = lost.read()
                self._descriptor = self._create()
                self._write(self._descriptor, held)
        return self._descriptor

    def _is_in_store(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self.path or ""))
        except FileNotFoundError:
            return False

    def _create(self) -> int:
        self._folder.mkdir(parents=True, exist_ok=True)
        with store_lock(self._folder):
            path = self._folder / _new_name(next_sequence(self._folder))
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
            try:
                lock_for_writing(descriptor, self._folder)
            except StoreError:
                os.close(descriptor)
                path.unlink(missing_ok=True)
                raise
        self.path = path
        return descriptor

    @staticmethod
    def _write(descriptor: int, data: bytes) -> None:
        size_before = os.fstat(descriptor).st_size
        written = 0
        try:
            while written < len(data):
                written += os.write(descriptor, memoryview(data)[written:])
        except OSError:
            whole_lines = data.rfind(b"\n", 0, written) + 1
            os.ftruncate(descriptor, size_before + whole_lines)
            raise

"""Storage of records: one append-only NDJSON segment per run in the data directory.

A segment's name carries the format version, the start of the run, its process and a random part, so that runs
never share a file and names sort by time. Segments are never rewritten in place.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from steelyard.errors import EnvironmentProblem
from steelyard.record.schema import Record

FORMAT_VERSION = 1

_SEGMENT_NAME = re.compile(r"records-v(\d+)-(\d{8}T\d{12})-(\d+)-[0-9a-f]{8}\.ndjson")


class StoreError(EnvironmentProblem):
    """The store cannot be read or written; one sentence."""


@dataclass(frozen=True)
class Segment:
    """The file of one run; `pid` is the process that writes or wrote it."""

    path: Path
    pid: int
    start: str

    @property
    def being_written(self) -> bool:
        """Whether the process still runs (on this machine)."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except (PermissionError, OverflowError):
            return True
        return True


def store_folder(chosen: Path | None = None) -> Path:
    """Return the store's folder.

    `chosen`, or `STEELYARD_STORE`, or `steelyard/store` in the XDG data directory.
    """
    if chosen is not None:
        return chosen
    named = os.environ.get("STEELYARD_STORE")
    if named:
        return Path(named)
    data_home = os.environ.get("XDG_DATA_HOME")
    return (Path(data_home) if data_home else Path.home() / ".local" / "share") / "steelyard" / "store"


def segments(folder: Path) -> list[Segment]:
    """Return the store's segments, oldest first; StoreError if a newer Steelyard wrote one."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{folder}: the store cannot be read: {error.strerror}.") from None
    found = []
    for name in names:
        match = _SEGMENT_NAME.fullmatch(name)
        version = int(match[1]) if match else _foreign_version(name)
        if version is not None and version > FORMAT_VERSION:
            raise StoreError(
                f"{folder / name}: the store has format {version}, this Steelyard knows {FORMAT_VERSION};"
                " nothing was touched: use a newer Steelyard or another --store."
            )
        if match:
            found.append(Segment(folder / name, int(match[3]), match[2]))
    return found


def _foreign_version(name: str) -> int | None:
    """Return the format version at the start of a name of unknown form, from a newer Steelyard."""
    match = re.match(r"records-v(\d{1,9})\b", name)
    return int(match[1]) if match else None


def line(record: Record) -> bytes:
    """The record as it stands in a segment."""
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


class SegmentWriter:
    """Segment of a run, created at the first record; each record is on disk when `append` returns.

    `start` places the segment among the others (default: now).
    """

    def __init__(self, folder: Path, start: str | None = None) -> None:
        segments(folder)
        self._folder = folder
        self._start = start
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
            if self._descriptor is None:
                self._descriptor = self._create()
            self._write(self._descriptor, data)
        except OSError as error:
            raise StoreError(
                f"{self._folder}: a record cannot be written: {error.strerror};"
                " what was finished before is kept."
            ) from None

    def close(self) -> None:
        """Flush the segment to disk; closing twice does nothing."""
        if self._descriptor is None:
            return
        descriptor, self._descriptor = self._descriptor, None
        try:
            os.fsync(descriptor)
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be flushed to disk: {error.strerror}.") from None
        finally:
            os.close(descriptor)

    def _create(self) -> int:
        self._folder.mkdir(parents=True, exist_ok=True)
        start = self._start or datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
        name = f"records-v{FORMAT_VERSION}-{start}-{os.getpid()}-{secrets.token_hex(4)}.ndjson"
        self.path = self._folder / name
        return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)

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

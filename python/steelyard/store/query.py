"""Ask a store of any size: what a query does not need is not read.

A finished segment never changes, so that a large one is kept a second time in the cache, by columns
(Parquet). A copy is known by the segment's name, size and time of its last change; it is made where it is
missing or damaged, and only of a segment that is whole. `steelyard store verify` always reads the segments
themselves.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.cache.content import cache_root, content_key
from steelyard.record.schema import FIELDS, IDENTITY
from steelyard.store.lines import is_whole
from steelyard.store.lock import StoreError, is_being_written
from steelyard.store.read import contents, frame_of, frame_schema, parsed_lines
from steelyard.store.segments import Segment, replaced_by, segments

if TYPE_CHECKING:
    import polars as pl

WORTH_BYTES = 4 << 20
"""Size from which a segment is worth a copy: smaller ones are read in milliseconds."""

_READINGS = 20
_LINES_TOGETHER = 4096
_CELL = ("cell_1", "cell_2")
"""Columns of a copy: two hashes of what tells cells apart, 128 bits together."""
_SEEDS = (1, 2)


class Rows:
    """The records of a store in the order of its runs, superseded ones too."""

    def __init__(self, rows: pl.LazyFrame) -> None:
        self._rows = rows

    def newest(self, *where: pl.Expr) -> pl.LazyFrame:
        """Return the newest record of each cell; `where` are conditions on columns that tell cells apart,
        which take less time here than on the result.
        """
        rows = self._rows.filter(*where) if where else self._rows
        return rows.unique(subset=_CELL, keep="last", maintain_order=True).drop(_CELL)


def rows_of(folder: Path, warn: Callable[[str], None]) -> Rows:
    """Return the records of a store; a store that does not exist yet has none.

    Lines and files that are no records are left out, and `warn` receives a sentence about each. StoreError if
    a newer Steelyard wrote it, or if it cannot be read. EnvironmentProblem if the cache cannot be written.
    """
    for _ in range(_READINGS):
        try:
            return _rows(segments(folder), warn)
        except FileNotFoundError:
            # A segment that is gone was collected meanwhile: another one holds its records.
            pass
    raise StoreError(f"{folder}: the store changes while it is read; try again.")


def _rows(found: Sequence[Segment], warn: Callable[[str], None]) -> Rows:
    import polars as pl

    replaced = {name for segment in found for name in _replaced(segment)}
    present = [segment for segment in found if segment.path.name not in replaced]
    copies = [(segment, _copy(segment)) for segment in present]
    parts: list[pl.LazyFrame] = []
    for copied, group in groupby(copies, key=lambda one: one[1] is not None):
        if copied:
            parts += (pl.scan_parquet(copy) for _, copy in group if copy is not None)
        else:
            frame = frame_of(contents(segment for segment, _ in group), warn, newest_only=False)
            parts.append(_with_cells(frame).lazy())
    if not parts:
        parts.append(_with_cells(pl.DataFrame(schema=frame_schema())).lazy())
    return Rows(pl.concat(parts))


def _with_cells(frame: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    cell = pl.struct(IDENTITY)
    return frame.with_columns(cell.hash(seed).alias(name) for name, seed in zip(_CELL, _SEEDS, strict=True))


def _replaced(segment: Segment) -> list[str]:
    """Return the names of the segments that a segment holds the records of."""
    try:
        with open(segment.path, "rb", opener=_at_once) as file:
            first = file.readline(WORTH_BYTES).removesuffix(b"\n")
    except FileNotFoundError:
        raise
    except OSError:
        return []
    return list(map(str, replaced_by(first) or ())) if is_whole(first) else []


def _copy(segment: Segment) -> Path | None:
    """Return the copy of a segment, made if it is missing; None for one that is small, written or damaged."""
    import polars as pl

    try:
        with open(segment.path, "rb", opener=_at_once) as file:
            status = os.fstat(file.fileno())
            if status.st_size < WORTH_BYTES or is_being_written(file.fileno()):
                return None
            fields = repr([(one.name, one.type) for one in FIELDS])
            stamp = f"{segment.path.name} {status.st_size} {status.st_mtime_ns}"
            key = content_key("columns of a segment", pl.__version__, fields, stamp)
            path = cache_root() / "segments" / f"{key}.parquet"
            if _is_whole(path):
                return path
            frames = list(_frames(file))
    except FileNotFoundError:
        raise
    except (OSError, ValueError):
        return None
    try:
        _keep(pl.concat(frames), path)
    except OSError:
        # Without room for a copy the segment itself is read.
        return None
    return path


def _keep(frame: pl.DataFrame, path: Path) -> None:
    """Write a copy, and the hash of its bytes beside it; each is there as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="lz4")
    data = buffer.getvalue()
    for place, content in ((path, data), (_hash_path(path), hashlib.sha256(data).digest())):
        temporary = place.with_name(f".{place.name}.{os.getpid()}")
        try:
            temporary.write_bytes(content)
            temporary.replace(place)
        finally:
            temporary.unlink(missing_ok=True)


def _is_whole(path: Path) -> bool:
    """Whether a copy is there as it was written."""
    try:
        wanted = _hash_path(path).read_bytes()
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest() == wanted
    except OSError:
        return False


def _hash_path(path: Path) -> Path:
    return path.with_suffix(".sha256")


def _frames(file: Iterator[bytes]) -> Iterator[pl.DataFrame]:
    """Yield the records of a segment, some thousands at a time; ValueError for a line that is none."""
    lines: list[bytes] = []
    for number, text in enumerate(file):
        bare = text.removesuffix(b"\n")
        if not is_whole(bare):
            raise ValueError(number)
        if number == 0 and replaced_by(bare) is not None:
            continue
        lines.append(bare)
        if len(lines) == _LINES_TOGETHER:
            yield _frame(lines)
            lines = []
    yield _frame(lines)


def _frame(lines: Sequence[bytes]) -> pl.DataFrame:
    frame = parsed_lines(lines)
    if frame is None:
        raise ValueError("a line is no record")
    return _with_cells(frame)


def _at_once(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody writes is empty instead of waited for."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC)

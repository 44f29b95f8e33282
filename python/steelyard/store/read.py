"""Read the records of the segments; readers hold no lock, so that runs may write meanwhile."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.record.check import STATUSES, parsed
from steelyard.record.schema import FIELDS, IDENTITY, Record
from steelyard.store.lines import has_checksum, is_whole
from steelyard.store.lock import StoreError, is_being_written
from steelyard.store.segments import Segment, replaced_by, segments

if TYPE_CHECKING:
    import polars as pl

_READINGS = 20


@dataclass(frozen=True)
class Damage:
    """What cannot be used: a line of a file, counted from 1, or the whole file; `problem` is a clause."""

    path: Path
    line: int | None
    problem: str

    @property
    def sentence(self) -> str:
        """A sentence for the user."""
        if self.line is None:
            return f"{self.path} {self.problem} and was left out; the other files are used."
        return f"{self.path}: line {self.line} {self.problem} and was left out; the other lines are used."


@dataclass(frozen=True)
class Line:
    """A line of a segment without its newline, and its number."""

    segment: Segment
    number: int
    text: bytes


@dataclass
class Contents:
    """What segments hold: whole lines in order; `busy` are segments that a run writes, and `replaced` those
    whose records another segment holds.
    """

    lines: list[Line] = field(default_factory=list)
    damages: list[Damage] = field(default_factory=list)
    finished: list[Segment] = field(default_factory=list)
    busy: list[Segment] = field(default_factory=list)
    replaced: list[Segment] = field(default_factory=list)


def read_records(folder: Path, warn: Callable[[str], None], *, newest_only: bool = True) -> pl.DataFrame:
    """Return all records of a store, one row each with the columns of FIELDS; with `newest_only` one per
    cell.

    Invalid lines and files are left out and reported by `warn` in one sentence each. StoreError if the store
    was written by a newer Steelyard or its folder cannot be read. A store that does not exist yet has no
    records.
    """
    return frame_of(folder_contents(folder), warn, newest_only=newest_only)


def read_segments(
    found: Sequence[Segment], warn: Callable[[str], None], *, newest_only: bool = True
) -> pl.DataFrame:
    """Return the records of these segments like `read_records`; FileNotFoundError if one is gone."""
    return frame_of(contents(found), warn, newest_only=newest_only)


def frame_of(held: Contents, warn: Callable[[str], None], *, newest_only: bool = True) -> pl.DataFrame:
    """Return the records of these lines like `read_records`.

    The last record of a cell in the order of segments is the newest.
    """
    lines = held.lines
    if newest_only:
        # A run that finds everything done writes the lines of the run before again.
        last = {line.text: number for number, line in enumerate(lines)}
        lines = [lines[number] for number in sorted(last.values())]
    _, records, damages = whole_records(lines)
    for damage in (*held.damages, *damages):
        warn(damage.sentence)
    return newest(records) if newest_only else records


def newest(records: pl.DataFrame) -> pl.DataFrame:
    """Return the last record of each cell, in the order of the rows."""
    return records.unique(subset=list(IDENTITY), keep="last", maintain_order=True)


def frame_schema() -> dict[str, pl.DataType]:
    """Return the Polars schema of a frame of records."""
    import polars as pl

    types = {str: pl.String(), int: pl.Int64(), float: pl.Float64(), bool: pl.Boolean()}
    return {field.name: types[field.type] for field in FIELDS}


def folder_contents(folder: Path) -> Contents:
    """Return what a store holds; StoreError if its folder cannot be read.

    A segment that is gone was collected meanwhile: another one holds its records, so all are read anew.
    """
    for _ in range(_READINGS):
        try:
            return contents(segments(folder))
        except FileNotFoundError:
            pass
    raise StoreError(f"{folder}: the store changes while it is read; try again.")


def contents(found: Iterable[Segment]) -> Contents:
    """Return what segments hold; FileNotFoundError if one is gone."""
    held = Contents()
    texts: list[tuple[Segment, list[bytes], bool]] = []
    replaced: set[str] = set()
    for segment in found:
        read = read_file(segment.path)
        if isinstance(read, str):
            held.damages.append(Damage(segment.path, None, read))
            continue
        text, busy = read
        lines = text.split(b"\n")
        if is_whole(lines[0]):
            replaced.update(map(str, replaced_by(lines[0]) or ()))
        texts.append((segment, lines, busy))
    for segment, lines, busy in texts:
        if segment.path.name in replaced:
            held.replaced.append(segment)
            continue
        (held.busy if busy else held.finished).append(segment)
        if busy:
            # A line that is being written is none yet.
            lines.pop()
        _sort_out(segment, lines, held)
    return held


def _sort_out(segment: Segment, lines: Sequence[bytes], held: Contents) -> None:
    """Add the lines of a segment that are as they were written, and name the others."""
    for number, text in enumerate(lines, start=1):
        if is_whole(text):
            if number > 1 or replaced_by(text) is None:
                held.lines.append(Line(segment, number, text))
        elif has_checksum(text):
            held.damages.append(Damage(segment.path, number, "is not what was written (checksum)"))
        elif text.strip():
            if segment.version == 1:
                held.lines.append(Line(segment, number, text))
            else:
                problem = "is cut off" if number == len(lines) else "is not a record"
                held.damages.append(Damage(segment.path, number, problem))


def read_file(path: Path) -> tuple[bytes, bool] | str:
    """Return the bytes of a file and whether a writer has locked it, or a clause on why it cannot be read.

    FileNotFoundError if it is gone.
    """
    try:
        # A pipe would make a plain opening wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not path.is_symlink():
            raise
        return f"cannot be read ({error.strerror})"
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return "is not a regular file"
        if status.st_size > os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4:
            return "is too large for this machine's memory"
        # Asked before reading: what a run has ended with is whole.
        busy = is_being_written(descriptor)
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(), busy
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    except MemoryError:
        return "is too large for this machine's memory"
    finally:
        os.close(descriptor)


def whole_records(lines: Sequence[Line]) -> tuple[Sequence[Line], pl.DataFrame, list[Damage]]:
    """Return the lines that are records, a row for each of them, and what is wrong with the others."""
    records = parsed_lines([line.text for line in lines])
    if records is not None:
        return lines, records, []
    # One line that is no record spoils the reading of all: they are looked at one by one.
    looked_at = [(line, parsed(line.text)) for line in lines]
    good = [(line, record) for line, record in looked_at if not isinstance(record, str)]
    records = parsed_lines([json.dumps(record).encode() for _, record in good])
    assert records is not None
    return [line for line, _ in good], records, damaged(looked_at)


def damaged(looked_at: Iterable[tuple[Line, Record | str]]) -> list[Damage]:
    """Return what is wrong with the lines that `record.check.parsed` has refused."""
    return [
        Damage(line.segment.path, line.number, f"is not a record ({said})")
        for line, said in looked_at
        if isinstance(said, str)
    ]


def parsed_lines(lines: Sequence[bytes]) -> pl.DataFrame | None:
    """A row for each line, or None if one of them is no record; `record.check` has the same rules."""
    import polars as pl

    if not lines:
        return pl.DataFrame(schema=frame_schema())
    try:
        frame = pl.read_ndjson(b"\n".join(lines), schema=frame_schema())
    except pl.exceptions.PolarsError:
        return None
    wrong = [~pl.col("status").is_in(STATUSES).fill_null(False), pl.col("target").is_null()]
    wrong += [pl.col(one.name) < 0 for one in FIELDS if one.type in (int, float) and not one.signed]
    wrong += [~pl.col(one.name).is_finite() for one in FIELDS if one.type is float]
    bad = frame.select(pl.any_horizontal(one.any() for one in wrong)).item()
    return frame if frame.height == len(lines) and not bad else None

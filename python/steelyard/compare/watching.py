"""Measure again whenever a file of one's own code is saved, and compare with what was measured last.

Files are looked at by their size and time a few times a second. No service of the operating system is asked:
a look at some hundred files takes milliseconds, works on every file system, and needs no package.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from steelyard.catalog.load import load_catalog
from steelyard.compare.model import Comparison
from steelyard.compare.pairing import has_figure, key
from steelyard.compare.run import compared
from steelyard.compare.sides import Asked, Measuring, Side, measured
from steelyard.errors import UsageError
from steelyard.measure.plan import Cell
from steelyard.measure.session import Session
from steelyard.record.schema import Record

INTERVAL_S = 0.3
"""Time between two looks at the files."""

_State = dict[str, tuple[int, int, int]]


@dataclass(frozen=True)
class Seen:
    """What a save gave: the change against what was measured before, or the sentence of a mistake.

    The first time there is nothing to compare with, and `comparison` has the same cells on both sides.
    """

    comparison: Comparison | None
    records: tuple[Record, ...] = ()
    error: str | None = None


def watch(measuring: Measuring, asked: Asked, interval_s: float = INTERVAL_S) -> Iterator[Seen]:
    """Yield what each save of a file in the folders of one's own code changes, the first time at once.

    A cell that fails keeps the figures that it had last, so that the next good save is compared with these. A
    mistake in the folder is told and waits for the next save; UsageError if the first look finds it.
    """
    if not measuring.primitives:
        raise UsageError("name the folder that is watched with --primitives DIR.")
    last: dict[tuple[object, ...], tuple[Record, tuple[Session, Cell]]] = {}
    state = _state(measuring.primitives)
    first = True
    while True:
        try:
            catalog = load_catalog(measuring.primitives)
            now = measured("now", catalog, asked.selection, measuring, asked)
            made = {key(one): (one, origin) for one, origin in zip(now.records, now.origins, strict=True)}
            # Cells that went are not missed while one works on the code: a variant may be renamed.
            known = [last[one] for one in made if one in last] if not first else list(made.values())
            before = Side("before", [one for one, _ in known], [one for _, one in known], measuring.rules)
            yield Seen(compared(before, now, asked, catalog), tuple(now.records))
            last |= {one: found for one, found in made.items() if has_figure(found[0])}
            first = False
        except UsageError as error:
            if first:
                raise
            yield Seen(None, error=str(error))
        state = _changed(measuring.primitives, state, interval_s)


def _changed(folders: Sequence[Path], state: _State, interval_s: float) -> _State:
    """Wait until files differ from a state, and then until nothing more is written; return the new state."""
    while True:
        time.sleep(interval_s)
        now = _state(folders)
        if now == state:
            continue
        # Editors and git write several files, or one in several steps.
        while True:
            time.sleep(interval_s / 2)
            later = _state(folders)
            if later == now:
                return now
            now = later


def _state(folders: Sequence[Path]) -> _State:
    """Return size, time and number of every file in folders, without hidden ones."""
    found: _State = {}
    seen: set[tuple[int, int]] = set()
    pending = list(folders)
    while pending:
        folder = pending.pop()
        try:
            here = folder.stat()
        except OSError:
            continue
        # A link may lead back to a folder above it.
        if (here.st_dev, here.st_ino) not in seen:
            seen.add((here.st_dev, here.st_ino))
            pending += _look(folder, found)
    for folder in folders:
        # A variant's sources may lie in its algorithm's folder, which is the one above.
        _look(folder.absolute().parent, found)
    return found


def _look(folder: Path, found: _State) -> list[Path]:
    """Add the files of a folder; return the folders in it."""
    below = []
    try:
        for entry in os.scandir(folder):
            if entry.name.startswith(".") or entry.name.endswith("~"):
                continue
            if entry.is_dir():
                below.append(Path(entry.path))
                continue
            status = entry.stat()
            found[entry.path] = (status.st_size, status.st_mtime_ns, status.st_ino)
    except OSError:
        # What goes while one looks is seen at the next look.
        return below
    return below

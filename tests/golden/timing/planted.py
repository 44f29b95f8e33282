"""Plants a change in every timing number of every core and chip, and tells which changes no sequence notices.

`python -m golden.timing.planted` prints them (with `tests` in PYTHONPATH); status 1 if there are any that
`hidden.toml` does not explain.
"""

from __future__ import annotations

import copy
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from golden.timing.bench import Bench, ChipBench, Fault, Refused
from golden.timing.table import FOLDER, runs, sequences

from steelyard.catalog.load import make_target, read_core, read_toml
from steelyard.data import data_root
from steelyard.errors import UsageError

_Table = dict[str, Any]
_Path = tuple[str | int, ...]

CHOICES = {
    "replacement": ("round-robin", "lru", "random"),
    "write": ("back", "through"),
    "merge": ("multiple", "all"),
    "cached": ("yes", "mini", "no"),
}
"""Words that decide about time, by the name of their field."""


@dataclass(frozen=True)
class Change:
    """A number of a data file, or a word of `CHOICES`, and another value for it."""

    file: str
    path: _Path
    value: object

    def __str__(self) -> str:
        return f"{self.file} {self.name}"

    @property
    def name(self) -> str:
        """The number's place and its planted value, such as `cost.load=3`."""
        return f"{'.'.join(map(str, self.path))}={self.value}"

    def of(self, data: _Table) -> _Table:
        """The data with the change in them."""
        changed: Any = copy.deepcopy(data)
        place = changed
        for step in self.path[:-1]:
            place = place[step]
        place[self.path[-1]] = self.value
        return changed


@dataclass(frozen=True)
class Explained:
    """Changes that nothing can notice: a line of `hidden.toml`."""

    files: tuple[str, ...]
    changes: tuple[str, ...]
    reason: str

    def matches(self, change: Change) -> bool:
        """Whether it speaks of this change."""
        return change.file in self.files and any(fnmatchcase(change.name, one) for one in self.changes)


def explained() -> tuple[Explained, ...]:
    """The lines of `hidden.toml`."""
    lines = tomllib.loads((FOLDER / "hidden.toml").read_text("utf-8"))["hidden"]
    return tuple(Explained(tuple(one["files"]), tuple(one["changes"]), one["reason"]) for one in lines)


def _numbers(path: _Path, value: object) -> Iterator[tuple[_Path, object]]:
    """Every number, and every word of `CHOICES`, with its path."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from _numbers((*path, name), one)
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from _numbers((*path, place), one)
    elif isinstance(value, int | float) or (path and path[-1] in CHOICES):
        yield path, value


def _others(path: _Path, value: object) -> Iterator[list[object]]:
    """Groups of other values; the first group with one that is legal counts."""
    if isinstance(value, bool):
        yield [not value]
    elif isinstance(value, int) and path[-1] == "mtime_hz":
        # A cycle in millions would show nothing.
        yield [value * 2, value // 2]
    elif isinstance(value, int | float):
        yield [one for one in (value + 1, value - 1) if one >= 0]
        yield [one for one in (value * 2, value // 2) if one > 0]
    else:
        yield [one for one in CHOICES[str(path[-1])] if one != value]


def _says_nothing(data: _Table, change: Change) -> bool:
    """Whether a result would come before its instruction has issued: the next one starts no earlier."""
    name, value = str(change.path[-1]), change.value
    if not isinstance(value, int) or not name.startswith(("result", "resource", "unit")):
        return False
    table: Any = data
    for step in change.path[:-1]:
        table = table[step]
    return isinstance(table, dict) and value < table.get("issue", 0)


class CoreFile:
    """`targets/cores/<core>.toml` without what it says of chips, under the sequences of its core."""

    def __init__(self, path: Path) -> None:
        self.name = f"cores/{path.name}"
        self.data, _ = read_core(path)
        self._own = [one for one in sequences(self.data["family"]) if self.data["id"] in one.cores]

    def changes(self) -> Iterator[list[Change]]:
        """Groups of changes for each number."""
        for path, value in _numbers((), self.data):
            for others in _others(path, value):
                yield [Change(self.name, path, other) for other in others]

    def wrong(self, change: Change | None = None) -> str | None:
        """What is wrong first, None if nothing is; Refused if the data are not taken."""
        bench = Bench(self.data if change is None else change.of(self.data))
        for one in self._own:
            try:
                found: object = bench.cycles(one)
            except Fault as fault:
                found = fault
            if found != one.cycles:
                return f"{self.data['id']}: {one.assembly}: {found}, not {one.cycles}"
        return None


def _is_timing(path: _Path) -> bool:
    """Whether a field of a chip is about time; addresses, sizes and currents are not."""
    kind, last = path[0], str(path[-1])
    if kind == "memory":
        return "latency" in path or last.startswith("wait_")
    if kind == "core_options":
        return not last.endswith(("_address", "_bytes"))
    return kind in ("clock_hz", "cache", "flash")


class ChipFile:
    """`targets/<chip>.toml`, under the runs of its chip."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._path = path
        self.data = read_toml(path)
        self._core, self._shared = read_core(path.parent / "cores" / f"{self.data['core']}.toml")
        self._own = [one for one in runs() if path.stem in one.chips]

    def changes(self) -> Iterator[list[Change]]:
        """Groups of changes for each number."""
        for path, value in _numbers((), self.data):
            if _is_timing(path):
                for others in _others(path, value):
                    yield [Change(self.name, path, other) for other in others]

    def wrong(self, change: Change | None = None, shared: _Table | None = None) -> str | None:
        """What is wrong first, None if nothing is; Refused if the data are not taken."""
        own = self.data if change is None else change.of(self.data)
        try:
            target = make_target(self._path, own, self._core, self._shared if shared is None else shared)
        except UsageError as error:
            raise Refused(str(error)) from None
        bench = ChipBench(target)
        for one in self._own:
            try:
                found: object = bench.cycles(one)
            except Fault as fault:
                found = fault
            if found != one.cycles:
                return f"{target.id} at {one.clock_mhz} MHz: {one.assembly}: {found}, not {one.cycles}"
        return None


class SharedFile:
    """The `chip` table of `targets/cores/<core>.toml`, with its family's file, under its chips' runs."""

    def __init__(self, path: Path) -> None:
        self.name = f"cores/{path.name}"
        chips = map(ChipFile, sorted(path.parents[1].glob("*.toml")))
        self._chips = [chip for chip in chips if chip.data["core"] == path.stem]
        self.data = {"chip": read_core(path)[1]}

    def changes(self) -> Iterator[list[Change]]:
        """Groups of changes for each number."""
        for path, value in _numbers((), self.data):
            if _is_timing(path[1:]):
                for others in _others(path, value):
                    yield [Change(self.name, path, other) for other in others]

    def wrong(self, change: Change | None = None) -> str | None:
        """What is wrong first, None if nothing is; Refused if no chip takes the data."""
        shared = (self.data if change is None else change.of(self.data))["chip"]
        return next(filter(None, (chip.wrong(shared=shared) for chip in self._chips)), None)


Subject = CoreFile | ChipFile | SharedFile


def subjects() -> list[Subject]:
    """Every file with timing numbers, of chips those that have runs."""
    folder = data_root() / "targets"
    cores = sorted((folder / "cores").glob("*.toml"))
    with_runs = {chip for run in runs() for chip in run.chips}
    chips = [path for path in sorted(folder.glob("*.toml")) if path.stem in with_runs]
    return [*map(CoreFile, cores), *map(SharedFile, cores), *map(ChipFile, chips)]


@dataclass(frozen=True)
class Outcome:
    """Changes of a file: how many numbers, which changes were noticed, and which were not."""

    numbers: int
    noticed: tuple[Change, ...]
    unnoticed: tuple[Change, ...]


def plant(subject: Subject) -> Outcome:
    """Plant every change in one file.

    A number counts by the first of its groups of changes of which the emulator takes any: each of them has to
    be noticed, but for a result before its issue, which means nothing. A number of which no change is taken
    cannot be wrong without a sentence.
    """
    noticed, unnoticed = [], []
    decided: set[_Path] = set()
    paths = set()
    for group in subject.changes():
        for change in group:
            paths.add(change.path)
        if not group or group[0].path in decided:
            continue
        for change in group:
            try:
                wrong = subject.wrong(change)
            except Refused:
                continue
            decided.add(change.path)
            if wrong:
                noticed.append(change)
            elif not _says_nothing(subject.data, change):
                unnoticed.append(change)
    return Outcome(len(paths), tuple(noticed), tuple(unnoticed))


def main() -> int:
    """Print every change that nothing notices."""
    reasons = explained()
    numbers = changes = open_ones = 0
    for subject in subjects():
        outcome = plant(subject)
        numbers += outcome.numbers
        changes += len(outcome.noticed) + len(outcome.unnoticed)
        for change in outcome.unnoticed:
            if not any(reason.matches(change) for reason in reasons):
                open_ones += 1
                print(f"unnoticed: {change}")
    print(f"{changes} changes of {numbers} numbers planted, {open_ones} unnoticed without a reason")
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())

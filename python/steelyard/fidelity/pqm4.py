"""Figures in the CSV in which pqm4 publishes, beside the records of the same implementations.

The file has four tables, of cycles, stack, share of hashing and sizes, each with rows of key encapsulation
and of signatures. A row is found again by the names of its scheme and its implementation.
"""

from __future__ import annotations

import csv
import json
import re
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from steelyard.catalog.load import Catalog
from steelyard.catalog.trees.mupq import identifier
from steelyard.errors import UsageError
from steelyard.fidelity.compare import DOMINATED_PERCENT
from steelyard.files import read_limited
from steelyard.nearest import printable
from steelyard.store.pqm4 import HASHING, HEADINGS, hashing_percent, size_bytes

STEADY_PERCENT = 1.0
"""Spread of the published executions, greatest less least, in percent of their mean, up to which an operation
takes the same way with all inputs."""

UNITS = {"speed": "cycles", "memory": "bytes", "hashing": "%", "size": "bytes"}
"""Tables of the file by the first word of their titles, and their units."""

GROUPS = {
    "c": f"compiled, less than {DOMINATED_PERCENT:g} % of the cycles in assembly",
    "assembly": f"assembly, at least {DOMINATED_PERCENT:g} % of the cycles",
    "": "all code",
}

_LIMIT_BYTES = 16 << 20
_TITLE = re.compile(r"(\w+) Evaluation")
_SCHEME = re.compile(r"(.+?)(?: \((\d+) executions\))?")
_HEADING = re.compile(r"(.+?) \[[^\]]*\](?: \((mean|min|max)\))?")
_SIZES = {".text": "text", ".data": "data", ".bss": "bss", "Total": "total"}
_OPERATIONS = {heading: operation for operation, heading in HEADINGS.items()}

_DECLARED = re.compile(r"^[ \t]*\.(?:global|globl|type)[ \t]+([\w.$]+)", re.MULTILINE | re.IGNORECASE)
_LABEL = re.compile(r"^[ \t]*([A-Za-z_.][\w.$]*):", re.MULTILINE)


@dataclass(frozen=True)
class Published:
    """A figure of a row: an operation's, or a section's size. `least` and `greatest` only of cycles."""

    table: str
    scheme: str
    implementation: str
    what: str
    value: float
    least: float | None = None
    greatest: float | None = None

    @property
    def is_steady(self) -> bool:
        """Whether an operation's executions took nearly the same time; figures but cycles are steady."""
        if self.least is None or self.greatest is None:
            return True
        return 100 * (self.greatest - self.least) <= STEADY_PERCENT * self.value


@dataclass(frozen=True)
class Row:
    """A published figure and a record's. The error is the record's figure relative to the published one, in
    percent; of a share of hashing it is the difference in percentage points.

    `code` is a key of GROUPS. Everything of the record is None where there is no verified one: `reason` is
    then the status and message of one that failed, or says that there is none.
    """

    table: str
    scheme: str
    implementation: str
    what: str
    unit: str
    published: float
    steady: bool
    code: str = ""
    variant: str | None = None
    build: str | None = None
    measured: float | None = None
    error: float | None = None
    assembly_percent: float | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Summary:
    """Errors of the measured rows of a table and a group of code; None where no row has one."""

    table: str
    code: str
    steady: bool
    rows: int
    exact: int
    median: float | None
    worst: float | None
    worst_row: str


def read_published(path: Path) -> list[Published]:
    """Return all figures of a CSV file of pqm4; UsageError if it is none, or its text is no number."""
    shown = printable(str(path))
    try:
        text = read_limited(path, _LIMIT_BYTES, "a file of published figures").decode("utf-8")
        lines = list(csv.reader(text.splitlines()))
    except (UnicodeDecodeError, csv.Error):
        raise UsageError(f"{shown}: it is no CSV file.") from None
    found: list[Published] = []
    table, headings = "", [""]
    for number, line in enumerate(lines, 1):
        fields = [field.strip() for field in line]
        title = _TITLE.fullmatch(fields[0]) if fields else None
        if title is not None:
            table, headings = title[1].lower(), [""]
        elif fields[:2] == ["Scheme", "Implementation"]:
            headings = fields
        elif table in UNITS and any(headings) and len(fields) > 2 and fields[1]:
            try:
                found += _figures(table, headings, fields)
            except ValueError:
                raise UsageError(
                    f"{shown}:{number}: a figure of {printable(fields[0])} is no number."
                ) from None
    if not found:
        raise UsageError(f"{shown}: it has no table in pqm4's format, such as Speed Evaluation.")
    return found


def _figures(table: str, headings: Sequence[str], fields: Sequence[str]) -> Iterator[Published]:
    """Yield the figures of a line; ValueError for one that is no number."""
    named = _SCHEME.fullmatch(fields[0])
    scheme = named[1] if named else fields[0]
    values: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for heading, field in zip(headings[2:], fields[2:], strict=False):
        parts = _HEADING.fullmatch(heading)
        what = parts and (_OPERATIONS.get(parts[1]) or _SIZES.get(parts[1]))
        if parts and what and field:
            values[what][parts[2] or "mean"] = float(field)
    for what, by_name in values.items():
        if "mean" in by_name:
            yield Published(
                table, scheme, fields[1], what, by_name["mean"], by_name.get("min"), by_name.get("max")
            )


def compare(
    published: Iterable[Published], records: Iterable[Mapping[str, Any]], catalog: Catalog | None = None
) -> list[Row]:
    """Return a row for each published figure and each build that has a record for it, or one without.

    With the catalogue of the tree the shares of cycles in assembled functions are known, and the rows are in
    two groups; without it all are in one. UsageError if no record is of a published implementation.
    """
    by_names: defaultdict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for record in records:
        if record["kind"] in ("kem", "signature") and record["variant"]:
            for implementation in _implementations(record):
                by_names[str(record["primitive"]), implementation].append(record)
    assembled = _Assembled(catalog)
    rows: list[Row] = []
    for figure in published:
        key = identifier(figure.scheme), _folded(figure.implementation)
        rows += _beside(figure, by_names.get(key, []), assembled)
    if all(row.variant is None for row in rows):
        raise UsageError(
            "no record is of a published scheme and implementation; steelyard import makes them."
        )
    return rows


def summaries(rows: Sequence[Row]) -> Iterator[Summary]:
    """Yield errors by table and group, cycles of steady operations apart from those of others."""
    measured = [row for row in rows if row.measured is not None]
    for key in product(UNITS, GROUPS, (True, False)):
        those = [row for row in measured if (row.table, row.code, row.steady) == key]
        if not those:
            continue
        known = [(abs(row.error), row) for row in those if row.error is not None]
        worst = max(known, key=lambda one: one[0], default=None)
        yield Summary(
            *key,
            len(those),
            sum(row.measured == row.published for row in those),
            statistics.median(error for error, _ in known) if known else None,
            worst[0] if worst else None,
            f"{worst[1].scheme} {worst[1].implementation} {worst[1].what}" if worst else "",
        )


def _folded(name: str) -> str:
    return name.lower().replace("_", "-")


def _implementations(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names that a variant's implementation may have: its own, and that of its folder.

    A variant's name begins with its project's; where several parameter sets are one algorithm's, it ends with
    the parameter.
    """
    _, _, name = str(record["variant"]).partition("/")
    implementation = name.partition("-")[2]
    yield from (name, implementation)
    parameter = str(record["primitive"]).rpartition("-")[2]
    if implementation.endswith(f"-{parameter}"):
        yield implementation.removesuffix(f"-{parameter}")


def _beside(figure: Published, records: Sequence[Mapping[str, Any]], assembled: _Assembled) -> Iterator[Row]:
    empty: dict[str, Any] = {
        "table": figure.table,
        "scheme": figure.scheme,
        "implementation": figure.implementation,
        "what": figure.what,
        "unit": UNITS[figure.table],
        "published": figure.value,
        "steady": figure.is_steady,
    }
    of_size = figure.table == "size"
    matching = [one for one in records if of_size or one["operation"] == figure.what]
    builds: dict[tuple[str, str, object], Mapping[str, Any]] = {}
    for one in matching:
        if one["status"] == "ok" and one["verified"]:
            length = None if of_size else one["message_bytes"]
            builds.setdefault((one["variant"], _build(one), length), one)
    for (variant, build, _), record in builds.items():
        measured = _value(figure, record, assembled)
        percent = None if of_size else assembled.percent(record)
        yield Row(
            **empty,
            code=_group(percent),
            variant=variant,
            build=build,
            measured=measured,
            error=_error(figure, measured),
            assembly_percent=percent,
        )
    if not builds:
        failed = next((one for one in matching if one["status"] != "ok"), None)
        text = f"{failed['status']}: {failed['error'] or ''}".splitlines()[0] if failed else "no record"
        yield Row(**empty, reason=text)


def _group(percent: float | None) -> str:
    if percent is None:
        return ""
    return "assembly" if percent >= DOMINATED_PERCENT else "c"


def _build(record: Mapping[str, Any]) -> str:
    named = ("target", "settings", "toolchain", "toolchain_version", "flags")
    return " ".join(str(record[name]) for name in named if record[name])


def _value(figure: Published, record: Mapping[str, Any], assembled: _Assembled) -> float | None:
    """Return a record's figure; the mean cycles as they are published, whole."""
    match figure.table:
        case "speed":
            return round(float(record["cycles"]))
        case "memory":
            return int(record["ram_stack_bytes"])
        case "hashing":
            return hashing_percent(record, assembled.hashing(record))
    return size_bytes(record).get(figure.what)


def _error(figure: Published, measured: float | None) -> float | None:
    if measured is None:
        return None
    if figure.table == "hashing":
        return measured - figure.value
    return 100 * (measured / figure.value - 1) if figure.value else None


class _Assembled:
    """Names of the functions and labels in the assembly sources of a tree's variants."""

    def __init__(self, catalog: Catalog | None) -> None:
        self._variants = {one.id: one for one in catalog.variants} if catalog is not None else {}
        self._of_file: dict[Path, frozenset[str]] = {}

    def percent(self, record: Mapping[str, Any]) -> float | None:
        """Return the share of a record's cycles in assembled functions; None without its variant."""
        if str(record["variant"]) not in self._variants or not record["functions"]:
            return None
        names = self._names(record, lambda path: True)
        functions = json.loads(record["functions"])
        total = sum(one["cycles"] for one in functions)
        inside = sum(one["cycles"] for one in functions if one["name"] in names)
        return 100 * inside / total if total else None

    def hashing(self, record: Mapping[str, Any]) -> frozenset[str]:
        """Return what stands in sources that are named like hashing; labels in them have any name."""
        return self._names(record, lambda path: HASHING.search(path.stem) is not None)

    def _names(self, record: Mapping[str, Any], wanted: Callable[[Path], bool]) -> frozenset[str]:
        variant = self._variants.get(str(record["variant"]))
        if variant is None:
            return frozenset()
        paths = ((variant.root or variant.folder) / source for source in variant.file.sources)
        found = (self._in_file(path) for path in paths if path.suffix in (".s", ".S") and wanted(path))
        return frozenset[str]().union(*found)

    def _in_file(self, path: Path) -> frozenset[str]:
        if path not in self._of_file:
            text = path.read_text("utf-8", "replace")
            self._of_file[path] = frozenset((*_DECLARED.findall(text), *_LABEL.findall(text)))
        return self._of_file[path]

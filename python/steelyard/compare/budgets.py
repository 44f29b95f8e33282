"""Budgets of a committed file: what cells may cost at most, by primitive, chip, compiler and flags."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field

from steelyard.catalog.load import Catalog, read_file
from steelyard.catalog.models import Strict
from steelyard.compare.measures import MEASURES, Limit, amount, checked, limit
from steelyard.errors import UsageError
from steelyard.measure.selection import (
    CACHE_STATES,
    FOOTPRINTS,
    NO_MODE,
    OPERATIONS,
    PADDINGS,
)
from steelyard.nearest import unknown
from steelyard.record.schema import Record

FILE_NAME = "steelyard.toml"
"""Name of the file that is read where it lies in the present folder."""


def _of_amount(value: object) -> object:
    """Refuse what is neither a number from 0 nor a text, which is read when its measure is known."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError('a number is needed, or a text with a unit such as "2K"')
    if not isinstance(value, str) and not 0 <= value < math.inf:
        raise ValueError("a number from 0 is needed")
    return value


_Amount = Annotated[int | float | str, BeforeValidator(_of_amount)]
_FIELDS: Mapping[str, str] = {
    "primitive": "primitive",
    "variant": "variant",
    "target": "target",
    "toolchain": "toolchain",
    "flags": "flags",
    "operation": "operation",
    "mode": "mode",
    "footprint": "footprint",
    "padding": "padding",
    "cache": "cache_state",
}
"""Fields of records by the names of a budget that are globs; they are those of the selection's options."""
_LENGTHS: Mapping[str, str] = {"length": "message_bytes", "ad_length": "ad_bytes"}


class Budget(Strict):
    """What the cells of a selection may cost at most, in the units of records or with a unit: `rom = "2K"`.

    Globs and lengths select; one that is left out selects all.
    """

    primitive: str | None = None
    variant: str | None = None
    target: str | None = None
    toolchain: str | None = None
    flags: str | None = None
    operation: str | None = None
    mode: str | None = None
    footprint: str | None = None
    padding: str | None = None
    cache: str | None = None
    length: Annotated[int, Field(ge=0)] | None = None
    ad_length: Annotated[int, Field(ge=0)] | None = None
    cycles: _Amount | None = None
    cycles_max: _Amount | None = None
    instructions: _Amount | None = None
    time: _Amount | None = None
    energy: _Amount | None = None
    rom: _Amount | None = None
    code: _Amount | None = None
    const: _Amount | None = None
    rom_mode: _Amount | None = None
    support: _Amount | None = None
    ram: _Amount | None = None
    static: _Amount | None = None
    context: _Amount | None = None
    heap: _Amount | None = None
    stack: _Amount | None = None


class BudgetFile(Strict):
    """Contents of `steelyard.toml`: limits of growth by measure, and budgets."""

    limit: Mapping[str, str | int] = Field(default_factory=dict)
    budget: tuple[Budget, ...] = ()


@dataclass(frozen=True)
class Granted:
    """A checked budget: its place in the file, what it selects, and the most of each measure it names."""

    place: str
    budget: Budget
    most: Mapping[str, float]

    def matches(self, record: Record) -> bool:
        """Whether a record's cell is one of those that the budget selects."""
        for name, field in _FIELDS.items():
            pattern = getattr(self.budget, name)
            if pattern is not None and not fnmatchcase(str(record[field] or NO_MODE), pattern):
                return False
        lengths = ((getattr(self.budget, name), record[field]) for name, field in _LENGTHS.items())
        return all(wanted is None or wanted == had for wanted, had in lengths)


@dataclass(frozen=True)
class Rulebook:
    """The limits and budgets of a file; an empty one where there is none."""

    limits: Mapping[str, Limit | None]
    budgets: tuple[Granted, ...] = ()


def read_budgets(path: Path | None, catalog: Catalog, records: Iterable[Record]) -> Rulebook:
    """Read a file of budgets, `steelyard.toml` of the present folder by default, where there is one.

    The names that a budget may have are those of the catalogue and of the records. UsageError, which names
    file and field, for anything wrong with it, and for a named file that is not there.
    """
    if path is None:
        path = Path(FILE_NAME)
        if not path.exists():
            return Rulebook({})
    file = read_file(path, BudgetFile)
    limits = {}
    for name, text in file.limit.items():
        where = f"{path}: field limit.{name}"
        limits[checked(name, where)] = limit(checked(name, where), str(text), where)
    known = _known(catalog, records)
    granted = [_granted(path, number, one, known) for number, one in enumerate(file.budget, start=1)]
    return Rulebook(limits, tuple(granted))


def _granted(path: Path, number: int, budget: Budget, known: Mapping[str, Sequence[str]]) -> Granted:
    place = f"{path}: budget {number}"
    for name, names in known.items():
        pattern = getattr(budget, name)
        if pattern is not None and not any(fnmatchcase(one, pattern) for one in names):
            clause = unknown(name, pattern, names)
            raise UsageError(f"{place}, field {name}: {clause}" + ("" if clause.endswith("?") else "."))
    most = {}
    for measure in MEASURES:
        given = getattr(budget, measure)
        if given is not None:
            where = f"{place}, field {measure}"
            most[measure] = amount(measure, given, where) if isinstance(given, str) else float(given)
    if not most:
        raise UsageError(f"{place} grants nothing: name a measure, such as cycles, rom or stack.")
    return Granted(place, budget, most)


def _known(catalog: Catalog, records: Iterable[Record]) -> dict[str, list[str]]:
    """Return the names that each glob may match; flags may be any."""
    found: dict[str, set[str]] = {
        "primitive": {*(one.id for one in catalog.primitives), *catalog.awaited_primitives},
        "variant": {one.id for one in catalog.variants},
        "target": {one.id for one in catalog.targets},
        "toolchain": {name for target in catalog.targets for name in target.file.toolchain},
        "operation": {*OPERATIONS, "call"},
        "mode": {NO_MODE, *(one.id for one in catalog.modes)},
        "footprint": set(FOOTPRINTS),
        "padding": set(PADDINGS),
        "cache": set(CACHE_STATES),
    }
    for record in records:
        for name, names in found.items():
            value = record[_FIELDS[name]]
            if value is not None:
                names.add(str(value))
    return {name: sorted(names) for name, names in found.items()}

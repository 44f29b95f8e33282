"""What is compared, and by how much it may grow: the measures by their short names, and limits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from steelyard.errors import UsageError
from steelyard.nearest import printable, unknown
from steelyard.record.schema import FIELDS, Record

MEASURES: Mapping[str, str] = {
    "cycles": "cycles",
    "cycles_max": "cycles_max",
    "instructions": "instructions",
    "time": "time_us",
    "energy": "energy_nj",
    "rom": "rom_bytes",
    "code": "rom_code_bytes",
    "const": "rom_const_bytes",
    "rom_mode": "rom_mode_bytes",
    "support": "rom_support_bytes",
    "ram": "ram_bytes",
    "static": "ram_static_bytes",
    "context": "ram_context_bytes",
    "heap": "ram_heap_bytes",
    "stack": "ram_stack_bytes",
}
"""Fields of the record by the names of measures; of all of them less is better."""

USUAL = ("cycles", "rom", "ram", "stack")
"""Measures that are compared where none is named."""

_NONE = "none"
_UNITS: Mapping[str, Mapping[str, float]] = {
    "byte": {"": 1, "B": 1, "K": 1024, "KB": 1024, "KiB": 1024, "M": 1 << 20},
    "cycle": {"": 1, "cycles": 1, "kcycles": 1e3, "Mcycles": 1e6},
    "us": {"": 1, "us": 1, "ms": 1e3, "s": 1e6},
    "nJ": {"": 1, "nJ": 1, "uJ": 1e3, "mJ": 1e6},
    "": {"": 1},
}
"""Units by the unit of a field, with their sizes in it."""
_AMOUNT = re.compile(r"\+?([0-9]{1,15}(?:\.[0-9]{1,9})?) ?([A-Za-z%]*)")
_UNIT_OF = {field.name: field.unit for field in FIELDS}


@dataclass(frozen=True)
class Limit:
    """By how much a measure may grow: in the field's unit, or in percent of the base."""

    amount: float
    percent: bool = False

    def allows(self, base: float, head: float) -> bool:
        """Whether a measure of `base` may become `head`."""
        allowed = base * self.amount / 100 if self.percent else self.amount
        return head - base <= allowed

    def text(self, measure: str) -> str:
        """Return the limit as one writes it, such as `+1 %`."""
        if not self.amount:
            return "0"
        return f"+{self.amount:g} %" if self.percent else f"+{self.amount:,g}{_suffix(measure)}"


Limits = Mapping[str, Limit | None]
"""Limits by measure; None is a measure that may grow without end."""


def unit(measure: str) -> str:
    """Return the unit of a measure as records have it: cycle, byte, us, nJ, or nothing for a count."""
    return _UNIT_OF[MEASURES[measure]]


def _suffix(measure: str) -> str:
    return {"byte": " B", "cycle": "", "": ""}.get(unit(measure), f" {unit(measure)}")


def value(record: Record, measure: str) -> float | None:
    """Return a measure of a record, None where the record has none."""
    found = record[MEASURES[measure]]
    return found if isinstance(found, int | float) else None


def checked(name: str, where: str) -> str:
    """Return the name of a measure, which may be given as a field of records; UsageError with the nearest."""
    by_field = {field: measure for measure, field in MEASURES.items()}
    found = by_field.get(name, name)
    if found not in MEASURES:
        clause = unknown("measure", name, [*MEASURES, *by_field])
        raise UsageError(f"{where}: {clause}" + ("" if clause.endswith("?") else "."))
    return found


def amount(measure: str, text: str, where: str) -> float:
    """Return a quantity of a measure in its field's unit; UsageError for another one or none."""
    found = _AMOUNT.fullmatch(text.strip())
    units = _UNITS[unit(measure)]
    if found is None or found[2] not in units:
        raise UsageError(
            f'{where}: "{printable(text)}" is not understood; write {measure} as {_examples(measure)}.'
        )
    return float(found[1]) * units[found[2]]


def _examples(measure: str) -> str:
    more = [f"64{name}" for name in _UNITS[unit(measure)] if name][:2]
    return " or ".join(["64", *more])


def limit(measure: str, text: str, where: str) -> Limit | None:
    """Return a limit: `0`, `+64B`, `+1%`, or None for `none`; UsageError for anything else."""
    if text.strip() == _NONE:
        return None
    found = _AMOUNT.fullmatch(text.strip())
    if found is not None and found[2] == "%":
        return Limit(float(found[1]), percent=True)
    if found is None or found[2] not in _UNITS[unit(measure)]:
        raise UsageError(
            f'{where}: "{printable(text)}" is not understood; write a growth such as +1%, +64, 0 or none.'
        )
    return Limit(amount(measure, text, where))


def parse_limits(texts: Iterable[str]) -> dict[str, Limit | None]:
    """Return the limits of `--limit MEASURE=GROWTH`; UsageError for what is unknown, unclear or double."""
    found: dict[str, Limit | None] = {}
    for text in texts:
        name, equals, allowed = text.partition("=")
        if not equals:
            raise UsageError(
                f'--limit {printable(text)}: give a measure and its growth, as in "cycles=+1%" or "stack=0".'
            )
        measure = checked(name.strip(), "--limit")
        if measure in found:
            raise UsageError(f"--limit {measure} is given twice; one measure has one limit.")
        found[measure] = limit(measure, allowed, f"--limit {measure}")
    return found

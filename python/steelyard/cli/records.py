"""Records as a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from steelyard.cli.output import print_table
from steelyard.measure.record import Record

_MARKED = ("legacy", "broken")

_TEXT_HEADINGS = ("primitive", "variant", "target", "compiler", "operation", "bytes")
_NUMBERS = (
    ("cycles", "cycles", 0),
    ("least", "cycles_min", 0),
    ("most", "cycles_max", 0),
    ("sd", "cycles_sd", 1),
    ("c/byte", "cycles_per_byte", 1),
    ("mode c/block", "mode_overhead_cycles_per_block", 0),
    ("time us", "time_us", 1),
    ("ROM", "rom_bytes", 0),
    ("RAM", "ram_bytes", 0),
    ("stack", "ram_stack_bytes", 0),
    ("energy uJ", "energy_nj", 2),
    ("misses", "cache_misses", 1),
)
_SELDOM = {
    "cycles_min": "cycles_sd",
    "cycles_max": "cycles_sd",
    "cycles_sd": "cycles_sd",
    "mode_overhead_cycles_per_block": "mode",
    "cache_misses": "cache_misses",
}
"""Columns by the field that shows whether there is something to say."""
_UNIT_OF = {"energy_nj": 1e-3}


def print_records(records: Sequence[Record]) -> None:
    """One row per record, and below them why some have no result.

    Spread, cost of a mode and cache misses stand there where any record has them.
    """
    numbers = [
        number
        for number in _NUMBERS
        if number[1] not in _SELDOM or any(record[_SELDOM[number[1]]] for record in records)
    ]
    headings = (*_TEXT_HEADINGS, *(heading for heading, _, _ in numbers), "status")
    print_table(headings, (list(_cells(record, numbers)) for record in records), left=len(_TEXT_HEADINGS))
    for note in _notes(records):
        print(note)


def marked(name: str, security: object) -> str:
    """A primitive's name, with a mark where it is legacy or broken."""
    return f"{name} ({security})" if security in _MARKED else name


def _cells(record: Record, numbers: Sequence[tuple[str, str, int]]) -> Iterator[str]:
    if record["kind"] == "function":
        yield from (str(record["symbol"]), str(record["image"]), str(record["target"]), "", "call", "")
    else:
        operation = " ".join(
            str(record[n]) for n in ("operation", "mode", "padding") if record[n] not in (None, "none")
        )
        yield marked(str(record["primitive"]), record["security"])
        yield str(record["variant"])
        chip = (record["target"], record["settings"], "cold" if record["cache_state"] == "cold" else None)
        yield " ".join(str(part) for part in chip if part)
        yield f"{record['toolchain']} {str(record['toolchain_version']).split()[0]} {record['flags']}"
        yield operation
        yield "" if record["message_bytes"] is None else f"{record['message_bytes']:,}"
    for _, name, digits in numbers:
        value = record[name]
        yield f"{value * _UNIT_OF.get(name, 1):,.{digits}f}" if isinstance(value, int | float) else ""
    yield _status(record)


def _status(record: Record) -> str:
    return "not verified" if record["status"] == "ok" and not record["verified"] else str(record["status"])


def _notes(records: Sequence[Record]) -> Iterator[str]:
    """Why cells have no result, each reason once, with the first cell it holds for and how many more."""
    cells: dict[tuple[object, ...], list[Record]] = {}
    for record in records:
        if record["error"]:
            first = str(record["error"]).splitlines()[0]
            cells.setdefault((record["primitive"], record["target"], record["status"], first), []).append(
                record
            )
    for (primitive, target, _, reason), listed in cells.items():
        more = f" ({len(listed)} cells)" if len(listed) > 1 else ""
        yield f"{primitive or listed[0]['symbol']} on {target}, {_status(listed[0])}{more}: {reason}"

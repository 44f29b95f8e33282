"""Records as tables for the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from steelyard.catalog.models import Chip
from steelyard.present.table import Table
from steelyard.record.schema import FIELD_NAMES, Record

_MARKED = ("legacy", "broken")

_LABELS = ("primitive", "variant", "target", "build", "version", "operation")
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
_HOST_LABELS = ("primitive", "by", "device", "operation")
_HOST_NUMBERS = (
    ("threads", "threads", 0),
    ("delay us", "time_us", 3),
    ("sd us", "time_sd_us", 3),
    ("95 % low", "time_low_us", 3),
    ("95 % high", "time_high_us", 3),
    ("CPU us", "cpu_time_us", 3),
    ("MB/s", "throughput_bytes_per_s", 2),
    ("CPU %", "cpu_process_percent", 1),
    ("machine %", "cpu_machine_percent", 1),
    ("RSS kB", "rss_peak_bytes", 0),
    ("cycles", "cycles", 0),
    ("energy uJ", "energy_nj", 2),
)
_ENERGY_NUMBERS = (
    ("energy uJ", "energy_nj", 2),
    ("low uJ", "energy_low_nj", 2),
    ("high uJ", "energy_high_nj", 2),
    ("power mW", "power_mw", 2),
    ("simulated uJ", "energy_simulated_nj", 2),
)
_VERDICT = "constant-time"
_BEST = "best for"
_BEST_NUMBERS = tuple(number for number in _NUMBERS if number[0] in ("cycles", "c/byte", "ROM", "RAM"))
_SHOWN_BY = {
    "cycles_min": "cycles_sd",
    "cycles_max": "cycles_sd",
    "cycles_sd": "cycles_sd",
    "mode_overhead_cycles_per_block": "mode",
    "cache_misses": "cache_misses",
}
"""Fields that are shown only where one has something to say: more than that it is known."""
_ENERGIES = ("energy_nj", "energy_low_nj", "energy_high_nj", "energy_simulated_nj")
_UNIT_OF = {**dict.fromkeys(_ENERGIES, 1e-3), "throughput_bytes_per_s": 1e-6, "rss_peak_bytes": 1e-3}

_LEAST_NEEDED = (
    *(
        "version",
        _VERDICT,
        "least",
        "most",
        "sd",
        "misses",
        "energy uJ",
        "stack",
        "mode c/block",
        "time us",
        "c/byte",
    ),
    *("machine %", "RSS kB", "threads", "CPU %", "95 % low", "95 % high", "CPU us", "sd us"),
)
_CONSTANT = ("build", "by", "target", "device", "variant")
"""Labels that a narrow table leaves out where they are the same in all rows, in this order."""


def known_columns() -> tuple[str, ...]:
    """What --columns and --sort may name of any table of records."""
    numbers = (heading for heading, _, _ in (*_NUMBERS, *_HOST_NUMBERS, *_ENERGY_NUMBERS))
    own = (*_LABELS, _BEST, *_HOST_LABELS, "bytes", *numbers, _VERDICT, "status", "goals")
    return tuple(dict.fromkeys((*own, *FIELD_NAMES)))


def record_page(records: Sequence[Record]) -> Iterator[Table | str]:
    """A table with a row per record, and why some have no result; those of Linux devices in a table apart."""
    on_devices = [record for record in records if record["device"] is not None]
    on_chips = [record for record in records if record["device"] is None]
    if on_chips or not on_devices:
        yield _table(on_chips, _LABELS, _texts, _NUMBERS)
    if on_devices:
        yield _table(on_devices, _HOST_LABELS, _host_texts, _HOST_NUMBERS)
    yield from _notes(records)


def _table(
    records: Sequence[Record],
    labels: Sequence[str],
    texts: Callable[[Record], Iterator[str]],
    numbers: Sequence[tuple[str, str, int]],
    status: bool = True,
) -> Table:
    """Numbers and verdicts that no record has have no column."""
    shown = [number for number in numbers if any(_has(record, number[1]) for record in records)]
    words: list[tuple[str, Callable[[Record], str]]] = []
    if status:
        if any(record["constant_time"] is not None for record in records):
            words.append((_VERDICT, lambda record: str(record["constant_time"] or "")))
        words.append(("status", _status))
    headings = (*labels, "bytes", *(heading for heading, _, _ in shown), *(heading for heading, _ in words))
    rows = tuple(
        (*texts(record), *_figures(record, shown), *(text(record) for _, text in words)) for record in records
    )
    same = [name for i, name in enumerate(headings) if len({row[i] for row in rows}) == 1]
    return Table(
        "",
        headings,
        rows,
        left=len(labels),
        least_needed=(
            *(("status",) if "status" in same and rows[0][-1] == "ok" else ()),
            *_LEAST_NEEDED,
            *(name for name in _CONSTANT if name in same),
        ),
        # The notes below the table say why a cell has no figure.
        less_needed=("status", "RAM"),
        objects=tuple(records),
    )


def _has(record: Record, name: str) -> bool:
    return bool(record[_SHOWN_BY[name]]) if name in _SHOWN_BY else record[name] is not None


def energy_page(records: Sequence[Record]) -> Iterator[Table | str]:
    """Energy and power of each record that has them, by component where the model of its chip divides it."""
    from steelyard.catalog.load import load_catalog

    chips = {target.id: target.file for target in load_catalog().targets}
    listed = [record for record in records if isinstance(record["energy_nj"], float)]
    named = sorted({str(record["target"]) for record in listed})
    known = [chips[name] for name in named if name in chips and chips[name].has_energy]
    found = [json.loads(str(record["energy_shares"] or "{}")) for record in listed]
    parts = list(dict.fromkeys(name for shares in found for name in shares))
    table = _table(listed, _LABELS, _texts, _ENERGY_NUMBERS, status=False)
    columns = [tuple(f"{shares[part]:.1%}" if part in shares else "" for part in parts) for shares in found]
    yield replace(
        table,
        headings=(*table.headings, *parts),
        rows=tuple((*row, *shares) for row, shares in zip(table.rows, columns, strict=True)),
        least_needed=("version",),
        less_needed=(),
    )
    yield from (f"{chip.id}: {_origin(chip)}" for chip in known)
    missing = sorted({str(record["target"]) for record in records} - {chip.id for chip in known})
    if missing:
        yield f"No energy model: {', '.join(missing)}."


def _origin(chip: Chip) -> str:
    """Say what the energy of a chip rests on."""
    model = chip.event_energy
    if model is not None and chip.energy_supply_v is not None:
        said = (
            f"measured capacitances of its core at {chip.energy_supply_v:g} V; the energy lies between"
            f" {model.low_factor:g} and {model.high_factor:g} of it ({model.error_reason})."
            f" {model.measured.document}, {model.measured.section}."
        )
        if model.simulated is None:
            return said
        return f"{said} Simulated and shares: {model.simulated.document}, {model.simulated.section}."
    current = chip.energy
    assert current is not None
    waiting = " Waiting for memory is counted as work." if current.stall_ma is None else ""
    reason = f" ({current.error_reason})" if current.error_reason else ""
    return (
        f"{current.active_ma:g} mA at {current.supply_v:g} V and {current.clock_hz / 1e6:g} MHz,"
        f" whatever the instruction; error up to {current.error_percent:g} %{reason}."
        f" {current.document}, {current.section}. No split by component is published there.{waiting}"
    )


def best_page(records: Sequence[Record]) -> Iterator[Table | str]:
    """A table of the default and the best variants of each cell, from records with their `goals`."""

    def texts(record: Record) -> Iterator[str]:
        primitive, variant, *others = _texts(record)
        yield from (primitive, variant, str(record["goals"]), *others)

    primitive, variant, *others = _LABELS
    yield _table(records, (primitive, variant, _BEST, *others), texts, _BEST_NUMBERS, status=False)


def marked(name: str, security: object) -> str:
    """Return a primitive's name, with a mark if it is legacy or broken."""
    return f"{name} ({security})" if security in _MARKED else name


def _texts(record: Record) -> Iterator[str]:
    if record["kind"] == "function":
        yield from (str(record["symbol"]), str(record["image"]), str(record["target"]), "", "", "call", "")
        return
    yield marked(str(record["primitive"]), record["security"])
    yield str(record["variant"])
    chip = (record["target"], record["settings"], "cold" if record["cache_state"] == "cold" else None)
    yield " ".join(str(part) for part in chip if part)
    yield f"{record['toolchain']} {record['flags']}"
    yield str(record["toolchain_version"]).split()[0]
    yield from _what(record)


def _host_texts(record: Record) -> Iterator[str]:
    yield marked(str(record["primitive"]), record["security"])
    yield " ".join(str(record[n]) for n in ("library", "library_version", "variant") if record[n] is not None)
    yield str(record["device"])
    yield from _what(record)


def _what(record: Record) -> Iterator[str]:
    """Operation, and bytes of the message."""
    yield " ".join(
        str(record[name]) for name in ("operation", "mode", "padding") if record[name] not in (None, "none")
    )
    yield "" if record["message_bytes"] is None else f"{record['message_bytes']:,}"


def _figures(record: Record, numbers: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    for _, name, digits in numbers:
        value = record[name]
        yield f"{value * _UNIT_OF.get(name, 1):,.{digits}f}" if isinstance(value, int | float) else ""


def _status(record: Record) -> str:
    return "not verified" if record["status"] == "ok" and not record["verified"] else str(record["status"])


def _notes(records: Sequence[Record]) -> Iterator[str]:
    """Yield why cells have no result: each reason once, with its first cell and the number of others."""
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

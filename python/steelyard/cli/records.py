"""Print records as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from steelyard.present.terminal import print_table
from steelyard.record.schema import Record

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
_HOST_HEADINGS = ("primitive", "by", "device", "operation", "bytes")
_HOST_NUMBERS = (
    ("threads", "threads", 0),
    ("delay us", "time_us", 3),
    ("sd", "time_sd_us", 3),
    ("95 % low", "time_low_us", 3),
    ("high", "time_high_us", 3),
    ("CPU us", "cpu_time_us", 3),
    ("MB/s", "throughput_bytes_per_s", 2),
    ("CPU %", "cpu_process_percent", 1),
    ("machine %", "cpu_machine_percent", 1),
    ("RSS kB", "rss_peak_bytes", 0),
    ("cycles", "cycles", 0),
    ("energy uJ", "energy_nj", 2),
)
_ENERGY_NUMBERS = {"energy uJ": "energy_nj", "error %": "energy_error_percent", "power mW": "power_mw"}
_SELDOM = {
    "cycles_min": "cycles_sd",
    "cycles_max": "cycles_sd",
    "cycles_sd": "cycles_sd",
    "mode_overhead_cycles_per_block": "mode",
    "cache_misses": "cache_misses",
}
"""Columns by the field that decides whether they are shown."""
_UNIT_OF = {"energy_nj": 1e-3, "throughput_bytes_per_s": 1e-6, "rss_peak_bytes": 1e-3}


def print_records(records: Sequence[Record]) -> None:
    """Print one row per record, and below them why some have no result; Linux devices have their own table.

    Spread, cost of a mode and cache misses are shown if any record has them.
    """
    on_devices = [record for record in records if record["device"] is not None]
    on_chips = [record for record in records if record["device"] is None]
    if on_chips or not on_devices:
        _print_chips(on_chips)
    if on_devices:
        _print_devices(on_devices)
    for note in _notes(records):
        print(note)


def _print_chips(records: Sequence[Record]) -> None:
    numbers = [
        number
        for number in _NUMBERS
        if number[1] not in _SELDOM or any(record[_SELDOM[number[1]]] for record in records)
    ]
    headings = (*_TEXT_HEADINGS, *(heading for heading, _, _ in numbers), "status")
    print_table(headings, (list(_cells(record, numbers)) for record in records), left=len(_TEXT_HEADINGS))


def _print_devices(records: Sequence[Record]) -> None:
    """Print the records of devices without columns that are empty in all of them."""
    numbers = [number for number in _HOST_NUMBERS if any(record[number[1]] is not None for record in records)]
    headings = (*_HOST_HEADINGS, *(heading for heading, _, _ in numbers), "status")
    rows = ([*_host_texts(record), *_figures(record, numbers), _status(record)] for record in records)
    print_table(headings, rows, left=len(_HOST_HEADINGS))


def _host_texts(record: Record) -> Iterator[str]:
    operation = " ".join(
        str(record[n]) for n in ("operation", "mode", "padding") if record[n] not in (None, "none")
    )
    yield marked(str(record["primitive"]), record["security"])
    yield " ".join(str(record[n]) for n in ("library", "library_version", "variant") if record[n] is not None)
    yield str(record["device"])
    yield operation
    yield "" if record["message_bytes"] is None else f"{record['message_bytes']:,}"


def print_energy(records: Sequence[Record]) -> None:
    """Print energy and power of each record that has them, by component if a document gives the shares."""
    from steelyard.catalog.load import load_catalog
    from steelyard.measure.energy import COMPONENTS, split

    models = {target.id: target.file.energy for target in load_catalog().targets}
    listed = [record for record in records if isinstance(record["energy_nj"], float)]
    named = sorted({str(record["target"]) for record in listed})
    known = {name: model for name in named if (model := models.get(name)) is not None}
    parts = COMPONENTS if any(model.components for model in known.values()) else ()
    headings = (*_TEXT_HEADINGS, *_ENERGY_NUMBERS, *(f"{part} uJ" for part in parts))

    def row(record: Record) -> Iterator[str]:
        yield from list(_cells(record, ()))[:-1]
        for name in _ENERGY_NUMBERS.values():
            value = record[name]
            yield f"{value * _UNIT_OF.get(name, 1):,.2f}" if isinstance(value, int | float) else ""
        model, energy_nj = known.get(str(record["target"])), record["energy_nj"]
        shares = split(model, energy_nj) if model is not None and isinstance(energy_nj, float) else {}
        yield from (f"{shares[part] * 1e-3:,.2f}" if part in shares else "" for part in parts)

    print_table(headings, (list(row(record)) for record in listed), left=len(_TEXT_HEADINGS))
    for name, model in known.items():
        apart = "" if model.components else " No split by component or instruction class is published there."
        waiting = " Waiting for memory is counted as work." if model.stall_ma is None else ""
        reason = f" ({model.error_reason})" if model.error_reason else ""
        print(
            f"{name}: {model.active_ma:g} mA at {model.supply_v:g} V and {model.clock_hz / 1e6:g} MHz,"
            f" whatever the instruction; error up to {model.error_percent:g} %{reason}."
            f" {model.document}, {model.section}.{apart}{waiting}"
        )
    missing = sorted({str(record["target"]) for record in records} - set(known))
    if missing:
        print(f"No energy model: {', '.join(missing)}.")


def marked(name: str, security: object) -> str:
    """Return a primitive's name, with a mark if it is legacy or broken."""
    return f"{name} ({security})" if security in _MARKED else name


def _cells(record: Record, numbers: Iterable[tuple[str, str, int]]) -> Iterator[str]:
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
    yield from _figures(record, numbers)
    yield _status(record)


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

"""Records of a sweep as a table whose columns are what varies, and as a chart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from steelyard.measure.axes import own_value
from steelyard.present.chart import Spec, tooltip
from steelyard.present.table import Table, natural, plain
from steelyard.record.schema import FIELDS, Record

_LABELS = (
    *("primitive", "variant", "parts", "target"),
    *("toolchain", "flags", "footprint", "operation", "mode", "padding", "message_bytes", "ad_bytes"),
    "cache_state",
)
_WORK = ("primitive", "operation", "mode", "padding", "message_bytes", "ad_bytes", "cache_state")
_NUMBERS = (
    ("cycles", "cycles", 1.0, 0),
    ("c/byte", "cycles_per_byte", 1.0, 1),
    ("time us", "time_us", 1.0, 1),
    ("energy uJ", "energy_nj", 1e-3, 2),
    ("ROM", "rom_bytes", 1.0, 0),
    ("RAM", "ram_bytes", 1.0, 0),
)
_BEST = (("cycles", "cycles"), ("time", "time_us"), ("ROM", "rom_bytes"), ("RAM", "ram_bytes"))
_MOST_WORKS = 4
METRICS = tuple(field.name for field in FIELDS if field.metric and field.type in (int, float))
"""Figures that a chart may show."""


def point(record: Record) -> dict[str, Any]:
    """Return what a record was measured at: its labels, and each parameter and setting by its name."""
    parameters = dict(one.split("=", 1) for one in str(record["parameters"] or "").split())
    settings = dict(one.split("=", 1) for one in str(record["settings"] or "").split())
    if "clock_hz" in settings:
        settings["clock_hz"] = f"{record['clock_hz']}"
    given: dict[str, Any] = {**parameters, **settings}
    found = {name: record[name] for name in _LABELS}
    # Warm is what a chip without caches is too.
    found["cache_state"] = "cold" if record["cache_state"] == "cold" else None
    return {**found, **{name: int(value) if value.isdigit() else value for name, value in given.items()}}


def points(records: Sequence[Record]) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the names of what varies among records, and the point of each.

    A record without a setting that others have is measured at the chip's own value.
    """
    found = [point(record) for record in records]
    names = list(dict.fromkeys(name for one in found for name in one))
    set_names = {one.split("=", 1)[0] for record in records for one in str(record["settings"] or "").split()}
    for one, record in zip(found, records, strict=True):
        for name in set_names - one.keys():
            one[name] = record["clock_hz"] if name == "clock_hz" else own_value(name)
    varying = [name for name in names if len({plain(one.get(name)) for one in found}) > 1]
    return varying, found


def page(records: Sequence[Record]) -> Iterator[Table | str]:
    """Yield a table of the records with what varies as its columns, what does not, and the best points."""
    varying, found = points(records)
    constant = _constant(records, found, varying)
    if constant:
        yield f"In all rows: {constant}."
    numbers = [number for number in _NUMBERS if any(record[number[1]] is not None for record in records)]
    has_status = any(record["status"] != "ok" or not record["verified"] for record in records)
    headings = (*varying, *(heading for heading, *_ in numbers), *(("status",) if has_status else ()))
    rows = tuple(
        (
            *(plain(one.get(name)) for name in varying),
            *(_figure(record[field], scale, digits) for _, field, scale, digits in numbers),
            *((_status(record),) if has_status else ()),
        )
        for one, record in zip(found, records, strict=True)
    )
    yield Table(
        "",
        headings,
        rows,
        left=len(varying),
        least_needed=("energy uJ", "RAM", "c/byte"),
        objects=tuple(records),
        numeric=(
            *(all(isinstance(one.get(name), int | None) for one in found) for name in varying),
            *(True for _ in numbers),
            *((False,) if has_status else ()),
        ),
    )
    yield from _best(records, found, varying)


def _constant(records: Sequence[Record], found: Sequence[Mapping[str, Any]], varying: Sequence[str]) -> str:
    if not found:
        return ""
    first = found[0]
    said = []
    for name, value in first.items():
        if name in varying or value is None or (name, value) == ("padding", "none"):
            continue
        if name in _LABELS and name not in ("message_bytes", "ad_bytes", "footprint", "cache_state"):
            said.append(plain(value))
        else:
            said.append(f"{name} {plain(value)}")
    return ", ".join(said)


def _best(
    records: Sequence[Record], found: Sequence[Mapping[str, Any]], varying: Sequence[str]
) -> Iterator[str]:
    """Yield for each kind of work at which point each figure is least, if there are few kinds."""
    works: dict[tuple[Any, ...], list[int]] = {}
    for number, record in enumerate(records):
        if record["status"] == "ok" and record["verified"]:
            works.setdefault(tuple(found[number][name] for name in _WORK), []).append(number)
    if len(works) > _MOST_WORKS:
        return
    for work, numbers in works.items():
        said = []
        inner = [name for name in varying if name not in _WORK]
        for title, field in _BEST:
            listed = [number for number in numbers if isinstance(records[number][field], int | float)]
            values = {records[number][field] for number in listed}
            if len(values) < 2:
                continue
            best = min(listed, key=lambda number: (records[number][field], number))
            where = ", ".join(f"{name} {plain(found[best].get(name))}" for name in inner)
            same = sum(records[number][field] == records[best][field] for number in listed) - 1
            more = f" and {same} more" if same else ""
            said.append(f"least {title} at {where}{more}")
        if said:
            name = " ".join(str(part) for part in work[:3] if part is not None)
            length = "" if work[4] is None else f", {work[4]:,} bytes"
            yield f"{name}{length}: {'; '.join(said)}."


def _figure(value: object, scale: float, digits: int) -> str:
    return f"{value * scale:,.{digits}f}" if isinstance(value, int | float) else ""


def _status(record: Record) -> str:
    return "not verified" if record["status"] == "ok" and not record["verified"] else str(record["status"])


def chart(records: Sequence[Record], metric: str) -> tuple[Spec, list[dict[str, Any]]]:
    """Return a chart of a figure over the first number that varies, and its rows; a line for all others.

    Without a number that varies there is a bar for each point.
    """
    verified = [one for one in records if one["verified"] and one[metric] is not None]
    varying, found = points(verified)
    axis = next((name for name in varying if all(isinstance(one.get(name), int) for one in found)), None)
    others = [name for name in varying if name != axis]
    rows = [
        {
            **{name: plain(one.get(name)) for name in others},
            **({axis: one[axis]} if axis is not None else {}),
            "series": " ".join(plain(one.get(name)) for name in others if one.get(name) is not None),
            metric: record[metric],
        }
        for one, record in zip(found, verified, strict=True)
    ]
    if axis is None:
        order = sorted({str(row["series"]) for row in rows}, key=natural)
        y = {"field": "series", "type": "nominal", "title": None, "sort": order, "axis": {"labelLimit": 400}}
        x = {"field": metric, "type": "quantitative"}
        return {
            "mark": "bar",
            "height": {"step": 18},
            "encoding": {"x": x, "y": y, "tooltip": tooltip([*others, metric])},
        }, rows
    values = sorted({int(row[axis]) for row in rows})
    steps = {b / a for a, b in pairwise(values)} if values[0] > 0 else set()
    powers = len(values) > 2 and len(steps) == 1
    across: Spec = {
        "field": axis,
        "type": "quantitative",
        "scale": {"type": "log", "base": 2} if powers else {"zero": False},
        "axis": {"values": values} if len(values) <= 12 else {},
    }
    return {
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": across,
            "y": {"field": metric, "type": "quantitative"},
            **({"color": {"field": "series", "type": "nominal", "title": None}} if others else {}),
            "tooltip": tooltip([*others, axis, metric]),
        },
    }, rows

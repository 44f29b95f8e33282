"""Pair the records of two sides by their cells, and say what differs between the sides beside the figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from steelyard.compare.budgets import Granted
from steelyard.compare.measures import MEASURES, Limits, value
from steelyard.compare.model import Cause, Pair, Row, Standing
from steelyard.record.schema import IDENTITY, Record

_NOT_OF_THE_CELL = {"toolchain_version", "clock_hz", "symbol", "arguments", "image"}
"""Fields that tell records apart and may differ between the sides of one cell."""
_OF_A_CALL = ("symbol", "arguments")

_CAUSES: Mapping[Cause, tuple[str, ...]] = {
    "source": ("source_hash",),
    "compiler": ("toolchain", "toolchain_version"),
    "flags": ("flags", "object_flags"),
    "chip": ("target_hash",),
    "inputs": ("samples", "input_seed"),
    "steelyard": ("timing_version", "emulator_version", "steelyard_version"),
}
"""Fields of the record that a cause is seen in."""
_OF_THE_IMAGE = ("source", "compiler", "flags")


def key(record: Record, varying: Iterable[str] = ()) -> tuple[object, ...]:
    """Return what tells a cell from others of its side; `varying` are fields in which the sides differ."""
    left_out = {*_NOT_OF_THE_CELL, *varying}
    if "variant" in varying:
        left_out.add("parts")
    found: list[object] = [record[name] for name in IDENTITY if name not in left_out]
    if record["kind"] == "function":
        found += [PurePath(str(record["image"])).name, *(record[name] for name in _OF_A_CALL)]
    return tuple(found)


def name_of(record: Record, varying: Iterable[str] = ()) -> str:
    """Return the name of a cell, without what the sides differ in: the same in every comparison of it."""

    def shown(field: str) -> str:
        found = record[field]
        return "" if found in (None, "none") or field in varying else str(found)

    if record["kind"] == "function":
        image = PurePath(str(record["image"])).name
        called = [f"{record['symbol']} of {image}", str(record["arguments"] or "")]
        return ", ".join(part for part in (*called, _chip(record)) if part)
    length = "" if record["message_bytes"] is None else f"{record['message_bytes']} B"
    if record["ad_bytes"]:
        length += f" + {record['ad_bytes']} B"
    variant = shown("variant")
    if record["parts"] and variant:
        variant = f"{variant} over {str(record['parts']).replace(' ', ' and ')}"
    what = (variant, shown("primitive"), shown("mode"), shown("padding"), shown("operation"), length)
    built = " ".join(part for part in (shown("toolchain"), shown("flags")) if part)
    image = "" if record["footprint"] == _usual_footprint(record) else f"image of {record['footprint']}"
    return ", ".join(part for part in (" ".join(filter(None, what)), _chip(record), built, image) if part)


def _usual_footprint(record: Record) -> str:
    """Return the footprint of the smallest image that holds the operation, which needs no mention."""
    operation = str(record["operation"])
    if record["kind"] in ("hash", "mac", "kem"):
        return "both"
    if operation in ("decrypt", "init-decrypt", "open"):
        return "decrypt"
    if record["kind"] == "signature":
        return "sign" if operation == "init" else operation
    return "encrypt"


def _chip(record: Record) -> str:
    cold = "cold" if record["cache_state"] == "cold" else ""
    return " ".join(str(part) for part in (record["target"], record["settings"], cold) if part)


def causes(base: Record, head: Record, *, measured_here: bool) -> tuple[Cause, ...]:
    """Return what differs between two records of a cell.

    Of equal images neither source nor compiler nor flags made a difference. Sides that were `measured_here`
    have one Steelyard: a record of an unchanged build may be kept from an earlier version of it.
    """
    found = [cause for cause, fields in _CAUSES.items() if any(base[name] != head[name] for name in fields)]
    if base["image_hash"] is not None and base["image_hash"] == head["image_hash"]:
        found = [cause for cause in found if cause not in _OF_THE_IMAGE]
    if "steelyard" in found and (measured_here or _is_of_the_chip(base, head)):
        found.remove("steelyard")
    if not found and not measured_here and base["steelyard_commit"] != head["steelyard_commit"]:
        found.append("steelyard")
    return tuple(found)


def _is_of_the_chip(base: Record, head: Record) -> bool:
    """Whether the timing differs because the user's chip does, and nothing of Steelyard."""
    return base["target_hash"] != head["target_hash"] and all(
        base[name] == head[name] for name in ("emulator_version", "steelyard_version")
    )


def has_figure(record: Record | None) -> bool:
    """Whether a record is a result: ok, and verified unless it is a call of an image, which none is."""
    if record is None or record["status"] != "ok":
        return False
    return bool(record["verified"]) or record["kind"] == "function"


def paired(
    base: Sequence[Record],
    head: Sequence[Record],
    *,
    measures: Sequence[str],
    limits: Limits,
    budgets: Sequence[Granted] = (),
    varying: Sequence[str] = (),
    measured_here: bool = False,
) -> list[Pair]:
    """Return the cells of two sides in the order of the head's, then those that only the base has.

    Of several records of a cell on one side the last counts.
    """
    by_base = {key(record, varying): record for record in base}
    by_head = {key(record, varying): record for record in head}
    found = []
    for one in dict.fromkeys((*by_head, *by_base)):
        before, after = by_base.get(one), by_head.get(one)
        named = after if after is not None else before
        assert named is not None
        standing = _standing(before, after)
        differing: tuple[Cause, ...] = ()
        if before is not None and after is not None:
            differing = causes(before, after, measured_here=measured_here)
        rows = tuple(_rows(before, after, standing, measures, limits, budgets))
        if not differing and any(row.delta for row in rows):
            differing = ("unknown",)
        found.append(Pair(before, after, name_of(named, varying), standing, differing, rows))
    return found


def _standing(base: Record | None, head: Record | None) -> Standing:
    if head is None:
        return "missing"
    if head["status"] == "does-not-fit":
        return "outgrown" if has_figure(base) else "unfit"
    if not has_figure(head):
        return "failed"
    return "compared" if has_figure(base) else "new"


def _rows(
    base: Record | None,
    head: Record | None,
    standing: Standing,
    measures: Sequence[str],
    limits: Limits,
    budgets: Sequence[Granted],
) -> Iterable[Row]:
    if head is None or standing not in ("compared", "new"):
        return
    most: dict[str, float] = {}
    for one in budgets:
        if one.matches(head):
            for measure, granted in one.most.items():
                most[measure] = min(granted, most.get(measure, granted))
    for measure in dict.fromkeys((*measures, *(name for name in MEASURES if name in most))):
        after = value(head, measure)
        before = value(base, measure) if base is not None and standing == "compared" else None
        if standing == "compared" and measure == "heap" and (before is None) != (after is None):
            # A record without a heap has none of it.
            before, after = before or 0, after or 0
        if after is None or (standing == "compared" and before is None):
            continue
        limit = limits.get(measure)
        yield Row(measure, before, after, limit if measure in measures else None, most.get(measure))

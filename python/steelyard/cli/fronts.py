"""Fronts of builds as tables, as objects and as a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from steelyard.advise.pareto import Front, Fronts, Place, build
from steelyard.cli.records import marked
from steelyard.present.chart import Spec, tooltip
from steelyard.present.table import Table, plain

_BUILD = ("primitive", "variant", "parts", "parameters", "target", "settings", "footprint")
_OBJECT = (
    *("kind", "primitive", "security", "variant", "parts", "parameters", "target", "settings"),
    *("toolchain", "toolchain_version", "flags", "footprint", "operation", "mode", "padding"),
    *("message_bytes", "ad_bytes", "cache_state", "tier"),
)


def objects(found: Fronts) -> Iterator[dict[str, Any]]:
    """Yield an object for each record that has a place, with its figures and what beats it."""
    for number, front in enumerate(found.fronts, start=1):
        for place in front.places:
            record = place.record
            yield {
                "front": number,
                "on_front": place.on_front,
                **{name: record[name] for name in _OBJECT},
                **{name: record[name] for name in front.metrics},
                "dominated_by": None if place.dominated_by is None else build(place.dominated_by),
                "source_hash": record["source_hash"],
                "date": record["date"],
            }


def page(found: Fronts, *, dominated: bool) -> Iterator[Table | str]:
    """Yield a table for each front, broken and legacy primitives marked, and what has no place."""
    for front in found.fronts:
        shown = front.places if dominated else tuple(front.best)
        yield _table(front, shown, dominated=dominated)
        others = len(front.places) - len(front.best)
        if others and not dominated:
            are = "s are" if others > 1 else " is"
            yield f"{others} other build{are} beaten (--dominated shows by which)."
    for reason, count in found.left_out.most_common():
        yield f"{count} record{'s' if count > 1 else ''} left out: {reason}."


def title(front: Front) -> str:
    """Return in a line what the builds of a front do, and how many of them are on it."""
    work, record = front.work, front.places[0].record
    named = str(record["kind"])
    if "primitive" in work:
        named = marked(str(work["primitive"]), record["security"])
    words = [work["mode"], record["operation"], work["padding"]]
    parts = [" ".join([named, *(str(word) for word in words if word not in (None, "none"))])]
    if work["message_bytes"] is not None:
        parts.append(f"{work['message_bytes']:,} bytes")
    parts += [f"on {work['target']}"] if "target" in work else []
    parts += [str(work["settings"])] if work.get("settings") else []
    parts += ["cold caches"] if work["cache_state"] == "cold" else []
    both = work.get("footprint") == "both" and record["operation"] not in ("digest", "mac")
    parts += ["both directions in the image"] if both else []
    return f"{', '.join(parts)}: {len(front.best)} of {len(front.places)} builds on the front"


def _table(front: Front, shown: Sequence[Place], *, dominated: bool) -> Table:
    """Return the table of a front; builds of one variant with equal figures share a row."""
    labels = [
        name
        for name in _BUILD
        if name not in front.work and any(place.record[name] is not None for place in shown)
    ]
    alike: dict[tuple[object, ...], list[Place]] = {}
    for place in shown:
        key = (*(place.record[name] for name in labels), place.values, place.on_front)
        alike.setdefault(key, []).append(place)

    def cells(places: Sequence[Place]) -> Iterator[str]:
        record = places[0].record
        for name in labels:
            value = plain(record[name])
            yield marked(value, record["security"]) if name == "primitive" else value
        more = f" and {len(places) - 1} equal" if len(places) > 1 else ""
        yield f"{record['toolchain']} {record['flags']}{more}"
        for name in front.metrics:
            yield plain(_rounded(record[name]))
        if dominated:
            by = places[0].dominated_by
            yield "" if by is None else build(by)

    headings = (*labels, "compiler", *front.metrics, *(("beaten by",) if dominated else ()))
    numeric = (*(False for _ in labels), False, *(True for _ in front.metrics), *((False,) * dominated))
    fields = (*labels, "toolchain", "flags", *front.metrics)
    return Table(
        title(front),
        headings,
        tuple(tuple(cells(places)) for places in alike.values()),
        left=len(labels),
        least_needed=("parts",),
        objects=tuple({name: places[0].record[name] for name in fields} for places in alike.values()),
        numeric=numeric,
    )


def _rounded(value: object) -> object:
    return round(value, 2) if isinstance(value, float) else value


def chart(found: Fronts, metrics: Sequence[str]) -> tuple[Spec, list[dict[str, Any]]]:
    """Return a chart of the first two figures, the third as the size of a mark; the front is filled."""
    several = len(found.fronts) > 1
    rows = [
        {
            "front": title(front).partition(":")[0],
            "variant": build(place.record),
            "primitive": marked(str(place.record["primitive"]), place.record["security"]),
            "place": "on the front" if place.on_front else "beaten",
            **{name: place.record[name] for name in metrics},
        }
        for front in found.fronts
        for place in front.places
    ]
    told = tooltip(["primitive", "variant", "front", "place", *metrics])
    by = "front" if several else "primitive"
    places = [place for front in found.fronts for place in front.places]
    positive = all(value > 0 for place in places for value in place.values[:2])
    scale: Spec = {"type": "log", "nice": False, "padding": 12} if positive else {"zero": False}
    encoding: Spec = {
        "x": {"field": metrics[0], "type": "quantitative", "scale": scale},
        "y": {"field": metrics[1], "type": "quantitative", "scale": scale},
        "color": {"field": by, "type": "nominal", "title": None},
        "opacity": {
            "field": "place",
            "type": "nominal",
            "title": None,
            "scale": {"domain": ["on the front", "beaten"], "range": [1, 0.25]},
        },
        "tooltip": told,
    }
    if len(metrics) > 2:
        encoding["size"] = {"field": metrics[2], "type": "quantitative"}
        return {"mark": {"type": "point", "filled": True}, "encoding": encoding}, rows
    colour: Spec = {"field": "front", "type": "nominal", "title": None} if several else {"value": "#5b6675"}
    line = {
        "transform": [{"filter": "datum.place === 'on the front'"}],
        "mark": {"type": "line", "interpolate": "step-after", "opacity": 0.6},
        "encoding": {"x": encoding["x"], "y": encoding["y"], "color": colour},
    }
    points = {"mark": {"type": "point", "filled": True, "size": 60}, "encoding": encoding}
    return {"layer": [line, points]}, rows

"""Plots of protocol costs and battery lives from the records of a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from steelyard.advise import battery, protocols
from steelyard.catalog.load import Catalog, CatalogError
from steelyard.errors import UsageError
from steelyard.present.chart import Chart, Spec, nominal, plot, tooltip
from steelyard.record.schema import Record
from steelyard.report.section import Section

_DIRECTIONS: tuple[protocols.Direction, ...] = ("send", "receive")
_BUILD = ("target", "toolchain", "flags")
_CELL = ("primitive", "variant", "operation", "mode", "message_bytes", "ad_bytes", "parts")
_ANY_PAYLOAD_BYTES = 16
"""Payload shown for a suite whose cost does not depend on it."""
_RATES = {"1 a second": 1.0, "1 a minute": 1 / 60, "1 an hour": 1 / 3600}
_TAKES = {
    "sleep": "asleep",
    "radio": "radio, the other bytes",
    "added_bytes": "radio, bytes that protect",
    "crypto": "cryptography",
}

Row = dict[str, Any]


def section(results: pl.DataFrame, catalog: Catalog) -> Section | None:
    """Return the costs of protocols whose operations are all among the results; None if there are none."""
    costs = list(_costs(results, catalog))
    if not costs:
        return None
    lives = [row for cost in costs for row in _lives(cost)]
    charts = [_protocol_chart(costs)]
    if lives:
        charts.append(_battery_chart(lives))
    return Section(
        id="advice",
        kind="Models",
        title="Protocols and batteries",
        note="Sums over these results, as steelyard protocol and steelyard battery print them. Here are"
        " protocols all of whose operations were measured in one build; building headers and copying is not"
        " counted.",
        charts=tuple(charts),
    )


def _costs(results: pl.DataFrame, catalog: Catalog) -> Iterator[Row]:
    """Yield a row for each suite, payload and side for which a chip and build has all cells."""
    warm = pl.col("settings").is_null() & (pl.col("cache_state").fill_null("") != "cold")
    plain = pl.col("padding").fill_null("none") == "none"
    used = {
        step.primitive
        for file in protocols.protocols().values()
        for suite in file.suite
        for step in (*suite.session, *suite.message)
    }
    usable = results.filter(warm & plain & pl.col("primitive").is_in(sorted(used)))
    asked = [
        (file, suite, side, [step for _, step in protocols.steps_of(suite, side)])
        for file in protocols.protocols().values()
        for suite in file.suite
        for side in _DIRECTIONS
    ]
    for build, rows in usable.group_by(*_BUILD, maintain_order=True):
        cells = {tuple(row[name] for name in _CELL): row for row in rows.iter_rows(named=True)}
        there = {primitive for primitive, *_ in cells}
        for file, suite, side, steps in asked:
            if all(step.primitive in there for step in steps):
                named = dict(zip(_BUILD, build, strict=True))
                yield from _of_suite(catalog, file, suite, side, steps, named, cells)


def _of_suite(
    catalog: Catalog,
    file: protocols.ProtocolFile,
    suite: protocols.Suite,
    side: protocols.Direction,
    steps: Sequence[protocols.Step],
    build: Mapping[str, Any],
    cells: Mapping[tuple[Any, ...], Record],
) -> Iterator[Row]:
    try:
        chip = catalog.target(build["target"])
        payloads = _payloads(suite, cells)
        for payload_bytes in payloads:
            wanted = [
                protocols.asked(catalog, chip.cpu_class, step, {}, payload_bytes, side) for step in steps
            ]
            rows = [cells.get(tuple(getattr(cell, name) for name in _CELL)) for cell in wanted]
            there = [row for row in rows if row is not None]
            if len(there) < len(rows):
                continue
            cost = protocols.cost(
                catalog, chip.cpu_class, suite, there, {}, payload_bytes, side, chip.file.clock_hz
            )
            if isinstance(cost, protocols.SuiteCost):
                yield {
                    "protocol": file.id,
                    "suite": suite.id,
                    **build,
                    "side": side,
                    "payload": f"{payload_bytes} bytes",
                    "cycles": cost.cycles("message"),
                    "time_us": cost.time_us("message"),
                    "session_cycles": cost.cycles("session"),
                    "air_bytes": cost.air_bytes,
                    "security_bytes": cost.security_bytes,
                }
    except CatalogError:
        return


def _payloads(suite: protocols.Suite, cells: Mapping[tuple[Any, ...], Record]) -> list[int]:
    """Return the payloads for which a payload-dependent step may have been measured."""
    step = next((one for one in suite.message if one.length is not None and one.length.payload), None)
    if step is None or step.length is None:
        return [_ANY_PAYLOAD_BYTES]
    lengths = {cell[4] for cell in cells if cell[0] == step.primitive and cell[4] is not None}
    found = {length - step.length.fixed for length in lengths}
    return sorted(one for one in found if 0 < one <= suite.payload_most_bytes)


def _lives(cost: Row) -> Iterator[Row]:
    """Yield the consumers of each node's current with that chip, at each rate that it can sustain."""
    for node in battery.nodes().values():
        if node.target != cost["target"]:
            continue
        for name, rate_hz in _RATES.items():
            work = battery.Work(
                rate_hz,
                cost["cycles"],
                cost["air_bytes"],
                cost["security_bytes"],
                receive=cost["side"] == "receive",
            )
            try:
                life = battery.life(node, work)
            except UsageError:
                continue
            for order, (part, words) in enumerate(_TAKES.items()):
                yield {
                    **{key: cost[key] for key in ("protocol", "suite", *_BUILD, "side", "payload")},
                    "node": node.id,
                    "messages": name,
                    "part": words,
                    "order": order,
                    "current_ua": getattr(life, f"{part}_a") * 1e6,
                    "share": getattr(life, f"{part}_a") / life.total_a,
                    "life_days": life.life_s / 86400,
                    "unprotected_days": life.unprotected_s / 86400,
                }


def _bars(x: Spec, tooltip: list[Spec], color: Spec, order: Spec | None = None) -> Spec:
    encoding: Spec = {
        "y": nominal("series", axis={"labelLimit": 320}),
        "x": {"type": "quantitative", "axis": {"tickCount": 6}, **x},
        "color": {"type": "nominal", "title": None, **color},
        "tooltip": tooltip,
    }
    if order is not None:
        encoding["order"] = order
    return plot(mark={"type": "bar"}, encoding=encoding)


def _protocol_chart(costs: list[Row]) -> Chart:
    return Chart(
        id="protocols",
        title="What protocols cost",
        caption="Time of the cryptography of one message at the chip's clock; a session's is in the tooltip.",
        spec=_bars(
            {"field": "time_us", "title": "microseconds per message"},
            tooltip(
                ("protocol", "suite", "target"),
                cycles=("cycles per message", ",.0f"),
                time_us=("us per message", ",.1f"),
                session_cycles=("cycles per session", ",.0f"),
                security_bytes=("bytes added", ""),
                air_bytes=("bytes on air", ""),
            ),
            {"field": "target"},
        ),
        rows=pl.DataFrame(costs, infer_schema_length=None),
        open=("protocol", "target"),
        single=("payload", "side", "toolchain", "flags"),
        series=("protocol", "suite", "target"),
        step_px=22,
    )


def _battery_chart(lives: list[Row]) -> Chart:
    return Chart(
        id="batteries",
        title="What takes the battery",
        caption="Shares of a node's mean current; self-discharge comes on top. The tooltip has the days.",
        spec=_bars(
            {"field": "share", "title": "share of the mean current", "axis": {"format": "%", "tickCount": 6}},
            tooltip(
                ("node", "protocol", "suite", "part"),
                current_ua=("mean uA", ",.3f"),
                share=("", ".1%"),
                life_days=("days", ",.0f"),
                unprotected_days=("days without protection", ",.0f"),
            ),
            {"field": "part", "sort": list(_TAKES.values())},
            {"field": "order", "type": "quantitative"},
        ),
        rows=pl.DataFrame(lives, infer_schema_length=None),
        open=("protocol", "node"),
        single=("messages", "payload", "side", "toolchain", "flags"),
        series=("node", "protocol", "suite"),
        preset=("messages",),
        step_px=22,
    )

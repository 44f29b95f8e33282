"""Scenes in the report: the effect of each protection on tasks, buses and plants."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from steelyard.present.chart import Chart, Spec, nominal, plot, quantitative, tooltip
from steelyard.present.table import Table
from steelyard.report.section import Section
from steelyard.store.results import Result
from steelyard.units import duration

KIND = "scenario"

Row = Mapping[str, Any]

_ABSENT = "\N{EN DASH}"
_PROTECTIONS_DRAWN = 12
_BARS_SHOWN = 160
_USED_MOST = 2.0
_KINDS = ("task", "encryption", "message", "late")


def sections(results: Sequence[Result]) -> tuple[Section, ...]:
    """Return a section for every saved scene."""
    return tuple(_section(number, result) for number, result in enumerate(results, start=1))


def _section(number: int, result: Result) -> Section:
    scene = result.content
    slug = re.sub(r"[^a-z0-9]+", "-", result.name.lower()).strip("-")
    place = f"scene-{number}-{slug}" if slug else f"scene-{number}"
    plots = (_responses(place, scene), _used_delay(place, scene), _timeline(place, scene))
    tables = [_system_table(scene)]
    if _loops(scene):
        tables.append(_loop_table(scene))
    problems: dict[str, list[str]] = {}
    for one in scene["protections"]:
        for said in one["problems"]:
            problems.setdefault(said, []).append(one["name"])
    if problems:
        rows = tuple((said, ", ".join(names)) for said, names in problems.items())
        tables.append(Table("What is not kept", ("Problem", "With"), rows, left=2))
    return Section(
        id=place,
        kind="Scenes",
        title=", ".join([scene["title"], *scene.get("changes", ())]),
        note=" ".join([scene["summary"], *scene.get("notes", ()), *_on_plants(scene)]),
        charts=tuple(plot for plot in plots if len(plot.rows)),
        lines=tuple(tables),
    )


def _on_plants(scene: Row) -> Iterator[str]:
    """Yield facts on plants: how they were reduced, and whether they are unstable alone."""
    for name, plant in scene.get("plants", {}).items():
        yield from (f"Loop {name}: {said}" for said in plant["notes"])


def _loops(scene: Row) -> list[str]:
    return list(dict.fromkeys(name for one in scene["protections"] for name in one["loops"]))


def _drawn(scene: Row) -> list[Row]:
    """Return the protections to draw: none, the best ones and the worst, if there are many."""
    every = scene["protections"]
    if len(every) <= _PROTECTIONS_DRAWN:
        return list(every)
    first = _PROTECTIONS_DRAWN - 4
    return [*every[:first], *every[-4:]]


# Tables


def _system_table(scene: Row) -> Table:
    """Return a row for every protection with its effect on computers and buses."""
    energy = any(one.get("energy_j_per_day") for one in scene["protections"])
    headings = (
        "Rank", "Protection", "Within limits", "Added delay", "Busiest device", "Busiest bus",
        "Late or lost", "Of", "ROM, bytes", "RAM, bytes", *(("Energy, J/day",) if energy else ()),
    )  # fmt: skip
    rows = [
        (
            _or_absent(one.get("rank"), "{}"),
            one["name"],
            "yes" if one["within_limits"] else "no",
            _time(one.get("added_delay_s")),
            _busiest(one.get("utilisation")),
            _busiest(one.get("buses")),
            _or_absent(one.get("misses"), "{:,}"),
            _or_absent(one.get("jobs"), "{:,}"),
            _most(one.get("rom_bytes")),
            _most(one.get("ram_bytes")),
            *((_most(one.get("energy_j_per_day"), "{:.3g}"),) if energy else ()),
        )
        for one in scene["protections"]
    ]
    return Table("Protections compared", headings, tuple(rows), left=3)


_LOOP_COLUMNS: Mapping[str, tuple[str, str]] = {
    "overshoot_percent": ("Overshoot, %", "{:.3g}"),
    "settling_s": ("Settling", ""),
    "disturbance_peak": ("Deviation", "{:.4g}"),
    "recovery_s": ("Recovery", ""),
    "iae": ("IAE", "{:.4g}"),
    "ise": ("ISE", "{:.4g}"),
    "itae": ("ITAE", "{:.4g}"),
    "control_effort": ("Effort", "{:.4g}"),
    "gain_margin_db": ("Gain margin, dB", "{:.3g}"),
    "phase_margin_deg": ("Phase margin, degrees", "{:.3g}"),
    "delay_margin_s": ("Delay margin", ""),
}


def _loop_table(scene: Row) -> Table:
    """Return a row for every protection and loop with the quality of control."""
    seen = {
        name
        for one in scene["protections"]
        for loop in one["loops"].values()
        for name, value in loop["metrics"].items()
        if value is not None
    }
    columns = {name: column for name, column in _LOOP_COLUMNS.items() if name in seen}
    headings = (
        "Protection", "Loop", "Sensor to actuator, mean", "At most", *(text for text, _ in columns.values()),
    )  # fmt: skip
    rows = []
    for one in scene["protections"]:
        for name, loop in one["loops"].items():
            latency = (one.get("latency_s") or {}).get(name) or (None, None, None)
            figures = [
                _or_absent(loop["metrics"].get(metric), form) if form else _time(loop["metrics"].get(metric))
                for metric, (_, form) in columns.items()
            ]
            stable = name if loop["stable"] else f"{name}, unstable"
            rows.append((one["name"], stable, _time(latency[1]), _time(latency[2]), *figures))
    return Table("How the plants are controlled", headings, tuple(rows), left=2)


def _or_absent(value: Any, form: str) -> str:
    return _ABSENT if value is None else form.format(value)


def _time(seconds: float | None) -> str:
    if seconds is None:
        return _ABSENT
    if seconds == 0:
        return "0"
    return f"-{duration(-seconds)}" if seconds < 0 else duration(seconds)


def _busiest(shares: Mapping[str, float] | None) -> str:
    if not shares:
        return _ABSENT
    name = max(shares, key=lambda one: shares[one])
    return f"{shares[name]:.1%} ({name})"


def _most(by_device: Mapping[str, float] | None, form: str = "{:,}") -> str:
    values = [value for value in (by_device or {}).values() if value is not None]
    return form.format(max(values)) if values else _ABSENT


# Plots


def _responses(place: str, scene: Row) -> Chart:
    """Plot output and command over time, one line for every protection."""
    rows = [row for name in _loops(scene) for row in _response_rows(name, _drawn(scene))]
    x = quantitative("time_s", "time, s", scale={"nice": False})
    y: Spec = {"type": "quantitative", "title": None, "scale": {"zero": False}}
    spec: Spec = plot(
        height=320,
        layer=[
            {
                "mark": {"type": "line", "strokeDash": [5, 4], "color": "#888888", "strokeWidth": 1},
                "encoding": {"x": x, "y": {"field": "setpoint", **y}},
            },
            {
                "mark": {"type": "line", "strokeWidth": 2, "interpolate": "linear", "clip": True},
                "encoding": {
                    "x": x,
                    "y": {"field": "value", **y},
                    "color": nominal("series", sort=None, legend={"labelLimit": 260}),
                    "tooltip": tooltip(
                        ("protection", "shown"), time_s=("time, s", ",.4~f"), value=("", ",.5~r")
                    ),
                },
            },
        ],
    )
    return Chart(
        id=f"{place}-response",
        title="Response of the plant",
        caption="After a step of the set point (dashed; of the actuator, where it was at rest), and of the"
        " disturbance if there is one. The line of an unstable loop ends where it leaves the picture.",
        spec=spec,
        rows=_frame(rows, ("loop", "shown", "protection"), ("time_s", "value", "setpoint")),
        open=("protection",),
        single=("loop", "shown"),
        series=("protection",),
    )


def _response_rows(name: str, protections: Iterable[Row]) -> Iterator[dict[str, Any]]:
    loops = [(one["name"], one["loops"][name]) for one in protections if name in one["loops"]]
    axes: Mapping[str, str] = next((loop["axes"] for _, loop in loops if loop.get("axes")), {})
    windows = {shown: _window(shown, [loop for _, loop in loops]) for shown in ("output", "control")}
    for shown in windows:
        label = ", ".join(part for part in (axes.get(shown, shown), axes.get(f"{shown}_unit")) if part)
        for protection, loop in loops:
            response = loop["response"]
            # What is dashed beside the actuator is where it was at rest.
            dashed = (
                response["setpoint"]
                if shown == "output"
                else response["control"][:1] * len(response["control"])
            )
            ends = min(_leaves(response[one], window) for one, window in windows.items())
            for time, value, setpoint in list(zip(response["time_s"], response[shown], dashed, strict=True))[
                :ends
            ]:
                yield {
                    "loop": name,
                    "shown": label,
                    "protection": protection,
                    "time_s": time,
                    "value": value,
                    "setpoint": setpoint,
                }


def _leaves(values: Sequence[float], window: tuple[float, float]) -> int:
    """Return the first index at which the values leave the window."""
    outside = (index for index, value in enumerate(values) if not window[0] <= value <= window[1])
    return next(outside, len(values))


def _window(shown: str, loops: Sequence[Row]) -> tuple[float, float]:
    """Return the range to draw: all values of stable loops; an unstable one would flatten them."""
    stable = [value for loop in loops if loop["stable"] for value in loop["response"][shown]]
    if not stable:
        stable = [value for loop in loops for value in loop["response"][shown][:40]]
    if not stable:
        return 0.0, 0.0
    reach = max(max(stable) - min(stable), 1e-9)
    return min(stable) - 1.5 * reach, max(stable) + 1.5 * reach


def _used_delay(place: str, scene: Row) -> Chart:
    """Plot the share of a loop's tolerable delay that each protection uses."""
    rows = []
    for one in _drawn(scene):
        for name, loop in one["loops"].items():
            margin, latency = loop["metrics"].get("delay_margin_s"), (one.get("latency_s") or {}).get(name)
            if margin is None or not latency or latency[2] is None or margin + latency[2] <= 0:
                continue
            critical = margin + latency[2]
            rows.append(
                {
                    "loop": name,
                    "protection": one["name"],
                    "used": min(latency[2] / critical, _USED_MOST),
                    "label": f"{duration(latency[2]) if latency[2] else '0'} of {duration(critical)}",
                    "loop is": "stable" if loop["stable"] else "unstable",
                }
            )
    y = nominal("series", sort=None, axis={"labelLimit": 260})
    x = quantitative(
        "used",
        "longest latency from sensor to actuator, of the delay at which the loop is unstable",
        axis={"format": ".0%"},
        scale={"domainMax": _USED_MOST if any(row["used"] > 1 for row in rows) else 1.1, "domainMin": 0},
    )
    spec: Spec = plot(
        layer=[
            {
                "mark": {"type": "bar", "clip": True},
                "encoding": {
                    "y": y,
                    "x": x,
                    "color": nominal(
                        "loop is", scale={"domain": ["stable", "unstable"], "range": ["#2b8a5a", "#b03a5b"]}
                    ),
                    "tooltip": tooltip(("protection",), label=("used", "")),
                },
            },
            {
                # Beside a bar that leaves room for it.
                "mark": {"type": "text", "align": "left", "dx": 6, "color": "#888888"},
                "encoding": {"y": y, "x": x, "text": {"field": "label"}},
                "transform": [{"filter": "datum.used < 0.7"}],
            },
            {"mark": {"type": "rule", "strokeDash": [4, 3]}, "encoding": {"x": {"datum": 1}}},
        ]
    )
    return Chart(
        id=f"{place}-margin",
        title="Margin against delay",
        caption="Right of the line the loop is unstable whatever the controller does; what is left of it is"
        f" the margin. Bars end at {_USED_MOST:.0%}.",
        spec=spec,
        rows=_frame(rows, ("loop", "protection", "label", "loop is"), ("used",)),
        open=(),
        single=("loop",),
        series=("protection",),
        step_px=26,
    )


def _timeline(place: str, scene: Row) -> Chart:
    """Plot the activity of devices and buses from the start."""
    timelines: Mapping[str, Sequence[Row]] = scene.get("timelines", {})
    # The same stretch for all, in which the busiest has as many bars as can be told apart.
    ends = min(
        (
            sorted(bar["start_s"] for bar in bars)[_BARS_SHOWN]
            for bars in timelines.values()
            if len(bars) > _BARS_SHOWN
        ),
        default=math.inf,
    )
    rows = [
        {
            "protection": protection,
            "row": bar["row"],
            "what": bar["what"],
            "kind": "late" if bar["missed"] else bar["kind"],
            "start_ms": bar["start_s"] * 1e3,
            "end_ms": min(bar["end_s"], ends) * 1e3,
            "took_ms": (bar["end_s"] - bar["start_s"]) * 1e3,
        }
        for protection, bars in timelines.items()
        for bar in bars
        if bar["start_s"] < ends
    ]
    spec: Spec = plot(
        # A stroke keeps what is shorter than a pixel in sight.
        mark={"type": "bar", "strokeWidth": 1, "cornerRadius": 1},
        encoding={
            "y": nominal("series", axis={"grid": True}),
            "x": quantitative("start_ms", "time, ms", scale={"nice": False, "zero": False}),
            "x2": {"field": "end_ms"},
            "color": nominal("kind", scale={"domain": list(_KINDS)}),
            "stroke": nominal("kind", scale={"domain": list(_KINDS)}),
            "tooltip": tooltip(
                (),
                row=("device or bus", ""),
                what=("", ""),
                kind=("", ""),
                start_ms=("from, ms", ",.3f"),
                took_ms=("took, ms", ",.3f"),
            ),
        },
    )
    return Chart(
        id=f"{place}-timeline",
        title="Timeline",
        caption="Devices and buses from the start of the simulation; late is what ended after its deadline.",
        spec=spec,
        rows=_frame(rows, ("protection", "row", "what", "kind"), ("start_ms", "end_ms", "took_ms")),
        open=(),
        single=("protection",),
        series=("row",),
        step_px=34,
    )


def _frame(rows: Sequence[Row], texts: Sequence[str], numbers: Sequence[str]) -> pl.DataFrame:
    schema: dict[str, Any] = {**dict.fromkeys(texts, pl.String), **dict.fromkeys(numbers, pl.Float64)}
    return pl.DataFrame(list(rows), schema=schema)

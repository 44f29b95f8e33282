"""Values of a chip's fields that a sweep crosses: lists and ranges behind `--set`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from steelyard.catalog.load import Catalog
from steelyard.errors import UsageError
from steelyard.measure.settings import Setting, changed, has_field, parse_settings
from steelyard.nearest import printable

MOST_POINTS = 4096
_RANGE = re.compile(r"([^.,*+]+)\.\.([^.,*+]+)(?:([*+])([^.,*+]+))?")
_UNCHANGED = {"code": "flash"}
"""Values that say what a chip does without the setting."""


@dataclass(frozen=True)
class Axis:
    """A field and the values it takes; None is the chip as it is."""

    field: str
    values: tuple[Setting | None, ...]


def own_value(field: str) -> str:
    """Return the name of a chip's own value of a field: `flash` for code, otherwise `own`."""
    return _UNCHANGED.get(field, "own")


def parse_axes(texts: Sequence[str]) -> tuple[Axis, ...]:
    """Parse `clock_hz=8M,16M`, `icache.size=1K..16K*2`, `wait_states=0..5` and the like.

    A range has a factor behind `*` or a step behind `+` (1 without one). UsageError for anything else.
    """
    axes: dict[str, Axis] = {}
    for text in texts:
        field, equals, values = text.partition("=")
        if not equals or not values:
            raise UsageError(
                f'--set {printable(text)}: give a field and values, such as "clock_hz=8M,16M" or'
                ' "icache.size=1K..16K*2".'
            )
        if field in axes:
            raise UsageError(f"--set {printable(field)} is given twice; join its values by commas.")
        found = [one for part in values.split(",") for one in _settings(field, part.strip())]
        axes[field] = Axis(field, tuple(dict.fromkeys(found)))
        count = 1
        for axis in axes.values():
            count *= len(axis.values)
        if count > MOST_POINTS:
            raise UsageError(
                f"--set: the values make {count:,} points, and at most {MOST_POINTS:,} are swept."
            )
    return tuple(axes.values())


def _settings(field: str, text: str) -> Iterator[Setting | None]:
    if text in (own_value(field), "own"):
        yield None
        return
    span = _RANGE.fullmatch(text)
    if span is None and ".." in text:
        raise UsageError(f"--set {field}={printable(text)}: a range is A..B, A..B+STEP or A..B*FACTOR.")
    if span is None:
        yield _setting(field, text)
        return
    first, last = _number(field, span[1], text), _number(field, span[2], text)
    times = span[3] == "*"
    # A factor has no unit; a step has that of the field.
    step = _factor(span[4], field, text) if times else _number(field, span[4] or "1", text)
    if step < (2 if times else 1) or first > last or (times and first == 0):
        raise UsageError(
            f"--set {field}={printable(text)}: a range rises, by a step of at least 1 (+1) or from a number"
            " above 0 by a factor of at least 2 (*2)."
        )
    value, count = first, 0
    while value <= last:
        yield Setting(field, value)
        value = value * step if times else value + step
        count += 1
        if count > MOST_POINTS:
            raise UsageError(f"--set {field}={printable(text)}: at most {MOST_POINTS:,} values are swept.")


def _setting(field: str, text: str) -> Setting:
    return parse_settings([f"{field}={text}"])[0]


def _number(field: str, text: str, said: str) -> int:
    value = _setting(field, text).value
    if type(value) is not int:
        raise UsageError(f"--set {field}={printable(said)}: a range goes from one number to another.")
    return value


def _factor(text: str, field: str, said: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise UsageError(f"--set {field}={printable(said)}: the factor behind * is a whole number.")
    return int(text)


def points_of(
    catalog: Catalog, axes: Sequence[Axis], targets: Sequence[str]
) -> tuple[dict[tuple[Setting, ...], list[str]], Counter[str]]:
    """Return the settings to be swept, each with its targets, and how many were left out for each reason.

    A target takes part in the axes of the fields that it has. UsageError for a field that no target has, or
    if no point is possible.
    """
    points: dict[tuple[Setting, ...], list[str]] = {}
    impossible: Counter[str] = Counter()
    unused = {axis.field for axis in axes if any(axis.values)}
    last: UsageError | None = None
    for name in targets:
        target = catalog.target(name)
        own = [
            axis
            for axis in axes
            if any(value is None or has_field(catalog, target, value) for value in axis.values)
            and any(value is not None and has_field(catalog, target, value) for value in axis.values)
        ]
        unused -= {axis.field for axis in own}
        for values in product(*(axis.values for axis in own)):
            settings = tuple(sorted((one for one in values if one is not None), key=lambda one: one.field))
            try:
                changed(catalog, settings, [name])
            except UsageError as error:
                last = error
                impossible[_reason(error, settings)] += 1
                continue
            points.setdefault(settings, []).append(name)
    if unused:
        raise UsageError(f"--set: no chosen target has {', '.join(sorted(unused))}.")
    if not points:
        raise last or UsageError("--set: no chosen target has a point to be measured.")
    return points, impossible


def _reason(error: UsageError, settings: Sequence[Setting]) -> str:
    text = str(error)
    if text.startswith("--set: no chosen target has"):
        together = " and ".join(setting.text for setting in settings)
        return f"{together} exclude each other"
    return text.rstrip(".")

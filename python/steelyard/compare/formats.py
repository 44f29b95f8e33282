"""A comparison in the forms that others read: Markdown for a pull request, files of dashboards, a badge."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from steelyard.compare import page, words
from steelyard.compare.measures import MEASURES
from steelyard.compare.model import Comparison, Pair, Row
from steelyard.compare.sarif import sarif
from steelyard.errors import UsageError
from steelyard.nearest import printable, unknown
from steelyard.present.markdown import markdown_table
from steelyard.record.schema import Record

MARK = "<!-- steelyard compare -->"
"""First line of the Markdown, by which a comment of an earlier run is found and replaced."""

_MOST_PLACES = 10
_SPREAD = {"cycles": ("cycles_min", "cycles_max")}
"""Fields with the least and the most of a measure over the inputs."""
_GREEN, _RED, _BLUE = "brightgreen", "red", "blue"


def markdown(comparison: Comparison) -> str:
    """Return the Markdown of a pull request: a table for each measure that changed, why, and where."""
    lines = [MARK, f"### Steelyard: {words.outcome(comparison)}", ""]
    lines += [f"Base: {_code(comparison.base)}. Head: {_code(comparison.head)}.", ""]
    for measure in comparison.shown_measures:
        found = page.table(comparison, measure)
        if found.rows:
            bold = [_bold(row) for row in found.rows]
            lines += [f"#### {found.title}", "", markdown_table(found.headings, bold, left=1)]
    lines += [f"* {_plain(one)}" for one in page.sentences(comparison)]
    lines += [f"* {one}" for one in words.places(comparison, _MOST_PLACES, _code)]
    same = [pair for pair in comparison.of("compared") if not pair.changed]
    if same:
        lines += ["", "<details>", f"<summary>{words.count(len(same), 'unchanged cell')}</summary>", ""]
        measures = [name for name in comparison.measures if any(_value(pair, name) for pair in same)]
        rows = [(pair.name, *(_value(pair, name) for name in measures)) for pair in same]
        lines += [markdown_table(("Module", *measures), rows, left=1), "</details>"]
    return "\n".join(lines).rstrip("\n") + "\n"


def _value(pair: Pair, measure: str) -> str:
    return next((words.figure(row.head) for row in pair.rows if row.measure == measure), "")


def _bold(row: Sequence[str]) -> tuple[str, ...]:
    """Return a row whose verdict is bold where it is bad."""
    bad = row[-1] in ("regression", "over budget")
    return (*row[:-1], f"**{row[-1]}**" if bad else row[-1])


def _code(text: str) -> str:
    plain = text.replace("`", "'")
    return f"`{plain}`"


def _plain(text: str) -> str:
    """Return a sentence without anything that Markdown would take for markup."""
    return "".join(f"\\{char}" if char in "\\`*<>[]|~" else char for char in text)


def gha(comparison: Comparison) -> str:
    """Return the array of github-action-benchmark's tool `customSmallerIsBetter`: the head's figures."""
    rows = []
    for pair, row in _figures(comparison):
        one: dict[str, object] = {
            "name": f"{pair.name}: {row.measure}",
            "unit": words.unit_of(row.measure),
            "value": row.head,
        }
        spread = pair.record["cycles_sd"] if row.measure == "cycles" else None
        if spread:
            one["range"] = f"\u00b1 {words.figure(float(spread))}"
        if row.base is not None:
            changed = f", {words.percent(row)}" if row.delta else ""
            one["extra"] = f"base {words.figure(row.base)}{changed}"
        rows.append(one)
    return _json(rows)


def bmf(comparison: Comparison) -> str:
    """Return the head's figures in Bencher Metric Format: a benchmark per cell, a measure per figure."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for pair, row in _figures(comparison):
        metric = {"value": row.head}
        if row.measure in _SPREAD:
            for name, field in zip(("lower_value", "upper_value"), _SPREAD[row.measure], strict=True):
                value = _number(pair.record, field)
                if value is not None:
                    metric[name] = value
        found.setdefault(pair.name, {})[MEASURES[row.measure].replace("_", "-")] = metric
    return _json(found)


def badge(comparison: Comparison) -> str:
    """Return what Shields' endpoint badge shows: whether the head is worse than the base."""
    if comparison.failures:
        message, color = f"{len(comparison.failures)} without figure", _RED
    elif comparison.regressions:
        message, color = words.count(len(comparison.regressions), "regression"), _RED
    elif any(row.verdict == "better" for pair in comparison.pairs for row in pair.rows):
        message, color = "better", _BLUE
    else:
        message, color = "no regression", _GREEN
    return _json({"schemaVersion": 1, "label": "steelyard", "message": message, "color": color})


FORMATS: Mapping[str, Callable[[Comparison], str]] = {
    "markdown": markdown,
    "gha": gha,
    "bmf": bmf,
    "sarif": lambda comparison: _json(sarif(comparison)),
    "badge": badge,
}
"""What writes a comparison, by the name of its format."""


def format_named(name: str, option: str) -> Callable[[Comparison], str]:
    """Return what writes a format; UsageError with the nearest for an unknown one."""
    if name not in FORMATS:
        clause = unknown("format", printable(name), FORMATS)
        raise UsageError(f"{option}: {clause}" + ("" if clause.endswith("?") else "."))
    return FORMATS[name]


def _figures(comparison: Comparison) -> Iterator[tuple[Pair, Row]]:
    return ((pair, row) for pair in comparison.pairs for row in pair.rows)


def _number(record: Record, field: str) -> float | None:
    value = record[field]
    return value if isinstance(value, int | float) else None


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"

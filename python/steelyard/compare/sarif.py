"""Regressions in the form that code-scanning views read (SARIF 2.1.0)."""

from __future__ import annotations

from collections.abc import Iterator

from steelyard.check.sarif import log
from steelyard.compare import words
from steelyard.compare.model import Comparison, Pair, Row

RULES = {
    "regression": "A measure of a cell grew by more than its limit.",
    "budget": "A measure of a cell is more than its budget grants.",
    "outgrown": "A cell that fitted its chip no longer does.",
    "failed": "A cell gives no figure: its code does not build, does not run, or its output is wrong.",
    "missing": "A cell of the base is not there any more.",
}
"""What each kind of finding is."""


def sarif(comparison: Comparison) -> dict[str, object]:
    """Return a log of what is worse than allowed, failed or missing.

    A regression is an error where the source alone changed, and a warning where it is not the code's.
    """
    return log(RULES, list(_results(comparison)))


def _results(comparison: Comparison) -> Iterator[dict[str, object]]:
    for pair in comparison.pairs:
        if pair.standing in ("failed", "outgrown") or pair in comparison.failures:
            yield _result(pair, pair.standing, f"{pair.name}: {pair.error}", "error", None)
        for row in pair.rows:
            if row.bad:
                rule = "budget" if row.verdict == "over-budget" else "regression"
                level = "error" if rule == "budget" or pair.is_of_code else "warning"
                yield _result(pair, rule, _text(pair, row), level, row)


def _text(pair: Pair, row: Row) -> str:
    unit = words.unit_of(row.measure)
    said = f"{pair.name}: {row.measure} is {words.figure(row.head)} {unit}"
    if row.base is not None and row.delta:
        said += f", {words.signed(row.delta)} ({words.percent(row) or 'from 0'}) beside the base"
    if row.verdict == "over-budget" and row.budget is not None:
        said += f", more than the budget of {words.figure(row.budget)}"
    if row.blame is not None:
        said += f"; most of it in {row.blame.what}, {words.signed(row.blame.delta)}"
    if row.delta and not pair.is_of_code:
        said += "; not only the source changed" if "source" in pair.causes else "; the source did not change"
    return said + "."


def _result(pair: Pair, rule: str, text: str, level: str, row: Row | None) -> dict[str, object]:
    blame = row.blame if row is not None else None
    function = blame.what if blame is not None else str(pair.record["symbol"] or pair.record["operation"])
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": text},
        "locations": [
            {
                "logicalLocations": [{"name": function, "kind": "function"}],
                "physicalLocation": _place(pair, row),
            }
        ],
        "partialFingerprints": {
            "steelyard/v1": f"{rule}|{pair.name}|{row.measure if row is not None else ''}"
        },
    }


def _place(pair: Pair, row: Row | None) -> dict[str, object]:
    """Return the file and line that changed most; without one the variant's description."""
    folder = pair.place or str(pair.record["variant"] or pair.record["image"])
    blame = row.blame if row is not None else None
    if blame is not None and blame.place is not None:
        # A profile names files below the variant's folder, or below its algorithm's.
        file, _, line = blame.place.rpartition(":")
        above, _, name = folder.rpartition("/")
        uri = f"{above}/{file}" if above and file.startswith(f"{name}/") else f"{folder}/{file}"
        return {"artifactLocation": {"uri": uri}, "region": {"startLine": int(line)}}
    return {"artifactLocation": {"uri": f"{folder}/variant.toml"}, "region": {"startLine": 1}}

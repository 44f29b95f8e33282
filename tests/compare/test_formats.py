"""Markdown, and the files that dashboards, code-scanning views and badges read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from compare.records import record, slower

from steelyard.compare.blame import blamed
from steelyard.compare.formats import FORMATS, format_named
from steelyard.compare.measures import Limit
from steelyard.compare.model import Comparison
from steelyard.compare.pairing import paired
from steelyard.errors import UsageError
from steelyard.record.schema import Record

CELL = "aes/mine aes-128 encrypt 16 B, atmega128, gcc -Os"


def comparison(*sides: tuple[Record | None, Record | None]) -> Comparison:
    limits = {"cycles": Limit(0), "rom": Limit(0)}
    base, head = ([one for one in side if one is not None] for side in zip(*sides, strict=True))
    pairs = paired(base, head, measures=tuple(limits), limits=limits)
    return Comparison("main", "a|b`c", tuple(map(blamed, pairs)), tuple(limits), limits)


CHANGED = comparison(
    (record(), slower(50)),
    (record(target="rp2040"), record(target="rp2040")),
    (record(target="attiny45"), None),
)


def read(name: str, found: Comparison = CHANGED) -> Any:
    return json.loads(FORMATS[name](found))


def test_markdown() -> None:
    text = FORMATS["markdown"](CHANGED)
    mark, heading, *lines = text.splitlines()
    assert mark == "<!-- steelyard compare -->"
    assert heading == "### Steelyard: 3 cells, 1 missing, 1 worse than allowed, 1 unchanged"
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    assert ["Module", "Base", "Head", "Delta", "%", "Verdict"] in rows
    assert [CELL, "1,000", "1,050", "+50", "+5.00 %", "**regression**"] in rows
    assert "most in `round` (+50)" in text
    assert "<summary>1 unchanged cell</summary>" in text
    assert "`a|b'c`" in text


def test_markdown_has_no_markup_of_errors() -> None:
    failed = record(status="build-failed", error="<img src=x> *bold* `code`", verified=False)
    text = FORMATS["markdown"](comparison((record(), failed)))
    assert r"\<img src=x\> \*bold\* \`code\`" in text


def test_github_action_benchmark() -> None:
    rows = read("gha")
    assert len({row["name"] for row in rows}) == len(rows) == 4
    assert rows[0] == {
        "name": f"{CELL}: cycles",
        "unit": "cycles",
        "value": 1050.0,
        "range": "\u00b1 4.5",
        "extra": "base 1,000, +5.00 %",
    }


def test_bencher() -> None:
    found = read("bmf")
    assert found[CELL]["cycles"] == {"value": 1050.0, "lower_value": 990, "upper_value": 1010}
    assert found[CELL]["rom-bytes"] == {"value": 500}


def test_sarif() -> None:
    log = read("sarif")
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    results = run["results"]
    assert {result["ruleId"] for result in results} == {"regression", "missing"} <= rules
    (worse,) = (result for result in results if result["ruleId"] == "regression")
    assert worse["level"] == "error"
    assert "cycles is 1,050 cycles, +50 (+5.00 %)" in worse["message"]["text"]
    assert worse["locations"][0]["logicalLocations"][0]["name"] == "round"
    assert worse["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "aes/mine/variant.toml"


def test_sarif_of_another_compiler_is_a_warning() -> None:
    head = slower(50, source_hash="a", toolchain_version="13")
    (result,) = read("sarif", comparison((record(), head)))["runs"][0]["results"]
    assert result["level"] == "warning"
    assert "the source did not change" in result["message"]["text"]


@pytest.mark.parametrize(
    ("head", "message", "color"),
    [
        (record(), "no regression", "brightgreen"),
        (slower(-5), "better", "blue"),
        (slower(5), "1 regression", "red"),
        (record(status="fault", error="x", verified=False), "1 without figure", "red"),
    ],
)
def test_badge(head: Record, message: str, color: str) -> None:
    found = read("badge", comparison((record(), head)))
    assert found == {"schemaVersion": 1, "label": "steelyard", "message": message, "color": color}


def test_an_unknown_format() -> None:
    with pytest.raises(UsageError, match='did you mean "markdown"'):
        format_named("markdwn", "--format")

"""`steelyard reproduce`: measured for real, from the command line."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

gcc = pytest.mark.skipif(shutil.which("avr-gcc") is None, reason="avr-gcc is not installed")


@gcc
def test_figures_orders_and_verdicts(steelyard: Any) -> None:
    rows = steelyard.json("reproduce", "atmega128")
    by_table = {
        name: [row for row in rows if row["table"] == name] for name in ("figure", "number", "order", "claim")
    }
    assert sum(map(len, by_table.values())) == len(rows)
    assert {row["cipher"] for row in by_table["figure"]} >= {"AES", "Serpent", "Camellia", "CAST5", "MARS"}
    assert {row["clock_hz"] for row in by_table["figure"]} == {16_000_000}
    assert len(by_table["claim"]) == 18
    assert {row["finding"] for row in by_table["claim"]} <= {
        "holds",
        "holds in part",
        "fails",
        "not testable",
    }
    testable = [row["claim"] for row in by_table["claim"] if row["finding"] != "not testable"]
    assert {f"seed002-{number:02}" for number in range(1, 17)} <= set(testable)
    assert all(row["ours"] > 0 for row in by_table["number"])
    assert all(len(set(row["ours"])) == 5 for row in by_table["order"])
    choices = {"default", "fastest", "smallest", "least data", "shortest set-up"}
    assert {row["choice"] for row in by_table["figure"]} == choices
    assert {row["choice"] for row in by_table["number"]} == choices
    assert all(set(row["by_choice"]) == choices for row in by_table["claim"])
    table = steelyard.run("reproduce", "atmega128")
    assert "images to build" in table.stderr
    assert all(
        row["statement"] in table.stdout and row["reason"] in table.stdout for row in by_table["claim"]
    )


def test_an_unknown_experiment_is_answered_with_the_nearest(steelyard: Any) -> None:
    assert "atmega128" in steelyard.sentence("reproduce", "atmega12", status=2)

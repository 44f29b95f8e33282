"""The corpus of published leaks: all that are known are found, and no repaired twin has a finding."""

from __future__ import annotations

import pytest
from docs.generate import constant_time

LEVELS = ("-Os", "-O2")
CHIPS = ("atmega128", "msp430f1611", "stm32f051", "stm32f407", "sa1110", "fe310-g000", "leon3")


@pytest.mark.parametrize("chip", CHIPS)
def test_leaks_are_found_and_twins_are_silent(chip: str) -> None:
    rows = list(constant_time.check(constant_time.cases(), (chip,), LEVELS))
    done = [row for row in rows if row["status"] == "ok"]
    assert len(done) > 60

    def named(some: list[dict[str, object]]) -> list[tuple[object, ...]]:
        return [(row["case"], row["compiler"], row["level"], row["kinds"]) for row in some]

    assert named([row for row in done if row["expected"] and not row["found"]]) == []
    assert named([row for row in done if row["twin"] and row["found"]]) == []
    assert named([row for row in done if row["contradicts"]]) == []

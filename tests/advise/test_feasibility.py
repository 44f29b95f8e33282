"""Thresholds are where they are said to be: measured on both sides."""

from __future__ import annotations

import pytest
from command import Steelyard, options

from steelyard.advise.feasibility import largest

CHOSEN = (
    "recommend",
    *options(target="atmega128", toolchain="gcc", primitive="chaskey-12", need="integrity"),
)


@pytest.mark.parametrize("start", [1, 7, 500, 1000])
@pytest.mark.parametrize("edge", [0, 1, 6, 7, 8, 499, 999, 1000])
def test_search(start: int, edge: int) -> None:
    tried: list[int] = []

    def fits(number: int) -> bool:
        assert 1 <= number <= 1000
        tried.append(number)
        return number <= edge

    assert largest(fits, start, 1000) == (edge or None)
    assert len(tried) == len(set(tried)) <= 20


def test_both_sides_of_the_thresholds(steelyard: Steelyard) -> None:
    (row,) = steelyard.json(*CHOSEN, "--message", 24, "--deadline", "400us", "--feasibility")
    longest = row["largest_message_bytes"]
    (fits,) = steelyard.json(*CHOSEN, "--message", longest, "--deadline", "400us")
    (misses,) = steelyard.json(*CHOSEN, "--message", longest + 1, "--deadline", "400us", status=1)
    assert fits["time_us"] <= 400 < misses["time_us"]
    (cost,) = steelyard.json(*CHOSEN, "--message", 24)
    assert row["lowest_clock_hz"] == pytest.approx(cost["cycles"] / 400e-6)
    assert (row["rom_bytes"], row["ram_bytes"]) == (cost["rom_bytes"], cost["ram_bytes"])
    assert "--deadline" in steelyard.sentence(*CHOSEN, "--message", 24, "--feasibility", status=2)

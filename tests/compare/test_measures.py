"""Limits and quantities: what is understood, and the sentence for what is not."""

from __future__ import annotations

import pytest

from steelyard.compare.measures import MEASURES, Limit, amount, parse_limits, unit
from steelyard.errors import UsageError
from steelyard.record.schema import METRICS


def test_every_measure_is_a_metric_of_records() -> None:
    assert set(MEASURES.values()) <= set(METRICS)
    assert {unit(name) for name in MEASURES} == {"cycle", "byte", "us", "nJ", ""}


@pytest.mark.parametrize(
    ("text", "base", "allowed", "refused"),
    [
        ("cycles=0", 100, 100, 100.25),
        ("cycles=+1%", 1000, 1010, 1010.5),
        ("cycles=1 %", 1000, 1010, 1011),
        ("rom=+64B", 100, 164, 165),
        ("rom=1K", 0, 1024, 1025),
        ("rom_bytes=64", 0, 64, 65),
        ("energy=2uJ", 0, 2000, 2001),
        ("time=+1.5us", 10, 11.5, 11.6),
    ],
)
def test_limits(text: str, base: float, allowed: float, refused: float) -> None:
    (limit,) = parse_limits([text]).values()
    assert limit is not None
    assert limit.allows(base, allowed)
    assert not limit.allows(base, refused)
    assert limit.allows(base, base - 1)


def test_no_limit() -> None:
    assert parse_limits(["rom=none", "stack=0"]) == {"rom": None, "stack": Limit(0)}


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["cycle=1%"], 'did you mean "cycles"?'),
        (["cycles"], "give a measure and its growth"),
        (["cycles=-1%"], "not understood"),
        (["cycles=64B"], "not understood"),
        (["rom=1ms"], "not understood"),
        (["rom=nan"], "not understood"),
        (["rom=1e9"], "not understood"),
        (["rom=64", "rom_bytes=65"], "given twice"),
        (["throughput_bytes_per_s=1"], "unknown measure"),
    ],
)
def test_a_bad_limit_is_one_sentence(texts: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=r"^--limit") as raised:
        parse_limits(texts)
    assert said in str(raised.value)


def test_quantities() -> None:
    assert amount("rom", "2K", "here") == 2048
    assert amount("cycles", "3kcycles", "here") == 3000
    with pytest.raises(UsageError, match="here: "):
        amount("stack", "2%", "here")

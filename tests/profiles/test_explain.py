"""Explanations: their parts add up exactly, in fractions, as told, and their classes are those of the mix."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard
from steelyard.catalog.load import Catalog
from steelyard.errors import UsageError
from steelyard.machine.result import CALL_ADDRESS
from steelyard.measure.image import Rules
from steelyard.measure.selection import select
from steelyard.measure.session import default_toolchain, prepare
from steelyard.profile import explained
from steelyard.profile.collect import profile_cell
from steelyard.profile.explain import Explanation, apportioned
from steelyard.profile.kinds import Kinds

_TOLD = re.compile(r": ([+\N{MINUS SIGN}][\d,.]*\d|0(?:\.0+)?)\.$")
_WHOLE = re.compile(r"^B takes ([\d,.]+) cycles(?: per byte)? and A ([\d,.]+):")
_TOGETHER = re.compile(r"^Together: (\S+) cycles")
_VIEW = re.compile(r": (\S+) at A's [\d.]+ cycles each; B's take [\d.]+: (\S+)\.$")


def number(text: str) -> Fraction:
    return Fraction(text.replace(",", "").replace("\N{MINUS SIGN}", "-").lstrip("+"))


def check(made: Explanation) -> None:
    """The parts add up exactly; what the sentences and the table tell adds up as told."""
    assert sum(part.difference for part in made.parts) == made.difference
    for side in (0, 1):
        assert sum(part.cycles[side] for part in made.parts) == made.cycles[side]
        assert sum(part.counts[side] for part in made.parts if part.counts) == made.instructions[side]
    assert sum(made.by_count_and_pace) == made.difference
    said = list(explained.sentences(made))
    (whole,) = (found for text in said if (found := _WHOLE.match(text)))
    (together,) = (number(found[1]) for text in said if (found := _TOGETHER.match(text)))
    assert number(whole[1]) - number(whole[2]) == together
    before = said[: next(place for place, text in enumerate(said) if _TOGETHER.match(text))]
    told = [found for text in before if (found := _TOLD.search(text))]
    assert sum(number(found[1]) for found in told) == together
    (view,) = (found for text in said if (found := _VIEW.search(text)))
    assert number(view[1]) + number(view[2]) == together
    table = explained.table(made)
    rows = [[number(cell) if cell else Fraction(0) for cell in row[3:]] for row in table.rows]
    assert [sum(column) for column in zip(*rows[:-1], strict=True)] == rows[-1]
    assert rows[-1] == [number(whole[2]), number(whole[1]), together]


@pytest.mark.parametrize(
    ("sides", "chosen"),
    [
        (("rc5/compact", "rc5/fast"), {"primitive": "rc5-32-12-8", "target": "atmega128"}),
        (
            ("unroll=1", "unroll=4"),
            {"variant": "rc5/compact", "primitive": "rc5-32-12-8", "target": "atmega128"},
        ),
        (("-Os", "-O3"), {"primitive": "rc5-32-12-8", "target": "stm32f407"}),
        (("wait_states=0", "clock_hz=24M wait_states=5"), {"primitive": "aes-128", "target": "stm32f407"}),
        (
            ("sa1110", "fe310-g000"),
            {"primitive": "rc5-32-12-8", "operation": "decrypt", "toolchain": "clang"},
        ),
        (("rc5-32-12-8", "chacha20"), {"target": "atmega128", "toolchain": "clang"}),
    ],
)
def test_the_parts_are_the_whole_difference(
    sides: tuple[str, str], chosen: dict[str, Any], tmp_path: Any
) -> None:
    made = steelyard.explain(*sides, store=tmp_path, samples=3, **chosen)
    assert made.difference
    check(made)
    assert made.per_byte == (sides[1] == "chacha20")
    (a, b) = made.sides
    for side, cycles in zip((a, b), made.cycles, strict=True):
        assert side.record is not None and side.record["verified"]
        per = side.record["message_bytes"] if made.per_byte else 1
        assert float(cycles * per) == pytest.approx(side.record["cycles"])


def test_equal_sides_have_no_difference(tmp_path: Any) -> None:
    chosen = {"variant": "chacha20/compact", "target": "stm32f407", "toolchain": "gcc", "store": tmp_path}
    made = steelyard.explain("inline=auto", "inline=always", "chacha20", **chosen)
    assert made.difference == 0 and not any(part.difference for part in made.parts)
    assert any("the same" in text for text in explained.sentences(made))


def test_what_has_no_message_cannot_be_compared_by_the_byte(tmp_path: Any) -> None:
    with pytest.raises(UsageError, match="only be compared by the byte"):
        steelyard.explain("init", "encrypt", "rc5-32-12-8", target="atmega128", store=tmp_path)


@given(
    st.lists(st.fractions(-1000, 1000, max_denominator=64), min_size=1, max_size=12),
    st.integers(0, 2),
    st.integers(-1, 1),
)
def test_rounded_parts_add_up(parts: list[Fraction], digits: int, beside: int) -> None:
    unit = Fraction(1, 10**digits)
    whole = round(sum(parts) / unit) * unit + beside * unit
    told = apportioned(parts, digits)
    assert sum(told) == round(sum(parts) / unit) * unit
    assert all(abs(one - part) <= unit for one, part in zip(told, parts, strict=True))
    # Each part is moved by one at most from the number below it, so that not every sum can be reached.
    below = sum(part // unit for part in parts)
    if abs(whole / unit - below) <= len(parts):
        assert sum(apportioned(parts, digits, whole)) == whole


@pytest.mark.parametrize(
    "target",
    ["atmega128", "msp430f1611", "stm32f407", "sa1110", "fe310-g000", "leon3", "m30102", "rl78-g13"],
)
def test_classes_are_those_of_the_mix(catalog: Catalog, target: str) -> None:
    """But for instructions whose condition fails, or that are skipped: the mix has them as `other`."""
    selection = select(
        primitive=["aes-128"],
        target=[target],
        operation=["encrypt"],
        toolchain=[default_toolchain(catalog, target)],
    )
    session = prepare(catalog, [selection])
    (cell,) = (cell for cells in session.plan.cells.values() for cell in cells)
    record, profile = profile_cell(session, cell, Rules(samples=2))
    assert profile is not None
    kinds, found = Kinds(cell.build.target), Counter({"call": 2})
    for one in profile.spent:
        if one.address != CALL_ADDRESS:
            found[kinds.of(profile.by_address[one.address].text)] += one.executions
    mix = Counter({name.removeprefix("mix_").replace("_", "-"): round(2 * float(value or 0))
                   for name, value in record.items() if name.startswith("mix_")})  # fmt: skip
    if target == "rl78-g13":
        skipped = mix["other"] - found["other"]
        assert 0 <= skipped < 0.02 * found.total()
        assert sum(max(found[name] - mix[name], 0) for name in found) == skipped
    else:
        assert +found == +mix

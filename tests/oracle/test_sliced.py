"""Substitution at all positions at once, beside one position after another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from steelyard.oracle.sliced import sliced

BITS = 8


@given(st.permutations(range(16)), st.lists(st.integers(0, (1 << BITS) - 1), min_size=4, max_size=4))
def test_each_position_is_looked_up(box: list[int], words: list[int]) -> None:
    substituted = sliced(box, (1 << BITS) - 1)(words)
    for at in range(BITS):
        before, after = (
            sum((word >> at & 1) << bit for bit, word in enumerate(which)) for which in (words, substituted)
        )
        assert after == box[before]

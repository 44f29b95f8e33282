"""Cycles as a function of the message length: exact where they are affine, a true error elsewhere."""

from __future__ import annotations

import pytest

from steelyard.models.affine import (
    LONGEST_BYTES,
    check,
    check_lengths,
    fit,
    fit_lengths,
    whole_lengths,
)


def _hash(length: int) -> float:
    """A hash of 64-byte blocks with its length in 8 bytes behind the message."""
    return 500 + 3 * length + 2000 * ((length + 8) // 64 + 1)


def _counter(length: int) -> float:
    """A counter mode of 16-byte blocks that treats begun blocks as whole ones."""
    return 80 + 5 * length + 900 * -(-length // 16) + (40 if length else 0)


def _stream(length: int) -> float:
    """A stream cipher that makes 64 bytes at once, its block not known beforehand."""
    return 120 + 7 * length + 4000 * -(-length // 64)


@pytest.mark.parametrize(("cycles", "block"), [(_hash, 64), (_counter, 16), (_stream, 0)])
def test_few_lengths_give_all_others(cycles: object, block: int) -> None:
    assert callable(cycles)
    model = fit({length: cycles(length) for length in fit_lengths(block)}, block)
    asked = check_lengths(block, 200)
    met = check(model, {length: cycles(length) for length in asked})
    assert (met.lengths, met.exact, met.worst_error) == (200, 200, 0.0)
    assert model.per_message_cycles == pytest.approx(cycles(0))


def test_a_block_costs_what_one_block_more_costs() -> None:
    model = fit({length: _hash(length) for length in fit_lengths(64)}, 64)
    assert model.per_block_cycles == pytest.approx(2000 + 3 * 64)


def test_what_is_not_affine_is_told() -> None:
    """Planted: every tenth block costs more."""

    def bent(length: int) -> float:
        return _counter(length) + 5000 * (length // 160)

    met = check(
        fit({length: bent(length) for length in fit_lengths(16)}, 16),
        {length: bent(length) for length in check_lengths(16, 50)},
    )
    assert met.exact < met.lengths
    assert met.worst_error > 0.05


def test_lengths_of_the_check_are_others_and_reach_the_longest() -> None:
    asked = check_lengths(64, 40)
    assert len(asked) == 40
    assert max(asked) == LONGEST_BYTES
    assert not set(asked) & set(fit_lengths(64))
    assert len({length % 64 for length in asked}) > 20
    assert all(length % 16 == 0 for length in whole_lengths(asked, 16))


def test_one_length_is_not_enough() -> None:
    with pytest.raises(ValueError, match="two lengths"):
        fit({16: 100.0}, 16)

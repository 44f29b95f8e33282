"""A packed list of records is a list of them."""

from __future__ import annotations

import pytest
from store.samples import record

from steelyard.record.packed import Records

SAMPLES = [record(number, error="é" if number % 3 else None) for number in range(100)]


def test_as_a_list() -> None:
    packed = Records()
    for one in SAMPLES[:70]:
        packed.append(one)
    packed += Records(SAMPLES[70:75])
    packed.pack()
    packed.extend(SAMPLES[75:])
    assert packed == SAMPLES and list(packed) == SAMPLES and len(packed) == 100
    assert [packed[number] for number in range(-100, 100)] == SAMPLES * 2
    assert packed[20:90:7] == SAMPLES[20:90:7]
    assert packed != SAMPLES[:-1]
    assert Records() == [] and not Records()
    with pytest.raises(IndexError):
        packed[100]


def test_a_change_of_a_copy_changes_nothing() -> None:
    packed = Records(SAMPLES)
    packed[0]["cycles"] = -1.0
    assert packed[0]["cycles"] == 1.5
    next(iter(packed))["cycles"] = -1.0
    assert packed[99]["cycles"] == 1.5
    assert packed[0]["cycles"] == 1.5

"""The rule about small memories is a function of what was measured."""

from __future__ import annotations

import pytest

from steelyard.measure.memory_rule import RULES, built, keeping
from steelyard.measure.record import Record, complete

RULE = RULES["small-memory"]


def record(**changes: object) -> Record:
    measured: Record = {
        "primitive": "aes-128",
        "variant": "aes/sbox",
        "target": "atmega128",
        "toolchain": "gcc",
        "flags": "-Os",
        "operation": "encrypt",
        "status": "ok",
        "verified": True,
        "rom_const_bytes": 1024,
        "ram_bytes": 1023,
    }
    return complete({**measured, **changes})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "change",
    [
        {"rom_const_bytes": 1025},
        {"ram_bytes": 1024},
        {"verified": False},
        {"status": "does-not-fit"},
        {"ram_bytes": None},
    ],
    ids=str,
)
def test_bounds(change: dict[str, object]) -> None:
    assert RULE.kept_by(record())
    assert not RULE.kept_by(record(**change))


def test_a_variant_keeps_the_rule_in_all_its_records_or_not_at_all() -> None:
    decrypt = record(operation="decrypt", rom_const_bytes=2048)
    assert keeping([record()], RULE) == {built(record())}
    assert keeping([record(), decrypt], RULE) == set()
    assert keeping([record(flags="-O2"), record(), decrypt], RULE) == {built(record(flags="-O2"))}

"""The rules are functions of what was measured."""

from __future__ import annotations

import pytest

from steelyard.measure.rules import RULES, MemoryRule, TradeOffRule, built
from steelyard.record.schema import Record, complete

SMALL = RULES["small-memory"]
TRADE_OFF = RULES["trade-off"]


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
        "cycles": 1000.0,
        "rom_bytes": 2000,
        "rom_const_bytes": 1024,
        "ram_static_bytes": 0,
        "ram_context_bytes": 176,
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
def test_bounds_of_small_memory(change: dict[str, object]) -> None:
    assert isinstance(SMALL, MemoryRule)
    assert SMALL.kept_by(record())
    assert not SMALL.kept_by(record(**change))


def test_a_variant_is_small_in_all_its_records_or_not_at_all() -> None:
    decrypt = record(operation="decrypt", rom_const_bytes=2048)
    assert SMALL.kept([record()]) == {built(record())}
    assert SMALL.kept([record(), decrypt]) == set()
    assert SMALL.kept([record(flags="-O2"), record(), decrypt]) == {built(record(flags="-O2"))}


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ({}, False),
        ({"cycles": 1050.0}, False),
        ({"cycles": 1051.0}, True),
        ({"cycles": 952.0}, True),
        ({"rom_bytes": 2101}, True),
        ({"ram_bytes": 1100}, True),
        ({"ram_context_bytes": 16}, True),
        ({"rom_const_bytes": 0}, False),
        ({"cycles": 1051.0, "verified": False}, False),
        ({"cycles": None, "ram_bytes": None, "rom_bytes": 2050, "status": "does-not-fit"}, False),
        ({"cycles": None, "ram_bytes": None, "rom_bytes": 2101, "status": "does-not-fit"}, True),
    ],
    ids=str,
)
def test_siblings_within_five_percent_are_no_trade_off(change: dict[str, object], differs: bool) -> None:
    assert isinstance(TRADE_OFF, TradeOffRule)
    one, other = record(), record(variant="aes/other", **change)
    assert TRADE_OFF.kept([one]) == {built(one)}
    kept = TRADE_OFF.kept([one, other])
    unmeasured = change.get("verified") is False
    assert kept == ({built(one)} if unmeasured else {built(one), built(other)} if differs else set())
    assert bool(TRADE_OFF.alike([one, other])) is not (differs or unmeasured)


def test_siblings_are_compared_at_equal_flags_on_one_target_and_cell_by_cell() -> None:
    one = record()
    for change in (
        {"flags": "-O2"},
        {"target": "attiny45"},
        {"toolchain": "clang"},
        {"variant": "mars/fast"},
    ):
        other = record(**{"variant": "aes/other", **change})
        assert TRADE_OFF.kept([one, other]) == {built(one), built(other)}
    # Another operation says nothing about the difference of the two.
    assert TRADE_OFF.kept([one, record(variant="aes/other", operation="decrypt", cycles=1.0)]) == set()

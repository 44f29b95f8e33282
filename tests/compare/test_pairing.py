"""Pairs of cells, what differs between the sides, verdicts and exit statuses, on records made for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from compare.records import record, slower

from steelyard.compare.blame import blamed
from steelyard.compare.measures import USUAL, Limit, parse_limits
from steelyard.compare.model import Comparison
from steelyard.compare.pairing import name_of, paired
from steelyard.compare.words import explanations, outcome, places
from steelyard.record.schema import Record


def compared(base: Sequence[Record], head: Sequence[Record], *limits: str, **more: Any) -> Comparison:
    whole = {**{name: Limit(0) for name in USUAL}, **parse_limits(limits)}
    pairs = paired(base, head, measures=tuple(whole), limits=whole, **more)
    return Comparison("base", "head", tuple(map(blamed, pairs)), tuple(whole), whole)


def test_nothing_changed() -> None:
    found = compared([record()], [record()])
    assert (found.exit_status, outcome(found)) == (0, "1 cell, 1 unchanged")
    assert [row.verdict for row in found.pairs[0].rows] == ["same"] * 4
    assert list(explanations(found)) == []


def test_a_planted_regression_is_the_codes() -> None:
    found = compared([record()], [slower(50)])
    assert found.exit_status == 4
    assert list(explanations(found)) == [
        "In 1 cell the source changed and nothing else: the difference is the code's."
    ]
    assert list(places(found, 9)) == [
        "aes/mine aes-128 encrypt 16 B, atmega128, gcc -Os: cycles +50, most in round (+50)."
    ]


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        (["cycles=+5%"], 0),
        (["cycles=+4.99%"], 4),
        (["cycles=50"], 0),
        (["cycles=49"], 4),
        (["cycles=none"], 0),
        (["rom=+1%"], 4),
    ],
)
def test_limits_decide(limits: list[str], status: int) -> None:
    assert compared([record()], [slower(50)], *limits).exit_status == status


def test_less_is_no_regression() -> None:
    found = compared([record()], [slower(-50)])
    assert (found.exit_status, outcome(found)) == (0, "1 cell, 1 better")
    assert next(places(found, 9)).endswith("cycles -50, most in round (-50).")


@pytest.mark.parametrize(
    ("changed", "cause", "said"),
    [
        ({"toolchain_version": "13.1.0"}, "compiler", "toolchain version 12.2.0 became 13.1.0"),
        ({"object_flags": '{"own_a.o": "-O1"}'}, "flags", "object flags none became"),
        ({"timing_version": "avr-2"}, "steelyard", "timing version avr-1 became avr-2"),
        ({"emulator_version": "2"}, "steelyard", "emulator version 1 became 2"),
        ({"steelyard_commit": "d"}, "steelyard", "steelyard commit c became d"),
        ({"samples": 8}, "inputs", "samples 16 became 8"),
        ({"target_hash": "x", "timing_version": "avr-2"}, "chip", "the file of the chip changed"),
    ],
)
def test_what_is_not_the_source_is_not_blamed_on_code(changed: dict[str, Any], cause: str, said: str) -> None:
    found = compared([record()], [slower(50, **{"source_hash": "a", **changed})])
    assert found.exit_status == 4
    assert found.pairs[0].causes == (cause,)
    assert not found.pairs[0].is_of_code
    (sentence,) = explanations(found)
    assert "the difference is not the code's" in sentence
    assert said in sentence


def test_two_causes_are_not_told_apart() -> None:
    found = compared([record()], [slower(50, toolchain_version="13.1.0")])
    assert found.pairs[0].causes == ("source", "compiler")
    (sentence,) = explanations(found)
    assert "the source and the compiler changed: the code's part of the difference cannot be told" in sentence


def test_an_equal_image_is_not_the_source_s_fault() -> None:
    found = compared([record()], [slower(50, image_hash="1", timing_version="avr-2")])
    assert found.pairs[0].causes == ("steelyard",)


def test_an_earlier_steelyard_of_a_kept_record_is_no_cause_here() -> None:
    found = compared([record(steelyard_version="0")], [slower(50)], measured_here=True)
    assert found.pairs[0].causes == ("source",)


def test_cells_that_fail_or_are_missing() -> None:
    other = {"target": "attiny45"}
    missing = compared([record(), record(**other)], [record()])
    assert (missing.exit_status, outcome(missing)) == (1, "2 cells, 1 missing, 1 unchanged")
    assert replace(missing, allow_missing=True).exit_status == 0
    failed = compared([record()], [record(status="wrong-output", error="byte 0 is 1", verified=False)])
    assert (failed.exit_status, failed.pairs[0].error) == (1, "wrong-output: byte 0 is 1")
    unverified = compared([record()], [record(verified=False)])
    assert unverified.exit_status == 1
    # A comparison that is not whole says so before it tells of regressions.
    assert compared([record(), record(**other)], [slower(9)]).exit_status == 1
    new = compared([record()], [record(), record(**other)])
    assert (new.exit_status, outcome(new)) == (0, "2 cells, 1 new, 1 unchanged")
    mended = compared([record(status="fault", verified=False)], [record()])
    assert (mended.exit_status, mended.pairs[0].standing) == (0, "new")


def test_a_cell_that_no_longer_fits_is_a_regression() -> None:
    outgrown = record(status="does-not-fit", error="2 bytes too large for the RAM", verified=False)
    assert compared([record()], [outgrown]).exit_status == 4
    assert compared([outgrown], [outgrown]).exit_status == 0


def test_sides_that_differ_in_an_option() -> None:
    head = slower(50, flags="-O3", source_hash="a")
    assert compared([record()], [head]).exit_status == 1
    found = compared([record()], [head], varying=("flags",))
    assert (found.exit_status, found.pairs[0].causes) == (4, ("flags",))
    assert found.pairs[0].name == "aes/mine aes-128 encrypt 16 B, atmega128, gcc"


def test_a_part_of_the_ram_is_named() -> None:
    found = compared([record()], [slower(0, ram_stack_bytes=30, ram_bytes=206)])
    assert [row.blame.what for row in found.pairs[0].rows if row.measure == "ram" and row.blame] == ["stack"]


def test_a_heap_that_was_not_there() -> None:
    found = compared([record()], [slower(0, ram_heap_bytes=64)], "heap=0")
    assert [(row.base, row.head) for row in found.pairs[0].rows if row.measure == "heap"] == [(0, 64)]
    assert found.exit_status == 4


def test_names_tell_cells_apart() -> None:
    usual = name_of(record())
    for changed in (
        {"message_bytes": 64},
        {"ad_bytes": 16},
        {"mode": "cbc"},
        {"footprint": "both"},
        {"cache_state": "cold"},
        {"settings": "icache.size=1024"},
        {"parts": "aes/sbox"},
        {"operation": "decrypt"},
    ):
        assert name_of(record(**changed)) != usual

"""Scores, figures of merit and verdicts are functions of records, and flip with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from steelyard.record.schema import Record, complete
from steelyard.studies.felics import study
from steelyard.studies.felics.figures import TARGETS, TREE, Entry, entries, ranked, scored
from steelyard.study.verdict import Verdict

FACTORS: Mapping[str, float] = {
    "chaskey": 1,
    "speck-64-96": 2,
    "speck-64-128": 2.1,
    "lea": 3,
    "sparx": 4,
    "chaskey-lts": 1.5,
    "aes": 6,
    "present": 8,
    "prince": 9,
    "led": 30,
}
"""What each cipher costs, over Chaskey, in an order as FELICS has it."""
VARIANTS: Mapping[str, tuple[str, str]] = {
    "chaskey": ("chaskey-em-8", "chaskey/felics-128-128-v01"),
    "chaskey-lts": ("chaskey-em-16", "chaskey/felics-chaskey-lts-128-128-v01"),
    "speck-64-96": ("speck-64-96", "speck/felics-64-96-v01"),
    "speck-64-128": ("speck-64-128", "speck/felics-64-128-v01"),
    "lea": ("lea-128", "lea/felics-128-128-v01"),
    "sparx": ("sparx-64-128", "sparx/felics-64-128-v01"),
    "aes": ("aes-128", "aes/felics-128-128-v01"),
    "present": ("felics-present-64-80", "felics-present/64-80-v01"),
    "prince": ("felics-prince-64-128", "felics-prince/64-128-v01"),
    "led": ("felics-led-64-80", "felics-led/64-80-v01"),
}
CELLS: tuple[tuple[str, str | None, str, int | None, float], ...] = (
    ("init", None, "both", None, 10),
    ("encrypt", None, "both", 8, 100),
    ("decrypt", None, "both", 8, 110),
    ("encrypt", "cbc", "both", 128, 1600),
    ("decrypt", "cbc", "both", 128, 1800),
    ("encrypt", "ctr", "encrypt", 16, 200),
)


def cells(cipher: str, factor: float, target: str, version: str = "v01", **changed: Any) -> list[Record]:
    primitive, variant = VARIANTS[cipher]
    return [
        complete(
            {
                "kind": "block",
                "primitive": primitive,
                "variant": variant.replace("v01", version),
                "target": target,
                "toolchain": "gcc",
                "flags": "-O3",
                "footprint": footprint,
                "operation": operation,
                "mode": mode,
                "message_bytes": message,
                "status": "ok",
                "verified": True,
                "cycles": float(factor * cycles),
                "rom_code_bytes": round(100 * factor),
                "rom_const_bytes": 20,
                "rom_mode_bytes": 0 if mode is None else 50,
                "ram_static_bytes": 4,
                "ram_context_bytes": 0 if mode == "ctr" else 24,
                "ram_io_bytes": 16 if operation == "init" else 24,
                "ram_stack_bytes": 30 if operation == "decrypt" else 12,
                **changed,
            }
        )
        for operation, mode, footprint, message, cycles in CELLS
    ]


def records(factors: Mapping[str, float] = FACTORS, **changed: Any) -> list[Record]:
    return [
        one
        for cipher, factor in factors.items()
        for target in TARGETS
        for one in cells(cipher, factor, target, **changed)
    ]


def claims(listed: Sequence[Record]) -> dict[str, Verdict]:
    return {claim.claim: claim.verdict for claim in study.reproduce(listed).claims}


def test_figures_of_the_scenarios_are_sums_as_felics_makes_them() -> None:
    made = {one.scenario: one for one in entries(cells("chaskey", 1, "atmega128"))}
    assert {one.cipher for one in made.values()} == {"chaskey 128/128"}
    assert [made[number].code_bytes for number in (0, 1, 2)] == [120, 170, 170]
    assert [made[number].cycles for number in (0, 1, 2)] == [220, 3410, 200]
    # Data: block and, in a mode, IV; key and round keys of 24 bytes where they are made; then statics, stack.
    block, key, keys, static, stack = 8, 16, 24, 4, 30
    assert made[0].ram_bytes == block + key + keys + static + stack
    assert made[1].ram_bytes == 128 + block + key + keys + static + stack
    assert made[2].ram_bytes == 16 + block + static + 12


def test_round_keys_that_exist_already_are_code() -> None:
    constant = [
        {**one, "ram_context_bytes": 24} if one["mode"] == "ctr" else one
        for one in cells("chaskey", 1, "atmega128")
    ]
    (made,) = (one for one in entries(constant) if one.scenario == 2)
    assert made.code_bytes == 170 + 24


def test_the_set_up_for_decryption_of_a_tree_holds_that_for_encryption() -> None:
    listed = cells("aes", 1, "atmega128")
    listed.append({**listed[0], "operation": "init-decrypt", "cycles": 25.0})
    (made,) = (one for one in entries(listed) if one.scenario == 0)
    assert made.cycles == 25 + 100 + 110


@pytest.mark.parametrize("changed", [{"status": "wrong-output"}, {"verified": False}])
def test_an_implementation_with_a_failed_operation_has_no_entry(changed: Record) -> None:
    listed = [
        {**one, **changed} if (one["operation"], one["mode"]) == ("decrypt", None) else one
        for one in cells("aes", 1, "atmega128")
    ]
    assert {one.scenario for one in entries(listed)} == {1, 2}


def test_a_record_without_sizes_makes_no_entry() -> None:
    assert not list(entries(cells("aes", 1, "atmega128", ram_context_bytes=None)))


def entry(cipher: str, target: str, code: int, ram: int, cycles: float, variant: str = "x/1") -> Entry:
    return Entry(0, TREE, cipher, target, variant, "gcc", "-O3", code, ram, cycles)


def test_a_score_is_over_the_least_of_all_on_the_chip_and_the_mean_of_the_best_is_the_merit() -> None:
    listed = [
        one
        for target in TARGETS
        for one in (
            entry("a", target, 100, 50, 1000),
            entry("a", target, 400, 40, 500, "x/2"),
            entry("b", target, 200, 80, 250),
        )
    ]
    (first, second) = ranked(scored(listed))
    # Least are 100, 40 and 250: a scores 1 + 1.25 + 4 and 4 + 1 + 2, b scores 2 + 2 + 1.
    assert (first.cipher, second.cipher) == ("b", "a")
    assert (first.merit, second.merit) == (5, 6.25)
    assert {one.entry.variant for one in second.best.values()} == {"x/1"}
    dearer = [one for one in listed if one.variant != "x/2"]
    assert ranked(scored(dearer))[0].merit == pytest.approx(2 + 1.6 + 1)


def test_without_one_of_the_chips_there_is_no_merit() -> None:
    listed = [entry("a", target, 100, 50, 1000) for target in list(TARGETS)[:2]]
    assert [one.merit for one in ranked(scored(listed))] == [None]


def test_published_merits_stand_beside_ours_for_the_tree_alone() -> None:
    rows = list(study.reproduce(records()).figure_rows())
    stated = {(row["scenario"], row["cipher"]): row["published"] for row in rows if row["table"] == "merit"}
    assert stated[1, "chaskey 128/128"] == 4.00
    own = [{**one, "variant": "aes/sbox"} for one in records({"aes": 1})]
    found = study.reproduce(own)
    assert {row["published"] for row in found.figure_rows() if row["table"] == "merit"} == {None}
    assert any("--primitives" in one for one in found.warnings())
    assert not any("--primitives" in one for one in study.reproduce(records()).warnings())


CHANGES: dict[str, dict[str, float]] = {
    "felics-01": {"chaskey": 5},
    "felics-02": {"speck-64-128": 7},
    "felics-03": {"aes": 0.9},
    "felics-04": {"aes": 20},
    "felics-05": {"led": 5},
}


def test_all_claims_hold_in_the_order_of_felics() -> None:
    judged = claims(records())
    assert list(judged) == list(study.CLAIMS) == list(CHANGES)
    assert {verdict.finding for verdict in judged.values()} == {"holds"}


@pytest.mark.parametrize("claim", CHANGES)
def test_another_order_turns_the_verdict(claim: str) -> None:
    judged = claims(records({**FACTORS, **CHANGES[claim]}))
    assert judged[claim].finding in ("fails", "holds in part")


def test_without_records_nothing_is_judged() -> None:
    assert {verdict.finding for verdict in claims(()).values()} == {"not testable"}


def test_published_figures_are_means_and_complete() -> None:
    published = study._published()
    assert len(published) == 3 * 29
    for stated in published.values():
        assert stated.merit == pytest.approx(sum(stated.scores.values()) / 3, abs=0.011)
        assert min(stated.scores.values()) >= 3

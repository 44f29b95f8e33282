"""Claims between publications: chips of three sizes of words, and a change of them for each claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.record.schema import Record, complete
from steelyard.studies.word_sizes import study as word_sizes
from steelyard.studies.word_sizes.study import CHOICES, CIPHERS, CLAIMS, PRIMITIVES
from steelyard.study.verdict import Verdict

Costs = Mapping[tuple[str, str], float]

NARROW = {
    "AES": 100.0,
    "RC6": 900.0,
    "Serpent": 3500.0,
    "Twofish": 900.0,
    "XTEA": 800.0,
    "Camellia": 480.0,
    "CAST5": 300.0,
    "MARS": 500.0,
    "RC5": 400.0,
}
MIDDLE = {cipher: 0.6 * cost for cipher, cost in NARROW.items()}
WIDE = {
    **dict.fromkeys(CIPHERS, 90.0),
    "AES": 100.0,
    "RC6": 30.0,
    "Serpent": 230.0,
}
TARGETS = {"atmega128": NARROW, "m30102": MIDDLE, "sa1100": WIDE}
ALL_HOLD: dict[tuple[str, str], float] = {
    (target, cipher): cost for target, costs in TARGETS.items() for cipher, cost in costs.items()
}


def records(costs: Costs, variant: str = "default") -> Iterator[Record]:
    """Verified records of cycles per byte."""
    for (target, cipher), cost in costs.items():
        yield _record(target, PRIMITIVES[cipher], variant, 16, 16 * cost)


def _record(target: str, primitive: str, variant: str, length: int, cycles: float) -> Record:
    return complete(
        {
            "primitive": primitive,
            "variant": f"{primitive}/{variant}",
            "target": target,
            "toolchain": "gcc",
            "flags": "-Os",
            "footprint": "encrypt",
            "operation": "encrypt",
            "mode": None,
            "message_bytes": length,
            "status": "ok",
            "verified": True,
            "cycles": float(cycles),
            "rom_bytes": 100,
        }
    )


DEFAULTS = {
    (f"{name}/default", target)
    for name in PRIMITIVES.values()
    for targets in word_sizes.TARGETS.values()
    for target in targets
}


def claims(listed: Sequence[Record]) -> dict[str, Verdict]:
    return {claim.claim: claim.verdict for claim in word_sizes.reproduce(listed, DEFAULTS).claims}


CHANGES: dict[str, tuple[Costs, str]] = {
    "cross-01": ({**ALL_HOLD, ("sa1100", "AES"): 20.0, ("atmega128", "AES"): 600.0}, "fails"),
    "cross-02": (
        {**ALL_HOLD, ("sa1100", "Serpent"): 900.0, ("atmega128", "Serpent"): 100.0},
        "fails",
    ),
    "cross-04": (dict.fromkeys(ALL_HOLD, 50.0), "fails"),
}


def test_every_claim_between_publications_is_judged() -> None:
    assert list(claims([])) == list(CLAIMS) == list(CHANGES)


def test_all_hold_where_the_chips_are_as_the_publications_have_them() -> None:
    judged = claims(list(records(ALL_HOLD)))
    assert {name: one for name, one in judged.items() if one.finding != "holds"} == {}
    assert set(judged["cross-01"].by_choice) == set(CHOICES)


@pytest.mark.parametrize("claim", CHANGES)
def test_other_records_turn_the_verdict(claim: str) -> None:
    costs, finding = CHANGES[claim]
    assert claims(list(records(costs)))[claim].finding == finding


def test_the_same_order_on_every_size_fails_that_ranks_depend_on_it() -> None:
    same = {(target, cipher): NARROW[cipher] for target, cipher in ALL_HOLD}
    reason = claims(list(records({**same, ("sa1100", "AES"): 99.0})))["cross-01"].reason
    assert "depends on the size of words: 0 of 3" in reason


def test_a_size_of_words_less_is_named() -> None:
    listed = [one for one in records(ALL_HOLD) if one["target"] != "m30102"]
    judged = claims(listed)["cross-04"]
    assert judged.finding == "holds"
    assert judged.reason.endswith("asked without a processor of 16 bits")


def test_without_two_sizes_nothing_is_testable() -> None:
    for kept in ("sa1100", "none"):
        listed = [one for one in records(ALL_HOLD) if one["target"] == kept]
        assert {one.finding for one in claims(listed).values()} == {"not testable"}


def test_every_pairing_of_chips_is_asked() -> None:
    more = {("rl78-g13", cipher): 1e6 for cipher in CIPHERS}
    judged = claims(list(records({**ALL_HOLD, **more})))["cross-04"]
    assert judged.finding == "holds in part"
    assert "RC6 on every pair of sizes: 3 of 6" in judged.reason


def test_each_choice_takes_its_own_variant_on_each_chip() -> None:
    slow = {place: 2 * cost for place, cost in ALL_HOLD.items()}
    listed = [*records(ALL_HOLD, variant="quick"), *records(slow)]
    for one in listed:
        if str(one["variant"]).endswith("quick"):
            one["rom_bytes"] = 900
    made = word_sizes.reproduce(listed, DEFAULTS)
    for choice, variant in (("default", "default"), ("fastest", "quick"), ("smallest", "default")):
        assert {one.variant.partition("/")[2] for one in made.weighed[choice]} == {variant}
        assert len(made.weighed[choice]) == len(ALL_HOLD)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "fault"),
        ("verified", False),
        ("footprint", "both"),
        ("operation", "decrypt"),
        ("settings", "clock_hz=1"),
        ("cache_state", "cold"),
        ("variant", "aes/avr-asm"),
    ],
)
def test_what_is_not_comparable_does_not_count(field: str, value: str | bool) -> None:
    listed = [{**one, field: value} for one in records(ALL_HOLD)]
    assert {one.finding for one in claims(listed).values()} == {"not testable"}


def test_only_what_the_catalogue_has_is_measured() -> None:
    catalog = load_catalog()
    known = {target.id for target in catalog.targets}
    steps = [step([]) for step in word_sizes.steps(catalog, "gcc")]
    targets = [step.selections[0].target[0] for step in steps]
    assert targets == [name for names in word_sizes.TARGETS.values() for name in names if name in known]
    assert all(step.optional for step in steps)

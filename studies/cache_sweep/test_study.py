"""The sweep's verdicts are functions of records: curves as published, and a change of them for each claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.record.schema import Record, complete
from steelyard.studies.cache_sweep import study as cache_sweep
from steelyard.studies.cache_sweep.study import CACHE_BYTES, SBOX, TARGETS, VARIANTS
from steelyard.study.verdict import Verdict

Curves = Mapping[str, Sequence[float]]

# Cycles of a block with caches of 1, 2, 4, 8 and 16 KB.
AS_PUBLISHED: Curves = {
    SBOX: (3300, 3100, 3000, 3000, 3000),
    "aes/ttable-1k": (4600, 1200, 1100, 1100, 1100),
    "aes/ttable-4k": (13_000, 9000, 2300, 1100, 1100),
    "aes/ttable-8k": (14_000, 10_000, 5300, 1500, 1050),
}


def records(curves: Curves, target: str = "sa1100", flags: str = "-O2") -> list[Record]:
    return [
        complete(
            {
                "primitive": "aes-128",
                "variant": variant,
                "target": target,
                "toolchain": "gcc",
                "flags": flags,
                "footprint": "encrypt",
                "operation": "encrypt",
                "mode": "ecb",
                "message_bytes": 1024,
                "cache_state": "warm",
                "settings": f"dcache.size={size} icache.size={size}",
                "status": "ok",
                "verified": True,
                "cycles": 64.0 * cycles,
                "cache_misses": 640.0,
            }
        )
        for variant, curve in curves.items()
        for size, cycles in zip(CACHE_BYTES, curve, strict=True)
    ]


def claims(listed: Sequence[Record]) -> dict[str, Verdict]:
    return {claim.claim: claim.verdict for claim in cache_sweep.reproduce(listed).claims}


CHANGES: dict[str, tuple[Curves, str]] = {
    "seed001-26": ({SBOX: (30_000, 3100, 3000, 3000, 3000)}, "fails"),
    "seed001-27": ({"aes/ttable-8k": (3000, 3000, 3000, 3000, 3000)}, "holds in part"),
    "seed001-28": ({SBOX: (30_000, 3100, 3000, 3000, 3000)}, "fails"),
}


def test_all_hold_where_the_curves_are_as_published() -> None:
    judged = claims(records(AS_PUBLISHED))
    assert list(judged) == list(cache_sweep.CLAIMS) == list(CHANGES)
    assert {verdict.finding for verdict in judged.values()} == {"holds"}
    assert all(v.by_choice == {"sa1100": "holds", "leon2": "not testable"} for v in judged.values())


@pytest.mark.parametrize("claim", CHANGES)
def test_other_curves_turn_the_verdict(claim: str) -> None:
    change, finding = CHANGES[claim]
    assert claims(records({**AS_PUBLISHED, **change}))[claim].finding == finding


def test_large_tables_that_are_slow_everywhere_fail_and_win_everywhere() -> None:
    flat: Curves = dict.fromkeys(VARIANTS[1:], (4000.0,) * 5)
    assert claims(records({**AS_PUBLISHED, **flat}))["seed001-27"].finding == "fails"
    fast: Curves = dict.fromkeys(VARIANTS[1:], (1000.0,) * 5)
    assert claims(records({**AS_PUBLISHED, **fast}))["seed001-28"].finding == "fails"


def test_two_chips_that_differ_hold_in_part() -> None:
    worse = {**AS_PUBLISHED, **CHANGES["seed001-26"][0]}
    judged = claims([*records(AS_PUBLISHED), *records(worse, target="leon2")])["seed001-26"]
    assert judged.finding == "holds in part"
    assert judged.by_choice == {"sa1100": "holds", "leon2": "fails"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_without_a_curve_a_claim_of_it_is_not_testable(variant: str) -> None:
    judged = claims(records({name: curve for name, curve in AS_PUBLISHED.items() if name != variant}))
    assert judged["seed001-27"].finding == "not testable"
    assert variant in judged["seed001-27"].reason


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "fault"),
        ("verified", False),
        ("settings", None),
        ("settings", "dcache.size=1024 icache.size=2048"),
        ("mode", "cbc"),
        ("message_bytes", 64),
        ("cache_state", "cold"),
        ("primitive", "aes-256"),
        ("target", "pxa250-400"),
    ],
)
def test_what_is_no_part_of_the_sweep_does_not_count(field: str, value: str | int | bool | None) -> None:
    listed = [{**record, field: value} for record in records(AS_PUBLISHED)]
    made = cache_sweep.reproduce(listed)
    assert made.points == ()
    assert made.absent == TARGETS
    assert {claim.verdict.finding for claim in made.claims} == {"not testable"}


def test_cycles_and_misses_are_those_of_a_block() -> None:
    point = cache_sweep.reproduce(records(AS_PUBLISHED)).points[0]
    assert (point.variant, point.cache_bytes, point.cycles, point.misses) == (SBOX, 1024, 3300, 10)


def test_every_size_is_a_step_on_the_chips_of_the_catalogue() -> None:
    catalog = load_catalog()
    steps = [step([]) for step in cache_sweep.steps(catalog, "gcc")]
    known = {target.id for target in catalog.targets}
    made = [(step.selections[0].target, step.settings) for step in steps]
    assert made == [
        ((target,), (f"dcache.size={size}", f"icache.size={size}"))
        for target in TARGETS
        if target in known
        for size in CACHE_BYTES
    ]
    assert all(step.optional for step in steps)
    assert set(VARIANTS) <= {variant.id for variant in catalog.variants}

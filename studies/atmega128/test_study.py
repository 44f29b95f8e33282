"""The verdicts are functions of records: a world in which all claims hold, and one change of it for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from steelyard.record.schema import Record, complete
from steelyard.studies.atmega128 import study as atmega128
from steelyard.studies.atmega128.study import CHOICES
from steelyard.study.model import Order
from steelyard.study.verdict import MissingFigure, Statement, Verdict, judge

OPERATIONS = ("init", "encrypt", "decrypt")


@dataclass(frozen=True)
class World:
    """What the records of one cipher say."""

    code: int
    data: int
    init: float
    encrypt: float
    decrypt: float
    block: int = 16
    context: int = 0
    variant: str = "only"


ALL_HOLD = {
    "AES": World(2000, 200, 3000, 5000, 5100),
    "Serpent": World(2500, 220, 90_000, 175_000, 178_000),
    "Camellia": World(6000, 300, 8000, 6600, 6700),
    "CAST5": World(10_000, 310, 10_000, 3000, 3050, block=8),
    "MARS": World(31 * 1024, 392, 20_000, 26_000, 26_500),
    "AES-192": World(2000, 232, 3200, 6000, 6100),
    "AES-256": World(2000, 264, 4000, 7000, 7100),
    "AES in assembly": World(1800, 190, 2500, 4500, 4600, variant="avr-asm"),
}


DEFAULTS = {("x/only", "atmega128")}


def records(world: dict[str, World], flags: str = "-Os") -> Iterator[Record]:
    """Verified records of the ciphers' primitives, one build each."""
    for cipher in atmega128.CIPHERS:
        if cipher.name not in world:
            continue
        is_like = world[cipher.name]
        for operation in OPERATIONS:
            yield complete(
                {
                    "primitive": cipher.primitive,
                    "variant": f"x/{is_like.variant}",
                    "toolchain": "gcc",
                    "flags": flags,
                    "footprint": "both",
                    "operation": operation,
                    "clock_hz": 16_000_000,
                    "message_bytes": None if operation == "init" else is_like.block,
                    "status": "ok",
                    "verified": True,
                    "cycles": float(getattr(is_like, operation)),
                    "rom_bytes": is_like.code,
                    "ram_bytes": is_like.data,
                    "ram_context_bytes": is_like.context or cipher.round_keys_bytes,
                }
            )


def claims(listed: list[Record]) -> dict[str, Verdict]:
    return {claim.claim: claim.verdict for claim in atmega128.reproduce(listed, DEFAULTS).claims}


def findings(listed: list[Record]) -> dict[str, str]:
    return {name: claim.finding for name, claim in claims(listed).items()}


CHANGES: dict[str, tuple[str, dict[str, float], str]] = {
    "seed002-01": ("MARS", {"code": 5000, "data": 200}, "fails"),
    "seed002-02": ("CAST5", {"code": 40_000, "data": 500}, "fails"),
    "seed002-03": ("Serpent", {"code": 12_000, "data": 600}, "fails"),
    "seed002-04": ("Camellia", {"code": 1000}, "holds in part"),
    "seed002-05": ("MARS", {"code": 4096, "data": 256}, "fails"),
    "seed002-06": ("MARS", {"init": 2000}, "fails"),
    "seed002-07": ("MARS", {"init": 100_000}, "fails"),
    "seed002-08": ("CAST5", {"init": 2000}, "fails"),
    "seed002-09": ("AES", {"encrypt": 2000, "decrypt": 2000}, "fails"),
    "seed002-10": ("CAST5", {"encrypt": 2000, "decrypt": 2000}, "fails"),
    "seed002-11": ("MARS", {"encrypt": 5500}, "holds in part"),
    "seed002-12": ("MARS", {"encrypt": 6000, "decrypt": 6000}, "fails"),
    "seed002-13": ("Camellia", {"encrypt": 9000, "decrypt": 9000}, "fails"),
    "seed002-14": ("MARS", {"encrypt": 10_000, "decrypt": 10_000}, "fails"),
    "seed002-15": ("Serpent", {"encrypt": 20_000, "decrypt": 20_000}, "fails"),
    "seed002-16": ("AES-192", {"encrypt": 4000, "decrypt": 4000}, "fails"),
    "seed002-17": ("AES in assembly", {"code": 900, "encrypt": 2000, "decrypt": 2100}, "fails"),
    "seed002-18": ("Serpent", {"code": 12_000, "data": 600, "encrypt": 100, "decrypt": 100}, "fails"),
}


def test_every_claim_of_the_publication_is_judged() -> None:
    assert list(claims([])) == list(atmega128.CLAIMS) == list(CHANGES)
    assert len(CHANGES) == 18


def test_all_hold_where_the_records_say_what_was_published() -> None:
    assert set(findings(list(records(ALL_HOLD))).values()) == {"holds"}


@pytest.mark.parametrize("claim", CHANGES)
def test_other_records_turn_the_verdict(claim: str) -> None:
    cipher, change, finding = CHANGES[claim]
    world = {**ALL_HOLD, cipher: replace(ALL_HOLD[cipher], **change)}
    assert findings(list(records(world)))[claim] == finding


@pytest.mark.parametrize("claim", CHANGES)
def test_without_the_records_a_claim_is_not_testable(claim: str) -> None:
    world = {name: world for name, world in ALL_HOLD.items() if name != CHANGES[claim][0]}
    judged = claims(list(records(world)))[claim]
    assert {judged.finding, *judged.by_choice.values()} == {"not testable"}
    assert "no verified figures" in judged.reason


def test_assembly_is_compared_with_c_that_was_written_for_the_same_end() -> None:
    small = replace(ALL_HOLD["AES in assembly"], encrypt=9000, decrypt=9000, variant="avr-small-asm")
    listed = [*records(ALL_HOLD), *records({"AES in assembly": replace(small, code=1700)})]
    judged = claims(listed)["seed002-17"]
    aims = {choice: judged.by_choice[choice] for choice in ("fastest", "smallest")}
    assert aims == {"fastest": "holds", "smallest": "fails"}
    assert {found for choice, found in judged.by_choice.items() if choice not in aims} == {"not testable"}
    assert judged.reason.startswith("encryption of AES, within 25%: 1 of 2")
    fast = replace(ALL_HOLD["AES in assembly"], encrypt=2000, decrypt=2000, code=3000, variant="avr-fast-asm")
    listed = [*records(ALL_HOLD), *records({"AES in assembly": fast})]
    by_choice = claims(listed)["seed002-17"].by_choice
    assert (by_choice["fastest"], by_choice["smallest"]) == ("fails", "holds")


def test_a_claim_that_holds_at_some_flags_only_holds_in_part() -> None:
    slow = {**ALL_HOLD, "Serpent": replace(ALL_HOLD["Serpent"], encrypt=20_000, decrypt=20_000)}
    both = [*records(ALL_HOLD, "-Os"), *records(slow, "-O2")]
    judged = claims(both)["seed002-15"]
    assert (judged.finding, judged.reason) == ("holds in part", "encryption: 5 of 10; decryption: 5 of 10")
    assert set(judged.by_choice.values()) == {"holds in part"}


RIVALS = {
    # A second variant of AES or MARS, best in one measure, and the claim that it turns with that choice.
    "fastest": ("AES", {"encrypt": 2000, "decrypt": 2000, "init": 50_000}, "seed002-06"),
    "smallest": ("AES", {"code": 500, "init": 50_000, "encrypt": 9000, "decrypt": 9000}, "seed002-06"),
    "least data": ("AES", {"data": 180, "init": 50_000}, "seed002-06"),
    "shortest set-up": ("MARS", {"init": 2000}, "seed002-06"),
}


@pytest.mark.parametrize("choice", RIVALS)
def test_where_the_choice_of_variants_decides_the_claim_holds_in_part(choice: str) -> None:
    cipher, change, claim = RIVALS[choice]
    kind = ALL_HOLD[cipher]
    worse = replace(
        kind, code=kind.code + 1, data=kind.data + 1, encrypt=kind.encrypt + 1, init=kind.init + 1
    )
    rival = replace(worse, variant="rival", **change)  # type: ignore[arg-type]
    judged = claims([*records(ALL_HOLD), *records({cipher: rival})])[claim]
    assert judged.finding == "holds in part"
    assert judged.by_choice == {**dict.fromkeys(CHOICES, "holds"), choice: "fails"}
    assert "the choice of variants decides: holds with default" in judged.reason
    assert f"fails with {choice}" in judged.reason


def test_the_default_variant_is_the_catalogues() -> None:
    other = replace(ALL_HOLD["AES"], init=50_000, variant="other")
    listed = [*records(ALL_HOLD), *records({"AES": other})]
    made = atmega128.reproduce(listed, {("x/other", "atmega128")})
    assert made.sheets["default"]["-Os"]["AES"].variant == "x/other"
    assert made.sheets["fastest"]["-Os"]["AES"].variant == "x/only"
    with pytest.raises(MissingFigure, match="the default variant of serpent-128"):
        made.sheets["default"]["-Os"]["Serpent"]


def test_the_longer_of_two_set_ups_counts() -> None:
    listed = list(records(ALL_HOLD))
    extra = next(dict(r) for r in listed if r["primitive"] == "aes-128" and r["operation"] == "init")
    listed.append({**extra, "operation": "init-decrypt", "cycles": 100_000.0})
    assert findings(listed)["seed002-06"] == "fails"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "wrong-output"),
        ("verified", False),
        ("footprint", "encrypt"),
        ("mode", "cbc"),
        ("ram_context_bytes", 175),
    ],
)
def test_what_is_not_comparable_does_not_count(field: str, value: object) -> None:
    listed = list(records(ALL_HOLD))
    for record in listed:
        if record["primitive"] == "aes-128":
            record[field] = value  # type: ignore[assignment]
    assert findings(listed)["seed002-06"] == "not testable"
    assert findings(listed)["seed002-07"] == "not testable"


def test_a_variant_that_makes_tables_besides_counts() -> None:
    """The text says that initialisation makes round keys, not that it makes nothing else."""
    listed = list(records(ALL_HOLD))
    for record in listed:
        if record["primitive"] == "aes-128":
            record["ram_context_bytes"] = 176 + 256
    assert findings(listed)["seed002-06"] == "holds"


def test_published_numbers_stand_beside_measured_ones() -> None:
    made = atmega128.reproduce(list(records(ALL_HOLD)), DEFAULTS)
    by_quantity = {number.quantity: number for number in made.numbers if number.choice == "fastest"}
    assert by_quantity["MARS code memory"].ratio == 1
    assert by_quantity["AES throughput / Serpent throughput, encryption"].ours == 35
    slow = {**ALL_HOLD, "Serpent": replace(ALL_HOLD["Serpent"], encrypt=100_000)}
    numbers = atmega128.reproduce(list(records(slow)), DEFAULTS).numbers
    (number,) = {n.ratio for n in numbers if n.quantity == "AES throughput / Serpent throughput, encryption"}
    assert number == pytest.approx(20 / 30)
    assert {order.quantity.partition(",")[0] for order in made.orders} == {
        *("code memory", "data memory", "key expansion", "time per block", "throughput")
    }
    assert all(order.agrees for order in made.orders)


def test_an_order_agrees_with_what_the_printed_one_allows() -> None:
    def agrees(*ours: str) -> bool:
        return Order("code memory", ("AES/Serpent", "MARS"), "default", "-Os", ours).agrees

    assert agrees("AES", "Serpent", "MARS") and agrees("Serpent", "AES", "MARS")
    assert not agrees("AES", "MARS", "Serpent")


def test_a_statement_that_misses_a_figure_leaves_its_setting_out() -> None:
    def absent(_: int) -> bool:
        raise MissingFigure("nothing there")

    assert judge([Statement("a", absent)], {"x": {"one": 1}}).finding == "not testable"
    assert judge([Statement("a", lambda n: n > 1)], {"x": {"one": 1, "two": 2}}).reason == "a: 1 of 2"
    assert judge([], {}).reason == "nothing was measured"

"""Categories of memory filled from records: what fits where, and verdicts that other records turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from steelyard.advise.categories import CHOICES, categories
from steelyard.catalog.load import load_catalog
from steelyard.record.schema import Record, complete
from steelyard.studies.rl78_minimal import study as rl78_minimal
from steelyard.studies.rl78_minimal.claims import CLAIMS, OF_CATEGORIES, impossible_rams
from steelyard.studies.rl78_minimal.sheets import CIPHERS, HASHES, Cell, Sheet, bounds, impossible
from steelyard.study.verdict import MissingFigure, Verdict

CALLER, WITH_BUFFERS = CHOICES


@dataclass(frozen=True)
class Made:
    """What the records of one image say; `cycles` are of a block."""

    rom: int
    context: int
    stack: int
    cycles: float
    buffers: int = 0


Variants = Mapping[tuple[str, str], Made]
"""By primitive and variant, built to encrypt or to digest."""

# The abstract's figures, and others so that every claim holds.
ALL_HOLD: dict[tuple[str, str], Made] = {
    ("aes-128", "small"): Made(500, 16, 40, 6600),
    ("aes-128", "middle"): Made(1000, 16, 48, 3800),
    ("aes-128", "large"): Made(2000, 176, 40, 2000),
    ("present-80", "small"): Made(210, 18, 20, 90_000),
    ("present-80", "large"): Made(1800, 80, 40, 500),
    **{
        (name, variant): made
        for name in ("camellia-128", "clefia-128")
        for variant, made in (("small", Made(800, 50, 40, 20_000)), ("large", Made(1900, 200, 40, 6000)))
    },
    **{
        (name, variant): made
        for name in HASHES
        for variant, made in (
            ("small", Made(390 if "skein" in name else 450, 100, 60, 90_000)),
            ("large", Made(2000, 160, 90, 30_000)),
        )
    },
    ("groestl-256", "small"): Made(450, 100, 60, 50_000),
    ("groestl-256", "large"): Made(2000, 160, 90, 35_000),
}


def records(made: Variants, footprint: str = "encrypt", flags: str = "-Os") -> Iterator[Record]:
    """Verified records of the images."""
    for (primitive, variant), one in made.items():
        common: Record = {
            "primitive": primitive,
            "variant": f"x/{variant}",
            "target": "rl78-g13",
            "toolchain": "gcc",
            "toolchain_version": "12",
            "flags": flags,
            "status": "ok",
            "verified": True,
            "rom_bytes": one.rom,
            "ram_io_bytes": one.buffers,
        }
        if primitive in HASHES:
            for blocks in (1, 5):
                yield _cell(
                    common, "both", "digest", blocks * HASHES[primitive], (blocks + 2) * one.cycles, one
                )
        else:
            yield _cell(common, footprint, "init", None, 700, replace(one, stack=10))
            if footprint != "decrypt":
                yield _cell(common, footprint, "encrypt", 16, one.cycles, one)
            if footprint != "encrypt":
                yield _cell(common, footprint, "decrypt", 16, one.cycles + 1, one)


def in_all_directions(made: Variants) -> list[Record]:
    """Records of every footprint of every image."""
    return [one for footprint in ("encrypt", "decrypt", "both") for one in records(made, footprint)]


def _cell(
    common: Record, footprint: str, operation: str, length: int | None, cycles: float, one: Made
) -> Record:
    return complete(
        {
            **common,
            "footprint": footprint,
            "operation": operation,
            "message_bytes": length,
            "cycles": float(cycles),
            "ram_stack_bytes": one.stack,
            "ram_bytes": one.context + one.stack,
        }
    )


def table(made: Variants, choice: str = CALLER) -> Sheet:
    return rl78_minimal.reproduce(list(records(made))).sheets[choice]


def held(one: Sheet, primitive: str, rom: str, ram: str, direction: str = "encryption") -> Cell:
    (found,) = (
        cell
        for cell in one.cells()
        if (cell.primitive, cell.direction, cell.rom.name, cell.ram.name) == (primitive, direction, rom, ram)
    )
    return found


def claims(listed: Sequence[Record]) -> dict[str, Verdict]:
    return {claim.claim: claim.verdict for claim in rl78_minimal.reproduce(listed).claims}


AES = "aes-128"

CHANGES: dict[str, tuple[Variants, str]] = {
    "seed004-01": (
        {(AES, "middle"): Made(1025, 16, 48, 3800), (AES, "small"): Made(1025, 16, 40, 1)},
        "fails",
    ),
    "seed004-02": ({(AES, "small"): Made(500, 16, 40, 9000)}, "holds in part"),
    "seed004-03": ({("present-80", "small"): Made(211, 18, 20, 90_000)}, "fails"),
    "seed004-04": ({("skein-256-256", "small"): Made(397, 100, 60, 90_000)}, "holds in part"),
    "seed004-05": (
        {key: replace(one, cycles=1.0, rom=100, context=0, stack=1) for key, one in ALL_HOLD.items()},
        "fails",
    ),
    "seed004-06": ({key: replace(one, cycles=5000.0) for key, one in ALL_HOLD.items()}, "fails"),
    "seed004-07": (
        {key: replace(one, rom=100, context=0, stack=1) for key, one in ALL_HOLD.items()},
        "fails",
    ),
}
OF_THE_BORDER = "seed004-08"


def test_every_claim_of_the_publication_is_judged() -> None:
    assert (
        list(claims([]))
        == [f"seed004-{number:02}" for number in range(1, 9)]
        == sorted([*CLAIMS, *OF_CATEGORIES])
        == [*CHANGES, OF_THE_BORDER]
    )


def test_all_hold_where_the_records_say_what_was_published() -> None:
    judged = claims(in_all_directions(ALL_HOLD))
    assert {name: one for name, one in judged.items() if one.finding != "holds"} == {}
    assert all(set(one.by_choice) == set(CHOICES) for one in judged.values())


@pytest.mark.parametrize("claim", CHANGES)
def test_other_records_turn_the_verdict(claim: str) -> None:
    change, finding = CHANGES[claim]
    assert claims(list(records({**ALL_HOLD, **change})))[claim].finding == finding


@pytest.mark.parametrize("field", ["cycles", "ram_stack_bytes", "rom_bytes"])
def test_what_depends_on_the_rest_of_an_image_is_not_counted_at_a_border(field: str) -> None:
    listed = in_all_directions(ALL_HOLD)
    for one in listed:
        if one["footprint"] == "both" and one["primitive"] in CIPHERS:
            value = one[field]
            assert isinstance(value, int | float)
            one[field] = type(value)(2.5 * value)
    verdict = claims(listed)[OF_THE_BORDER]
    assert verdict.finding in ("fails", "holds in part")
    assert verdict.tests_asked - verdict.tests_passed == len(CIPHERS) * len(CHOICES)


def test_a_category_is_impossible_by_what_must_be_in_memory_at_once() -> None:
    assert {bound.primitive: bound.least_bytes for bound in bounds() if bound.memory == "RAM"} == {
        "sha-256": 32 + 64 + 4,
        "sha-512": 64 + 128 + 4,
        "keccak-r1088-c512": 200 + 4,
        "keccak-r576-c1024": 200 + 4,
        "skein-256-256": 32 + 16 + 32 + 4,
        "skein-512-512": 64 + 16 + 64 + 4,
        "groestl-256": 64 + 64 + 4,
    }
    rams = {(name, ram.name) for name, ram, _ in impossible_rams()}
    assert ("sha-256", "64 B") in rams and ("sha-256", "128 B") not in rams
    (rom, *_), (smallest, _, third, _) = categories("ROM"), categories("RAM")
    bound = impossible("groestl-256", rom, smallest)
    assert bound is not None and bound.least_bytes == 132
    assert impossible("groestl-256", rom, third) is None


def by_pointer(listed: Sequence[Record], stack: int = 20, record: int = 40) -> list[Record]:
    """Makes them records of routines that take a pointer, which take a tenth of the cycles."""
    return [
        {
            **one,
            "rom_code_bytes": int(one["rom_bytes"] or 0) // 2,
            "rom_const_bytes": 0,
            "record_bytes": record,
            "pointer_cycles": None if one["operation"] == "init" else float(one["cycles"] or 0) / 10,
            "pointer_stack_bytes": None if one["operation"] == "init" else stack,
        }
        for one in listed
    ]


def test_a_routine_that_takes_a_pointer_counts_without_what_leads_to_it() -> None:
    made = {(AES, "only"): Made(900, 16, 40, 5000), ("sha-256", "only"): Made(1000, 100, 40, 5000)}
    sheet = rl78_minimal.reproduce(by_pointer(list(records(made)))).sheets[WITH_BUFFERS]
    (cipher,), (digest,) = sheet.builds(AES, "encryption"), sheet.builds("sha-256", "digest")
    assert (cipher.rom_bytes, cipher.ram_bytes, cipher.buffer_bytes) == (450, 60, 0)
    assert (cipher.cycles, cipher.set_up_cycles, cipher.by_pointer) == (500, None, True)
    assert digest.rom_bytes == 500 and digest.cycles_per_byte == digest.cycles / 64
    both = rl78_minimal.reproduce(by_pointer(list(records({(AES, "only"): made[AES, "only"]}, "both"))))
    assert both.sheets[CALLER].builds(AES, "both")[0].cycles == 500.1


def test_the_price_of_c_stands_beside() -> None:
    c = list(records({(AES, "c"): Made(900, 16, 40, 5000)}))
    assembly = by_pointer(list(records({(AES, "asm"): Made(600, 16, 40, 5000)})))
    (row,) = rl78_minimal.reproduce([*c, *assembly]).tables()["price of C"].rows
    assert row == (AES, "encryption", "300", "900", "3.0", "500", "5,000", "10.0")


def test_assembly_that_comes_with_steelyard_fills_categories() -> None:
    listed = [{**one, "prebuilt": True} for one in by_pointer(in_all_directions(ALL_HOLD))]
    assert claims(listed)["seed004-05"].finding != "not testable"


def test_an_impossible_category_says_so() -> None:
    rows = rl78_minimal.reproduce(list(records(ALL_HOLD))).tables()[CALLER].rows
    (row,) = (one for one in rows if one[0] == "sha-512" and one[2] == "64 B")
    assert row[3:] == ("impossible",) * 4


def test_without_a_compiler_categories_are_not_testable() -> None:
    listed = [{**one, "prebuilt": True} for one in in_all_directions(ALL_HOLD)]
    found = {claim: verdict.finding for claim, verdict in claims(listed).items()}
    assert found == {
        **dict.fromkeys((f"seed004-{number:02}" for number in range(1, 7)), "not testable"),
        "seed004-07": "holds",
        "seed004-08": "holds",
    }
    assert "no compiler for rl78-g13 is here" in claims(listed)["seed004-05"].reason


def test_a_primitive_of_one_category_says_nothing_about_categories() -> None:
    only = {("aes-128", "small"): ALL_HOLD["aes-128", "small"]}
    assert claims(list(records(only)))["seed004-06"].finding == "fails"
    large = {("aes-128", "large"): Made(5000, 16, 40, 10)}
    assert claims(list(records(large)))["seed004-06"].finding == "not testable"


def test_without_records_nothing_is_testable() -> None:
    assert {one.finding for one in claims([]).values()} == {"not testable"}
    assert rl78_minimal.reproduce([]).numbers[0].ours is None


def test_the_buffers_of_the_caller_may_decide() -> None:
    change = {
        (AES, "middle"): Made(1000, 16, 48, 3800, buffers=32),
        (AES, "small"): Made(500, 16, 40, 6600, 32),
    }
    judged = claims(list(records({**ALL_HOLD, **change})))["seed004-01"]
    assert judged.by_choice == {CALLER: "holds", WITH_BUFFERS: "fails"}
    assert judged.finding == "holds in part"


def test_a_category_holds_the_fastest_build_that_fits() -> None:
    made = table(ALL_HOLD)
    assert held(made, AES, "512 B", "64 B").build == made.builds(AES, "encryption")[0]
    for rom, ram, variant in (
        ("1 KB", "64 B", "x/middle"),
        ("2 KB", "64 B", "x/middle"),
        ("2 KB", "256 B", "x/large"),
        ("minimum", "512 B", "x/small"),
    ):
        build = held(made, AES, rom, ram).build
        assert build is not None and build.variant == variant


@pytest.mark.parametrize(("rom", "ram", "fits"), [(512, 64, True), (513, 64, False), (512, 65, False)])
def test_a_byte_too_many_does_not_fit(rom: int, ram: int, fits: bool) -> None:
    made = table({(AES, "only"): Made(rom, 16, ram - 16, 1000)})
    assert (held(made, AES, "512 B", "64 B").build is not None) is fits


def test_the_least_rom_has_no_bound_but_that_of_the_ram() -> None:
    made = table({(AES, "one"): Made(5000, 16, 40, 10), (AES, "two"): Made(4000, 16, 60, 10)})
    tight, loose = (held(made, AES, "minimum", ram).build for ram in ("64 B", "128 B"))
    assert tight is not None and tight.rom_bytes == 5000
    assert loose is not None and loose.rom_bytes == 4000


def test_every_primitive_and_category_is_filled_or_says_none() -> None:
    cells = list(table(ALL_HOLD).cells())
    assert len(cells) == (len(CIPHERS) + len(HASHES)) * 16
    assert [one.name for one in categories("ROM")] == ["minimum", "512 B", "1 KB", "2 KB"]
    assert any(cell.build is None for cell in cells)


def test_both_directions_take_the_slower_one_and_the_larger_stack() -> None:
    listed = list(records({(AES, "only"): Made(900, 16, 40, 5000)}, footprint="both"))
    listed[0]["ram_bytes"] = 90
    made = rl78_minimal.reproduce(listed).sheets[CALLER]
    (build,) = made.builds(AES, "both")
    assert (build.cycles, build.ram_bytes, build.set_up_cycles) == (5001, 90, 700)
    with pytest.raises(MissingFigure, match="aes-128, encryption"):
        made.builds(AES, "encryption")


def test_a_hash_costs_what_a_block_more_does() -> None:
    (build,) = table({("sha-256", "only"): Made(900, 100, 40, 5000)}).builds("sha-256", "digest")
    assert (build.cycles, build.cycles_per_byte, build.set_up_cycles) == (5000, 5000 / 64, None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "wrong-output"),
        ("verified", False),
        ("target", "atmega128"),
        ("settings", "clock_hz=1"),
        ("mode", "ctr"),
    ],
)
def test_what_is_not_comparable_does_not_count(field: str, value: str | bool) -> None:
    listed = [{**one, field: value} for one in records(ALL_HOLD)]
    assert rl78_minimal.reproduce(listed).sheets[CALLER].works == []


def test_an_image_with_an_operation_that_failed_is_no_build() -> None:
    listed = list(records({(AES, "only"): Made(900, 16, 40, 5000)}))
    listed[0]["status"] = "fault"
    assert rl78_minimal.reproduce(listed).sheets[CALLER].works == []


def test_published_numbers_stand_beside_ours() -> None:
    numbers = {
        (one.primitive, one.rom, one.ram): one.ratio
        for one in rl78_minimal.reproduce(list(records(ALL_HOLD))).numbers
        if one.choice == CALLER
    }
    assert numbers[AES, "1 KB", "64 B"] == pytest.approx(3800 / 3855)
    assert numbers["keccak-r1088-c512", "minimum", "any"] == pytest.approx(450 / 453)
    assert numbers["present-80", "minimum", "any"] == 1


def test_every_primitive_is_one_of_the_catalogue() -> None:
    (step,) = rl78_minimal.steps(load_catalog(), "gcc")
    known = {primitive.id for primitive in load_catalog().primitives}
    wanted = {name for one in step([]).selections for name in one.primitive}
    assert wanted == {*CIPHERS, *HASHES} <= known
    flags = {name: one.flags for one in step([]).selections for name in one.variant}
    assert {flags[name] for name in flags if "/rl78-" in name} <= {("-Os",)}
    assert flags["aes/compact"] == ("-Os", "-O2", "-O3")
    blocks = {p.id: p.block_bytes for p in load_catalog().primitives}
    assert {name: blocks[name] for name in HASHES} == HASHES

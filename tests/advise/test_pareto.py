"""Fronts and categories: beside a search of all pairs, and on builds whose answer is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.advise.categories import CHOICES, Build, Category, builds_of, categories, fill, missing, within
from steelyard.advise.pareto import MORE_IS_BETTER, check_metrics, dominators, fronts
from steelyard.errors import UsageError
from steelyard.record.schema import Record, complete

Points = list[tuple[float, ...]]


def beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


def on_front(points: Points) -> list[bool]:
    """By the definition: no other point beats it."""
    return [not any(beats(one, point) for one in points) for point in points]


_figure = st.integers(0, 6)
"""Few values, so that equal figures and equal points are common."""


@given(st.one_of(*(st.lists(st.tuples(*[_figure] * count), max_size=40) for count in (2, 3))))
def test_a_front_is_what_no_point_beats(points: Points) -> None:
    found = dominators(points)
    assert [by is None for by in found] == on_front(points)
    for point, by in zip(points, found, strict=True):
        if by is not None:
            assert beats(points[by], point) and found[by] is None


@given(st.lists(st.tuples(*[st.floats(0, 1e9)] * 3), max_size=60))
def test_a_front_of_fractions(points: Points) -> None:
    assert [by is None for by in dominators(points)] == on_front(points)


def record(variant: str, **fields: object) -> Record:
    usual = {
        "kind": "block", "primitive": "aes-128", "security": "acceptable", "variant": variant,
        "target": "atmega128", "toolchain": "gcc", "toolchain_version": "12", "flags": "-Os",
        "footprint": "encrypt", "operation": "encrypt", "message_bytes": 16, "status": "ok", "verified": True,
        "cycles": 100.0, "rom_bytes": 100, "ram_bytes": 100, "ram_io_bytes": 32, "ram_stack_bytes": 10,
    }  # fmt: skip
    return complete({**usual, **fields})  # type: ignore[arg-type]


@given(
    st.lists(
        st.tuples(
            _figure, _figure, _figure, st.sampled_from(["ok", "fault"]), st.booleans(), st.sampled_from("ab")
        ),
        max_size=30,
    )
)
def test_only_verified_records_have_a_place_beside_their_like(
    rows: list[tuple[int, int, int, str, bool, str]],
) -> None:
    records = [
        record(
            f"aes/{number}", cycles=float(cycles), rom_bytes=rom, ram_bytes=ram, status=status,
            verified=verified, primitive=primitive,
        )
        for number, (cycles, rom, ram, status, verified, primitive) in enumerate(rows)
    ]  # fmt: skip
    found = fronts(records, ())
    shown = {str(place.record["variant"]): place for front in found.fronts for place in front.places}
    counted = [one for one in records if one["status"] == "ok" and one["verified"]]
    assert shown.keys() == {one["variant"] for one in counted}
    assert sum(found.left_out.values()) == len(records) - len(counted)
    for name in "ab":
        like = [one for one in counted if one["primitive"] == name]
        points: Points = [(one["cycles"], one["rom_bytes"], one["ram_bytes"]) for one in like]  # type: ignore[misc]
        assert [shown[str(one["variant"])].on_front for one in like] == on_front(points)


def test_an_unverified_record_that_beats_all_is_on_no_front() -> None:
    best = record("aes/wrong", cycles=1.0, rom_bytes=1, ram_bytes=1, verified=False)
    (front,) = fronts([record("aes/right"), best], ()).fronts
    assert [place.record["variant"] for place in front.best] == ["aes/right"]


def test_throughput_is_made_large_and_across_joins() -> None:
    records = [
        record("aes/slow", throughput_bytes_per_s=1.0, rom_bytes=50),
        record("aes/fast", throughput_bytes_per_s=9.0, rom_bytes=90),
        record("speck/fast", primitive="speck-128-128", throughput_bytes_per_s=9.0, rom_bytes=40),
    ]
    metrics = (*MORE_IS_BETTER, "rom_bytes")
    assert [len(front.best) for front in fronts(records, metrics).fronts] == [2, 1]
    (joined,) = fronts(records, metrics, ("primitive",)).fronts
    assert [place.record["variant"] for place in joined.best] == ["speck/fast"]
    assert {place.dominated_by["variant"] for place in joined.places if place.dominated_by} == {"speck/fast"}


@pytest.mark.parametrize(
    "names", [["cycles"], ["cycles", "cycles"], ["cycles", "rom_bytes", "ram_bytes", "loads"]]
)
def test_two_or_three_figures(names: list[str]) -> None:
    with pytest.raises(UsageError, match="two or three"):
        check_metrics(names)


def test_a_figure_that_no_record_has_is_refused() -> None:
    with pytest.raises(UsageError, match='did you mean "cycles"'):
        check_metrics(["cycle", "rom_bytes"])
    with pytest.raises(UsageError, match="unknown metric"):
        check_metrics(["verified", "rom_bytes"])


# Categories


def build(variant: str, rom: int, ram: int, cycles: float, buffers: int = 0) -> Build:
    return Build(
        "aes-128", "encryption", variant, "gcc", "12", "-Os", rom, ram, buffers, 10, 16, cycles, 1.0, False
    )


SMALL, FAST = build("aes/small", 500, 60, 9000), build("aes/fast", 900, 100, 1000, buffers=48)
RAM_OF, WITH_BUFFERS = CHOICES.values()


def test_the_fastest_that_fits_or_the_least() -> None:
    least, half, one_k, _ = categories("ROM")
    rams = {ram.name: ram for ram in categories("RAM")}
    assert within([SMALL, FAST], one_k, rams["128 B"], RAM_OF) is FAST
    assert within([SMALL, FAST], one_k, rams["128 B"], WITH_BUFFERS) is SMALL
    assert within([SMALL, FAST], half, rams["128 B"], RAM_OF) is SMALL
    assert within([SMALL, FAST], least, rams["512 B"], RAM_OF) is SMALL
    assert within([FAST], half, rams["512 B"], RAM_OF) is None


def test_what_is_missing_is_the_least_and_by_how_much() -> None:
    lack = missing([SMALL, FAST], Category("400 B", 400), Category("64 B", 64), RAM_OF)
    assert (lack.least_rom, lack.rom_excess, lack.fits_ram) == (SMALL, 100, True)
    assert (lack.least_ram_bytes, lack.ram_excess, lack.nearest) == (60, 0, SMALL)
    none = missing([FAST], Category("1 KB", 1024), Category("64 B", 64), RAM_OF)
    assert (none.fits_ram, none.rom_excess, none.ram_excess) == (False, 0, 36)


@given(
    st.lists(
        st.tuples(st.integers(1, 3000), st.integers(1, 600), st.integers(1, 50)), min_size=1, max_size=12
    )
)
def test_a_category_is_filled_or_misses_something(figures: list[tuple[int, int, int]]) -> None:
    builds = [build(f"aes/{number}", *one) for number, one in enumerate(figures)]
    for one in fill("x", builds, categories("ROM"), categories("RAM"), RAM_OF):
        rom, ram = one.rom.most_bytes or float("inf"), one.ram.most_bytes or float("inf")
        fitting = [b for b in builds if b.rom_bytes <= rom and b.ram_bytes <= ram]
        assert (one.build is not None) == bool(fitting)
        if one.build is not None:
            by = "rom_bytes" if one.rom.most_bytes is None else "cycles"
            assert getattr(one.build, by) == min(getattr(b, by) for b in fitting)
        else:
            assert one.missing is not None
            assert one.missing.rom_excess > 0 or one.missing.ram_excess > 0


def test_builds_need_every_operation_verified() -> None:
    init = record("aes/a", operation="init", message_bytes=None, ram_bytes=150)
    encrypt = record("aes/a")
    (made,) = builds_of([init, encrypt], {})
    assert (made.direction, made.ram_bytes, made.cycles, made.block_bytes) == ("encryption", 150, 100.0, 16)
    assert list(builds_of([init], {})) == []
    assert list(builds_of([init, {**encrypt, "verified": False}], {})) == []
    other = {**encrypt, "parameters": "unroll=4"}
    assert list(builds_of([init, other], {})) == [], "parameters are part of an image"


def test_a_hash_block_is_the_difference_of_two_messages() -> None:
    digests = [
        record("x/y", kind="hash", primitive="sha-256", operation="digest", footprint="both",
               message_bytes=64 * blocks, cycles=1000.0 + 700 * blocks)
        for blocks in (1, 5)
    ]  # fmt: skip
    (made,) = builds_of(digests, {"sha-256": 64})
    assert (made.direction, made.cycles, made.block_bytes) == ("digest", 700.0, 64)

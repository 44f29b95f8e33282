"""The default variants follow the rule from the kept records; the rule itself."""

from __future__ import annotations

import pytest
from docs.generate import defaults
from docs.generate.defaults import ClassRule, Weighed, by_rule, chosen, eligible, rule, weighed
from docs.generate.records import DEFAULTS, read_kept

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import CPU_CLASSES
from steelyard.record.schema import Record, complete

CATALOG = load_catalog()
LIMITS = ClassRule(id="8-bit", title="", rom_bytes=1000, ram_bytes=100, reason="")


def test_every_default_is_what_the_kept_records_choose() -> None:
    """Where this fails after a change: `python -m docs.generate --measure defaults`."""
    wanted = by_rule(read_kept(DEFAULTS).iter_rows(named=True))
    assert {one.id: one.file.default for one in CATALOG.variants} == wanted


def test_every_class_is_there_and_its_chip_belongs_to_it() -> None:
    assert tuple(one.id for one in rule().classes) == CPU_CLASSES
    for one in rule().measured:
        assert one.toolchain is not None
        assert CATALOG.target(str(one.target)).cpu_class == one.id
        assert one.toolchain in CATALOG.target(str(one.target)).file.toolchain


def test_every_algorithm_with_a_choice_is_measured_on_every_chip() -> None:
    choice = {
        algorithm.id
        for algorithm in CATALOG.algorithms
        if len(eligible(algorithm)) > 1 and algorithm.file.kind != "signature"
    }
    named = {CATALOG.algorithm_of(name).id for name in rule().primitive}
    assert choice == named
    kept = read_kept(DEFAULTS)
    for one in rule().measured:
        here = {str(name).partition("/")[0] for name in kept.filter(target=one.target)["variant"]}
        assert here == named
    for algorithm in CATALOG.algorithms:
        if algorithm.id in named:
            measured = {name for name in kept["variant"] if name.startswith(f"{algorithm.id}/")}
            assert measured == {one.id for one in eligible(algorithm)}


@pytest.mark.parametrize(
    ("variants", "default"),
    [
        ([("a", 100, 900, 90), ("b", 200, 100, 10)], "a"),
        # Up to 10 % slower counts as equal, and takes less of its limits.
        ([("a", 100, 900, 90), ("b", 110, 100, 10)], "b"),
        ([("a", 100, 900, 90), ("b", 111, 100, 10)], "a"),
        # The limit that is nearer decides: 400 bytes of ROM are not worth 50 of RAM.
        ([("a", 100, 700, 40), ("b", 100, 300, 90)], "a"),
        # Twice the ROM counts as twice slower, twice the RAM as four times.
        ([("a", 100, 2000, 50), ("b", 190, 500, 50)], "b"),
        ([("a", 100, 2000, 50), ("b", 230, 500, 50)], "a"),
        ([("a", 100, 500, 200), ("b", 390, 500, 50)], "b"),
        ([("a", 100, 500, 200), ("b", 450, 500, 50)], "a"),
    ],
)
def test_the_rule(variants: list[tuple[str, int, int, int]], default: str) -> None:
    listed = [Weighed(name, float(cycles), rom, ram) for name, cycles, rom, ram in variants]
    assert chosen(listed, LIMITS, 10).variant == default


def record(variant: str, operation: str, cycles: int, **changes: str | int | bool) -> Record:
    row = {"kind": "block", "primitive": "idea", "variant": f"idea/{variant}", "target": "atmega328p"}
    figures = {"operation": operation, "cycles": float(cycles), "rom_bytes": 10, "ram_bytes": cycles}
    return complete({**row, **figures, "status": "ok", "verified": True, **changes})


def test_time_is_that_of_both_directions_and_memory_the_most_of_them() -> None:
    rows = [record("fast", "encrypt", 5), record("fast", "decrypt", 7), record("fast", "init", 1000)]
    assert weighed(rows) == {("idea", "atmega328p"): [Weighed("idea/fast", 12.0, 10, 7)]}


def test_what_is_not_verified_in_both_directions_is_no_candidate() -> None:
    rows = [
        record(name, operation, 5) for name in ("fast", "compact") for operation in ("encrypt", "decrypt")
    ]
    for change in ({"verified": False}, {"status": "fault"}):
        (found,) = weighed([*rows[:-1], {**rows[-1], **change}]).values()
        assert [one.variant for one in found] == ["idea/fast"]


def test_the_line_is_written_behind_the_sources() -> None:
    text = 'summary = "x"\nsources = [\n    "a.c",\n]\ninit_decrypt = true\ndefault = true\n'
    bare = 'summary = "x"\nsources = [\n    "a.c",\n]\ninit_decrypt = true\n'
    assert defaults._with_default(text, ()) == bare
    assert defaults._with_default(bare, CPU_CLASSES) == text.replace("default = true\n", "").replace(
        "]\n", "]\ndefault = true\n"
    )
    assert 'default = ["8-bit", "cached"]\n' in defaults._with_default(text, ("8-bit", "cached"))

"""The best variants beside the default: one cell each, ties, what is left out."""

from __future__ import annotations

from report.synthetic import failed, measured

from steelyard.catalog.load import load_catalog
from steelyard.record.schema import Record
from steelyard.report.goals import best

CATALOG = load_catalog()
DEFAULT = CATALOG.default_variant("aes", "8-bit").id
OTHERS = [one.id for one in CATALOG.algorithm_of("aes-128").variants if one.id != DEFAULT]


def sized(variant: str, cycles: float, rom: int, ram: int, **changes: str | int) -> Record:
    return {**measured(variant=variant, cycles=cycles, **changes), "rom_bytes": rom, "ram_bytes": ram}


def goals(*records: Record) -> list[tuple[object, object]]:
    return [(one["variant"], one["goals"]) for one in best(records, CATALOG)]


def test_each_goal_has_its_variant_and_the_default_comes_first() -> None:
    quick, small, lean, beaten = OTHERS[:4]
    assert goals(
        sized(beaten, 300.0, 900, 90),
        sized(lean, 400.0, 800, 10),
        sized(small, 500.0, 100, 80),
        sized(quick, 100.0, 9000, 70),
        sized(DEFAULT, 200.0, 700, 60),
    ) == [
        (DEFAULT, "default"),
        (quick, "fastest"),
        (small, "smallest ROM"),
        (lean, "smallest RAM"),
    ]


def test_of_equals_the_default_is_the_best() -> None:
    assert goals(sized(OTHERS[0], 200.0, 700, 60), sized(DEFAULT, 200.0, 700, 60)) == [
        (DEFAULT, "default, fastest, smallest ROM, smallest RAM")
    ]


def test_only_what_differs_in_the_variant_alone_is_compared() -> None:
    default, other = sized(DEFAULT, 200.0, 700, 60), sized(OTHERS[0], 100.0, 700, 60)
    assert goals(default, other) == [
        (DEFAULT, "default, smallest ROM, smallest RAM"),
        (OTHERS[0], "fastest"),
    ]
    for change in ({"flags": "-O2"}, {"target": "atmega103"}, {"footprint": "encrypt"}):
        assert goals(default, {**other, **change}) == []
    assert goals(default, {**other, "verified": False}) == []
    assert goals(default, failed("wrong-output", "differs", variant=OTHERS[0])) == []


def test_a_chip_that_the_catalogue_does_not_know_has_no_default() -> None:
    rows = [sized(DEFAULT, 200.0, 700, 60, target="mine"), sized(OTHERS[0], 100.0, 800, 61, target="mine")]
    assert goals(*rows) == [(OTHERS[0], "fastest"), (DEFAULT, "smallest ROM, smallest RAM")]


def test_the_default_is_that_of_the_chips_class() -> None:
    names = {one: CATALOG.default_variant("idea", one).id for one in ("8-bit", "32-bit")}
    assert len({*names.values()}) == 2
    for chip, cpu_class in (("atmega128", "8-bit"), ("stm32l100", "32-bit")):
        rows = [
            sized(name, cycles, 700, 60, primitive="idea", target=chip)
            for name, cycles in zip(names.values(), (100.0, 200.0), strict=True)
        ]
        (default,) = [one for one, said in goals(*rows) if "default" in str(said)]
        assert default == names[cpu_class]

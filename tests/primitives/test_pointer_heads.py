"""Heads of assembly with the pointer interface state what is measured."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

import steelyard
from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Variant
from steelyard.record.schema import Record

CATALOG = load_catalog()
VARIANTS = [
    variant
    for algorithm in CATALOG.algorithms
    for variant in algorithm.variants
    if variant.file.interface is not None
]
TARGET = "rl78-g13"
"""The chip whose cycles the heads state."""
FOOTPRINTS = {"encryption": "encrypt", "decryption": "decrypt", "both": "both", "block": "both"}
CALLED = {
    "encryption": ["encrypt"],
    "decryption": ["decrypt"],
    "both": ["encrypt", "decrypt"],
    "block": ["digest"],
}
MEASURED = re.compile(
    r";   measured  (?P<primitive>[a-z0-9-]+) (?P<part>encryption|decryption|both|block):"
    r" (?P<least>[0-9,]+)(?: to (?P<most>[0-9,]+))? cycles,"
    r" (?P<stack>[0-9,]+) bytes of stack, (?P<rom>[0-9,]+) bytes of ROM"
)
STATED = (";   record    ", ";   keeps     HL, bank 2", ";   loses     ", ";   time      ")


@dataclass(frozen=True)
class Head:
    """One line of a head; `least` and `most` cycles are equal where time does not depend on data."""

    primitive: str
    part: str
    least: int
    most: int
    stack_bytes: int
    rom_bytes: int


def text(variant: Variant) -> str:
    return "\n".join((variant.folder / name).read_text("utf-8") for name in variant.file.sources)


def heads(source: str) -> list[Head]:
    """The figures of a head; a line that begins like one must be one."""
    found = []
    for line in source.splitlines():
        if line.startswith(";   measured"):
            stated = MEASURED.fullmatch(line.rstrip())
            assert stated is not None, line
            least, most, stack, rom = (
                int((stated[name] or stated["least"]).replace(",", ""))
                for name in ("least", "most", "stack", "rom")
            )
            found.append(Head(stated["primitive"], stated["part"], least, most, stack, rom))
    return found


def measured(variant: Variant, primitive: str, footprint: str) -> list[Record]:
    length = CATALOG.algorithm_of(primitive).primitive(primitive).block_bytes
    frame = steelyard.measure(
        primitive,
        variant=variant.id,
        target=TARGET,
        footprint=footprint,
        flags="-Os",
        samples=4,
        length=length,
    )
    return frame.to_dicts()


def contradictions(head: Head, records: list[Record]) -> list[str]:
    """What a head says otherwise than the records of its image."""
    called = [one for one in records if one["operation"] in CALLED[head.part]]
    if len(called) != len(CALLED[head.part]) or not all(one["verified"] for one in called):
        return [f"{[one['error'] for one in called]}"]
    cycles = max(float(one["pointer_cycles"] or 0) for one in called)
    figures = {
        "stack": (head.stack_bytes, max(int(one["pointer_stack_bytes"] or 0) for one in called)),
        "ROM": (
            head.rom_bytes,
            int(called[0]["rom_code_bytes"] or 0) + int(called[0]["rom_const_bytes"] or 0),
        ),
    }
    wrong = [f"{name}: {said}, measured {seen}" for name, (said, seen) in figures.items() if said != seen]
    if not head.least <= cycles <= head.most:
        wrong.append(f"cycles: {head.least} to {head.most}, measured {cycles}")
    return wrong


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda one: one.id)
def test_a_head_states_what_is_measured(variant: Variant) -> None:
    source = text(variant)
    missing = [stated for stated in STATED if stated not in source]
    assert missing == []
    stated = heads(source)
    done = {one.primitive for one in stated}
    hashes = {CATALOG.algorithm_of(name).file.kind == "hash" for name in done} == {True}
    parts = {"block"} if hashes else set(FOOTPRINTS) - {"block"} if variant.file.decrypts else {"encryption"}
    assert {(one.primitive, one.part) for one in stated} == {(name, part) for name in done for part in parts}
    assert done and all(variant.does(name) for name in done)
    wrong = {
        (head.primitive, head.part): found
        for head in stated
        if (found := contradictions(head, measured(variant, head.primitive, FOOTPRINTS[head.part])))
    }
    assert wrong == {}


def test_a_wrong_figure_in_a_head_is_found() -> None:
    line = ";   measured  aes-128 encryption: 3,700 to 3,801 cycles, 12 bytes of stack, 1,003 bytes of ROM"
    (head,) = heads(line)
    record: Record = {
        "operation": "encrypt",
        "verified": True,
        "error": None,
        "pointer_cycles": 3750.5,
        "pointer_stack_bytes": 12,
        "rom_code_bytes": 747,
        "rom_const_bytes": 256,
    }
    assert contradictions(head, [record]) == []
    for change, said in (
        ({"pointer_cycles": 3802.0}, "cycles: 3700 to 3801, measured 3802.0"),
        ({"pointer_stack_bytes": 14}, "stack: 12, measured 14"),
        ({"rom_const_bytes": 255}, "ROM: 1003, measured 1002"),
    ):
        assert contradictions(head, [{**record, **change}]) == [said]
    with pytest.raises(AssertionError):
        heads(line.replace("bytes of ROM", "of ROM"))

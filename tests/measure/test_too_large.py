"""What does not fit says by how much: the smallest RAM that the sentence asks for is one that does."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from builds import built, default_build

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.catalog.models import Target
from steelyard.measure.image import Image, Rules
from steelyard.measure.inputs import RandomQuestions
from steelyard.measure.plan import Cell
from steelyard.record.schema import Record

MEMORY_STEP_BYTES = 16
"""Memories of an MSP430 begin and end at its multiples."""

SENTENCE = re.compile(
    r"(-?\d+) bytes too large for the RAM of MSP430F1611: statics (\d+), context (\d+), arguments (\d+)"
    r" and stack (\d+) of (\d+) bytes\."
)
LIBRARY = Path(__file__).parents[2] / "docs" / "examples" / "their-library"
ARGUMENTS_ON_STACK_BYTES = 8
"""Four of eight words."""


def with_memory(target: Target, name: str, size_bytes: int) -> Target:
    memories = tuple(
        memory.model_copy(update={"size": size_bytes}) if memory.name == name else memory
        for memory in target.file.memory
    )
    return target.model_copy(update={"file": target.file.model_copy(update={"memory": memories})})


def opened(catalog: Catalog, name: str, ram_bytes: int) -> Record:
    target = with_memory(catalog.target("msp430f1611"), "ram", ram_bytes)
    build = default_build(catalog, name, target, "clang", "-Os", "decrypt")
    rules = Rules(samples=2)
    image = Image(built(build), rules, RandomQuestions(rules.seed), lambda: False)
    outcome = image.outcome(Cell(build, "open", 64, 16))
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("name", ["aes-128-gcm", "ascon-aead128"])
def test_arguments_on_the_stack_count(catalog: Catalog, name: str) -> None:
    enough = opened(catalog, name, 0x1000)
    assert enough["status"] == "ok"
    assert enough["verified"]
    whole = enough["ram_static_bytes"] + enough["ram_context_bytes"] + enough["ram_stack_bytes"]
    too_small = whole // MEMORY_STEP_BYTES * MEMORY_STEP_BYTES
    refused = opened(catalog, name, too_small)
    assert refused["status"] == "does-not-fit"
    said = SENTENCE.fullmatch(refused["error"])
    assert said is not None, refused["error"]
    excess, statics, context, arguments, stack, ram = map(int, said.groups())
    assert ram == too_small
    assert arguments == ARGUMENTS_ON_STACK_BYTES
    assert excess == statics + context + arguments + stack - ram
    assert excess > 0
    fitting = -(-(ram + excess) // MEMORY_STEP_BYTES) * MEMORY_STEP_BYTES
    assert opened(catalog, name, fitting)["status"] == "ok"
    assert opened(catalog, name, fitting - MEMORY_STEP_BYTES)["status"] == "does-not-fit"


@pytest.mark.parametrize(("room_bytes", "status"), [(256, "ok"), (32, "does-not-fit")])
def test_buffers_need_room_beside_the_chip_s_memories(room_bytes: int, status: str) -> None:
    """Of code with an interface of its own, whose keys may be larger than what 16-bit pointers leave."""
    own = load_catalog((LIBRARY,))
    (variant,) = (one for one in own.algorithm_of("xtea").variants if one.is_foreign)
    target = with_memory(own.target("msp430f1611"), "lab", room_bytes)
    build = replace(default_build(own, "xtea", target, "clang", "-Os", "encrypt"), variant=variant)
    rules = Rules(samples=2)
    image = Image(built(build), rules, RandomQuestions(rules.seed), lambda: False)
    outcome = image.outcome(Cell(build, "encrypt", 8, None))
    assert outcome is not None
    assert outcome["status"] == status
    if status != "ok":
        assert re.fullmatch(
            r"keys, message and result of a call need \d+ bytes beside the chip's memories; the address"
            r" space of .*MSP430F1611 has room for 32\.",
            str(outcome["error"]),
        )
        assert outcome["rom_bytes"] and "cycles" not in outcome

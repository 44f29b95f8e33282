"""Code that uses nothing the ATmega103 lacks costs the same on the ATmega128.

The image is linked for a RAM that starts at 0x100 and lies inside both chips, so that no access meets
external memory; what the two cores do differently, neither compiler can have used.
"""

from __future__ import annotations

import dataclasses

import pytest
from builds import built, default_build

from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Target
from steelyard.measure.image import Image, Rules
from steelyard.measure.inputs import RandomQuestions
from steelyard.measure.plan import Cell

COMMON_RAM_BASE = 0x100


def with_common_ram(target: Target) -> Target:
    memories = []
    for memory in target.file.memory:
        if memory.name == "sram":
            end = memory.base + memory.size
            memory = memory.model_copy(update={"base": COMMON_RAM_BASE, "size": end - COMMON_RAM_BASE})
        memories.append(memory)
    return target.model_copy(update={"file": target.file.model_copy(update={"memory": tuple(memories)})})


@pytest.mark.parametrize("toolchain_id", ["gcc", "clang"])
@pytest.mark.parametrize(
    ("name", "operation", "length"),
    [
        ("md5", "digest", 64),
        ("sha-1", "digest", 64),
        ("rc4-128", "encrypt", 64),
        ("rc4-128", "init", None),
        ("rc5-32-12-8", "encrypt", 8),
        ("rc5-32-12-8", "decrypt", 8),
        ("rc5-32-12-8", "init", None),
    ],
)
def test_same_image_same_cycles(
    catalog: Catalog, toolchain_id: str, name: str, operation: str, length: int | None
) -> None:
    old, new = catalog.target("atmega103"), catalog.target("atmega128")
    result = built(default_build(catalog, name, with_common_ram(old), toolchain_id, "-Os", "both"))
    rules = Rules()
    outcomes = []
    for target in (old, new):
        build = default_build(catalog, name, target, toolchain_id, "-Os", "both")
        image = Image(dataclasses.replace(result), rules, RandomQuestions(rules.seed), lambda: False)
        outcomes.append(image.outcome(Cell(build, operation, length, None)))
    first, second = outcomes
    assert first is not None
    assert first["status"] == "ok"
    assert first["verified"]
    assert first == second

"""The random inputs beyond the samples: what is kept of their answers, who is asked, and what is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from threading import Event, Thread
from typing import Any

import pytest
from builds import default_build
from command import options

from steelyard.catalog.load import Catalog, load_catalog
from steelyard.measure.plan import Build
from steelyard.measure.random_inputs import (
    COUNTS,
    OPERATIONS,
    Alike,
    RandomInputs,
    digest,
    first_alike,
    kept,
)
from steelyard.oracle import available


def every_operation() -> Iterator[RandomInputs]:
    for algorithm in load_catalog().algorithms:
        for primitive in algorithm.file.primitive:
            over = {part.algorithm_id for part in primitive.parts if part.kind == "block"}
            if available(primitive, algorithm.id) and over <= {"aes"}:
                for operation in OPERATIONS.get(algorithm.file.kind, ()):
                    yield RandomInputs(algorithm, primitive, operation)


def agrees(inputs: RandomInputs, place: int) -> bool:
    outputs = [inputs.answer(question) for question in inputs.questions(COUNTS[place])]
    return digest(outputs) == inputs.digests()[place]


def test_the_number_of_inputs_is_enough() -> None:
    assert 1 - (255 / 256) ** COUNTS[-1] >= 0.999


def test_every_operation_has_its_digests() -> None:
    assert list(kept()) == [(one.primitive.id, one.operation) for one in every_operation()]
    assert {len(digests) for digests in kept().values()} == {len(COUNTS)}


@pytest.mark.parametrize("kind", OPERATIONS)
def test_digests_are_those_of_independent_implementations(kind: str) -> None:
    chosen = [one for one in every_operation() if one.algorithm.file.kind == kind]
    assert chosen
    assert not [one.primitive.id for one in chosen if not agrees(one, 0)]


@pytest.mark.soak
@pytest.mark.parametrize("number", range(8))
def test_all_digests_are_those_of_independent_implementations(number: int) -> None:
    chosen = list(every_operation())[number::8]
    assert not [one.primitive.id for one in chosen if not agrees(one, len(COUNTS) - 1)]


def test_inputs_of_two_operations_differ() -> None:
    encrypted, decrypted = [one for one in every_operation() if one.primitive.id == "aes-128"]
    first, second = encrypted.questions(2), decrypted.questions(2)
    assert len({question.key for question in first + second}) == 4
    assert encrypted.questions(64)[:2] == first


def builds_on(catalog: Catalog, *chips: str) -> list[Build]:
    """One variant for all, whatever the default of each chip."""
    built = (
        default_build(catalog, "aes-128", catalog.target(chip), "gcc", "-Os", "encrypt") for chip in chips
    )
    return [replace(one, variant=catalog.variant("aes/sbox")) for one in built]


def test_of_builds_alike_one_with_wide_words_begins(catalog: Catalog) -> None:
    narrow, wide, other = builds_on(catalog, "atmega128", "msp430f1611", "stm32f407")
    assert first_alike([narrow, wide, other]) == {wide.key, other.key}


def test_who_is_alike_waits_for_evidence_and_asks_itself_without_any(catalog: Catalog) -> None:
    first, second, third, other = builds_on(catalog, "atmega103", "atmega128", "atmega328p", "stm32f407")
    alike = Alike([first, other, second, third])
    left: list[bytes] = []
    found: dict[str, bytes | None] = {}

    def look() -> bytes | None:
        return left[0] if left else None

    def wait(build: Build) -> None:
        found[build.target.id] = alike.evidence(build, look, lambda: False)

    wait(first)
    wait(other)
    assert found == {"atmega103": None, "stm32f407": None}
    waiting = [Thread(target=wait, args=(build,)) for build in (second, third)]
    for thread in waiting:
        thread.start()
    alike.finished(other)
    waiting[0].join(0.3)
    assert len(found) == 2
    alike.finished(first)
    waiting[0].join(60)
    assert found["atmega128"] is None
    assert "atmega328p" not in found
    left.append(b"64 atmega128")
    alike.finished(second)
    waiting[1].join(60)
    assert found["atmega328p"] == b"64 atmega128"


def test_who_waits_ends_with_the_run(catalog: Catalog) -> None:
    first, second = builds_on(catalog, "atmega128", "atmega103")
    stopped = Event()
    waiting = Thread(target=Alike([first, second]).evidence, args=(second, lambda: None, stopped.is_set))
    waiting.start()
    stopped.set()
    waiting.join(60)
    assert not waiting.is_alive()


def test_verified_by_names_the_number_and_the_chip(steelyard: Any) -> None:
    chosen = options(primitive="xtea", variant="xtea/compact", toolchain="gcc", mode=["none", "cbc"])
    chips = options(target=["atmega128", "atmega103", "stm32f407"])
    rows = steelyard.json("measure", *chosen, *chips)
    said = {(row["target"], row["mode"]): row["verified_by"] for row in rows if row["operation"] != "init"}
    assert "1765 more random inputs;" in f"{said['stm32f407', None]};"
    one, other = sorted((said["atmega103", None], said["atmega128", None]), key=len)
    assert one.endswith("1765 more random inputs")
    assert "1765 more random inputs on atmega1" in other
    assert "more random inputs" not in said["atmega128", "cbc"]

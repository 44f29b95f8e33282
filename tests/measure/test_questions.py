"""Random questions that several threads of a run share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep
from typing import Any

import pytest
from builds import default_build

from steelyard.catalog.load import Catalog
from steelyard.measure import inputs
from steelyard.measure.inputs import RandomQuestions
from steelyard.measure.plan import Cell


def test_threads_that_want_the_same_answer_have_it_computed_once(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = default_build(catalog, "aes-128", catalog.target("atmega128"), "gcc", "-Os", "encrypt")
    cell = Cell(build, "encrypt", 16, None)
    computed, expected = [], inputs.expected

    def slow(*given: Any, **named: Any) -> bytes:
        computed.append(named["data"])
        sleep(0.05)
        return expected(*given, **named)

    monkeypatch.setattr(inputs, "expected", slow)
    questions, together = RandomQuestions("seed"), Barrier(4)

    def ask(_: int) -> inputs.Question:
        together.wait(60)
        return questions.of(cell, 0)

    with ThreadPoolExecutor(4) as pool:
        asked = list(pool.map(ask, range(4)))
    assert len(computed) == 1
    assert {one.answer for one in asked} == {asked[0].answer}

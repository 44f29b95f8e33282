"""No planted variant gets a figure, and the honest one among them does."""

from __future__ import annotations

from typing import Any

import pytest
from measure.dishonest import CHIPS, HONEST, PLANTED, measured, said

from steelyard.toolchain.compilers import discover

_WITH_GCC = {one.family for one in discover() if one.id == "gcc" and one.available}
_FAMILIES = {"atmega128": "avr", "stm32f407": "cortex-m", "sa1100": "arm", "gd32vf103": "riscv"}
HERE = tuple(chip for chip in CHIPS if _FAMILIES[chip] in _WITH_GCC)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return measured(tmp_path_factory.mktemp("dishonest"), HERE)


def test_there_are_enough() -> None:
    assert len(PLANTED) > 25


@pytest.mark.parametrize("chip", HERE)
def test_honest_code_has_its_figures(rows: list[dict[str, Any]], chip: str) -> None:
    assert not said(rows, HONEST, chip)


@pytest.mark.parametrize("chip", HERE)
@pytest.mark.parametrize("name", [name for name in PLANTED if name != HONEST])
def test_a_planted_variant_is_refused(rows: list[dict[str, Any]], name: str, chip: str) -> None:
    refused = said(rows, name, chip)
    assert refused
    assert all(row["cycles"] is None and row["error"] for row in refused)

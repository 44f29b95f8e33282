"""A model's settings are chosen once for the same data, and anew for any other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from steelyard.models import kept
from steelyard.models.evaluation import Fit, choose
from steelyard.models.training import Training, matrix_file, read_records, training
from steelyard.models.transfer import Transfer

CHIPS = ("atmega128", "msp430f1611", "sa1110", "stm32l152", "leon3")


@pytest.fixture(scope="module")
def few() -> Training:
    return training(read_records().filter(pl.col("target").is_in(CHIPS)))


@pytest.fixture
def choices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Transfer]:
    """What was chosen for in truth; the cache is empty."""
    monkeypatch.setenv("STEELYARD_CACHE", str(tmp_path))
    made: list[Transfer] = []

    def counted(transfer: Transfer, *others: object) -> Fit:
        made.append(transfer)
        return choose(transfer, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(kept, "choose", counted)
    return made


def test_kept_settings_predict_the_same(few: Training, choices: list[Transfer]) -> None:
    setup = matrix_file()
    first, again = (kept.chosen(Transfer(few, "cycles"), 1, setup) for _ in range(2))
    assert len(choices) == 1
    one, other = (fit.predict(few.chips[0], {0: 1000.0}) for fit in (first, again))
    assert (one.mean == other.mean).all() and (one.deviation == other.deviation).all()
    assert first.widths == again.widths


def test_all_that_a_choice_depends_on_makes_another(few: Training, choices: list[Transfer]) -> None:
    setup = matrix_file()
    kept.chosen(Transfer(few, "cycles"), 0, setup)
    figures = {metric: values * np.float64(1.001) for metric, values in few.figures.items()}
    chips = (few.chips[0].model_copy(update={"registers": 5}), *few.chips[1:])
    wider = setup.interval.model_copy(update={"coverage": 0.5})
    for transfer, shot, other in (
        (Transfer(few, "rom_bytes"), 0, setup),
        (Transfer(few, "cycles"), 1, setup),
        (Transfer(few, "cycles", by_parameters=False), 0, setup),
        (Transfer(few, "cycles", few.architectures), 0, setup),
        (Transfer(replace(few, figures=figures), "cycles"), 0, setup),
        (Transfer(replace(few, counts=few.counts + 1), "cycles"), 0, setup),
        (Transfer(replace(few, tables=few.tables + 1), "cycles"), 0, setup),
        (Transfer(replace(few, chips=chips), "cycles"), 0, setup),
        (Transfer(few, "cycles"), 0, setup.model_copy(update={"interval": wider})),
    ):
        before = len(choices)
        kept.chosen(transfer, shot, other)
        assert len(choices) == before + 1

"""What a series of runs says: warm-up left out, outliers kept, an interval that holds the mean."""

from __future__ import annotations

import numpy as np
import pytest

from steelyard.linux.measure.statistics import interval_of_mean, outliers, summarise, warmup_runs


def test_slow_runs_at_the_start_are_warm_up() -> None:
    figures = summarise([50.0, 20.0, *([10.0, 10.1] * 10)], wanted=20)
    assert figures.warmup_runs == 2
    assert (figures.runs, figures.maximum) == (20, 10.1)
    assert figures.mean == pytest.approx(10.05)


def test_a_slow_run_in_the_middle_is_an_outlier_and_stays() -> None:
    figures = summarise([*([10.0, 10.1] * 5), 90.0, *([10.0, 10.1] * 5)], wanted=50)
    assert (figures.warmup_runs, figures.outlier_runs, figures.runs) == (0, 1, 21)
    assert figures.maximum == 90.0
    assert figures.mean > 13


def test_equal_runs_have_neither() -> None:
    figures = summarise([7.0] * 12, wanted=10)
    assert (figures.warmup_runs, figures.outlier_runs, figures.runs, figures.sd) == (0, 0, 10, 0.0)
    assert (figures.low, figures.high) == (7.0, 7.0)


def test_a_series_that_never_settles_keeps_its_second_half() -> None:
    falling = [float(2**n) for n in range(20, 0, -1)]
    assert warmup_runs(np.asarray(falling)) <= 10
    assert summarise(falling, wanted=20).runs >= 10


def test_two_runs_are_enough_and_one_is_not() -> None:
    assert summarise([1.0, 3.0], wanted=2).mean == 2.0
    with pytest.raises(ValueError, match="two runs"):
        summarise([1.0], wanted=2)


def test_the_interval_is_repeatable_and_narrows_with_runs() -> None:
    random = np.random.default_rng(7)
    many = random.normal(100, 5, 400)
    low, high = interval_of_mean(many)
    assert (low, high) == interval_of_mean(many)
    assert low < many.mean() < high
    few_low, few_high = interval_of_mean(many[:20])
    assert few_high - few_low > high - low


def test_intervals_hold_the_true_mean_about_as_often_as_they_say() -> None:
    random = np.random.default_rng(11)
    held = 0
    for _ in range(100):
        low, high = interval_of_mean(random.normal(50, 10, 50))
        held += low <= 50 <= high
    assert 85 <= held <= 100


def test_outliers_are_counted_to_either_side() -> None:
    assert outliers(np.asarray([1.0, *([10.0, 11.0] * 8), 99.0])) == 2

"""Statistics of a series of timed runs.

No run is dropped for being slow. Runs at the start that are slower than the rest, because caches, branch
prediction and the clock were not settled, are left out as warm-up and counted; outliers stay in and are
counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RESAMPLES = 2000
_SETTLED_RUNS = 3
_CONFIDENCE_PERCENT = 95.0
# Outer fences lie this many times the distance of the quartiles beyond them.
_FENCE = 3.0
_FEWEST_RUNS = 2

Times = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Summary:
    """Figures of a series, in its unit; `low` and `high` bound the mean with 95 % confidence."""

    runs: int
    warmup_runs: int
    outlier_runs: int
    mean: float
    sd: float
    minimum: float
    median: float
    maximum: float
    low: float
    high: float


def summarise(times: Sequence[float], wanted: int) -> Summary:
    """Summarise the first `wanted` runs after the warm-up, or all; ValueError for fewer than two."""
    series = np.asarray(times, dtype=np.float64)
    if len(series) < _FEWEST_RUNS:
        raise ValueError("a series has at least two runs")
    warmup = warmup_runs(series)
    steady = series[warmup : warmup + wanted]
    low, high = interval_of_mean(steady)
    return Summary(
        runs=len(steady),
        warmup_runs=warmup,
        outlier_runs=outliers(steady),
        mean=float(steady.mean()),
        sd=float(steady.std(ddof=1)),
        minimum=float(steady.min()),
        median=float(np.median(steady)),
        maximum=float(steady.max()),
        low=low,
        high=high,
    )


def warmup_runs(series: Times) -> int:
    """Count the runs at the start beyond the upper fence of the second half, until a few runs are within it.

    At most half of the series counts, and at least two runs are left.
    """
    half = len(series) // 2
    limit = _upper_fence(series[half:])
    for start in range(half):
        if (series[start : start + _SETTLED_RUNS] <= limit).all():
            return start
    return min(half, len(series) - _FEWEST_RUNS)


def outliers(series: Times) -> int:
    """Count the runs beyond the outer fences, on either side."""
    low, high = np.percentile(series, (25, 75))
    reach = _FENCE * (high - low)
    return int(((series < low - reach) | (series > high + reach)).sum())


def interval_of_mean(series: Times) -> tuple[float, float]:
    """Return the bootstrap's percentile interval, from a generator with a fixed seed.

    It assumes that runs are independent.
    """
    generator = np.random.default_rng(0)
    means = generator.choice(series, size=(RESAMPLES, len(series))).mean(axis=1)
    rest = (100 - _CONFIDENCE_PERCENT) / 2
    low, high = np.percentile(means, (rest, 100 - rest))
    return float(low), float(high)


def _upper_fence(series: Times) -> float:
    low, high = np.percentile(series, (25, 75))
    # Quartiles of equal times have no distance; a clock's step, a thousandth, is no warm-up.
    return float(high + max(_FENCE * (high - low), high / 1000))

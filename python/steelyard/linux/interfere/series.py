"""Statistics of a control task's periods: latencies and misses, with and without encryption beside it.

Blocks of periods with and without encryption take turns. Jobs of one block resemble each other more than
those of different blocks, so the bootstrap draws blocks: pairs of neighbours, one of each kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Series = NDArray[np.int64]

RESAMPLES = 2000
CONFIDENCE = 0.95
BINS_PER_DECADE = 20

_LEAST_JOBS = {0.5: 1, 0.99: 100, 0.999: 1000}
"""Minimum number of jobs for a percentile; with fewer it would only be the largest value."""


@dataclass(frozen=True)
class Block:
    """Consecutive periods of one kind; times in nanoseconds.

    `first` is the number of its first period and `periods` their count; jobs are the periods in which the
    task ran, the others were lost. `spill_ns` is the time from its end until the last message was done.
    """

    encrypts: bool
    first: int
    periods: int
    releases: Series
    wakeup_ns: Series
    response_ns: Series
    messages_due: int = 0
    messages: int = 0
    encrypting_ns: int = 0
    encrypting_ns_max: int = 0
    message_delay_ns_max: int = 0
    spill_ns: int = 0
    time_ns: int = 0
    cpu_process_ns: int = 0
    machine_busy_ticks: int | None = None
    machine_total_ticks: int | None = None
    machine_steal_ticks: int | None = None
    switches_voluntary: int = 0
    switches_involuntary: int = 0


def settled(blocks: Sequence[Block], period_ns: int) -> list[Block]:
    """Return the blocks without their first period, and without those that an earlier block's message
    reached.
    """
    kept = []
    for before, block in pairwise([None, *blocks]):
        assert block is not None
        spilled = math.ceil(before.spill_ns / period_ns) if before is not None else 0
        dropped = min(block.periods, max(1, spilled))
        still = block.releases >= block.first + dropped
        kept.append(
            replace(
                block,
                first=block.first + dropped,
                periods=block.periods - dropped,
                releases=block.releases[still],
                wakeup_ns=block.wakeup_ns[still],
                response_ns=block.response_ns[still],
            )
        )
    return kept


@dataclass(frozen=True)
class Summary:
    """Summary of latencies in nanoseconds, like cyclictest's; None if there are too few values for a
    percentile.
    """

    count: int
    minimum: int
    mean: float
    sd: float
    p50: float | None
    p99: float | None
    p999: float | None
    maximum: int


def summary(values: Series) -> Summary | None:
    """Summarise one quantity of all jobs; None without a job."""
    if not len(values):
        return None
    p50, p99, p999 = (
        float(np.quantile(values, share, method="inverted_cdf")) if len(values) >= least else None
        for share, least in _LEAST_JOBS.items()
    )
    return Summary(
        len(values), int(values.min()), float(values.mean()), float(values.std()), p50, p99, p999,
        int(values.max()),
    )  # fmt: skip


@dataclass(frozen=True)
class Misses:
    """Periods whose job responded after the deadline, and those that passed during an earlier job."""

    late: int
    lost: int
    periods: int

    @property
    def share(self) -> float | None:
        """Share of all periods; None without any."""
        return (self.late + self.lost) / self.periods if self.periods else None


def misses(blocks: Sequence[Block], deadline_ns: int) -> Misses:
    """Count the deadlines missed in these blocks."""
    late = sum(int((block.response_ns > deadline_ns).sum()) for block in blocks)
    periods = sum(block.periods for block in blocks)
    return Misses(late, periods - sum(len(block.releases) for block in blocks), periods)


def of(blocks: Sequence[Block], quantity: Callable[[Block], Series]) -> Series:
    """Return a quantity of all jobs, in order."""
    return np.concatenate([quantity(block) for block in blocks]) if blocks else np.array([], np.int64)


@dataclass(frozen=True)
class Difference:
    """Difference with minus without encryption, and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @property
    def found(self) -> bool:
        """Whether the interval excludes zero."""
        return self.low > 0 or self.high < 0


def pairs(blocks: Sequence[Block]) -> list[tuple[Block, Block]]:
    """Return neighbours without and with encryption, in this order; empty blocks join their neighbour."""
    found = []
    for one, other in zip(blocks[::2], blocks[1::2], strict=False):
        without, with_ = (other, one) if one.encrypts else (one, other)
        if without.periods and with_.periods:
            found.append((without, with_))
    return found


def mean_difference(
    paired: Sequence[tuple[Block, Block]], of_block: Callable[[Block], tuple[float, float]], seed: int = 1
) -> Difference | None:
    """Return the difference of a ratio of sums; `of_block` gives a block's numerator and denominator.

    None with fewer than two pairs, or if the denominator is empty.
    """
    parts = np.array([[of_block(block) for block in pair] for pair in paired], float)
    if len(parts) < 2 or not (parts[:, :, 1].sum(axis=0) > 0).all():
        return None

    def difference(weights: NDArray[Any]) -> NDArray[Any]:
        sums = np.tensordot(weights, parts, axes=(1, 0))
        with np.errstate(invalid="ignore", divide="ignore"):
            ratios = sums[..., 0] / sums[..., 1]
        return np.asarray(ratios[:, 1] - ratios[:, 0])

    return _interval(difference, len(parts), seed)


def quantile_difference(
    paired: Sequence[tuple[Block, Block]], quantity: Callable[[Block], Series], share: float, seed: int = 1
) -> Difference | None:
    """Return the difference of a percentile over all jobs of a kind; None if either kind has too few."""
    sides = []
    for side in (0, 1):
        values = of([pair[side] for pair in paired], quantity)
        owners = np.repeat(np.arange(len(paired)), [len(quantity(pair[side])) for pair in paired])
        order = np.argsort(values, kind="stable")
        sides.append((values[order], owners[order]))
    if len(paired) < 2 or min(len(values) for values, _ in sides) < _LEAST_JOBS[share]:
        return None

    def quantile(values: Series, owners: Series, weights: NDArray[Any]) -> float:
        below = np.cumsum(weights[owners])
        return float(values[np.searchsorted(below, share * below[-1])]) if below[-1] else math.nan

    def difference(weights: NDArray[Any]) -> NDArray[Any]:
        return np.array([quantile(*sides[1], row) - quantile(*sides[0], row) for row in weights])

    return _interval(difference, len(paired), seed)


def _interval(difference: Callable[[NDArray[Any]], NDArray[Any]], count: int, seed: int) -> Difference:
    draws = np.random.default_rng(seed).multinomial(count, [1 / count] * count, size=RESAMPLES)
    resampled = difference(draws)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.nanquantile(resampled, [tail, 1 - tail])
    return Difference(float(difference(np.ones((1, count)))[0]), float(low), float(high))


def histogram(values: Series) -> list[tuple[int, int]]:
    """Return counts by bins of equal ratio, without empty ones: bin k holds times from 10**(k / 20) us up.

    Times below a nanosecond count as one.
    """
    if not len(values):
        return []
    bins = np.floor(np.log10(np.maximum(values, 1) / 1000) * BINS_PER_DECADE).astype(np.int64)
    numbers, counts = np.unique(bins, return_counts=True)
    return list(zip(numbers.tolist(), counts.tolist(), strict=True))


def bin_edge_us(number: int) -> float:
    """Return the lower edge of a bin of the histogram in microseconds."""
    return float(10 ** (number / BINS_PER_DECADE))

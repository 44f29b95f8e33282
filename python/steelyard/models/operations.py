"""Predict a primitive that was not measured on a chip on which others were.

The *operation profile* of a row is what other CPUs execute for it, by instruction class, carried over to the
chip's word width and registers (`transfer`), with table reads separate; nothing of the chip's own instruction
set is used. The chip's *cost vector* prices the profile: non-negative least squares of the relative error
over its measurements, pulled towards the cycles of its data sheet. Rows with similar instruction mixes supply
the remaining error. ROM and RAM follow in the same way from those on the other CPUs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.models.training import Chip, Floats, Indices
from steelyard.models.transfer import Prediction, Transfer, class_cycles

_PULL = 1.0
"""Weight of the data sheet's price of a class, in rows."""


@dataclass(frozen=True)
class Settings:
    """`likeness`: distance of mixes within which errors are similar; `own`: variance of a single row."""

    likeness: float = 0.5
    own: float = 0.3


GRID: tuple[Settings, ...] = tuple(Settings(likeness) for likeness in (0.35, 0.5, 1.0))
"""Settings from which one is chosen."""


@dataclass(frozen=True)
class Profile:
    """`base`: logarithms of the metric from the other CPUs; `counts`: by class, with table reads last.

    `start` holds the data sheet's prices of these classes; both are None for a metric without prices.
    `distance` is the squared distance between mixes.
    """

    base: Floats
    counts: Floats | None
    start: Floats | None
    distance: Floats


def profile(transfer: Transfer, chip: Chip, absent: frozenset[str]) -> Profile:
    """Return the profile of every row for a chip, from the groups of `transfer` that are present."""
    distance = transfer.mixes(absent)
    if transfer.metric != "cycles":
        return Profile(transfer.prior(chip, absent)[0], None, None, distance)
    counts, reads = transfer.profile(chip, absent)
    start = np.append(class_cycles(chip), max(chip.table_load_cycles - chip.load_cycles, 1.0))
    return Profile(
        transfer.prior(chip, absent)[0],
        np.column_stack([counts, reads]),
        start,
        distance,
    )


@dataclass(frozen=True)
class CostVector:
    """A chip's fit: `prices` by class (None for a metric without), and the errors of measured rows."""

    settings: Settings
    of: Profile
    prices: Floats | None
    rows: Indices
    level: float
    solved: Floats
    inverse: Floats
    spread: float

    def left_out(self, groups: Sequence[str]) -> tuple[Floats, Floats]:
        """Return errors and deviations at the fitted rows, each predicted without its group, at fixed prices.

        `groups` names the group of each of these rows. The inverse of a Gaussian process's covariances gives
        its predictions of some of its own rows without them.
        """
        errors, deviations = np.zeros(len(self.rows)), np.zeros(len(self.rows))
        for group in dict.fromkeys(groups):
            place = np.array([index for index, one in enumerate(groups) if one == group])
            block = np.linalg.inv(self.inverse[np.ix_(place, place)])
            errors[place] = block @ self.solved[place]
            deviations[place] = self.spread * np.sqrt(np.maximum(np.diag(block), 0.05))
        return errors, deviations

    def predict(self, rows: Indices) -> Prediction:
        """Return logarithms of the figures of other rows."""
        alike = _alike(self.of, rows, self.rows, self.settings)
        mean = _mean(self.of, self.prices, rows) + self.level + alike @ self.solved
        left = 1 + self.settings.own - np.einsum("ij,jk,ik->i", alike, self.inverse, alike)
        return Prediction(mean, self.spread * np.sqrt(np.maximum(left, 0.05)))


def fit(of: Profile, rows: Indices, logs: Floats, settings: Settings) -> CostVector:
    """Fit a chip's cost vector to the logarithms of its figures in these rows, at least two."""
    if len(rows) < 2:
        raise ValueError("figures of at least two rows are needed")
    prices = None
    if of.counts is not None and of.start is not None:
        terms = of.counts[rows] * of.start / np.exp(logs)[:, None]
        pull = _PULL * np.eye(len(of.start))
        wanted = np.concatenate([np.ones(len(rows)), _PULL * np.ones(len(of.start))])
        prices = of.start * non_negative_least_squares(np.vstack([terms, pull]), wanted)
    errors = logs - _mean(of, prices, rows)
    level = float(np.median(errors))
    inverse = np.asarray(
        np.linalg.inv(_alike(of, rows, rows, settings) + settings.own * np.eye(len(rows))), dtype=np.float64
    )
    spread = float(np.sqrt(np.mean(np.square(errors - level)) / (1 + settings.own)))
    return CostVector(settings, of, prices, rows, level, inverse @ (errors - level), inverse, spread)


def _alike(of: Profile, rows: Indices, others: Indices, settings: Settings) -> Floats:
    return np.asarray(np.exp(-of.distance[np.ix_(rows, others)] / (2 * settings.likeness**2)))


def _mean(of: Profile, prices: Floats | None, rows: Indices) -> Floats:
    if of.counts is None or prices is None:
        return of.base[rows]
    return np.asarray(np.log(np.maximum(of.counts[rows] @ prices, 1.0)))


def non_negative_least_squares(terms: Floats, wanted: Floats) -> Floats:
    """Return the x >= 0 with the least |terms x - wanted|; components are freed one by one."""
    gram, towards = terms.T @ terms, terms.T @ wanted
    size = len(towards)
    found, free = np.zeros(size), np.zeros(size, dtype=bool)
    for _ in range(3 * size):
        gain = np.where(free, -np.inf, towards - gram @ found)
        if gain.max() <= 1e-10:
            break
        free[int(np.argmax(gain))] = True
        while free.any():
            solved = np.zeros(size)
            solved[free] = np.linalg.solve(gram[np.ix_(free, free)], towards[free])
            if (solved[free] > 0).all():
                found = solved
                break
            below = free & (solved <= 0)
            step = float(np.min(found[below] / (found[below] - solved[below] + 1e-300)))
            found = found + step * (solved - found)
            free &= found > 1e-12
    return found

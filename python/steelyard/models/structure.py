"""Correlated errors: what was measured of a chip corrects the other rows through covariances of errors.

A chip's errors against its prior (`transfer`) are a Gaussian process over rows, the sum of the TERMS: one
error for the whole chip; errors as seen on other chips (low rank); rows with similar instruction mixes; rows
whose numbers of instructions vary alike from chip to chip; the cost of an instruction class; and the errors
of one family or one row. A term's variance grows with a power of the kriging variance: chips unlike all
others have larger and more correlated errors. `fit` chooses these variances, powers and the distances of
similarity by leaving out families of the training set: those that make the errors of the left-out chips most
likely under Laplace's distribution, whose tails are heavier than the normal one's, since compilers cause
outliers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from steelyard.models.training import Chip, Floats, Indices
from steelyard.models.transfer import Transfer

TERMS = ("level", "seen", "mix", "total", "price", "family", "own")
"""Terms of the covariance; each has a variance."""
_GROWS_WITH = (0, 1, 1, 1, None, 2, 2)
"""Kind of growth of each term: of the level, of what rows share, of a single row."""
_GROWTHS = 3
_REACHES = {2: 0, 3: 1}
"""Index of the distance of similarity that a term has."""

START = np.array([*np.log([0.05, 0.5, 0.03, 0.03, 0.03, 0.02, 0.01]), 0.5, 0.5, 0.5, *np.log([0.5, 1.0])])
"""Logarithms of variances, growths, logarithms of distances: the values assumed without evidence."""
_DOUBT = np.array([2.0, 1.5, 2.0, 2.0, 2.0, 2.0, 2.0, 0.4, 0.4, 0.4, 0.5, 0.5])
"""Standard deviation of each value under evidence."""
_FARTHEST = 4.0
"""Limit of the search in units of `_DOUBT`: beyond it one variance dominates the others."""
_PULL = 0.005
"""Weight of the start relative to the mean likelihood of a figure."""
_STEPS = 25
_LEAST_VARIANCE = 1e-5


@dataclass(frozen=True, eq=False)
class Question:
    """Predicted rows and measured rows of a chip, with the covariances of each term.

    `prior` are logarithms of the predicted rows, `errors` those of the measured rows relative to theirs;
    `terms` holds for each of TERMS the covariances of predicted with measured rows, of measured rows, and of
    each predicted row; if the term has a distance, squared distances instead of covariances.
    """

    prior: Floats
    errors: Floats
    variance: float
    terms: tuple[tuple[Floats, Floats, Floats], ...]

    @cached_property
    def measured(self) -> int:
        """Number of measured rows."""
        return len(self.errors)


def ask(
    transfer: Transfer,
    chip: Chip,
    measured: Mapping[int, float],
    rows: Indices,
    absent: frozenset[str],
) -> Question:
    """Build a question about rows of a chip, without the absent groups; `measured` are figures by row."""
    known = np.array(sorted(measured), dtype=int)
    mean, variance = transfer.prior(chip, absent)
    seen, shares = transfer.errors(absent), transfer.shares(chip, absent)
    mixes, totals = transfer.mixes(absent), transfer.totals(absent)
    family = transfer.algorithms[rows][:, None] == transfer.algorithms[known]
    ones, none = np.ones(len(rows)), np.zeros((len(rows), len(known)))
    return Question(
        mean[rows],
        np.log([measured[int(row)] for row in known]) - mean[known],
        variance,
        (
            (none + 1, np.ones((len(known), len(known))), ones),
            (
                seen[:, rows].T @ seen[:, known],
                seen[:, known].T @ seen[:, known],
                (seen[:, rows] ** 2).sum(0),
            ),
            (mixes[np.ix_(rows, known)], mixes[np.ix_(known, known)], ones),
            (totals[np.ix_(rows, known)], totals[np.ix_(known, known)], ones),
            (shares[rows] @ shares[known].T, shares[known] @ shares[known].T, (shares[rows] ** 2).sum(1)),
            (
                family.astype(float),
                (transfer.algorithms[known][:, None] == transfer.algorithms[known]).astype(float),
                ones,
            ),
            ((rows[:, None] == known).astype(float), np.eye(len(known)), ones),
        ),
    )


@dataclass(frozen=True, eq=False)
class _Answer:
    """Corrections of the prior and variances of the predicted rows, with their derivatives by parameter."""

    mean: Floats
    variance: Floats
    mean_slopes: Floats
    variance_slopes: Floats


def answer(question: Question, parameters: Floats) -> tuple[Floats, Floats]:
    """Return logarithms of the predicted figures, and their standard deviations."""
    found = _answer(question, parameters)
    return question.prior + found.mean, np.sqrt(found.variance)


def _answer(question: Question, parameters: Floats) -> _Answer:
    terms = _scaled(question, parameters)
    count = question.measured
    inner = sum((term[1] for term in terms), start=1e-6 * np.eye(count))
    towards = sum((term[0] for term in terms), start=np.zeros((len(question.prior), count)))
    solved = np.linalg.solve(inner, np.column_stack([question.errors, towards.T])) if count else None
    weights = np.zeros(count) if solved is None else solved[:, 0]
    gain = towards if solved is None else solved[:, 1:].T
    variance = sum(term[2] for term in terms) - (gain * towards).sum(axis=1)

    def slopes(part: tuple[Floats, Floats, Floats]) -> tuple[Floats, Floats]:
        across, within, alone = part
        gained = gain @ within
        return across @ weights - gained @ weights, alone - (gain * (2 * across - gained)).sum(axis=1)

    by_term = [slopes(term) for term in terms]
    by_growth = [
        tuple(
            2
            * np.log(question.variance)
            * sum(
                (by_term[place][which] for place, grows in enumerate(_GROWS_WITH) if grows == growth),
                start=np.zeros(len(question.prior)),
            )
            for which in (0, 1)
        )
        for growth in range(_GROWTHS)
    ]
    by_reach = []
    for place in _REACHES:
        reach = np.exp(2 * parameters[len(TERMS) + _GROWTHS + _REACHES[place]])
        across, within, alone = question.terms[place]
        scaled = terms[place]
        by_reach.append(slopes((across / reach * scaled[0], within / reach * scaled[1], 0 * alone)))
    every = [*by_term, *by_growth, *by_reach]
    return _Answer(
        gain @ question.errors,
        np.maximum(variance, _LEAST_VARIANCE),
        np.array([one[0] for one in every]),
        np.array([one[1] for one in every]),
    )


def _scaled(question: Question, parameters: Floats) -> list[tuple[Floats, Floats, Floats]]:
    """Return the terms' covariances at these parameters."""
    found = []
    for place, (across, within, alone) in enumerate(question.terms):
        scale = float(np.exp(parameters[place]))
        grows = _GROWS_WITH[place]
        if grows is not None:
            scale *= question.variance ** (2 * parameters[len(TERMS) + grows])
        if place in _REACHES:
            reach = 2 * np.exp(2 * parameters[len(TERMS) + _GROWTHS + _REACHES[place]])
            across, within = np.exp(-across / reach), np.exp(-within / reach)
        found.append((scale * across, scale * within, scale * alone))
    return found


Asked = Sequence[tuple[Question, Floats, float]]
"""Questions, logarithms of their figures, and weights that sum to 1."""


def fit(asked: Asked) -> Floats:
    """The parameters under which the figures asked for are most likely."""
    from scipy.optimize import minimize

    found = minimize(
        loss,
        START,
        args=(asked,),
        jac=True,
        method="L-BFGS-B",
        bounds=list(zip(START - _FARTHEST * _DOUBT, START + _FARTHEST * _DOUBT, strict=True)),
        options={"maxiter": _STEPS},
    )
    return np.asarray(found.x, dtype=np.float64)


def loss(parameters: Floats, asked: Asked) -> tuple[float, Floats]:
    """Return the negative log-likelihood of the figures under these parameters, and its derivatives."""
    pulled = (parameters - START) / _DOUBT
    total = _PULL * float(pulled @ pulled)
    slope = 2 * _PULL * pulled / _DOUBT
    for question, logs, weight in asked:
        found = _answer(question, parameters)
        deviation = np.sqrt(found.variance)
        error = question.prior + found.mean - logs
        total += weight * float(np.mean(np.log(deviation) + 2**0.5 * np.abs(error) / deviation))
        by_mean = 2**0.5 * np.sign(error) / deviation
        by_variance = (1 / deviation - 2**0.5 * np.abs(error) / found.variance) / (2 * deviation)
        slopes = found.mean_slopes @ by_mean + found.variance_slopes @ by_variance
        slope = slope + weight * slopes / len(logs)
    return total, slope

"""The analytic model of encryption overhead on sensor nodes (2003).

Equation 1 of the publication (section 4.5) is t = (a + b n) / (f w): the time of n blocks on a processor with
clock f and word size w, from two constants of the algorithm. Hence t f w, in bit-cycles, is linear in n.
Equations 2 and 3 add terms to a and b for processors with and without a multiply instruction, and for RISC
and CISC.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np


@dataclass(frozen=True)
class Observation:
    """Cost of one row on one processor: `bit_cycles` is time times clock times word size, above 0.

    `blocks` is the model's n; `weight` is how often the row counts in a fit.
    """

    algorithm: str
    row: str
    target: str
    blocks: int
    bit_cycles: float
    weight: float = 1.0


@dataclass(frozen=True)
class Parameters:
    """The model's constants of an algorithm, in bit-cycles."""

    a: float
    b: float

    def bit_cycles(self, blocks: int) -> float:
        """Return the bit-cycles of n blocks."""
        return self.a + self.b * blocks

    def __sub__(self, other: Parameters) -> Parameters:
        return Parameters(self.a - other.a, self.b - other.b)

    def __add__(self, other: Parameters) -> Parameters:
        return Parameters(self.a + other.a, self.b + other.b)


ByAlgorithm = Mapping[str, Parameters]


@dataclass(frozen=True)
class Accuracy:
    """Comparison of predictions with measurements over `cells` of them; factors are at least 1."""

    cells: int
    within_10_percent: int
    within_20_percent: int
    within_factor_two: int
    median_factor: float
    worst_factor: float
    worst: Observation


def fit(observations: Sequence[Observation]) -> Parameters:
    """Return the constants with the least weighted squares of the relative error.

    ValueError if all observations have the same number of blocks, because b is then undetermined.
    """
    blocks = np.array([one.blocks for one in observations], dtype=float)
    if len(set(blocks)) < 2:
        raise ValueError("observations of at least two numbers of blocks are needed")
    measured = np.array([one.bit_cycles for one in observations])
    root = np.sqrt([one.weight for one in observations])
    terms = np.column_stack([np.ones_like(blocks), blocks]) * (root / measured)[:, None]
    (a, b), *_ = np.linalg.lstsq(terms, root)
    return Parameters(float(a), float(b))


def fit_each(observations: Iterable[Observation]) -> dict[str, Parameters]:
    """Return the constants of every algorithm, each from its own observations."""
    by_algorithm: dict[str, list[Observation]] = {}
    for one in observations:
        by_algorithm.setdefault(one.algorithm, []).append(one)
    return {algorithm: fit(found) for algorithm, found in by_algorithm.items()}


def terms(observations: Sequence[Observation], targets: Collection[str], base: Parameters) -> Parameters:
    """Return what equations 2 and 3 add to an algorithm's constants on a group of processors."""
    return fit([one for one in observations if one.target in targets]) - base


def factor(predicted: float, measured: float) -> float:
    """Return the ratio of the larger to the smaller value; infinite if a prediction is not above 0."""
    return max(predicted / measured, measured / predicted) if predicted > 0 else float("inf")


def accuracy(observations: Sequence[Observation], predict: Callable[[Observation], float]) -> Accuracy:
    """Return the accuracy of predicted bit-cycles over at least one observation."""
    pairs = [(predict(one), one) for one in observations]
    errors = [abs(predicted / one.bit_cycles - 1) for predicted, one in pairs]
    factors = [factor(predicted, one.bit_cycles) for predicted, one in pairs]
    worst = max(range(len(pairs)), key=factors.__getitem__)
    return Accuracy(
        len(pairs),
        sum(error <= 0.1 for error in errors),
        sum(error <= 0.2 for error in errors),
        sum(one <= 2 for one in factors),
        median(factors),
        factors[worst],
        pairs[worst][1],
    )


def by_parameters(parameters: ByAlgorithm) -> Callable[[Observation], float]:
    """Return the predictor of equation 1 with these constants."""
    return lambda one: parameters[one.algorithm].bit_cycles(one.blocks)


def left_out(
    observations: Sequence[Observation], target: str, measured: str
) -> list[tuple[float, Observation]]:
    """Predict a processor outside the fit on which only one algorithm was measured.

    The constants are fitted to the other processors and scaled by the median ratio of that algorithm.
    """
    parameters = fit_each(one for one in observations if one.target != target)
    here = [one for one in observations if one.target == target]
    predict = by_parameters(parameters)
    scale = median(one.bit_cycles / predict(one) for one in here if one.algorithm == measured)
    return [(scale * predict(one), one) for one in here if one.algorithm != measured]


def from_references(
    observations: Sequence[Observation], algorithm: str, references: Collection[str]
) -> list[tuple[float, Observation]]:
    """Predict an algorithm on other processors with constants fitted to a few reference processors."""
    own = [one for one in observations if one.algorithm == algorithm]
    parameters = fit([one for one in own if one.target in references])
    return [(parameters.bit_cycles(one.blocks), one) for one in own if one.target not in references]

"""The publication's equivalent metric, fitted to measured delays and put to the test on others.

Its equation 7 makes the work of a cipher E(X, K) = p(g(l, X_i, K_i), N): a block's work g by key and block,
joined by the mode p over N blocks. Its equation 8 makes the cost on a system C = T(E). In logarithms

    ln C = T(device) + u(algorithm, mode) + k(algorithm) ln key + b(algorithm) ln block + q ln N

is linear: T is of an implementation on a device, everything else of the cipher. It is fitted by least
squares to nine tenths of the configurations and asked for the others, ten times, so that each is asked once;
what was left out is left out of all implementations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from steelyard.catalog.load import load_catalog
from steelyard.studies.industrial_linux.figures import TRIAL, Figure, Measured, configurations
from steelyard.study.verdict import MissingFigure

_FOLDS = 10
_DETERMINED = 1e-6
"""Most that a row may lie outside the space of those that a fit has seen, relative to its length."""

Configuration = tuple[str, int, int, str, int]
"""Algorithm, bits of key and block, mode, bytes of the message."""
_Values = npt.NDArray[np.float64]
_Row = dict[tuple[object, ...], float]


@dataclass(frozen=True)
class Delay:
    """A measured delay of one configuration by one implementation on a device."""

    system: tuple[str, str]
    configuration: Configuration
    microseconds: float

    @property
    def row(self) -> _Row:
        """The terms of the metric, by name, with their factors."""
        algorithm, key_bits, block_bits, mode, message_bytes = self.configuration
        blocks = -(-8 * message_bytes // block_bits)
        return {
            ("device", *self.system): 1.0,
            ("mode", algorithm, mode): 1.0,
            ("key", algorithm): log(key_bits),
            ("block", algorithm): log(block_bits),
            ("blocks",): log(blocks),
        }


@dataclass(frozen=True)
class Asked:
    """A delay that the metric was asked for without having seen its configuration."""

    delay: Delay
    predicted_us: float

    @property
    def error(self) -> float:
        """How far the prediction is off, relative to the measured delay."""
        return abs(self.predicted_us / self.delay.microseconds - 1)


def delays(measured: Iterable[Measured]) -> list[Delay]:
    """Every undisturbed delay of a block cipher in a mode, encrypted by one thread."""
    found = []
    for one in (each for each in measured if not each.is_trial):
        for (primitive, mode, operation, message_bytes, threads), figure in one.items():
            if mode is None or message_bytes is None or operation != "encrypt" or threads != 1:
                continue
            if primitive in _ciphers() and not figure.disturbed:
                configuration = (*_ciphers()[primitive], mode, message_bytes)
                found.append(Delay((one.implementation, one.device), configuration, figure.delay_us))
    return found


@cache
def _ciphers() -> Mapping[str, tuple[str, int, int]]:
    """Algorithm, bits of key and block of each primitive of the publication."""
    catalog = load_catalog()
    known = {one.id: one for one in catalog.primitives}
    return {
        name: (catalog.algorithm_of(name).id, 8 * known[name].key_bytes, 8 * known[name].block_bytes)
        for name in (configuration.primitive for configuration in configurations())
    }


class Metric:
    """Predictions of left-out configurations, from the delays of one or of several implementations."""

    def __init__(self, known: Sequence[Delay]) -> None:
        configurations = sorted({delay.configuration for delay in known})
        fold = {configuration: number % _FOLDS for number, configuration in enumerate(configurations)}
        self.asked = [
            asked
            for left_out in range(_FOLDS)
            for asked in _predictions(
                [delay for delay in known if fold[delay.configuration] != left_out],
                [delay for delay in known if fold[delay.configuration] == left_out],
            )
        ]

    def of(self, one: Measured, mode: str) -> list[Asked]:
        """What was asked of an implementation in a mode; MissingFigure without any."""
        system = one.implementation, one.device
        found = [
            asked
            for asked in self.asked
            if (asked.delay.system, asked.delay.configuration[3]) == (system, mode)
        ]
        if not found:
            what = f"no delay of {one.implementation} in {mode.upper()} to be predicted"
            raise MissingFigure(TRIAL if one.is_trial else what)
        return found


@dataclass(frozen=True)
class Metrics:
    """The metric of each implementation on a device, and one of all together."""

    own: Mapping[tuple[str, str], Metric]
    common: Metric

    def of(self, one: Measured) -> Metric:
        """The metric of an implementation alone."""
        return self.own[one.implementation, one.device]


def metrics_of(measured: Sequence[Measured]) -> Metrics:
    """Fit and ask all of them."""
    own = {(one.implementation, one.device): Metric(delays([one])) for one in measured}
    return Metrics(own, Metric(delays(measured)))


def of_table2(one: Measured, asked: Iterable[Asked]) -> list[Asked]:
    """Those of the rows of Table 2; MissingFigure without any."""
    found = [
        each
        for each in asked
        if (each.delay.configuration[0], each.delay.configuration[4]) == ("aes", one.message_bytes)
    ]
    if not found:
        raise MissingFigure(f"no row of Table 2 by {one.implementation} to be predicted")
    return found


def median_error(asked: Iterable[Asked]) -> float:
    """The error that half of the predictions stay within."""
    return median(one.error for one in asked)


def _predictions(seen: Sequence[Delay], left_out: Sequence[Delay]) -> list[Asked]:
    """Those of the left-out delays that the seen ones determine."""
    if not seen or not left_out:
        return []
    names = {name: number for number, name in enumerate({name: 0 for one in seen for name in one.row})}
    terms = _matrix(seen, names)
    logs = np.log([one.microseconds for one in seen])
    left, sizes, space = np.linalg.svd(terms, full_matrices=False)
    kept = sizes > sizes[0] * max(terms.shape) * np.finfo(np.float64).eps
    space = space[kept]
    factors = space.T @ ((left[:, kept].T @ logs) / sizes[kept])
    # What a fit has not seen (another algorithm, a second key) it cannot say.
    known = [one for one in left_out if one.row.keys() <= names.keys()]
    if not known:
        return []
    rows = _matrix(known, names)
    outside = np.linalg.norm(rows - rows @ space.T @ space, axis=1) / np.linalg.norm(rows, axis=1)
    predicted = np.exp(rows @ factors)
    return [
        Asked(delay, float(value))
        for delay, value, far in zip(known, predicted, outside, strict=True)
        if far <= _DETERMINED
    ]


def _matrix(delays: Sequence[Delay], names: dict[tuple[object, ...], int]) -> _Values:
    matrix: Any = np.zeros((len(delays), len(names)))
    for number, delay in enumerate(delays):
        for name, factor in delay.row.items():
            matrix[number, names[name]] = factor
    values: _Values = matrix
    return values


def half_interval(figure: Figure) -> float:
    """How far a delay that was measured may be off: half of its 95 % interval, relative to it."""
    return (figure.high_us - figure.low_us) / 2 / figure.delay_us

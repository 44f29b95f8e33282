"""Quality of predictions for unseen cases: each family of cores, or of algorithms, is left out in turn.

`matrix.toml` defines splits, rows and calibration primitives. A model chooses its settings and the widths of
its intervals by leaving out further families of the rest: the answer of a split is never used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

import numpy as np

from steelyard.models import operations, structure
from steelyard.models.training import Chip, Floats, Indices, MatrixFile, Row, Training, matrix_file
from steelyard.models.transfer import Prediction, Transfer

CORES, ARCHITECTURES, ALGORITHMS = "core family", "architecture", "algorithm family"
"""Kinds of groups that are left out."""

EQUATION_1, PARAMETERS, MEASURED, BOTH, COST_VECTOR = (
    "equation 1",
    "parameters",
    "few-shot, no parameters",
    "few-shot",
    "operations",
)
"""Models: the published one; from a data sheet; from a few measurements; from both; from profiles."""

SHOTS = (1, 2, 3, 5)
"""Numbers of primitives measured on a new chip."""
CHOSEN_WITH = 3
"""Number of measured primitives for which settings are chosen."""

EQUATION_REFERENCES = ("atmega128", "m30102", "sa1110")
"""One processor of each word size, from which equation 1 takes an algorithm's constants."""


@dataclass(frozen=True)
class Case:
    """One predicted figure, with its interval if the model gives one; `primitives` were measured before."""

    left_out: str
    group: str
    model: str
    primitives: int
    metric: str
    target: str
    row: Row
    measured: float
    predicted: float
    low: float | None = None
    high: float | None = None

    @property
    def error(self) -> float:
        """Relative error, at least 0."""
        return abs(self.predicted / self.measured - 1)

    @property
    def within_factor_two(self) -> bool:
        """Whether prediction and measurement differ by at most a factor of two."""
        return 0.5 <= self.predicted / self.measured <= 2

    @property
    def covered(self) -> bool | None:
        """Whether the interval contains the figure."""
        return None if self.low is None or self.high is None else self.low <= self.measured <= self.high


@dataclass(frozen=True)
class Summary:
    """Errors over cases; shares are fractions of 1, `coverage` is None for a model without intervals.

    `median_of_groups` is the median over the groups of each group's median error: groups count alike.
    """

    groups: int
    cells: int
    median_error: float
    error_of_90_percent: float
    within_factor_two: float
    factor_of_90_percent: float
    coverage: float | None
    median_of_groups: float


def summary(cases: Sequence[Case]) -> Summary:
    """Summarise at least one case."""
    errors = np.array([case.error for case in cases])
    factors = np.array(
        [max(case.predicted / case.measured, case.measured / case.predicted) for case in cases]
    )
    covered = [case.covered for case in cases if case.covered is not None]
    by_group: dict[str, list[float]] = {}
    for case in cases:
        by_group.setdefault(case.group, []).append(case.error)
    return Summary(
        len(by_group),
        len(cases),
        float(np.median(errors)),
        float(np.percentile(errors, 90)),
        float(np.mean([case.within_factor_two for case in cases])),
        float(np.percentile(factors, 90)),
        float(np.mean(covered)) if covered else None,
        float(np.median([np.median(found) for found in by_group.values()])),
    )


def summaries(cases: Sequence[Case], *, by_group: bool = False) -> Iterator[dict[str, object]]:
    """Yield a row for every question, model and number of measured primitives; `by_group` splits families."""

    def key(case: Case) -> tuple[str, str, str, int, str]:
        return case.metric, case.left_out, case.model, case.primitives, case.group if by_group else ""

    for (metric, left_out, model, primitives, group), found in groupby(sorted(cases, key=key), key=key):
        yield {
            "metric": metric,
            "left_out": left_out,
            "model": model,
            "primitives": primitives,
            "group": group or None,
            **{
                name: round(value, 4) if isinstance(value, float) else value
                for name, value in asdict(summary(list(found))).items()
            },
        }


def every_case(training: Training, metric: str, tell: Callable[[str], None]) -> Iterator[Case]:
    """Yield all questions of one metric; `tell` receives a sentence before each."""
    for left_out in (CORES, ARCHITECTURES):
        tell(f"{metric}: one {left_out} left out after the other.")
        yield from cores_left_out(training, metric, left_out)
    tell(f"{metric}: one {ALGORITHMS} left out after the other.")
    yield from algorithms_left_out(training, metric)


class Calibration:
    """The rows of a chip that are measured beforehand, and those that are tested afterwards."""

    def __init__(self, training: Training, metric: str, setup: MatrixFile) -> None:
        self._figures = training.figures[metric]
        self.chips = tuple(np.flatnonzero(training.asked).tolist())
        self._names = np.array([row.primitive for row in training.rows])
        self._listed = setup.calibration.primitives
        taken = {setup.algorithm_of[name] for name in self._listed}
        self._free = np.array([algorithm not in taken for algorithm in training.algorithms])

    def measured(self, chip: int, primitives: int) -> dict[int, float]:
        """Return figures by row for the first `primitives` calibration primitives that fit the chip."""
        have = ~np.isnan(self._figures[chip])
        fitting = [name for name in self._listed if (have & (self._names == name)).any()]
        rows = np.flatnonzero(have & np.isin(self._names, fitting[:primitives]))
        return {int(row): float(self._figures[chip, row]) for row in rows}

    def tested(self, chip: int) -> Indices:
        """Return the rows of algorithm families without any calibration primitive."""
        return np.flatnonzero(self._free & ~np.isnan(self._figures[chip]))


@dataclass(frozen=True, eq=False)
class Fit:
    """Settings chosen from a training set, by number of measured primitives: the correlation of errors, and
    the number of deviations that make an interval.
    """

    transfer: Transfer
    absent: frozenset[str]
    parameters: Floats
    widths: Mapping[int, float]

    def predict(self, chip: Chip, measured: Mapping[int, float]) -> Prediction:
        """Predict every row of a chip from its `measured` figures, by row index."""
        rows = np.arange(len(self.transfer.training.rows))
        question = structure.ask(self.transfer, chip, measured, rows, self.absent)
        return Prediction(*structure.answer(question, self.parameters))


_Inner = list[tuple[structure.Question, Floats, float]]


def choose(transfer: Transfer, absent: frozenset[str], shots: Sequence[int], setup: MatrixFile) -> Fit:
    """Choose the settings that best predict the groups present, each left out of the others in turn."""
    calibration = Calibration(transfer.training, transfer.metric, setup)
    shown = CHOSEN_WITH if max(shots) else 0
    parameters = structure.fit(_inner(transfer, absent, shown, calibration))
    groups = len({transfer.groups[chip] for chip in calibration.chips} - absent)
    widths = {}
    for shot in shots:
        ratios, weights = [], []
        for question, logs, weight in _inner(transfer, absent, shot, calibration):
            mean, deviation = structure.answer(question, parameters)
            ratios.append(np.abs(mean - logs) / deviation)
            weights.append(np.full(len(logs), weight / len(logs)))
        share = conformal_share(setup.interval.coverage, groups)
        widths[shot] = weighted_quantile(np.concatenate(ratios), np.concatenate(weights), share)
    return Fit(transfer, absent, parameters, widths)


def _inner(transfer: Transfer, absent: frozenset[str], shots: int, calibration: Calibration) -> _Inner:
    """Return questions, answers and weights of each tested chip, predicted without its group."""
    training, found = transfer.training, []
    for chip in calibration.chips:
        group, rows = transfer.groups[chip], calibration.tested(chip)
        if group in absent or not len(rows):
            continue
        measured = calibration.measured(chip, shots)
        question = structure.ask(transfer, training.chips[chip], measured, rows, absent | {group})
        found.append((question, transfer.log[chip][rows], float(training.weights[chip])))
    total = sum(weight for _, _, weight in found)
    return [(question, logs, weight / total) for question, logs, weight in found]


def conformal_share(coverage: float, groups: int) -> float:
    """Return the share of the groups' errors that an interval must cover to hold `coverage` of one more
    group.

    This is conformal prediction: the new group is as likely as any to have the largest error.
    """
    return min(coverage * (groups + 1) / groups, 1.0)


def weighted_quantile(values: Floats, weights: Floats, share: float) -> float:
    """Return the smallest value such that the values up to it have this share of the weights."""
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][min(int(np.searchsorted(reached, share)), len(values) - 1)])


def interval(mean: float, deviation: float, width: float) -> tuple[float, float, float]:
    """Return figure, lower and upper end of the interval from a logarithm."""
    low, middle, high = np.exp([mean - width * deviation, mean, mean + width * deviation])
    return float(middle), float(low), float(high)


def cores_left_out(training: Training, metric: str, left_out: str) -> Iterator[Case]:
    """Predict every chip from those of other families or architectures."""
    setup = matrix_file()
    groups = training.families if left_out == CORES else training.architectures
    calibration = Calibration(training, metric, setup)
    full = Transfer(training, metric, groups)
    blind = Transfer(training, metric, groups, by_parameters=False)
    plans = ((PARAMETERS, full, (0,)), (BOTH, full, SHOTS), (MEASURED, blind, SHOTS))
    for group in dict.fromkeys(groups):
        for model, transfer, shots in plans:
            fitted = choose(transfer, frozenset({group}), shots, setup)
            for chip in (index for index in calibration.chips if groups[index] == group):
                rows = calibration.tested(chip)
                for shot in shots:
                    predicted = fitted.predict(training.chips[chip], calibration.measured(chip, shot))
                    key = (left_out, group, model, shot, metric, training.targets[chip])
                    yield from _cases(training, key, rows, predicted, fitted.widths[shot])
        if metric == "cycles":
            yield from _equation_1(training, left_out, groups, group, calibration)


_Key = tuple[str, str, str, int, str, str]


def _cases(
    training: Training, key: _Key, rows: Indices, predicted: Prediction, width: float
) -> Iterator[Case]:
    figures = training.figures[key[4]][_asked(training, key[5])]
    for row in rows:
        middle, low, high = interval(predicted.mean[row], predicted.deviation[row], width)
        yield Case(*key, training.rows[row], float(figures[row]), middle, low, high)


def _asked(training: Training, target: str) -> int:
    """Return the index of a chip with the compiler of the predictions."""
    return next(
        index for index in np.flatnonzero(training.asked).tolist() if training.targets[index] == target
    )


def _equation_1(
    training: Training, left_out: str, groups: Sequence[str], group: str, calibration: Calibration
) -> Iterator[Case]:
    """Predict by equation 1 with a constant for every row, scaled by the median ratio of measured figures."""
    inside = np.array([one == group for one in groups])
    constants = _bit_cycles(training, np.flatnonzero(~inside & np.array(training.asked)))
    for chip in (index for index in calibration.chips if inside[index]):
        plain = constants / training.chips[chip].word_bits
        for shot in (0, *SHOTS):
            measured = calibration.measured(chip, shot)
            ratios = [figure / plain[row] for row, figure in measured.items() if plain[row] > 0]
            scale = float(np.median(ratios)) if ratios else 1.0
            for row in calibration.tested(chip):
                if plain[row] > 0:
                    yield Case(
                        left_out,
                        group,
                        EQUATION_1,
                        shot,
                        "cycles",
                        training.targets[chip],
                        training.rows[row],
                        float(training.figures["cycles"][chip, row]),
                        float(scale * plain[row]),
                    )


def _bit_cycles(training: Training, kept: Indices) -> Floats:
    """Return each row's constant with the least squares of the relative error; 0 if no chip has the row."""
    words = np.array([training.chips[chip].word_bits for chip in kept])[:, None]
    inverse = 1 / (training.figures["cycles"][kept] * words)
    weights = np.where(np.isnan(inverse), 0, training.weights[kept][:, None])
    inverse = np.nan_to_num(inverse)
    return np.asarray((weights * inverse).sum(0) / np.maximum((weights * inverse**2).sum(0), 1e-300))


def algorithms_left_out(training: Training, metric: str) -> Iterator[Case]:
    """Predict every primitive on every chip, without its algorithm family there and the chip's ISA."""
    setup = matrix_file()
    names = np.array(training.algorithms)
    transfer = Transfer(training, metric, training.architectures)
    for chip in map(int, np.flatnonzero(training.asked)):
        target = training.targets[chip]
        of = operations.profile(transfer, training.chips[chip], frozenset({training.architectures[chip]}))
        log = transfer.log[chip]
        have = ~np.isnan(log)
        for family in dict.fromkeys(training.algorithms):
            asked, known = np.flatnonzero(have & (names == family)), np.flatnonzero(have & (names != family))
            if not len(asked):
                continue
            vector, width = cost_vector(of, known, log[known], names[known].tolist(), setup.interval.coverage)
            predicted = vector.predict(asked)
            for place, row in enumerate(asked):
                middle, low, high = interval(predicted.mean[place], predicted.deviation[place], width)
                key = (ALGORITHMS, family, COST_VECTOR, 0, metric, target, training.rows[row])
                yield Case(*key, float(training.figures[metric][chip, row]), middle, low, high)
    if metric == "cycles":
        yield from _equation_1_by_references(training)


def cost_vector(
    of: operations.Profile, rows: Indices, logs: Floats, groups: Sequence[str], coverage: float
) -> tuple[operations.CostVector, float]:
    """Fit a chip with the settings that predict its rows best, group by group; return the interval's width
    too.
    """
    fitted = [operations.fit(of, rows, logs, settings) for settings in operations.GRID]
    tested = [one.left_out(groups) for one in fitted]
    best = min(range(len(fitted)), key=lambda index: float(np.abs(tested[index][0]).mean()))
    errors, deviations = tested[best]
    weights = np.array([1 / groups.count(group) for group in groups])
    share = conformal_share(coverage, len(set(groups)))
    return fitted[best], weighted_quantile(np.abs(errors) / deviations, weights, share)


def _equation_1_by_references(training: Training) -> Iterator[Case]:
    asked = np.flatnonzero(training.asked)
    kept = np.array([index for index in asked if training.targets[index] in EQUATION_REFERENCES])
    if not len(kept):
        return
    constants = _bit_cycles(training, kept)
    for chip in map(int, asked):
        if chip in kept:
            continue
        target = training.targets[chip]
        for row, figure in enumerate(training.figures["cycles"][chip]):
            if constants[row] > 0 and not np.isnan(figure):
                predicted = constants[row] / training.chips[chip].word_bits
                family = training.algorithms[row]
                key = (ALGORITHMS, family, EQUATION_1, 0, "cycles", target, training.rows[row])
                yield Case(*key, float(figure), float(predicted))

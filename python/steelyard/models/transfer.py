"""Figures of a chip that was not measured, or only in part, from those of other chips.

Three things are put together. The *prior*: how many instructions of each class a row executes is taken from
the measured chips by kriging over the parameters that shape code (word width, registers, ...), and priced
with the cycles that the chip's data sheet gives; ROM and RAM need no price. The *structure*: how the prior
errs on the measured chips, each predicted without its own family, gives covariances between rows: those that
were seen (low rank) and those of rows whose instruction mixes are alike (a Gaussian process). The
*conditioning*: what was measured of the new chip corrects the other rows through these covariances.

All of it works on natural logarithms of figures. Chips count such that families weigh the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from steelyard.models.training import Chip, Floats, Indices, Training

_SMALLEST = 0.5
"""Added to counts of instructions before a logarithm: a class that a row has not."""
_SLOW_TABLE_CYCLES = 20
"""From here on a read of a constant is priced apart from other loads."""
_TABLE_ENTRY_BYTES = 2
"""Taken for the width of a table's entry: tables of bytes and of words of four are met alike."""


@dataclass(frozen=True)
class Settings:
    """What is chosen by leaving out families of the training set.

    `reach`: distance of parameters at which chips tell half as much; `word`, `room`: prior variance of a
    trend with the word width and with the bytes of registers; `seen`: share of the covariances seen among
    chips, the rest by likeness of instruction mixes at distance `likeness`; `kin`: variance that the rows of
    an algorithm family share with no others; `own`: variance of a row apart from all; `growth`: power of the
    kriging variance with which errors grow; `price`: variance of the logarithm of what an instruction class
    costs.
    """

    reach: float = 4.0
    word: float = 0.3
    room: float = 0.3
    seen: float = 0.5
    likeness: float = 0.5
    kin: float = 0.5
    own: float = 0.1
    growth: float = 0.5
    level_growth: float = 0.5
    price: float = 0.03


GRID: tuple[Settings, ...] = tuple(
    Settings(reach, word, room, seen, growth=growth, level_growth=level)
    for (reach, word, room), seen, growth, level in product(
        ((1.0, 0.3, 0.1), (2.0, 0.3, 0.0), (4.0, 0.3, 0.3), (4.0, 1.0, 0.3)),
        (0.0, 0.5),
        (0.25, 0.5),
        (0.4, 1.0),
    )
)
"""The settings chosen from."""


@dataclass(frozen=True)
class Prediction:
    """Natural logarithms of figures by row, with standard deviations before they are put right by a test."""

    mean: Floats
    deviation: Floats


def code_shape(chip: Chip) -> Floats:
    """The parameters that decide which instructions a compiler takes, in comparable units."""
    return np.array(
        [
            2 * np.log2(chip.word_bits),
            np.log2(chip.registers),
            chip.memory_operands,
            chip.three_operands,
            chip.shift_any,
            chip.rotate_any,
            np.log2(1 + chip.multiply_bits) / 2.5,
        ],
        dtype=float,
    )


def class_cycles(chip: Chip) -> Floats:
    """Clock cycles of an instruction of each of CLASSES, by the data sheet."""
    stall = _fetch_stall(chip)
    parallel = chip.issue_width**0.5
    hidden = 0.6 if chip.three_operands else 1.0
    return np.array(
        [
            chip.alu_cycles / parallel + stall,
            (1 + (chip.load_cycles - 1) * hidden) / parallel + stall,
            chip.store_cycles / parallel + stall,
            1 + stall,
            chip.branch_cycles + 2 * stall,
            chip.call_cycles + 4 * stall,
            max(chip.multiply_cycles, 1) + stall,
        ]
    )


def _fetch_stall(chip: Chip) -> float:
    """By how many cycles the fetch of an instruction is late, on average.

    An instruction cache of 2 KB and more holds a primitive's loop; a prefetch hides half of the waiting.
    """
    if chip.code_cache_bytes >= 2048:
        return 0.0
    if chip.word_bits < 32:
        instruction_bytes = 2.2
    else:
        instruction_bytes = 2.2 if chip.registers <= 8 else 2.7 if chip.rotate_any else 4.0
    cached = 0.7 if chip.code_cache_bytes else 1.0
    ahead = 0.5 if chip.prefetch else 1.0
    return chip.wait_states * instruction_bytes / chip.fetch_bytes * cached * ahead


class Transfer:
    """Predictions of one metric from a training set; intermediate results are kept.

    `groups` names for each chip of the set what is left out with it. `by_parameters` False: chips' parameters
    are not used, a new chip is at first the mean of all.
    """

    def __init__(
        self,
        training: Training,
        metric: str,
        groups: Sequence[str] | None = None,
        *,
        by_parameters: bool = True,
    ) -> None:
        self.training = training
        self.metric = metric
        self.groups = tuple(groups or training.families)
        self.by_parameters = by_parameters
        self.log = np.log(np.maximum(training.figures[metric], 1.0))
        self._priors: dict[tuple[object, ...], tuple[Floats, float]] = {}
        self._priced: dict[tuple[object, ...], Floats] = {}
        self._errors: dict[tuple[object, ...], _Errors] = {}
        self._filled: dict[frozenset[str], Floats] = {}
        self._likeness: dict[frozenset[str], Floats] = {}

    @property
    def priced(self) -> bool:
        """Whether figures are counts of instructions times prices."""
        return self.metric == "cycles" and self.by_parameters

    @cached_property
    def _algorithms(self) -> npt.NDArray[np.str_]:
        return np.array(self.training.algorithms)

    @cached_property
    def _shapes(self) -> Floats:
        return np.array([code_shape(chip) for chip in self.training.chips])

    @cached_property
    def _quantities(self) -> Floats:
        """What is carried over from chip to chip, chips by rows by quantities."""
        if self.priced:
            return np.log(self.training.counts + _SMALLEST)
        return self.log[:, :, None]

    def _kept(self, absent: frozenset[str]) -> Indices:
        return np.array([index for index, group in enumerate(self.groups) if group not in absent])

    def _complete(self, absent: frozenset[str]) -> Floats:
        """The quantities with missing rows of a chip put in from the others, nearest first."""
        if absent not in self._filled:
            kept = self._kept(absent)
            have = ~np.isnan(self.log)
            filled = self._quantities.copy()
            for chip in kept:
                missing = ~have[chip]
                if missing.any() and not missing.all():
                    others = kept[kept != chip]
                    distance = np.abs(self._shapes[others] - self._shapes[chip]).sum(1)
                    weight = np.exp(-distance)[:, None] * have[others]
                    weight = weight / np.maximum(weight.sum(0), 1e-300)
                    near = np.einsum("cr,crq->rq", weight, np.nan_to_num(self._quantities[others]))
                    offset = np.median((self._quantities[chip] - near)[~missing], axis=0)
                    filled[chip][missing] = (near + offset)[missing]
            self._filled[absent] = np.nan_to_num(filled)
        return self._filled[absent]

    def prior(self, chip: Chip, absent: frozenset[str], settings: Settings) -> tuple[Floats, float]:
        """Logarithms of a chip's figures before any is measured, from the groups not absent; its variance."""
        key = (chip, absent, settings.reach, settings.word, settings.room)
        if key not in self._priors:
            self._priors[key] = self._prior(chip, absent, settings)
        return self._priors[key]

    def _prior(self, chip: Chip, absent: frozenset[str], settings: Settings) -> tuple[Floats, float]:
        kept = self._kept(absent)
        quantities = self._complete(absent)[kept]
        if not self.by_parameters:
            weights = self.training.weights[kept]
            return np.einsum("c,crq->r", weights / weights.sum(), quantities), 1.0
        weights, variance = self._krige(chip, kept, settings)
        if self.metric != "cycles":
            return np.einsum("c,crq->rq", weights, quantities)[:, 0], variance
        counts, tables = self.profile(chip, absent, settings)
        cycles = counts @ class_cycles(chip)
        if chip.table_load_cycles > _SLOW_TABLE_CYCLES:
            cycles = cycles + tables / _TABLE_ENTRY_BYTES * chip.table_load_cycles
        return np.log(np.maximum(cycles, 1.0)), variance

    def profile(self, chip: Chip, absent: frozenset[str], settings: Settings) -> tuple[Floats, Floats]:
        """Instructions of each of CLASSES that every row executes on a chip, and bytes it reads of tables."""
        kept = self._kept(absent)
        weights, _ = self._krige(chip, kept, settings)
        counts = np.exp(np.einsum("c,crq->rq", weights, self._complete(absent)[kept]))
        return counts, np.nan_to_num(self.training.tables[kept]).max(axis=0)

    def _krige(self, chip: Chip, kept: Indices, settings: Settings) -> tuple[Floats, float]:
        """Weights of the chips kept, summing to 1, and the variance of what they give for another chip."""
        everyone = np.vstack([self._shapes[kept], code_shape(chip)])
        machines = [*(self.training.chips[index] for index in kept), chip]
        distance = np.abs(everyone[:, None] - everyone[None]).sum(-1)
        word = np.log2([32 / one.word_bits for one in machines])
        room = np.log2([one.registers * one.word_bits / 32 for one in machines])
        kernel = (
            np.exp(-distance / settings.reach)
            + settings.word * np.outer(word, word)
            + settings.room * np.outer(room, room)
        )
        known, towards = kernel[:-1, :-1] + 0.05 * np.eye(len(kept)), kernel[:-1, -1]
        inverse = np.linalg.inv(known)
        ones = inverse.sum(axis=1)
        slack = (1 - towards @ ones) / ones.sum()
        weights = inverse @ towards + ones * slack
        variance = kernel[-1, -1] - towards @ inverse @ towards + slack**2 * ones.sum()
        return weights, float(max(variance, 1e-3))

    def _shares(self, chip: Chip, absent: frozenset[str], settings: Settings) -> Floats:
        """By row, the share of each class, and of reads of tables, in the cycles; nothing without prices."""
        if not self.priced:
            return np.zeros((len(self.training.rows), 1))
        key = (chip, absent, settings.reach, settings.word, settings.room)
        if key not in self._priced:
            counts, tables = self.profile(chip, absent, settings)
            reads = tables / _TABLE_ENTRY_BYTES * chip.table_load_cycles
            cycles = np.column_stack([counts * class_cycles(chip), reads])
            self._priced[key] = cycles / cycles.sum(axis=1, keepdims=True)
        return self._priced[key]

    def errors(self, absent: frozenset[str], settings: Settings) -> _Errors:
        """How the prior errs on each chip kept, predicted without its own group."""
        key = (absent, settings.reach, settings.word, settings.room, settings.growth, settings.level_growth)
        if key not in self._errors:
            kept = self._kept(absent)
            found, levels = [], []
            for chip in kept:
                mean, variance = self.prior(self.training.chips[chip], absent | {self.groups[chip]}, settings)
                error = (self.log[chip] - mean) / variance**settings.growth
                level = np.nanmedian(error)
                levels.append(level * variance ** (settings.growth - settings.level_growth))
                found.append(np.nan_to_num(error - level))
            weights = self.training.weights[kept]
            weights = weights / weights.sum()
            self._errors[key] = _Errors(
                np.array(found) * np.sqrt(weights)[:, None], float(weights @ np.square(levels))
            )
        return self._errors[key]

    def distances(self, absent: frozenset[str]) -> Floats:
        """Squared distances of rows by their shares of instruction classes on wide and narrow machines."""
        if absent not in self._likeness:
            kept = self._kept(absent)
            counts = self._counting._complete(absent)[kept]
            words = np.array([self.training.chips[index].word_bits for index in kept])
            features, totals = [], []
            for word in (32, 16, 8):
                chips = words >= 32 if word == 32 else words == word
                if not chips.any():
                    continue
                weights = self.training.weights[kept][chips]
                mean = np.exp(np.einsum("c,crq->rq", weights / weights.sum(), counts[chips]))
                total = mean.sum(axis=1)
                features.append(np.sqrt(mean / total[:, None]) * (3.0 if word == 32 else 1.5))
                totals.append(np.log(total))
            features += [(total - totals[0])[:, None] for total in totals[1:]]
            table = np.hstack(features)
            self._likeness[absent] = np.square(table[:, None] - table[None]).sum(-1)
        return self._likeness[absent]

    @cached_property
    def _counting(self) -> Transfer:
        """The transfer of counts of instructions, which also other metrics compare rows by."""
        if self.priced:
            return self
        return Transfer(self.training, "cycles", self.groups)

    def predict(
        self,
        chip: Chip,
        measured: Mapping[int, float],
        absent: frozenset[str] = frozenset(),
        settings: Settings | None = None,
    ) -> Prediction:
        """Every row of a chip from its parameters and the figures `measured` of it, by row index."""
        chosen = settings or Settings()
        mean, variance = self.prior(chip, absent, chosen)
        errors = self.errors(absent, chosen)
        rows = len(mean)
        known = np.array(sorted(measured), dtype=int)
        spread = variance ** (2 * chosen.growth)
        typical = float(np.square(errors.by_chip).sum(axis=0).mean())
        seen = errors.by_chip.T @ errors.by_chip[:, known]
        alike = np.exp(-self.distances(absent)[:, known] / (2 * chosen.likeness**2))
        level = errors.level_variance * variance ** (2 * chosen.level_growth) / spread + 0.05 * typical
        towards = level + chosen.seen * seen + (1 - chosen.seen) * typical * alike
        shares = self._shares(chip, absent, chosen) * (chosen.price / spread) ** 0.5
        towards = towards + shares @ shares[known].T
        towards = towards + chosen.kin * typical * (self._algorithms[:, None] == self._algorithms[known])
        diagonal = (
            level
            + chosen.seen * np.square(errors.by_chip).sum(axis=0)
            + typical * (1 - chosen.seen + chosen.kin + chosen.own)
            + np.square(shares).sum(axis=1)
        )
        if not len(known):
            return Prediction(mean, np.sqrt(spread * diagonal))
        inner = towards[known] + chosen.own * typical * np.eye(len(known))
        gain = np.linalg.solve(inner, towards.T).T
        seen_errors = np.log([measured[int(row)] for row in known]) - mean[known]
        left = np.maximum(diagonal - np.einsum("rk,rk->r", gain, towards), 1e-4 * np.ones(rows))
        return Prediction(mean + gain @ seen_errors, np.sqrt(spread * left))


@dataclass(frozen=True)
class _Errors:
    """Errors of the prior by chip and row without the chip's level, times the root of its weight."""

    by_chip: Floats
    level_variance: float = field(default=0.0)

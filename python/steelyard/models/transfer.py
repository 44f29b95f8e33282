"""Predict a chip that was not measured, or only in part, from other chips.

Three things are combined. The *prior*: the number of instructions of each class that a row executes is
interpolated from the measured chips by kriging over the parameters that shape code (word width, registers,
...), and priced with the cycles of the chip's data sheet; ROM and RAM need no price. The *structure*: the
errors of the prior on the measured chips, each predicted without its own family, and the similarity of rows.
The *conditioning*, in `structure`: measurements on the new chip correct the other rows.

All of it works on natural logarithms of figures. Chips are weighted such that families weigh the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from steelyard.models.training import CLASSES, Chip, Floats, Indices, Training

_SMALLEST = 0.5
"""Added to counts of instructions before a logarithm, because a row may lack a class."""
_WIDEST_ENTRY_BYTES = 4.0
"""Width in bytes of the entries of a table that wide machines read at once."""


_NUGGET = 0.05
"""Variance of a single chip in kriging."""
_EVEN = 0.25
"""Power of the kriging variance that makes the errors of near and of far chips comparable."""


@dataclass(frozen=True)
class Carry:
    """A way to interpolate figures between chips.

    `reach`: distance of parameters at which a chip's information halves; `word`, `room`: prior variance of a
    trend with the word width and with the bytes of registers.
    """

    reach: float
    word: float
    room: float


CARRIES: tuple[Carry, ...] = (
    Carry(1.0, 0.3, 0.1),
    Carry(2.0, 0.3, 0.0),
    Carry(4.0, 0.3, 0.3),
    Carry(4.0, 1.0, 0.3),
)
"""Ways that a dozen families cannot distinguish; their mean is taken."""


@dataclass(frozen=True)
class Prediction:
    """Natural logarithms of figures by row, with standard deviations before their calibration by a test."""

    mean: Floats
    deviation: Floats


def code_shape(chip: Chip) -> Floats:
    """Return the parameters that decide which instructions a compiler emits, in comparable units."""
    return np.array(
        [
            2 * np.log2(chip.word_bits),
            np.log2(chip.registers),
            chip.memory_operands,
            chip.three_operands,
            chip.shift_any,
            chip.rotate_any,
            np.log2(1 + chip.multiply_bits) / 2.5,
            chip.compiler == "clang",
        ],
        dtype=float,
    )


def class_cycles(chip: Chip) -> Floats:
    """Return the clock cycles of an instruction of each of CLASSES, by the data sheet."""
    stall = _fetch_stall(chip)
    parallel = chip.issue_width**0.5
    hidden = 0.6 if chip.three_operands else 1.0
    return np.array(
        [
            chip.alu_cycles / parallel + stall,
            chip.alu_cycles / parallel + stall,
            (1 + (chip.load_cycles - 1) * hidden) / parallel + stall,
            chip.store_cycles / parallel + stall,
            1 + stall,
            chip.branch_cycles + 2 * stall,
            chip.call_cycles + 4 * stall,
            max(chip.multiply_cycles, 1) + stall,
        ]
    )


def extra_table_cycles(chip: Chip) -> float:
    """Return the cycles by which loading a constant takes longer than loading from RAM."""
    return max(chip.table_load_cycles - chip.load_cycles, 0.0)


def _fetch_stall(chip: Chip) -> float:
    """Return the average wait in cycles of an instruction fetch.

    An instruction cache of at least 2 KB holds a primitive's loop; a prefetch hides half of the wait.
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
    """Predictions of one metric from a training set; intermediate results are cached.

    `groups` names for each chip of the set the group that is left out with it. If `by_parameters` is False,
    chips' parameters are not used, and a new chip starts as the mean of all.
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
        self._priors: dict[tuple[Chip, frozenset[str]], tuple[Floats, float]] = {}
        self._priced: dict[tuple[Chip, frozenset[str]], Floats] = {}
        self._reads: dict[frozenset[str], Floats] = {}
        self._errors: dict[frozenset[str], Floats] = {}
        self._filled: dict[frozenset[str], Floats] = {}
        self._mixes: dict[frozenset[str], Floats] = {}
        self._totals: dict[frozenset[str], Floats] = {}

    @property
    def priced(self) -> bool:
        """Whether figures are counts of instructions times prices."""
        return self.metric == "cycles" and self.by_parameters

    @cached_property
    def algorithms(self) -> npt.NDArray[np.str_]:
        return np.array(self.training.algorithms)

    @cached_property
    def _shapes(self) -> Floats:
        return np.array([code_shape(chip) for chip in self.training.chips])

    @cached_property
    def _quantities(self) -> Floats:
        """Return the interpolated quantities, chips by rows by quantities."""
        if self.priced:
            return np.log(self.training.counts + _SMALLEST)
        return self.log[:, :, None]

    def _kept(self, absent: frozenset[str]) -> Indices:
        return np.array([index for index, group in enumerate(self.groups) if group not in absent])

    def _complete(self, absent: frozenset[str]) -> Floats:
        """Return the quantities, with missing rows of a chip filled in from the others, nearest first."""
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

    def prior(self, chip: Chip, absent: frozenset[str]) -> tuple[Floats, float]:
        """Return the prior logarithms of a chip's figures from the groups present, and their variance."""
        key = (chip, absent)
        if key not in self._priors:
            self._priors[key] = self._prior(chip, absent)
        return self._priors[key]

    def _prior(self, chip: Chip, absent: frozenset[str]) -> tuple[Floats, float]:
        kept = self._kept(absent)
        quantities = self._complete(absent)[kept]
        if not self.by_parameters:
            weights = self.training.weights[kept]
            return np.einsum("c,crq->r", weights / weights.sum(), quantities), 1.0
        weights, variance = self._krige(chip, kept)
        if self.metric != "cycles":
            return np.einsum("c,crq->rq", weights, quantities)[:, 0], variance
        counts, reads = self.profile(chip, absent)
        cycles = counts @ class_cycles(chip) + reads * extra_table_cycles(chip)
        return np.log(np.maximum(cycles, 1.0)), variance

    def profile(self, chip: Chip, absent: frozenset[str]) -> tuple[Floats, Floats]:
        """Return the instructions of each of CLASSES that a row executes on a chip, and its table reads."""
        kept = self._kept(absent)
        weights, _ = self._krige(chip, kept)
        counts = np.exp(np.einsum("c,crq->rq", weights, self._complete(absent)[kept]))
        return counts, self._table_reads(absent)

    def _table_reads(self, absent: frozenset[str]) -> Floats:
        """Return the table reads by row on a wide machine, 0 if no chip distinguishes them from other loads.

        Chips that do read byte by byte. An entry is assumed to be as many bytes wide as such a chip needs
        loads for one load of a wide machine.
        """
        if absent not in self._reads:
            kept = self._kept(absent)
            quantities, chips = self._complete(absent), self.training.chips
            tables = np.nan_to_num(self.training.tables[kept])
            wide = [index for index in kept if chips[index].word_bits >= 32]
            narrow = kept[tables.any(axis=1)]
            width = np.full(tables.shape[1], _WIDEST_ENTRY_BYTES)
            if len(narrow) and wide:
                load = CLASSES.index("load")
                ratio = quantities[narrow, :, load].mean(axis=0) - quantities[wide, :, load].mean(axis=0)
                width = np.clip(np.exp(ratio), 1.0, _WIDEST_ENTRY_BYTES)
            self._reads[absent] = tables.max(axis=0) / width
        return self._reads[absent]

    def _krige(self, chip: Chip, kept: Indices) -> tuple[Floats, float]:
        """Return the weights of the chips kept, which sum to 1, and the variance of their prediction."""
        everyone = np.vstack([self._shapes[kept], code_shape(chip)])
        machines = [*(self.training.chips[index] for index in kept), chip]
        distance = np.abs(everyone[:, None] - everyone[None]).sum(-1)
        word = np.log2([32 / one.word_bits for one in machines])
        room = np.log2([one.registers * one.word_bits / 32 for one in machines])
        words, rooms = np.outer(word, word), np.outer(room, room)
        found = [
            _kriged(np.exp(-distance / one.reach) + one.word * words + one.room * rooms) for one in CARRIES
        ]
        return np.mean([weights for weights, _ in found], axis=0), float(
            np.mean([variance for _, variance in found])
        )

    def shares(self, chip: Chip, absent: frozenset[str]) -> Floats:
        """Return by row the shares of classes and of table reads in the cycles; nothing without prices."""
        if not self.priced:
            return np.zeros((len(self.training.rows), 1))
        key = (chip, absent)
        if key not in self._priced:
            counts, reads = self.profile(chip, absent)
            cycles = np.column_stack([counts * class_cycles(chip), reads * extra_table_cycles(chip)])
            self._priced[key] = cycles / cycles.sum(axis=1, keepdims=True)
        return self._priced[key]

    def errors(self, absent: frozenset[str]) -> Floats:
        """Return the errors of the prior on each chip kept, predicted without its own group, by chip and row.

        The chip's median error is subtracted; errors are made comparable among chips and weighted.
        """
        if absent not in self._errors:
            kept = self._kept(absent)
            found = []
            for chip in kept:
                mean, variance = self.prior(self.training.chips[chip], absent | {self.groups[chip]})
                error = (self.log[chip] - mean) / variance**_EVEN
                found.append(np.nan_to_num(error - np.nanmedian(error)))
            weights = self.training.weights[kept]
            self._errors[absent] = np.array(found) * np.sqrt(weights / weights.sum())[:, None]
        return self._errors[absent]

    def mixes(self, absent: frozenset[str]) -> Floats:
        """Return squared distances of rows by their shares of instruction classes on wide and narrow
        machines.
        """
        if absent not in self._mixes:
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
            self._mixes[absent] = _squared_distances(np.hstack(features))
        return self._mixes[absent]

    def totals(self, absent: frozenset[str]) -> Floats:
        """Return squared distances of rows by their numbers of instructions on the groups of chips."""
        if absent not in self._totals:
            groups = [group for group in dict.fromkeys(self.groups) if group not in absent]
            counts = np.log(self.training.counts.sum(axis=-1) + _SMALLEST)
            missing = np.isnan(self.log)
            table = np.array(
                [
                    _mean_of_present(counts, missing, np.array([one == group for one in self.groups]))
                    for group in groups
                ]
            ).T
            table = table - np.nanmean(table, axis=1, keepdims=True)
            self._totals[absent] = _squared_distances(np.nan_to_num(table - np.nanmean(table, axis=0)))
        return self._totals[absent]

    @cached_property
    def _counting(self) -> Transfer:
        """Return the transfer of instruction counts, by which other metrics also compare rows."""
        if self.priced:
            return self
        return Transfer(self.training, "cycles", self.groups)


def _kriged(kernel: Floats) -> tuple[Floats, float]:
    """Return weights of all but the last, which sum to 1, and the variance of their prediction."""
    inverse = np.linalg.inv(kernel[:-1, :-1] + _NUGGET * np.eye(len(kernel) - 1))
    towards = kernel[:-1, -1]
    ones = inverse.sum(axis=1)
    slack = (1 - towards @ ones) / ones.sum()
    variance = kernel[-1, -1] - towards @ inverse @ towards + slack**2 * ones.sum()
    return inverse @ towards + ones * slack, float(max(variance, 1e-3))


def _mean_of_present(values: Floats, missing: npt.NDArray[np.bool_], chosen: npt.NDArray[np.bool_]) -> Floats:
    """Return by row the mean over the chosen chips that have it; NaN if none has it."""
    there = ~missing[chosen]
    total = np.where(there, np.nan_to_num(values[chosen]), 0).sum(axis=0)
    return np.asarray(np.where(there.any(axis=0), total / np.maximum(there.sum(axis=0), 1), np.nan))


def _squared_distances(table: Floats) -> Floats:
    return np.asarray(np.square(table[:, None] - table[None]).sum(-1))

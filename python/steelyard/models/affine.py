"""The cost of a build at any message length, from few measured lengths.

An operation handles a message block by block. Its cycles are one constant for the message, one per byte that
is moved singly, and one per block. Designs differ in the blocks they count: whole ones, begun ones, or those
of the padded message. The model has all of these terms at once; least squares of the relative error give no
weight to terms that a build lacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LONGEST_BYTES = 4096
"""The longest message for which a fit is checked."""
PADDING_BYTES = (9, 17)
"""Bytes of a padding's marker and message length (8 or 16 bytes), as in MD5 and the SHA families."""
STREAM_BLOCKS_BYTES = (1, 4, 8, 16, 64)
"""Block sizes that are tried if a primitive names none."""
_EXACT = 1e-9
_FOLLOWS = 0.5
"""Largest error in cycles at which a check length counts as exact."""


@dataclass(frozen=True)
class Affine:
    """Cycles of one operation as a function of the message length.

    `coefficients` are cycles per term of `_terms`, for blocks of `block_bytes`.
    """

    block_bytes: int
    coefficients: tuple[float, ...]

    def cycles(self, message_bytes: int) -> float:
        """Return the predicted cycles for one length, from 0."""
        return float(_terms([message_bytes], self.block_bytes)[0] @ np.array(self.coefficients))

    @property
    def per_message_cycles(self) -> float:
        """Return the cycles of an empty message."""
        return self.cycles(0)

    @property
    def per_block_cycles(self) -> float:
        """Return the cycles of each further block."""
        return (self.cycles(9 * self.block_bytes) - self.cycles(5 * self.block_bytes)) / 4


@dataclass(frozen=True)
class Check:
    """Errors of a fit at lengths outside it; errors are relative, at least 0."""

    lengths: int
    exact: int
    worst_error: float
    worst_bytes: int


def fit_lengths(block_bytes: int) -> tuple[int, ...]:
    """Return the lengths to measure for a fit, in bytes; `block_bytes` is 0 for a stream."""
    sizes = (block_bytes,) if block_bytes else (16, 64)
    found = {0, 1, 2}
    for size in sizes:
        ends = {size - padding for padding in PADDING_BYTES} | {
            size - padding + 1 for padding in PADDING_BYTES
        }
        near = {length for length in ends if length > 0} | {size - 1, size, size + 1, size + size // 2}
        found |= near | {2 * size - 1, 2 * size, 2 * size + 3, 5 * size, 9 * size + size // 3}
    return tuple(sorted(found))


def check_lengths(block_bytes: int, count: int) -> tuple[int, ...]:
    """Return `count` other lengths up to LONGEST_BYTES, spread evenly and over all remainders of a block.

    The lengths are whole blocks if that many are requested as `whole_lengths`.
    """
    golden = (5**0.5 - 1) / 2
    taken = set(fit_lengths(block_bytes))
    spread = (round(index * golden % 1 * LONGEST_BYTES) for index in range(1, 4 * count))
    free = [length for length in dict.fromkeys(spread) if length not in taken]
    return tuple(sorted({*free[: count - 1], LONGEST_BYTES}))


def whole_lengths(lengths: Sequence[int], block_bytes: int) -> tuple[int, ...]:
    """Return these lengths cut to whole blocks, for modes that take no others."""
    return tuple(sorted({length - length % block_bytes for length in lengths}))


def fit(cycles: Mapping[int, float], block_bytes: int) -> Affine:
    """Fit measured cycles by length with the least squares of the relative error.

    ValueError for fewer than two lengths. If `block_bytes` is 0, the block with the smallest error is used,
    the largest of equals.
    """
    if len(cycles) < 2:
        raise ValueError("cycles of at least two lengths are needed")
    sizes = (block_bytes,) if block_bytes else STREAM_BLOCKS_BYTES
    fitted = [_fit(cycles, size) for size in sizes]
    return min(reversed(fitted), key=lambda one: round(_error(one, cycles), 9))


def check(model: Affine, cycles: Mapping[int, float]) -> Check:
    """Compare the model with measured cycles by length, at least one."""
    errors = {length: abs(model.cycles(length) - measured) for length, measured in cycles.items()}
    relative = {length: error / cycles[length] for length, error in errors.items()}
    worst = max(relative, key=relative.__getitem__)
    exact = sum(error <= _FOLLOWS for error in errors.values())
    return Check(len(cycles), exact, 0.0 if exact == len(cycles) else relative[worst], worst)


def _fit(cycles: Mapping[int, float], block_bytes: int) -> Affine:
    lengths = sorted(cycles)
    measured = np.array([cycles[length] for length in lengths])
    terms = _terms(lengths, block_bytes) / measured[:, None]
    coefficients, *_ = np.linalg.lstsq(terms, np.ones(len(lengths)), rcond=_EXACT)
    return Affine(block_bytes, tuple(float(one) for one in coefficients))


def _error(model: Affine, cycles: Mapping[int, float]) -> float:
    return sum((model.cycles(length) / measured - 1) ** 2 for length, measured in cycles.items())


def _terms(lengths: Sequence[int], block_bytes: int) -> Floats:
    """Return a row of terms per length: message, bytes, whole and begun blocks, blocks with padding, any
    byte.
    """
    length = np.asarray(lengths, dtype=float)
    padded = [np.floor((length + padding - 1) / block_bytes) for padding in PADDING_BYTES]
    return np.column_stack(
        [
            np.ones_like(length),
            length,
            np.floor(length / block_bytes),
            np.ceil(length / block_bytes),
            *padded,
            length > 0,
            length >= block_bytes,
        ]
    )

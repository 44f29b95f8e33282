"""Reduce large plants by projection on a Krylov subspace, and measure the error.

x_r = Q x, E_r x_r' = A_r x_r + B_r u, y = Z_r x_r + D u, with Q the transpose of an orthonormal basis V: E_r
= V'EV, A_r = V'AV, B_r = V'B, Z_r = Z V. V spans, for each point s0, the block Krylov space of (A - s0 E)^-1
E and (A - s0 E)^-1 B, so that the first moments (Taylor coefficients of the transfer matrix) at s0 are those
of the plant, one for every block.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import UsageError
from steelyard.scenario.plant import Large, Matrix, Plant, factorised

_DEFLATED = 1e-10
_FREQUENCIES = 24
_STEPS = 240


@dataclass(frozen=True)
class Reduction:
    """A reduced plant; `basis` is V, (n, order), its columns orthonormal.

    Errors are maxima, relative to the largest value of the plant itself: `response_error` of the transfer
    matrix at frequencies up to the fastest of interest, `step_error` of the step response.
    """

    plant: Plant
    basis: Matrix
    full_states: int
    response_error: float
    worst_hz: float
    step_error: float
    seconds: float

    @property
    def sentence(self) -> str:
        """Describe the reduction for a table or a report."""
        return (
            f"{self.full_states} states reduced to {self.plant.order} in {self.seconds:.2f} s; the frequency"
            f" response is off by {self.response_error:.1e} at most (at {self.worst_hz:.3g} Hz),"
            f" the answer to a step by {self.step_error:.1e}."
        )


def reduced(
    plant: Plant, order: int, points: Sequence[complex], slowest_s: float, fastest_s: float
) -> Reduction:
    """Return the plant with `order` states, its moments matched at `points` (1/s).

    A complex point also counts for its conjugate. The errors are determined between the frequencies of
    `slowest_s`, which is also the length of the step response, and `fastest_s`. UsageError if a point is a
    pole of the plant, or `order` is not smaller than the plant's.
    """
    if not 0 < order < plant.order:
        raise UsageError(f"reduce.order is {order}; it has to be less than the {plant.order} states.")
    plant.check_solvable()
    start = time.perf_counter()
    basis = krylov_basis(plant, order, points)
    small = project(plant, basis)
    seconds = time.perf_counter() - start
    response_error, worst = _response_error(plant, small, 2 * np.pi / slowest_s, np.pi / fastest_s)
    return Reduction(
        small, basis, plant.order, response_error, worst / (2 * np.pi),
        _step_error(plant, small, slowest_s), seconds,
    )  # fmt: skip


def project(plant: Plant, basis: Matrix) -> Plant:
    """Project the plant onto the subspace of an orthonormal basis."""
    return replace(
        plant,
        e=basis.T @ (plant.e @ basis),
        a=basis.T @ (plant.a @ basis),
        b=basis.T @ plant.b,
        z=plant.z @ basis,
        states_are_physical=False,
    )


def krylov_basis(plant: Plant, order: int, points: Sequence[complex]) -> Matrix:
    """Return orthonormal columns that span the Krylov spaces of all points; at most `order`.

    Every point has its own Arnoldi process: vectors orthogonalised against another point's would leave its
    space and lose the moments. The processes take turns until there are enough columns.
    """
    if not points:
        raise UsageError("reduce needs a point to expand at.")
    chains = [_arnoldi(plant, complex(point), order) for point in points]
    basis: Matrix = np.zeros((plant.order, 0))
    for vectors in zip_longest(*chains):
        for columns in vectors:
            if columns is not None and basis.shape[1] < order:
                basis = np.hstack([basis, _against(basis, columns)])
    return basis[:, :order]


def _arnoldi(plant: Plant, point: complex, count: int) -> list[Matrix]:
    """Return `count` orthonormal vectors of the point's Krylov space; a complex one as its two real parts."""
    shift = point if point.imag else point.real
    solve = factorised(
        plant.a - shift * plant.e,
        f"the plant has a pole at the point {_said(point)} of reduce; choose another.",
    )
    basis = np.zeros((plant.order, 0), dtype=type(shift))
    block = solve(plant.b.astype(type(shift)))
    while basis.shape[1] < count:
        fresh = _against(basis, block)
        if fresh.shape[1] == 0:
            break
        basis = np.hstack([basis, fresh])
        block = solve(plant.e @ fresh)
    vectors = basis[:, :count].T
    return [np.column_stack([v.real, v.imag] if point.imag else [v]) for v in vectors]


def _said(point: complex) -> str:
    return f"{point.imag / (2 * np.pi):.3g} Hz" if point.imag else f"{point.real:.3g}/s"


def _against(basis: NDArray[Any], block: NDArray[Any]) -> NDArray[Any]:
    """Orthonormalise the block's columns against the basis and each other; dependent ones are dropped."""
    kept = basis
    for column in block.T:
        length = np.linalg.norm(column)
        # Once more, since the first time loses digits where little is left.
        for _ in range(2):
            column = column - kept @ (kept.conj().T @ column)
        rest = np.linalg.norm(column)
        if rest > _DEFLATED * length:
            kept = np.hstack([kept, (column / rest)[:, None]])
    return kept[:, basis.shape[1] :]


def _response_error(plant: Plant, small: Plant, low: float, high: float) -> tuple[float, float]:
    """Return the largest difference over the largest magnitude, and its angular frequency (rad/s)."""
    frequencies = np.geomspace(low, high, _FREQUENCIES)
    full = np.array([plant.response(1j * w) for w in frequencies])
    other = np.array([small.response(1j * w) for w in frequencies])
    differences = np.abs(full - other).max(axis=(1, 2))
    worst = int(differences.argmax())
    return float(differences[worst] / np.abs(full).max()), float(frequencies[worst])


def _step_error(plant: Plant, small: Plant, duration_s: float) -> float:
    """Return the largest difference of the step responses at each input, over the largest response.

    Both are integrated in the same way, so that the integration error cancels.
    """
    full, other = _step_answers(plant, duration_s), _step_answers(small, duration_s)
    return float(np.abs(full - other).max() / np.abs(full).max())


def _step_answers(plant: Plant, duration_s: float) -> Matrix:
    """Return outputs after each of the steps of TR-BDF2 (second order, L-stable), (steps, q, p)."""
    h = duration_s / _STEPS
    gamma = 2 - np.sqrt(2)
    solve: Callable[[Matrix], Matrix] = _implicit(plant, gamma * h / 2)
    x = np.zeros((plant.order, plant.b.shape[1]))
    answers = []
    for _ in range(_STEPS):
        middle = solve(plant.e @ x + gamma * h / 2 * (plant.a @ x + 2 * plant.b))
        before = (middle - (1 - gamma) ** 2 * x) / (gamma * (2 - gamma))
        x = solve(plant.e @ before + gamma * h / 2 * plant.b)
        answers.append(plant.z @ x + plant.d)
    return np.array(answers)


def _implicit(plant: Plant, weight: float) -> Callable[[Matrix], Matrix]:
    shifted: Large = plant.e - weight * plant.a
    solve: Callable[[Matrix], Matrix] = factorised(
        shifted, "the plant grows too fast for its step response to be followed."
    )
    return solve

"""Plants in state space, E x' = A x + B u, y = Z x + D u, and their exact discretisation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from steelyard.errors import UsageError

Matrix = NDArray[np.float64]
Large = Any
"""A sparse array of SciPy in compressed columns, or a dense one."""

STATES_MOST = 300
"""Maximum number of states of a plant that is used directly; larger ones are reduced first."""

_CONDITION_MOST = 1e13


@dataclass(frozen=True)
class Plant:
    """A plant in deviations from an equilibrium; n states, p inputs, q outputs.

    `a` and `e` are (n, n), `b` (n, p), `z` (q, n), `d` (q, p). `operating_input` and `operating_output` are
    the equilibrium; `units` of the outputs and `input_units` are only for tables and plots.
    """

    a: Large
    b: Matrix
    z: Matrix
    d: Matrix
    e: Large
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    input_units: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    operating_input: tuple[float, ...] = ()
    operating_output: tuple[float, ...] = ()
    states_are_physical: bool = field(default=True, compare=False)

    @property
    def order(self) -> int:
        """Number of states."""
        return int(self.a.shape[0])

    def explicit(self) -> tuple[Matrix, Matrix]:
        """Return A and B of x' = A x + B u. UsageError if the plant is too large, or E is singular."""
        if self.order > STATES_MOST:
            raise UsageError(
                f"the plant has {self.order} states, and more than {STATES_MOST} are used reduced only;"
                " give reduce with an order."
            )
        e, a = dense(self.e), dense(self.a)
        self.check_solvable()
        return linalg.solve(e, a), linalg.solve(e, self.b)

    def check_solvable(self) -> None:
        """Check the equations; UsageError if E is singular, that is, if some are not differential."""
        factorised(self.e, "the matrix e is singular; eliminate the algebraic equations.")

    def response(self, s: complex) -> NDArray[np.complex128]:
        """Return the transfer matrix at s, (q, p). UsageError at a pole."""
        solved = factorised(complex(s) * self.e - self.a, f"s = {s:.3g} is a pole of the plant.")(self.b + 0j)
        found: NDArray[np.complex128] = self.z @ solved + self.d
        return found

    def static_gain(self) -> Matrix:
        """Return the transfer matrix at rest, (q, p). UsageError if the plant integrates."""
        return np.real(self.response(0))


def make_plant(
    a: Any,
    b: Any,
    z: Any,
    d: Any = None,
    e: Any = None,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    input_units: Sequence[str] = (),
    units: Sequence[str] = (),
    operating_input: Sequence[float] = (),
    operating_output: Sequence[float] = (),
) -> Plant:
    """Build a plant of matrices after checking shapes and values; UsageError in one sentence otherwise.

    A missing `d` is zero, a missing `e` the identity. Inputs and outputs without names are numbered.
    """
    a = _large("a", a)
    n = a.shape[0]
    if a.shape != (n, n) or n == 0:
        raise UsageError(f"the matrix a is {a.shape[0]} by {a.shape[1]}; it has to be square.")
    b, z = _small("b", b), _small("z", z)
    p, q = b.shape[1], z.shape[0]
    d = np.zeros((q, p)) if d is None else _small("d", d)
    e = _like(a, n) if e is None else _large("e", e)
    for name, matrix, shape in (("b", b, (n, p)), ("z", z, (q, n)), ("d", d, (q, p)), ("e", e, (n, n))):
        if matrix.shape != shape:
            raise UsageError(
                f"the matrix {name} is {matrix.shape[0]} by {matrix.shape[1]}"
                f" where the others ask for {shape[0]} by {shape[1]}."
            )
    return Plant(
        a, b, z, d, e,
        _names("input", inputs, p),
        _names("output", outputs, q),
        _filled("input unit", input_units, p, ""),
        _filled("unit", units, q, ""),
        _filled("operating input", operating_input, p, 0.0),
        _filled("operating output", operating_output, q, 0.0),
    )  # fmt: skip


def _names(what: str, names: Sequence[str], count: int) -> tuple[str, ...]:
    found = tuple(names) or tuple(f"{what}-{index + 1}" for index in range(count))
    if len(found) != count or len(set(found)) != count:
        raise UsageError(f"{', '.join(found)} are given where {count} different names of {what}s are needed.")
    return found


def _filled(what: str, values: Sequence[Any], count: int, default: Any) -> tuple[Any, ...]:
    if values and len(values) != count:
        raise UsageError(f"{len(values)} values of {what} are given for {count}.")
    return tuple(values) or (default,) * count


def _large(name: str, matrix: Any) -> Large:
    if sparse.issparse(matrix):
        found: Large = sparse.csc_array(matrix, dtype=float)
        values = found.data
    else:
        found = values = _array(name, matrix)
    _check_finite(name, values)
    return found


def _small(name: str, matrix: Any) -> Matrix:
    found = matrix.toarray() if sparse.issparse(matrix) else _array(name, matrix)
    _check_finite(name, found)
    return found


def _array(name: str, matrix: Any) -> Matrix:
    try:
        found = np.array(matrix, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(f"the matrix {name} has rows of different lengths, or is not of numbers.") from None
    if found.ndim != 2 or found.size == 0:
        raise UsageError(f"the matrix {name} is to be given as rows of numbers.")
    return found


def _check_finite(name: str, values: Matrix) -> None:
    if not np.all(np.isfinite(values)):
        raise UsageError(f"the matrix {name} holds a value that is not finite.")


def _like(a: Large, n: int) -> Large:
    return sparse.csc_array(sparse.eye_array(n)) if sparse.issparse(a) else np.eye(n)


def dense(matrix: Large) -> Matrix:
    """Return the matrix as a dense array."""
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


def factorised(matrix: Large, problem: str) -> Any:
    """Return a function that solves with the matrix; UsageError with the text `problem` if it is singular."""
    if sparse.issparse(matrix):
        from scipy.sparse.linalg import splu

        # Rows of one size, for the same reason as in _is_singular.
        scale = abs(matrix).max(axis=1).toarray().ravel()
        if np.any(scale == 0):
            raise UsageError(problem)
        try:
            factors = splu(sparse.csc_array(sparse.diags_array(1 / scale) @ matrix))
        except RuntimeError:
            raise UsageError(problem) from None
        pivots = np.abs(factors.U.diagonal())
        if pivots.min() <= pivots.max() / _CONDITION_MOST:
            raise UsageError(problem)
        return lambda right: factors.solve(right / scale[:, None])
    if _is_singular(matrix):
        raise UsageError(problem)
    pair = linalg.lu_factor(matrix)
    return lambda right: linalg.lu_solve(pair, right)


def _is_singular(matrix: Matrix) -> bool:
    scale = np.abs(matrix).max(axis=1, keepdims=True)
    # Rows of states in different units differ by orders of magnitude, which says nothing of singularity.
    return bool(np.any(scale == 0)) or bool(np.linalg.cond(matrix / scale) > _CONDITION_MOST)


class Discrete(NamedTuple):
    """x(k+1) = phi x(k) + late u(k-d) + later u(k-d-1), with d = `periods` and the plant's y = Z x + D u.

    `later` is the effect of the previous command in the first part of a period; zero without a fraction.
    """

    phi: Matrix
    late: Matrix
    later: Matrix
    periods: int


def discretise(plant: Plant, period_s: float, delay_s: float = 0.0) -> Discrete:
    """Sample the plant each `period_s` exactly, with inputs held and delayed by `delay_s`.

    The input is constant except for one change in a period, so the solution combines the linear differential
    equation over its two parts.
    """
    motion = Motion(plant)
    periods, fraction_s = split_delay(delay_s, period_s)
    before, after = motion.over(fraction_s), motion.over(period_s - fraction_s)
    return Discrete(after.phi @ before.phi, after.gamma, after.phi @ before.gamma, periods)


def split_delay(delay_s: float, period_s: float) -> tuple[int, float]:
    """Return whole periods and the rest; a rest from rounding alone is zero."""
    periods = int(delay_s / period_s + 1e-9)
    return periods, max(0.0, delay_s - periods * period_s)


class Transition(NamedTuple):
    """x(t + dt) = phi x(t) + gamma u for a constant u."""

    phi: Matrix
    gamma: Matrix


class Motion:
    """Motion of the plant while its inputs are constant; known time spans are looked up."""

    def __init__(self, plant: Plant) -> None:
        self._a, self._b = plant.explicit()
        self._known: dict[float, Transition] = {}

    def over(self, span_s: float) -> Transition:
        """Return the transition over a time span, from the exponential of [[A, B], [0, 0]]."""
        known = self._known.get(span_s)
        if known is None:
            n, p = self._b.shape
            block = np.zeros((n + p, n + p))
            block[:n, :n], block[:n, n:] = self._a, self._b
            with np.errstate(over="ignore", invalid="ignore"):
                power = linalg.expm(block * span_s)
            if not np.all(np.isfinite(power)):
                raise UsageError(
                    f"the plant grows beyond all numbers in {span_s:.3g} s; a shorter period is needed."
                )
            known = self._known[span_s] = Transition(power[:n, :n], power[:n, n:])
        return known

    def poles(self) -> NDArray[np.complex128]:
        """Return the eigenvalues of the plant, 1/s."""
        found: NDArray[np.complex128] = linalg.eigvals(self._a).astype(complex)
        return found

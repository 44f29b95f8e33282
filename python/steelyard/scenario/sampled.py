"""A sampled controller in the loop with a plant: its motion instant by instant, and its stability.

In each period the plant is sampled, the controller computes a command at once, and the command reaches the
actuator a latency later; the actuator holds its value. Of two commands the one of the later sample counts,
however late the other comes. A lost sample changes neither controller nor actuator. A command that arrives at
the instant of a sample takes effect after it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from steelyard.scenario.control import Controller
from steelyard.scenario.plant import Matrix, Motion, Plant

# Two instants closer than this part of a period are one.
_INSTANT = 1e-9
_DIGITS = 9


@dataclass
class _State:
    """One or more solutions side by side, one column each; `pending` are (arrival, sample, command)."""

    x: Matrix
    inputs: Matrix
    c: Matrix
    pending: list[tuple[float, int, Matrix]]
    in_force: float = -math.inf


@dataclass(frozen=True)
class Instant:
    """Values at a time: the output, and the command in force after it; deviations."""

    time_s: float
    output: float
    control: float


class SampledLoop:
    """A plant, its controller, and the input and output of the loop."""

    def __init__(self, plant: Plant, controller: Controller, control: int, output: int) -> None:
        self.plant, self.controller = plant, controller
        self.control, self.output = control, output
        self.motion = Motion(plant)

    @property
    def period_s(self) -> float:
        """Time between two samples."""
        return self.controller.period_s

    def follow(
        self,
        latency_s: tuple[float, ...],
        *,
        setpoint: float,
        disturbance: tuple[int, float, float] | None,
        duration_s: float,
        parts: int,
        stop_at: float,
    ) -> Iterator[Instant]:
        """Follow the loop from rest, with a set point step at the start; at least `parts` instants per
        period.

        `latency_s` is repeated. `disturbance` is an input, its step and its time. It ends early once the
        output exceeds `stop_at`.
        """
        h = self.period_s
        state = self._at_rest()
        column = self.plant.d[self.output]
        yield Instant(0.0, 0.0, 0.0)
        for k in range(math.ceil(duration_s / h - _INSTANT)):
            marks = [(index + 1) / parts for index in range(parts)]
            begins = None
            if disturbance is not None:
                begins = disturbance[2] / h - k
                if 0 <= begins < 1:
                    marks = sorted({*marks, begins})
                else:
                    begins = None
            for at in self._period(state, k, latency_s[k % len(latency_s)], setpoint, marks, linear=False):
                if disturbance is not None and at == begins:
                    state.inputs[disturbance[0]] = disturbance[1]
                seen = float(self.plant.z[self.output] @ state.x[:, 0] + column @ state.inputs[:, 0])
                yield Instant((k + at) * h, seen, float(state.inputs[self.control, 0]))
                if abs(seen) > stop_at:
                    return

    def monodromy(self, latency_s: tuple[float, ...]) -> Matrix:
        """Return the matrix by which one round of latencies multiplies the state, pending commands included.

        Its eigenvalues tell exactly whether the loop is stable if the latencies repeat for ever.
        """
        h, rounds = self.period_s, len(latency_s)
        n, c = self.plant.order, self.controller.states
        # Commands made before the round: those on their way in it, and the newest that has arrived.
        longest = max((one for one in latency_s if one < math.inf), default=0.0)
        made = [
            (latency_s[-back % rounds] / h - back, -back)
            for back in range(1, int(longest / h + _INSTANT) + rounds + 1)
            if latency_s[-back % rounds] < math.inf
        ]
        on_way = [one for one in made if one[0] > -_INSTANT]
        size = n + 1 + c + len(on_way)
        whole = np.eye(size)
        state = _State(
            x=whole[:n],
            inputs=np.zeros((self.plant.b.shape[1], size)),
            c=whole[n + 1 : n + 1 + c],
            pending=[
                (max(0.0, at), sample, whole[n + 1 + c + index]) for index, (at, sample) in enumerate(on_way)
            ],
            in_force=max((sample for at, sample in made if at <= -_INSTANT), default=-math.inf),
        )
        state.pending.sort(key=lambda one: one[:2])
        state.inputs[self.control] = whole[n]
        for k in range(rounds):
            for _ in self._period(state, k, latency_s[k], 0.0, [1.0], linear=True):
                pass
        by_sample = {sample - rounds: command for _, sample, command in state.pending}
        none = np.zeros(size)
        # A command that was overtaken has no effect any more, and so its place is left empty.
        left = [by_sample.get(sample, none) for _, sample in on_way]
        return np.vstack([state.x, state.inputs[self.control], state.c, *left])

    def radius(self, latency_s: tuple[float, ...]) -> float:
        """Return the long-term factor of a deviation per period; the loop is stable below 1."""
        with np.errstate(over="ignore", invalid="ignore"):
            matrix = self.monodromy(latency_s)
        if not np.all(np.isfinite(matrix)):
            return math.inf
        eigenvalues = linalg.eigvals(matrix)
        return float(np.abs(eigenvalues).max() ** (1 / len(latency_s)))

    def loop_gain(self, frequencies_rad_s: NDArray[np.float64], latency_s: float) -> NDArray[np.complex128]:
        """Return the gain of the loop opened at the actuator, at these frequencies, for the Nyquist
        criterion.

        It is exact for the sampled plant with its delay and the controller, up to pi / period.
        """
        from steelyard.scenario.plant import discretise

        h, k = self.period_s, self.controller
        sampled = discretise(self.plant, h, latency_s)
        late, later = sampled.late[:, self.control], sampled.later[:, self.control]
        n = self.plant.order
        found = np.empty(len(frequencies_rad_s), dtype=complex)
        for index, frequency in enumerate(frequencies_rad_s):
            z = np.exp(1j * frequency * h)
            delay = z ** (-sampled.periods)
            x = np.linalg.solve(z * np.eye(n) - sampled.phi, (late + later / z) * delay)
            # The sample is taken before the command of its own period can be in force.
            m = k.measured @ x + k.through * delay / z
            inner = np.linalg.solve(z * np.eye(k.states) - k.f, k.g @ m) if k.states else np.zeros(0)
            found[index] = -(k.h @ inner + k.j @ m)
        return found

    def _at_rest(self) -> _State:
        return _State(
            x=np.zeros((self.plant.order, 1)),
            inputs=np.zeros((self.plant.b.shape[1], 1)),
            c=np.zeros((self.controller.states, 1)),
            pending=[],
        )

    def _period(
        self, state: _State, k: int, latency_s: float, setpoint: float, marks: list[float], *, linear: bool
    ) -> Iterator[float]:
        """Follow one period from its sample; `marks` are parts of it, the last 1, at which to record."""
        if latency_s < math.inf:
            command = self._sample(state, setpoint, linear=linear)
            state.pending.append((latency_s / self.period_s, k, command))
            state.pending.sort(key=lambda one: one[:2])
        now = 0.0
        for mark in marks:
            while state.pending and state.pending[0][0] < min(mark + _INSTANT, 1 - _INSTANT):
                at, sample, command = state.pending.pop(0)
                now = self._move(state, now, max(now, at))
                if sample > state.in_force:
                    state.inputs[self.control], state.in_force = command, sample
            now = self._move(state, now, mark)
            yield mark
        state.pending = [(at - 1, sample, command) for at, sample, command in state.pending]

    def _move(self, state: _State, now: float, then: float) -> float:
        span = round(then - now, _DIGITS)
        if span > 0:
            transition = self.motion.over(span * self.period_s)
            state.x = transition.phi @ state.x + transition.gamma @ state.inputs
        return then

    def _sample(self, state: _State, setpoint: float, *, linear: bool) -> Matrix:
        """Return the controller's command, and its state for the next period."""
        k = self.controller
        m = k.measured @ state.x + np.outer(k.through, state.inputs[self.control])
        wanted = k.h @ state.c + k.j @ m + k.j_r * setpoint
        command = wanted if linear else np.clip(wanted, k.minimum, k.maximum)
        state.c = k.f @ state.c + k.g @ m + (k.g_r * setpoint)[:, None] + np.outer(k.w, command - wanted)
        found: Matrix = command
        return found

"""Controllers as linear systems sampled each period, with the limits of their actuator.

With the measured vector m and the set point r: v = H c + J m + J_r r, u = v within the limits, and then
c(k+1) = F c + G m + G_r r + W (u - v); the last term is the anti-windup.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from scipy import linalg

from steelyard.errors import UsageError
from steelyard.scenario.plant import Matrix, Plant
from steelyard.scenario.tables import Pid, StateFeedback

Vector = Matrix


@dataclass(frozen=True)
class Controller:
    """A controller sampled each `period_s`; c states, measured values m = measured x + through u, input u.

    `f` (c, c), `g` (c, m), `g_r` (c), `h` (c), `j` (m), `j_r`, `w` (c); limits are deviations too.
    """

    period_s: float
    f: Matrix
    g: Matrix
    g_r: Vector
    h: Vector
    j: Vector
    j_r: float
    w: Vector
    measured: Matrix
    through: Vector
    minimum: float = -math.inf
    maximum: float = math.inf
    integrates: bool = field(default=False)

    @property
    def states(self) -> int:
        """Number of the controller's own states."""
        return len(self.h)


def make_controller(
    table: Pid | StateFeedback, plant: Plant, period_s: float, control: int, output: int
) -> Controller:
    """Return the controller of a table, for input `control` and output `output` of the plant.

    UsageError if it does not suit the plant.
    """
    low, high = _limits(table, plant.operating_input[control])
    if isinstance(table, Pid):
        made = _pid(table, plant, period_s, control, output)
    else:
        made = _state_feedback(table, plant, period_s, control, output)
    tracking = np.zeros_like(made.w) if not table.anti_windup else made.w
    fields = {name: getattr(made, name) for name in ("f", "g", "g_r", "h", "j", "j_r", "measured", "through")}
    return Controller(
        period_s=period_s, **fields, w=tracking, minimum=low, maximum=high, integrates=made.integrates
    )


def _limits(table: Pid | StateFeedback, operating: float) -> tuple[float, float]:
    low = -math.inf if table.minimum is None else table.minimum - operating
    high = math.inf if table.maximum is None else table.maximum - operating
    if low > 0 or high < 0:
        raise UsageError(
            f"the actuator is at {operating:.4g} when all is at rest, which is not between the controller's"
            " minimum and maximum."
        )
    return low, high


def _pid(table: Pid, plant: Plant, h: float, control: int, output: int) -> Controller:
    """Build a PID; states are the integral, the derivative and the previous measurement, as far as used.

    Backward difference for the derivative, forward for the integral.
    """
    k, ti, td = table.gain, table.integral_time, table.derivative_time
    filtered = td / (td + table.derivative_filter * h)
    c = k * table.derivative_filter * filtered
    integral = [1.0] if ti is not None else []
    derivative = [filtered, c] if td else []
    size = len(integral) + len(derivative)
    f, g = np.zeros((size, size)), np.zeros((size, 1))
    g_r, w = np.zeros(size), np.zeros(size)
    if ti is not None:
        tracking = table.tracking_time or (math.sqrt(ti * td) if td else ti)
        f[0, 0], g[0, 0], g_r[0] = 1.0, -k * h / ti, k * h / ti
        w[0] = min(1.0, h / tracking)
    if td:
        first = len(integral)
        f[first, first : first + 2] = filtered, c
        g[first, 0], g[first + 1, 0] = -c, 1.0
    return Controller(
        period_s=h, f=f, g=g, g_r=g_r, w=w,
        h=np.array(integral + derivative),
        j=np.array([-k - (c if td else 0.0)]),
        j_r=k * table.setpoint_weight,
        measured=plant.z[[output]],
        through=plant.d[[output], control],
        integrates=ti is not None,
    )  # fmt: skip


def _state_feedback(table: StateFeedback, plant: Plant, h: float, control: int, output: int) -> Controller:
    """Build a state feedback; its state is the error's integral, if used; it measures states and output."""
    if not plant.states_are_physical:
        raise UsageError("state-feedback measures every state, and a reduced plant has other ones; use pid.")
    if len(table.gains) != plant.order:
        raise UsageError(f"state-feedback has {len(table.gains)} gains for {plant.order} states.")
    gains, ki = np.array(table.gains), table.integral_gain
    feedforward = table.feedforward
    if feedforward is None:
        feedforward = 0.0 if ki else _feedforward(plant, gains, control, output)
    size = 1 if ki else 0
    tracking = table.tracking_time or 10 * h
    return Controller(
        period_s=h,
        f=np.eye(size),
        g=np.hstack([np.zeros((size, plant.order)), np.full((size, 1), -h)]),
        g_r=np.full(size, h),
        h=np.full(size, ki),
        j=np.append(-gains, 0.0),
        j_r=feedforward,
        w=np.full(size, min(1.0, h / tracking) / ki if ki else 0.0),
        measured=np.vstack([np.eye(plant.order), plant.z[[output]]]),
        through=np.append(np.zeros(plant.order), plant.d[output, control]),
        integrates=bool(ki),
    )


def _feedforward(plant: Plant, gains: Vector, control: int, output: int) -> float:
    """Return the gain that brings the output to the set point at rest: x = 0 = (A - B K) x + B N r."""
    a, b = plant.explicit()
    column = b[:, control]
    closed = a - np.outer(column, gains)
    at_rest = -linalg.solve(closed, column)
    gain = plant.z[output] @ at_rest + plant.d[output, control] * (1 - gains @ at_rest)
    if abs(gain) < 1e-12:
        raise UsageError("the output does not follow the input at rest; give a feedforward.")
    return float(1 / gain)

"""Quality of control of a plant: responses, margins and limits, for the latencies of its computers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import UsageError
from steelyard.nearest import unknown
from steelyard.scenario.control import make_controller
from steelyard.scenario.plant import Plant
from steelyard.scenario.plants import build_plant
from steelyard.scenario.reduce import Reduction, reduced
from steelyard.scenario.sampled import SampledLoop
from steelyard.scenario.tables import Limits, LoopTable, PlantTable

PERIODS_MOST = 200_000
_DELAY_PERIODS_MOST = 400
_SETTLED = 0.02
_RECOVERED = 0.1
_POINTS = 3000
_SHOWN = 600
_FREQUENCIES = 1500
_STABLE = 1 - 1e-9
_DIVERGED = 1e4


@dataclass(frozen=True)
class Timing:
    """Latencies from the sample of a sensor to the actuator, period by period, repeated; infinite is lost."""

    latency_s: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.latency_s or any(math.isnan(one) or one < 0 for one in self.latency_s):
            raise ValueError("latencies are zero or more, and there is one at least")

    @property
    def longest_s(self) -> float | None:
        """The longest latency of a sample that arrives; None if none does."""
        arriving = [one for one in self.latency_s if one < math.inf]
        return max(arriving) if arriving else None

    @property
    def lost_share(self) -> float:
        """Share of the samples that are lost."""
        return sum(one == math.inf for one in self.latency_s) / len(self.latency_s)


@dataclass(frozen=True)
class Outcome:
    """Effect of a timing on a loop.

    `metrics` of an unstable loop are only its margins; None is a metric that does not apply or did not
    happen, and an infinite margin is one that no delay, or no gain, uses up. `response` holds lists of equal
    length, and `axes` the names and units of its output and control.
    """

    stable: bool
    sentence: str | None
    metrics: dict[str, float | None]
    violations: tuple[str, ...]
    response: dict[str, list[float]]
    axes: dict[str, str]

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON; infinite values become null."""
        return {
            "stable": self.stable,
            "sentence": self.sentence,
            "metrics": {
                name: value if value is not None and math.isfinite(value) else None
                for name, value in self.metrics.items()
            },
            "violations": list(self.violations),
            "response": self.response,
            "axes": self.axes,
        }


class Loop:
    """A controller in the loop with a plant."""

    def __init__(
        self, plant: Plant, table: LoopTable, period_s: float, reduction: Reduction | None = None
    ) -> None:
        """Close the loop. UsageError in one sentence if controller, plant and period do not fit."""
        self._table = table
        self._reduction = reduction
        control = _index("input", table.input, plant.inputs)
        output = _index("output", table.output, plant.outputs)
        self._disturbance: tuple[int, float, float] | None = None
        if table.disturbance is not None:
            other = _index("input", table.disturbance.input, plant.inputs)
            if other == control:
                raise UsageError(f"the disturbance comes in at {plant.inputs[other]}, which is the control.")
            self._disturbance = (other, table.disturbance.step, table.disturbance.at)
        if table.duration / period_s > PERIODS_MOST:
            raise UsageError(
                f"duration covers more than {PERIODS_MOST:,} periods of {period_s:.3g} s; make it shorter."
            )
        controller = make_controller(table.controller, plant, period_s, control, output)
        self._sampled = SampledLoop(plant, controller, control, output)

    @staticmethod
    def build(plant: PlantTable, table: LoopTable, period_s: float, folder: Path) -> Loop:
        """Build the loop of a scene's tables, with its plant reduced if requested; `folder` is the scene's.

        UsageError in one sentence for an invalid table.
        """
        built = build_plant(plant, folder)
        if plant.reduce is None:
            return Loop(built, table, period_s)
        reduction = reduced(
            built, plant.reduce.order, plant.reduce.points, slowest_s=table.duration, fastest_s=period_s
        )
        return Loop(reduction.plant, table, period_s, reduction)

    @property
    def unit(self) -> str:
        """Unit of the output."""
        return self._sampled.plant.units[self._sampled.output]

    @property
    def reduction(self) -> dict[str, Any] | None:
        """Errors caused by reducing the plant."""
        made = self._reduction
        if made is None:
            return None
        return {
            "order": made.plant.order,
            "full_states": made.full_states,
            "max_relative_error": made.response_error,
            "at_hz": made.worst_hz,
            "step_error": made.step_error,
            "seconds": made.seconds,
        }

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Sentences on the plant that its user should know."""
        found = [self._reduction.sentence] if self._reduction else []
        growth = float(np.real(self._sampled.motion.poles()).max())
        if growth > 1e-9:
            found.append(f"The plant alone is unstable: it grows e-fold in {1 / growth:.3g} s.")
        return tuple(found)

    @cached_property
    def critical_delay_s(self) -> float:
        """Constant latency at which the loop becomes unstable; zero if it is unstable without any.

        It is the smallest at which an eigenvalue of the sampled loop, including commands on their way,
        reaches the unit circle. Infinite beyond 400 periods, and if no delay is too long.
        """
        return _critical_delay(self._sampled)

    def evaluate(self, timing: Timing) -> Outcome:
        """Return the loop's outcome with these latencies."""
        longest = timing.longest_s
        lost = {"lost_share": timing.lost_share}
        if longest is None:
            return self._unstable("no sample reaches the actuator.", {"delay_margin_s": None, **lost})
        margins = {
            "delay_margin_s": self.critical_delay_s - longest,
            **self._margins(longest),
            **lost,
        }
        radius = self._sampled.radius(timing.latency_s)
        series = self._follow(timing)
        response = self._response(*series)
        if radius >= _STABLE:
            return self._unstable(self._reason(radius, longest, timing), margins, response)
        metrics = {**self._quality(*series), **margins}
        broken = tuple(_broken(self._table.limits, metrics, self.unit))
        return Outcome(True, None, metrics, broken, response, self._axes())

    def _unstable(
        self, reason: str, margins: dict[str, float | None], response: dict[str, list[float]] | None = None
    ) -> Outcome:
        sentence = f"the loop is unstable: {reason}"
        empty: dict[str, list[float]] = {name: [] for name in ("time_s", "output", "control", "setpoint")}
        nothing: dict[str, float | None] = dict.fromkeys(_QUALITY)
        return Outcome(False, sentence, {**nothing, **margins}, (sentence,), response or empty, self._axes())

    def _axes(self) -> dict[str, str]:
        plant, control = self._sampled.plant, self._sampled.control
        return {
            "output": plant.outputs[self._sampled.output],
            "output_unit": self.unit,
            "control": plant.inputs[control],
            "control_unit": plant.input_units[control],
        }

    def _reason(self, radius: float, longest: float, timing: Timing) -> str:
        if self.critical_delay_s == 0:
            return "it is so without any delay; the controller does not suit the plant."
        if longest >= self.critical_delay_s:
            return f"{longest:.3g} s from sensor to actuator, and {self.critical_delay_s:.3g} s is too much."
        grows = "a deviation grows" + (f" by {radius - 1:.2g} of itself each period" if radius < 1e3 else "")
        if timing.lost_share:
            return f"with {timing.lost_share:.1%} of the samples lost {grows}."
        return f"with latencies that vary so {grows}."

    def _follow(self, timing: Timing) -> tuple[NDArray[np.float64], ...]:
        """Return times, outputs and commands as deviations."""
        table = self._table
        periods = max(1, math.ceil(table.duration / self._sampled.period_s))
        scale = max(abs(table.setpoint_step), self._response_to_disturbance())
        instants = self._sampled.follow(
            timing.latency_s,
            setpoint=table.setpoint_step,
            disturbance=self._disturbance,
            duration_s=table.duration,
            parts=min(16, max(1, _POINTS // periods)),
            stop_at=_DIVERGED * scale,
        )
        rows = np.array([(one.time_s, one.output, one.control) for one in instants])
        return rows[:, 0], rows[:, 1], rows[:, 2]

    def _response_to_disturbance(self) -> float:
        """Return the magnitude of the disturbance's effect, to detect values out of all proportion."""
        if self._disturbance is None:
            return 0.0
        other, step, _ = self._disturbance
        sampled = self._sampled
        moved = sampled.motion.over(sampled.period_s).gamma[:, other] * step
        return float(np.abs(sampled.plant.z[sampled.output] @ moved)) * 1e3 + abs(step) * 1e-9

    def _response(
        self, time: NDArray[np.float64], output: NDArray[np.float64], control: NDArray[np.float64]
    ) -> dict[str, list[float]]:
        """Return the response for plots, in the plant's units and thinned."""
        sampled, plant = self._sampled, self._sampled.plant
        rest = plant.operating_output[sampled.output]
        chosen = _thinned(output, control)
        setpoint = np.full(len(chosen), rest + self._table.setpoint_step)
        columns = {
            "time_s": time[chosen],
            "output": output[chosen] + rest,
            "control": control[chosen] + plant.operating_input[sampled.control],
            "setpoint": setpoint,
        }
        return {name: [float(f"{value:.7g}") for value in column] for name, column in columns.items()}

    def _quality(
        self, time: NDArray[np.float64], output: NDArray[np.float64], control: NDArray[np.float64]
    ) -> dict[str, float | None]:
        """Return the metrics of a stable loop's response; the documentation of scenes defines them."""
        step = self._table.setpoint_step
        rest = self._sampled.plant.operating_output[self._sampled.output]
        spans = np.diff(time)
        error = step - output
        found: dict[str, float | None] = dict.fromkeys(_QUALITY)
        found["iae"] = float(np.trapezoid(np.abs(error), time))
        found["ise"] = float(np.trapezoid(error**2, time))
        found["itae"] = float(np.trapezoid(time * np.abs(error), time))
        found["control_effort"] = float(np.sum(control[:-1] ** 2 * spans))
        found["control_travel"] = float(np.abs(np.diff(control)).sum())
        found["highest"] = float(output.max()) + rest
        found["lowest"] = float(output.min()) + rest
        begins = self._disturbance[2] if self._disturbance else math.inf
        before = time <= begins
        final = step if self._sampled.controller.integrates else float(output[before][-1])
        if step and final:
            found.update(_step_info(time[before], output[before], final))
        if self._disturbance is not None:
            found.update(_recovery(time[~before] - begins, output[~before] - final))
        return found

    def _margins(self, latency_s: float) -> dict[str, float | None]:
        if latency_s >= self.critical_delay_s:
            return {"gain_margin_db": None, "phase_margin_deg": None}
        frequencies = _frequencies(self._sampled.period_s, self._table.duration)
        gain = self._sampled.loop_gain(frequencies, latency_s)
        return _margins(frequencies, gain)


_QUALITY = (
    "overshoot_percent", "settling_s", "rise_s", "highest", "lowest", "iae", "ise", "itae",
    "control_effort", "control_travel", "disturbance_peak", "recovery_s",
)  # fmt: skip


def _index(what: str, name: str | None, names: tuple[str, ...]) -> int:
    if name is None:
        return 0
    if name not in names:
        clause = unknown(f"{what} of the plant", name, names)
        raise UsageError(clause if clause.endswith("?") else f"{clause}.")
    return names.index(name)


def _thinned(output: NDArray[np.float64], control: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return indices to plot: in each stretch the maxima and minima of both, so that no peak is lost."""
    if len(output) <= _SHOWN:
        return np.arange(len(output))
    stretches = np.array_split(np.arange(len(output)), _SHOWN // 4)
    chosen = {0, len(output) - 1}
    for stretch in stretches:
        for values in (output[stretch], control[stretch]):
            chosen |= {int(stretch[values.argmin()]), int(stretch[values.argmax()])}
    return np.array(sorted(chosen))


def _step_info(
    time: NDArray[np.float64], output: NDArray[np.float64], final: float
) -> dict[str, float | None]:
    import control

    info = control.step_info(output, T=time, yfinal=final, SettlingTimeThreshold=_SETTLED)
    pairs = (
        ("overshoot_percent", "Overshoot"), ("settling_s", "SettlingTime"), ("rise_s", "RiseTime"),
    )  # fmt: skip
    return {ours: _or_none(float(info[theirs])) for ours, theirs in pairs}


def _or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _recovery(time: NDArray[np.float64], deviation: NDArray[np.float64]) -> dict[str, float | None]:
    """Return the largest deviation, and the time until it stays below a tenth."""
    sizes = np.abs(deviation)
    peak = float(sizes.max(initial=0.0))
    outside = np.flatnonzero(sizes > _RECOVERED * peak)
    last = int(outside[-1]) + 1 if len(outside) else 0
    return {
        "disturbance_peak": peak,
        "recovery_s": float(time[last]) if last < len(time) else None,
    }


def _frequencies(period_s: float, duration_s: float) -> NDArray[np.float64]:
    nyquist = math.pi / period_s
    return np.geomspace(min(0.1 / duration_s, nyquist / 100), nyquist * (1 - 1e-6), _FREQUENCIES)


def _margins(frequencies: NDArray[np.float64], gain: NDArray[np.complex128]) -> dict[str, float | None]:
    import control

    data = control.frd(gain, frequencies, smooth=True)
    gain_margin, phase_margin, *_ = control.stability_margins(data)
    return {
        "gain_margin_db": 20 * math.log10(gain_margin) if math.isfinite(gain_margin) else math.inf,
        "phase_margin_deg": float(phase_margin),
    }


def _critical_delay(loop: SampledLoop) -> float:
    from scipy.optimize import brentq

    h = loop.period_s
    most = _DELAY_PERIODS_MOST * h

    def growth(latency_s: float) -> float:
        return loop.radius((latency_s,)) - _STABLE

    if growth(0.0) >= 0:
        return 0.0
    # Where the loop gain is one, a delay that turns it to -1 is too much: exactly for whole periods, nearly
    # for others. It says where the eigenvalues are to be looked at.
    frequencies = np.geomspace(1e-6 / h, math.pi / h * (1 - 1e-6), _FREQUENCIES)
    gain = loop.loop_gain(frequencies, 0.0)
    above = np.abs(gain) > 1
    crossings = np.flatnonzero(above[1:] != above[:-1])
    expected = [
        ((np.angle(gain[index]) + math.pi) % (2 * math.pi)) / frequencies[index] for index in crossings
    ]
    if not expected:
        return math.inf
    step = min(max(min(expected) / 4, h / 8), most / 4)
    stable = 0.0
    while stable < most:
        at = min(stable + step, most)
        if growth(at) >= 0:
            return float(brentq(growth, stable, at, xtol=1e-9 * h, rtol=1e-12))
        stable = at
    return math.inf


def _broken(limits: Limits, metrics: dict[str, float | None], unit: str) -> Iterator[str]:
    """Yield a sentence for each violated limit."""
    for name, (metric, scale, text, least) in _LIMITS.items():
        limit = getattr(limits, name)
        value = metrics[metric]
        if limit is None:
            continue
        bound = limit * scale
        wanted = f"at {'least' if least else 'most'} {text(bound, unit)} is asked for"
        label = _LABELS[metric]
        if value is None:
            yield f"the {label} is not reached in the time watched; {wanted}."
        elif (value < bound) if least else (value > bound):
            yield f"the {label} is {text(value, unit)}; {wanted}."


def _seconds(value: float, unit: str) -> str:
    size = abs(value)
    if size >= 1 or size == 0:
        return f"{value:.4g} s"
    return f"{value * 1e3:.4g} ms" if size >= 1e-3 else f"{value * 1e6:.4g} us"


def _of_output(value: float, unit: str) -> str:
    return f"{value:.5g} {unit}".rstrip()


def _in(unit: str) -> Callable[[float, str], str]:
    return lambda value, _: f"{value:.3g} {unit}"


_LABELS = {
    "overshoot_percent": "overshoot",
    "settling_s": "settling time",
    "rise_s": "rise time",
    "highest": "highest output",
    "lowest": "lowest output",
    "disturbance_peak": "deviation after the disturbance",
    "recovery_s": "recovery from the disturbance",
    "iae": "integral of the error's size",
    "gain_margin_db": "gain margin",
    "phase_margin_deg": "phase margin",
    "delay_margin_s": "margin against more delay",
    "lost_share": "share of lost samples",
}
# By limit: its metric, what its value is multiplied with to be the metric's, how it is written, whether it is
# the least that is allowed.
_LIMITS: dict[str, tuple[str, float, Callable[[float, str], str], bool]] = {
    "overshoot": ("overshoot_percent", 100, _in("%"), False),
    "settling": ("settling_s", 1, _seconds, False),
    "rise": ("rise_s", 1, _seconds, False),
    "highest": ("highest", 1, _of_output, False),
    "lowest": ("lowest", 1, _of_output, True),
    "deviation": ("disturbance_peak", 1, _of_output, False),
    "recovery": ("recovery_s", 1, _seconds, False),
    "iae": ("iae", 1, lambda value, unit: f"{value:.4g} {unit} s", False),
    "gain_margin_db": ("gain_margin_db", 1, _in("dB"), True),
    "phase_margin_deg": ("phase_margin_deg", 1, _in("degrees"), True),
    "delay_margin": ("delay_margin_s", 1, _seconds, True),
    "lost": ("lost_share", 1, lambda value, _: f"{value:.2%}", False),
}

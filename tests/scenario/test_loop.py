"""The sampled loop beside python-control alone, closed formulas and itself, and what it says of limits."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import control
import numpy as np
import pytest
from pydantic import ValidationError
from scenario import scenes

from steelyard.errors import UsageError
from steelyard.scenario import sampled
from steelyard.scenario.loop import Loop, Outcome, Timing
from steelyard.scenario.plant import Transition
from steelyard.scenario.tables import DcMotor, LoopTable, StateSpace

H = 0.005
GAIN, INTEGRAL_S = 1.2, 0.03
MOTOR = DcMotor.model_validate(scenes.MOTOR)
INTEGRATOR = StateSpace.model_validate(
    {"kind": "state-space", "a": [[0]], "b": [[1, 1]], "z": [[1]], "inputs": ["flow", "leak"]}
)


def pi(**changes: Any) -> dict[str, Any]:
    return {"kind": "pid", "gain": GAIN, "integral_time": f"{INTEGRAL_S}s", **changes}


def loop_of(plant: Any = MOTOR, h: float = H, **changes: Any) -> Loop:
    fields = {"plant": "one", "setpoint_step": 10, "duration": "500ms", "controller": pi(), **changes}
    return Loop.build(plant, LoopTable.model_validate(fields), h, Path())


def at_samples(outcome: Outcome, h: float, count: int) -> np.ndarray:
    """Outputs at the first samples, of a response that was not thinned."""
    seen = {
        round(t / h, 6): y for t, y in zip(*(outcome.response[n] for n in ("time_s", "output")), strict=True)
    }
    return np.array([seen[float(k)] for k in range(count)])


def sampled_motor() -> Any:
    """The motor's equations written out, sampled by python-control."""
    a = [[-3.07 / 6.57e-3, -0.49 / 6.57e-3], [0.49 / 2e-3, 0]]
    return control.c2d(control.ss(a, [[1 / 6.57e-3], [0]], [[0, 1]], 0), H, "zoh")


def by_python_control(periods: int) -> tuple[Any, Any]:
    """The motor's loop gain and closed loop with a delay of whole periods, made of its own parts alone."""
    plant = sampled_motor()
    z = control.tf([1, 0], [1], H)
    controller = GAIN + GAIN * H / INTEGRAL_S * control.tf([1], [1, -1], H)
    gain = control.minreal(control.ss2tf(plant) * controller * z**-periods, verbose=False)
    return gain, control.feedback(gain, 1)


def check_beside_python_control(periods: int) -> None:
    loop = loop_of(duration="100ms")
    outcome = loop.evaluate(Timing((periods * H,)))
    gain, closed = by_python_control(periods)
    count = 20
    theirs = 10 * control.step_response(closed, np.arange(count) * H).outputs
    np.testing.assert_allclose(at_samples(outcome, H, count), theirs, atol=1e-4)
    gain_margin, phase_margin, *_ = control.stability_margins(gain)
    assert outcome.metrics["gain_margin_db"] == pytest.approx(20 * math.log10(gain_margin), abs=0.01)
    assert outcome.metrics["phase_margin_deg"] == pytest.approx(phase_margin, abs=0.05)
    radius = loop._sampled.radius((periods * H,))
    assert radius == pytest.approx(abs(closed.poles()).max(), rel=1e-5)


@pytest.mark.parametrize("periods", [0, 1, 2])
def test_loop_is_that_of_python_control(periods: int) -> None:
    check_beside_python_control(periods)


@pytest.mark.parametrize("periods", [0, 1])
def test_derivative_is_that_of_python_control(periods: int) -> None:
    time_s, filtered = 0.004, 8
    loop = loop_of(controller=pi(derivative_time=f"{time_s}s", derivative_filter=filtered))
    decay = time_s / (time_s + filtered * H)
    rate = control.tf([1, -1], [1, -decay], H)
    gain = by_python_control(periods)[0]
    proportional = GAIN + GAIN * H / INTEGRAL_S * control.tf([1], [1, -1], H)
    gain = control.minreal(
        gain * (proportional + GAIN * filtered * decay * rate) / proportional, tol=1e-6, verbose=False
    )
    gain_margin, phase_margin, *_ = control.stability_margins(gain)
    metrics = loop.evaluate(Timing((periods * H,))).metrics
    assert metrics["gain_margin_db"] == pytest.approx(20 * math.log10(gain_margin), abs=0.02)
    assert metrics["phase_margin_deg"] == pytest.approx(phase_margin, abs=0.1)
    poles = control.feedback(gain, 1).poles()
    assert loop._sampled.radius((periods * H,)) == pytest.approx(abs(poles).max(), rel=1e-4)


def test_state_feedback_moves_the_poles_as_python_control_has_them() -> None:
    gains = [2.0, 0.5]
    loop = loop_of(controller={"kind": "state-feedback", "gains": gains})
    sampled_plant = sampled_motor()
    closed = np.linalg.eigvals(sampled_plant.A - sampled_plant.B @ np.array([gains]))
    assert loop._sampled.radius((0.0,)) == pytest.approx(abs(closed).max(), rel=1e-9)


def test_what_grows_beyond_all_numbers_is_said() -> None:
    loop = loop_of(INTEGRATOR, 1.0, controller={"kind": "pid", "gain": 1.25}, duration="50s")
    pattern = (0.9, *(2.0 + 0.001 * (k % 7) for k in range(3000)))
    outcome = loop.evaluate(Timing(pattern))
    assert outcome.sentence is not None
    explosive = StateSpace.model_validate({"kind": "state-space", "a": [[900]], "b": [[1]], "z": [[1]]})
    with pytest.raises(UsageError, match="grows beyond all numbers in 1 s; a shorter period"):
        loop_of(explosive, 1.0, duration="5s").evaluate(Timing((0.0,)))


def test_comparison_sees_a_delay_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    follow = sampled.SampledLoop.follow

    def early(self: Any, latency_s: Any, **others: Any) -> Any:
        return follow(self, tuple(max(0.0, one - H) for one in latency_s), **others)

    monkeypatch.setattr(sampled.SampledLoop, "follow", early)
    check_beside_python_control(0)
    with pytest.raises(AssertionError):
        check_beside_python_control(1)


def test_comparison_sees_a_coarse_exponential(monkeypatch: pytest.MonkeyPatch) -> None:
    def euler(self: Any, span_s: float) -> Transition:
        return Transition(np.eye(2) + self._a * span_s, self._b * span_s)

    monkeypatch.setattr(sampled.Motion, "over", euler)
    with pytest.raises((AssertionError, KeyError)):
        check_beside_python_control(1)


def test_response_is_measured_as_python_control_does() -> None:
    outcome = loop_of().evaluate(Timing((0.0,)))
    _, closed = by_python_control(0)
    info = control.step_info(closed, T=np.arange(100) * H)
    assert outcome.metrics["overshoot_percent"] >= info["Overshoot"] - 0.01
    assert outcome.metrics["overshoot_percent"] == pytest.approx(info["Overshoot"], abs=0.5)
    assert outcome.metrics["settling_s"] == pytest.approx(info["SettlingTime"], abs=2 * H)
    assert outcome.metrics["rise_s"] == pytest.approx(info["RiseTime"], abs=2 * H)


def test_fraction_of_a_period_lies_between_whole_ones() -> None:
    loop = loop_of()
    margins = [loop.evaluate(Timing((d * H,))).metrics["phase_margin_deg"] for d in (0, 0.5, 1, 1.5)]
    assert margins == sorted(margins, reverse=True)
    crossing = (margins[0] - margins[2]) / math.degrees(H)
    assert margins[1] == pytest.approx(margins[0] - math.degrees(crossing * H / 2), abs=0.3)


def test_critical_delay_of_an_integrator() -> None:
    """With a gain k and a delay below a period h: z^2 - (1 - k (h - delay)) z + k delay, so delay = 1 / k."""
    loop = loop_of(INTEGRATOR, 1.0, controller={"kind": "pid", "gain": 1.25}, duration="50s")
    assert loop.critical_delay_s == pytest.approx(0.8, abs=1e-8)
    assert loop.evaluate(Timing((0.7,))).metrics["delay_margin_s"] == pytest.approx(0.1, abs=1e-8)
    # Sampled quickly, it is that of the continuous loop, less half a period of the hold.
    quick = loop_of(INTEGRATOR, 0.02, controller={"kind": "pid", "gain": 1}, duration="50s")
    assert quick.critical_delay_s == pytest.approx(math.pi / 2 - 0.01, abs=1e-3)


@pytest.mark.parametrize("delay", [0.3, 1.0, 1.6, 2.0])
def test_critical_delay_parts_stable_from_unstable(delay: float) -> None:
    """For whole and other delays the eigenvalues written out by hand agree."""
    k, h, d = 0.5, 1.0, int(delay)
    fraction = delay - d
    rows = d + 2
    matrix = np.zeros((rows, rows))
    # State: x(k), u(k-1), ..., u(k-d-1); u = -k x.
    command = np.zeros(rows)
    command[0] = -k
    history = [command, *np.eye(rows)[1:]]
    matrix[0, 0] = 1
    matrix[0] += (h - fraction) * history[d] + fraction * history[d + 1]
    matrix[1] = command
    for index in range(2, rows):
        matrix[index, index - 1] = 1
    loop = loop_of(INTEGRATOR, h, controller={"kind": "pid", "gain": k}, duration="50s")
    assert loop._sampled.radius((delay,)) == pytest.approx(abs(np.linalg.eigvals(matrix)).max(), rel=1e-9)


def test_no_delay_is_too_much_for_a_weak_loop() -> None:
    stable = StateSpace.model_validate({"kind": "state-space", "a": [[-1]], "b": [[1]], "z": [[1]]})
    outcome = loop_of(stable, 0.1, controller={"kind": "pid", "gain": 0.5}, duration="9s").evaluate(
        Timing((4.0,))
    )
    assert outcome.stable
    assert outcome.metrics["delay_margin_s"] == math.inf
    assert outcome.to_json()["metrics"]["delay_margin_s"] is None
    json.dumps(outcome.to_json(), allow_nan=False)


@pytest.mark.parametrize(
    "pattern",
    [
        (0.2, 0.9), (2.5, 0.2), (0.0, 2.3, 0.4), (0.3, math.inf), (2.5, 0.2, math.inf, 1.0), (3.4, 1.2),
        (1.0, 0.0, 1.0), (math.inf, math.inf, 0.5),
    ],
)  # fmt: skip
def test_varying_latencies_obey_their_matrix(pattern: tuple[float, ...]) -> None:
    """Commands that are overtaken, on their way at the end of a round, or lost, simulated round by round.

    What a matrix multiplies each round obeys its characteristic polynomial, as Cayley and Hamilton found.
    """
    loop = loop_of(INTEGRATOR, 1.0, controller={"kind": "pid", "gain": 0.9}, duration="50s")
    polynomial = np.poly(loop._sampled.monodromy(pattern))
    duration = 20 * len(pattern)
    instants = loop._sampled.follow(
        pattern, setpoint=1.0, disturbance=None, duration_s=duration, parts=1, stop_at=1e12
    )
    errors = np.array([one.output - 1 for one in instants])[:: len(pattern)]
    assert len(errors) == 21
    stretches = np.lib.stride_tricks.sliding_window_view(errors, len(polynomial))
    assert len(polynomial) > 2
    np.testing.assert_allclose(stretches @ polynomial[::-1], 0, atol=1e-9 * np.abs(errors).max())


def test_every_other_sample_lost_is_half_the_rate() -> None:
    k, h = 0.4, 1.0
    slow = loop_of(INTEGRATOR, 2 * h, controller={"kind": "pid", "gain": k}, duration="30s")
    lossy = loop_of(INTEGRATOR, h, controller={"kind": "pid", "gain": k}, duration="30s")
    assert lossy._sampled.radius((0.3, math.inf)) ** 2 == pytest.approx(slow._sampled.radius((0.3,)))
    outcome = lossy.evaluate(Timing((0.3, math.inf)))
    assert outcome.metrics["lost_share"] == 0.5
    np.testing.assert_allclose(
        at_samples(outcome, 2 * h, 15), at_samples(slow.evaluate(Timing((0.3,))), 2 * h, 15), atol=1e-5
    )


def test_unstable_is_one_sentence() -> None:
    loop = loop_of(
        INTEGRATOR, 1.0, controller={"kind": "pid", "gain": 1.25}, duration="50s", limits={"lost": "1%"}
    )
    late = loop.evaluate(Timing((0.9,)))
    assert not late.stable
    assert late.sentence == "the loop is unstable: 0.9 s from sensor to actuator, and 0.8 s is too much."
    assert late.violations == (late.sentence,)
    assert late.metrics["delay_margin_s"] == pytest.approx(-0.1)
    assert late.metrics["overshoot_percent"] is None
    assert len(late.response["time_s"]) > 20
    lossy = loop.evaluate(Timing((0.1, math.inf)))
    assert lossy.sentence is not None
    assert "with 50.0% of the samples lost a deviation grows" in lossy.sentence
    none = loop.evaluate(Timing((math.inf,)))
    assert none.sentence == "the loop is unstable: no sample reaches the actuator."
    wrong = loop_of(INTEGRATOR, 1.0, controller={"kind": "pid", "gain": -1}, duration="50s").evaluate(
        Timing((0.0,))
    )
    assert wrong.sentence is not None
    assert "the controller does not suit the plant" in wrong.sentence
    json.dumps(wrong.to_json(), allow_nan=False)


def test_unstable_plant_may_be_stabilised() -> None:
    """An inverted pendulum, its angle and speed fed back."""
    pendulum = StateSpace.model_validate(
        {"kind": "state-space", "a": [[0, 1], [20, 0]], "b": [[0], [1]], "z": [[1, 0]]}
    )
    feedback = {"kind": "state-feedback", "gains": [60, 10]}
    loop = loop_of(pendulum, 0.01, setpoint_step=0.1, duration="3s", controller=feedback)
    assert loop.notes == ("The plant alone is unstable: it grows e-fold in 0.224 s.",)
    outcome = loop.evaluate(Timing((0.0,)))
    assert outcome.stable
    assert outcome.response["output"][-1] == pytest.approx(0.1, abs=1e-3)
    assert 0.02 < loop.critical_delay_s < 0.2
    assert not loop.evaluate(Timing((loop.critical_delay_s + 1e-4,))).stable
    assert loop.evaluate(Timing((loop.critical_delay_s - 1e-4,))).stable


def test_state_feedback_with_integral_rejects_a_load() -> None:
    loaded = loop_of(
        controller={"kind": "state-feedback", "gains": [2.0, 0.5], "integral_gain": 20},
        disturbance={"input": "load", "step": 0.2, "at": "250ms"},
    )
    outcome = loaded.evaluate(Timing((0.001,)))
    assert outcome.stable
    assert outcome.response["output"][-1] == pytest.approx(10, abs=0.05)
    assert outcome.metrics["disturbance_peak"] > 0.1
    assert 0 < outcome.metrics["recovery_s"] < 0.25


def test_integrals_of_a_known_response() -> None:
    """An integrator with a gain k, sampled quickly: the error is nearly r exp(-k t).

    Sampled, it falls by 1 - k h each period and straight in between: its integral is r (1 / k - h / 2).
    """
    loop = loop_of(INTEGRATOR, 0.001, setpoint_step=2, controller={"kind": "pid", "gain": 5}, duration="4s")
    metrics = loop.evaluate(Timing((0.0,))).metrics
    assert metrics["iae"] == pytest.approx(2 * (1 / 5 - 0.001 / 2), rel=1e-6)
    assert metrics["ise"] == pytest.approx(4 / 10, rel=5e-3)
    assert metrics["itae"] == pytest.approx(2 / 25, rel=1e-2)
    assert metrics["control_effort"] == pytest.approx(25 * 4 / 10, rel=1e-2)
    assert metrics["control_travel"] == pytest.approx(20, rel=1e-2)
    assert metrics["settling_s"] == pytest.approx(math.log(50) / 5, rel=1e-2)


def test_actuator_keeps_its_limits_and_does_not_wind_up() -> None:
    outcomes = {}
    for anti_windup in (True, False):
        limited = pi(maximum=6.0, minimum=-1.0, anti_windup=anti_windup)
        outcomes[anti_windup] = loop_of(controller=limited, duration="2s").evaluate(Timing((0.001,)))
        assert max(outcomes[anti_windup].response["control"]) == 6.0
    assert outcomes[False].metrics["overshoot_percent"] > 2 + outcomes[True].metrics["overshoot_percent"]


def test_limits_that_are_broken_are_named() -> None:
    limits = {
        "overshoot": "1%", "settling": "20ms", "phase_margin_deg": 89, "delay_margin": "1s", "lost": "50%",
        "highest": 10.1, "rise": "400ms",
    }  # fmt: skip
    broken = loop_of(limits=limits).evaluate(Timing((0.004,))).violations
    assert len(broken) == 5
    assert broken[0].startswith("the overshoot is ")
    assert broken[0].endswith(" %; at most 1 % is asked for.")
    assert any(
        one.startswith("the highest output is 1") and "rad/s; at most 10.1 rad/s" in one for one in broken
    )
    assert any(
        one.startswith("the margin against more delay is ") and "at least 1 s" in one for one in broken
    )
    never = loop_of(duration="20ms", limits={"settling": "19ms"}).evaluate(Timing((0.0,))).violations
    assert never == ("the settling time is not reached in the time watched; at most 19 ms is asked for.",)
    assert loop_of(limits={"overshoot": "90%"}).evaluate(Timing((0.0,))).violations == ()


def test_plots_are_thin_and_keep_their_peaks() -> None:
    outcome = loop_of(duration="5s").evaluate(Timing((0.003,)))
    assert len(outcome.response["time_s"]) <= 700
    assert max(outcome.response["output"]) == pytest.approx(outcome.metrics["highest"], rel=1e-6)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"output": "sped"}, 'did you mean "speed"?'),
        ({"input": "current"}, "unknown input of the plant"),
        ({"disturbance": {"input": "voltage", "step": 1}}, "comes in at voltage, which is the control."),
        ({"duration": "30min"}, "duration covers more than 200,000 periods"),
        ({"controller": {"kind": "state-feedback", "gains": [1]}}, "has 1 gains for 2 states."),
        ({"controller": pi(minimum=1)}, "is not between the controller's minimum and maximum."),
    ],
)
def test_what_does_not_fit_is_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError) as raised:
        loop_of(**changes)
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"setpoint_step": 0}, "nothing happens"),
        ({"disturbance": {"input": "load", "step": 1, "at": "2s"}}, "after the end of duration"),
        ({"controller": pi(minimum=2, maximum=1)}, "minimum is not below its maximum"),
        ({"controller": pi(gain=math.nan)}, "finite number"),
        ({"duration": 5}, "has no unit"),
        (
            {"limits": {"recovery": "1s"}},
            "limits.recovery is of the answer to disturbance, and there is none",
        ),
    ],
)
def test_wrong_tables_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        loop_of(**changes)

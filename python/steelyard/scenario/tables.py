"""Tables of plants, controllers and limits in a scene's file.

Physical parameters are numbers in the unit that ends their name; times carry their unit.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from steelyard.catalog.models import Identifier, Strict
from steelyard.scenario.quantities import Share, Span, Time

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Number = Annotated[float, Field(allow_inf_nan=False)]
Rows = tuple[tuple[Number, ...], ...]


class Reduce(Strict):
    """A plant with fewer states, its moments matched at points on the real axis and at frequencies."""

    order: Annotated[int, Field(ge=1, le=300)]
    at_per_s: tuple[NotNegative, ...] = ()
    at_hz: tuple[Positive, ...] = ()

    @property
    def points(self) -> tuple[complex, ...]:
        """Return the expansion points, 1/s; zero if none is named."""
        named = (*self.at_per_s, *(2j * 3.141592653589793 * f for f in self.at_hz))
        return named or (0.0,)


class _Plant(Strict):
    reduce: Reduce | None = None


class WaterTanks(_Plant):
    """Two tanks, one above the other; a pump fills the upper, which empties into the lower, which empties.

    The outlets obey Torricelli's law; the plant describes small deviations from the equilibrium in which the
    lower tank holds `level_m`. Input `pump` (0 to 1 of `pump_m3_per_s`), disturbance `inflow` into the lower
    tank (m3/s); outputs `level` of the lower and `upper-level` of the upper tank (m). `pump_time_s` is the
    pump's own time constant.
    """

    kind: Literal["water-tanks"]
    upper_area_m2: Positive
    upper_outlet_m2: Positive
    lower_area_m2: Positive
    lower_outlet_m2: Positive
    level_m: Positive
    pump_m3_per_s: Positive
    pump_time_s: NotNegative = 0.0


class DcMotor(_Plant):
    """A motor with a permanent magnet: resistance and inductance, rotor and load as one inertia.

    Input `voltage` (V), disturbance `load` (Nm); outputs `speed` (rad/s) and `current` (A). It runs at
    `speed_rad_per_s` against `load_nm` at rest.
    """

    kind: Literal["dc-motor"]
    resistance_ohm: Positive
    inductance_h: Positive
    torque_constant_nm_per_a: Positive
    inertia_kg_m2: Positive
    friction_nm_s: NotNegative = 0.0
    speed_rad_per_s: Number = 0.0
    load_nm: Number = 0.0


class _Thermal(_Plant):
    """A body warmed by a heater that loses heat to the air by convection, as finite volumes.

    Input `heater` (W), disturbance `ambient` (K), output `temperature` (degrees Celsius) at the sensor;
    `power_w` of the heater and `ambient_c` are those of the equilibrium.
    """

    conductivity_w_per_m_k: Positive
    density_kg_per_m3: Positive
    heat_capacity_j_per_kg_k: Positive
    convection_w_per_m2_k: NotNegative
    power_w: NotNegative = 0.0
    ambient_c: Number = 20.0


class ThermalRod(_Thermal):
    """A rod in `cells` slices, heated at the first one; `sensor_m` is the distance from there."""

    kind: Literal["thermal-rod"]
    length_m: Positive
    cross_section_m2: Positive
    perimeter_m: Positive
    cells: Annotated[int, Field(ge=2, le=20_000)]
    sensor_m: NotNegative

    @model_validator(mode="after")
    def _sensor_on_rod(self) -> Self:
        if self.sensor_m > self.length_m:
            raise _wrong("sensor_m lies beyond the end of the rod")
        return self


class ThermalPlate(_Thermal):
    """A plate in `cells` (along, across); convection from both faces.

    `heater_m` is the heated rectangle (left, lower, right and upper edge), `sensor_m` a position from the
    lower left corner.
    """

    kind: Literal["thermal-plate"]
    length_m: Positive
    width_m: Positive
    thickness_m: Positive
    cells: tuple[Annotated[int, Field(ge=2, le=400)], Annotated[int, Field(ge=2, le=400)]]
    heater_m: tuple[NotNegative, NotNegative, NotNegative, NotNegative]
    sensor_m: tuple[NotNegative, NotNegative]

    @model_validator(mode="after")
    def _places_on_plate(self) -> Self:
        left, lower, right, upper = self.heater_m
        if self.sensor_m[0] > self.length_m or self.sensor_m[1] > self.width_m:
            raise _wrong("sensor_m lies beyond the edge of the plate")
        if not (left < right <= self.length_m and lower < upper <= self.width_m):
            raise _wrong("heater_m is no rectangle on the plate: left, lower, right, upper")
        return self


class StateSpace(_Plant):
    """E x' = A x + B u, y = Z x + D u, its matrices as rows, or in a folder beside the scene's file.

    In the folder a matrix is `a.mtx` (Matrix Market) or `a.csv`, and so on. A missing `e` is the identity, a
    missing `d` zero.
    """

    kind: Literal["state-space"]
    a: Rows | None = None
    b: Rows | None = None
    z: Rows | None = None
    d: Rows | None = None
    e: Rows | None = None
    matrices: str | None = None
    inputs: tuple[Identifier, ...] = ()
    outputs: tuple[Identifier, ...] = ()
    input_units: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    operating_input: tuple[Number, ...] = ()
    operating_output: tuple[Number, ...] = ()

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        rows = (self.a, self.b, self.z, self.d, self.e)
        if self.matrices is not None and any(matrix is not None for matrix in rows):
            raise _wrong("matrices names a folder, so a, b, z, d and e are not given beside it")
        if self.matrices is None and None in rows[:3]:
            raise _wrong("it needs a, b and z, or matrices, a folder that holds them")
        return self


PlantTable = Annotated[
    WaterTanks | DcMotor | ThermalRod | ThermalPlate | StateSpace, Field(discriminator="kind")
]


class Pid(Strict):
    """A PID controller: u = gain (weight r - y + integral of (r - y) / integral_time + filtered derivative).

    The derivative is that of -y, filtered with the time constant derivative_time / derivative_filter.
    `minimum` and `maximum` limit the actuator; with `anti_windup` the integral follows the actuator within
    `tracking_time`.
    """

    kind: Literal["pid"]
    gain: Number
    integral_time: Time | None = None
    derivative_time: Span = 0.0
    derivative_filter: Annotated[float, Field(ge=1, le=1000)] = 10.0
    setpoint_weight: Annotated[float, Field(ge=0, le=1)] = 1.0
    minimum: Number | None = None
    maximum: Number | None = None
    anti_windup: bool = True
    tracking_time: Time | None = None


class StateFeedback(Strict):
    """u = -gains x + integral_gain (integral of r - y) + feedforward r, with all states measured.

    Without an integral, a missing feedforward is chosen such that y reaches r.
    """

    kind: Literal["state-feedback"]
    gains: tuple[Number, ...] = Field(min_length=1)
    integral_gain: Number = 0.0
    feedforward: Number | None = None
    minimum: Number | None = None
    maximum: Number | None = None
    anti_windup: bool = True
    tracking_time: Time | None = None


ControllerTable = Annotated[Pid | StateFeedback, Field(discriminator="kind")]


class Disturbance(Strict):
    """A step of another input of the plant."""

    input: Identifier
    step: Number
    at: Span = 0.0


class Limits(Strict):
    """Limits of a loop; each bounds one of its metrics.

    `highest` and `lowest` bound the output, `deviation` the effect of a disturbance, in the output's unit.
    """

    overshoot: Share | None = None
    settling: Time | None = None
    rise: Time | None = None
    highest: Number | None = None
    lowest: Number | None = None
    deviation: Positive | None = None
    recovery: Time | None = None
    iae: Positive | None = None
    gain_margin_db: NotNegative | None = None
    phase_margin_deg: NotNegative | None = None
    delay_margin: Span | None = None
    lost: Share | None = None


class LoopTable(Strict):
    """A controller in the loop with a plant, its requirements and the duration of its observation.

    `input` and `output` are the plant's, by default the first ones. The set point changes by `setpoint_step`
    at the start.
    """

    plant: Identifier
    input: Identifier | None = None
    output: Identifier | None = None
    setpoint_step: Number = 0.0
    disturbance: Disturbance | None = None
    duration: Time
    controller: ControllerTable
    limits: Limits = Limits()

    @model_validator(mode="after")
    def _something_happens(self) -> Self:
        if not self.setpoint_step and self.disturbance is None:
            raise _wrong("nothing happens: give setpoint_step or disturbance")
        if self.disturbance is not None and self.disturbance.at >= self.duration:
            raise _wrong("the disturbance comes after the end of duration")
        for part, names in (
            ("setpoint_step", ("overshoot", "settling", "rise")),
            ("disturbance", ("deviation", "recovery")),
        ):
            limited = next((name for name in names if getattr(self.limits, name) is not None), None)
            if limited is not None and not getattr(self, part):
                raise _wrong(f"limits.{limited} is of the answer to {part}, and there is none")
        low, high = self.controller.minimum, self.controller.maximum
        if low is not None and high is not None and low >= high:
            raise _wrong("the controller's minimum is not below its maximum")
        return self


def _wrong(said: str) -> PydanticCustomError:
    return PydanticCustomError("scene", "{said}", {"said": said})

"""Plants: matrices checked, discretisation beside python-control, physical parameters beside the physics."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import control
import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError
from scenario import scenes
from scenario.scenes import ALUMINIUM
from scipy import integrate, sparse
from scipy.io import mmwrite

from steelyard.errors import UsageError
from steelyard.scenario.plant import Motion, Plant, discretise, make_plant
from steelyard.scenario.plants import GRAVITY_M_PER_S2, build_plant
from steelyard.scenario.tables import PlantTable

MOTOR = {**scenes.MOTOR, "friction_nm_s": 1e-4, "speed_rad_per_s": 200, "load_nm": 0.5}
TANKS = {
    "kind": "water-tanks", "upper_area_m2": 28e-4, "upper_outlet_m2": 0.071e-4, "lower_area_m2": 28e-4,
    "lower_outlet_m2": 0.071e-4, "level_m": 0.124, "pump_m3_per_s": 25e-6,
}  # fmt: skip
ROD = {
    "kind": "thermal-rod", "length_m": 0.5, "cross_section_m2": 1e-4, "perimeter_m": 0.04, "cells": 400,
    "sensor_m": 0.2, "power_w": 5, **ALUMINIUM,
}  # fmt: skip


def plant_of(table: dict[str, Any], folder: Path = Path()) -> Plant:
    return build_plant(TypeAdapter(PlantTable).validate_python(table), folder)


def python_control(plant: Plant) -> Any:
    a, b = plant.explicit()
    return control.ss(a, b, plant.z, plant.d)


@pytest.mark.parametrize("table", [MOTOR, TANKS, {**TANKS, "pump_time_s": 2.0}])
def test_discretised_as_python_control_does(table: dict[str, Any]) -> None:
    plant = plant_of(table)
    found = discretise(plant, 0.004)
    expected = control.c2d(python_control(plant), 0.004, "zoh")
    np.testing.assert_allclose(found.phi, expected.A, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(found.late, expected.B, rtol=1e-9, atol=1e-14)
    assert not found.later.any()
    assert found.periods == 0


@pytest.mark.parametrize("delay_s", [0.0, 0.003, 0.008, 0.013])
def test_delay_as_at_a_finer_step(delay_s: float) -> None:
    """Python-control, eight or so times as fast, knows only whole steps of delay."""
    plant, h, fine = plant_of(MOTOR), 0.008, 0.001
    u = np.random.default_rng(1).normal(size=25)
    sampled = discretise(plant, h, delay_s)
    x = np.zeros(2)
    ours = []
    for k in range(len(u)):
        ours.append(plant.z @ x)
        now, before = (
            u[k - sampled.periods - back] if k - sampled.periods - back >= 0 else 0 for back in (0, 1)
        )
        x = sampled.phi @ x + sampled.late[:, 0] * now + sampled.later[:, 0] * before
    steps = np.repeat(u, 8)
    late = np.concatenate([np.zeros(round(delay_s / fine)), steps])[: len(steps)]
    quick = control.c2d(python_control(plant)[:, 0], fine, "zoh")
    theirs = control.forced_response(quick, U=late).outputs[:, ::8]
    np.testing.assert_allclose(np.array(ours).T, theirs, atol=1e-9)


def test_poles_are_those_of_python_control() -> None:
    plant = plant_of(MOTOR)
    found = sorted(Motion(plant).poles(), key=abs)
    np.testing.assert_allclose(found, sorted(python_control(plant).poles(), key=abs))


def test_tanks_as_torricelli_has_them() -> None:
    """A small change of the pump on the nonlinear tanks; the difference is of second order."""
    plant = plant_of(TANKS)
    areas, outlets = [TANKS["upper_area_m2"], TANKS["lower_area_m2"]], TANKS["upper_outlet_m2"]
    rest, pump = plant.operating_output[::-1], plant.operating_input[0]
    assert plant.operating_output[0] == TANKS["level_m"]
    change = 0.002

    def flow(_: float, h: np.ndarray) -> list[float]:
        out = outlets * np.sqrt(2 * GRAVITY_M_PER_S2 * h)
        inflow = TANKS["pump_m3_per_s"] * (pump + change)
        return [(inflow - out[0]) / areas[0], (out[0] - out[1]) / areas[1]]

    at_rest = flow(0, np.array(rest))
    assert at_rest[1] == pytest.approx(0, abs=1e-12)
    truth = integrate.solve_ivp(flow, (0, 60), rest, rtol=1e-10, atol=1e-12).y[:, -1]
    step = Motion(plant).over(60)
    linear = rest + step.gamma[:, 0] * change
    np.testing.assert_allclose(truth - rest, linear - rest, rtol=0.01)
    assert abs(truth - rest).max() > 1e-5


def test_motor_balances_torque_and_voltage() -> None:
    plant = plant_of(MOTOR)
    k, r, b = MOTOR["torque_constant_nm_per_a"], MOTOR["resistance_ohm"], MOTOR["friction_nm_s"]
    volts, amperes = plant.operating_input[0], plant.operating_output[1]
    assert k * amperes == pytest.approx(b * 200 + 0.5)
    assert volts == pytest.approx(r * amperes + k * 200)
    gain = plant.static_gain()
    assert gain[0, 0] == pytest.approx(k / (k * k + r * b))
    assert gain[0, 1] == pytest.approx(-r / (k * k + r * b))


def test_rod_as_the_theory_of_fins() -> None:
    """A fin with an insulated end: T(x) = P cosh(m (L - x)) / (k A m sinh(m L))."""
    plant = plant_of(ROD)
    k, area, length = ALUMINIUM["conductivity_w_per_m_k"], ROD["cross_section_m2"], ROD["length_m"]
    m = math.sqrt(ALUMINIUM["convection_w_per_m2_k"] * ROD["perimeter_m"] / (k * area))
    at = (int(ROD["sensor_m"] / length * 400) + 0.5) * length / 400
    expected = 20 + 5 * math.cosh(m * (length - at)) / (k * area * m * math.sinh(m * length))
    assert plant.operating_output[0] == pytest.approx(expected, rel=1e-3)
    assert plant.static_gain()[0, 1] == pytest.approx(1)


def test_plate_heated_across_is_a_rod() -> None:
    plate = plant_of(
        {
            "kind": "thermal-plate",
            "length_m": 0.5,
            "width_m": 0.02,
            "thickness_m": 0.005,
            "cells": [50, 2],
            "heater_m": [0, 0, 0.01, 0.02],
            "sensor_m": [0.21, 0.01],
            "power_w": 5,
            **ALUMINIUM,
        }
    )
    rod = plant_of({**ROD, "cells": 50, "sensor_m": 0.21})
    for s in (0, 1e-3, 0.01j):
        np.testing.assert_allclose(plate.response(s), rod.response(s), rtol=1e-9)


@pytest.mark.parametrize(
    ("matrices", "sentence"),
    [
        ({"a": [[1, 2]]}, "the matrix a is 1 by 2; it has to be square."),
        ({"b": [[1]]}, "the matrix b is 1 by 1 where the others ask for 2 by 1."),
        ({"z": [[1, 2, 3]]}, "the matrix z is 1 by 3 where the others ask for 1 by 2."),
        ({"d": [[1, 2]]}, "the matrix d is 1 by 2 where the others ask for 1 by 1."),
        ({"a": [[1, 2], [3]]}, "the matrix a has rows of different lengths, or is not of numbers."),
        ({"a": []}, "the matrix a is to be given as rows of numbers."),
        ({"a": [[0, math.nan], [0, 0]]}, "the matrix a holds a value that is not finite."),
        ({"inputs": ("x", "x")}, "x, x are given where 1 different names of inputs are needed."),
    ],
)
def test_wrong_matrices_are_one_sentence(matrices: dict[str, Any], sentence: str) -> None:
    good = {"a": [[-1, 0], [1, -2]], "b": [[1], [0]], "z": [[0, 1]]}
    make_plant(**good)
    with pytest.raises(UsageError) as raised:
        make_plant(**{**good, **matrices})
    assert str(raised.value) == sentence


@pytest.mark.parametrize("kind", [np.array, sparse.csc_array])
def test_singular_e_is_one_sentence(kind: Any) -> None:
    plant = make_plant(kind([[-1.0, 0], [1, -2]]), [[1], [0]], [[0, 1]], e=kind([[1.0, 0], [0, 0]]))
    with pytest.raises(UsageError, match="the matrix e is singular"):
        Motion(plant)


def test_units_far_apart_are_not_singular() -> None:
    plant = make_plant([[-1e9, 0], [1, -1e-9]], [[1], [0]], [[0, 1]], e=[[1e6, 0], [0, 1e-9]])
    assert sorted(Motion(plant).poles().real) == pytest.approx([-1e3, -1])


def test_large_plants_are_not_used_as_they_are() -> None:
    with pytest.raises(UsageError, match="400 states, and more than 300 are used reduced only"):
        Motion(plant_of(ROD))


def test_matrices_of_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "furnace"
    folder.mkdir()
    mmwrite(folder / "a.mtx", sparse.csc_array([[-1.0, 0], [1, -2]]))
    (folder / "b.csv").write_text("1\n0\n")
    (folder / "z.csv").write_text("0,1\n")
    table = {"kind": "state-space", "matrices": "furnace", "outputs": ["heat"], "units": ["K"]}
    plant = plant_of(table, tmp_path)
    assert plant.static_gain()[0, 0] == pytest.approx(0.5)
    assert (plant.outputs, plant.units) == (("heat",), ("K",))
    (folder / "z.csv").write_text("0,one\n")
    with pytest.raises(UsageError, match=r"z\.csv: the matrix cannot be read"):
        plant_of(table, tmp_path)
    (folder / "z.csv").unlink()
    with pytest.raises(UsageError, match=r"neither z\.mtx nor z\.csv is in"):
        plant_of(table, tmp_path)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({**MOTOR, "inductance_h": -1}, "greater than 0"),
        ({**MOTOR, "kind": "dc-moter"}, "dc-moter"),
        ({"kind": "state-space", "a": [[1]]}, "it needs a, b and z, or matrices"),
        ({**ROD, "sensor_m": 0.6}, "beyond the end of the rod"),
    ],
)
def test_wrong_tables_are_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        plant_of(table)


def test_impossible_plants_are_one_sentence() -> None:
    with pytest.raises(UsageError, match="the lower tank loses"):
        plant_of({**TANKS, "pump_m3_per_s": 1e-6})
    with pytest.raises(UsageError, match="is not at rest with power_w"):
        plant_of({**ROD, "convection_w_per_m2_k": 0})

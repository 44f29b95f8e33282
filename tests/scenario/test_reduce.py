"""Krylov reduction beside the full model: moments, responses, the error it states, and the loop it is in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import control
import numpy as np
import pytest
from scenario.scenes import ALUMINIUM
from scipy import sparse

from steelyard.errors import UsageError
from steelyard.scenario import reduce
from steelyard.scenario.loop import Loop, Timing
from steelyard.scenario.plant import Plant, dense, make_plant
from steelyard.scenario.plants import build_plant
from steelyard.scenario.reduce import krylov_basis, project, reduced
from steelyard.scenario.tables import LoopTable, ThermalPlate, ThermalRod

LOOP = {
    "plant": "rod", "setpoint_step": 10, "duration": "1500s",
    "controller": {"kind": "pid", "gain": 0.6, "integral_time": "300s", "minimum": 0, "maximum": 60},
}  # fmt: skip


def rod(cells: int, **changes: Any) -> ThermalRod:
    fields = {
        "length_m": 0.3, "cross_section_m2": 1e-4, "perimeter_m": 0.04, "sensor_m": 0.1, "power_w": 5,
        **ALUMINIUM, **changes,
    }  # fmt: skip
    return ThermalRod.model_validate({"kind": "thermal-rod", "cells": cells, **fields})


def plate() -> ThermalPlate:
    fields = {
        "length_m": 0.4, "width_m": 0.25, "thickness_m": 0.01, "cells": [40, 25], "power_w": 200,
        "heater_m": [0.02, 0.05, 0.12, 0.2], "sensor_m": [0.2, 0.125], **ALUMINIUM,
    }  # fmt: skip
    return ThermalPlate.model_validate({"kind": "thermal-plate", **fields})


def oscillators() -> Plant:
    """Masses and springs in a row with some damping, neither symmetric nor diagonal."""
    n = 40
    stiffness = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    a = np.block([[np.zeros((n, n)), np.eye(n)], [-stiffness, -0.1 * np.eye(n) - 0.02 * stiffness]])
    b, z = np.zeros((2 * n, 2)), np.zeros((1, 2 * n))
    b[n, 0], b[n + 7, 1], z[0, 5] = 1, 1, 1
    e = np.eye(2 * n) + 0.1 * np.diag(np.arange(2 * n) / n)
    return make_plant(a, b, z, e=e)


def moments(plant: Plant, point: complex, count: int) -> np.ndarray:
    """Taylor coefficients of the transfer matrix at the point, but for their signs."""
    a, e = dense(plant.a), dense(plant.e)
    shifted = a - point * e
    block = np.linalg.solve(shifted, plant.b)
    found = []
    for _ in range(count):
        found.append(plant.z @ block)
        block = np.linalg.solve(shifted, e @ block)
    return np.array(found)


@pytest.mark.parametrize(
    ("order", "points", "matched"),
    [(12, (0.0,), 6), (12, (0.0, 0.5), 3), (16, (1.0j,), 4), (16, (0.2, 0.8j), 2)],
)
def test_moments_are_the_plant_s(order: int, points: tuple[complex, ...], matched: int) -> None:
    plant = oscillators()
    basis = krylov_basis(plant, order, points)
    assert basis.shape == (plant.order, order)
    np.testing.assert_allclose(basis.T @ basis, np.eye(order), atol=1e-12)
    small = project(plant, basis)
    for point in points:
        full, ours = moments(plant, point, matched + 3), moments(small, point, matched + 3)
        errors = np.abs(full - ours).max(axis=(1, 2)) / np.abs(full).max(axis=(1, 2))
        assert errors[:matched].max() < 1e-7
        assert errors[-1] > 1e-4


def test_plate_of_a_thousand_states() -> None:
    plant = build_plant(plate(), Path())
    found = reduced(plant, 12, (0.0, 0.01), slowest_s=1800, fastest_s=2)
    assert (found.full_states, found.plant.order) == (1000, 12)
    assert found.response_error < 1e-3
    assert found.step_error < 1e-3
    assert found.plant.static_gain() == pytest.approx(plant.static_gain(), rel=1e-9)
    # Heat flows from warm to cold in the reduced plant too: what is symmetric stays stable.
    assert np.linalg.eigvals(np.linalg.solve(found.plant.e, found.plant.a)).real.max() < 0
    # Away from the frequencies at which the error was sought it is no larger than between them.
    between = np.geomspace(2 * np.pi / 1800, np.pi / 2, 61)[1::2]
    largest = max(abs(plant.response(1j * w)).max() for w in between)
    errors = [abs(plant.response(1j * w) - found.plant.response(1j * w)).max() for w in between]
    assert max(errors) / largest < 3 * found.response_error


def test_error_falls_with_the_order() -> None:
    plant = build_plant(rod(100), Path())
    errors = [
        reduced(plant, order, (0.0,), slowest_s=1500, fastest_s=2).response_error for order in (2, 4, 8)
    ]
    assert errors[0] > 3 * errors[1] > 9 * errors[2]


def test_step_error_is_that_of_python_control() -> None:
    plant = build_plant(rod(120), Path())
    found = reduced(plant, 3, (0.0,), slowest_s=600, fastest_s=2)
    time = np.linspace(0, 600, 241)
    answers = []
    for one in (plant, found.plant):
        system = control.ss(*one.explicit(), one.z, one.d)
        answers.append(control.step_response(system, time).outputs)
    error = np.abs(answers[0] - answers[1]).max() / np.abs(answers[0]).max()
    assert found.step_error == pytest.approx(error, rel=0.1)


def test_stated_error_sees_a_wrong_projection(monkeypatch: pytest.MonkeyPatch) -> None:
    plant = build_plant(rod(100), Path())
    assert reduced(plant, 8, (0.0,), slowest_s=1500, fastest_s=2).response_error < 0.01

    def wrong(plant: Plant, basis: np.ndarray) -> Plant:
        return replace(project(plant, basis), e=1.2 * basis.T @ (plant.e @ basis))

    monkeypatch.setattr(reduce, "project", wrong)
    planted = reduced(plant, 8, (0.0,), slowest_s=1500, fastest_s=2)
    assert planted.response_error > 0.03
    assert planted.step_error > 0.03


def test_loop_behaves_as_with_the_full_plant() -> None:
    table = LoopTable.model_validate(LOOP)
    timing = Timing((0.4, 1.7, 0.9))
    full = Loop.build(rod(60), table, 5.0, Path())
    small = Loop.build(rod(60, reduce={"order": 8, "at_per_s": [0.0, 0.02]}), table, 5.0, Path())
    assert full.notes == ()
    assert "60 states reduced to 8" in small.notes[0]
    expected, found = full.evaluate(timing).metrics, small.evaluate(timing).metrics
    assert small.critical_delay_s == pytest.approx(full.critical_delay_s, rel=1e-3)
    for name, value in expected.items():
        assert found[name] == (value if value is None else pytest.approx(value, rel=5e-3, abs=1e-6)), name


def test_what_cannot_be_reduced_is_one_sentence() -> None:
    plant = build_plant(rod(30), Path())
    with pytest.raises(UsageError, match=r"reduce\.order is 30; it has to be less than the 30 states"):
        reduced(plant, 30, (0.0,), slowest_s=1, fastest_s=1)
    insulated = build_plant(rod(30, convection_w_per_m2_k=0, power_w=0), Path())
    with pytest.raises(UsageError, match="the plant has a pole at the point 0/s of reduce; choose another"):
        reduced(insulated, 4, (0.0,), slowest_s=1, fastest_s=1)
    algebraic = replace(plant, e=plant.e - sparse.diags_array(plant.e.diagonal() * (np.arange(30) == 7)))
    with pytest.raises(UsageError, match="the matrix e is singular"):
        reduced(algebraic, 4, (0.0,), slowest_s=1, fastest_s=1)
    assert reduced(insulated, 4, (0.01,), slowest_s=600, fastest_s=10).plant.order == 4


def test_fewer_states_where_there_are_no_more() -> None:
    """The surroundings warm a rod alike everywhere: one state describes that."""
    warmed = build_plant(rod(30), Path())
    alone = replace(warmed, b=warmed.b[:, [1]], d=warmed.d[:, [1]])
    assert reduced(alone, 5, (0.0,), slowest_s=600, fastest_s=10).plant.order == 1

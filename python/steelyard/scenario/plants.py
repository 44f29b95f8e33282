"""Plants from the tables of a scene: physical parameters to E x' = A x + B u, y = Z x + D u."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import singledispatch
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from steelyard.errors import UsageError
from steelyard.nearest import printable
from steelyard.scenario.plant import Matrix, Plant, make_plant
from steelyard.scenario.tables import (
    DcMotor,
    StateSpace,
    ThermalPlate,
    ThermalRod,
    WaterTanks,
)

GRAVITY_M_PER_S2 = 9.80665

_MATRIX_BYTES_MOST = 64 << 20


@singledispatch
def build_plant(table: Any, folder: Path) -> Plant:
    """Build the plant of a table; `folder` contains the matrices of a scene.

    UsageError in one sentence for matrices that do not fit each other.
    """
    raise TypeError(f"{type(table).__name__} is no table of a plant.")


@build_plant.register
def _water_tanks(table: WaterTanks, folder: Path) -> Plant:
    """Linearise A dh/dt = q - a sqrt(2 g h); for a deviation the last term is a sqrt(g / 2 h0)."""
    flow = table.lower_outlet_m2 * math.sqrt(2 * GRAVITY_M_PER_S2 * table.level_m)
    upper_level = (flow / table.upper_outlet_m2) ** 2 / (2 * GRAVITY_M_PER_S2)
    if flow >= table.pump_m3_per_s:
        raise UsageError(
            f"at level_m the lower tank loses {flow:.3g} m3/s, and the pump gives {table.pump_m3_per_s:.3g}."
        )
    upper = table.upper_outlet_m2 * math.sqrt(GRAVITY_M_PER_S2 / (2 * upper_level))
    lower = table.lower_outlet_m2 * math.sqrt(GRAVITY_M_PER_S2 / (2 * table.level_m))
    names: dict[str, Any] = {
        "inputs": ("pump", "inflow"),
        "input_units": ("", "m3/s"),
        "outputs": ("level", "upper-level"),
        "units": ("m", "m"),
        "operating_input": (flow / table.pump_m3_per_s, 0.0),
        "operating_output": (table.level_m, upper_level),
    }
    tanks = np.array([[-upper, 0.0], [upper, -lower]])
    areas = (table.upper_area_m2, table.lower_area_m2)
    if not table.pump_time_s:
        b = [[table.pump_m3_per_s, 0.0], [0.0, 1.0]]
        return make_plant(tanks, b, [[0, 1], [1, 0]], e=np.diag(areas), **names)
    a = np.zeros((3, 3))
    a[:2, :2], a[0, 2], a[2, 2] = tanks, table.pump_m3_per_s, -1
    b = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    return make_plant(a, b, [[0, 1, 0], [1, 0, 0]], e=np.diag((*areas, table.pump_time_s)), **names)


@build_plant.register
def _dc_motor(table: DcMotor, folder: Path) -> Plant:
    """Build L di/dt = V - R i - k w and J dw/dt = k i - b w - load; in SI units k is the same in both."""
    k = table.torque_constant_nm_per_a
    current = (table.friction_nm_s * table.speed_rad_per_s + table.load_nm) / k
    return make_plant(
        [[-table.resistance_ohm, -k], [k, -table.friction_nm_s]],
        [[1, 0], [0, -1]],
        [[0, 1], [1, 0]],
        e=np.diag((table.inductance_h, table.inertia_kg_m2)),
        inputs=("voltage", "load"),
        input_units=("V", "Nm"),
        outputs=("speed", "current"),
        units=("rad/s", "A"),
        operating_input=(table.resistance_ohm * current + k * table.speed_rad_per_s, table.load_nm),
        operating_output=(table.speed_rad_per_s, current),
    )


@build_plant.register
def _thermal_rod(table: ThermalRod, folder: Path) -> Plant:
    slice_m = table.length_m / table.cells
    conduction = table.conductivity_w_per_m_k * table.cross_section_m2 / slice_m
    heated = np.zeros(table.cells)
    heated[0] = 1
    sensor = min(int(table.sensor_m / slice_m), table.cells - 1)
    return _thermal(
        table,
        conduction * _laplacian(table.cells),
        capacity=table.cross_section_m2 * slice_m,
        surface=table.perimeter_m * slice_m,
        heated=heated,
        sensor=sensor,
    )


@build_plant.register
def _thermal_plate(table: ThermalPlate, folder: Path) -> Plant:
    along, across = table.cells
    dx, dy = table.length_m / along, table.width_m / across
    sheet = table.conductivity_w_per_m_k * table.thickness_m
    conduction = sheet * dy / dx * sparse.kron(_laplacian(along), sparse.eye_array(across)) + (
        sheet * dx / dy * sparse.kron(sparse.eye_array(along), _laplacian(across))
    )
    left, lower, right, upper = table.heater_m
    x, y = (np.arange(along) + 0.5) * dx, (np.arange(across) + 0.5) * dy
    inside = np.outer((left <= x) & (x <= right), (lower <= y) & (y <= upper)).ravel().astype(float)
    if not inside.any():
        raise UsageError("no cell of the plate lies under heater_m; give more cells or a larger heater.")
    place = [
        min(int(at / size), most - 1)
        for at, size, most in zip(table.sensor_m, (dx, dy), (along, across), strict=True)
    ]
    return _thermal(
        table,
        conduction,
        capacity=dx * dy * table.thickness_m,
        surface=2 * dx * dy,
        heated=inside / inside.sum(),
        sensor=place[0] * across + place[1],
    )


def _laplacian(cells: int) -> Any:
    """Return differences to the neighbours, none beyond the ends; (cells, cells)."""
    neighbours = np.full(cells, -2.0)
    neighbours[[0, -1]] = -1
    return sparse.diags_array([np.ones(cells - 1), neighbours, np.ones(cells - 1)], offsets=[-1, 0, 1])


def _thermal(
    table: ThermalRod | ThermalPlate,
    conduction: Any,
    *,
    capacity: float,
    surface: float,
    heated: Matrix,
    sensor: int,
) -> Plant:
    """Build C dT/dt = conduction T + heater - loss (T - ambient); volume and surface are one cell's."""
    cells = len(heated)
    loss = table.convection_w_per_m2_k * surface
    seen = np.zeros((1, cells))
    seen[0, sensor] = 1
    stored = table.density_kg_per_m3 * table.heat_capacity_j_per_kg_k * capacity
    plant = make_plant(
        conduction - loss * sparse.eye_array(cells),
        np.column_stack([heated, np.full(cells, loss)]),
        seen,
        e=stored * sparse.eye_array(cells),
        inputs=("heater", "ambient"),
        input_units=("W", "K"),
        outputs=("temperature",),
        units=("°C",),
    )
    at_rest = table.ambient_c
    if table.power_w:
        if not loss:
            raise UsageError("what loses no heat is not at rest with power_w; give convection_w_per_m2_k.")
        at_rest += table.power_w * float(plant.static_gain()[0, 0])
    return make_plant(
        plant.a, plant.b, plant.z, e=plant.e,
        inputs=plant.inputs, input_units=plant.input_units, outputs=plant.outputs, units=plant.units,
        operating_input=(table.power_w, 0.0), operating_output=(at_rest,),
    )  # fmt: skip


@build_plant.register
def _state_space(table: StateSpace, folder: Path) -> Plant:
    given = {name: getattr(table, name) for name in ("a", "b", "z", "d", "e")}
    if table.matrices is not None:
        given = {
            name: _read_matrix(folder / table.matrices, name, needed=name in ("a", "b", "z"))
            for name in given
        }
    return make_plant(
        **given,
        inputs=table.inputs,
        outputs=table.outputs,
        input_units=table.input_units,
        units=table.units,
        operating_input=table.operating_input,
        operating_output=table.operating_output,
    )


def _market(path: Path) -> Any:
    from scipy.io import mmread

    found = mmread(path)
    return sparse.csc_array(found) if sparse.issparse(found) else found


_READERS: dict[str, Callable[[Path], Any]] = {
    ".mtx": _market,
    ".csv": lambda path: np.loadtxt(path, delimiter=",", ndmin=2),
}


def _read_matrix(folder: Path, name: str, *, needed: bool) -> Any:
    path = next(
        (folder / (name + ending) for ending in _READERS if (folder / (name + ending)).exists()), None
    )
    if path is None:
        if needed:
            raise UsageError(f"neither {name}.mtx nor {name}.csv is in {printable(str(folder))}.")
        return None
    try:
        if path.stat().st_size > _MATRIX_BYTES_MOST:
            raise UsageError(f"{path}: the matrix is larger than {_MATRIX_BYTES_MOST >> 20} MiB.")
        return _READERS[path.suffix](path)
    except (OSError, ValueError, TypeError, IndexError):
        raise UsageError(f"{path}: the matrix cannot be read.") from None

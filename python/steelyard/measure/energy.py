"""Energy of a run: by a chip's supply current, or by the events of its core.

`docs/energy.md` has the models, their sources and errors.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from steelyard.catalog.models import Chip, EnergyEvent, EnergyForm, EnergyModel, EventEnergy
from steelyard.machine import Events
from steelyard.record.schema import Record

WINDOWS = 64
"""Windows into which a call is divided for its power over time, at most one more."""
LEAST_WINDOW_CYCLES = 16
"""Cycles of a window: an instruction or two would be noise."""

Counts = Mapping[EnergyEvent, float]
"""Events of a run by name."""


class Energy(NamedTuple):
    """Nanojoules of a run, with their bounds and the larger error in percent.

    `simulated_nj` and `shares`, of 1 by part, are those of the form that divides by part; None without it.
    """

    nj: float
    low_nj: float
    high_nj: float
    error_percent: float
    simulated_nj: float | None = None
    shares: Mapping[str, float] | None = None


def energy(chip: Chip, record: Record) -> Energy | None:
    """Return the energy of a record's cycles and events; None on a chip without a model.

    A form by events needs them counted: None of it where they are not.
    """
    cycles = record["cycles"]
    assert isinstance(cycles, float)
    if chip.event_energy is not None and chip.energy_supply_v is not None:
        counts = counted(record)
        return None if counts is None else by_events(chip.event_energy, chip.energy_supply_v, counts)
    if chip.energy is None:
        return None
    return by_current(chip.energy, cycles, record["memory_stall_cycles"])


def by_current(model: EnergyModel, cycles: float, stall_cycles: object = None) -> Energy:
    """Return the energy of clock cycles, in `stall_cycles` of which the core waited for memory.

    The model's figures hold for its own clock; at another clock a cycle costs the same.
    """
    waited = (
        float(stall_cycles) if model.stall_ma is not None and isinstance(stall_cycles, int | float) else 0.0
    )
    charge_mas = (cycles - waited) * model.active_ma + waited * (model.stall_ma or 0.0)
    energy_nj = charge_mas * model.supply_v / model.clock_hz * 1e6
    factor = 1 + model.error_percent / 100
    return Energy(energy_nj, energy_nj / factor, energy_nj * factor, model.error_percent)


def by_events(model: EventEnergy, supply_v: float, counts: Counts) -> Energy:
    """Return the energy of events."""
    energy_nj = _sum(by_part(model.measured, supply_v, counts))
    error_percent = 100 * max(1 - model.low_factor, model.high_factor - 1)
    bounds = (energy_nj * model.low_factor, energy_nj * model.high_factor)
    if model.simulated is None:
        return Energy(energy_nj, *bounds, error_percent)
    parts = by_part(model.simulated, supply_v, counts)
    simulated_nj = _sum(parts)
    shares = {name: part_nj / simulated_nj for name, part_nj in parts.items()}
    return Energy(energy_nj, *bounds, error_percent, simulated_nj, shares)


def by_part(form: EnergyForm, supply_v: float, counts: Counts) -> dict[str, float]:
    """Return the nanojoules of each part."""
    factor = scale(form) * supply_v**2 * 1e-3
    return {
        part.name: factor * part.capacitance_pf * sum(counts[event] for event in part.events)
        for part in form.part
    }


def scale(form: EnergyForm) -> float:
    """Return the factor under which the form gives its reference program what was measured."""
    reference = form.reference
    if reference is None:
        return 1.0
    computed = sum(
        part.capacitance_pf * sum(reference.events.get(event, 0.0) for event in part.events)
        for part in form.part
    )
    return reference.capacitance_pf / computed


def counted(record: Record) -> Counts | None:
    """Return the events that a record has; None where its registers were not counted."""
    reads, writes = record["register_reads"], record["register_writes"]
    if reads is None or writes is None:
        return None
    return _counts(
        _number(record, "cycles"),
        _number(record, "instructions"),
        _number(record, "loads"),
        _number(record, "stores"),
        _number(record, "register_reads") + _number(record, "register_writes"),
        _number(record, "mix_alu") + _number(record, "mix_shift"),
        _number(record, "mix_multiply"),
    )


def power_series(chip: Chip, windows: Sequence[Events]) -> str:
    """Return the power of a call by its windows, as the record's field has it."""
    model, supply_v = chip.event_energy, chip.energy_supply_v
    assert model is not None and supply_v is not None
    forms = {"measured_mw": model.measured}
    if model.simulated is not None:
        forms["simulated_mw"] = model.simulated
    series: dict[str, list[float]] = {"cycles": [window["cycles"] for window in windows]}
    for name, form in forms.items():
        series[name] = [
            round(
                _sum(by_part(form, supply_v, _window(window))) / window["cycles"] * chip.clock_hz / 1e6,
                1,
            )
            for window in windows
        ]
    return json.dumps(series)


def power_at_work_w(chip: Chip, clock_hz: float) -> float | None:
    """Return the power of a processor that computes without rest; None without a model.

    By events it is that of the measured form without transfers, which is the least of it.
    """
    model, supply_v = chip.event_energy, chip.energy_supply_v
    if model is not None and supply_v is not None:
        counts = _counts(1.0, 1.0, 0.0, 0.0, 3.0, 1.0, 0.0)
        return _sum(by_part(model.measured, supply_v, counts)) * 1e-9 * clock_hz
    if chip.energy is None:
        return None
    return chip.energy.active_ma * 1e-3 * chip.energy.supply_v * clock_hz / chip.energy.clock_hz


def _window(window: Events) -> Counts:
    mix = window["mix"]
    return _counts(
        window["cycles"],
        window["instructions"],
        window["loads"],
        window["stores"],
        window["register_reads"] + window["register_writes"],
        mix["alu"] + mix["shift"],
        mix["multiply"],
    )


def _counts(
    cycles: float, fetches: float, loads: float, stores: float, registers: float, alu: float, multiply: float
) -> Counts:
    return {
        "cycles": cycles,
        "fetches": fetches,
        "loads": loads,
        "stores": stores,
        "registers": registers,
        "alu": alu,
        "multiply": multiply,
    }


def _number(record: Record, name: str) -> float:
    value = record[name]
    assert isinstance(value, int | float)
    return float(value)


def _sum(parts: Mapping[str, float]) -> float:
    return math.fsum(parts.values())

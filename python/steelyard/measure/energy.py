"""Energy of a run by a chip's model."""

from __future__ import annotations

from collections.abc import Mapping

from steelyard.catalog.models import EnergyModel

COMPONENTS = ("clock", "caches", "control", "alu", "memory")


def energy(model: EnergyModel, cycles: float, stall_cycles: object = None) -> float:
    """Return the nanojoules of clock cycles, in `stall_cycles` of which the core waited for memory.

    The model's figures hold for its own clock; at another clock a cycle costs the same.
    """
    waited = (
        float(stall_cycles) if model.stall_ma is not None and isinstance(stall_cycles, int | float) else 0.0
    )
    charge_mas = (cycles - waited) * model.active_ma + waited * (model.stall_ma or 0.0)
    return charge_mas * model.supply_v / model.clock_hz * 1e6


def split(model: EnergyModel, energy_nj: float) -> Mapping[str, float]:
    """Return nanojoules by component, as far as the shares are published; empty otherwise."""
    if model.components is None:
        return {}
    return {name: energy_nj * getattr(model.components, name) / 100 for name in COMPONENTS}

"""Energy models of the chips, from their files."""

from __future__ import annotations

from collections.abc import Callable

from docs.generate.studies import markdown

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Chip
from steelyard.measure.energy import by_current, power_at_work_w, scale
from steelyard.present.table import Table

_CLASSES = ((25.0, "own table"), (60.0, "near"), (float("inf"), "rough"))
"""Classes of error by the largest error in percent."""


def blocks() -> dict[str, Callable[[], str]]:
    """Return the functions that make the blocks, by name."""
    return {
        "energy chips": lambda: markdown(_chips()),
        "energy without": lambda: ", ".join(f"`{chip.id}`" for chip in _files() if not chip.has_energy),
        "energy parts": lambda: markdown(_parts()),
    }


def _files() -> list[Chip]:
    return [target.file for target in load_catalog().targets]


def _chips() -> Table:
    rows = tuple(_row(chip) for chip in _files() if chip.has_energy)
    headings = ("Chip", "nJ a cycle", "Low", "High", "Class", "Rests on")
    return Table("Energy of a cycle", headings, rows, 1)


def _row(chip: Chip) -> tuple[str, ...]:
    if chip.event_energy is not None and chip.has_event_energy:
        power_w = power_at_work_w(chip, chip.clock_hz)
        assert power_w is not None
        nj = power_w / chip.clock_hz * 1e9
        low, high = nj * chip.event_energy.low_factor, nj * chip.event_energy.high_factor
        error = 100 * (chip.event_energy.high_factor - 1)
        said = f"{chip.event_energy.measured.document}, at {chip.energy_supply_v:g} V; a transfer takes more"
    else:
        model = chip.energy
        assert model is not None
        nj, low, high, error, _, _ = by_current(model, 1.0)
        point = f"{model.active_ma:g} mA at {model.supply_v:g} V and {model.clock_hz / 1e6:g} MHz"
        said = f"{point}: {model.document}, {model.section}"
    name = next(name for most, name in _CLASSES if error <= most)
    return (f"`{chip.id}`", *(f"{value:.2f}" for value in (nj, low, high)), name, said.replace("|", "/"))


def _parts() -> Table:
    """The simulated form: what a part is charged at, before and behind the one scale."""
    core = next(chip.event_energy for chip in _files() if chip.event_energy is not None)
    form = core.simulated
    assert form is not None
    factor = scale(form)
    rows = tuple(
        (
            part.name,
            ", ".join(part.events),
            f"{part.capacitance_pf:g}",
            f"{factor * part.capacitance_pf:.1f}",
        )
        for part in form.part
    )
    headings = ("Part", "Charged at each of", "pF", f"pF, scaled by {factor:.3f}")
    return Table("Parts", headings, rows, 2)

"""The figures by their names."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from steelyard.figures.model import Figure

FIGURES: dict[str, tuple[str, str]] = {
    "length": ("speed", "cycles per byte by message length"),
    "front": ("speed", "ROM, RAM and speed, with the builds that no other is better than in all three"),
    "heat": ("speed", "the fewest cycles per byte of each primitive on each chip"),
    "builds": ("speed", "cycles by compiler and flags, relative to the fastest build of a cell"),
    "modes": ("speed", "cycles per byte by mode of operation"),
    "rom": ("parts", "ROM by code, constants and support routines"),
    "ram": ("parts", "RAM by statics, context, stack and heap"),
    "energy": ("parts", "energy of a call by component"),
    "power": ("parts", "power of a call over time"),
    "spread": ("parts", "fewest, mean and most cycles over random inputs"),
    "sweep": ("beside", "cycles over a setting of the chip, such as the size of a cache"),
    "model": ("beside", "predicted against measured cycles, with intervals"),
}
"""Figures of any records: the module that has the function of this name, and what it shows."""

FIDELITY = "fidelity"
OF_CHANGED_CHIPS = ("sweep",)
"""Figures that show chips changed by `--set`; in others a chip is as it is."""


def made(name: str, results: pl.DataFrame) -> Figure:
    """Return a figure of FIGURES from verified records; NothingToPlot where none has what it shows."""
    # Names are read where a shell completes them; the modules take too long for that.
    module = import_module(f"steelyard.figures.{FIGURES[name][0]}")
    figure: Figure = getattr(module, name)(results)
    return figure

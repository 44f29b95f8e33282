"""A figure as data, and the choices of a paper: width, font, size of type."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from steelyard.errors import SteelyardError
from steelyard.present.chart import SCHEMA, Spec

MOST_SERIES = 32
"""More lines or symbols than these, nobody tells apart."""


class NothingToPlot(SteelyardError):
    """No record of the selection has what a figure shows; the message says how to measure it."""


@dataclass(frozen=True)
class Paper:
    """Choices of a figure's look; lengths in points of 1/72 inch, `height` None for that of the figure."""

    width: float
    height: float | None
    font: str
    font_size: float


@dataclass(frozen=True)
class Figure:
    """Rows and a Vega-Lite specification of one view whose data set is called `rows`.

    `aspect` is height over width of the plot where the height does not follow the `lines` of labelled rows.
    `colour` names the field of series, if any, whose values in order are `series`, each of its family in
    `families`. `enlarge` is by how much sizes in the specification are too large for print.
    """

    title: str
    spec: Spec
    rows: pl.DataFrame
    aspect: float = 0.72
    lines: int = 0
    series: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    enlarge: float = 1.0


def view(**parts: object) -> Spec:
    """Return a specification of one view of `rows`."""
    return {"$schema": SCHEMA, "data": {"name": "rows"}, **parts}

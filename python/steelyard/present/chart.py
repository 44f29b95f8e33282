"""A chart as data: the rows that it shows and a Vega-Lite specification whose data set is called `rows`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

Spec = dict[str, Any]

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


@dataclass(frozen=True)
class Chart:
    """A plot and the reader's choices in it.

    Choices are columns of `rows`: exactly one value of a `single` one is shown, `open` ones may show all
    values, those in `preset` start with one. The specification's field `series` joins those `series` columns
    in which the rows shown differ. A `half` plot shares its line on a wide page; `step_px` is the height of
    one series if the plot's height follows their number.
    """

    id: str
    title: str
    caption: str
    spec: Spec
    rows: pl.DataFrame
    open: tuple[str, ...]
    single: tuple[str, ...]
    series: tuple[str, ...]
    preset: tuple[str, ...] = ()
    half: bool = False
    step_px: int | None = None


def plot(**parts: Any) -> Spec:
    """Return a specification as wide as the page, with these parts."""
    return {
        "$schema": SCHEMA,
        "data": {"name": "rows"},
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        **parts,
    }


def nominal(field: str, **parts: object) -> Spec:
    """Return the encoding of a field of names, without a title."""
    return {"field": field, "type": "nominal", "title": None, **parts}


def quantitative(field: str, title: str | None, **parts: object) -> Spec:
    """Return the encoding of a field of numbers."""
    return {"field": field, "type": "quantitative", "title": title, **parts}


def tooltip(names: Sequence[str], **figures: tuple[str, str]) -> list[Spec]:
    """Return a mark's tooltip: fields by their names, then others with title and format, empty for none."""
    return [
        *({"field": field} for field in names),
        *(
            {
                "field": field,
                **{name: text for name, text in zip(("title", "format"), how, strict=True) if text},
            }
            for field, how in figures.items()
        ),
    ]

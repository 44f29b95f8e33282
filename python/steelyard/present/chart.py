"""A chart as data: the rows that it shows and a Vega-Lite specification whose data set is called `rows`."""

from __future__ import annotations

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

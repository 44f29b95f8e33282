"""Predictions of measured cells: each was predicted with its family of cores left out."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from steelyard.data import data_root
from steelyard.models.evaluation import (
    BOTH,
    CHOSEN_WITH,
    CORES,
    EQUATION_1,
    PARAMETERS,
    Case,
    summary,
)
from steelyard.models.training import FOLDER, Row
from steelyard.present.chart import Chart, Spec, nominal, plot, tooltip
from steelyard.present.table import Table
from steelyard.report.section import Section

_FEWEST_CELLS = 10
KEY = ("primitive", "variant", "target", "toolchain", "flags", "operation", "message_bytes")
"""What tells cells apart."""
MODELS_SHOWN = {
    (BOTH, CHOSEN_WITH): "data sheet and three primitives",
    (PARAMETERS, 0): "data sheet alone",
    (EQUATION_1, 0): "equation 1",
}
"""Models of the evaluation, and the information on a chip that each uses."""


def predictions_path() -> Path:
    """Return the path of the kept predictions, written by `python -m docs.generate --evaluate`."""
    return Path(data_root() / FOLDER / "predicted.parquet")


def section(results: pl.DataFrame) -> Section | None:
    """Plot measured against predicted cycles of the cells in the evaluation; None for too few of them."""
    if not predictions_path().exists():
        return None
    here = pl.col("mode").is_null() & pl.col("cycles").is_not_null()
    cells = (
        pl.read_parquet(predictions_path())
        .join(
            results.filter(here & (pl.col("cycles") > 0)).select(*KEY, measured="cycles"),
            on=list(KEY),
            nulls_equal=True,
        )
        .unique(["model", *KEY], keep="first", maintain_order=True)
    )
    if cells.select(KEY).unique().height < _FEWEST_CELLS:
        return None
    return Section(
        id="predicted",
        kind="Models",
        title="Measured against predicted",
        note="What steelyard predict would have said of these results without their chip, its family of cores"
        " and all that was measured of it. Tested are only primitives that are no kin of those three.",
        charts=(_chart(cells),),
        lines=(_lines(cells),),
    )


def _chart(cells: pl.DataFrame) -> Chart:
    # A model without intervals has strokes of no length: a scale without a single value is a warning.
    rows = cells.with_columns(
        error=pl.col("predicted") / pl.col("measured") - 1,
        stroke_from=pl.coalesce("low", "predicted"),
        stroke_to=pl.coalesce("high", "predicted"),
    ).drop("variant", "flags")
    ends = [rows["measured"].min(), rows["measured"].max()]
    x: Spec = {
        "type": "quantitative",
        "scale": {"type": "log", "nice": False, "padding": 12},
        "axis": {"format": "~s", "tickCount": 6},
    }
    spec: Spec = plot(
        height=420,
        layer=[
            {
                "data": {"values": [{"measured": end, "predicted": end} for end in ends]},
                "mark": {"type": "line", "strokeDash": [4, 4], "strokeWidth": 1, "opacity": 0.7},
                "encoding": {
                    "x": {"field": "measured", **x, "title": "measured cycles"},
                    "y": {"field": "predicted", **x, "title": "predicted cycles"},
                },
            },
            {
                "mark": {"type": "rule", "opacity": 0.25},
                "encoding": {
                    "x": {"field": "measured", **x},
                    "y": {"field": "stroke_from", **x},
                    "y2": {"field": "stroke_to"},
                    "color": nominal("series"),
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 30, "opacity": 0.75},
                "encoding": {
                    "x": {"field": "measured", **x},
                    "y": {"field": "predicted", **x},
                    "color": nominal("series"),
                    "tooltip": tooltip(
                        ("primitive", "operation"),
                        message_bytes=("message, bytes", ""),
                        target=("", ""),
                        measured=("", ",.0f"),
                        predicted=("", ",.0f"),
                        low=("80 %, from", ",.0f"),
                        high=("80 %, to", ",.0f"),
                        error=("", "+.1%"),
                    ),
                },
            },
        ],
    )
    return Chart(
        id="predicted",
        title="Predicted cycles",
        caption="On the line a prediction is right; the strokes are the intervals, which are meant to hold"
        " four of five figures. What the models know of a chip can be chosen.",
        spec=spec,
        rows=rows,
        open=("target", "operation"),
        single=("model",),
        series=("target",),
    )


def _lines(cells: pl.DataFrame) -> Table:
    rows = []
    for (family, model), part in cells.sort("family", "model").group_by(
        "family", "model", maintain_order=True
    ):
        found = summary(
            [
                Case(
                    CORES, str(family), str(model), 0, "cycles", row["target"],
                    Row(row["primitive"], row["operation"], row["message_bytes"] or -1),
                    row["measured"], row["predicted"], row["low"], row["high"],
                )
                for row in part.iter_rows(named=True)
            ]
        )  # fmt: skip
        rows.append(
            (
                str(family),
                str(model),
                f"{found.cells:,}",
                f"{found.median_error:.1%}",
                f"{found.error_of_90_percent:.1%}",
                f"{found.within_factor_two:.1%}",
                "-" if found.coverage is None else f"{found.coverage:.1%}",
            )
        )
    return Table(
        "How far off, family by family",
        (
            "Left out",
            "Known of the chip",
            "Cells",
            "Median error",
            "90 % of errors below",
            "Within a factor of two",
            "In the 80 % interval",
        ),
        tuple(rows),
        left=2,
    )

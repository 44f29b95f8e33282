"""Evaluation of the models: tables, two pictures, and the predictions that the report shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
from docs.generate.drawing import svg_of

from steelyard.models.evaluation import (
    ALGORITHMS,
    ARCHITECTURES,
    BOTH,
    CHOSEN_WITH,
    CORES,
    COST_VECTOR,
    EQUATION_1,
    MEASURED,
    PARAMETERS,
    Case,
    every_case,
    summaries,
)
from steelyard.models.training import METRICS, Chip, matrix_file, read_records, training
from steelyard.present.markdown import markdown_table
from steelyard.report.predicted import KEY, MODELS_SHOWN, predictions_path

DOCS = Path(__file__).resolve().parents[1]
PICTURES = (DOCS / "models-families.svg", DOCS / "models-cells.svg")
EVALUATION = DOCS / "records" / "evaluation.csv"

_QUESTIONS = (CORES, ARCHITECTURES, ALGORITHMS)
_MODELS = (EQUATION_1, PARAMETERS, MEASURED, BOTH, COST_VECTOR)
_METRICS = {"cycles": "cycles", "rom_bytes": "ROM", "ram_bytes": "RAM"}
_SHOWN_OPERATIONS = ("encrypt", "digest", "mac", "seal")


def summary_frame(cases: Sequence[Case]) -> pl.DataFrame:
    """Return the summaries that the page shows, over all groups and for each."""
    rows = [*summaries(cases), *summaries(cases, by_group=True)]
    return pl.DataFrame(rows, infer_schema_length=None)


def evaluation_table(frame: pl.DataFrame, metrics: Sequence[str]) -> str:
    """Return a line for every question, model and number of primitives measured beforehand."""
    rows = sorted(
        frame.filter(pl.col("group").is_null() & pl.col("metric").is_in(metrics)).to_dicts(),
        key=lambda row: (
            list(_METRICS).index(row["metric"]),
            _QUESTIONS.index(row["left_out"]),
            _MODELS.index(row["model"]),
            row["primitives"],
        ),
    )
    lines = [
        (
            _METRICS[row["metric"]],
            f"{row['left_out']} ({row['groups']})",
            row["model"],
            str(row["primitives"]) if row["model"] != COST_VECTOR else "-",
            f"{row['cells']:,}",
            *_figures(row),
        )
        for row in rows
    ]
    headings = ("Figure", "Left out in turn", "Model", "Primitives measured", "Cells", *_HEADINGS)
    return markdown_table(headings, lines, left=3)


def families_table(frame: pl.DataFrame, left_out: str) -> str:
    """Return cycles by family: from parameters alone, with three primitives measured, or by profiles."""
    chosen = {COST_VECTOR: 0} if left_out == ALGORITHMS else {PARAMETERS: 0, BOTH: CHOSEN_WITH}
    of_question = frame.filter(
        (pl.col("metric") == "cycles") & (pl.col("left_out") == left_out) & pl.col("group").is_not_null()
    )
    lines = []
    for group in of_question["group"].unique(maintain_order=True).sort().to_list():
        for model, primitives in chosen.items():
            row = of_question.filter(
                (pl.col("group") == group) & (pl.col("model") == model) & (pl.col("primitives") == primitives)
            ).to_dicts()[0]
            what = f"{model}, {primitives} measured" if primitives else model
            lines.append((group, what, f"{row['cells']:,}", *_figures(row)[:-1]))
    return markdown_table(("Left out", "Model", "Cells", *_HEADINGS[:-1]), lines, left=2)


_HEADINGS = (
    "Median error",
    "90 % of errors below",
    "Within a factor of two",
    "90 % within a factor of",
    "In the 80 % interval",
    "Median of the groups' medians",
)


def _figures(row: dict[str, Any]) -> tuple[str, ...]:
    coverage = row["coverage"]
    return (
        f"{row['median_error']:.1%}",
        f"{row['error_of_90_percent']:.1%}",
        f"{row['within_factor_two']:.1%}",
        f"{row['factor_of_90_percent']:.2f}",
        "-" if coverage is None else f"{coverage:.1%}",
        f"{row['median_of_groups']:.1%}",
    )


def picture_svg(cases: Sequence[Case]) -> str:
    """Plot predicted over measured cycles of every left-out core family: the middle 80 % and the median."""
    models = {(PARAMETERS, 0): "parameters alone", (BOTH, CHOSEN_WITH): "three primitives measured"}
    chosen = [
        {
            "family": case.group,
            "model": models[case.model, case.primitives],
            "ratio": case.predicted / case.measured,
        }
        for case in cases
        if case.metric == "cycles" and case.left_out == CORES and (case.model, case.primitives) in models
    ]
    rows = (
        pl.DataFrame(chosen)
        .group_by("family", "model")
        .agg(
            pl.col("ratio").quantile(0.1).alias("low"),
            pl.col("ratio").median().alias("middle"),
            pl.col("ratio").quantile(0.9).alias("high"),
        )
        .sort("family", "model")
    )
    scale = {"type": "log", "domain": [0.33, 3], "clamp": True}
    axis = {"values": [0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3], "format": ".2~f"}
    x = {"type": "quantitative", "scale": scale, "axis": axis, "title": "predicted / measured cycles"}
    shared = {
        "y": {"field": "family", "type": "nominal", "title": None},
        "yOffset": {"field": "model", "type": "nominal"},
        "color": {"field": "model", "type": "nominal", "title": None, "legend": {"orient": "top"}},
    }
    return svg_of(
        {
            "data": {"values": rows.to_dicts()},
            "width": 560,
            "height": {"step": 14},
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 3, "opacity": 0.5},
                    "encoding": {**shared, "x": {"field": "low", **x}, "x2": {"field": "high"}},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 50},
                    "encoding": {**shared, "x": {"field": "middle", **x}},
                },
            ],
        }
    )


def scatter_svg(cases: Sequence[Case]) -> str:
    """Plot predicted against measured cycles with three primitives measured, a chip of every core family."""
    first: dict[str, str] = {}
    rows, shown = [], []
    for case in cases:
        if (case.metric, case.left_out, case.model, case.primitives) != ("cycles", CORES, BOTH, CHOSEN_WITH):
            continue
        chip = first.setdefault(case.group, case.target)
        if case.target == chip and case.row.operation in _SHOWN_OPERATIONS:
            shown.append(case)
            rows.append({"chip": chip, "measured": case.measured, "predicted": round(case.predicted)})
    measured = [case.measured for case in shown]
    ends = [min(measured), max(measured)]
    x = {"type": "quantitative", "scale": {"type": "log", "nice": False}, "axis": {"format": "~s"}}
    line = [{"measured": end, "predicted": end} for end in ends]
    return svg_of(
        {
            "width": 480,
            "height": 420,
            "layer": [
                {
                    "data": {"values": line},
                    "mark": {"type": "line", "strokeDash": [4, 4], "color": "#888888"},
                    "encoding": {
                        "x": {"field": "measured", **x, "title": "measured cycles"},
                        "y": {"field": "predicted", **x, "title": "predicted cycles"},
                    },
                },
                {
                    "data": {"values": rows},
                    "mark": {"type": "point", "filled": True, "size": 18, "opacity": 0.6},
                    "encoding": {
                        "x": {"field": "measured", **x},
                        "y": {"field": "predicted", **x},
                        "color": {
                            "field": "chip",
                            "type": "nominal",
                            "title": None,
                            "legend": {"orient": "right"},
                        },
                    },
                },
            ],
        }
    )


def kept_predictions(cases: Sequence[Case], records: pl.DataFrame) -> pl.DataFrame:
    """Return predicted cycles of every cell whose core family was left out, with the key of its record.

    `records` are the training records. Figures have seven digits.
    """
    rows = [
        {
            "primitive": case.row.primitive,
            "operation": case.row.operation,
            "message_bytes": case.row.message_bytes if case.row.message_bytes >= 0 else None,
            "target": case.target,
            "toolchain": matrix_file().core_of[case.target].toolchain,
            "family": case.group,
            "model": MODELS_SHOWN[case.model, case.primitives],
            "predicted": case.predicted,
            "low": case.low,
            "high": case.high,
        }
        for case in cases
        if (case.metric, case.left_out) == ("cycles", CORES) and (case.model, case.primitives) in MODELS_SHOWN
    ]
    key = ("primitive", "target", "toolchain", "operation", "message_bytes")
    figures = pl.col("predicted", "low", "high").cast(pl.Float32)
    return (
        pl.DataFrame(rows, infer_schema_length=None)
        .with_columns(figures)
        .join(records.select(*key, "variant", "flags"), on=key, nulls_equal=True)
        .sort("model", *KEY)
    )


def parameters() -> str:
    """Return the fields of the table `parameters` of a chip's file."""
    lines = [
        (f"`{name}`", "required" if field.is_required() else str(field.default).lower())
        for name, field in Chip.model_fields.items()
    ]
    return markdown_table(("Parameter", "Default"), lines, left=2)


def training_origin() -> str:
    """Return the origin of the training data: records, chips, compilers."""
    frame = read_records()
    compilers = frame.select("toolchain", "toolchain_version").unique().sort("toolchain", "toolchain_version")
    named = ", ".join(f"{toolchain} {version}" for toolchain, version in compilers.iter_rows())
    last = frame["date"].cast(pl.String).max()
    return (
        f"{len(frame):,} records of {frame['primitive'].n_unique()} primitives"
        f" on {frame['target'].n_unique()} chips,"
        f" measured until {str(last)[:10]} with {named}.\n"
    )


def evaluate() -> None:
    """Evaluate the models and keep the results."""
    records = read_records()
    learned = training(records)
    cases = [case for metric in METRICS for case in every_case(learned, metric, print)]
    kept = kept_predictions(cases, records)
    kept.write_parquet(predictions_path(), compression="zstd", compression_level=19)
    summary_frame(cases).write_csv(EVALUATION)
    families, cells = PICTURES
    families.write_text(picture_svg(cases), encoding="utf-8")
    cells.write_text(scatter_svg(cases), encoding="utf-8")


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks by name."""

    def evaluation(metrics: Sequence[str]) -> str:
        return evaluation_table(pl.read_csv(EVALUATION, infer_schema_length=None), metrics)

    def families(left_out: str) -> str:
        return families_table(pl.read_csv(EVALUATION, infer_schema_length=None), left_out)

    return {
        "models parameters": parameters,
        "models origin": training_origin,
        "models evaluation cycles": partial(evaluation, ["cycles"]),
        "models evaluation memory": partial(evaluation, ["rom_bytes", "ram_bytes"]),
        "models core families": partial(families, CORES),
        "models algorithm families": partial(families, ALGORITHMS),
    }

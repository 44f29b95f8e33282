"""Figures of studies: the charts of a publication made anew, from records of the store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.figures.model import Figure, NothingToPlot
from steelyard.nearest import unknown
from steelyard.present.chart import Chart, Spec
from steelyard.study.claims import records_of
from steelyard.study.discover import load_study, study_names

_ENLARGE = 1.6
"""Charts of studies are made for a page; in print their lines and symbols are smaller by this."""


def charts(study: str, records: pl.DataFrame) -> Iterator[Chart]:
    """Yield the charts for which there are records."""
    loaded = load_study(study)
    _, taken = records_of(loaded, records)
    if taken:
        outcome = loaded.judge(taken, load_catalog().defaults)
        yield from outcome.charts() if outcome.worth_showing else ()


def study_of(name: str) -> str | None:
    """Return the study whose name a figure's begins with, or None."""
    found = [study for study in study_names() if name == study or name.startswith(f"{study}-")]
    return max(found, key=len, default=None)


def figure(name: str, records: pl.DataFrame, choose: Mapping[str, str]) -> Figure:
    """Return the chart of a study as a figure; UsageError for an unknown name or choice."""
    study = study_of(name)
    assert study is not None
    found = {chart.id: chart for chart in charts(study, records)}
    if not found:
        raise NothingToPlot(
            f"there are no records of this study yet; steelyard reproduce {study} makes them."
        )
    if name not in found:
        clause = unknown("figure", name, found)
        raise UsageError(clause if clause.endswith("?") else f"{clause}.")
    return _printed(found[name], choose)


def _printed(chart: Chart, choose: Mapping[str, str]) -> Figure:
    rows = chart.rows
    for column in chart.single:
        values = sorted(map(str, rows[column].drop_nulls().unique()))
        wanted = choose.get(column, values[0] if len(values) == 1 else None)
        if wanted not in values:
            raise UsageError(
                f"{chart.id}: --choose {column}=VALUE is needed, with one of {', '.join(values)}."
            )
        rows = rows.filter(pl.col(column).cast(pl.String) == wanted)
    for column in choose:
        if column not in chart.single:
            raise UsageError(f"{chart.id}: {unknown('choice', column, chart.single)}")
    differ = [name for name in chart.series if rows[name].n_unique() > 1] or list(chart.series[:1])
    if differ and "series" not in rows.columns:
        parts = [pl.col(name).cast(pl.String) for name in differ]
        rows = rows.with_columns(series=pl.concat_str(parts, separator=" ", ignore_nulls=True))
    spec = {key: value for key, value in chart.spec.items() if key not in ("width", "height", "autosize")}
    names = _legend(spec, rows)
    lines = 0
    if chart.step_px is not None and chart.series:
        lines = round(chart.step_px * rows[chart.series[0]].n_unique() / 14)
    return Figure(chart.title, spec, rows, lines=lines, series=names, families=names, enlarge=_ENLARGE)


def _legend(spec: Spec, rows: pl.DataFrame) -> tuple[str, ...]:
    """Return the values of the field that has colours, in the order of the rows."""
    field = next((field for field in _coloured(spec) if field in rows.columns), None)
    return tuple(rows[field].drop_nulls().cast(pl.String).unique(maintain_order=True)) if field else ()


def _coloured(part: object) -> Iterator[str]:
    """Yield the fields of names that a specification shows by colour."""
    if isinstance(part, list):
        for one in part:
            yield from _coloured(one)
    elif isinstance(part, dict):
        colour = part.get("color")
        if isinstance(colour, dict) and colour.get("type") == "nominal":
            yield colour["field"]
        for one in part.values():
            yield from _coloured(one)

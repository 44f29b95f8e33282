"""The report: one HTML file that holds its records, its plots and their provenance, and needs no network."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
import polars as pl
from markupsafe import Markup

from steelyard.cache.content import Cache
from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Target
from steelyard.present.chart import Chart
from steelyard.present.table import natural
from steelyard.record import schema as record
from steelyard.record.origin import steelyard_version
from steelyard.report import advice, charts, columns, predicted, tables, theme
from steelyard.report.bundle import vega_bundle
from steelyard.report.command import COMMAND_FIELDS, repeat_command
from steelyard.report.published import publications
from steelyard.report.section import Section
from steelyard.store.export import write_file

_FILTERS = ("primitive", "variant", "target", "toolchain", "flags", "operation", "mode", "message_bytes")
_SEARCHED = (
    "primitive",
    "variant",
    "target",
    "toolchain",
    "toolchain_version",
    "flags",
    "operation",
    "mode",
    "error",
)
_MARKED = ("broken", "legacy")
_CROWDED_LINES = 16
# Overviews compare chips: cycles and sizes of a Linux device are of another kind.
_ON_CHIPS = pl.col("device").is_null()

Marks = dict[str, dict[str, str]]
"""The `mark` of a primitive (broken, legacy) and the `authority` for it, by primitive."""


def write_report(
    records: pl.DataFrame,
    path: Path,
    catalog: Catalog | None = None,
    *,
    others: pl.DataFrame | None = None,
    sections: Sequence[Section] = (),
    cache: Cache | None = None,
    title: str = "What the cryptography costs",
) -> None:
    """Write the report on `records` to `path`, all at once: a reader never sees half a file.

    `records` has the columns of `record.FIELDS`. `catalog` provides further facts on chips and primitives;
    for an unknown one the page shows only what its records say. `others` are records of changed chips or cold
    caches, which only repeated publications show. `sections` follow the records. `cache` keeps the plotting
    code between runs.

    Raises StoreError, in one sentence, if the file cannot be written.
    """
    bundle = vega_bundle(cache or Cache())
    text = render(records, catalog, bundle=bundle, title=title, others=others, sections=sections)
    write_file(path, text.encode())


def render(
    records: pl.DataFrame,
    catalog: Catalog | None,
    *,
    bundle: str,
    title: str,
    others: pl.DataFrame | None = None,
    sections: Sequence[Section] = (),
) -> str:
    """Return the report as text; see `write_report` for the arguments."""
    results = tables.verified_results(records)
    failures = tables.without_number(records).with_columns(
        pl.lit(None).alias(name) for name in record.METRICS
    )
    unverified = len(records) - len(results) - len(failures)
    of_chips = results.filter(_ON_CHIPS)
    plots = [
        chart
        for chart in (
            charts.length_chart(of_chips),
            charts.rom_chart(of_chips),
            charts.ram_chart(of_chips),
            charts.compiler_chart(of_chips),
            charts.power_chart(of_chips),
        )
        if len(chart.rows)
    ]
    compared = results if others is None else pl.concat([results, tables.verified_results(others)])
    anew = publications(compared, catalog.defaults if catalog else ())
    shown = pl.concat([results, failures], how="vertical_relaxed")
    follow = (predicted.section(results), advice.section(results, catalog) if catalog else None)
    sections = (*sections, *(one for one in follow if one is not None))
    marks = _marks(shown, catalog)
    script = _template_text("report.js")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("steelyard.report"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template("report.html.j2").render(
        title=title,
        lead=_lead(shown),
        result_count=len(results),
        failure_count=len(failures),
        unverified_count=unverified,
        primitives=_distinct(shown, "primitive"),
        toolchains=_toolchains(shown),
        measured=_measured(shown),
        steelyards=_steelyards(shown),
        overview=tables.pivot(tables.headline(shown.filter(_ON_CHIPS))),
        compilers=tables.by_compiler(tables.headline(of_chips)),
        marks=marks,
        charts=plots,
        sections=sections,
        publications=anew,
        targets=_targets(shown, catalog.targets if catalog else ()),
        definitions=record.FIELDS,
        units=columns.UNITS,
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        version=steelyard_version(),
        data=_script_safe(
            _payload(
                results,
                failures,
                [
                    *plots,
                    *(chart for section in sections for chart in section.charts),
                    *(chart for publication in anew for chart in publication.charts),
                ],
                marks,
            )
        ),
        style=_template_text("report.css"),
        bundle=Markup(bundle),
        script=script,
        script_hashes=" ".join(_script_hash(text) for text in (bundle, script)),
    )


def _template_text(name: str) -> Markup:
    """Return a file of the templates folder for direct inclusion in the page."""
    return Markup(resources.files("steelyard.report").joinpath("templates", name).read_text(encoding="utf-8"))


def _script_hash(script: str) -> str:
    """Return a source expression that lets only this script run under the page's security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _script_safe(payload: dict[str, Any]) -> Markup:
    """Return JSON that cannot end its enclosing element, whatever texts it holds."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _payload(
    results: pl.DataFrame, failures: pl.DataFrame, plots: Sequence[Chart], marks: Marks
) -> dict[str, Any]:
    return {
        "results": _table(results, columns.RESULTS, columns.RESULT_GROUPS, sort="primitive"),
        "failures": _table(failures, columns.FAILURES, columns.FAILURE_GROUPS, sort="status"),
        "charts": [_chart(chart) for chart in plots],
        "themes": {name: theme.vega_config(name) for name in ("light", "dark")},
        "fields": {
            field.name: {"doc": field.doc, "unit": columns.UNITS.get(field.unit, field.unit)}
            for field in record.FIELDS
        },
        "marks": marks,
    }


def _table(
    frame: pl.DataFrame, shown: Sequence[columns.Column], groups: Sequence[columns.Group], *, sort: str
) -> dict[str, Any]:
    rows = tables.in_order(frame)
    needed = rows.select(COMMAND_FIELDS).iter_rows(named=True)
    rows = rows.with_columns(command=pl.Series([repeat_command(row) for row in needed], dtype=pl.String))
    return {
        "columns": [
            {
                **asdict(column),
                "unit": columns.UNITS.get(columns.FIELDS[column.name].unit, ""),
                "doc": columns.FIELDS[column.name].doc,
                "number": columns.FIELDS[column.name].type in (int, float),
            }
            for column in shown
        ],
        "filters": _FILTERS if frame.is_empty() or frame["status"][0] == "ok" else ("status", *_FILTERS),
        "searched": _SEARCHED,
        "groups": [asdict(group) for group in groups],
        "sort": {"name": sort, "descending": False},
        "rows": _columnar(rows),
    }


def _columnar(frame: pl.DataFrame) -> dict[str, Any]:
    """Columns as lists, texts as places in a list of the distinct ones; numbers JSON cannot hold as null.

    A column that holds one value throughout, such as a field that no record of the report has, is that value.
    """
    columns: dict[str, Any] = {}
    for name, series in frame.to_dict().items():
        if series.dtype.is_float():
            series = series.set(series.is_infinite() | series.is_nan(), None)
        distinct = series.unique(maintain_order=True)
        if len(distinct) == 1:
            columns[name] = {"always": distinct[0]}
        elif series.dtype == pl.String:
            texts = distinct.drop_nulls()
            places = series.cast(pl.Enum(texts)).to_physical().fill_null(len(texts))
            columns[name] = {"texts": [*texts, None], "places": places.to_list()}
        else:
            columns[name] = series.to_list()
    return {"count": frame.height, "columns": columns}


def _chart(chart: Chart) -> dict[str, Any]:
    return {
        "id": chart.id,
        "spec": chart.spec,
        "rows": _columnar(chart.rows),
        "open": chart.open,
        "single": chart.single,
        "series": chart.series,
        "preset": chart.preset,
        "step": chart.step_px,
        "crowded": _CROWDED_LINES if chart.id == "length" else None,
    }


def _distinct(frame: pl.DataFrame, name: str) -> list[str]:
    return sorted(frame[name].drop_nulls().unique().to_list(), key=natural)


def _toolchains(frame: pl.DataFrame) -> list[str]:
    pairs = frame.select("toolchain", "toolchain_version").unique().drop_nulls("toolchain").rows()
    return sorted((" ".join(part for part in pair if part) for pair in pairs), key=natural)


def _steelyards(frame: pl.DataFrame) -> list[str]:
    pairs = (
        frame.select("steelyard_version", "steelyard_commit").unique().drop_nulls("steelyard_version").rows()
    )
    return sorted(f"{version} ({commit[:12]})" if commit else version for version, commit in pairs) or [
        steelyard_version()
    ]


def _measured(frame: pl.DataFrame) -> str:
    days = sorted(frame["date"].drop_nulls().str.slice(0, 10).unique().to_list())
    return " to ".join(dict.fromkeys((*days[:1], *days[-1:])))


def _lead(frame: pl.DataFrame) -> str:
    """Return one sentence that describes the records."""
    if frame.is_empty():
        return "No records."
    named = _listed(_distinct(frame, "primitive"), most=8, what="primitives")
    chips = _listed(_distinct(frame, "target"), most=8, what="targets")
    return f"Cycles, memory and time of {named} on {chips}."


def _listed(names: Sequence[str], *, most: int, what: str) -> str:
    if not names:
        return f"no {what}"
    if len(names) > most:
        return f"{len(names)} {what}"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _marks(frame: pl.DataFrame, catalog: Catalog | None) -> Marks:
    """Return primitives that are marked as broken or legacy, with the authority if it is known."""
    authorities = {primitive.id: primitive.authority for primitive in catalog.primitives} if catalog else {}
    pairs = frame.filter(pl.col("security").is_in(_MARKED)).select("primitive", "security").unique().rows()
    return {name: {"mark": security, "authority": authorities.get(name, "")} for name, security in pairs}


def _targets(frame: pl.DataFrame, known: Iterable[Target]) -> list[dict[str, Any]]:
    """Return the page's facts on each target that occurs, from its data file if there is one."""
    files = {target.id: target.file for target in known}
    listed = []
    for name in _distinct(frame, "target"):
        rows = frame.filter(pl.col("target") == name)
        file = files.get(name)
        listed.append(
            {
                "id": name,
                "tier": file.tier if file else next(iter(rows["tier"].drop_nulls()), None),
                "timing_versions": _distinct(rows, "timing_version"),
                "title": file.title if file else "",
                "core": file.core if file else "",
                "clock_hz": file.clock_hz if file else None,
                "evidence": file.evidence if file else (),
                "known_gaps": file.known_gaps if file else (),
                "sources": file.source if file else (),
            }
        )
    return listed

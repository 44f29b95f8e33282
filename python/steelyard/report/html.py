"""The report: one HTML file that holds its records, their plots and their provenance, and needs no network.

The page is the explorer of the folder `explorer/`, a program that runs in the reader's browser; this module
puts in what it shows.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jinja2
import polars as pl
from markupsafe import Markup

from steelyard.cache.content import Cache
from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Target
from steelyard.measure.selection import OPERATIONS
from steelyard.present.table import Table, natural
from steelyard.record import schema as record
from steelyard.record.origin import steelyard_version
from steelyard.report import advice, boards, columns, frame, predicted, sweeps, tables, theme
from steelyard.report.blocks import arrow_block, chart_data, compressed, json_block, script_safe
from steelyard.report.bundle import Explorer, explorer, vega_bundle
from steelyard.report.published import Publication, publications
from steelyard.report.section import Section
from steelyard.store.export import write_file
from steelyard.study.model import Claim

_MARKED = ("broken", "legacy")
_ORDERS = {
    "operation": OPERATIONS,
    "security": ("recommended", "acceptable", *reversed(_MARKED)),
    "tier": ("rtl", "exact", "close", "model", "host"),
    "constant_time": ("yes", "on-this-chip", "no"),
    "status": ("ok", "does-not-fit", "build-failed", "wrong-output", "fault", "unsupported"),
}

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

    StoreError if the file cannot be written; see `report_page` for the other arguments.
    """
    page = report_page(records, catalog, others=others, sections=sections, cache=cache, title=title)
    write_file(path, page)


def report_page(
    records: pl.DataFrame,
    catalog: Catalog | None = None,
    *,
    others: pl.DataFrame | None = None,
    sections: Sequence[Section] = (),
    cache: Cache | None = None,
    title: str = "What the cryptography costs",
) -> bytes:
    """Return the report on `records` as an HTML file.

    `records` has the columns of `record.FIELDS`. `catalog` provides further facts on chips and primitives;
    for an unknown one the page shows only what its records say. `others` are records of changed chips or cold
    caches, which repeated publications and sweeps show. `sections` follow the records. `cache` keeps the
    plotting code between runs.

    Raises EnvironmentProblem in a checkout whose explorer was not built.
    """
    return render(
        records,
        catalog,
        program=explorer(),
        plotting=vega_bundle(cache or Cache()),
        title=title,
        others=others,
        sections=sections,
    ).encode()


def render(
    records: pl.DataFrame,
    catalog: Catalog | None,
    *,
    program: Explorer,
    plotting: str,
    title: str,
    others: pl.DataFrame | None = None,
    sections: Sequence[Section] = (),
) -> str:
    """Return the report as text; see `report_page` for the arguments."""
    results = tables.verified_results(records)
    failures = tables.without_number(records)
    unverified = len(records) - len(results) - len(failures)
    compared = results if others is None else pl.concat([results, tables.verified_results(others)])
    anew = publications(compared, catalog.defaults if catalog else ())
    follow = (
        sweeps.section(compared),
        predicted.section(results),
        advice.section(results, catalog) if catalog else None,
        boards.section(set(results["target"].unique())),
    )
    every = (*sections, *(one for one in follow if one is not None))
    parts = [
        *((one.id, one.title, one.kind, _section_data(one)) for one in every),
        *((one.id, one.title, "Studies", _publication_data(one)) for one in anew),
    ]
    shown = frame.explored(results, failures, catalog)
    details, plain = frame.for_details(shown)
    page = {
        "fields": _fields(),
        "units": columns.UNITS,
        "tables": {
            "results": [asdict(column) for column in columns.RESULTS],
            "failures": [asdict(column) for column in columns.FAILURES],
        },
        "groups": {
            "results": [asdict(group) for group in columns.RESULT_GROUPS],
            "failures": [asdict(group) for group in columns.FAILURE_GROUPS],
        },
        "facets": frame.FACETS,
        "identity": record.IDENTITY,
        "marks": _marks(shown, catalog),
        "targets": _targets(shown, catalog.targets if catalog else ()),
        "themes": {name: theme.vega_config(name) for name in ("light", "dark")},
        "sections": [{"id": place, "title": name, "kind": kind} for place, name, kind, _ in parts],
        "claims": [_claim(claim, one.id, one.title) for one in anew for claim in one.claims],
        "unverified": unverified,
    }
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("steelyard.report"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template("report.html.j2").render(
        title=title,
        lead=_lead(shown),
        result_count=len(results),
        failure_count=len(failures),
        primitive_count=len(_distinct(shown, "primitive")),
        target_count=len(_distinct(shown, "target")),
        toolchains=_toolchains(shown),
        measured=_measured(shown),
        steelyards=_steelyards(shown),
        made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        version=steelyard_version(),
        page=script_safe(page),
        records=arrow_block(frame.for_tables(shown), _ORDERS),
        details=arrow_block(details, {}, plain),
        parts=[(place, json_block(data)) for place, _, _, data in parts],
        plotting=compressed(plotting.encode()),
        style=Markup(program.style),
        script=Markup(program.script),
        script_hashes=" ".join(_script_hash(text) for text in (plotting, program.script)),
    )


def _script_hash(script: str) -> str:
    """Return a source expression that lets only this script run under the page's security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _fields() -> dict[str, dict[str, Any]]:
    known = {
        field.name: {"doc": field.doc, "unit": field.unit, "number": field.type in (int, float)}
        for field in record.FIELDS
    }
    return known | {name: {"doc": doc, "unit": "", "number": False} for name, doc in frame.DERIVED.items()}


def _section_data(section: Section) -> dict[str, Any]:
    return {
        "notes": [section.note],
        "picture": section.picture,
        "tables": [{**_table(table), "folded": False} for table in section.lines],
        "charts": [chart_data(chart) for chart in section.charts],
        "claims": [],
        "choices": [],
    }


def _publication_data(publication: Publication) -> dict[str, Any]:
    citation = [f"{publication.citation}."] if publication.citation else []
    return {
        "notes": [f"{publication.note} Built with {publication.compiler}.", *citation],
        "picture": "",
        "tables": [{**_table(table), "folded": True} for table in publication.lines],
        "charts": [chart_data(chart) for chart in publication.charts],
        "claims": [_claim(claim, publication.id, publication.title) for claim in publication.claims],
        "choices": publication.choices,
    }


def _table(table: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "headings": table.headings,
        "rows": table.rows,
        "numeric": [table.is_numeric(index) for index in range(len(table.headings))],
    }


def _claim(claim: Claim, study: str, title: str) -> dict[str, Any]:
    verdict = claim.verdict
    return {
        "claim": claim.claim,
        "study": study,
        "title": title,
        "section": claim.section,
        "statement": claim.statement,
        "finding": verdict.finding,
        "strength": verdict.strength,
        "reason": verdict.reason,
        "counterexample": verdict.counterexample or "",
        "by_choice": verdict.by_choice,
    }


def _distinct(shown: pl.DataFrame, name: str) -> list[str]:
    return sorted(shown[name].drop_nulls().unique().to_list(), key=natural)


def _toolchains(shown: pl.DataFrame) -> list[str]:
    pairs = shown.select("toolchain", "toolchain_version").unique().drop_nulls("toolchain").rows()
    return sorted((" ".join(part for part in pair if part) for pair in pairs), key=natural)


def _steelyards(shown: pl.DataFrame) -> list[str]:
    pairs = (
        shown.select("steelyard_version", "steelyard_commit").unique().drop_nulls("steelyard_version").rows()
    )
    return sorted(f"{version} ({commit[:12]})" if commit else version for version, commit in pairs) or [
        steelyard_version()
    ]


def _measured(shown: pl.DataFrame) -> str:
    days = sorted(shown["date"].drop_nulls().str.slice(0, 10).unique().to_list())
    return " to ".join(dict.fromkeys((*days[:1], *days[-1:])))


def _lead(shown: pl.DataFrame) -> str:
    """Return one sentence that describes the records."""
    if shown.is_empty():
        return "No records."
    named = _listed(_distinct(shown, "primitive"), most=8, what="primitives")
    chips = _listed(_distinct(shown, "target"), most=8, what="targets")
    return f"Cycles, memory and time of {named} on {chips}."


def _listed(names: Sequence[str], *, most: int, what: str) -> str:
    if not names:
        return f"no {what}"
    if len(names) > most:
        return f"{len(names)} {what}"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _marks(shown: pl.DataFrame, catalog: Catalog | None) -> Marks:
    """Return primitives that are marked as broken or legacy, with the authority if it is known."""
    authorities = {primitive.id: primitive.authority for primitive in catalog.primitives} if catalog else {}
    pairs = shown.filter(pl.col("security").is_in(_MARKED)).select("primitive", "security").unique().rows()
    return {name: {"mark": security, "authority": authorities.get(name, "")} for name, security in pairs}


def _targets(shown: pl.DataFrame, known: Iterable[Target]) -> list[dict[str, Any]]:
    """Return the page's facts on each target that occurs, from its data file if there is one."""
    files = {target.id: target.file for target in known}
    listed = []
    for name in _distinct(shown, "target"):
        rows = shown.filter(pl.col("target") == name)
        file = files.get(name)
        listed.append(
            {
                "id": name,
                "tier": file.tier if file else next(iter(rows["tier"].drop_nulls()), None),
                "timing_versions": _distinct(rows, "timing_version"),
                "title": file.title if file else "",
                "family": file.family if file else "",
                "core": file.core if file else "",
                "clock_hz": file.clock_hz if file else None,
                "evidence": file.evidence if file else (),
                "known_gaps": file.known_gaps if file else (),
                "sources": [f"{source.fact}: {source.document}, {source.section}" for source in file.source]
                if file
                else (),
            }
        )
    return listed

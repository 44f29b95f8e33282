"""Cycles as a function of the message length, build by build."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from steelyard.cli.view import View
from steelyard.present.table import Table

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.measure.selection import Selection
    from steelyard.measure.workers import Jobs
    from steelyard.record.schema import Record

DEFAULT_PRIMITIVES = ("aes-128", "chacha20", "sha-256", "aes-128-ccm")
DEFAULT_TARGETS = ("atmega128", "stm32f407")
DEFAULT_MODES = ("cbc", "ctr")
_SAMPLES = 2

_Build = tuple[str, ...]


def run(
    primitive: list[str] | None,
    target: list[str] | None,
    mode: list[str] | None,
    toolchain: list[str] | None,
    flags: list[str] | None,
    checks: int,
    jobs: Jobs,
    store: Path | None,
    wanted: View,
) -> None:
    """Measure, fit, check and print."""
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.fitted.collect import primitives_of
    from steelyard.cli.fitted.measuring import measure
    from steelyard.cli.measure import tell_outcome
    from steelyard.measure.selection import Selection

    catalog = load_catalog()
    names = primitives_of(catalog, primitive or DEFAULT_PRIMITIVES)
    here = partial(
        Selection,
        target=tuple(target or DEFAULT_TARGETS),
        toolchain=tuple(toolchain or ()),
        flags=tuple(flags or ("-Os",)),
    )
    chosen = list(_selections(catalog, names, tuple(mode or DEFAULT_MODES), here, checks))
    result = measure(catalog, chosen, _SAMPLES, jobs, store)
    rows = list(_rows(result.records, catalog))
    wanted.show(rows, _page(rows))
    tell_outcome(result)
    raise typer.Exit(1 if result.failed else 0)


def _selections(
    catalog: Catalog,
    names: Sequence[str],
    modes: Sequence[str],
    here: Callable[..., Selection],
    checks: int,
) -> Iterator[Selection]:
    """Return set-up, lengths of the fit and lengths of the check, for each primitive separately."""
    from steelyard.measure.selection import match
    from steelyard.models.affine import check_lengths, fit_lengths, whole_lengths

    chosen_modes = match("mode", modes, [one.id for one in catalog.modes])
    for name in names:
        algorithm, block = catalog.algorithm_of(name), catalog.primitive(name).block_bytes
        kind = algorithm.file.kind
        if kind == "signature":
            continue
        lengths = (*fit_lengths(block), *check_lengths(block, checks))
        if kind != "block":
            yield here(primitive=(name,), length=lengths)
            continue
        yield here(primitive=(name,), operation=("init",))
        for mode in chosen_modes:
            whole = catalog.mode(mode).file.whole_blocks
            taken = whole_lengths(lengths, block) if whole else lengths
            yield here(
                primitive=(name,), mode=(mode,), length=tuple(one for one in taken if one or not whole)
            )


def _rows(records: Sequence[Record], catalog: Catalog) -> Iterator[dict[str, object]]:
    """Yield one object per build and operation with lengths."""
    from steelyard.models.affine import check, fit, fit_lengths, whole_lengths

    cycles: dict[_Build, dict[int, float]] = {}
    set_up: dict[_Build, float] = {}
    spread: dict[_Build, bool] = {}
    for record in records:
        if record["status"] != "ok":
            continue
        build = tuple(
            str(record[name] or "-")
            for name in ("primitive", "variant", "mode", "target", "toolchain", "flags", "operation")
        )
        figure = float(str(record["cycles"]))
        if record["message_bytes"] is None:
            set_up[build[:2] + build[3:6]] = figure
        else:
            cycles.setdefault(build, {})[int(str(record["message_bytes"]))] = figure
            varies = record["cycles_min"] != record["cycles_max"]
            spread[build] = spread.get(build, False) or varies or record["cache_state"] is not None
    for build, measured in cycles.items():
        block = catalog.primitive(build[0]).block_bytes
        wanted = set(fit_lengths(block)) | set(whole_lengths(fit_lengths(block), block or 1))
        learned = {length: figure for length, figure in measured.items() if length in wanted}
        asked = {length: figure for length, figure in measured.items() if length not in wanted}
        if len(learned) < 2 or not asked:
            continue
        model = fit(learned, block)
        met = check(model, asked)
        yield {
            "primitive": build[0],
            "variant": build[1],
            "mode": None if build[2] == "-" else build[2],
            "target": build[3],
            "toolchain": build[4],
            "flags": build[5],
            "operation": build[6],
            "init_cycles": set_up.get(build[:2] + build[3:6]),
            "per_message_cycles": round(model.per_message_cycles, 1),
            "per_block_cycles": round(model.per_block_cycles, 2),
            "block_bytes": model.block_bytes,
            "data_dependent_or_cached": spread[build],
            "fitted_lengths": len(learned),
            "checked_lengths": met.lengths,
            "exact_lengths": met.exact,
            "worst_error_percent": round(100 * met.worst_error, 3),
            "worst_message_bytes": met.worst_bytes,
        }


def _page(rows: Sequence[Mapping[str, object]]) -> Iterator[Table | str]:
    columns = (
        *("primitive", "mode", "target", "toolchain", "operation", "init_cycles", "per_message_cycles"),
        *("per_block_cycles", "block_bytes", "fitted_lengths", "exact_lengths", "checked_lengths"),
        "worst_error_percent",
    )
    yield Table(
        "",
        tuple(name.replace("_", " ") for name in columns),
        tuple(tuple(_shown(row[name]) for name in columns) for row in rows),
        left=5,
        least_needed=("fitted lengths", "block bytes", "checked lengths", "exact lengths"),
        objects=tuple(rows),
    )
    exact = sum(row["exact_lengths"] == row["checked_lengths"] for row in rows)
    yield f"{exact} of {len(rows)} operations are met to half a cycle at every length checked."


def _shown(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:,.10g}" if isinstance(value, int | float) else str(value)

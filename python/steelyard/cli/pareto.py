"""`steelyard pareto`: builds that no other beats in all figures, and the fastest by category of memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import warn
from steelyard.cli.view import View, view
from steelyard.errors import UsageError

if TYPE_CHECKING:
    from steelyard.advise.categories import Category, Filled
    from steelyard.catalog.load import Catalog
    from steelyard.measure.selection import Selection
    from steelyard.record.schema import Record


@options.taking(selection=options.selection, wanted=view)
def pareto(
    *,
    selection: Selection,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="FIELD",
            help="Two or three figures of the front (default: cycles, rom_bytes, ram_bytes); repeatable.",
        ),
    ] = None,
    across: Annotated[
        list[str] | None,
        typer.Option(
            "--across",
            metavar="FIELD",
            help="Put on one front what differs in primitive, target, settings or footprint; repeatable.",
        ),
    ] = None,
    dominated: Annotated[
        bool, typer.Option("--dominated", help="Show the other builds too, with one that beats each.")
    ] = False,
    categories: Annotated[
        bool,
        typer.Option("--categories", help="The fastest build in each category of ROM and RAM."),
    ] = False,
    rom: Annotated[
        list[str] | None,
        typer.Option("--rom", metavar="SIZE", help="Categories of ROM in place of the usual; repeatable."),
    ] = None,
    ram: Annotated[
        list[str] | None,
        typer.Option("--ram", metavar="SIZE", help="Categories of RAM in place of the usual; repeatable."),
    ] = None,
    buffers: Annotated[
        bool, typer.Option("--buffers", help="With --categories, count the caller's buffers as RAM.")
    ] = False,
    primitives: options.Primitives = None,
    plot: options.Plot = None,
    no_measure: options.NoMeasure = False,
    jobs: options.Jobs = None,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Show the front: builds that no other build beats in all of two or three figures.

    The selection is measured first: all variants and their parameters at -Os, -O2 and -O3, unless variants or
    flags are named. Then every verified record of the store for the same work takes part. With
    --no-measure only the store is read. Each primitive, chip and length has its own front, unless --across
    joins them; the figures of a front are made small, throughput is made large.

    --categories asks which build is fastest within each bound of ROM and RAM; where none fits, it says
    what the least is and by how much it misses. ROM: the least, 512 bytes, 1 KB, 2 KB; RAM: 64, 128, 256
    and 512 bytes of statics, context and stack.

    \b
    Examples:
      steelyard pareto --primitive aes-128 --target atmega128 --operation encrypt
      steelyard pareto --primitive sha-256 --target stm32f407 --length 64 --metric time_us --metric rom_bytes
      steelyard pareto --no-measure --target atmega128 --across primitive --plot front.html
      steelyard pareto --primitive aes-128 --target atmega128 --categories
      steelyard pareto --primitive present-80 --target msp430f5529 --categories --rom 1K --rom 4K --ram 128
    """
    from steelyard.advise.pareto import check_across, check_metrics, fronts
    from steelyard.catalog.load import load_catalog
    from steelyard.cli import categorised
    from steelyard.cli import fronts as shown
    from steelyard.report.figure import check_figure, write_figure

    check_figure(plot)
    catalog = load_catalog(primitives or ())
    if categories:
        if metric or across or dominated:
            raise UsageError(
                "--categories has its own figures: leave --metric, --across and --dominated out."
            )
        filled = _categories(
            catalog, selection, (rom, ram), store, jobs, buffers=buffers, no_measure=no_measure
        )
        wanted.show(categorised.objects(filled), categorised.page(filled))
        if not filled:
            warn("no verified record is there to fill a category; leave --no-measure out.")
            raise typer.Exit(1)
        if plot is not None:
            spec, rows = categorised.chart(filled)
            write_figure(plot, "Speed by category of ROM and RAM", spec, rows)
            warn(f"{len(rows)} filled categories drawn in {plot}.")
        return
    if rom or ram or buffers:
        raise UsageError("--rom, --ram and --buffers are for --categories.")
    metrics, joined = check_metrics(metric or ()), check_across(across or ())
    records = _records(catalog, selection, store, jobs, no_measure=no_measure)
    found = fronts(records, metrics, joined)
    wanted.show(shown.objects(found), shown.page(found, dominated=dominated))
    if not found.fronts:
        warn("no verified record has these figures; leave --no-measure out, or measure first.")
        raise typer.Exit(1)
    if plot is not None:
        spec, rows = shown.chart(found, metrics)
        write_figure(plot, f"Front of {', '.join(metrics)}", spec, rows)
        warn(f"{len(rows)} builds drawn in {plot}.")


def _records(
    catalog: Catalog, selection: Selection, store: Path | None, jobs: int | None, *, no_measure: bool
) -> list[Record]:
    """Return the records of the store that the selection selects, those of its work once it is measured."""
    from steelyard.advise.pareto import of_the_work, searching
    from steelyard.cli.filter import selected_records

    if no_measure:
        frame = selected_records(store, selection, unverified=True)
        return [one for one in frame.iter_rows(named=True) if one["device"] is None]
    fresh = _measured(catalog, [searching(selection)], store, jobs)
    kept = selected_records(store, selection, unverified=True).iter_rows(named=True)
    return list(of_the_work(kept, fresh))


def _measured(
    catalog: Catalog, selections: Sequence[Selection], store: Path | None, jobs: int | None
) -> list[Record]:
    from steelyard.cli.measure import run_session
    from steelyard.cli.output import tell_left_out
    from steelyard.measure.session import missing_sentence, prepare

    for selection in selections:
        if not selection.primitive or not selection.target:
            raise UsageError(
                "name what is measured with --primitive and --target, or read the store alone with"
                " --no-measure."
            )
    session = prepare(catalog, selections)
    for missing in session.missing:
        warn(f"measured without {missing.id}: {missing_sentence(missing)}")
    tell_left_out(session.plan.refused, "build")
    return run_session(session, store, jobs)


def _categories(
    catalog: Catalog,
    selection: Selection,
    bounds: tuple[list[str] | None, list[str] | None],
    store: Path | None,
    jobs: int | None,
    *,
    buffers: bool,
    no_measure: bool,
) -> list[Filled]:
    """Return the categories of a selection, filled by what is measured now and what the store has."""
    from steelyard.advise.categories import CHOICES, builds_of, categories, cells, fill, of_cells
    from steelyard.advise.pareto import searching
    from steelyard.cli.filter import selected_records

    for name in ("operation", "footprint", "mode", "padding", "ad_length", "cache"):
        if getattr(selection, name):
            raise UsageError(f"--categories asks for every direction: leave --{name.replace('_', '-')} out.")
    if len(selection.length) > 1:
        raise UsageError("--categories compares messages of one --length.")
    if not selection.primitive or not selection.target:
        raise UsageError("--categories needs a --primitive and a --target.")
    roms = _bounds("--rom", bounds[0], categories("ROM"))
    rams = _bounds("--ram", bounds[1], categories("RAM"))
    asked, hashes = cells(catalog, searching(selection))
    if not no_measure:
        _measured(catalog, asked, store, jobs)
    frame = selected_records(store, selection.model_copy(update={"length": ()}), unverified=True)
    records = list(of_cells(frame.iter_rows(named=True), asked))
    ram_of = CHOICES[list(CHOICES)[1 if buffers else 0]]
    return [
        one
        for target in dict.fromkeys(str(record["target"]) for record in records)
        for one in fill(
            target,
            builds_of((record for record in records if record["target"] == target), hashes),
            roms,
            rams,
            ram_of,
        )
    ]


def _bounds(option: str, given: list[str] | None, usual: Sequence[Category]) -> tuple[Category, ...]:
    """Return the categories of the option's sizes, smallest first, or the usual ones."""
    from steelyard.advise.categories import Category
    from steelyard.units import parse_bytes

    if not given:
        return tuple(usual)
    sizes = sorted({parse_bytes(option, text) for text in given})
    return tuple(Category(f"{size:,} B", size) for size in sizes)

"""`steelyard sweep`: one selection at every point of chip fields, parameters and other choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import INTERRUPTED, tell_left_out, warn
from steelyard.cli.view import View, view
from steelyard.errors import UsageError

if TYPE_CHECKING:
    from steelyard.measure.selection import Selection
    from steelyard.measure.workers import Jobs


@options.taking(jobs=options.jobs, selection=options.selection, wanted=view)
def sweep(
    *,
    selection: Selection,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="FIELD=VALUES",
            help="Values of a chip's field: a list (clock_hz=8M,16M), a range with a factor"
            " (icache.size=1K..16K*2) or a step (wait_states=0..5, clock_hz=8M..24M+8M), code=flash,ram;"
            " own is the chip's own value; repeatable.",
        ),
    ] = None,
    primitives: options.Primitives = None,
    samples: options.Samples = 16,
    seed: options.Seed = "steelyard",
    max_cycles: options.MaxCycles = 2_000_000_000,
    jobs: Jobs,
    plot: options.Plot = None,
    metric: Annotated[
        str, typer.Option("--metric", metavar="FIELD", help="Figure that --plot shows.")
    ] = "cycles",
    store: options.Store = None,
    wanted: View,
) -> None:
    """Measure a selection at every combination of chip fields, parameters, compilers, flags and lengths.

    A variant's parameters are searched at all their values, unless --parameter names some. What varies
    becomes the columns of the table. Every record is verified and stored; an interrupted sweep goes on
    where it stopped. Combinations that exclude each other are counted and left out.

    \b
    Examples:
      steelyard sweep --primitive chacha20 --variant chacha20/compact --target atmega128 --length 64
      steelyard sweep --primitive aes-128 --target stm32f407 --operation encrypt --set wait_states=0..5
      steelyard sweep --primitive aes-128 --target stm32f407 --set clock_hz=24M,168M --set code=flash,ram
      steelyard sweep --primitive aes-128 --target sa1110 --set dcache.size=1K..16K*2 --set dcache.ways=1,2,4
      steelyard sweep --primitive sha-256 --target nrf52840 --flags=-Os --flags=-O3 --plot lengths.svg
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.measure import progress, tell_failures
    from steelyard.cli.records import known_columns
    from steelyard.cli.swept import METRICS, chart, page
    from steelyard.measure.axes import parse_axes
    from steelyard.measure.image import Rules
    from steelyard.measure.parameters import EVERY
    from steelyard.measure.selection import match
    from steelyard.measure.session import missing_sentence, prepare_sweep
    from steelyard.report.figure import check_figure, write_figure
    from steelyard.store.segments import store_folder

    check_figure(plot)
    if metric != "cycles" and plot is None:
        raise UsageError("--metric is the figure of --plot: name its file.")
    (figure,) = match("metric", [metric], METRICS)
    axes = parse_axes(settings or ())
    selection = selection.model_copy(update={"parameter": selection.parameter or (EVERY,)})
    session = prepare_sweep(load_catalog(primitives or ()), selection, axes)
    for missing in session.missing:
        warn(f"measured without {missing.id}: {missing_sentence(missing)}")
    tell_left_out(session.plan.refused, "build")
    tell_left_out(session.plan.skipped)
    with progress(session) as advance:
        result = session.run(store_folder(store), Rules(samples, seed, max_cycles), jobs, advance)
    fields = [axis.field for axis in axes]
    names = [name for variant in load_catalog(primitives or ()).variants for name in variant.file.parameters]
    wanted.knowing([*known_columns(), *fields, *names]).show(result.records, page(result.records))
    tell_failures(result.records)
    if plot is not None:
        spec, rows = chart(result.records, figure)
        if not rows:
            raise UsageError(f"--plot: no verified record has the figure {figure}.")
        write_figure(plot, f"{figure} of {len(rows)} points", spec, rows)
        warn(f"{len(rows)} points drawn in {plot}.")
    if result.interrupted:
        warn(
            f"interrupted; {len(result.records)} of {session.plan.cell_count} cells are done and kept:"
            " the same command goes on from there."
        )
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if result.failed else 0)

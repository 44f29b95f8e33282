"""`steelyard watch`: measure your own code again whenever it is saved, and print what the change cost."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.compare import Budgets, Limit, Metric, asked_of, show
from steelyard.cli.output import INTERRUPTED, warn
from steelyard.cli.view import View, view

if TYPE_CHECKING:
    from steelyard.measure.selection import Selection


@options.taking(selection=options.selection, wanted=view)
def watch(
    *,
    selection: Selection,
    settings: options.Set = None,
    primitives: Annotated[
        list[Path] | None,
        typer.Option(
            "--primitives", metavar="DIR", help="Folder with your own code, which is watched; repeatable."
        ),
    ] = None,
    measure: Metric = None,
    limit: Limit = None,
    budgets: Budgets = None,
    runs: Annotated[
        int | None,
        typer.Option("--runs", min=1, metavar="N", help="End after this many measurements."),
    ] = None,
    samples: options.Samples = 16,
    seed: options.Seed = "steelyard",
    max_cycles: options.MaxCycles = 2_000_000_000,
    jobs: options.Jobs = None,
    wanted: View,
) -> None:
    """Measure your own code, and again whenever a file in its folder is saved; print the change.

    Each time is compared with the one before it. What fails to build or gives a wrong output is told, and the
    next good one is compared with the last good one. Ctrl-C ends it. No store is written.

    \b
    Examples:
      steelyard watch --primitives my-ciphers --target attiny45
      steelyard watch --primitives my-ciphers --target stm32f407 --operation encrypt --length 64 --flags -O2
      steelyard watch --primitives my-ciphers --target atmega128 --measure cycles --measure stack
    """
    from steelyard.compare.sides import Interrupted, Measuring
    from steelyard.compare.watching import watch as seen
    from steelyard.measure.image import Rules
    from steelyard.measure.settings import parse_settings

    asked = asked_of(selection, measure, limit, budgets)
    measuring = Measuring(
        tuple(primitives or ()),
        parse_settings(settings or ()),
        Rules(samples, seed, max_cycles),
        jobs,
    )
    status = 0
    try:
        for number, one in enumerate(seen(measuring, asked), start=1):
            if one.comparison is None:
                warn(str(one.error))
                status = 2
            else:
                status = one.comparison.exit_status
                if number == 1 and not wanted.json:
                    _show_first(list(one.records), wanted)
                else:
                    if not wanted.json:
                        typer.echo(f"\n{datetime.now():%H:%M:%S}")
                    show(one.comparison, wanted)
            # Whoever reads this through a pipe waits for it.
            typer.get_text_stream("stdout").flush()
            if number == runs:
                break
            if number == 1:
                warn("watching; save a file to measure again, Ctrl-C to end.")
    except Interrupted:
        raise typer.Exit(INTERRUPTED) from None
    raise typer.Exit(status)


def _show_first(records: list[dict[str, str | int | float | bool | None]], wanted: View) -> None:
    from steelyard.cli.records import record_page

    wanted.show(records, record_page(records))

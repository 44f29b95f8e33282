"""`steelyard show`: the newest record of every cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import warn
from steelyard.cli.view import View, view

if TYPE_CHECKING:
    from steelyard.measure.selection import Selection
    from steelyard.record.schema import Record


@options.taking(selection=options.selection, wanted=view)
def show(
    *,
    selection: Selection,
    unverified: Annotated[
        bool, typer.Option("--unverified", help="Include unverified records, such as calls by --elf.")
    ] = False,
    rule: options.Rule = None,
    energy: Annotated[
        bool, typer.Option("--energy", help="Show energy and power, by component if published.")
    ] = False,
    best: Annotated[
        bool,
        typer.Option("--best", help="Show the default variant of each cell, the fastest and the smallest."),
    ] = False,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Show the newest record of every measured cell. Exit status 1 where there is none.

    With --best, cells that differ in the variant alone are compared: the default is shown beside the fastest
    variant, that of the smallest ROM and that of the smallest RAM.

    \b
    Examples:
      steelyard show --primitive 'aes-*' --target atmega128
      steelyard show --operation encrypt --sort cycles --columns variant,target,cycles,ram_context_bytes
      steelyard show --operation encrypt --mode cbc --length 256 --json
      steelyard show --target sa1100 --energy
      steelyard show --primitive 'aes-*' --best
    """
    from steelyard.cli.filter import selected_records
    from steelyard.cli.records import energy_page, known_columns, record_page
    from steelyard.errors import UsageError
    from steelyard.report.tables import in_order

    if best and energy:
        raise UsageError("--best and --energy are two tables; name one.")
    wanted = wanted.knowing(known_columns())
    frame = in_order(selected_records(store, selection, unverified=unverified, rule=rule))
    records = list(frame.iter_rows(named=True))
    if best:
        _show_best(records, wanted)
        return
    if wanted.json or records:
        wanted.show(records, energy_page(records) if energy else record_page(records))
    if not records:
        warn("there is no such record yet; steelyard measure makes them.")
        raise typer.Exit(1)


def _show_best(records: Sequence[Record], wanted: View) -> None:
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.records import best_page
    from steelyard.report.goals import best

    rows = list(best(records, load_catalog()))
    if wanted.json or rows:
        wanted.show(rows, best_page(rows))
    if not rows:
        warn("no cell is measured with two variants yet; steelyard measure --variant '*' measures all.")
        raise typer.Exit(1)

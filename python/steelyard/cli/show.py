"""`steelyard show`: the newest record of every cell."""

from __future__ import annotations

from typing import Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import warn


def show(
    primitive: options.Primitive = None,
    variant: options.Variant = None,
    target: options.Target = None,
    toolchain: options.Toolchain = None,
    flags: options.Flags = None,
    operation: options.Operation = None,
    mode: options.Mode = None,
    length: options.Length = None,
    ad_length: options.AdLength = None,
    cache: options.CacheState = None,
    footprint: options.Footprint = None,
    padding: options.Padding = None,
    unverified: Annotated[
        bool, typer.Option("--unverified", help="Include unverified records, such as calls by --elf.")
    ] = False,
    rule: options.Rule = None,
    energy: Annotated[
        bool, typer.Option("--energy", help="Show energy and power, by component if published.")
    ] = False,
    store: options.Store = None,
    columns: options.Columns = None,
    sort: options.Sort = None,
    json: options.Json = False,
) -> None:
    """Show the newest record of every measured cell. Exit status 1 where there is none.

    \b
    Examples:
      steelyard show --primitive 'aes-*' --target atmega128
      steelyard show --operation encrypt --sort cycles --columns variant,target,cycles,ram_context_bytes
      steelyard show --operation encrypt --mode cbc --length 256 --json
      steelyard show --target sa1100 --energy
    """
    from steelyard.cli.filter import selected_records
    from steelyard.cli.records import energy_page, known_columns, record_page
    from steelyard.cli.view import view
    from steelyard.measure.selection import select

    wanted = view(json, columns, sort, known_columns())
    selection = select(
        primitive=primitive,
        variant=variant,
        target=target,
        toolchain=toolchain,
        flags=flags,
        operation=operation,
        mode=mode,
        length=length,
        ad_length=ad_length,
        cache=cache,
        footprint=footprint,
        padding=padding,
    )
    frame = selected_records(store, selection, unverified=unverified, rule=rule)
    records = list(frame.iter_rows(named=True))
    if json or records:
        wanted.show(records, energy_page(records) if energy else record_page(records))
    if not records:
        warn("there is no such record yet; steelyard measure makes them.")
        raise typer.Exit(1)

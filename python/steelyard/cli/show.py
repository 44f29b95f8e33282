"""`steelyard show`: the newest record of every cell."""

from __future__ import annotations

from typing import Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import print_json, warn


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
    json: options.Json = False,
) -> None:
    """Show the newest record of every measured cell.

    \b
    Examples:
      steelyard show --primitive 'aes-*' --target atmega128
      steelyard show --operation encrypt --mode cbc --length 256 --json
      steelyard show --target sa1100 --energy
    """
    from steelyard.cli.filter import selected_records
    from steelyard.cli.records import print_energy, print_records
    from steelyard.measure.selection import select

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
    if json:
        print_json(frame.iter_rows(named=True))
    elif frame.is_empty():
        warn("there is no such record yet; steelyard measure makes them.")
    elif energy:
        print_energy(list(frame.iter_rows(named=True)))
    else:
        print_records(list(frame.iter_rows(named=True)))

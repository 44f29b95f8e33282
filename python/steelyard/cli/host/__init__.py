"""`steelyard host`: Linux devices. Each command is a module; `app` combines them."""

from __future__ import annotations

import typer

from steelyard.cli.host import info, interfere, measure

app = typer.Typer(
    help="Measure on Linux devices, on this machine or over SSH.",
    no_args_is_help=True,
)
app.command("info")(info.info)
app.command("measure")(measure.measure)
app.command("interfere")(interfere.interfere)

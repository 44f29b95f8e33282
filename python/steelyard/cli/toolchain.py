"""`steelyard toolchain`: the compilers of this machine."""

from __future__ import annotations

import typer

from steelyard.cli import options
from steelyard.cli.output import print_json, print_table

app = typer.Typer(help="The compilers of this machine.", no_args_is_help=True)


@app.command("list")
def list_(json: options.Json = False) -> None:
    """List the toolchains of every CPU family, and how to get those that are missing.

    \b
    Example:
      steelyard toolchain list
    """
    from steelyard.cli.list_ import toolchain_rows

    rows = toolchain_rows()
    if json:
        print_json(rows)
        return
    cells = (
        [
            str(row["toolchain"]),
            str(row["family"]),
            str(row["title"]),
            str(row["version"] or f"missing; run: {row['install']}"),
        ]
        for row in rows
    )
    print_table(("toolchain", "family", "title", "version"), cells, left=4)

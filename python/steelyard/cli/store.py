"""`steelyard store`: export records, and delete superseded ones."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import warn

if TYPE_CHECKING:
    from steelyard.store.export import ExportFormat

app = typer.Typer(help="Export and clean up stored records.", no_args_is_help=True)

_FORMATS: dict[str, ExportFormat] = {"json": "json", "csv": "csv", "parquet": "parquet"}


@app.command("export")
def export(
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="Format: json, csv or parquet.")
    ] = "json",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Output file (default: standard output)."),
    ] = None,
    every: Annotated[bool, typer.Option("--every", help="Include superseded records.")] = False,
    store: options.Store = None,
) -> None:
    """Write all records as JSON, CSV or Parquet.

    \b
    Examples:
      steelyard store export --format csv -o records.csv
      steelyard store export --format parquet --every -o all.parquet
    """
    from steelyard.measure.selection import match
    from steelyard.store.export import encode, write_file
    from steelyard.store.read import read_records
    from steelyard.store.segments import store_folder

    chosen = _FORMATS[match("format", [form], list(_FORMATS))[0]]
    data = encode(read_records(store_folder(store), warn, newest_only=not every), chosen)
    if output is None:
        sys.stdout.buffer.write(data)
    else:
        write_file(output, data)


@app.command("gc")
def gc(store: options.Store = None) -> None:
    """Drop superseded records: keep the newest one of every cell, in one segment.

    \b
    Example:
      steelyard store gc
    """
    from steelyard.store.gc import collect
    from steelyard.store.segments import store_folder

    done = collect(store_folder(store), warn)
    busy = f"; {done.busy_segments} segments are being written and stay" if done.busy_segments else ""
    warn(f"{done.dropped_records} superseded records dropped, {done.kept_records} kept{busy}.")

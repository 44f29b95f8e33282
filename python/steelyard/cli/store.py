"""`steelyard store`: export, publish, merge and verify records, and delete superseded ones."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import warn
from steelyard.cli.view import View, view

if TYPE_CHECKING:
    from steelyard.store.export import ExportFormat

app = typer.Typer(help="Export, publish, merge, verify and clean up stored records.", no_args_is_help=True)

_FORMATS: dict[str, ExportFormat] = {
    "json": "json",
    "csv": "csv",
    "parquet": "parquet",
    "pqm4": "pqm4",
}


@app.command("export")
def export(
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="Format: json, csv, parquet or pqm4.")
    ] = "json",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Output file (default: standard output)."),
    ] = None,
    every: Annotated[bool, typer.Option("--every", help="Include superseded records.")] = False,
    store: options.Store = None,
) -> None:
    """Write all records as JSON, CSV, Parquet or pqm4's CSV.

    That one has the tables in which pqm4 publishes, for key encapsulation and signatures of code of others
    (docs/import/pqm4.md).

    \b
    Examples:
      steelyard store export --format csv -o records.csv
      steelyard store export --format pqm4 -o benchmarks.csv
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


@app.command("dataset")
def dataset(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder of the files.")
    ] = Path("dataset"),
    name: Annotated[str, typer.Option(metavar="TEXT", help="Name of the dataset.")] = "steelyard-records",
    license_: Annotated[
        str, typer.Option("--license", metavar="URL", help="Address of the licence.")
    ] = "https://creativecommons.org/publicdomain/zero/1.0/",
    url: Annotated[
        str, typer.Option(metavar="URL", help="Address at which the dataset is published.")
    ] = "https://example.org/steelyard-records",
    creator: Annotated[str, typer.Option(metavar="TEXT", help="Who publishes it.")] = "Steelyard",
    published: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Day of publication (default: that of the newest record)."),
    ] = None,
    store: options.Store = None,
) -> None:
    """Write the newest record of every cell as a dataset: one Parquet file, a page on its columns, and a
    description in Croissant, the vocabulary of MLCommons for datasets.

    The same records give the same bytes on every machine with the same version of Steelyard and Polars.

    \b
    Examples:
      steelyard store dataset -o release
      steelyard store dataset -o release --name rc4-on-avr --url https://example.org/rc4
    """
    from steelyard.store.dataset import Publication, write_dataset
    from steelyard.store.segments import store_folder

    publication = Publication(name, license_, url, creator, published)
    frame = write_dataset(store_folder(store), output, publication, warn)
    warn(f"{frame.height} records in {output}.")


@app.command("gc")
def gc(store: options.Store = None) -> None:
    """Drop superseded records: keep the newest one of every cell, in one segment.

    Runs may write and others may read meanwhile. Lines that are no record are named and dropped.

    \b
    Example:
      steelyard store gc
    """
    from steelyard.store.gc import collect
    from steelyard.store.segments import store_folder

    done = collect(store_folder(store), warn)
    busy = f"; {done.busy_segments} segments are being written and stay" if done.busy_segments else ""
    warn(f"{done.dropped_records} superseded records dropped, {done.kept_records} kept{busy}.")


@app.command("merge")
def merge(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="Folder of another store, or one of its segments.")
    ],
    store: options.Store = None,
) -> None:
    """Take over the records of another store, which stays as it is.

    They count as newer than those that are there. What is there already is not taken again, so that a
    second merge changes nothing. Other results are copied if there is none of their name.

    \b
    Examples:
      steelyard store merge /mnt/laptop/steelyard/store
      steelyard store merge records-v2-000000000007-20260101T120000000000-0a1b2c3d.ndjson --store all
    """
    from steelyard.store.merge import merge as merge_stores
    from steelyard.store.segments import store_folder

    done = merge_stores(store_folder(store), source, warn)
    results = f", {done.new_results} other results" if done.new_results else ""
    warn(f"{done.new_records} records taken over{results}; {done.known_records} were there already.")


@app.command("verify")
@options.taking(wanted=view)
def verify(*, store: options.Store = None, wanted: View) -> None:
    """Check every record and its checksum, and name what is bad. Exit status 1 if anything is.

    \b
    Examples:
      steelyard store verify
      steelyard store verify --json --store /mnt/laptop/steelyard/store
    """
    from steelyard.present.table import table_of
    from steelyard.store.segments import store_folder
    from steelyard.store.verify import verify as verify_store

    def shown(path: Path) -> str:
        """A path as text; bytes that are not UTF-8 as escapes."""
        return os.fsencode(path).decode(errors="backslashreplace")

    names = ("file", "line", "problem")
    wanted = wanted.knowing(names)
    found = verify_store(store_folder(store))
    bad = [{"file": shown(one.path), "line": one.line, "problem": one.problem} for one in found.damages]
    wanted.show(bad, [table_of(bad, names)] if bad else [])
    old = f", {found.without_checksum} of an older format without checksum" if found.without_checksum else ""
    said = f"{len(bad)} damaged lines or files" if bad else "nothing is damaged"
    warn(f"{found.records} whole records in {found.segments} segments{old}; {said}.")
    raise typer.Exit(1 if bad else 0)

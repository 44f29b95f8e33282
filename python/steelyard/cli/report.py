"""`steelyard report`: the records as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import warn

if TYPE_CHECKING:
    from steelyard.measure.selection import Selection


@options.taking(selection=options.selection)
def report(
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="HTML file to write.")
    ] = Path("report.html"),
    picture: Annotated[
        Path | None,
        typer.Option("--picture", metavar="FILE", help="Also write cycles per byte as an SVG picture."),
    ] = None,
    serve: Annotated[
        bool,
        typer.Option("--serve", help="Also serve it to the browsers of this machine, until Ctrl-C."),
    ] = False,
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="Port of --serve; 0 is any free one.")
    ] = 0,
    primitives: options.Primitives = None,
    selection: Selection,
    rule: options.Rule = None,
    store: options.Store = None,
) -> None:
    """Write the newest records as one self-contained HTML file that works offline.

    \b
    Examples:
      steelyard report
      steelyard report --serve --port 8000
      steelyard report --target 'atmega*' -o atmega.html --picture atmega.svg
    """
    import polars as pl

    from steelyard.catalog.load import load_catalog
    from steelyard.cli.filter import selected_records
    from steelyard.report.html import report_page
    from steelyard.report.saved import saved_sections
    from steelyard.store.export import write_file
    from steelyard.store.segments import store_folder

    frame = selected_records(store, selection, rule=rule)
    # A table or plot holds a chip as it is, once; --set makes another one of it, and so does a cold cache.
    usual = pl.col("settings").is_null()
    if not selection.cache:
        usual &= pl.col("cache_state").fill_null("warm") == "warm"
    others = frame.filter(~usual)
    frame = frame.filter(usual)
    if others.height:
        warn(
            f"{others.height} records of changed chips or cold caches are shown as parts of experiments and"
            " sweeps only."
        )
    sections = saved_sections(store_folder(store), warn)
    page = report_page(frame, load_catalog(primitives or ()), others=others, sections=sections)
    write_file(output, page)
    warn(f"{frame.height} records written to {output}.")
    if picture is not None:
        from steelyard.report.picture import picture_svg

        write_file(picture, picture_svg(frame).encode())
    if serve:
        from steelyard.report.serve import PageServer

        with PageServer(page, port) as server:
            warn(f"The report is at {server.address} for browsers of this machine; Ctrl-C ends it.")
            server.serve_forever()

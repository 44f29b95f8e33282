"""`steelyard plot`: a figure of records for a paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from steelyard.cli import options
from steelyard.cli.completion import figure_names
from steelyard.cli.output import print_json, warn

if TYPE_CHECKING:
    import polars as pl

    from steelyard.figures.model import Figure
    from steelyard.measure.selection import Selection

_LENGTH = re.compile(r"(\d+(?:\.\d+)?)\s*(mm|cm|in|pt)")
_LEAST_PT, _MOST_PT = 40.0, 2400.0


@options.taking(selection=options.selection)
def plot(
    *,
    figure: Annotated[
        str | None,
        typer.Argument(
            metavar="FIGURE", help="A figure of --list, or of a study.", autocompletion=figure_names
        ),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="List the figures; those of studies need their records.")
    ] = False,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write, .svg, .pdf or .png; repeatable (default: FIGURE.svg).",
        ),
    ] = None,
    data: Annotated[
        Literal["csv", "json", "none"],
        typer.Option("--data", help="Form of the plotted rows, which are written beside each picture."),
    ] = "csv",
    width: Annotated[
        str,
        typer.Option("--width", metavar="LENGTH", help="Width, in mm, cm, in or pt: 88mm is one column."),
    ] = "88mm",
    height: Annotated[
        str | None, typer.Option("--height", metavar="LENGTH", help="Height (default: by the content).")
    ] = None,
    font: Annotated[
        str | None,
        typer.Option(
            "--font", metavar="NAME", help="Installed font (default: Liberation Sans, or one like it)."
        ),
    ] = None,
    font_size: Annotated[
        float, typer.Option("--font-size", min=4, max=24, metavar="PT", help="Size of the type in points.")
    ] = 7.0,
    ppi: Annotated[
        int, typer.Option("--ppi", min=36, max=2400, metavar="N", help="Resolution of a PNG, per inch.")
    ] = 300,
    choose: Annotated[
        list[str] | None,
        typer.Option(
            "--choose",
            metavar="COLUMN=VALUE",
            help="Choice that a figure of a study asks for; repeatable.",
        ),
    ] = None,
    rows: Annotated[
        Path | None,
        typer.Option("--rows", metavar="FILE", help="Rows of steelyard fidelity --output, for fidelity."),
    ] = None,
    selection: Selection,
    rule: options.Rule = None,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """Draw a figure of the newest verified records as SVG, PDF or PNG, with the plotted data beside it.

    Sizes and type fit a column of a two-column paper. The same records give the same bytes. Names of
    series hold what differs among the records; choose fewer by the selection options. With --json the plotted
    rows are printed, and a picture is drawn only for --output.

    \b
    Examples:
      steelyard plot --list
      steelyard plot length --primitive 'ascon*' --operation seal --toolchain gcc -o length.pdf
      steelyard plot front --primitive aes-128 --target atmega128 --variant '*' -o front.pdf -o front.png
      steelyard plot heat --width 180mm --font "Liberation Serif" --font-size 8
      steelyard plot sweep --target sa1100 --data json
      steelyard plot cache-sweep-cycles --choose flags=-O3
      steelyard plot fidelity --rows rows.csv -o fidelity.svg
    """
    from steelyard.cli.filter import selected_records
    from steelyard.errors import UsageError

    if listed:
        _list(store, json=json)
        return
    if figure is None:
        raise UsageError("name a figure; steelyard plot --list lists them.")
    files = output or ([] if json else [Path(f"{figure}.svg")])
    choices = _choices(choose or ())
    name = _checked(figure, files, choices, rows)
    points = _points("--width", width), None if height is None else _points("--height", height)
    # No selection reads the store where the rows come from a file.
    frame = None if rows is not None else selected_records(store, selection, rule=rule)
    made = _figure(name, frame, choices, rows, cold=bool(selection.cache))
    _write(made, files, data, points, font, font_size, ppi)
    if json:
        print_json(made.rows.iter_rows(named=True))


def _checked(figure: str, files: list[Path], choices: dict[str, str], rows: Path | None) -> str:
    """Return the figure's name; UsageError for an unknown one, and for options that do not belong to it."""
    from steelyard.errors import UsageError
    from steelyard.figures.catalogue import FIDELITY, FIGURES
    from steelyard.figures.draw import FORMATS
    from steelyard.figures.studies import study_of
    from steelyard.measure.selection import match

    for file in files:
        if file.suffix.removeprefix(".") not in FORMATS:
            raise UsageError(f"--output {file}: the name must end in .svg, .pdf or .png.")
    of_study = study_of(figure) is not None and figure not in FIGURES
    if not of_study:
        (figure,) = match("figure", [figure], [*FIGURES, FIDELITY])
    if choices and not of_study:
        raise UsageError(f"--choose is for figures of studies, not for {figure}.")
    if (rows is not None) is not (figure == FIDELITY):
        raise UsageError("--rows FILE and the figure fidelity go together.")
    return figure


def _figure(
    name: str, frame: pl.DataFrame | None, choices: dict[str, str], rows: Path | None, *, cold: bool
) -> Figure:
    import polars as pl

    from steelyard.figures import beside, studies
    from steelyard.figures.catalogue import FIGURES, OF_CHANGED_CHIPS, made
    from steelyard.report.tables import verified_results

    if rows is not None:
        return beside.fidelity(rows)
    assert frame is not None
    if name not in FIGURES:
        return studies.figure(name, frame, choices)
    results = verified_results(frame).filter(pl.col("device").is_null())
    if name not in OF_CHANGED_CHIPS:
        results = results.filter(pl.col("settings").is_null())
        if not cold:
            results = results.filter(pl.col("cache_state").fill_null("warm") == "warm")
    return made(name, results)


def _write(
    made: Figure,
    files: list[Path],
    data: str,
    points: tuple[float, float | None],
    font: str | None,
    font_size: float,
    ppi: int,
) -> None:
    from steelyard.figures.draw import chosen_font, drawn
    from steelyard.figures.model import Paper
    from steelyard.store.export import encode, write_file

    if not files:
        return
    paper = Paper(*points, chosen_font(font), font_size)
    for file in files:
        write_file(file, drawn(made, paper, file.suffix.removeprefix("."), ppi))
    beside = [] if data == "none" else dict.fromkeys(file.with_suffix(f".{data}") for file in files)
    for path in beside:
        write_file(path, encode(made.rows, "csv" if data == "csv" else "json"))
    written = ", ".join(map(str, (*files, *beside)))
    warn(f"{made.title}: {made.rows.height} rows; {written} written.")


def _list(store: Path | None, *, json: bool) -> None:
    """List the figures; those of studies for which the store has records, and their choices."""
    from steelyard.cli.view import View
    from steelyard.figures.catalogue import FIDELITY, FIGURES
    from steelyard.figures.studies import charts
    from steelyard.present.table import table_of
    from steelyard.store.read import read_records
    from steelyard.store.segments import store_folder
    from steelyard.study.discover import study_names

    records = read_records(store_folder(store), warn)
    found: list[dict[str, object]] = [
        {"figure": name, "shows": what, "choices": []} for name, (_, what) in FIGURES.items()
    ]
    found.append({"figure": FIDELITY, "shows": "emulated figures beside a board's, of --rows", "choices": []})
    for study in study_names():
        for chart in charts(study, records):
            found.append({"figure": chart.id, "shows": chart.title, "choices": list(chart.single)})
    fields = [name for name in ("figure", "shows", "choices") if any(one[name] for one in found)]
    View(json, (), ()).show(found, [table_of(found, fields)])


def _choices(given: list[str] | tuple[str, ...]) -> dict[str, str]:
    from steelyard.errors import UsageError
    from steelyard.nearest import printable

    found = {}
    for text in given:
        column, equals, value = text.partition("=")
        if not column or not equals:
            raise UsageError(f'--choose: "{printable(text)}" is not understood; write it as flags=-O2.')
        found[column] = value
    return found


def _points(option: str, text: str) -> float:
    """Return a length in points; UsageError for what is none, and for one that no page has."""
    from steelyard.errors import UsageError
    from steelyard.figures.draw import POINTS
    from steelyard.nearest import printable

    found = _LENGTH.fullmatch(text.strip())
    if found is None:
        raise UsageError(f'{option}: "{printable(text)}" is not understood; write it as 88mm, 18cm or 3.5in.')
    points = float(found[1]) * POINTS[found[2]]
    if not _LEAST_PT <= points <= _MOST_PT:
        raise UsageError(f"{option} {printable(text)}: between 15 mm and 840 mm is needed.")
    return points

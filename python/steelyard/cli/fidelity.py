"""`steelyard fidelity`: published figures of boards and recorded words beside the emulator's."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from steelyard.cli import options
from steelyard.cli.output import bar, warn
from steelyard.cli.view import View, view
from steelyard.present.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from steelyard.fidelity.compare import Row
    from steelyard.fidelity.pqm4 import Row as Beside
    from steelyard.fidelity.recorded import Compared
    from steelyard.measure.selection import Selection


_Output = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the rows to a CSV file.")]


class _Fidelity(TyperGroup):
    """The boards are compared where no command is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the command that is meant."""
        asks_help = bool(args) and args[0] in ("-h", "--help")
        if args and args[0] not in self.commands and not asks_help:
            args.insert(0, "boards")
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_Fidelity,
    help="Compare figures of real chips with the emulator's: `fidelity --source DIR` means"
    " `fidelity boards --source DIR`.",
    no_args_is_help=True,
)


@app.command("boards")
@options.taking(wanted=view)
def boards(
    *,
    source: Annotated[
        list[Path],
        typer.Option(
            "--source",
            metavar="DIR",
            help="Checkout of published code with a steelyard-fidelity.toml; repeatable.",
        ),
    ],
    toolchain: options.OneToolchain = None,
    jobs: options.Jobs = None,
    output: _Output = None,
    wanted: View,
) -> None:
    """Run published code and print its cycles on a board beside the emulator's.

    reference/boards holds the figures and their commits. You provide the code: a checkout at that commit,
    with a file steelyard-fidelity.toml that names the board and says how a routine is built and called
    (docs/commands/fidelity.md). A routine that cannot be built or run is a row with the reason, and the exit
    status is 1.

    \b
    Examples:
      steelyard fidelity --source riscvcrypto
      steelyard fidelity --source riscvcrypto --source aes-armcortexm --output rows.csv
      steelyard fidelity --source Lightweight-Cryptography-Benchmarking --json
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.fidelity.checkout import open_checkouts
    from steelyard.fidelity.compare import compare

    checkouts = open_checkouts(source)
    total = sum(len(board.figures) for board in {b.id: b for one in checkouts for b in one.boards}.values())
    with bar("running", total) as advance:
        rows = compare(
            load_catalog(),
            checkouts,
            toolchain,
            jobs or os.cpu_count() or 1,
            lambda row: advance(f"{row.routine} on {row.board}"),
        )
    if output is not None:
        _write(rows, output)
    wanted.show(map(asdict, rows), _page(rows))
    missing = [row for row in rows if row.reason is not None]
    for row in missing:
        warn(f"{row.board}: {row.routine}: {row.reason}.")
    raise typer.Exit(1 if missing else 0)


@app.command("recorded")
@options.taking(wanted=view)
def recorded(
    *,
    source: Annotated[
        Path,
        typer.Option("--source", metavar="DIR", help="Folder with archives NAME.tzst of recorded images."),
    ],
    target: Annotated[str, typer.Option(metavar="NAME", help="Chip on which the images were recorded.")],
    match: Annotated[
        list[str] | None,
        typer.Option(metavar="GLOB", help="Archives below the folder, such as 'memory/*'; repeatable."),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="KEY,...", help="Keys of the recordings' configurations by which words are counted."
        ),
    ] = "code",
    write: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLACE=VALUE",
            help="Word to write before each run, as the chip had it after its reset; repeatable.",
        ),
    ] = None,
    jobs: options.Jobs = None,
    output: _Output = None,
    wanted: View,
) -> None:
    """Run images recorded on a chip and compare every word that was read back from it.

    The archives are those of CMEmu's tests: the flash's content, and the words of each symbol. Cycles are
    words of the cycle counter; other words are results, flags and other counters. The first table shows the
    recordings whose cycles differ. An image that does not reach its end counts as wrong; the exit status is 1
    then.

    \b
    Examples:
      steelyard fidelity recorded --source cmemu-tests/tests/stm32f100rbt6/instructions --target stm32f100
      steelyard fidelity recorded --source instructions --target stm32f100 --match 'memory/*' --by memory
      steelyard fidelity recorded --source instructions --target stm32f100 --output words.csv --json
      steelyard fidelity recorded --source flash/instructions --target cc2650 --write 0x40034004=0
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.fidelity.recorded import archives, compare

    chip = load_catalog().target(target)
    paths = archives(source, match or ())
    with bar("running", len(paths)) as advance:
        rows = compare(source, paths, chip, jobs or os.cpu_count() or 1, advance, write or ())
    if output is not None:
        _write(rows, output)
    wanted.show(map(asdict, rows), _words(rows, by.split(",")))
    missing = sorted({(row.recording, row.reason) for row in rows if row.reason is not None})
    for recording, reason in missing[:_REASONS]:
        warn(f"{recording}: {reason}.")
    if len(missing) > _REASONS:
        warn(f"{len(missing) - _REASONS} more recordings did not reach their end.")
    raise typer.Exit(1 if missing else 0)


_REASONS = 10


def _words(rows: Sequence[Compared], by: Sequence[str]) -> Iterator[Table]:
    from steelyard.fidelity.recorded import shares

    off = [row for row in rows if row.counts_cycles and row.exact < row.words]
    yield Table(
        "",
        ("recording", "configuration", "symbol", "words", "exact", "within 1", "least", "greatest"),
        tuple(
            (
                row.recording,
                row.configuration,
                row.symbol,
                str(row.words),
                str(row.exact),
                str(row.within_one),
                "not run" if row.least is None else f"{row.least:+d}",
                "not run" if row.greatest is None else f"{row.greatest:+d}",
            )
            for row in off
        ),
        left=3,
        least_needed=("configuration", "symbol"),
        objects=tuple(map(asdict, off)),
    )
    yield Table(
        "",
        ("words", " ".join(by), "number", "exact %", "within 1 %", "not run"),
        tuple(
            (
                one.kind,
                one.group,
                str(one.words),
                f"{one.exact_percent:.2f}",
                f"{one.within_one_percent:.2f}",
                str(one.not_run),
            )
            for one in shares(rows, by)
        ),
        left=2,
    )


@app.command("pqm4")
@options.taking(selection=options.selection, wanted=view)
def pqm4(
    *,
    published: Annotated[
        Path, typer.Option("--published", metavar="FILE", help="CSV file in pqm4's format: benchmarks.csv.")
    ],
    source: Annotated[
        Path | None,
        typer.Option(
            "--source",
            metavar="DIR",
            help="Tree that was imported: what is mostly assembly then stands apart from compiled code.",
        ),
    ] = None,
    missing: Annotated[
        bool, typer.Option("--missing", help="Also show the figures for which there is no verified record.")
    ] = False,
    selection: Selection,
    store: options.Store = None,
    output: _Output = None,
    wanted: View,
) -> None:
    """Compare the figures that pqm4 publishes with the records of the same implementations.

    `steelyard import` makes the records; nothing is run here. The options select records: those of pqm4's
    board are of its chip, clock and flags (docs/import/pqm4.md). An error is the record's figure relative to
    the published one, of a share of hashing their difference in percentage points. An operation is steady if
    its published executions lie within 1 % of each other; others depend on random bytes, and few samples
    say little of them.

    \b
    Examples:
      steelyard fidelity pqm4 --published pqm4/benchmarks.csv --target stm32l4r5
      steelyard fidelity pqm4 --published pqm4/benchmarks.csv --source pqm4 --sort -error
      steelyard fidelity pqm4 --published pqm4/benchmarks.csv --primitive 'ml-*' --output rows.csv
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.filter import selected_records
    from steelyard.fidelity.pqm4 import compare, read_published

    figures = read_published(published)
    catalog = None if source is None else load_catalog((source,))
    rows = compare(figures, selected_records(store, selection).iter_rows(named=True), catalog)
    if output is not None:
        _write(rows, output)
    wanted.show(map(asdict, rows), _beside(rows, missing=missing))


def _beside(rows: Sequence[Beside], *, missing: bool) -> Iterator[Table | str]:
    from steelyard.fidelity.pqm4 import GROUPS, summaries

    shown = [row for row in rows if missing or row.measured is not None]
    yield Table(
        "",
        ("table", "scheme", "implementation", "of", "steady", "published", "measured", "error", "assembly %"),
        tuple(
            (
                row.table,
                row.scheme,
                row.implementation,
                row.what,
                "yes" if row.steady else "no",
                f"{row.published:,.10g}",
                _figure(row),
                _percent(row.error, "+.2f"),
                _percent(row.assembly_percent, ".0f"),
            )
            for row in shown
        ),
        left=5,
        least_needed=("assembly %", "steady"),
        objects=tuple(map(asdict, shown)),
    )
    yield Table(
        "",
        ("table", "code", "steady", "figures", "exact", "median", "worst", "worst is"),
        tuple(
            (
                one.table,
                GROUPS[one.code],
                "yes" if one.steady else "no",
                str(one.rows),
                str(one.exact),
                _percent(one.median, ".2f"),
                _percent(one.worst, ".2f"),
                one.worst_row,
            )
            for one in summaries(rows)
        ),
        left=3,
        numeric=(False, False, False, True, True, True, True, False),
    )
    without = sum(row.measured is None for row in rows)
    if without:
        yield f"{without} published figures have no verified record."


def _figure(row: Beside) -> str:
    if row.measured is None:
        return row.reason or ""
    return f"{row.measured:.1f}" if row.unit == "%" else f"{row.measured:,.0f}"


def _page(rows: Sequence[Row]) -> Iterator[Table]:
    from steelyard.fidelity.compare import GROUPS, summaries

    yield Table(
        "",
        ("board", "routine", "code", "unit", "published", "emulated", "error %", "assembly %"),
        tuple(
            (
                row.board,
                row.routine,
                row.language,
                row.unit,
                f"{row.published:.10g}",
                "not run"
                if row.emulated is None
                else f"{row.emulated:.10g}"
                if row.unit == "cycles"
                else f"{row.emulated:.0f}",
                _percent(row.error_percent, "+.2f"),
                _percent(row.assembly_percent, ".0f"),
            )
            for row in rows
        ),
        left=4,
        least_needed=("assembly %", "code", "unit"),
        objects=tuple(map(asdict, rows)),
    )
    yield Table(
        "",
        ("board", "code", "routines", "not run", "median error %", "worst error %"),
        tuple(
            (
                one.board,
                GROUPS[one.group],
                str(one.routines),
                str(one.not_run),
                _percent(one.median_percent, ".2f"),
                _percent(one.worst_percent, ".2f"),
            )
            for one in summaries(rows)
        ),
        left=2,
    )


def _percent(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _write(rows: Sequence[Row] | Sequence[Compared] | Sequence[Beside], output: Path) -> None:
    import csv

    from steelyard.errors import EnvironmentProblem

    try:
        with output.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(asdict(rows[0])), lineterminator="\n")
            writer.writeheader()
            writer.writerows(asdict(row) for row in rows)
    except OSError as error:
        raise EnvironmentProblem(f"--output {output}: cannot be written: {error.strerror}.") from None

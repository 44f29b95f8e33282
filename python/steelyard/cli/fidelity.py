"""`steelyard fidelity`: published cycles on boards beside the emulated ones, from a user's checkout."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import bar, warn
from steelyard.cli.view import View, view
from steelyard.present.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from steelyard.fidelity.compare import Row


@options.taking(wanted=view)
def fidelity(
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
    jobs: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Threads (default: one per core).")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the rows to a CSV file.")
    ] = None,
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


def _write(rows: Sequence[Row], output: Path) -> None:
    import csv

    from steelyard.errors import EnvironmentProblem

    try:
        with output.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(asdict(rows[0])), lineterminator="\n")
            writer.writeheader()
            writer.writerows(asdict(row) for row in rows)
    except OSError as error:
        raise EnvironmentProblem(f"--output {output}: cannot be written: {error.strerror}.") from None

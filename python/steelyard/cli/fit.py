"""`steelyard fit`: models of cost, fitted to measured figures, and their evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.view import View, view

if TYPE_CHECKING:
    from steelyard.measure.workers import Jobs

app = typer.Typer(help="Fit and evaluate models of cost.", no_args_is_help=True)

Records = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Training records of steelyard fit collect (default: those that come with Steelyard).",
    ),
]


@app.command("affine")
@options.taking(jobs=options.jobs, wanted=view)
def affine(
    *,
    primitive: options.Primitive = None,
    target: options.Target = None,
    mode: options.Mode = None,
    toolchain: options.Toolchain = None,
    flags: options.Flags = None,
    checks: Annotated[
        int,
        typer.Option(min=2, max=1000, metavar="N", help="Number of lengths at which each fit is checked."),
    ] = 24,
    jobs: Jobs,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Fit cycles = init + per message + per block of each build, from few lengths, and check it at others.

    The lengths of the check are spread over 0 to 4096 bytes. If cycles depend on neither data nor caches the
    fit is exact; otherwise its maximum error is printed.

    \b
    Examples:
      steelyard fit affine
      steelyard fit affine --primitive sha-256 --target stm32f407 --checks 100
      steelyard fit affine --primitive aes-128 --mode 'c*' --target atmega128 --json
    """
    from steelyard.cli.fitted.affine import run

    run(primitive, target, mode, toolchain, flags, checks, jobs, store, wanted)


@app.command("evaluate")
@options.taking(wanted=view)
def evaluate(
    *,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="cycles, rom_bytes or ram_bytes; repeatable (default: all)."),
    ] = None,
    cells: Annotated[
        bool, typer.Option("--cells", help="Print every predicted cell instead of summaries.")
    ] = False,
    records: Records = None,
    wanted: View,
) -> None:
    """Evaluate the models: leave out every core family, architecture and algorithm family in turn.

    models/matrix.toml defines splits, rows and calibration primitives; nothing is measured. For every model
    and number of measured primitives, the command prints the errors of the predictions and the share of
    figures in their 80 % intervals; then the same for each family left out.

    \b
    Examples:
      steelyard fit evaluate
      steelyard fit evaluate --metric cycles --json
      steelyard fit evaluate --metric rom_bytes --cells --json
    """
    from steelyard.cli.fitted.evaluate import run

    run(metric, records, wanted, cells=cells)


@app.command("collect")
@options.taking(jobs=options.jobs)
def collect(
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Parquet file to write.")
    ] = Path("measured.parquet"),
    target: options.Target = None,
    records: Records = None,
    jobs: Jobs,
    store: options.Store = None,
) -> None:
    """Measure the training records of the models: the rows of models/matrix.toml on its chips.

    Chips whose compiler is missing, and those not selected by --target, keep their present rows.

    \b
    Examples:
      steelyard fit collect --output measured.parquet
      steelyard fit collect --target 'atmega*' --output measured.parquet
    """
    from steelyard.cli.fitted.collect import run

    run(output, target, records, jobs, store)

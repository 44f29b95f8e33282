"""`steelyard predict`: predicted cost of a primitive on an unmeasured or partly measured chip."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.fit import Records
from steelyard.cli.view import View, view

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from steelyard.measure.workers import Jobs
    from steelyard.models.predict import Estimate
    from steelyard.present.table import Table


@options.taking(jobs=options.jobs, wanted=view)
def predict(
    *,
    primitive: options.Primitive = None,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Chip, or the path of a TOML file with its parameters; docs/own-chip.md and docs/models.md"
            " list what it says.",
        ),
    ] = None,
    calibrate: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV file of measurements on the chip, with primitive, operation, message_bytes and"
            " any of cycles, rom_bytes, ram_bytes.",
        ),
    ] = None,
    primitives: options.Primitives = None,
    records: Records = None,
    jobs: Jobs,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Predict cycles, ROM and RAM on a chip from its parameters, from a few measurements of it, or from both.

    Every figure has an interval that contained four of five figures in steelyard fit evaluate. A primitive
    outside the training data, for instance your own, is first measured on the emulated chips whose compilers
    are installed.

    \b
    Examples:
      steelyard predict --primitive aes-128 --target my-chip.toml
      steelyard predict --primitive 'speck-*' --calibrate measured.csv
      steelyard predict --target my-chip.toml --calibrate measured.csv --json
    """
    import os

    # Arrays of a few hundred rows: threads of the linear algebra would cost more than they bring.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.fitted.collect import primitives_of
    from steelyard.cli.fitted.others import with_others
    from steelyard.errors import UsageError
    from steelyard.models.described import described
    from steelyard.models.predict import predict_rows, read_measured
    from steelyard.models.training import matrix_file, read_records, training

    if target is None and calibrate is None:
        raise UsageError("Nothing is known of the chip: give --target, --calibrate or both.")
    catalog = load_catalog(primitives or ())
    chip = described(target, catalog) if target is not None else None
    frame, setup = read_records(records), matrix_file()
    known = sorted(set(frame["primitive"]) & set(setup.algorithm_of))
    names = primitives_of(catalog, primitive) if primitive else known
    others = [name for name in names if name not in known]
    if others:
        frame = with_others(frame, others, catalog, jobs, store)
    learned = training(frame, dict.fromkeys(others, "others"))
    measured = read_measured(calibrate, learned) if calibrate is not None else {}
    estimates = predict_rows(learned, chip, measured, names)
    wanted.show((estimate.flat() for estimate in estimates), _page(estimates, chip, measured))


def _page(
    estimates: Sequence[Estimate], chip: object, measured: Mapping[str, Mapping[int, float]]
) -> Iterator[Table | str]:
    from steelyard.present.table import Table

    timed = any(one.time_us is not None for one in estimates)
    headings = ["primitive", "operation", "message bytes", "cycles", "cycles 80 %"]
    headings += ["time us"] if timed else []
    headings += ["ROM bytes", "ROM 80 %", "RAM bytes", "RAM 80 %"]
    rows = []
    for one in estimates:
        length = "-" if one.row.message_bytes < 0 else f"{one.row.message_bytes}"
        cells = [one.row.primitive, one.row.operation, length]
        for metric in ("cycles", "rom_bytes", "ram_bytes"):
            cells += one.cells(metric)
            if metric == "cycles" and timed:
                cells.append("-" if one.time_us is None else f"{one.time_us:,.4g}")
        rows.append(tuple(cells))
    yield Table(
        "",
        tuple(headings),
        tuple(rows),
        left=2,
        least_needed=("time us",),
        less_needed=("RAM 80 %", "RAM bytes", "ROM 80 %"),
        objects=tuple(estimate.flat() for estimate in estimates),
    )
    from_chip = "its parameters" if chip is not None else "the mean of all chips"
    shots = max((len({*figures}) for figures in measured.values()), default=0)
    seen = f" and {shots} rows measured on it" if shots else ""
    yield f"From {from_chip}{seen}; in brackets what holds four figures of five (steelyard fit evaluate)."

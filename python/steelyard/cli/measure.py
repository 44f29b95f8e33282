"""`steelyard measure`: build, run, verify and record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import INTERRUPTED, bar, tell_left_out, warn
from steelyard.cli.view import View, view
from steelyard.errors import UsageError

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.measure.run import RunResult
    from steelyard.measure.selection import Selection
    from steelyard.measure.session import Session
    from steelyard.measure.workers import Jobs
    from steelyard.present.table import Table
    from steelyard.record.schema import Record
    from steelyard.toolchain import Toolchain


@options.taking(selection=options.selection, jobs=options.jobs, wanted=view)
def measure(
    *,
    selection: Selection,
    settings: options.Set = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="Measure all variants at the usual flags, and modes with the default variants."
        ),
    ] = False,
    bench: Annotated[bool, typer.Option("--bench", help="Measure the default set of bench.toml.")] = False,
    primitives: options.Primitives = None,
    samples: options.Samples = 16,
    seed: options.Seed = "steelyard",
    max_cycles: options.MaxCycles = 2_000_000_000,
    jobs: Jobs,
    elf: Annotated[
        list[Path] | None,
        typer.Option(
            "--elf",
            metavar="FILE",
            help="Call a function of this image instead of measuring primitives; repeatable.",
        ),
    ] = None,
    call: options.Call = None,
    arg: options.Arg = None,
    script: Annotated[
        Path | None,
        typer.Option(
            "--script",
            metavar="FILE",
            help="Calls of --elf one after another, on buffers that keep what each leaves in them.",
        ),
    ] = None,
    return_bytes: Annotated[
        int, typer.Option(min=1, max=8, metavar="BYTES", help="Size of the function's result.")
    ] = 2,
    ignore_peripherals: options.IgnorePeripherals = False,
    start_up: options.StartUp = False,
    start_up_to: options.StartUpTo = None,
    rule: options.Rule = None,
    store: options.Store = None,
    wanted: View,
) -> None:
    """Build each cell's image, run it, compare its outputs with known answers, and record its cost.

    Without a selection, every primitive's default variant is measured on every chip with every installed
    compiler. --rule filters the output; everything selected is still measured and stored.

    \b
    Examples:
      steelyard measure --primitive aes-128 --target atmega128
      steelyard measure --primitive idea --target 'atmega1*' --mode cbc --length 64 --json
      steelyard measure --primitive aes-128 --variant 'aes/*' --rule small-memory
      steelyard measure --primitives my-ciphers --target attiny45 --flags -O2
      steelyard measure --primitive aes-128 --target sa1100 --set icache.size=1K --set dcache.size=1K
      steelyard measure --primitive aes-128 --target stm32f407 --set clock_hz=24M --set code=zero-wait
      steelyard measure --primitive aes-128 --target ./my-chip.toml
      steelyard measure --elf image.elf --call sum --target atmega128 --arg in:0102 --arg 2
      steelyard measure --elf image.elf --script calls.toml --target atmega128
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.records import known_columns, record_page

    if not bench:
        wanted = wanted.knowing(known_columns())
    if rule is not None:
        from steelyard.cli.filter import keeping

        keeping([], rule)
    selection = selection.model_copy(update={"everything": everything})
    if start_up or start_up_to is not None:
        from steelyard.measure.startup import START_UP_TO

        start_up_to = start_up_to or START_UP_TO
        if ignore_peripherals:
            raise UsageError("--start-up and --ignore-peripherals cannot go together; leave out one of them.")
    if elf or call is not None or arg or script or ignore_peripherals or start_up_to is not None:
        if rule is not None:
            raise UsageError("--rule is about variants, not about a call of --elf.")
        _check_of_images(selection, primitives)
        called = _Called(
            tuple(elf or ()),
            call,
            tuple(arg or ()),
            script,
            tuple(settings or ()),
            max_cycles,
            return_bytes,
            ignore_peripherals,
            start_up_to,
        )
        records = _call(called, selection.target, store)
        wanted.show(records, record_page(records))
        for record in records:
            if record["ignored"] is not None:
                warn(f"{record['image']}: {record['ignored']}")
        raise typer.Exit(0 if all(record["status"] == "ok" for record in records) else 1)
    selections = [selection]
    if bench:
        from steelyard.catalog.load import read_file
        from steelyard.data import data_root
        from steelyard.measure.selection import Selection, SelectionFile

        if selection != Selection():
            raise UsageError(
                "--bench takes its selection from bench.toml; leave the other selection options out."
            )
        selections = read_file(data_root() / "bench.toml", SelectionFile).selections

    from steelyard.measure.image import Rules
    from steelyard.measure.session import missing_sentence, prepare
    from steelyard.measure.settings import parse_settings
    from steelyard.store.segments import store_folder

    catalog = load_catalog(primitives or ())
    session = prepare(catalog, selections, parse_settings(settings or ()))
    for toolchain_missing in session.missing:
        warn(f"{_how(session, toolchain_missing)}: {missing_sentence(toolchain_missing)}")
    tell_left_out(session.plan.refused, "build")
    if not bench:
        tell_left_out(session.plan.skipped)
    with progress(session) as advance:
        result = session.run(store_folder(store), Rules(samples, seed, max_cycles), jobs, advance)
    shown: Sequence[Record] = result.records
    if rule is not None:
        kept = keeping(result.records, rule)
        shown = [record for record, keeps in zip(result.records, kept, strict=True) if keeps]
        warn(f"{len(shown)} of {len(result.records)} records are of builds that keep the rule {rule}.")
    wanted.show(shown, summary(shown, catalog) if bench else record_page(shown))
    tell_failures(result.records)
    if result.interrupted:
        warn(
            f"interrupted; {len(result.records)} of {session.plan.cell_count} cells are done and kept:"
            " the same command goes on from there."
        )
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if result.failed else 0)


def _how(session: Session, toolchain: Toolchain) -> str:
    """Return how a missing compiler's builds are measured, if at all."""
    taken = (build for build in session.plan.builds if build.target.file.family == toolchain.family)
    if any(build.toolchain == toolchain.id for build in taken):
        return f"{toolchain.family} measured on prebuilt images"
    return f"measured without {toolchain.id}"


@dataclass(frozen=True)
class _Called:
    """The options of a call of images."""

    images: tuple[Path, ...]
    symbol: str | None
    arguments: tuple[str, ...]
    script: Path | None
    settings: tuple[str, ...]
    max_cycles: int
    return_bytes: int
    ignore_peripherals: bool
    start_up_to: str | None


def _check_of_images(selection: Selection, primitives: Sequence[Path] | None) -> None:
    """UsageError for an option that says nothing of an image."""
    chosen = selection.model_dump(exclude_defaults=True, exclude={"target"})
    if primitives:
        chosen["primitives"] = primitives
    for name in chosen:
        option = "--all" if name == "everything" else f"--{name.replace('_', '-')}"
        raise UsageError(f"{option} says nothing of an image (--elf): leave it out.")


def _call(called: _Called, targets: Sequence[str], store: Path | None) -> list[Record]:
    """Call and record the function of each image; UsageError for the only image, if it cannot be used."""
    from steelyard.catalog.load import load_catalog
    from steelyard.machine import Emulator
    from steelyard.measure.call import call_function, parse_argument, unusable
    from steelyard.measure.settings import changed_target, parse_settings
    from steelyard.store.segments import SegmentWriter, store_folder

    symbol = called.symbol
    if not called.images or (symbol is None and called.script is None):
        raise UsageError("--elf FILE and --call SYMBOL, or --script FILE, go together.")
    if len(targets) != 1:
        raise UsageError("--elf needs one --target, the chip the image was built for.")
    target = changed_target(load_catalog(), targets[0], parse_settings(called.settings))
    if called.script is not None:
        if symbol is not None or called.arguments or called.ignore_peripherals:
            raise UsageError("--script says all: leave --call, --arg and --ignore-peripherals out.")
        from steelyard.measure.script import scripted

        records = scripted(called.images, called.script, target, called.max_cycles, called.start_up_to)
        with SegmentWriter(store_folder(store)) as writer:
            writer.append(records)
        return records
    assert symbol is not None
    parsed = [parse_argument(text) for text in called.arguments]
    emulator = Emulator(target)

    def record(image: Path) -> Record:
        try:
            return call_function(
                image,
                symbol,
                target,
                parsed,
                called.max_cycles,
                called.return_bytes,
                emulator=emulator,
                ignore_peripherals=called.ignore_peripherals,
                start_up_to=called.start_up_to,
            )
        except UsageError as error:
            if len(called.images) == 1:
                raise
            return unusable(image, symbol, target, parsed, error)

    records = [record(image) for image in called.images]
    with SegmentWriter(store_folder(store)) as writer:
        writer.append(records)
    return records


def summary(records: Sequence[Record], catalog: Catalog) -> Iterator[Table | str]:
    """The fastest of each kind on each chip, and where the other records are."""
    import polars as pl

    from steelyard.report.summary import explained, fastest
    from steelyard.store.read import frame_schema

    frame = pl.DataFrame(records, schema=frame_schema(), orient="row")
    yield fastest(frame, catalog)
    yield explained(frame)
    yield f"All {frame.height:,} records: steelyard show, steelyard report, or --json."


def run_session(session: Session, store: Path | None, jobs: Jobs) -> list[Record]:
    """Run a session with the usual rules, and return its records; see `tell_outcome`."""
    from steelyard.measure.image import Rules
    from steelyard.store.segments import store_folder

    with progress(session) as advance:
        result = session.run(store_folder(store), Rules(), jobs, advance)
    tell_outcome(result)
    return list(result.records)


def tell_outcome(result: RunResult) -> None:
    """Report the failures of a run; an interrupted run ends the command here, its finished work kept."""
    tell_failures(result.records)
    if result.interrupted:
        warn("interrupted; what is done is kept: the same command goes on from there.")
        raise typer.Exit(INTERRUPTED)


def tell_failures(records: Sequence[Record]) -> None:
    """Report how many cells failed to give a figure, with one of the reasons."""
    failed = [
        record
        for record in records
        if record["status"] != "does-not-fit" and not (record["status"] == "ok" and record["verified"])
    ]
    if failed:
        reason = str(failed[0]["error"]).splitlines()[0]
        count = f"{len(failed)} of {len(records)} cells"
        warn(f"{count} gave no figure, first {failed[0]['primitive']} on {failed[0]['target']}: {reason}")


@contextmanager
def progress(session: Session) -> Iterator[Callable[[Record], None]]:
    """Show a bar on standard error if it is a terminal."""
    with bar("measuring", session.plan.cell_count) as advance:
        yield lambda record: advance(f"{record['primitive']} on {record['target']}")

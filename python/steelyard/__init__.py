"""Steelyard weighs cryptography for small machines: cycles, bytes and joules of the compiled code itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from steelyard.compare import Comparison
    from steelyard.compare.sides import Asked, Measuring
    from steelyard.compare.watching import Seen
    from steelyard.measure.firmware import Run
    from steelyard.profile.explain import Explanation

__all__ = ["compare", "explain", "measure", "pareto", "records", "report", "run", "scan", "sweep", "watch"]

# A submodule becomes an attribute of its package when it is first imported, and would then hide the
# function of the same name: so these are imported before the functions are defined.
import_module("steelyard.compare")
import_module("steelyard.measure")
import_module("steelyard.report")

Names = str | Sequence[str]
Folder = str | Path
Folders = Folder | Sequence[Folder]


def measure(
    primitive: Names = (),
    *,
    variant: Names = (),
    target: Names = (),
    toolchain: Names = (),
    flags: Names = (),
    operation: Names = (),
    mode: Names = (),
    length: int | Sequence[int] = (),
    ad_length: int | Sequence[int] = (),
    cache: Names = (),
    footprint: Names = (),
    padding: Names = (),
    parameter: Names = (),
    everything: bool = False,
    settings: Names = (),
    primitives: Folders = (),
    samples: int = 16,
    seed: str = "steelyard",
    max_cycles: int = 2_000_000_000,
    jobs: int | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    store: Folder | None = None,
) -> pl.DataFrame:
    """Measure a selection and return its records, one row per cell in the plan's order.

    Names are globs, as on the command line; omitted arguments take the planner's defaults. `length` and
    `ad_length` are in bytes, `cache` is warm or cold, `parameter` names values of the variants' parameters
    (`unroll=1,4`), `settings` change chips as `--set` does, `primitives` are folders of the user's own
    variants, `samples` the random inputs per cell (at least 2), `max_cycles` the clock cycles after which a
    call is aborted, `jobs` the threads (default: one per core), `scheduler` the address of a Dask scheduler
    or `workers` the processes that measure instead of threads (extra `cluster`), `store` the folder of the
    records (default: the user's store). Columns are those of `steelyard.record.schema.FIELDS`. Raises
    UsageError for unknown names, EnvironmentProblem for a missing compiler, a full disk or a cluster that
    cannot be used.
    """
    import polars as pl

    from steelyard.catalog.load import load_catalog
    from steelyard.measure.image import Rules
    from steelyard.measure.selection import select
    from steelyard.measure.session import prepare
    from steelyard.measure.settings import parse_settings
    from steelyard.measure.workers import measured_on
    from steelyard.store.read import frame_schema
    from steelyard.store.segments import store_folder

    selection = select(
        primitive=primitive,
        variant=variant,
        target=target,
        toolchain=toolchain,
        flags=flags,
        operation=operation,
        mode=mode,
        length=length,
        ad_length=ad_length,
        cache=cache,
        footprint=footprint,
        padding=padding,
        parameter=parameter,
        everything=everything,
    )
    where = measured_on(jobs, scheduler, workers)
    session = prepare(load_catalog(_folders(primitives)), [selection], parse_settings(_several(settings)))
    result = session.run(store_folder(store), Rules(samples, seed, max_cycles), where)
    return pl.DataFrame(result.records, schema=frame_schema(), orient="row")


def compare(
    base: str | Path | pl.DataFrame,
    head: str | Path | pl.DataFrame,
    *,
    between: str = "stores",
    limit: Names = (),
    measures: Names = (),
    budgets: str | Path | None = None,
    allow_missing: bool = False,
    settings: Names = (),
    primitives: Folders = (),
    samples: int = 16,
    seed: str = "steelyard",
    max_cycles: int = 2_000_000_000,
    jobs: int | None = None,
    **chosen: Names | int | Sequence[int],
) -> Comparison:
    """Compare two sides of the same cells; `between` says what they are.

    `stores`: folders, files of records, or frames as `records` and `measure` return them; `git`: revisions of
    the folders `primitives`, with `.` for the work tree; `variant`, `flags` or `toolchain`: two choices.
    `limit` has the form of `steelyard compare --limit`, `measures` are what is compared, and `chosen` are the
    selecting arguments of `measure`. The result has `exit_status`, `regressions`, `pairs` and a `frame`.
    Raises UsageError for unknown names and EnvironmentProblem for a missing compiler; KeyboardInterrupt
    after Ctrl-C.
    """
    from steelyard.compare.run import compare_options, compare_revisions, compare_stores
    from steelyard.compare.sides import Interrupted
    from steelyard.errors import UsageError

    asked = _asked(chosen, limit, measures, budgets, allow_missing)
    measuring = _measuring(primitives, settings, samples, seed, max_cycles, jobs)
    try:
        if between == "stores":
            before, after = (Path(one) if isinstance(one, str) else one for one in (base, head))
            return compare_stores(before, after, asked)
        if not (isinstance(base, str) and isinstance(head, str)):
            raise UsageError(f"between {between}: both sides are named by a text.")
        if between == "git":
            return compare_revisions(base, head, measuring, asked)
        return compare_options(between, base, head, measuring, asked)
    except Interrupted:
        raise KeyboardInterrupt from None


def watch(
    primitives: Folders,
    *,
    limit: Names = (),
    measures: Names = (),
    budgets: str | Path | None = None,
    settings: Names = (),
    samples: int = 16,
    seed: str = "steelyard",
    max_cycles: int = 2_000_000_000,
    jobs: int | None = None,
    **chosen: Names | int | Sequence[int],
) -> Iterator[Seen]:
    """Measure folders of one's own code now and whenever a file in them is saved; yield each change.

    The arguments are those of `compare`. What is yielded first has the same cells on both sides; then each
    `comparison` is with the figures that were measured last. Raises UsageError like `compare`.
    """
    from steelyard.compare.sides import Interrupted
    from steelyard.compare.watching import watch as seen

    asked = _asked(chosen, limit, measures, budgets, False)
    try:
        yield from seen(_measuring(primitives, settings, samples, seed, max_cycles, jobs), asked)
    except Interrupted:
        raise KeyboardInterrupt from None


def sweep(
    primitive: Names = (),
    *,
    settings: Names = (),
    parameter: Names = "*",
    variant: Names = (),
    target: Names = (),
    toolchain: Names = (),
    flags: Names = (),
    operation: Names = (),
    mode: Names = (),
    length: int | Sequence[int] = (),
    cache: Names = (),
    footprint: Names = (),
    primitives: Folders = (),
    samples: int = 16,
    seed: str = "steelyard",
    max_cycles: int = 2_000_000_000,
    jobs: int | None = None,
    store: Folder | None = None,
) -> pl.DataFrame:
    """Measure a selection at every combination of values and return its records, one row per cell.

    `settings` are fields of chips with lists and ranges, such as `clock_hz=8M,16M` or
    `icache.size=1K..16K*2`; `parameter` are values of the variants' parameters, all of them by default.
    Everything else is as in `measure`. Raises UsageError for a field that no chosen chip has.
    """
    import polars as pl

    from steelyard.catalog.load import load_catalog
    from steelyard.measure.axes import parse_axes
    from steelyard.measure.image import Rules
    from steelyard.measure.selection import select
    from steelyard.measure.session import prepare_sweep
    from steelyard.store.read import frame_schema
    from steelyard.store.segments import store_folder

    selection = select(
        primitive=primitive,
        variant=variant,
        target=target,
        toolchain=toolchain,
        flags=flags,
        operation=operation,
        mode=mode,
        length=length,
        cache=cache,
        footprint=footprint,
        parameter=parameter,
    )
    session = prepare_sweep(load_catalog(_folders(primitives)), selection, parse_axes(_several(settings)))
    result = session.run(store_folder(store), Rules(samples, seed, max_cycles), jobs)
    return pl.DataFrame(result.records, schema=frame_schema(), orient="row")


def pareto(frame: pl.DataFrame, metrics: Sequence[str] = (), across: Names = ()) -> pl.DataFrame:
    """Return the verified records that have a place, with `front`, `on_front` and `dominated_by`.

    `frame` holds records, such as those of `measure`, `sweep` or `records`. `metrics` are two or three
    figures (default: cycles, rom_bytes, ram_bytes), `across` what one front joins, as `--across` names it.
    `dominated_by` describes a build of the front that beats the record, null on the front. Raises UsageError
    for another number of figures or an unknown name.
    """
    import polars as pl

    from steelyard.advise.pareto import build, fronts
    from steelyard.store.read import frame_schema

    found = fronts(frame.iter_rows(named=True), metrics, _several(across))
    rows = [
        {
            "front": number,
            "on_front": place.on_front,
            "dominated_by": None if place.dominated_by is None else build(place.dominated_by),
            **place.record,
        }
        for number, front in enumerate(found.fronts, start=1)
        for place in front.places
    ]
    added = {"front": pl.Int64, "on_front": pl.Boolean, "dominated_by": pl.String}
    return pl.DataFrame(rows, schema={**added, **dict(frame_schema())}, orient="row")


def explain(
    first: str,
    second: str,
    primitive: Names = (),
    *,
    variant: Names = (),
    target: Names = (),
    toolchain: Names = (),
    flags: Names = (),
    operation: Names = (),
    mode: Names = (),
    length: int | Sequence[int] = (),
    settings: Names = (),
    primitives: Folders = (),
    samples: int = 16,
    seed: str = "steelyard",
    max_cycles: int = 2_000_000_000,
    store: Folder | None = None,
) -> Explanation:
    """Explain why `second` takes fewer or more cycles than `first`, both named as on the command line.

    The parts of the result add up to its `difference` exactly. Raises UsageError for a name of nothing, and
    NoFigure if one of them was not verified.
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.cli.explain import Asked
    from steelyard.measure.image import Rules
    from steelyard.measure.selection import select
    from steelyard.profile.explain import explain as explained

    selection = select(
        primitive=primitive,
        variant=variant,
        target=target,
        toolchain=toolchain,
        flags=flags,
        operation=operation,
        mode=mode,
        length=length,
    )
    rules = Rules(samples, seed, max_cycles)
    kept = None if store is None else Path(store)
    asked = Asked(load_catalog(_folders(primitives)), selection, _several(settings), rules, kept)
    return explained(asked.side(first), asked.side(second))


def run(
    image: str | Path,
    target: str,
    *,
    stop: str,
    start: str | None = None,
    raw_address: int | None = None,
    read: Names = (),
    write: Names = (),
    register: Names = (),
    ignore_peripherals: bool = False,
    max_cycles: int = 2_000_000_000,
) -> Run:
    """Run an image on a chip from one address to another; return its cost, and memory by name.

    `start`, `stop`, `read`, `write`, `register` and `ignore_peripherals` have the form of `steelyard run`'s
    options; `raw_address` is the address of a raw image. Raises UsageError.
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.catalog.own import named_target
    from steelyard.measure.call import read_image
    from steelyard.measure.firmware import Firmware
    from steelyard.measure.firmware import run as run_firmware

    firmware = Firmware(
        read_image(Path(image), "image"),
        stop,
        start,
        raw_address,
        _several(read),
        _several(write),
        _several(register),
        ignore_peripherals,
    )
    return run_firmware(firmware, named_target(load_catalog(), target), max_cycles=max_cycles)


def records(store: Folder | None = None) -> pl.DataFrame:
    """Return the newest record of every cell in the store; a warning names each invalid line."""
    import warnings

    from steelyard.store.read import read_records
    from steelyard.store.segments import store_folder

    return read_records(store_folder(store), lambda sentence: warnings.warn(sentence, stacklevel=3))


def scan(store: Folder | None = None, *where: pl.Expr) -> pl.LazyFrame:
    """Return the newest record of every cell in the store as a lazy frame, of which `collect` reads only what
    it needs; for stores of millions of records.

    `where` are conditions on columns that tell cells apart (`identity` in `steelyard.record.schema.FIELDS`).
    A warning names each invalid line.
    """
    import warnings

    from steelyard.store.query import rows_of
    from steelyard.store.segments import store_folder

    rows = rows_of(store_folder(store), lambda sentence: warnings.warn(sentence, stacklevel=3))
    return rows.newest(*where)


def report(path: str | Path, frame: pl.DataFrame | None = None, primitives: Folders = ()) -> None:
    """Write the self-contained HTML report of these records, or of the store's, to `path`."""
    from steelyard.catalog.load import load_catalog
    from steelyard.report.html import write_report

    write_report(records() if frame is None else frame, Path(path), load_catalog(_folders(primitives)))


def _several(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _asked(
    chosen: dict[str, Names | int | Sequence[int]],
    limit: Names,
    measures: Names,
    budgets: str | Path | None,
    allow_missing: bool,
) -> Asked:
    import warnings

    from steelyard.compare.measures import checked, parse_limits
    from steelyard.compare.sides import Asked
    from steelyard.measure.selection import select

    return Asked(
        select(**chosen),
        tuple(checked(name, "measures") for name in _several(measures)),
        parse_limits(_several(limit)),
        None if budgets is None else Path(budgets),
        allow_missing,
        lambda sentence: warnings.warn(sentence, stacklevel=3),
    )


def _folders(named: Folders) -> tuple[Path, ...]:
    return tuple(map(Path, (named,) if isinstance(named, str | Path) else named))


def _measuring(
    primitives: Folders,
    settings: Names,
    samples: int,
    seed: str,
    max_cycles: int,
    jobs: int | None,
) -> Measuring:
    from steelyard.compare.sides import Measuring
    from steelyard.measure.image import Rules
    from steelyard.measure.settings import parse_settings

    rules = Rules(samples, seed, max_cycles)
    return Measuring(_folders(primitives), parse_settings(_several(settings)), rules, jobs)

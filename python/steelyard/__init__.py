"""Steelyard weighs cryptography for small machines: cycles, bytes and joules of the compiled code itself."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from steelyard.measure.firmware import Run

__all__ = ["measure", "records", "report", "run", "scan"]

# A submodule becomes an attribute of its package when it is first imported, and would then hide the
# function of the same name: so these two are imported before the functions are defined.
import_module("steelyard.measure")
import_module("steelyard.report")

Names = str | Sequence[str]


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
    everything: bool = False,
    settings: Names = (),
    primitives: Sequence[Path] = (),
    samples: int = 16,
    seed: str = "steelyard",
    max_cycles: int = 2_000_000_000,
    jobs: int | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    store: Path | None = None,
) -> pl.DataFrame:
    """Measure a selection and return its records, one row per cell in the plan's order.

    Names are globs, as on the command line; omitted arguments take the planner's defaults. `length` and
    `ad_length` are in bytes, `cache` is warm or cold, `settings` change chips as `--set` does, `primitives`
    are folders of the user's own variants, `samples` the random inputs per cell (at least 2), `max_cycles`
    the clock cycles after which a call is aborted, `jobs` the threads (default: one per core), `scheduler`
    the address of a Dask scheduler or `workers` the processes that measure instead of threads (extra
    `cluster`), `store` the folder of the records (default: the user's store). Columns are those of
    `steelyard.record.schema.FIELDS`. Raises UsageError for unknown names, EnvironmentProblem for a missing
    compiler, a full disk or a cluster that cannot be used.
    """
    import polars as pl

    from steelyard.catalog.load import load_catalog
    from steelyard.measure.image import Rules
    from steelyard.measure.selection import Selection
    from steelyard.measure.session import prepare
    from steelyard.measure.settings import parse_settings
    from steelyard.measure.workers import measured_on
    from steelyard.store.read import frame_schema
    from steelyard.store.segments import store_folder

    selection = Selection(
        primitive=_several(primitive),
        variant=_several(variant),
        target=_several(target),
        toolchain=_several(toolchain),
        flags=_several(flags),
        operation=_several(operation),
        mode=_several(mode),
        length=(length,) if isinstance(length, int) else tuple(length),
        ad_length=(ad_length,) if isinstance(ad_length, int) else tuple(ad_length),
        cache=_several(cache),
        footprint=_several(footprint),
        padding=_several(padding),
        everything=everything,
    )
    where = measured_on(jobs, scheduler, workers)
    session = prepare(load_catalog(primitives), [selection], parse_settings(_several(settings)))
    result = session.run(store_folder(store), Rules(samples, seed, max_cycles), where)
    return pl.DataFrame(result.records, schema=frame_schema(), orient="row")


def run(
    image: Path,
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
        read_image(image, "image"),
        stop,
        start,
        raw_address,
        _several(read),
        _several(write),
        _several(register),
        ignore_peripherals,
    )
    return run_firmware(firmware, named_target(load_catalog(), target), max_cycles=max_cycles)


def records(store: Path | None = None) -> pl.DataFrame:
    """Return the newest record of every cell in the store; a warning names each invalid line."""
    import warnings

    from steelyard.store.read import read_records
    from steelyard.store.segments import store_folder

    return read_records(store_folder(store), lambda sentence: warnings.warn(sentence, stacklevel=3))


def scan(store: Path | None = None, *where: pl.Expr) -> pl.LazyFrame:
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


def report(path: Path, frame: pl.DataFrame | None = None, primitives: Sequence[Path] = ()) -> None:
    """Write the self-contained HTML report of these records, or of the store's, to `path`."""
    from steelyard.catalog.load import load_catalog
    from steelyard.report.html import write_report

    write_report(records() if frame is None else frame, path, load_catalog(primitives))


def _several(names: Names) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)

"""Collect the training records of the models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.cli.output import warn

if TYPE_CHECKING:
    import polars

    from steelyard.catalog.load import Catalog
    from steelyard.measure.selection import Selection
    from steelyard.measure.workers import Jobs
    from steelyard.models.training import MatrixFile
    from steelyard.record.schema import Record


def run(output: Path, target: list[str] | None, records: Path | None, jobs: Jobs, store: Path | None) -> None:
    """Measure the matrix and write it."""
    import polars

    from steelyard.catalog.load import load_catalog
    from steelyard.cli.fitted.measuring import measure
    from steelyard.cli.measure import tell_outcome
    from steelyard.errors import EnvironmentProblem, UsageError
    from steelyard.measure.selection import match
    from steelyard.models.training import matrix_file, read_records, records_path

    setup, catalog = matrix_file(), load_catalog()
    wanted = match("target", target or ("*",), list(setup.core_of))
    if not output.parent.is_dir():
        raise UsageError(f"{output}: there is no folder {output.parent}.")
    before = read_records(records) if records is not None or records_path().exists() else None
    found: list[Record] = []
    for chip, toolchain in setup.columns:
        if chip not in wanted:
            continue
        try:
            result = measure(catalog, selections(setup, chip, toolchain), setup.samples, jobs, store)
        except EnvironmentProblem as problem:
            warn(f"{chip} keeps the rows it has with {toolchain}: {problem}")
            continue
        tell_outcome(result)
        found += result.records
    fresh = as_frame(found)
    if before is not None:
        columns = ["target", "toolchain"]
        kept = before.join(fresh.select(columns).unique(), on=columns, how="anti")
        fresh = polars.concat([kept, fresh], how="vertical_relaxed")
    if fresh.is_empty():
        raise EnvironmentProblem("Nothing was measured, and there are no records so far.")
    fresh = fresh.sort("target", "toolchain", "primitive", "operation", "message_bytes")
    fresh.write_parquet(output, compression="zstd", compression_level=19)
    warn(f"{output}: {len(fresh)} records of {fresh['target'].n_unique()} chips.")


def selections(
    setup: MatrixFile, chip: str, toolchain: str, primitives: Iterable[str] | None = None
) -> list[Selection]:
    """Return the rows of the matrix on a chip with a compiler, or those of some primitives, at the same
    lengths.
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.measure.selection import Selection

    lengths = next(one.length for one in setup.select if one.length)
    chosen = setup.select if primitives is None else ()
    here = partial(Selection, target=(chip,), toolchain=(toolchain,), flags=(setup.flags,))
    found = [here(primitive=one.primitive, variant=setup.variant, length=one.length) for one in chosen]
    for name in primitives or ():
        algorithm = load_catalog().algorithm_of(name)
        variant = tuple(one for one in setup.variant if one.partition("/")[0] == algorithm.id)
        length = () if algorithm.file.kind == "block" else lengths
        found.append(here(primitive=(name,), variant=variant, length=length))
    return found


def as_frame(records: Sequence[Record]) -> polars.DataFrame:
    """Return the successful records, with the fields that are kept."""
    import polars

    from steelyard.models.training import COLUMNS
    from steelyard.store.read import frame_schema

    schema = frame_schema()
    rows = [
        [record[column] for column in COLUMNS]
        for record in records
        if record["status"] == "ok" and record["verified"]
    ]
    return polars.DataFrame(rows, schema={column: schema[column] for column in COLUMNS}, orient="row")


def primitives_of(catalog: Catalog, names: Sequence[str]) -> list[str]:
    """Return the primitives of a catalogue that names and globs select."""
    from steelyard.measure.selection import match_primitives

    return list(match_primitives(names, catalog))

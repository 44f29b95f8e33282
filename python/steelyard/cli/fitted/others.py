"""Measure primitives outside the training data on the chips of the training data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.cli.output import warn
from steelyard.errors import EnvironmentProblem

if TYPE_CHECKING:
    import polars

    from steelyard.catalog.load import Catalog
    from steelyard.measure.workers import Jobs
    from steelyard.record.schema import Record

_ENOUGH = 4
"""Minimum number of families of cores from which a row can be predicted."""


def with_others(
    frame: polars.DataFrame, names: Sequence[str], catalog: Catalog, jobs: Jobs, store: Path | None
) -> polars.DataFrame:
    """Return the records with those of further primitives, measured on the first chip of every core family.

    EnvironmentProblem if the compilers of too few families are installed.
    """
    import polars

    from steelyard.cli.fitted.collect import as_frame, selections
    from steelyard.cli.fitted.measuring import measure
    from steelyard.models.training import matrix_file

    setup = matrix_file()
    found: list[Record] = []
    for family in setup.core_family:
        wanted = selections(setup, family.targets[0], family.toolchain, names)
        try:
            found += measure(catalog, wanted, setup.samples, jobs, store).records
        except EnvironmentProblem as problem:
            warn(f"{family.id} is left out: {problem}")
    fresh = as_frame(found)
    families = {setup.core_of[target].id for target in fresh["target"]}
    if len(families) < _ENOUGH:
        raise EnvironmentProblem(
            f"{', '.join(names)} could be measured on {len(families)} families of cores,"
            f" and {_ENOUGH} are needed."
        )
    return polars.concat([frame, fresh], how="vertical_relaxed")

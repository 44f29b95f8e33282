"""Measure selections for a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from steelyard.catalog.load import Catalog
    from steelyard.measure.run import RunResult
    from steelyard.measure.selection import Selection
    from steelyard.measure.workers import Jobs


def measure(
    catalog: Catalog, selections: Sequence[Selection], samples: int, jobs: Jobs, store: Path | None
) -> RunResult:
    """Return the selections' records, from the cache if possible. SteelyardError if nothing can be built."""
    from steelyard.cli.measure import progress
    from steelyard.cli.output import warn
    from steelyard.measure.image import Rules
    from steelyard.measure.session import prepare
    from steelyard.store.segments import store_folder

    session = prepare(catalog, selections)
    warn(f"{len(session.plan.builds)} images to build, {session.plan.cell_count} cells to measure.")
    with progress(session) as advance:
        return session.run(store_folder(store), Rules(samples=samples), jobs, advance)

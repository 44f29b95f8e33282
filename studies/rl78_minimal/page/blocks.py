"""What is kept for the page."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from steelyard.errors import EnvironmentProblem


def keep(records: pl.DataFrame, _: Collection[str]) -> pl.DataFrame:
    """All of it; EnvironmentProblem where not every variant could be built at every flag."""
    if records["prebuilt"].any():
        raise EnvironmentProblem("rl78-minimal needs the compiler: run steelyard toolchain install rl78.")
    return records

"""The plots of publications drawn anew and their claims judged, where the records have what it takes."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from steelyard.report.published import (
    atmega128,
    cache_sweep,
    ganesan,
    industrial_linux,
    rl78_minimal,
    sa1100,
    sensor_nodes,
    word_sizes,
)
from steelyard.report.published.common import Publication


def publications(records: pl.DataFrame, defaults: Collection[str]) -> tuple[Publication, ...]:
    """What the records say of each publication; `defaults` are the catalogue's default variants."""
    made = (
        atmega128.publication(records, defaults),
        sa1100.publication(records),
        cache_sweep.publication(records),
        sensor_nodes.publication(records, defaults),
        ganesan.publication(records, defaults),
        rl78_minimal.publication(records),
        word_sizes.publication(records, defaults),
        industrial_linux.publication(records, defaults),
    )
    return tuple(one for one in made if one is not None)

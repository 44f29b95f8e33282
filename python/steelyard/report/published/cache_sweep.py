"""Rijndael and the size of caches."""

from __future__ import annotations

from dataclasses import asdict

import polars as pl

from steelyard.present.chart import SCHEMA, Chart, Spec
from steelyard.present.table import Table
from steelyard.report.published.common import Publication, of_one_compiler
from steelyard.reproduce import cache_sweep
from steelyard.reproduce.cache_sweep import CACHE_BYTES, TARGETS, VARIANTS

_NOTE = (
    "Figure 1 of the publication on the SA-1100 made anew: AES-128 with tables of 256 bytes to 8 KB, with"
    " instruction and data caches of the same size each. A message of 1,024 bytes in ECB with warm caches."
)


def publication(records: pl.DataFrame) -> Publication | None:
    """What the records say of it; None where no chip was measured with caches of other sizes."""
    swept = records.filter(pl.col("target").is_in(TARGETS) & pl.col("settings").is_not_null())
    found = of_one_compiler(swept)
    if found is None:
        return None
    compiler, taken = found
    made = cache_sweep.reproduce(taken.to_dicts())
    if not made.points:
        return None
    return Publication(
        "cache-sweep",
        cache_sweep.TITLE,
        _NOTE,
        compiler,
        (_chart(made),),
        TARGETS,
        made.claims,
        (lines_of(made),),
    )


def _chart(made: cache_sweep.Reproduction) -> Chart:
    rows = pl.DataFrame(
        [{**asdict(point), "cache_kb": point.cache_bytes // 1024} for point in made.points],
        infer_schema_length=None,
    )
    spec: Spec = {
        "$schema": SCHEMA,
        "data": {"name": "rows"},
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "height": 320,
        "mark": {"type": "line", "point": {"size": 45, "filled": True}, "strokeWidth": 2},
        "encoding": {
            "x": {
                "field": "cache_kb",
                "type": "quantitative",
                "title": "size of each cache, KB",
                "scale": {"type": "log", "base": 2, "nice": False},
                "axis": {"values": [size // 1024 for size in CACHE_BYTES]},
            },
            "y": {
                "field": "cycles",
                "type": "quantitative",
                "title": "cycles per block",
                "scale": {"zero": True},
                "axis": {"tickCount": 6, "format": ",~r"},
            },
            "color": {"field": "variant", "type": "nominal", "title": None, "sort": list(VARIANTS)},
            "tooltip": [
                {"field": "variant"},
                {"field": "target"},
                {"field": "flags"},
                {"field": "cache_kb", "title": "caches, KB", "format": ",d"},
                {"field": "cycles", "title": "cycles per block", "format": ",.0f"},
                {"field": "misses", "title": "misses per block", "format": ",.1f"},
            ],
        },
    }
    return Chart(
        id="cache-sweep-cycles",
        title="Cycles against cache size",
        caption="Ours in the form of the publication's Figure 1, which prints no numbers.",
        spec=spec,
        rows=rows,
        open=(),
        single=("target", "flags"),
        series=("variant",),
    )


def lines_of(made: cache_sweep.Reproduction) -> Table:
    """Cycles of a block by variant and cache size."""
    found: dict[tuple[str, str, str], dict[int, str]] = {}
    for point in made.points:
        line = found.setdefault((point.target, point.flags, point.variant), {})
        line[point.cache_bytes] = f"{point.cycles:,.0f}"
    rows = tuple(
        (*labels, *(line.get(size, "") for size in CACHE_BYTES)) for labels, line in sorted(found.items())
    )
    sizes = tuple(f"{size // 1024} KB" for size in CACHE_BYTES)
    return Table("Cycles of a block by cache size", ("Target", "Flags", "Variant", *sizes), rows, 3)

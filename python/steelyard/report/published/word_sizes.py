"""One set of ciphers on words of 8, 16 and 32 bits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict

import polars as pl

from steelyard.present.chart import SCHEMA, Chart, Spec
from steelyard.present.table import Table
from steelyard.report.published.common import Publication, of_one_compiler
from steelyard.reproduce import word_sizes
from steelyard.reproduce.word_sizes import CHOICES, CIPHERS, PRIMITIVES, TARGETS, Reproduction, Weighed

_NOTE = (
    "What publications say about each other: encryption on chips of different sizes of words, in images that"
    " hold nothing else. Each claim is asked of every pairing of the chips that were measured."
)


def publication(records: pl.DataFrame, defaults: Collection[str]) -> Publication | None:
    """What the records say of it; None unless there are two sizes of words."""
    targets = [name for names in TARGETS.values() for name in names]
    here = records.filter(
        pl.col("target").is_in(targets) & pl.col("primitive").is_in(list(PRIMITIVES.values()))
    )
    found = of_one_compiler(here)
    if found is None:
        return None
    compiler, taken = found
    made = word_sizes.reproduce(taken.to_dicts(), defaults)
    if len({one.word_bits for listed in made.weighed.values() for one in listed}) < 2:
        return None
    return Publication(
        "word-sizes",
        word_sizes.TITLE,
        _NOTE,
        compiler,
        (_chart(made),),
        tuple(CHOICES),
        made.claims,
        (cost_lines(made),),
    )


def cost_lines(made: Reproduction) -> Table:
    """Cycles per byte of each cipher on each chip, in every setting."""
    targets = [name for names in TARGETS.values() for name in names if name not in made.absent]
    found: dict[tuple[str, str, str], dict[str, Weighed]] = {}
    for choice, listed in made.weighed.items():
        for one in sorted(listed, key=lambda weighed: CIPHERS.index(weighed.cipher)):
            found.setdefault((choice, one.flags, one.cipher), {})[one.target] = one
    rows = tuple(
        (*labels, *(_shown(by_target.get(target)) for target in targets))
        for labels, by_target in found.items()
    )
    return Table("Cycles of a byte", ("Variants", "Flags", "Cipher", *targets), rows, 3)


def _shown(one: Weighed | None) -> str:
    return "" if one is None else f"{one.cycles_per_byte:,.1f} ({one.variant.partition('/')[2]})"


def _chart(made: Reproduction) -> Chart:
    rows = pl.DataFrame(
        [
            {"variants": choice, **asdict(one), "where": f"{one.word_bits} bits, {one.target}"}
            for choice, listed in made.weighed.items()
            for one in listed
        ],
        infer_schema_length=None,
    )
    order = [f"{bits} bits, {name}" for bits, names in TARGETS.items() for name in names]
    spec: Spec = {
        "$schema": SCHEMA,
        "data": {"name": "rows"},
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "height": 320,
        "mark": {"type": "line", "point": {"size": 55, "filled": True}, "strokeWidth": 2},
        "encoding": {
            "x": {
                "field": "where",
                "type": "ordinal",
                "sort": order,
                "title": None,
                "axis": {"labelAngle": 0},
            },
            "y": {
                "field": "cycles_per_byte",
                "type": "quantitative",
                "title": "cycles per byte",
                "scale": {"type": "log", "nice": False, "padding": 12},
                "axis": {"tickCount": 6, "format": ",~r"},
            },
            "color": {"field": "cipher", "type": "nominal", "title": None, "sort": list(CIPHERS)},
            "tooltip": [
                {"field": "cipher"},
                {"field": "variant"},
                {"field": "target"},
                {"field": "cycles_per_byte", "title": "cycles per byte", "format": ",.1f"},
            ],
        },
    }
    return Chart(
        id="word-sizes-cost",
        title="Cycles of a byte by size of words",
        caption="Encryption without the set-up; AES is of bytes, the others mostly of 32-bit words.",
        spec=spec,
        rows=rows,
        open=(),
        single=("variants", "flags"),
        series=("cipher",),
    )

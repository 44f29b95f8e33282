"""Ciphers and hashes on the RL78 in categories of ROM and RAM (2013)."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from steelyard.present.chart import SCHEMA, Chart, Spec
from steelyard.present.table import Table
from steelyard.report.published.common import Publication
from steelyard.reproduce import rl78_minimal
from steelyard.reproduce.rl78_minimal import (
    CHOICES,
    CIPHERS,
    HASHES,
    TARGET,
    Build,
    Cell,
    Reproduction,
    Sheet,
    categories,
)

_NOTE = (
    "The fastest build of this library that fits each of the publication's categories of memory, or none;"
    " in that of the minimum the build of the least ROM. Every variant, footprint and flag that was"
    " measured takes part. Cycles are of a block, set-up apart."
)


def publication(records: pl.DataFrame) -> Publication | None:
    """What the records say of it, of all compilers; None without a build."""
    here = records.filter(pl.col("target").eq(TARGET) & pl.col("primitive").is_in([*CIPHERS, *HASHES]))
    if here.is_empty():
        return None
    made = rl78_minimal.reproduce(here.to_dicts())
    counted = next(iter(made.tables.values()))
    if not counted.works:
        return None
    return Publication(
        "rl78-minimal",
        rl78_minimal.TITLE,
        _NOTE,
        " and ".join(sorted(here["toolchain"].drop_nulls().unique())),
        (_chart(made),),
        tuple(CHOICES),
        made.claims,
        (*(category_lines(table) for table in made.tables.values()), number_lines(made)),
    )


def category_lines(table: Sheet) -> Table:
    """A line for each primitive, direction and category of RAM, a column for each category of ROM."""
    roms = categories("ROM")
    found: dict[tuple[str, str, str], list[str]] = {}
    for cell in table.cells():
        labels = (cell.primitive, cell.direction, cell.ram.name)
        found.setdefault(labels, []).append(_shown(cell))
    headings = ("Primitive", "Direction", "RAM", *(f"ROM {rom.name}" for rom in roms))
    rows = tuple((*labels, *cells) for labels, cells in found.items())
    return Table(f"Cycles of a block; RAM is {_ram(table)}", headings, rows, 3)


def _ram(table: Sheet) -> str:
    first = next(iter(CHOICES))
    return first if table.choice == first else f"{first} {table.choice}"


def _shown(cell: Cell) -> str:
    if cell.build is None:
        return "none"
    if cell.rom.most_bytes is None:
        return f"{cell.build.rom_bytes:,} B: {cell.build.cycles:,.0f} ({_how(cell.build)})"
    return f"{cell.build.cycles:,.0f} ({_how(cell.build)})"


def _how(build: Build) -> str:
    return f"{build.variant.partition('/')[2]} {build.flags}"


def number_lines(made: Reproduction) -> Table:
    """The printed numbers beside ours."""
    rows = tuple(
        (
            one.primitive,
            one.direction,
            one.rom,
            one.ram,
            one.choice,
            f"{one.published:,.0f} {one.unit}",
            "none" if one.ours is None else f"{one.ours:,.0f}",
            "" if one.ratio is None else f"{one.ratio:.2f}",
            "" if one.build is None else f"{one.build.variant} {one.build.flags}",
        )
        for one in made.numbers
    )
    headings = ("Primitive", "Direction", "ROM", "RAM", "RAM is", "Published", "Ours", "Ratio", "Build")
    return Table("Published numbers beside ours", headings, rows, 5)


def _chart(made: Reproduction) -> Chart:
    rows = pl.DataFrame(list(_points(made)), infer_schema_length=None)
    order = [rom.name for rom in categories("ROM")]
    spec: Spec = {
        "$schema": SCHEMA,
        "data": {"name": "rows"},
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
        "height": 320,
        "mark": {"type": "line", "point": {"size": 55, "filled": True}, "strokeWidth": 2},
        "encoding": {
            "x": {
                "field": "rom",
                "type": "ordinal",
                "sort": order,
                "title": "ROM",
                "axis": {"labelAngle": 0},
            },
            "y": {
                "field": "cycles_per_byte",
                "type": "quantitative",
                "title": "cycles per byte",
                "scale": {"type": "log", "nice": False, "padding": 12},
                "axis": {"tickCount": 6, "format": ",~r"},
            },
            "color": {"field": "primitive", "type": "nominal", "title": None, "sort": [*CIPHERS, *HASHES]},
            "tooltip": [
                {"field": "primitive"},
                {"field": "variant"},
                {"field": "flags"},
                {"field": "rom", "title": "ROM"},
                {"field": "rom_bytes", "title": "ROM, bytes", "format": ",d"},
                {"field": "ram_bytes", "title": "RAM, bytes", "format": ",d"},
                {"field": "cycles", "title": "cycles of a block", "format": ",.0f"},
                {"field": "cycles_per_byte", "title": "cycles per byte", "format": ",.1f"},
            ],
        },
    }
    return Chart(
        id="rl78-minimal-speed",
        title="Speed by category of ROM",
        caption="What more ROM buys within one category of RAM; a gap is a category nothing fits.",
        spec=spec,
        rows=rows,
        open=(),
        single=("ram_is", "direction", "ram"),
        series=("primitive",),
    )


def _points(made: Reproduction) -> Iterator[dict[str, object]]:
    for choice, table in made.tables.items():
        for cell in table.cells():
            if cell.build is not None:
                yield {
                    "ram_is": choice,
                    "direction": cell.direction,
                    "ram": cell.ram.name,
                    "rom": cell.rom.name,
                    "primitive": cell.primitive,
                    "variant": cell.build.variant,
                    "flags": cell.build.flags,
                    "rom_bytes": cell.build.rom_bytes,
                    "ram_bytes": CHOICES[choice](cell.build),
                    "cycles": cell.build.cycles,
                    "cycles_per_byte": cell.build.cycles_per_byte,
                }

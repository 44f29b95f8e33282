"""Categories of memory as tables, as objects and as a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from steelyard.advise.categories import Build, Category, Filled
from steelyard.cli.records import marked
from steelyard.present.chart import Spec, tooltip
from steelyard.present.table import Table


def objects(filled: Sequence[Filled]) -> Iterator[dict[str, Any]]:
    """Yield an object for each category: the build that fits, or what is missing in bytes."""
    for one in filled:
        build, lack = one.build, one.missing
        yield {
            "target": one.target,
            "primitive": one.primitive,
            "security": _any(one).security,
            "direction": one.direction,
            "rom_category": one.rom.name,
            "rom_most_bytes": one.rom.most_bytes,
            "ram_category": one.ram.name,
            "ram_most_bytes": one.ram.most_bytes,
            "fits": build is not None,
            "variant": None if build is None else build.variant,
            "parameters": None if build is None else build.parameters,
            "toolchain": None if build is None else build.toolchain,
            "flags": None if build is None else build.flags,
            "cycles": None if build is None else build.cycles,
            "cycles_per_byte": None if build is None else build.cycles_per_byte,
            "rom_bytes": None if build is None else build.rom_bytes,
            "ram_bytes": None if build is None else build.ram_bytes,
            "buffer_bytes": None if build is None else build.buffer_bytes,
            "least_rom_bytes": None if lack is None else lack.least_rom.rom_bytes,
            "rom_excess_bytes": None if lack is None else lack.rom_excess,
            "least_ram_bytes": None if lack is None else lack.least_ram_bytes,
            "ram_excess_bytes": None if lack is None else lack.ram_excess,
            "nearest": None if lack is None else named(lack.nearest),
        }


def _any(one: Filled) -> Build:
    if one.build is not None:
        return one.build
    assert one.missing is not None
    return one.missing.nearest


def named(build: Build) -> str:
    """Return a build in words: variant, parameters, compiler, flags; assembly is the same at all flags."""
    how = () if build.by_pointer else (build.toolchain, build.flags)
    return " ".join(str(word) for word in (build.variant, build.parameters, *how) if word)


def page(filled: Sequence[Filled]) -> Iterator[Table | str]:
    """Yield for each primitive and direction a table of RAM by ROM, and what empty categories lack."""
    works: dict[tuple[str, str, str], list[Filled]] = {}
    for one in filled:
        works.setdefault((one.target, one.primitive, one.direction), []).append(one)
    for (target, primitive, direction), listed in works.items():
        roms = list(dict.fromkeys(one.rom for one in listed))
        first = _any(listed[0])
        rows: dict[Category, list[str]] = {}
        for one in listed:
            rows.setdefault(one.ram, []).append(_cell(one))
        yield Table(
            f"{marked(primitive, first.security)}, {direction}, on {target}: fewest cycles of"
            f" {first.block_bytes:,} bytes that fit",
            ("RAM", *(f"ROM {rom.name}" for rom in roms)),
            tuple((ram.name, *cells) for ram, cells in rows.items()),
            left=1,
            numeric=(False, *(False for _ in roms)),
        )
        yield from _missing(listed)


def _cell(one: Filled) -> str:
    if one.build is None:
        return "none"
    size = f"{one.build.rom_bytes:,} B: " if one.rom.most_bytes is None else ""
    return f"{size}{one.build.cycles:,.0f} ({named(one.build).partition('/')[2]})"


def _missing(listed: Sequence[Filled]) -> Iterator[str]:
    """Yield what each empty category lacks; one that lacks RAM lacks it whatever its ROM."""
    said: dict[str, None] = {}
    for one in listed:
        lack = one.missing
        if lack is None:
            continue
        if not lack.fits_ram:
            least = min((other.missing for other in listed if other.missing), key=lambda m: m.least_ram_bytes)
            over = least.least_ram_bytes - (one.ram.most_bytes or 0)
            text = (
                f"RAM {one.ram.name}: nothing fits; the least RAM is {least.least_ram_bytes:,} B,"
                f" {over:,} too many ({named(least.least_ram)})."
            )
        else:
            text = (
                f"RAM {one.ram.name}, ROM {one.rom.name}: nothing fits; the least ROM is"
                f" {lack.least_rom.rom_bytes:,} B, {lack.rom_excess:,} too many ({named(lack.least_rom)})."
            )
        said[text] = None
    yield from said


def chart(filled: Sequence[Filled]) -> tuple[Spec, list[dict[str, Any]]]:
    """Return a chart of the fewest cycles per byte by category of ROM, a line for each category of RAM."""
    roms = list(dict.fromkeys(one.rom.name for one in filled if one.rom.most_bytes is not None))
    rows = [
        {
            "work": f"{one.primitive}, {one.direction}, {one.target}",
            "rom": one.rom.name,
            "ram": one.ram.name,
            "build": named(one.build),
            "rom_bytes": one.build.rom_bytes,
            "ram_bytes": one.build.ram_bytes,
            "cycles_per_byte": one.build.cycles_per_byte,
        }
        for one in filled
        if one.build is not None and one.rom.most_bytes is not None
    ]
    encoding = {
        "x": {
            "field": "rom",
            "type": "ordinal",
            "scale": {"domain": roms},
            "title": "ROM",
            "axis": {"labelAngle": 0},
        },
        "y": {
            "field": "cycles_per_byte",
            "type": "quantitative",
            "title": "cycles per byte",
            "scale": {"type": "log"},
        },
        "color": {"field": "ram", "type": "nominal", "title": "RAM", "sort": None},
        "tooltip": tooltip(["work", "build", "rom", "ram", "rom_bytes", "ram_bytes", "cycles_per_byte"]),
    }
    mark = {"type": "line", "point": True}
    if len({row["work"] for row in rows}) < 2:
        return {"mark": mark, "encoding": encoding}, rows
    return {
        "facet": {"field": "work", "type": "nominal", "title": None, "sort": None},
        "columns": 3,
        "spec": {"width": 260, "height": 200, "mark": mark, "encoding": encoding},
    }, rows

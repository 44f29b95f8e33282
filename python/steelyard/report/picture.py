"""One picture of the records: what a byte costs, per primitive and chip."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from statistics import median

import polars as pl

from steelyard.catalog.load import load_catalog
from steelyard.report import tables, theme
from steelyard.report.summary import KINDS, by_family, comparable

_PADDING = 14
_WIDE, _HIGH = 28, 18
"""A cell, in pixels as everything here."""
_FAMILY_GAP = 7
_KIND = 26
_HEAD = 44
_TEXT = 11.5
"""Nothing is written smaller: the picture of the default set's chips is about as wide as a page of GitHub."""
_LETTER = 0.6 * _TEXT
"""The mean width of a letter, wide fonts included."""

_PAPER, _INK, _MUTED, _ABSENT = "#ffffff", "#1c2430", "#5b6675", "#e9ecf0"
_SHADES = ("#fdf6c8", "#c9e5a3", "#7fc8a0", "#41a6ad", "#2b7cb0", "#2c4f96", "#2a2463")
"""From few cycles to many: paler is faster, also for the colour blind and in grey."""
_SHADED_PART = 0.97
"""The darkest shade stands for the figures beyond this part of them, so that a few do not take the scale."""


@dataclass(frozen=True)
class _Row:
    primitive: str
    label: str
    figures: dict[str, float]

    @property
    def middle(self) -> float:
        """What rows are ordered by."""
        return median(self.figures.values())


def picture_svg(records: pl.DataFrame) -> str:
    """SVG of cycles per byte: a row per primitive by kind, fastest first, a column per chip by family.

    Each figure is the lowest verified one among variants, compilers and flags, for one block of a block
    cipher and the longest measured message of the others. Primitives that most of the chips were not asked
    for are left out.
    """
    catalog, tried = load_catalog(), comparable(records)
    chips = by_family(catalog, tried["target"].unique().to_list())
    family_of = {target.id: target.file.family for target in catalog.targets}
    lowest = (
        tables.verified_results(tried).group_by("primitive", "target").agg(pl.col("cycles_per_byte").min())
    )
    figures: dict[str, dict[str, float]] = {}
    for primitive, target, figure in lowest.iter_rows():
        figures.setdefault(primitive, {})[target] = figure
    rows: dict[str, list[_Row]] = {}
    asked = tried.group_by("kind", "primitive", "security").agg(pl.col("target").n_unique())
    for kind, primitive, standing, count in asked.iter_rows():
        if primitive in figures and 2 * count > len(chips):
            mark = f" ({standing})" if standing in ("legacy", "broken") else ""
            rows.setdefault(kind, []).append(_Row(primitive, primitive + mark, figures[primitive]))
    listed = {
        KINDS[kind][0]: sorted(rows[kind], key=lambda row: (row.middle, row.primitive))
        for kind in KINDS
        if kind in rows
    }
    messages = tried.filter(pl.col("kind") != "block")["message_bytes"].drop_nulls().unique().sort()
    families = [(family, list(group)) for family, group in groupby(chips, family_of.__getitem__)]
    return "\n".join(_svg(families, listed, " or ".join(f"{length:,}" for length in messages)))


def _svg(
    families: Sequence[tuple[str, list[str]]], kinds: dict[str, list[_Row]], lengths: str
) -> Iterator[str]:
    chips = [chip for _, listed in families for chip in listed]
    rows = [row for listed in kinds.values() for row in listed]
    left = _PADDING + 6 + math.ceil(_LETTER * max((len(row.label) for row in rows), default=0))
    top = _PADDING + _HEAD + 6 + math.ceil(_LETTER * max(map(len, chips), default=0))
    gaps = [number for number, (_, listed) in enumerate(families) for _ in listed]
    across = {
        chip: left + _WIDE * index + _FAMILY_GAP * gap
        for index, (chip, gap) in enumerate(zip(chips, gaps, strict=True))
    }
    width = max(across.values(), default=left) + _WIDE + _PADDING
    height = top + _KIND * len(kinds) + _HIGH * len(rows) + _PADDING
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="{escape(theme.FONT)}" font-size="{_TEXT}">'
    )
    yield f'<rect width="{width}" height="{height}" rx="6" fill="{_PAPER}"/>'
    yield from _head(families, across, left, top, lengths)
    logarithms = sorted(math.log(figure) for row in rows for figure in row.figures.values())
    ends = (logarithms[0], logarithms[int(_SHADED_PART * (len(logarithms) - 1))]) if rows else (0.0, 0.0)
    y = top
    for kind, listed in kinds.items():
        yield _text(_PADDING, y + _KIND - 8, kind, weight=600)
        y += _KIND
        for row in listed:
            yield _text(left - 6, y + _middle(_HIGH), row.label, anchor="end")
            for chip in chips:
                yield from _cell(across[chip], y, row.figures.get(chip), ends)
            y += _HIGH
    yield "</svg>\n"


def _head(
    families: Sequence[tuple[str, list[str]]], across: dict[str, int], left: int, top: int, lengths: str
) -> Iterator[str]:
    """Title, key, and the names of families and chips, these upright."""
    yield _text(_PADDING, _PADDING + 12, "Clock cycles per byte", size=15, weight=600)
    for line, about in enumerate(("one block, or a", f"message of {lengths} bytes") if lengths else ()):
        yield _text(_PADDING, _PADDING + 33 + 15 * line, about, _MUTED)
    right = max(across.values(), default=left) + _WIDE
    key = "paler: faster; k: thousand; grey: no result"
    yield _text(right, _PADDING + 12, key, _MUTED, anchor="end")
    end, raised = 0.0, False
    for family, listed in families:
        centre = (across[listed[0]] + across[listed[-1]] + _WIDE) / 2
        half = _LETTER * len(family) / 2 + 2
        # A name that would run into its neighbour's stands above it.
        raised = centre - half < end and not raised
        yield _text(centre, _PADDING + _HEAD - (14 if raised else 0), family, anchor="middle", weight=600)
        end = centre + half
        for chip in listed:
            x = across[chip] + _middle(_WIDE)
            yield _text(x, top - 4, chip, more=f' transform="rotate(-90 {x:g} {top - 4})"')


def _cell(x: int, y: int, figure: float | None, ends: tuple[float, float]) -> Iterator[str]:
    """A cell's colour and figure; grey where it has none."""
    fill = _ABSENT
    if figure is not None:
        low, high = ends
        fill = _shade(min((math.log(figure) - low) / ((high - low) or 1.0), 1.0))
    yield f'<rect x="{x}" y="{y}" width="{_WIDE - 1}" height="{_HIGH - 1}" fill="{fill}"/>'
    if figure is not None:
        ink = max(_PAPER, _INK, key=lambda one: _contrast(one, fill))
        yield _text(x + (_WIDE - 1) / 2, y + _middle(_HIGH - 1), _short(figure), ink, anchor="middle")


def _middle(room: float) -> float:
    """The base line of a text in the middle of some room."""
    return room / 2 + 0.35 * _TEXT


def _text(
    x: float,
    y: float,
    text: str,
    fill: str = _INK,
    *,
    anchor: str = "start",
    size: float = _TEXT,
    weight: int = 400,
    more: str = "",
) -> str:
    more += "" if anchor == "start" else f' text-anchor="{anchor}"'
    more += "" if size == _TEXT else f' font-size="{size:g}"'
    more += "" if weight == 400 else f' font-weight="{weight}"'
    return f'<text x="{x:g}" y="{y:g}" fill="{fill}"{more}>{escape(text)}</text>'


def _shade(share: float) -> str:
    """The colour at a share of the way from few cycles to many."""
    place = share * (len(_SHADES) - 1)
    index = min(int(place), len(_SHADES) - 2)
    low, high = map(_parts, _SHADES[index : index + 2])
    mixed = (round(a + (b - a) * (place - index)) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _parts(colour: str) -> list[int]:
    return [int(colour[start : start + 2], 16) for start in (1, 3, 5)]


def _contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21 [WCAG 2.2, contrast ratio]."""

    def luminance(colour: str) -> float:
        linear = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in (part / 255 for part in _parts(colour))
        )
        return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _short(figure: float) -> str:
    """A figure in at most four characters: 9.6, 96, 961, 9.6k, 96k."""
    for unit, size in (("M", 1e6), ("k", 1e3), ("", 1.0)):
        if figure >= 0.9995 * size or not unit:
            scaled = figure / size
            return f"{scaled:.1f}{unit}" if scaled < 9.95 else f"{scaled:.0f}{unit}"
    raise AssertionError

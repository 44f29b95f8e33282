"""A flame graph as SVG: a box per path of calls, as wide as its cycles, what it called below it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from zlib import crc32

from steelyard.profile import tables
from steelyard.profile.model import Profile
from steelyard.profile.tables import Branch

_WIDTH, _ROW, _HEAD, _MARGIN = 1200, 19, 34, 10
_LETTER = 6.7
"""Mean width of a letter, in units of the drawing like all lengths here."""
_LEAST = 0.4
"""Width of a box that is not drawn any more."""

_STYLE = """
.flame{font:11.5px system-ui,sans-serif;background:#fff}
.flame text{fill:#1c2430}.flame .box text{fill:#241a08;pointer-events:none}
.flame .head{font-weight:600;font-size:13px}
.flame rect{stroke:#fff;stroke-width:.6}.flame .box:hover rect{stroke:#1c2430;stroke-width:1.4}
@media (prefers-color-scheme:dark){.flame{background:#14181f}.flame text{fill:#e6e9ee}
.flame rect{stroke:#14181f}.flame .box:hover rect{stroke:#fff}}
"""


def flame_graph(profile: Profile) -> str:
    """Return a self-contained SVG with a tooltip for every box; it is readable on light and dark ground.

    Boxes stand in order of their names, inlined functions like called ones. A box too narrow to be seen is
    left out; its caller shows the room.
    """
    root = tables.tree(profile)
    depth = max((one.depth for one in root.walk()), default=0)
    height = _HEAD + (depth + 1) * _ROW + _MARGIN
    boxes = "".join(_boxes(root, _MARGIN, profile))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="flame" viewBox="0 0 {_WIDTH} {height}"'
        f' role="img" aria-label="{escape("Flame graph of " + profile.title)}">'
        f"<style>{_STYLE}</style>"
        f'<text class="head" x="{_MARGIN}" y="20">{escape(profile.title)}</text>{boxes}</svg>\n'
    )


def _boxes(branch: Branch, left: float, profile: Profile) -> Iterator[str]:
    """Yield a branch's box, and below it those of what it called, side by side."""
    scale = (_WIDTH - 2 * _MARGIN) / (profile.cycles or 1)
    width = branch.total_cycles * scale
    if width < _LEAST:
        return
    top = _HEAD + branch.depth * _ROW
    name = branch.function if branch.depth else "all"
    room = int((width - 6) / _LETTER)
    shown = name if len(name) <= room else f"{name[: room - 1]}…" if room > 3 else ""
    tip = (
        f"{name}: {branch.total_cycles / profile.samples:,.1f} cycles,"
        f" {100 * branch.total_cycles / (profile.cycles or 1):.1f} %;"
        f" {branch.own_cycles / profile.samples:,.1f} of its own"
    )
    label = f'<text x="{left + 3:.2f}" y="{top + 13}">{escape(shown)}</text>' if shown else ""
    yield (
        f'<g class="box"><title>{escape(tip)}</title><rect x="{left:.2f}" y="{top}" width="{width:.2f}"'
        f' height="{_ROW - 1}" rx="2" fill="{_colour(name, branch.depth)}"/>{label}</g>'
    )
    for below in sorted(branch.below.values(), key=lambda one: one.function):
        yield from _boxes(below, left, profile)
        left += below.total_cycles * scale


def _colour(name: str, depth: int) -> str:
    """Return a warm colour that a name has in every graph; dark text is readable on it."""
    if not depth:
        return "#d5d9df"
    hue = 18 + crc32(name.encode()) % 38
    light = 66 + crc32(name.encode()[::-1]) % 12
    return f"hsl({hue} 88% {light}%)"

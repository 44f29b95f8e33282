"""Colours of series: one hue for each family, another lightness for each of its members, none twice."""

from __future__ import annotations

import math
from collections.abc import Sequence

_FIRST_HUE = 255.0
"""Degrees; a single family is blue."""
_CHROMA = 0.12
_LIGHT, _DARK = 0.78, 0.36
"""Lightness of the palest and the darkest member, of 1; both are seen on white."""
_ALONE = (0.46, 0.66)
"""Lightness of families with one member, in turn: neighbours on the circle of hues differ in it too."""
GREY = "#b7bdc6"
"""The colour of the family without a name, which has one member."""


def colours(families: Sequence[str]) -> list[str]:
    """Return a colour for each series, given the family of each: `#rrggbb`, no colour twice.

    Hues of families lie evenly on the circle of OKLCH; the first member of a family is its darkest. Colours
    that sRGB has no room for lose chroma, not lightness [B. Ottosson, A perceptual color space for image
    processing, 2020].
    """
    order = [family for family in dict.fromkeys(families) if family]
    members = {family: families.count(family) for family in order}
    placed = dict.fromkeys(order, 0)
    found: list[str] = []
    for family in families:
        if not family:
            found.append(GREY)
            continue
        place = order.index(family)
        hue = (_FIRST_HUE + 360.0 * place / len(order)) % 360.0
        if members[family] > 1:
            lightness = _DARK + (_LIGHT - _DARK) * placed[family] / (members[family] - 1)
        else:
            lightness = _ALONE[place % len(_ALONE)]
        placed[family] += 1
        # Many series may round to one colour; another hue tells them apart again.
        while (colour := _srgb(lightness, hue)) in found:
            hue += 2.0
        found.append(colour)
    return found


def _srgb(lightness: float, hue: float) -> str:
    chroma = _CHROMA
    linear = _linear(lightness, chroma, hue)
    while chroma > 0 and any(not 0.0 <= part <= 1.0 for part in linear):
        chroma = max(chroma - 0.004, 0.0)
        linear = _linear(lightness, chroma, hue)
    return "#" + "".join(f"{round(255 * _encoded(min(max(part, 0.0), 1.0))):02x}" for part in linear)


def _linear(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    """Linear sRGB of an OKLCH colour; parts outside 0 to 1 have no place in sRGB."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    l_ = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m_ = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s_ = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * l_ - 3.3077115913 * m_ + 0.2309699292 * s_,
        -1.2684380046 * l_ + 2.6097574011 * m_ - 0.3413193965 * s_,
        -0.0041960863 * l_ - 0.7034186147 * m_ + 1.7076147010 * s_,
    )


def _encoded(part: float) -> float:
    """The gamma of sRGB [IEC 61966-2-1]."""
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055

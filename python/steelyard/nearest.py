"""Similar names: one helper for every message that names something unknown."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

_SHOWN_NAMES = 8


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most similar to `name`, or None if none is close."""
    names = sorted(set(known))
    by_lower = {candidate.lower(): candidate for candidate in reversed(names)}
    close = difflib.get_close_matches(name.lower(), list(by_lower), n=1, cutoff=0.5)
    if close:
        return by_lower[close[0]]
    inside = [candidate for candidate in names if name and name.lower() in candidate.lower()]
    return min(inside, key=len) if inside else None


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return a clause such as `unknown target "atmega12"; did you mean "atmega128"?` without a full stop."""
    names = sorted(set(known))
    shown = printable(name)
    match = nearest(name, names)
    if match is not None:
        return f'unknown {what} "{shown}"; did you mean "{match}"?'
    if not names:
        return f'unknown {what} "{shown}"; there is none'
    some = ", ".join(names[:_SHOWN_NAMES]) + (", ..." if len(names) > _SHOWN_NAMES else "")
    return f'unknown {what} "{shown}"; known: {some}'


def printable(text: str, limit: int = 160) -> str:
    """Return outside text made safe for one line of a message: control characters escaped, length limited."""
    line = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)
    return line if len(line) <= limit else line[:limit] + "..."

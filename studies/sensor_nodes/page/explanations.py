"""Why rows of a published table are off: texts kept as data, each with causes that records must bear out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

COMPILER, SOURCE, LEVEL, ROUNDING, PRINT, NOT_KNOWN = CAUSES = (
    "compiler",
    "source",
    "only -O0",
    "rounding",
    "print",
    "not known",
)
"""What a row may be put down to; what each asks of records is said where they are borne out."""


class Unexplained(ValueError):
    """A row that is off has no text, or its text a cause that the records do not bear out."""


@dataclass(frozen=True)
class Explanation:
    """One text for rows, by their labels, on targets."""

    targets: tuple[str, ...]
    rows: tuple[str, ...]
    causes: frozenset[str]
    text: str


@dataclass(frozen=True)
class Explanations:
    """The texts by target and row."""

    by_place: Mapping[tuple[str, str], Explanation]

    def of(self, target: str, row: str) -> Explanation:
        """The text of a row on a target; Unexplained if there is none."""
        found = self.by_place.get((target, row))
        if found is None:
            raise Unexplained(f"{row} on {target} is off by more than a factor of two, and no text says why.")
        return found


NO_EXPLANATIONS = Explanations({})


def borne_out(causes: Collection[str], within: Collection[str]) -> bool:
    """Whether causes hold if those of `within` alone each bring a row within the factor.

    A set of causes in `within`, joined by " and ", stands for both together. LEVEL and NOT_KNOWN do not hold
    where an optimised build is within the factor: that is the cause.
    """
    if {LEVEL, NOT_KNOWN} & set(causes) and {COMPILER, SOURCE, f"{COMPILER} and {SOURCE}"} & set(within):
        return False
    checked = [cause for cause in CAUSES if cause in causes and cause not in (PRINT, NOT_KNOWN)]
    return " and ".join(checked) in within or all(cause in within for cause in checked)


def read_explanations(path: Path, targets: Collection[str], rows: Collection[str]) -> Explanations:
    """The texts of a file; ValueError for a name that does not exist, and for a row that has two texts."""
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["explanation"]
    found: dict[tuple[str, str], Explanation] = {}
    for one in (_explanation(entry) for entry in listed):
        for kind, named, known in (
            ("target", one.targets, targets),
            ("row", one.rows, rows),
            ("cause", one.causes, CAUSES),
        ):
            for name in _unknown(named, known):
                raise ValueError(f"{path.name} explains {kind} {name}, which does not exist.")
        if not one.text or not one.causes or (NOT_KNOWN in one.causes and len(one.causes) > 1):
            raise ValueError(f"{path.name}: {one.rows[0]} has no text, or causes that exclude each other.")
        for place in ((target, row) for target in one.targets for row in one.rows):
            if place in found:
                raise ValueError(f"{path.name} explains {place[1]} on {place[0]} twice.")
            found[place] = one
    return Explanations(found)


_FIGURE = re.compile(r"\{(?P<toolchain>\w+) (?P<choice>\w+) (?P<flags>-O\w|optimised)\}")


def filled(text: str, span: Callable[[str, str, str], str]) -> str:
    """The text with `span` of compiler, choice of variants and flags in place of each `{gcc default -O0}`."""
    return _FIGURE.sub(lambda found: span(found["toolchain"], found["choice"], found["flags"]), text)


def _explanation(entry: Mapping[str, Sequence[str]]) -> Explanation:
    return Explanation(
        tuple(entry["targets"]), tuple(entry["rows"]), frozenset(entry["causes"]), str(entry["text"]).strip()
    )


def _unknown(named: Collection[str], known: Collection[str]) -> Iterator[str]:
    return (name for name in named if name not in known)

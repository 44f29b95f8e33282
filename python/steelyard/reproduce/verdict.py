"""What records say of a published claim.

A claim is a few statements, each a test of the ciphers' figures in one setting (how the ciphers' variants
were chosen, and the compiler's flags). The publication leaves the setting open, so every setting is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Finding = Literal["holds", "holds in part", "fails", "not testable"]

_Setting = TypeVar("_Setting")


@dataclass(frozen=True)
class Statement(Generic[_Setting]):
    """A part of a claim; `test` raises MissingFigure where a setting lacks what it needs."""

    text: str
    test: Callable[[_Setting], bool]


@dataclass(frozen=True)
class Verdict:
    """The finding on a claim, and what it rests on in one line."""

    finding: Finding
    reason: str


class MissingFigure(LookupError):
    """A setting has no figure of something; the message names it."""


def judge(statements: Sequence[Statement[_Setting]], settings: Mapping[str, _Setting]) -> Verdict:
    """Holds if every statement does in every setting that has the figures, fails if none does in any."""
    held = dict.fromkeys((statement.text for statement in statements), 0)
    asked = 0
    missing: dict[str, None] = {}
    for setting in settings.values():
        try:
            answers = [statement.test(setting) for statement in statements]
        except MissingFigure as absent:
            missing[str(absent)] = None
            continue
        asked += 1
        for statement, answer in zip(statements, answers, strict=True):
            held[statement.text] += answer
    if not asked:
        reason = "; ".join(missing) or "nothing was measured"
        return Verdict("not testable", reason)
    total = sum(held.values())
    finding: Finding = "holds in part"
    if total == asked * len(statements):
        finding = "holds"
    elif total == 0:
        finding = "fails"
    return Verdict(finding, "; ".join(f"{text}: {count} of {asked}" for text, count in held.items()))

"""What records say of a published claim.

A claim is a few statements, each a test of the ciphers' figures in one setting: how the ciphers' variants
were chosen, and the compiler's flags. The publication leaves both open, so every setting is asked, and every
choice of variants has a finding of its own.
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
    """The finding on a claim, that of each choice of variants, and what they rest on in one line."""

    finding: Finding
    by_choice: dict[str, Finding]
    reason: str


class MissingFigure(LookupError):
    """A setting has no figure of something; the message names it."""


@dataclass
class _Count:
    """How often each statement held, of how many settings asked."""

    held: dict[str, int]
    asked: int = 0

    @property
    def finding(self) -> Finding:
        """Holds if every statement did in every setting asked, fails if none did in any."""
        total = sum(self.held.values())
        if not self.asked:
            return "not testable"
        if total == self.asked * len(self.held):
            return "holds"
        return "holds in part" if total else "fails"


def judge(
    statements: Sequence[Statement[_Setting]], settings: Mapping[str, Mapping[str, _Setting]]
) -> Verdict:
    """The verdict over settings by choice of variants and flags; those without the figures are left out."""
    missing: dict[str, None] = {}
    counts = {choice: _count(statements, by_flags, missing) for choice, by_flags in settings.items()}
    whole = _Count(
        {s.text: sum(count.held[s.text] for count in counts.values()) for s in statements},
        sum(count.asked for count in counts.values()),
    )
    by_choice = {choice: count.finding for choice, count in counts.items()}
    if not whole.asked:
        return Verdict(whole.finding, by_choice, "; ".join(missing) or "nothing was measured")
    reasons = [f"{text}: {held} of {whole.asked}" for text, held in whole.held.items()]
    answers = dict.fromkeys(finding for finding in by_choice.values() if finding != "not testable")
    if len(answers) > 1:
        said = (
            f"{answer} with {' and '.join(choice for choice, one in by_choice.items() if one == answer)}"
            for answer in answers
        )
        reasons.append(f"the choice of variants decides: {', '.join(said)}")
    return Verdict(whole.finding, by_choice, "; ".join(reasons))


def _count(
    statements: Sequence[Statement[_Setting]], by_flags: Mapping[str, _Setting], missing: dict[str, None]
) -> _Count:
    count = _Count(dict.fromkeys((statement.text for statement in statements), 0))
    for setting in by_flags.values():
        try:
            answers = [statement.test(setting) for statement in statements]
        except MissingFigure as absent:
            missing[str(absent)] = None
            continue
        count.asked += 1
        for statement, answer in zip(statements, answers, strict=True):
            count.held[statement.text] += answer
    return count

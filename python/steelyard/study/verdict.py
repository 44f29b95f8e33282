"""Verdicts of records on a published claim.

A claim is a few statements, each a test of the figures in one setting: the choice of variants (or a chip),
and the compiler's flags. Publications leave these open, so every setting is judged, and every choice has a
finding of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

Finding = Literal["holds", "holds in part", "fails", "not testable"]

_Setting = TypeVar("_Setting")


@dataclass(frozen=True)
class Shown(Generic[_Setting]):
    """A number printed beside the finding if a publication leaves the rule open."""

    text: str
    figure: Callable[[_Setting], float]


@dataclass(frozen=True)
class Statement(Generic[_Setting]):
    """A part of a claim; `test` and `shown` raise MissingFigure if a setting lacks what they need."""

    text: str
    test: Callable[[_Setting], bool]
    shown: tuple[Shown[_Setting], ...] = ()


Claimed = Sequence[Statement[_Setting]] | Mapping[str, Callable[[_Setting], bool]]
"""The parts of a claim: statements, or tests by their texts."""


@dataclass(frozen=True)
class Verdict:
    """The finding on a claim, that of each choice, and their evidence in one line."""

    finding: Finding
    by_choice: dict[str, Finding]
    reason: str

    def with_caveat(self, caveat: str | None) -> Verdict:
        """Return the verdict with a caveat, or unchanged without one."""
        return self if caveat is None else replace(self, reason=f"{self.reason}; {caveat}")


def built_in(reason: str, choices: Iterable[str]) -> Verdict:
    """Return the verdict on a claim whose answer is an input of the measurement."""
    return Verdict("not testable", dict.fromkeys(choices, "not testable"), reason)


class MissingFigure(LookupError):
    """A setting lacks a figure; the message names it."""


@dataclass
class _Count:
    """Number of settings in which each statement held, of those judged."""

    held: dict[str, int]
    shown: dict[str, list[tuple[str, float]]]
    asked: int = 0

    @property
    def finding(self) -> Finding:
        """Finding: holds if every statement held in every setting, fails if none held in any."""
        total = sum(self.held.values())
        if not self.asked:
            return "not testable"
        if total == self.asked * len(self.held):
            return "holds"
        return "holds in part" if total else "fails"


def judge(
    statements: Claimed[_Setting], settings: Mapping[str, Mapping[str, _Setting]], *caveats: str | None
) -> Verdict:
    """Return the verdict over settings by choice of variants and flags; settings without figures are left
    out.

    The caveats of a testable claim stand behind its reason.
    """
    if isinstance(statements, Mapping):
        statements = [Statement(text, test) for text, test in statements.items()]
    missing: dict[str, None] = {}
    counts = {choice: _count(statements, by_flags, missing) for choice, by_flags in settings.items()}
    whole = _Count(
        {s.text: sum(count.held[s.text] for count in counts.values()) for s in statements},
        {s.text: [one for count in counts.values() for one in count.shown[s.text]] for s in statements},
        sum(count.asked for count in counts.values()),
    )
    by_choice = {choice: count.finding for choice, count in counts.items()}
    if not whole.asked:
        return Verdict(whole.finding, by_choice, "; ".join(missing) or "nothing was measured")
    reasons = [
        f"{text}: {held} of {whole.asked}{_numbers(whole.shown[text])}" for text, held in whole.held.items()
    ]
    answers = dict.fromkeys(finding for finding in by_choice.values() if finding != "not testable")
    if len(answers) > 1:
        said = (
            f"{answer} with {' and '.join(choice for choice, one in by_choice.items() if one == answer)}"
            for answer in answers
        )
        reasons.append(f"the choice of variants decides: {', '.join(said)}")
    return Verdict(whole.finding, by_choice, "; ".join([*reasons, *filter(None, caveats)]))


def _numbers(shown: Iterable[tuple[str, float]]) -> str:
    """Return the minimum and maximum of every number over the settings, in parentheses."""
    by_text: dict[str, list[float]] = {}
    for text, number in shown:
        by_text.setdefault(text, []).append(number)
    spans = (
        f"{text} {min(of):.3g}{'' if min(of) == max(of) else f' to {max(of):.3g}'}"
        for text, of in by_text.items()
    )
    return f" ({', '.join(spans)})" if by_text else ""


def _count(
    statements: Sequence[Statement[_Setting]], by_flags: Mapping[str, _Setting], missing: dict[str, None]
) -> _Count:
    texts = [statement.text for statement in statements]
    count = _Count(dict.fromkeys(texts, 0), {text: [] for text in texts})
    for setting in by_flags.values():
        try:
            answers = [statement.test(setting) for statement in statements]
            shown = [[(one.text, one.figure(setting)) for one in s.shown] for s in statements]
        except MissingFigure as absent:
            missing[str(absent)] = None
            continue
        count.asked += 1
        for text, answer, numbers in zip(texts, answers, shown, strict=True):
            count.held[text] += answer
            count.shown[text] += numbers
    return count

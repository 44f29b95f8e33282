"""Verdicts of records on a published claim.

A claim is a few statements, each a test of the figures in one setting: the choice of variants (or a chip),
and the compiler's flags. Publications leave these open, so every setting is judged, and every choice has a
finding of its own.

A test is one statement in one setting. A claim holds if at least `HOLDS_FROM` of its tests pass, fails if
less than `FAILS_BELOW` of them do, and holds in part between. A claim on all of something fails with one
test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

Finding = Literal["holds", "holds in part", "fails", "not testable", "not measured"]

HOLDS_FROM = 0.9
"""Least share of passed tests with which a claim holds."""
FAILS_BELOW = 0.5
"""Share of passed tests below which a claim fails."""

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
    of_all: bool = False
    """Whether the claim is on all of something, so that one counterexample is enough."""


def of_all(tests: Mapping[str, Callable[[_Setting], bool]]) -> tuple[Statement[_Setting], ...]:
    """Return the statements of a claim on all of something; one counterexample is enough against it."""
    return tuple(Statement(text, test, of_all=True) for text, test in tests.items())


Claimed = Sequence[Statement[_Setting]] | Mapping[str, Callable[[_Setting], bool]]
"""The parts of a claim: statements, or tests by their texts."""


@dataclass(frozen=True)
class Verdict:
    """The finding on a claim, that of each choice, and their evidence in one line.

    `tests_passed` of `tests_asked` passed; `counterexample` names the setting in which most of them failed,
    None if none did.
    """

    finding: Finding
    by_choice: dict[str, Finding]
    reason: str
    tests_passed: int = 0
    tests_asked: int = 0
    counterexample: str | None = None

    @property
    def strength(self) -> str:
        """The tests passed of those asked, empty if none was."""
        return f"{self.tests_passed} of {self.tests_asked}" if self.tests_asked else ""

    def with_caveat(self, caveat: str | None) -> Verdict:
        """Return the verdict with a caveat, or unchanged without one."""
        return self if caveat is None else replace(self, reason=f"{self.reason}; {caveat}")


def built_in(reason: str, choices: Iterable[str]) -> Verdict:
    """Return the verdict on a claim whose answer is an input of the measurement."""
    return Verdict("not testable", dict.fromkeys(choices, "not testable"), reason)


def finding_of(passed: int, asked: int, *, of_all: bool = False) -> Finding:
    """Return the finding of so many passed tests; `of_all` if the claim is on all of something."""
    if not asked:
        return "not testable"
    if of_all:
        return "holds" if passed == asked else "fails"
    if passed >= HOLDS_FROM * asked:
        return "holds"
    return "fails" if passed < FAILS_BELOW * asked else "holds in part"


class MissingFigure(LookupError):
    """A setting lacks a figure; the message names it."""


@dataclass
class _Count:
    """Settings in which each statement held, of those judged; in the worst one most tests failed."""

    held: dict[str, int]
    shown: dict[str, list[tuple[str, float]]]
    of_all: bool
    asked: int = 0
    failed: int = 0
    worst: str | None = None

    @property
    def passed(self) -> int:
        """Number of tests that passed."""
        return sum(self.held.values())

    @property
    def tests(self) -> int:
        """Number of tests that were asked."""
        return self.asked * len(self.held)

    @property
    def finding(self) -> Finding:
        """Finding by the share of tests that passed."""
        return finding_of(self.passed, self.tests, of_all=self.of_all)


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
    counts = {choice: _count(statements, choice, of, missing) for choice, of in settings.items()}
    worst = max(counts.values(), key=lambda count: count.failed, default=None)
    whole = _Count(
        {s.text: sum(count.held[s.text] for count in counts.values()) for s in statements},
        {s.text: [one for count in counts.values() for one in count.shown[s.text]] for s in statements},
        any(statement.of_all for statement in statements),
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
    return Verdict(
        whole.finding,
        by_choice,
        "; ".join([*reasons, *filter(None, caveats)]),
        whole.passed,
        whole.tests,
        worst.worst if worst else None,
    )


def together(parts: Sequence[Verdict]) -> Verdict:
    """Return the verdict on a claim whose parts were judged over settings of different kinds.

    Parts without a test, because figures are missing, leave it to the others.
    """
    passed, asked = (
        sum(counts) for counts in zip(*((p.tests_passed, p.tests_asked) for p in parts), strict=True)
    )
    choices = dict.fromkeys(choice for part in parts for choice in part.by_choice)
    by_choice: dict[str, Finding] = {}
    for choice in choices:
        found = [part.by_choice.get(choice, "not testable") for part in parts]
        said = list(dict.fromkeys(one for one in found if one != "not testable"))
        by_choice[choice] = (said[0] if len(said) == 1 else "holds in part") if said else "not testable"
    return Verdict(
        finding_of(passed, asked),
        by_choice,
        "; ".join(dict.fromkeys(part.reason for part in parts)),
        passed,
        asked,
        next((part.counterexample for part in parts if part.counterexample), None),
    )


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
    statements: Sequence[Statement[_Setting]],
    choice: str,
    by_flags: Mapping[str, _Setting],
    missing: dict[str, None],
) -> _Count:
    texts = [statement.text for statement in statements]
    every = any(statement.of_all for statement in statements)
    count = _Count(dict.fromkeys(texts, 0), {text: [] for text in texts}, every)
    for flags, setting in by_flags.items():
        try:
            answers = [statement.test(setting) for statement in statements]
            shown = [[(one.text, one.figure(setting)) for one in s.shown] for s in statements]
        except MissingFigure as absent:
            missing[str(absent)] = None
            continue
        count.asked += 1
        failed = [
            f"{text}{_numbers(numbers)}"
            for text, answer, numbers in zip(texts, answers, shown, strict=True)
            if not answer
        ]
        if len(failed) > count.failed:
            count.failed = len(failed)
            count.worst = f"{' '.join(filter(None, (choice, flags)))}: not {'; not '.join(failed)}"
        for text, answer, numbers in zip(texts, answers, shown, strict=True):
            count.held[text] += answer
            count.shown[text] += numbers
    return count

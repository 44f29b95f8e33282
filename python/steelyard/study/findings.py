"""The lines with which a study's page begins: sentences with figures from records."""

from __future__ import annotations

from collections.abc import Iterable

from steelyard.study.model import Outcome
from steelyard.study.verdict import Finding


def listed(sentences: Iterable[str]) -> str:
    """Return sentences as a list in Markdown."""
    return "".join(f"* {sentence}\n" for sentence in sentences)


def span(values: Iterable[float], form: str = ".2g") -> str:
    """Return the least and the greatest of values as `least to greatest`, or the one that both are."""
    every = list(values)
    least, greatest = format(min(every), form), format(max(every), form)
    return least if least == greatest else f"{least} to {greatest}"


def verdict_on(outcome: Outcome, claim: str) -> str:
    """Return the verdict on a claim with its strength, such as `seed001-02 fails, 3 of 9 tests`."""
    (one,) = (each for each in outcome.claims if each.claim == claim)
    strength = f", {one.verdict.strength} tests" if one.verdict.strength else ""
    return f"{claim} {one.verdict.finding}{strength}"


def verdicts(outcome: Outcome) -> str:
    """Return a sentence on how many claims have each finding."""
    found: dict[Finding, int] = {}
    for claim in outcome.claims:
        found[claim.verdict.finding] = found.get(claim.verdict.finding, 0) + 1
    verbs: dict[Finding, str] = {
        "holds": "hold",
        "holds in part": "hold in part",
        "fails": "fail",
        "not testable": "are not testable here",
    }
    parts = [f"{found[one]} {verb}" for one, verb in verbs.items() if one in found]
    return f"Of {len(outcome.claims)} claims {', '.join(parts)}."

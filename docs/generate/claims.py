"""Every published claim with its verdict on the kept records: the table and the counts of docs/claims.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

from docs.generate.studies import outcome

from steelyard.present.markdown import markdown_table
from steelyard.study.claims import Standing, in_order
from steelyard.study.discover import publication_of, study_folder, study_names
from steelyard.study.published import read_table
from steelyard.study.verdict import Finding

_FINDINGS: tuple[Finding, ...] = ("holds", "holds in part", "fails", "not testable")


@cache
def _standings() -> tuple[Standing, ...]:
    """Return the claims of all studies, each by the study that owns it."""
    listed = []
    for name in study_names():
        own = {row["claim"] for row in read_table(study_folder(name) / "claims.csv")}
        publication = publication_of(name).id
        listed += [Standing(publication, name, claim) for claim in outcome(name).claims if claim.claim in own]
    return tuple(sorted(listed, key=in_order))


def _summary() -> str:
    counts = {
        publication: Counter(
            one.claim.verdict.finding for one in _standings() if one.publication == publication
        )
        for publication in dict.fromkeys(one.publication for one in _standings())
    }
    rows = [
        (publication, str(sum(of.values())), *(str(of[finding]) for finding in _FINDINGS))
        for publication, of in counts.items()
    ]
    every = Counter(one.claim.verdict.finding for one in _standings())
    rows.append(("all", str(sum(every.values())), *(str(every[finding]) for finding in _FINDINGS)))
    return markdown_table(
        ("Publication", "Claims", *(f"{one.capitalize()}" for one in _FINDINGS)), rows, left=1
    )


def _table() -> str:
    return markdown_table(
        ("Claim", "It says", "Verdict", "Tests passed", "Its own table", "Worst counterexample, or why not"),
        list(_rows()),
        left=6,
    )


def _rows() -> Iterator[tuple[str, ...]]:
    for one in _standings():
        verdict = one.claim.verdict
        why = verdict.reason if verdict.finding == "not testable" else verdict.counterexample or ""
        yield (
            one.claim.claim,
            one.claim.statement,
            verdict.finding,
            verdict.strength,
            one.claim.published or "",
            why.replace(" | ", " → "),
        )


def blocks() -> dict[str, Callable[[], str]]:
    """Return the blocks by name."""
    return {"claims summary": _summary, "claims table": _table}

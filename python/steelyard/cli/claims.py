"""`steelyard claims`: every published claim with the verdict of the records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import warn
from steelyard.cli.view import View, view
from steelyard.present.table import Table

_UNMEASURED = "not measured"


@options.taking(wanted=view)
def claims(
    *,
    claim: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CLAIM]...", help="Names of claims or globs (default: all)."),
    ] = None,
    store: options.Store = None,
    wanted: View,
) -> None:
    """List the claims of the publications with their verdicts from the stored records.

    Nothing is measured. A claim without records is not measured, and the command that measures them is named.
    Strength is the number of tests that passed, of those asked. The worst counterexample stands below.

    \b
    Examples:
      steelyard claims
      steelyard claims 'seed000-*' cross-04
      steelyard claims --json
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.measure.selection import match
    from steelyard.store.read import read_records
    from steelyard.store.segments import store_folder
    from steelyard.study.claims import every_claim

    standings = every_claim(read_records(store_folder(store), warn), load_catalog().defaults)
    if claim:
        match("claim", claim, [one.claim.claim for one in standings])
        standings = [one for one in standings if any(fnmatchcase(one.claim.claim, name) for name in claim)]
    rows: list[dict[str, object]] = [
        {
            "claim": one.claim.claim,
            "publication": one.publication,
            "section": one.claim.section,
            "statement": one.claim.statement,
            "experiment": one.study,
            "finding": one.claim.verdict.finding,
            "tests_passed": one.claim.verdict.tests_passed,
            "tests_asked": one.claim.verdict.tests_asked,
            "strength": one.claim.verdict.strength,
            "by_choice": one.claim.verdict.by_choice,
            "reason": one.claim.verdict.reason,
            "counterexample": one.claim.verdict.counterexample,
            "command": one.command,
        }
        for one in standings
    ]
    wanted.show(rows, _page(rows))


def _page(rows: Sequence[Mapping[str, object]]) -> Iterator[Table | str]:
    fields = {
        "claim": "claim",
        "verdict": "finding",
        "strength": "strength",
        "study": "experiment",
        "statement": "statement",
    }
    cells = tuple(tuple(str(row[field]) for field in fields.values()) for row in rows)
    yield Table("", tuple(fields), cells, left=5, objects=tuple(rows))
    for row in rows:
        if row["finding"] != _UNMEASURED:
            worst = f"; worst: {row['counterexample']}" if row["counterexample"] else ""
            yield f"{row['claim']}: {row['finding']}: {row['reason']}{worst}."
    counted = Counter(str(row["finding"]) for row in rows)
    yield ", ".join(f"{count} {finding}" for finding, count in counted.items()) + "."
    unmeasured = Counter(str(row["command"]) for row in rows if row["finding"] == _UNMEASURED)
    for command, count in sorted(unmeasured.items()):
        yield f"{count} not measured yet: {command}"

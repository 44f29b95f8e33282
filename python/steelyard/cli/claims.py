"""`steelyard claims`: every published claim and what the records say of it."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase
from typing import Annotated

import typer

from steelyard.cli import options
from steelyard.cli.output import print_json, warn
from steelyard.present.terminal import print_table


def claims(
    claim: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CLAIM]...", help="Names of claims or globs (default: all)."),
    ] = None,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """List the claims of the publications with the verdict of the records that are there.

    Nothing is measured. A claim without the records it needs is not testable, and the command that
    measures them is named.

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
    if json:
        print_json(
            {
                "claim": one.claim.claim,
                "publication": one.publication,
                "section": one.claim.section,
                "statement": one.claim.statement,
                "experiment": one.study,
                "finding": one.claim.verdict.finding,
                "by_choice": one.claim.verdict.by_choice,
                "reason": one.claim.verdict.reason,
                "command": one.command,
            }
            for one in standings
        )
        return
    print_table(
        ("claim", "verdict", "study", "statement"),
        ((one.claim.claim, one.claim.verdict.finding, one.study, one.claim.statement) for one in standings),
        left=4,
    )
    for one in standings:
        if one.claim.verdict.finding != "not testable":
            print(f"{one.claim.claim}: {one.claim.verdict.finding}: {one.claim.verdict.reason}.")
    untested = Counter(one.command for one in standings if one.claim.verdict.finding == "not testable")
    for command, count in sorted(untested.items()):
        print(f"{count} not testable with the records of this store; run: {command}")

"""`steelyard claims`: every published claim with the verdict of the records."""

from __future__ import annotations

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
    """List the claims of the publications with their verdicts from the stored records.

    Nothing is measured. A claim without records is not testable, and the command that measures them is named.

    \b
    Examples:
      steelyard claims
      steelyard claims 'seed000-*' cross-04
      steelyard claims --json
    """
    from steelyard.catalog.load import load_catalog
    from steelyard.measure.selection import match
    from steelyard.reproduce.every_claim import every_claim
    from steelyard.store.read import read_records
    from steelyard.store.segments import store_folder

    records = read_records(store_folder(store), warn).to_dicts()
    defaults = {variant.id for variant in load_catalog().variants if variant.file.default}
    standings = list(every_claim(records, defaults))
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
                "experiment": one.experiment,
                "finding": one.claim.verdict.finding,
                "by_choice": one.claim.verdict.by_choice,
                "reason": one.claim.verdict.reason,
                "command": one.command,
            }
            for one in standings
        )
        return
    print_table(
        ("claim", "verdict", "experiment", "statement"),
        (
            (one.claim.claim, one.claim.verdict.finding, one.experiment or "none yet", one.claim.statement)
            for one in standings
        ),
        left=4,
    )
    for one in standings:
        if one.claim.verdict.finding != "not testable":
            print(f"{one.claim.claim}: {one.claim.verdict.finding}: {one.claim.verdict.reason}.")
    open_commands = {
        one.command for one in standings if one.claim.verdict.finding == "not testable" and one.command
    }
    for command in sorted(open_commands):
        untested = [
            one for one in standings if one.command == command and one.claim.verdict.finding == "not testable"
        ]
        print(f"{len(untested)} not testable with the records of this store; run: {command}")

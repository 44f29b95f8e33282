"""Every published claim with the verdict of the available records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import polars as pl

from steelyard.record.schema import Record
from steelyard.study.discover import load_study, publication_of, study_folder, study_names
from steelyard.study.model import Claim, Defaults, Study
from steelyard.study.published import read_table
from steelyard.study.verdict import Finding, Verdict

_COMPILER = "gcc"
"""The compiler that publications use."""


@dataclass(frozen=True)
class Standing:
    """A claim of a publication with its verdict."""

    publication: str
    study: str
    claim: Claim

    @property
    def command(self) -> str:
        """Return the command that measures everything that the verdict needs."""
        return _command(self.study)


def every_claim(records: pl.DataFrame, defaults: Defaults) -> list[Standing]:
    """Return all claims of all studies, by name; `defaults` are the default variants."""
    listed = [standing for name in study_names() for standing in _standings(name, records, defaults)]
    return sorted(listed, key=in_order)


def in_order(one: Standing) -> tuple[bool, str]:
    """Return the key by which claims are listed: those of a publication, then those between several."""
    return not one.claim.claim.startswith("seed"), one.claim.claim


def _standings(name: str, records: pl.DataFrame, defaults: Defaults) -> Iterator[Standing]:
    study = load_study(name)
    _, taken = records_of(study, records)
    # A study may judge a claim of another besides.
    own = {row["claim"] for row in read_table(study_folder(name) / "claims.csv")}
    publication = publication_of(name).id
    for claim in study.judge(taken, defaults).claims:
        if claim.claim in own:
            yield Standing(publication, name, claim if taken else _unmeasured(claim, name))


def _unmeasured(claim: Claim, name: str) -> Claim:
    """Return a claim on whose study there are no records, with the command that makes them as the reason."""
    if claim.verdict.finding != "not testable":
        return claim
    reason = f"not measured yet: {_command(name)}"
    by_choice: dict[str, Finding] = dict.fromkeys(claim.verdict.by_choice, "not measured")
    return replace(claim, verdict=Verdict("not measured", by_choice, reason))


def _command(study: str) -> str:
    return f"steelyard reproduce {study}"


def records_of(study: Study, records: pl.DataFrame) -> tuple[tuple[str, ...], list[Record]]:
    """Return the compilers that a study uses and their records: GCC if it has any, otherwise another."""
    here = records.filter(pl.col("target").is_in(study.targets))
    if study.primitives:
        here = here.filter(pl.col("primitive").is_in(study.primitives))
    if study.changed_chips:
        here = here.filter(pl.col("settings").is_not_null())
    compilers = sorted(here["toolchain"].drop_nulls().unique(), key=lambda name: (name != _COMPILER, name))
    if not study.any_compiler:
        compilers = compilers[:1]
        here = here.filter(pl.col("toolchain").is_in(compilers))
    return tuple(compilers), here.to_dicts()

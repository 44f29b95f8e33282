"""The list of claims: complete, each judged by one study, from records of one compiler."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl
from studies.word_sizes.test_study import ALL_HOLD, DEFAULTS, records

from steelyard.record.schema import Record
from steelyard.store.read import frame_schema
from steelyard.study.claims import Standing, every_claim
from steelyard.study.discover import load_study, publication_of, study_names


def standings(rows: Sequence[Record]) -> dict[str, Standing]:
    frame = pl.DataFrame(rows, schema=frame_schema(), orient="row")
    return {one.claim.claim: one for one in every_claim(frame, DEFAULTS)}


def test_every_claim_stands_once_with_the_command_that_measures() -> None:
    listed = every_claim(pl.DataFrame(schema=frame_schema()), set())
    counted = Counter(one.claim.claim.partition("-")[0] for one in listed)
    of_publications = {"seed000": 44, "seed001": 32, "seed002": 18, "seed003": 16, "seed004": 8}
    assert counted == {**of_publications, "cross": 4, "felics": 5}
    assert len({one.claim.claim for one in listed}) == len(listed)
    assert {one.study for one in listed} == set(study_names())
    for one in listed:
        assert one.command == f"steelyard reproduce {one.study}"
        assert one.publication == publication_of(one.study).id
        if one.study != "ganesan":
            assert one.claim.verdict.finding == "not measured"
            assert one.claim.verdict.reason == f"not measured yet: {one.command}"


def test_every_study_says_what_it_is_of() -> None:
    for name in study_names():
        assert publication_of(name).summary
        study = load_study(name)
        assert study.title and study.note and study.targets


def test_verdicts_come_from_the_records() -> None:
    found = standings(list(records(ALL_HOLD)))
    assert found["cross-04"].claim.verdict.finding == "holds"
    assert found["seed001-01"].claim.verdict.finding == "not testable"


def test_compilers_are_not_mixed() -> None:
    clang = [{**one, "toolchain": "clang"} for one in records(dict.fromkeys(ALL_HOLD, 50.0))]
    assert standings([*clang, *records(ALL_HOLD)])["cross-04"].claim.verdict.finding == "holds"
    assert standings(clang)["cross-04"].claim.verdict.finding == "fails"

"""The list of claims: complete, each judged by one experiment, from records of one compiler."""

from __future__ import annotations

from collections import Counter

from reproduce.test_word_sizes import ALL_HOLD, DEFAULTS, records

from steelyard.cli.reproduce import EXPERIMENTS as COMMANDS
from steelyard.reproduce.every_claim import EXPERIMENTS, every_claim


def test_every_claim_stands_once_and_every_experiment_is_a_command() -> None:
    standings = list(every_claim([], set()))
    counted = Counter(one.claim.claim.partition("-")[0] for one in standings)
    assert counted == {"seed000": 44, "seed001": 32, "seed002": 18, "seed003": 16, "seed004": 8, "cross": 4}
    assert len({one.claim.claim for one in standings}) == len(standings)
    reproduced = [name for name, one in EXPERIMENTS.items() if one.command == "reproduce"]
    assert reproduced == list(COMMANDS)
    assert {one.experiment for one in standings} == set(EXPERIMENTS)
    for one in standings:
        assert (one.command is None) == ("no experiment judges it yet" in one.claim.verdict.reason)
        if one.experiment != "ganesan":
            assert one.claim.verdict.finding == "not testable"


def test_verdicts_come_from_the_records() -> None:
    standings = {one.claim.claim: one for one in every_claim(list(records(ALL_HOLD)), DEFAULTS)}
    assert standings["cross-04"].claim.verdict.finding == "holds"
    assert standings["cross-04"].command == "steelyard reproduce word-sizes"
    assert standings["seed001-01"].claim.verdict.finding == "not testable"


def test_compilers_are_not_mixed() -> None:
    clang = [{**one, "toolchain": "clang"} for one in records(dict.fromkeys(ALL_HOLD, 50.0))]
    mixed = {one.claim.claim: one for one in every_claim([*clang, *records(ALL_HOLD)], DEFAULTS)}
    assert mixed["cross-04"].claim.verdict.finding == "holds"
    alone = {one.claim.claim: one for one in every_claim(clang, DEFAULTS)}
    assert alone["cross-04"].claim.verdict.finding == "fails"

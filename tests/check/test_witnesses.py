"""Constant time of compiled code: verdicts, findings, where they stand, and what is declassified."""

from __future__ import annotations

from functools import cache

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.check import Result, run_checks, sarif
from steelyard.errors import UsageError
from steelyard.measure.check import Checked, chosen_secrets
from steelyard.measure.selection import Selection
from steelyard.measure.session import default_toolchain, prepare

CHIPS = (
    *("atmega128", "msp430f1611", "stm32f407", "stm32f051", "sa1110", "fe310-g000", "leon3"),
    *("rl78-g13", "m30102"),
)
"""A chip of every family, two of Cortex-M; the images of the last two come with Steelyard."""


@cache
def checked(chip: str, primitive: str, variant: str | None = None, operation: str | None = None) -> Result:
    catalog = load_catalog()
    selection = Selection(
        primitive=(primitive,),
        variant=(variant,) if variant else (),
        target=(chip,),
        toolchain=(default_toolchain(catalog, chip),),
        operation=(operation,) if operation else ("encrypt", "seal", "digest", "mac"),
        length=() if catalog.algorithm_of(primitive).file.kind == "block" else (64,),
    )
    found = run_checks(prepare(catalog, [selection]), explained=2)
    assert [result.status for result in found.results] == ["ok"]
    return found.results[0]


def evidence(chip: str, primitive: str, variant: str | None = None) -> Checked:
    found = checked(chip, primitive, variant).checked
    assert found is not None
    return found


@pytest.mark.parametrize("chip", ["stm32f407", "sa1110"])
def test_a_table_behind_waits_or_a_cache_is_no_constant_time(chip: str) -> None:
    found = evidence(chip, "aes-128", "aes/sbox")
    assert found.verdict == "no"
    assert {finding.kind for finding in found.findings} == {"load"}
    assert any(finding.matters for finding in found.findings)


@pytest.mark.parametrize("chip", ["atmega128", "atmega4809"])
def test_a_table_in_memory_of_one_time_is_constant_time_there(chip: str) -> None:
    found = evidence(chip, "aes-128", "aes/sbox")
    assert found.verdict == "on-this-chip"
    assert {finding.kind for finding in found.findings} == {"load"}
    assert not any(finding.matters for finding in found.findings)
    assert found.difference is not None
    assert found.difference.what == "address"
    assert found.difference.cycles[0] == found.difference.cycles[1]


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("primitive", ["chacha20", "sha-256"])
def test_code_without_tables_and_branches_is_constant_time(chip: str, primitive: str) -> None:
    found = evidence(chip, primitive)
    assert (found.verdict, found.findings, found.difference) == ("yes", (), None)
    assert found.runs >= 3


@pytest.mark.parametrize("chip", CHIPS)
def test_a_bit_sliced_aes_is_constant_time(chip: str) -> None:
    assert evidence(chip, "aes-128", "aes/bitslice").verdict == "yes"


def test_a_skip_that_a_compiler_made_of_a_rotation_is_found() -> None:
    """avr-gcc takes the highest bit of a word by `sbrc`, which Ascon's source has no branch for."""
    found = evidence("atmega128", "ascon-aead128")
    assert found.verdict == "no"
    assert {finding.kind for finding in found.findings} == {"branch"}
    assert found.difference is not None
    assert found.difference.what == "flow"


def test_a_finding_says_where_it_stands_and_how_the_secret_came() -> None:
    result = checked("stm32f407", "aes-128", "aes/sbox")
    told = result.explained[0]
    assert told.finding.kind == "load"
    assert told.text.startswith("ldr")
    assert told.frames
    assert told.frames[0].file is not None
    assert told.frames[0].file.endswith("shift_rows.h")
    assert told.frames[0].line is not None
    assert 1 <= len(told.path) <= 3
    assert told.text in told.path[-1]


def test_the_secret_is_chosen() -> None:
    assert chosen_secrets(["key", "nonce"]) == {"key", "nonce"}
    with pytest.raises(UsageError, match="did you mean"):
        chosen_secrets(["keys"])


def test_a_verdict_survives_its_text() -> None:
    found = evidence("stm32f407", "aes-128", "aes/sbox")
    assert Checked.from_json(found.as_json()) == found


def test_sarif_has_a_rule_for_every_result() -> None:
    log = sarif([checked("stm32f407", "aes-128", "aes/sbox")])
    (run,) = log["runs"]  # type: ignore[misc]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert run["results"]
    assert {result["ruleId"] for result in run["results"]} <= rules
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] >= 1


@pytest.mark.parametrize("chip", CHIPS)
def test_no_default_variant_differs_where_no_secret_was_seen(chip: str) -> None:
    """What runs with other secrets show and the shadow does not is a fault of Steelyard."""
    catalog = load_catalog()
    names = tuple(one.id for one in catalog.primitives if one.counted)
    first = {catalog.algorithm_of(name).id: name for name in reversed(names)}
    wanted = tuple(name for name in first.values() if catalog.algorithm_of(name).file.kind != "signature")
    selection = Selection(
        primitive=wanted, target=(chip,), toolchain=(default_toolchain(catalog, chip),), length=(64,)
    )
    blocks = selection.model_copy(update={"length": ()})
    found = run_checks(prepare(catalog, [selection, blocks]), explained=0)
    contradicting = [
        (one.cell.build.variant.id, one.cell.operation)
        for one in found.results
        if one.checked is not None and one.checked.contradicts
    ]
    assert contradicting == []
    assert len([one for one in found.results if one.status == "ok"]) > 40

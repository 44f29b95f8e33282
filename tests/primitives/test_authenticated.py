"""Every MAC and AEAD on this machine: known answers, the independent implementation, forgeries."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import authenticated_checks as check
import primitive_checks
import pytest
from host_build import NARROW, ROOT, WIDE, Case, cases
from hypothesis import given, settings
from hypothesis import strategies as st

CASES = cases(ROOT, ("mac", "aead"))
MACS = [case for case in CASES if case.kind == "mac"]
AEADS = [case for case in CASES if case.kind == "aead" and case.primitive.tag_bytes]
FIRST = {case.folder: case for case in reversed(CASES)}
"""One case of each variant, for what costs time and does not depend on what a construction is over."""

ROTATIONS = pytest.mark.parametrize("options", [WIDE, NARROW], ids=["shifts", "steps"])


def over(chosen: list[Case]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", chosen, ids=str)


@ROTATIONS
@over([case for case in CASES if case.vectors()])
def test_known_answers(case: Case, options: tuple[str, ...]) -> None:
    assert check.known_answers(case, options) > 0


def test_every_variant_of_a_construction_has_known_answers() -> None:
    assert {case.folder for case in CASES} == {case.folder for case in CASES if case.vectors()}


@ROTATIONS
@over(CASES)
def test_a_thousand_random_inputs(case: Case, options: tuple[str, ...]) -> None:
    check.against_oracle(case, 1000 if options is WIDE else 100, options)


@over(CASES)
def test_all_lengths_in_place_and_unaligned(case: Case) -> None:
    check.all_lengths(case)


@over(AEADS)
def test_a_changed_bit_is_refused_and_the_output_wiped(case: Case) -> None:
    check.flips_refused(case, 50)


@over(list({case.folder: case for case in reversed(MACS)}.values()))
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_split_is_whole(case: Case, data: st.DataObject) -> None:
    message = data.draw(st.binary(max_size=200))
    check.split_is_whole(case, message, data.draw(st.lists(st.integers(0, len(message)), max_size=6)))


@over(list(FIRST.values()))
def test_under_sanitizers(case: Case) -> None:
    check.under_sanitizers(case, 60)


@pytest.mark.skipif(not primitive_checks.have_gcc(), reason="avr-gcc is not installed")
@over(list(FIRST.values()))
@pytest.mark.parametrize("level", ["-Os", "-O2", "-O3"])
def test_avr_gcc_is_silent_and_constants_stay_in_flash(case: Case, level: str) -> None:
    primitive_checks.avr_clean(case, primitive_checks.GCC, "-mmcu=avr51", level, bind_modes=False)


@pytest.mark.skipif(not primitive_checks.have_clang(), reason="the ziglang wheel is not installed")
@pytest.mark.skipif(not primitive_checks.have_gcc(), reason="avr-objdump is not installed")
@over(list(FIRST.values()))
def test_clang_is_silent_and_constants_stay_in_flash(case: Case) -> None:
    primitive_checks.avr_clean(case, primitive_checks.CLANG, "-mcpu=atmega128", "-Os", bind_modes=False)


@dataclass(frozen=True)
class Fault:
    """Text replaced in one file, and the check that must notice."""

    name: str
    path: str
    right: str
    wrong: str
    primitive: str
    check: Callable[[Case], object]


FAULTS = [
    Fault(
        "a byte of the tag that is not compared, by the flips",
        "primitives/include/tag.h",
        "for (uint8_t i = 0; i < size; i++)",
        "for (uint8_t i = 1; i < size; i++)",
        "aes-128-gcm",
        lambda case: check.flips_refused(case, 1),
    ),
    Fault(
        "a forged message left in the output, by the flips",
        "primitives/include/tag.h",
        "while (length > 0) {",
        "while (length > 1) {",
        "aes-128-ccm",
        lambda case: check.flips_refused(case, 2),
    ),
    Fault(
        "associated data of whole blocks alone, by random inputs",
        "primitives/aead/ccm/compact/crypt.c",
        "if (ad_length > 0) {",
        "if (ad_length > 15) {",
        "aes-128-ccm",
        lambda case: check.against_oracle(case, 50),
    ),
    Fault(
        "a wrong reduction of GHASH, by the known answers",
        "primitives/aead/gcm/table4/multiply.c",
        "{0xB5, 0xE0}",
        "{0xB5, 0xE1}",
        "aes-128-gcm",
        check.known_answers,
    ),
    Fault(
        "a carry forgotten at the edge of the modulus, by the vectors of RFC 8439",
        "primitives/mac/poly1305/radix-8/final.c",
        "carry = 5;",
        "carry = 4;",
        "poly1305",
        check.known_answers,
    ),
    Fault(
        "bytes forgotten between two updates, by the split message",
        "primitives/mac/cmac/fast/update.c",
        "uint8_t used = ctx->used_bytes;",
        "uint8_t used = 0;",
        "aes-128-cmac",
        lambda case: check.split_is_whole(case, bytes(40), [7]),
    ),
    Fault(
        "one byte too many, by the address sanitizer",
        "primitives/aead/eax/compact/counter.c",
        "while (length > 0) {",
        "length += length == 31;\n    while (length > 0) {",
        "aes-128-eax",
        lambda case: check.under_sanitizers(case, 300),
    ),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault_is_caught(fault: Fault, tmp_path: Path) -> None:
    for name in ("primitives", "modes", "vectors"):
        shutil.copytree(ROOT / name, tmp_path / name)
    path = tmp_path / fault.path
    text = path.read_text()
    assert text.count(fault.right) == 1, f"{fault.path} no longer has what the fault replaces"
    path.write_text(text.replace(fault.right, fault.wrong))
    found = cases(tmp_path, ("mac", "aead"))
    case = next(case for case in found if case.primitive.id == fault.primitive and case.variant.default)
    with pytest.raises(AssertionError):
        fault.check(case)

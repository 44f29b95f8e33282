"""Every variant on this machine, on a big-endian one and through the cross compilers.

A test has a primitive with all its variants, so that the independent implementation is asked once for all,
or a single variant where it is not asked; a failure names variant, primitive and request. Programs for this
machine have the address and undefined behaviour sanitizers in them.

Of every check one primitive of each variant is the sample that always runs; `make soak` takes all. Known
answers of every primitive are asked of every variant on the emulated chips, too.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable

import primitive_checks as check
import pytest
from host_build import ROOT, Case, cases, modes
from hypothesis import given, settings
from hypothesis import strategies as st

CASES = cases(ROOT, ("block", "stream", "hash", "mac", "aead"))
BY_PRIMITIVE = {
    primitive: [case for case in CASES if case.primitive.id == primitive]
    for primitive in dict.fromkeys(case.primitive.id for case in CASES)
}
FIRST = {case.folder: case for case in reversed(CASES)}
"""Every variant with the first primitive that it does."""


def is_first(case: Case) -> bool:
    return case is FIRST[case.folder]


def sampled(of: Iterable[Case], chosen: Callable[[Case], bool] = is_first) -> pytest.MarkDecorator:
    """A test of each case, of those beyond the sample in the soak."""
    marks = {True: (), False: pytest.mark.soak}
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=str(case), marks=marks[chosen(case)]) for case in of]
    )


def test_catalogue_is_whole() -> None:
    check.catalogue_is_whole(ROOT)


def test_every_file_is_read_and_none_is_there_twice() -> None:
    check.every_file_is_read_and_none_twice(ROOT)


def test_every_variant_has_known_answers() -> None:
    assert {case.folder for case in CASES} == {case.folder for case in CASES if case.vectors()}


def _known_answers_and_random_inputs(chosen: Iterable[Case], inputs: range) -> None:
    def agrees(case: Case) -> None:
        with check.on_host(case) as program:
            assert check.known_answers(program) > 0 or case.parts
            check.random_inputs(program, inputs)

    check.of_every(chosen, agrees)


@pytest.mark.parametrize("primitive", dict.fromkeys(case.primitive.id for case in FIRST.values()))
def test_known_answers_and_random_inputs(primitive: str) -> None:
    _known_answers_and_random_inputs(filter(is_first, BY_PRIMITIVE[primitive]), check.EVERY_LENGTH)


@pytest.mark.soak
@pytest.mark.parametrize("primitive", BY_PRIMITIVE)
def test_known_answers_and_a_thousand_random_inputs(primitive: str) -> None:
    _known_answers_and_random_inputs(BY_PRIMITIVE[primitive], check.THOUSAND)


@sampled((case for case in CASES if case.kind == "block"), lambda case: is_first(case) and case.is_default)
def test_modes(case: Case) -> None:
    """A mode's code is the same for all ciphers and variants: one of each algorithm is the sample."""
    with check.on_host(case) as program:
        check.all_modes(program)


@sampled(CASES)
def test_pieces_in_place_unaligned_and_back(case: Case) -> None:
    """Hypothesis looks for a message, a mode and a cut that tell two ways of one call apart."""
    primitive = case.primitive
    of_mode = st.sampled_from([None, *modes()] if case.kind == "block" else [None])

    with check.on_host(case) as program:

        @settings(max_examples=25, deadline=None, database=None)
        @given(data=st.data())
        def ways_agree(data: st.DataObject) -> None:
            mode = data.draw(of_mode)
            block = primitive.block_bytes if mode is not None else 1
            key = data.draw(st.binary(min_size=primitive.key_bytes, max_size=primitive.key_bytes))
            iv_bytes = primitive.block_bytes if mode is not None else primitive.iv_bytes
            iv = data.draw(st.binary(min_size=iv_bytes, max_size=iv_bytes))
            ad = data.draw(st.binary(max_size=60)) if case.kind == "aead" else b""
            if case.kind == "block" and mode is None:
                message = data.draw(st.binary(min_size=primitive.block_bytes, max_size=primitive.block_bytes))
            else:
                message = data.draw(st.binary(max_size=260))
            if mode is not None and modes()[mode].whole_blocks:
                message = message[: len(message) - len(message) % block]
            cuts = data.draw(
                st.lists(st.integers(0, len(message) // block).map(lambda n: n * block), max_size=6)
            )
            one = check.Sample(b"" if case.kind == "hash" else key, iv, ad, message, b"")
            check.ways_agree(program, mode, one, cuts, data.draw(st.integers(0, 7)))

        ways_agree()


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.kind == "aead" and case.primitive.tag_bytes], ids=str
)
def test_a_changed_bit_is_refused_and_the_output_wiped(case: Case) -> None:
    with check.on_host(case) as program:
        check.flips_refused(program, 15)


WITH_MODES = {
    case.primitive.block_bytes: case for case in reversed(CASES) if case.kind == "block" and case.is_default
}.values()
"""One cipher of each block size: a mode's code is the same for all of them."""


@check.NEEDS_BIG_ENDIAN
@sampled(CASES, lambda case: case.is_default)
def test_on_a_big_endian_machine(case: Case) -> None:
    """With the rotations of 16-bit machines, which this machine would not choose."""
    with_modes = case in WITH_MODES
    in_modes = any(vector.mode is not None for vector in case.vectors())
    with check.on_big_endian(case, with_modes=with_modes or in_modes) as program:
        check.known_answers(program, 1 << 12)
        check.random_inputs(program, check.SOME)
        for mode in modes() if with_modes else ():
            check.random_inputs_in(program, mode)


@pytest.mark.skipif(shutil.which("clang-format") is None, reason="clang-format is not installed")
def test_formatted() -> None:
    check.formatted(ROOT)


LEVELS = ("-Os", "-O2", "-O3")
CHIPS = (*(("avr51", level) for level in LEVELS), ("avr31", "-Os"), ("avr31", "-O2"), ("avr25", "-Os"))


@check.NEEDS_GCC
@sampled(CASES)
def test_avr_gcc_is_silent_and_constants_stay_in_flash(case: Case) -> None:
    """Chip and level go round from case to case."""
    machine, level = CHIPS[CASES.index(case) % len(CHIPS)]
    check.avr_clean(case, check.GCC, f"-mmcu={machine}", level, case in WITH_MODES)


@check.NEEDS_CLANG
@sampled(CASES)
def test_clang_is_silent_and_constants_stay_in_flash(case: Case) -> None:
    level = LEVELS[CASES.index(case) % len(LEVELS)]
    check.avr_clean(case, check.CLANG, "-mcpu=atmega128", level, case in WITH_MODES)

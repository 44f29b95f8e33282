"""Every variant on this machine, on a big-endian one and through the cross compilers.

A test has a primitive with all its variants, so that the independent implementation is asked once for all,
or a single variant where it is not asked; a failure names variant, primitive and request. Programs for this
machine have the address and undefined behaviour sanitizers in them.
"""

from __future__ import annotations

import itertools
import shutil

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
BLOCK_CIPHERS = [primitive for primitive, group in BY_PRIMITIVE.items() if group[0].kind == "block"]
AEADS = [case for case in CASES if case.kind == "aead" and case.primitive.tag_bytes]
EACH = pytest.mark.parametrize("case", CASES, ids=str)


def test_catalogue_is_whole() -> None:
    check.catalogue_is_whole(ROOT)


def test_every_file_is_read_and_none_is_there_twice() -> None:
    check.every_file_is_read_and_none_twice(ROOT)


def test_every_variant_has_known_answers() -> None:
    assert {case.folder for case in CASES} == {case.folder for case in CASES if case.vectors()}


@pytest.mark.parametrize("primitive", BY_PRIMITIVE)
def test_known_answers_and_a_thousand_random_inputs(primitive: str) -> None:
    def agrees(case: Case) -> None:
        with check.on_host(case) as program:
            assert check.known_answers(program) > 0 or case.parts
            check.random_inputs(program)

    check.of_every(BY_PRIMITIVE[primitive], agrees)


@pytest.mark.parametrize("primitive", BLOCK_CIPHERS)
def test_modes(primitive: str) -> None:
    def agrees(case: Case) -> None:
        with check.on_host(case) as program:
            check.all_modes(program)

    check.of_every(BY_PRIMITIVE[primitive], agrees)


@EACH
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


@pytest.mark.parametrize("case", AEADS, ids=str)
def test_a_changed_bit_is_refused_and_the_output_wiped(case: Case) -> None:
    with check.on_host(case) as program:
        check.flips_refused(program, 15)


MODES_ON_BIG_ENDIAN = {case.primitive.block_bytes: case for case in reversed(CASES) if case.kind == "block"}
"""One cipher of each block size: a mode's code is the same for all of them."""


@pytest.mark.skipif(
    shutil.which(check.BIG_ENDIAN_EMULATOR) is None or not check.have_clang(),
    reason="qemu-user or the ziglang wheel is not installed",
)
@pytest.mark.parametrize("primitive", BY_PRIMITIVE)
def test_on_a_big_endian_machine(primitive: str) -> None:
    """With the rotations of 16-bit machines, which this machine would not choose."""

    def agrees(case: Case) -> None:
        with_modes = case in MODES_ON_BIG_ENDIAN.values()
        with check.on_big_endian(case, with_modes=with_modes or _has_vectors_in_modes(case)) as program:
            check.known_answers(program, 1 << 12)
            check.random_inputs(program, check.SOME)
            for mode in modes() if with_modes else ():
                check.random_inputs_in(program, mode)

    check.of_every(BY_PRIMITIVE[primitive], agrees)


def _has_vectors_in_modes(case: Case) -> bool:
    return any(vector.mode is not None for vector in case.vectors())


@pytest.mark.skipif(shutil.which("clang-format") is None, reason="clang-format is not installed")
def test_formatted() -> None:
    check.formatted(ROOT)


LEVELS = ("-Os", "-O2", "-O3")
GCC = [
    ("avr51", "-Os"),
    ("avr51", "-O2"),
    ("avr51", "-O3"),
    ("avr31", "-Os"),
    ("avr31", "-O2"),
    ("avr25", "-Os"),
]
CROSS_COMPILED = list(zip(CASES, itertools.cycle(GCC), itertools.cycle(LEVELS), strict=False))
"""Every case goes through both compilers; chip and level go round from case to case."""


@pytest.mark.skipif(not check.have_gcc(), reason="avr-gcc is not installed")
@pytest.mark.parametrize(
    ("case", "machine", "level"),
    [(case, *gcc) for case, gcc, _ in CROSS_COMPILED],
    ids=[f"{case}-{'-'.join(gcc)}" for case, gcc, _ in CROSS_COMPILED],
)
def test_avr_gcc_is_silent_and_constants_stay_in_flash(case: Case, machine: str, level: str) -> None:
    check.avr_clean(case, check.GCC, f"-mmcu={machine}", level, case in MODES_ON_BIG_ENDIAN.values())


@pytest.mark.skipif(not check.have_clang(), reason="the ziglang wheel is not installed")
@pytest.mark.skipif(not check.have_gcc(), reason="avr-objdump is not installed")
@pytest.mark.parametrize(
    ("case", "level"),
    [(case, level) for case, _, level in CROSS_COMPILED],
    ids=[f"{case}{level}" for case, _, level in CROSS_COMPILED],
)
def test_clang_is_silent_and_constants_stay_in_flash(case: Case, level: str) -> None:
    check.avr_clean(case, check.CLANG, "-mcpu=atmega128", level, case in MODES_ON_BIG_ENDIAN.values())

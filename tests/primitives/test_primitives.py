"""Every variant on this machine: known answers, the independent implementation, the contract's properties."""

from __future__ import annotations

import shutil

import primitive_checks as check
import pytest
from host_build import NARROW, ROOT, WIDE, Case, Host, cases, modes
from hypothesis import given, settings
from hypothesis import strategies as st

CASES = cases()
BOUND = [(case, mode) for case in CASES for mode in ([None, *modes()] if case.kind == "block" else [None])]
PIECEWISE = [(case, mode) for case, mode in BOUND if case.kind != "block" or mode is not None]
ROTATIONS = pytest.mark.parametrize("options", [WIDE, NARROW], ids=["shifts", "steps"])


def bound(pairs: list[tuple[Case, str | None]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("case", "mode"), pairs, ids=[f"{c}-{m}" for c, m in pairs])


def test_catalogue_is_whole() -> None:
    check.catalogue_is_whole(ROOT)


@ROTATIONS
@pytest.mark.parametrize("case", CASES, ids=str)
def test_known_answers(case: Case, options: tuple[str, ...]) -> None:
    assert check.known_answers(case, options) > 0


@ROTATIONS
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_thousand_random_inputs(case: Case, options: tuple[str, ...]) -> None:
    check.against_oracle(case, None, 1000, options)


@bound([(case, mode) for case, mode in BOUND if mode is not None])
def test_random_inputs_in_a_mode(case: Case, mode: str) -> None:
    check.against_oracle(case, mode, 100)


@bound(PIECEWISE)
def test_all_lengths_in_place_and_unaligned(case: Case, mode: str | None) -> None:
    check.all_lengths(case, mode)


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "block"], ids=str)
def test_single_block_in_place_and_unaligned(case: Case) -> None:
    host = Host(case)
    key, data = bytes(range(case.primitive.key_bytes)), bytes(range(case.primitive.block_bytes))
    for operation in ("encrypt", "decrypt"):
        want = host.crypt(operation, key, b"", data)
        for misalignment in range(8):
            for in_place in (False, True):
                got = host.crypt(operation, key, b"", data, in_place=in_place, misalignment=misalignment)
                assert got == want


@bound(PIECEWISE)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_split_is_whole(case: Case, mode: str | None, data: st.DataObject) -> None:
    block = case.primitive.block_bytes if mode is not None else 1
    whole_only = mode is not None and modes()[mode].whole_blocks
    message = data.draw(st.integers(0, 260).flatmap(lambda n: st.binary(min_size=n, max_size=n)))
    message = message[: len(message) - len(message) % block] if whole_only else message
    places = st.integers(0, len(message) // block).map(lambda n: n * block)
    check.split_is_whole(case, mode, message, data.draw(st.lists(places, max_size=6)))


@bound([(case, mode) for case, mode in BOUND if case.kind != "hash"])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_decrypt_undoes_encrypt(case: Case, mode: str | None, data: st.DataObject) -> None:
    block = case.primitive.block_bytes
    key = data.draw(st.binary(min_size=case.primitive.key_bytes, max_size=case.primitive.key_bytes))
    iv_bytes = block if mode is not None else case.primitive.iv_bytes
    iv = data.draw(st.binary(min_size=iv_bytes, max_size=iv_bytes))
    if case.kind == "block" and mode is None:
        message = data.draw(st.binary(min_size=block, max_size=block))
    elif mode is not None and modes()[mode].whole_blocks:
        message = data.draw(st.integers(0, 8)) * data.draw(st.binary(min_size=block, max_size=block))
    else:
        message = data.draw(st.binary(max_size=200))
    host = Host(case, mode)
    assert host.crypt("decrypt", key, iv, host.crypt("encrypt", key, iv, message)) == message


@pytest.mark.parametrize("case", [case for case in CASES if case.kind == "block"], ids=str)
def test_counter_wraps(case: Case) -> None:
    check.counter_wraps(case)


FIRST = {case.algorithm_id: case.primitive.id for case in reversed(CASES)}
SANITIZED = [
    (case, mode) for case, mode in BOUND if mode is None or FIRST[case.algorithm_id] == case.primitive.id
]


@bound(SANITIZED)
def test_under_sanitizers(case: Case, mode: str | None) -> None:
    check.under_sanitizers(case, mode, 60)


BIG_ENDIAN = pytest.mark.skipif(
    shutil.which(check.BIG_ENDIAN_EMULATOR) is None or not check.have_clang(),
    reason="qemu-user or the ziglang wheel is not installed",
)
MODES_ON_BIG_ENDIAN = [(case, mode) for case, mode in BOUND if str(case) == "aes/sbox-aes-128"]


@BIG_ENDIAN
@pytest.mark.parametrize("case", CASES, ids=str)
def test_on_a_big_endian_machine(case: Case) -> None:
    check.on_big_endian(case, None, 40)


@BIG_ENDIAN
@bound([(case, mode) for case, mode in MODES_ON_BIG_ENDIAN if mode is not None])
def test_modes_on_a_big_endian_machine(case: Case, mode: str) -> None:
    check.on_big_endian(case, mode, 40)


@pytest.mark.skipif(shutil.which("clang-format") is None, reason="clang-format is not installed")
def test_formatted() -> None:
    check.formatted(ROOT)


COMPILED = [
    (chip, level)
    for chip in check.GCC_CHIPS
    for level in (("-Os", "-O2", "-O3") if chip != "avr25" else ("-Os",))
]


@pytest.mark.skipif(not check.have_gcc(), reason="avr-gcc is not installed")
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize(("chip", "level"), COMPILED)
def test_avr_gcc_is_silent_and_constants_stay_in_flash(case: Case, chip: str, level: str) -> None:
    bind_modes = case.primitive.id in ("aes-128", "idea")
    check.avr_clean(case, check.GCC, check.GCC_CHIPS[chip], level, bind_modes)


@pytest.mark.skipif(not check.have_clang(), reason="the ziglang wheel is not installed")
@pytest.mark.skipif(not check.have_gcc(), reason="avr-objdump is not installed")
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("level", ["-Os", "-O2", "-O3"])
def test_clang_is_silent_and_constants_stay_in_flash(case: Case, level: str) -> None:
    bind_modes = case.primitive.id in ("aes-128", "idea")
    check.avr_clean(case, check.CLANG, "-mcpu=atmega128", level, bind_modes)

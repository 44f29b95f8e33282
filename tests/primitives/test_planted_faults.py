"""Each checker of the primitives is shown one fault of the kind it is there for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import primitive_checks as check
import pytest
from host_build import NARROW, ROOT, Case, cases
from host_program import Program
from hypothesis import find, settings
from hypothesis import strategies as st

KINDS = ("block", "stream", "hash", "mac", "aead")


@dataclass(frozen=True)
class Fault:
    """Text replaced in one file, and the check that must notice."""

    name: str
    path: str
    right: str
    wrong: str
    primitive: str
    check: Callable[[Case], object]


def on_host(check_program: Callable[[Program], object], *options: str) -> Callable[[Case], object]:
    """A check of a running program as one of a case."""

    def run(case: Case) -> None:
        with check.on_host(case, options) as program:
            check_program(program)

    return run


def _split(program: Program) -> None:
    """Hypothesis looks for a message and a cut that tell the two ways apart."""

    def differs(drawn: tuple[bytes, int]) -> bool:
        message, cut = drawn
        key = bytes(program.case.primitive.key_bytes)
        one = check.Sample(key, b"", b"", message, b"")
        try:
            check.ways_agree(program, None, one, [min(cut, len(message))], 0)
        except AssertionError:
            return True
        return False

    found = find(
        st.tuples(st.binary(max_size=200), st.integers(0, 200)),
        differs,
        settings=settings(database=None, deadline=None),
    )
    raise AssertionError(f"found {found}")


known_answers = on_host(check.known_answers)
some_inputs = on_host(lambda program: check.random_inputs(program, range(320)))


FAULTS = [
    Fault(
        "a flipped S-box entry, by the known answers",
        "primitives/include/aes_sbox.inc",
        "0x63, 0x7c",
        "0x62, 0x7c",
        "aes-128",
        known_answers,
    ),
    Fault(
        "a flipped entry at the end of the inverse S-box, by random inputs",
        "primitives/block/aes/inverse_sbox.inc",
        "0x21, 0x0c, 0x7d",
        "0x21, 0x0c, 0x7c",
        "aes-192",
        some_inputs,
    ),
    Fault(
        "zero taken for zero instead of minus one, by the known answers",
        "primitives/block/idea/fast/multiply.h",
        "return (uint16_t)(1u - b);",
        "return (uint16_t)(0u - b);",
        "idea",
        known_answers,
    ),
    Fault(
        "a rotation too short, by random inputs with the steps of 16-bit machines",
        "primitives/include/rotate.h",
        "n = (uint8_t)(n + 8);",
        "n = (uint8_t)(n + 0);",
        "rc5-32-12-8",
        on_host(lambda program: check.random_inputs(program, range(20)), *NARROW),
    ),
    Fault(
        "ciphertext read after it was overwritten, by messages in place",
        "modes/cfb/decrypt.c",
        "*out++ = iv[i] ^ ciphertext;\n            iv[i] = ciphertext;",
        "*out++ = iv[i] ^ ciphertext;\n            iv[i] = in[-1];",
        "aes-128",
        on_host(lambda program: check.all_lengths_in(program, "cfb")),
    ),
    Fault(
        "a counter of one byte, by the wrapping counter",
        "modes/ctr/encrypt.c",
        "i > 0 && ++iv[i - 1] == 0",
        "i == PRIMITIVE_BLOCK_BYTES && ++iv[i - 1] == 0",
        "idea",
        on_host(check.counter_wraps),
    ),
    Fault(
        "bytes forgotten between two updates, by the split message",
        "primitives/hash/md5/update.c",
        "uint8_t used = ctx->used_bytes;",
        "uint8_t used = 0;",
        "md5",
        on_host(_split),
    ),
    Fault(
        "one byte too many, by the address sanitizer",
        "primitives/stream/rc4/fast/crypt.c",
        "for (; length > 0; length--) {",
        "length += length == 77;\n    for (; length > 0; length--) {",
        "rc4-128",
        some_inputs,
    ),
    Fault(
        "a shift by the width of the word, by the undefined behaviour sanitizer",
        "primitives/include/rotate.h",
        "x << (n & 31) | x >> (-n & 31)",
        "x << (n & 31) | x >> (32 - (n & 31))",
        "rc5-32-12-8",
        some_inputs,
    ),
    Fault(
        "a narrowing conversion, by the compiler",
        "primitives/stream/rc4/fast/init.c",
        "j = (uint8_t)(j + old + *from++);",
        "j = j + old + *from++;",
        "rc4-128",
        known_answers,
    ),
    Fault(
        "two spaces, by clang-format",
        "modes/ecb/encrypt.c",
        "in += PRIMITIVE_BLOCK_BYTES;",
        "in  += PRIMITIVE_BLOCK_BYTES;",
        "aes-128",
        lambda case: check.formatted(case.root),
    ),
    Fault(
        "a byte of the tag that is not compared, by the flips",
        "primitives/include/tag.h",
        "for (uint8_t i = 0; i < size; i++)",
        "for (uint8_t i = 1; i < size; i++)",
        "aes-128-gcm",
        on_host(lambda program: check.flips_refused(program, 1)),
    ),
    Fault(
        "a forged message left in the output, by the flips",
        "primitives/include/tag.h",
        "while (length > 0) {",
        "while (length > 1) {",
        "aes-128-ccm",
        on_host(lambda program: check.flips_refused(program, 2)),
    ),
    Fault(
        "associated data of whole blocks alone, by random inputs",
        "primitives/aead/ccm/compact/crypt.c",
        "if (ad_length > 0) {",
        "if (ad_length > 15) {",
        "aes-128-ccm",
        some_inputs,
    ),
    Fault(
        "a wrong reduction of GHASH, by the known answers",
        "primitives/aead/gcm/table4/multiply.c",
        "{0xB5, 0xE0}",
        "{0xB5, 0xE1}",
        "aes-128-gcm",
        known_answers,
    ),
    Fault(
        "a carry forgotten at the edge of the modulus, by the vectors of RFC 8439",
        "primitives/mac/poly1305/radix-8/final.c",
        "carry = 5;",
        "carry = 4;",
        "poly1305",
        known_answers,
    ),
    Fault(
        "bytes forgotten between two updates, by the split message",
        "primitives/mac/cmac/update.c",
        "uint8_t used = ctx->used_bytes;",
        "uint8_t used = 0;",
        "aes-128-cmac",
        on_host(_split),
    ),
    Fault(
        "one byte too many, by the address sanitizer",
        "primitives/aead/eax/counter.c",
        "while (length > 0) {",
        "length += length == 31;\n    while (length > 0) {",
        "aes-128-eax",
        some_inputs,
    ),
]


def planted(fault: Fault, folder: Path) -> Case:
    """The case in a copy of what it is made of, which has the fault."""
    sound = next(
        case for case in cases(ROOT, KINDS) if case.primitive.id == fault.primitive and case.is_default
    )
    algorithms = {case.folder.parent.relative_to(ROOT) for case in (sound, *sound.parts)}
    for part in ("primitives/include", "modes", "vectors", *algorithms):
        shutil.copytree(ROOT / part, folder / part)
    shutil.copy(ROOT / ".clang-format", folder)
    path = folder / fault.path
    text = path.read_text()
    assert text.count(fault.right) == 1, f"{fault.path} no longer has what the fault replaces"
    path.write_text(text.replace(fault.right, fault.wrong))
    return moved(sound, folder)


def moved(case: Case, root: Path) -> Case:
    """The case in another source tree."""
    parts = tuple(moved(part, root) for part in case.parts)
    return replace(case, root=root, folder=root / case.folder.relative_to(case.root), parts=parts)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault_is_caught(fault: Fault, tmp_path: Path) -> None:
    if "clang-format" in fault.name and shutil.which("clang-format") is None:
        pytest.skip("clang-format is not installed")
    case = planted(fault, tmp_path)
    with pytest.raises(AssertionError):
        fault.check(case)


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        ({"aes/stray.h": ""}, "read by no variant: .*aes/stray.h"),
        ({"aes/sbox/stray.c": ""}, "read by no variant: .*aes/sbox/stray.c"),
        ({"aes/compact/schedule.c": '#include "alone.h"\n', "aes/alone.h": ""}, "not shared.*aes/alone.h"),
        ({"aes/sbox/sbox.c": None}, "more than once: .*aes/sbox.c, .*aes/sbox/sbox.c"),
    ],
    ids=["a header of the algorithm", "a source of a variant", "shared by one", "a copy"],
)
def test_a_file_in_the_wrong_place_is_caught(
    planted: dict[str, str | None], said: str, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "primitives", tmp_path / "primitives")
    for name, content in planted.items():
        path = tmp_path / "primitives" / "block" / name
        path.write_text((path.parents[1] / path.name).read_text() if content is None else content)
    with pytest.raises(AssertionError, match=said):
        check.every_file_is_read_and_none_twice(tmp_path)


@check.NEEDS_BIG_ENDIAN
def test_a_word_in_the_order_of_this_machine_is_caught(tmp_path: Path) -> None:
    fault = Fault(
        "",
        "primitives/include/bytes.h",
        "    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;",
        "    uint32_t x;\n    __builtin_memcpy(&x, p, sizeof x);\n    return x;",
        "rc5-32-12-8",
        known_answers,
    )
    case = planted(fault, tmp_path)
    known_answers(case)
    with pytest.raises(AssertionError, match="rc5"), check.on_big_endian(case) as program:
        check.random_inputs(program, range(10))


@check.NEEDS_GCC
def test_table_in_ram_is_caught(tmp_path: Path) -> None:
    fault = Fault(
        "",
        "primitives/block/aes/inverse_sbox.h",
        "const ROM uint8_t",
        "const uint8_t",
        "aes-128",
        known_answers,
    )
    case = planted(fault, tmp_path)
    with pytest.raises(AssertionError, match="would occupy RAM"):
        check.avr_clean(case, check.GCC, "-mmcu=avr51", "-Os", bind_modes=False)


@check.NEEDS_GCC
def test_shift_too_wide_for_16_bit_int_is_caught(tmp_path: Path) -> None:
    fault = Fault(
        "",
        "primitives/include/bytes.h",
        "(uint32_t)p[1] << 16 |",
        "(uint32_t)(p[1] << 16) |",
        "sha-1",
        known_answers,
    )
    case = planted(fault, tmp_path)
    known_answers(case)
    with pytest.raises(AssertionError, match="shift"):
        check.avr_clean(case, check.GCC, "-mmcu=avr51", "-Os", bind_modes=False)

"""Headers that are read without a compiler: expressions, macros, conditions, sizes of types."""

from __future__ import annotations

from pathlib import Path

import pytest

from steelyard.catalog.trees.expression import NotANumber, value, words
from steelyard.catalog.trees.preprocess import Preprocessor, Unreadable
from steelyard.catalog.trees.sizeof import Types


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 / 2 - -7 / 2 - 7 % 3", 5),
        ("1 << 4 | 3 & ~1", 18),
        ("3 > 2 && 1 != 1 || !0", 1),
        ("1 ? 2 ? 30 : 20 : 10", 30),
        ("0 ? 1 : 0 ? 2 : 3", 3),
        ("(size_t)0x20UL + 010 + 0b11", 43),
        ("(unsigned long long) 5 * (2)", 10),
        ("0xFFFFFFFFu >> 28", 15),
    ],
)
def test_the_value_of_an_expression(text: str, expected: int) -> None:
    assert value(words(text)) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("BYTES + 1", '"BYTES" is not known'),
        ("1.5 * 2", '"1.5" is no whole number'),
        ("1 / 0", "it divides by zero"),
        ("1 << 4000", "it shifts by 4000"),
        ("(1 + 2", "it ends too early"),
        ("1 2", '"2" is unexpected'),
        ("(1 ]", r'"\]" stands where "\)" should'),
        ("sizeof(key_type)", r"sizeof\(key_type\) is not known"),
        ("(" * 5000 + "1", "it is nested too deeply"),
    ],
)
def test_what_has_no_value(text: str, reason: str) -> None:
    with pytest.raises(NotANumber, match=reason):
        value(words(text))


def _read(folder: Path, *, defines: dict[str, str] | None = None, **files: str) -> Preprocessor:
    for name, text in files.items():
        (folder / f"{name}.h").write_text(text)
    headers = Preprocessor(folder, (folder,), defines or {})
    headers.read(folder / "api.h")
    return headers


def _value(headers: Preprocessor, text: str) -> int:
    return value(headers.expand(text), Types(headers.text).size)


def test_macros_of_headers_that_include_each_other(tmp_path: Path) -> None:
    headers = _read(
        tmp_path,
        api='#pragma once\n#include "params.h"\n#include <x.h>\n#define BYTES (K*ROW + SYM /* hash */)\n',
        params='#include "api.h"\n#define K 3 // rows\n#define ROW \\\n 384\n#define SYM 32\n',
    )
    assert _value(headers, "BYTES") == 3 * 384 + 32


def test_conditions(tmp_path: Path) -> None:
    headers = _read(
        tmp_path,
        defines={"LEVEL": "3"},
        api="""
#ifndef API
#define API
#if LEVEL == 2
#define SIZE 20
#elif LEVEL == 3 && defined(API) && !defined NOTHING
#define SIZE 30
#if UNKNOWN
#error "never read"
#endif
#else
#define SIZE 40
#endif
#ifdef API
#undef EXTRA
#define EXTRA 1
#else
#define EXTRA 2
#endif
#endif
""",
    )
    assert _value(headers, "SIZE + EXTRA") == 31


@pytest.mark.parametrize(
    ("definitions", "text", "expected"),
    [
        ("#define NS(s) mine_##s\n#define keypair NS(keypair)", "keypair(a, b)", "mine_keypair(a, b)"),
        ("#define X(s) Y(s)\n#define Y(s) pre_ ## s\n#define Z z", "X(Z)", "pre_z"),
        ("#define Y(s) pre_##s\n#define Z z", "Y(Z)", "pre_Z"),
        ("#define F(a, ...) g(__VA_ARGS__)", "F(1, 2, 3)", "g(2,3)"),
        ("#define sign(s, m) sign_ctx(s, m, NULL, 0)", "sign(a, (b, c))", "sign_ctx(a, (b, c), NULL, 0)"),
        ("#define F(x) x", "F + F (1)", "F + 1"),
        ("#define A B\n#define B A", "A B", "A B"),
    ],
)
def test_expansion(tmp_path: Path, definitions: str, text: str, expected: str) -> None:
    assert "".join(_read(tmp_path, api=definitions + "\n").expand(text)) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("\n#if (1\n#endif\n", r"api\.h:2: #if \(1: it ends too early"),
        ("#endif\n", r"api\.h:1: #endif without #if"),
        ("\n\n#error no such level\n", r"api\.h:3: #error no such level"),
        ("#include NAME\n", r"api\.h:1: #include NAME names no file"),
        ('#include "api.h"\n', "include each other without end"),
    ],
)
def test_what_cannot_be_followed(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        _read(tmp_path, api=text)


def test_macros_without_end(tmp_path: Path) -> None:
    doubling = "".join(f"#define A{n} A{n + 1} A{n + 1}\n" for n in range(30))
    headers = _read(tmp_path, api=doubling)
    with pytest.raises(Unreadable, match="expands without end"):
        headers.expand("A0")


def test_a_header_outside_the_tree_is_refused(tmp_path: Path) -> None:
    inside = tmp_path / "tree"
    inside.mkdir()
    (tmp_path / "secret.h").write_text("#define SECRET 1\n")
    with pytest.raises(Unreadable, match=r'api\.h: "\.\./secret\.h" leads out of the tree'):
        _read(inside, api='#include "../secret.h"\n')
    (inside / "link.h").symlink_to("../secret.h")
    with pytest.raises(Unreadable, match=r'"link\.h" leads out of the tree'):
        _read(inside, api='#include "link.h"\n')


_TYPES = """
#define ROWS 3
typedef struct seed_s { uint8_t raw[32]; } seed_t;
#pragma pack(push, 1)
typedef struct { uint8_t first; uint32_t second[ROWS]; } packed_t;
#pragma pack(pop)
typedef struct { uint8_t first; uint64_t second; } padded_t;
typedef union { seed_t seed; packed_t other[2]; } either_t;
typedef struct __attribute__((packed)) { uint16_t a; uint32_t b, c[2]; seed_t *where; } tight_t;
typedef either_t two_t[2];
struct plain { two_t both; unsigned long long int last; };
static inline int ignored(int x) { struct local { int y; } z; return x; }
typedef struct { uint8_t raw[sizeof(seed_t) - 1]; } __attribute__((aligned(16))) aligned_t;
typedef struct { int bits : 3; } fields_t;
"""


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("seed_t", 32),
        ("packed_t", 13),
        ("padded_t", 16),
        ("either_t", 32),
        ("tight_t", 2 + 4 + 8 + 4),
        ("two_t", 64),
        ("struct plain", 72),
        ("struct seed_s", 32),
        ("aligned_t", 32),
        ("const unsigned char", 1),
        ("seed_t *", 4),
    ],
)
def test_the_size_of_a_type(tmp_path: Path, name: str, size: int) -> None:
    assert _value(_read(tmp_path, api=_TYPES), f"sizeof({name})") == size


@pytest.mark.parametrize("name", ["fields_t", "struct local", "nothing_t", "x + 1"])
def test_a_type_that_is_not_understood(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotANumber, match="is not known"):
        _value(_read(tmp_path, api=_TYPES), f"sizeof({name})")

"""Every table of constants, and every long number in the code, is what its standard defines."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from constants import LITERALS, STEPS, TABLES, agrees
from host_build import ROOT, Case, cases, tables

KINDS = ("block", "stream", "hash", "mac", "aead", "signature")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TABLE = re.compile(r"\bROM\b[^;={]*=[^;]*;")
_LONG = re.compile(r"\b0[xX]([0-9A-Fa-f]{5,})[uUlL]*\b")


def by_algorithm(root: Path) -> dict[str, list[Case]]:
    """Constructions once: over what they are is no matter of their constants."""
    found: dict[str, list[Case]] = {}
    for case in cases(root, KINDS):
        known = found.setdefault(case.algorithm_id, [])
        if not case.parts or case.folder not in [other.folder for other in known]:
            known.append(case)
    return found


def wrong_tables(algorithm: str, of_it: list[Case]) -> Iterator[str]:
    """Tables that are not what they should be, or that nothing is known of."""
    expected = TABLES.get(algorithm, {})
    seen = set()
    for case in of_it:
        for source in case.variant.sources:
            for name, contents in tables(case, source).items():
                seen.add(name)
                known = expected.get(name)
                if known is None and name not in STEPS.get(algorithm, ()):
                    yield f"{case}: {source} has a table {name} of which nothing is known"
                for content in contents if known is not None else ():
                    if not any(agrees(table, case.primitive, content) for table in known):
                        yield f"{case}: {name} in {source} is not what it should be"
    yield from (f"{algorithm} has no table {name}" for name in {*expected, *STEPS.get(algorithm, ())} - seen)


def is_mask(digits: str) -> bool:
    """One run of ones, a pattern over and over, or bytes that are all zeros, all ones or a one."""
    bits = f"{int(digits, 16):b}".rstrip("0").rstrip("1")
    size = len(digits)
    periods = (period for period in (1, 2, 4, 8) if size % period == 0 and period < size)
    return (
        not bits
        or any(digits == digits[:period] * (size // period) for period in periods)
        or all(byte in ("00", "01", "FF") for byte in re.findall("..", digits.upper()) if size % 2 == 0)
    )


def unknown_numbers(root: Path) -> list[str]:
    """Long numbers in C that are no mask and no constant of their algorithm."""
    found = []
    for path in sorted((root / "primitives").rglob("*.[chS]")):
        algorithm = path.relative_to(root / "primitives").parts[1]
        text = _TABLE.sub("", _COMMENT.sub("", path.read_text()))
        for match in _LONG.finditer(text):
            if int(match[1], 16) not in LITERALS.get(algorithm, ()) and not is_mask(match[1]):
                found.append(f"{path.relative_to(root)}: {match[0]}")
    return found


@pytest.mark.parametrize("algorithm", by_algorithm(ROOT))
def test_tables(algorithm: str) -> None:
    assert list(wrong_tables(algorithm, by_algorithm(ROOT)[algorithm])) == []


def test_numbers_in_the_code() -> None:
    assert unknown_numbers(ROOT) == []


def test_each_algorithm_with_constants_is_one() -> None:
    assert {*TABLES, *STEPS, *LITERALS} <= set(by_algorithm(ROOT))


@pytest.mark.parametrize(
    ("path", "right", "wrong", "said"),
    [
        ("include/aes_sbox.inc", "0xb0, 0x54, 0xbb, 0x16", "0xb0, 0x54, 0xbb, 0x17", "aes_sbox in ../sbox.c"),
        ("block/aes/table.c", "0x01010001u)", "0x01010000u)", "aes_table1 in ../table.c"),
        ("block/cast-128/key_boxes.c", "0x7ec90c04", "0x7ec90c05", "cast_key_boxes"),
        ("block/misty1/s7.h", "0x1b, 0x32", "0x32, 0x1b", "s7 in fi.c"),
        (
            "hash/sha-256/constants.h",
            "static",
            "static const int more[] = {1};\nstatic",
            "more of which nothing",
        ),
    ],
    ids=["computed", "derived", "of a library", "of the oracle", "another"],
)
def test_a_wrong_entry_is_caught(path: str, right: str, wrong: str, said: str, tmp_path: Path) -> None:
    changed = planted(tmp_path, path, right, wrong)
    algorithm = "aes" if path.startswith("include") else path.split("/")[1]
    assert [line for line in wrong_tables(algorithm, by_algorithm(changed)[algorithm]) if said in line]


def test_a_wrong_number_is_caught(tmp_path: Path) -> None:
    changed = planted(tmp_path, "hash/sha-1/fast/compress.c", "0x5a827999", "0x5a827998")
    assert unknown_numbers(changed) == ["primitives/hash/sha-1/fast/compress.c: 0x5a827998"]


def planted(folder: Path, path: str, right: str, wrong: str) -> Path:
    """A copy of the primitives with one text replaced."""
    for name in ("primitives", "vectors"):
        shutil.copytree(ROOT / name, folder / name)
    file = folder / "primitives" / path
    assert right in file.read_text()
    file.write_text(file.read_text().replace(right, wrong, 1))
    return folder

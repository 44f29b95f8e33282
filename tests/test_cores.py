"""The shape of the emulator's cores: files of every family, and functions that can be read at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "crates" / "steelyard-emu" / "src"
FAMILIES = sorted(path.parent.name.replace("-", "_") for path in (ROOT / "firmware").glob("*/family.toml"))
FILES = {"isa", "decode", "exec", "pipeline", "run", "cpu", "timing", "mod"}
MOST_LINES = 120

_FUNCTION = re.compile(r"^( *)(?:pub(?:\([a-z]+\))? )?(?:const )?fn (\w+)", re.MULTILINE)


def functions(text: str) -> Iterator[tuple[str, int]]:
    """Each function of a formatted Rust file and its lines: it ends with a brace below its first letter."""
    for found in _FUNCTION.finditer(text):
        body = text[found.start() :]
        first = body.split("\n", 1)[0]
        if first.endswith(("}", ";")):
            yield found[2], 1
            continue
        end = re.search(rf"^{found[1]}(?:\}}|\S.*;$)", body.split("\n", 1)[1], re.MULTILINE)
        assert end is not None, found[2]
        yield found[2], body.split("\n", 1)[1][: end.start()].count("\n") + 2


@pytest.mark.parametrize("name", sorted(str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.rs")))
def test_every_function_can_be_read_at_once(name: str) -> None:
    text = (SOURCES / name).read_text(encoding="utf-8")
    assert [(function, lines) for function, lines in functions(text) if lines > MOST_LINES] == []


def test_a_long_function_is_found() -> None:
    text = "impl X {\n    pub fn long(\n        x: u32,\n    ) {\n" + "        x();\n" * 119 + "    }\n}\n"
    assert list(functions(text)) == [("long", 123)]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_has_the_files_of_all(family: str) -> None:
    there = {path.stem for path in (SOURCES / family).glob("*.rs")}
    assert there >= FILES
    for name in ("exec", "pipeline", "run", "cpu"):
        assert "macro_rules!" not in (SOURCES / family / f"{name}.rs").read_text(encoding="utf-8"), name


def called_out(text: str) -> list[str]:
    """Methods of `Step` that the compiler may leave outside `run`, which then keeps its state in memory.

    A cold one stands behind a constant that no plain run has: it follows secrets, or tells details.
    """
    lines, inside, found = text.split("\n"), False, []
    for number, line in enumerate(lines):
        if re.match(r"impl\b.* Step<", line):
            inside = True
        elif line == "}":
            inside = False
        method = re.match(r"    fn (\w+)", line)
        attributes = lines[number - 2 : number]
        apart = any(one in attribute for attribute in attributes for one in ("#[inline(always)]", "#[cold]"))
        if inside and method and not apart:
            found.append(method[1])
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_all_of_a_step_is_inlined(family: str) -> None:
    text = (SOURCES / family / "run.rs").read_text(encoding="utf-8")
    assert "Step<" in text
    assert called_out(text) == []


def test_a_step_that_is_called_is_found() -> None:
    text = "impl<T> Step<T> {\n    #[inline(always)]\n    fn one() {}\n\n    fn two() {}\n}\n"
    assert called_out(text) == ["two"]

"""Docstrings and doc comments are understood without their neighbours; no page names a path of a machine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON = [
    path for root in ("python/steelyard", "studies", "build_backend") for path in (ROOT / root).rglob("*.py")
]
_CRATES = ("crates/steelyard-emu", "crates/steelyard-py", "differential")
RUST = [path for crate in _CRATES for path in (ROOT / crate / "src").rglob("*.rs")]
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *ROOT.glob("*/README.md"),
    *ROOT.glob("*/*/README.md"),
]

# A text that begins so can be understood only beside its name or the text before it.
FRAGMENT = re.compile(r"(?:Of|As|See|The same)\b")
MACHINE_PATH = re.compile(r"(?<![\w./:~-])/(?:home|root|Users|work|workspace)/[\w.-]+")


def docstrings(source: str) -> Iterator[str]:
    """Docstrings of modules, classes and functions, and texts below assignments; without private names."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if getattr(node, "name", "").startswith("_"):
            continue
        values = [statement.value for statement in node.body if isinstance(statement, ast.Expr)]
        yield from (
            one.value for one in values if isinstance(one, ast.Constant) and isinstance(one.value, str)
        )


def doc_comments(source: str) -> Iterator[str]:
    """Doc comments of Rust, each as one text."""
    for lines in re.findall(r"(?:^[ \t]*//[/!].*\n?)+", source, re.MULTILINE):
        yield re.sub(r"^[ \t]*//[/!] ?", "", lines, flags=re.MULTILINE)


def fragments(texts: Iterable[str]) -> list[str]:
    return [text.splitlines()[0] for text in texts if FRAGMENT.match(text)]


def machine_paths(texts: Iterable[str]) -> list[str]:
    return [found for text in texts for found in MACHINE_PATH.findall(text)]


def test_words() -> None:
    texts = {path: list(docstrings(path.read_text("utf-8"))) for path in PYTHON}
    texts |= {path: list(doc_comments(path.read_text("utf-8"))) for path in RUST}
    assert len(PYTHON) > 100 and len(RUST) > 50 and len(PAGES) > 50
    assert {str(path): bad for path, all_ in texts.items() if (bad := fragments(all_))} == {}
    texts |= {path: [path.read_text("utf-8")] for path in PAGES}
    assert {str(path): bad for path, all_ in texts.items() if (bad := machine_paths(all_))} == {}


def test_a_fragment_is_seen() -> None:
    planted = 'class Plan:\n  """Plan."""\n  n = 1\n  """Of it."""\n  def f(self):\n    """As `g`."""\n'
    assert fragments(docstrings(planted)) == ["Of it.", "As `g`."]
    assert fragments(docstrings(planted.replace("Plan:", "_Plan:"))) == ["As `g`."]
    planted = "//! Memories.\n\nstruct Memory {\n    /// The same\n    /// as before.\n    n: u8, // Of\n}\n"
    assert fragments(doc_comments(planted)) == ["The same"]


def test_a_path_of_a_machine_is_seen() -> None:
    assert machine_paths(["see `/home/me/notes`, or /work/x"]) == ["/home/me", "/work/x"]
    assert machine_paths(["https://example.org/work/x, ~/root/x, /tmp or /usr/src"]) == []

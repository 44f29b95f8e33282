"""No import runs upward through the list of packages in ARCHITECTURE.md, and the list is complete."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "python" / "steelyard"


def layers() -> list[str]:
    """The packages in the order of ARCHITECTURE.md, the lowest first."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    block = re.search(r"^python/steelyard/\n((?:  \w+ .*\n)+)", text, re.MULTILINE)
    assert block is not None
    return [line.split()[0] for line in block[1].splitlines()]


def upward(package: Path, order: list[str]) -> Iterator[str]:
    """Every import of a package that stands below its own; modules of the root are below all packages."""
    rank = {name: place for place, name in enumerate(order)}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).parts
        if parts[0] not in rank:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                top, _, rest = module.partition(".")
                imported = rest.partition(".")[0]
                if top == "steelyard" and rank.get(imported, -1) > rank[parts[0]]:
                    yield f"{path.relative_to(package)} imports {module}"


def test_every_package_has_its_place() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py") if not path.parent.is_symlink()}
    assert sorted(layers()) == sorted(packages)


def test_no_import_runs_upward() -> None:
    assert list(upward(PACKAGE, layers())) == []


def test_root_modules_import_no_package() -> None:
    """What every package may import depends on none of them."""
    entry_points = {"__init__.py", "__main__.py"}
    for path in PACKAGE.glob("*.py"):
        if path.name not in entry_points:
            text = path.read_text(encoding="utf-8")
            assert not re.findall(rf"from steelyard\.({'|'.join(layers())})\b", text), path.name


@pytest.mark.parametrize("statement", ["from steelyard.cli.app import app", "import steelyard.cli.app"])
def test_an_upward_import_is_seen(tmp_path: Path, statement: str) -> None:
    for name in ("record", "cli"):
        (tmp_path / name).mkdir()
    (tmp_path / "record" / "schema.py").write_text(f"def late() -> None:\n    {statement}\n", "utf-8")
    assert list(upward(tmp_path, ["record", "cli"])) == [
        f"record/schema.py imports {'steelyard.cli.app'}",
    ]

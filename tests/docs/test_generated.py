"""The pages say what the program says: blocks are current, nothing is left out, links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from docs.generate import catalogue, program
from docs.generate.pages import pages, regenerated

from steelyard.catalog.load import load_catalog
from steelyard.record.schema import FIELDS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("*/README.md")])


def undocumented(names: list[str], text: str) -> list[str]:
    """The names that do not occur in a text as words of their own."""
    return [name for name in names if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)]


def options_of(command: Any) -> list[str]:
    return [name for parameter in command.params for name in parameter.opts if name.startswith("--")]


def commands_and_options() -> list[tuple[str, str, list[str]]]:
    """Every command with its page and options."""
    return [
        (words, f"commands/{words.split()[0] if words else 'README'}.md", options_of(command))
        for words, command in program.commands().items()
    ]


def test_generated_blocks_are_current() -> None:
    stale = [
        str(page.relative_to(ROOT))
        for page in pages()
        if regenerated(page.read_text(encoding="utf-8")) != page.read_text(encoding="utf-8")
    ]
    assert stale == [], "run: make docs"


def test_a_stale_block_is_seen() -> None:
    text = (DOCS / "metrics.md").read_text(encoding="utf-8")
    planted = text.replace("rom_const_bytes + rom_support_bytes", "rom_const_bytes")
    assert planted != text
    assert regenerated(planted) == text


def test_every_command_and_option_has_its_page() -> None:
    listed = commands_and_options()
    assert len(listed) > 8
    for words, page, options in listed:
        text = (DOCS / page).read_text(encoding="utf-8")
        assert f"Usage: steelyard {words}".rstrip() in text
        assert undocumented(options, text) == [], words


def test_a_missing_option_is_seen() -> None:
    text = (DOCS / "commands" / "measure.md").read_text(encoding="utf-8")
    (options,) = (options for words, _, options in commands_and_options() if words == "measure")
    assert undocumented(options, text.replace("--padding", "--p")) == ["--padding"]
    assert undocumented(["--arg"], "--argument") == ["--arg"]


def test_every_field_is_defined() -> None:
    text = (DOCS / "metrics.md").read_text(encoding="utf-8")
    assert undocumented([field.name for field in FIELDS], text) == []


@pytest.mark.parametrize("what", ["primitives", "variants", "modes", "targets"])
def test_every_item_of_the_catalogue_is_listed(what: str) -> None:
    items = getattr(load_catalog(), what)
    names = [item.id for item in items if getattr(item, "counted", True)]
    assert names
    assert undocumented(names, (DOCS / "catalogue.md").read_text(encoding="utf-8")) == []


def test_the_page_says_how_the_constructions_that_are_not_listed_are_named() -> None:
    text = (DOCS / "catalogue.md").read_text(encoding="utf-8")
    derived = [one for a in load_catalog().algorithms if a.file.over for one in a.file.over.primitive]
    assert derived
    assert [one.id for one in derived if f"`{one.id}`" not in text] == []


def unverified(rows: list[Any], is_library: Any) -> list[str]:
    """Primitives with neither a library nor a published answer beside the second implementation."""
    return [
        name for name, source, others, published in rows if not (is_library(source) or others or published)
    ]


def test_every_primitive_is_compared_with_something_independent() -> None:
    rows = catalogue.verification()
    listed = [primitive.id for primitive in load_catalog().primitives if primitive.counted]
    assert [name for name, *_ in rows] == listed
    assert [name for name, source, *_ in rows if source.startswith("no independent")] == []
    # No S-box, no answers: docs/verification.md says so.
    assert unverified(rows, catalogue.is_library) == ["treyfer"]
    assert undocumented(listed, (DOCS / "verification.md").read_text(encoding="utf-8")) == []


def test_a_primitive_without_library_or_published_answer_is_seen() -> None:
    own = "second implementation in Python (X, a second implementation from Y)"
    rows = [
        ("a", own, [], []),
        ("b", own, [], ["RFC"]),
        ("c", own, ["Botan 2"], []),
        ("d", "hashlib", [], []),
    ]
    assert unverified(rows, catalogue.is_library) == ["a"]


def test_every_target_has_a_page() -> None:
    for target in load_catalog().targets:
        assert f"`--target {target.id}`" in (DOCS / "targets" / f"{target.id}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?://", link):
            continue
        path, _, anchor = link.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), link
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
            assert anchor in anchors, link

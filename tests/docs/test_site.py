"""The documentation site builds without a warning, opens from disk, and is searched without a network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docs.generate import primitives
from playwright.sync_api import Browser, Page

from steelyard.catalog.load import load_catalog

ROOT = Path(__file__).parents[2]

pytest.importorskip("mkdocs", reason="make docs installs MkDocs from docs/requirements.txt")


def build(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Build the site strictly into a folder."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder), *more]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(folder)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_command_chip_and_primitive_has_its_page(site: Path) -> None:
    catalog = load_catalog()
    for target in catalog.targets:
        assert (site / "targets" / f"{target.id}.html").is_file()
    for primitive in catalog.primitives:
        if primitive.counted:
            assert (site / "primitives" / f"{primitive.id}.html").is_file()
    for page in (ROOT / "docs" / "commands").glob("*.md"):
        assert (site / "commands" / page.with_suffix(".html").name).is_file() or page.name == "README.md"
    assert (site / "project" / "ARCHITECTURE.html").is_file()


def test_no_page_asks_a_network(site: Path) -> None:
    asked = re.compile(r'<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="(?:https?:)?//[^"]*"')
    for page in ("index.html", "commands/measure.html", "primitives/aes-128.html", "project/README.html"):
        path = site / page
        text = (path if path.exists() else path.with_name("index.html")).read_text(encoding="utf-8")
        assert asked.findall(text) == []


@pytest.fixture(scope="module")
def opened(site: Path, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(offline=True, viewport={"width": 1300, "height": 900})
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    yield page
    context.close()


def test_search_works_from_disk(opened: Page) -> None:
    requests: list[str] = []
    opened.on("request", lambda request: requests.append(request.url))
    # The search index is read when the field is entered.
    opened.locator("input[name=query]").click()
    opened.locator("input[name=query]").press_sequentially("declassified")
    opened.wait_for_selector(".md-search-result__item", state="attached", timeout=30_000)
    titles = opened.locator(".md-search-result__item h1, .md-search-result__item h2").all_text_contents()
    assert any(titles)
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:", "about:"))] == []


def test_a_broken_link_fails_the_build(tmp_path: Path) -> None:
    """The same configuration over a folder with one page whose link leads nowhere."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# A\n\n[b](b.md)\n", encoding="utf-8")
    settings = "site_name: a\nvalidation: {unrecognized_links: warn}\ntheme: {name: null}\n"
    theme = "theme: {name: material}\n"
    (tmp_path / "mkdocs.yml").write_text(settings.replace("theme: {name: null}\n", theme), encoding="utf-8")
    done = build(tmp_path / "out", "--config-file", str(tmp_path / "mkdocs.yml"))
    assert done.returncode != 0
    assert "'b.md'" in done.stderr


def test_a_primitive_s_page_has_the_kept_figures() -> None:
    pages = primitives.primitive_pages()
    text = pages["aes-128.md"]
    assert "| `aes/ttable-4k`" in text
    kept: Any = primitives.read_kept(primitives.BENCH).filter(primitive="aes-128", target="stm32f407")
    best = kept["cycles"].min()
    (line,) = re.findall(r"^\| \[stm32f407\].*$", text, re.MULTILINE)
    assert f"{best:,.0f}" in line
    for part in ("## Variants measured", "## On chips", "## Constant time"):
        assert part in text
    assert len(pages) == 1 + sum(primitive.counted for primitive in load_catalog().primitives)


def test_links_of_the_project_lead_to_the_site_or_become_text(site: Path) -> None:
    text = (site / "commands" / "claims.html").read_text(encoding="utf-8")
    assert 'href="../../studies"' not in text
    text = (site / "cite.html").read_text(encoding="utf-8")
    assert 'href="project/CITATION.cff"' in text


def test_the_search_index_holds_every_page(site: Path) -> None:
    script = (site / "search" / "search_index.js").read_text(encoding="utf-8")
    index = json.loads(script.removeprefix("var __index = "))
    found = {one["location"].partition("#")[0] for one in index["docs"]}
    assert {"cookbook.html", "primitives/aes-128.html", "targets/atmega128.html"} <= found

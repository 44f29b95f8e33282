"""Hooks of MkDocs: pages made from the catalogue and records, and what pages link to outside this folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from docs.generate.primitives import primitive_pages
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
OUTSIDE = PurePosixPath("project")
"""Folder of the site for files of the project that lie outside this one."""

_LINK = re.compile(r"(!?\[(?:[^\]\[]|\[[^\]]*\])*\])\(([^)\s]+)\)")
_CODE = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)
_ALWAYS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")


def on_config(config: Any) -> Any:
    """Replace names such as `commands/*` in the navigation by the pages of the folder."""
    made = [f"primitives/{name}" for name in primitive_pages()]
    made += [str(OUTSIDE / path) for path in _outside() if path.endswith(".md")]
    pages = sorted([*made, *(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))])
    named = {*_named(config.nav)}
    config.nav = [_expanded(item, pages, named) for item in config.nav]
    return config


def _named(item: Any) -> Iterator[str]:
    values = item if isinstance(item, list) else item.values() if isinstance(item, dict) else ()
    for value in values:
        yield from [value] if isinstance(value, str) else _named(value)


def _expanded(item: Any, pages: list[str], named: set[str]) -> Any:
    if isinstance(item, dict):
        return {title: _expanded(inside, pages, named) for title, inside in item.items()}
    if not isinstance(item, list):
        return item
    found: list[Any] = []
    for one in item:
        if isinstance(one, str) and one.endswith("/*"):
            folder = one.removesuffix("*")
            deep = folder == f"{OUTSIDE}/"
            found += [
                page
                for page in pages
                if page.startswith(folder) and page not in named and (deep or "/" not in page[len(folder) :])
            ]
        else:
            found.append(_expanded(one, pages, named))
    return found


def on_files(files: Files, config: Any) -> Files:
    """Add the pages of primitives, and what pages link to outside this folder."""
    for name, text in primitive_pages().items():
        files.append(File.generated(config, f"primitives/{name}", content=text))
    for path in _outside():
        files.append(File.generated(config, str(OUTSIDE / path), abs_src_path=str(ROOT / path)))
    return files


def _outside() -> list[str]:
    """Return the files outside this folder that pages link to, relative to the root of the project."""
    found = {*_ALWAYS}
    for page in DOCS.rglob("*.md"):
        for _, link in _LINK.findall(page.read_text(encoding="utf-8")):
            path = _path(page.parent, link)
            if path is not None and path.is_file() and not path.is_relative_to(DOCS):
                found.add(path.relative_to(ROOT).as_posix())
    return sorted(found)


def _path(folder: Path, link: str) -> Path | None:
    """Return the file or folder of a link; None for one that leaves the project, or stays on its page."""
    target = link.partition("#")[0]
    if not target or re.match(r"[a-z]+:", target):
        return None
    path = Path(os.path.normpath(folder / target))
    return path if path.is_relative_to(ROOT) else None


def on_page_markdown(markdown: str, page: Page, config: Any, files: Files) -> str:
    """Lead links to their files on the site; a link to what is not on it becomes plain text."""
    here = PurePosixPath(page.file.src_uri)
    on_disk = _on_disk(here)

    def link(found: re.Match[str]) -> str:
        text, target = found.groups()
        path = _path(on_disk.parent, target)
        if path is None:
            return found[0]
        own = path.relative_to(DOCS) if path.is_relative_to(DOCS) else OUTSIDE / path.relative_to(ROOT)
        if files.get_file_from_path(own.as_posix()) is None:
            # A page that is missing is for MkDocs to say; a folder or a source file has no page.
            missing = path.suffix == ".md" and path.is_relative_to(DOCS)
            return found[0] if missing else text.strip("![]")
        anchor = target.partition("#")[2]
        relative = os.path.relpath(own, here.parent)
        return f"{text}({relative}{'#' + anchor if anchor else ''})"

    # What stands in a block of code is no link.
    pieces = _CODE.split(markdown)
    return "".join(piece if at % 2 else _LINK.sub(link, piece) for at, piece in enumerate(pieces))


def _on_disk(uri: PurePosixPath) -> Path:
    return ROOT / uri.relative_to(OUTSIDE) if uri.is_relative_to(OUTSIDE) else DOCS / uri

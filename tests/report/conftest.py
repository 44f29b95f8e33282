"""What the tests of the report share: a page in a real browser, cut off from every network."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from steelyard.cache.content import Cache
from steelyard.catalog.load import Catalog
from steelyard.record.schema import Record
from steelyard.report import html
from steelyard.report.section import Section

# pytest imports test files by path, so modules beside them are found only when told where.
sys.path.insert(0, str(Path(__file__).parent))

import synthetic
from browsing import Opened, drawn


@pytest.fixture(scope="session")
def cache() -> Cache:
    return Cache()


@pytest.fixture
def open_report(browser: Browser, cache: Cache, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Write a report on records, and on sections and the catalogue besides, and open it from its file.

    A path is that of a report that is there already.
    """
    context = browser.new_context(
        offline=True,
        viewport={"width": 1400, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
    )

    def opened(
        rows: list[Record] | Path,
        sections: Sequence[Section] = (),
        catalog: Catalog | None = None,
        others: Sequence[Record] = (),
    ) -> Opened:
        path = rows if isinstance(rows, Path) else tmp_path / "report.html"
        if not isinstance(rows, Path):
            changed = synthetic.frame(list(others)) if others else None
            html.write_report(
                synthetic.frame(rows), path, catalog, others=changed, cache=cache, sections=sections
            )
        made = Opened(context.new_page(), path)
        made.page.on("console", lambda message: made.errors.append(f"{message.type}: {message.text}"))
        made.page.on("pageerror", lambda error: made.errors.append(str(error)))
        made.page.on("request", lambda request: made.requests.append(request.url))
        made.page.goto(path.as_uri())
        drawn(made.page)
        return made

    yield opened
    context.close()

"""A report opened in a browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Locator, Page

MISSING = "\N{EN DASH}"


@dataclass
class Opened:
    """A report in the browser and what went wrong or over the wire while it was there."""

    page: Page
    path: Path
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def show(self, view: str = "table", **asked: object) -> Page:
        """Show a view for some values by field, several in a list; `ROM=(None, 1024)` sets limits.

        `words`, `sort` and `options` of views (a mapping) stand in the address by themselves.
        """
        self.page.goto("about:blank")
        self.page.goto(f"{self.path.as_uri()}#{address(view, **asked)}")
        drawn(self.page)
        return self.page


def address(view: str, **asked: object) -> str:
    """The part of a report's address behind the #, as the page writes it."""
    parts = [f"view={view}"]
    for name, value in asked.items():
        if name in ("words", "sort"):
            parts.append(f"{name}={quote(str(value), safe='~')}")
        elif name == "options":
            assert isinstance(value, dict)
            parts += [f"o.{key}={quote(each)}" for key, each in value.items()]
        elif isinstance(value, tuple):
            least, most = ("" if end is None else end for end in value)
            parts.append(f"in.{name}={least}..{most}")
        else:
            values = value if isinstance(value, list) else [value]
            parts.append(f"is.{name}={','.join(_written(each) for each in values)}")
    return "&".join(parts)


def _written(value: object) -> str:
    if value is None:
        return "~"
    return f"={value}" if isinstance(value, int) else quote(str(value), safe="")


def drawn(page: Page) -> None:
    """Wait until the page shows what its address asks for."""
    page.wait_for_selector("main[data-drawn]", state="attached")


def column(table: Locator, name: str) -> list[str]:
    """Texts of a column of the record table, as far as its rows are in the document."""
    names = table.locator("thead th").evaluate_all("cells => cells.map(cell => cell.dataset.name)")
    position = names.index(name)
    texts: list[str] = table.locator("tr.row").evaluate_all(
        "(rows, position) => rows.map(row => row.cells[position].innerText.trim())", position
    )
    return texts


def figures(page: Page, title: str) -> list[list[str]]:
    """Rows of the table of figures that has this title, headings first."""
    place = page.locator(".figures").filter(has=page.locator("h3", has_text=title))
    rows: list[list[str]] = place.locator("tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    return rows


def number(text: str) -> float:
    return float(text.replace(",", "").replace("\N{MINUS SIGN}", "-"))

"""A report opened in a browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page


@dataclass
class Opened:
    """A report in the browser and what went wrong or over the wire while it was there."""

    page: Page
    path: Path
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

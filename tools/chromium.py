"""The machine's Chromium, headless and without any network of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class NoChromium(Exception):
    """No Chromium is on PATH; the message says how to install one."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium and close it in the end. A process can have one at a time; NoChromium without one."""
    executable = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if executable is None:
        raise NoChromium("Chromium is not on PATH; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=executable, args=list(_QUIET))
        yield running
        running.close()

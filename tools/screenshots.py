"""Take the pictures of the explorer that README.md shows, in headless Chromium.

    python -m tools.screenshots [--folder DIR]

The page is the report of every variant of AES on the ATmega128, measured now or taken from the cache. The
pictures go into `docs`, or the named folder. Exit status 3 without a browser.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools.chromium import NoChromium, chromium

import steelyard
from steelyard.catalog.load import load_catalog
from steelyard.report.html import write_report

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = {"explorer.png": "view=memory&is.operation=encrypt"}
"""What is shown, as the page's address keeps it, by the picture's name."""
MEASURED: dict[str, Any] = {
    "primitive": "aes-128",
    "variant": "*",
    "target": "atmega128",
    "toolchain": ["gcc", "clang"],
    "flags": ["-Os", "-O2", "-O3"],
}
WIDTH, HEIGHT = 1280, 860


def main() -> int:
    """Take every picture and print where it is."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--folder", type=Path, default=DOCS, help="where the pictures go (default: docs)")
    folder = asked.parse_args().folder
    try:
        with tempfile.TemporaryDirectory() as made, chromium() as browser:
            report = Path(made, "report.html")
            records = steelyard.measure(**MEASURED, store=Path(made, "store"))
            write_report(records, report, load_catalog())
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, offline=True)
            for name, address in PICTURES.items():
                page.goto("about:blank")
                page.goto(f"{report.as_uri()}#{address}")
                page.wait_for_selector("main[data-drawn]", state="attached")
                page.screenshot(path=folder / name)
                print(folder / name)
    except NoChromium as error:
        print(f"screenshots: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())

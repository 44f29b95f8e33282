"""Print how large the page of a report is and how fast in headless Chromium, beside what it is meant to be.

    python -m tools.page_speed [--store DIR]

Two reports are made in a temporary folder: the default one of the store's records, and one of 100,000 rows.
These rows are synthesised: the records of the store, repeated under other names of chips with scaled
figures, for this measurement only. Exit status 1 where a bar is missed, 3 without a browser or records.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

import polars as pl
from playwright.sync_api import Page
from tools.chromium import NoChromium, chromium

from steelyard.catalog.load import load_catalog
from steelyard.report.html import write_report
from steelyard.report.saved import saved_sections
from steelyard.report.tables import verified_results
from steelyard.store.read import read_records
from steelyard.store.segments import store_folder

ROWS = 100_000
FIRST_PAINT_MS, USABLE_MS, CHOICE_MS, REPORT_MB = 1000, 2000, 200, 4.0
"""The bars; each time is the median of several."""
_LOADS, _CHANGES = 3, 5
_SCALED = ("cycles", "cycles_per_byte", "time_us", "energy_nj", "instructions", "throughput_bytes_per_s")

CHANGES = {
    "search for words": ("input[name=words]", ("aes encrypt", "")),
    "ROM at most": ("input[name=most-rom_bytes]", ("1024", "")),
    "cycles at least": ("input[name=least-cycles]", ("5000", "")),
    "a kind": ('.facet[data-field="kind"] .options input', ("click", "click")),
    "a chip": ('.facet[data-field="target"] .options input', ("click", "click")),
    "another order": ('th[data-name="rom_bytes"] button', ("click", "click")),
}
"""What a reader changes: a control, and what is done to it in turns."""
VIEWS = ("table", "lines", "memory", "heat", "compilers")
"""Views in which every change is timed."""

_CHANGE = """async ([selector, value]) => {
  const main = document.getElementById('main');
  const control = document.querySelector(selector);
  const began = performance.now();
  if (value === 'click') control.click();
  else { control.value = value; control.dispatchEvent(new Event('input')); }
  while (main.dataset.drawn === undefined) await new Promise((done) => setTimeout(done, 1));
  await new Promise((done) => requestAnimationFrame(done));
  return performance.now() - began;
}"""
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def synthesised(records: pl.DataFrame, rows: int) -> pl.DataFrame:
    """Return so many rows: the given ones, repeated under other names of chips and with scaled figures."""
    copies = [
        records.with_columns(
            pl.concat_str("target", pl.lit(f"-{number}" if number else "")).alias("target"),
            *(pl.col(name) * (1 + 0.037 * number) for name in _SCALED),
        )
        for number in range(-(-rows // records.height))
    ]
    return pl.concat(copies).head(rows)


def loaded(page: Page, path: Path, view: str) -> tuple[float, float]:
    """Return the milliseconds to the first paint and until the view is drawn."""
    page.goto("about:blank")
    page.goto(f"{path.as_uri()}#view={view}", wait_until="commit")
    page.wait_for_selector("main[data-drawn]", state="attached", timeout=60_000)
    return page.evaluate(_PAINT), page.evaluate("performance.now()")


def changed(page: Page) -> dict[str, float]:
    """Return the median milliseconds of each change in the view that is shown."""
    for field in ("kind", "target"):
        page.locator(f'.facet[data-field="{field}"] summary').click()
    times: dict[str, float] = {}
    for name, (selector, values) in CHANGES.items():
        if page.locator(selector).count():
            took = [page.evaluate(_CHANGE, [selector, values[i % 2]]) for i in range(2 * _CHANGES)]
            times[name] = statistics.median(took)
    return times


class Bars:
    """Prints figures beside their bars and knows whether all were kept."""

    kept = True

    def show(self, what: str, figure: float, bar: float, unit: str) -> None:
        """Print one line."""
        self.kept &= figure <= bar
        print(f"{what:<44}{figure:>9,.1f} {unit:<3} of {bar:,g} {unit}{'' if figure <= bar else '  MISSED'}")


def main() -> int:
    """Make both reports, look at them, print the lines."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--store", type=Path, help="folder of the records (default: as for steelyard)")
    folder = store_folder(asked.parse_args().store)
    every = read_records(folder, lambda said: print(said, file=sys.stderr))
    usual = pl.col("settings").is_null() & (pl.col("cache_state").fill_null("warm") == "warm")
    records, catalog, bars = every.filter(usual), load_catalog(), Bars()
    if verified_results(records).is_empty():
        print("page_speed: the store has no results; run: make bench", file=sys.stderr)
        return 3
    with tempfile.TemporaryDirectory() as made:
        default, large = Path(made, "default.html"), Path(made, "large.html")
        sections = saved_sections(folder, lambda said: None)
        write_report(records, default, catalog, others=every.filter(~usual), sections=sections)
        size = default.stat().st_size / 1e6
        bars.show(f"default report, {records.height:,} records", size, REPORT_MB, "MB")
        write_report(synthesised(verified_results(records), ROWS), large, catalog)
        print(f"report of {ROWS:,} synthesised rows: {large.stat().st_size / 1e6:.1f} MB")
        print(f"the machine: {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the browser starts")
        try:
            with chromium() as browser:
                look(browser.new_page(viewport={"width": 1400, "height": 900}, offline=True), large, bars)
        except NoChromium as error:
            print(f"page_speed: {error}", file=sys.stderr)
            return 3
    return 0 if bars.kept else 1


def look(page: Page, report: Path, bars: Bars) -> None:
    """Open a report, make every change in every view, print how long each takes."""
    loads = [loaded(page, report, "table") for _ in range(_LOADS)]
    bars.show("first paint", statistics.median(paint for paint, _ in loads), FIRST_PAINT_MS, "ms")
    bars.show("usable", statistics.median(usable for _, usable in loads), USABLE_MS, "ms")
    for view in VIEWS:
        loaded(page, report, view)
        for name, took in changed(page).items():
            bars.show(f"{view}: {name}", took, CHOICE_MS, "ms")


if __name__ == "__main__":
    sys.exit(main())

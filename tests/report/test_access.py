"""Everybody can read the report: by screen reader, keyboard, on a phone, in the dark, on paper."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import motor
import pytest
import synthetic
from browsing import Opened, drawn
from linux.interfere.synthetic import run
from packed import page_data
from playwright.sync_api import Browser, Page
from profiles.made import made

from steelyard.linux.interfere import result
from steelyard.profile.saved import save
from steelyard.report import scenario
from steelyard.report.saved import saved_sections
from steelyard.store.results import save_result

AXE = Path(__file__).parents[2] / "explorer" / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = (
    *(
        "table",
        "pair",
        "failures",
        "lines",
        "heat",
        "modes",
        "spread",
        "memory",
        "parts",
        "compilers",
        "flags",
    ),
    *("energy", "claims", "accuracy", "metrics", "atmega128"),
)
PHONE = {"width": 360, "height": 740}

OpenReport = Callable[..., Opened]


def rows() -> list[Any]:
    return [*synthetic.campaign(), *synthetic.five_ciphers("-Os"), *synthetic.five_ciphers("-O2")]


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong in the page as it is shown now."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed; run: make setup")
    # The page's policy lets no script in; the browser's own tools are not bound by it.
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run(document)")
    return [f"{one['id']}: {node['html'][:160]}" for one in found["violations"] for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_has_a_violation(open_report: OpenReport, scheme: Any) -> None:
    opened = open_report(rows())
    page = opened.page
    page.emulate_media(color_scheme=scheme)
    opened.show("table", primitive=["md5", "idea"], cycles=(1, None))
    page.locator(".facet summary").first.click()
    assert violations(page) == []
    for view in VIEWS if scheme == "light" else ("lines", "heat", "claims"):
        page.locator(f'nav [data-view="{view}"]').click()
        drawn(page)
        assert (view, violations(page)) == (view, [])
    opened.show("table")
    page.locator("#results .open-row").first.click()
    page.wait_for_selector("dialog.details .command")
    assert violations(page) == []
    assert opened.errors == []


def test_what_other_commands_saved_has_no_violation(open_report: OpenReport, tmp_path: Path) -> None:
    """A flame graph, a scene, a control loop on Linux, sweeps, boards, records of a device."""
    store = tmp_path / "store"
    save(store, "made", made())
    save_result(store, scenario.KIND, "motor speed", motor.scene())
    interfered = run("aes-128", 7_000)
    save_result(store, result.KIND, result.name_of(interfered), interfered)
    measured = [
        synthetic.measured(target="stm32f407"),
        synthetic.measured(target="aarch64", device="local", tier="host", clock_hz=None, cycles=None),
    ]
    others = [
        synthetic.measured(target="sa1110", settings=f"icache.size={size}", cycles=cycles)
        for size, cycles in (("1K", 900.0), ("4K", 700.0))
    ]
    opened = open_report(measured, sections=saved_sections(store, print), others=others)
    views = [word.get_attribute("data-view") for word in opened.page.locator("nav [data-view]").all()]
    expected = {"profile-1", "scene-1-motor-speed", "interference", "sweeps", "boards", "devices"}
    assert expected <= set(views)
    for view in views:
        opened.page.locator(f'nav [data-view="{view}"]').click()
        drawn(opened.page)
        assert (view, violations(opened.page)) == (view, [])
    assert opened.errors == []


def test_the_check_sees_a_planted_violation(open_report: OpenReport) -> None:
    page = open_report(rows()).page
    page.evaluate("document.querySelector('input[type=search]').closest('label').replaceWith("
                  "document.querySelector('input[type=search]'))")  # fmt: skip
    page.evaluate("document.querySelector('input[type=search]').removeAttribute('placeholder')")
    assert any(one.startswith("label:") for one in violations(page))


def test_a_phone_shows_primitive_chip_and_cycles_without_moving_sideways(
    open_report: OpenReport, browser: Browser
) -> None:
    path = open_report(rows()).path
    page = browser.new_page(viewport=PHONE, offline=True)
    for view in ("table", "lines", "memory", "heat", "atmega128", "accuracy"):
        page.goto("about:blank")
        page.goto(f"{path.as_uri()}#view={view}")
        drawn(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], view
    page.goto("about:blank")
    page.goto(path.as_uri())
    drawn(page)
    heads = page.locator("#results th")
    assert [heads.nth(i).get_attribute("data-name") for i in range(3)] == ["primitive", "target", "cycles"]
    for i in (0, 1):
        box = heads.nth(i).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= PHONE["width"]
    page.close()


def test_the_dark_page_is_dark_and_its_plots_are_readable(open_report: OpenReport) -> None:
    opened = open_report(rows())
    page = opened.page
    page.emulate_media(color_scheme="dark")
    opened.show("lines", primitive="md5")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, paper.removeprefix("rgb(").removesuffix(")").split(","))) < 150
    label = page.locator(".plot svg .role-axis-label text").first.get_attribute("fill")
    assert label == page_data(opened.path)["themes"]["dark"]["axis"]["labelColor"]


def test_a_printed_table_has_its_rows_and_no_controls(open_report: OpenReport) -> None:
    opened = open_report(rows())
    page = opened.show("table", primitive="aes-128", target="atmega128")
    shown = page.locator("#results .count").inner_text().split()[0]
    pdf = page.pdf(prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    assert io.BytesIO(pdf).getbuffer().nbytes > 10_000
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#results tr.row").count() == int(shown)
    for control in ("nav", ".panel", ".copier"):
        assert not page.locator(control).first.is_visible()

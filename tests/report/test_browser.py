"""The report in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import synthetic
from browsing import Opened
from markupsafe import Markup
from playwright.sync_api import Locator, Page, expect
from synthetic import five_ciphers

from steelyard.catalog.load import Catalog
from steelyard.record.schema import Record
from steelyard.report import html

OpenReport = Callable[..., Opened]

MISSING = "\N{EN DASH}"
CHARTS = ("length", "rom", "ram", "compilers")


def column(table: Locator, name: str) -> list[str]:
    """Texts of a column of a results table, top to bottom."""
    names = table.locator("thead th").evaluate_all("cells => cells.map(cell => cell.dataset.name)")
    position = names.index(name)
    texts: list[str] = table.locator("tr.row").evaluate_all(
        "(rows, position) => rows.map(row => row.cells[position].innerText.trim())", position
    )
    return texts


def numbers(texts: list[str]) -> list[float]:
    return [float(text.replace(",", "")) for text in texts if text != MISSING]


def sort_by(table: Locator, name: str) -> None:
    table.locator(f'th[data-name="{name}"] button').click()


def show_everything(page: Page) -> Locator:
    rest = page.locator("#results .more button")
    if rest.count():
        rest.click()
    return page.locator("#results table")


def check_nothing_from_outside(opened: Opened) -> None:
    assert opened.requests == [opened.path.as_uri()]
    assert opened.errors == []


def check_sorting(page: Page) -> None:
    table = show_everything(page)
    sort_by(table, "cycles")
    ascending = numbers(column(table, "cycles"))
    assert ascending == sorted(ascending)
    sort_by(table, "cycles")
    assert numbers(column(table, "cycles")) == sorted(ascending, reverse=True)


def check_charts(page: Page) -> None:
    for chart in CHARTS:
        marks = page.locator(
            f"#chart-{chart} .plot svg .mark-line path, #chart-{chart} .plot svg .role-mark path"
        )
        expect(marks.first).to_be_attached()
        boxes = [marks.nth(i).bounding_box() for i in range(marks.count())]
        assert any(box and (box["width"] > 1 or box["height"] > 1) for box in boxes), chart


def tamper(monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str) -> None:
    """Let the report be made with a fault planted in one of its templates."""
    honest = html._template_text

    def tampered(asked: str) -> Markup:
        text = honest(asked)
        if asked != name:
            return text
        assert old in text
        return Markup(str(text).replace(old, new))

    monkeypatch.setattr(html, "_template_text", tampered)


def test_loads_without_network_or_errors(open_report: OpenReport) -> None:
    opened = open_report(synthetic.campaign())
    check_charts(opened.page)
    check_nothing_from_outside(opened)


def test_a_publication_has_its_own_section(open_report: OpenReport) -> None:
    opened = open_report([*five_ciphers("-Os"), *five_ciphers("-O2")])
    page = opened.page
    for number in (1, 2, 3, 4):
        expect(
            page.locator(f"#atmega128 #chart-atmega128-{number} .plot svg .mark-rect path").first
        ).to_be_attached()
    expect(page.locator("#atmega128 .claims tbody tr")).to_have_count(18)
    # A bar for each cipher and direction, and what is printed of MARS and Serpent.
    page.locator("#chart-atmega128-4 select[name=flags]").select_option(label="-O2")
    expect(page.locator("#chart-atmega128-4 .plot svg .mark-rect path")).to_have_count(10 + 4)
    check_nothing_from_outside(opened)


def test_outside_check_sees_a_planted_request(
    open_report: OpenReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    tamper(
        monkeypatch,
        "report.js",
        "'use strict';",
        "'use strict'; new Image().src = 'https://example.org/x.png';",
    )
    opened = open_report(synthetic.campaign())
    check_charts(opened.page)
    with pytest.raises(AssertionError):
        check_nothing_from_outside(opened)


def test_charts_check_sees_empty_plots(open_report: OpenReport, monkeypatch: pytest.MonkeyPatch) -> None:
    tamper(monkeypatch, "report.js", "data: { name: 'rows', values }", "data: { name: 'rows', values: [] }")
    opened = open_report(synthetic.campaign())
    opened.page.set_default_timeout(2000)
    expect.set_options(timeout=2000)
    try:
        with pytest.raises(AssertionError):
            check_charts(opened.page)
    finally:
        expect.set_options(timeout=None)


def test_line_per_primitive_and_choice_of_target(open_report: OpenReport) -> None:
    page = open_report(synthetic.campaign()).page
    chart = page.locator("#chart-length")
    expect(chart.locator("select[name=operation] option:checked")).to_have_text("encrypt CBC")
    chart.locator("select[name=operation]").select_option(label="encrypt CBC")
    block_ciphers = sum(kind == "block" for kind, *_ in synthetic.PRIMITIVES.values())
    expect(chart.locator(".plot svg .mark-line path")).to_have_count(block_ciphers)
    chart.locator("select[name=primitive]").select_option(label="idea")
    chart.locator("select[name=target]").select_option(label="all")
    expect(chart.locator(".plot svg .mark-line path")).to_have_count(len(synthetic.CLOCKS_HZ))


def test_cycles_sort_as_numbers(open_report: OpenReport) -> None:
    check_sorting(open_report(synthetic.campaign()).page)


def test_sort_check_sees_sorting_as_text(open_report: OpenReport, monkeypatch: pytest.MonkeyPatch) -> None:
    tamper(monkeypatch, "report.js", "return a - b;\n", "return String(a) < String(b) ? -1 : 1;\n")
    page = open_report(synthetic.campaign()).page
    with pytest.raises(AssertionError):
        check_sorting(page)


def test_keyboard_alone_sorts_and_opens(open_report: OpenReport) -> None:
    page = open_report(synthetic.campaign()).page
    table = page.locator("#results table")
    table.locator('th[data-name="cycles"] button').focus()
    page.keyboard.press("Enter")
    expect(table.locator('th[data-name="cycles"]')).to_have_attribute("aria-sort", "ascending")
    page.keyboard.press("Enter")
    expect(table.locator('th[data-name="cycles"]')).to_have_attribute("aria-sort", "descending")
    table.locator("tr.row .open-row").first.focus()
    page.keyboard.press("Enter")
    expect(table.locator("tr.details")).to_have_count(1)
    expect(table.locator("tr.row .open-row").first).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Enter")
    expect(table.locator("tr.details")).to_have_count(0)


def test_missing_numbers_stay_last(open_report: OpenReport) -> None:
    page = open_report(synthetic.campaign()).page
    table = show_everything(page)
    for _ in range(2):
        sort_by(table, "cycles_per_byte")
        shown = column(table, "cycles_per_byte")
        first_missing = shown.index(MISSING)
        assert set(shown[first_missing:]) == {MISSING}


def test_filters_narrow_and_clear(open_report: OpenReport) -> None:
    rows = synthetic.campaign()
    page = open_report(rows).page
    results = page.locator("#results")
    table = show_everything(page)
    results.locator("select[name=target]").select_option(label="atmega103")
    results.locator("select[name=mode]").select_option(label="none")
    assert set(column(table, "target")) == {"atmega103"}
    assert set(column(table, "mode")) == {MISSING}
    results.locator("input[type=search]").fill("IDEA decrypt")
    wanted = [
        row
        for row in rows
        if row["target"] == "atmega103" and row["primitive"] == "idea" and row["operation"] == "decrypt"
    ]
    assert len(column(table, "primitive")) == len(wanted) > 0
    results.get_by_role("button", name="clear filters").click()
    verified = sum(row["status"] == "ok" for row in rows)
    expect(results.locator(".more")).to_contain_text(f"{verified} of {verified} rows")


def test_row_tells_where_its_number_comes_from(open_report: OpenReport) -> None:
    row = synthetic.measured(flags="-O3 -fno-inline", source_hash="ab" * 32)
    page = open_report([row]).page
    page.locator("#results tr.row").click()
    details = page.locator("#results tr.details")
    for name in (
        "source_hash",
        "toolchain_version",
        "flags",
        "timing_version",
        "steelyard_commit",
        "input_seed",
        "samples",
        "date",
        "verified_by",
    ):
        expect(details.get_by_text(str(row[name]), exact=True).first).to_be_visible()
    command = details.locator(".command").inner_text()
    assert command.startswith("steelyard measure ")
    assert "--primitive=aes-128" in command
    assert "'--flags=-O3 -fno-inline'" in command


def test_wrong_and_unverified_outputs_are_never_numbers(open_report: OpenReport) -> None:
    wrong = synthetic.measured(
        primitive="aes-192", status="wrong-output", verified=False, error="block 1 differs", cycles=123457.0
    )
    unverified = synthetic.measured(primitive="of-somebody", verified=False, cycles=765431.0)
    opened = open_report([synthetic.measured(), wrong, unverified])
    text = opened.path.read_text(encoding="utf-8")
    for number in ("123457", "123,457", "765431", "765,431", "of-somebody"):
        assert number not in text
    assert column(opened.page.locator("#results table"), "primitive") == ["aes-128"]
    expect(opened.page.locator("#results")).to_contain_text("1 unverified record is left out")
    failure = opened.page.locator("#failures tr.row")
    expect(failure).to_contain_text("wrong-output")
    expect(failure).to_contain_text("block 1 differs")
    expect(opened.page.locator("#overview")).to_contain_text("wrong output")


def test_broken_and_legacy_primitives_are_marked(open_report: OpenReport) -> None:
    page = open_report(synthetic.campaign()).page
    for section in ("#overview", "#results"):
        rows = page.locator(f"{section} tbody tr")
        expect(rows.filter(has_text="idea").first.locator(".mark")).to_have_text("legacy")
        expect(page.locator(f"{section} tbody tr", has_text="aes-256").first.locator(".mark")).to_have_count(
            0
        )
    page.locator("#results select[name=primitive]").select_option(label="md5")
    expect(page.locator("#results tr.row").first.locator(".mark")).to_have_text("broken")


HOSTILE = (
    '"><img src=x onerror=window.harmed=1>',
    "</script><script>window.harmed=1</script>",
    "<!--<script>",
    "'; alert(1); //",
    "{{ 7 * 7 }}",
)


def test_markup_in_records_stays_text(open_report: OpenReport) -> None:
    rows: list[Record] = []
    for text in HOSTILE:
        hostile: Record = dict.fromkeys(
            ("primitive", "variant", "target", "toolchain", "flags", "timing_version", "steelyard_version"),
            text,
        )
        rows.append(synthetic.measured(**hostile))
        rows.append(synthetic.failed("build-failed", text, **hostile))
    opened = open_report(rows)
    page = opened.page
    check_nothing_from_outside(opened)
    assert page.evaluate("window.harmed") is None
    assert page.locator("img").count() == 0
    assert set(column(page.locator("#results table"), "primitive")) == set(HOSTILE)
    assert set(column(page.locator("#failures table"), "error")) == set(HOSTILE)
    for row in page.locator("#failures .open-row").all():
        row.click()
    assert page.evaluate("window.harmed") is None


def test_few_thousand_rows_stay_responsive(open_report: OpenReport) -> None:
    rows = synthetic.campaign() * 8
    page = open_report(rows).page
    assert page.locator("#results tr.row").count() < len(rows)
    page.locator("#results input[type=search]").fill("sha-1 attiny45")
    shown = column(page.locator("#results table"), "target")
    assert shown
    assert set(shown) == {"attiny45"}


def test_no_result_at_all(open_report: OpenReport) -> None:
    opened = open_report([synthetic.failed("build-failed", "error: no such instruction")])
    check_nothing_from_outside(opened)
    expect(opened.page.locator("#results")).to_contain_text("No verified result")
    expect(opened.page.locator("#failures")).to_contain_text("no such instruction")
    assert opened.page.locator(".plot").count() == 0


def test_catalogue_tells_accuracy_and_authority(open_report: OpenReport, catalog: Catalog) -> None:
    page = open_report(synthetic.campaign(), catalog=catalog).page
    card = page.locator("#accuracy .card").filter(has_text="atmega103")
    target = catalog.target("atmega103").file
    for line in (target.tier, *target.evidence, *target.known_gaps):
        expect(card.get_by_text(line, exact=True)).to_be_visible()
    page.locator("#results select[name=primitive]").select_option(label="md5")
    mark = page.locator("#results tr.row .mark").first
    expect(mark).to_have_attribute("title", catalog.primitive("md5").authority)

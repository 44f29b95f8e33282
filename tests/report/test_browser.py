"""The report in a real browser."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from collections.abc import Callable

import pytest
import synthetic
from browsing import MISSING, Opened, column, drawn, figures, number
from packed import everything
from playwright.sync_api import Locator, Page, expect
from synthetic import five_ciphers

from steelyard.catalog.load import Catalog
from steelyard.record.schema import Record
from steelyard.report import html

OpenReport = Callable[..., Opened]

MARKS = ".plot svg .mark-line path, .plot svg .role-mark path"
PLOTS = ("lines", "modes", "spread", "memory", "parts", "compilers", "energy")
VIEWS = (*PLOTS, "table", "pair", "failures", "heat", "accuracy", "metrics")


def check_nothing_from_outside(opened: Opened) -> None:
    assert set(opened.requests) <= {opened.path.as_uri(), "about:blank"}
    assert opened.errors == []


def check_marks(page: Page) -> None:
    marks = page.locator(MARKS)
    expect(marks.first).to_be_attached()
    boxes = [marks.nth(i).bounding_box() for i in range(min(marks.count(), 12))]
    assert any(box and (box["width"] > 1 or box["height"] > 1) for box in boxes)


def tamper(monkeypatch: pytest.MonkeyPatch, pattern: str, new: str) -> None:
    """Let reports be made with a fault planted in the program of their page."""
    program = html.explorer()
    script, count = re.subn(pattern, lambda _: new, program.script)
    assert count == 1
    monkeypatch.setattr(html, "explorer", lambda: dataclasses.replace(program, script=script))


def count_of(page: Page) -> str:
    return page.locator("main .count").first.inner_text()


def choose(page: Page, field: str, *values: str) -> None:
    """Tick values of a field in the panel of choices."""
    facet = page.locator(f'.facet[data-field="{field}"]')
    if facet.get_attribute("open") is None:
        facet.locator("summary").click()
    for value in values:
        facet.locator("label.check").filter(has=page.get_by_text(value, exact=True)).locator("input").click()
        drawn(page)


def sort_by(table: Locator, name: str) -> None:
    table.locator(f'th[data-name="{name}"] button').click()
    drawn(table.page)


def test_every_view_is_drawn_without_network_or_errors(open_report: OpenReport) -> None:
    opened = open_report(synthetic.campaign())
    page = opened.page
    offered = page.locator("nav button").evaluate_all("words => words.map(word => word.dataset.view)")
    assert set(offered) == set(VIEWS)
    for view in VIEWS:
        page.locator(f'nav [data-view="{view}"]').click()
        drawn(page)
        expect(page.locator(f"#view-{view} h2")).to_be_visible()
        expect(page.locator(f'nav [data-view="{view}"]')).to_have_attribute("aria-current", "page")
        if view in PLOTS:
            check_marks(page)
    page.go_back()
    expect(page.locator("#view-accuracy")).to_be_visible()
    check_nothing_from_outside(opened)


def test_outside_check_sees_a_planted_request(
    open_report: OpenReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = html.explorer()
    fetching = f"new Image().src = 'https://example.org/x.png'; {program.script}"
    monkeypatch.setattr(html, "explorer", lambda: dataclasses.replace(program, script=fetching))
    opened = open_report(synthetic.campaign())
    with pytest.raises(AssertionError):
        check_nothing_from_outside(opened)


def test_marks_check_sees_empty_plots(open_report: OpenReport, monkeypatch: pytest.MonkeyPatch) -> None:
    tamper(monkeypatch, r"name:`rows`,values:\w+", "name:`rows`,values:[]")
    opened = open_report(synthetic.campaign())
    opened.show("parts")
    expect.set_options(timeout=1000)
    try:
        with pytest.raises(AssertionError):
            check_marks(opened.page)
    finally:
        expect.set_options(timeout=None)


def test_a_publication_has_its_own_view_and_its_claims(open_report: OpenReport) -> None:
    opened = open_report([*five_ciphers("-Os"), *five_ciphers("-O2")])
    page = opened.show("atmega128")
    for place in (1, 2, 3, 4):
        expect(page.locator(f"#chart-atmega128-{place} .plot svg .mark-rect path").first).to_be_attached()
    expect(page.locator("#view-atmega128 .claims tbody tr")).to_have_count(18)
    # A bar for each cipher and direction, and what is printed of MARS and Serpent.
    page.locator("#chart-atmega128-4 select[name=flags]").select_option(label="-O2")
    expect(page.locator("#chart-atmega128-4 .plot svg .mark-rect path")).to_have_count(10 + 4)
    opened.show("claims", options={"claims.verdict": "fails"})
    verdicts = page.locator("#view-claims .claims tbody tr td:nth-child(3)").all_inner_texts()
    assert set(verdicts) == {"fails"}
    check_nothing_from_outside(opened)


def test_a_line_for_each_primitive_and_chip(open_report: OpenReport) -> None:
    opened = open_report(synthetic.campaign())
    page = opened.show("lines", primitive="idea", mode="cbc")
    lines = page.locator(".plot svg .mark-line path")
    expect(lines).to_have_count(len(synthetic.CLOCKS_HZ))
    colours = lines.evaluate_all("lines => lines.map(line => line.getAttribute('stroke'))")
    assert len(set(colours)) == len(synthetic.CLOCKS_HZ)
    shown = figures(page, "Cycles per byte by message length")
    assert shown[0][1:] == [f"{length:,}" for length in synthetic.LENGTHS_BYTES]
    rows = [row for row in synthetic.campaign() if (row["primitive"], row["mode"]) == ("idea", "cbc")]
    for name, *texts in shown[1:]:
        for length, text in zip(synthetic.LENGTHS_BYTES, texts, strict=True):
            least = min(
                row["cycles_per_byte"]
                for row in rows
                if row["target"] in name.split(" · ") and row["message_bytes"] == length
            )
            assert number(text) == pytest.approx(least, rel=0.01)
    page.locator("select[name='a line for']").select_option(label="each build")
    expect(lines).to_have_count(2 * len(synthetic.CLOCKS_HZ))
    assert "o.lines.each=build" in page.url


def test_cycles_sort_as_numbers_and_missing_ones_stay_last(open_report: OpenReport) -> None:
    opened = open_report(synthetic.campaign())
    page = opened.show("table", primitive="md5")
    table = page.locator("#results table")
    sort_by(table, "cycles")
    ascending = [number(text) for text in column(table, "cycles")]
    assert ascending == sorted(ascending)
    sort_by(table, "cycles")
    descending = [number(text) for text in column(table, "cycles")]
    assert descending == sorted(descending, reverse=True)
    opened.show("table", primitive="aes-128", target="atmega128")
    for _ in range(2):
        sort_by(table, "cycles_per_byte")
        shown = column(table, "cycles_per_byte")
        assert set(shown[shown.index(MISSING) :]) == {MISSING}


def test_keyboard_alone_sorts_opens_and_closes(open_report: OpenReport) -> None:
    page = open_report(synthetic.campaign()).page
    table = page.locator("#results table")
    head = table.locator('th[data-name="cycles"]')
    head.locator("button").focus()
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    expect(head.locator("button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    first = table.locator("tr.row .open-row").first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog.details")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.details")).not_to_be_visible()
    expect(first).to_be_focused()
    page.locator(".facet summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".facet .options input").first).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(page).to_have_url(re.compile("is.kind="))


def test_choices_narrow_are_kept_in_the_address_and_clear(open_report: OpenReport) -> None:
    rows = synthetic.campaign()
    opened = open_report(rows)
    page = opened.page
    table = page.locator("#results table")
    choose(page, "target", "atmega103", "attiny45")
    choose(page, "mode", "none")
    assert set(column(table, "target")) == {"atmega103", "attiny45"}
    assert "mode" not in table.locator("th").evaluate_all("cells => cells.map(cell => cell.dataset.name)")
    page.locator("input[name=words]").fill("IDEA decrypt")
    page.locator("input[name=most-cycles]").fill("7000")
    drawn(page)
    wanted = [
        row
        for row in rows
        if row["target"] in ("atmega103", "attiny45")
        and (row["primitive"], row["operation"]) == ("idea", "decrypt")
        and row["cycles"] <= 7000
    ]
    assert wanted
    verified = sum(row["status"] == "ok" for row in rows)
    assert count_of(page) == f"{len(wanted)} of {verified} records"
    assert page.url.count("&") == 3
    other = page.context.new_page()
    other.goto(page.url)
    drawn(other)
    assert count_of(other) == f"{len(wanted)} of {verified} records"
    assert other.locator("input[name=most-cycles]").input_value() == "7000"
    page.get_by_role("button", name="clear choices").click()
    drawn(page)
    assert count_of(page) == f"{verified} of {verified} records"


def test_a_limit_of_time_is_in_milliseconds(open_report: OpenReport) -> None:
    page = open_report(synthetic.campaign()).page
    page.locator("input[name=most-time_us]").fill("0.5")
    drawn(page)
    within = sum(row["status"] == "ok" and row["time_us"] <= 500 for row in synthetic.campaign())
    assert count_of(page).startswith(f"{within} of ")


def test_row_tells_where_its_number_comes_from(open_report: OpenReport) -> None:
    row = synthetic.measured(flags="-O3 -fno-inline", source_hash="ab" * 32)
    page = open_report([row]).page
    page.locator("#results tr.row").click()
    details = page.locator("dialog.details")
    for name in (
        *("source_hash", "toolchain_version", "flags", "timing_version", "steelyard_commit"),
        *("input_seed", "samples", "date", "verified_by"),
    ):
        expect(details.get_by_text(str(row[name]), exact=True).first).to_be_visible()
    command = details.locator(".command").inner_text()
    assert command.startswith("steelyard measure ")
    assert "--primitive=aes-128" in command
    assert "'--flags=-O3 -fno-inline'" in command
    expect(details.get_by_text("block_encrypt").first).to_be_visible()
    kept = page.url
    page.goto("about:blank")
    page.goto(kept)
    expect(details.locator(".command")).to_have_text(command)


def test_wrong_and_unverified_outputs_are_never_numbers(open_report: OpenReport) -> None:
    wrong = synthetic.measured(
        primitive="aes-192", status="wrong-output", verified=False, error="block 1 differs", cycles=123457.0
    )
    unverified = synthetic.measured(primitive="of-somebody", verified=False, cycles=765431.0)
    opened = open_report([synthetic.measured(), wrong, unverified])
    text = everything(opened.path)
    assert "3200" in text
    for figure in ("123457", "123,457", "765431", "765,431", "of-somebody"):
        assert figure not in text
    page = opened.page
    assert column(page.locator("#results table"), "primitive") == ["aes-128"]
    expect(page.locator("main")).to_contain_text("1 unverified record is left out")
    opened.show("failures")
    failure = page.locator("#failures tr.row")
    expect(failure).to_contain_text("wrong-output")
    expect(failure).to_contain_text("block 1 differs")
    opened.show("heat")
    expect(page.locator("table.heat")).to_contain_text("wrong output")


def test_broken_and_legacy_primitives_are_marked(open_report: OpenReport) -> None:
    opened = open_report(synthetic.campaign())
    for view, rows in (("table", "#results tr.row"), ("heat", "table.heat tbody tr")):
        for primitive, mark in (("idea", "legacy"), ("md5", "broken")):
            page = opened.show(view, primitive=primitive)
            expect(page.locator(f"{rows} .mark").first).to_have_text(mark)
        page = opened.show(view, primitive="aes-256")
        expect(page.locator(rows).first).to_be_visible()
        expect(page.locator(f"{rows} .mark")).to_have_count(0)


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
        rows.append(synthetic.measured(**{**hostile, "operation": "decrypt"}))
        rows.append(synthetic.failed("build-failed", text, **hostile))
    opened = open_report(rows)
    page = opened.page
    assert set(column(page.locator("#results table"), "primitive")) == set(HOSTILE)
    for place in range(len(HOSTILE)):
        page.locator("#results .open-row").nth(2 * place).click()
        expect(page.locator("dialog.details .command")).to_be_visible()
        page.keyboard.press("Escape")
    choose(page, "target", *HOSTILE[:2])
    for view in ("lines", "memory", "parts", "heat", "spread", "energy", "accuracy"):
        opened.show(view)
    marks = page.locator("#view-accuracy .card")
    expect(marks).to_have_count(len(HOSTILE))
    opened.show("failures")
    assert set(column(page.locator("#failures table"), "error")) == set(HOSTILE)
    assert page.evaluate("window.harmed") is None
    assert page.locator("img").count() == 0
    check_nothing_from_outside(opened)


def test_no_result_at_all(open_report: OpenReport) -> None:
    opened = open_report([synthetic.failed("build-failed", "error: no such instruction")])
    expect(opened.page.locator("main")).to_contain_text("No verified result")
    opened.show("failures")
    expect(opened.page.locator("#failures")).to_contain_text("no such instruction")
    assert opened.page.locator("nav button").count() == 4
    check_nothing_from_outside(opened)


def test_no_record_at_all(open_report: OpenReport) -> None:
    opened = open_report([])
    expect(opened.page.locator("main")).to_contain_text("No verified result")
    check_nothing_from_outside(opened)


def test_catalogue_tells_accuracy_and_authority(open_report: OpenReport, catalog: Catalog) -> None:
    opened = open_report(synthetic.campaign(), catalog=catalog)
    page = opened.show("accuracy")
    card = page.locator(".card").filter(has_text="atmega103")
    target = catalog.target("atmega103").file
    for line in (target.tier, *target.evidence, *target.known_gaps):
        expect(card.get_by_text(line, exact=True)).to_be_visible()
    opened.show("table", primitive="md5")
    mark = page.locator("#results tr.row .mark").first
    expect(mark).to_have_attribute("title", catalog.primitive("md5").authority)


def test_what_is_chosen_is_copied_in_three_forms(open_report: OpenReport) -> None:
    opened = open_report(synthetic.campaign())
    page = opened.show("table", primitive="rc4-128", toolchain="gcc", sort="~cycles")
    copied = {}
    for form in ("CSV", "Markdown", "LaTeX"):
        page.locator("#results .copier").get_by_role("button", name=form).click()
        expect(page.locator("#results .copier")).to_contain_text("rows copied")
        copied[form] = page.evaluate("navigator.clipboard.readText()")
    wanted = sorted(
        (
            row["cycles"]
            for row in synthetic.campaign()
            if (row["primitive"], row["toolchain"], row["status"]) == ("rc4-128", "gcc", "ok")
        ),
        reverse=True,
    )
    rows = list(csv.DictReader(io.StringIO(copied["CSV"])))
    assert [float(row["cycles"]) for row in rows] == wanted
    assert copied["Markdown"].splitlines()[2].startswith("| rc4-128 | rc4/plain |")
    assert f"{wanted[0]:,.0f}" in copied["LaTeX"].splitlines()[4]


def test_a_long_table_draws_only_what_is_in_sight(open_report: OpenReport) -> None:
    rows = [synthetic.measured(input_seed=str(i), cycles=1000.0 + i) for i in range(3000)]
    opened = open_report(rows)
    page = opened.show("table", sort="cycles")
    table = page.locator("#results table")
    expect(table).to_have_attribute("aria-rowcount", "3001")
    assert table.locator("tr.row").count() < 60
    assert column(table, "cycles")[0] == "1,000"
    page.locator("#results .scroll").evaluate("place => place.scrollTop = place.scrollHeight")
    expect(table.locator("tr.row").last).to_contain_text("3,999")
    expect(table.locator("tr.row").last).to_have_attribute("aria-rowindex", "3001")
    assert table.locator("tr.row").count() < 60


def test_two_records_are_explained_beside_each_other(open_report: OpenReport) -> None:
    slow = synthetic.measured(
        variant="aes/compact",
        cycles=6400.0,
        functions='[{"name":"block_encrypt","cycles":1000,"instructions":9},'
        '{"name":"mix","cycles":5400,"instructions":99}]',
    )
    page = open_report([synthetic.measured(), slow]).page
    page.locator("#results tr.row").first.click()
    page.get_by_role("button", name="Keep to compare").click()
    page.locator("#results tr.row").nth(1).click()
    page.get_by_role("button", name="Why is it faster or slower").click()
    drawn(page)
    names = [row[0] for row in figures(page, "Cycles by function")[1:]]
    assert set(names) == {"block_encrypt", "mix"}
    assert names[0] == "mix"
    first = column_of(figures(page, "Where they differ"), "field")
    assert "variant" in first
    assert "target" not in first
    expect(page.locator(".said")).to_contain_text("mix")
    ratio = 2 if "aes/compact" in page.locator(".more").nth(0).inner_text().split("Second")[1] else 0.5
    expect(page.locator(".said")).to_contain_text("+100.0 %" if ratio == 2 else "50.0 %")


def column_of(rows: list[list[str]], heading: str) -> list[str]:
    place = rows[0].index(heading)
    return [row[place] for row in rows[1:]]

"""The report's section: made of what was saved, and nothing without it."""

from __future__ import annotations

from pathlib import Path

from linux.interfere.synthetic import run
from report.packed import blocks, everything
from report.synthetic import picture

from steelyard.linux.interfere import result
from steelyard.report import html, interference
from steelyard.report.bundle import Explorer
from steelyard.report.saved import saved_sections
from steelyard.store.read import frame_schema
from steelyard.store.results import save_result


def test_tables_say_what_encryption_adds() -> None:
    made = interference.section([run("aes-128", 7_000), run("speck-64-128")])
    assert made is not None
    latencies, differences = made.lines
    assert latencies.title.startswith("Latencies and misses: local; period 1 ms, work 100 us, priority 80")
    assert [line[:2] for line in latencies.rows] == [
        ("aes-128 CTR", "without"), ("aes-128 CTR", "with"),
        ("speck-64-128 CTR", "without"), ("speck-64-128 CTR", "with"),
    ]  # fmt: skip
    aes, speck = (dict(zip(differences.headings, row, strict=True)) for row in differences.rows)
    assert aes["Response time, mean, us"].startswith(("+6.", "+7."))
    assert "none found" not in aes["Response time, mean, us"]
    assert speck["Response time, mean, us"].endswith("none found")
    assert all(len(row) == len(table.headings) for table in made.lines for row in table.rows)


def test_plots_hold_every_period_and_can_be_drawn() -> None:
    row = run("aes-128", 7_000)
    made = interference.section([row])
    assert made is not None
    histogram, added = made.charts
    jobs = row["jobs_without"], row["jobs_with"]
    assert histogram.rows["periods"].sum() == 2 * sum(int(count or 0) for count in jobs)
    assert set(added.rows["quantity"]) == {
        "wake-up latency, mean", "wake-up latency, 99th percentile",
        "response time, mean", "response time, 99th percentile",
    }  # fmt: skip
    for chart in made.charts:
        rows = [{**one, "series": one["primitive"]} for one in chart.rows.to_dicts()]
        assert picture(chart, rows).count("<path") > 10


def test_a_failed_run_has_no_figures() -> None:
    assert interference.section([run("aes-128", status="failed", scheduler=None)]) is None
    assert interference.section([]) is None


def test_what_was_saved_is_in_the_page(tmp_path: Path) -> None:
    import polars as pl

    for primitive in ("aes-128", "speck-64-128"):
        row = run(primitive)
        save_result(tmp_path, result.KIND, result.name_of(row), row)
    sections = saved_sections(tmp_path, lambda sentence: None)
    none = pl.DataFrame(schema=frame_schema())
    program = Explorer(script="", style="")
    path = tmp_path / "page.html"
    path.write_text(
        html.render(none, None, program=program, plotting="", title="A report", sections=sections), "utf-8"
    )
    held = everything(path)
    assert "interference" in blocks(path)["page"].decode()
    for said in ("A control task beside encryption", "speck-64-128 CTR", "interference-histogram"):
        assert said in held
    assert saved_sections(tmp_path / "none", lambda sentence: None) == ()

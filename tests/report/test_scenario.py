"""Scenes in the report: tables and plots of what was saved, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsing import Opened
from motor import EVIL, LATENCIES_S, scene
from playwright.sync_api import expect

from steelyard.report import scenario
from steelyard.report.saved import saved_sections
from steelyard.report.section import Section
from steelyard.store.results import save_result


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Section, ...]:
    store = tmp_path / "store"
    save_result(store, scenario.KIND, "motor speed", scene())
    save_result(
        store,
        scenario.KIND,
        "no plants",
        scene(title="Sensors", protections=bare(), timelines={}, changes=["bus.radio.backoffs=0"]),
    )
    (store / "result-v1-scenario-cut-0123456789ab.json").write_text("{")
    sentences: list[str] = []
    made = saved_sections(store, sentences.append)
    assert len(sentences) == 1
    return made


def bare() -> list[dict[str, Any]]:
    return [
        {
            "name": "none",
            "within_limits": True,
            "problems": [],
            "loops": {},
            "energy_j_per_day": {"node": 3.5},
        }
    ]


def test_tables_compare_protections(saved: tuple[Section, ...]) -> None:
    motor, sensors = saved
    assert motor.note.endswith("It is small. Loop speed: It grows.")
    system, loops, problems = motor.lines
    by_name = {row[1]: dict(zip(system.headings, row, strict=True)) for row in system.rows}
    assert by_name["none"]["Within limits"] == "yes"
    assert by_name["none"]["Busiest device"] == "21.0% (drive)"
    assert by_name["sm2"]["Within limits"] == "no"
    assert by_name["sm2"]["Late or lost"] == "40"
    assert any(name == "sm2" and said.startswith("the loop is unstable") for said, name in problems.rows)
    assert {name for _, name in problems.rows} == {"serpent-128 cbc", "sm2"}
    quality = {row[0]: dict(zip(loops.headings, row, strict=True)) for row in loops.rows}
    assert quality["sm2"]["Loop"] == "speed, unstable"
    assert quality["sm2"]["Settling"] == "\N{EN DASH}"
    assert quality["sm2"]["Delay margin"].startswith("-")
    assert float(quality["serpent-128 cbc"]["Overshoot, %"]) > float(quality["none"]["Overshoot, %"])
    assert quality["aes-128-ccm"]["At most"] == "2 ms"
    (only,) = sensors.lines
    assert dict(zip(only.headings, only.rows[0], strict=True))["Energy, J/day"] == "3.5"
    assert sensors.charts == ()
    assert sensors.title == "Sensors, bus.radio.backoffs=0"


def test_unstable_loop_leaves_the_picture(saved: tuple[Section, ...]) -> None:
    response = saved[0].charts[0].rows
    stable = response.filter((response["protection"] == "none") & (response["shown"] == "speed, rad/s"))
    unstable = response.filter((response["protection"] == "sm2") & (response["shown"] == "speed, rad/s"))
    assert unstable["time_s"].max() < stable["time_s"].max()
    assert unstable["value"].max() < 140
    assert set(response["shown"]) == {"speed, rad/s", "voltage, V"}


def test_timeline_shows_as_many_bars_as_can_be_told_apart(tmp_path: Path) -> None:
    def bar(at: float) -> dict[str, Any]:
        return {"row": "bus", "what": "m", "kind": "message", "start_s": at, "end_s": at + 3, "missed": False}

    few, many = [bar(0.0), bar(150.0), bar(1e3)], [bar(float(at)) for at in reversed(range(400))]
    save_result(tmp_path, scenario.KIND, "busy", scene(timelines={"few": few, "many": many}))
    (made,) = saved_sections(tmp_path, lambda _: None)
    shown = made.charts[-1].rows
    assert shown.filter(shown["protection"] == "many").height == 160
    assert shown.filter(shown["protection"] == "few")["start_ms"].to_list() == [0, 150e3]
    assert shown["end_ms"].max() == 160e3


def test_scene_in_the_browser(open_report: Callable[..., Opened], saved: tuple[Section, ...]) -> None:
    opened = open_report([], sections=saved)
    page = opened.show("scene-1-motor-speed")
    place = "#view-scene-1-motor-speed"
    expect(page.locator(f"{place} h2")).to_have_text("A motor's speed")
    expect(page.locator(f"{place} .note").first).to_contain_text(EVIL)
    assert page.evaluate("window.planted") is None
    expect(page.locator(f"{place} table").first.locator("tbody tr")).to_have_count(4)
    chart = page.locator("#chart-scene-1-motor-speed-response")
    expect(chart.locator(".plot svg .mark-line path")).to_have_count(1 + len(LATENCIES_S))
    chart.locator("select[name=shown]").select_option(label="voltage, V")
    chart.locator("select[name=protection]").select_option(label="none")
    # The other is where the actuator was at rest.
    expect(chart.locator(".plot svg .mark-line path")).to_have_count(2)
    bars = page.locator("#chart-scene-1-motor-speed-timeline .plot svg .mark-rect path")
    expect(bars).to_have_count(6)
    page.locator("#chart-scene-1-motor-speed-timeline select[name=protection]").select_option(label="sm2")
    expect(bars).to_have_count(4)
    expect(page.locator("#chart-scene-1-motor-speed-margin .plot svg .mark-rect path")).to_have_count(4)
    assert set(opened.requests) <= {opened.path.as_uri(), "about:blank"}
    assert opened.errors == []

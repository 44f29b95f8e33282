"""Pages of studies begin with five lines, which other records change; publications' figures are complete."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from docs.generate import figures
from docs.generate.records import page_module
from study.test_before import kept

from steelyard.catalog.load import load_catalog
from steelyard.record.schema import Record
from steelyard.study.discover import load_study, study_names
from steelyard.study.model import Outcome

# Records of one thing cost ten times as much.
DEARER: dict[str, Callable[[Record], Record]] = {
    "industrial-linux": lambda one: (
        {**one, "time_us": 10 * float(one["time_us"] or 0)} if one["primitive"] == "aes-256" else one
    ),
    "rl78-minimal": lambda one: (
        {**one, **{name: 10 * int(one[name] or 0) for name in ("rom_bytes", "rom_code_bytes")}}
        if one["primitive"] == "present-80"
        else one
    ),
    "word-sizes": lambda one: (
        {**one, "cycles": 10 * float(one["cycles"] or 0)} if one["target"] == "atmega128" else one
    ),
    "cache-sweep": lambda one: (
        {**one, "cycles": 10 * float(one["cycles"] or 0)} if one["variant"] == "aes/sbox-rows" else one
    ),
}


def judged(name: str, change: Callable[[Record], Record] = lambda one: one) -> Outcome:
    return load_study(name).judge([change(one) for one in kept(name)], load_catalog().defaults)


def lines(name: str, outcome: Outcome) -> list[str]:
    module = page_module(name)
    assert module is not None
    text = module.blocks(None, lambda _: outcome)["findings"]()
    return [line for line in text.splitlines() if line.startswith("* ")]


@pytest.mark.parametrize("name", DEARER)
def test_five_lines_follow_the_records(name: str) -> None:
    as_kept, changed = (lines(name, judged(name, change)) for change in (lambda one: one, DEARER[name]))
    assert len(as_kept) == len(changed) == 5
    assert sum(one != other for one, other in zip(as_kept, changed, strict=True)) >= 2


def test_every_study_with_a_page_of_its_own_is_among_the_figures() -> None:
    listed = {one.study for one in figures.figures()}
    assert listed >= set(study_names()) - {"felics", "ganesan", "word-sizes"}
    for one in figures.figures():
        assert [bool(what) for what in (one.chart, one.picture, one.absent)].count(True) == 1, one.number
        assert re.fullmatch(r"[0-9]+( (and|to) [0-9]+)?|Table 2|any", one.number)


def test_a_figure_shows_both_curves_where_numbers_are_printed() -> None:
    (fifth,) = (one for one in figures.figures() if one.chart == "industrial-linux-figure-5")
    rows = figures.shown_rows(
        next(chart for chart in judged("industrial-linux").charts() if chart.id == fifth.chart), fifth.choose
    )
    assert rows.filter(implementation="published").height == 15
    assert rows.filter(implementation="own").height == 15


def test_a_choice_that_a_chart_does_not_have_is_refused() -> None:
    chart = next(iter(judged("cache-sweep").charts()))
    with pytest.raises(ValueError, match="choose target, flags"):
        figures.shown_rows(chart, {"variants": "default"})
    with pytest.raises(ValueError, match="no rows"):
        figures.shown_rows(chart, {"target": "leon2", "flags": "-O9"})


def test_pictures_are_current() -> None:
    stale = [path.name for path, text in figures.pictures().items() if path.read_text("utf-8") != text]
    assert stale == [], "run: make docs"

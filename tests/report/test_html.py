"""Making the report: what goes into its plots, what is kept between runs, what happens to the file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import synthetic
import vl_convert

from steelyard.report import charts, html
from steelyard.report.bundle import vega_bundle
from steelyard.report.tables import verified_results


def test_bundle_is_made_once_and_a_torn_one_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = vega_bundle(tmp_path)
    (kept,) = tmp_path.iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(vl_convert, "javascript_bundle", lambda *_, **__: pytest.fail("made again"))
        assert vega_bundle(tmp_path) == whole
    kept.write_text(whole[:1000])
    assert vega_bundle(tmp_path) == whole == kept.read_text()


def test_bundle_can_stand_in_a_script_element(tmp_path: Path) -> None:
    text = vega_bundle(tmp_path).lower()
    assert "</script" not in text
    assert "<!--" not in text


def test_unwritable_cache_does_not_stop_the_report(tmp_path: Path, cache_folder: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert vega_bundle(blocked) == vega_bundle(cache_folder)


def test_failed_write_keeps_the_former_report(
    tmp_path: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    path.write_text("former")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        html.write_report(synthetic.frame([synthetic.measured()]), path, cache_folder=cache_folder)
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]
    assert path.read_text() == "former"


def test_compilers_are_compared_at_the_same_optimisation_level_only() -> None:
    rows = charts.compiler_chart(
        synthetic.frame(
            [
                synthetic.measured(toolchain="gcc", flags="-O2 -mmcu=avr51", cycles=1000.0),
                synthetic.measured(toolchain="clang", flags="-O2 -mcpu=atmega128", cycles=800.0),
                synthetic.measured(toolchain="clang", flags="-Os", cycles=100.0),
            ]
        )
    ).rows
    assert rows.select("level", "ratio").rows() == [("-O2", 0.8)]


@pytest.mark.parametrize(
    ("flags", "level"),
    [("-Os", "-Os"), ("-O2 -fno-inline -O3", "-O3"), ("-fno-inline", ""), ("-mtune=x-O2", "")],
)
def test_optimisation_level_is_the_last_one(flags: str, level: str) -> None:
    assert charts.optimisation_level(flags) == level


def test_memory_bars_add_up_and_take_the_deepest_stack() -> None:
    results = synthetic.frame(
        [
            synthetic.measured(ram_stack_bytes=30),
            synthetic.measured(operation="decrypt", ram_stack_bytes=44),
            synthetic.measured(target="attiny45"),
        ]
    )
    ram = charts.ram_chart(results).rows
    parts = dict(ram.filter(target="atmega128").select("part", "bytes").rows())
    assert parts == {"static": 0, "context": 176, "stack": 44}
    rom = charts.rom_chart(results).rows.filter(target="attiny45")
    assert rom["bytes"].sum() == results["rom_bytes"][2]


def test_every_plot_compiles_to_a_picture() -> None:
    results = verified_results(synthetic.frame(synthetic.campaign()))
    for chart in (charts.length_chart, charts.rom_chart, charts.ram_chart, charts.compiler_chart):
        made = chart(results)
        rows = [row | {"series": row["variant"]} for row in made.rows.to_dicts()]
        svg = vl_convert.vegalite_to_svg(
            {**made.spec, "data": {"name": "rows", "values": rows}, "width": 600}
        )
        assert "role-mark" in svg or "mark-line" in svg

"""Figures show what the records say, every series in a colour of its own, and are drawn alike each time."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from docs.generate.records import read_kept

from steelyard.catalog.load import load_catalog
from steelyard.errors import EnvironmentProblem, UsageError
from steelyard.fidelity.kept import kept_path
from steelyard.figures import beside, studies
from steelyard.figures.catalogue import FIGURES, made
from steelyard.figures.colours import GREY, colours
from steelyard.figures.draw import POINTS, chosen_font, drawn
from steelyard.figures.model import MOST_SERIES, Figure, NothingToPlot, Paper
from steelyard.figures.rows import with_series

sys.path.insert(0, str(Path(__file__).parents[1] / "report"))

import synthetic

WINDOWS = json.dumps({"cycles": [10, 30], "measured_mw": [400.0, 200.0], "simulated_mw": [300.0, 100.0]})
SHARES = json.dumps({"clock": 0.25, "data_cache": 0.75})


def records() -> pl.DataFrame:
    """Records that every figure of any records can show."""
    rows = []
    for target in ("atmega128", "attiny45"):
        for variant, times in (("aes/sbox", 1.0), ("aes/compact", 2.0)):
            for flags in ("-Os", "-O3"):
                named: dict[str, Any] = {"target": target, "variant": variant, "flags": flags}
                cycles = times * 3200.0 * (1 if flags == "-O3" else 1.5)
                more = {"cycles_min": int(cycles) - 32, "cycles_max": int(cycles) + 64, "cycles_sd": 8.0}
                more |= {"power_series": WINDOWS, "energy_shares": SHARES, "energy_simulated_nj": 8000.0}
                bare = synthetic.measured(**named, **more, cycles=cycles, clock_hz=10_000_000)
                rows.append(bare | {"cycles_per_byte": cycles / 16, "rom_bytes": int(1412 / times)})
                rows += [
                    bare | {"mode": "cbc", "message_bytes": size, "cycles_per_byte": cycles / 8}
                    for size in (64, 256)
                ]
    return synthetic.frame(rows)


@pytest.fixture(scope="module")
def paper() -> Paper:
    return Paper(88 * POINTS["mm"], None, chosen_font(None), 7.0)


@pytest.mark.parametrize("name", [name for name in FIGURES if name not in ("sweep", "model")])
def test_a_figure_is_drawn_with_every_series_in_its_own_colour(name: str, paper: Paper) -> None:
    figure = made(name, records())
    svg = drawn(figure, paper, "svg", 300).decode()
    assert re.search(r'<svg [^>]*width="88\.\d+mm" height="[\d.]+mm"', svg)
    assert figure.rows.height > 0
    used = colours(figure.families)
    assert len({*used}) == len(used)
    for colour in used if name != "heat" else ():
        assert colour in svg


def test_the_same_rows_are_the_same_bytes_in_every_form(paper: Paper) -> None:
    figure = made("length", records())
    for form, head in (("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        first, second = (drawn(figure, paper, form, 200) for _ in range(2))
        assert first == second
        assert first.startswith(head)
    width = int.from_bytes(drawn(figure, paper, "png", 200)[16:20])
    assert width == pytest.approx(88 / 25.4 * 200, abs=1.5)


def test_lines_hold_the_figures_of_the_records() -> None:
    rows = made("length", records()).rows
    one = rows.filter(target="atmega128", variant="aes/sbox", flags="-O3", mode="CBC")
    assert sorted(one["message_bytes"]) == [64, 256]
    assert set(one["cycles_per_byte"]) == {400.0}
    assert rows["series"].n_unique() == 16


def test_builds_are_relative_to_the_fastest_of_their_cell() -> None:
    rows = made("builds", records()).rows
    assert set(rows.filter(flags="-O3")["relative"]) == {1.0}
    assert set(rows.filter(flags="-Os")["relative"]) == {1.5}


def test_the_front_has_what_nothing_is_better_than() -> None:
    rows = made("front", records().filter(pl.col("mode").is_null())).rows
    assert {(row["variant"], row["flags"]) for row in rows.filter("on_front").iter_rows(named=True)} == {
        ("aes/sbox", "-O3"),
        ("aes/compact", "-O3"),
    }


def test_parts_of_energy_add_up_and_power_is_that_of_its_time() -> None:
    energy = made("energy", records().filter(pl.col("mode").is_null())).rows
    assert {row["part"]: row["energy_uj"] for row in energy.iter_rows(named=True)} == {
        "clock": 2.0,
        "data cache": 6.0,
    }
    power = made("power", records().filter(pl.col("mode").is_null())).rows
    one = power.filter(series=power["series"][0])
    assert one["time_us"].to_list() == [0.0, 1.0, 4.0]
    assert one["power_mw"].to_list() == [300.0, 100.0, 100.0]


def test_a_chip_without_components_shows_the_whole() -> None:
    rows = synthetic.frame(
        [synthetic.measured(energy_nj=4000.0, energy_low_nj=3000.0, energy_high_nj=5000.0)]
    )
    (row,) = made("energy", rows).rows.to_dicts()
    assert (row["part"], row["energy_uj"], row["low_uj"], row["high_uj"]) == ("whole chip", 4.0, 3.0, 5.0)


def test_a_sweep_has_settings_that_change_together_as_one_axis(paper: Paper) -> None:
    listed = [
        synthetic.measured(
            target="sa1100", settings=f"dcache.size={size}K icache.size={size}K", cycles=9000.0 / size
        )
        for size in (1, 4)
    ]
    figure = made("sweep", synthetic.frame(listed))
    assert figure.rows["value"].to_list() == [1024.0, 4096.0]
    assert "dcache.size and icache.size (bytes)" in drawn(figure, paper, "svg", 300).decode()
    with pytest.raises(NothingToPlot, match="same settings"):
        made("sweep", synthetic.frame(listed[:1]))


def test_predictions_stand_beside_the_measured_cycles(paper: Paper) -> None:
    predicted = pl.read_parquet(beside.predictions_path()).filter(model=beside.MODEL).head(20)
    listed = [
        synthetic.measured(**{name: row[name] for name in beside.KEY}, cycles=2 * row["predicted"])
        for row in predicted.iter_rows(named=True)
    ]
    figure = made("model", synthetic.frame(listed))
    assert figure.rows.height == predicted.unique(list(beside.KEY)).height
    assert set(figure.rows["error_percent"]) == {-50.0}
    assert b"predicted (cycles)" in drawn(figure, paper, "svg", 300)


def test_fidelity_reads_the_rows_of_its_command(tmp_path: Path) -> None:
    figure = beside.fidelity(kept_path())
    assert {"uno", "stm32f407"} <= {*figure.rows["board"]}
    other = tmp_path / "rows.csv"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is no file of steelyard fidelity"):
        beside.fidelity(other)


def test_a_chart_of_a_study_is_a_figure(paper: Paper) -> None:
    kept = read_kept("cache-sweep")
    with pytest.raises(UsageError, match="--choose target=VALUE is needed, with one of leon2, sa1100"):
        studies.figure("cache-sweep-cycles", kept, {})
    (chart,) = (one for one in studies.charts("cache-sweep", kept) if one.id == "cache-sweep-cycles")
    choose = {name: str(chart.rows[name].min()) for name in chart.single}
    figure = studies.figure("cache-sweep-cycles", kept, choose)
    assert set(figure.rows["target"]) == {"leon2"}
    assert re.search(r'width="88\.\d+mm"', drawn(figure, paper, "svg", 300).decode())
    with pytest.raises(UsageError, match='did you mean "cache-sweep-cycles"'):
        studies.figure("cache-sweep-cycle", kept, {})
    with pytest.raises(NothingToPlot, match="steelyard reproduce cache-sweep makes them"):
        studies.figure("cache-sweep-cycles", kept.clear(), {})


@pytest.mark.parametrize("name", list(FIGURES))
def test_nothing_to_plot_is_a_sentence(name: str) -> None:
    with pytest.raises(NothingToPlot, match=r"steelyard measure|same settings"):
        made(name, synthetic.frame([]))


def test_too_many_series_name_the_options() -> None:
    listed = [
        synthetic.measured(primitive=f"made-{number}", cycles_per_byte=float(number))
        for number in range(1, MOST_SERIES + 2)
    ]
    with pytest.raises(UsageError, match=rf"{MOST_SERIES + 1} series.*--primitive\."):
        made("length", synthetic.frame(listed))


def test_a_series_is_named_by_what_differs_alone() -> None:
    rows = records().filter(pl.col("mode").is_null(), pl.col("flags") == "-Os")
    columns = ("variant", "primitive", "target", "operation", "flags", "footprint")
    assert set(with_series(rows, columns)["series"]) == {
        f"{variant} {target}"
        for variant in ("aes/sbox", "aes/compact")
        for target in ("atmega128", "attiny45")
    }


@pytest.mark.parametrize("members", [[1] * 40, [8, 8, 8, 8], [40], [1, 20, 3]])
def test_no_colour_is_used_twice(members: list[int]) -> None:
    families = [str(number) for number, count in enumerate(members) for _ in range(count)]
    found = colours(families)
    assert len({*found}) == len(families)
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in found)
    assert colours([*families, ""])[-1] == GREY


def test_a_font_that_is_not_there_is_refused() -> None:
    with pytest.raises(EnvironmentProblem, match="not installed"):
        chosen_font("No Such Font")
    with pytest.raises(UsageError, match="no name of a font"):
        chosen_font('"><script>')


def test_a_family_of_chips_has_one_hue() -> None:
    figure: Figure = made("length", records().filter(pl.col("mode").is_null(), pl.col("flags") == "-O3"))
    assert {*figure.families} == {"aes/compact atmega128", "aes/compact attiny45",
                                  "aes/sbox atmega128", "aes/sbox attiny45"}  # fmt: skip
    other = records().with_columns(target=pl.col("target").replace({"attiny45": "stm32f407"}))
    families = made("length", other.filter(pl.col("mode").is_null(), pl.col("flags") == "-O3")).families
    assert [families.count(name) for name in ("avr", "cortex-m")] == [2, 2]
    assert load_catalog().target("stm32f407").file.family == "cortex-m"

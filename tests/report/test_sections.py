"""Predictions, protocols and batteries in the report, from records and from what comes with Steelyard."""

from __future__ import annotations

import json
from collections.abc import Callable

import polars as pl
import pytest
import synthetic
from browsing import Opened
from playwright.sync_api import expect

from steelyard.advise import battery, protocols
from steelyard.catalog.load import Catalog
from steelyard.record.schema import Record
from steelyard.report import advice, boards, predicted, sweeps

PAYLOAD_BYTES = 16
DRAWN_CELLS = 30


def cells_of(catalog: Catalog, name: str, target: str, payload_bytes: int = PAYLOAD_BYTES) -> list[Record]:
    """A record of every cell that a protocol asks for, either way; of 100 cycles and more, none alike."""
    wanted = dict.fromkeys(
        protocols.asked(catalog, catalog.target(target).cpu_class, step, {}, payload_bytes, side)
        for suite in protocols.protocol(name).suite
        for side in ("send", "receive")
        for _, step in protocols.steps_of(suite, side)
    )
    return [
        synthetic.measured(
            primitive=cell.primitive,
            variant=cell.variant,
            parts=cell.parts,
            operation=cell.operation,
            mode=cell.mode,
            message_bytes=cell.message_bytes,
            ad_bytes=cell.ad_bytes,
            target=target,
            clock_hz=catalog.target(target).file.clock_hz,
            cycles=float(100 + 7 * number),
        )
        for number, cell in enumerate(wanted)
    ]


def cells_tested(target: str) -> list[Record]:
    """Records of what the models were tested on with a chip, as long as its data sheet alone has it."""
    kept = pl.read_parquet(predicted.predictions_path()).filter(
        (pl.col("target") == target) & (pl.col("model") == "data sheet alone")
    )
    return [
        synthetic.measured(
            **{name: row[name] for name in predicted.KEY}, mode=None, cycles=round(row["predicted"]) * 2.0
        )
        for row in kept.iter_rows(named=True)
    ]


def test_protocols_cost_the_sum_of_their_records(catalog: Catalog) -> None:
    rows = cells_of(catalog, "lorawan-1.0", "atmega128")
    made = advice.section(synthetic.frame(rows), catalog)
    assert made is not None
    (suite,) = protocols.protocol("lorawan-1.0").suite
    costs = made.charts[0].rows.filter(pl.col("protocol") == "lorawan-1.0")
    assert sorted(costs["side"]) == ["receive", "send"]
    for side in ("send", "receive"):
        chip = catalog.target("atmega128")
        cost = protocols.cost(catalog, chip.cpu_class, suite, rows, {}, PAYLOAD_BYTES, side, 16_000_000)
        assert isinstance(cost, protocols.SuiteCost)
        (row,) = costs.filter(pl.col("side") == side).to_dicts()
        assert (row["payload"], row["cycles"], row["session_cycles"]) == (
            "16 bytes",
            cost.cycles("message"),
            cost.cycles("session"),
        )
        assert row["time_us"] == pytest.approx(cost.cycles("message") / 16)
        assert (row["air_bytes"], row["security_bytes"]) == (cost.air_bytes, cost.security_bytes)


def test_a_protocol_with_one_cell_missing_is_not_there(catalog: Catalog) -> None:
    rows = cells_of(catalog, "lorawan-1.0", "atmega128")
    for place, row in enumerate(rows):
        rest = synthetic.frame(rows[:place] + rows[place + 1 :])
        made = advice.section(rest, catalog)
        costs = [] if made is None else made.charts[0].rows.to_dicts()
        sides = {one["side"] for one in costs if one["protocol"] == "lorawan-1.0"}
        assert sides < {"send", "receive"}, row["operation"]


def test_batteries_are_shared_as_the_command_has_it(catalog: Catalog) -> None:
    made = advice.section(synthetic.frame(cells_of(catalog, "lorawan-1.0", "atmega128")), catalog)
    assert made is not None
    lives = made.charts[1].rows
    assert set(lives["node"]) == {one.id for one in battery.nodes().values() if one.target == "atmega128"}
    shares = lives.group_by("node", "messages", "side", "protocol", "suite", "payload").agg(
        pl.col("share").sum()
    )
    assert shares["share"].to_list() == pytest.approx([1.0] * len(shares))
    sent = (pl.col("side") == "send") & (pl.col("protocol") == "lorawan-1.0")
    (cost,) = made.charts[0].rows.filter(sent).to_dicts()
    life = battery.life(
        battery.node("micaz"),
        battery.Work(1 / 60, cost["cycles"], cost["air_bytes"], cost["security_bytes"]),
    )
    mine = lives.filter(
        (pl.col("node") == "micaz")
        & (pl.col("messages") == "1 a minute")
        & (pl.col("side") == "send")
        & (pl.col("protocol") == "lorawan-1.0")
    )
    assert mine["life_days"].unique().to_list() == pytest.approx([life.life_s / 86400])
    crypto = mine.filter(pl.col("part") == "cryptography")["share"].to_list()
    assert crypto == pytest.approx([life.crypto_share])


def test_no_chip_with_a_node_means_no_battery(catalog: Catalog) -> None:
    made = advice.section(synthetic.frame(cells_of(catalog, "lorawan-1.0", "sa1110")), catalog)
    assert made is not None
    assert [chart.id for chart in made.charts] == ["protocols"]


def test_predictions_stand_against_the_records_of_the_report() -> None:
    rows = cells_tested("sa1110")
    made = predicted.section(synthetic.frame(rows))
    assert made is not None
    cells = made.charts[0].rows
    assert set(cells["model"]) == {"data sheet alone", "data sheet and three primitives", "equation 1"}
    alone = cells.filter(pl.col("model") == "data sheet alone")
    assert len(alone) == len(rows)
    # Planted: everything takes twice as long as the data sheet alone says.
    assert alone["error"].median() == pytest.approx(-0.5, abs=0.01)
    table = {(line[0], line[1]): line for line in made.lines[0].rows}
    assert table["strongarm", "data sheet alone"][2:4] == (f"{len(rows):,}", "50.0%")
    assert table["strongarm", "equation 1"][-1] == "-"


def test_a_few_cells_are_no_test() -> None:
    assert predicted.section(synthetic.frame(cells_tested("sa1110")[:5])) is None
    assert predicted.section(synthetic.frame([])) is None


def swept(icache: str, dcache: str, cycles: float, **changes: str) -> Record:
    settings = f"icache.size={icache} dcache.size={dcache}"
    return synthetic.measured(target="sa1110", settings=settings, cycles=cycles, **changes)


def test_a_sweep_has_a_line_for_each_cell() -> None:
    rows = [
        *(swept(size, size, cycles) for size, cycles in (("1K", 900.0), ("4096", 700.0), ("16K", 600.0))),
        # Alone at its setting, it is no line.
        swept("8K", "8K", 500.0, operation="decrypt"),
        synthetic.measured(target="sa1110"),
    ]
    made = sweeps.section(synthetic.frame(rows))
    assert made is not None
    (chart,) = made.charts
    assert chart.title == "Over icache.size and dcache.size"
    cycles = chart.rows.filter(pl.col("figure") == "cycles")
    assert cycles.select("value", "amount").rows() == [(1024, 900), (4096, 700), (16384, 600)]


def test_settings_that_vary_apart_have_a_plot_each() -> None:
    rows = [swept(i, d, 100.0) for i in ("1K", "2K") for d in ("1K", "2K", "4K")]
    made = sweeps.section(synthetic.frame(rows))
    assert made is not None
    assert [chart.title for chart in made.charts] == ["Over icache.size", "Over dcache.size"]
    assert set(made.charts[0].rows["other settings"]) == {
        "dcache.size=1K",
        "dcache.size=2K",
        "dcache.size=4K",
    }
    assert sweeps.section(synthetic.frame(rows[:1])) is None
    assert sweeps.section(synthetic.frame([synthetic.measured()])) is None


def test_boards_of_the_chips_of_the_report() -> None:
    made = boards.section({"stm32f407", "no-such-chip"})
    assert made is not None
    rows = made.charts[0].rows
    assert set(rows["target"]) == {"stm32f407"}
    errors = 100 * (rows["emulated"] / rows["published"] - 1)
    assert rows["error"].to_list() == pytest.approx(errors.to_list())
    assert sum(int(line[3]) for line in made.lines[0].rows) == rows.height
    assert boards.section({"no-such-chip"}) is None


def test_sweeps_and_boards_are_drawn(open_report: Callable[..., Opened]) -> None:
    rows = [synthetic.measured(target="stm32f407")]
    opened = open_report(rows, others=[swept(size, size, 100.0) for size in ("1K", "4K", "8K")])
    page = opened.show("sweeps")
    expect(page.locator(".plot svg .mark-symbol.role-mark path")).to_have_count(3)
    page = opened.show("boards")
    points = page.locator("#chart-boards .plot svg .mark-symbol.role-mark path")
    known = boards.section({"stm32f407"})
    assert known is not None
    expect(points).to_have_count(known.charts[0].rows.height)
    assert opened.errors == []


def test_the_sections_are_drawn_and_can_be_chosen_from(
    open_report: Callable[..., Opened], catalog: Catalog
) -> None:
    rows = [
        *cells_of(catalog, "lorawan-1.0", "atmega128"),
        *cells_of(catalog, "lorawan-1.0", "nrf52840"),
        *cells_tested("sa1110")[:DRAWN_CELLS],
    ]
    opened = open_report(rows, catalog=catalog)
    page = opened.show("advice")
    bars = page.locator("#chart-protocols .plot svg .mark-rect path")
    page.locator("#chart-protocols select[name=protocol]").select_option(label="lorawan-1.0")
    expect(bars).to_have_count(2)
    page.locator("#chart-protocols select[name=target]").select_option(label="nrf52840")
    expect(bars).to_have_count(1)
    page.locator("#chart-batteries select[name=protocol]").select_option(label="lorawan-1.0")
    nodes = sum(one.target in ("atmega128", "nrf52840") for one in battery.nodes().values())
    parts = page.locator("#chart-batteries .plot svg .mark-rect.role-mark path")
    expect(parts).to_have_count(4 * nodes)
    opened.show("predicted")
    points = page.locator("#chart-predicted .plot svg .mark-symbol.role-mark path")
    expect(points).to_have_count(DRAWN_CELLS)
    page.locator("#chart-predicted select[name=model]").select_option(label="equation 1")
    expect(points).to_have_count(DRAWN_CELLS)
    expect(page.locator("#view-predicted tbody tr")).to_have_count(3)
    assert opened.errors == []


def test_energy_has_its_components_and_power_over_time(open_report: Callable[..., Opened]) -> None:
    series = {"cycles": [50, 50, 40], "measured_mw": [380.0, 390.0, 370.0]}
    shares = {"clock": 0.25, "instruction cache": 0.75}
    row = synthetic.measured(
        target="sa1110",
        clock_hz=206_000_000,
        energy_nj=5671.7,
        power_series=json.dumps(series),
        energy_shares=json.dumps(shares),
    )
    opened = open_report([row, synthetic.measured(target="nrf52840", energy_nj=1114.5)])
    plots = opened.show("energy").locator(".plot")
    expect(plots).to_have_count(3)
    expect(plots.nth(0).locator("svg .mark-rect.role-mark path")).to_have_count(2)
    expect(plots.nth(1).locator("svg .mark-rect.role-mark path")).to_have_count(len(shares))
    expect(plots.nth(2).locator("svg .mark-line path")).to_have_count(1)
    expect(plots.nth(2)).to_have_attribute("data-marks", str(len(series["cycles"]) + 1))
    opened.show("energy", target="nrf52840")
    expect(plots.nth(2)).to_be_hidden()
    assert opened.errors == []

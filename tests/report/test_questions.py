"""Questions that people ask, put to the explorer; what it answers is compared with the store's records.

The records are kept ones of studies and pages, and a few measured here where those lack a figure.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest
from browsing import Opened, column, drawn, figures, number
from docs.generate.records import read_kept
from playwright.sync_api import expect

import steelyard
from steelyard.cache.content import Cache
from steelyard.catalog.load import Catalog
from steelyard.record.schema import IDENTITY
from steelyard.report import html
from steelyard.report.published import publications

KEPT = {
    "rl78-minimal": pl.lit(True),
    "sensor-nodes": pl.lit(True),
    "atmega128": pl.col("primitive").str.starts_with("aes-"),
    "defaults": pl.col("target").str.starts_with("msp430"),
}
"""Kept records, and which of them: no cell twice with other fields, since a page keeps what it shows."""
BUILDS = ("-Os", "-O3")


@dataclass(frozen=True)
class Asked:
    """Records, and the report that was made of them."""

    records: pl.DataFrame
    path: Path

    def where(self, *conditions: pl.Expr, **values: object) -> pl.DataFrame:
        """The verified records for which this is so."""
        ok = (pl.col("status") == "ok") & pl.col("verified")
        return self.records.filter(ok, *conditions, **values)


@pytest.fixture(scope="module")
def asked(catalog: Catalog, cache: Cache, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("questions")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STEELYARD_STORE", str(folder / "store"))
        measured = pl.concat(
            [
                steelyard.measure(
                    primitive=["ascon-aead128", "aes-128-ccm"], target="nrf52840", toolchain="clang",
                    operation="seal", length=[64, 256],
                ),
                steelyard.measure(
                    primitive="chacha20", target=["atmega128", "nrf52840", "fe310-g000"], toolchain="clang",
                    operation="encrypt", length=[16, 64, 256],
                ),
                steelyard.measure(
                    primitive="aes-128", variant=["aes/sbox", "aes/compact"], target="atmega128",
                    toolchain="clang", operation="encrypt", flags=list(BUILDS),
                ),
            ]
        )  # fmt: skip
    assert set(measured["status"]) == {"ok"}
    kept = [read_kept(name).filter(which) for name, which in KEPT.items()]
    records = pl.concat([measured, *kept])
    # A table holds a chip as it is; a cell that two pages keep is one.
    records = records.filter(pl.col("settings").is_null()).unique(IDENTITY, keep="first", maintain_order=True)
    path = folder / "report.html"
    html.write_report(records, path, catalog, cache=cache)
    return Asked(records, path)


@pytest.fixture
def explorer(open_report: Callable[..., Opened], asked: Asked) -> Opened:
    return open_report(asked.path)


def targets_of(catalog: Catalog, **facts: str) -> list[str]:
    return [
        target.id
        for target in catalog.targets
        if all(getattr(target.file, name) == value for name, value in facts.items())
    ]


def geometric(ratios: pl.Series) -> float:
    mean = ratios.log().mean()
    assert isinstance(mean, float)
    return math.exp(mean)


def percent(said: str, noun: str) -> float:
    """What a sentence of a comparison says that a figure changes by."""
    text = said.split(f"{noun} with ")[1].split(": ")[1].split(" %")[0]
    return number(text)


def test_the_smallest_aes_on_an_rl78_under_a_kilobyte(explorer: Opened, asked: Asked) -> None:
    page = explorer.show(
        "table",
        primitive="aes-128",
        family="rl78",
        operation="encrypt",
        rom_bytes=(None, 1024),
        sort="rom_bytes",
    )
    table = page.locator("#results table")
    wanted = asked.where(
        pl.col("rom_bytes") <= 1024, primitive="aes-128", target="rl78-g13", operation="encrypt"
    ).sort("rom_bytes")
    assert len(wanted) > 3
    assert [number(text) for text in column(table, "rom_bytes")][:20] == wanted["rom_bytes"].to_list()[:20]
    assert column(table, "variant")[0] in wanted.filter(rom_bytes=wanted["rom_bytes"][0])["variant"]


def test_the_fastest_constant_time_aead_on_a_cortex_m4(explorer: Opened, asked: Asked) -> None:
    page = explorer.show("table", kind="aead", core="cortex-m4", constant_time="yes", sort="cycles_per_byte")
    table = page.locator("#results table")
    wanted = (
        asked.where(kind="aead", target="nrf52840", constant_time="yes")
        .filter(pl.col("cycles_per_byte").is_not_null())
        .sort("cycles_per_byte")
    )
    assert column(table, "primitive")[0] == wanted["primitive"][0]
    assert number(column(table, "cycles")[0]) == round(wanted["cycles"][0])
    assert set(column(table, "constant_time")) == {"yes"}


def test_chacha20_by_length_on_three_chips(explorer: Opened, asked: Asked) -> None:
    chips = ["atmega128", "nrf52840", "fe310-g000"]
    page = explorer.show("lines", primitive="chacha20", target=chips, operation="encrypt")
    rows = figures(page, "Cycles per byte by message length")
    lengths = [int(number(text)) for text in rows[0][1:]]
    least = (
        asked.where(primitive="chacha20", operation="encrypt")
        .group_by("target", "message_bytes")
        .agg(pl.col("cycles_per_byte").min())
    )
    wanted = {row[:2]: row[2] for row in least.rows()}
    assert {name for name, *_ in rows[1:]} == set(chips)
    for chip, *texts in rows[1:]:
        for length, text in zip(lengths, texts, strict=True):
            assert number(text) == pytest.approx(wanted[chip, length], rel=0.006, abs=0.05)
    lines = page.locator(".plot svg .mark-line path")
    expect(lines).to_have_count(3)


def test_which_compiler_is_better_on_avr_and_by_how_much(
    explorer: Opened, asked: Asked, catalog: Catalog
) -> None:
    page = explorer.show("compilers", family="avr")
    on_avr = asked.where(pl.col("target").is_in(targets_of(catalog, family="avr")))
    key = ["primitive", "variant", "parts", "target", "level", "footprint", "operation", "mode",
           "padding", "message_bytes", "ad_bytes", "cache_state"]  # fmt: skip
    best = (
        on_avr.with_columns(level=pl.col("flags").str.extract(r"(-O\S*)"))
        .sort("cycles")
        .group_by(*key, "toolchain", maintain_order=True)
        .first()
    )
    both = best.filter(toolchain="gcc").join(
        best.filter(toolchain="clang"), on=key, nulls_equal=True, suffix="_clang"
    )
    assert len(both) > 30
    said = page.locator(".said").inner_text()
    for noun, field in (("Cycles", "cycles"), ("ROM", "rom_bytes")):
        ratios = (both[f"{field}_clang"] / both[field]).drop_nulls()
        ratios = ratios.filter(ratios.is_finite() & (ratios > 0))
        assert percent(said, noun) == pytest.approx(100 * (geometric(ratios) - 1), abs=0.051)
        assert (
            f"of {len(ratios):,} cells; less in {(ratios < 1).sum():,}, more in {(ratios > 1).sum():,}"
            in said
        )


def test_the_front_of_aes_on_the_atmega128(explorer: Opened, asked: Asked) -> None:
    page = explorer.show("memory", primitive="aes-128", target="atmega128", operation="encrypt")
    costs = ["rom_bytes", "ram_bytes", "cycles"]
    rows = asked.where(primitive="aes-128", target="atmega128", operation="encrypt").drop_nulls(costs)
    points = rows.select(costs).rows()
    front = {
        point
        for point in points
        if not any(
            all(a <= b for a, b in zip(other, point, strict=True)) and other != point for other in points
        )
    }
    shown = figures(page, "On the front")
    heads = [shown[0].index(name) for name in ("ROM, bytes", "RAM, bytes", "cycles")]
    assert {tuple(number(row[place]) for place in heads) for row in shown[1:]} == {
        (rom, ram, round(cycles)) for rom, ram, cycles in front
    }
    assert 1 < len(front) < len(points)


def test_what_fits_four_kilobytes_and_half_a_kilobyte_on_an_msp430(explorer: Opened, asked: Asked) -> None:
    page = explorer.show(
        "heat",
        family="msp430",
        rom_bytes=(None, 4096),
        ram_bytes=(None, 512),
        options={"heat.metric": "rom_bytes"},
    )
    shown = set(
        page.locator("table.heat tbody tr").filter(has=page.locator("button")).locator("th").all_inner_texts()
    )
    wanted = asked.where(
        pl.col("rom_bytes") <= 4096, pl.col("ram_bytes") <= 512, pl.col("target").str.starts_with("msp430")
    )
    assert {text.split()[0] for text in shown} == set(wanted["primitive"])
    beyond = asked.where(pl.col("target").str.starts_with("msp430"))
    assert set(wanted["primitive"]) < set(beyond["primitive"])


def test_which_claims_fail(explorer: Opened, asked: Asked, catalog: Catalog) -> None:
    page = explorer.show("claims")
    page.locator("select[name=verdict]").select_option(label="fails")
    drawn(page)
    results = asked.where()
    wanted = [
        (claim.statement, claim.verdict.strength)
        for one in publications(results, catalog.defaults)
        for claim in one.claims
        if claim.verdict.finding == "fails"
    ]
    assert wanted
    shown = page.locator(".claims tbody tr").evaluate_all(
        "rows => rows.map(row => [row.cells[1].innerText.trim(), row.cells[3].innerText.trim()])"
    )
    assert sorted(map(tuple, shown)) == sorted(wanted)


def test_what_o3_costs_in_rom(explorer: Opened, asked: Asked) -> None:
    page = explorer.show(
        "flags",
        target="atmega128",
        toolchain="gcc",
        options={"flags.other": "-O3", "flags.figure": "rom_bytes"},
    )
    key = ["primitive", "variant", "footprint", "operation", "mode", "padding", "message_bytes", "ad_bytes"]
    rows = asked.where(target="atmega128", toolchain="gcc").drop_nulls("cycles")
    both = rows.filter(flags="-Os").join(rows.filter(flags="-O3"), on=key, nulls_equal=True, suffix="_o3")
    ratios = (both["rom_bytes_o3"] / both["rom_bytes"]).drop_nulls()
    assert len(ratios) > 50
    said = page.locator(".said").inner_text()
    assert percent(said, "ROM") == pytest.approx(100 * (geometric(ratios) - 1), abs=0.051)


def test_energy_of_ascon_against_ccm_on_an_nrf52840(explorer: Opened, asked: Asked) -> None:
    page = explorer.show("energy", target="nrf52840", kind="aead")
    shown = figures(page, "Energy")
    place = {name: shown[0].index(name) for name in ("primitive", "nJ per byte", "nJ")}
    least = (
        asked.where(target="nrf52840", kind="aead", message_bytes=256)
        .group_by("primitive")
        .agg(pl.col("energy_nj").min())
        .sort("energy_nj")
    )
    assert [row[place["primitive"]] for row in shown[1:]] == least["primitive"].to_list()
    for row, energy_nj in zip(shown[1:], least["energy_nj"], strict=True):
        assert number(row[place["nJ per byte"]]) == pytest.approx(energy_nj / 256, abs=0.0051)
    expect(page.locator(".plot svg .mark-rect.role-mark path").first).to_be_attached()


def test_why_one_record_is_faster_than_another(explorer: Opened, asked: Asked) -> None:
    chosen = {"primitive": "aes-128", "target": "atmega128", "toolchain": "clang", "flags": "-Os"}
    page = explorer.show(
        "table", **chosen, operation="encrypt", sort="cycles", constant_time=["yes", "no", "on-this-chip"]
    )
    variants = column(page.locator("#results table"), "variant")
    page.locator("#results tr.row").nth(variants.index("aes/sbox")).click()
    page.get_by_role("button", name="Keep to compare").click()
    page.locator("#results tr.row").nth(variants.index("aes/compact")).click()
    page.get_by_role("button", name="Why is it faster or slower").click()
    drawn(page)
    rows = {
        row["variant"]: row
        for row in asked.where(**chosen, operation="encrypt", symbol="block_encrypt").to_dicts()
    }
    fast, slow = rows["aes/sbox"], rows["aes/compact"]
    cost = {row[0]: row for row in figures(page, "Cost")[1:]}
    assert number(cost["cycles"][1]) == pytest.approx(fast["cycles"], abs=0.051)
    assert number(cost["cycles"][2]) == pytest.approx(slow["cycles"], abs=0.051)
    assert number(cost["rom_bytes"][3]) == slow["rom_bytes"] - fast["rom_bytes"]
    functions = figures(page, "Cycles by function")[1:]
    assert sum(number(row[2]) for row in functions) == pytest.approx(slow["cycles"], rel=0.01)
    assert "variant" in [row[0] for row in figures(page, "Where they differ")]

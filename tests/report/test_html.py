"""Making the report: what goes into its plots, what is kept between runs, what happens to the file."""

from __future__ import annotations

from pathlib import Path

import pytest
import synthetic
import vl_convert
from synthetic import five_ciphers, memory_constraints

from steelyard.cache.content import Cache
from steelyard.errors import EnvironmentProblem
from steelyard.record.schema import Record
from steelyard.report import charts, html
from steelyard.report.bundle import vega_bundle
from steelyard.report.published import publications
from steelyard.report.tables import verified_results
from steelyard.store.segments import StoreError
from steelyard.studies.cache_sweep.study import CACHE_BYTES, VARIANTS


def test_bundle_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(tmp_path)
    made = vega_bundle(cache)
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda *_, **__: pytest.fail("made again"))
    assert vega_bundle(cache) == made


def test_bundle_can_stand_in_a_script_element(cache: Cache) -> None:
    text = vega_bundle(cache).lower()
    assert "</script" not in text
    assert "<!--" not in text


def test_unwritable_cache_does_not_stop_the_report(
    tmp_path: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise EnvironmentProblem("no space")

    monkeypatch.setattr(Cache, "put", full)
    assert vega_bundle(Cache(tmp_path)) == vega_bundle(cache)


def test_failed_write_keeps_the_former_report(
    tmp_path: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    path.write_text("former")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(StoreError, match=r"report\.html: cannot be written: No space left"):
        html.write_report(synthetic.frame([synthetic.measured()]), path, cache=cache)
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
        svg = synthetic.picture(made, rows)
        assert "role-mark" in svg or "mark-line" in svg


def test_a_publication_is_drawn_from_the_records_of_its_ciphers() -> None:
    (made,) = publications(synthetic.frame(five_ciphers()), {"aes-128/only"})
    assert [chart.id for chart in made.charts] == [f"atmega128-{number}" for number in (1, 2, 3, 4)]
    assert len(made.claims) == 18
    throughput = made.charts[3].rows.filter(variants="fastest", what="encryption")
    by_cipher = {row["cipher"]: row for row in throughput.iter_rows(named=True)}
    # Five times slower than AES, which is 16 MHz * 128 bits / 1000 cycles; printed is 4.5 to 6 times.
    assert by_cipher["MARS"]["value"] == pytest.approx(2048 / 5)
    assert (by_cipher["MARS"]["low"], by_cipher["MARS"]["high"]) == pytest.approx((2048 / 6, 2048 / 4.5))
    assert by_cipher["Camellia"]["low"] is None
    memory = made.charts[0].rows.filter(cipher="MARS", variants="smallest").row(0, named=True)
    assert memory["low"] == memory["high"] == 31 * 1024
    for chart in made.charts:
        assert "role-mark" in synthetic.picture(chart, chart.rows.filter(variants="fastest").to_dicts())


def test_no_publication_where_one_of_its_ciphers_is_missing() -> None:
    rows = five_ciphers()
    assert publications(synthetic.frame(rows[3:]), set()) == ()
    assert publications(synthetic.frame(five_ciphers(target="atmega103")), set()) == ()
    assert publications(synthetic.frame([]), set()) == ()


def test_a_publication_is_drawn_with_the_compiler_it_names() -> None:
    both = [*five_ciphers(toolchain="clang"), *five_ciphers(toolchain="gcc")]
    assert [made.compiler for made in publications(synthetic.frame(both), set())] == ["gcc"]
    clang = synthetic.frame(five_ciphers(toolchain="clang"))
    assert [made.compiler for made in publications(clang, set())] == ["clang"]


def test_the_energy_publication_is_drawn_beside_its_table() -> None:
    (made,) = publications(synthetic.frame(memory_constraints()), set())
    assert [chart.id for chart in made.charts] == [
        f"energy-sa1100-{quantity}" for quantity in ("cycles", "energy", "code", "throughput")
    ]
    assert len(made.claims) == 29
    throughput = made.charts[-1].rows.filter(variants="as described", what="ECB", cipher="Serpent")
    bar = throughput.row(0, named=True)
    # The third of the ciphers: 16 bytes in 3,000 cycles at 200 MHz; printed are 0.624 MB/s.
    assert bar["value"] == pytest.approx(16 * 200 / 3000)
    assert (bar["low"], bar["high"]) == pytest.approx((0.624, 0.624 * 1.048576))
    published = made.lines[1]
    assert len(published.rows) == 25 * 3
    assert all(len(row) == len(table.headings) for table in made.lines for row in table.rows)
    for chart in made.charts:
        assert "role-mark" in synthetic.picture(chart, chart.rows.filter(variants="fastest").to_dicts())


def _swept() -> list[Record]:
    return [
        synthetic.measured(
            variant=variant,
            target="sa1100",
            footprint="encrypt",
            mode="ecb",
            message_bytes=1024,
            settings=f"dcache.size={size} icache.size={size}",
            cycles=64.0 * (3000 if variant == "aes/sbox-rows" else 20_000_000 / size),
        )
        for variant in VARIANTS
        for size in CACHE_BYTES
    ]


def test_cycles_are_drawn_against_the_size_of_caches() -> None:
    (made,) = publications(synthetic.frame(_swept()), set())
    (chart,) = made.charts
    assert len(chart.rows) == len(VARIANTS) * len(CACHE_BYTES)
    assert len(made.claims) == 3
    rows = [row | {"series": row["variant"]} for row in chart.rows.to_dicts()]
    assert synthetic.picture(chart, rows).count("mark-line") >= 1
    assert made.lines[0].rows[0][:4] == ("sa1100", "-Os", "aes/sbox-rows", "3,000")


def test_a_report_has_a_section_for_each_publication_its_records_allow() -> None:
    rows = [*five_ciphers(), *memory_constraints(), *_swept()]
    assert [one.id for one in publications(synthetic.frame(rows), set())] == [
        "atmega128",
        "cache-sweep",
        "energy-sa1100",
    ]
    assert publications(synthetic.frame(synthetic.campaign()), set()) == ()
    page = html.render(synthetic.frame(rows), None, bundle="", title="A report")
    for one in ("atmega128", "energy-sa1100", "cache-sweep"):
        assert f'<section id="{one}">' in page
    assert "Throughput beside the published one" in page
    assert "no power over time of" in page

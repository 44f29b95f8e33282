"""Making the report: what goes into its plots, what is kept between runs, what happens to the file."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path

import polars as pl
import pytest
import synthetic
import vl_convert
from packed import everything, frames, page_data
from synthetic import five_ciphers, memory_constraints

from steelyard.cache.content import Cache
from steelyard.errors import EnvironmentProblem
from steelyard.record import schema as record
from steelyard.record.schema import Record
from steelyard.report import blocks, bundle, html
from steelyard.report.bundle import vega_bundle
from steelyard.report.frame import optimisation_level
from steelyard.report.published import publications
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


@pytest.mark.parametrize(
    ("flags", "level"),
    [("-Os", "-Os"), ("-O2 -fno-inline -O3", "-O3"), ("-fno-inline", ""), ("-mtune=x-O2", "")],
)
def test_optimisation_level_is_the_last_one(flags: str, level: str) -> None:
    assert optimisation_level(flags) == level


def test_records_in_the_file_are_those_given(tmp_path: Path, cache: Cache) -> None:
    rows = synthetic.campaign()
    path = tmp_path / "report.html"
    html.write_report(synthetic.frame(rows), path, cache=cache)
    records, details = frames(path)
    assert set(records.columns).isdisjoint(details.columns)
    held = pl.concat([records, details], how="horizontal")
    key = ["primitive", "target", "toolchain", "operation", "mode", "message_bytes"]
    given = synthetic.frame(rows)
    figures = [name for name in record.METRICS if name in held.columns]
    joined = given.join(
        held.with_columns(pl.col(pl.Enum).cast(pl.String)), on=key, nulls_equal=True, suffix="_held"
    )
    assert len(joined) == len(given) == len(held)
    ok = joined.filter(status="ok")
    for name in (*figures, "source_hash", "flags", "date", "error"):
        if f"{name}_held" in ok.columns:
            assert (ok[name].eq_missing(ok[f"{name}_held"].cast(ok[name].dtype))).all(), name
    failed = joined.filter(pl.col("status") != "ok")
    assert failed["cycles_held"].null_count() == len(failed) > 0


def test_the_same_records_make_the_same_blocks() -> None:
    frame = synthetic.frame(synthetic.campaign())
    assert blocks.arrow_block(frame, {}) == blocks.arrow_block(frame, {})


def test_numbers_that_json_and_people_have_no_word_for_are_none() -> None:
    frame = pl.DataFrame({"cycles": [1.0, float("nan"), float("inf"), 2.5]})
    packed = gzip.decompress(base64.b64decode(blocks.arrow_block(frame, {})))
    assert pl.read_ipc_stream(packed)["cycles"].to_list() == [1.0, None, None, 2.5]


def test_texts_are_in_the_order_that_is_given_then_as_people_sort() -> None:
    frame = pl.DataFrame({"target": ["atmega128", "atmega88", "x", None], "yes": [True, False, None, True]})
    read = pl.read_ipc_stream(
        gzip.decompress(base64.b64decode(blocks.arrow_block(frame, {"target": ("x",)})))
    )
    assert read["target"].to_physical().to_list() == [2, 1, 0, None]
    assert read["target"].to_list() == frame["target"].to_list()
    assert read["yes"].cast(pl.String).to_list() == ["yes", "no", None, "yes"]


def test_without_a_built_page_one_sentence_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "data_root", lambda: tmp_path)
    with pytest.raises(EnvironmentProblem, match="run: make setup"):
        bundle.explorer()


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


def test_a_report_has_a_section_for_each_publication_its_records_allow(tmp_path: Path, cache: Cache) -> None:
    rows = [*five_ciphers(), *memory_constraints(), *_swept()]
    assert [one.id for one in publications(synthetic.frame(rows), set())] == [
        "atmega128",
        "cache-sweep",
        "energy-sa1100",
    ]
    assert publications(synthetic.frame(synthetic.campaign()), set()) == ()
    path = tmp_path / "report.html"
    html.write_report(synthetic.frame(rows), path, cache=cache)
    sections = {one["id"]: one["title"] for one in page_data(path)["sections"]}
    assert {"atmega128", "energy-sa1100", "cache-sweep"} <= sections.keys()
    held = everything(path)
    assert "Throughput beside the published one" in held
    assert "no power over time of" in held

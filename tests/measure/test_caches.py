"""Cold and warm caches, caches changed for a run, and what the records say of both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard.catalog.load import load_catalog
from steelyard.errors import UsageError
from steelyard.measure.settings import changed, parse_settings

Row = dict[str, Any]


@pytest.fixture
def measured(tmp_path: Path) -> Any:
    def rows(target: str, **choice: Any) -> Iterator[Row]:
        frame = steelyard.measure(
            "xtea",
            target=target,
            toolchain="clang",
            operation="encrypt",
            flags="-O2",
            samples=4,
            store=tmp_path / "store",
            **choice,
        )
        return frame.iter_rows(named=True)

    return rows


def test_a_cold_call_waits_for_memory_and_a_warm_one_does_not(measured: Any) -> None:
    cold, warm = sorted(measured("sa1110", cache=("cold", "warm")), key=lambda row: str(row["cache_state"]))
    assert (cold["cache_state"], warm["cache_state"]) == ("cold", "warm")
    for row in (cold, warm):
        assert row["status"] == "ok"
        assert row["verified"]
        assert row["cache_misses"] == row["icache_misses"] + row["dcache_misses"]
        assert row["cache_hits"] + row["cache_misses"] >= row["instructions"]
    assert cold["instructions"] == warm["instructions"]
    assert cold["icache_misses"] > 0 == warm["icache_misses"]
    # Waiting for memory may hide a wait for a result, and adds none.
    working = [row["cycles"] - row["memory_stall_cycles"] for row in (cold, warm)]
    assert 0.98 * working[1] < working[0] <= working[1]
    assert cold["memory_stall_cycles"] > warm["memory_stall_cycles"]


def test_warm_is_what_is_measured_by_default_and_null_without_caches(measured: Any) -> None:
    (row,) = measured("sa1100")
    assert row["cache_state"] == "warm"
    (row,) = measured("atmega128")
    assert row["cache_state"] is None
    assert row["cache_hits"] is None
    assert row["settings"] is None


def test_a_smaller_cache_misses_and_the_record_says_which(measured: Any) -> None:
    (usual,) = measured("sa1100")
    settings = ("icache.size=64", "icache.ways=1", "icache.line=16")
    (small,) = measured("sa1100", settings=settings)
    assert small["settings"] == "icache.line=16 icache.size=64 icache.ways=1"
    assert small["icache_misses"] > 0 == usual["icache_misses"]
    assert small["cycles"] > usual["cycles"]
    assert small["timing_version"] != usual["timing_version"]
    # The image is the same one: a cache is no matter of the compiler.
    assert small["image_hash"] == usual["image_hash"]


def test_the_clock_alone_leaves_warm_cycles_and_shortens_cold_ones(measured: Any) -> None:
    slow = {row["cache_state"]: row for row in measured("pxa250-200", cache=("warm", "cold"))}
    fast = {row["cache_state"]: row for row in measured("pxa250-400", cache=("warm", "cold"))}
    assert fast["warm"]["cycles"] == slow["warm"]["cycles"]
    assert fast["cold"]["cycles"] > slow["cold"]["cycles"]
    assert fast["cold"]["time_us"] < slow["cold"]["time_us"]
    assert fast["cold"]["cache_misses"] == slow["cold"]["cache_misses"]


def test_the_clock_can_be_set(measured: Any) -> None:
    (usual,) = measured("sa1110", cache="cold")
    (slow,) = measured("sa1110", cache="cold", settings="clock_hz=103M")
    assert slow["clock_hz"] == 103_000_000
    assert slow["memory_stall_cycles"] < usual["memory_stall_cycles"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("icache.sise=1K", 'did you mean "icache.size"?'),
        ("icache.size", "a field and a value"),
        ("icache.size=", "a field and a value"),
        ("flash=1", "there are: "),
    ],
)
def test_a_setting_that_is_none_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_settings([text])
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("texts", "target", "sentence"),
    [
        (["icache.size=500"], "sa1100", "sets of 32 lines"),
        (["icache.size=huge"], "sa1100", "icache.size"),
        (["icache.replacement=fifo"], "sa1100", "icache.replacement"),
        (["icache.size=1K"], "atmega128", "no chosen target has icache.size"),
        (["unified.size=1K"], "sa1100", "no chosen target has unified.size"),
        (["clock_hz=0"], "atmega128", "above 0"),
        (["code=ram"], "atmega128", "no chosen target has code"),
        (["code=ram"], "fe310-g002", "no chosen target has code"),
        (["code=rom"], "stm32f407", "code lies in ram or in flash that is zero-wait"),
        (["ram=external"], "atmega128", "no chosen target has ram"),
        (["ram=internal"], "atmega103", "state lies in RAM that is external"),
        (["built_for=sa1100"], "atmega128", "name a chip of the family avr, to which atmega128 belongs"),
        (["built_for=1"], "atmega128", "name a chip of the family avr, to which atmega128 belongs"),
    ],
)
def test_an_impossible_setting_is_refused(texts: list[str], target: str, sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        changed(load_catalog(), parse_settings(texts), {target})
    assert sentence in str(refused.value)


def test_sizes_may_have_units() -> None:
    given = ["icache.size=1K", "dcache.size=0x400", "icache.ways=4", "clock_hz=59M"]
    values = {setting.field: setting.value for setting in parse_settings(given)}
    assert values["icache.size"] == values["dcache.size"] == 1024
    assert (values["icache.ways"], values["clock_hz"]) == (4, 59_000_000)

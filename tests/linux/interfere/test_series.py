"""Statistics on series whose jitter and misses are known beforehand."""

from __future__ import annotations

import numpy as np
import pytest
from linux.interfere.synthetic import block, in_turn

from steelyard.linux.interfere import series


def wakeup(one: series.Block) -> series.Series:
    return one.wakeup_ns


def test_summary_of_known_latencies() -> None:
    found = series.summary(np.arange(1, 1001, dtype=np.int64) * 1000)
    assert found is not None
    assert (found.count, found.minimum, found.maximum) == (1000, 1000, 1_000_000)
    assert found.mean == 500_500
    assert (found.p50, found.p99, found.p999) == (500_000, 990_000, 999_000)
    assert found.sd == pytest.approx(np.sqrt((1000**2 - 1) / 12) * 1000)


def test_no_percentile_from_too_few_jobs() -> None:
    found = series.summary(np.arange(99, dtype=np.int64))
    assert found is not None
    assert (found.p99, found.p999) == (None, None)
    assert found.p50 == 49
    assert series.summary(np.array([], np.int64)) is None


def test_misses_are_late_answers_and_lost_periods() -> None:
    # Ten periods: those of number 3 and 4 passed while number 2 still ran; 2 and 7 answered late.
    ran = [0, 1, 2, 5, 6, 7, 8, 9]
    late = [0, 0, 2_500_000, 0, 0, 901_000, 900_000, 0]
    one = block(0, late, encrypts=False, periods=10, releases=ran)
    found = series.misses([one], 1_000_000)
    assert (found.late, found.lost, found.periods) == (2, 2, 10)
    assert found.share == 0.4
    assert series.misses([], 1_000_000).share is None


def test_first_period_of_a_block_and_those_reached_by_a_message_do_not_count() -> None:
    blocks = [
        block(0, [9_000] * 5, encrypts=False),
        block(1, [9_000] * 5, encrypts=True, spill_ns=2_300_000),
        block(2, [9_000] * 5, encrypts=True),
        block(3, [9_000] * 5, encrypts=False),
    ]
    kept = series.settled(blocks, 1_000_000)
    assert [one.periods for one in kept] == [4, 4, 2, 4]
    assert kept[2].releases.tolist() == [13, 14]
    assert series.misses(kept, 1_000_000).lost == 0


def test_a_message_longer_than_the_next_block_leaves_nothing_of_it() -> None:
    blocks = [
        block(0, [1] * 5, encrypts=True, spill_ns=60_000_000),
        block(1, [1] * 5, encrypts=False),
        block(2, [1] * 5, encrypts=False),
        block(3, [1] * 5, encrypts=True),
    ]
    kept = series.settled(blocks, 1_000_000)
    assert kept[1].periods == 0
    assert len(series.pairs(kept)) == 1


def blocks_with(added_ns: int, drift_ns: int = 0, count: int = 40) -> list[series.Block]:
    random = np.random.default_rng(3)
    return [
        block(
            number,
            random.normal(40_000, 3_000, 50) + in_turn(number) * added_ns + number * drift_ns,
            encrypts=in_turn(number),
        )
        for number in range(count)
    ]


def total(one: series.Block) -> tuple[float, float]:
    return float(one.wakeup_ns.sum()), len(one.wakeup_ns)


def test_a_planted_difference_is_found() -> None:
    paired = series.pairs(blocks_with(5_000))
    found = series.mean_difference(paired, total)
    assert found is not None
    assert found.low < 5_000 < found.high
    assert found.found
    tail = series.quantile_difference(paired, wakeup, 0.99)
    assert tail is not None
    assert tail.low < 5_000 < tail.high
    without, with_ = (series.summary(series.of([pair[side] for pair in paired], wakeup)) for side in (0, 1))
    assert without is not None and with_ is not None
    assert tail.value == with_.p99 - without.p99


def test_none_is_found_where_none_is() -> None:
    found = series.mean_difference(series.pairs(blocks_with(0)), total)
    assert found is not None
    assert found.low < 0 < found.high
    assert not found.found


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    held = 0
    for seed in range(200):
        random = np.random.default_rng(seed)
        # Blocks differ by more than their jobs do: drawing jobs would make the interval far too narrow.
        blocks = [
            block(
                number,
                random.normal(40_000 + random.normal(0, 2_000) + 1_000 * in_turn(number), 500, 20),
                encrypts=in_turn(number),
            )
            for number in range(40)
        ]
        found = series.mean_difference(series.pairs(blocks), total)
        assert found is not None
        held += found.low < 1_000 < found.high
    assert 175 <= held <= 199


def test_steady_drift_does_not_look_like_encryption() -> None:
    found = series.mean_difference(series.pairs(blocks_with(0, drift_ns=1_000)), total)
    assert found is not None
    assert abs(found.value) < 700
    assert not found.found


def test_a_difference_needs_two_pairs_and_jobs() -> None:
    two = [block(0, [1, 2], encrypts=False), block(1, [1, 2], encrypts=True)]
    assert series.mean_difference(series.pairs(two), total) is None
    assert series.quantile_difference(series.pairs(blocks_with(0, count=4)), wakeup, 0.999) is None
    nothing = [block(n, [], encrypts=in_turn(n), periods=5, releases=[]) for n in range(8)]
    assert series.mean_difference(series.pairs(nothing), total) is None


def test_the_same_series_gives_the_same_interval() -> None:
    paired = series.pairs(blocks_with(2_000))
    assert series.mean_difference(paired, total) == series.mean_difference(paired, total)


def test_histogram_counts_every_value_once() -> None:
    values = np.array([0, 1_000, 1_121, 1_123, 9_999, 10_000], np.int64)
    found = dict(series.histogram(values))
    assert sum(found.values()) == 6
    assert found[0] == 2  # 1 us to 1.122 us
    assert found[1] == 1
    assert found[19] == 1
    assert found[20] == 1
    assert series.bin_edge_us(20) == 10
    assert series.histogram(np.array([], np.int64)) == []

"""From options to a plan: sentences for what cannot be run."""

from __future__ import annotations

from typing import Any

import pytest
from linux.interfere.synthetic import plan

from steelyard.errors import UsageError


def test_blocks_share_the_duration() -> None:
    made = plan(duration_="5s")
    assert made.blocks == 40
    assert made.duration_s == pytest.approx(5)
    assert made.deadline_ns == made.period_ns == 1_000_000
    assert made.encryption_core == 0
    assert made.messages == pytest.approx(250)
    assert plan(duration_="64ms").blocks == 8


def test_work_is_a_time_or_rounds() -> None:
    assert (plan(work="100us").work_ns, plan(work="100us").work_rounds) == (100_000, None)
    assert (plan(work="2000").work_ns, plan(work="2000 rounds").work_rounds) == (None, 2000)
    assert plan(work="2000").words()["work_rounds"] == 2000
    assert "work_ns" not in plan(work="2000").words()


def test_what_is_left_out_is_not_asked_of_the_device() -> None:
    words = plan(core=None, rate="max").words()
    assert "pin" not in words
    assert "encrypt_pin" not in words
    assert words["interval_ns"] == 0
    assert plan(rate="max").messages is None


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"period": "1us"}, r"--period 1us: from 20 us to 10 s can be run\."),
        ({"period": "1 fortnight"}, "--period: .* is not understood"),
        ({"work": "2ms"}, "--work 2ms does not fit into a period of 1ms: .* --overload runs it"),
        (
            {"work": "500us", "deadline": "400us"},
            "--work 500us does not end before a deadline of 400us: every period would miss it",
        ),
        ({"work": "0us"}, "--work: .* write it as a time, 100us, or as rounds"),
        ({"work": "1s", "overload": True}, "--work 1s is more than a hundred periods of 1ms"),
        ({"deadline": "2ms"}, "--deadline 2ms: it is beyond the period of 1ms"),
        ({"working_set": "8"}, "--working-set 8: 64 bytes to 256M"),
        ({"length": "17M"}, "--length 17M: messages of up to 16M"),
        ({"rate": "1e7/s"}, "--rate 1e7/s: up to a million messages a second"),
        ({"rate": "often"}, '--rate: "often" is not understood'),
        ({"rate": "max", "encryption_priority": 5}, "--rate max with --encrypt-priority"),
        ({"duration_": "50ms"}, "--duration 50ms holds 50 periods of 1ms; at least 64 are needed"),
        ({"duration_": "1h"}, "--duration 1h holds 3,600,000 periods of 1ms; the device keeps at most"),
    ],
)
def test_what_cannot_be_run_is_refused_in_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        plan(**changes)


def test_an_overload_that_is_asked_for_is_planned() -> None:
    made = plan(work="2ms", overload=True)
    assert made.work_ns == 2_000_000
    assert made.words()["overload"] == 1

"""The row of a run: what was granted, what is added, sentences on what was not as asked."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from linux.interfere.synthetic import FACTS, plan, reply_of

from steelyard.linux.interfere import result

REFUSED = {
    "scheduler": "SCHED_OTHER",
    "priority": 0,
    "core": 0,
    "scheduler_refused": "Operation not permitted",
}


def row_of(**facts: Any) -> result.Row:
    made = plan()
    return result.complete({**result.asked(made), **result.measured(made, reply_of(made, **facts))})


def test_every_field_is_in_the_row_and_defined_once() -> None:
    names = [field.name for field in result.FIELDS]
    assert len(names) == len(set(names))
    row = row_of()
    assert list(row) == names
    assert json.loads(json.dumps([row])) == [row]
    with pytest.raises(KeyError):
        result.complete({"no such field": 1})


def test_a_planted_latency_is_what_encryption_adds() -> None:
    row = row_of(added_ns=7_000)
    assert row["wakeup_mean_us_without"] == pytest.approx(25, abs=0.5)
    assert row["wakeup_mean_us_with"] == pytest.approx(32, abs=0.5)
    for name in ("added_wakeup_mean_us", "added_response_mean_us"):
        low, high = row[f"{name}_low"], row[f"{name}_high"]
        assert isinstance(low, float)
        assert isinstance(high, float)
        assert low < 7 < high
    assert row["added_cpu_process_percent"] == pytest.approx(0.1)
    assert row["added_cpu_machine_percent"] == pytest.approx(1)
    assert row["misses_percent_with"] == 0
    assert row["messages"] == 100
    assert row["message_us_mean"] == 10
    assert json.loads(str(row["notes"])) == []


def test_memory_is_counted_without_the_recorded_periods() -> None:
    assert row_of()["rss_peak_bytes"] == 852_000


def test_what_the_device_does_not_tell_is_null() -> None:
    made = plan()
    reply = reply_of(made, rss_peak_bytes=None)
    blocks = tuple(replace(block, machine_busy_ticks=None) for block in reply.blocks)
    row = result.measured(made, result.Reply(reply.facts, blocks))
    assert row["rss_peak_bytes"] is None
    assert row["cpu_machine_percent_with"] is None
    assert row["added_cpu_machine_percent"] is None
    assert row["governor"] is None


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"task": REFUSED}, "refused SCHED_FIFO with priority 80 for the task (Operation not permitted)"),
        ({"encryption": REFUSED}, "refused SCHED_FIFO with priority 0 for the encryption"),
        (
            {"memory_not_locked": "Cannot allocate memory"},
            "refused to lock the memory (Cannot allocate memory)",
        ),
        ({"work_ns": 2_100_000}, "The work takes 2,100 us, longer than the period"),
    ],
)
def test_what_was_not_as_asked_is_said(facts: dict[str, Any], sentence: str) -> None:
    (note,) = json.loads(str(row_of(**facts)["notes"]))
    assert sentence in note


def test_a_rate_that_was_not_met_is_said() -> None:
    made = plan()
    reply = reply_of(made)
    blocks = tuple(replace(block, messages_due=50 * block.encrypts) for block in reply.blocks)
    row = result.measured(made, result.Reply(reply.facts, blocks))
    (note,) = json.loads(str(row["notes"]))
    assert note == "The rate was not met: of 1,000 messages that fell due 100 were encrypted (100/s)."


def test_few_messages_and_a_busy_hypervisor_are_said() -> None:
    made = plan(rate="1/s")
    reply = reply_of(made)
    blocks = tuple(
        replace(block, messages=0, messages_due=0, machine_steal_ticks=2) for block in reply.blocks
    )
    row = result.measured(made, result.Reply(reply.facts, blocks))
    few, stolen = json.loads(str(row["notes"]))
    assert few == "Only 0 messages fell into this run: let it last longer, or raise the rate."
    assert "up to 2.0 % of the machine" in stolen
    assert row["message_us_mean"] is None


def test_a_reply_is_read_block_by_block() -> None:
    made = plan()
    said = {
        **FACTS,
        "blocks": [
            {
                "encrypts": False, "releases": [50, 51, 53], "wakeup_ns": [5, 6, 7],
                "response_ns": [105, 1_200_000, 107], "messages": 0, "messages_due": 0, "spill_ns": 0,
            }
        ]
        * 2,
    }  # fmt: skip
    reply = result.read_reply(said, made)
    assert [block.first for block in reply.blocks] == [0, made.block_periods]
    assert reply.blocks[0].response_ns.tolist() == [105, 1_200_000, 107]
    assert "blocks" not in reply.facts
    with pytest.raises(KeyError):
        result.read_reply({}, made)


def test_runs_of_the_same_share_a_name_and_others_do_not() -> None:
    row = row_of()
    assert result.name_of(row) == result.name_of({**row, "wakeup_max_us_with": 1.0})
    assert result.name_of(row) != result.name_of({**row, "message_bytes": 16})

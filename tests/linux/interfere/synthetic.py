"""Runs with known latencies, without a device."""

from __future__ import annotations

from typing import Any

import numpy as np

from steelyard.linux.interfere import result
from steelyard.linux.interfere.plan import Plan, make_plan
from steelyard.linux.interfere.result import Reply
from steelyard.linux.interfere.series import Block

OPTIONS: dict[str, Any] = {
    "period": "1ms",
    "work": "100us",
    "deadline": None,
    "working_set": "16K",
    "priority": 80,
    "core": 0,
    "rate": "100/s",
    "length": "1024",
    "encryption_priority": 0,
    "encryption_core": None,
    "duration_": "2s",
    "overload": False,
}

FACTS: dict[str, Any] = {
    "work_rounds": 2000,
    "work_ns": 100_000,
    "task": {"scheduler": "SCHED_FIFO", "priority": 80, "core": 0, "scheduler_refused": ""},
    "encryption": {"scheduler": "SCHED_OTHER", "priority": 0, "core": 0, "scheduler_refused": ""},
    "memory_not_locked": "",
    "rss_peak_bytes": 900_000,
    "pss_bytes": 500_000,
    "recorder_bytes": 48_000,
    "frequency_hz": None,
    "governor": "",
    "temperature_millicelsius": None,
}


def plan(**changes: Any) -> Plan:
    """The plan of OPTIONS, changed."""
    return make_plan(**{**OPTIONS, **changes})


def block(
    number: int,
    wakeup_ns: Any,
    *,
    encrypts: bool,
    work_ns: int = 100_000,
    periods: int | None = None,
    releases: Any = None,
    **figures: Any,
) -> Block:
    """A block whose jobs answer `work_ns` after they woke; all periods ran unless `releases` says which."""
    wakeup = np.asarray(wakeup_ns, np.int64)
    count = periods if periods is not None else len(wakeup)
    first = number * count
    ran = np.arange(first, first + count) if releases is None else np.asarray(releases, np.int64)
    return Block(encrypts, first, count, ran, wakeup, wakeup + work_ns, **figures)


def in_turn(number: int) -> bool:
    """Whether the block of that number encrypts."""
    return number % 4 in (1, 2)


def reply_of(made: Plan, *, added_ns: int = 0, seed: int = 5, drift_ns: int = 0, **facts: Any) -> Reply:
    """A run that wakes after 20 to 30 us, `added_ns` more beside encryption, `drift_ns` more a block."""
    random = np.random.default_rng(seed)
    blocks = []
    for number in range(made.blocks):
        encrypts = in_turn(number)
        wakeup = random.integers(20_000, 30_000, made.block_periods)
        wakeup += number * drift_ns + encrypts * added_ns
        blocks.append(
            block(
                number,
                wakeup,
                encrypts=encrypts,
                messages=5 * encrypts,
                messages_due=5 * encrypts,
                encrypting_ns=50_000 * encrypts,
                encrypting_ns_max=12_000 * encrypts,
                message_delay_ns_max=80_000 * encrypts,
                time_ns=made.block_periods * made.period_ns,
                cpu_process_ns=5_000_000 + 50_000 * encrypts,
                machine_busy_ticks=20 + encrypts,
                machine_total_ticks=100,
                machine_steal_ticks=0,
                switches_voluntary=made.block_periods,
                switches_involuntary=encrypts,
            )
        )
    return Reply({**FACTS, **facts}, tuple(blocks))


def run(primitive: str, added_ns: int = 0, **named: str | None) -> result.Row:
    """What a run saves, with a reply in which encryption adds so much."""
    made = plan()
    return result.complete(
        {
            **result.asked(made), **result.measured(made, reply_of(made, added_ns=added_ns)),
            "status": "ok", "device": "local", "primitive": primitive, "mode": "ctr", **named,
        }
    )  # fmt: skip

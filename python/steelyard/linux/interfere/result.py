"""A run as one flat row: requested and granted settings, measurements, and the effect of encryption."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from steelyard.linux.interfere import series
from steelyard.linux.interfere.plan import Plan
from steelyard.linux.interfere.series import Block, Difference
from steelyard.record.schema import Field

Row = dict[str, str | int | float | bool | None]

KIND = "interference"
"""Kind of these results in the store."""

SIDES = ("without", "with")
_QUANTITIES = {
    "wakeup": "wake-up latency (release jitter): from the release to the first instruction of the task",
    "response": "response time: from the release to the end of the task's work",
}
_STATISTICS = {
    "min": "minimum",
    "mean": "mean",
    "sd": "standard deviation (population)",
    "p50": "median",
    "p99": "99th percentile; null below 100 periods",
    "p999": "99.9th percentile; null below 1000 periods",
    "max": "maximum",
}
_OF_SIDES = {
    "jobs": (int, "", "periods in which the task ran"),
    "late": (int, "", "periods whose response came after the deadline"),
    "lost": (int, "", "periods that passed while an earlier period's work was unfinished"),
    "misses_percent": (float, "%", "share of late and lost periods"),
    "cpu_process_percent": (float, "%", "CPU time of task, messages and observer; 100 is one core"),
    "cpu_machine_percent": (float, "%", "busy share of all cores, by any program"),
    "steal_percent": (float, "%", "share of all cores' time that the hypervisor gave to others"),
    "switches_per_s": (float, "/s", "context switches of the process"),
}
_ADDED = {
    "wakeup_mean_us": "mean wake-up latency",
    "wakeup_p99_us": "99th percentile of the wake-up latency",
    "response_mean_us": "mean response time",
    "response_p99_us": "99th percentile of the response time",
    "misses_percent": "share of late and lost periods",
    "cpu_process_percent": "CPU time of the process; 100 is one core",
    "cpu_machine_percent": "busy share of all cores",
}


def _definitions() -> list[Field]:
    # fmt: off
    asked = [
        Field("device", str, "", "local, or user@host", True),
        Field("primitive", str, "", "algorithm with fixed parameters that protects the messages", True),
        Field("variant", str, "", "implementation as algorithm/name; null for a library's", True),
        Field("library", str, "", "library of the device; null for Steelyard's own code", True),
        Field("mode", str, "", "mode of operation; null for primitives without one", True),
        Field("flags", str, "", "optimisation flags of the program on the device", True),
        Field("operation", str, "", "operation on each message: encrypt, digest, mac or seal", True),
        Field("padding", str, "",
              "padding of messages in modes that take whole blocks; null in other modes", True),
        Field("message_bytes", int, "byte", "length of one message", True),
        Field("rate_hz", float, "/s", "requested messages per second; null for one after the other", True),
        Field("period_us", float, "us", "period of the task", True),
        Field("deadline_us", float, "us", "deadline of the task, from its release", True),
        Field("work_asked", str, "", "requested work of a period: a time, or rounds of the loop", True),
        Field("working_set_bytes", int, "byte", "memory that the task's work accesses", True),
        Field("priority", int, "", "requested priority of the task; 0 is SCHED_OTHER", True),
        Field("core", int, "", "requested core of the task; null if the kernel chooses", True),
        Field("encryption_priority", int, "",
              "requested priority of the messages' thread; 0 is SCHED_OTHER", True),
        Field("encryption_core", int, "",
              "requested core of the messages' thread; null if the kernel chooses", True),
        Field("duration_s", float, "s", "duration of all blocks", True),
    ]
    granted = [
        Field("library_version", str, "", "version that the library states; null without a library"),
        Field("status", str, "", "result of the run: ok, failed, wrong-output or build-failed; unsupported if"
              " a library lacks the algorithm"),
        Field("error", str, "", "what went wrong; null if status is ok"),
        Field("verified", bool, "", "whether the output of a message of this run equalled the known answer"),
        Field("verified_by", str, "", "known answers or implementation with which the output was compared"),
        Field("scheduler", str, "", "granted scheduling of the task: SCHED_FIFO or SCHED_OTHER"),
        Field("encryption_scheduler", str, "", "granted scheduling of the messages' thread: SCHED_FIFO or"
              " SCHED_OTHER"),
        Field("notes", str, "JSON", "sentences on what the device refused and what could not be met"),
        Field("work_rounds", int, "", "rounds of the task's loop in a period"),
        Field("work_us", float, "us", "time of work_rounds rounds without disturbance, by calibration"),
        Field("blocks", int, "", "number of blocks, half of which encrypt"),
        Field("messages", int, "", "number of messages encrypted"),
        Field("messages_per_s", float, "/s", "messages encrypted per second, in the blocks that encrypt"),
        Field("message_us_mean", float, "us", "mean time to encrypt a message, with what interrupted it"),
        Field("message_us_max", float, "us", "longest time to encrypt a message, with what interrupted it"),
        Field("message_delay_us_max", float, "us", "longest time from a message's due moment to its"
              " ciphertext"),
        Field("rss_peak_bytes", int, "byte", "resident memory of the program, without the recorded periods"),
        Field("pss_bytes", int, "byte", "proportional share of resident memory, with the recorded periods"),
        Field("frequency_hz", int, "Hz", "CPU frequency at the end; null if the kernel does not state one"),
        Field("governor", str, "",
              "the kernel's policy for the CPU frequency; null if it does not state one"),
        Field("temperature_celsius", float, "degree Celsius", "temperature of the hottest sensor at the end;"
              " null without a sensor"),
    ]
    # fmt: on
    sides = [
        Field(f"{quantity}_{statistic}_us_{side}", float, "us", f"{what}, {which}; {side} encryption")
        for quantity, what in _QUANTITIES.items()
        for side in SIDES
        for statistic, which in _STATISTICS.items()
    ] + [
        Field(f"{name}_{side}", type_, unit, f"{doc}; {side} encryption")
        for name, (type_, unit, doc) in _OF_SIDES.items()
        for side in SIDES
    ]
    added = [
        Field(f"added_{name}{end}", float, name.rsplit("_", 1)[-1].replace("percent", "%"), f"{doc}{which}")
        for name, doc in _ADDED.items()
        for end, which in (
            ("", ": difference with minus without encryption"),
            ("_low", ": lower end of the difference's 95 % interval (bootstrap over blocks)"),
            ("_high", ": upper end of the difference's 95 % interval (bootstrap over blocks)"),
        )
    ]
    histograms = [
        Field(
            f"{quantity}_histogram_{side}", str, "JSON",
            f"list of [k, periods]: {quantity} from 10^(k/20) us to 10^((k+1)/20) us; {side} encryption",
        )
        for quantity in _QUANTITIES
        for side in SIDES
    ]  # fmt: skip
    machine = [
        Field("processor", str, "", "processor of the device"),
        Field("architecture", str, "", "architecture of the device, as its kernel states it"),
        Field("kernel", str, "", "kernel of the device"),
        Field("cores", int, "", "number of cores of the device"),
        Field("source_hash", str, "", "SHA-256 of the sources of the program on the device"),
        Field("toolchain", str, "", "compiler of the program on the device"),
        Field("input_seed", str, "", "seed of key, message and the messages' moments"),
        Field("steelyard_version", str, "", "version of Steelyard"),
        Field("steelyard_commit", str, "", "commit of the working tree, with + if changed; null in a wheel"),
        Field("date", str, "", "time of the measurement, UTC, ISO 8601"),
    ]
    return [*asked, *granted, *sides, *added, *histograms, *machine]


FIELDS: tuple[Field, ...] = tuple(_definitions())


@dataclass(frozen=True)
class Reply:
    """Reply of the program on the device about a run."""

    facts: Mapping[str, Any]
    blocks: tuple[Block, ...]


def read_reply(reply: Mapping[str, Any], plan: Plan) -> Reply:
    """Parse a reply of the program; KeyError, TypeError or ValueError for an invalid one."""
    known = {field.name for field in fields(Block)}
    columns = ("releases", "wakeup_ns", "response_ns")
    blocks = []
    for index, block in enumerate(reply["blocks"]):
        figures = {name: value for name, value in block.items() if name in known and name not in columns}
        figures |= {name: np.array(block[name], np.int64) for name in columns}
        blocks.append(Block(first=index * plan.block_periods, periods=plan.block_periods, **figures))
    return Reply({name: value for name, value in reply.items() if name != "blocks"}, tuple(blocks))


def asked(plan: Plan) -> Row:
    """Return the fields of a row that a plan fills."""
    return {
        "message_bytes": plan.message_bytes,
        "rate_hz": plan.rate_hz,
        "period_us": plan.period_ns / 1e3,
        "deadline_us": plan.deadline_ns / 1e3,
        "work_asked": f"{plan.work_rounds} rounds" if plan.work_ns is None else f"{plan.work_ns / 1e3:g} us",
        "working_set_bytes": plan.working_set_bytes,
        "priority": plan.priority,
        "core": plan.core,
        "encryption_priority": plan.encryption_priority,
        "encryption_core": plan.encryption_core,
        "duration_s": plan.duration_s,
        "blocks": plan.blocks,
    }


def measured(plan: Plan, reply: Reply) -> Row:
    """Return the fields of a row that a reply fills; the caller adds `status`, origin and device."""
    kept = series.settled(reply.blocks, plan.period_ns)
    row: Row = {}
    for side in SIDES:
        of_side = [block for block in kept if block.encrypts == (side == "with")]
        row |= {f"{name}_{side}": value for name, value in _side(of_side, plan).items()}
    row |= _added(series.pairs(kept), plan)
    row |= _messages([block for block in reply.blocks if block.encrypts])
    facts = reply.facts
    millidegrees = facts["temperature_millicelsius"]
    return row | {
        "scheduler": facts["task"]["scheduler"],
        "encryption_scheduler": facts["encryption"]["scheduler"],
        "notes": json.dumps(notes(plan, reply, row)),
        "work_rounds": facts["work_rounds"],
        "work_us": facts["work_ns"] / 1e3,
        "rss_peak_bytes": _less(facts["rss_peak_bytes"], facts["recorder_bytes"]),
        "pss_bytes": facts["pss_bytes"],
        "frequency_hz": facts["frequency_hz"],
        "governor": facts["governor"] or None,
        "temperature_celsius": None if millidegrees is None else millidegrees / 1e3,
    }


def _less(value: int | None, part: int) -> int | None:
    return None if value is None else max(0, value - part)


_SERIES: dict[str, Callable[[Block], series.Series]] = {
    "wakeup": lambda block: block.wakeup_ns,
    "response": lambda block: block.response_ns,
}


def _side(blocks: Sequence[Block], plan: Plan) -> Row:
    row: Row = {}
    for quantity, of_block in _SERIES.items():
        values = series.of(blocks, of_block)
        found = series.summary(values)
        figures = (
            (None,) * len(_STATISTICS)
            if found is None
            else (found.minimum, found.mean, found.sd, found.p50, found.p99, found.p999, found.maximum)
        )
        for statistic, value in zip(_STATISTICS, figures, strict=True):
            row[f"{quantity}_{statistic}_us"] = None if value is None else value / 1e3
        row[f"{quantity}_histogram"] = json.dumps(series.histogram(values))
    missed = series.misses(blocks, plan.deadline_ns)
    time_ns = sum(block.time_ns for block in blocks)
    return row | {
        "jobs": missed.periods - missed.lost,
        "late": missed.late,
        "lost": missed.lost,
        "misses_percent": None if missed.share is None else 100 * missed.share,
        "cpu_process_percent": _percent(sum(block.cpu_process_ns for block in blocks), time_ns),
        "cpu_machine_percent": _ticks(blocks, lambda block: block.machine_busy_ticks),
        "steal_percent": _ticks(blocks, lambda block: block.machine_steal_ticks),
        "switches_per_s": (
            sum(block.switches_voluntary + block.switches_involuntary for block in blocks) / time_ns * 1e9
            if time_ns
            else None
        ),
    }


def _percent(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def _ticks(blocks: Sequence[Block], part: Callable[[Block], int | None]) -> float | None:
    pairs = [(part(block), block.machine_total_ticks) for block in blocks]
    if any(one is None or total is None for one, total in pairs):
        return None
    return _percent(sum(one or 0 for one, _ in pairs), sum(total or 0 for _, total in pairs))


def _added(paired: Sequence[tuple[Block, Block]], plan: Plan) -> Row:
    def sum_of(of_block: Callable[[Block], series.Series]) -> Callable[[Block], tuple[float, float]]:
        return lambda block: (of_block(block).sum() / 1e3, len(of_block(block)))

    def missed(block: Block) -> tuple[float, float]:
        of_block = series.misses([block], plan.deadline_ns)
        return 100 * (of_block.late + of_block.lost), of_block.periods

    found = {
        f"{quantity}_mean_us": series.mean_difference(paired, sum_of(of_block))
        for quantity, of_block in _SERIES.items()
    }
    found |= {
        f"{quantity}_p99_us": _in_us(series.quantile_difference(paired, of_block, 0.99))
        for quantity, of_block in _SERIES.items()
    }
    found["misses_percent"] = series.mean_difference(paired, missed)
    found["cpu_process_percent"] = series.mean_difference(
        paired, lambda block: (100 * block.cpu_process_ns, block.time_ns)
    )
    if all(block.machine_busy_ticks is not None for pair in paired for block in pair):
        found["cpu_machine_percent"] = series.mean_difference(
            paired, lambda block: (100 * (block.machine_busy_ticks or 0), block.machine_total_ticks or 0)
        )
    row: Row = {}
    for name in _ADDED:
        difference = found.get(name)
        row[f"added_{name}"] = difference.value if difference else None
        row[f"added_{name}_low"] = difference.low if difference else None
        row[f"added_{name}_high"] = difference.high if difference else None
    return row


def _in_us(difference: Difference | None) -> Difference | None:
    if difference is None:
        return None
    return Difference(difference.value / 1e3, difference.low / 1e3, difference.high / 1e3)


def _messages(blocks: Sequence[Block]) -> Row:
    made = sum(block.messages for block in blocks)
    time_ns = sum(block.time_ns for block in blocks)
    spent_ns = sum(block.encrypting_ns for block in blocks)
    return {
        "messages": made,
        "messages_per_s": made / time_ns * 1e9 if time_ns else None,
        "message_us_mean": spent_ns / made / 1e3 if made else None,
        "message_us_max": max((block.encrypting_ns_max for block in blocks), default=0) / 1e3
        if made
        else None,
        "message_delay_us_max": (max(block.message_delay_ns_max for block in blocks) / 1e3 if made else None),
    }


_FEW_MESSAGES = 10
_MET = 0.99
_STEAL_PERCENT = 0.5


def notes(plan: Plan, reply: Reply, row: Row) -> list[str]:
    """Return a sentence for everything that differs from the request or weakens the figures."""
    facts, found = reply.facts, []
    for who, asked_for in (("task", plan.priority), ("encryption", plan.encryption_priority)):
        reason = facts[who]["scheduler_refused"]
        if reason:
            found.append(
                f"The device refused SCHED_FIFO with priority {asked_for} for the {who} ({reason}):"
                " it ran with SCHED_OTHER, among all other programs."
            )
    if facts["memory_not_locked"]:
        found.append(
            f"The device refused to lock the memory ({facts['memory_not_locked']}): page faults may count."
        )
    if facts["work_ns"] > plan.period_ns:
        found.append(
            f"The work takes {facts['work_ns'] / 1e3:,.0f} us, longer than the period:"
            " the task cannot keep up."
        )
    due = sum(block.messages_due for block in reply.blocks)
    made = sum(block.messages for block in reply.blocks)
    # One that falls due in the last moment of a block is not begun in it: that is not the rate's fault.
    if plan.rate_hz is not None and due - made > max((1 - _MET) * due, plan.pairs):
        found.append(
            f"The rate was not met: of {due:,} messages that fell due {made:,} were encrypted"
            f" ({row['messages_per_s']:,.5g}/s)."
        )
    if made < _FEW_MESSAGES:
        found.append(f"Only {made} messages fell into this run: let it last longer, or raise the rate.")
    steal = max((float(row[f"steal_percent_{side}"] or 0) for side in SIDES), default=0.0)
    if steal > _STEAL_PERCENT:
        found.append(
            f"A hypervisor took up to {steal:.1f} % of the machine meanwhile:"
            " the longest times may be its own."
        )
    return found


def complete(partial: Mapping[str, Any]) -> Row:
    """Return the row with every field, in order; KeyError for an unknown field."""
    row: Row = {field.name: None for field in FIELDS}
    for name, value in partial.items():
        if name not in row:
            raise KeyError(name)
        row[name] = value
    return row


def name_of(row: Row) -> str:
    """Return the name that identifies a run; a run of the same name replaces it in the store."""
    return " ".join(str(row[field.name]) for field in FIELDS if field.identity)

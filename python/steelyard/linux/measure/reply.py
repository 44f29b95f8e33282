"""Convert a program's reply to the fields of a record, for Steelyard's own code and for libraries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from steelyard.linux.device.connect import Reached
from steelyard.linux.device.device import Device
from steelyard.linux.measure.statistics import Summary, summarise
from steelyard.record.origin import steelyard_commit, steelyard_version
from steelyard.record.schema import METRICS, Record

TIER = "host"

_FACTS = (
    *("system", "kernel", "architecture", "processor", "cores", "virtual", "clock", "clock_source"),
    *("clock_resolution_ns", "tick_ns", "page_bytes"),
)
_NOT_WEIGHED = {"rom_bytes": "code is weighed in images for chips", "ram_stack_bytes": "seen on chips only"}
_EMULATED = "an emulator ran the program: its times say nothing about a processor"


def device_fields(reached: Reached) -> Record:
    """Return the device and the program of a measurement as fields."""
    return {
        "target": reached.host.id,
        "device": reached.device.name,
        "transport": reached.device.transport,
        "tier": TIER,
        "machine": json.dumps({name: reached.machine.get(name) for name in _FACTS}),
        "steelyard_version": steelyard_version(),
        "steelyard_commit": steelyard_commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def measured_fields(reply: Mapping[str, Any], device: Device, runs: int, message_bytes: int | None) -> Record:
    """Return the figures of a reply whose status is ok; `runs` is the requested number.

    Without times if an emulator ran the program.
    """
    absent = {**_NOT_WEIGHED, **reply["absent"]}
    fields: Record = {"ram_context_bytes": reply.get("context_bytes")}
    if device.times_count:
        fields |= _figures(reply, runs, message_bytes)
    else:
        absent |= dict.fromkeys(("time_us", "cpu_process_percent", "rss_peak_bytes"), _EMULATED)
    fields["absent"] = json.dumps(absent)
    return fields


def lead_runs(runs: int) -> int:
    """Return the number of additional runs for the warm-up."""
    return max(2, runs // 5)


def without_figures(record: Record) -> Record:
    """Return a failed record without its figures."""
    return {**record, **dict.fromkeys(METRICS)}


def _figures(reply: Mapping[str, Any], runs: int, message_bytes: int | None) -> Record:
    calls = reply["calls_per_run"]
    times_us = [delay / calls / 1000 for delay in reply["delays_ns"]]
    figures = summarise(times_us, runs)
    window_calls = reply["window_calls"]
    energy_uj = reply["energy_uj"]
    fields: Record = {
        "runs": figures.runs,
        "calls_per_run": calls,
        "warmup_runs": figures.warmup_runs,
        "outlier_runs": figures.outlier_runs,
        "time_us": figures.mean,
        "time_sd_us": figures.sd,
        "time_min_us": figures.minimum,
        "time_median_us": figures.median,
        "time_max_us": figures.maximum,
        "time_low_us": figures.low,
        "time_high_us": figures.high,
        "first_call_us": reply["first_call_ns"] / 1000,
        "run_times_us": json.dumps([round(time, 6) for time in times_us]),
        "window_us": reply["window_ns"] / 1000,
        "window_calls": window_calls,
        "cpu_time_us": reply["cpu_process_ns"] / window_calls / 1000,
        "energy_nj": energy_uj * 1000 / window_calls if energy_uj is not None else None,
        "throughput_bytes_per_s": message_bytes / figures.mean * 1e6 if message_bytes else None,
    }
    for name in (
        *("cpu_process_percent", "cpu_machine_percent", "rss_peak_bytes", "pss_bytes"),
        *("switches_voluntary", "switches_involuntary", "frequency_hz", "governor", "temperature_celsius"),
    ):
        fields[name] = reply[name]
    return fields | _counted(reply, figures, message_bytes)


def _counted(reply: Mapping[str, Any], figures: Summary, message_bytes: int | None) -> Record:
    """Return cycles and instructions of the runs to which the times belong."""
    fields: Record = {}
    calls = reply["calls_per_run"]
    taken = slice(figures.warmup_runs, figures.warmup_runs + figures.runs)
    if reply["cycles"] is not None:
        cycles = [count / calls for count in reply["cycles"]][taken]
        mean = sum(cycles) / len(cycles)
        fields |= {
            "cycles": mean,
            "cycles_min": round(min(cycles)),
            "cycles_max": round(max(cycles)),
            "cycles_sd": (sum((count - mean) ** 2 for count in cycles) / len(cycles)) ** 0.5,
            "cycles_per_byte": mean / message_bytes if message_bytes else None,
        }
    if reply["instructions"] is not None:
        instructions = [count / calls for count in reply["instructions"]][taken]
        fields["instructions"] = sum(instructions) / len(instructions)
    return fields

"""From a reply to the figures of a record, on a device that tells everything."""

from __future__ import annotations

from typing import Any

import pytest

from steelyard.errors import EnvironmentProblem
from steelyard.linux.device.connect import Way, reach
from steelyard.linux.device.device import LocalDevice
from steelyard.linux.measure.reply import measured_fields
from steelyard.record.schema import blank

REPLY: dict[str, Any] = {
    "delays_ns": [9000, 2000, 2000, 2400, 2400],
    "cycles": [90000, 4000, 4000, 4800, 4800],
    "instructions": [8000, 8000, 8000, 8000, 8000],
    "calls_per_run": 2,
    "first_call_ns": 7000,
    "window_ns": 100_000,
    "window_calls": 40,
    "cpu_process_ns": 80_000,
    "cpu_process_percent": 80.0,
    "cpu_machine_percent": 50.0,
    "rss_peak_bytes": 4096,
    "pss_bytes": 2048,
    "switches_voluntary": 1,
    "switches_involuntary": 2,
    "frequency_hz": 2_000_000_000,
    "governor": "performance",
    "temperature_celsius": 41.5,
    "energy_uj": 20,
    "absent": {},
    "context_bytes": 176,
}


def _fields(reply: dict[str, Any], *, times_count: bool = True) -> dict[str, Any]:
    device = LocalDevice()
    device.times_count = times_count
    try:
        return measured_fields(reply, device, runs=4, message_bytes=100)
    finally:
        device.close()


def test_times_are_of_one_call_and_counters_of_the_same_runs() -> None:
    fields = _fields(REPLY)
    assert set(fields) <= set(blank())
    assert (fields["warmup_runs"], fields["runs"]) == (1, 4)
    assert fields["time_us"] == pytest.approx(1.1)
    assert fields["cycles"] == pytest.approx(2200)
    assert (fields["cycles_min"], fields["cycles_max"]) == (2000, 2400)
    assert fields["cycles_per_byte"] == pytest.approx(22)
    assert fields["instructions"] == pytest.approx(4000)
    assert fields["energy_nj"] == pytest.approx(500)
    assert fields["cpu_time_us"] == pytest.approx(2)
    assert fields["throughput_bytes_per_s"] == pytest.approx(100 / 1.1e-6)
    assert (fields["governor"], fields["temperature_celsius"]) == ("performance", 41.5)


def test_nothing_of_an_emulator_s_times_is_taken() -> None:
    fields = _fields(REPLY, times_count=False)
    assert {name for name, value in fields.items() if value is not None} == {"ram_context_bytes", "absent"}


def test_an_architecture_without_programs_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "s390x")
    with pytest.raises(EnvironmentProblem, match="local is a s390x; there are programs for"), reach(Way()):
        pass

"""The agents of every architecture compute right, under an emulator whose times are never reported."""

from __future__ import annotations

import json
import shutil

import pytest
from linux.measure.cells import measured

from steelyard.catalog.load import Catalog
from steelyard.linux.device.connect import Way, reach
from steelyard.linux.hosts import load_hosts
from steelyard.measure.selection import Selection
from steelyard.record.schema import METRICS


@pytest.mark.parametrize("host", [host.id for host in load_hosts()])
def test_outputs_are_right_and_no_time_is_told(catalog: Catalog, host: str) -> None:
    emulator = next(one.qemu for one in load_hosts() if one.id == host)
    if shutil.which(emulator) is None:
        pytest.skip(f"needs {emulator} (qemu-user)")
    selection = Selection(
        primitive=("aes-128", "sha-256", "aes-128-gcm"),
        mode=("ctr",),
        operation=("decrypt", "digest", "open"),
        length=(1000,),
    )
    with reach(Way(qemu=host)) as reached:
        assert not reached.device.times_count
        records = measured(catalog, reached, selection)
    assert len(records) == 3
    for record in records:
        assert (record["status"], record["verified"], record["transport"]) == ("ok", True, "qemu")
        assert record["target"] == host
        told = {name for name in METRICS if record[name] is not None}
        assert told == {"ram_context_bytes"}
        assert "emulator" in json.loads(str(record["absent"]))["time_us"]
        assert record["cpu_process_percent"] is None and record["run_times_us"] is None

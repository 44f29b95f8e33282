"""The agents of every architecture compute right, under an emulator whose times are never reported."""

from __future__ import annotations

import json

from linux.emulated import EACH_HOST
from linux.measure.cells import measured

from steelyard.catalog.load import Catalog
from steelyard.linux.device.connect import Way, reach
from steelyard.linux.hosts import Host
from steelyard.measure.selection import Selection
from steelyard.record.schema import METRICS


@EACH_HOST
def test_outputs_are_right_and_no_time_is_told(catalog: Catalog, host: Host) -> None:
    selection = Selection(
        primitive=("aes-128", "sha-256", "aes-128-gcm"),
        mode=("ctr",),
        operation=("decrypt", "digest", "open"),
        length=(1000,),
    )
    with reach(Way(qemu=host.id)) as reached:
        assert not reached.device.times_count
        records = measured(catalog, reached, selection)
    assert len(records) == 3
    for record in records:
        assert (record["status"], record["verified"], record["transport"]) == ("ok", True, "qemu")
        assert record["target"] == host.id
        told = {name for name in METRICS if record[name] is not None}
        assert told == {"ram_context_bytes"}
        assert "emulator" in json.loads(str(record["absent"]))["time_us"]
        assert record["cpu_process_percent"] is None and record["run_times_us"] is None

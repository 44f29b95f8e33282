"""Power of devices beside sums of work, currents and bytes."""

from __future__ import annotations

import pytest
from scenario.scenes import CATALOG

from steelyard.advise.battery import nodes
from steelyard.scenario.cost import Chip, Cost
from steelyard.scenario.energy import power_w
from steelyard.scenario.protection import parse
from steelyard.scenario.scene import Device, Scene
from steelyard.scenario.system import Processor, build


def scene_of(bus: dict[str, object], poll: str | None) -> Scene:
    """A sensor that samples ten times a second, and a controller that gets it, polled or at once."""
    message = {
        "from": "sample",
        "to": "control",
        "bus": "line",
        "payload": "20B",
        "protection": "aes-128-ccm",
    }
    return Scene.model_validate(
        {
            "title": "power",
            "device": {"sensor": {"node": "micaz"}, "plc": {"target": "atmega128"}},
            "bus": {"line": bus},
            "task": {
                "sample": {"device": "sensor", "period": "100ms", "work": "2ms"},
                "control": {"device": "plc", "after": "value", "work": "4ms", "least": "2ms"},
            },
            "message": {"value": {**message, "poll": poll} if poll else message},
        }
    )


@pytest.mark.parametrize("poll", [None, "500ms"])
def test_power(poll: str | None) -> None:
    radio: dict[str, object] = {"kind": "ieee802154"}
    line: dict[str, object] = {"kind": "rs-485", "bit_rate": "19200bit/s", "master": "plc"}
    scene = scene_of(line if poll else radio, poll)
    cost = Cost(1e-3, 1e-3, 1e-3, 1e-3, 2e-5, 20)
    processors = {name: Processor(1e6, lambda job: cost) for name in scene.device}
    system = build(CATALOG, scene, {"value": parse(CATALOG, "aes-128-ccm")}, processors)
    node = nodes()["micaz"]
    sensor = Chip(CATALOG, "sensor", Device(node="micaz"), lambda chip: "gcc")
    crypto, power = power_w(system, "sensor", sensor)
    # A job seals what it gives out, however seldom a master asks for it.
    assert crypto == pytest.approx(10 * 2e-5)
    on_air_per_s = 0 if poll else 10
    sent = system.messages["value"].passage.wire_bytes
    expected = (
        10 * 2e-5
        + 10 * 2e-3 * node.cpu_active_ma * 1e-3 * node.supply_v
        + node.sleep_ua * 1e-6 * node.supply_v
        + on_air_per_s * sent * node.radio_c_per_byte(receive=False) * node.supply_v
    )
    assert power == pytest.approx(expected)
    plc = Chip(CATALOG, "plc", Device(target="atmega128"), lambda chip: "gcc")
    crypto, power = power_w(system, "plc", plc)
    opened_per_s = 2 if poll else 10
    assert crypto == pytest.approx(opened_per_s * 2e-5)
    # 17 mA at 5 V and 8 MHz, as the chip's file has it; twice that at 16 MHz.
    assert power == pytest.approx(opened_per_s * (2e-5 + 3e-3 * 17e-3 * 5 * 2))

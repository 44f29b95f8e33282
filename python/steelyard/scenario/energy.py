"""Mean power of a device: its processor at work, and for a node its radio and its sleep."""

from __future__ import annotations

from steelyard.advise.battery import Node
from steelyard.scenario.cost import Chip
from steelyard.scenario.host import Host
from steelyard.scenario.system import SECOND_NS, System


def power_w(system: System, name: str, device: Chip | Host) -> tuple[float | None, float | None]:
    """Return the power of protection's work, and of all; None if the device's supply is unknown.

    A chip's is that of its work alone; its idle power is unknown. A node's radio sends and receives its
    frames; it does not listen for them.
    """
    crypto = _crypto_w(system, name)
    active = device.active_w()
    if crypto is None or active is None:
        return crypto, None
    tasks = [task for task in system.tasks.values() if task.device == name]
    own = sum(task.own_s * SECOND_NS / task.period_ns for task in tasks) * active
    if isinstance(device, Host) or device.node is None:
        return crypto, crypto + own
    asleep = device.node.sleep_ua * 1e-6 * device.node.supply_v
    return crypto, crypto + own + asleep + _radio_w(system, name, device.node)


def _crypto_w(system: System, name: str) -> float | None:
    total = 0.0
    for (message, side), cost in system.costs.items():
        if system.worker(message, side) == name:
            if cost.energy_j is None:
                return None
            total += cost.energy_j * system.rate_hz(message, side)
    return total


def _radio_w(system: System, name: str, node: Node) -> float:
    total = 0.0
    for message in system.messages.values():
        if message.radio is None:
            continue
        receives = message.receiver is not None and system.tasks[message.receiver].device == name
        for is_end, receive in ((message.sender_device == name, False), (receives, True)):
            if is_end:
                charge = message.passage.wire_bytes * node.radio_c_per_byte(receive=receive)
                total += charge * SECOND_NS / message.period_ns
    return total * node.supply_v

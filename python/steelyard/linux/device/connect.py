"""Reach a device and detect its architecture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from steelyard.errors import EnvironmentProblem
from steelyard.linux.build import ProgramBuild, build_program
from steelyard.linux.device.agent import Agent, AgentRefused, Reply
from steelyard.linux.device.device import LOCAL, Device, LocalDevice, QemuDevice, SshDevice
from steelyard.linux.hosts import Host, find_host, hosts_of, machines


@dataclass(frozen=True)
class Reached:
    """A device that runs the programs; `machine` is its description of itself."""

    device: Device
    host: Host
    machine: Reply


@dataclass(frozen=True)
class Way:
    """How to reach a device: `local` or a destination for ssh with its `options`.

    `qemu` emulates that architecture here instead of a device; `architecture` is for a device that does not
    report its own, `folder` is where a temporary folder may be made on the device.
    """

    destination: str = LOCAL
    options: tuple[str, ...] = ()
    architecture: str | None = None
    folder: str | None = None
    qemu: str | None = None


@contextmanager
def reach(way: Way, say: Callable[[str], None] = lambda sentence: None) -> Iterator[Reached]:
    """Yield the device while it is used; everything put there is removed afterwards.

    EnvironmentProblem, in a sentence, if it is out of reach or runs no program. `say` receives a sentence
    before slow steps.
    """
    device = _device(way)
    try:
        candidates = _candidates(way, device)
        reached, refused = None, ""
        for host in candidates:
            program = build_program(ProgramBuild(host, "probe.c"), on_compile=partial(_tell, say, host))
            path = device.put(f"probe-{host.id}", program.elf)
            try:
                agent = Agent(device, path)
            except AgentRefused as error:
                refused = str(error)
                continue
            agent.close()
            _refuse_emulation(device, host)
            reached = Reached(device, host, agent.machine)
            break
        if reached is None:
            raise EnvironmentProblem(refused)
        yield reached
    finally:
        device.close()


def _refuse_emulation(device: Device, host: Host) -> None:
    """Refuse a device that emulates the architecture, because its times would pass for the device's."""
    if device.times_count and device.machine not in (*host.machine, *host.also_on):
        raise EnvironmentProblem(
            f"{device.name} is a {device.machine}: it only emulates {host.title}, so that times would say"
            " nothing (--qemu does that here, without times)."
        )


def _tell(say: Callable[[str], None], host: Host) -> None:
    say(f"compiling for {host.title}; where it is the first time, a C library too, which takes a minute.")


def _device(way: Way) -> Device:
    if way.qemu is not None:
        host = find_host(way.qemu)
        return QemuDevice(host.qemu, host.machine[0])
    if way.destination == LOCAL:
        return LocalDevice()
    return SshDevice(way.destination, way.options, way.folder)


def _candidates(way: Way, device: Device) -> Sequence[Host]:
    named = way.qemu or way.architecture
    if named is not None:
        return (find_host(named),)
    found = hosts_of(device.machine)
    if not found:
        known = ", ".join(sorted(set(machines())))
        raise EnvironmentProblem(f"{device.name} is a {device.machine}; there are programs for {known}.")
    return found

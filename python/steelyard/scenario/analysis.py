"""Bounds for a whole system: jitter propagated along triggers (Tindell and Clark 1994), and latencies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from steelyard.scenario import schedule
from steelyard.scenario.bus import bit_ns
from steelyard.scenario.scene import Can, CanFd, Ieee802154
from steelyard.scenario.schedule import Bound, Entry
from steelyard.scenario.system import System, TaskModel

_ROUNDS = 200
"""Maximum rounds of jitter propagation; a value that still grows then counts as unbounded."""


@dataclass(frozen=True)
class Response:
    """Bounds of a task, or of a message until it has arrived; nanoseconds, None where no bound was found.

    `base_ns` is its earliest release, `worst_ns` and `best_ns` are its latest and earliest end, all counted
    from the time-driven release that starts its triggers. `response_ns` is compared with its deadline: it
    counts from when it is due, or from its release if something triggers it.
    """

    base_ns: int
    best_ns: int
    worst_ns: int | None
    response_ns: int | None
    deadline_ns: int

    @property
    def meets_deadline(self) -> bool:
        """Whether the bound keeps the deadline."""
        return self.response_ns is not None and self.response_ns <= self.deadline_ns


@dataclass(frozen=True)
class Latency:
    """Latency from a sample to the actuator, in nanoseconds; None where no bound was found."""

    best_ns: int
    worst_ns: int | None


@dataclass(frozen=True)
class Analysis:
    """Shares of devices and buses, responses of tasks and messages, latencies of loops, each by name."""

    devices: Mapping[str, float]
    buses: Mapping[str, float]
    responses: Mapping[str, Response]
    latencies: Mapping[str, Latency]

    @property
    def late(self) -> list[str]:
        """Return tasks and messages that may miss their deadline."""
        return [name for name, response in self.responses.items() if not response.meets_deadline]


def analyse(system: System) -> Analysis:
    """Return the bounds of a system."""
    responses = _Holistic(system).responses()
    devices = {
        device: sum(task.work_ns / task.period_ns for task in system.tasks.values() if task.device == device)
        for device in system.scene.device
    }
    buses = {
        bus: sum(one.passage.air_ns / one.period_ns for one in system.messages.values() if one.bus == bus)
        for bus in system.scene.bus
    }
    latencies = {name: _latency(system, responses, loop.chain) for name, loop in system.scene.loop.items()}
    return Analysis(devices, buses, responses, latencies)


def triggered_by(system: System, name: str) -> str | None:
    """Return what releases a task or a message when it ends; None if time does."""
    if name in system.tasks:
        return system.tasks[name].after
    message = system.messages[name]
    return None if message.timed else message.sender


class _Holistic:
    """Responses and release jitters, computed in turn until they agree."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._bounds: dict[str, Bound | None] = {}
        names = [*system.tasks, *system.messages]
        self._base = {name: self._earliest(name) for name in names}
        self._jitter: dict[str, int | None] = {name: self._own_jitter(name) for name in names}

    def responses(self) -> dict[str, Response]:
        """Return the response of every task and message."""
        for _ in range(_ROUNDS):
            for group in self._groups():
                self._bounds |= self._bounds_of(group)
            before = dict(self._jitter)
            self._jitter = {name: self._inherited(name) for name in before}
            if self._jitter == before:
                break
        else:
            grown = {name for name in before if self._jitter[name] != before[name]}
            self._jitter |= dict.fromkeys(grown, None)
            for group in self._groups():
                self._bounds |= self._bounds_of(group)
        return {name: self._response(name) for name in self._jitter}

    def _earliest(self, name: str) -> int:
        trigger = triggered_by(self._system, name)
        return 0 if trigger is None else self._earliest(trigger) + self._least(trigger)

    def _least(self, name: str) -> int:
        if name in self._system.tasks:
            return self._system.tasks[name].least_ns
        return self._system.messages[name].passage.arrives_least_ns

    def _own_jitter(self, name: str) -> int:
        return self._system.model(name).jitter_ns if triggered_by(self._system, name) is None else 0

    def _inherited(self, name: str) -> int | None:
        """Return the maximum time by which a release follows its earliest moment."""
        trigger = triggered_by(self._system, name)
        if trigger is None:
            return self._own_jitter(name)
        worst = self._worst(trigger)
        return None if worst is None else worst - self._base[name]

    def _worst(self, name: str) -> int | None:
        """Return the latest end."""
        bound = self._bounds[name]
        if bound is None:
            return None
        return self._base[name] + bound.response_ns - self._early(name)

    def _early(self, name: str) -> int:
        """Return the time by which a message arrives before it leaves the bus."""
        if name in self._system.tasks:
            return 0
        passed = self._system.messages[name].passage
        return passed.longest_ns - passed.arrives_ns

    def _response(self, name: str) -> Response:
        bound, model = self._bounds[name], self._system.model(name)
        response = None
        if bound is not None:
            timed = triggered_by(self._system, name) is None
            response = (bound.response_ns if timed else bound.local_ns) - self._early(name)
        best = self._base[name] + self._least(name)
        return Response(self._base[name], best, self._worst(name), response, model.deadline_ns)

    def _groups(self) -> Iterator[list[str]]:
        """Yield the users of each processor or bus, most urgent first; for a radio, what one device sends."""
        for device in self._system.scene.device:
            tasks = [task for task in self._system.tasks.values() if task.device == device]
            yield [task.name for task in sorted(tasks, key=lambda task: task.rank)]
        for name, bus in self._system.scene.bus.items():
            listed = [message for message in self._system.messages.values() if message.bus == name]
            listed.sort(key=lambda message: message.identifier)
            if isinstance(bus, Ieee802154):
                for device in dict.fromkeys(message.sender_device for message in listed):
                    yield [message.name for message in listed if message.sender_device == device]
            else:
                yield [message.name for message in listed]

    def _bounds_of(self, group: Sequence[str]) -> dict[str, Bound | None]:
        """Return the bounds of a group; if a jitter is unknown, those it may delay have none."""
        if not group:
            return {}
        known = [name for name in group if self._jitter[name] is not None]
        ordered = self._is_ordered(group[0])
        if len(known) < len(group):
            first = next(index for index, name in enumerate(group) if self._jitter[name] is None)
            kept = group[:first] if ordered else []
            return {**dict.fromkeys(group, None), **self._bounds_of(kept)}
        return dict(zip(group, self._method(group), strict=True))

    def _is_ordered(self, name: str) -> bool:
        scene = self._system.scene
        if name in self._system.tasks:
            return scene.device[self._system.tasks[name].device].scheduler == "fixed-priority"
        return isinstance(scene.bus[self._system.messages[name].bus], Can | CanFd)

    def _method(self, group: Sequence[str]) -> list[Bound | None]:
        entries = [self._entry(name) for name in group]
        if group[0] in self._system.tasks:
            return schedule.fixed_priority(entries) if self._is_ordered(group[0]) else schedule.edf(entries)
        bus = self._system.scene.bus[self._system.messages[group[0]].bus]
        if isinstance(bus, Can | CanFd):
            return schedule.can(entries, bit_ns(bus))
        return schedule.fifo(entries)

    def _entry(self, name: str) -> Entry:
        model, jitter = self._system.model(name), self._jitter[name]
        assert jitter is not None
        triggered = triggered_by(self._system, name) is not None
        work, blocking = (
            (model.work_ns, model.blocking_ns)
            if isinstance(model, TaskModel)
            else (model.passage.longest_ns, 0)
        )
        entry = Entry(name, model.period_ns, work, model.deadline_ns, jitter, blocking)
        return replace(entry, from_release=triggered)


def _latency(system: System, responses: Mapping[str, Response], chain: Sequence[str]) -> Latency:
    """Return a chain's latency: triggers act at once; a timed release may just have missed the data."""
    best, worst = 0, 0
    bounded = True
    start = chain[0]
    for before, name in zip(chain, (*chain[1:], None), strict=True):
        if name is not None and triggered_by(system, name) == before:
            continue
        ended, begun = responses[before], responses[start].base_ns
        best += ended.best_ns - begun
        if ended.worst_ns is None:
            bounded = False
        else:
            worst += ended.worst_ns - begun
        if name is not None:
            worst += system.model(name).period_ns
            start = name
    return Latency(best, worst if bounded else None)

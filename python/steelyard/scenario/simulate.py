"""Run the same system event by event with SimPy: what happens, where the analysis says what can happen.

Jobs take their longest work, or a random amount if a task names its least, and are late at random within
their jitter. A timed release reads what has arrived by then; a late job continues. Blocking comes from work
outside the scene and is only in the analysis.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heapify, heappop, heappush
from random import Random
from typing import Any

import simpy
from simpy.events import EventPriority

from steelyard.scenario.bus import Radio
from steelyard.scenario.scene import Can, CanFd, Ieee802154
from steelyard.scenario.system import MessageModel, System, TaskModel

Process = Generator[simpy.Event, Any, None]
Sample = tuple[int, int]
"""A sample: its number, and when it was due in nanoseconds."""
Origin = Mapping[str, Sample]
"""Samples from which data stem, by loop."""

_SEGMENTS_LIMIT = 600
_SETTLING = EventPriority(2)
"""Priority of an event that SimPy handles after all others of its moment."""


@dataclass(frozen=True)
class Segment:
    """A time span in which a device or a bus did one thing; nanoseconds."""

    row: str
    what: str
    kind: str
    start_ns: int
    end_ns: int
    missed: bool


@dataclass
class Seen:
    """Results for a task or a message; responses count like its deadline."""

    jobs: int = 0
    misses: int = 0
    lost: int = 0
    longest_ns: int = 0
    total_ns: int = 0

    def add(self, response_ns: int, deadline_ns: int) -> bool:
        """Count a job that has ended; return whether it was late."""
        late = response_ns > deadline_ns
        self.jobs += 1
        self.misses += late
        self.longest_ns = max(self.longest_ns, response_ns)
        self.total_ns += response_ns
        return late


@dataclass
class Run:
    """Results of a simulation; `acted` are, by loop, the samples that reached the actuator and when."""

    duration_ns: int
    seen: dict[str, Seen]
    segments: list[Segment] = field(default_factory=list)
    acted: dict[str, list[tuple[Sample, int]]] = field(default_factory=dict)

    @property
    def misses(self) -> int:
        """Number of jobs and messages that came too late or not at all."""
        return sum(one.misses + one.lost for one in self.seen.values())

    @property
    def jobs(self) -> int:
        """Number of all jobs and messages."""
        return sum(one.jobs + one.lost for one in self.seen.values())


@dataclass(order=True)
class _Job:
    key: tuple[int, ...]
    task: TaskModel = field(compare=False)
    due_ns: int = field(compare=False)
    released_ns: int = field(compare=False)
    left_ns: int = field(compare=False)
    origin: Origin = field(compare=False)
    ran: list[tuple[int, int]] = field(compare=False, default_factory=list)
    early_ns: int = field(compare=False, default=0)


@dataclass(order=True)
class _Frame:
    key: tuple[int, ...]
    message: MessageModel = field(compare=False)
    due_ns: int = field(compare=False)
    origin: Origin | None = field(compare=False)


class _Settled(simpy.Event):
    """An event after everything else of the same moment."""

    def __init__(self, env: simpy.Environment) -> None:
        super().__init__(env)
        self._ok, self._value = True, None
        env.schedule(self, priority=_SETTLING)


def simulate(system: System, duration_ns: int, seed: int = 1, *, favoured: Sequence[str] = ()) -> Run:
    """Run a system from a start of everything at its offset.

    Under earliest deadline first, a task of `favoured` precedes others with the same deadline.
    """
    world = _World(system, seed, favoured)
    world.env.run(until=duration_ns)
    world.close(duration_ns)
    return world.run


class _World:
    def __init__(self, system: System, seed: int, favoured: Sequence[str]) -> None:
        self.system = system
        self.env = simpy.Environment(initial_time=0)
        self.run = Run(0, {name: Seen() for name in [*system.tasks, *system.messages]})
        self.run.acted = {name: [] for name in system.scene.loop}
        self._seed = seed
        self._published: dict[str, Origin] = {}
        self._before: dict[str, list[tuple[str, str | None]]] = {name: [] for name in system.tasks}
        for loop, table in system.scene.loop.items():
            for before, name in zip((None, *table.chain), table.chain, strict=False):
                if name in self._before:
                    self._before[name].append((loop, before))
        self._ends = {loop: table.chain[-1] for loop, table in system.scene.loop.items()}
        self._processors = {
            name: _Processor(self, name, device.scheduler == "edf", favoured)
            for name, device in system.scene.device.items()
        }
        self._buses: dict[str, _Wire | _Air] = {
            name: _Air(self, name, bus) if isinstance(bus, Ieee802154) else _Wire(self, name)
            for name, bus in system.scene.bus.items()
        }
        for task in system.tasks.values():
            if task.after is None:
                self.env.process(self._timed(task, partial(self._release, task)))
        for message in system.messages.values():
            if message.timed:
                self.env.process(self._timed(message, partial(self._poll, message)))

    def random(self, name: str) -> Random:
        """Return a random generator for a name, so that one more task changes nothing for the others."""
        return Random(f"{self._seed} {name}")

    def _timed(self, model: TaskModel | MessageModel, release: Callable[[int, int], None]) -> Process:
        """Release each period, late at random within the jitter, never out of order."""
        chance = self.random(model.name)
        number, last = 0, 0
        while True:
            due = model.offset_ns + number * model.period_ns
            last = max(last, due + (chance.randint(0, model.jitter_ns) if model.jitter_ns else 0))
            if last > self.env.now:
                yield self.env.timeout(last - self.env.now)
            release(number, due)
            number += 1

    def _release(self, task: TaskModel, number: int, due_ns: int) -> None:
        origin: dict[str, Sample] = {}
        for loop, before in self._before[task.name]:
            if before is None:
                origin[loop] = (number, due_ns)
            elif loop in self._published.get(before, {}):
                origin[loop] = self._published[before][loop]
        self._processors[task.device].add(task, due_ns, origin)

    def _poll(self, message: MessageModel, number: int, due_ns: int) -> None:
        self._buses[message.bus].add(message, due_ns, None)

    def latest(self, name: str) -> Origin:
        """Return the samples of the last data published under a name."""
        return self._published.get(name, {})

    def done(self, job: _Job) -> None:
        """End a job: publish its data and send its messages."""
        task, now = job.task, int(self.env.now)
        since = job.due_ns if task.after is None else job.released_ns
        late = self.run.seen[task.name].add(now - since, task.deadline_ns)
        self._log_job(job, late)
        self._published[task.name] = job.origin
        for loop, sample in job.origin.items():
            if self._ends[loop] == task.name:
                self._act(loop, sample, now)
        for name in task.sends:
            message = self.system.messages[name]
            self._buses[message.bus].add(message, now, job.origin)

    def _act(self, loop: str, sample: Sample, now: int) -> None:
        acted = self.run.acted[loop]
        if not acted or acted[-1][0][0] < sample[0]:
            acted.append((sample, now))

    def arrived(self, frame: _Frame) -> None:
        """Deliver a message and release what waits for it."""
        message, now = frame.message, int(self.env.now)
        self.run.seen[message.name].add(now - frame.due_ns, message.deadline_ns)
        self._published[message.name] = frame.origin or {}
        if message.receiver is not None:
            task = self.system.tasks[message.receiver]
            if task.after == message.name:
                self._release(task, -1, now)

    def lose(self, frame: _Frame) -> None:
        """Record that a message was given up."""
        self.run.seen[frame.message.name].lost += 1

    def log(self, row: str, what: str, kind: str, start_ns: int, end_ns: int, *, missed: bool) -> None:
        """Keep a span for the timelines while there are few."""
        if len(self.run.segments) < _SEGMENTS_LIMIT and end_ns > start_ns:
            self.run.segments.append(Segment(row, what, kind, start_ns, end_ns, missed))

    def _log_job(self, job: _Job, late: bool) -> None:
        """Log the spans in which a job ran, cut where one of its phases ended."""
        if len(self.run.segments) >= _SEGMENTS_LIMIT:
            return
        phases = [(phase, phase.work_ns) for phase in job.task.phases]
        # A short job saves on its own work, not on that for protection.
        phases = [(phase, work - job.early_ns * (phase.kind == "task")) for phase, work in phases]
        stretches = iter(_joined(job.ran))
        start, end = next(stretches, (0, 0))
        for phase, left in phases:
            while left > 0:
                part = min(left, end - start)
                self.log(job.task.device, phase.what, phase.kind, start, start + part, missed=late)
                left -= part
                start += part
                if start == end:
                    following = next(stretches, None)
                    if following is None:
                        break
                    start, end = following

    def close(self, duration_ns: int) -> None:
        """Count unfinished jobs whose deadline is over as missed."""
        self.run.duration_ns = duration_ns
        for processor in self._processors.values():
            for job in processor.waiting():
                since = job.due_ns if job.task.after is None else job.released_ns
                if duration_ns - since > job.task.deadline_ns:
                    self.run.seen[job.task.name].add(duration_ns - since, job.task.deadline_ns)
        for bus in self._buses.values():
            for frame in bus.waiting():
                if duration_ns - frame.due_ns > frame.message.deadline_ns:
                    self.run.seen[frame.message.name].add(
                        duration_ns - frame.due_ns, frame.message.deadline_ns
                    )
        self.run.segments.sort(key=lambda segment: segment.start_ns)


def _joined(ran: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield spans with adjacent ones joined."""
    current: tuple[int, int] | None = None
    for start, end in ran:
        if current is not None and current[1] == start:
            current = (current[0], end)
            continue
        if current is not None:
            yield current
        current = (start, end)
    if current is not None:
        yield current


class _Processor:
    """A device: the most urgent ready job runs, and gives way to a more urgent one at once."""

    def __init__(self, world: _World, name: str, by_deadline: bool, favoured: Sequence[str]) -> None:
        self._world = world
        self._by_deadline = by_deadline
        self._favoured = {one: place for place, one in enumerate(favoured)}
        self._ready: list[_Job] = []
        self._count = 0
        self._wake = world.env.event()
        self._chance = world.random(f"work on {name}")
        world.env.process(self._work())

    def add(self, task: TaskModel, due_ns: int, origin: Origin) -> None:
        """Release a job."""
        now = int(self._world.env.now)
        key: tuple[int, ...] = (task.rank,)
        if self._by_deadline:
            place = self._favoured.get(task.name, len(self._favoured) + task.rank)
            key = (due_ns + task.deadline_ns, place)
        early = self._chance.randint(0, task.spare_ns) if task.spare_ns else 0
        job = _Job((*key, self._count), task, due_ns, now, task.work_ns - early, origin, early_ns=early)
        self._count += 1
        heappush(self._ready, job)
        if not self._wake.triggered:
            self._wake.succeed()

    def waiting(self) -> list[_Job]:
        """Return the unfinished jobs."""
        return self._ready

    def _work(self) -> Process:
        env = self._world.env
        while True:
            if not self._ready:
                yield self._wake
            job, start = self._ready[0], int(env.now)
            self._wake = env.event()
            yield env.timeout(job.left_ns) | self._wake
            job.left_ns -= int(env.now) - start
            job.ran.append((start, int(env.now)))
            if job.left_ns == 0:
                self._ready.remove(job)
                heapify(self._ready)
                self._world.done(job)


class _Wire:
    """A bus that one message at a time holds: by identifier on CAN, otherwise in order of arrival."""

    def __init__(self, world: _World, name: str) -> None:
        self._world = world
        self._name = name
        self._by_identifier = isinstance(world.system.scene.bus[name], Can | CanFd)
        self._queue: list[_Frame] = []
        self._count = 0
        self._wake = world.env.event()
        world.env.process(self._work())

    def add(self, message: MessageModel, due_ns: int, origin: Origin | None) -> None:
        """Queue a message; without an origin it carries the latest data when it begins."""
        key = (message.identifier, self._count) if self._by_identifier else (self._count,)
        self._count += 1
        heappush(self._queue, _Frame(key, message, due_ns, origin))
        if not self._wake.triggered:
            self._wake.succeed()

    def waiting(self) -> list[_Frame]:
        """Return the messages that have not begun."""
        return self._queue

    def _work(self) -> Process:
        env = self._world.env
        while True:
            if not self._queue:
                self._wake = env.event()
                yield self._wake
            yield _Settled(env)
            frame, start = heappop(self._queue), int(env.now)
            passed = frame.message.passage
            if frame.origin is None:
                frame.origin = self._world.latest(frame.message.sender)
            env.process(self._arrive(frame))
            yield env.timeout(passed.longest_ns)
            self._world.log(
                self._name, frame.message.name, "message", start, int(env.now),
                missed=int(env.now) - frame.due_ns > frame.message.deadline_ns,
            )  # fmt: skip

    def _arrive(self, frame: _Frame) -> Process:
        yield self._world.env.timeout(frame.message.passage.arrives_ns)
        self._world.arrived(frame)


@dataclass
class _Transmission:
    spoilt: bool = False


class _Air:
    """A radio channel: CSMA-CA without beacons; simultaneous frames destroy each other.

    All devices hear all others. The addressee hears an acknowledgement.
    """

    def __init__(self, world: _World, name: str, bus: Ieee802154) -> None:
        self._world = world
        self._name = name
        self._bus = bus
        self._queues: dict[str, list[_Frame]] = {}
        self._wakes: dict[str, simpy.Event] = {}
        self._on_air: list[_Transmission] = []
        self._count = 0
        self._chance = world.random(f"backoff on {name}")

    def add(self, message: MessageModel, due_ns: int, origin: Origin | None) -> None:
        """Queue a message behind what its device sends, with the origin as on a wire."""
        device = message.sender_device
        if device not in self._queues:
            self._queues[device] = []
            self._wakes[device] = self._world.env.event()
            self._world.env.process(self._work(device))
        self._queues[device].append(_Frame((self._count,), message, due_ns, origin))
        self._count += 1
        if not self._wakes[device].triggered:
            self._wakes[device].succeed()

    def waiting(self) -> list[_Frame]:
        """Return the messages that have not got through."""
        return [frame for queue in self._queues.values() for frame in queue]

    def _work(self, device: str) -> Process:
        queue = self._queues[device]
        while True:
            if not queue:
                self._wakes[device] = self._world.env.event()
                yield self._wakes[device]
            frame = queue[0]
            if frame.origin is None:
                frame.origin = self._world.latest(frame.message.sender)
            got_through = yield from self._send(frame)
            queue.pop(0)
            if not got_through:
                self._world.lose(frame)

    def _send(self, frame: _Frame) -> Generator[simpy.Event, Any, bool]:
        env, times = self._world.env, frame.message.radio
        assert times is not None
        for _ in range(1 + (self._bus.retries if self._bus.acknowledged else 0)):
            if not (yield from self._access(times)):
                return False
            yield env.timeout(times.turnaround_ns)
            start = int(env.now)
            spoilt = yield from self._transmit(times.frame_ns)
            self._world.log(
                self._name, frame.message.name, "message", start, int(env.now),
                missed=spoilt or int(env.now) - frame.due_ns > frame.message.deadline_ns,
            )  # fmt: skip
            if not spoilt:
                self._world.arrived(frame)
                if self._bus.acknowledged:
                    yield env.timeout(times.turnaround_ns)
                    yield from self._transmit(times.ack_ns)
                yield env.timeout(times.space_ns)
                return True
            if self._bus.acknowledged:
                yield env.timeout(times.wait_ns)
        return False

    def _access(self, times: Radio) -> Generator[simpy.Event, Any, bool]:
        """Back off at random and listen until the channel is free; return False after too many attempts."""
        env = self._world.env
        exponent = self._bus.least_exponent
        for _ in range(self._bus.backoffs + 1):
            yield env.timeout(self._chance.randrange(2**exponent) * times.backoff_ns)
            busy = bool(self._on_air)
            yield env.timeout(times.sensing_ns)
            if not busy and not self._on_air:
                return True
            exponent = min(exponent + 1, self._bus.most_exponent)
        return False

    def _transmit(self, length_ns: int) -> Generator[simpy.Event, Any, bool]:
        """Transmit; return whether another frame was on the air at the same time."""
        mine = _Transmission(spoilt=bool(self._on_air))
        for other in self._on_air:
            other.spoilt = True
        self._on_air.append(mine)
        yield self._world.env.timeout(length_ns)
        self._on_air.remove(mine)
        return mine.spoilt

"""A scene with its messages protected in one way: times of every job and every frame, in nanoseconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Literal

from steelyard.catalog.load import Catalog
from steelyard.errors import UsageError
from steelyard.scenario.bus import Passage, Radio, passage, radio
from steelyard.scenario.cost import NOTHING, Cost, Job, Side
from steelyard.scenario.protection import NONE, Protection
from steelyard.scenario.scene import Ieee802154, Message, Scene, Task, device_of, is_polled

SECOND_NS = 1_000_000_000

PhaseKind = Literal["task", "encryption"]


@dataclass(frozen=True)
class Phase:
    """A part of a job: its own work, or the work on a message."""

    kind: PhaseKind
    what: str
    work_ns: int


@dataclass(frozen=True)
class TaskModel:
    """A task with all its protection work. `rank` orders a device's tasks; 0 is the most urgent.

    Without `after` time releases it; `sends` are its messages. `spare_ns` is the amount by which a job's own
    work can be less, `own_s` its mean.
    """

    name: str
    device: str
    rank: int
    period_ns: int
    deadline_ns: int
    after: str | None
    phases: tuple[Phase, ...]
    least_ns: int
    spare_ns: int
    own_s: float
    jitter_ns: int
    offset_ns: int
    blocking_ns: int
    sends: tuple[str, ...]

    @property
    def work_ns(self) -> int:
        """Work of the longest job."""
        return sum(phase.work_ns for phase in self.phases)


@dataclass(frozen=True)
class MessageModel:
    """A message with the bytes its protection adds; `timed` if no task sends it: polled, or a device's."""

    name: str
    bus: str
    sender: str
    sender_device: str
    receiver: str | None
    period_ns: int
    deadline_ns: int
    identifier: int
    timed: bool
    jitter_ns: int
    offset_ns: int
    passage: Passage
    radio: Radio | None
    sent_bytes: int
    protection: Protection


@dataclass(frozen=True)
class System:
    """Tasks and messages by name, in the scene's order; costs by message and side."""

    scene: Scene
    tasks: Mapping[str, TaskModel]
    messages: Mapping[str, MessageModel]
    costs: Mapping[tuple[str, Side], Cost]
    jobs: Mapping[str, tuple[Job, ...]]

    def model(self, name: str) -> TaskModel | MessageModel:
        """Return the task or message of a name."""
        return self.tasks[name] if name in self.tasks else self.messages[name]

    def worker(self, message: str, side: Side) -> str:
        """Return the device that protects a message, or opens it."""
        model = self.messages[message]
        return model.sender_device if side == "send" else self.tasks[str(model.receiver)].device

    def rate_hz(self, message: str, side: Side) -> float:
        """Return how often a message is protected or opened: with every job of the task that does it."""
        model = self.messages[message]
        task = model.sender if side == "send" else str(model.receiver)
        return SECOND_NS / self.tasks[task].period_ns


@dataclass(frozen=True)
class Processor:
    """Properties of a device that a system needs: its clock, None if it varies, and its costs."""

    clock_hz: float | None
    cost: Callable[[Job], Cost]


def nanoseconds(seconds: float) -> int:
    """Return nanoseconds rounded up, so that work is never counted short."""
    return ceil(seconds * SECOND_NS - 1e-3)


def _period(seconds: float) -> int:
    return round(seconds * SECOND_NS)


def jobs_of(scene: Scene, name: str, protection: Protection) -> list[tuple[str, Job]]:
    """Return the devices that work on a message, each with its job."""
    message = scene.message[name]
    if protection.name == NONE:
        return []
    ends: tuple[tuple[str | None, Side], ...] = ((message.sender, "send"), (message.receiver, "receive"))
    return [
        (scene.task[end].device, Job(protection, message.payload, message.ad, side, message.key == "each"))
        for end, side in ends
        if end is not None and end in scene.task
    ]


def build(
    catalog: Catalog,
    scene: Scene,
    chosen: Mapping[str, Protection],
    processors: Mapping[str, Processor],
) -> System:
    """Build the system with `chosen` protections by message. UsageError or NoFigure if that is impossible."""
    maker = _Maker(catalog, scene, chosen, processors)
    messages = {name: maker.message(name) for name in scene.message}
    tasks = {name: maker.task(name) for name in scene.task}
    return System(
        scene, tasks, messages, maker.costs, {name: tuple(done) for name, done in maker.jobs.items()}
    )


class _Maker:
    def __init__(
        self,
        catalog: Catalog,
        scene: Scene,
        chosen: Mapping[str, Protection],
        processors: Mapping[str, Processor],
    ) -> None:
        self._catalog = catalog
        self._scene = scene
        self._chosen = chosen
        self._processors = processors
        self.costs: dict[tuple[str, Side], Cost] = {}
        self.jobs: dict[str, list[Job]] = {name: [] for name in scene.device}
        for name, protection in chosen.items():
            # What cannot be sent is told before what it would cost, which was never measured.
            self._sent_bytes(name)
            for device, job in jobs_of(scene, name, protection):
                self.costs[name, job.side] = processors[device].cost(job)
                self.jobs[device].append(job)
        self._ranks = _ranks(scene, self)

    def period_ns(self, name: str) -> int:
        """Return the period of a task or message."""
        scene = self._scene
        if name in scene.task:
            task = scene.task[name]
            return _period(task.period) if task.period is not None else self.period_ns(str(task.after))
        message = scene.message[name]
        own = message.poll or message.period
        return _period(own) if own is not None else self.period_ns(message.sender)

    def deadline_ns(self, name: str) -> int:
        """Return the deadline of a task or message: its period unless it has one."""
        entry: Task | Message = (
            self._scene.task[name] if name in self._scene.task else self._scene.message[name]
        )
        return _period(entry.deadline) if entry.deadline is not None else self.period_ns(name)

    def _sent_bytes(self, name: str) -> int:
        """Return the bytes that the bus carries. UsageError if the message cannot be protected this way."""
        message, protection = self._scene.message[name], self._chosen[name]
        objection = protection.objection(message.payload)
        if objection is not None:
            raise UsageError(
                f"message {name}: {protection.name}: {objection}, and {message.payload} are to be sent."
            )
        return message.payload + protection.added_bytes(self._catalog, message.payload, message.ad)

    def message(self, name: str) -> MessageModel:
        """Return a message's model."""
        scene, message = self._scene, self._scene.message[name]
        protection, bus = self._chosen[name], self._scene.bus[message.bus]
        polled = is_polled(scene, message)
        sent = self._sent_bytes(name)
        try:
            found = passage(bus, sent, to_master=polled)
            on_air = radio(bus, sent) if isinstance(bus, Ieee802154) else None
        except UsageError as error:
            raise UsageError(f"message {name}: {error}") from None
        return MessageModel(
            name=name,
            bus=message.bus,
            sender=message.sender,
            sender_device=str(device_of(scene, message.sender)),
            receiver=message.receiver,
            period_ns=self.period_ns(name),
            deadline_ns=self.deadline_ns(name),
            identifier=message.id or 0,
            timed=polled or message.sender not in scene.task,
            jitter_ns=nanoseconds(message.jitter),
            offset_ns=nanoseconds(message.offset),
            passage=found,
            radio=on_air,
            sent_bytes=sent,
            protection=protection,
        )

    def task(self, name: str) -> TaskModel:
        """Return a task's model: it opens what arrived, does its work, and protects what it sends."""
        scene, task = self._scene, self._scene.task[name]
        clock_hz = self._processors[task.device].clock_hz
        try:
            work = task.work.at(clock_hz)
            least = task.least.at(clock_hz) if task.least is not None else work
            switch = 2 * scene.device[task.device].switch.at(clock_hz)
        except UsageError as error:
            raise UsageError(f"task.{name}.work: {error}") from None
        if least > work:
            raise UsageError(f"task.{name}.least: the shortest job has more work than the longest.")
        coming = [one for one, message in scene.message.items() if message.receiver == name]
        going = [one for one, message in scene.message.items() if message.sender == name]
        phases = [self._phase(one, "receive") for one in coming]
        phases.append(Phase("task", name, nanoseconds(work + switch)))
        phases += [self._phase(one, "send") for one in going]
        costs = [self.costs.get((one, "receive"), NOTHING) for one in coming]
        costs += [self.costs.get((one, "send"), NOTHING) for one in going]
        return TaskModel(
            name=name,
            device=task.device,
            rank=self._ranks[name],
            period_ns=self.period_ns(name),
            deadline_ns=self.deadline_ns(name),
            after=task.after,
            phases=tuple(phase for phase in phases if phase.work_ns or phase.kind == "task"),
            least_ns=int((least + switch + sum(cost.least_s for cost in costs)) * SECOND_NS),
            spare_ns=int((work - least) * SECOND_NS),
            own_s=(work + least) / 2 + switch,
            jitter_ns=nanoseconds(task.jitter),
            offset_ns=nanoseconds(task.offset),
            blocking_ns=nanoseconds(task.blocking),
            sends=tuple(one for one in going if not is_polled(scene, scene.message[one])),
        )

    def _phase(self, message: str, side: Side) -> Phase:
        cost = self.costs.get((message, side), NOTHING)
        verb = "protect" if side == "send" else "open"
        return Phase("encryption", f"{verb} {message}", nanoseconds(cost.longest_s))


def _ranks(scene: Scene, maker: _Maker) -> dict[str, int]:
    """Return each task's rank on its device: by priority, else by deadline, then by order in the file."""

    def urgency(name: str) -> float:
        priority = scene.task[name].priority
        return -priority if priority is not None else maker.deadline_ns(name)

    ranks: dict[str, int] = {}
    for device in scene.device:
        names = [name for name, task in scene.task.items() if task.device == device]
        ranks |= {name: rank for rank, name in enumerate(sorted(names, key=urgency))}
    return ranks

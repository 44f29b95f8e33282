"""The effect of protection on a scene: each way to protect it, compared with no protection, and ranked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steelyard.advise.battery import lasting
from steelyard.catalog.load import Catalog, CatalogError
from steelyard.errors import UsageError
from steelyard.scenario.analysis import Analysis, analyse
from steelyard.scenario.cost import Chip, Job, Memory, NoFigure
from steelyard.scenario.energy import power_w
from steelyard.scenario.host import Host
from steelyard.scenario.protection import NONE, Protection, parse, serving
from steelyard.scenario.scene import Scene
from steelyard.scenario.simulate import Run, simulate
from steelyard.scenario.system import (
    SECOND_NS,
    MessageModel,
    Processor,
    System,
    TaskModel,
    build,
    jobs_of,
    nanoseconds,
)
from steelyard.units import duration

if TYPE_CHECKING:
    # Linear algebra and control take a second to load; a scene without plants does without.
    from steelyard.scenario.loop import Loop, Outcome

AS_WRITTEN = "as written"
"""Name of the scene's own protections if its messages have different ones."""

_JOBS_MOST = 40_000
_JOBS_LIMIT = 1_000_000
_PERIODS_MOST = 2000
_PERIODS_LEAST = 20


@dataclass(frozen=True)
class Way:
    """A way to protect a scene: a protection for each of its messages."""

    name: str
    chosen: Mapping[str, Protection]


@dataclass(frozen=True)
class DeviceAnswer:
    """Figures of a device: memory against its size, mean power, battery life; None if unknown."""

    memory: Memory | None
    rom_size_bytes: int | None
    ram_size_bytes: int | None
    power_w: float | None
    crypto_w: float | None
    life_s: float | None


@dataclass(frozen=True)
class Answer:
    """Effect of a way; `problems` are the violated limits, each a sentence without its full stop.

    If a cost has no figure, the answer holds only the problem.
    """

    way: Way
    problems: tuple[str, ...]
    rank: int | None = None
    system: System | None = None
    analysis: Analysis | None = None
    run: Run | None = None
    devices: Mapping[str, DeviceAnswer] = field(default_factory=dict)
    loops: Mapping[str, Outcome] = field(default_factory=dict)
    latency_s: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    added_delay_s: float | None = None

    @property
    def within_limits(self) -> bool:
        """Whether every limit is kept."""
        return not self.problems


class Twin:
    """A scene that can be answered once its devices have their costs."""

    def __init__(self, catalog: Catalog, scene: Scene, path: Path, toolchains: Callable[[str], str]) -> None:
        """Read the scene; `toolchains` names the compiler of a chip. UsageError in one sentence if it is
        invalid.
        """
        self.catalog = catalog
        self.scene = scene
        self._path = path
        self.warnings: list[str] = []
        self.devices: dict[str, Chip | Host] = {}
        for name, device in scene.device.items():
            self.devices[name] = self._told(f"device.{name}", self._device, name, device, toolchains)
        self.written = {
            name: self._told(f"message.{name}.protection", parse, catalog, message.protection)
            for name, message in scene.message.items()
        }
        self.ways = self._ways()
        self._processors = {
            name: Processor(device.clock_hz, device.cost) for name, device in self.devices.items()
        }
        try:
            self._unprotected = build(catalog, scene, self.ways[0].chosen, self._processors)
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None

    def _told(self, where: str, make: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return make(*arguments)
        except UsageError as error:
            kind = CatalogError if isinstance(error, CatalogError) else UsageError
            raise kind(f"{self._path}: {where}: {error}") from None

    def _device(self, name: str, device: Any, toolchains: Callable[[str], str]) -> Chip | Host:
        if device.host is not None:
            return Host(self.catalog, name, device)
        return Chip(self.catalog, name, device, toolchains)

    def _ways(self) -> list[Way]:
        """Return no protection, the scene's own, then those to be tried, without duplicates."""
        none = Protection(NONE)
        protected = [name for name, one in self.written.items() if one.name != NONE]
        found = [Way(NONE, dict.fromkeys(self.written, none))]
        if protected:
            names = {self.written[name].name for name in protected}
            found.append(Way(names.pop() if len(names) == 1 else AS_WRITTEN, self.written))
        attempt = self.scene.attempt
        if attempt is not None:
            changed = list(attempt.messages) or protected or list(self.written)
            changed = [name for name in changed if self.scene.message[name].sender in self.scene.task]
            for one in self._tried(changed):
                found.append(Way(one.name, {**self.written, **dict.fromkeys(changed, one)}))
        unique: list[Way] = []
        for way in found:
            if all(way.chosen != other.chosen for other in unique):
                unique.append(way)
        return unique

    def _tried(self, changed: Sequence[str]) -> list[Protection]:
        attempt = self.scene.attempt
        assert attempt is not None
        if attempt.protection:
            return [self._told("try.protection", parse, self.catalog, one) for one in attempt.protection]
        payloads = [(self.scene.message[name].payload, self.scene.message[name].ad) for name in changed]
        return serving(self.catalog, attempt.need, attempt.security, payloads)

    def jobs(self) -> dict[str, list[Job]]:
        """Return all work of any way on each device, to be measured."""
        found: dict[str, dict[Job, None]] = {name: {} for name in self.scene.device}
        for way in self.ways:
            for name, protection in way.chosen.items():
                if protection.objection(self.scene.message[name].payload) is None:
                    for device, job in jobs_of(self.scene, name, protection):
                        found[device][job] = None
        return {name: list(jobs) for name, jobs in found.items()}

    @cached_property
    def loops(self) -> dict[str, Loop]:
        """Return the loops that can be closed; `warnings` gets a sentence for each other loop."""
        found: dict[str, Loop] = {}
        if not self.scene.loop:
            return found
        from steelyard.scenario.loop import Loop

        for name, table in self.scene.loop.items():
            try:
                plant = self.scene.plant[table.plant]
                found[name] = Loop.build(plant, table, self.period_s(name), self._path.parent)
            except UsageError as error:
                self.warnings.append(f"{self._path}: loop.{name}: {error}")
        return found

    def period_s(self, loop: str) -> float:
        """Return a loop's period: that of the slowest part of its chain."""
        return (
            max(self._unprotected.model(name).period_ns for name in self.scene.loop[loop].chain) / SECOND_NS
        )

    def answers(self, on_answer: Callable[[str], None] = lambda name: None) -> list[Answer]:
        """Answer every way: no protection first, the others in order, those within limits ranked."""
        ways, left_out = self._affordable()
        answers = []
        for way in ways:
            answers.append(self.answer(way))
            on_answer(way.name)
        if left_out:
            self.warnings.append(
                f"{left_out} more protections serve the need; those that take least time are looked into"
                " (try.most)."
            )
        return _ranked(answers)

    def _affordable(self) -> tuple[list[Way], int]:
        """Return the ways to examine: of those that serve a need, the ones with the least delay."""
        attempt = self.scene.attempt
        if attempt is None or attempt.protection:
            return self.ways, 0
        kept = [way for way in self.ways if way.name == NONE or way.chosen == self.written]
        others = [way for way in self.ways if way not in kept]
        ordered = sorted(others, key=self._computing_s)
        return [*kept, *ordered[: attempt.most]], max(0, len(others) - attempt.most)

    def _computing_s(self, way: Way) -> float:
        try:
            return sum(
                self.devices[device].cost(job).delay_s
                for name, protection in way.chosen.items()
                for device, job in jobs_of(self.scene, name, protection)
            )
        except NoFigure:
            return inf

    def answer(self, way: Way) -> Answer:
        """Answer a way."""
        try:
            system = build(self.catalog, self.scene, way.chosen, self._processors)
        except (UsageError, NoFigure) as error:
            return Answer(way, (str(error).rstrip("."),))
        analysis = analyse(system)
        run = simulate(system, self._duration_ns(system), self.scene.simulation.seed)
        devices = {name: self._device_answer(system, name) for name in self.scene.device}
        timings = {name: self._latencies(system, name, run) for name in self.loops}
        loops = {name: _outcome(loop, timings[name]) for name, loop in self.loops.items()}
        problems = [
            *_overloads(analysis),
            *_late(analysis, run),
            *_too_small(devices),
            *self._loop_problems(analysis, loops),
        ]
        latency = {
            name: (min(known), sum(known) / len(known), max(known))
            for name, listed in timings.items()
            if (known := [one for one in listed if one < inf])
        }
        return Answer(
            way, tuple(problems), None, system, analysis, run, devices, loops, latency, self._added_s(system)
        )

    def _loop_problems(self, analysis: Analysis, loops: Mapping[str, Outcome]) -> Iterator[str]:
        for name in self.scene.loop:
            if name not in loops:
                yield f"loop {name}: it cannot be closed"
                continue
            outcome = loops[name]
            yield from (f"loop {name}: {said.rstrip('.')}" for said in outcome.violations)
            worst = analysis.latencies[name].worst_ns
            if worst is None:
                yield f"loop {name}: no bound of its latency was found"
            elif outcome.stable and worst / SECOND_NS >= self.loops[name].critical_delay_s:
                yield (
                    f"loop {name}: at the bound of its latency, {worst / SECOND_NS:.3g} s, it is unstable:"
                    f" {self.loops[name].critical_delay_s:.3g} s is too much"
                )

    def _added_s(self, system: System) -> float:
        """Return the maximum delay that protection adds to a message: work at both ends, bytes on the bus."""
        added = [0.0]
        for name, model in system.messages.items():
            work = sum(cost.delay_s for (message, _), cost in system.costs.items() if message == name)
            longer = model.passage.arrives_ns - self._unprotected.messages[name].passage.arrives_ns
            added.append(work + longer / SECOND_NS)
        return max(added)

    def _duration_ns(self, system: System) -> int:
        """Return the requested duration; by default until releases repeat, limited to some seconds of
        computing.
        """
        models = [system.model(name) for name in (*system.tasks, *system.messages)]
        per_second = sum(SECOND_NS / model.period_ns for model in models)
        duration_ns = self._wanted_duration_ns(models, per_second)
        jobs = per_second * duration_ns / SECOND_NS
        if jobs > _JOBS_LIMIT:
            raise UsageError(
                f"{self._path}: {duration(duration_ns / SECOND_NS)} of this scene have {jobs:,.0f} jobs and"
                f" messages, more than the {_JOBS_LIMIT:,} that are simulated; choose longer periods or a"
                " shorter simulation.duration."
            )
        return duration_ns

    def _wanted_duration_ns(self, models: Sequence[TaskModel | MessageModel], per_second: float) -> int:
        if self.scene.simulation.duration is not None:
            return nanoseconds(self.scene.simulation.duration)
        slowest = max(model.period_ns for model in models)
        offset = max((model.offset_ns for model in models), default=0)
        whole = lcm(*(model.period_ns for model in models))
        wanted = max(whole + offset + slowest, _PERIODS_LEAST * slowest)
        return min(wanted, max(int(_JOBS_MOST / per_second * SECOND_NS), 2 * slowest))

    def _latencies(self, system: System, loop: str, run: Run) -> tuple[float, ...]:
        """Return latencies from sample to actuator, one per period of the loop; infinite if nothing new
        arrived.
        """
        acted = run.acted[loop]
        if not acted:
            return ()
        period_ns = round(self.period_s(loop) * SECOND_NS)
        offset_ns = system.tasks[self.scene.loop[loop].chain[0]].offset_ns
        by_period: dict[int, float] = {}
        for (_, due), now in acted:
            by_period.setdefault((due - offset_ns) // period_ns, (now - due) / SECOND_NS)
        first, last = min(by_period), max(by_period)
        last = min(last, first + _PERIODS_MOST - 1)
        return tuple(by_period.get(number, inf) for number in range(first, last + 1))

    def _device_answer(self, system: System, name: str) -> DeviceAnswer:
        device, table = self.devices[name], self.scene.device[name]
        crypto, power = power_w(system, name, device)
        if isinstance(device, Host):
            return DeviceAnswer(None, None, None, power, crypto, None)
        taken = device.memory(system.jobs[name])
        memory = Memory(taken.rom_bytes + table.rom_used, taken.ram_bytes + table.ram_used)
        rom, ram = device.target.size_bytes("flash"), device.target.size_bytes("ram")
        life = None
        if device.node is not None and power is not None:
            life = lasting(device.node, power / device.node.supply_v)
        return DeviceAnswer(memory, rom, ram, power, crypto, life)


def _outcome(loop: Loop, latencies_s: tuple[float, ...]) -> Outcome:
    """Return a loop's outcome with the latencies of a simulation, in which nothing may have arrived."""
    from steelyard.scenario.loop import Timing

    return loop.evaluate(Timing(latencies_s or (inf,)))


def _overloads(analysis: Analysis) -> Iterator[str]:
    for kind, shares in (("device", analysis.devices), ("bus", analysis.buses)):
        for name, share in shares.items():
            if share > 1:
                yield f"{kind} {name}: {share:.0%} of its time is asked for"


def _late(analysis: Analysis, run: Run) -> Iterator[str]:
    """Yield what may miss its deadline, and what missed it in the simulation."""
    late = analysis.late
    for name in late:
        response = analysis.responses[name]
        if response.response_ns is None:
            yield f"{name}: no bound of its response was found"
        else:
            yield (
                f"{name}: it may take {duration(response.response_ns / SECOND_NS)}, its deadline is"
                f" {duration(response.deadline_ns / SECOND_NS)}"
            )
    for name, seen in run.seen.items():
        if name not in late and seen.misses:
            yield f"{name}: {seen.misses} of {seen.jobs} came too late in the simulation"


def _too_small(devices: Mapping[str, DeviceAnswer]) -> Iterator[str]:
    for name, device in devices.items():
        if device.memory is None:
            continue
        for kind, needed, size in (
            ("ROM", device.memory.rom_bytes, device.rom_size_bytes),
            ("RAM", device.memory.ram_bytes, device.ram_size_bytes),
        ):
            if size is not None and needed > size:
                yield f"device {name}: {needed} bytes of {kind} are needed, it has {size}"


def _ranked(answers: Sequence[Answer]) -> list[Answer]:
    """The answers with their ranks: no protection, then the ranked ones in order, then the others.

    Ranked are those that protect and keep the limits: best control first, then least delay, then least power.
    """
    good = [one for one in answers if one.within_limits and one.way.name != NONE]
    ordered = sorted(good, key=_merit)
    places = {id(one): place for place, one in enumerate(ordered, start=1)}
    found = [replace(one, rank=places.get(id(one))) for one in answers]
    return sorted(found, key=lambda one: (one.way.name != NONE, one.rank or len(found)))


def _merit(answer: Answer) -> tuple[float, ...]:
    errors = [outcome.metrics.get("iae") or 0.0 for outcome in answer.loops.values()]
    power = sum(device.power_w or 0.0 for device in answer.devices.values())
    # Control that differs by less than a thousandth is the same.
    return (*(float(f"{error:.3g}") for error in errors), answer.added_delay_s or 0.0, power)

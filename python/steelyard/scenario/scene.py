"""A scene: devices, tasks, buses, messages, plants and the loops that control them, in one TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from steelyard.catalog.load import CatalogError, first_problem, parse_toml, read_toml
from steelyard.catalog.models import Identifier, Strict
from steelyard.data import data_root
from steelyard.errors import UsageError
from steelyard.nearest import printable, unknown
from steelyard.scenario.quantities import (
    BitRate,
    Effort,
    Frequency,
    Period,
    Size,
    Span,
    Time,
    Work,
)
from steelyard.scenario.tables import LoopTable, PlantTable

# Deeper names and longer values belong into the file.
_CHANGE_LIMIT = 4096

Scheduler = Literal["fixed-priority", "edf"]
Need = Literal["confidentiality", "integrity"]


class Device(Strict):
    """A processor: one of `target` (a chip), `node` (a chip with radio and battery) and `host` (Linux).

    `clock` is for chips whose cycle counts do not depend on it. `switch` is the cost of changing tasks, twice
    a job. `rom_used` and `ram_used` are the device's memory outside cryptography. Cryptography is compiled
    with `toolchain` and `flags`, in the default variants except those that `variants` names; a host uses the
    `library` or Steelyard's own code.
    """

    target: str | None = None
    node: str | None = None
    host: str | None = None
    library: str | None = None
    clock: Frequency | None = None
    scheduler: Scheduler = "fixed-priority"
    switch: Effort = Work(seconds=0.0)
    rom_used: Size = 0
    ram_used: Size = 0
    toolchain: str | None = None
    flags: str = "-Os"
    variants: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if sum(one is not None for one in (self.target, self.node, self.host)) != 1:
            raise _wrong("it needs one of target, node and host")
        if self.clock is not None and self.target is None:
            raise _wrong("clock is for a device that names a target")
        if self.library is not None and self.host is None:
            raise _wrong("library is for a device that names a host")
        return self


class Task(Strict):
    """Repeated work of a device: each `period`, or `after` a message has arrived.

    A larger `priority` is more urgent; if a device has none, shorter deadlines are. `jitter` is the maximum
    delay of a release, `blocking` the maximum delay by lower priorities, `least` the work of its shortest
    job.
    """

    device: Identifier
    period: Period | None = None
    after: Identifier | None = None
    deadline: Time | None = None
    priority: Annotated[int, Field(ge=0, le=1000)] | None = None
    work: Effort
    least: Effort | None = None
    jitter: Span = 0.0
    offset: Span = 0.0
    blocking: Span = 0.0

    @model_validator(mode="after")
    def _one_trigger(self) -> Self:
        if (self.period is None) == (self.after is None):
            raise _wrong("it needs a period, or the message it comes after")
        if self.after is not None and (self.jitter or self.offset):
            raise _wrong("jitter and offset are for tasks with a period")
        return self


class _Bus(Strict):
    """Fields of all buses."""

    bit_rate: BitRate


class Can(_Bus):
    """Classic CAN, ISO 11898-1: frames of at most 8 bytes, arbitration by identifier."""

    kind: Literal["can"]
    extended: bool = False


class CanFd(_Bus):
    """CAN FD, ISO 11898-1: arbitration at `bit_rate`, the data of a frame at `data_rate`."""

    kind: Literal["can-fd"]
    data_rate: BitRate
    extended: bool = False


class Rs485(_Bus):
    """Modbus RTU over RS-485: the master asks, a slave answers after its `turnaround`.

    A message to the master is a reading of registers, one from it a writing of registers; bytes that leave a
    register half full are padded. Slaves do not communicate with each other.
    """

    kind: Literal["rs-485"]
    master: Identifier
    turnaround: Span = 0.0
    character_bits: Literal[10, 11] = 11


class Ethernet(_Bus):
    """Ethernet through `switches` that store and forward, with a delay of `switch_delay` each.

    With `protocol` modbus-tcp, as on RS-485, the `master` asks and a server answers after its `turnaround`.
    """

    kind: Literal["ethernet"]
    protocol: Literal["modbus-tcp", "udp", "none"] = "udp"
    master: Identifier | None = None
    turnaround: Span = 0.0
    switches: Annotated[int, Field(ge=0, le=8)] = 1
    switch_delay: Span = 0.0

    @model_validator(mode="after")
    def _modbus_has_a_master(self) -> Self:
        if (self.protocol == "modbus-tcp") != (self.master is not None):
            raise _wrong("master and the protocol modbus-tcp go together")
        return self


class Ieee802154(_Bus):
    """IEEE 802.15.4 without beacons: CSMA-CA; an acknowledged frame is sent again up to `retries` times."""

    kind: Literal["ieee802154"]
    bit_rate: BitRate = 250_000.0
    backoffs: Annotated[int, Field(ge=0, le=5)] = 4
    least_exponent: Annotated[int, Field(ge=0, le=8)] = 3
    most_exponent: Annotated[int, Field(ge=3, le=8)] = 5
    acknowledged: bool = True
    retries: Annotated[int, Field(ge=0, le=7)] = 3


Bus = Annotated[Can | CanFd | Rs485 | Ethernet | Ieee802154, Field(discriminator="kind")]


class Message(Strict):
    """Bytes from a task, sent at the end of its job, to another task, or out of the scene.

    `from` may be a device instead: traffic with a `period` of its own that belongs to no task. `id` is the
    identifier on a CAN bus; smaller is more urgent. A master `poll`s messages to it with this period and
    receives the last one sent. `protection` is written as `recommend` prints it ("aes-128 ctr +
    hmac-sha-256"), as protocol/suite ("secoc-can-fd/profile-1"), or "none". `key` is "once" if keys are set
    up at start-up, "each" if they are set up with every message.
    """

    sender: Identifier = Field(alias="from")
    receiver: Identifier | None = Field(alias="to", default=None)
    bus: Identifier
    payload: Size
    id: Annotated[int, Field(ge=0, lt=1 << 29)] | None = None
    period: Period | None = None
    poll: Period | None = None
    offset: Span = 0.0
    jitter: Span = 0.0
    deadline: Time | None = None
    protection: str = "none"
    ad: Size = 0
    key: Literal["once", "each"] = "once"


class Loop(LoopTable):
    """A controller and its plant, closed through a chain of tasks and messages from sensor to actuator.

    `chain` begins with the task that samples the output and ends with the one that sets the input; every
    message goes from the previous task to the next one.
    """

    chain: tuple[Identifier, ...] = Field(min_length=1)


class Try(Strict):
    """Protections to compare: those listed, or all that serve `need` with `security` bits of strength.

    They replace the protection of `messages`, or by default of every message that has one. Of all that serve
    a need, the `most` with the least delay are examined.
    """

    protection: tuple[str, ...] = ()
    need: tuple[Need, ...] = ()
    security: Annotated[int, Field(ge=1, le=512)] = 112
    most: Annotated[int, Field(ge=1, le=500)] = 12
    messages: tuple[Identifier, ...] = ()

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.protection) == bool(self.need):
            raise _wrong("it needs protection, a list, or need")
        return self


class Simulation(Strict):
    """Duration and seed of the simulation; the default duration follows from the periods."""

    duration: Time | None = None
    seed: int = 1


class Scene(Strict):
    """A whole scene; tables are by name."""

    title: str
    about: str = ""
    device: dict[Identifier, Device] = Field(min_length=1)
    task: dict[Identifier, Task] = Field(min_length=1)
    bus: dict[Identifier, Bus] = Field(default={})
    message: dict[Identifier, Message] = Field(default={})
    plant: dict[Identifier, PlantTable] = Field(default={})
    loop: dict[Identifier, Loop] = Field(default={})
    attempt: Try | None = Field(alias="try", default=None)
    simulation: Simulation = Simulation()
    source: tuple[str, ...] = ()

    def unprotected(self) -> Scene:
        """Return the scene without protection and without protections to try."""
        bare = {name: one.model_copy(update={"protection": "none"}) for name, one in self.message.items()}
        return self.model_copy(update={"message": bare, "attempt": None})


@cache
def scenes() -> Mapping[str, Path]:
    """Return the scenes that come with Steelyard, by name."""
    return {path.stem: path for path in sorted((data_root() / "advice" / "scenes").glob("*.toml"))}


def _wrong(said: str) -> PydanticCustomError:
    return PydanticCustomError("scene", "{said}", {"said": said})


def read_scene(path: Path, changes: Sequence[str] = ()) -> Scene:
    """Read the scene of a file, with `field=value` changes; CatalogError or UsageError in one sentence."""
    data = read_toml(path)
    for change in changes:
        _change(data, change)
    try:
        scene = Scene.model_validate(data)
    except ValidationError as error:
        raise CatalogError(f"{path}: {_problem(error, data)}") from None
    for problem in _problems(scene):
        raise CatalogError(f"{path}: {problem}")
    return scene


def _change(data: dict[str, Any], change: str) -> None:
    """Set a field of the file's tables; missing tables are created."""
    name, equals, text = change.partition("=")
    if len(change) > _CHANGE_LIMIT:
        raise UsageError(
            f"--set {printable(change, 40)}: longer than the {_CHANGE_LIMIT:,} characters it may have."
        )
    *tables, field = name.strip().split(".")
    if not equals or not field or not all(tables):
        raise UsageError(f'--set {printable(change)}: write it as task.control.period="5ms".')
    place: Any = data
    for table in tables:
        place = place.setdefault(table, {}) if isinstance(place, dict) else None
    if not isinstance(place, dict):
        raise UsageError(f"--set {printable(change)}: {printable(name)} is no field of a table.")
    place[field] = _toml_value(change, text.strip())


def _toml_value(change: str, text: str) -> Any:
    """Parse the text as TOML; other text is a string, so that no quotes are needed."""
    try:
        return parse_toml(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    except ValueError as error:
        raise UsageError(f"--set {printable(change, 40)}: {printable(str(error))}.") from None


def _problem(error: ValidationError, data: Mapping[str, Any]) -> str:
    """Return the first problem with its place in the file; pydantic's place includes the kind of a table."""
    listed = error.errors(include_url=False)
    first = next((one for one in listed if one["type"] == "extra_forbidden"), listed[0])
    location = list(_as_written(first["loc"], data))
    kind = first["type"]
    line = {
        "type": PydanticCustomError(kind, "{said}", {"said": first["msg"]})
        if kind not in ("extra_forbidden", "missing")
        else kind,
        "loc": tuple(location),
        "input": first["input"],
    }
    again = ValidationError.from_exception_data("Scene", [line])  # type: ignore[list-item]
    return first_problem(again, Scene)


def _as_written(location: Sequence[str | int], data: Any) -> Iterator[str | int]:
    place = data
    for index, part in enumerate(location):
        of_table = isinstance(place, dict) and part in place
        if of_table or (isinstance(place, list) and isinstance(part, int) and part < len(place)):
            place = place[part]
        elif index < len(location) - 1:
            continue
        yield part


def _problems(scene: Scene) -> Iterator[str]:
    """Yield problems across fields: names that refer to nothing, and fields that exclude each other."""
    yield from _message_problems(scene)
    yield from _task_problems(scene)
    for name, bus in scene.bus.items():
        if isinstance(bus, Rs485 | Ethernet) and bus.master is not None:
            yield from _unknown(f"bus.{name}.master", "device", bus.master, scene.device)
    for name, loop in scene.loop.items():
        yield from _loop_problems(scene, name, loop)
    if scene.attempt is not None:
        for message in scene.attempt.messages:
            yield from _unknown("try.messages", "message", message, scene.message)


def _unknown(field: str, what: str, name: str, known: Iterable[str]) -> Iterator[str]:
    names = list(known)
    if name not in names:
        clause = unknown(what, name, names)
        yield f"field {field}: {clause}" + ("" if clause.endswith("?") else ".")


def _task_problems(scene: Scene) -> Iterator[str]:
    for name, task in scene.task.items():
        yield from _unknown(f"task.{name}.device", "device", task.device, scene.device)
        if task.after is not None:
            yield from _unknown(f"task.{name}.after", "message", task.after, scene.message)
            if scene.message[task.after].receiver != name:
                yield f"field task.{name}.after: message {task.after} does not go to this task."
        if name in scene.message:
            yield f"field message.{name}: a task has the same name."
        if name in scene.device:
            yield f"field task.{name}: a device has the same name."
    for device in scene.device:
        with_priority = {task.priority is not None for task in scene.task.values() if task.device == device}
        if len(with_priority) > 1:
            lacking = next(n for n, t in scene.task.items() if t.device == device and t.priority is None)
            yield f"field task.{lacking}.priority is missing; other tasks of {device} have one."
    for name in scene.task:
        seen = [name]
        while (after := scene.task[seen[-1]].after) is not None:
            sender = scene.message[after].sender
            if sender in seen:
                yield f"field task.{name}.after: the tasks {', '.join(seen)} wait for each other in a circle."
                return
            if sender not in scene.task:
                break
            seen.append(sender)


def _message_problems(scene: Scene) -> Iterator[str]:
    known = [*scene.task, *scene.device]
    for name, message in scene.message.items():
        field = f"message.{name}"
        yield from _unknown(f"{field}.bus", "bus", message.bus, scene.bus)
        yield from _unknown(f"{field}.from", "task or device", message.sender, known)
        if message.receiver is not None:
            yield from _unknown(f"{field}.to", "task", message.receiver, scene.task)
        by_task = message.sender in scene.task
        if by_task and message.period is not None:
            yield f"field {field}.period: it is sent by a task; its jobs say when."
        if not by_task and message.period is None and message.poll is None:
            yield f"field {field}.period is missing; no task sends it."
        polled = is_polled(scene, message)
        if polled != (message.poll is not None):
            wanted = "is missing; it comes to the bus's master" if polled else "is for what comes to a master"
            yield f"field {field}.poll {wanted}."
        if by_task and not polled and (message.jitter or message.offset):
            yield f"field {field}: jitter and offset are for what is polled or not sent by a task."
        if not by_task and message.protection != "none":
            yield f"field {field}.protection: no task does the work; name one in from."
        bus = scene.bus[message.bus]
        if (message.id is not None) != isinstance(bus, Can | CanFd):
            wanted = "it is missing; on CAN identifiers decide" if message.id is None else "it is for CAN"
            yield f"field {field}.id: {wanted}."
        if message.id is not None and not getattr(bus, "extended", True) and message.id >= 1 << 11:
            yield f"field {field}.id: {message.id} has more than the 11 bits of bus {message.bus}."
        if message.id is not None:
            first = next(n for n, m in scene.message.items() if (m.bus, m.id) == (message.bus, message.id))
            if first != name:
                yield f"field {field}.id: {message.id} is also the identifier of {first}."
        ends = {device_of(scene, message.sender), device_of(scene, message.receiver)}
        if isinstance(bus, Rs485 | Ethernet) and bus.master is not None and bus.master not in ends:
            yield f"field {field}: neither end is {bus.master}, the master of bus {message.bus}."


def is_polled(scene: Scene, message: Message) -> bool:
    """Whether a master polls the message."""
    master = getattr(scene.bus[message.bus], "master", None)
    return master is not None and device_of(scene, message.sender) != master


def device_of(scene: Scene, name: str | None) -> str | None:
    """Return the device of a task or device name; None for anything outside the scene."""
    if name is None:
        return None
    return scene.task[name].device if name in scene.task else name


def _loop_problems(scene: Scene, name: str, loop: Loop) -> Iterator[str]:
    field = f"loop.{name}"
    yield from _unknown(f"{field}.plant", "plant", loop.plant, scene.plant)
    for part in loop.chain:
        yield from _unknown(f"{field}.chain", "task or message", part, [*scene.task, *scene.message])
    if loop.chain[0] not in scene.task or loop.chain[-1] not in scene.task:
        yield f"field {field}.chain: it begins with the task that samples and ends with the one that acts."
        return
    if scene.task[loop.chain[0]].period is None:
        yield f"field {field}.chain: {loop.chain[0]} samples the plant and needs a period."
    for before, part, behind in zip(loop.chain, loop.chain[1:], loop.chain[2:], strict=False):
        if part in scene.message:
            message = scene.message[part]
            if (message.sender, message.receiver) != (before, behind):
                yield f"field {field}.chain: {part} does not go from {before} to {behind}."
    for before, behind in zip(loop.chain, loop.chain[1:], strict=False):
        if (
            before in scene.task
            and behind in scene.task
            and scene.task[before].device != scene.task[behind].device
        ):
            yield f"field {field}.chain: {before} and {behind} are on two devices with no message between."
        if before in scene.message and behind in scene.message:
            yield f"field {field}.chain: there is no task between {before} and {behind}."

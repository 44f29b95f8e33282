"""Protocols as data: the operations of each message and each session, and the bytes on the air."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, model_validator

from steelyard.catalog.load import Catalog, CatalogError, read_file
from steelyard.catalog.models import CpuClass, Identifier, Strict
from steelyard.data import data_root
from steelyard.measure.selection import Selection
from steelyard.nearest import unknown
from steelyard.record.schema import Record

Direction = Literal["send", "receive"]

_RECEIVED = {"seal": "open", "encrypt": "decrypt"}


class Reference(Strict):
    """Source of a protocol; `opened` is false for a standard that is known only from other texts."""

    document: str
    section: str
    opened: bool = True
    fact: str = ""


class Length(Strict):
    """A length in bytes: `fixed`, plus the payload if included, rounded up to a multiple of `multiple_of`."""

    fixed: Annotated[int, Field(ge=0, le=65535)] = 0
    payload: bool = False
    multiple_of: Annotated[int, Field(ge=1, le=256)] = 1

    def bytes_of(self, payload_bytes: int) -> int:
        """Return the length for a payload."""
        length = self.fixed + (payload_bytes if self.payload else 0)
        return length + -length % self.multiple_of


class Step(Strict):
    """An operation of a primitive, executed `times` times; `length` and `ad` if the operation has them.

    `direction` marks a step that only a sender or only a receiver executes; `same` marks a message's step
    that both execute alike, such as a MAC made of a mode.
    """

    what: str
    primitive: Identifier
    operation: Literal[
        "init", "encrypt", "decrypt", "digest", "mac", "seal", "open", "sign", "verify"
    ]  # fmt: skip
    mode: Identifier | None = None
    length: Length | None = None
    ad: Length | None = None
    times: Annotated[int, Field(ge=1, le=1000)] = 1
    direction: Direction | None = None
    same: bool = False

    def operation_of(self, direction: Direction) -> str:
        """Return the operation of this side: a receiver opens what was sealed; a bare block is unchanged."""
        turns = (
            direction == "receive" and not self.same and (self.operation == "seal" or self.mode is not None)
        )
        return _RECEIVED[self.operation] if turns else self.operation


class Air(Strict):
    """Bytes that a message carries beside its payload; `security` is false for those sent in any case."""

    what: str
    bytes: Annotated[int, Field(ge=1, le=65535)]
    security: bool = True


class Suite(Strict):
    """One way in which a protocol protects a message; `session` holds the steps that run once before."""

    id: Identifier
    title: str
    payload_most_bytes: Annotated[int, Field(ge=1)]
    session: tuple[Step, ...] = ()
    message: tuple[Step, ...] = Field(min_length=1)
    air: tuple[Air, ...] = Field(min_length=1)


class ProtocolFile(Strict):
    """Contents of `advice/protocols/<protocol>.toml`; `assumed` lists facts that no opened source states."""

    id: Identifier
    title: str
    note: str = ""
    assumed: tuple[str, ...] = ()
    reference: tuple[Reference, ...] = Field(min_length=1)
    suite: tuple[Suite, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _names_are_unique(self) -> ProtocolFile:
        if len({suite.id for suite in self.suite}) != len(self.suite):
            raise ValueError("two suites have one name")
        if not any(reference.opened for reference in self.reference) and not self.assumed:
            raise ValueError("nothing was opened and nothing is listed as assumed")
        return self


@cache
def protocols() -> Mapping[str, ProtocolFile]:
    """Return all protocols by name; CatalogError for an invalid file."""
    found = {}
    for path in sorted((data_root() / "advice" / "protocols").glob("*.toml")):
        file = read_file(path, ProtocolFile)
        if file.id != path.stem:
            raise CatalogError(f'{path}: field id is "{file.id}" but the file is named "{path.stem}".')
        found[file.id] = file
    return found


def protocol(name: str) -> ProtocolFile:
    """Return the protocol of that name; CatalogError for an unknown one."""
    if name not in protocols():
        clause = unknown("protocol", name, protocols())
        raise CatalogError(clause if clause.endswith("?") else f"{clause}.")
    return protocols()[name]


@dataclass(frozen=True)
class Asked:
    """A cell that a step needs: an operation of a variant on a number of bytes."""

    primitive: str
    variant: str
    operation: str
    mode: str | None
    message_bytes: int | None
    ad_bytes: int | None
    parts: str | None = None
    """Variants of a construction's parts, as a record has them."""

    @property
    def selection(self) -> Mapping[str, object]:
        """Selection for `measure`, without the chip, the compiler and the flags."""
        return {
            "primitive": (self.primitive,),
            "variant": (self.variant, *dict.fromkeys((self.parts or "").split())),
            "operation": (self.operation,),
            "mode": (self.mode or "none",),
            "length": () if self.message_bytes is None else (self.message_bytes,),
            "ad_length": () if self.ad_bytes is None else (self.ad_bytes,),
        }

    def is_of(self, row: Record) -> bool:
        """Whether a record belongs to this cell; whole blocks have no padding."""
        return all(
            row[name] == value
            for name, value in (
                ("primitive", self.primitive),
                ("variant", self.variant),
                ("parts", self.parts),
                ("operation", self.operation),
                ("mode", self.mode),
                ("message_bytes", self.message_bytes),
                ("ad_bytes", self.ad_bytes),
            )
        ) and row["padding"] in (None, "none")


def asked(
    catalog: Catalog,
    cpu_class: CpuClass,
    step: Step,
    variants: Mapping[str, str],
    payload_bytes: int,
    direction: Direction,
) -> Asked:
    """Return the cell of a step; `variants` names variants other than the class's default by algorithm.

    A bare block operation takes one block, whatever the payload. CatalogError for an unknown primitive.
    """
    algorithm = catalog.algorithm_of(step.primitive)
    primitive = algorithm.primitive(step.primitive)

    def chosen(name: str) -> str:
        return variants.get(name) or catalog.default_variant(name, cpu_class).id

    variant = chosen(algorithm.id)
    parts = " ".join(chosen(part.algorithm_id) for part in primitive.parts) or None
    operation = step.operation_of(direction)
    if operation in ("init", "sign", "verify"):
        return Asked(step.primitive, variant, operation, None, None, None, parts)
    if algorithm.file.kind == "block" and step.mode is None:
        return Asked(step.primitive, variant, operation, None, primitive.block_bytes, None, parts)
    length = (step.length or Length()).bytes_of(payload_bytes)
    ad_bytes = (step.ad or Length()).bytes_of(payload_bytes) if algorithm.file.kind == "aead" else None
    return Asked(step.primitive, variant, operation, step.mode, length, ad_bytes, parts)


def steps_of(suite: Suite, direction: Direction) -> Iterator[tuple[str, Step]]:
    """Yield the steps of a side, each with `session` or `message`."""
    for part, steps in (("session", suite.session), ("message", suite.message)):
        for step in steps:
            if step.direction in (None, direction):
                yield part, step if part == "message" else step.model_copy(update={"same": True})


def selections(wanted: Iterable[Asked], target: str, toolchain: str, flags: str) -> list[Selection]:
    """Return the selections that `measure` needs for these cells."""
    return [
        Selection.model_validate(
            {**one.selection, "target": (target,), "toolchain": (toolchain,), "flags": (flags,)}
        )
        for one in dict.fromkeys(wanted)
    ]


@dataclass(frozen=True)
class StepCost:
    """Total cost of a step: its record's figures times `times`."""

    part: str
    step: Step
    cell: Asked
    cycles: float
    energy_nj: float | None


@dataclass(frozen=True)
class SuiteCost:
    """Cost of a suite on a chip: sums over its steps, and bytes on the air."""

    suite: Suite
    steps: tuple[StepCost, ...]
    payload_bytes: int
    clock_hz: int

    def cycles(self, part: str) -> float:
        """Return the clock cycles of all steps of `session` or `message`."""
        return sum(step.cycles for step in self.steps if step.part == part)

    def energy_nj(self, part: str) -> float | None:
        """Return the nanojoules of all steps of `session` or `message`; null without an energy model."""
        listed = [step.energy_nj for step in self.steps if step.part == part]
        return None if None in listed else sum(value for value in listed if value is not None)

    def time_us(self, part: str) -> float:
        """Return the microseconds of all steps of `session` or `message` at the chip's clock."""
        return self.cycles(part) / self.clock_hz * 1e6

    @property
    def security_bytes(self) -> int:
        """Bytes that a message carries only because it is protected."""
        return sum(air.bytes for air in self.suite.air if air.security)

    @property
    def air_bytes(self) -> int:
        """Bytes of a message on the air: headers, payload and protection."""
        return self.payload_bytes + sum(air.bytes for air in self.suite.air)


def cost(
    catalog: Catalog,
    cpu_class: CpuClass,
    suite: Suite,
    rows: Iterable[Record],
    variants: Mapping[str, str],
    payload_bytes: int,
    direction: Direction,
    clock_hz: int,
) -> SuiteCost | Asked:
    """Return a suite's cost from these records of one chip and build, or the first cell without a record."""
    listed = list(rows)
    found: list[StepCost] = []
    for part, step in steps_of(suite, direction):
        cell = asked(catalog, cpu_class, step, variants, payload_bytes, direction)
        row = next((r for r in listed if r["status"] == "ok" and r["verified"] and cell.is_of(r)), None)
        if row is None:
            return cell
        energy = row["energy_nj"]
        found.append(
            StepCost(
                part,
                step,
                cell,
                float(row["cycles"] or 0) * step.times,
                float(energy) * step.times if isinstance(energy, int | float) else None,
            )
        )
    return SuiteCost(suite, tuple(found), payload_bytes, clock_hz)

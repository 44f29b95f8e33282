"""The cost of protection on a device: the equivalent metrics between the cipher and the system.

`cost` is the function of algorithm, key, block, mode, message and device that the rest of the twin uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from steelyard.advise.battery import Node, node
from steelyard.advise.components import Component, Records, Role, Use, cells, components
from steelyard.advise.protocols import Asked, asked, selections, steps_of
from steelyard.advise.recommend import rom_together
from steelyard.catalog.load import Catalog
from steelyard.catalog.models import Target
from steelyard.errors import SteelyardError, UsageError
from steelyard.measure.energy import power_at_work_w
from steelyard.measure.selection import Selection, match
from steelyard.record.schema import Record
from steelyard.scenario.protection import Part, Protection, find_primitive
from steelyard.scenario.scene import Device

Side = Literal["send", "receive"]


class NoFigure(SteelyardError):
    """A cost without a verified record, and the reason; one sentence."""


@dataclass(frozen=True)
class Cost:
    """Cost of a message on a device: the metrics of the paper's equations (7) and (8).

    `delay_s` is the mean, `least_s` and `longest_s` bound the measured values; `cpu_s` is the processor's
    time.
    """

    delay_s: float
    least_s: float
    longest_s: float
    cpu_s: float
    energy_j: float | None
    payload_bytes: int

    @property
    def throughput_bytes_per_s(self) -> float:
        """Maximum payload per second."""
        return self.payload_bytes / self.delay_s if self.delay_s else float("inf")

    @property
    def cpu_share(self) -> float:
        """Share of one processor during the work."""
        return self.cpu_s / self.delay_s if self.delay_s else 0.0


NOTHING = Cost(0.0, 0.0, 0.0, 0.0, 0.0, 0)


@dataclass(frozen=True)
class Job:
    """A protection of messages of a size, on one side; `each` sets up the keys with every message."""

    protection: Protection
    payload_bytes: int
    ad_bytes: int
    side: Side
    each: bool


@dataclass(frozen=True)
class Memory:
    """Bytes that protection takes on a device; upper bounds unless it is known what parts share."""

    rom_bytes: int
    ram_bytes: int


class Chip:
    """A device that is a chip, or a node with one: its clock, its compiler, its records once measured."""

    def __init__(self, catalog: Catalog, name: str, device: Device, toolchain: Callable[[str], str]) -> None:
        """Read the device; `toolchain` names the compiler if the device does not.

        UsageError for a clock other than the chip's if cycles depend on it.
        """
        self.name = name
        self.node: Node | None = node(device.node) if device.node is not None else None
        chip = self.node.target if self.node is not None else device.target
        assert chip is not None
        self.target: Target = catalog.target(chip)
        file = self.target.file
        self.clock_hz: float = file.clock_hz
        if self.node is not None:
            self.clock_hz = self.node.clock_hz
        elif device.clock is not None:
            if device.clock != file.clock_hz and (file.cache is not None or file.flash is not None):
                raise UsageError(
                    f"device.{name}: cycles on {chip} depend on its clock of {file.clock_hz / 1e6:g} MHz, at"
                    " which it is measured; leave clock out."
                )
            self.clock_hz = device.clock
        self._catalog = catalog
        self._variants = _variants(catalog, device.variants)
        self.build = (chip, device.toolchain or toolchain(chip), device.flags)
        self._rows: list[Record] = []
        self._records = Records(())

    def wanted(self, jobs: Iterable[Job]) -> list[Selection]:
        """Return the selections for `measure`."""
        found: dict[Selection, None] = {}
        target, toolchain, flags = self.build
        for job in jobs:
            if job.protection.suite is not None:
                found |= dict.fromkeys(selections(self._asked(job), target, toolchain, flags))
            for use in self._uses(job):
                found |= dict.fromkeys(self._cells(use, job.side))
        for use, role in self._kept(jobs):
            found |= dict.fromkeys(self._cells(use, role))
        return list(found)

    def _cells(self, use: Use, role: Role) -> Iterator[Selection]:
        target, toolchain, flags = self.build
        algorithms = (self._catalog.algorithm_of(use.primitive.id).id, *use.primitive.part_algorithms)
        variants = tuple(map(self._variant, dict.fromkeys(algorithms)))
        chosen = {"target": (target,), "toolchain": (toolchain,), "flags": (flags,)}
        yield from cells(use, role, {**chosen, "variant": variants})

    def _variant(self, algorithm: str) -> str:
        return (
            self._variants.get(algorithm)
            or self._catalog.default_variant(algorithm, self.target.cpu_class).id
        )

    def _asked(self, job: Job) -> list[Asked]:
        """Return the cells of a suite's steps."""
        assert job.protection.suite is not None
        return [
            asked(self._catalog, self.target.cpu_class, step, self._variants, job.payload_bytes, job.side)
            for _, step in steps_of(job.protection.suite, job.side)
        ]

    def _uses(self, job: Job) -> list[Use]:
        return job.protection.uses(self._catalog, job.payload_bytes, job.ad_bytes)

    def take(self, rows: Iterable[Record]) -> None:
        """Keep the records that belong to this chip and its build."""
        self._rows = [
            row
            for row in rows
            if (row["target"], row["toolchain"], row["flags"]) == self.build
            and row["settings"] is None
            and row["cache_state"] != "cold"
        ]
        self._records = Records(self._rows)

    def cost(self, job: Job) -> Cost:
        """Return the cost of a message. NoFigure if a record is missing or failed."""
        if job.protection.suite is not None:
            return self._suite_cost(job)
        parts = [self._component(use, job.side) for use in self._uses(job)]
        each = [part for part in parts if part.setup_each or job.each]
        cycles = [
            sum(getattr(part, f"cycles{of}") for part in parts)
            + sum(getattr(part, f"setup_cycles{of}") for part in each)
            for of in ("", "_min", "_max")
        ]
        energies = [part.energy_nj for part in parts] + [part.setup_energy_nj for part in each]
        return self._cost(cycles, energies, job)

    def _cost(self, cycles: Sequence[float], energies: Sequence[float | None], job: Job) -> Cost:
        mean, least, most = (one / self.clock_hz for one in cycles)
        return Cost(mean, least, most, mean, self._energy(mean, energies), job.payload_bytes)

    def _energy(self, delay_s: float, energies: Sequence[float | None]) -> float | None:
        """Return joules: a node's from its current, otherwise from the chip's model; None without either."""
        if self.node is not None:
            return delay_s * self.node.cpu_active_ma * 1e-3 * self.node.supply_v
        known = [one for one in energies if one is not None]
        return sum(known) * 1e-9 if len(known) == len(energies) else None

    def active_w(self) -> float | None:
        """Power of the processor at work in watts; None if unknown."""
        if self.node is not None:
            return self.node.cpu_active_ma * 1e-3 * self.node.supply_v
        return power_at_work_w(self.target.file, self.clock_hz)

    def _component(self, use: Use, role: Role) -> Component:
        found, lacking = components(self._catalog, self._records, use, role)
        variant = self._variant(self._catalog.algorithm_of(use.primitive.id).id)
        for one in found:
            inside = (inner for _, inner in one.contains)
            if one.variant == variant and all(
                inner == self._variant(inner.partition("/")[0]) for inner in inside
            ):
                return one
        reason = next((one.reason for one in lacking if one.variant == variant), "it is not measured")
        raise NoFigure(f"{self.name}: {use.name} on {use.message_bytes} bytes: {reason}.")

    def _suite_cost(self, job: Job) -> Cost:
        assert job.protection.suite is not None
        cycles = [0.0, 0.0, 0.0]
        energies: list[float | None] = []
        steps = [
            (step, cell)
            for (part, step), cell in zip(
                steps_of(job.protection.suite, job.side), self._asked(job), strict=True
            )
            if part == "message" or job.each
        ]
        for step, cell in steps:
            row = self._row(cell)
            for index, name in enumerate(("cycles", "cycles_min", "cycles_max")):
                cycles[index] += float(row[name] or 0) * step.times
            energy = row["energy_nj"]
            energies.append(float(energy) * step.times if isinstance(energy, int | float) else None)
        return self._cost(cycles, energies, job)

    def _row(self, cell: Asked) -> Record:
        reason = "it is not measured"
        for row in self._rows:
            if cell.is_of(row):
                if row["status"] == "ok" and row["verified"]:
                    return row
                reason = f"{row['status']}: {str(row['error']).splitlines()[0]}"
        raise NoFigure(f"{self.name}: {cell.primitive} {cell.operation}: {reason}.")

    def memory(self, jobs: Sequence[Job]) -> Memory:
        """Return ROM and RAM of all protection on the device: a context per job, the deepest stack once."""
        kept = [(use, self._component(use, role)) for use, role in self._kept(jobs)]
        by_name = {use.name: part for use, part in kept}
        contexts = sum(
            by_name[name].ram_context_bytes
            for job in jobs
            for name in {use.name for use in self._kept_uses(job)}
        )
        parts = list(by_name.values())
        static = sum(part.ram_static_bytes for part in parts)
        stack = max((part.ram_stack_bytes for part in parts), default=0)
        return Memory(rom_together(parts), static + contexts + stack)

    def _kept(self, jobs: Iterable[Job]) -> list[tuple[Use, Role]]:
        """Return each primitive in its mode once, on its longest message, with all of its operations."""
        sides: dict[str, set[Side]] = {}
        longest: dict[str, Use] = {}
        for job in jobs:
            for use in self._kept_uses(job):
                sides.setdefault(use.name, set()).add(job.side)
                if use.name not in longest or use.message_bytes > longest[use.name].message_bytes:
                    longest[use.name] = use
        return [(use, _role(sides[name])) for name, use in longest.items()]

    def _kept_uses(self, job: Job) -> Iterator[Use]:
        """Yield the uses that a job leaves in the image; for a suite those of its message's steps."""
        yield from self._uses(job)
        if job.protection.suite is None:
            return
        for (_, step), cell in zip(steps_of(job.protection.suite, job.side), self._asked(job), strict=True):
            if step.operation != "init":
                algorithm = self._catalog.algorithm_of(cell.primitive)
                yield Use(
                    algorithm.primitive(cell.primitive), algorithm.file.kind, cell.mode,
                    cell.message_bytes or 0, cell.ad_bytes or 0,
                    _suite_padding(self._catalog, cell), signs=cell.operation in ("sign", "verify"),
                )  # fmt: skip


def _suite_padding(catalog: Catalog, cell: Asked) -> str | None:
    """Return the padding of a suite's step, which takes whole blocks."""
    if cell.mode is None:
        return None
    return "none" if catalog.mode(cell.mode).file.whole_blocks else None


def _role(sides: set[Side]) -> Role:
    return "both" if len(sides) == 2 else next(iter(sides))


def _variants(catalog: Catalog, patterns: Sequence[str]) -> dict[str, str]:
    """Return the named variants by algorithm; UsageError for two of one."""
    chosen: dict[str, str] = {}
    for name in match("variant", patterns, [variant.id for variant in catalog.variants]):
        algorithm = name.partition("/")[0]
        if algorithm in chosen:
            raise UsageError(f"variants: {chosen[algorithm]} and {name} are both of {algorithm}; name one.")
        chosen[algorithm] = name
    return chosen


def merged(listed: Iterable[Selection]) -> list[Selection]:
    """Merge selections that differ only in the primitive and its variant."""
    together: dict[tuple[object, ...], list[Selection]] = {}
    for one in listed:
        rest = one.model_dump(exclude={"primitive", "variant"})
        together.setdefault(tuple(rest.values()), []).append(one)
    return [
        group[0].model_copy(
            update={
                name: tuple(dict.fromkeys(value for one in group for value in getattr(one, name)))
                for name in ("primitive", "variant")
            }
        )
        for group in together.values()
    ]


def cost(
    catalog: Catalog,
    chip: Chip,
    algorithm: str,
    key_bits: int,
    mode: str | None,
    message_bytes: int,
    *,
    block_bits: int | None = None,
    ad_bytes: int = 0,
    side: Side = "send",
) -> Cost:
    """Return the cost of an algorithm with these key and block lengths, in a mode, on a message, on a device.

    UsageError for an unknown one; NoFigure for an unmeasured one.
    """
    primitive = find_primitive(catalog, algorithm, key_bits, block_bits)
    part = Part(primitive, catalog.algorithm_of(primitive.id).file.kind, mode)
    return chip.cost(Job(Protection(part.name, (part,)), message_bytes, ad_bytes, side, each=False))

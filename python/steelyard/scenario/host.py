"""A Linux device in a scene: its costs come from the records that `steelyard host` made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from steelyard.advise.components import Role, Use, operations_of
from steelyard.advise.protocols import Asked, asked, steps_of
from steelyard.catalog.load import Catalog
from steelyard.catalog.models import LINUX
from steelyard.record.schema import Record
from steelyard.scenario.cost import Cost, Job, Memory, NoFigure
from steelyard.scenario.scene import Device

_EACH = ("stream", "mac")
"""Kinds whose set-up runs with every message: it takes the nonce, or the message uses it up."""


class Host:
    """A measured Linux device, with Steelyard's own code or a library of the device."""

    clock_hz = None
    """Always None: a device's clock varies, so its work is given as a time."""

    def __init__(self, catalog: Catalog, name: str, device: Device) -> None:
        """Read the device; `device.host` is its name in records."""
        self.name = name
        self._catalog = catalog
        self._host = str(device.host)
        self._library = device.library
        self._rows: list[Record] = []

    def take(self, rows: Iterable[Record]) -> None:
        """Keep the records that belong to this device."""
        self._rows = [
            row
            for row in rows
            if row.get("device") == self._host
            and row.get("library") == self._library
            and row.get("threads") in (None, 1)
        ]

    def cost(self, job: Job) -> Cost:
        """Return the cost of a message. NoFigure if a record is missing or failed."""
        rows = [(self._find(cell), times) for cell, times in self._cells(job)]

        def total(name: str) -> float:
            return sum(_number(row, name) * times for row, times in rows) / 1e6

        delay = total("time_us")
        busy = sum(
            _number(row, "time_us") * times * min(_number(row, "cpu_process_percent", 100.0), 100.0) / 1e8
            for row, times in rows
        )
        energies = [row["energy_nj"] for row, _ in rows]
        energy = None
        if all(isinstance(one, int | float) for one in energies):
            energy = sum(_number(row, "energy_nj") * times for row, times in rows) * 1e-9
        return Cost(
            delay, total("time_min_us"), total("time_max_us"), min(busy, delay), energy, job.payload_bytes
        )

    def memory(self, jobs: Sequence[Job]) -> Memory | None:
        """Return None: a Linux device's memory is its process's, for any cipher."""
        return None

    def active_w(self) -> float | None:
        """Always None: the power is unknown."""
        return None

    def _cells(self, job: Job) -> list[tuple[Asked, int]]:
        """Return the cells of a message, and how often each runs."""
        if job.protection.suite is not None:
            return [
                (asked(self._catalog, LINUX, step, {}, job.payload_bytes, job.side), step.times)
                for part, step in steps_of(job.protection.suite, job.side)
                if part == "message" or job.each
            ]
        uses = job.protection.uses(self._catalog, job.payload_bytes, job.ad_bytes)
        return [
            (self._asked(use, operation), 1)
            for use in uses
            for operation in self._operations(use, job.side, each=job.each)
        ]

    def _operations(self, use: Use, side: Role, *, each: bool) -> tuple[str, ...]:
        setup = ("init",) if use.kind in _EACH or (each and use.kind != "hash") else ()
        return (*setup, *operations_of(use, side))

    def _asked(self, use: Use, operation: str) -> Asked:
        algorithm = self._catalog.algorithm_of(use.primitive.id).id
        variant = self._catalog.default_variant(algorithm, LINUX).id
        if operation == "init":
            return Asked(use.primitive.id, variant, operation, None, None, None)
        ad_bytes = use.ad_bytes if use.kind == "aead" else None
        return Asked(use.primitive.id, variant, operation, use.mode, use.message_bytes, ad_bytes)

    def _find(self, cell: Asked) -> Record:
        reason = f"it is not measured; run: {self._command(cell)}"
        for row in self._rows:
            if not _is_of(row, cell):
                continue
            if row["status"] == "ok" and row["verified"] and row["time_us"] is not None:
                return row
            if row["status"] == "ok":
                reason = "it was only emulated, which gives no times"
                continue
            reason = f"{row['status']}: {str(row['error']).splitlines()[0]}"
        size = "" if cell.message_bytes is None else f" on {cell.message_bytes} bytes"
        raise NoFigure(
            f"{self.name}: {cell.primitive} {cell.operation}{size} on host {self._host}: {reason}."
        )

    def _command(self, cell: Asked) -> str:
        words = ["steelyard host measure", self._host, f"--primitive {cell.primitive}"]
        words += [f"--operation {cell.operation}"]
        words += [f"--mode {cell.mode}"] if cell.mode else []
        words += [f"--length {cell.message_bytes}"] if cell.message_bytes is not None else []
        words += [f"--ad-length {cell.ad_bytes}"] if cell.ad_bytes is not None else []
        return " ".join(words)


def _is_of(row: Record, cell: Asked) -> bool:
    """Whether a record belongs to this cell, by any implementation."""
    names = ("primitive", "operation", "mode", "message_bytes", "ad_bytes")
    return all(row[name] == getattr(cell, name) for name in names)


def _number(row: Record, name: str, missing: float = 0.0) -> float:
    value = row.get(name)
    return float(value) if isinstance(value, int | float) else missing

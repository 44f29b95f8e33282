"""Accesses to peripherals, which are not there: ignored where that is asked for, counted and told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from steelyard.catalog.models import Target
from steelyard.errors import UsageError
from steelyard.machine import Call, Emulator

_ADDRESS_SPACE_BYTES = 1 << 32


@dataclass(frozen=True)
class Ignored:
    """Accesses to peripherals in a run: loads read zeros, stores changed nothing.

    `address` and `pc` are those of the first access, None if there was none.
    """

    accesses: int = 0
    address: int | None = None
    pc: int | None = None

    @property
    def sentence(self) -> str | None:
        """What a result says of them; None if there was none."""
        if self.address is None:
            return None
        accesses = "access" if self.accesses == 1 else "accesses"
        return (
            f"{self.accesses:,} {accesses} to peripherals ignored, first at 0x{self.address:x}"
            f" from 0x{self.pc:x}."
        )


def ignoring(emulator: Emulator, target: Target, attempt: Callable[[], Call]) -> tuple[Call, Ignored]:
    """Make an attempt on an emulator as it was loaded.

    Only if it ends at a peripheral it is made once more, now with such accesses ignored: where none occur,
    nothing costs time. On a chip whose peripherals' registers are plain memory it stays a fault.
    """
    call = attempt()
    fault = call.fault
    if fault is None or fault.kind != "unmapped-address" or fault.address in (None, fault.pc):
        return call, Ignored()
    places = [(place.base, place.size) for place in target.file.peripherals] or [(0, _ADDRESS_SPACE_BYTES)]
    if not any(base <= (fault.address or 0) < base + size for base, size in places):
        return call, Ignored()
    try:
        emulator.ignore(places)
    except UsageError:
        return call, Ignored()
    emulator.reset()
    call = attempt()
    ignored = Ignored(emulator.ignored, fault.address, fault.pc)
    emulator.ignore(None)
    return call, ignored

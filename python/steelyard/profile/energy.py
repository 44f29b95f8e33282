"""Energy of a call, divided among its instructions.

A model gives the energy of a whole call. Each of its parts is divided by what the part depends on, so that
the sum over the instructions is the energy of the record.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from steelyard.catalog.models import Chip, EnergyEvent, Target
from steelyard.machine import instructions
from steelyard.measure.energy import by_part, counted
from steelyard.record.schema import Record

_LIST = re.compile(r"\{([^}]*)\}")
_LOADS, _STORES, _COMPUTES = ("load", "load-program", "stack"), ("store", "stack"), ("alu", "shift", "bit")


class Part(NamedTuple):
    """An instruction's executions and cycles, those of them spent waiting for memory, and its text."""

    executions: int
    cycles: int
    waited: int
    text: str


def divide(target: Target, record: Record, parts: Sequence[Part]) -> list[float] | None:
    """Return the nanojoules of each part, for all samples; None on a chip without a model."""
    total_nj, samples = record["energy_nj"], record["samples"]
    if not isinstance(total_nj, float) or not isinstance(samples, int) or not parts:
        return None
    chip = target.file
    weights = _of_events(target, record, parts) if chip.event_energy is not None else _of_current(chip, parts)
    return _shares(total_nj * samples, weights)


def _of_current(chip: Chip, parts: Sequence[Part]) -> list[float]:
    """Return charges: those of cycles at work, and of cycles in which the core waits for memory."""
    model = chip.energy
    assert model is not None
    waiting_ma = model.active_ma if model.stall_ma is None else model.stall_ma
    return [(one.cycles - one.waited) * model.active_ma + one.waited * waiting_ma for one in parts]


def _of_events(target: Target, record: Record, parts: Sequence[Part]) -> list[float]:
    model, supply_v, counts = target.file.event_energy, target.file.energy_supply_v, counted(record)
    assert model is not None and supply_v is not None and counts is not None
    kinds = {one.mnemonic: one.kind for one in instructions(target)}
    found = [0.0] * len(parts)
    by_kind = [_kind(one.text, kinds) for one in parts]
    for part in model.measured.part:
        whole_nj = by_part(model.measured, supply_v, counts)[part.name]
        amount = sum(counts[event] for event in part.events)
        for event in part.events:
            amounts = [_amount(event, one, kind) for one, kind in zip(parts, by_kind, strict=True)]
            share_nj = whole_nj * counts[event] / amount if amount else 0.0
            found = [had + more for had, more in zip(found, _shares(share_nj, amounts), strict=True)]
    return found


def _amount(event: EnergyEvent, one: Part, kind: str) -> float:
    """Return how many events of a kind an instruction has; a list of registers is as many transfers."""
    listed = _LIST.search(one.text)
    transfers = _registers(listed[1]) if listed else 1
    amounts: Mapping[str, Callable[[], float]] = {
        "cycles": lambda: one.cycles,
        "fetches": lambda: one.executions,
        "loads": lambda: one.executions * transfers if kind in _LOADS else 0,
        "stores": lambda: one.executions * transfers if kind in _STORES else 0,
        "registers": lambda: one.executions * (2 + transfers if kind in (*_LOADS, *_STORES) else 3),
        "alu": lambda: one.executions if kind in _COMPUTES else 0,
        "multiply": lambda: one.executions if kind == "multiply" else 0,
    }
    return amounts[event]()


def _registers(listed: str) -> int:
    """Return the number of registers in a list such as `r4-r7, lr`."""
    count = 0
    for part in listed.split(","):
        first, _, last = (text.strip() for text in part.partition("-"))
        numbered = first[1:].isdigit() and last[1:].isdigit()
        count += int(last[1:]) - int(first[1:]) + 1 if numbered else 1
    return count


def _kind(text: str, kinds: Mapping[str, str]) -> str:
    """Return the class of an instruction by the longest mnemonic that its text begins with."""
    word = text.partition(" ")[0]
    known = [name for name in kinds if word.startswith(name)]
    return kinds[max(known, key=len)] if known else "other"


def _shares(whole: float, weights: Sequence[float]) -> list[float]:
    """Divide a whole by weights; equally where all are 0."""
    total = math.fsum(weights)
    if not total:
        return [whole / len(weights)] * len(weights)
    return [whole * weight / total for weight in weights]

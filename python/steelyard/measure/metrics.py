"""The metrics of a cell: what follows from the calls of its samples."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from steelyard.machine import Call
from steelyard.record.schema import MIX_CLASSES, Record, mix_field


@dataclass
class Observed:
    """Observations over the samples of a cell."""

    calls: list[Call] = field(default_factory=list)
    pointer_calls: list[Call] = field(default_factory=list)
    answered: int = 0
    power_series: str | None = None

    def add(self, call: Call, answered: bool) -> None:
        """Count one sample; `answered` says whether its output was compared with a known answer."""
        self.calls.append(call)
        self.answered += answered

    @property
    def takes_one_time(self) -> bool:
        """Whether all samples so far took the same cycles for the same number of instructions."""
        return len({(call.cycles, call.instructions) for call in self.calls}) == 1

    def metrics(self) -> Record:
        """Return the record's fields that follow from the calls: cycles, mix, stack and the profile."""
        cycles = [call.cycles for call in self.calls]
        mean = _mean(cycles)
        record: Record = {
            "samples": len(cycles),
            "cycles": mean,
            "cycles_min": min(cycles),
            "cycles_max": max(cycles),
            "cycles_sd": math.sqrt(_mean((count - mean) ** 2 for count in cycles)),
            "ram_stack_bytes": max(call.stack_bytes for call in self.calls),
            "instructions": _mean(call.instructions for call in self.calls),
            "loads": _mean(call.loads for call in self.calls),
            "stores": _mean(call.stores for call in self.calls),
            **_registers(self.calls),
            "branches": _mean(call.branches for call in self.calls),
            "branches_taken": _mean(call.branches_taken for call in self.calls),
            "functions": _profile(self.calls),
            "power_series": self.power_series,
            **_caches(self.calls),
        }
        if self.pointer_calls:
            record["pointer_cycles"] = _mean(call.cycles for call in self.pointer_calls)
            record["pointer_stack_bytes"] = max(call.stack_bytes for call in self.pointer_calls)
        for name in MIX_CLASSES:
            record[mix_field(name)] = _mean(call.mix.get(name, 0) for call in self.calls)
        return record


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed)


def _registers(calls: list[Call]) -> Record:
    """Return the registers read and written, mean over the calls; empty where they are not counted."""
    if not any(call.register_reads or call.register_writes for call in calls):
        return {}
    return {
        "register_reads": _mean(call.register_reads for call in calls),
        "register_writes": _mean(call.register_writes for call in calls),
    }


def _caches(calls: list[Call]) -> Record:
    """Return the memory system's counters, mean over the calls; empty on a chip without caches."""
    seen = [(call.instructions, call.memory) for call in calls if call.memory is not None]
    if not seen:
        return {}
    misses = [memory["icache_misses"] + memory["dcache_misses"] for _, memory in seen]
    # Every instruction is fetched, but only the first of each part of a line is looked up.
    accesses = [
        (count if memory["icache_accesses"] else 0) + memory["dcache_accesses"] for count, memory in seen
    ]
    return {
        "cache_hits": _mean(all_ - missed for all_, missed in zip(accesses, misses, strict=True)),
        "cache_misses": _mean(misses),
        "icache_misses": _mean(memory["icache_misses"] for _, memory in seen),
        "dcache_misses": _mean(memory["dcache_misses"] for _, memory in seen),
        "cache_write_backs": _mean(memory["dcache_writebacks"] for _, memory in seen),
        "memory_stall_cycles": _mean(memory["stall_cycles"] for _, memory in seen),
    }


def _profile(calls: list[Call]) -> str:
    """Return the `functions` field: mean cycles and instructions by function, as JSON, most cycles first."""
    cycles: Counter[str] = Counter()
    instructions: Counter[str] = Counter()
    for call in calls:
        for function in call.functions:
            cycles[function.name] += function.cycles
            instructions[function.name] += function.instructions
    count = len(calls)
    names = sorted(cycles, key=lambda name: (-cycles[name], name))
    return json.dumps(
        [{"name": n, "cycles": cycles[n] / count, "instructions": instructions[n] / count} for n in names]
    )

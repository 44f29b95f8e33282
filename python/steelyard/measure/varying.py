"""Where on a chip the time of a load or store depends on its address."""

from __future__ import annotations

from steelyard.catalog.models import Memory, Target


def address_matters(target: Target, lowest: int, highest: int, *, store: bool) -> tuple[bool, str]:
    """Return whether accesses in this range of data addresses may take different times, with the reason.

    The range is what was seen of one instruction; which of its addresses it takes is secret.
    """
    chip = target.file
    regions = [memory for memory in chip.memory if _reaches(memory, lowest, highest)]
    # An AVR's program memory lies in a space of its own, which the emulator numbers above the data's.
    names = " and ".join(sorted({memory.name for memory in regions})) or "flash"
    cached = chip.cache is not None and (chip.cache.dcache or chip.cache.minicache or chip.cache.unified)
    if cached and any(memory.latency is not None for memory in regions):
        return True, f"{names} lies behind a cache: a hit takes less time"
    if not store and any(_waits(target, memory) for memory in regions):
        return True, f"{names} has wait states, and buffers that may hold what is read"
    times = {(memory.wait_write_cycles if store else memory.wait_read_cycles) for memory in regions}
    if len(times) > 1:
        return True, f"{names} take different times"
    return False, f"{names} answers every access in the same time"


def _waits(target: Target, memory: Memory) -> bool:
    """Whether a read takes longer than a cycle unless a buffer or cache of the flash holds the row."""
    flash = target.file.flash
    if flash is None or (memory.kind != "flash" if flash.region is None else memory.name != flash.region):
        return False
    return flash.access_ns * target.file.clock_hz > 1e9


def _reaches(memory: Memory, lowest: int, highest: int) -> bool:
    if memory.space == "eeprom":
        return False
    starts = (memory.base, *memory.also_at)
    return any(start <= highest and lowest < start + memory.size for start in starts)

"""The StrongARM and XScale chips: caches as in the manuals, and one clock the twin of the other."""

from __future__ import annotations

import pytest

from steelyard.catalog.load import load_catalog
from steelyard.catalog.models import Caches, Target

TARGETS = {target.id: target for target in load_catalog().targets if target.file.family == "arm"}


def test_the_chips_of_the_energy_paper_are_there() -> None:
    assert set(TARGETS) >= {"sa1100", "sa1110", "pxa250-400", "pxa250-200"}
    clocks = {name: target.file.clock_hz for name, target in TARGETS.items()}
    assert clocks["sa1100"] == 200_000_000
    assert clocks["sa1110"] == 206_000_000


def caches(name: str) -> Caches:
    found = TARGETS[name].file.cache
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["sa1100", "sa1110"])
def test_strongarm_caches(name: str) -> None:
    """Developer's manuals, 1.4.4, 1.4.5 and the chapter on caches: 512, 256 and 16 lines of 32 bytes."""
    file = caches(name)
    assert file.icache is not None
    assert file.dcache is not None
    assert file.minicache is not None
    assert file.write_buffer is not None
    sizes = [(c.size // c.line, c.line, c.ways) for c in (file.icache, file.dcache, file.minicache)]
    assert sizes == [(512, 32, 32), (256, 32, 32), (16, 32, 2)]
    assert (file.write_buffer.entries, file.write_buffer.entry_bytes) == (8, 16)
    assert file.dcache.write == "back"
    assert not file.dcache.write_allocate
    assert file.minicache.replacement == {"sa1100": "round-robin", "sa1110": "lru"}[name]


def test_xscale_caches() -> None:
    """Core manual, 6.1.1 and 6.1.3: 32 sets of 32 ways, 8 entries of 16 bytes, 4 fills."""
    file = caches("pxa250-400")
    assert file.icache is not None
    assert file.dcache is not None
    assert file.minicache is not None
    assert file.write_buffer is not None
    for cache in (file.icache, file.dcache):
        assert cache.size // (cache.line * cache.ways) == 32
    assert file.minicache.size * 16 == file.dcache.size
    assert (file.write_buffer.entries, file.write_buffer.merge, file.fill.outstanding) == (8, "all", 4)


def test_only_the_clock_tells_the_two_pxa250_apart() -> None:
    fast, slow = TARGETS["pxa250-400"].file, TARGETS["pxa250-200"].file
    assert fast.clock_hz == 2 * slow.clock_hz
    assert fast.memory == slow.memory
    assert fast.cache == slow.cache
    assert fast.core == slow.core


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_memories_have_a_latency(target: Target) -> None:
    assert all(memory.latency is not None for memory in target.file.memory)
    assert all(memory.wait_read_cycles == 0 for memory in target.file.memory)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_what_is_not_in_a_document_is_listed(target: Target) -> None:
    """No board and no cycle-accurate simulator confirms these chips, and no opened document the latencies."""
    file = target.file
    assert file.tier == "model"
    assert any(line.startswith("memory latency:") for line in file.assumed)
    assert any("TLB" in line for line in file.known_gaps)
    assert file.source
    assumed = target.core["assumed"]
    assert isinstance(assumed, list)
    assert assumed

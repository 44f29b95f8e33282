//! What a pipeline asks of its memory system.

/// What an access adds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Delay {
    /// Cycles for which the pipeline stands still.
    pub stall: u32,
    /// Cycles by which the datum comes later than that of a hit, the pipeline running on meanwhile (a cache that
    /// serves hits under a miss).
    pub latency: u32,
}

/// Counters of a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryCounters {
    /// Fetches asked for; one that is not asked for is a hit, so that a core knows the rest.
    pub icache_accesses: u64,
    pub icache_misses: u64,
    /// Loads and stores that looked into a cache for data or for everything, the minicache among them.
    pub dcache_accesses: u64,
    pub dcache_misses: u64,
    /// Lines that went while dirty.
    pub dcache_writebacks: u64,
    /// Reads and writes that were no use of a cache.
    pub uncached_accesses: u64,
    /// Stores that went past the caches, into the write buffer or to memory.
    pub writes_past: u64,
    /// Cycles the pipeline stood still for memory, whatever the cause.
    pub stall_cycles: u64,
}

/// A chip's memory system. `cycle` is the core's clock and never runs backwards between calls.
pub trait MemorySystem: Clone + Send + Sync {
    /// Granularity at which [`MemorySystem::fetch`] has to be asked: it is called once for the first instruction
    /// of a line reached in sequence, and for the target of every jump. 0: it need never be asked.
    const FETCH_LINE_BYTES: u32;
    /// That granularity where it is a chip's own, a power of two; never less than the constant.
    fn fetch_line_bytes(&self) -> u32 {
        Self::FETCH_LINE_BYTES
    }
    /// The instruction at an address is fetched.
    fn fetch(&mut self, address: u32, cycle: u64) -> u32;
    /// Data are read; an access never crosses its own size.
    fn load(&mut self, address: u32, size_bytes: u32, cycle: u64) -> Delay;
    /// Data are written.
    fn store(&mut self, address: u32, size_bytes: u32, cycle: u64) -> Delay;
    /// Data are written by the same instruction that wrote those before them, as by a store-multiple.
    #[inline(always)]
    fn store_on(&mut self, address: u32, size_bytes: u32, cycle: u64) -> Delay {
        self.store(address, size_bytes, cycle)
    }
    /// A line is asked for ahead of time (`pld`).
    fn preload(&mut self, address: u32, cycle: u64) -> u32;
    /// Everything is written back and forgotten, as after reset; costs no cycles.
    fn flush(&mut self);
    /// The counters since the last time, which start at 0 again; `None` where there is nothing to count.
    fn take_counters(&mut self) -> Option<MemoryCounters>;
}

/// Memory that answers every access in the time of a hit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Immediate;

impl MemorySystem for Immediate {
    const FETCH_LINE_BYTES: u32 = 0;

    #[inline(always)]
    fn fetch(&mut self, _address: u32, _cycle: u64) -> u32 {
        0
    }

    #[inline(always)]
    fn load(&mut self, _address: u32, _size_bytes: u32, _cycle: u64) -> Delay {
        Delay::default()
    }

    #[inline(always)]
    fn store(&mut self, _address: u32, _size_bytes: u32, _cycle: u64) -> Delay {
        Delay::default()
    }

    #[inline(always)]
    fn preload(&mut self, _address: u32, _cycle: u64) -> u32 {
        0
    }

    fn flush(&mut self) {}

    fn take_counters(&mut self) -> Option<MemoryCounters> {
        None
    }
}

//! The interface between a pipeline and its memory system.

/// Cycles that an access adds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Delay {
    /// Cycles for which the pipeline stands still.
    pub stall: u32,
    /// Cycles by which the datum comes later than that of a hit while the pipeline continues (a cache that serves hits
    /// under a miss).
    pub latency: u32,
}

/// Counters of the memory system during a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryCounters {
    /// Fetches passed to the memory system; a fetch that is not passed is a hit, which the core counts itself.
    pub icache_accesses: u64,
    pub icache_misses: u64,
    /// Loads and stores that looked up a data or unified cache, including the minicache.
    pub dcache_accesses: u64,
    pub dcache_misses: u64,
    /// Dirty cache lines written back.
    pub dcache_writebacks: u64,
    /// Reads and writes that used no cache.
    pub uncached_accesses: u64,
    /// Stores that bypassed the caches into the write buffer or to memory.
    pub writes_past: u64,
    /// Cycles for which the pipeline stood still because of memory.
    pub stall_cycles: u64,
}

/// A chip's memory system. `cycle` is the core's clock and never decreases between calls.
pub trait MemorySystem: Clone + Send + Sync {
    /// Granularity in bytes at which [`MemorySystem::fetch`] must be called: once for the first instruction of a line
    /// reached in sequence, and for the target of every jump. 0: it need never be called.
    const FETCH_LINE_BYTES: u32;
    /// Whether no access ever waits.
    const IMMEDIATE: bool = false;
    /// Whether code and data come over one port, so that one waits for the other.
    fn one_port(&self) -> bool {
        Self::IMMEDIATE
    }
    /// Returns the granularity of this chip, a power of two that is at least the constant.
    fn fetch_line_bytes(&self) -> u32 {
        Self::FETCH_LINE_BYTES
    }
    /// Fetches the instruction at an address; returns the cycles to wait.
    fn fetch(&mut self, address: u32, cycle: u64) -> u32;
    /// Reads data; an access never crosses a multiple of its own size.
    fn load(&mut self, address: u32, size_bytes: u32, cycle: u64) -> Delay;
    /// Writes data; an access never crosses a multiple of its own size.
    fn store(&mut self, address: u32, size_bytes: u32, cycle: u64) -> Delay;
    /// Writes data in the same instruction as the data before them, as a store-multiple does.
    #[inline(always)]
    fn store_on(&mut self, address: u32, size_bytes: u32, cycle: u64) -> Delay {
        self.store(address, size_bytes, cycle)
    }
    /// Requests a line ahead of time (`pld`); returns the cycles to wait.
    fn preload(&mut self, address: u32, cycle: u64) -> u32;
    /// Whether a cache did not hold the code at an address that a fetch waited for shortly before.
    fn has_missed_code(&self, _address: u32) -> bool {
        false
    }
    /// Whether a cache did not hold the data that the last access waited for.
    fn has_missed_data(&self) -> bool {
        false
    }
    /// Returns a register of the memory system that programs read, `None` at any other address.
    fn register(&self, _address: u32) -> Option<u32> {
        None
    }
    /// Writes a register of the memory system; returns false at any other address.
    fn set_register(&mut self, _address: u32, _value: u32) -> bool {
        false
    }
    /// Gives the registers the values they have after a reset.
    fn reset(&mut self) {}
    /// Writes everything back and empties the caches, as reset does; takes no cycles.
    fn flush(&mut self);
    /// Returns the counters since the last call and resets them; `None` if there is nothing to count.
    fn take_counters(&mut self) -> Option<MemoryCounters>;
}

/// Memory that answers every access in the time of a hit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Immediate;

impl MemorySystem for Immediate {
    const FETCH_LINE_BYTES: u32 = 0;
    const IMMEDIATE: bool = true;

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

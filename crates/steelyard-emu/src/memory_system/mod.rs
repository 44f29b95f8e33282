//! The memory system of any CPU: how long an access makes the core wait.
//!
//! It consists of caches (split or unified, with a second small one for data), a write buffer, and memories whose
//! latency is in nanoseconds, so that the core's clock can be changed alone. It models time, not contents: the value of
//! an access is always that of the flat memory. Address translation (TLB) is not modelled; every access finds its
//! translation.
//!
//! A pipeline calls [`MemorySystem`] with the cycle at which an access starts and receives the cycles beyond those of a
//! hit. [`Hierarchy`] serves a chip with caches, where a hit costs one comparison; [`FlashPath`] a microcontroller's
//! flash with its prefetch and small caches; [`Immediate`] memory that is always as fast as a hit.

mod cache;
mod flash;
mod interface;
mod write_buffer;

pub use cache::{CacheCounts, CacheData, Locked, Replacement, WritePolicy};
pub use flash::{FlashData, FlashPath, RowCacheData};
pub use interface::{Delay, Immediate, MemoryCounters, MemorySystem};
pub use write_buffer::{Merge, WriteBufferData};

use crate::description::Description;
use crate::error::{refuse, Error};
use cache::{Cache, Slot};
use serde::Deserialize;
use write_buffer::WriteBuffer;

/// Whether and where accesses to a memory are cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cached {
    /// Not cached; stores wait for memory.
    No,
    /// Cached in the instruction, data or unified cache.
    #[default]
    Yes,
    /// Data are cached in the minicache, instructions in the instruction cache.
    Mini,
}

/// Time of a memory in nanoseconds: of the first access of a burst and of each further one, of `bus_bytes` bytes.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    pub read_first_ns: f64,
    pub read_next_ns: f64,
    pub write_first_ns: f64,
    pub write_next_ns: f64,
    pub bus_bytes: u32,
    #[serde(default)]
    pub cached: Cached,
}

/// A memory with its latency.
#[derive(Debug, Clone)]
pub struct Timed {
    pub name: String,
    pub base: u32,
    pub size_bytes: u32,
    pub latency: Latency,
}

/// How a line fill affects the core.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FillData {
    /// Whether the requested word comes first and the others follow and wrap around.
    #[serde(default)]
    pub critical_word_first: bool,
    /// Whether the core resumes with the requested word rather than with the whole line.
    #[serde(default)]
    pub resume_at_word: bool,
    /// Number of data lines in flight before a load stalls the core; 0 if every one stalls it.
    #[serde(default)]
    pub outstanding: u32,
}

/// The caches of a chip.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CachesData {
    pub icache: Option<CacheData>,
    pub dcache: Option<CacheData>,
    pub minicache: Option<CacheData>,
    /// Cache for instructions and data; excludes the other three.
    pub unified: Option<CacheData>,
    pub write_buffer: Option<WriteBufferData>,
    #[serde(default)]
    pub fill: FillData,
}

const HIT: Delay = Delay { stall: 0, latency: 0 };

/// Returns a delay that stalls the pipeline until the value is there.
fn blocking(cycles: u64) -> Delay {
    Delay { stall: cycles.min(u64::from(u32::MAX)) as u32, latency: 0 }
}

const PICOSECONDS_PER_SECOND: u128 = 1_000_000_000_000;

/// Latencies in whole picoseconds.
#[derive(Debug, Clone, Copy)]
struct Nanoseconds {
    first_ps: u64,
    next_ps: u64,
}

impl Nanoseconds {
    fn new(first_ns: f64, next_ns: f64) -> Self {
        Nanoseconds { first_ps: (first_ns * 1e3).round() as u64, next_ps: (next_ns * 1e3).round() as u64 }
    }

    /// Returns the cycles of a burst of this many beats, rounded up once.
    fn burst_cycles(self, beats: u64, clock_hz: u64) -> u64 {
        let ps = u128::from(self.first_ps) + u128::from(self.next_ps) * u128::from(beats.saturating_sub(1));
        (ps * u128::from(clock_hz)).div_ceil(PICOSECONDS_PER_SECOND) as u64
    }
}

#[derive(Debug, Clone)]
struct Region {
    base: u32,
    last: u32,
    cached: Cached,
    bus_bytes: u32,
    read: Nanoseconds,
    write: Nanoseconds,
}

/// Number of a cache in [`Hierarchy`].
type Which = usize;
const INSTRUCTION: Which = 0;
const DATA: Which = 1;
const MINI: Which = 2;

/// A line that is being read into a cache.
#[derive(Debug, Clone, Copy)]
struct Fill {
    cache: Which,
    line: u32,
    slot: Slot,
    start: u64,
    /// Number of the beat that comes first.
    first_beat: u32,
    beats: u32,
    bus_bytes: u32,
    read: Nanoseconds,
    done: u64,
}

impl Fill {
    fn arrival(&self, address: u32, clock_hz: u64) -> u64 {
        let beat = address / self.bus_bytes % self.beats;
        let position = (beat + self.beats - self.first_beat) % self.beats;
        self.start + self.read.burst_cycles(u64::from(position) + 1, clock_hz)
    }
}

/// Caches, write buffer and bus of one chip at one clock.
#[derive(Clone)]
pub struct Hierarchy {
    /// Instruction, data and mini cache; a unified cache is at [`DATA`] and also serves instructions.
    caches: [Option<Cache>; 3],
    instructions_in: Which,
    buffer: Option<WriteBuffer>,
    fill: FillData,
    regions: Vec<Region>,
    fills: Vec<Fill>,
    bus_free: u64,
    clock_hz: u64,
    counters: MemoryCounters,
    /// Whether the last fetch and the last access of data that took time did so because of a line that was not there.
    missed: [bool; 2],
}

impl Hierarchy {
    /// Creates the caches and memories of a chip from its description.
    pub fn of(description: &Description) -> Result<Self, Error> {
        let timed = |region: &crate::bus::Region| {
            let latency = region.latency?;
            Some(Timed { name: region.name.clone(), base: region.base, size_bytes: region.size_bytes, latency })
        };
        let memories: Vec<Timed> = description.memory.iter().filter_map(timed).collect();
        Hierarchy::new(&description.cache, &memories, description.clock_hz)
    }

    /// Creates empty caches in front of these memories; refuses impossible hardware.
    pub fn new(data: &CachesData, memories: &[Timed], clock_hz: u64) -> Result<Self, Error> {
        if clock_hz == 0 {
            return refuse("the core clock is not 0");
        }
        let split = data.icache.is_some() || data.dcache.is_some() || data.minicache.is_some();
        if data.unified.is_some() && split {
            return refuse("a unified cache stands for all others; leave icache, dcache and minicache out");
        }
        if data.minicache.is_some() && data.dcache.is_none() {
            return refuse("a minicache stands beside a dcache");
        }
        let mut regions = Vec::new();
        for memory in memories {
            let Timed { name, base, size_bytes, latency } = memory;
            let times = [latency.read_first_ns, latency.read_next_ns, latency.write_first_ns, latency.write_next_ns];
            if !times.iter().all(|&ns| (0.0..=1e6).contains(&ns)) {
                return refuse(format!("memory `{name}`: a latency is 0 to 1000000 ns"));
            }
            if !latency.bus_bytes.is_power_of_two() || latency.bus_bytes > 64 {
                return refuse(format!("memory `{name}`: the bus has 1 to 64 bytes, a power of two"));
            }
            regions.push(Region {
                base: *base,
                last: base.saturating_add(size_bytes.saturating_sub(1)),
                cached: latency.cached,
                bus_bytes: latency.bus_bytes,
                read: Nanoseconds::new(latency.read_first_ns, latency.read_next_ns),
                write: Nanoseconds::new(latency.write_first_ns, latency.write_next_ns),
            });
        }
        if let Some(buffer) = &data.write_buffer {
            let WriteBufferData { entries, entry_bytes, .. } = *buffer;
            let sound = entry_bytes.is_power_of_two() && (4..=128).contains(&entry_bytes);
            if !sound || !(1..=1024).contains(&entries) {
                return refuse("a write buffer has 1 to 1024 entries of 4 to 128 bytes, a power of two");
            }
        }
        let part_bytes = data.write_buffer.map_or(u32::MAX, |buffer| buffer.entry_bytes);
        let cache = |name: &str, data: &Option<CacheData>| {
            data.as_ref().map(|data| Cache::new(name, data, part_bytes)).transpose()
        };
        Ok(Hierarchy {
            caches: [
                cache("icache", &data.icache)?,
                cache("dcache", if data.unified.is_some() { &data.unified } else { &data.dcache })?,
                cache("minicache", &data.minicache)?,
            ],
            instructions_in: if data.unified.is_some() { DATA } else { INSTRUCTION },
            buffer: data.write_buffer.map(|buffer| WriteBuffer::new(buffer, clock_hz)),
            fill: data.fill,
            regions,
            fills: Vec::new(),
            bus_free: 0,
            clock_hz,
            counters: MemoryCounters::default(),
            missed: [false; 2],
        })
    }

    /// Whether the chip has any cache.
    pub fn has_caches(&self) -> bool {
        self.caches.iter().any(Option::is_some)
    }

    /// Returns the accesses of each cache since the counters were last taken: instruction, data (or unified), mini.
    pub fn cache_counts(&self) -> [CacheCounts; 3] {
        self.caches.each_ref().map(|cache| cache.as_ref().map_or(CacheCounts::default(), |cache| cache.counts))
    }

    /// Completes pending fills and writes, so that the next access finds the bus free.
    fn settle(&mut self) {
        while let Some(fill) = self.fills.pop() {
            self.finish(fill);
        }
        if let Some(buffer) = &mut self.buffer {
            buffer.forget();
        }
        self.bus_free = 0;
    }

    #[inline(always)]
    fn store_anywhere(&mut self, address: u32, size_bytes: u32, joins: bool, cycle: u64) -> Delay {
        if let Some(cache) = &mut self.caches[DATA] {
            if cache.data().write == WritePolicy::Back {
                if let Some(slot) = cache.hinted(cache.line(address)) {
                    cache.counts.writes += 1;
                    cache.soil(slot, address);
                    return HIT;
                }
            }
        }
        let delay = self.store_slowly(address, size_bytes, joins, cycle);
        self.counters.stall_cycles += u64::from(delay.stall);
        delay
    }

    #[inline(never)]
    fn fetch_slowly(&mut self, address: u32, now: u64) -> u64 {
        let which = self.instructions_in;
        let Some(region) = self.region(address) else { return 0 };
        self.missed[INSTRUCTION] = self.caches[which].is_some() && region.cached != Cached::No;
        if self.caches[which].is_none() || region.cached == Cached::No {
            if let Some(cache) = &mut self.caches[which] {
                cache.counts.reads -= 1;
            }
            return u64::from(self.read_past(address, &region, now).stall);
        }
        let wait = match self.present(which, address, now) {
            Some(wait) => wait,
            None => {
                self.cache(which).counts.read_misses += 1;
                self.take_in(which, address, &region, now)
            }
        };
        u64::from(wait.stall)
    }

    #[inline(never)]
    fn load_slowly(&mut self, address: u32, now: u64) -> Delay {
        let Some(region) = self.region(address) else { return HIT };
        self.missed[DATA] = true;
        for which in [DATA, MINI] {
            if self.caches[which].is_some() {
                if let Some(wait) = self.present(which, address, now) {
                    self.cache(which).counts.reads += 1;
                    return wait;
                }
            }
        }
        let which = self.home(&region);
        if region.cached == Cached::No || self.caches[which].is_none() {
            return self.read_past(address, &region, now);
        }
        let counts = &mut self.cache(which).counts;
        counts.reads += 1;
        counts.read_misses += 1;
        self.take_in(which, address, &region, now)
    }

    #[inline(never)]
    fn store_slowly(&mut self, address: u32, size_bytes: u32, joins: bool, now: u64) -> Delay {
        let Some(region) = self.region(address) else { return HIT };
        self.missed[DATA] = false;
        for which in [DATA, MINI] {
            if self.caches[which].is_none() || self.present(which, address, now).is_none() {
                continue;
            }
            let cache = self.cache(which);
            cache.counts.writes += 1;
            if cache.data().write == WritePolicy::Through {
                return self.write_past(address, size_bytes, joins, &region, now);
            }
            let slot = cache.find(cache.line(address)).expect("a line that is present");
            cache.soil(slot, address);
            return HIT;
        }
        let which = self.home(&region);
        if region.cached == Cached::No || self.caches[which].is_none() {
            return self.write_past(address, size_bytes, joins, &region, now);
        }
        let cache = self.cache(which);
        cache.counts.writes += 1;
        cache.counts.write_misses += 1;
        if !cache.data().write_allocate {
            return self.write_past(address, size_bytes, joins, &region, now);
        }
        let mut wait = self.take_in(which, address, &region, now);
        self.missed[DATA] = true;
        if self.cache(which).data().write == WritePolicy::Through {
            let past = self.write_past(address, size_bytes, joins, &region, now + u64::from(wait.stall));
            wait.stall += past.stall;
        } else {
            let cache = self.cache(which);
            let slot = cache.find(cache.line(address)).expect("the line just taken in");
            cache.soil(slot, address);
        }
        wait
    }

    fn cache(&mut self, which: Which) -> &mut Cache {
        self.caches[which].as_mut().expect("a cache that is there")
    }

    fn region(&self, address: u32) -> Option<Region> {
        self.regions.iter().find(|region| (region.base..=region.last).contains(&address)).cloned()
    }

    /// Returns the cache that holds a region's data.
    fn home(&self, region: &Region) -> Which {
        if region.cached == Cached::Mini && self.caches[MINI].is_some() {
            MINI
        } else {
            DATA
        }
    }

    /// Returns the delay of a line that is in the cache or on its way, `None` otherwise.
    fn present(&mut self, which: Which, address: u32, now: u64) -> Option<Delay> {
        self.finish_fills(now);
        let line = self.cache(which).line(address);
        let slot = self.cache(which).find(line)?;
        let Some(fill) = self.fills.iter().find(|fill| fill.cache == which && fill.line == line) else {
            self.cache(which).remember(line, slot);
            return Some(HIT);
        };
        let left = fill.arrival(address, self.clock_hz).saturating_sub(now);
        Some(if self.fill.outstanding > 0 && which != INSTRUCTION {
            Delay { stall: 0, latency: left as u32 }
        } else {
            blocking(left)
        })
    }

    fn finish_fills(&mut self, now: u64) {
        while let Some(done) = self.fills.iter().position(|fill| fill.done <= now) {
            let fill = self.fills.remove(done);
            self.finish(fill);
        }
    }

    fn finish(&mut self, fill: Fill) {
        let cache = self.cache(fill.cache);
        // It may have been driven out while it was on its way.
        if cache.find(fill.line) == Some(fill.slot) {
            cache.remember(fill.line, fill.slot);
        }
    }

    /// Returns the cycle from which the bus is free to read these addresses.
    fn bus_for_read(&mut self, base: u32, size_bytes: u32, now: u64) -> u64 {
        if let Some(buffer) = &mut self.buffer {
            buffer.advance(now, &mut self.bus_free);
            if !buffer.is_empty() {
                buffer.write_out(base, size_bytes, &mut self.bus_free);
            }
        }
        self.bus_free.max(now)
    }

    /// Reads a line that is not in the cache; returns the delay.
    fn take_in(&mut self, which: Which, address: u32, region: &Region, now: u64) -> Delay {
        let blocks = self.fill.outstanding == 0 || which == INSTRUCTION;
        let mut at = now;
        let of_data = |fills: &[Fill]| fills.iter().filter(|fill| fill.cache != INSTRUCTION).count();
        while !blocks && of_data(&self.fills) >= self.fill.outstanding as usize {
            let first = self.fills.iter().filter(|fill| fill.cache != INSTRUCTION).map(|fill| fill.done).min();
            at = at.max(first.expect("a line on its way"));
            self.finish_fills(at);
        }
        let cache = self.cache(which);
        let (line, line_bytes) = (cache.line(address), cache.line_bytes());
        let base = cache.base(line);
        let start = self.bus_for_read(base, line_bytes, at);
        let bus_bytes = region.bus_bytes.min(line_bytes);
        let beats = line_bytes / bus_bytes;
        let end = start + region.read.burst_cycles(u64::from(beats), self.clock_hz);
        self.bus_free = end;
        let cache = self.cache(which);
        let (slot, evicted) = cache.insert(line);
        let dirty: Vec<_> = evicted.map(|evicted| cache.parts(evicted).collect()).unwrap_or_default();
        let first_beat = if self.fill.critical_word_first { address / bus_bytes % beats } else { 0 };
        let fill = Fill { cache: which, line, slot, start, first_beat, beats, bus_bytes, read: region.read, done: end };
        let word = fill.arrival(address, self.clock_hz);
        let resumed = if self.fill.resume_at_word || !blocks { word } else { end };
        let mut stall = if blocks { resumed - now } else { at - now };
        // What made room leaves through the write buffer, behind the line that comes.
        for (part, size_bytes) in dirty {
            let region = self.region(part).unwrap_or_else(|| region.clone());
            stall = stall.max((at - now) + u64::from(self.buffered(part, size_bytes, false, &region, at)));
        }
        if end > now + stall {
            self.fills.push(fill);
        } else {
            self.finish(fill);
        }
        let stall = stall as u32;
        Delay { stall, latency: ((resumed - now) as u32).saturating_sub(stall) }
    }

    /// Puts a store into the write buffer, or writes it directly if there is none; returns the cycles this takes the
    /// core.
    fn buffered(&mut self, address: u32, size_bytes: u32, joins: bool, region: &Region, now: u64) -> u32 {
        match &mut self.buffer {
            Some(buffer) => buffer.push(address, size_bytes, joins, region.write, now, &mut self.bus_free),
            None => {
                let beats = u64::from(size_bytes.div_ceil(region.bus_bytes));
                self.bus_free = self.bus_free.max(now) + region.write.burst_cycles(beats, self.clock_hz);
                (self.bus_free - now) as u32
            }
        }
    }

    fn read_past(&mut self, address: u32, region: &Region, now: u64) -> Delay {
        self.missed[DATA] = false;
        self.counters.uncached_accesses += 1;
        let start = self.bus_for_read(address & !3, 4, now);
        self.bus_free = start + region.read.burst_cycles(1, self.clock_hz);
        blocking(self.bus_free - now)
    }

    fn write_past(&mut self, address: u32, size_bytes: u32, joins: bool, region: &Region, now: u64) -> Delay {
        self.counters.writes_past += 1;
        if region.cached == Cached::No {
            self.counters.uncached_accesses += 1;
            // What is not cached is not buffered either, and comes after all that is.
            if let Some(buffer) = &mut self.buffer {
                buffer.advance(now, &mut self.bus_free);
                buffer.write_all_out(&mut self.bus_free);
            }
            let beats = u64::from(size_bytes.div_ceil(region.bus_bytes));
            self.bus_free = self.bus_free.max(now) + region.write.burst_cycles(beats, self.clock_hz);
            return blocking(self.bus_free - now);
        }
        blocking(u64::from(self.buffered(address, size_bytes, joins, region, now)))
    }
}

impl MemorySystem for Hierarchy {
    const FETCH_LINE_BYTES: u32 = 16;

    #[inline(always)]
    fn fetch(&mut self, address: u32, cycle: u64) -> u32 {
        if let Some(cache) = &mut self.caches[self.instructions_in] {
            cache.counts.reads += 1;
            if cache.hinted(cache.line(address)).is_some() {
                return 0;
            }
        }
        let stall = self.fetch_slowly(address, cycle);
        self.counters.stall_cycles += stall;
        stall as u32
    }

    #[inline(always)]
    fn load(&mut self, address: u32, _size_bytes: u32, cycle: u64) -> Delay {
        if let Some(cache) = &mut self.caches[DATA] {
            if cache.hinted(cache.line(address)).is_some() {
                cache.counts.reads += 1;
                return HIT;
            }
        }
        let delay = self.load_slowly(address, cycle);
        self.counters.stall_cycles += u64::from(delay.stall);
        delay
    }

    #[inline(always)]
    fn store(&mut self, address: u32, size_bytes: u32, cycle: u64) -> Delay {
        self.store_anywhere(address, size_bytes, false, cycle)
    }

    #[inline(always)]
    fn store_on(&mut self, address: u32, size_bytes: u32, cycle: u64) -> Delay {
        self.store_anywhere(address, size_bytes, true, cycle)
    }

    fn preload(&mut self, address: u32, cycle: u64) -> u32 {
        let delay = self.load_slowly(address, cycle);
        self.counters.stall_cycles += u64::from(delay.stall);
        delay.stall
    }

    fn has_missed_code(&self, _address: u32) -> bool {
        self.missed[INSTRUCTION]
    }

    fn has_missed_data(&self) -> bool {
        self.missed[DATA]
    }

    fn flush(&mut self) {
        self.settle();
        for cache in self.caches.iter_mut().flatten() {
            cache.empty();
        }
    }

    fn take_counters(&mut self) -> Option<MemoryCounters> {
        let mut counters = std::mem::take(&mut self.counters);
        for (which, cache) in self.caches.iter_mut().enumerate() {
            let Some(cache) = cache else { continue };
            let counts = std::mem::take(&mut cache.counts);
            let (accesses, misses) = (counts.reads + counts.writes, counts.misses());
            if which == INSTRUCTION {
                counters.icache_accesses += accesses;
                counters.icache_misses += misses;
            } else {
                counters.dcache_accesses += accesses;
                counters.dcache_misses += misses;
                counters.dcache_writebacks += counts.write_backs;
            }
        }
        Some(counters)
    }
}

#[cfg(test)]
mod tests;

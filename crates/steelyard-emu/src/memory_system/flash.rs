//! The read path of a microcontroller's flash: rows, wait states, prefetch, and the small caches before it.
//!
//! The flash is read a row at a time. The row read last stays in a buffer; with *prefetch* the row behind it is read
//! as soon as the flash is free. A cache for instructions, one for data, or one for both, keeps rows. RAM answers at
//! once. As the flash's access time is in nanoseconds, the waits follow from the core's clock.

use super::interface::{Delay, MemoryCounters, MemorySystem};
use crate::bus::RegionKind;
use crate::description::Description;
use crate::error::{refuse, Error};
use serde::Deserialize;

/// `flash` of a chip's description.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlashData {
    /// From the start of a read to the whole row; a fraction of a clock cycle counts as a cycle.
    pub access_ns: f64,
    /// What one read gives, a power of two.
    pub row_bytes: u32,
    /// Whether the row behind the one that was read is read ahead.
    #[serde(default)]
    pub prefetch: bool,
    pub instruction_cache: Option<RowCacheData>,
    pub data_cache: Option<RowCacheData>,
    /// Instead of the other two.
    pub unified_cache: Option<RowCacheData>,
}

/// A cache of flash rows, with the least recently used one making room.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowCacheData {
    pub size_bytes: u32,
    /// A power of two, at least a row.
    pub line_bytes: u32,
    /// Lines of a set; all of them where there is one set.
    pub ways: u32,
    /// Whether lines that were read ahead are kept too.
    #[serde(default)]
    pub keeps_prefetched: bool,
    /// Cycles of a hit beyond those of memory that answers at once.
    #[serde(default)]
    pub hit_wait_cycles: u32,
}

const NO_LINE: u32 = u32::MAX;
const NO_SLOT: u16 = u16::MAX;

/// Room for a line. Those of a set form a ring in the order of their last use.
#[derive(Debug, Clone, Copy)]
struct Slot {
    line: u32,
    newer: u16,
    older: u16,
}

#[derive(Debug, Clone)]
struct RowCache {
    data: RowCacheData,
    line_shift: u32,
    set_mask: u32,
    first_line: u32,
    /// Where each line of the flash is held.
    slots: Vec<u16>,
    ring: Vec<Slot>,
    /// By set; what is newer than the newest is the oldest.
    newest: Vec<u16>,
}

impl RowCache {
    /// For the flash from address `base` to `last`.
    fn new(name: &str, data: RowCacheData, row_bytes: u32, base: u32, last: u32) -> Result<Self, Error> {
        let RowCacheData { size_bytes, line_bytes, ways, .. } = data;
        let whole = line_bytes.is_power_of_two() && (row_bytes..=256).contains(&line_bytes) && ways > 0;
        let set_bytes = line_bytes.saturating_mul(ways);
        if !whole || size_bytes == 0 || size_bytes % set_bytes != 0 || !(size_bytes / set_bytes).is_power_of_two() {
            return refuse(format!(
                "{name}: {size_bytes} bytes are no power of two of sets of {ways} lines of {line_bytes} bytes"
            ));
        }
        let Some(count) = u16::try_from(size_bytes / line_bytes).ok().filter(|&count| count != NO_SLOT) else {
            return refuse(format!("{name}: {size_bytes} bytes are more than {} lines", NO_SLOT - 1));
        };
        let (line_shift, ways) = (line_bytes.trailing_zeros(), ways as u16);
        let first_line = base >> line_shift;
        let neighbour = |slot: u16, step: u16| slot / ways * ways + (slot % ways + step) % ways;
        Ok(RowCache {
            data,
            line_shift,
            set_mask: size_bytes / set_bytes - 1,
            first_line,
            slots: vec![NO_SLOT; ((last >> line_shift) - first_line + 1) as usize],
            ring: (0..count)
                .map(|slot| Slot { line: NO_LINE, newer: neighbour(slot, 1), older: neighbour(slot, ways - 1) })
                .collect(),
            newest: (0..count / ways).map(|set| set * ways + ways - 1).collect(),
        })
    }

    /// Whether the line of an address is held; it is the newest from then on.
    #[inline(always)]
    fn holds(&mut self, address: u32) -> bool {
        let line = address >> self.line_shift;
        let slot = self.slots[(line - self.first_line) as usize];
        if slot == NO_SLOT {
            return false;
        }
        let set = (line & self.set_mask) as usize;
        let newest = self.newest[set];
        if slot == newest {
            return true;
        }
        let oldest = self.ring[usize::from(newest)].newer;
        if slot != oldest {
            let Slot { newer, older, .. } = self.ring[usize::from(slot)];
            self.ring[usize::from(older)].newer = newer;
            self.ring[usize::from(newer)].older = older;
            self.ring[usize::from(newest)].newer = slot;
            self.ring[usize::from(oldest)].older = slot;
            let moved = &mut self.ring[usize::from(slot)];
            (moved.newer, moved.older) = (oldest, newest);
        }
        self.newest[set] = slot;
        true
    }

    /// Keeps a line that is not held in the place of the oldest one.
    fn take_in(&mut self, address: u32) {
        let line = address >> self.line_shift;
        let newest = &mut self.newest[(line & self.set_mask) as usize];
        let oldest = self.ring[usize::from(*newest)].newer;
        *newest = oldest;
        let gone = std::mem::replace(&mut self.ring[usize::from(oldest)].line, line);
        if gone != NO_LINE {
            self.slots[(gone - self.first_line) as usize] = NO_SLOT;
        }
        self.slots[(line - self.first_line) as usize] = oldest;
    }

    fn empty(&mut self) {
        for slot in &mut self.ring {
            if slot.line != NO_LINE {
                self.slots[(slot.line - self.first_line) as usize] = NO_SLOT;
                slot.line = NO_LINE;
            }
        }
    }

    fn rows(&self, row_bytes: u32) -> u64 {
        u64::from(self.data.line_bytes / row_bytes)
    }
}

const INSTRUCTION: usize = 0;
const DATA: usize = 1;

/// Flash and what stands before it, at one clock.
#[derive(Debug, Clone)]
pub struct FlashPath {
    base: u32,
    last: u32,
    row_bytes: u32,
    row_shift: u32,
    /// Cycles from the start of a read to its row.
    read_cycles: u64,
    prefetch: bool,
    /// For instructions and for data; a unified one stands first and serves both.
    caches: [Option<RowCache>; 2],
    unified: bool,
    /// Rows that instructions and data were read from last.
    buffered: [u32; 2],
    /// The row read ahead, and the cycle it is there.
    ahead: u32,
    ahead_ready: u64,
    /// When the flash is free.
    free: u64,
    counters: MemoryCounters,
}

impl FlashPath {
    /// The flash of a chip; `None` where it has none that makes the core wait.
    pub fn of(description: &Description) -> Result<Option<Self>, Error> {
        let Some(data) = &description.flash else { return Ok(None) };
        let Some(region) = description.memory.iter().find(|region| region.kind == RegionKind::Flash) else {
            return refuse("`flash` describes a memory of the kind flash, and the chip has none");
        };
        if !(0.0..=1e6).contains(&data.access_ns) {
            return refuse("the access time of a flash is 0 to 1000000 ns");
        }
        if !data.row_bytes.is_power_of_two() || !(4..=64).contains(&data.row_bytes) {
            return refuse("a row of flash has 4 to 64 bytes, a power of two");
        }
        if description.clock_hz == 0 {
            return refuse("the core clock is not 0");
        }
        let unified = data.unified_cache.is_some();
        if unified && (data.instruction_cache.is_some() || data.data_cache.is_some()) {
            return refuse("a unified cache of the flash stands for both others; leave them out");
        }
        let last = (region.end() - 1) as u32;
        let cache = |name: &str, data_of: Option<RowCacheData>| {
            data_of.map(|cache| RowCache::new(name, cache, data.row_bytes, region.base, last)).transpose()
        };
        let first = if unified { data.unified_cache } else { data.instruction_cache };
        let picoseconds = (data.access_ns * 1e3).round() as u128;
        let read_cycles = (picoseconds * u128::from(description.clock_hz)).div_ceil(1_000_000_000_000) as u64;
        Ok(Some(FlashPath {
            base: region.base,
            last,
            row_bytes: data.row_bytes,
            row_shift: data.row_bytes.trailing_zeros(),
            read_cycles: read_cycles.max(1),
            prefetch: data.prefetch,
            caches: [cache("instruction_cache", first)?, cache("data_cache", data.data_cache)?],
            unified,
            buffered: [NO_LINE; 2],
            ahead: NO_LINE,
            ahead_ready: 0,
            free: 0,
            counters: MemoryCounters::default(),
        }))
    }

    fn holds(&self, address: u32) -> bool {
        (self.base..=self.last).contains(&address)
    }

    /// Reads rows; cycles to wait beyond that of a memory that answers at once.
    ///
    /// Without wait states a fetch and a data access that meet make nobody wait: the core fetches ahead of its
    /// execution, so that the fetch has the cycle to spare that the data access takes.
    fn read(&mut self, rows: u64, now: u64) -> u64 {
        if self.read_cycles == 1 {
            return 0;
        }
        let start = self.free.max(now);
        self.free = start + self.read_cycles * rows;
        self.free - 1 - now
    }

    /// Reads the row behind one ahead of its time, from when the flash is free.
    fn read_ahead(&mut self, row: u32, now: u64) {
        if !self.prefetch || self.read_cycles <= 1 || self.ahead == row + 1 {
            return;
        }
        let next = row + 1;
        let there = self.caches[INSTRUCTION].as_mut().is_some_and(|cache| cache.holds(next << self.row_shift));
        if there || !self.holds(next << self.row_shift) {
            return;
        }
        self.ahead = next;
        self.ahead_ready = self.free.max(now) + self.read_cycles;
        self.free = self.ahead_ready;
    }

    #[inline(always)]
    fn access(&mut self, which: usize, address: u32, now: u64) -> u64 {
        let row = address >> self.row_shift;
        if self.buffered[which] == row {
            0
        } else {
            self.access_row(which, row, address, now)
        }
    }

    /// Another row than the one before.
    #[inline(never)]
    fn access_row(&mut self, which: usize, row: u32, address: u32, now: u64) -> u64 {
        let cached_in = if self.unified { INSTRUCTION } else { which };
        let mut wait = 0;
        let mut known = false;
        if let Some(cache) = &mut self.caches[cached_in] {
            let counts = &mut self.counters;
            let (accesses, misses) = if which == INSTRUCTION {
                (&mut counts.icache_accesses, &mut counts.icache_misses)
            } else {
                (&mut counts.dcache_accesses, &mut counts.dcache_misses)
            };
            *accesses += 1;
            known = cache.holds(address);
            if known {
                wait = u64::from(cache.data.hit_wait_cycles);
            } else {
                *misses += 1;
            }
        }
        if !known {
            if which == INSTRUCTION && self.ahead == row {
                wait = (self.ahead_ready - 1).saturating_sub(now);
                if let Some(cache) = &mut self.caches[cached_in] {
                    if cache.data.keeps_prefetched {
                        cache.take_in(address);
                    }
                }
            } else {
                let rows = self.caches[cached_in].as_ref().map_or(1, |cache| cache.rows(self.row_bytes));
                wait = self.read(rows, now);
                if let Some(cache) = &mut self.caches[cached_in] {
                    cache.take_in(address);
                }
            }
        }
        self.buffered[which] = row;
        if which == INSTRUCTION {
            self.read_ahead(row, now + wait);
        }
        self.counters.stall_cycles += wait;
        wait
    }
}

impl MemorySystem for FlashPath {
    const FETCH_LINE_BYTES: u32 = 4;

    fn fetch_line_bytes(&self) -> u32 {
        self.row_bytes
    }

    #[inline(always)]
    fn fetch(&mut self, address: u32, cycle: u64) -> u32 {
        if !self.holds(address) {
            return 0;
        }
        self.access(INSTRUCTION, address, cycle) as u32
    }

    #[inline(always)]
    fn load(&mut self, address: u32, _size_bytes: u32, cycle: u64) -> Delay {
        if !self.holds(address) {
            return Delay::default();
        }
        Delay { stall: self.access(DATA, address, cycle) as u32, latency: 0 }
    }

    #[inline(always)]
    fn store(&mut self, _address: u32, _size_bytes: u32, _cycle: u64) -> Delay {
        Delay::default()
    }

    fn preload(&mut self, _address: u32, _cycle: u64) -> u32 {
        0
    }

    fn flush(&mut self) {
        for cache in self.caches.iter_mut().flatten() {
            cache.empty();
        }
        self.buffered = [NO_LINE; 2];
        self.ahead = NO_LINE;
        self.free = 0;
    }

    fn take_counters(&mut self) -> Option<MemoryCounters> {
        let counters = std::mem::take(&mut self.counters);
        self.caches.iter().any(Option::is_some).then_some(counters)
    }
}

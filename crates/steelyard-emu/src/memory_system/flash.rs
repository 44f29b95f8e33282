//! The read path of a microcontroller's flash: rows, wait states, prefetch and small caches.
//!
//! The flash is read one row at a time, and the last row stays in a buffer. With *prefetch*, the next row is read as
//! soon as the flash is free. A cache for instructions, one for data, or one for both, keeps rows. RAM answers at once.
//! The flash's access time is in nanoseconds, so that the waits follow from the core's clock.

use super::interface::{Delay, MemoryCounters, MemorySystem};
use crate::bus::{Region, RegionKind};
use crate::description::Description;
use crate::error::{refuse, Error};
use serde::Deserialize;

/// The table `flash` of a chip's description.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlashData {
    /// Name of the memory that is read this way; every memory of the kind flash without one.
    #[serde(default)]
    pub region: Option<String>,
    /// Time in nanoseconds from the start of a read to the whole row; it is rounded up to clock cycles.
    pub access_ns: f64,
    /// Size in bytes of what one read returns, a power of two.
    pub row_bytes: u32,
    /// Whether the row after the one read is read ahead.
    #[serde(default)]
    pub prefetch: bool,
    pub instruction_cache: Option<RowCacheData>,
    pub data_cache: Option<RowCacheData>,
    /// Cache for instructions and data; excludes the other two.
    pub unified_cache: Option<RowCacheData>,
    /// Whether instructions and data come over one port, with one buffer of the row last read.
    #[serde(default)]
    pub one_port: bool,
    pub switches: Option<SwitchData>,
}

/// The register by which a program switches the buffer of rows and the caches.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchData {
    /// Addresses of the register and of the one that tells its state, in which no change is ever under way.
    pub control: u32,
    pub status: u32,
    /// What the control register holds after a reset.
    pub reset: u32,
    /// Bits that turn the buffer of instructions and data off, where they are set.
    pub buffer_off: u32,
    /// Bits of the mode, and the mode in which the caches are on.
    pub mode: u32,
    pub mode_cached: u32,
}

/// A cache of flash rows with least recently used replacement.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowCacheData {
    pub size_bytes: u32,
    /// Size of a line in bytes: a power of two, at least one row.
    pub line_bytes: u32,
    /// Lines per set; a fully associative cache has all lines in one set.
    pub ways: u32,
    /// Whether rows that were read ahead are also kept.
    #[serde(default)]
    pub keeps_prefetched: bool,
    /// Cycles that a hit takes beyond those of memory that answers at once.
    #[serde(default)]
    pub hit_wait_cycles: u32,
    /// Whether the line behind the one last used is looked up ahead: then any other line takes `hit_wait_cycles`, found
    /// or not, and this one none.
    #[serde(default)]
    pub looks_ahead: bool,
}

const NO_LINE: u32 = u32::MAX;
/// Marks an empty buffer; no row has this address.
const NO_ROW: u32 = u32::MAX;
const NEVER: u64 = 0;
const MAX_FLASH_BYTES: u64 = 512 << 20;
/// Limit of the addresses from the first of several memories to the end of the last, for each of which a cache has
/// an entry.
const MAX_SPREAD_BYTES: u64 = 64 << 20;
const MAX_LINES: u32 = u16::MAX as u32 - 1;

#[derive(Debug, Clone)]
struct RowCache {
    data: RowCacheData,
    /// Number of rows in a line.
    rows: u64,
    line_shift: u32,
    set_mask: u32,
    first_line: u32,
    /// Time of the last use of each line of the flash, in uses of the cache; `NEVER` if the line is not held.
    used: Vec<u64>,
    uses: u64,
    /// Lines that the cache holds, set by set.
    held: Vec<u32>,
}

impl RowCache {
    /// Creates a cache for the flash from address `base` to `last`.
    fn new(name: &str, data: RowCacheData, row_bytes: u32, base: u32, last: u32) -> Result<Self, Error> {
        let RowCacheData { size_bytes, line_bytes, ways, .. } = data;
        let whole = line_bytes.is_power_of_two() && (row_bytes..=256).contains(&line_bytes) && ways > 0;
        let set_bytes = line_bytes.saturating_mul(ways);
        if !whole || size_bytes == 0 || size_bytes % set_bytes != 0 || !(size_bytes / set_bytes).is_power_of_two() {
            return refuse(format!(
                "{name}: {size_bytes} bytes are no power of two of sets of {ways} lines of {line_bytes} bytes"
            ));
        }
        let count = size_bytes / line_bytes;
        if count > MAX_LINES {
            return refuse(format!("{name}: {size_bytes} bytes are more than {MAX_LINES} lines"));
        }
        let line_shift = line_bytes.trailing_zeros();
        let first_line = base >> line_shift;
        Ok(RowCache {
            data,
            rows: u64::from(line_bytes / row_bytes),
            line_shift,
            set_mask: size_bytes / set_bytes - 1,
            first_line,
            used: vec![NEVER; ((last >> line_shift) - first_line + 1) as usize],
            uses: 0,
            held: vec![NO_LINE; count as usize],
        })
    }

    /// Whether the line of an address is held; a held line becomes the most recently used.
    #[inline(always)]
    fn holds(&mut self, address: u32) -> bool {
        let line = (address >> self.line_shift).wrapping_sub(self.first_line);
        match self.used.get_mut(line as usize) {
            Some(used) if *used != NEVER => {
                self.uses += 1;
                *used = self.uses;
                true
            }
            _ => false,
        }
    }

    /// Inserts a line that is not held in place of the least recently used one.
    #[inline(never)]
    fn take_in(&mut self, address: u32) {
        let (ways, first_line) = (self.data.ways as usize, self.first_line);
        let line = address >> self.line_shift;
        let set = (line & self.set_mask) as usize * ways;
        let used = &mut self.used;
        let age = |held: u32| if held == NO_LINE { NEVER } else { used[(held - first_line) as usize] };
        let Some(oldest) = self.held[set..set + ways].iter_mut().min_by_key(|held| age(**held)) else { return };
        let gone = std::mem::replace(oldest, line);
        if gone != NO_LINE {
            used[(gone - first_line) as usize] = NEVER;
        }
        self.uses += 1;
        used[(line - first_line) as usize] = self.uses;
    }

    fn empty(&mut self) {
        for held in &mut self.held {
            if *held != NO_LINE {
                self.used[(*held - self.first_line) as usize] = NEVER;
                *held = NO_LINE;
            }
        }
    }
}

const INSTRUCTION: usize = 0;
const DATA: usize = 1;

/// Addresses at which flash is read.
#[derive(Debug, Clone, Copy)]
struct Extent {
    base: u32,
    /// Offset of the last byte from `base`.
    last_offset: u32,
    /// What is added to an address to have the memory's own: not 0 where it also lies elsewhere.
    shift: u32,
}

impl Extent {
    #[inline(always)]
    fn own(self, address: u32) -> Option<u32> {
        (address.wrapping_sub(self.base) <= self.last_offset).then(|| address.wrapping_add(self.shift))
    }
}

/// Returns where the flash of a description is read, first the addresses at which its first memory lies.
fn extents(description: &Description, named: Option<&str>) -> Result<Vec<Extent>, Error> {
    let is_flash = |region: &&Region| region.kind == RegionKind::Flash;
    let flash: Vec<&Region> = description.memory.iter().filter(is_flash).collect();
    let chosen: Vec<&Region> =
        flash.iter().filter(|region| named.is_none_or(|name| region.name == name)).copied().collect();
    if let (Some(name), true) = (named, chosen.is_empty()) {
        let known: Vec<&str> = flash.iter().map(|region| region.name.as_str()).collect();
        return refuse(format!(
            "`flash.region`: no memory `{name}` of the kind flash; there are: {}",
            known.join(", ")
        ));
    }
    let (Some(low), Some(end)) =
        (chosen.iter().map(|region| region.base).min(), chosen.iter().map(|region| region.end()).max())
    else {
        return refuse("`flash` describes a memory of the kind flash, and the chip has none");
    };
    if chosen.iter().any(|region| !(1..=MAX_FLASH_BYTES).contains(&region.size_bytes.into())) || end > 1 << 32 {
        return refuse("a flash has 1 byte to 512 MB, within the address space");
    }
    if chosen.len() > 1 && end - u64::from(low) > MAX_SPREAD_BYTES {
        return refuse("the flash memories lie more than 64 MB apart; name the one of `flash` by `region`");
    }
    let places = |region: &Region| {
        let (own, last_offset) = (region.base, region.size_bytes - 1);
        let at = move |base: u32| Extent { base, last_offset, shift: own.wrapping_sub(base) };
        std::iter::once(own).chain(region.also_at.clone()).map(at).collect::<Vec<Extent>>()
    };
    Ok(chosen.into_iter().flat_map(places).collect())
}

/// The flash of a chip with its buffers and caches, at one clock.
#[derive(Debug, Clone)]
pub struct FlashPath {
    /// The first memory, at its own address.
    first: Extent,
    /// Everywhere else that flash is read.
    others: Vec<Extent>,
    row_bytes: u32,
    /// Mask that turns an address into that of its row.
    row_mask: u32,
    /// Cycles from the start of a read to its row.
    read_cycles: u64,
    /// Whether rows are read ahead and this saves time.
    prefetch: bool,
    /// Caches for instructions and for data; a unified cache is the first one and serves both.
    caches: [Option<RowCache>; 2],
    unified: bool,
    /// Addresses of the rows last read for instructions and for data; with one port, the first is that of both.
    buffered: [u32; 2],
    one_port: bool,
    /// Whether rows stay in their buffers.
    buffers: bool,
    /// Whether the caches are on.
    cached: bool,
    /// Row behind the one last used, which a cache may look up ahead.
    behind: u32,
    switches: Option<SwitchData>,
    /// What the register of the switches holds.
    control: u32,
    /// Address of the row being read ahead.
    ahead: u32,
    ahead_ready: u64,
    /// Cycle from which the flash is free.
    free: u64,
    counters: MemoryCounters,
    /// The rows of code last read that the cache did not hold: a queue waits for one and has asked for the next.
    missed: [u32; 2],
    /// Whether the cache did not hold the data read last.
    missed_data: bool,
}

impl FlashPath {
    /// Creates the flash of a chip; `None` if it never makes the core wait.
    pub fn of(description: &Description) -> Result<Option<Self>, Error> {
        let Some(data) = &description.flash else { return Ok(None) };
        let mut others = extents(description, data.region.as_deref())?;
        let own = || others.iter().map(|extent| extent.base.wrapping_add(extent.shift));
        let low = own().min().unwrap_or_default();
        let last = others.iter().zip(own()).map(|(extent, base)| base + extent.last_offset).max().unwrap_or_default();
        let first = others.remove(0);
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
        let cache = |name: &str, data_of: Option<RowCacheData>| {
            data_of.map(|cache| RowCache::new(name, cache, data.row_bytes, low, last)).transpose()
        };
        let of_code = if unified { data.unified_cache } else { data.instruction_cache };
        let picoseconds = (data.access_ns * 1e3).round() as u128;
        let read_cycles = (picoseconds * u128::from(description.clock_hz)).div_ceil(1_000_000_000_000) as u64;
        let prefetch = data.prefetch && read_cycles > 1;
        let mut path = FlashPath {
            first,
            others,
            row_bytes: data.row_bytes,
            row_mask: !(data.row_bytes - 1),
            read_cycles: read_cycles.max(1),
            prefetch,
            caches: [cache("instruction_cache", of_code)?, cache("data_cache", data.data_cache)?],
            unified,
            buffered: [NO_ROW; 2],
            one_port: data.one_port,
            buffers: true,
            cached: true,
            behind: NO_ROW,
            switches: data.switches,
            control: data.switches.map_or(0, |switches| switches.reset),
            ahead: NO_ROW,
            ahead_ready: 0,
            free: 0,
            counters: MemoryCounters::default(),
            missed: [NO_ROW; 2],
            missed_data: false,
        };
        path.switch();
        Ok(Some(path))
    }

    /// Turns buffers and caches on and off as the register of the switches has them; what changes, is emptied.
    fn switch(&mut self) {
        let Some(switches) = self.switches else { return };
        let buffers = self.control & switches.buffer_off != switches.buffer_off;
        let cached = self.control & switches.mode == switches.mode_cached;
        if (buffers, cached) != (self.buffers, self.cached) {
            (self.buffers, self.cached) = (buffers, cached);
            self.flush();
        }
    }

    /// Returns an address of flash as the memory's own; `None` for any other.
    #[inline(always)]
    fn own(&self, address: u32) -> Option<u32> {
        self.first.own(address).or_else(|| self.others.iter().find_map(|extent| extent.own(address)))
    }

    /// Reads rows; returns the cycles to wait beyond those of memory that answers at once.
    ///
    /// Without wait states, a fetch and a data access in the same cycle delay nothing: the core fetches ahead of
    /// execution and can spare the cycle that the data access takes.
    fn read(&mut self, rows: u64, now: u64) -> u64 {
        if self.read_cycles == 1 {
            return 0;
        }
        let start = self.free.max(now);
        self.free = start + self.read_cycles * rows;
        self.free - 1 - now
    }

    /// Starts to read the row after this one as soon as the flash is free.
    #[inline(always)]
    fn read_ahead(&mut self, row: u32, now: u64) {
        let next = row.wrapping_add(self.row_bytes);
        if !self.prefetch || self.ahead == next {
            return;
        }
        let there = self.caches[INSTRUCTION].as_mut().is_some_and(|cache| cache.holds(next));
        if there || self.own(next).is_none() {
            return;
        }
        self.ahead = next;
        self.ahead_ready = self.free.max(now) + self.read_cycles;
        self.free = self.ahead_ready;
    }

    #[inline(always)]
    fn buffer<const WHICH: usize>(&self) -> usize {
        if self.one_port {
            INSTRUCTION
        } else {
            WHICH
        }
    }

    /// Returns the memory's own address for an access that needs another row than the last one read.
    #[inline(always)]
    fn leaves_row<const WHICH: usize>(&self, address: u32) -> Option<u32> {
        let buffered = self.buffered[self.buffer::<WHICH>()];
        if buffered == address & self.row_mask {
            return None;
        }
        self.own(address).filter(|own| buffered != own & self.row_mask)
    }

    /// Reads data from another row. It is not inlined, because a pipeline reads data in many places.
    #[inline(never)]
    fn read_data_row(&mut self, address: u32, now: u64) -> u64 {
        self.access_row::<DATA>(address, now)
    }

    /// Reads another row than the last one.
    #[inline(always)]
    fn access_row<const WHICH: usize>(&mut self, address: u32, now: u64) -> u64 {
        let row = address & self.row_mask;
        let cached_in = if self.unified { INSTRUCTION } else { WHICH };
        let is_behind = row == std::mem::replace(&mut self.behind, row.wrapping_add(self.row_bytes));
        let mut cache = self.caches[cached_in].as_mut().filter(|_| self.cached);
        let mut wait = 0;
        let mut known = false;
        let is_cached = cache.is_some();
        if let Some(cache) = &mut cache {
            let counts = &mut self.counters;
            let (accesses, misses) = if WHICH == INSTRUCTION {
                (&mut counts.icache_accesses, &mut counts.icache_misses)
            } else {
                (&mut counts.dcache_accesses, &mut counts.dcache_misses)
            };
            *accesses += 1;
            known = cache.holds(address);
            *misses += u64::from(!known);
            let looked_up = if cache.data.looks_ahead { is_behind } else { !known };
            wait = if looked_up { 0 } else { u64::from(cache.data.hit_wait_cycles) };
        }
        if !known {
            if WHICH == INSTRUCTION && self.ahead == row {
                wait = wait.max((self.ahead_ready - 1).saturating_sub(now));
                if let Some(cache) = cache.filter(|cache| cache.data.keeps_prefetched) {
                    cache.take_in(address);
                }
            } else {
                let rows = cache.as_ref().map_or(1, |cache| cache.rows);
                if let Some(cache) = cache {
                    cache.take_in(address);
                }
                wait += self.read(rows, now + wait);
            }
        }
        if WHICH == DATA {
            self.missed_data = is_cached && !known;
        } else if is_cached && !known {
            self.missed = [row, self.missed[0]];
        } else if self.missed.contains(&row) {
            self.missed = [NO_ROW; 2];
        }
        let buffer = self.buffer::<WHICH>();
        self.buffered[buffer] = if self.buffers { row } else { NO_ROW };
        if WHICH == INSTRUCTION {
            self.read_ahead(row, now + wait);
        }
        self.counters.stall_cycles += wait;
        wait
    }
}

impl MemorySystem for FlashPath {
    const FETCH_LINE_BYTES: u32 = 4;

    fn one_port(&self) -> bool {
        self.one_port
    }

    fn fetch_line_bytes(&self) -> u32 {
        self.row_bytes
    }

    #[inline(always)]
    fn fetch(&mut self, address: u32, cycle: u64) -> u32 {
        match self.leaves_row::<INSTRUCTION>(address) {
            Some(own) => self.access_row::<INSTRUCTION>(own, cycle) as u32,
            None => 0,
        }
    }

    #[inline(always)]
    fn load(&mut self, address: u32, _size_bytes: u32, cycle: u64) -> Delay {
        let stall = self.leaves_row::<DATA>(address).map_or(0, |own| self.read_data_row(own, cycle) as u32);
        Delay { stall, latency: 0 }
    }

    #[inline(always)]
    fn store(&mut self, _address: u32, _size_bytes: u32, _cycle: u64) -> Delay {
        Delay::default()
    }

    fn preload(&mut self, _address: u32, _cycle: u64) -> u32 {
        0
    }

    fn has_missed_code(&self, address: u32) -> bool {
        self.own(address).is_some_and(|own| self.missed.contains(&(own & self.row_mask)))
    }

    fn has_missed_data(&self) -> bool {
        self.missed_data
    }

    fn flush(&mut self) {
        for cache in self.caches.iter_mut().flatten() {
            cache.empty();
        }
        self.buffered = [NO_ROW; 2];
        self.ahead = NO_ROW;
        self.behind = NO_ROW;
        self.free = 0;
    }

    fn register(&self, address: u32) -> Option<u32> {
        let switches = self.switches?;
        (address == switches.control || address == switches.status).then_some(self.control)
    }

    fn set_register(&mut self, address: u32, value: u32) -> bool {
        let control = self.switches.is_some_and(|switches| address == switches.control);
        if control {
            self.control = value;
            self.switch();
        }
        control
    }

    fn reset(&mut self) {
        self.control = self.switches.map_or(0, |switches| switches.reset);
        self.switch();
    }

    fn take_counters(&mut self) -> Option<MemoryCounters> {
        let counters = std::mem::take(&mut self.counters);
        self.caches.iter().any(Option::is_some).then_some(counters)
    }
}

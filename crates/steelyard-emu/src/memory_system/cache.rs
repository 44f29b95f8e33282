//! Tags of one cache: which lines it holds, which are dirty, and which line is evicted next.

use crate::error::{refuse, Error};
use serde::Deserialize;

/// Which line of a set is evicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Replacement {
    /// A pointer per set, which advances with every line inserted.
    RoundRobin,
    /// The least recently used line.
    Lru,
    /// A random line, from a generator with a seed.
    Random,
}

/// What a store that hits does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WritePolicy {
    /// Memory is written when the line is evicted.
    #[default]
    Back,
    /// Memory is written at once.
    Through,
}

/// Addresses whose lines are in the cache from the start and stay there.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Locked {
    pub base: u32,
    #[serde(rename = "size")]
    pub size_bytes: u32,
}

/// Geometry and policy of a cache.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheData {
    #[serde(rename = "size")]
    pub size_bytes: u32,
    #[serde(rename = "line")]
    pub line_bytes: u32,
    pub ways: u32,
    pub replacement: Replacement,
    #[serde(default)]
    pub write: WritePolicy,
    /// Whether a store that misses inserts the line; a load that misses always does.
    #[serde(default)]
    pub write_allocate: bool,
    #[serde(default)]
    pub locked: Vec<Locked>,
    /// Seed of [`Replacement::Random`].
    #[serde(default)]
    pub seed: u32,
}

/// Accesses of one cache since the counts were last taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheCounts {
    pub reads: u64,
    pub read_misses: u64,
    pub writes: u64,
    pub write_misses: u64,
    /// Dirty cache lines written back.
    pub write_backs: u64,
}

impl CacheCounts {
    /// Returns the number of reads and writes that hit.
    pub fn hits(&self) -> u64 {
        self.reads + self.writes - self.misses()
    }

    /// Returns the number of reads and writes that missed.
    pub fn misses(&self) -> u64 {
        self.read_misses + self.write_misses
    }
}

/// Position of a line in the cache: set times ways plus way.
pub(super) type Slot = u32;

/// A line that was evicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Evicted {
    pub line: u32,
    /// Dirty parts of the line, one bit each, from the lowest address.
    pub dirty: u8,
}

/// Marks an empty way; a line is at least sixteen bytes, so no line has this number.
const NO_LINE: u32 = u32::MAX;

/// Where a line was last found; it saves the search through the ways.
#[derive(Clone, Copy)]
struct Hint {
    line: u32,
    slot: Slot,
}

/// Tags, dirty bits and order of use of a cache. The bytes are always in memory.
#[derive(Clone)]
pub(super) struct Cache {
    data: CacheData,
    line_shift: u32,
    set_mask: u32,
    /// Size of the part that a dirty bit stands for, as a shift.
    part_shift: u32,
    lines: Vec<u32>,
    dirty: Vec<u8>,
    /// Time of each line's last use; only LRU needs it.
    used: Vec<u64>,
    uses: u64,
    /// Way to evict next, by set.
    pointer: Vec<u32>,
    /// Number of locked ways at the start of each set.
    locked_ways: Vec<u32>,
    hints: Vec<Hint>,
    hint_mask: u32,
    random: u32,
    pub counts: CacheCounts,
}

impl Cache {
    /// Creates an empty cache; a dirty bit stands for `part_bytes` bytes.
    pub fn new(name: &str, data: &CacheData, part_bytes: u32) -> Result<Self, Error> {
        let CacheData { size_bytes, line_bytes, ways, .. } = *data;
        if !line_bytes.is_power_of_two() || !(16..=256).contains(&line_bytes) {
            return refuse(format!("{name}: a line has 16 to 256 bytes, a power of two, not {line_bytes}"));
        }
        if ways == 0 || size_bytes == 0 || size_bytes % line_bytes != 0 || (size_bytes / line_bytes) % ways != 0 {
            return refuse(format!("{name}: {size_bytes} bytes are no whole number of sets of {ways} lines"));
        }
        let sets = size_bytes / line_bytes / ways;
        if !sets.is_power_of_two() || size_bytes > 1 << 24 {
            return refuse(format!("{name}: {sets} sets; there must be a power of two, and at most 16 MB"));
        }
        let slots = (sets * ways) as usize;
        let hints = (slots * 2).next_power_of_two();
        let part_bytes = part_bytes.clamp(line_bytes.div_ceil(8), line_bytes);
        let mut cache = Cache {
            data: data.clone(),
            line_shift: line_bytes.trailing_zeros(),
            set_mask: sets - 1,
            part_shift: part_bytes.trailing_zeros(),
            lines: vec![NO_LINE; slots],
            dirty: vec![0; slots],
            used: vec![0; slots],
            uses: 0,
            pointer: vec![0; sets as usize],
            locked_ways: vec![0; sets as usize],
            hints: vec![Hint { line: NO_LINE, slot: 0 }; hints],
            hint_mask: hints as u32 - 1,
            random: 0,
            counts: CacheCounts::default(),
        };
        cache.empty();
        if cache.locked_ways.iter().any(|&locked| locked >= ways) {
            return refuse(format!("{name}: the locked lines leave no way of a set free"));
        }
        Ok(cache)
    }

    /// Forgets all lines except the locked ones, and all dirty bits.
    pub fn empty(&mut self) {
        self.lines.fill(NO_LINE);
        self.dirty.fill(0);
        self.used.fill(0);
        self.pointer.fill(0);
        self.locked_ways.fill(0);
        self.hints.fill(Hint { line: NO_LINE, slot: 0 });
        self.uses = 0;
        // Zero would stay zero.
        self.random = self.data.seed.wrapping_mul(0x9e37_79b9) | 1;
        for locked in self.data.locked.clone() {
            let last = locked.base.saturating_add(locked.size_bytes.max(1) - 1);
            for line in self.line(locked.base)..=self.line(last) {
                let set = (line & self.set_mask) as usize;
                let way = self.locked_ways[set];
                if way < self.data.ways {
                    self.lines[set * self.data.ways as usize + way as usize] = line;
                }
                self.locked_ways[set] = way + 1;
                self.pointer[set] = way + 1;
            }
        }
    }

    #[inline(always)]
    pub fn line(&self, address: u32) -> u32 {
        address >> self.line_shift
    }

    pub fn line_bytes(&self) -> u32 {
        self.data.line_bytes
    }

    pub fn data(&self) -> &CacheData {
        &self.data
    }

    /// Returns the position of a line if the last search for it is remembered.
    #[inline(always)]
    pub fn hinted(&mut self, line: u32) -> Option<Slot> {
        let hint = self.hints[(line & self.hint_mask) as usize];
        if hint.line != line {
            return None;
        }
        if self.data.replacement == Replacement::Lru {
            self.uses += 1;
            self.used[hint.slot as usize] = self.uses;
        }
        Some(hint.slot)
    }

    /// Returns the position of a line and counts a use of it; `None` on a miss.
    pub fn find(&mut self, line: u32) -> Option<Slot> {
        let first = ((line & self.set_mask) * self.data.ways) as usize;
        let way = self.lines[first..first + self.data.ways as usize].iter().position(|&held| held == line)?;
        let slot = first + way;
        self.uses += 1;
        self.used[slot] = self.uses;
        Some(slot as Slot)
    }

    /// Remembers the position of a line for [`Cache::hinted`].
    pub fn remember(&mut self, line: u32, slot: Slot) {
        self.hints[(line & self.hint_mask) as usize] = Hint { line, slot };
    }

    /// Marks as dirty what a store at an address changes.
    #[inline(always)]
    pub fn soil(&mut self, slot: Slot, address: u32) {
        let part = (address & (self.data.line_bytes - 1)) >> self.part_shift;
        self.dirty[slot as usize] |= 1 << part;
    }

    /// Inserts a line that is not in the cache; returns its position and the line evicted for it, if any.
    pub fn insert(&mut self, line: u32) -> (Slot, Option<Evicted>) {
        let set = (line & self.set_mask) as usize;
        let first = set * self.data.ways as usize;
        let way = self.victim(set, first);
        let slot = first + way as usize;
        let old = self.lines[slot];
        let evicted = (old != NO_LINE).then(|| {
            let hint = &mut self.hints[(old & self.hint_mask) as usize];
            if hint.line == old {
                hint.line = NO_LINE;
            }
            self.counts.write_backs += u64::from(self.dirty[slot] != 0);
            Evicted { line: old, dirty: self.dirty[slot] }
        });
        self.lines[slot] = line;
        self.dirty[slot] = 0;
        self.uses += 1;
        self.used[slot] = self.uses;
        (slot as Slot, evicted)
    }

    fn victim(&mut self, set: usize, first: usize) -> u32 {
        let (ways, locked) = (self.data.ways, self.locked_ways[set]);
        let free = (locked..ways).find(|&way| self.lines[first + way as usize] == NO_LINE);
        match self.data.replacement {
            Replacement::RoundRobin => {
                let way = self.pointer[set];
                self.pointer[set] = if way + 1 == ways { locked } else { way + 1 };
                way
            }
            Replacement::Lru => free.unwrap_or_else(|| {
                let oldest = (locked..ways).min_by_key(|&way| self.used[first + way as usize]);
                oldest.expect("a way that is not locked")
            }),
            Replacement::Random => free.unwrap_or_else(|| {
                self.random ^= self.random << 13;
                self.random ^= self.random >> 17;
                self.random ^= self.random << 5;
                locked + self.random % (ways - locked)
            }),
        }
    }

    /// Returns the first address of a line.
    pub fn base(&self, line: u32) -> u32 {
        line << self.line_shift
    }

    /// Returns the first addresses of an evicted line's dirty parts, and their size in bytes.
    pub fn parts(&self, evicted: Evicted) -> impl Iterator<Item = (u32, u32)> {
        let (base, shift) = (self.base(evicted.line), self.part_shift);
        (0..8).filter(move |part| evicted.dirty >> part & 1 == 1).map(move |part| (base + (part << shift), 1 << shift))
    }
}

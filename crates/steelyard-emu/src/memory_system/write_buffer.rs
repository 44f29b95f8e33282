//! Stores on their way to memory, and the bus that they share with reads.

use super::Nanoseconds;
use serde::Deserialize;
use std::collections::VecDeque;

/// Which stores join an entry that is still waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Merge {
    /// Only the words of one store-multiple.
    #[default]
    Multiple,
    /// Every store to the entry's addresses.
    All,
}

/// A write buffer.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteBufferData {
    pub entries: u32,
    pub entry_bytes: u32,
    #[serde(default)]
    pub merge: Merge,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Address divided by `entry_bytes`.
    block: u32,
    /// Words of the entry that were written, one bit each.
    words: u32,
    queued: u64,
    timing: Nanoseconds,
}

/// Entries in order; the bus writes them when no read needs it.
#[derive(Clone)]
pub(super) struct WriteBuffer {
    data: WriteBufferData,
    waiting: VecDeque<Entry>,
    /// Cycle in which the write in progress ends; its entry stays occupied until then.
    writing_until: u64,
    clock_hz: u64,
}

impl WriteBuffer {
    pub fn new(data: WriteBufferData, clock_hz: u64) -> Self {
        WriteBuffer { data, waiting: VecDeque::with_capacity(data.entries as usize), writing_until: 0, clock_hz }
    }

    pub fn forget(&mut self) {
        self.waiting.clear();
        self.writing_until = 0;
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    fn start_next(&mut self, bus_free: &mut u64) {
        if let Some(entry) = self.waiting.pop_front() {
            let start = (*bus_free).max(entry.queued);
            *bus_free = start + entry.timing.burst_cycles(u64::from(entry.words.count_ones()), self.clock_hz);
            self.writing_until = *bus_free;
        }
    }

    /// Starts the writes that would have begun before now.
    pub fn advance(&mut self, now: u64, bus_free: &mut u64) {
        while self.waiting.front().is_some_and(|entry| (*bus_free).max(entry.queued) < now) {
            self.start_next(bus_free);
        }
    }

    /// Starts the writes up to the last one to these addresses, because a read must see it.
    pub fn write_out(&mut self, base: u32, size_bytes: u32, bus_free: &mut u64) {
        let blocks = base / self.data.entry_bytes..=(base + (size_bytes - 1)) / self.data.entry_bytes;
        let last = self.waiting.iter().rposition(|entry| blocks.contains(&entry.block));
        for _ in 0..last.map_or(0, |last| last + 1) {
            self.start_next(bus_free);
        }
    }

    /// Starts all writes; returns the cycle in which the last one ends.
    pub fn write_all_out(&mut self, bus_free: &mut u64) -> u64 {
        while !self.waiting.is_empty() {
            self.start_next(bus_free);
        }
        *bus_free
    }

    /// Adds a store; returns the cycles until there was room.
    pub fn push(
        &mut self,
        address: u32,
        size_bytes: u32,
        joins: bool,
        timing: Nanoseconds,
        now: u64,
        bus_free: &mut u64,
    ) -> u32 {
        self.advance(now, bus_free);
        let block = address / self.data.entry_bytes;
        let (first, last) =
            (address % self.data.entry_bytes / 4, (address + (size_bytes - 1)) % self.data.entry_bytes / 4);
        let words = (first..=last.max(first)).fold(0, |words, word| words | 1_u32 << word);
        let may_join = joins || self.data.merge == Merge::All;
        let candidate = match self.data.merge {
            Merge::All => self.waiting.iter_mut().find(|entry| entry.block == block),
            Merge::Multiple => self.waiting.back_mut().filter(|entry| entry.block == block),
        };
        if let Some(entry) = candidate.filter(|_| may_join) {
            entry.words |= words;
            return 0;
        }
        let mut room_at = now;
        while self.waiting.len() as u64 + u64::from(self.writing_until > room_at) >= u64::from(self.data.entries) {
            if self.writing_until > room_at {
                room_at = self.writing_until;
            } else {
                // A read may have the bus.
                room_at = room_at.max(*bus_free);
                self.start_next(bus_free);
            }
        }
        self.waiting.push_back(Entry { block, words, queued: room_at, timing });
        (room_at - now) as u32
    }
}

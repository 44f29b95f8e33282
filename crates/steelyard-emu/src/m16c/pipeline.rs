//! How long instructions take: one function per rule between an instruction, the bus and the queue of code.
//!
//! The numbers are the core's, from its data file, which names their sources; [`super::timing`] says what each means.

use super::timing::Bus;

/// The bus and the queue of code that is read ahead.
pub struct Pipeline {
    bytes: u32,
    /// 1 on a bus of two bytes, 0 on a bus of one.
    offset: u32,
    /// Cycles that the second access of a word adds.
    split_word: u32,
    /// 1 on a bus on which every word needs two accesses, else 0.
    always_split: u32,
    queue_bytes: u32,
    /// Bytes of code read ahead.
    queue: u32,
    /// Cycle in which the instruction began.
    pub now: u64,
    /// Cycles of the instruction so far.
    pub spent: u32,
    /// Accesses to data by the instruction so far.
    accesses: u32,
}

impl Pipeline {
    /// Begins at an address; whoever called left the queue full.
    pub fn new(bus: Bus, address: u32, now: u64) -> Self {
        let mut pipeline = Pipeline {
            bytes: bus.bytes.into(),
            offset: u32::from(bus.bytes) - 1,
            split_word: bus.split_word.into(),
            always_split: u32::from(bus.bytes == 1),
            queue_bytes: bus.queue_bytes.into(),
            queue: 0,
            now,
            spent: 0,
            accesses: 0,
        };
        pipeline.jumps(address);
        pipeline
    }

    /// An instruction begins, with the cycles of its table.
    #[inline(always)]
    pub fn begins(&mut self, cycles: u8) {
        self.spent = cycles.into();
        self.accesses = 0;
    }

    /// A byte is loaded or stored.
    #[inline(always)]
    pub fn byte(&mut self) {
        self.accesses += 1;
    }

    /// A word is loaded or stored: at an odd address, or on a narrow bus, it takes a second access, whose cycles are
    /// returned.
    #[inline(always)]
    pub fn word(&mut self, address: u32) -> u32 {
        let split = (address | self.always_split) & 1;
        self.accesses += 1 + split;
        self.spent += split * self.split_word;
        split * self.split_word
    }

    /// What each place, item or register adds, and a branch that is taken.
    #[inline(always)]
    pub fn each(&mut self, count: u32, more: u8) {
        self.spent += count * u32::from(more);
    }

    /// A jump leaves the queue full up to the last even address.
    #[inline(always)]
    pub fn jumps(&mut self, target: u32) {
        self.queue = self.queue_bytes - (target & self.offset);
    }

    /// The flow goes on behind an instruction, at `next`. The bus reads code ahead while the instruction leaves it
    /// alone; what is missing has to be waited for, in the cycles returned.
    #[inline(always)]
    pub fn goes_on(&mut self, length: u8, next: u32) -> u32 {
        let length = u32::from(length);
        let ahead = self.queue + self.bytes * self.spent.saturating_sub(self.accesses);
        let missing = (length.saturating_sub(ahead) + self.offset) >> self.offset;
        self.spent += missing;
        let full = self.queue_bytes - (next & self.offset);
        self.queue = (ahead + self.bytes * missing - length).min(full);
        missing
    }

    /// The instruction ends; returns its cycles.
    #[inline(always)]
    pub fn ends(&mut self) -> u32 {
        self.now += u64::from(self.spent);
        self.spent
    }
}

//! How long instructions take: one function per rule.
//!
//! The numbers are the core's, from its data file, which names their sources; [`super::timing`] says what each means.

use super::timing::ExtraCycles;

/// A CPU that executes one instruction after the other.
pub struct Pipeline {
    /// Clock cycles since the machine was built.
    pub now: u64,
    /// Cycle at which the run ends.
    limit: u64,
}

impl Pipeline {
    pub fn new(now: u64, limit: u64) -> Self {
        Pipeline { now, limit }
    }

    /// Whether the cycles are used up.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.now >= self.limit
    }

    /// Any instruction takes its own cycles.
    #[inline(always)]
    pub fn executes(&mut self, cycles: u8) {
        self.now += u64::from(cycles);
    }

    /// A branch that is taken fetches its target.
    #[inline(always)]
    pub fn branches(&mut self, extra: &ExtraCycles) {
        self.now += u64::from(extra.branch_taken);
    }

    /// A skip passes over the words of the next instruction.
    #[inline(always)]
    pub fn skips(&mut self, words: u8, extra: &ExtraCycles) {
        self.now += u64::from(if words == 2 { extra.skip_two_words } else { extra.skip_one_word });
    }

    /// A memory or a controller makes the instruction wait.
    #[inline(always)]
    pub fn waits(&mut self, cycles: u32) {
        self.now += u64::from(cycles);
    }
}

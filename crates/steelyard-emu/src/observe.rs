//! What may be observed while a program runs.
//!
//! An observer is a type parameter of the run, so a hook with its empty default costs nothing. Cache and energy figures
//! are derived from these hooks; secret-taint tracking follows the loads and stores.

use crate::profile::Listing;

/// Hooks of a run. `pc` is in the CPU's instruction units (words on AVR, places of decoded instructions on ARM).
pub trait Observer {
    /// Whether it takes sums by [`Observer::retired_often`] and [`Observer::taken_often`] in place of single events.
    const SUMS: bool = false;

    /// An instruction has ended several times and took `cycles` altogether.
    #[inline(always)]
    fn retired_often(&mut self, _pc: u32, _times: u64, _cycles: u64) {}
    /// Conditional branches were taken.
    #[inline(always)]
    fn taken_often(&mut self, _times: u64) {}
    /// An instruction starts.
    #[inline(always)]
    fn executed(&mut self, _pc: u32) {}
    /// The word at `pc` was decoded and is no instruction.
    #[inline(always)]
    fn refused(&mut self, _pc: u32) {}
    /// An instruction of a pipelined CPU has ended; it took `cycles`, waits included.
    #[inline(always)]
    fn retired(&mut self, _pc: u32, _cycles: u32) {}
    /// An instruction had no effect because its condition did not hold.
    #[inline(always)]
    fn skipped(&mut self, _pc: u32) {}
    /// A run begins at an address.
    #[inline(always)]
    fn began(&mut self, _pc: u32) {}
    /// A run ended before the instruction at an address.
    #[inline(always)]
    fn ended(&mut self, _pc: u32) {}
    /// The flow leaves the straight line: `target` follows instead of `sequel`.
    #[inline(always)]
    fn jumped(&mut self, _sequel: u32, _target: u32) {}
    /// A conditional branch or skip is taken.
    #[inline(always)]
    fn taken(&mut self, _pc: u32) {}
    /// A memory made the instruction wait.
    #[inline(always)]
    fn waited(&mut self, _pc: u32, _cycles: u32) {}
    /// A byte came from data memory.
    #[inline(always)]
    fn loaded(&mut self, _pc: u32, _address: u32, _value: u8) {}
    /// A byte goes to data memory.
    #[inline(always)]
    fn stored(&mut self, _pc: u32, _address: u32, _value: u8) {}
    /// The stack pointer moved down to a settled value.
    #[inline(always)]
    fn stack(&mut self, _stack_pointer: u32) {}
    /// The program is about to change; counts so far belong to the present listing.
    #[inline(always)]
    fn program_changes(&mut self, _listing: &dyn Listing) {}
}

/// An observer that observes nothing.
pub struct Nothing;

impl Observer for Nothing {
    const SUMS: bool = true;
}

/// Counts instructions and records the lowest stack pointer.
pub struct StackPeak {
    pub instructions: u64,
    pub lowest: u32,
}

impl StackPeak {
    /// Starts with the stack pointer before the call.
    pub fn new(stack_pointer: u32) -> Self {
        StackPeak { instructions: 0, lowest: stack_pointer }
    }
}

impl Observer for StackPeak {
    const SUMS: bool = true;

    #[inline(always)]
    fn retired_often(&mut self, _pc: u32, times: u64, _cycles: u64) {
        self.instructions += times;
    }

    #[inline(always)]
    fn executed(&mut self, _pc: u32) {
        self.instructions += 1;
    }

    #[inline(always)]
    fn refused(&mut self, _pc: u32) {
        self.instructions -= 1;
    }

    #[inline(always)]
    fn retired(&mut self, _pc: u32, _cycles: u32) {
        self.instructions += 1;
    }

    #[inline(always)]
    fn stack(&mut self, stack_pointer: u32) {
        self.lowest = self.lowest.min(stack_pointer);
    }
}

//! What may be watched while a program runs.
//!
//! An observer is a type parameter of the run, so a hook left at its empty default costs nothing. Caches and
//! energy are derived from these hooks; secret-taint tracking follows the loads and stores.

use crate::profile::Listing;

/// Hooks of a run. `pc` counts the CPU's instruction units (words on AVR; on ARM places of decoded instructions).
pub trait Observer {
    /// An instruction starts.
    #[inline(always)]
    fn executed(&mut self, _pc: u32) {}
    /// What lies there turned out to be no instruction.
    #[inline(always)]
    fn refused(&mut self, _pc: u32) {}
    /// An instruction of a pipelined CPU is done; it took this long, waits included.
    #[inline(always)]
    fn retired(&mut self, _pc: u32, _cycles: u32) {}
    /// It did nothing, as its condition did not hold.
    #[inline(always)]
    fn skipped(&mut self, _pc: u32) {}
    /// A run goes on at an address.
    #[inline(always)]
    fn began(&mut self, _pc: u32) {}
    /// A run ended before the instruction at an address.
    #[inline(always)]
    fn ended(&mut self, _pc: u32) {}
    /// The flow leaves the straight line: not the instruction at `sequel` comes next, but that at `target`.
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
    /// The program is about to change; what was counted belongs to the listing as it still is.
    #[inline(always)]
    fn program_changes(&mut self, _listing: &dyn Listing) {}
}

/// Watches nothing.
pub struct Nothing;

impl Observer for Nothing {}

/// Counts instructions and watches the lowest stack pointer.
pub struct StackPeak {
    pub instructions: u64,
    pub lowest: u32,
}

impl StackPeak {
    /// Starts from the stack pointer before the call.
    pub fn new(stack_pointer: u32) -> Self {
        StackPeak { instructions: 0, lowest: stack_pointer }
    }
}

impl Observer for StackPeak {
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

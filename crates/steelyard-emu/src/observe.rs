//! What may be observed while a program runs.
//!
//! An observer is a type parameter of the run, so a hook with its empty default costs nothing.

use crate::processor::Executed;
use crate::profile::Listing;

/// Why an instruction takes longer than it takes to execute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Code came later: wait states of the memory that holds it, a queue of words that ran empty.
    Fetch,
    /// A cache did not hold the code.
    FetchMiss,
    /// Data came later, or a store had to wait.
    Data,
    /// A cache did not hold the data.
    DataMiss,
    /// The result of an instruction before it was not there yet, that of a load mostly.
    Result,
    /// The flow left the straight line: a branch taken or predicted wrong, a call, a return.
    Branch,
    /// A multiplier or divider took more than a cycle, or was busy.
    Multiply,
}

impl Cause {
    /// Every cause, in order of its number.
    pub const ALL: [Cause; 7] =
        [Cause::Fetch, Cause::FetchMiss, Cause::Data, Cause::DataMiss, Cause::Result, Cause::Branch, Cause::Multiply];

    /// Returns the name used in profiles.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Fetch => "fetch",
            Cause::FetchMiss => "fetch-miss",
            Cause::Data => "data",
            Cause::DataMiss => "data-miss",
            Cause::Result => "result",
            Cause::Branch => "branch",
            Cause::Multiply => "multiply",
        }
    }
}

/// How the execution of an instruction depends on a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leak {
    /// A secret decides whether a branch or a skip is taken.
    Branch,
    /// A secret decides where a jump, call or return goes.
    Target,
    /// A secret decides whether an instruction is executed that takes another time if it is not.
    Condition,
    /// A load whose address depends on a secret.
    Load { address: u32, size_bytes: u32 },
    /// A store whose address depends on a secret.
    Store { address: u32, size_bytes: u32 },
    /// A multiplication whose time depends on a secret factor.
    Multiply,
    /// A division whose time depends on a secret operand.
    Divide,
    /// A shift, or another instruction repeated, whose time depends on a secret amount.
    Shift,
    /// A stack pointer that depends on a secret.
    Stack,
}

/// Hooks of a run. `pc` is in the CPU's instruction units (words on AVR, places of decoded instructions on ARM).
pub trait Observer {
    /// Whether it takes [`Observer::stalled`] and [`Observer::accessed`], which may cost a family time to tell, and
    /// [`Observer::ends`] and [`Observer::retired`] of every family.
    const DETAILS: bool = false;
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
    /// An instruction is about to retire and has left the stack pointer at a value; `executed` tells what it is. Told
    /// only under [`Observer::DETAILS`].
    #[inline(always)]
    fn ends(&mut self, _pc: u32, _stack_pointer: u32, _executed: impl FnOnce() -> Option<Executed>) {}
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
    /// Some of the cycles of the instruction under way have this cause; the sum over the causes is at most what
    /// [`Observer::retired`] says.
    #[inline(always)]
    fn stalled(&mut self, _pc: u32, _cause: Cause, _cycles: u32) {}
    /// Data came from memory or went there; code, and return addresses that a call or return moves, are no data. Where a
    /// family loads constants from a space of its own, that space lies behind the data ([`crate::avr::FLASH_BASE`]).
    #[inline(always)]
    fn accessed(&mut self, _pc: u32, _address: u32, _size_bytes: u32, _store: bool) {}
    /// The instruction under way depends on a secret.
    #[inline(always)]
    fn leaked(&mut self, _pc: u32, _leak: Leak) {}
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

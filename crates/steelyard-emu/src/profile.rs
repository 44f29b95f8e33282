//! Instruction mix and cycles per function, derived after the run from counters per program address.

use crate::observe::{Observer, StackPeak};

/// Classes of the instruction mix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Alu,
    Shift,
    Multiply,
    Load,
    Store,
    LoadProgram,
    Branch,
    Jump,
    Call,
    Return,
    Stack,
    Io,
    Bit,
    Other,
}

impl Class {
    /// Every class, in the order of its number.
    pub const ALL: [Class; 14] = [
        Class::Alu,
        Class::Shift,
        Class::Multiply,
        Class::Load,
        Class::Store,
        Class::LoadProgram,
        Class::Branch,
        Class::Jump,
        Class::Call,
        Class::Return,
        Class::Stack,
        Class::Io,
        Class::Bit,
        Class::Other,
    ];

    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Class::Alu => "alu",
            Class::Shift => "shift",
            Class::Multiply => "multiply",
            Class::Load => "load",
            Class::Store => "store",
            Class::LoadProgram => "load-program",
            Class::Branch => "branch",
            Class::Jump => "jump",
            Class::Call => "call",
            Class::Return => "return",
            Class::Stack => "stack",
            Class::Io => "io",
            Class::Bit => "bit",
            Class::Other => "other",
        }
    }
}

/// What one execution of an instruction means.
#[derive(Debug, Clone, Copy)]
pub struct InstructionInfo {
    pub class: Class,
    /// Number of the instruction's row in its family's table.
    pub row: usize,
    /// Cycles without waits, not taken.
    pub cycles: u32,
    /// Cycles more when taken.
    pub taken_cycles: u32,
    /// Bytes read by a load, pop or program-memory load; return addresses are not data.
    pub loads: u32,
    /// Bytes written by a store or push.
    pub stores: u32,
    /// Whether it is a conditional branch or skip.
    pub conditional: bool,
}

/// The program as a profile needs it.
pub trait Listing {
    /// Number of program addresses in use.
    fn length(&self) -> usize;
    /// The instruction at a program address, `None` where nothing executable lies.
    fn instruction(&self, pc: usize) -> Option<InstructionInfo>;
}

#[derive(Debug, Clone, Copy, Default)]
struct Counter {
    executed: u64,
    taken: u64,
}

/// Cycles and instructions spent at one program address.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spent {
    pub cycles: u64,
    pub instructions: u64,
}

/// Sums over a run.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    /// Executed instructions by [`Class`].
    pub mix: [u64; Class::ALL.len()],
    pub loads: u64,
    pub stores: u64,
    pub branches: u64,
    pub branches_taken: u64,
    /// Executions per row of the family's instruction table.
    pub rows: Vec<u64>,
    /// By program address.
    pub spent: Vec<Spent>,
}

/// Counts executions per program address and watches the stack.
pub struct Profile {
    counters: Vec<Counter>,
    waits: Vec<u64>,
    totals: Totals,
    pub stack: StackPeak,
}

impl Profile {
    /// Ready for a run of the program from a stack pointer.
    pub fn new(listing: &dyn Listing, stack_pointer: u32) -> Self {
        Profile {
            counters: vec![Counter::default(); listing.length()],
            waits: vec![0; listing.length()],
            totals: Totals::default(),
            stack: StackPeak::new(stack_pointer),
        }
    }

    /// The sums of all that ran.
    pub fn finish(mut self, listing: &dyn Listing) -> Totals {
        self.settle(listing);
        self.totals
    }

    fn settle(&mut self, listing: &dyn Listing) {
        let totals = &mut self.totals;
        totals.spent.resize(self.counters.len().max(totals.spent.len()), Spent::default());
        for (pc, (counter, wait)) in self.counters.iter_mut().zip(&mut self.waits).enumerate() {
            if counter.executed == 0 {
                continue;
            }
            let Some(info) = listing.instruction(pc) else { continue };
            totals.mix[info.class as usize] += counter.executed;
            totals.loads += counter.executed * u64::from(info.loads);
            totals.stores += counter.executed * u64::from(info.stores);
            if info.conditional {
                totals.branches += counter.executed;
                totals.branches_taken += counter.taken;
            }
            if totals.rows.len() <= info.row {
                totals.rows.resize(info.row + 1, 0);
            }
            totals.rows[info.row] += counter.executed;
            let spent = &mut totals.spent[pc];
            spent.instructions += counter.executed;
            spent.cycles +=
                counter.executed * u64::from(info.cycles) + counter.taken * u64::from(info.taken_cycles) + *wait;
            *counter = Counter::default();
            *wait = 0;
        }
    }

    /// Cold: a program that runs where nothing lay when the run began.
    #[cold]
    fn grow(&mut self, pc: u32) {
        self.counters.resize(pc as usize + 1, Counter::default());
        self.waits.resize(pc as usize + 1, 0);
    }
}

impl Observer for Profile {
    #[inline(always)]
    fn executed(&mut self, pc: u32) {
        if pc as usize >= self.counters.len() {
            self.grow(pc);
        }
        self.counters[pc as usize].executed += 1;
    }

    #[inline(always)]
    fn taken(&mut self, pc: u32) {
        if let Some(counter) = self.counters.get_mut(pc as usize) {
            counter.taken += 1;
        }
    }

    #[inline(always)]
    fn waited(&mut self, pc: u32, cycles: u32) {
        if let Some(wait) = self.waits.get_mut(pc as usize) {
            *wait += u64::from(cycles);
        }
    }

    #[inline(always)]
    fn stack(&mut self, stack_pointer: u32) {
        self.stack.stack(stack_pointer);
    }

    fn program_changes(&mut self, listing: &dyn Listing) {
        self.settle(listing);
    }
}

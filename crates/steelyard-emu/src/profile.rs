//! Instruction mix and cycles per function, derived after the run from counters per program address.

use crate::observe::Observer;

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
///
/// One that was finished is ready for the next run: making one clears counters for a whole program memory.
pub struct Profile {
    /// Executed and taken, by program address.
    counters: Vec<[u64; 2]>,
    waits: Vec<u64>,
    totals: Totals,
    /// Lowest stack pointer seen.
    pub lowest: u32,
}

impl Profile {
    /// For programs of at most so many addresses.
    pub fn new(capacity: usize) -> Self {
        Profile { counters: vec![[0; 2]; capacity], waits: vec![0; capacity], totals: Totals::default(), lowest: 0 }
    }

    /// Starts a run from a stack pointer.
    pub fn start(&mut self, stack_pointer: u32) {
        self.lowest = stack_pointer;
    }

    /// The sums of all that ran since the start.
    pub fn finish(&mut self, listing: &dyn Listing) -> Totals {
        self.settle(listing);
        std::mem::take(&mut self.totals)
    }

    fn settle(&mut self, listing: &dyn Listing) {
        let totals = &mut self.totals;
        let length = listing.length().min(self.counters.len());
        totals.spent.resize(length.max(totals.spent.len()), Spent::default());
        let counters = self.counters[..length].iter_mut().zip(&mut self.waits);
        for (pc, (counter, wait)) in counters.enumerate().filter(|(_, (counter, _))| counter[0] > 0) {
            let [executed, taken] = std::mem::take(counter);
            let wait_cycles = std::mem::take(wait);
            let Some(info) = listing.instruction(pc) else { continue };
            totals.mix[info.class as usize] += executed;
            totals.loads += executed * u64::from(info.loads);
            totals.stores += executed * u64::from(info.stores);
            if info.conditional {
                totals.branches += executed;
                totals.branches_taken += taken;
            }
            if totals.rows.len() <= info.row {
                totals.rows.resize(info.row + 1, 0);
            }
            totals.rows[info.row] += executed;
            let spent = &mut totals.spent[pc];
            spent.instructions += executed;
            spent.cycles += executed * u64::from(info.cycles) + taken * u64::from(info.taken_cycles) + wait_cycles;
        }
    }
}

impl Observer for Profile {
    #[inline(always)]
    fn executed(&mut self, pc: u32) {
        if let Some(counter) = self.counters.get_mut(pc as usize) {
            counter[0] += 1;
        }
    }

    #[inline(always)]
    fn refused(&mut self, pc: u32) {
        if let Some(counter) = self.counters.get_mut(pc as usize) {
            counter[0] -= 1;
        }
    }

    #[inline(always)]
    fn taken(&mut self, pc: u32) {
        if let Some(counter) = self.counters.get_mut(pc as usize) {
            counter[1] += 1;
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
        self.lowest = self.lowest.min(stack_pointer);
    }

    fn program_changes(&mut self, listing: &dyn Listing) {
        self.settle(listing);
    }
}

//! Instruction mix and cycles per function, derived after a run from counters per program address.

use crate::observe::Observer;
use crate::symbols::Symbols;

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
    /// Every class, in order of its number.
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

    /// Returns the name used in records.
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

/// Cost and effects of one execution of an instruction.
#[derive(Debug, Clone, Copy)]
pub struct InstructionInfo {
    pub class: Class,
    /// Length in program addresses, 1 or 2.
    pub units: u32,
    /// Cycles without waits, not taken.
    pub cycles: u32,
    /// Cycles added when taken.
    pub taken_cycles: u32,
    /// Bytes read by a load, pop or program-memory load; return addresses are not data.
    pub loads: u32,
    /// Bytes written by a store or push.
    pub stores: u32,
    /// Whether the instruction is a conditional branch or skip.
    pub conditional: bool,
}

/// The program, as a profile needs it.
pub trait Listing {
    /// Returns the number of program addresses in use.
    fn length(&self) -> usize;
    /// Returns the instruction at a program address, `None` if there is none.
    fn instruction(&self, pc: usize) -> Option<InstructionInfo>;
}

/// Cycles and instructions spent at one program address.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spent {
    pub cycles: u64,
    pub instructions: u64,
}

/// Cost of a function without its callees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionProfile {
    /// Name of the function; `?` outside every symbol, which includes the call instruction itself.
    pub name: String,
    pub cycles: u64,
    pub instructions: u64,
}

/// Returns the cost of functions, most expensive first, without those that were not reached.
pub(crate) fn by_cycles<'a>(spent: impl Iterator<Item = (&'a str, Spent)>) -> Vec<FunctionProfile> {
    let reached = spent.filter(|(_, spent)| spent.instructions > 0);
    let mut functions: Vec<_> = reached
        .map(|(name, Spent { cycles, instructions })| FunctionProfile { name: name.to_owned(), cycles, instructions })
        .collect();
    functions.sort_by(|a, b| b.cycles.cmp(&a.cycles).then_with(|| a.name.cmp(&b.name)));
    functions
}

/// Sums over a run; all 0 if it was not observed.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    /// Executed instructions by [`Class`].
    pub mix: [u64; Class::ALL.len()],
    /// Transfers from memory: bytes on an 8-bit CPU, otherwise registers or words.
    pub loads: u64,
    pub stores: u64,
    /// Registers read and written by their instructions; 0 of a family that does not count them.
    pub register_reads: u64,
    pub register_writes: u64,
    /// Executed conditional branches, and skips if the CPU has them.
    pub branches: u64,
    pub branches_taken: u64,
    /// Cost of functions, most expensive first.
    pub functions: Vec<FunctionProfile>,
}

/// Counts executions per program address and records the lowest stack pointer.
///
/// Straight-line code is not counted instruction by instruction. The count of an address goes up where the flow enters
/// a line and down where it leaves it; the running sum over the addresses is how often each one was executed.
///
/// It serves programs of at most `ADDRESSES` addresses, a power of two. A finished profile is ready for the next run,
/// because creating one clears counters for a whole program memory.
pub struct Profile<const ADDRESSES: usize> {
    /// Entries minus exits by program address; wraps below zero.
    flow: Box<[u64; ADDRESSES]>,
    taken: Box<[u64; ADDRESSES]>,
    waits: Box<[u64; ADDRESSES]>,
    totals: Totals,
    /// Cycles and instructions by program address.
    spent: Vec<Spent>,
    /// Lowest stack pointer seen.
    pub lowest: u32,
}

impl<const ADDRESSES: usize> Profile<ADDRESSES> {
    /// Starts a run with a stack pointer.
    pub fn start(&mut self, stack_pointer: u32) {
        self.lowest = stack_pointer;
    }

    /// Returns the sums since the start. `call` is the cost of the call instruction itself; `unit_bytes` is the size of
    /// a program counter step.
    pub fn finish(&mut self, listing: &dyn Listing, symbols: &Symbols, unit_bytes: u32, call: Spent) -> Totals {
        self.settle(listing);
        let spent = std::mem::take(&mut self.spent);
        let sum = |from: u32, to: u32| {
            let unit = |address: u32| (address.div_ceil(unit_bytes) as usize).min(spent.len());
            let mut sum = Spent::default();
            for spent in &spent[unit(from)..unit(to)] {
                sum.cycles += spent.cycles;
                sum.instructions += spent.instructions;
            }
            sum
        };
        let mut outside = sum(0, u32::MAX);
        outside.cycles += call.cycles;
        outside.instructions += call.instructions;
        let mut spenders = Vec::new();
        for function in symbols.functions() {
            let spent = sum(function.start, function.end);
            outside.cycles -= spent.cycles;
            outside.instructions -= spent.instructions;
            spenders.push((function.name.as_str(), spent));
        }
        spenders.push(("?", outside));
        let mut totals = std::mem::take(&mut self.totals);
        totals.functions = by_cycles(spenders.into_iter());
        totals
    }

    fn settle(&mut self, listing: &dyn Listing) {
        let totals = &mut self.totals;
        let length = listing.length().min(ADDRESSES);
        self.spent.resize(length.max(self.spent.len()), Spent::default());
        let (mut passed, mut passing_over) = (0_u64, 0);
        // The flow may leave behind the last address in use.
        if let Some(flow) = self.flow.get_mut(length) {
            *flow = 0;
        }
        for pc in 0..length {
            passed = passed.wrapping_add(std::mem::take(&mut self.flow[pc]));
            // Of those that pass, some are in the middle of the longer instruction before.
            let executed = passed - passing_over;
            passing_over = 0;
            if executed == 0 {
                continue;
            }
            let taken = std::mem::take(&mut self.taken[pc]);
            let wait_cycles = std::mem::take(&mut self.waits[pc]);
            let Some(info) = listing.instruction(pc) else { continue };
            passing_over = if info.units > 1 { executed } else { 0 };
            totals.mix[info.class as usize] += executed;
            totals.loads += executed * u64::from(info.loads);
            totals.stores += executed * u64::from(info.stores);
            if info.conditional {
                totals.branches += executed;
                totals.branches_taken += taken;
            }
            let spent = &mut self.spent[pc];
            spent.instructions += executed;
            spent.cycles += executed * u64::from(info.cycles) + taken * u64::from(info.taken_cycles) + wait_cycles;
        }
    }
}

impl<const ADDRESSES: usize> Default for Profile<ADDRESSES> {
    fn default() -> Self {
        Profile {
            flow: Box::new([0; ADDRESSES]),
            taken: Box::new([0; ADDRESSES]),
            waits: Box::new([0; ADDRESSES]),
            totals: Totals::default(),
            spent: Vec::new(),
            lowest: 0,
        }
    }
}

impl<const ADDRESSES: usize> Observer for Profile<ADDRESSES> {
    #[inline(always)]
    fn began(&mut self, pc: u32) {
        let flow = &mut self.flow[pc as usize % ADDRESSES];
        *flow = flow.wrapping_add(1);
    }

    #[inline(always)]
    fn ended(&mut self, pc: u32) {
        let flow = &mut self.flow[pc as usize % ADDRESSES];
        *flow = flow.wrapping_sub(1);
    }

    #[inline(always)]
    fn jumped(&mut self, sequel: u32, target: u32) {
        self.ended(sequel);
        self.began(target);
    }

    #[inline(always)]
    fn taken(&mut self, pc: u32) {
        self.taken[pc as usize % ADDRESSES] += 1;
    }

    #[inline(always)]
    fn waited(&mut self, pc: u32, cycles: u32) {
        self.waits[pc as usize % ADDRESSES] += u64::from(cycles);
    }

    #[inline(always)]
    fn stack(&mut self, stack_pointer: u32) {
        self.lowest = self.lowest.min(stack_pointer);
    }

    fn program_changes(&mut self, listing: &dyn Listing) {
        self.settle(listing);
    }
}

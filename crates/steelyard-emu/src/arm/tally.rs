//! What every instruction cost and how often it ran, by place in the array of decoded instructions.

use super::program::Program;
use crate::machine::FunctionProfile;
use crate::observe::Observer;
use crate::profile::{Class, Spent};
use crate::symbols::Symbols;

/// Observer of cycles, instructions, mix and stack.
pub struct Tally {
    /// Cycles and executions.
    spent: Vec<[u64; 2]>,
    /// Executions whose condition did not hold.
    skipped: Vec<u64>,
    branches_taken: u64,
    pub lowest: u32,
}

/// Sums of a run.
#[derive(Default)]
pub struct Totals {
    pub instructions: u64,
    pub mix: [u64; Class::ALL.len()],
    pub loads: u64,
    pub stores: u64,
    pub branches: u64,
    pub branches_taken: u64,
    pub functions: Vec<FunctionProfile>,
}

impl Tally {
    /// Starts from the stack pointer before the call; `places` is a first guess.
    pub fn new(stack_pointer: u32, places: usize) -> Self {
        Tally { spent: vec![[0; 2]; places], skipped: vec![0; places], branches_taken: 0, lowest: stack_pointer }
    }

    /// The sums, `call` being what the call instruction itself spent.
    pub fn finish(&self, program: &Program, symbols: &Symbols, call: Spent) -> Totals {
        let mut totals = Totals { branches_taken: self.branches_taken, ..Totals::default() };
        let mut by_function = vec![Spent::default(); symbols.functions().len()];
        let mut outside = call;
        for (place, &[cycles, instructions]) in self.spent.iter().enumerate() {
            if instructions == 0 {
                continue;
            }
            let Some(decoded) = program.ops.get(place) else { continue };
            let skipped = self.skipped[place];
            let done = instructions - skipped;
            totals.instructions += instructions;
            if decoded.conditional_branch() {
                totals.mix[decoded.class as usize] += instructions;
                totals.branches += instructions;
            } else {
                totals.mix[decoded.class as usize] += done;
                totals.mix[Class::Other as usize] += skipped;
            }
            let (loads, stores) = decoded.transfers();
            totals.loads += done * u64::from(loads);
            totals.stores += done * u64::from(stores);
            let owner = match symbols.function_at(program.address(place)) {
                Some(index) => &mut by_function[index],
                None => &mut outside,
            };
            owner.cycles += cycles;
            owner.instructions += instructions;
        }
        let named = symbols.functions().iter().map(|function| function.name.as_str()).zip(by_function);
        totals.functions = named
            .chain([("?", outside)])
            .filter(|(_, spent)| spent.instructions > 0)
            .map(|(name, Spent { cycles, instructions })| FunctionProfile { name: name.into(), cycles, instructions })
            .collect();
        totals.functions.sort_by(|a, b| b.cycles.cmp(&a.cycles).then_with(|| a.name.cmp(&b.name)));
        totals
    }

    #[cold]
    fn grow(&mut self, place: usize) {
        let places = (place + 1).next_power_of_two();
        self.spent.resize(places, [0; 2]);
        self.skipped.resize(places, 0);
    }
}

impl Observer for Tally {
    #[inline(always)]
    fn retired(&mut self, place: u32, cycles: u32) {
        let place = place as usize;
        if place >= self.spent.len() {
            self.grow(place);
        }
        let [spent, instructions] = &mut self.spent[place];
        *spent += u64::from(cycles);
        *instructions += 1;
    }

    #[inline(always)]
    fn skipped(&mut self, place: u32) {
        let place = place as usize;
        if place >= self.skipped.len() {
            self.grow(place);
        }
        self.skipped[place] += 1;
    }

    #[inline(always)]
    fn taken(&mut self, _place: u32) {
        self.branches_taken += 1;
    }

    #[inline(always)]
    fn stack(&mut self, stack_pointer: u32) {
        self.lowest = self.lowest.min(stack_pointer);
    }
}

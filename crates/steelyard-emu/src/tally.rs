//! Cost and number of executions of every instruction, by place in the array of decoded instructions.

use crate::observe::Observer;
use crate::processor::{Executed, Processor};
use crate::profile::{by_cycles, Class, Spent, Totals};
use crate::symbols::Symbols;
use std::collections::BTreeMap;

const EXECUTIONS: u64 = u32::MAX as u64;
/// Highest bits of both halves.
const HIGHEST: u64 = 1 << 63 | 1 << 31;

/// A half that is smaller may be added to another such one.
const HALF: u64 = 1 << 31;

/// Observer of cycles, instructions, mix and stack.
pub struct Tally {
    /// Cycles in the upper half, executions in the lower half; both share a word, so that a run's counters fit the
    /// host's nearest cache.
    spent: Vec<u64>,
    /// Counts that grew too large for a half, by place.
    settled: BTreeMap<usize, Spent>,
    /// Executions whose condition did not hold, by place.
    skipped: Vec<u64>,
    branches_taken: u64,
    pub lowest: u32,
}

impl Tally {
    /// Starts with the stack pointer before the call; `places` is an estimate.
    pub fn new(stack_pointer: u32, places: usize) -> Self {
        Tally {
            spent: vec![0; places],
            settled: BTreeMap::new(),
            skipped: vec![0; places],
            branches_taken: 0,
            lowest: stack_pointer,
        }
    }

    /// Returns the sums; `call` is the cost of the call instruction itself.
    pub fn finish<P: Processor>(&self, processor: &P, symbols: &Symbols, call: Spent) -> Totals {
        let mut totals = Totals { branches_taken: self.branches_taken, ..Totals::default() };
        let mut by_function = vec![Spent::default(); symbols.functions().len()];
        let mut outside = call;
        for (place, &packed) in self.spent.iter().enumerate() {
            let before = self.settled.get(&place).copied().unwrap_or_default();
            if packed == 0 && before.instructions == 0 {
                continue;
            }
            let cycles = before.cycles + (packed >> 32);
            let instructions = before.instructions + (packed & EXECUTIONS);
            let Some(Executed { address, class, loads, stores, conditional_branch, ports }) = processor.executed(place)
            else {
                continue;
            };
            let skipped = self.skipped[place];
            let done = instructions - skipped;
            if conditional_branch {
                totals.mix[class as usize] += instructions;
                totals.branches += instructions;
            } else {
                totals.mix[class as usize] += done;
                totals.mix[Class::Other as usize] += skipped;
            }
            totals.loads += done * u64::from(loads);
            totals.stores += done * u64::from(stores);
            totals.register_reads += done * u64::from(ports.reads);
            totals.register_writes += done * u64::from(ports.writes);
            let owner = match symbols.function_at(address) {
                Some(index) => &mut by_function[index],
                None => &mut outside,
            };
            owner.cycles += cycles;
            owner.instructions += instructions;
        }
        let named = symbols.functions().iter().map(|function| function.name.as_str()).zip(by_function);
        totals.functions = by_cycles(named.chain([("?", outside)]));
        totals
    }

    /// Makes room for a place and those before it.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, place: usize) {
        let places = (place + 1).next_power_of_two();
        self.spent.resize(places, 0);
        self.skipped.resize(places, 0);
    }

    /// Moves a place's counts to [`Tally::settled`] before one of its halves overflows.
    #[cold]
    #[inline(never)]
    fn settle(&mut self, place: usize) {
        let packed = std::mem::take(&mut self.spent[place]);
        let settled = self.settled.entry(place).or_default();
        settled.cycles += packed >> 32;
        settled.instructions += packed & EXECUTIONS;
    }

    #[cold]
    #[inline(never)]
    fn retired_beyond(&mut self, place: u32, cycles: u32) {
        self.grow(place as usize);
        self.retired(place, cycles);
    }
}

impl Observer for Tally {
    const SUMS: bool = true;

    fn retired_often(&mut self, place: u32, times: u64, cycles: u64) {
        let place = place as usize;
        if place >= self.spent.len() {
            self.grow(place);
        }
        if (cycles | times) < HALF {
            self.spent[place] += cycles << 32 | times;
            if self.spent[place] & HIGHEST != 0 {
                self.settle(place);
            }
            return;
        }
        let settled = self.settled.entry(place).or_default();
        settled.cycles += cycles;
        settled.instructions += times;
    }

    fn taken_often(&mut self, times: u64) {
        self.branches_taken += times;
    }

    #[inline(always)]
    fn retired(&mut self, place: u32, cycles: u32) {
        let Some(spent) = self.spent.get_mut(place as usize) else {
            return self.retired_beyond(place, cycles);
        };
        // Neither the cycles of one instruction nor a half that has not settled reach its highest bit.
        *spent += u64::from(cycles) << 32 | 1;
        if *spent & HIGHEST != 0 {
            self.settle(place as usize);
        }
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

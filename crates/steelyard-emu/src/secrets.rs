//! Which instructions of a run depend on secrets.

use crate::observe::{Leak, Observer, StackPeak};
use std::mem::discriminant;

/// An instruction that depends on secrets in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaked {
    /// Name of the way, see [`Leak::name`].
    pub kind: &'static str,
    /// Byte address of the instruction.
    pub address: u32,
    /// Executions that depended on a secret so.
    pub times: u64,
    /// The lowest and the highest byte of the accesses, if they are accesses.
    pub accessed: Option<(u32, u32)>,
}

/// What [`Leaked`] says, by place.
pub struct Found {
    pub place: u32,
    /// The first time.
    first: Leak,
    times: u64,
    accessed: Option<(u32, u32)>,
    /// Number of the next one at the same place, [`NONE`] behind the last.
    next: u32,
}

impl Found {
    /// Returns it with the address of its place.
    pub fn leaked(&self, address: u32) -> Leaked {
        Leaked { kind: self.first.name(), address, times: self.times, accessed: self.accessed }
    }
}

const NONE: u32 = u32::MAX;

/// Observer of what depends on secrets, of instructions and of the stack's peak.
pub struct Leaks {
    pub stack: StackPeak,
    /// In the order of their first times.
    pub found: Vec<Found>,
    /// Number of the first one at each place.
    at: Vec<u32>,
}

impl Leaks {
    /// Starts with the stack pointer before the call; `places` is an estimate.
    pub fn new(stack_pointer: u32, places: usize) -> Self {
        Leaks { stack: StackPeak::new(stack_pointer), found: Vec::new(), at: vec![NONE; places] }
    }

    /// Keeps one that is the first of its kind at its place.
    #[cold]
    #[inline(never)]
    fn keep(&mut self, place: u32, leak: Leak) {
        let index = place as usize;
        if index >= self.at.len() {
            self.at.resize((index + 1).next_power_of_two(), NONE);
        }
        let next = std::mem::replace(&mut self.at[index], self.found.len() as u32);
        self.found.push(Found { place, first: leak, times: 1, accessed: leak.accessed(), next });
    }
}

impl Observer for Leaks {
    #[inline(always)]
    fn executed(&mut self, pc: u32) {
        self.stack.executed(pc);
    }

    #[inline(always)]
    fn refused(&mut self, pc: u32) {
        self.stack.refused(pc);
    }

    #[inline(always)]
    fn retired(&mut self, pc: u32, cycles: u32) {
        self.stack.retired(pc, cycles);
    }

    #[inline(always)]
    fn stack(&mut self, stack_pointer: u32) {
        self.stack.stack(stack_pointer);
    }

    fn leaked(&mut self, pc: u32, leak: Leak) {
        let mut number = self.at.get(pc as usize).copied().unwrap_or(NONE);
        while let Some(found) = self.found.get_mut(number as usize) {
            if discriminant(&found.first) == discriminant(&leak) {
                found.times += 1;
                if let (Some((lowest, highest)), Some((from, to))) = (&mut found.accessed, leak.accessed()) {
                    (*lowest, *highest) = ((*lowest).min(from), (*highest).max(to));
                }
                return;
            }
            number = found.next;
        }
        self.keep(pc, leak);
    }
}

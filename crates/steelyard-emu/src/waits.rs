//! Why the instruction under way takes longer than it takes to execute.

use crate::memory_system::MemorySystem;
use crate::observe::{Cause, Observer};

/// Cycles of the instruction under way by their causes, for observers that take details.
#[derive(Debug, Default)]
pub struct Waits {
    cycles: [u64; Cause::ALL.len()],
}

impl Waits {
    /// Adds cycles that have a cause.
    #[inline(always)]
    pub fn add<O: Observer>(&mut self, cause: Cause, cycles: u64) {
        if O::DETAILS {
            self.cycles[cause as usize] += cycles;
        }
    }

    /// Adds the cycles from now to the start of an instruction: until a unit is free they are the unit's, the others
    /// pass until a result is there.
    #[inline(always)]
    pub fn start<O: Observer>(&mut self, now: u64, start: u64, unit: (Cause, u64)) {
        if O::DETAILS {
            let (cause, free) = unit;
            let busy = free.min(start).saturating_sub(now);
            self.add::<O>(cause, busy);
            self.add::<O>(Cause::Result, start.saturating_sub(now) - busy);
        }
    }

    /// Adds the cycles for which the code at an address made the core wait.
    #[inline(always)]
    pub fn fetch<O: Observer, M: MemorySystem>(&mut self, system: &M, address: u32, cycles: u64) {
        if O::DETAILS && cycles > 0 {
            let missed = system.has_missed_code(address);
            self.add::<O>(if missed { Cause::FetchMiss } else { Cause::Fetch }, cycles);
        }
    }

    /// Takes cycles back for which code had made the core wait: the instruction need not have waited for them.
    #[inline(always)]
    pub fn unfetch<O: Observer>(&mut self, mut cycles: u64) {
        if O::DETAILS {
            for cause in [Cause::Fetch, Cause::FetchMiss] {
                let taken = cycles.min(self.cycles[cause as usize]);
                self.cycles[cause as usize] -= taken;
                cycles -= taken;
            }
        }
    }

    /// Adds the cycles for which the data accessed last made the core wait.
    #[inline(always)]
    pub fn data<O: Observer, M: MemorySystem>(&mut self, system: &M, cycles: u64) {
        if O::DETAILS && cycles > 0 {
            let missed = system.has_missed_data();
            self.add::<O>(if missed { Cause::DataMiss } else { Cause::Data }, cycles);
        }
    }

    /// Tells of an instruction that has ended, and begins with the next one.
    #[inline(always)]
    pub fn tell<O: Observer>(&mut self, observer: &mut O, pc: u32) {
        if O::DETAILS {
            for (cause, cycles) in Cause::ALL.into_iter().zip(std::mem::take(&mut self.cycles)) {
                if cycles > 0 {
                    observer.stalled(pc, cause, cycles as u32);
                }
            }
        }
    }
}

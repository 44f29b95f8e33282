//! Counts of a run apart for every so many cycles.

use crate::machine::Window;
use crate::observe::Observer;
use crate::processor::{Executed, Processor};
use crate::profile::{Class, Totals};
use std::collections::HashMap;

/// Executions of an instruction, and those among them whose condition did not hold.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    executed: u64,
    skipped: u64,
}

/// What began within a window.
#[derive(Debug, Default)]
struct Part {
    cycles: u64,
    /// By place.
    counts: HashMap<u32, Count>,
}

/// Observer of instructions by the window in which they begin; windows in which none begins are left out.
pub struct Windows {
    window_cycles: u64,
    /// Cycles so far, and those at which the present window ends.
    now: u64,
    edge: u64,
    parts: Vec<Part>,
}

impl Windows {
    /// Starts with the cycles of the call instruction, which begins the first window.
    pub fn new(window_cycles: u64, call_cycles: u64) -> Self {
        let first = Part { cycles: call_cycles, counts: HashMap::new() };
        Windows { window_cycles, now: call_cycles, edge: window_cycles, parts: vec![first] }
    }

    /// Returns the windows; the mix of the first includes the call instruction.
    pub fn finish<P: Processor>(self, processor: &P) -> Vec<Window> {
        let mut windows: Vec<Window> = self.parts.iter().map(|part| part.window(processor)).collect();
        windows[0].totals.mix[Class::Call as usize] += 1;
        windows
    }

    fn part(&mut self) -> &mut Part {
        if self.now >= self.edge {
            self.edge = (self.now / self.window_cycles + 1) * self.window_cycles;
            self.parts.push(Part::default());
        }
        self.parts.last_mut().expect("there is one from the start")
    }
}

impl Part {
    fn window<P: Processor>(&self, processor: &P) -> Window {
        let mut totals = Totals::default();
        for (&place, count) in &self.counts {
            let Some(executed) = processor.executed(place as usize) else { continue };
            let Executed { class, loads, stores, conditional_branch, ports, .. } = executed;
            let done = count.executed - count.skipped;
            let as_other = if conditional_branch { 0 } else { count.skipped };
            totals.mix[class as usize] += count.executed - as_other;
            totals.mix[Class::Other as usize] += as_other;
            totals.loads += done * u64::from(loads);
            totals.stores += done * u64::from(stores);
            totals.register_reads += done * u64::from(ports.reads);
            totals.register_writes += done * u64::from(ports.writes);
        }
        Window { cycles: self.cycles, totals }
    }
}

impl Observer for Windows {
    fn retired(&mut self, place: u32, cycles: u32) {
        let part = self.part();
        part.cycles += u64::from(cycles);
        part.counts.entry(place).or_default().executed += 1;
        self.now += u64::from(cycles);
    }

    fn skipped(&mut self, place: u32) {
        self.part().counts.entry(place).or_default().skipped += 1;
    }
}

//! How long instructions take: one function per rule between neighbours.
//!
//! The numbers are the core's, from its data file, which names their sources; [`super::timing`] says what each means.

use super::predict::Guess;
use super::timing::{Cost, Costs, MultiplyCost};
use crate::memory_system::{Delay, MemorySystem};

/// Cycle of the earliest start of an instruction that uses a register. Numbers above 31 are those of nothing.
pub type Ready = [u64; 64];

/// An in-order pipeline that starts at most one instruction per cycle.
pub struct Pipeline<'a> {
    cost: &'a Costs,
    pub(super) ready: &'a mut Ready,
    alu_issue: u64,
    alu_result: u64,
    /// Bits of a destination's number that are looked at: none where it is not waited for, since x0 is always ready.
    awaited: u8,
    /// Earliest start of the next instruction.
    pub now: u64,
    /// Earliest start of the next multiplication or division.
    pub(super) unit_free: u64,
    /// Line of code that was fetched last.
    line: u32,
}

impl<'a> Pipeline<'a> {
    /// Begins with nothing under way.
    pub fn new(cost: &'a Costs, ready: &'a mut Ready, now: u64) -> Self {
        let (alu_issue, alu_result) = (u64::from(cost.alu.issue), u64::from(cost.alu.result));
        let awaited = if cost.overwrites { 0 } else { 31 };
        Pipeline { cost, ready, alu_issue, alu_result, awaited, now, unit_free: 0, line: u32::MAX }
    }

    /// Fetches an instruction, whose last halfword lies at `last`; a line waits once.
    #[inline(always)]
    pub fn fetch<M: MemorySystem>(&mut self, system: &mut M, first: u32, last: u32) {
        let line_bytes = M::FETCH_LINE_BYTES.max(1);
        let line = last / line_bytes;
        if line == self.line {
            return;
        }
        if first / line_bytes != self.line {
            self.now += u64::from(system.fetch(first, self.now));
        }
        if first / line_bytes != line {
            self.now += u64::from(system.fetch(last, self.now));
        }
        self.line = line;
    }

    /// Returns the start of an instruction: when its sources are ready, and what it writes has no result to come,
    /// unless the core overwrites it.
    #[inline(always)]
    pub fn start<const N: usize>(&self, sources: [u8; N], destination: u8) -> u64 {
        self.sources(sources).max(self.ready[usize::from(destination & self.awaited & 31)])
    }

    /// Returns the start of an instruction that writes nothing.
    #[inline(always)]
    pub fn sources<const N: usize>(&self, sources: [u8; N]) -> u64 {
        sources.iter().fold(self.now, |start, &source| start.max(self.ready[usize::from(source & 63)]))
    }

    /// A computation with registers and immediates.
    #[inline(always)]
    pub fn computes(&mut self, start: u64, destination: u8) {
        self.ready[usize::from(destination & 63)] = start + self.alu_result;
        self.now = start + self.alu_issue;
    }

    /// An instruction with a cost of its own.
    #[inline(always)]
    pub fn spends(&mut self, start: u64, destination: u8, cost: Cost) {
        self.ready[usize::from(destination & 63)] = start + u64::from(cost.result);
        self.now = start + u64::from(cost.issue);
    }

    /// A multiplication: the unit takes the next one only when it is free.
    #[inline(always)]
    pub fn multiplies(&mut self, start: u64, destination: u8, cost: MultiplyCost) {
        let start = start.max(self.unit_free);
        self.ready[usize::from(destination & 63)] = start + u64::from(cost.result);
        self.unit_free = start + u64::from(cost.unit);
        self.now = start + u64::from(cost.issue);
    }

    /// A division: its time depends on how much longer the dividend is, and it may hold up what follows.
    #[inline(always)]
    pub fn divides(&mut self, start: u64, destination: u8, signed: bool, dividend: u32, divisor: u32) {
        let start = start.max(self.unit_free);
        let result = self.cost.divide.result(signed, dividend, divisor);
        self.ready[usize::from(destination & 63)] = start + result;
        self.unit_free = start + result;
        self.now = start + if self.cost.divide.blocks { result } else { 1 };
    }

    /// A load: memory may hold it up, and may deliver later than a hit.
    #[inline(always)]
    pub fn loads(&mut self, start: u64, destination: u8, cost: Cost, delay: Delay) {
        let start = start + u64::from(delay.stall);
        self.ready[usize::from(destination & 63)] = start + u64::from(cost.result) + u64::from(delay.latency);
        self.now = start + u64::from(cost.issue);
    }

    /// A store: only memory holds it up.
    #[inline(always)]
    pub fn stores(&mut self, start: u64, delay: Delay) {
        self.now = start + u64::from(delay.stall) + u64::from(self.cost.store.issue);
    }

    /// A branch, rightly predicted.
    #[inline(always)]
    pub fn branches(&mut self, start: u64, taken: bool) {
        let cost = if taken { self.cost.branch_taken } else { self.cost.branch };
        self.now = start + u64::from(cost.issue);
    }

    /// What a branch or jump costs beyond its issue.
    #[inline(always)]
    pub fn guessed(&mut self, guess: Guess) {
        match guess {
            Guess::Right => {}
            Guess::Late => self.now += u64::from(self.cost.late),
            Guess::Wrong => self.now += u64::from(self.cost.mispredicted),
        }
    }

    /// A jump to a long instruction that begins in the middle of a word: its second half is fetched by itself.
    #[inline(always)]
    pub fn straddles(&mut self) {
        self.now += u64::from(self.cost.straddling_target);
    }

    /// Nothing is under way beside it: a fence, the way into a handler and back.
    #[inline(always)]
    pub fn stands(&mut self, cost: Cost) {
        self.now += u64::from(cost.issue);
    }
}

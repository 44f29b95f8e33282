//! How long instructions take: one function per rule between neighbours.
//!
//! The numbers are the core's, from its data file, which names their sources; [`super::timing`] says what each means.

use super::decode::NONE;
use super::timing::{Core, Cost, Costs, MultiplyCost, OperandTimes, PairCost};
use crate::memory_system::{Delay, MemorySystem};

/// Cycle of the earliest start of an instruction that uses a register. Numbers above 15 are those of nothing.
pub type Ready = [u64; 32];

/// Cycles that an address costs a load or store beyond its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extra {
    pub issue: u64,
    pub result: u64,
}

/// An in-order pipeline that starts at most one instruction per cycle.
pub struct Pipeline<'a> {
    cost: &'a Costs,
    operand: OperandTimes,
    ready: &'a mut Ready,
    alu_issue: u64,
    alu_result: u64,
    /// All ones where an instruction waits for a pending result of the register that it writes.
    pending: u64,
    /// Earliest start of the next instruction.
    pub now: u64,
    /// Earliest start of the next multiplication.
    pub multiplier_free: u64,
    /// Earliest start of the next load or store.
    pub memory_free: u64,
    /// Register that the last data processing instruction wrote, and when it is ready.
    processed: u8,
    processed_ready: u64,
    /// Line of code that was fetched last.
    line: u32,
}

impl<'a> Pipeline<'a> {
    /// Begins with nothing under way.
    pub fn new(cost: &'a Costs, core: &Core, ready: &'a mut Ready, now: u64) -> Self {
        Pipeline {
            cost,
            operand: core.operand,
            ready,
            alu_issue: u64::from(cost.alu.issue),
            alu_result: u64::from(cost.alu.result),
            pending: if core.operand.pending_destination { u64::MAX } else { 0 },
            now,
            multiplier_free: 0,
            memory_free: 0,
            processed: NONE,
            processed_ready: 0,
            line: u32::MAX,
        }
    }

    /// Fetches an instruction; a line waits once.
    #[inline(always)]
    pub fn fetch<M: MemorySystem>(&mut self, system: &mut M, address: u32) {
        let line = address / M::FETCH_LINE_BYTES.max(1);
        if line != self.line {
            self.line = line;
            self.now += u64::from(system.fetch(address, self.now));
        }
    }

    #[inline(always)]
    pub fn ready(&self, register: u8) -> u64 {
        self.ready[usize::from(register & 31)]
    }

    #[inline(always)]
    pub fn set_ready(&mut self, register: u8, cycle: u64) {
        self.ready[usize::from(register & 31)] = cycle;
    }

    /// Returns when all sources are ready.
    #[inline(always)]
    pub fn sources<const N: usize>(&self, sources: [u8; N]) -> u64 {
        sources.iter().fold(self.now, |start, &source| start.max(self.ready(source)))
    }

    /// Returns the start of an instruction: when its sources are ready, and what it writes has no result to come.
    #[inline(always)]
    pub fn start<const N: usize>(&self, sources: [u8; N], destination: u8) -> u64 {
        self.sources(sources).max(self.writable(destination))
    }

    /// Returns when a register may be written.
    #[inline(always)]
    pub fn writable(&self, register: u8) -> u64 {
        self.ready(register) & self.pending
    }

    /// Returns the earliest start of a load or store with this base register.
    #[inline(always)]
    pub fn base(&self, base: u8) -> u64 {
        self.sources([base]).max(self.memory_free)
    }

    /// A result of data processing is shifted: the shifter takes it later than the adder.
    #[inline(always)]
    pub fn shifted(&self, start: u64, register: u8) -> u64 {
        if register == self.processed {
            start.max(self.processed_ready + u64::from(self.operand.shifted))
        } else {
            start
        }
    }

    /// Data processing.
    #[inline(always)]
    pub fn processes(&mut self, start: u64, destination: u8) {
        self.processed = destination;
        self.processed_ready = start + self.alu_result;
        self.set_ready(destination, self.processed_ready);
        self.now = start + self.alu_issue;
    }

    /// Data processing with a cost of its own.
    #[inline(always)]
    pub fn processes_at(&mut self, start: u64, destination: u8, cost: Cost) {
        self.processed = destination;
        self.processed_ready = start + u64::from(cost.result);
        self.set_ready(destination, self.processed_ready);
        self.now = start + u64::from(cost.issue);
    }

    /// An instruction with a cost of its own that is no data processing.
    #[inline(always)]
    pub fn spends(&mut self, start: u64, destination: u8, cost: Cost) {
        self.set_ready(destination, start + u64::from(cost.result));
        self.now = start + u64::from(cost.issue);
    }

    /// An instruction that writes no register.
    #[inline(always)]
    pub fn issues(&mut self, start: u64, cost: Cost) {
        self.now = start + u64::from(cost.issue);
    }

    /// Returns the start of a multiplication: it wants its accumulator later than its factors.
    #[inline(always)]
    pub fn product(&self, factors: [u8; 2], accumulator: u8) -> u64 {
        self.sources(factors).max(self.multiplier_free).max(self.accumulator(accumulator))
    }

    /// Returns the start at which an accumulator is there in time.
    #[inline(always)]
    pub fn accumulator(&self, register: u8) -> u64 {
        self.ready(register).saturating_sub(u64::from(self.operand.accumulator_later))
    }

    /// A multiplication; the upper half of a long product may come later. The multiplier is busy meanwhile.
    #[inline(always)]
    pub fn multiplies(&mut self, start: u64, low: u8, high: Option<u8>, cost: MultiplyCost) {
        self.set_ready(low, start + u64::from(cost.result));
        if let Some(high) = high {
            self.set_ready(high, start + u64::from(cost.result_high));
        }
        self.multiplier_free = start + u64::from(cost.resource);
        self.now = start + u64::from(cost.issue);
    }

    /// Returns the start at which the data of a store is there in time: it is wanted later than the address.
    #[inline(always)]
    pub fn stored(&self, register: u8) -> u64 {
        self.stored_after(register, 0)
    }

    /// Returns the start at which a register that goes so many cycles after the first is there in time.
    #[inline(always)]
    pub fn stored_after(&self, register: u8, cycles: u64) -> u64 {
        self.ready(register).saturating_sub(u64::from(self.operand.store_data_later) + cycles)
    }

    /// A load: memory may hold it up, and may deliver later than a hit. Returns the cycle in which it went on.
    #[inline(always)]
    pub fn loads(&mut self, start: u64, destination: u8, cost: Cost, extra: Extra, delay: Delay) {
        let start = start + u64::from(delay.stall);
        self.set_ready(destination, start + u64::from(cost.result) + extra.result + u64::from(delay.latency));
        self.now = start + u64::from(cost.issue) + extra.issue;
    }

    /// A store.
    #[inline(always)]
    pub fn stores(&mut self, start: u64, cost: Cost, extra: Extra, stall: u32) {
        self.now = start + u64::from(stall) + u64::from(cost.issue) + extra.issue;
    }

    /// A load of two registers. The way to memory is busy meanwhile.
    #[inline(always)]
    pub fn loads_pair(&mut self, start: u64, first: u8, cost: PairCost, extra: Extra, delay: Delay) -> u64 {
        let start = start + u64::from(delay.stall);
        self.set_ready(first, start + u64::from(cost.result) + u64::from(delay.latency));
        self.set_ready(first + 1, start + u64::from(cost.result_second) + u64::from(delay.latency));
        self.now = start + u64::from(cost.issue) + extra.issue;
        self.memory_free = start + u64::from(cost.resource);
        start
    }

    /// A store of two registers, which keeps the way to memory busy too.
    #[inline(always)]
    pub fn stores_pair(&mut self, start: u64, cost: PairCost, extra: Extra, stall: u32) {
        self.now = start + u64::from(stall) + u64::from(cost.issue) + extra.issue;
        self.memory_free = start + u64::from(cost.resource);
    }

    /// The base register of a load or store is written back.
    #[inline(always)]
    pub fn writes_back(&mut self, start: u64, base: u8) {
        self.set_ready(base, start + u64::from(self.cost.writeback.result));
    }

    /// An instruction whose condition does not hold; `refetched` if its branch had been predicted.
    #[inline(always)]
    pub fn skips(&mut self, refetched: bool) {
        self.now += u64::from(if refetched { self.cost.branch_refill.issue } else { self.cost.skipped.issue });
    }

    /// A branch whose target is in the instruction; `right` if it was predicted.
    #[inline(always)]
    pub fn branches(&mut self, right: bool) {
        self.now += u64::from(if right { self.cost.branch.issue } else { self.cost.branch_refill.issue });
    }

    /// The return address is written as the branch ends.
    #[inline(always)]
    pub fn links(&mut self, register: u8) {
        self.set_ready(register, self.now);
    }
}

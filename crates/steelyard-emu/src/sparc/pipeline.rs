//! How long instructions take: one function per rule between neighbours.
//!
//! The numbers are the core's, from its data file, which names their sources; [`super::timing`] says what each means.

use super::timing::{Core, Cost, Costs, Group, MultiplyCost, PairCost, Unit};
use crate::memory_system::{Delay, MemorySystem};

/// Cycle of the earliest start of an instruction that uses a register. Numbers above 31 are those of nothing.
pub type Ready = [u64; 64];

/// Instructions that have started, and results that are not ready, between runs.
#[derive(Clone)]
pub struct UnderWay {
    pub ready: Ready,
    codes_ready: u64,
    y_ready: u64,
    group: OpenGroup,
    line: u32,
}

impl Default for UnderWay {
    fn default() -> Self {
        UnderWay { ready: [0; 64], codes_ready: 0, y_ready: 0, group: OpenGroup::default(), line: u32::MAX }
    }
}

/// The group that may still take instructions.
#[derive(Clone, Copy, Default)]
struct OpenGroup {
    open: bool,
    start: u64,
    /// Number of instructions in the group, branches included; `without_branches` excludes them.
    all: u8,
    without_branches: u8,
    first: bool,
    second: bool,
    memory: bool,
    branch: bool,
    /// Address of the only instruction that may extend the group.
    next_pc: u32,
}

impl OpenGroup {
    /// Adds an instruction to the group; returns false if there is no room.
    #[inline(always)]
    fn join(&mut self, unit: Unit, limits: Group) -> bool {
        let room = self.all < limits.width && (unit == Unit::Branch || self.without_branches < limits.without_branches);
        // Instructions go into the units in order: nothing enters the first one behind something in the second.
        let free = match unit {
            Unit::Alone => false,
            Unit::Any => !self.second,
            Unit::First => !self.first && !self.second,
            Unit::Second => !self.second,
            Unit::Memory => !self.memory,
            Unit::Branch => !self.branch,
        };
        if room && free {
            self.take(unit);
        }
        room && free
    }

    #[inline(always)]
    fn take(&mut self, unit: Unit) {
        self.all += 1;
        self.without_branches += u8::from(unit != Unit::Branch);
        match unit {
            Unit::Alone => self.open = false,
            Unit::Any if self.first => self.second = true,
            Unit::Any | Unit::First => self.first = true,
            Unit::Second => self.second = true,
            Unit::Memory => self.memory = true,
            Unit::Branch => self.branch = true,
        }
    }
}

/// An in-order pipeline that starts one instruction per cycle, or with `GROUPS` one group of them.
pub struct Pipeline<'a, const GROUPS: bool> {
    cost: &'a Costs,
    ready: &'a mut Ready,
    /// Earliest start of the next group.
    pub now: u64,
    /// Earliest start of a branch that uses the condition codes.
    codes_ready: u64,
    y_ready: u64,
    group: OpenGroup,
    limits: Group,
    /// Address of the instruction whose turn it is.
    pc: u32,
    /// Line of code that was fetched last.
    line: u32,
    /// Cycles that the instruction waited for what it needs.
    pub waited: u64,
}

impl<'a, const GROUPS: bool> Pipeline<'a, GROUPS> {
    /// Goes on with what is under way; `ready` are its registers.
    pub fn new(core: &Core, cost: &'a Costs, under_way: &UnderWay, ready: &'a mut Ready, now: u64) -> Self {
        let limits = core.group.unwrap_or(Group { width: 1, without_branches: 1 });
        let UnderWay { codes_ready, y_ready, group, line, .. } = *under_way;
        Pipeline { cost, ready, now, codes_ready, y_ready, group, limits, pc: 0, line, waited: 0 }
    }

    /// Returns what is under way.
    pub fn under_way(&self) -> UnderWay {
        let Pipeline { codes_ready, y_ready, group, line, .. } = *self;
        UnderWay { ready: *self.ready, codes_ready, y_ready, group, line }
    }

    /// Comes to the instruction at an address.
    #[inline(always)]
    pub fn comes_to(&mut self, pc: u32) {
        self.pc = pc;
        self.waited = 0;
    }

    /// Fetches the instruction; a line waits once.
    #[inline(always)]
    pub fn fetch<M: MemorySystem>(&mut self, system: &mut M) {
        let line = self.pc / M::FETCH_LINE_BYTES.max(1);
        if line != self.line {
            self.line = line;
            let stall = system.fetch(self.pc, self.now);
            self.stalls(u64::from(stall));
        }
    }

    /// Nothing starts for some cycles, and nothing joins the group before them.
    #[inline(always)]
    pub fn stalls(&mut self, cycles: u64) {
        if cycles > 0 {
            self.now += cycles;
            self.group.open = false;
        }
    }

    /// Returns when a register is ready.
    #[inline(always)]
    pub fn register(&self, number: u8) -> u64 {
        self.ready[usize::from(number & 63)]
    }

    /// Returns when two registers are ready.
    #[inline(always)]
    pub fn registers(&self, first: u8, second: u8) -> u64 {
        self.register(first).max(self.register(second))
    }

    /// Makes a register ready at a cycle.
    #[inline(always)]
    fn becomes_ready(&mut self, number: u8, cycle: u64) {
        self.ready[usize::from(number & 63)] = cycle;
    }

    /// Starts the instruction when what it needs is there, in the open group or in one of its own, and returns when.
    #[inline(always)]
    fn issues(&mut self, needs: u64, issue: u64, unit: Unit) -> u64 {
        if !GROUPS {
            let start = self.now.max(needs);
            self.waited = start - self.now;
            self.now = start + issue;
            return start;
        }
        let group = &mut self.group;
        let follows = group.open && group.next_pc == self.pc && needs <= group.start;
        if follows && group.join(unit, self.limits) {
            group.next_pc = self.pc.wrapping_add(4);
            if issue > 1 {
                group.open = false;
                self.now = group.start + issue;
            }
            return group.start;
        }
        let start = self.now.max(needs);
        self.waited = start - self.now;
        *group = OpenGroup { open: true, start, next_pc: self.pc.wrapping_add(4), ..OpenGroup::default() };
        group.take(unit);
        group.open &= issue == 1;
        self.now = start + issue;
        start
    }

    /// An instruction that writes no register.
    #[inline(always)]
    pub fn starts(&mut self, needs: u64, cost: Cost) -> u64 {
        self.issues(needs, u64::from(cost.issue), cost.unit)
    }

    /// An instruction that writes a register.
    #[inline(always)]
    pub fn computes(&mut self, needs: u64, rd: u8, cost: Cost) {
        let start = self.starts(needs, cost);
        self.becomes_ready(rd, start + u64::from(cost.result));
    }

    /// An instruction that sets the condition codes: a branch waits for them.
    #[inline(always)]
    pub fn computes_codes(&mut self, needs: u64, rd: u8, cost: Cost) {
        let start = self.starts(needs, cost);
        self.codes_ready = start + u64::from(self.cost.condition_codes);
        self.becomes_ready(rd, start + u64::from(cost.result));
    }

    /// A multiplication: nothing starts before it ends, with Y and the codes; a short first operand may end it early.
    #[inline(always)]
    pub fn multiplies(&mut self, needs: u64, rd: u8, cost: MultiplyCost, bits: u32, sets_codes: bool) {
        let cycles = cost.cycles(bits);
        let start = self.issues(needs, cycles, Unit::Alone);
        self.y_ready = start + cycles;
        if sets_codes {
            self.codes_ready = start + cycles;
        }
        self.becomes_ready(rd, start + cycles);
    }

    /// A division, which takes Y.
    #[inline(always)]
    pub fn divides(&mut self, needs: u64, rd: u8, cost: Cost, sets_codes: bool) {
        let start = self.starts(needs.max(self.y_ready), cost);
        if sets_codes {
            self.codes_ready = start + u64::from(cost.issue);
        }
        self.becomes_ready(rd, start + u64::from(cost.result));
    }

    /// A step of a multiplication, which takes Y and gives it.
    #[inline(always)]
    pub fn multiplies_step(&mut self, needs: u64, rd: u8) {
        let cost = self.cost.mulscc;
        let start = self.starts(needs.max(self.y_ready), cost);
        self.y_ready = start + u64::from(cost.result);
        self.codes_ready = start + u64::from(self.cost.condition_codes);
        self.becomes_ready(rd, start + u64::from(cost.result));
    }

    #[inline(always)]
    pub fn reads_y(&mut self, rd: u8) {
        self.computes(self.y_ready, rd, self.cost.read_y);
    }

    #[inline(always)]
    pub fn writes_y(&mut self, needs: u64) {
        let cost = self.cost.write_y;
        self.y_ready = self.starts(needs, cost) + u64::from(cost.result);
    }

    /// The windows' handler runs until a cycle, within an instruction that had started; returns its new start.
    #[inline(always)]
    pub fn is_interrupted(&mut self, start: u64, until: u64) -> u64 {
        let start = start + (until - self.now);
        self.now = until;
        start
    }

    /// A window further down: the outs become ins, and the others wait for nothing.
    #[inline(always)]
    pub fn saves(&mut self, start: u64, rd: u8) {
        self.ready.copy_within(8..16, 24);
        self.ready[8..24].fill(0);
        self.becomes_ready(rd, start + u64::from(self.cost.window.result));
    }

    /// A window further up: the ins become outs, and the others wait for nothing.
    #[inline(always)]
    pub fn restores(&mut self, start: u64, rd: u8) {
        self.ready.copy_within(24..32, 8);
        self.ready[16..32].fill(0);
        self.becomes_ready(rd, start + u64::from(self.cost.window.result));
    }

    /// A load: memory may hold up what follows, and may deliver later than a hit.
    #[inline(always)]
    pub fn loads(&mut self, start: u64, rd: u8, cost: Cost, delay: Delay) {
        self.stalls(u64::from(delay.stall));
        self.becomes_ready(rd, start + u64::from(delay.stall) + u64::from(cost.result) + u64::from(delay.latency));
    }

    /// Starts a load of two registers.
    #[inline(always)]
    pub fn starts_pair(&mut self, needs: u64, cost: PairCost) -> u64 {
        self.issues(needs, u64::from(cost.issue), cost.unit)
    }

    /// A load of two registers, one behind the other.
    #[inline(always)]
    pub fn loads_pair(&mut self, start: u64, [even, odd]: [u8; 2], cost: PairCost, delay: Delay) {
        self.stalls(u64::from(delay.stall));
        let arrived = start + u64::from(delay.stall) + u64::from(delay.latency);
        self.becomes_ready(even, arrived + u64::from(cost.result));
        self.becomes_ready(odd, arrived + u64::from(cost.result_second));
    }

    /// Returns when a store's data have to be there: later than its address.
    #[inline(always)]
    pub fn data(&self, ready: u64) -> u64 {
        ready.saturating_sub(u64::from(self.cost.store_data_later))
    }

    /// An exchange with memory, which holds up what follows while it reads and writes.
    #[inline(always)]
    pub fn exchanges(&mut self, start: u64, rd: u8, cost: Cost, waits: u64) {
        self.stalls(waits);
        self.becomes_ready(rd, start + waits + u64::from(cost.result));
    }

    /// A branch, which waits for the condition codes if it asks for them; one not foreseen refills the pipeline.
    #[inline(always)]
    pub fn branches(&mut self, asks: bool, foreseen: bool) {
        let needs = if asks { self.codes_ready } else { 0 };
        self.starts(needs, if foreseen { self.cost.branch } else { self.cost.branch_refill });
    }

    /// A trap that is not taken waits for the condition codes as a branch does.
    #[inline(always)]
    pub fn passes_trap(&mut self) {
        self.starts(self.codes_ready, self.cost.nothing);
    }

    /// An annulled instruction takes its time, and nothing joins the group behind it.
    #[inline(always)]
    pub fn annuls(&mut self) {
        self.now += u64::from(self.cost.annulled);
        self.group.open = false;
    }
}

//! What is translated together, and when each instruction of it starts.
//!
//! The rules are those of [`super::super::pipeline`], which run here ahead of time: a block is planned for one state of
//! the pipeline at its entry, so that all that follows is known but for the times that depend on values.

use super::super::decode::{Decoded, Op};
use super::super::pipeline::{Pipeline, Ready};
use super::super::timing::Costs;
use std::collections::HashMap;

/// Instructions that are translated together at most.
const MOST_INSTRUCTIONS: usize = 1200;
/// Instructions of a block at most.
const MOST_IN_BLOCK: usize = 400;
/// Calls of a plan whose returns are found without a table.
const MOST_RETURNS: usize = 8;
/// Cycle at which a plan's time begins; nothing is ready later than 255 cycles.
const BEGINNING: u64 = 0;

/// Number of the unit of multiplications among the registers.
pub const UNIT: u8 = 32;

/// What is under way at the start of a block: register, and cycles until it is ready.
pub type Lags = Vec<(u8, u32)>;

/// A place with a state of the pipeline.
pub type Entry = (u32, Lags);

/// An instruction whose time is known.
#[derive(Debug, Clone)]
pub struct Planned {
    pub place: u32,
    pub decoded: Decoded,
    /// Cycle at which its turn comes, from the start of the block.
    pub begin: u32,
    /// What is under way then.
    pub lags: Lags,
    /// Cycles until the next one's turn comes, without those that depend on values. Of a branch those not taken.
    pub cycles: u32,
}

/// A way on from a block.
#[derive(Debug, Clone)]
pub struct Way {
    /// Cycles of the last instruction on this way, without those of a wrong prediction.
    pub cycles: u32,
    pub target: u32,
    /// What follows for each number of cycles that prediction may add: a block of the plan, or nothing.
    pub sequels: Vec<(u32, Lags, Option<usize>)>,
}

/// How a block ends.
#[derive(Debug, Clone)]
pub enum Last {
    /// The interpreter executes what follows.
    Leave,
    /// The next block follows.
    Fall(Way),
    Jump(Way),
    /// Taken, and not taken.
    Branch(Way, Way),
    /// Jump through a register: cycles, ways to places that are known, and what is under way anywhere else, for each
    /// number of cycles that prediction may add.
    Indirect(u32, Vec<Way>, Vec<(u32, Lags)>),
}

/// Instructions in a row.
#[derive(Debug, Clone)]
pub struct Block {
    pub instructions: Vec<Planned>,
    pub last: Last,
    /// Place and state behind the instructions, where the block ends in [`Last::Leave`].
    pub behind: (u32, u32, Lags),
    /// Latest cycle at which an instruction's turn may come, from the start of the block.
    pub latest: u32,
}

/// What is translated together; the first block is where it is entered.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub blocks: Vec<Block>,
    known: HashMap<Entry, usize>,
    returns: Vec<u32>,
    instructions: usize,
}

/// What a plan is made from.
pub struct Planner<'a, F: FnMut(u32) -> bool> {
    pub cost: &'a Costs,
    pub predicts: bool,
    pub ops: &'a [Decoded],
    /// Places that are left to the interpreter.
    pub cold: &'a [u32],
    /// Place of an address of the window, `None` outside it.
    pub place: &'a dyn Fn(u32) -> Option<u32>,
    /// Whether a jump to a place fetches one half more.
    pub straddles: F,
}

/// The pipeline at a time of the plan.
#[derive(Clone)]
struct Clock {
    now: u64,
    ready: Ready,
    unit_free: u64,
}

impl Clock {
    fn new(lags: &Lags) -> Self {
        let mut clock = Clock { now: BEGINNING, ready: [0; 64], unit_free: 0 };
        for &(register, cycles) in lags {
            let ready = BEGINNING + u64::from(cycles);
            match register {
                UNIT => clock.unit_free = ready,
                _ => clock.ready[usize::from(register)] = ready,
            }
        }
        clock
    }

    fn step<T>(&mut self, cost: &Costs, rule: impl FnOnce(&mut Pipeline) -> T) -> T {
        let mut pipeline = Pipeline::new(cost, &mut self.ready, self.now);
        pipeline.unit_free = self.unit_free;
        let result = rule(&mut pipeline);
        (self.now, self.unit_free) = (pipeline.now, pipeline.unit_free);
        result
    }

    fn begin(&self) -> u32 {
        (self.now - BEGINNING) as u32
    }

    /// What is under way so many cycles later.
    fn lags(&self, later: u32) -> Lags {
        let now = self.now + u64::from(later);
        let registers = (1..UNIT).map(|register| (register, self.ready[usize::from(register)]));
        registers
            .chain([(UNIT, self.unit_free)])
            .filter(|(_, ready)| *ready > now)
            .map(|(register, ready)| (register, (ready - now) as u32))
            .collect()
    }
}

/// Fewest and most cycles of a division.
pub fn division(cost: &Costs) -> (u32, u32) {
    let divide = &cost.divide;
    let (base, by_zero) = (u32::from(divide.result_base), u32::from(divide.result_by_zero));
    (base.min(by_zero), (base + 32 * u32::from(divide.result_per_bit)).max(by_zero))
}

impl<F: FnMut(u32) -> bool> Planner<'_, F> {
    /// Plans what is reached from a place, with everything ready there.
    pub fn plan(&mut self, place: u32) -> Plan {
        let mut plan = Plan::default();
        self.block(&mut plan, (place, Lags::new()));
        let mut next = 0;
        loop {
            while next < plan.blocks.len() {
                self.follow(&mut plan, next);
                next += 1;
            }
            // Returns go to every call that has been found.
            let before = plan.blocks.len();
            if plan.returns.len() <= MOST_RETURNS {
                (0..before).for_each(|block| self.follow_returns(&mut plan, block));
            }
            if plan.blocks.len() == before {
                return plan;
            }
        }
    }

    /// Returns the number of a block, planned now if there is room; `None` if it is left to the interpreter.
    fn block(&mut self, plan: &mut Plan, entry: Entry) -> Option<usize> {
        if let Some(&known) = plan.known.get(&entry) {
            return Some(known);
        }
        if plan.instructions >= MOST_INSTRUCTIONS || self.cold.contains(&entry.0) {
            return None;
        }
        let block = self.planned(entry.clone(), plan)?;
        plan.instructions += block.instructions.len();
        plan.blocks.push(block);
        plan.known.insert(entry, plan.blocks.len() - 1);
        Some(plan.blocks.len() - 1)
    }

    /// Numbers of cycles that prediction may add.
    fn penalties(&self, predicted: bool) -> Vec<u32> {
        let mut penalties = vec![0];
        if predicted && self.predicts {
            penalties.extend([u32::from(self.cost.late), u32::from(self.cost.mispredicted)]);
        }
        penalties.sort_unstable();
        penalties.dedup();
        penalties
    }

    fn way(&mut self, clock: &Clock, began: u32, target: u32, jumps: bool, predicted: bool) -> Way {
        let straddling = u32::from(self.cost.straddling_target);
        let straddle = if jumps && straddling > 0 && (self.straddles)(target) { straddling } else { 0 };
        let sequels = self.penalties(predicted).into_iter().map(|more| (more, clock.lags(more + straddle), None));
        Way { cycles: clock.begin() + straddle - began, target, sequels: sequels.collect() }
    }

    /// Finds the blocks behind a block.
    fn follow(&mut self, plan: &mut Plan, number: usize) {
        let mut last = plan.blocks[number].last.clone();
        let ways: Vec<&mut Way> = match &mut last {
            Last::Leave | Last::Indirect(..) => return,
            Last::Fall(way) | Last::Jump(way) => vec![way],
            Last::Branch(taken, not) => vec![not, taken],
        };
        for way in ways {
            for (_, lags, sequel) in &mut way.sequels {
                *sequel = self.block(plan, (way.target, lags.clone()));
            }
        }
        plan.blocks[number].last = last;
    }

    fn follow_returns(&mut self, plan: &mut Plan, number: usize) {
        let block = &plan.blocks[number];
        let Last::Indirect(cycles, ways, lags) = &block.last else { return };
        if !block.instructions.last().is_some_and(|last| last.decoded.returns()) || ways.len() == plan.returns.len() {
            return;
        }
        let (cycles, lags) = (*cycles, lags.clone());
        let straddling = u32::from(self.cost.straddling_target);
        let mut ways = Vec::new();
        for target in plan.returns.clone() {
            let straddle = if straddling > 0 && (self.straddles)(target) { straddling } else { 0 };
            let sequels = lags.iter().map(|(more, lags)| {
                let left = lags.iter().map(|&(register, cycles)| (register, cycles.saturating_sub(straddle)));
                let lags: Lags = left.filter(|(_, cycles)| *cycles > 0).collect();
                let sequel = self.block(plan, (target, lags.clone()));
                (*more, lags, sequel)
            });
            let sequels: Vec<_> = sequels.collect();
            ways.push(Way { cycles: cycles + straddle, target, sequels });
        }
        plan.blocks[number].last = Last::Indirect(cycles, ways, lags);
    }

    /// Plans a block; `None` if the interpreter must execute its first instruction.
    fn planned(&mut self, entry: Entry, plan: &mut Plan) -> Option<Block> {
        let cost = self.cost;
        let mut clock = Clock::new(&entry.1);
        let mut place = entry.0;
        let mut instructions: Vec<Planned> = Vec::new();
        let mut slack = 0;
        let mut latest = 0;
        let last = loop {
            let Some(&decoded) = self.ops.get(place as usize) else { break Last::Leave };
            if instructions.len() >= MOST_IN_BLOCK {
                let sequels = vec![(0, clock.lags(0), None)];
                break Last::Fall(Way { cycles: 0, target: place, sequels });
            }
            let Decoded { op, rd, rs1, rs2, imm, .. } = decoded;
            let before = clock.clone();
            let next = place + u32::from(decoded.halves);
            let mut last = None;
            match op {
                Op::AddImm
                | Op::SetLessImm
                | Op::SetLessUnsignedImm
                | Op::XorImm
                | Op::OrImm
                | Op::AndImm
                | Op::ShiftLeftImm
                | Op::ShiftRightImm
                | Op::ShiftRightSignedImm
                | Op::Constant => clock.step(cost, |line| line.computes(line.start([rs1], rd), rd)),
                Op::Add
                | Op::Sub
                | Op::ShiftLeft
                | Op::SetLess
                | Op::SetLessUnsigned
                | Op::Xor
                | Op::ShiftRight
                | Op::ShiftRightSigned
                | Op::Or
                | Op::And
                | Op::ToStack => clock.step(cost, |line| line.computes(line.start([rs1, rs2], rd), rd)),
                Op::Mul => clock.step(cost, |line| line.multiplies(line.start([rs1, rs2], rd), rd, cost.multiply)),
                Op::MulHigh | Op::MulHighSignedUnsigned | Op::MulHighUnsigned => {
                    clock.step(cost, |line| line.multiplies(line.start([rs1, rs2], rd), rd, cost.multiply_high));
                }
                Op::Div | Op::DivUnsigned | Op::Rem | Op::RemUnsigned => {
                    let (fewest, most) = division(cost);
                    // The operands of the shortest one.
                    let divisor = u32::from(u32::from(cost.divide.result_base) == fewest);
                    clock.step(cost, |line| line.divides(line.start([rs1, rs2], rd), rd, false, 0, divisor));
                    if fewest != most {
                        // What follows would depend on how long it takes.
                        if !cost.divide.blocks || !clock.lags(0).is_empty() {
                            clock = before;
                            break Last::Leave;
                        }
                        slack += most - fewest;
                    }
                }
                Op::LoadWord | Op::LoadStack => {
                    clock.step(cost, |line| line.loads(line.start([rs1], rd), rd, cost.load_word, Default::default()));
                }
                Op::LoadByte | Op::LoadHalf | Op::LoadByteUnsigned | Op::LoadHalfUnsigned => {
                    clock
                        .step(cost, |line| line.loads(line.start([rs1], rd), rd, cost.load_narrow, Default::default()));
                }
                Op::StoreByte | Op::StoreHalf | Op::StoreWord => {
                    clock.step(cost, |line| line.stores(line.sources([rs1, rs2]), Default::default()));
                }
                Op::Fence => clock.step(cost, |line| line.stands(cost.fence)),
                Op::Jump => {
                    let Some(target) = (self.place)(imm) else { break Last::Leave };
                    clock.step(cost, |line| line.spends(line.start([], rd), rd, cost.jump));
                    last = Some(Last::Jump(self.way(&clock, before.begin(), target, true, true)));
                    if decoded.links() && !plan.returns.contains(&next) {
                        plan.returns.push(next);
                    }
                }
                Op::JumpRegister => {
                    clock.step(cost, |line| line.spends(line.start([rs1], rd), rd, cost.jump_register));
                    let lags = self.penalties(true).into_iter().map(|more| (more, clock.lags(more))).collect();
                    last = Some(Last::Indirect(clock.begin() - before.begin(), Vec::new(), lags));
                    if decoded.links() && !plan.returns.contains(&next) {
                        plan.returns.push(next);
                    }
                }
                Op::BranchEqual
                | Op::BranchNotEqual
                | Op::BranchLess
                | Op::BranchGreaterEqual
                | Op::BranchLessUnsigned
                | Op::BranchGreaterEqualUnsigned => {
                    let Some(target) = (self.place)(imm) else { break Last::Leave };
                    let mut taken = clock.clone();
                    taken.step(cost, |line| line.branches(line.sources([rs1, rs2]), true));
                    clock.step(cost, |line| line.branches(line.sources([rs1, rs2]), false));
                    let taken = self.way(&taken, before.begin(), target, true, true);
                    let not = self.way(&clock, before.begin(), next, false, true);
                    last = Some(Last::Branch(taken, not));
                }
                _ => break Last::Leave,
            }
            latest = before.begin() + slack;
            instructions.push(Planned {
                place,
                decoded,
                begin: before.begin(),
                lags: before.lags(0),
                cycles: clock.begin() - before.begin(),
            });
            place = next;
            if let Some(last) = last {
                break last;
            }
        };
        if instructions.is_empty() {
            return None;
        }
        let behind = (place, clock.begin(), clock.lags(0));
        Some(Block { instructions, last, behind, latest })
    }
}

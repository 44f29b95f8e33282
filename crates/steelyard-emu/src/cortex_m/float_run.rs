//! How an instruction of the floating-point unit runs, apart from the flow: it takes values and returns values, so that
//! the flow's state need not lie in memory for it.

use super::cpu::Cpu;
use super::decode::{Op, Packed, NONE, NOWHERE, PC, SP, WRITEBACK};
use super::exec;
use super::float::{self, Unit};
use super::pipeline::{address_wait, NO_REGISTER, STORED};
use crate::fault::{FaultKind, Trap};
use crate::memory_system::MemorySystem;
use crate::value::HeldWord;

/// What an instruction of the unit leaves.
pub struct Floated<W> {
    /// Registers of the core that are written, the first of which may be the stack pointer.
    pub written: [(u8, W); 2],
    pub nzcv: W,
    /// The cycle in which the core goes on.
    pub now: u64,
    /// What the instruction wrote, as the pipeline keeps it.
    pub last: u8,
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    /// Executes an instruction of the floating-point unit. `operands` are the core's registers that it names, `last` is
    /// what the instruction before wrote.
    #[cold]
    #[inline(never)]
    pub(super) fn float(
        &mut self,
        op: Packed,
        operands: [W; 2],
        nzcv: W,
        now: u64,
        last: u8,
    ) -> Result<Floated<W>, Trap> {
        let Some(costs) = self.core.cost.float else { return Err(Trap::of(FaultKind::IllegalOpcode)) };
        let now = self.float.history.takes(op, costs.addend_later, now);
        let nothing = (NOWHERE, W::of(0));
        let ended = |cycles: u8| now + u64::from(cycles);
        let left = |now| Floated { written: [nothing; 2], nzcv, now, last: NO_REGISTER };
        Ok(match op.code {
            Op::Float => {
                self.float.process(op, nzcv);
                left(self.float.history.computes(op.rd(), float::operation(&costs, op.detail()), now))
            }
            Op::FloatFrom => {
                let count = if op.rm() == NONE { 1 } else { 2 };
                for (number, value) in (op.imm as u8..).zip(&operands[..count]) {
                    *self.float.single(number) = *value;
                }
                left(ended(costs.transfer * count as u8))
            }
            Op::FloatTo => {
                let first = (op.rd(), *self.float.single(op.imm as u8));
                let second = (op.extra(), *self.float.single(op.imm as u8 + 1));
                let words = if op.extra() == NOWHERE { 1 } else { 2 };
                let written = [first, if words == 2 { second } else { nothing }];
                Floated { written, last: op.rd(), ..left(ended(costs.transfer * words)) }
            }
            Op::FloatStatus if op.rd() == PC => {
                Floated { nzcv: self.float.status.shr(W::of(28)), ..left(ended(costs.status)) }
            }
            Op::FloatStatus => {
                let written = [(op.rd(), self.float.status), nothing];
                Floated { written, last: op.rd(), ..left(ended(costs.status)) }
            }
            Op::SetFloatStatus => {
                self.float.status = Unit::written(operands[0]);
                left(ended(costs.status))
            }
            Op::FloatLoad | Op::FloatLoadMultiple => {
                let now = now + address_wait(&self.core.cost, last, op.rn(), op.rm(), self.core.cost.store_before_load);
                let (base, now) = self.load_unit(op, operands[0], now)?;
                let written = [base.map_or(nothing, |base| (op.rn(), base)), nothing];
                Floated { written, ..left(now + u64::from(costs.load_base)) }
            }
            _ => {
                let now = now + address_wait(&self.core.cost, last, op.rn(), op.rm(), 0);
                let (base, now) = self.store_unit(op, operands[0], now)?;
                let written = [base.map_or(nothing, |base| (op.rn(), base)), nothing];
                Floated { written, last: STORED, ..left(now + u64::from(costs.store_base)) }
            }
        })
    }

    /// Returns the cycle in which the unit takes an instruction whose turn has come.
    #[cold]
    #[inline(never)]
    pub(super) fn float_takes(&self, op: Packed, now: u64) -> u64 {
        self.core.cost.float.map_or(now, |costs| self.float.history.takes(op, costs.addend_later, now))
    }

    /// Makes secret what an instruction changes besides registers, flags and memory of the core.
    #[cold]
    #[inline(never)]
    pub(super) fn hide_apart(&mut self, op: Packed) {
        let (first, count) = match op.code {
            Op::Float => (op.rd(), 1),
            Op::FloatFrom => (op.imm as u8, if op.rm() == NONE { 1 } else { 2 }),
            Op::FloatLoad | Op::FloatLoadMultiple => (op.rd(), op.extra()),
            _ => (0, 0),
        };
        for number in first..first + count {
            let single = self.float.single(number);
            *single = single.hidden(u32::MAX);
        }
        match op.code {
            Op::Float | Op::SetFloatStatus => self.float.status = self.float.status.hidden(u32::MAX),
            Op::Saturate | Op::Saturate16 | Op::Saturating | Op::Dsp => self.saturated = self.saturated.hidden(1),
            Op::Parallel => self.greater_or_equal = self.greater_or_equal.hidden(0xf),
            Op::Msr => {
                self.saturated = self.saturated.hidden(1);
                self.greater_or_equal = self.greater_or_equal.hidden(0xf);
            }
            _ => {}
        }
    }

    /// Loads registers of the unit; returns the base if it moves, and the cycle after the last word.
    fn load_unit(&mut self, op: Packed, base: W, mut now: u64) -> Result<(Option<W>, u64), Trap> {
        let (mut address, moved) = span(op, base)?;
        for number in 0..op.extra() {
            let value = match self.memory.quick_word(address) {
                Some(value) => value,
                None => {
                    let (value, cycles) = self.load_elsewhere(address, 4, now)?;
                    now += cycles;
                    value
                }
            };
            let value = W::loaded(value, &self.beside, address, 4);
            *self.float.single(op.rd() + number) = if base.is_secret() { value.hidden(u32::MAX) } else { value };
            now += 1 + u64::from(self.system.load(address, 4, now).stall);
            address = address.wrapping_add(4);
        }
        Ok((moved, now))
    }

    /// Stores registers of the unit; returns the base if it moves, and the cycle after the last word.
    fn store_unit(&mut self, op: Packed, base: W, mut now: u64) -> Result<(Option<W>, u64), Trap> {
        let (mut address, moved) = span(op, base)?;
        // A push below the stack's end is refused before it does harm.
        if let Some(pointer) = moved.map(W::plain).filter(|&to| op.rn() == SP && to < self.stack_limit) {
            return Err(Trap::at(FaultKind::StackOverflow, pointer));
        }
        for number in 0..op.extra() {
            let value = *self.float.single(op.rd() + number);
            if !self.memory.store_quick_word(address, value.plain()) {
                now += self.store_elsewhere(address, 4, value.plain(), now)?;
            }
            value.stored(&mut self.beside, address, 4);
            now += 1 + u64::from(self.system.store_on(address, 4, now).stall);
            address = address.wrapping_add(4);
        }
        Ok((moved, now))
    }
}

fn lists(op: Packed) -> bool {
    matches!(op.code, Op::FloatLoadMultiple | Op::FloatStoreMultiple)
}

/// Returns the lowest address of a transfer of registers of the unit.
pub fn first_address<W: HeldWord>(op: Packed, base: W) -> W {
    if lists(op) {
        exec::span(base, op.extra().into(), op.detail()).0
    } else {
        base.add(W::of(op.imm))
    }
}

/// Returns the lowest address of a transfer of registers of the unit, and the base if it moves.
fn span<W: HeldWord>(op: Packed, base: W) -> Result<(u32, Option<W>), Trap> {
    let first = first_address(op, base).plain();
    let moved = exec::span(base, op.extra().into(), op.detail()).1;
    if first % 4 != 0 {
        return Err(Trap::at(FaultKind::UnalignedAddress, first));
    }
    Ok((first, (lists(op) && op.detail() & WRITEBACK != 0).then_some(moved)))
}

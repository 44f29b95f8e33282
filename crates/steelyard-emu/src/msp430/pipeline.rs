//! How long instructions take. They do not overlap: the format and the modes of the operands decide, by the tables that
//! the core's data file names.

use super::decode::{Decoded, Reading, DESTINATION_IN_MEMORY, PC};
use super::isa::{Feature, Op, Operand, Row, Size};
use super::place::Mode;
use super::timing::{Address, Core, Double, Extended, Single, To};

/// Instructions one after the other.
pub struct Pipeline {
    /// Cycles since the machine was built, up to the instruction under way.
    pub now: u64,
    /// Cycles of the instruction under way, but for what it waits for memory.
    spent: u32,
    /// Accesses to memory so far of the instruction under way.
    accesses: u32,
    /// Cycles for which it has waited for memory.
    waited: u32,
    /// Cycles of each repetition of an instruction between registers, after its first execution.
    repetition: u32,
}

impl Pipeline {
    /// Begins at a cycle.
    pub fn new(core: &Core, now: u64) -> Self {
        Pipeline { now, spent: 0, accesses: 0, waited: 0, repetition: core.repetition_cycles() }
    }

    /// An instruction, in the cycles that its format and modes take.
    #[inline(always)]
    pub fn begins(&mut self, cycles: u8) {
        self.spent = u32::from(cycles);
        self.accesses = 0;
    }

    /// It reads memory; returns at which cycle: an access takes one, and there is one at a time.
    #[inline(always)]
    pub fn reads(&mut self) -> u64 {
        let cycle = self.now + u64::from(self.accesses + self.waited);
        self.accesses += 1;
        cycle
    }

    /// It waits for what it reads, beyond the cycle that the tables count.
    #[inline(always)]
    pub fn waits(&mut self, cycles: u32) {
        self.waited += cycles;
    }

    /// It is executed so many further times.
    #[inline(always)]
    pub fn repeats(&mut self, times: u32) {
        self.spent += times * self.repetition;
    }

    /// It is done; returns the cycles it took.
    #[inline(always)]
    pub fn ends(&mut self) -> u32 {
        let cycles = self.spent + std::mem::take(&mut self.waited);
        self.now += u64::from(cycles);
        cycles
    }
}

/// Returns the cycles of one execution of an instruction; `None` if the core does not have it.
pub fn cycles(core: &Core, row: &Row, reading: &Reading) -> Option<u8> {
    match row.feature {
        Feature::Base => Some(base(core, reading)),
        Feature::Extended => Some(extended(core.extended.as_ref()?, row, reading)),
    }
}

/// An instruction that every core has.
fn base(core: &Core, reading: &Reading) -> u8 {
    let cycles = &core.cycles;
    match reading.decoded.op {
        Op::Rrc | Op::Swpb | Op::Rra | Op::Sxt => cycles.single.cycles(reading.source),
        Op::Push => cycles.push.cycles(reading.source),
        Op::Call => cycles.call.cycles(reading.source),
        Op::Reti => cycles.reti,
        Op::Jne | Op::Jeq | Op::Jnc | Op::Jc | Op::Jn | Op::Jge | Op::Jl | Op::Jmp => cycles.jump,
        _ => cycles.double.cycles(reading),
    }
}

/// An instruction of the MSP430X.
fn extended(cycles: &Extended, row: &Row, reading: &Reading) -> u8 {
    let Decoded { op, size, source_value: count, .. } = reading.decoded;
    let is_address = size == Size::Address;
    let has_extension_word = row.pattern.bits == 32;
    match op {
        Op::Rrc | Op::Rru | Op::Swpb | Op::Rra | Op::Sxt if is_address => cycles.single_address.cycles(reading.source),
        Op::Rrc | Op::Rru | Op::Swpb | Op::Rra | Op::Sxt => cycles.single.cycles(reading.source),
        Op::Push if is_address => cycles.pushx_address.cycles(reading.source),
        Op::Push => cycles.pushx.cycles(reading.source),
        Op::Calla => cycles.calla.cycles(reading.source),
        Op::Rrcm | Op::Rram | Op::Rlam | Op::Rrum => cycles.shift_multiple.cycles(count) as u8,
        Op::Pushm | Op::Popm if is_address => cycles.stack_multiple_address.cycles(count) as u8,
        Op::Pushm | Op::Popm => cycles.stack_multiple.cycles(count) as u8,
        _ if !has_extension_word => cycles.address.cycles(row.operands, reading),
        _ if is_address => cycles.double_address.cycles(reading),
        _ => cycles.double.cycles(reading),
    }
}

impl Double {
    fn cycles(&self, reading: &Reading) -> u8 {
        let Decoded { op, flags, destination, .. } = reading.decoded;
        let from: &To = match reading.source {
            Mode::Register | Mode::Constant => &self.register,
            Mode::Indirect => &self.indirect,
            Mode::Autoincrement => &self.autoincrement,
            Mode::Immediate => &self.immediate,
            Mode::Indexed | Mode::IndexedBySp | Mode::Symbolic | Mode::Absolute => &self.memory,
        };
        if flags & DESTINATION_IN_MEMORY != 0 {
            let saves = op.only_moves() || op.only_compares();
            return from.memory.saturating_sub(if saves { self.saved_mov_bit_cmp } else { 0 });
        }
        // A comparison with the program counter takes as long as what writes it.
        if destination != PC {
            return from.register;
        }
        let has_own_word =
            !matches!(reading.source, Mode::Register | Mode::Constant | Mode::Indirect | Mode::Autoincrement);
        let saves = has_own_word && (op.only_moves() || op.adds() || op.subtracts());
        from.pc.saturating_sub(if saves { self.saved_mov_add_sub_to_pc } else { 0 })
    }
}

impl Single {
    fn cycles(&self, mode: Mode) -> u8 {
        match mode {
            Mode::Register | Mode::Constant => self.register,
            Mode::Indirect => self.indirect,
            Mode::Autoincrement => self.autoincrement,
            Mode::Immediate => self.immediate,
            Mode::Indexed => self.indexed,
            Mode::IndexedBySp => self.indexed + self.indexed_by_sp_extra,
            Mode::Symbolic => self.symbolic,
            Mode::Absolute => self.absolute,
        }
    }
}

impl Address {
    fn cycles(&self, operands: &[Operand], reading: &Reading) -> u8 {
        let moves = reading.decoded.op.only_moves();
        let (cycles, to_pc_extra) = match operands {
            [_, Operand::AbsoluteDestination | Operand::IndexedDestination] => return self.mova_to_memory,
            [Operand::IndirectSource, _] => (self.mova_indirect, self.to_pc_extra),
            [Operand::AutoincrementSource, _] => (self.mova_autoincrement, self.to_pc_extra),
            [Operand::AbsoluteSource, _] => (self.mova_absolute, self.to_pc_extra),
            [Operand::IndexedSource, _] => (self.mova_indexed, self.to_pc_extra),
            [Operand::ImmediateSource, _] if moves => (self.mova_immediate, self.mova_immediate_to_pc_extra),
            [Operand::ImmediateSource, _] => (self.arithmetic_immediate, self.arithmetic_immediate_to_pc_extra),
            _ if moves => (self.mova_register, self.to_pc_extra),
            _ => (self.arithmetic_register, self.to_pc_extra),
        };
        cycles + if reading.to_pc() { to_pc_extra } else { 0 }
    }
}

//! Decodes instructions by the rows of [`super::isa`] into what the processor executes, with their cycles.

use super::isa::{Op, Row, Size};
use super::pipeline;
use super::place::{Mode, Place, Words};
pub use super::place::{CG, PC, SP, SR};
use super::timing::Core;
use crate::profile::Class;

/// Register number for a missing source; it reads as zero.
pub const NONE: u8 = 16;

// Bits of `flags`.
/// The source is in memory at register `source` plus `source_value`; without the flag it is the one or the other, of
/// which the other is zero.
pub const SOURCE_IN_MEMORY: u8 = 1;
/// The destination is in memory at register `destination` plus `destination_index`; without the flag it is the register.
pub const DESTINATION_IN_MEMORY: u8 = 2;
/// The source's address may exceed 64 KB; without the flag the sum of an index and a register below 64 KB stays below.
pub const WIDE_SOURCE: u8 = 4;
pub const WIDE_DESTINATION: u8 = 8;
/// The destination is PC, SP, SR or the constant generator.
pub const SPECIAL: u8 = 16;
/// The carry counts as zero for this instruction.
pub const ZERO_CARRY: u8 = 32;
/// An instruction between registers is repeated `repeats` further times, or as often as the lowest four bits of register
/// `repeats` say ([`COUNT_IN_REGISTER`]).
pub const REPEATED: u8 = 64;
pub const COUNT_IN_REGISTER: u8 = 128;

/// A decoded instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded {
    pub op: Op,
    pub size: Size,
    pub flags: u8,
    pub class: Class,
    pub source: u8,
    pub destination: u8,
    /// Amount by which register `source` increases after its use.
    pub increment: u8,
    pub repeats: u8,
    pub words: u8,
    /// Cycles of one execution.
    pub cycles: u8,
    pub source_value: u32,
    pub destination_index: u32,
}

impl Decoded {
    /// Returns an instruction without operands.
    pub const fn bare(op: Op) -> Self {
        Decoded {
            op,
            size: Size::Word,
            flags: 0,
            class: Class::Other,
            source: NONE,
            destination: NONE,
            increment: 0,
            repeats: 0,
            words: 1,
            cycles: 0,
            source_value: 0,
            destination_index: 0,
        }
    }

    /// Returns the number of data loaded from and stored to memory.
    pub fn transfers(&self) -> (u32, u32) {
        let source = u32::from(self.flags & SOURCE_IN_MEMORY != 0);
        let destination = u32::from(self.flags & DESTINATION_IN_MEMORY != 0);
        match self.op {
            Op::Push => (source, 1),
            Op::Call | Op::Calla => (source, 0),
            Op::Reti => (0, 0),
            Op::Pushm => (0, self.source_value),
            Op::Popm => (self.source_value, 0),
            _ if self.class == Class::Return => (0, 0),
            _ if self.op.only_moves() => (source, destination),
            _ if self.op.only_compares() => (source + destination, 0),
            _ => (source + destination, destination),
        }
    }
}

/// An instruction that is being decoded, with the modes of its operands.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    pub decoded: Decoded,
    /// Mode of the source, or of the one operand.
    pub source: Mode,
    /// Whether no operand has a mode other than that of registers.
    pub between_registers: bool,
}

impl Reading {
    /// Fills in where the result goes.
    pub fn put_destination(&mut self, place: &Place) {
        let decoded = &mut self.decoded;
        let is_register = place.mode == Mode::Register;
        decoded.destination = if is_register { place.register } else { place.base() };
        decoded.destination_index = if is_register { 0 } else { place.value };
        decoded.flags |= if place.in_memory() { DESTINATION_IN_MEMORY } else { 0 };
        decoded.flags |= if place.is_wide { WIDE_DESTINATION } else { 0 };
        decoded.flags |= if is_register && place.register <= CG { SPECIAL } else { 0 };
    }

    /// Whether the instruction writes the program counter.
    pub fn to_pc(&self) -> bool {
        let Decoded { op, flags, destination, .. } = self.decoded;
        flags & DESTINATION_IN_MEMORY == 0 && destination == PC && !op.only_compares()
    }

    /// Tells apart what modes and registers decide: a load and a store from a move between registers, a jump from both,
    /// and a return from a jump.
    fn class(&self, row: &Row) -> Class {
        let Decoded { op, flags, source, .. } = self.decoded;
        let pops = self.source == Mode::Autoincrement && source == SP && op.only_moves();
        match (pops, self.to_pc()) {
            _ if !op.is_double() => row.class,
            (true, true) => Class::Return,
            (false, true) => Class::Jump,
            (true, false) => Class::Stack,
            _ if !op.only_moves() => row.class,
            _ if flags & DESTINATION_IN_MEMORY != 0 => Class::Store,
            _ if flags & SOURCE_IN_MEMORY != 0 => Class::Load,
            _ => Class::Alu,
        }
    }
}

/// Decodes the instruction at an address; `read` returns the words of memory, `None` where nothing is mapped.
pub fn decode(core: &Core, address: u32, read: impl Fn(u32) -> Option<u16>) -> Decoded {
    let mut words = Words::new(address, core.address_mask(), &read);
    let decoded = one(core, &mut words).unwrap_or(Decoded::bare(Op::Illegal));
    Decoded { words: words.count as u8, ..decoded }
}

fn one(core: &Core, words: &mut Words) -> Option<Decoded> {
    let (row, word) = words.instruction(core.extended.is_some())?;
    if !core.has(row.feature) {
        return None;
    }
    let reading = of_row(row, word, words)?;
    let cycles = pipeline::cycles(core, row, &reading)?;
    Some(Decoded { cycles, class: reading.class(row), ..reading.decoded })
}

/// Decodes an instruction by its row; `None` for an encoding that is reserved, and where memory ends.
pub fn of_row(row: &Row, word: u32, words: &mut Words) -> Option<Reading> {
    let decoded = Decoded { size: row.op.size, class: row.class, ..Decoded::bare(row.op.op) };
    let mut reading = Reading { decoded, source: Mode::Register, between_registers: true };
    for operand in row.operands {
        operand.read(word, row.op.size, words, &mut reading)?;
    }
    Some(reading)
}

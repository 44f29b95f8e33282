//! Decodes the bytes of an instruction into its operation, operands and cycles, by the rows of [`super::isa`].

use super::isa::{self, Row};
use super::operand::Reader;
use super::timing::Cycles;
use crate::profile::Class;
use std::sync::LazyLock;

pub use super::isa::Op;

/// Length in bytes of the longest instruction: two of operation code, two displacements of a word, and an immediate
/// word.
pub const LONGEST: usize = 8;

// Numbers of registers in the file; a pair goes by its lower half.
pub const R0: u8 = 0;
pub const R1: u8 = 1;
pub const R2: u8 = 2;
pub const R3: u8 = 3;
pub const A0: u8 = 4;
pub const A1: u8 = 5;
pub const FB: u8 = 6;
pub const SB: u8 = 7;
/// Register number whose value is always 0: the base of an absolute address.
pub const ZERO: u8 = 8;
pub const SP: u8 = 9;
/// Mark of a byte register: the upper half of its word.
pub const HIGH: u8 = 0x80;

// What the operands of an instruction are; a source or destination without a mark is a register.
pub const FROM_MEMORY: u8 = 1;
pub const FROM_IMMEDIATE: u8 = 2;
/// Mark of an instruction whose source is a word.
pub const FROM_WORD: u8 = 4;
pub const TO_MEMORY: u8 = 8;
/// Mark of an instruction whose operation and destination are words.
pub const WORD: u8 = 16;

/// A decoded instruction.
#[derive(Debug, Clone, Copy)]
pub struct Decoded {
    pub op: Op,
    pub form: u8,
    /// Cycles without those that odd words, the queue, repetitions and a taken branch add.
    pub cycles: u8,
    pub length: u8,
    /// Number of the source register, or of the base of its address; of a bit that a condition sets, the condition.
    pub src: u8,
    pub dst: u8,
    /// Cycles that each shifted place, each item or a taken branch adds, depending on the operation.
    pub more: u8,
    /// Condition, control register, nibbles or bit, depending on the operation.
    pub detail: u8,
    /// Displacement of the source; for a counted branch, the number added to the counter.
    pub src_disp: u16,
    pub dst_disp: u16,
    /// Immediate, target or far displacement.
    pub imm: u32,
}

impl Decoded {
    /// Returns an instruction without operands.
    pub const fn bare(op: Op) -> Self {
        Decoded {
            op,
            form: 0,
            cycles: 0,
            length: 0,
            src: 0,
            dst: 0,
            more: 0,
            detail: 0,
            src_disp: 0,
            dst_disp: 0,
            imm: 0,
        }
    }
}

/// Mark in [`Decoded::detail`] of a bit whose position is in an address register.
pub const BIT_INDEXED: u8 = 0x80;

/// Decodes the instruction at an address from at least [`LONGEST`] bytes, or from those before memory ends.
pub fn decode(bytes: &[u8], address: u32, cycles: &Cycles) -> Decoded {
    let Some((row, decoded)) = row_of(bytes, address) else { return Decoded::bare(Op::Illegal) };
    let (cycles, more) = (row.op.cost)(cycles).of(&decoded);
    Decoded { cycles, more, ..decoded }
}

/// Returns the row of an instruction, and what it says without the cycles; `None` for what is no instruction.
pub fn row_of(bytes: &[u8], address: u32) -> Option<(&'static Row, Decoded)> {
    let first = *bytes.first()?;
    let second = bytes.get(1).copied().unwrap_or(0);
    isa::fitting([first, second]).find_map(|row| Some((row, of_row(row, bytes, address)?)))
}

/// Decodes an instruction by a row that it fits; `None` for an encoding that is reserved, or if bytes are missing.
fn of_row(row: &Row, bytes: &[u8], address: u32) -> Option<Decoded> {
    let mut decoded = Decoded::bare(row.op.op);
    let mut reader = Reader::new(bytes, row.pattern.bits / 8, address)?;
    for is_behind in [false, true] {
        for operand in row.operands.iter().filter(|operand| operand.is_behind() == is_behind) {
            operand.read(&mut reader, &mut decoded)?;
        }
    }
    decoded.length = reader.used() as u8;
    Some(decoded)
}

/// Returns the text of an instruction at an address and its length in bytes, `None` for what is no instruction.
pub fn text(bytes: &[u8], address: u32) -> Option<(String, u32)> {
    let (row, decoded) = row_of(bytes, address)?;
    let opcode = Reader::new(bytes, row.pattern.bits / 8, address)?.opcode;
    let size = if opcode >> 8 & 1 != 0 { ".w" } else { ".b" };
    let condition = row.operands.iter().find_map(|operand| operand.condition(&decoded)).unwrap_or_default();
    let mnemonic = row.mnemonic.replace(".size", size).replace("cnd", condition);
    let operands: Vec<String> = row.operands.iter().filter_map(|operand| operand.text(opcode, &decoded)).collect();
    Some((format!("{mnemonic} {}", operands.join(",")).trim_end().to_string(), u32::from(decoded.length)))
}

/// The class of each operation, by its number.
static CLASSES: LazyLock<[Class; 256]> = LazyLock::new(|| {
    let mut classes = [Class::Other; 256];
    for row in isa::ROWS {
        classes[row.op.op as usize] = row.class;
    }
    classes
});

impl Decoded {
    /// Returns the instruction's class in the mix: that of its row, unless memory makes it a load or store.
    pub fn class(&self) -> Class {
        match self.op {
            Op::Move if self.form & FROM_MEMORY != 0 => Class::Load,
            Op::Move | Op::StoreIfZero | Op::StoreIfNotZero | Op::StoreEither if self.form & TO_MEMORY != 0 => {
                Class::Store
            }
            op => CLASSES[op as usize],
        }
    }

    /// Returns the number of bytes or words loaded and stored. Those of a repeated instruction depend on registers and
    /// are not included.
    pub fn transfers(&self) -> (u32, u32) {
        use Op::*;
        let from = u32::from(self.form & FROM_MEMORY != 0);
        let to = u32::from(self.form & TO_MEMORY != 0);
        match self.op {
            Move | StoreControl | StorePc | StoreIfZero | StoreIfNotZero | StoreEither => (from, to),
            Compare | Test | BitTest | BitTestNot | BitAnd | BitAndNot | BitOr | BitOrNot | BitXor | BitXorNot => {
                (from + to, 0)
            }
            Multiply | MultiplyUnsigned => (from + to, if self.form & WORD != 0 { 2 * to } else { to }),
            Exchange => (to, to),
            Push => (from, 1),
            Pop => (1, to),
            PushControl | Enter | PushAddress => (0, 1),
            PopControl | ExitReturn => (1, 0),
            PushMultiple => (0, self.imm.count_ones()),
            PopMultiple => (self.imm.count_ones(), 0),
            FarLoad | FarLoadIndirect => (1, to),
            FarStore | FarStoreIndirect => (from, 1),
            Address | AddSp => (0, 0),
            _ => (from + to, to),
        }
    }

    pub fn conditional_branch(&self) -> bool {
        matches!(self.op, Op::Branch | Op::CountDown)
    }
}

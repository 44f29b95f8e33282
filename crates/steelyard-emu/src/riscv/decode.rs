//! Decodes instructions by the rows of [`super::isa`].
//!
//! A compressed instruction is decoded as the instruction it stands for; only its length differs.

pub use super::isa::Op;
use super::isa::{row_of, Feature, Operand, Row};
use crate::profile::Class;
use crate::program::Marked;

/// Register numbers of the calling convention.
pub const RA: u8 = 1;
pub const SP: u8 = 2;
pub const T0: u8 = 5;

/// Register number that discards results for x0.
pub const SINK: u8 = 32;

/// A decoded instruction.
#[derive(Debug, Clone, Copy)]
pub struct Decoded {
    pub op: Op,
    pub class: Class,
    /// Destination register, or [`SINK`].
    pub rd: u8,
    /// First source register; of `csrrwi` and its like the immediate.
    pub rs1: u8,
    /// Second source register.
    pub rs2: u8,
    /// What a [`Op::ToStack`] computes.
    pub computes: Op,
    pub detail: u8,
    /// Length of the instruction in halfwords, 1 or 2.
    pub halves: u8,
    pub imm: u32,
}

impl Marked for Decoded {
    const UNDECODED: Self = Decoded::bare(Op::Undecoded);
    const CHUNK_END: Self = Decoded::bare(Op::ChunkEnd);
    const STOP: Self = Decoded::bare(Op::Stop);
    /// A 32-bit instruction may begin one halfword earlier.
    const REACH_BYTES: u32 = 2;

    fn is_undecoded(&self) -> bool {
        self.op == Op::Undecoded
    }
}

impl Decoded {
    /// Returns a mark without operands.
    pub const fn bare(op: Op) -> Self {
        Decoded {
            op,
            class: Class::Other,
            rd: SINK,
            rs1: 0,
            rs2: 0,
            computes: Op::Illegal,
            detail: 0,
            halves: 1,
            imm: 0,
        }
    }

    /// Returns the number of words, or parts of a word, loaded and stored.
    pub fn transfers(&self) -> (u32, u32) {
        match self.op {
            Op::LoadByte
            | Op::LoadHalf
            | Op::LoadWord
            | Op::LoadByteUnsigned
            | Op::LoadHalfUnsigned
            | Op::LoadStack
            | Op::LoadReserved => (1, 0),
            Op::StoreByte | Op::StoreHalf | Op::StoreWord | Op::StoreConditional => (0, 1),
            Op::Atomic => (1, 1),
            _ => (0, 0),
        }
    }

    /// Whether the instruction is a branch that may or may not be taken.
    pub fn conditional_branch(&self) -> bool {
        (Op::BranchEqual as u8..=Op::BranchGreaterEqualUnsigned as u8).contains(&(self.op as u8))
    }

    /// Whether an instruction of the row names none but the first registers, so many.
    fn keeps_to(&self, registers: u8, row: &Row) -> bool {
        let source = if row.operands.contains(&Operand::CsrImm) { 0 } else { self.rs1 };
        source.max(self.rs2) < registers && (self.rd < registers || self.rd == SINK)
    }

    /// Whether the instruction stores a return address.
    pub fn links(&self) -> bool {
        matches!(self.rd, RA | T0)
    }

    /// Whether a jump through a register returns from a call.
    pub fn returns(&self) -> bool {
        matches!(self.rs1, RA | T0) && !self.links()
    }
}

/// Returns the length in bytes of the instruction that begins with this halfword.
pub fn length_bytes(first: u32) -> u32 {
    if first & 3 == 3 {
        4
    } else {
        2
    }
}

const ILLEGAL: Decoded = Decoded::bare(Op::Illegal);

/// Decodes an instruction of 16 or 32 bits at an address, on a core that has so many registers and these extensions.
pub fn decode(word: u32, length_bits: u32, address: u32, registers: u8, has: impl Fn(Feature) -> bool) -> Decoded {
    let row = row_of(word, length_bits).filter(|row| has(row.feature));
    let decoded = row.and_then(|row| of_row(row, word, address).filter(|decoded| decoded.keeps_to(registers, row)));
    let decoded = decoded.unwrap_or(ILLEGAL);
    Decoded { halves: (length_bits / 16) as u8, ..decoded }
}

/// Decodes an instruction by its row; `None` for an encoding that is reserved.
pub fn of_row(row: &Row, word: u32, address: u32) -> Option<Decoded> {
    let mut decoded = Decoded { class: row.class, ..Decoded::bare(row.op) };
    for operand in row.operands {
        if !operand.read(word, address, &mut decoded) {
            return None;
        }
    }
    Some(refined(decoded))
}

/// Tells apart what registers decide: what moves the stack pointer, a call from a jump, and a return from both.
fn refined(decoded: Decoded) -> Decoded {
    let Decoded { op, rd, .. } = decoded;
    match op {
        Op::LoadWord if rd == SP => Decoded { op: Op::LoadStack, ..decoded },
        Op::Jump | Op::JumpRegister if decoded.links() => Decoded { class: Class::Call, ..decoded },
        Op::JumpRegister if decoded.returns() => Decoded { class: Class::Return, ..decoded },
        _ if rd == SP && matches!(decoded.class, Class::Alu | Class::Shift) => {
            Decoded { op: Op::ToStack, computes: op, ..decoded }
        }
        _ => decoded,
    }
}

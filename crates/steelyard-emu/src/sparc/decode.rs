//! Decodes instructions by the rows of [`super::isa`].
//!
//! Privileged instructions, traps, and instructions of the floating-point unit and the coprocessor are refused because
//! nothing would answer them.

pub use super::isa::Op;
use super::isa::{row_of, Row};
use super::timing::Architecture;
use crate::profile::Class;
use crate::program::Marked;

/// Register number for a result that is discarded; as a source `%g0` reads as zero.
pub const NOWHERE: u8 = 32;
pub const SP: u8 = 14;
/// Register in which `call` stores its own address.
pub const O7: u8 = 15;
pub const FP: u8 = 30;
/// Register in which a procedure with a window of its own finds its caller's address.
const I7: u8 = 31;

/// A decoded instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded {
    pub op: Op,
    /// Destination register or [`NOWHERE`]; of a store the register stored.
    pub rd: u8,
    /// First source register.
    pub rs1: u8,
    /// Second source register; `%g0` beside an immediate.
    pub rs2: u8,
    pub class: Class,
    /// Condition of a branch or trap: number of the test, with 8 added for its opposite.
    pub condition: u8,
    /// Whether a branch annuls its delay slot where the manual lets it.
    pub annul: bool,
    /// Immediate, constant or target.
    pub imm: u32,
}

impl Marked for Decoded {
    const UNDECODED: Self = Decoded::bare(Op::Undecoded);
    const CHUNK_END: Self = Decoded::bare(Op::ChunkEnd);
    const STOP: Self = Decoded::bare(Op::Stop);
    const REACH_BYTES: u32 = 0;

    fn is_undecoded(&self) -> bool {
        self.op == Op::Undecoded
    }

    fn entry(address: u32) -> (u32, bool) {
        (address, false)
    }
}

impl Decoded {
    const fn bare(op: Op) -> Self {
        Decoded { op, rd: NOWHERE, rs1: 0, rs2: 0, class: Class::Other, condition: 0, annul: false, imm: 0 }
    }

    /// Returns the number of words loaded and stored.
    pub fn transfers(&self) -> (u32, u32) {
        match self.op {
            Op::Ld | Op::Ldub | Op::Lduh | Op::Ldsb | Op::Ldsh => (1, 0),
            Op::Ldd => (2, 0),
            Op::St | Op::Stb | Op::Sth => (0, 1),
            Op::Std => (0, 2),
            Op::Ldstub | Op::Swap => (1, 1),
            _ => (0, 0),
        }
    }
}

const ILLEGAL: Decoded = Decoded::bare(Op::Illegal);

/// Decodes the instruction at an address, on a core of this architecture.
pub fn decode(word: u32, address: u32, architecture: Architecture) -> Decoded {
    row_of(word).filter(|row| architecture >= row.feature).map_or(ILLEGAL, |row| of_row(row, word, address))
}

/// Decodes an instruction by its row.
pub fn of_row(row: &Row, word: u32, address: u32) -> Decoded {
    let mut decoded = Decoded { class: row.class, ..Decoded::bare(row.op) };
    for operand in row.operands {
        operand.read(word, address, &mut decoded);
    }
    refined(decoded)
}

/// Tells apart what fields decide: an immediate from a register, a call and a return from a jump, and whether a branch
/// that is always taken annuls its delay slot.
fn refined(decoded: Decoded) -> Decoded {
    match decoded {
        Decoded { op: Op::Jmpl, rd: NOWHERE, rs1: O7 | I7, rs2: 0, imm: 8, .. } => {
            Decoded { class: Class::Return, ..decoded }
        }
        Decoded { op: Op::Jmpl, rd: O7, .. } => Decoded { class: Class::Call, ..decoded },
        Decoded { op: Op::BranchAlways, annul: true, .. } => Decoded { op: Op::BranchAlwaysAnnul, ..decoded },
        Decoded { op, rs2: 0, .. } => Decoded { op: op.with_immediate(), ..decoded },
        _ => decoded,
    }
}

//! Decodes instruction words into what the processor executes.
//!
//! Privileged instructions, traps, and instructions of the floating-point unit and the coprocessor are refused because
//! nothing would answer them.

use super::timing::Architecture;
use crate::profile::Class;
use crate::program::Marked;

/// Register number for a result that is discarded; as a source `%g0` reads as zero.
pub const NOWHERE: u8 = 32;
pub const SP: u8 = 14;
/// Register in which `call` stores its own address.
pub const O7: u8 = 15;
pub const FP: u8 = 30;

/// Operations of the processor. With two operands they compute `a = b . (c + imm)`, where `c` is `%g0` or `imm` is 0;
/// those that have a form with an immediate compute `a = b . c`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    /// Place that has not been decoded yet.
    Undecoded,
    /// End of a chunk of decoded places.
    ChunkEnd,
    /// Planted end of the run.
    Stop,
    Illegal,
    /// `a = imm`.
    Sethi,
    Add,
    And,
    Or,
    Xor,
    Sub,
    Andn,
    Orn,
    Xnor,
    Addx,
    Subx,
    AddCc,
    AndCc,
    OrCc,
    XorCc,
    SubCc,
    AndnCc,
    OrnCc,
    XnorCc,
    AddxCc,
    SubxCc,
    Sll,
    Srl,
    Sra,
    /// Operations with an immediate: `a = b . imm`.
    AddImm,
    AndImm,
    OrImm,
    XorImm,
    SubImm,
    AndnImm,
    OrnImm,
    XnorImm,
    AddCcImm,
    AndCcImm,
    OrCcImm,
    XorCcImm,
    SubCcImm,
    AndnCcImm,
    OrnCcImm,
    XnorCcImm,
    AddxCcImm,
    SubxCcImm,
    SllImm,
    SrlImm,
    SraImm,
    Umul,
    Smul,
    UmulCc,
    SmulCc,
    Udiv,
    Sdiv,
    UdivCc,
    SdivCc,
    Mulscc,
    /// Tagged sum and difference; `Tv` forms trap on a tag or an overflow.
    TaddCc,
    TsubCc,
    TaddCcTv,
    TsubCcTv,
    ReadY,
    WriteY,
    Save,
    Restore,
    /// Loads and stores at `b + c + imm`; `a` is loaded or stored.
    Ld,
    Ldub,
    Lduh,
    Ldsb,
    Ldsh,
    Ldd,
    St,
    Stb,
    Sth,
    Std,
    Ldstub,
    Swap,
    /// Branch to `imm` if the condition in `c` holds; annuls the delay slot if `b` is not 0.
    Branch,
    /// Branch to `imm`, always taken; the delay slot is executed.
    BranchAlways,
    /// Branch to `imm`, always taken; the delay slot is annulled.
    BranchAlwaysAnnul,
    /// Call of the address `imm`.
    Call,
    Jmpl,
    /// Trap if the condition in `a` holds.
    Ticc,
    /// `flush` and `stbar`, which have no effect: the model keeps nothing stale or out of order.
    Nothing,
}

impl Op {
    /// Returns the form with an immediate; only frequent operations have one.
    fn with_immediate(self) -> Self {
        match self {
            Op::Add => Op::AddImm,
            Op::And => Op::AndImm,
            Op::Or => Op::OrImm,
            Op::Xor => Op::XorImm,
            Op::Sub => Op::SubImm,
            Op::Andn => Op::AndnImm,
            Op::Orn => Op::OrnImm,
            Op::Xnor => Op::XnorImm,
            Op::AddCc => Op::AddCcImm,
            Op::AndCc => Op::AndCcImm,
            Op::OrCc => Op::OrCcImm,
            Op::XorCc => Op::XorCcImm,
            Op::SubCc => Op::SubCcImm,
            Op::AndnCc => Op::AndnCcImm,
            Op::OrnCc => Op::OrnCcImm,
            Op::XnorCc => Op::XnorCcImm,
            Op::AddxCc => Op::AddxCcImm,
            Op::SubxCc => Op::SubxCcImm,
            Op::Sll => Op::SllImm,
            Op::Srl => Op::SrlImm,
            Op::Sra => Op::SraImm,
            other => other,
        }
    }
}

/// A decoded instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded {
    pub op: Op,
    pub a: u8,
    pub b: u8,
    pub c: u8,
    pub class: Class,
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
}

impl Decoded {
    const fn bare(op: Op) -> Self {
        Decoded { op, a: NOWHERE, b: 0, c: 0, class: Class::Other, imm: 0 }
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

/// Returns bits `low` to `high` of a word.
fn bits(word: u32, high: u32, low: u32) -> u32 {
    word >> low & ((1 << (high - low + 1)) - 1)
}

/// Returns the lowest `count` bits of a word, sign extended.
fn signed(word: u32, count: u32) -> u32 {
    (((word << (32 - count)) as i32) >> (32 - count)) as u32
}

fn destination(register: u32) -> u8 {
    if register == 0 {
        NOWHERE
    } else {
        register as u8
    }
}

/// Decodes the instruction at an address.
pub fn decode(word: u32, address: u32, architecture: Architecture) -> Decoded {
    match word >> 30 {
        0 => format_2(word, address),
        1 => Decoded {
            op: Op::Call,
            class: Class::Call,
            imm: address.wrapping_add(word << 2),
            ..Decoded::bare(Op::Call)
        },
        2 => arithmetic(word, architecture),
        _ => memory(word),
    }
}

fn format_2(word: u32, address: u32) -> Decoded {
    let target = address.wrapping_add(signed(word, 22) << 2);
    match bits(word, 24, 22) {
        4 => Decoded {
            a: destination(bits(word, 29, 25)),
            imm: word << 10,
            class: Class::Alu,
            ..Decoded::bare(Op::Sethi)
        },
        2 => {
            let (condition, annul) = (bits(word, 28, 25) as u8, bits(word, 29, 29) as u8);
            let (op, class) = match (condition, annul) {
                (8, 0) => (Op::BranchAlways, Class::Jump),
                (8, _) => (Op::BranchAlwaysAnnul, Class::Jump),
                _ => (Op::Branch, Class::Branch),
            };
            Decoded { b: annul, c: condition, imm: target, class, ..Decoded::bare(op) }
        }
        _ => Decoded::bare(Op::Illegal),
    }
}

/// Returns the second operand: a register and zero, or `%g0` and an immediate.
fn operand(word: u32) -> (u8, u32) {
    if word & 1 << 13 == 0 {
        (bits(word, 4, 0) as u8, 0)
    } else {
        (0, signed(word, 13))
    }
}

fn arithmetic(word: u32, architecture: Architecture) -> Decoded {
    let (c, imm) = operand(word);
    let (rd, b) = (bits(word, 29, 25), bits(word, 18, 14) as u8);
    let is_immediate = word & 1 << 13 != 0;
    let of = |op: Op, class| {
        let op = if is_immediate { op.with_immediate() } else { op };
        Decoded { op, a: destination(rd), b, c, class, imm }
    };
    let v8 = |op, class| if architecture >= Architecture::V8 { of(op, class) } else { Decoded::bare(Op::Illegal) };
    match bits(word, 24, 19) {
        0x00 => of(Op::Add, Class::Alu),
        0x01 => of(Op::And, Class::Alu),
        0x02 => of(Op::Or, Class::Alu),
        0x03 => of(Op::Xor, Class::Alu),
        0x04 => of(Op::Sub, Class::Alu),
        0x05 => of(Op::Andn, Class::Alu),
        0x06 => of(Op::Orn, Class::Alu),
        0x07 => of(Op::Xnor, Class::Alu),
        0x08 => of(Op::Addx, Class::Alu),
        0x0a => v8(Op::Umul, Class::Multiply),
        0x0b => v8(Op::Smul, Class::Multiply),
        0x0c => of(Op::Subx, Class::Alu),
        0x0e => v8(Op::Udiv, Class::Multiply),
        0x0f => v8(Op::Sdiv, Class::Multiply),
        0x10 => of(Op::AddCc, Class::Alu),
        0x11 => of(Op::AndCc, Class::Alu),
        0x12 => of(Op::OrCc, Class::Alu),
        0x13 => of(Op::XorCc, Class::Alu),
        0x14 => of(Op::SubCc, Class::Alu),
        0x15 => of(Op::AndnCc, Class::Alu),
        0x16 => of(Op::OrnCc, Class::Alu),
        0x17 => of(Op::XnorCc, Class::Alu),
        0x18 => of(Op::AddxCc, Class::Alu),
        0x1a => v8(Op::UmulCc, Class::Multiply),
        0x1b => v8(Op::SmulCc, Class::Multiply),
        0x1c => of(Op::SubxCc, Class::Alu),
        0x1e => v8(Op::UdivCc, Class::Multiply),
        0x1f => v8(Op::SdivCc, Class::Multiply),
        0x20 => of(Op::TaddCc, Class::Alu),
        0x21 => of(Op::TsubCc, Class::Alu),
        0x22 => of(Op::TaddCcTv, Class::Alu),
        0x23 => of(Op::TsubCcTv, Class::Alu),
        0x24 => of(Op::Mulscc, Class::Multiply),
        0x25 => of(Op::Sll, Class::Shift),
        0x26 => of(Op::Srl, Class::Shift),
        0x27 => of(Op::Sra, Class::Shift),
        0x28 if b == 0 => of(Op::ReadY, Class::Other),
        // `stbar`, of V8; before it a `rdasr` that means nothing else.
        0x28 if b == 15 && rd == 0 => Decoded::bare(Op::Nothing),
        0x30 if rd == 0 => of(Op::WriteY, Class::Other),
        0x38 => {
            let class = match (rd, b, imm) {
                (0, O7 | 31, 8) if c == 0 => Class::Return,
                (15, ..) => Class::Call,
                _ => Class::Jump,
            };
            of(Op::Jmpl, class)
        }
        0x3a => Decoded { a: rd as u8 & 15, ..of(Op::Ticc, Class::Branch) },
        0x3b => Decoded::bare(Op::Nothing),
        0x3c => of(Op::Save, Class::Stack),
        0x3d => of(Op::Restore, Class::Stack),
        _ => Decoded::bare(Op::Illegal),
    }
}

fn memory(word: u32) -> Decoded {
    let (c, imm) = operand(word);
    let (rd, b) = (bits(word, 29, 25), bits(word, 18, 14) as u8);
    let load = |op| Decoded { op, a: destination(rd), b, c, class: Class::Load, imm };
    let store = |op| Decoded { op, a: rd as u8, b, c, class: Class::Store, imm };
    match bits(word, 24, 19) {
        0x00 => load(Op::Ld),
        0x01 => load(Op::Ldub),
        0x02 => load(Op::Lduh),
        // Pairs begin at an even register.
        0x03 if rd % 2 == 0 => Decoded { a: rd as u8, ..load(Op::Ldd) },
        0x04 => store(Op::St),
        0x05 => store(Op::Stb),
        0x06 => store(Op::Sth),
        0x07 if rd % 2 == 0 => store(Op::Std),
        0x09 => load(Op::Ldsb),
        0x0a => load(Op::Ldsh),
        0x0d => load(Op::Ldstub),
        0x0f => Decoded { a: rd as u8, ..load(Op::Swap) },
        _ => Decoded::bare(Op::Illegal),
    }
}

//! Decodes RV32I with M, A, C, Zicsr, Zifencei and the instructions of machine mode.
//!
//! A compressed instruction is decoded as the instruction it stands for; only its length differs.

use crate::profile::Class;
use crate::program::Marked;

/// Register numbers of the calling convention.
pub const RA: u8 = 1;
pub const SP: u8 = 2;
pub const T0: u8 = 5;

/// Register number that discards results for x0.
pub const SINK: u8 = 32;

/// Operations of the processor. `a` is rd (or [`SINK`]), `b` is rs1, `c` is rs2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    Undecoded,
    ChunkEnd,
    Stop,
    Illegal,

    AddImm,
    SetLessImm,
    SetLessUnsignedImm,
    XorImm,
    OrImm,
    AndImm,
    ShiftLeftImm,
    ShiftRightImm,
    ShiftRightSignedImm,
    /// `lui` and `auipc`: `imm` is the result.
    Constant,
    Add,
    Sub,
    ShiftLeft,
    SetLess,
    SetLessUnsigned,
    Xor,
    ShiftRight,
    ShiftRightSigned,
    Or,
    And,
    /// Any computing operation above that writes the stack pointer; `detail` is its [`Op`] as a number.
    ToStack,

    Mul,
    MulHigh,
    MulHighSignedUnsigned,
    MulHighUnsigned,
    Div,
    DivUnsigned,
    Rem,
    RemUnsigned,

    LoadByte,
    LoadHalf,
    LoadWord,
    LoadByteUnsigned,
    LoadHalfUnsigned,
    /// `lw` to the stack pointer.
    LoadStack,
    StoreByte,
    StoreHalf,
    StoreWord,

    /// Jumps and branches: `imm` is the target.
    Jump,
    JumpRegister,
    BranchEqual,
    BranchNotEqual,
    BranchLess,
    BranchGreaterEqual,
    BranchLessUnsigned,
    BranchGreaterEqualUnsigned,

    Fence,
    FenceInstruction,
    Call,
    Break,
    MachineReturn,
    Wait,
    /// Access to the control and status register `imm`; `detail` is funct3, whose bit 2 marks an immediate in `b`.
    Csr,
    LoadReserved,
    StoreConditional,
    /// Atomic operation on memory; `detail` is funct5.
    Atomic,
}

/// A decoded instruction.
#[derive(Debug, Clone, Copy)]
pub struct Decoded {
    pub op: Op,
    pub class: Class,
    pub a: u8,
    pub b: u8,
    pub c: u8,
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
}

impl Decoded {
    /// Returns a mark without operands.
    pub const fn bare(op: Op) -> Self {
        Decoded { op, class: Class::Other, a: SINK, b: 0, c: 0, detail: 0, halves: 1, imm: 0 }
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

    /// Whether the instruction stores a return address.
    pub fn links(&self) -> bool {
        matches!(self.a, RA | T0)
    }

    /// Whether a jump through a register returns from a call.
    pub fn returns(&self) -> bool {
        matches!(self.b, RA | T0) && !self.links()
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

fn sign_extended(value: u32, bits: u32) -> u32 {
    (((value << (32 - bits)) as i32) >> (32 - bits)) as u32
}

/// An instruction word that lies at an address.
#[derive(Clone, Copy)]
struct Word(u32);

impl Word {
    fn bits(self, low: u32, count: u32) -> u32 {
        self.0 >> low & ((1 << count) - 1)
    }

    fn rd(self) -> u8 {
        self.bits(7, 5) as u8
    }

    fn rs1(self) -> u8 {
        self.bits(15, 5) as u8
    }

    fn rs2(self) -> u8 {
        self.bits(20, 5) as u8
    }

    fn funct3(self) -> u32 {
        self.bits(12, 3)
    }

    fn imm_i(self) -> u32 {
        sign_extended(self.bits(20, 12), 12)
    }

    fn imm_s(self) -> u32 {
        sign_extended(self.bits(25, 7) << 5 | self.bits(7, 5), 12)
    }

    fn imm_b(self) -> u32 {
        let value = self.bits(31, 1) << 12 | self.bits(7, 1) << 11 | self.bits(25, 6) << 5 | self.bits(8, 4) << 1;
        sign_extended(value, 13)
    }

    fn imm_j(self) -> u32 {
        let value = self.bits(31, 1) << 20 | self.bits(12, 8) << 12 | self.bits(20, 1) << 11 | self.bits(21, 10) << 1;
        sign_extended(value, 21)
    }
}

/// Fills in the operands of an instruction.
fn made(op: Op, class: Class, rd: u8, rs1: u8, rs2: u8, imm: u32) -> Decoded {
    let a = if rd == 0 { SINK } else { rd };
    Decoded { op, class, a, b: rs1, c: rs2, detail: 0, halves: 2, imm }
}

/// Builds a computing instruction; one that writes the stack pointer becomes [`Op::ToStack`].
fn computed(op: Op, rd: u8, rs1: u8, rs2: u8, imm: u32) -> Decoded {
    let class = match op {
        Op::ShiftLeftImm
        | Op::ShiftRightImm
        | Op::ShiftRightSignedImm
        | Op::ShiftLeft
        | Op::ShiftRight
        | Op::ShiftRightSigned => Class::Shift,
        _ => Class::Alu,
    };
    let mut decoded = made(op, class, rd, rs1, rs2, imm);
    if rd == SP {
        decoded.detail = op as u8;
        decoded.op = Op::ToStack;
    }
    decoded
}

fn loaded(op: Op, rd: u8, rs1: u8, imm: u32) -> Decoded {
    let op = if op == Op::LoadWord && rd == SP { Op::LoadStack } else { op };
    made(op, Class::Load, rd, rs1, 0, imm)
}

fn stored(op: Op, rs1: u8, rs2: u8, imm: u32) -> Decoded {
    made(op, Class::Store, 0, rs1, rs2, imm)
}

fn jump(rd: u8, target: u32) -> Decoded {
    let mut decoded = made(Op::Jump, Class::Jump, rd, 0, 0, target);
    if decoded.links() {
        decoded.class = Class::Call;
    }
    decoded
}

fn jump_register(rd: u8, rs1: u8, imm: u32) -> Decoded {
    let mut decoded = made(Op::JumpRegister, Class::Jump, rd, rs1, 0, imm);
    if decoded.links() {
        decoded.class = Class::Call;
    } else if decoded.returns() {
        decoded.class = Class::Return;
    }
    decoded
}

fn branch(op: Op, rs1: u8, rs2: u8, target: u32) -> Decoded {
    made(op, Class::Branch, 0, rs1, rs2, target)
}

const ILLEGAL: Decoded = Decoded::bare(Op::Illegal);

/// Decodes a 32-bit instruction at an address.
pub fn decode(word: u32, address: u32) -> Decoded {
    let word = Word(word);
    let (rd, rs1, rs2, funct3) = (word.rd(), word.rs1(), word.rs2(), word.funct3());
    let funct7 = word.bits(25, 7);
    match word.bits(0, 7) {
        0x37 => computed(Op::Constant, rd, 0, 0, word.0 & 0xffff_f000),
        0x17 => computed(Op::Constant, rd, 0, 0, address.wrapping_add(word.0 & 0xffff_f000)),
        0x6f => jump(rd, address.wrapping_add(word.imm_j())),
        0x67 if funct3 == 0 => jump_register(rd, rs1, word.imm_i()),
        0x63 => {
            let op = match funct3 {
                0 => Op::BranchEqual,
                1 => Op::BranchNotEqual,
                4 => Op::BranchLess,
                5 => Op::BranchGreaterEqual,
                6 => Op::BranchLessUnsigned,
                7 => Op::BranchGreaterEqualUnsigned,
                _ => return ILLEGAL,
            };
            branch(op, rs1, rs2, address.wrapping_add(word.imm_b()))
        }
        0x03 => {
            let op = match funct3 {
                0 => Op::LoadByte,
                1 => Op::LoadHalf,
                2 => Op::LoadWord,
                4 => Op::LoadByteUnsigned,
                5 => Op::LoadHalfUnsigned,
                _ => return ILLEGAL,
            };
            loaded(op, rd, rs1, word.imm_i())
        }
        0x23 => {
            let op = match funct3 {
                0 => Op::StoreByte,
                1 => Op::StoreHalf,
                2 => Op::StoreWord,
                _ => return ILLEGAL,
            };
            stored(op, rs1, rs2, word.imm_s())
        }
        0x13 => {
            let shift = word.bits(20, 5);
            let (op, imm) = match (funct3, funct7) {
                (0, _) => (Op::AddImm, word.imm_i()),
                (2, _) => (Op::SetLessImm, word.imm_i()),
                (3, _) => (Op::SetLessUnsignedImm, word.imm_i()),
                (4, _) => (Op::XorImm, word.imm_i()),
                (6, _) => (Op::OrImm, word.imm_i()),
                (7, _) => (Op::AndImm, word.imm_i()),
                (1, 0x00) => (Op::ShiftLeftImm, shift),
                (5, 0x00) => (Op::ShiftRightImm, shift),
                (5, 0x20) => (Op::ShiftRightSignedImm, shift),
                _ => return ILLEGAL,
            };
            computed(op, rd, rs1, 0, imm)
        }
        0x33 if funct7 == 1 => {
            let op = match funct3 {
                0 => Op::Mul,
                1 => Op::MulHigh,
                2 => Op::MulHighSignedUnsigned,
                3 => Op::MulHighUnsigned,
                4 => Op::Div,
                5 => Op::DivUnsigned,
                6 => Op::Rem,
                _ => Op::RemUnsigned,
            };
            made(op, Class::Multiply, rd, rs1, rs2, 0)
        }
        0x33 => {
            let op = match (funct3, funct7) {
                (0, 0x00) => Op::Add,
                (0, 0x20) => Op::Sub,
                (1, 0x00) => Op::ShiftLeft,
                (2, 0x00) => Op::SetLess,
                (3, 0x00) => Op::SetLessUnsigned,
                (4, 0x00) => Op::Xor,
                (5, 0x00) => Op::ShiftRight,
                (5, 0x20) => Op::ShiftRightSigned,
                (6, 0x00) => Op::Or,
                (7, 0x00) => Op::And,
                _ => return ILLEGAL,
            };
            computed(op, rd, rs1, rs2, 0)
        }
        0x0f => match funct3 {
            0 => made(Op::Fence, Class::Other, 0, 0, 0, 0),
            1 => made(Op::FenceInstruction, Class::Other, 0, 0, 0, 0),
            _ => ILLEGAL,
        },
        0x73 => system(word),
        0x2f if funct3 == 2 => {
            let detail = word.bits(27, 5) as u8;
            let op = match detail {
                2 if rs2 == 0 => Op::LoadReserved,
                3 => Op::StoreConditional,
                0 | 1 | 4 | 8 | 12 | 16 | 20 | 24 | 28 => Op::Atomic,
                _ => return ILLEGAL,
            };
            Decoded {
                detail,
                ..made(op, if op == Op::LoadReserved { Class::Load } else { Class::Store }, rd, rs1, rs2, 0)
            }
        }
        _ => ILLEGAL,
    }
}

fn system(word: Word) -> Decoded {
    let op = match word.funct3() {
        0 if word.bits(7, 13) == 0 => match word.bits(20, 12) {
            0x000 => Op::Call,
            0x001 => Op::Break,
            0x302 => Op::MachineReturn,
            0x105 => Op::Wait,
            _ => return ILLEGAL,
        },
        0 | 4 => return ILLEGAL,
        _ => {
            let decoded = made(Op::Csr, Class::Other, word.rd(), word.rs1(), 0, word.bits(20, 12));
            return Decoded { detail: word.funct3() as u8, ..decoded };
        }
    };
    made(op, Class::Other, 0, 0, 0, 0)
}

/// Decodes a 16-bit instruction at an address.
pub fn decode_compressed(half: u32, address: u32) -> Decoded {
    Decoded { halves: 1, ..compressed(Word(half & 0xffff), address) }
}

fn compressed(half: Word, address: u32) -> Decoded {
    // The register fields of three bits.
    let (low, high) = (8 + half.bits(2, 3) as u8, 8 + half.bits(7, 3) as u8);
    // And those of five.
    let (rd, rs2) = (half.rd(), half.bits(2, 5) as u8);
    let imm6 = sign_extended(half.bits(12, 1) << 5 | half.bits(2, 5), 6);
    let shift = half.bits(2, 5);
    let word_offset = half.bits(10, 3) << 3 | half.bits(6, 1) << 2 | half.bits(5, 1) << 6;
    let jump_offset = sign_extended(
        half.bits(12, 1) << 11
            | half.bits(11, 1) << 4
            | half.bits(9, 2) << 8
            | half.bits(8, 1) << 10
            | half.bits(7, 1) << 6
            | half.bits(6, 1) << 7
            | half.bits(3, 3) << 1
            | half.bits(2, 1) << 5,
        12,
    );
    let branch_offset = sign_extended(
        half.bits(12, 1) << 8
            | half.bits(10, 2) << 3
            | half.bits(5, 2) << 6
            | half.bits(3, 2) << 1
            | half.bits(2, 1) << 5,
        9,
    );
    match (half.bits(0, 2), half.bits(13, 3)) {
        (0, 0) => {
            let imm = half.bits(7, 4) << 6 | half.bits(11, 2) << 4 | half.bits(5, 1) << 3 | half.bits(6, 1) << 2;
            if imm == 0 {
                return ILLEGAL;
            }
            computed(Op::AddImm, low, SP, 0, imm)
        }
        (0, 2) => loaded(Op::LoadWord, low, high, word_offset),
        (0, 6) => stored(Op::StoreWord, high, low, word_offset),
        (1, 0) => computed(Op::AddImm, rd, rd, 0, imm6),
        (1, 1) => jump(RA, address.wrapping_add(jump_offset)),
        (1, 2) => computed(Op::AddImm, rd, 0, 0, imm6),
        (1, 3) if rd == SP => {
            let imm = half.bits(12, 1) << 9
                | half.bits(6, 1) << 4
                | half.bits(5, 1) << 6
                | half.bits(3, 2) << 7
                | half.bits(2, 1) << 5;
            if imm == 0 {
                return ILLEGAL;
            }
            computed(Op::AddImm, SP, SP, 0, sign_extended(imm, 10))
        }
        (1, 3) if imm6 != 0 => computed(Op::Constant, rd, 0, 0, imm6 << 12),
        (1, 4) => match (half.bits(10, 2), half.bits(12, 1), half.bits(5, 2)) {
            (0, 0, _) => computed(Op::ShiftRightImm, high, high, 0, shift),
            (1, 0, _) => computed(Op::ShiftRightSignedImm, high, high, 0, shift),
            (2, _, _) => computed(Op::AndImm, high, high, 0, imm6),
            (3, 0, 0) => computed(Op::Sub, high, high, low, 0),
            (3, 0, 1) => computed(Op::Xor, high, high, low, 0),
            (3, 0, 2) => computed(Op::Or, high, high, low, 0),
            (3, 0, 3) => computed(Op::And, high, high, low, 0),
            _ => ILLEGAL,
        },
        (1, 5) => jump(0, address.wrapping_add(jump_offset)),
        (1, 6) => branch(Op::BranchEqual, high, 0, address.wrapping_add(branch_offset)),
        (1, 7) => branch(Op::BranchNotEqual, high, 0, address.wrapping_add(branch_offset)),
        (2, 0) if half.bits(12, 1) == 0 => computed(Op::ShiftLeftImm, rd, rd, 0, shift),
        (2, 2) if rd != 0 => {
            let imm = half.bits(4, 3) << 2 | half.bits(12, 1) << 5 | half.bits(2, 2) << 6;
            loaded(Op::LoadWord, rd, SP, imm)
        }
        (2, 4) => match (half.bits(12, 1), rd, rs2) {
            (0, 0, 0) => ILLEGAL,
            (0, _, 0) => jump_register(0, rd, 0),
            (0, _, _) => computed(Op::Add, rd, 0, rs2, 0),
            (_, 0, 0) => made(Op::Break, Class::Other, 0, 0, 0, 0),
            (_, _, 0) => jump_register(RA, rd, 0),
            (_, _, _) => computed(Op::Add, rd, rd, rs2, 0),
        },
        (2, 6) => {
            let imm = half.bits(9, 4) << 2 | half.bits(7, 2) << 6;
            stored(Op::StoreWord, SP, rs2, imm)
        }
        _ => ILLEGAL,
    }
}

/// Computing operations, indexed by their number.
const COMPUTING: [Op; 20] = [
    Op::AddImm,
    Op::SetLessImm,
    Op::SetLessUnsignedImm,
    Op::XorImm,
    Op::OrImm,
    Op::AndImm,
    Op::ShiftLeftImm,
    Op::ShiftRightImm,
    Op::ShiftRightSignedImm,
    Op::Constant,
    Op::Add,
    Op::Sub,
    Op::ShiftLeft,
    Op::SetLess,
    Op::SetLessUnsigned,
    Op::Xor,
    Op::ShiftRight,
    Op::ShiftRightSigned,
    Op::Or,
    Op::And,
];

/// Returns the operation that a [`Op::ToStack`] computes.
pub fn computing(detail: u8) -> Op {
    COMPUTING[usize::from(detail - Op::AddImm as u8) % COMPUTING.len()]
}

/// Whether the second operand of the operation is a register.
pub fn takes_register(detail: u8) -> bool {
    detail >= Op::Add as u8
}

//! Decodes A32 words into what the processor executes.
//!
//! Section numbers are those of the ARM Architecture Reference Manual, ARM DDI 0100E, part A. An UNPREDICTABLE encoding
//! is refused if no meaning is sensible; otherwise its fields are taken literally.

use super::timing::{Architecture, Multiply};
use crate::profile::Class;
use crate::program::Marked;

/// Register number for a missing source; it reads as zero and is never waited for.
pub const NONE: u8 = 16;
/// Register number for a result that is discarded.
pub const NOWHERE: u8 = 17;
pub const SP: u8 = 13;
pub const LR: u8 = 14;
pub const PC: u8 = 15;

/// The condition that always holds (AL).
pub const ALWAYS: u8 = 14;

/// Operations of the processor; frequent forms of an instruction have operations of their own.
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
    // Data processing without flags: `a` is written, `b` the first operand; the second one is the immediate, the
    // register `c`, or the register `c` shifted by `d` in the way of the low bits of `detail`.
    AndImm,
    AndReg,
    AndShift,
    EorImm,
    EorReg,
    EorShift,
    SubImm,
    SubReg,
    SubShift,
    RsbImm,
    RsbReg,
    RsbShift,
    AddImm,
    AddReg,
    AddShift,
    AdcImm,
    AdcReg,
    AdcShift,
    SbcImm,
    SbcReg,
    SbcShift,
    RscImm,
    RscReg,
    RscShift,
    OrrImm,
    OrrReg,
    OrrShift,
    MovImm,
    MovReg,
    MovShift,
    BicImm,
    BicReg,
    BicShift,
    MvnImm,
    MvnReg,
    MvnShift,
    // With flags; logical ones with an immediate set the carry to `detail`'s carry bit where it says so.
    AndsImm,
    AndsReg,
    EorsImm,
    EorsReg,
    SubsImm,
    SubsReg,
    RsbsImm,
    RsbsReg,
    AddsImm,
    AddsReg,
    AdcsImm,
    AdcsReg,
    SbcsImm,
    SbcsReg,
    RscsImm,
    RscsReg,
    TstImm,
    TstReg,
    TeqImm,
    TeqReg,
    CmpImm,
    CmpReg,
    CmnImm,
    CmnReg,
    OrrsImm,
    OrrsReg,
    MovsImm,
    MovsReg,
    BicsImm,
    BicsReg,
    MvnsImm,
    MvnsReg,
    /// Any other data processing. `detail` holds operation, shift and flags; `d` is the shift amount or its register.
    Alu,
    /// Any other data processing that writes the program counter; its fields are those of `Alu`.
    AluPc,
    /// Multiplication. `detail` holds a [`Multiply`], [`FLAGS`] and, for products of halfwords, [`TOP_M`] and
    /// [`TOP_S`]; `a` is Rd or RdHi, `b` is Rn or RdLo.
    Multiply,
    Clz,
    /// Saturating sum. `detail`: 0 `qadd`, 1 `qsub`, 2 `qdadd`, 3 `qdsub`; `a` is Rd, `b` is Rn, `c` is Rm.
    Saturating,
    /// Loads and stores of one register: `a` is the register, `b` the base.
    LdrImm,
    /// Load of the word at the fixed address `imm`.
    LdrLiteral,
    LdrReg,
    LdrbImm,
    LdrbReg,
    LdrhImm,
    StrImm,
    StrReg,
    StrbImm,
    StrbReg,
    StrhImm,
    /// Any other load or store of one register; `detail` holds its form.
    Load,
    LoadPc,
    Store,
    /// Load or store of several registers. `imm` is the register list; `detail` holds [`BEFORE`], [`UP`] and
    /// [`WRITEBACK`].
    LoadMultiple,
    StoreMultiple,
    LoadPair,
    StorePair,
    /// Swap of a register with memory. `detail` is [`BYTE`] for a byte, 0 for a word.
    Swap,
    Preload,
    Mrs,
    /// Write of the flags from an immediate or from register `c`; `imm` tells which.
    Msr,
    /// Branch to the address `imm`.
    Branch,
    BranchLink,
    /// Call of the address `imm` in the other instruction set.
    BranchLinkExchange,
    /// Branch to the address in register `c`.
    BranchExchange,
    BranchLinkExchangeRegister,
    /// First half of Thumb's long call: LR becomes `imm`.
    CallPrefix,
    /// Second half of Thumb's long call: jumps to LR plus `imm`.
    CallSuffix,
    CallSuffixExchange,
}

// Bits of `detail` of a load or store.
pub const BEFORE: u8 = 1;
pub const UP: u8 = 2;
pub const WRITEBACK: u8 = 4;
/// The offset is register `c` shifted by `d`; the two highest bits of `detail` are the kind of shift.
pub const BY_REGISTER: u8 = 8;
pub const BYTE: u8 = 0x10;
pub const HALF: u8 = 0x20;
/// A load extends the sign; combined with [`BYTE`] or [`HALF`].
pub const SIGNED: u8 = 0x30;

// Bits of `detail` of `Alu`: operation in the low four, then these; the kind of shift is in `imm`.
pub const FLAGS: u8 = 0x10;
pub const SHIFT_BY_REGISTER: u8 = 0x20;
/// A logical operation sets the carry to bit `CARRY`.
pub const SETS_CARRY: u8 = 0x40;
pub const CARRY: u8 = 0x80;

// Bits of `detail` of `Multiply`, besides FLAGS.
pub const TOP_M: u8 = 0x20;
pub const TOP_S: u8 = 0x40;

/// Kinds of shift, numbered as in the instruction; `RRX` is the rotation by one through the carry.
pub const LSL: u32 = 0;
pub const LSR: u32 = 1;
pub const ASR: u32 = 2;
pub const ROR: u32 = 3;
pub const RRX: u32 = 4;

/// Data processing operations, numbered as in the instruction.
pub mod alu {
    pub const AND: u8 = 0;
    pub const EOR: u8 = 1;
    pub const SUB: u8 = 2;
    pub const RSB: u8 = 3;
    pub const ADD: u8 = 4;
    pub const ADC: u8 = 5;
    pub const SBC: u8 = 6;
    pub const RSC: u8 = 7;
    pub const TST: u8 = 8;
    pub const TEQ: u8 = 9;
    pub const CMP: u8 = 10;
    pub const CMN: u8 = 11;
    pub const ORR: u8 = 12;
    pub const MOV: u8 = 13;
    pub const BIC: u8 = 14;
    pub const MVN: u8 = 15;

    /// Whether the operation only sets flags.
    pub fn tests(operation: u8) -> bool {
        (TST..=CMN).contains(&operation)
    }

    /// Whether the operation keeps the overflow flag and takes the shifter's carry.
    pub fn logical(operation: u8) -> bool {
        matches!(operation, AND | EOR | TST | TEQ | ORR | MOV | BIC | MVN)
    }
}

/// A decoded instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded {
    pub op: Op,
    pub condition: u8,
    pub a: u8,
    pub b: u8,
    pub c: u8,
    pub d: u8,
    pub detail: u8,
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
    /// Returns an instruction without operands that always runs.
    pub const fn bare(op: Op) -> Self {
        Decoded { op, condition: ALWAYS, a: NONE, b: NONE, c: NONE, d: 0, detail: 0, class: Class::Other, imm: 0 }
    }

    /// Returns the number of registers or words loaded and stored.
    pub fn transfers(&self) -> (u32, u32) {
        match self.op {
            Op::LdrImm | Op::LdrLiteral | Op::LdrReg | Op::LdrbImm | Op::LdrbReg | Op::LdrhImm => (1, 0),
            Op::Load | Op::LoadPc => (1, 0),
            Op::StrImm | Op::StrReg | Op::StrbImm | Op::StrbReg | Op::StrhImm | Op::Store => (0, 1),
            Op::LoadMultiple => (self.imm.count_ones(), 0),
            Op::StoreMultiple => (0, self.imm.count_ones()),
            Op::LoadPair => (2, 0),
            Op::StorePair => (0, 2),
            Op::Swap => (1, 1),
            _ => (0, 0),
        }
    }

    /// Whether the instruction is a branch that may or may not be taken.
    pub fn conditional_branch(&self) -> bool {
        self.condition != ALWAYS && matches!(self.class, Class::Branch | Class::Jump | Class::Call | Class::Return)
    }
}

/// Returns bits `low` to `high` of a word.
fn bits(word: u32, high: u32, low: u32) -> u32 {
    (word >> low) & ((1 << (high - low + 1)) - 1)
}

fn bit(word: u32, number: u32) -> bool {
    word >> number & 1 == 1
}

fn register(word: u32, low: u32) -> u8 {
    bits(word, low + 3, low) as u8
}

/// Fields of a data processing instruction.
#[derive(Clone, Copy)]
pub struct Processing {
    pub operation: u8,
    pub flags: bool,
    pub rd: u8,
    pub rn: u8,
    pub operand: Operand,
}

/// The second operand of a data processing instruction.
#[derive(Clone, Copy)]
pub enum Operand {
    /// An immediate, and the carry of its rotation if it is rotated.
    Immediate(u32, Option<bool>),
    /// A register, the kind of shift, and the amount; amount 0 means no shift.
    Shifted(u8, u32, u8),
    /// A register, the kind of shift, and the register that holds the amount.
    ShiftedBy(u8, u32, u8),
}

/// Returns the operand of an immediate shift; an encoded amount of 0 has a meaning of its own for each kind.
pub fn immediate_shift(rm: u8, kind: u32, amount: u32) -> Operand {
    match (kind, amount) {
        (LSL, amount) => Operand::Shifted(rm, LSL, amount as u8),
        (ROR, 0) => Operand::Shifted(rm, RRX, 1),
        (kind, 0) => Operand::Shifted(rm, kind, 32),
        (kind, amount) => Operand::Shifted(rm, kind, amount as u8),
    }
}

impl Processing {
    /// Builds the instruction; `pc` is the value that reading the program counter gives.
    pub fn decode(self, pc: u32) -> Decoded {
        use alu::*;
        let Processing { operation, flags, rd, rn, operand } = self;
        let rd = if tests(operation) { NOWHERE } else { rd };
        let rn = if matches!(operation, MOV | MVN) { NONE } else { rn };
        let mut decoded = Decoded { a: rd, b: rn, class: Class::Alu, ..Decoded::bare(Op::Alu) };
        // The address of something: known here.
        if let (PC, ADD | SUB, false, Operand::Immediate(value, _)) = (rn, operation, flags, operand) {
            if rd != PC && rd != SP {
                let value = if operation == ADD { pc.wrapping_add(value) } else { pc.wrapping_sub(value) };
                return Decoded { op: Op::MovImm, b: NONE, imm: value, ..decoded };
            }
        }
        let (plain, shift, with_flags) = match operation {
            AND => ([Op::AndImm, Op::AndReg], Some(Op::AndShift), [Op::AndsImm, Op::AndsReg]),
            EOR => ([Op::EorImm, Op::EorReg], Some(Op::EorShift), [Op::EorsImm, Op::EorsReg]),
            SUB => ([Op::SubImm, Op::SubReg], Some(Op::SubShift), [Op::SubsImm, Op::SubsReg]),
            RSB => ([Op::RsbImm, Op::RsbReg], Some(Op::RsbShift), [Op::RsbsImm, Op::RsbsReg]),
            ADD => ([Op::AddImm, Op::AddReg], Some(Op::AddShift), [Op::AddsImm, Op::AddsReg]),
            ADC => ([Op::AdcImm, Op::AdcReg], Some(Op::AdcShift), [Op::AdcsImm, Op::AdcsReg]),
            SBC => ([Op::SbcImm, Op::SbcReg], Some(Op::SbcShift), [Op::SbcsImm, Op::SbcsReg]),
            RSC => ([Op::RscImm, Op::RscReg], Some(Op::RscShift), [Op::RscsImm, Op::RscsReg]),
            TST => ([Op::TstImm, Op::TstReg], None, [Op::TstImm, Op::TstReg]),
            TEQ => ([Op::TeqImm, Op::TeqReg], None, [Op::TeqImm, Op::TeqReg]),
            CMP => ([Op::CmpImm, Op::CmpReg], None, [Op::CmpImm, Op::CmpReg]),
            CMN => ([Op::CmnImm, Op::CmnReg], None, [Op::CmnImm, Op::CmnReg]),
            ORR => ([Op::OrrImm, Op::OrrReg], Some(Op::OrrShift), [Op::OrrsImm, Op::OrrsReg]),
            MOV => ([Op::MovImm, Op::MovReg], Some(Op::MovShift), [Op::MovsImm, Op::MovsReg]),
            BIC => ([Op::BicImm, Op::BicReg], Some(Op::BicShift), [Op::BicsImm, Op::BicsReg]),
            _ => ([Op::MvnImm, Op::MvnReg], Some(Op::MvnShift), [Op::MvnsImm, Op::MvnsReg]),
        };
        let quick = if flags { with_flags } else { plain };
        // The long way also minds the stack pointer, reads the program counter and writes it.
        let special = |register: u8| register == PC;
        let mut long = rd == PC || rd == SP || special(rn);
        if flags {
            decoded.detail |= FLAGS;
        }
        match operand {
            Operand::Immediate(value, carry) => {
                decoded.imm = value;
                if let Some(carry) = carry {
                    decoded.detail |= SETS_CARRY | if carry { CARRY } else { 0 };
                }
                decoded.op = quick[0];
            }
            Operand::Shifted(rm, LSL, 0) => {
                decoded.c = rm;
                decoded.op = quick[1];
                long |= special(rm);
            }
            Operand::Shifted(rm, kind, amount) => {
                decoded.c = rm;
                decoded.d = amount;
                decoded.imm = kind;
                long |= special(rm) || kind == RRX;
                if operation == MOV {
                    decoded.class = Class::Shift;
                }
                match shift {
                    Some(op) if !flags && !long => {
                        decoded.op = op;
                        if kind == LSL {
                            // As the quick forms shift: from the upper half of a double word to the right.
                            decoded.d = 32 - amount;
                        }
                        return decoded;
                    }
                    _ => long = true,
                }
            }
            Operand::ShiftedBy(rm, kind, rs) => {
                decoded.c = rm;
                decoded.d = rs;
                decoded.imm = kind;
                decoded.detail |= SHIFT_BY_REGISTER;
                if operation == MOV {
                    decoded.class = Class::Shift;
                }
                long = true;
                if rs == PC {
                    return Decoded::bare(Op::Illegal);
                }
            }
        }
        if long {
            decoded.detail |= operation;
            decoded.op = if rd == PC { Op::AluPc } else { Op::Alu };
            if let Operand::Immediate(..) = operand {
                decoded.c = NONE;
                decoded.d = IMMEDIATE;
            }
            if rd == PC {
                let returns = operation == MOV && decoded.c == LR && matches!(operand, Operand::Shifted(_, LSL, 0));
                decoded.class = if returns { Class::Return } else { Class::Jump };
                // It would copy SPSR, which a user does not have.
                if flags {
                    return Decoded::bare(Op::Illegal);
                }
            }
        }
        decoded
    }
}

/// Value of `d` of `Alu` if the operand is the immediate.
pub const IMMEDIATE: u8 = 0xff;

/// Decodes the word at an address.
pub fn decode(word: u32, address: u32, architecture: Architecture) -> Decoded {
    let illegal = Decoded::bare(Op::Illegal);
    let enhanced = architecture == Architecture::Armv5te;
    let condition = bits(word, 31, 28) as u8;
    let mut decoded = if condition == 15 {
        if !enhanced {
            return illegal;
        }
        return unconditional(word, address);
    } else {
        match bits(word, 27, 25) {
            0b000 if bit(word, 4) && bit(word, 7) => {
                if bits(word, 6, 5) == 0 {
                    multiply_or_swap(word)
                } else {
                    halves(word, address, enhanced)
                }
            }
            0b000 | 0b001 if bits(word, 24, 23) == 0b10 && !bit(word, 20) => miscellaneous(word, architecture),
            0b000 | 0b001 => processing(word, address),
            0b010 => single(word, address),
            0b011 if !bit(word, 4) => single(word, address),
            0b100 => multiple(word),
            0b101 => branch(word, address),
            _ => illegal,
        }
    };
    decoded.condition = condition;
    decoded
}

fn branch_target(word: u32, address: u32) -> u32 {
    let offset = ((word << 8) as i32 >> 6) as u32;
    address.wrapping_add(8).wrapping_add(offset)
}

/// Decodes branches (section A4.1.5).
fn branch(word: u32, address: u32) -> Decoded {
    let (op, class) = if bit(word, 24) { (Op::BranchLink, Class::Call) } else { (Op::Branch, Class::Branch) };
    let class = if class == Class::Branch && bits(word, 31, 28) == u32::from(ALWAYS) { Class::Jump } else { class };
    Decoded { imm: branch_target(word, address), class, ..Decoded::bare(op) }
}

/// Decodes instructions without a condition: `blx` to a label (A4.1.7) and `pld` (A10).
fn unconditional(word: u32, address: u32) -> Decoded {
    if bits(word, 27, 25) == 0b101 {
        let half = if bit(word, 24) { 2 } else { 0 };
        let imm = branch_target(word, address).wrapping_add(half);
        return Decoded { imm, class: Class::Call, ..Decoded::bare(Op::BranchLinkExchange) };
    }
    if bits(word, 27, 26) == 0b01
        && bit(word, 24)
        && bits(word, 22, 20) == 0b101
        && register(word, 12) == PC
        && !(bit(word, 25) && bit(word, 4))
    {
        let load = single(word & !(1 << 22), address);
        return match load.op {
            Op::LdrLiteral => Decoded { op: Op::Preload, b: NONE, detail: BEFORE | UP, class: Class::Other, ..load },
            Op::Illegal => load,
            _ => {
                let mut preload = addressing(word, address);
                preload.op = Op::Preload;
                preload.class = Class::Other;
                preload
            }
        };
    }
    Decoded::bare(Op::Illegal)
}

/// Decodes data processing (A3.4, A4.1; operand forms: A5.1).
fn processing(word: u32, address: u32) -> Decoded {
    let operand = if bit(word, 25) {
        let rotation = 2 * bits(word, 11, 8);
        let value = bits(word, 7, 0).rotate_right(rotation);
        Operand::Immediate(value, (rotation != 0).then_some(bit(value, 31)))
    } else if bit(word, 4) {
        Operand::ShiftedBy(register(word, 0), bits(word, 6, 5), register(word, 8))
    } else {
        immediate_shift(register(word, 0), bits(word, 6, 5), bits(word, 11, 7))
    };
    Processing {
        operation: bits(word, 24, 21) as u8,
        flags: bit(word, 20),
        rd: register(word, 12),
        rn: register(word, 16),
        operand,
    }
    .decode(address.wrapping_add(8))
}

/// Decodes multiplications (A3.5, A4.1.28 and following; DSP: A10) and `swp` (A4.1.51).
fn multiply_or_swap(word: u32) -> Decoded {
    let illegal = Decoded::bare(Op::Illegal);
    let (high, low, rs, rm) = (register(word, 16), register(word, 12), register(word, 8), register(word, 0));
    let flags = if bit(word, 20) { FLAGS } else { 0 };
    let base = Decoded { a: high, b: low, c: rm, d: rs, class: Class::Multiply, ..Decoded::bare(Op::Multiply) };
    let with = |kind: Multiply| Decoded { detail: kind as u8 | flags, ..base };
    let decoded = match bits(word, 24, 21) {
        0b0000 => Decoded { b: NONE, ..with(Multiply::Mul) },
        0b0001 => with(Multiply::Mla),
        0b0100 => with(Multiply::Umull),
        0b0101 => with(Multiply::Umlal),
        0b0110 => with(Multiply::Smull),
        0b0111 => with(Multiply::Smlal),
        0b1000 | 0b1010 if flags == 0 && rs == 0 => {
            let detail = if bit(word, 22) { BYTE } else { 0 };
            if high == PC || low == PC || low == SP {
                return illegal;
            }
            return Decoded { a: low, b: high, c: rm, detail, class: Class::Load, ..Decoded::bare(Op::Swap) };
        }
        _ => return illegal,
    };
    legal_multiply(decoded)
}

/// Refuses a multiplication that uses the program counter, or whose result is the stack pointer.
fn legal_multiply(decoded: Decoded) -> Decoded {
    let Decoded { a, b, c, d, .. } = decoded;
    if [a, b, c, d].contains(&PC) || a == SP || b == SP && long_result(decoded.detail) {
        return Decoded::bare(Op::Illegal);
    }
    decoded
}

/// Whether `b` is the low half of a multiplication's result.
pub fn long_result(detail: u8) -> bool {
    let kind = detail & 0x0f;
    let long = [Multiply::Umull, Multiply::Umlal, Multiply::Smull, Multiply::Smlal, Multiply::Smlalxy];
    long.iter().any(|long| *long as u8 == kind)
}

fn miscellaneous(word: u32, architecture: Architecture) -> Decoded {
    let illegal = Decoded::bare(Op::Illegal);
    let (rd, rm) = (register(word, 12), register(word, 0));
    let spsr = bit(word, 22);
    if bit(word, 25) {
        // `msr` with an immediate.
        if !bit(word, 21) || spsr {
            return illegal;
        }
        let value = bits(word, 7, 0).rotate_right(2 * bits(word, 11, 8));
        return Decoded { imm: value, detail: u8::from(bit(word, 19)), ..Decoded::bare(Op::Msr) };
    }
    let enhanced = architecture == Architecture::Armv5te;
    match (bits(word, 7, 4), bits(word, 22, 21)) {
        (0b0000, 0b00) if rd != PC && rd != SP => Decoded { a: rd, ..Decoded::bare(Op::Mrs) },
        (0b0000, 0b01) if rm != PC => Decoded { c: rm, detail: u8::from(bit(word, 19)), ..Decoded::bare(Op::Msr) },
        (0b0001, 0b01) if architecture >= Architecture::Armv4t => {
            let class = if rm == LR { Class::Return } else { Class::Jump };
            Decoded { c: rm, class, ..Decoded::bare(Op::BranchExchange) }
        }
        (0b0001, 0b11) if enhanced && rd != PC && rd != SP && rm != PC => {
            Decoded { a: rd, c: rm, class: Class::Alu, ..Decoded::bare(Op::Clz) }
        }
        (0b0011, 0b01) if enhanced && rm != PC => {
            Decoded { c: rm, class: Class::Call, ..Decoded::bare(Op::BranchLinkExchangeRegister) }
        }
        (0b0101, kind) if enhanced => {
            let rn = register(word, 16);
            if [rd, rn, rm].contains(&PC) || rd == SP {
                return illegal;
            }
            Decoded { a: rd, b: rn, c: rm, detail: kind as u8, class: Class::Alu, ..Decoded::bare(Op::Saturating) }
        }
        (low, kind) if enhanced && low & 0b1001 == 0b1000 => {
            let (a, b, rs) = (register(word, 16), rd, register(word, 8));
            let halves = (if bit(word, 5) { TOP_M } else { 0 }) | (if bit(word, 6) { TOP_S } else { 0 });
            let (kind, b, halves) = match (kind, bit(word, 5)) {
                (0b00, _) => (Multiply::Smlaxy, b, halves),
                (0b01, false) => (Multiply::Smlawy, b, halves & TOP_S),
                (0b01, true) => (Multiply::Smulwy, NONE, halves & TOP_S),
                (0b10, _) => (Multiply::Smlalxy, b, halves),
                _ => (Multiply::Smulxy, NONE, halves),
            };
            legal_multiply(Decoded {
                a,
                b,
                c: rm,
                d: rs,
                detail: kind as u8 | halves,
                class: Class::Multiply,
                ..Decoded::bare(Op::Multiply)
            })
        }
        _ => illegal,
    }
}

/// Decodes base, offset and addressing bits of `detail` of a word or byte transfer.
fn addressing(word: u32, address: u32) -> Decoded {
    let rn = register(word, 16);
    let (before, up) = (bit(word, 24), bit(word, 23));
    // Without indexing first, the base is always written; the other bit then asks for a user's access, which all are.
    let writeback = bit(word, 21) || !before;
    let mut detail = 0;
    for (holds, flag) in [(before, BEFORE), (up, UP), (writeback, WRITEBACK), (bit(word, 25), BY_REGISTER)] {
        if holds {
            detail |= flag;
        }
    }
    let mut decoded = Decoded { b: rn, detail, ..Decoded::bare(Op::Illegal) };
    if bit(word, 25) {
        let (kind, amount) = match immediate_shift(register(word, 0), bits(word, 6, 5), bits(word, 11, 7)) {
            Operand::Shifted(_, kind, amount) => (kind, amount),
            _ => return decoded,
        };
        decoded.c = register(word, 0);
        decoded.d = amount;
        decoded.imm = kind;
        if decoded.c == PC {
            return Decoded::bare(Op::Illegal);
        }
    } else {
        decoded.imm = bits(word, 11, 0);
    }
    if rn == PC && writeback {
        return Decoded::bare(Op::Illegal);
    }
    if rn == PC && !bit(word, 25) {
        let pc = address.wrapping_add(8);
        decoded.imm = if up { pc.wrapping_add(decoded.imm) } else { pc.wrapping_sub(decoded.imm) };
        decoded.detail |= UP;
        decoded.b = NONE;
    }
    decoded.op = Op::Load;
    decoded
}

/// Decodes loads and stores of a word or byte (A3.11, A5.2).
fn single(word: u32, address: u32) -> Decoded {
    let mut decoded = addressing(word, address);
    if decoded.op == Op::Illegal {
        return decoded;
    }
    let rd = register(word, 12);
    let (load, byte) = (bit(word, 20), bit(word, 22));
    decoded.a = rd;
    decoded.class = if load { Class::Load } else { Class::Store };
    if byte {
        decoded.detail |= BYTE;
    }
    let width = if byte { Width::Byte } else { Width::Word };
    transfer(decoded, load, width)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Width {
    Byte,
    Half,
    Word,
    SignedByte,
    SignedHalf,
}

/// Chooses the fastest operation for a load or store whose fields are filled in.
pub fn transfer(mut decoded: Decoded, load: bool, width: Width) -> Decoded {
    let illegal = Decoded::bare(Op::Illegal);
    let rd = decoded.a;
    decoded.class = if load { Class::Load } else { Class::Store };
    decoded.detail = decoded.detail & (BEFORE | UP | WRITEBACK | BY_REGISTER)
        | match width {
            Width::Byte => BYTE,
            Width::Half => HALF,
            Width::Word => 0,
            Width::SignedByte | Width::SignedHalf => SIGNED,
        };
    if width == Width::SignedHalf {
        decoded.detail |= SIGNED_HALF;
    }
    let writeback = decoded.detail & WRITEBACK != 0;
    if rd == PC && width != Width::Word || writeback && decoded.b == rd {
        return illegal;
    }
    if rd == PC && load {
        let returns = decoded.b == SP && writeback;
        return Decoded { op: Op::LoadPc, class: if returns { Class::Return } else { Class::Jump }, ..decoded };
    }
    decoded.op = if load { Op::Load } else { Op::Store };
    // The long way minds the stack pointer and reads the program counter.
    if writeback || decoded.detail & BEFORE == 0 || decoded.b == PC || rd == PC || rd == SP && load {
        return decoded;
    }
    if decoded.detail & BY_REGISTER == 0 {
        let offset = if decoded.detail & UP != 0 { decoded.imm } else { decoded.imm.wrapping_neg() };
        let op = match (load, width) {
            (true, Width::Word) if decoded.b == NONE && decoded.imm & 3 == 0 => Op::LdrLiteral,
            (true, Width::Word) => Op::LdrImm,
            (true, Width::Byte) => Op::LdrbImm,
            (true, Width::Half) => Op::LdrhImm,
            (false, Width::Word) => Op::StrImm,
            (false, Width::Byte) => Op::StrbImm,
            (false, Width::Half) => Op::StrhImm,
            _ => return decoded,
        };
        return Decoded { op, imm: offset, ..decoded };
    }
    if decoded.detail & UP == 0 || decoded.imm == RRX {
        return decoded;
    }
    let op = match (load, width) {
        (true, Width::Word) => Op::LdrReg,
        (true, Width::Byte) => Op::LdrbReg,
        (false, Width::Word) => Op::StrReg,
        (false, Width::Byte) => Op::StrbReg,
        _ => return decoded,
    };
    if decoded.imm == LSL {
        decoded.d = 32 - decoded.d;
    }
    Decoded { op, ..decoded }
}

/// A signed load reads a halfword rather than a byte; combined with [`SIGNED`].
pub const SIGNED_HALF: u8 = 0x40;

/// Decodes loads and stores of halfwords and signed bytes (A3.11.3, A5.3) and of pairs (A10).
fn halves(word: u32, address: u32, enhanced: bool) -> Decoded {
    let illegal = Decoded::bare(Op::Illegal);
    let (rd, rn) = (register(word, 12), register(word, 16));
    let (before, up) = (bit(word, 24), bit(word, 23));
    if !before && bit(word, 21) {
        return illegal;
    }
    let writeback = bit(word, 21) || !before;
    let mut detail = 0;
    for (holds, flag) in [(before, BEFORE), (up, UP), (writeback, WRITEBACK), (!bit(word, 22), BY_REGISTER)] {
        if holds {
            detail |= flag;
        }
    }
    let mut decoded = Decoded { a: rd, b: rn, detail, ..illegal };
    if bit(word, 22) {
        decoded.imm = bits(word, 11, 8) << 4 | bits(word, 3, 0);
    } else {
        decoded.c = register(word, 0);
        decoded.imm = LSL;
        if decoded.c == PC {
            return illegal;
        }
    }
    if rn == PC {
        if writeback || !bit(word, 22) {
            return illegal;
        }
        let pc = address.wrapping_add(8);
        decoded.imm = if up { pc.wrapping_add(decoded.imm) } else { pc.wrapping_sub(decoded.imm) };
        decoded.detail |= UP;
        decoded.b = NONE;
    }
    match (bit(word, 20), bits(word, 6, 5)) {
        (true, 0b01) => transfer(decoded, true, Width::Half),
        (true, 0b10) => transfer(decoded, true, Width::SignedByte),
        (true, _) => transfer(decoded, true, Width::SignedHalf),
        (false, 0b01) => transfer(decoded, false, Width::Half),
        (false, kind) if enhanced => {
            let load = kind == 0b10;
            // A pair begins at an even register; r12 and r13 would move the stack pointer.
            let base_is_loaded = writeback && (rn == rd || rn == rd + 1);
            let offset_is_loaded = load && (decoded.c == rd || decoded.c == rd + 1);
            if rd % 2 != 0 || rd == LR || load && rd + 1 == SP || base_is_loaded || offset_is_loaded {
                return illegal;
            }
            let op = if load { Op::LoadPair } else { Op::StorePair };
            Decoded { op, class: if load { Class::Load } else { Class::Store }, ..decoded }
        }
        _ => illegal,
    }
}

/// Decodes loads and stores of several registers (A3.12, A5.4).
fn multiple(word: u32) -> Decoded {
    let list = bits(word, 15, 0);
    let rn = register(word, 16);
    // The set bit 22 asks for another mode's registers.
    if list == 0 || rn == PC || bit(word, 22) {
        return Decoded::bare(Op::Illegal);
    }
    let mut detail = 0;
    for (holds, flag) in [(bit(word, 24), BEFORE), (bit(word, 23), UP), (bit(word, 21), WRITEBACK)] {
        if holds {
            detail |= flag;
        }
    }
    transfer_multiple(bit(word, 20), rn, list, detail)
}

/// Builds a transfer of a list of registers.
pub fn transfer_multiple(load: bool, rn: u8, list: u32, detail: u8) -> Decoded {
    let stack = rn == SP && detail & WRITEBACK != 0;
    let class = match (load, stack, list >> PC & 1 == 1) {
        (true, true, true) => Class::Return,
        (true, false, true) => Class::Jump,
        (_, true, _) => Class::Stack,
        (true, ..) => Class::Load,
        (false, ..) => Class::Store,
    };
    let op = if load { Op::LoadMultiple } else { Op::StoreMultiple };
    Decoded { b: rn, detail, imm: list, class, ..Decoded::bare(op) }
}

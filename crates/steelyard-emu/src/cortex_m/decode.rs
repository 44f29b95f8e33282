//! Decodes Thumb halfwords into what the processor executes.
//!
//! Section numbers are those of the ARMv7-M Architecture Reference Manual, ARM DDI 0403, chapter A5 (ARMv6-M: DDI 0419,
//! A5; additions of ARMv8-M: DDI 0553, C2). An UNPREDICTABLE encoding is refused if no meaning is sensible; otherwise
//! its fields are taken literally.

use super::timing::{Architecture, Core};
use crate::profile::Class;
use crate::program::Marked;

/// Register number for a missing source; it reads as zero.
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
    // Data processing: `a` is written, `b` the first operand; the second one is the immediate, the register `c`, or the
    // register `c` shifted by `d` in the way of `imm`.
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
    AddImm,
    AddReg,
    AddShift,
    AdcReg,
    SbcReg,
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
    // With flags; logical ones with an immediate set the carry to that of `detail` where it says so.
    AndsImm,
    AndsReg,
    EorsImm,
    EorsReg,
    SubsImm,
    SubsReg,
    RsbsImm,
    AddsImm,
    AddsReg,
    AdcsReg,
    SbcsReg,
    OrrsImm,
    OrrsReg,
    MovsImm,
    MovsReg,
    MovsLsl,
    MovsLsr,
    MovsAsr,
    BicsReg,
    MvnsReg,
    /// Any other data processing. `detail` holds operation, shift and flags; `d` is the shift amount or its register,
    /// `imm` the kind of shift.
    Alu,
    /// `movt`: puts `imm` into the upper half of `a`.
    MovTop,
    /// Bit field extraction: `d` bits of `c` from bit `imm` up.
    ExtractSigned,
    ExtractUnsigned,
    /// Bit field insertion: puts `c` into `a` from bit `d` up; `imm` is the mask.
    Insert,
    /// Saturation of `c`, shifted as in `Alu`, to `imm` bits (`Saturate16`: of both halves). `detail` is [`UNSIGNED`]
    /// or 0.
    Saturate,
    Saturate16,
    /// Extension: `c` is rotated by `d`, extended and added to `b`.
    ExtendByteSigned,
    ExtendByte,
    ExtendHalfSigned,
    ExtendHalf,
    /// Extension of two bytes to halfwords. `detail` is [`UNSIGNED`] or 0.
    ExtendBytes,
    /// Packing of halfwords; with `detail` [`TOP`] the upper half is taken from `b`.
    Pack,
    /// Parallel sum or difference; `detail` is the operation, see [`parallel`].
    Parallel,
    Select,
    /// Saturating sum of `c` and `b`. `detail`: 0 `qadd`, 1 `qdadd`, 2 `qsub`, 3 `qdsub`.
    Saturating,
    Reverse,
    ReverseHalves,
    ReverseSigned,
    ReverseBits,
    Clz,
    /// Multiplication: a = b * c, plus or minus d.
    Multiply,
    MultiplyFlags,
    MultiplyAdd,
    MultiplySubtract,
    /// Long multiplication: `a` is the upper, `d` the lower word of the result.
    LongUnsigned,
    LongSigned,
    LongAddUnsigned,
    LongAddSigned,
    /// `umaal`: both words of the result register pair are added to the product.
    LongAddTwice,
    /// Multiplication of the DSP extension; `detail` holds its kind, see [`dsp`], with [`TOP`] and [`TOP_SECOND`].
    Dsp,
    DivideSigned,
    DivideUnsigned,
    /// Loads and stores of one register: `a` is the register, `b` the base.
    LdrImm,
    /// Load of the word at the fixed address `imm`.
    LdrLiteral,
    /// Loads and stores at base `b` plus `c` shifted left by `d`.
    LdrReg,
    LdrbImm,
    LdrbReg,
    LdrhImm,
    LdrhReg,
    StrImm,
    StrReg,
    StrbImm,
    StrbReg,
    StrhImm,
    StrhReg,
    /// Any other load or store of one register; `detail` holds its form.
    Load,
    LoadPc,
    Store,
    /// Load or store of several registers. `imm` is the register list; `detail` holds [`DOWN`] and [`WRITEBACK`].
    LoadMultiple,
    StoreMultiple,
    /// Load or store of the registers `a` and `d`; `detail` has the bits it has in `Load`.
    LoadPair,
    StorePair,
    /// Exclusive load; `detail` is its width in bytes.
    LoadExclusive,
    /// Exclusive store of `d`; `a` receives the result.
    StoreExclusive,
    ClearExclusive,
    /// Branch by a table. `detail` is the width of the table's entries in bytes; `imm` is the program counter if that
    /// is the base.
    TableBranch,
    /// Branch to the address `imm`.
    Branch,
    BranchLink,
    /// Branch to `imm` if `b` is zero or not zero; `detail` tells which.
    BranchZero,
    /// Branch to the address in register `c`; `imm` is the return address.
    BranchExchange,
    BranchLinkExchange,
    /// Branch to `c` plus `imm`; the lowest bit is ignored.
    BranchAdd,
    /// `it`; the instructions it rules already hold their conditions.
    IfThen,
    /// Read of the special register `imm`.
    Mrs,
    /// Write of a special register; `detail` is the mask.
    Msr,
    /// `cps`: sets the registers in `imm` if `detail` is 1, clears them if it is 0.
    ChangeState,
    Barrier,
    Nop,
    SendEvent,
    WaitEvent,
    WaitInterrupt,
    /// `tt` of ARMv8-M: queries the attributes of an address.
    TestTarget,
}

// Bits of `detail` of a load or store.
pub const BEFORE: u8 = 1;
pub const WRITEBACK: u8 = 2;
pub const BYTE: u8 = 4;
pub const HALF: u8 = 8;
/// A load extends the sign; combined with [`BYTE`] or [`HALF`].
pub const SIGNED: u8 = 0x10;
/// The offset is register `c` shifted left by `d`.
pub const BY_REGISTER: u8 = 0x20;
/// A transfer of several registers goes downwards.
pub const DOWN: u8 = 0x40;

// Bits of `detail` of `Alu`: operation in the low four, then these; the kind of shift is in `imm`.
pub const FLAGS: u8 = 0x10;
pub const SHIFT_BY_REGISTER: u8 = 0x20;
/// A logical operation with an immediate sets the carry to bit `CARRY`.
pub const SETS_CARRY: u8 = 0x40;
pub const CARRY: u8 = 0x80;
/// Value of `d` of `Alu` if the operand is `imm`.
pub const IMMEDIATE: u8 = 0xff;

pub const UNSIGNED: u8 = 1;
pub const TOP: u8 = 0x20;
pub const TOP_SECOND: u8 = 0x40;

/// Data processing operations, numbered as in A32, with Thumb's additional one.
pub mod alu {
    pub use crate::arm::decode::alu::*;
    /// `orn`, numbered as A32's reverse subtraction with carry, which Thumb lacks.
    pub const ORN: u8 = RSC;
}

/// Kinds of shift, numbered as in the instruction; `RRX` is the rotation by one through the carry.
pub use crate::arm::decode::{ASR, LSL, LSR, ROR, RRX};

/// Parallel sums and differences: width and exchange in the lower bits, kind in the upper bits.
pub mod parallel {
    pub const ADD8: u8 = 0;
    pub const ADD16: u8 = 1;
    pub const ASX: u8 = 2;
    pub const SUB8: u8 = 4;
    pub const SUB16: u8 = 5;
    pub const SAX: u8 = 6;
    /// Position of the kind: 0 sets flags, 1 saturates, 2 halves; 4 is added for unsigned operands.
    pub const KIND_SHIFT: u8 = 3;
    pub const SATURATING: u8 = 1;
    pub const HALVING: u8 = 2;
    pub const OF_UNSIGNED: u8 = 4;
}

/// Multiplications of the DSP extension, by number.
pub mod dsp {
    pub const HALVES: u8 = 0;
    pub const WORD_HALF: u8 = 1;
    pub const DUAL_ADD: u8 = 2;
    pub const DUAL_SUBTRACT: u8 = 3;
    pub const TOP_WORD: u8 = 4;
    pub const TOP_WORD_SUBTRACT: u8 = 5;
    pub const ABSOLUTE_DIFFERENCES: u8 = 6;
    /// First kind whose accumulator and result are two words.
    pub const LONG_HALVES: u8 = 7;
    pub const LONG_DUAL_ADD: u8 = 8;
    pub const LONG_DUAL_SUBTRACT: u8 = 9;
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
    /// Registers that the instruction reads, one bit each.
    pub reads: u16,
    /// Length of the instruction in halfwords.
    pub halves: u8,
}

impl Decoded {
    /// Returns an instruction without operands that always runs.
    pub const fn bare(op: Op) -> Self {
        Decoded {
            op,
            condition: ALWAYS,
            a: NOWHERE,
            b: NONE,
            c: NONE,
            d: 0,
            detail: 0,
            class: Class::Other,
            imm: 0,
            reads: 0,
            halves: 1,
        }
    }

    const fn of(op: Op, class: Class) -> Self {
        Decoded { class, ..Decoded::bare(op) }
    }
}

/// Mark of a [`Packed`] instruction that may wait, skip or fetch; it lies above all other marks except [`BEGINS_RUN`].
pub const MINDED: u32 = 1 << 24;
/// Mark of a [`Packed`] instruction that begins a run of 32-bit instructions at no multiple of four.
const BEGINS_RUN: u32 = 2 * MINDED;

/// An instruction as the program stores it. Fields that are read together share a word, so that a run loads few words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packed {
    pub code: Op,
    pub class: Class,
    /// Registers that the instruction reads, one bit each.
    pub reads: u16,
    /// `a` to `d` of [`Decoded`], from the lowest byte up.
    registers: u32,
    /// `condition`, `halves` and `detail` of [`Decoded`] from the lowest byte up, then [`MINDED`] and [`BEGINS_RUN`].
    marks: u32,
    pub imm: u32,
}

impl Marked for Packed {
    const UNDECODED: Self = Packed::bare(Op::Undecoded);
    const CHUNK_END: Self = Packed::bare(Op::ChunkEnd);
    const STOP: Self = Packed::bare(Op::Stop);
    /// Length of an `it`, three instructions, and the first half of a fourth.
    const REACH_BYTES: u32 = 2 + 3 * 4 + 2;

    fn is_undecoded(&self) -> bool {
        self.code == Op::Undecoded
    }
}

impl From<Decoded> for Packed {
    fn from(decoded: Decoded) -> Self {
        Packed::of(&decoded)
    }
}

impl Packed {
    const fn bare(op: Op) -> Self {
        Packed::of(&Decoded::bare(op))
    }

    const fn of(decoded: &Decoded) -> Self {
        Packed {
            code: decoded.op,
            class: decoded.class,
            reads: decoded.reads,
            registers: u32::from_le_bytes([decoded.a, decoded.b, decoded.c, decoded.d]),
            marks: u32::from_le_bytes([decoded.condition, decoded.halves, decoded.detail, 0]),
            imm: decoded.imm,
        }
    }

    #[inline(always)]
    pub fn a(self) -> u8 {
        self.registers as u8
    }

    #[inline(always)]
    pub fn b(self) -> u8 {
        (self.registers >> 8) as u8
    }

    #[inline(always)]
    pub fn c(self) -> u8 {
        (self.registers >> 16) as u8
    }

    #[inline(always)]
    pub fn d(self) -> u8 {
        (self.registers >> 24) as u8
    }

    #[inline(always)]
    pub fn condition(self) -> u8 {
        self.marks as u8
    }

    #[inline(always)]
    pub fn halves(self) -> u8 {
        (self.marks >> 8) as u8
    }

    #[inline(always)]
    pub fn detail(self) -> u8 {
        (self.marks >> 16) as u8
    }

    /// Marks an instruction before which something may happen: its condition fails, a row of code begins in it, or it
    /// waits for a register.
    pub fn minded(self, mind: bool) -> Self {
        let needed = mind || self.condition() != ALWAYS;
        Packed { marks: self.marks & (MINDED - 1) | if needed { MINDED } else { 0 }, ..self }
    }

    /// Marks the first of a run of unaligned 32-bit instructions.
    pub fn beginning_run(self) -> Self {
        Packed { marks: self.marks | BEGINS_RUN, ..self }
    }

    /// Whether [`Packed::beginning_run`] marked the instruction.
    pub fn begins_run(self) -> bool {
        self.marks & BEGINS_RUN != 0
    }

    /// Whether the instruction is a multiplication with a result of two words.
    pub fn is_long_product(self) -> bool {
        match self.code {
            Op::LongUnsigned | Op::LongSigned | Op::LongAddUnsigned | Op::LongAddSigned | Op::LongAddTwice => true,
            Op::Dsp => self.detail() & 0x0f >= dsp::LONG_HALVES,
            _ => false,
        }
    }

    /// Whether [`Packed::minded`] marked the instruction; `also` is [`MINDED`] if every instruction counts as marked.
    #[inline(always)]
    pub fn is_minded(self, also: u32) -> bool {
        (self.marks | also) >= MINDED
    }

    /// Returns the number of words loaded and stored.
    pub fn transfers(&self) -> (u32, u32) {
        use Op::*;
        match self.code {
            LdrImm | LdrLiteral | LdrReg | LdrbImm | LdrbReg | LdrhImm | LdrhReg | Load | LoadPc => (1, 0),
            LoadExclusive | TableBranch => (1, 0),
            StrImm | StrReg | StrbImm | StrbReg | StrhImm | StrhReg | Store | StoreExclusive => (0, 1),
            LoadMultiple => (self.imm.count_ones(), 0),
            StoreMultiple => (0, self.imm.count_ones()),
            LoadPair => (2, 0),
            StorePair => (0, 2),
            _ => (0, 0),
        }
    }

    /// Whether the instruction is a branch that may or may not be taken.
    pub fn conditional_branch(&self) -> bool {
        self.code == Op::BranchZero
            || self.condition() != ALWAYS
                && matches!(self.class, Class::Branch | Class::Jump | Class::Call | Class::Return)
    }
}

/// Returns bits `high` to `low` of a halfword or word.
fn bits(word: u32, high: u32, low: u32) -> u32 {
    (word >> low) & ((1 << (high - low + 1)) - 1)
}

fn bit(word: u32, number: u32) -> bool {
    word >> number & 1 == 1
}

fn low_register(word: u32, low: u32) -> u8 {
    bits(word, low + 2, low) as u8
}

fn register(word: u32, low: u32) -> u8 {
    bits(word, low + 3, low) as u8
}

fn sign_extended(value: u32, width: u32) -> u32 {
    ((value << (32 - width)) as i32 >> (32 - width)) as u32
}

/// Whether a register is neither stack pointer nor program counter.
fn general(register: u8) -> bool {
    register != SP && register != PC
}

/// Whether a halfword begins an instruction of two halfwords.
pub fn is_wide(half: u32) -> bool {
    half >> 11 >= 0b11101
}

/// Returns the conditions that an `it` gives to the instructions after it, `None` if the encoding has no meaning.
pub fn conditions_of(it: u32) -> Option<Vec<u8>> {
    let (first, mask) = (bits(it, 7, 4) as u8, bits(it, 3, 0));
    let length = 4 - mask.trailing_zeros();
    let alone = mask == 0b1000;
    if first == 15 || first == ALWAYS && !alone && bits(mask, 3, mask.trailing_zeros() + 1) != 0 {
        return None;
    }
    // The lowest bit of the first condition stands at the head of the mask.
    Some(
        (0..length)
            .map(|place| if place == 0 { first } else { first & !1 | (mask >> (4 - place) & 1) as u8 })
            .collect(),
    )
}

/// The second operand of a data processing instruction.
#[derive(Clone, Copy)]
enum Operand {
    /// An immediate, and the carry of its rotation if it is rotated.
    Immediate(u32, Option<bool>),
    /// A register, the kind of shift, and the amount; amount 0 means no shift.
    Shifted(u8, u32, u8),
    /// A register, the kind of shift, and the register that holds the amount.
    ShiftedBy(u8, u32, u8),
}

/// Returns the operand of an immediate shift; an encoded amount of 0 has a meaning of its own for each kind.
fn immediate_shift(rm: u8, kind: u32, amount: u32) -> Operand {
    match (kind, amount) {
        (LSL, amount) => Operand::Shifted(rm, LSL, amount as u8),
        (ROR, 0) => Operand::Shifted(rm, RRX, 1),
        (kind, 0) => Operand::Shifted(rm, kind, 32),
        (kind, amount) => Operand::Shifted(rm, kind, amount as u8),
    }
}

/// Address and context of an instruction.
#[derive(Clone, Copy)]
struct Place<'a> {
    address: u32,
    /// Whether an `it` rules the instruction; its 16-bit forms then set no flags.
    in_block: bool,
    core: &'a Core,
}

impl Place<'_> {
    /// Returns the value that reading the program counter gives.
    fn pc(self) -> u32 {
        self.address.wrapping_add(4)
    }
}

const ILLEGAL: Decoded = Decoded::bare(Op::Illegal);

fn process(place: Place, operation: u8, flags: bool, rd: u8, rn: u8, operand: Operand) -> Decoded {
    use alu::*;
    let rd = if tests(operation) { NOWHERE } else { rd };
    let rn = if matches!(operation, MOV | MVN) { NONE } else { rn };
    let shifts = operation == MOV && !matches!(operand, Operand::Immediate(..) | Operand::Shifted(_, LSL, 0));
    let class = if shifts { Class::Shift } else { Class::Alu };
    let mut decoded = Decoded { a: rd, b: rn, ..Decoded::of(Op::Alu, class) };
    if rd == PC {
        return match (operation, operand) {
            (MOV, Operand::Shifted(rm, LSL, 0)) => {
                let class = if rm == LR { Class::Return } else { Class::Jump };
                Decoded { c: rm, class, ..Decoded::bare(Op::BranchAdd) }
            }
            (ADD, Operand::Shifted(rm, LSL, 0)) => {
                Decoded { c: rm, imm: place.pc(), class: Class::Jump, ..Decoded::bare(Op::BranchAdd) }
            }
            _ => ILLEGAL,
        };
    }
    // The program counter as an operand: known here.
    let pc = place.pc();
    let (operation, operand) = match (operation, rn, operand) {
        (ADD, PC, Operand::Immediate(value, _)) => (MOV, Operand::Immediate((pc & !3).wrapping_add(value), None)),
        (SUB, PC, Operand::Immediate(value, _)) => (MOV, Operand::Immediate((pc & !3).wrapping_sub(value), None)),
        (MOV, _, Operand::Shifted(PC, LSL, 0)) => (MOV, Operand::Immediate(pc, None)),
        (ADD, _, Operand::Shifted(PC, LSL, 0)) => (ADD, Operand::Immediate(pc, None)),
        (_, PC, _) | (_, _, Operand::Shifted(PC, ..)) => return ILLEGAL,
        (operation, _, operand) => (operation, operand),
    };
    if operation == MOV {
        decoded.b = NONE;
    }
    let plain = match operation {
        AND => [Op::AndImm, Op::AndReg, Op::AndShift],
        EOR => [Op::EorImm, Op::EorReg, Op::EorShift],
        SUB => [Op::SubImm, Op::SubReg, Op::SubShift],
        RSB => [Op::RsbImm, Op::Alu, Op::Alu],
        ADD => [Op::AddImm, Op::AddReg, Op::AddShift],
        ADC => [Op::Alu, Op::AdcReg, Op::Alu],
        SBC => [Op::Alu, Op::SbcReg, Op::Alu],
        ORR => [Op::OrrImm, Op::OrrReg, Op::OrrShift],
        MOV => [Op::MovImm, Op::MovReg, Op::MovShift],
        BIC => [Op::BicImm, Op::BicReg, Op::BicShift],
        MVN => [Op::MvnImm, Op::MvnReg, Op::Alu],
        _ => [Op::Alu, Op::Alu, Op::Alu],
    };
    let with_flags = match operation {
        AND | TST => [Op::AndsImm, Op::AndsReg],
        EOR | TEQ => [Op::EorsImm, Op::EorsReg],
        SUB | CMP => [Op::SubsImm, Op::SubsReg],
        RSB => [Op::RsbsImm, Op::Alu],
        ADD | CMN => [Op::AddsImm, Op::AddsReg],
        ADC => [Op::Alu, Op::AdcsReg],
        SBC => [Op::Alu, Op::SbcsReg],
        ORR => [Op::OrrsImm, Op::OrrsReg],
        MOV => [Op::MovsImm, Op::MovsReg],
        BIC => [Op::Alu, Op::BicsReg],
        MVN => [Op::Alu, Op::MvnsReg],
        _ => [Op::Alu, Op::Alu],
    };
    decoded.detail = operation | if flags { FLAGS } else { 0 };
    // Not a settled stack pointer: the long way minds the stack.
    let settles = rd == SP;
    match operand {
        Operand::Immediate(value, carry) => {
            decoded.imm = value;
            decoded.d = IMMEDIATE;
            if logical(operation) || operation == ORN {
                decoded.detail |= carry.map_or(0, |carry| SETS_CARRY | if carry { CARRY } else { 0 });
            }
            decoded.op = if settles {
                Op::Alu
            } else if flags {
                with_flags[0]
            } else {
                plain[0]
            };
        }
        Operand::Shifted(rm, kind, amount) => {
            decoded.c = rm;
            decoded.d = amount;
            decoded.imm = kind;
            decoded.op = match (flags, kind, amount) {
                _ if settles => Op::Alu,
                (false, LSL, 0) => plain[1],
                (true, LSL, 0) => with_flags[1],
                (false, LSL | LSR | ASR | ROR, _) => plain[2],
                (true, LSL, _) if operation == MOV => Op::MovsLsl,
                (true, LSR, 1..=31) if operation == MOV => Op::MovsLsr,
                (true, ASR, 1..=31) if operation == MOV => Op::MovsAsr,
                _ => Op::Alu,
            };
            if decoded.op == plain[2] && decoded.op != Op::Alu && kind == LSL {
                // Every quick shift is one of a double word to the right.
                decoded.d = 32 - amount;
            }
        }
        Operand::ShiftedBy(rm, kind, rs) => {
            decoded.c = rm;
            decoded.d = rs;
            decoded.imm = kind;
            decoded.detail |= SHIFT_BY_REGISTER;
        }
    }
    decoded
}

fn transfer(op: Op, rt: u8, rn: u8, imm: u32) -> Decoded {
    let class =
        if matches!(op, Op::StrImm | Op::StrbImm | Op::StrhImm | Op::Store) { Class::Store } else { Class::Load };
    Decoded { a: rt, b: rn, imm, ..Decoded::of(op, class) }
}

fn transfer_register(op: Op, rt: u8, rn: u8, rm: u8, shift: u8) -> Decoded {
    let class =
        if matches!(op, Op::StrReg | Op::StrbReg | Op::StrhReg | Op::Store) { Class::Store } else { Class::Load };
    Decoded { a: rt, b: rn, c: rm, d: shift, ..Decoded::of(op, class) }
}

fn multiple(load: bool, rn: u8, list: u32, detail: u8) -> Decoded {
    let op = if load { Op::LoadMultiple } else { Op::StoreMultiple };
    let class = match (load, rn == SP && detail & WRITEBACK != 0, list >> 15 & 1 == 1) {
        (true, _, true) => Class::Return,
        (_, true, _) => Class::Stack,
        (true, ..) => Class::Load,
        _ => Class::Store,
    };
    let valid = list != 0 && list & (1 << SP) == 0 && (load || list >> 15 & 1 == 0);
    if !valid {
        return ILLEGAL;
    }
    Decoded { b: rn, imm: list, detail, ..Decoded::of(op, class) }
}

/// Decodes the instruction whose first halfword is given; `second` is called if it has another one. `condition` is the
/// condition that an `it` before it gives.
pub fn decode<E>(
    first: u32,
    second: impl FnOnce() -> Result<u32, E>,
    address: u32,
    condition: Option<u8>,
    core: &Core,
) -> Result<Decoded, E> {
    let place = Place { address, in_block: condition.is_some(), core };
    let mut decoded =
        if is_wide(first) { Decoded { halves: 2, ..wide(first, second()?, place) } } else { narrow(first, place) };
    if let Some(condition) = condition {
        decoded.condition = condition;
    }
    decoded.reads = reads(&decoded);
    Ok(decoded)
}

/// Returns the registers that an instruction reads, one bit each.
fn reads(decoded: &Decoded) -> u16 {
    let one = |register: u8| if register < 16 { 1_u16 << register } else { 0 };
    let mut mask = one(decoded.b) | one(decoded.c);
    use Op::*;
    match decoded.op {
        Alu if decoded.detail & SHIFT_BY_REGISTER != 0 => mask |= one(decoded.d),
        MovTop | Insert => mask |= one(decoded.a),
        MultiplyAdd | MultiplySubtract | StoreExclusive => mask |= one(decoded.d),
        LongAddUnsigned | LongAddSigned | LongAddTwice => mask |= one(decoded.a) | one(decoded.d),
        Dsp if decoded.detail & 0x0f >= dsp::LONG_HALVES => mask |= one(decoded.a) | one(decoded.d),
        Dsp => mask |= one(decoded.d),
        StrImm | StrReg | StrbImm | StrbReg | StrhImm | StrhReg | Store => mask |= one(decoded.a),
        StorePair => mask |= one(decoded.a) | one(decoded.d),
        StoreMultiple => mask |= decoded.imm as u16,
        _ => {}
    }
    mask
}

/// Decodes 16-bit instructions (A5.2).
fn narrow(half: u32, place: Place) -> Decoded {
    let flags = !place.in_block;
    let (rd, rm) = (low_register(half, 0), low_register(half, 3));
    let register = |number| Operand::Shifted(number, LSL, 0);
    let immediate = |value| Operand::Immediate(value, None);
    match bits(half, 15, 10) {
        0b000000..=0b000101 => {
            let (kind, amount) = (bits(half, 12, 11), bits(half, 10, 6));
            process(place, alu::MOV, flags, rd, NONE, immediate_shift(rm, kind, amount))
        }
        0b000110 | 0b000111 => {
            let operation = if bit(half, 9) { alu::SUB } else { alu::ADD };
            let value = bits(half, 8, 6);
            let operand = if bit(half, 10) { immediate(value) } else { register(value as u8) };
            process(place, operation, flags, rd, rm, operand)
        }
        0b001000..=0b001111 => {
            let operation = [alu::MOV, alu::CMP, alu::ADD, alu::SUB][bits(half, 12, 11) as usize];
            let rdn = low_register(half, 8);
            let sets = flags || operation == alu::CMP;
            process(place, operation, sets, rdn, rdn, immediate(bits(half, 7, 0)))
        }
        0b010000 => processing_register(half, place),
        0b010001 => special_data(half, place),
        0b010010 | 0b010011 => {
            let address = (place.pc() & !3).wrapping_add(4 * bits(half, 7, 0));
            Decoded { a: low_register(half, 8), imm: address, ..Decoded::of(Op::LdrLiteral, Class::Load) }
        }
        0b010100..=0b010111 => {
            let op = [Op::StrReg, Op::StrhReg, Op::StrbReg, Op::Load, Op::LdrReg, Op::LdrhReg, Op::LdrbReg, Op::Load];
            let number = bits(half, 11, 9);
            let decoded = transfer_register(op[number as usize], rd, rm, low_register(half, 6), 0);
            let width = if number == 3 { BYTE } else { HALF };
            match decoded.op {
                Op::Load => Decoded { detail: BEFORE | BY_REGISTER | SIGNED | width, ..decoded },
                _ => decoded,
            }
        }
        0b011000..=0b011111 => {
            let op = [Op::StrImm, Op::LdrImm, Op::StrbImm, Op::LdrbImm][bits(half, 12, 11) as usize];
            let scale = if bit(half, 12) { 1 } else { 4 };
            transfer(op, rd, rm, scale * bits(half, 10, 6))
        }
        0b100000..=0b100011 => {
            let op = if bit(half, 11) { Op::LdrhImm } else { Op::StrhImm };
            transfer(op, rd, rm, 2 * bits(half, 10, 6))
        }
        0b100100..=0b100111 => {
            let op = if bit(half, 11) { Op::LdrImm } else { Op::StrImm };
            transfer(op, low_register(half, 8), SP, 4 * bits(half, 7, 0))
        }
        0b101000..=0b101011 => {
            let base = if bit(half, 11) { SP } else { PC };
            process(place, alu::ADD, false, low_register(half, 8), base, immediate(4 * bits(half, 7, 0)))
        }
        0b101100..=0b101111 => miscellaneous(half, place),
        0b110000..=0b110011 => {
            let (load, rn, list) = (bit(half, 11), low_register(half, 8), bits(half, 7, 0));
            // A base that is loaded is not written back.
            let writeback = if load && list >> rn & 1 == 1 { 0 } else { WRITEBACK };
            multiple(load, rn, list, writeback)
        }
        0b110100..=0b110111 => match bits(half, 11, 8) {
            14 | 15 => ILLEGAL,
            condition => {
                let target = place.pc().wrapping_add(sign_extended(bits(half, 7, 0) << 1, 9));
                Decoded { imm: target, condition: condition as u8, ..Decoded::of(Op::Branch, Class::Branch) }
            }
        },
        0b111000 | 0b111001 => {
            let target = place.pc().wrapping_add(sign_extended(bits(half, 10, 0) << 1, 12));
            let class = if place.in_block { Class::Branch } else { Class::Jump };
            Decoded { imm: target, ..Decoded::of(Op::Branch, class) }
        }
        _ => ILLEGAL,
    }
}

/// Decodes data processing of two low registers (A5.2.2).
fn processing_register(half: u32, place: Place) -> Decoded {
    let (rdn, rm) = (low_register(half, 0), low_register(half, 3));
    let flags = !place.in_block;
    let number = bits(half, 9, 6);
    let plain = |operation| process(place, operation, flags, rdn, rdn, Operand::Shifted(rm, LSL, 0));
    let shift = |kind| process(place, alu::MOV, flags, rdn, NONE, Operand::ShiftedBy(rdn, kind, rm));
    let test = |operation| process(place, operation, true, rdn, rdn, Operand::Shifted(rm, LSL, 0));
    match number {
        0 => plain(alu::AND),
        1 => plain(alu::EOR),
        2 => shift(LSL),
        3 => shift(LSR),
        4 => shift(ASR),
        5 => plain(alu::ADC),
        6 => plain(alu::SBC),
        7 => shift(ROR),
        8 => test(alu::TST),
        9 => process(place, alu::RSB, flags, rdn, rm, Operand::Immediate(0, None)),
        10 => test(alu::CMP),
        11 => test(alu::CMN),
        12 => plain(alu::ORR),
        13 => {
            let op = if flags { Op::MultiplyFlags } else { Op::Multiply };
            Decoded { a: rdn, b: rm, c: rdn, d: NONE, ..Decoded::of(op, Class::Multiply) }
        }
        14 => plain(alu::BIC),
        _ => plain(alu::MVN),
    }
}

/// Decodes special data instructions and branch and exchange (A5.2.3).
fn special_data(half: u32, place: Place) -> Decoded {
    let rdn = low_register(half, 0) | (bits(half, 7, 7) << 3) as u8;
    let rm = register(half, 3);
    let operand = Operand::Shifted(rm, LSL, 0);
    match bits(half, 9, 8) {
        0 => process(place, alu::ADD, false, rdn, rdn, operand),
        1 => process(place, alu::CMP, true, rdn, rdn, operand),
        2 => process(place, alu::MOV, false, rdn, NONE, operand),
        // The lowest bits belong to the security extension.
        _ if bits(half, 2, 0) != 0 || rm == PC => ILLEGAL,
        _ if bit(half, 7) => {
            let imm = place.address.wrapping_add(2) | 1;
            Decoded { c: rm, imm, ..Decoded::of(Op::BranchLinkExchange, Class::Call) }
        }
        _ => {
            let class = if rm == LR { Class::Return } else { Class::Jump };
            Decoded { c: rm, ..Decoded::of(Op::BranchExchange, class) }
        }
    }
}

/// Decodes miscellaneous 16-bit instructions (A5.2.5).
fn miscellaneous(half: u32, place: Place) -> Decoded {
    let later = place.core.architecture > Architecture::Armv6M;
    let (rd, rm) = (low_register(half, 0), low_register(half, 3));
    match bits(half, 11, 8) {
        0b0000 => {
            let operation = if bit(half, 7) { alu::SUB } else { alu::ADD };
            process(place, operation, false, SP, SP, Operand::Immediate(4 * bits(half, 6, 0), None))
        }
        0b0001 | 0b0011 | 0b1001 | 0b1011 if later => {
            let offset = bits(half, 9, 9) << 6 | bits(half, 7, 3) << 1;
            let detail = bits(half, 11, 11) as u8;
            let imm = place.pc().wrapping_add(offset);
            Decoded { b: rd, imm, detail, ..Decoded::of(Op::BranchZero, Class::Branch) }
        }
        0b0010 => {
            let op = [Op::ExtendHalfSigned, Op::ExtendByteSigned, Op::ExtendHalf, Op::ExtendByte];
            Decoded { a: rd, c: rm, ..Decoded::of(op[bits(half, 7, 6) as usize], Class::Alu) }
        }
        0b0100 | 0b0101 => {
            let list = bits(half, 7, 0) | bits(half, 8, 8) << LR;
            multiple(false, SP, list, DOWN | WRITEBACK)
        }
        0b0110 if half & 0xffe8 == 0xb660 => {
            Decoded { detail: bits(half, 4, 4) as u8, imm: bits(half, 1, 0), ..Decoded::bare(Op::ChangeState) }
        }
        0b1010 => {
            let op = match bits(half, 7, 6) {
                0 => Op::Reverse,
                1 => Op::ReverseHalves,
                3 => Op::ReverseSigned,
                _ => return ILLEGAL,
            };
            Decoded { a: rd, c: rm, ..Decoded::of(op, Class::Alu) }
        }
        0b1100 | 0b1101 => {
            let list = bits(half, 7, 0) | bits(half, 8, 8) << PC;
            multiple(true, SP, list, WRITEBACK)
        }
        0b1111 if bits(half, 3, 0) == 0 => hint(bits(half, 7, 4)),
        0b1111 if later && !place.in_block && conditions_of(half).is_some() => Decoded::bare(Op::IfThen),
        _ => ILLEGAL,
    }
}

fn hint(number: u32) -> Decoded {
    Decoded::bare(match number {
        2 => Op::WaitEvent,
        3 => Op::WaitInterrupt,
        4 => Op::SendEvent,
        _ => Op::Nop,
    })
}

/// Decodes 32-bit instructions (A5.3).
fn wide(first: u32, second: u32, place: Place) -> Decoded {
    if place.core.architecture == Architecture::Armv6M {
        let control = bits(first, 15, 11) == 0b11110 && bit(second, 15);
        let call = control && bits(second, 14, 12) & 0b101 == 0b101;
        let status = control && bits(second, 14, 12) & 0b101 == 0 && matches!(bits(first, 10, 4), 0x38 | 0x3b | 0x3e);
        if !call && !status {
            return ILLEGAL;
        }
    }
    match (bits(first, 12, 11), bits(first, 10, 9)) {
        (0b01, 0b00) if bit(first, 6) => pair_or_exclusive(first, second, place),
        (0b01, 0b00) => load_store_multiple(first, second),
        (0b01, 0b01) => processing_shifted(first, second, place),
        (0b10, _) if bit(second, 15) => branch_or_control(first, second, place),
        (0b10, _) if bit(first, 9) => plain_immediate(first, second, place),
        (0b10, _) => modified_immediate(first, second, place),
        (0b11, 0b00) => single(first, second, place),
        (0b11, 0b01) if !bit(first, 8) => processing_register_wide(first, second, place),
        (0b11, 0b01) if !bit(first, 7) => multiply(first, second, place),
        (0b11, 0b01) => multiply_long(first, second, place),
        _ => ILLEGAL,
    }
}

/// Decodes loads and stores of several registers (A5.3.5).
fn load_store_multiple(first: u32, second: u32) -> Decoded {
    let (load, writeback, rn) = (bit(first, 4), bit(first, 5), register(first, 0));
    let direction = match bits(first, 8, 7) {
        0b01 => 0,
        0b10 => DOWN,
        _ => return ILLEGAL,
    };
    if rn == PC || load && second & 0xc000 == 0xc000 || writeback && second >> rn & 1 == 1 {
        return ILLEGAL;
    }
    multiple(load, rn, second, direction | if writeback { WRITEBACK } else { 0 })
}

/// Decodes loads and stores of pairs, exclusive accesses and table branches (A5.3.6).
fn pair_or_exclusive(first: u32, second: u32, place: Place) -> Decoded {
    let newer = place.core.architecture >= Architecture::Armv8MMainline;
    let (before, up, writeback, load) = (bit(first, 8), bit(first, 7), bit(first, 5), bit(first, 4));
    let (rn, rt, rd) = (register(first, 0), register(second, 12), register(second, 8));
    let class = if load { Class::Load } else { Class::Store };
    if before || writeback {
        if newer && first == 0xe97f && second == 0xe97f {
            // The gateway of the security extension, outside secure memory.
            return Decoded::bare(Op::Nop);
        }
        let offset = 4 * bits(second, 7, 0);
        let offset = if up { offset } else { offset.wrapping_neg() };
        let detail = if before { BEFORE } else { 0 } | if writeback { WRITEBACK } else { 0 };
        if !general(rt) || !general(rd) || writeback && (rn == rt || rn == rd) || load && rt == rd {
            return ILLEGAL;
        }
        let op = if load { Op::LoadPair } else { Op::StorePair };
        if rn == PC {
            if !load || writeback {
                return ILLEGAL;
            }
            let imm = (place.pc() & !3).wrapping_add(offset);
            return Decoded { a: rt, b: NONE, d: rd, imm, detail, ..Decoded::of(op, class) };
        }
        return Decoded { a: rt, b: rn, d: rd, imm: offset, detail, ..Decoded::of(op, class) };
    }
    let exclusive = |width: u8, result: u8, imm: u32| {
        let bad = rn == PC || !general(rt) || !load && (!general(result) || result == rn || result == rt);
        let op = if load { Op::LoadExclusive } else { Op::StoreExclusive };
        let (a, d) = if load { (rt, 0) } else { (result, rt) };
        if bad {
            return ILLEGAL;
        }
        Decoded { a, b: rn, d, imm, detail: width, ..Decoded::of(op, class) }
    };
    if !up {
        if !load && newer && rt == PC && bits(second, 5, 0) == 0 {
            return Decoded { a: rd, b: rn, ..Decoded::bare(Op::TestTarget) };
        }
        return exclusive(4, rd, 4 * bits(second, 7, 0));
    }
    let width = 1 << bits(second, 5, 4);
    let ordered = |op: [Op; 3]| {
        let op = op[bits(second, 5, 4) as usize];
        if !general(rt) || rn == PC {
            return ILLEGAL;
        }
        Decoded { a: rt, b: rn, ..Decoded::of(op, class) }
    };
    match (bits(second, 7, 4), load) {
        (0b0000 | 0b0001, true) => {
            let rm = register(second, 0);
            if rn == SP || !general(rm) {
                return ILLEGAL;
            }
            let detail = width as u8;
            let b = if rn == PC { NONE } else { rn };
            let imm = if rn == PC { place.pc() } else { 0 };
            Decoded { b, c: rm, detail, imm, ..Decoded::of(Op::TableBranch, Class::Jump) }
        }
        (0b0100 | 0b0101, _) => exclusive(width as u8, register(second, 0), 0),
        (0b1000..=0b1010, true) if newer => ordered([Op::LdrbImm, Op::LdrhImm, Op::LdrImm]),
        (0b1000..=0b1010, false) if newer => ordered([Op::StrbImm, Op::StrhImm, Op::StrImm]),
        (0b1100..=0b1110, _) if newer => exclusive(width as u8, register(second, 0), 0),
        _ => ILLEGAL,
    }
}

/// Returns the operation of a 32-bit data processing instruction (A5.3.1, A5.3.11) by its number and registers, and
/// whether it sets flags.
fn wide_operation(number: u32, flags: bool, rd: u8, rn: u8) -> Option<(u8, bool)> {
    let test = rd == PC && flags;
    Some(match number {
        0 if test => (alu::TST, true),
        0 => (alu::AND, flags),
        1 => (alu::BIC, flags),
        2 if rn == PC => (alu::MOV, flags),
        2 => (alu::ORR, flags),
        3 if rn == PC => (alu::MVN, flags),
        3 => (alu::ORN, flags),
        4 if test => (alu::TEQ, true),
        4 => (alu::EOR, flags),
        8 if test => (alu::CMN, true),
        8 => (alu::ADD, flags),
        10 => (alu::ADC, flags),
        11 => (alu::SBC, flags),
        13 if test => (alu::CMP, true),
        13 => (alu::SUB, flags),
        14 => (alu::RSB, flags),
        _ => return None,
    })
}

fn wide_process(first: u32, second: u32, place: Place, operand: Operand) -> Decoded {
    let (rn, rd) = (register(first, 0), register(second, 8));
    let Some((operation, flags)) = wide_operation(bits(first, 8, 5), bit(first, 4), rd, rn) else { return ILLEGAL };
    let copies = matches!(operation, alu::MOV | alu::MVN);
    if rd == PC && !alu::tests(operation) || rn == PC && !copies {
        return ILLEGAL;
    }
    process(place, operation, flags, rd, rn, operand)
}

/// Decodes data processing with a shifted register (A5.3.11).
fn processing_shifted(first: u32, second: u32, place: Place) -> Decoded {
    let (rd, rm) = (register(second, 8), register(second, 0));
    let amount = bits(second, 14, 12) << 2 | bits(second, 7, 6);
    let kind = bits(second, 5, 4);
    if bits(first, 8, 5) == 6 {
        if !place.core.dsp || bit(first, 4) || bit(second, 4) {
            return ILLEGAL;
        }
        // `pkhtb` takes its upper half from the first register.
        let detail = if kind == ASR { TOP } else { 0 };
        let d = if kind == ASR && amount == 0 { 32 } else { amount as u8 };
        return Decoded { a: rd, b: register(first, 0), c: rm, d, detail, ..Decoded::of(Op::Pack, Class::Alu) };
    }
    wide_process(first, second, place, immediate_shift(rm, kind, amount))
}

/// Expands a modified immediate (A5.3.1, A5.3.2), with its carry if it is rotated.
fn expand_immediate(first: u32, second: u32) -> Operand {
    let twelve = bits(first, 10, 10) << 11 | bits(second, 14, 12) << 8 | bits(second, 7, 0);
    let byte = bits(twelve, 7, 0);
    if twelve >> 10 == 0 {
        let value = match bits(twelve, 9, 8) {
            0 => byte,
            1 => byte << 16 | byte,
            2 => byte << 24 | byte << 8,
            _ => byte << 24 | byte << 16 | byte << 8 | byte,
        };
        return Operand::Immediate(value, None);
    }
    let value = (0x80 | bits(twelve, 6, 0)).rotate_right(bits(twelve, 11, 7));
    Operand::Immediate(value, Some(value >> 31 == 1))
}

fn modified_immediate(first: u32, second: u32, place: Place) -> Decoded {
    wide_process(first, second, place, expand_immediate(first, second))
}

/// Decodes data processing with a plain binary immediate (A5.3.3).
fn plain_immediate(first: u32, second: u32, place: Place) -> Decoded {
    let (rn, rd) = (register(first, 0), register(second, 8));
    if rd == PC {
        return ILLEGAL;
    }
    let twelve = bits(first, 10, 10) << 11 | bits(second, 14, 12) << 8 | bits(second, 7, 0);
    let sixteen = u32::from(rn) << 12 | twelve;
    let lowest = bits(second, 14, 12) << 2 | bits(second, 7, 6);
    let field = bits(second, 4, 0);
    match bits(first, 8, 4) {
        0b00000 => process(place, alu::ADD, false, rd, rn, Operand::Immediate(twelve, None)),
        0b01010 => process(place, alu::SUB, false, rd, rn, Operand::Immediate(twelve, None)),
        0b00100 => process(place, alu::MOV, false, rd, NONE, Operand::Immediate(sixteen, None)),
        0b01100 => Decoded { a: rd, imm: sixteen, ..Decoded::of(Op::MovTop, Class::Alu) },
        0b10100 | 0b11100 => {
            if lowest + field > 31 || rn == PC {
                return ILLEGAL;
            }
            let op = if bit(first, 7) { Op::ExtractUnsigned } else { Op::ExtractSigned };
            Decoded { a: rd, c: rn, imm: lowest, d: field as u8 + 1, ..Decoded::of(op, Class::Bit) }
        }
        0b10110 => {
            if field < lowest {
                return ILLEGAL;
            }
            let mask = ((1_u64 << (field - lowest + 1)) - 1) as u32;
            let c = if rn == PC { NONE } else { rn };
            Decoded { a: rd, c, imm: mask << lowest, d: lowest as u8, ..Decoded::of(Op::Insert, Class::Bit) }
        }
        0b10000 | 0b10010 | 0b11000 | 0b11010 => {
            let unsigned = bit(first, 7);
            let detail = if unsigned { UNSIGNED } else { 0 };
            let shifted_right = bit(first, 5);
            let limit = if unsigned { field } else { field + 1 };
            if shifted_right && lowest == 0 {
                if !place.core.dsp || field > 15 {
                    return ILLEGAL;
                }
                return Decoded { a: rd, c: rn, imm: limit, detail, ..Decoded::of(Op::Saturate16, Class::Alu) };
            }
            let detail = detail | if shifted_right { TOP } else { 0 };
            Decoded { a: rd, c: rn, d: lowest as u8, imm: limit, detail, ..Decoded::of(Op::Saturate, Class::Alu) }
        }
        _ => ILLEGAL,
    }
}

/// Decodes branches and miscellaneous control (A5.3.4).
fn branch_or_control(first: u32, second: u32, place: Place) -> Decoded {
    let sign = bits(first, 10, 10);
    let (j1, j2) = (bits(second, 13, 13), bits(second, 11, 11));
    let far = || {
        let i1 = !(j1 ^ sign) & 1;
        let i2 = !(j2 ^ sign) & 1;
        let offset = sign << 24 | i1 << 23 | i2 << 22 | bits(first, 9, 0) << 12 | bits(second, 10, 0) << 1;
        place.pc().wrapping_add(sign_extended(offset, 25))
    };
    match (bit(second, 14), bit(second, 12)) {
        (true, true) => Decoded { imm: far(), ..Decoded::of(Op::BranchLink, Class::Call) },
        (false, true) => {
            let class = if place.in_block { Class::Branch } else { Class::Jump };
            Decoded { imm: far(), ..Decoded::of(Op::Branch, class) }
        }
        (true, false) => ILLEGAL,
        (false, false) if bits(first, 9, 7) != 0b111 => {
            let offset = sign << 20 | j2 << 19 | j1 << 18 | bits(first, 5, 0) << 12 | bits(second, 10, 0) << 1;
            let target = place.pc().wrapping_add(sign_extended(offset, 21));
            let condition = bits(first, 9, 6) as u8;
            Decoded { imm: target, condition, ..Decoded::of(Op::Branch, Class::Branch) }
        }
        (false, false) => control(first, second, place),
    }
}

fn control(first: u32, second: u32, place: Place) -> Decoded {
    let later = place.core.architecture > Architecture::Armv6M;
    match bits(first, 10, 4) {
        0b0111000 => {
            let mask = bits(second, 11, 10) as u8;
            Decoded { c: register(first, 0), detail: mask, imm: bits(second, 7, 0), ..Decoded::bare(Op::Msr) }
        }
        0b0111010 if later && bits(second, 10, 8) == 0 => {
            if bits(second, 7, 4) == 15 {
                // A debug hint.
                return Decoded::bare(Op::Nop);
            }
            hint(bits(second, 7, 0))
        }
        0b0111011 => match bits(second, 7, 4) {
            2 if later => Decoded::bare(Op::ClearExclusive),
            4..=6 => Decoded::bare(Op::Barrier),
            _ => ILLEGAL,
        },
        0b0111110 => Decoded { a: register(second, 8), imm: bits(second, 7, 0), ..Decoded::bare(Op::Mrs) },
        _ => ILLEGAL,
    }
}

/// Decodes loads and stores of one register (A5.3.7 to A5.3.10).
fn single(first: u32, second: u32, place: Place) -> Decoded {
    let (load, signed, size) = (bit(first, 4), bit(first, 8), bits(first, 6, 5));
    let (rn, rt) = (register(first, 0), register(second, 12));
    let width = match size {
        0 => BYTE,
        1 => HALF,
        2 => 0,
        _ => return ILLEGAL,
    };
    if signed && (width == 0 || !load) || !load && (rn == PC || rt == PC) {
        return ILLEGAL;
    }
    if load && rt == PC && width != 0 {
        // Hints of what will be loaded soon.
        return Decoded::bare(Op::Nop);
    }
    let to_pc = load && rt == PC;
    let long_op = if to_pc {
        Op::LoadPc
    } else if load {
        Op::Load
    } else {
        Op::Store
    };
    let kind = width | if signed { SIGNED } else { 0 };
    let class = |decoded: Decoded| {
        let returns = to_pc && rn == SP;
        let class = if returns {
            Class::Return
        } else if to_pc {
            Class::Jump
        } else {
            decoded.class
        };
        Decoded { class, ..decoded }
    };
    if load && rn == PC {
        let offset = bits(second, 11, 0);
        let base = place.pc() & !3;
        let imm = if bit(first, 7) { base.wrapping_add(offset) } else { base.wrapping_sub(offset) };
        if kind == 0 && !to_pc && rt != SP {
            return Decoded { a: rt, imm, ..Decoded::of(Op::LdrLiteral, Class::Load) };
        }
        return class(Decoded { detail: BEFORE | kind, ..transfer(long_op, rt, NONE, imm) });
    }
    // A new stack pointer is minded the long way.
    let quick = !to_pc && !signed && rt != SP;
    let immediate_op = match (load, width) {
        (true, BYTE) => Op::LdrbImm,
        (true, HALF) => Op::LdrhImm,
        (true, _) => Op::LdrImm,
        (false, BYTE) => Op::StrbImm,
        (false, HALF) => Op::StrhImm,
        (false, _) => Op::StrImm,
    };
    let plain = |offset: u32| {
        if quick {
            transfer(immediate_op, rt, rn, offset)
        } else {
            class(Decoded { detail: BEFORE | kind, ..transfer(long_op, rt, rn, offset) })
        }
    };
    if bit(first, 7) {
        return plain(bits(second, 11, 0));
    }
    if bit(second, 11) {
        let offset = bits(second, 7, 0);
        let offset = if bit(second, 9) { offset } else { offset.wrapping_neg() };
        let (before, writeback) = (bit(second, 10), bit(second, 8));
        return match (before, writeback) {
            (false, false) => ILLEGAL,
            (true, false) => plain(offset),
            _ if rn == rt => ILLEGAL,
            _ => {
                let detail = kind | WRITEBACK | if before { BEFORE } else { 0 };
                class(Decoded { detail, ..transfer(long_op, rt, rn, offset) })
            }
        };
    }
    let rm = register(second, 0);
    if bits(second, 11, 6) != 0 || !general(rm) {
        return ILLEGAL;
    }
    let shift = bits(second, 5, 4) as u8;
    if !quick {
        let decoded = transfer_register(long_op, rt, rn, rm, shift);
        return class(Decoded { detail: BEFORE | BY_REGISTER | kind, ..decoded });
    }
    let register_op = match (load, width) {
        (true, BYTE) => Op::LdrbReg,
        (true, HALF) => Op::LdrhReg,
        (true, _) => Op::LdrReg,
        (false, BYTE) => Op::StrbReg,
        (false, HALF) => Op::StrhReg,
        (false, _) => Op::StrReg,
    };
    transfer_register(register_op, rt, rn, rm, shift)
}

/// Decodes data processing of registers (A5.3.12 to A5.3.15).
fn processing_register_wide(first: u32, second: u32, place: Place) -> Decoded {
    let (rn, rd, rm) = (register(first, 0), register(second, 8), register(second, 0));
    let (op1, op2) = (bits(first, 7, 4), bits(second, 7, 4));
    let dsp = place.core.dsp;
    if bits(second, 15, 12) != 15 || rd == PC || rm == PC {
        return ILLEGAL;
    }
    let three = |op| Decoded { a: rd, b: rn, c: rm, ..Decoded::of(op, Class::Alu) };
    if op1 < 8 && op2 == 0 {
        if rn == PC {
            return ILLEGAL;
        }
        let shift = Operand::ShiftedBy(rn, bits(first, 6, 5), rm);
        return process(place, alu::MOV, bit(first, 4), rd, NONE, shift);
    }
    if op1 < 6 && op2 >= 8 {
        let (op, detail) = match op1 {
            0 => (Op::ExtendHalfSigned, 0),
            1 => (Op::ExtendHalf, 0),
            2 => (Op::ExtendBytes, 0),
            3 => (Op::ExtendBytes, UNSIGNED),
            4 => (Op::ExtendByteSigned, 0),
            _ => (Op::ExtendByte, 0),
        };
        if !dsp && (op == Op::ExtendBytes || rn != PC) || bit(second, 6) {
            return ILLEGAL;
        }
        let b = if rn == PC { NONE } else { rn };
        let d = 8 * bits(second, 5, 4) as u8;
        return Decoded { a: rd, b, c: rm, d, detail, ..Decoded::of(op, Class::Alu) };
    }
    if op1 >= 8 && op2 < 8 {
        let operation = op1 & 7;
        let kind = op2;
        if !dsp || rn == PC || matches!(operation, 3 | 7) || kind & 3 == 3 {
            return ILLEGAL;
        }
        let detail = operation as u8 | (kind as u8) << parallel::KIND_SHIFT;
        return Decoded { detail, ..three(Op::Parallel) };
    }
    match (op1, op2) {
        (0b1000, 0b1000..=0b1011) if dsp && rn != PC => Decoded { detail: (op2 & 3) as u8, ..three(Op::Saturating) },
        (0b1001, 0b1000..=0b1011) if rn == rm => {
            let op = [Op::Reverse, Op::ReverseHalves, Op::ReverseBits, Op::ReverseSigned][(op2 & 3) as usize];
            Decoded { b: NONE, ..three(op) }
        }
        (0b1010, 0b1000) if dsp && rn != PC => three(Op::Select),
        (0b1011, 0b1000) if rn == rm => Decoded { b: NONE, ..three(Op::Clz) },
        _ => ILLEGAL,
    }
}

/// Decodes multiplications with a result of one word (A5.3.16).
fn multiply(first: u32, second: u32, place: Place) -> Decoded {
    let (rn, rd, rm, ra) = (register(first, 0), register(second, 8), register(second, 0), register(second, 12));
    if rn == PC || rd == PC || rm == PC || bits(second, 7, 6) != 0 {
        return ILLEGAL;
    }
    let accumulator = if ra == PC { NONE } else { ra };
    let decoded = |op| Decoded { a: rd, b: rn, c: rm, d: accumulator, ..Decoded::of(op, Class::Multiply) };
    let (op1, op2) = (bits(first, 6, 4), bits(second, 5, 4));
    match (op1, op2) {
        (0, 0) if ra == PC => decoded(Op::Multiply),
        (0, 0) => decoded(Op::MultiplyAdd),
        (0, 1) if ra != PC => decoded(Op::MultiplySubtract),
        _ if !place.core.dsp => ILLEGAL,
        (1, _) => {
            let detail = dsp::HALVES | if op2 & 2 != 0 { TOP } else { 0 } | if op2 & 1 != 0 { TOP_SECOND } else { 0 };
            Decoded { detail, ..decoded(Op::Dsp) }
        }
        (2..=6, 0 | 1) => {
            let kind = match op1 {
                2 => dsp::DUAL_ADD,
                3 => dsp::WORD_HALF,
                4 => dsp::DUAL_SUBTRACT,
                5 => dsp::TOP_WORD,
                _ if ra == PC => return ILLEGAL,
                _ => dsp::TOP_WORD_SUBTRACT,
            };
            Decoded { detail: kind | if op2 == 1 { TOP_SECOND } else { 0 }, ..decoded(Op::Dsp) }
        }
        (7, 0) => Decoded { detail: dsp::ABSOLUTE_DIFFERENCES, ..decoded(Op::Dsp) },
        _ => ILLEGAL,
    }
}

/// Decodes long multiplications and divisions (A5.3.17).
fn multiply_long(first: u32, second: u32, place: Place) -> Decoded {
    let (rn, high, rm, low) = (register(first, 0), register(second, 8), register(second, 0), register(second, 12));
    let decoded = |op| Decoded { a: high, b: rn, c: rm, d: low, ..Decoded::of(op, Class::Multiply) };
    if rn == PC || high == PC || rm == PC {
        return ILLEGAL;
    }
    let (op1, op2) = (bits(first, 6, 4), bits(second, 7, 4));
    match (op1, op2) {
        (1, 15) if low == PC => decoded(Op::DivideSigned),
        (3, 15) if low == PC => decoded(Op::DivideUnsigned),
        _ if low == PC || low == high => ILLEGAL,
        (0, 0) => decoded(Op::LongSigned),
        (2, 0) => decoded(Op::LongUnsigned),
        (4, 0) => decoded(Op::LongAddSigned),
        (6, 0) => decoded(Op::LongAddUnsigned),
        _ if !place.core.dsp => ILLEGAL,
        (4, 8..=11) => {
            let tops = if op2 & 2 != 0 { TOP } else { 0 } | if op2 & 1 != 0 { TOP_SECOND } else { 0 };
            Decoded { detail: dsp::LONG_HALVES | tops, ..decoded(Op::Dsp) }
        }
        (4 | 5, 12 | 13) => {
            let kind = if op1 == 4 { dsp::LONG_DUAL_ADD } else { dsp::LONG_DUAL_SUBTRACT };
            Decoded { detail: kind | if op2 & 1 != 0 { TOP_SECOND } else { 0 }, ..decoded(Op::Dsp) }
        }
        (6, 6) => decoded(Op::LongAddTwice),
        _ => ILLEGAL,
    }
}

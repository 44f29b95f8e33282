//! Decodes Thumb instructions by the rows of [`super::isa`] into what the processor executes.
//!
//! A row says what an instruction does; frequent forms of it become operations of their own.

use super::isa::{fields, row_of, Feature};
use crate::isa::bits;
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
    // Data processing: `rd` is written, `rn` the first operand; the second one is the immediate, the register `rm`, or the
    // register `rm` shifted by `extra` in the way of `imm`.
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
    /// Any other data processing. `detail` holds operation, shift and flags; `extra` is the shift amount or its register,
    /// `imm` the kind of shift.
    Alu,
    /// `movt`: puts `imm` into the upper half of `rd`.
    MovTop,
    /// Bit field extraction: `extra` bits of `rm` from bit `imm` up.
    ExtractSigned,
    ExtractUnsigned,
    /// Bit field insertion: puts `rm` into `rd` from bit `extra` up; `imm` is the mask.
    Insert,
    /// Saturation of `rm`, shifted as in `Alu`, to `imm` bits (`Saturate16`: of both halves). `detail` is [`UNSIGNED`]
    /// or 0.
    Saturate,
    Saturate16,
    /// Extension: `rm` is rotated by `extra`, extended and added to `rn`.
    ExtendByteSigned,
    ExtendByte,
    ExtendHalfSigned,
    ExtendHalf,
    /// Extension of two bytes to halfwords. `detail` is [`UNSIGNED`] or 0.
    ExtendBytes,
    /// Packing of halfwords; with `detail` [`TOP`] the upper half is taken from `rn`.
    Pack,
    /// Parallel sum or difference; `detail` is the operation, see [`parallel`].
    Parallel,
    Select,
    /// Saturating sum of `rm` and `rn`. `detail`: 0 `qadd`, 1 `qdadd`, 2 `qsub`, 3 `qdsub`.
    Saturating,
    Reverse,
    ReverseHalves,
    ReverseSigned,
    ReverseBits,
    Clz,
    /// Multiplication: the product of `rn` and `rm`, plus or minus `extra`.
    Multiply,
    MultiplyFlags,
    MultiplyAdd,
    MultiplySubtract,
    /// Long multiplication: `rd` is the upper, `extra` the lower word of the result.
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
    /// Loads and stores of one register: `rd` is the register, `rn` the base.
    LdrImm,
    /// Load of the word at the fixed address `imm`.
    LdrLiteral,
    /// Loads and stores at base `rn` plus `rm` shifted left by `extra`.
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
    /// Load or store of the registers `rd` and `extra`; `detail` has the bits it has in `Load`.
    LoadPair,
    StorePair,
    /// Exclusive load; `detail` is its width in bytes.
    LoadExclusive,
    /// Exclusive store of `extra`; `rd` receives the result.
    StoreExclusive,
    ClearExclusive,
    /// Branch by a table. `detail` is the width of the table's entries in bytes; `imm` is the program counter if that
    /// is the base.
    TableBranch,
    /// Branch to the address `imm`.
    Branch,
    BranchLink,
    /// Branch to `imm` if `rn` is zero or not zero; `detail` tells which.
    BranchZero,
    /// Branch to the address in register `rm`; `imm` is the return address.
    BranchExchange,
    BranchLinkExchange,
    /// Branch to `rm` plus `imm`; the lowest bit is ignored.
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
    InstructionBarrier,
    Nop,
    SendEvent,
    WaitEvent,
    WaitInterrupt,
    /// `tt` of ARMv8-M: queries the attributes of an address.
    TestTarget,
    /// Data processing of the floating-point unit: `rd`, `rn` and `rm` are its registers; `detail` is the kind, see
    /// [`float`].
    Float,
    /// Moves `rn`, and `rm` if there, into the unit's register `imm` and the next one.
    FloatFrom,
    /// Moves the unit's register `imm`, and the next one, into `rd`, and `extra` if there.
    FloatTo,
    /// `vmrs`: reads FPSCR into `rd`, or its flags into those of the core if that is the program counter.
    FloatStatus,
    /// `vmsr`: writes FPSCR.
    SetFloatStatus,
    /// Load or store of `extra` registers of the unit from `rd` up.
    FloatLoad,
    FloatStore,
    /// Load or store of a list; `detail` holds [`DOWN`] and [`WRITEBACK`].
    FloatLoadMultiple,
    FloatStoreMultiple,
}

// Bits of `detail` of a load or store.
pub const BEFORE: u8 = 1;
pub const WRITEBACK: u8 = 2;
pub const BYTE: u8 = 4;
pub const HALF: u8 = 8;
/// A load extends the sign; combined with [`BYTE`] or [`HALF`].
pub const SIGNED: u8 = 0x10;
/// The offset is register `rm` shifted left by `extra`.
pub const BY_REGISTER: u8 = 0x20;
/// A transfer of several registers goes downwards.
pub const DOWN: u8 = 0x40;

// Bits of `detail` of `Alu`: operation in the low four, then these; the kind of shift is in `imm`.
pub const FLAGS: u8 = 0x10;
pub const SHIFT_BY_REGISTER: u8 = 0x20;
/// A logical operation with an immediate sets the carry to bit `CARRY`.
pub const SETS_CARRY: u8 = 0x40;
pub const CARRY: u8 = 0x80;
/// Value of `extra` of `Alu` if the operand is `imm`.
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

/// Data processing of the floating-point unit: its kind in the low five bits of `detail`, above them what varies.
pub mod float {
    pub const KIND: u8 = 0x1f;
    pub const VARIANT_SHIFT: u8 = 5;
    pub const MULTIPLY_ADD: u8 = 0;
    pub const MULTIPLY_SUBTRACT: u8 = 1;
    pub const MULTIPLY_NEGATED_ADD: u8 = 2;
    pub const MULTIPLY_NEGATED_SUBTRACT: u8 = 3;
    pub const FUSED_ADD: u8 = 4;
    pub const FUSED_SUBTRACT: u8 = 5;
    pub const FUSED_NEGATED_ADD: u8 = 6;
    pub const FUSED_NEGATED_SUBTRACT: u8 = 7;
    pub const MULTIPLY: u8 = 8;
    pub const MULTIPLY_NEGATED: u8 = 9;
    pub const ADD: u8 = 10;
    pub const SUBTRACT: u8 = 11;
    pub const DIVIDE: u8 = 12;
    pub const MAXIMUM: u8 = 13;
    pub const MINIMUM: u8 = 14;
    /// Takes the first source or the second one by the condition number that varies.
    pub const SELECT: u8 = 15;
    /// First kind with one source.
    pub const ROOT: u8 = 16;
    pub const COPY: u8 = 17;
    pub const CONSTANT: u8 = 18;
    pub const ABSOLUTE: u8 = 19;
    pub const NEGATE: u8 = 20;
    /// Compares the destination with the source, or with 0 if [`WITH_ZERO`]; every NaN is invalid if [`EXCEPTIONAL`].
    pub const COMPARE: u8 = 21;
    /// Conversions from and to the half of a register, the upper one if [`TOP`].
    pub const WIDEN: u8 = 22;
    pub const NARROW: u8 = 23;
    /// Conversions from and to integers; [`UNSIGNED`] says which, or a rounding varies.
    pub const FROM_INTEGER: u8 = 24;
    pub const TO_SIGNED: u8 = 25;
    pub const TO_UNSIGNED: u8 = 26;
    /// Conversions from and to `extra` bits, `imm` of them a fraction.
    pub const FROM_FIXED: u8 = 27;
    pub const TO_FIXED: u8 = 28;
    /// Drops the fraction by the rounding that varies.
    pub const ROUND: u8 = 29;

    pub const EXCEPTIONAL: u8 = 0x20;
    pub const WITH_ZERO: u8 = 0x40;
    pub const TOP: u8 = 0x20;
    pub const UNSIGNED: u8 = 0x20;

    // Roundings that vary.
    pub const TIES_AWAY: u8 = 0;
    pub const NEAREST: u8 = 1;
    pub const CEILING: u8 = 2;
    pub const FLOOR: u8 = 3;
    pub const TO_ZERO: u8 = 4;
    /// FPSCR says how.
    pub const CURRENT: u8 = 5;
    /// FPSCR says how, and what is lost is noted.
    pub const EXACT: u8 = 6;
}

/// A decoded instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded {
    pub op: Op,
    pub condition: u8,
    /// Register that is written, or stored.
    pub rd: u8,
    /// First source register, or base of an address.
    pub rn: u8,
    /// Second source register, or index of an address.
    pub rm: u8,
    /// Fourth register, amount of a shift, or width of a field.
    pub extra: u8,
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
            rd: NOWHERE,
            rn: NONE,
            rm: NONE,
            extra: 0,
            detail: 0,
            class: Class::Other,
            imm: 0,
            reads: 0,
            halves: 1,
        }
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
    /// `rd`, `rn`, `rm` and `extra` of [`Decoded`], from the lowest byte up.
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
            registers: u32::from_le_bytes([decoded.rd, decoded.rn, decoded.rm, decoded.extra]),
            marks: u32::from_le_bytes([decoded.condition, decoded.halves, decoded.detail, 0]),
            imm: decoded.imm,
        }
    }

    #[inline(always)]
    pub fn rd(self) -> u8 {
        self.registers as u8
    }

    #[inline(always)]
    pub fn rn(self) -> u8 {
        (self.registers >> 8) as u8
    }

    #[inline(always)]
    pub fn rm(self) -> u8 {
        (self.registers >> 16) as u8
    }

    #[inline(always)]
    pub fn extra(self) -> u8 {
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

    /// Whether the instruction jumps, if it does, as soon as it is decoded.
    #[inline(always)]
    pub fn jumps_early(&self) -> bool {
        matches!(self.code, Op::Branch | Op::BranchLink | Op::BranchExchange)
    }

    /// Whether the instruction loads or stores one register.
    #[inline(always)]
    pub fn is_access(&self) -> bool {
        use Op::*;
        matches!(
            self.code,
            LdrImm
                | LdrLiteral
                | LdrReg
                | LdrbImm
                | LdrbReg
                | LdrhImm
                | LdrhReg
                | Load
                | LoadPc
                | StrImm
                | StrReg
                | StrbImm
                | StrbReg
                | StrhImm
                | StrhReg
                | Store
        )
    }

    /// Whether the instruction, where it is executed, leaves the straight line.
    pub fn jumps(&self) -> bool {
        use Op::*;
        let by_code = matches!(
            self.code,
            LoadPc
                | TableBranch
                | Branch
                | BranchLink
                | BranchZero
                | BranchExchange
                | BranchLinkExchange
                | BranchAdd
                | Illegal
        );
        by_code || self.code == LoadMultiple && self.imm >> PC & 1 == 1
    }

    /// Whether it computes with registers and constants, other than by the multiplier.
    pub fn is_processing(&self) -> bool {
        (Op::AndImm as u8..=Op::Clz as u8).contains(&(self.code as u8)) || self.code == Op::TestTarget
    }

    /// Whether it sets flags.
    pub fn sets_flags(&self) -> bool {
        match self.code {
            Op::MultiplyFlags | Op::Msr => true,
            Op::FloatStatus => self.rd() == PC,
            code => (Op::AndImm as u8..=Op::Alu as u8).contains(&(code as u8)) && self.detail() & FLAGS != 0,
        }
    }

    /// Returns the registers of the core that it writes, one bit each, the program counter apart.
    pub fn written(&self) -> u32 {
        use Op::*;
        let bit = |number: u8| 1 << (number & 31);
        let (loads, stores) = self.transfers();
        let moves = matches!(
            self.code,
            Load | LoadPc
                | Store
                | LoadMultiple
                | StoreMultiple
                | LoadPair
                | StorePair
                | FloatLoadMultiple
                | FloatStoreMultiple
        );
        let base = if moves && self.detail() & WRITEBACK != 0 { bit(self.rn()) } else { 0 };
        let written = match self.code {
            LoadMultiple => self.imm,
            LoadPair | FloatTo => bit(self.rd()) | bit(self.extra()),
            BranchLink | BranchLinkExchange => bit(LR),
            StoreExclusive | FloatStatus => bit(self.rd()),
            Float | FloatFrom | FloatLoad | FloatLoadMultiple | SetFloatStatus => 0,
            _ if stores > 0 && loads == 0 => 0,
            _ if self.is_long_product() => bit(self.rd()) | bit(self.extra()),
            _ => bit(self.rd()),
        };
        (written | base) & 0x7fff
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
            FloatLoad | FloatLoadMultiple => (self.extra().into(), 0),
            FloatStore | FloatStoreMultiple => (0, self.extra().into()),
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

/// Whether a halfword begins an instruction of two halfwords.
pub fn is_wide(half: u32) -> bool {
    half >> 11 >= 0b11101
}

/// Returns the conditions that an `it` gives to the instructions after it, `None` if the encoding has no meaning.
pub fn conditions_of(it: u32) -> Option<Vec<u8>> {
    let (first, mask) = (bits(it, 4, 4) as u8, bits(it, 0, 4));
    if mask == 0 {
        return None;
    }
    let length = 4 - mask.trailing_zeros();
    let alone = mask == 0b1000;
    if first == 15 || first == ALWAYS && !alone && mask.count_ones() > 1 {
        return None;
    }
    // The lowest bit of the first condition stands at the head of the mask.
    Some(
        (0..length)
            .map(|place| if place == 0 { first } else { first & !1 | (mask >> (4 - place) & 1) as u8 })
            .collect(),
    )
}

/// Where an instruction stands.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub address: u32,
    /// Whether an `it` rules the instruction; its 16-bit forms then set no flags.
    pub in_block: bool,
}

impl Place {
    /// Returns the value that reading the program counter gives.
    pub fn pc(self) -> u32 {
        self.address.wrapping_add(4)
    }
}

/// Decodes the instruction whose first halfword is given, on a core that has these features; `second` is called if it
/// has another one. `condition` is the condition that an `it` before it gives.
pub fn decode<E>(
    first: u32,
    second: impl FnOnce() -> Result<u32, E>,
    address: u32,
    condition: Option<u8>,
    has: impl Fn(Feature) -> bool,
) -> Result<Decoded, E> {
    let (word, length_bits) = if is_wide(first) { (first << 16 | second()?, 32) } else { (first, 16) };
    let place = Place { address, in_block: condition.is_some() };
    let row = row_of(word, length_bits).filter(|row| has(row.feature));
    let decoded = row.and_then(|row| fields(row, word, place)).map(|decoded| refined(decoded, place));
    let mut decoded = decoded.unwrap_or(Decoded { halves: (length_bits / 16) as u8, ..Decoded::bare(Op::Illegal) });
    if let Some(condition) = condition {
        decoded.condition = condition;
    }
    decoded.reads = reads(&decoded);
    Ok(decoded)
}

/// Tells apart what registers and constants decide: frequent forms, jumps and what moves the stack.
fn refined(decoded: Decoded, place: Place) -> Decoded {
    let Decoded { op, rn, rm, detail, imm, .. } = decoded;
    let class = match op {
        Op::Branch if place.in_block => Class::Branch,
        Op::BranchExchange if rm == LR => Class::Return,
        Op::LoadMultiple if imm >> PC & 1 == 1 => Class::Return,
        Op::LoadMultiple | Op::StoreMultiple if rn == SP && detail & WRITEBACK != 0 => Class::Stack,
        Op::FloatLoadMultiple | Op::FloatStoreMultiple if rn == SP && detail & WRITEBACK != 0 => Class::Stack,
        _ => decoded.class,
    };
    let decoded = Decoded { class, ..decoded };
    match op {
        Op::Alu => processing(decoded, place),
        Op::Load | Op::Store => transfer(decoded),
        Op::Multiply if detail & FLAGS != 0 => Decoded { op: Op::MultiplyFlags, detail: 0, ..decoded },
        Op::BranchLinkExchange => Decoded { imm: place.address.wrapping_add(2) | 1, ..decoded },
        _ => decoded,
    }
}

/// Returns data processing in its quickest form.
fn processing(decoded: Decoded, place: Place) -> Decoded {
    use alu::*;
    let Decoded { rd, rn, rm, detail, .. } = decoded;
    let operation = detail & 0x0f;
    // The program counter as an operand is known here.
    let known = |operation, value| Decoded {
        detail: detail & !0x0f | operation,
        rn: if operation == MOV { NONE } else { rn },
        rm: NONE,
        imm: value,
        extra: IMMEDIATE,
        ..decoded
    };
    let aligned = place.pc() & !3;
    match operation {
        MOV if rd == PC => Decoded { imm: 0, class: if rm == LR { Class::Return } else { Class::Jump }, ..jump(rm) },
        ADD if rd == PC => Decoded { imm: place.pc(), class: Class::Jump, ..jump(rm) },
        ADD if rn == PC => quickest(known(MOV, aligned.wrapping_add(decoded.imm))),
        SUB if rn == PC => quickest(known(MOV, aligned.wrapping_sub(decoded.imm))),
        MOV | ADD if rm == PC => quickest(known(operation, place.pc())),
        _ => quickest(decoded),
    }
}

/// Returns a jump to a register and a constant.
const fn jump(rm: u8) -> Decoded {
    Decoded { rm, ..Decoded::bare(Op::BranchAdd) }
}

fn quickest(decoded: Decoded) -> Decoded {
    use alu::*;
    let Decoded { rd, imm, extra, detail, .. } = decoded;
    // A stack pointer that is written is minded the long way.
    if rd == SP || detail & SHIFT_BY_REGISTER != 0 {
        return decoded;
    }
    let operation = detail & 0x0f;
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
    let op = match (detail & FLAGS != 0, imm, extra) {
        (false, _, IMMEDIATE) => plain[0],
        (true, _, IMMEDIATE) => with_flags[0],
        (false, LSL, 0) => plain[1],
        (true, LSL, 0) => with_flags[1],
        (false, LSL | LSR | ASR | ROR, _) => plain[2],
        (true, LSL, _) if operation == MOV => Op::MovsLsl,
        (true, LSR, 1..=31) if operation == MOV => Op::MovsLsr,
        (true, ASR, 1..=31) if operation == MOV => Op::MovsAsr,
        _ => Op::Alu,
    };
    // Every quick shift is one of a double word to the right.
    let turned = op == plain[2] && op != Op::Alu && imm == LSL && extra != IMMEDIATE;
    Decoded { op, extra: if turned { 32 - extra } else { extra }, ..decoded }
}

/// Returns a load or store of one register in its quickest form.
fn transfer(decoded: Decoded) -> Decoded {
    let Decoded { op, rd, rn, detail, .. } = decoded;
    let loads = op == Op::Load;
    if loads && rd == PC {
        let class = if rn == SP { Class::Return } else { Class::Jump };
        return Decoded { op: Op::LoadPc, class, ..decoded };
    }
    let quick = match (loads, detail & (BYTE | HALF | SIGNED)) {
        _ if rn == NONE && detail & (BYTE | HALF | SIGNED) != 0 => None,
        (true, 0) if rn == NONE => Some([Op::LdrLiteral, Op::LdrLiteral]),
        (true, 0) => Some([Op::LdrImm, Op::LdrReg]),
        (true, BYTE) => Some([Op::LdrbImm, Op::LdrbReg]),
        (true, HALF) => Some([Op::LdrhImm, Op::LdrhReg]),
        (false, 0) => Some([Op::StrImm, Op::StrReg]),
        (false, BYTE) => Some([Op::StrbImm, Op::StrbReg]),
        (false, HALF) => Some([Op::StrhImm, Op::StrhReg]),
        _ => None,
    };
    // A stack pointer that is loaded is minded the long way.
    match quick {
        Some(ops) if rd != SP && detail & (BEFORE | WRITEBACK) == BEFORE => {
            Decoded { op: ops[usize::from(detail & BY_REGISTER != 0)], detail: 0, ..decoded }
        }
        _ => decoded,
    }
}

/// Returns the registers that an instruction reads, one bit each.
fn reads(decoded: &Decoded) -> u16 {
    let one = |register: u8| if register < 16 { 1_u16 << register } else { 0 };
    let mut mask = one(decoded.rn) | one(decoded.rm);
    use Op::*;
    match decoded.op {
        Alu if decoded.detail & SHIFT_BY_REGISTER != 0 => mask |= one(decoded.extra),
        MovTop | Insert => mask |= one(decoded.rd),
        MultiplyAdd | MultiplySubtract | StoreExclusive => mask |= one(decoded.extra),
        LongAddUnsigned | LongAddSigned | LongAddTwice => mask |= one(decoded.rd) | one(decoded.extra),
        Dsp if decoded.detail & 0x0f >= dsp::LONG_HALVES => mask |= one(decoded.rd) | one(decoded.extra),
        Dsp => mask |= one(decoded.extra),
        StrImm | StrReg | StrbImm | StrbReg | StrhImm | StrhReg | Store => mask |= one(decoded.rd),
        StorePair => mask |= one(decoded.rd) | one(decoded.extra),
        StoreMultiple => mask |= decoded.imm as u16,
        // Registers of the unit.
        Float => mask = 0,
        _ => {}
    }
    mask
}

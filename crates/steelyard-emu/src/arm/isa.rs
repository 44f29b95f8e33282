//! The instructions of A32 and Thumb in ARMv4, ARMv4T and ARMv5TE, but for those of coprocessors and the system.
//!
//! Sections are those of the ARM Architecture Reference Manual, ARM DDI 0100I: A4.1 for A32, A7.1 for Thumb.
//!
//! An UNPREDICTABLE encoding is refused if no meaning is sensible; otherwise its fields are taken literally.

use super::decode::{fields, of_row};
pub use super::operand::Operand;
use super::timing::Multiply;
use crate::isa::Pattern;
use crate::profile::Class;
use alu::*;

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
    // Data processing without flags: `rd` is written, `rn` the first operand; the second one is the immediate, the
    // register `rm`, or the register `rm` shifted by `rs` in the way of `imm`.
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
    /// Any other data processing. `detail` holds operation and flags; `imm` is the kind of shift.
    Alu,
    /// Any other data processing that writes the program counter; its fields are those of `Alu`.
    AluPc,
    /// Multiplication. `detail` holds a [`Multiply`], [`FLAGS`] and, for products of halfwords, [`TOP_M`] and
    /// [`TOP_S`]; `rd` is Rd or RdHi, `rn` is Rn or RdLo.
    Multiply,
    Clz,
    /// Saturating sum. `detail`: 0 `qadd`, 1 `qsub`, 2 `qdadd`, 3 `qdsub`.
    Saturating,
    /// Loads and stores of one register: `rd` is the register, `rn` the base.
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
    /// Write of the flags from an immediate or from register `rm`.
    Msr,
    /// Branch to the address `imm`.
    Branch,
    BranchLink,
    /// Call of the address `imm` in the other instruction set.
    BranchLinkExchange,
    /// Branch to the address in register `rm`.
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
/// The offset is register `rm` shifted by `rs` in the way of `imm`.
pub const BY_REGISTER: u8 = 8;
pub const WORD: u8 = 0;
pub const BYTE: u8 = 0x10;
pub const HALF: u8 = 0x20;
/// A load extends the sign of a byte, or of a halfword with [`SIGNED_HALF`].
pub const SIGNED: u8 = BYTE | HALF;
pub const SIGNED_HALF: u8 = 0x40;

// Bits of `detail` of `Alu`: operation in the low four, then these; the kind of shift is in `imm`.
pub const FLAGS: u8 = 0x10;
pub const SHIFT_BY_REGISTER: u8 = 0x20;
/// A logical operation sets the carry to bit `CARRY`.
pub const SETS_CARRY: u8 = 0x40;
pub const CARRY: u8 = 0x80;

// Bits of `detail` of `Multiply`, besides FLAGS.
pub const TOP_M: u8 = 0x20;
pub const TOP_S: u8 = 0x40;

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

/// Architecture that has an instruction, and so have all behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// ARMv4.
    Base,
    /// ARMv4T.
    Thumb,
    /// ARMv5TE.
    Enhanced,
}

/// An operation, and what its field `detail` holds before the operands are read.
pub type Operation = (Op, u8);
pub type Row = crate::isa::Row<Operation, Operand, Feature>;

const fn row(
    op: Operation,
    mnemonic: &'static str,
    pattern: &str,
    operands: &'static [Operand],
    section: &'static str,
    feature: Feature,
    class: Class,
) -> Row {
    Row { op, mnemonic, pattern: Pattern::new(pattern), operands, section, feature, class }
}

const fn plain(op: Op) -> Operation {
    (op, 0)
}

/// Data processing by its number.
const fn data(operation: u8) -> Operation {
    (Op::Alu, operation)
}

/// Data processing that always sets flags.
const fn flagged(operation: u8) -> Operation {
    (Op::Alu, operation | FLAGS)
}

const fn product(kind: Multiply) -> Operation {
    (Op::Multiply, kind as u8)
}

/// A product of these halves of its factors, or one that always sets flags.
const fn product_with(kind: Multiply, detail: u8) -> Operation {
    (Op::Multiply, kind as u8 | detail)
}

const fn load(width: u8) -> Operation {
    (Op::Load, width)
}

const fn store(width: u8) -> Operation {
    (Op::Store, width)
}

use Class::{Alu, Call, Load, Other, Shift, Stack, Store};
use Feature::{Base as V4, Enhanced as E, Thumb as T};
use Multiply::*;
use Operand::*;

/// Every instruction; the first row that an instruction fits is its row.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row(plain(Op::BranchLinkExchange), "blx", "1111 101 . ........................",        &[TargetOfHalves], "A4.1.8",  E, Call),
    row(plain(Op::Preload),            "pld", "1111 010 1 . 101 .... 1111 ............",    &[Offset12],       "A4.1.45", E, Other),
    row(plain(Op::Preload),            "pld", "1111 011 1 . 101 .... 1111 ..... .. 0 ....", &[Index],          "A4.1.45", E, Other),

    row(data(AND),    "and", ".... 00 1 0000 . .... .... ............",   &[Rd, Rn, Imm, Flags, Condition], "A4.1.4",   V4, Alu),
    row(data(EOR),    "eor", ".... 00 1 0001 . .... .... ............",   &[Rd, Rn, Imm, Flags, Condition], "A4.1.18",  V4, Alu),
    row(data(SUB),    "sub", ".... 00 1 0010 . .... .... ............",   &[Rd, Rn, Imm, Flags, Condition], "A4.1.106", V4, Alu),
    row(data(RSB),    "rsb", ".... 00 1 0011 . .... .... ............",   &[Rd, Rn, Imm, Flags, Condition], "A4.1.60",  V4, Alu),
    row(data(ADD),    "add", ".... 00 1 0100 . .... .... ............",   &[Rd, Rn, Imm, Flags, Condition], "A4.1.3",   V4, Alu),
    row(data(ADC),    "adc", ".... 00 1 0101 . .... .... ............",   &[Rd, Rn, Imm, Flags, Condition], "A4.1.2",   V4, Alu),
    row(data(SBC),    "sbc", ".... 00 1 0110 . .... .... ............",   &[Rd, Rn, Imm, Flags, Condition], "A4.1.65",  V4, Alu),
    row(data(RSC),    "rsc", ".... 00 1 0111 . .... .... ............",   &[Rd, Rn, Imm, Flags, Condition], "A4.1.61",  V4, Alu),
    row(flagged(TST), "tst", ".... 00 1 1000 1 .... (0000) ............", &[Rn, Imm, Condition],            "A4.1.117", V4, Alu),
    row(flagged(TEQ), "teq", ".... 00 1 1001 1 .... (0000) ............", &[Rn, Imm, Condition],            "A4.1.116", V4, Alu),
    row(flagged(CMP), "cmp", ".... 00 1 1010 1 .... (0000) ............", &[Rn, Imm, Condition],            "A4.1.15",  V4, Alu),
    row(flagged(CMN), "cmn", ".... 00 1 1011 1 .... (0000) ............", &[Rn, Imm, Condition],            "A4.1.14",  V4, Alu),
    row(data(ORR),    "orr", ".... 00 1 1100 . .... .... ............",   &[Rd, Rn, Imm, Flags, Condition], "A4.1.42",  V4, Alu),
    row(data(MOV),    "mov", ".... 00 1 1101 . (0000) .... ............", &[Rd, Imm, Flags, Condition],     "A4.1.35",  V4, Alu),
    row(data(BIC),    "bic", ".... 00 1 1110 . .... .... ............",   &[Rd, Rn, Imm, Flags, Condition], "A4.1.6",   V4, Alu),
    row(data(MVN),    "mvn", ".... 00 1 1111 . (0000) .... ............", &[Rd, Imm, Flags, Condition],     "A4.1.41",  V4, Alu),

    row(data(AND),    "and", ".... 00 0 0000 . .... .... ..... .. 0 ....",   &[Rd, Rn, ShiftedRm, Flags, Condition], "A4.1.4",   V4, Alu),
    row(data(EOR),    "eor", ".... 00 0 0001 . .... .... ..... .. 0 ....",   &[Rd, Rn, ShiftedRm, Flags, Condition], "A4.1.18",  V4, Alu),
    row(data(SUB),    "sub", ".... 00 0 0010 . .... .... ..... .. 0 ....",   &[Rd, Rn, ShiftedRm, Flags, Condition], "A4.1.106", V4, Alu),
    row(data(RSB),    "rsb", ".... 00 0 0011 . .... .... ..... .. 0 ....",   &[Rd, Rn, ShiftedRm, Flags, Condition], "A4.1.60",  V4, Alu),
    row(data(ADD),    "add", ".... 00 0 0100 . .... .... ..... .. 0 ....",   &[Rd, Rn, ShiftedRm, Flags, Condition], "A4.1.3",   V4, Alu),
    row(data(ADC),    "adc", ".... 00 0 0101 . .... .... ..... .. 0 ....",   &[Rd, Rn, ShiftedRm, Flags, Condition], "A4.1.2",   V4, Alu),
    row(data(SBC),    "sbc", ".... 00 0 0110 . .... .... ..... .. 0 ....",   &[Rd, Rn, ShiftedRm, Flags, Condition], "A4.1.65",  V4, Alu),
    row(data(RSC),    "rsc", ".... 00 0 0111 . .... .... ..... .. 0 ....",   &[Rd, Rn, ShiftedRm, Flags, Condition], "A4.1.61",  V4, Alu),
    row(flagged(TST), "tst", ".... 00 0 1000 1 .... (0000) ..... .. 0 ....", &[Rn, ShiftedRm, Condition],            "A4.1.117", V4, Alu),
    row(flagged(TEQ), "teq", ".... 00 0 1001 1 .... (0000) ..... .. 0 ....", &[Rn, ShiftedRm, Condition],            "A4.1.116", V4, Alu),
    row(flagged(CMP), "cmp", ".... 00 0 1010 1 .... (0000) ..... .. 0 ....", &[Rn, ShiftedRm, Condition],            "A4.1.15",  V4, Alu),
    row(flagged(CMN), "cmn", ".... 00 0 1011 1 .... (0000) ..... .. 0 ....", &[Rn, ShiftedRm, Condition],            "A4.1.14",  V4, Alu),
    row(data(ORR),    "orr", ".... 00 0 1100 . .... .... ..... .. 0 ....",   &[Rd, Rn, ShiftedRm, Flags, Condition], "A4.1.42",  V4, Alu),
    row(data(MOV),    "mov", ".... 00 0 1101 . (0000) .... 00000 00 0 ....", &[Rd, Rm, Flags, Condition],            "A4.1.35",  V4, Alu),
    row(data(MOV),    "rrx", ".... 00 0 1101 . (0000) .... 00000 11 0 ....", &[Rd, Rm, Amount, Flags, Condition],    "A4.1.35",  V4, Shift),
    row(data(MOV),    "lsl", ".... 00 0 1101 . (0000) .... ..... 00 0 ....", &[Rd, Rm, Amount, Flags, Condition],    "A4.1.35",  V4, Shift),
    row(data(MOV),    "lsr", ".... 00 0 1101 . (0000) .... ..... 01 0 ....", &[Rd, Rm, Amount, Flags, Condition],    "A4.1.35",  V4, Shift),
    row(data(MOV),    "asr", ".... 00 0 1101 . (0000) .... ..... 10 0 ....", &[Rd, Rm, Amount, Flags, Condition],    "A4.1.35",  V4, Shift),
    row(data(MOV),    "ror", ".... 00 0 1101 . (0000) .... ..... 11 0 ....", &[Rd, Rm, Amount, Flags, Condition],    "A4.1.35",  V4, Shift),
    row(data(BIC),    "bic", ".... 00 0 1110 . .... .... ..... .. 0 ....",   &[Rd, Rn, ShiftedRm, Flags, Condition], "A4.1.6",   V4, Alu),
    row(data(MVN),    "mvn", ".... 00 0 1111 . (0000) .... ..... .. 0 ....", &[Rd, ShiftedRm, Flags, Condition],     "A4.1.41",  V4, Alu),

    row(data(AND),    "and", ".... 00 0 0000 . .... .... .... 0 .. 1 ....",   &[Rd, Rn, RmShiftedByRs, Flags, Condition],  "A4.1.4",   V4, Alu),
    row(data(EOR),    "eor", ".... 00 0 0001 . .... .... .... 0 .. 1 ....",   &[Rd, Rn, RmShiftedByRs, Flags, Condition],  "A4.1.18",  V4, Alu),
    row(data(SUB),    "sub", ".... 00 0 0010 . .... .... .... 0 .. 1 ....",   &[Rd, Rn, RmShiftedByRs, Flags, Condition],  "A4.1.106", V4, Alu),
    row(data(RSB),    "rsb", ".... 00 0 0011 . .... .... .... 0 .. 1 ....",   &[Rd, Rn, RmShiftedByRs, Flags, Condition],  "A4.1.60",  V4, Alu),
    row(data(ADD),    "add", ".... 00 0 0100 . .... .... .... 0 .. 1 ....",   &[Rd, Rn, RmShiftedByRs, Flags, Condition],  "A4.1.3",   V4, Alu),
    row(data(ADC),    "adc", ".... 00 0 0101 . .... .... .... 0 .. 1 ....",   &[Rd, Rn, RmShiftedByRs, Flags, Condition],  "A4.1.2",   V4, Alu),
    row(data(SBC),    "sbc", ".... 00 0 0110 . .... .... .... 0 .. 1 ....",   &[Rd, Rn, RmShiftedByRs, Flags, Condition],  "A4.1.65",  V4, Alu),
    row(data(RSC),    "rsc", ".... 00 0 0111 . .... .... .... 0 .. 1 ....",   &[Rd, Rn, RmShiftedByRs, Flags, Condition],  "A4.1.61",  V4, Alu),
    row(flagged(TST), "tst", ".... 00 0 1000 1 .... (0000) .... 0 .. 1 ....", &[Rn, RmShiftedByRs, Condition],             "A4.1.117", V4, Alu),
    row(flagged(TEQ), "teq", ".... 00 0 1001 1 .... (0000) .... 0 .. 1 ....", &[Rn, RmShiftedByRs, Condition],             "A4.1.116", V4, Alu),
    row(flagged(CMP), "cmp", ".... 00 0 1010 1 .... (0000) .... 0 .. 1 ....", &[Rn, RmShiftedByRs, Condition],             "A4.1.15",  V4, Alu),
    row(flagged(CMN), "cmn", ".... 00 0 1011 1 .... (0000) .... 0 .. 1 ....", &[Rn, RmShiftedByRs, Condition],             "A4.1.14",  V4, Alu),
    row(data(ORR),    "orr", ".... 00 0 1100 . .... .... .... 0 .. 1 ....",   &[Rd, Rn, RmShiftedByRs, Flags, Condition],  "A4.1.42",  V4, Alu),
    row(data(MOV),    "lsl", ".... 00 0 1101 . (0000) .... .... 0 00 1 ....", &[Rd, Rm, AmountRegister, Flags, Condition], "A4.1.35",  V4, Shift),
    row(data(MOV),    "lsr", ".... 00 0 1101 . (0000) .... .... 0 01 1 ....", &[Rd, Rm, AmountRegister, Flags, Condition], "A4.1.35",  V4, Shift),
    row(data(MOV),    "asr", ".... 00 0 1101 . (0000) .... .... 0 10 1 ....", &[Rd, Rm, AmountRegister, Flags, Condition], "A4.1.35",  V4, Shift),
    row(data(MOV),    "ror", ".... 00 0 1101 . (0000) .... .... 0 11 1 ....", &[Rd, Rm, AmountRegister, Flags, Condition], "A4.1.35",  V4, Shift),
    row(data(BIC),    "bic", ".... 00 0 1110 . .... .... .... 0 .. 1 ....",   &[Rd, Rn, RmShiftedByRs, Flags, Condition],  "A4.1.6",   V4, Alu),
    row(data(MVN),    "mvn", ".... 00 0 1111 . (0000) .... .... 0 .. 1 ....", &[Rd, RmShiftedByRs, Flags, Condition],      "A4.1.41",  V4, Alu),

    row(product(Mul),                         "mul",     ".... 0000000 . .... (0000) .... 1001 ....", &[Product, Factor, Multiplier, Flags, Condition],              "A4.1.40",  V4, Class::Multiply),
    row(product(Mla),                         "mla",     ".... 0000001 . .... .... .... 1001 ....",   &[Product, Factor, Multiplier, Accumulator, Flags, Condition], "A4.1.34",  V4, Class::Multiply),
    row(product(Umull),                       "umull",   ".... 0000100 . .... .... .... 1001 ....",   &[RdLo, RdHi, Factor, Multiplier, Flags, Condition],           "A4.1.129", V4, Class::Multiply),
    row(product(Umlal),                       "umlal",   ".... 0000101 . .... .... .... 1001 ....",   &[RdLo, RdHi, Factor, Multiplier, Flags, Condition],           "A4.1.128", V4, Class::Multiply),
    row(product(Smull),                       "smull",   ".... 0000110 . .... .... .... 1001 ....",   &[RdLo, RdHi, Factor, Multiplier, Flags, Condition],           "A4.1.87",  V4, Class::Multiply),
    row(product(Smlal),                       "smlal",   ".... 0000111 . .... .... .... 1001 ....",   &[RdLo, RdHi, Factor, Multiplier, Flags, Condition],           "A4.1.76",  V4, Class::Multiply),
    row(product_with(Smlaxy, 0),              "smlabb",  ".... 00010000 .... .... .... 1000 ....",    &[Product, Factor, Multiplier, Accumulator, Condition],        "A4.1.74",  E,  Class::Multiply),
    row(product_with(Smlaxy, TOP_S),          "smlabt",  ".... 00010000 .... .... .... 1100 ....",    &[Product, Factor, Multiplier, Accumulator, Condition],        "A4.1.74",  E,  Class::Multiply),
    row(product_with(Smlaxy, TOP_M),          "smlatb",  ".... 00010000 .... .... .... 1010 ....",    &[Product, Factor, Multiplier, Accumulator, Condition],        "A4.1.74",  E,  Class::Multiply),
    row(product_with(Smlaxy, TOP_M | TOP_S),  "smlatt",  ".... 00010000 .... .... .... 1110 ....",    &[Product, Factor, Multiplier, Accumulator, Condition],        "A4.1.74",  E,  Class::Multiply),
    row(product_with(Smlawy, 0),              "smlawb",  ".... 00010010 .... .... .... 1000 ....",    &[Product, Factor, Multiplier, Accumulator, Condition],        "A4.1.79",  E,  Class::Multiply),
    row(product_with(Smlawy, TOP_S),          "smlawt",  ".... 00010010 .... .... .... 1100 ....",    &[Product, Factor, Multiplier, Accumulator, Condition],        "A4.1.79",  E,  Class::Multiply),
    row(product_with(Smulwy, 0),              "smulwb",  ".... 00010010 .... (0000) .... 1010 ....",  &[Product, Factor, Multiplier, Condition],                     "A4.1.88",  E,  Class::Multiply),
    row(product_with(Smulwy, TOP_S),          "smulwt",  ".... 00010010 .... (0000) .... 1110 ....",  &[Product, Factor, Multiplier, Condition],                     "A4.1.88",  E,  Class::Multiply),
    row(product_with(Smlalxy, 0),             "smlalbb", ".... 00010100 .... .... .... 1000 ....",    &[RdLo, RdHi, Factor, Multiplier, Condition],                  "A4.1.77",  E,  Class::Multiply),
    row(product_with(Smlalxy, TOP_S),         "smlalbt", ".... 00010100 .... .... .... 1100 ....",    &[RdLo, RdHi, Factor, Multiplier, Condition],                  "A4.1.77",  E,  Class::Multiply),
    row(product_with(Smlalxy, TOP_M),         "smlaltb", ".... 00010100 .... .... .... 1010 ....",    &[RdLo, RdHi, Factor, Multiplier, Condition],                  "A4.1.77",  E,  Class::Multiply),
    row(product_with(Smlalxy, TOP_M | TOP_S), "smlaltt", ".... 00010100 .... .... .... 1110 ....",    &[RdLo, RdHi, Factor, Multiplier, Condition],                  "A4.1.77",  E,  Class::Multiply),
    row(product_with(Smulxy, 0),              "smulbb",  ".... 00010110 .... (0000) .... 1000 ....",  &[Product, Factor, Multiplier, Condition],                     "A4.1.86",  E,  Class::Multiply),
    row(product_with(Smulxy, TOP_S),          "smulbt",  ".... 00010110 .... (0000) .... 1100 ....",  &[Product, Factor, Multiplier, Condition],                     "A4.1.86",  E,  Class::Multiply),
    row(product_with(Smulxy, TOP_M),          "smultb",  ".... 00010110 .... (0000) .... 1010 ....",  &[Product, Factor, Multiplier, Condition],                     "A4.1.86",  E,  Class::Multiply),
    row(product_with(Smulxy, TOP_M | TOP_S),  "smultt",  ".... 00010110 .... (0000) .... 1110 ....",  &[Product, Factor, Multiplier, Condition],                     "A4.1.86",  E,  Class::Multiply),

    row((Op::Saturating, 0),                   "qadd",  ".... 00010000 .... .... (0000) 0101 ....",     &[Result, Factor, Addend, Condition],  "A4.1.46",  E,  Alu),
    row((Op::Saturating, 1),                   "qsub",  ".... 00010010 .... .... (0000) 0101 ....",     &[Result, Factor, Addend, Condition],  "A4.1.52",  E,  Alu),
    row((Op::Saturating, 2),                   "qdadd", ".... 00010100 .... .... (0000) 0101 ....",     &[Result, Factor, Addend, Condition],  "A4.1.50",  E,  Alu),
    row((Op::Saturating, 3),                   "qdsub", ".... 00010110 .... .... (0000) 0101 ....",     &[Result, Factor, Addend, Condition],  "A4.1.51",  E,  Alu),
    row(plain(Op::Clz),                        "clz",   ".... 00010110 (1111) .... (1111) 0001 ....",   &[Result, Factor, Condition],          "A4.1.13",  E,  Alu),
    row(plain(Op::Mrs),                        "mrs",   ".... 00010000 (1111) .... (0000) 0000 (0000)", &[Result, Status, Condition],          "A4.1.38",  V4, Other),
    row(plain(Op::Msr),                        "msr",   ".... 00010010 .... (1111) (0000) 0000 ....",   &[StatusFields, Factor, Condition],    "A4.1.39",  V4, Other),
    row(plain(Op::Msr),                        "msr",   ".... 00110010 .... (1111) ............",       &[StatusFields, StatusImm, Condition], "A4.1.39",  V4, Other),
    row(plain(Op::BranchExchange),             "bx",    ".... 00010010 (1111 1111 1111) 0001 ....",     &[Rm, Condition],                      "A4.1.10",  T,  Class::Jump),
    row(plain(Op::BranchLinkExchangeRegister), "blx",   ".... 00010010 (1111 1111 1111) 0011 ....",     &[Factor, Condition],                  "A4.1.9",   E,  Call),
    row(plain(Op::Branch),                     "b",     ".... 1010 ........................",           &[Target, Condition],                  "A4.1.5",   V4, Class::Branch),
    row(plain(Op::BranchLink),                 "bl",    ".... 1011 ........................",           &[Target, Condition],                  "A4.1.5",   V4, Call),
    row(plain(Op::Swap),                       "swp",   ".... 00010000 .... .... 0000 1001 ....",       &[Result, Rm, Address, Condition],     "A4.1.108", V4, Load),
    row((Op::Swap, BYTE),                      "swpb",  ".... 00010100 .... .... 0000 1001 ....",       &[Result, Rm, Address, Condition],     "A4.1.109", V4, Load),

    row(store(WORD), "strt",  ".... 01 0 0 . 0 1 0 .... .... ............", &[Rd, Offset12, Condition], "A4.1.105", V4, Store),
    row(store(WORD), "str",   ".... 01 0 . . 0 . 0 .... .... ............", &[Rd, Offset12, Condition], "A4.1.99",  V4, Store),
    row(load(WORD),  "ldrt",  ".... 01 0 0 . 0 1 1 .... .... ............", &[Rd, Offset12, Condition], "A4.1.31",  V4, Load),
    row(load(WORD),  "ldr",   ".... 01 0 . . 0 . 1 .... .... ............", &[Rd, Offset12, Condition], "A4.1.23",  V4, Load),
    row(store(BYTE), "strbt", ".... 01 0 0 . 1 1 0 .... .... ............", &[Rd, Offset12, Condition], "A4.1.101", V4, Store),
    row(store(BYTE), "strb",  ".... 01 0 . . 1 . 0 .... .... ............", &[Rd, Offset12, Condition], "A4.1.100", V4, Store),
    row(load(BYTE),  "ldrbt", ".... 01 0 0 . 1 1 1 .... .... ............", &[Rd, Offset12, Condition], "A4.1.25",  V4, Load),
    row(load(BYTE),  "ldrb",  ".... 01 0 . . 1 . 1 .... .... ............", &[Rd, Offset12, Condition], "A4.1.24",  V4, Load),

    row(store(WORD), "strt",  ".... 01 1 0 . 0 1 0 .... .... ..... .. 0 ....", &[Rd, Index, Condition], "A4.1.105", V4, Store),
    row(store(WORD), "str",   ".... 01 1 . . 0 . 0 .... .... ..... .. 0 ....", &[Rd, Index, Condition], "A4.1.99",  V4, Store),
    row(load(WORD),  "ldrt",  ".... 01 1 0 . 0 1 1 .... .... ..... .. 0 ....", &[Rd, Index, Condition], "A4.1.31",  V4, Load),
    row(load(WORD),  "ldr",   ".... 01 1 . . 0 . 1 .... .... ..... .. 0 ....", &[Rd, Index, Condition], "A4.1.23",  V4, Load),
    row(store(BYTE), "strbt", ".... 01 1 0 . 1 1 0 .... .... ..... .. 0 ....", &[Rd, Index, Condition], "A4.1.101", V4, Store),
    row(store(BYTE), "strb",  ".... 01 1 . . 1 . 0 .... .... ..... .. 0 ....", &[Rd, Index, Condition], "A4.1.100", V4, Store),
    row(load(BYTE),  "ldrbt", ".... 01 1 0 . 1 1 1 .... .... ..... .. 0 ....", &[Rd, Index, Condition], "A4.1.25",  V4, Load),
    row(load(BYTE),  "ldrb",  ".... 01 1 . . 1 . 1 .... .... ..... .. 0 ....", &[Rd, Index, Condition], "A4.1.24",  V4, Load),

    row(store(HALF),                "strh",  ".... 000 . . 1 . 0 .... .... .... 1 01 1 ....",   &[Rd, Offset8, Condition],   "A4.1.104", V4, Store),
    row(plain(Op::LoadPair),        "ldrd",  ".... 000 . . 1 . 0 .... .... .... 1 10 1 ....",   &[Rd, Offset8, Condition],   "A4.1.26",  E,  Load),
    row(plain(Op::StorePair),       "strd",  ".... 000 . . 1 . 0 .... .... .... 1 11 1 ....",   &[Rd, Offset8, Condition],   "A4.1.102", E,  Store),
    row(load(HALF),                 "ldrh",  ".... 000 . . 1 . 1 .... .... .... 1 01 1 ....",   &[Rd, Offset8, Condition],   "A4.1.28",  V4, Load),
    row(load(SIGNED),               "ldrsb", ".... 000 . . 1 . 1 .... .... .... 1 10 1 ....",   &[Rd, Offset8, Condition],   "A4.1.29",  V4, Load),
    row(load(SIGNED | SIGNED_HALF), "ldrsh", ".... 000 . . 1 . 1 .... .... .... 1 11 1 ....",   &[Rd, Offset8, Condition],   "A4.1.30",  V4, Load),
    row(store(HALF),                "strh",  ".... 000 . . 0 . 0 .... .... (0000) 1 01 1 ....", &[Rd, HalfIndex, Condition], "A4.1.104", V4, Store),
    row(plain(Op::LoadPair),        "ldrd",  ".... 000 . . 0 . 0 .... .... (0000) 1 10 1 ....", &[Rd, HalfIndex, Condition], "A4.1.26",  E,  Load),
    row(plain(Op::StorePair),       "strd",  ".... 000 . . 0 . 0 .... .... (0000) 1 11 1 ....", &[Rd, HalfIndex, Condition], "A4.1.102", E,  Store),
    row(load(HALF),                 "ldrh",  ".... 000 . . 0 . 1 .... .... (0000) 1 01 1 ....", &[Rd, HalfIndex, Condition], "A4.1.28",  V4, Load),
    row(load(SIGNED),               "ldrsb", ".... 000 . . 0 . 1 .... .... (0000) 1 10 1 ....", &[Rd, HalfIndex, Condition], "A4.1.29",  V4, Load),
    row(load(SIGNED | SIGNED_HALF), "ldrsh", ".... 000 . . 0 . 1 .... .... (0000) 1 11 1 ....", &[Rd, HalfIndex, Condition], "A4.1.30",  V4, Load),

    row((Op::StoreMultiple, BEFORE),      "push",  ".... 100 10 0 1 0 1101 ................", &[PushList, Condition],   "A4.1.97", V4, Stack),
    row((Op::LoadMultiple, UP),           "pop",   ".... 100 01 0 1 1 1101 ................", &[PushList, Condition],   "A4.1.20", V4, Stack),
    row((Op::StoreMultiple, 0),           "stmda", ".... 100 00 0 . 0 .... ................", &[Base, List, Condition], "A4.1.97", V4, Store),
    row((Op::StoreMultiple, UP),          "stmia", ".... 100 01 0 . 0 .... ................", &[Base, List, Condition], "A4.1.97", V4, Store),
    row((Op::StoreMultiple, BEFORE),      "stmdb", ".... 100 10 0 . 0 .... ................", &[Base, List, Condition], "A4.1.97", V4, Store),
    row((Op::StoreMultiple, BEFORE | UP), "stmib", ".... 100 11 0 . 0 .... ................", &[Base, List, Condition], "A4.1.97", V4, Store),
    row((Op::LoadMultiple, 0),            "ldmda", ".... 100 00 0 . 1 .... ................", &[Base, List, Condition], "A4.1.20", V4, Load),
    row((Op::LoadMultiple, UP),           "ldmia", ".... 100 01 0 . 1 .... ................", &[Base, List, Condition], "A4.1.20", V4, Load),
    row((Op::LoadMultiple, BEFORE),       "ldmdb", ".... 100 10 0 . 1 .... ................", &[Base, List, Condition], "A4.1.20", V4, Load),
    row((Op::LoadMultiple, BEFORE | UP),  "ldmib", ".... 100 11 0 . 1 .... ................", &[Base, List, Condition], "A4.1.20", V4, Load),

    row(flagged(MOV), "movs", "00000 00000 ... ...",  &[RdFirst, RmSecond],              "A7.1.38", T, Alu),
    row(flagged(MOV), "lsls", "000 00 ..... ... ...", &[RdFirst, RmSecond, ShortAmount], "A7.1.38", T, Shift),
    row(flagged(MOV), "lsrs", "000 01 ..... ... ...", &[RdFirst, RmSecond, ShortAmount], "A7.1.40", T, Shift),
    row(flagged(MOV), "asrs", "000 10 ..... ... ...", &[RdFirst, RmSecond, ShortAmount], "A7.1.11", T, Shift),
    row(flagged(ADD), "adds", "0001100 ... ... ...",  &[RdFirst, RnSecond, RmThird],     "A7.1.5",  T, Alu),
    row(flagged(SUB), "subs", "0001101 ... ... ...",  &[RdFirst, RnSecond, RmThird],     "A7.1.67", T, Alu),
    row(flagged(ADD), "adds", "0001110 ... ... ...",  &[RdFirst, RnSecond, Imm3],        "A7.1.3",  T, Alu),
    row(flagged(SUB), "subs", "0001111 ... ... ...",  &[RdFirst, RnSecond, Imm3],        "A7.1.65", T, Alu),
    row(flagged(MOV), "movs", "00100 ... ........",   &[RdTop, Imm8],                    "A7.1.42", T, Alu),
    row(flagged(CMP), "cmp",  "00101 ... ........",   &[RnTop, Imm8],                    "A7.1.21", T, Alu),
    row(flagged(ADD), "adds", "00110 ... ........",   &[RdnTop, Imm8],                   "A7.1.4",  T, Alu),
    row(flagged(SUB), "subs", "00111 ... ........",   &[RdnTop, Imm8],                   "A7.1.66", T, Alu),

    row(flagged(AND),             "ands", "010000 0000 ... ...", &[RdnFirst, RmSecond],                "A7.1.10", T, Alu),
    row(flagged(EOR),             "eors", "010000 0001 ... ...", &[RdnFirst, RmSecond],                "A7.1.26", T, Alu),
    row(flagged(MOV),             "lsls", "010000 0010 ... ...", &[RdFirst, AmountSecond],             "A7.1.39", T, Shift),
    row(flagged(MOV),             "lsrs", "010000 0011 ... ...", &[RdFirst, AmountSecond],             "A7.1.41", T, Shift),
    row(flagged(MOV),             "asrs", "010000 0100 ... ...", &[RdFirst, AmountSecond],             "A7.1.12", T, Shift),
    row(flagged(ADC),             "adcs", "010000 0101 ... ...", &[RdnFirst, RmSecond],                "A7.1.2",  T, Alu),
    row(flagged(SBC),             "sbcs", "010000 0110 ... ...", &[RdnFirst, RmSecond],                "A7.1.55", T, Alu),
    row(flagged(MOV),             "rors", "010000 0111 ... ...", &[RdFirst, AmountSecond],             "A7.1.54", T, Shift),
    row(flagged(TST),             "tst",  "010000 1000 ... ...", &[RnFirst, RmSecond],                 "A7.1.72", T, Alu),
    row(flagged(RSB),             "negs", "010000 1001 ... ...", &[RdFirst, RnSecond, Zero],           "A7.1.47", T, Alu),
    row(flagged(CMP),             "cmp",  "010000 1010 ... ...", &[RnFirst, RmSecond],                 "A7.1.22", T, Alu),
    row(flagged(CMN),             "cmn",  "010000 1011 ... ...", &[RnFirst, RmSecond],                 "A7.1.20", T, Alu),
    row(flagged(ORR),             "orrs", "010000 1100 ... ...", &[RdnFirst, RmSecond],                "A7.1.48", T, Alu),
    row(product_with(Mul, FLAGS), "muls", "010000 1101 ... ...", &[RdFirst, RmSecond, MultiplierIsRd], "A7.1.45", T, Class::Multiply),
    row(flagged(BIC),             "bics", "010000 1110 ... ...", &[RdnFirst, RmSecond],                "A7.1.15", T, Alu),
    row(flagged(MVN),             "mvns", "010000 1111 ... ...", &[RdFirst, RmSecond],                 "A7.1.46", T, Alu),

    row(data(ADD),                             "add", "01000100 . .... ...",   &[RdnHigh, RmHigh], "A7.1.6",  T, Alu),
    row(flagged(CMP),                          "cmp", "01000101 . .... ...",   &[RnHigh, RmHigh],  "A7.1.23", T, Alu),
    row(data(MOV),                             "mov", "01000110 . .... ...",   &[RdHigh, RmHigh],  "A7.1.44", T, Alu),
    row(plain(Op::BranchExchange),             "bx",  "01000111 0 .... (000)", &[RmHigh],          "A7.1.19", T, Class::Jump),
    row(plain(Op::BranchLinkExchangeRegister), "blx", "01000111 1 .... (000)", &[RmCalled],        "A7.1.18", E, Call),

    row(load(WORD),                 "ldr",   "01001 ... ........",   &[RdTop, ShortLiteral],  "A7.1.30", T, Load),
    row(store(WORD),                "str",   "0101 000 ... ... ...", &[RdFirst, ShortIndex],  "A7.1.59", T, Store),
    row(store(HALF),                "strh",  "0101 001 ... ... ...", &[RdFirst, ShortIndex],  "A7.1.64", T, Store),
    row(store(BYTE),                "strb",  "0101 010 ... ... ...", &[RdFirst, ShortIndex],  "A7.1.62", T, Store),
    row(load(SIGNED),               "ldrsb", "0101 011 ... ... ...", &[RdFirst, ShortIndex],  "A7.1.36", T, Load),
    row(load(WORD),                 "ldr",   "0101 100 ... ... ...", &[RdFirst, ShortIndex],  "A7.1.29", T, Load),
    row(load(HALF),                 "ldrh",  "0101 101 ... ... ...", &[RdFirst, ShortIndex],  "A7.1.35", T, Load),
    row(load(BYTE),                 "ldrb",  "0101 110 ... ... ...", &[RdFirst, ShortIndex],  "A7.1.33", T, Load),
    row(load(SIGNED | SIGNED_HALF), "ldrsh", "0101 111 ... ... ...", &[RdFirst, ShortIndex],  "A7.1.37", T, Load),
    row(store(WORD),                "str",   "01100 ..... ... ...",  &[RdFirst, ShortOffset], "A7.1.58", T, Store),
    row(load(WORD),                 "ldr",   "01101 ..... ... ...",  &[RdFirst, ShortOffset], "A7.1.28", T, Load),
    row(store(BYTE),                "strb",  "01110 ..... ... ...",  &[RdFirst, ShortOffset], "A7.1.61", T, Store),
    row(load(BYTE),                 "ldrb",  "01111 ..... ... ...",  &[RdFirst, ShortOffset], "A7.1.32", T, Load),
    row(store(HALF),                "strh",  "10000 ..... ... ...",  &[RdFirst, ShortOffset], "A7.1.63", T, Store),
    row(load(HALF),                 "ldrh",  "10001 ..... ... ...",  &[RdFirst, ShortOffset], "A7.1.34", T, Load),
    row(store(WORD),                "str",   "10010 ... ........",   &[RdTop, StackOffset],   "A7.1.60", T, Store),
    row(load(WORD),                 "ldr",   "10011 ... ........",   &[RdTop, StackOffset],   "A7.1.31", T, Load),

    row(data(MOV),                               "add",   "10100 ... ........", &[RdTop, FromPc],                    "A7.1.7",  T, Alu),
    row(data(ADD),                               "add",   "10101 ... ........", &[RdTop, FromStack],                 "A7.1.8",  T, Alu),
    row(data(ADD),                               "add",   "10110000 0 .......", &[StackStep],                        "A7.1.9",  T, Alu),
    row(data(SUB),                               "sub",   "10110000 1 .......", &[StackStep],                        "A7.1.68", T, Alu),
    row((Op::StoreMultiple, BEFORE | WRITEBACK), "push",  "1011010 . ........", &[ShortPushList],                    "A7.1.50", T, Stack),
    row((Op::LoadMultiple, UP | WRITEBACK),      "pop",   "1011110 . ........", &[ShortPopList],                     "A7.1.49", T, Stack),
    row((Op::StoreMultiple, UP | WRITEBACK),     "stmia", "11000 ... ........", &[ShortBase, ShortList],             "A7.1.57", T, Store),
    row((Op::LoadMultiple, UP),                  "ldmia", "11001 ... ........", &[ShortBaseUnlessLoaded, ShortList], "A7.1.27", T, Load),
    row(plain(Op::Branch),                       "b",     "1101 .... ........", &[ShortTarget, ShortCondition],      "A7.1.13", T, Class::Branch),
    row(plain(Op::Branch),                       "b",     "11100 ...........",  &[ShortJumpTarget],                  "A7.1.14", T, Class::Jump),
    row(plain(Op::CallPrefix),                   "bl",    "11110 ...........",  &[UpperDistance],                    "A7.1.17", T, Other),
    row(plain(Op::CallSuffix),                   "bl",    "11111 ...........",  &[LowerDistance],                    "A7.1.17", T, Call),
    row(plain(Op::CallSuffixExchange),           "blx",   "11101 .......... 0", &[LowerDistance],                    "A7.1.17", E, Call),
];

/// Returns the row of an instruction of 16 bits (Thumb) or 32 bits (A32), of whatever architecture it is.
pub fn row_of(word: u32, length_bits: u32) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.pattern.bits == length_bits && row.pattern.matches(word))
}

/// Returns the text of an instruction at an address, `None` for what is no instruction.
pub fn text(word: u32, length_bits: u32, address: u32) -> Option<String> {
    let row = row_of(word, length_bits)?;
    of_row(row, word, address)?;
    let fields = fields(row, word, address)?;
    let suffixes: String = row.operands.iter().map(|operand| operand.suffix(word)).collect();
    let operands: Vec<String> = row.operands.iter().filter_map(|operand| operand.text(word, &fields)).collect();
    Some(format!("{}{suffixes} {}", row.mnemonic, operands.join(", ")))
}

/// Returns the text of Thumb's long call, whose halves are two instructions; `None` where they are something else.
pub fn long_call_text(first: u32, second: u32, address: u32) -> Option<String> {
    let of_half = |half: u32| of_row(row_of(half, 16)?, half, address);
    let (prefix, suffix) = (of_half(first)?, of_half(second)?);
    let target = prefix.imm.wrapping_add(suffix.imm);
    match (prefix.op, suffix.op) {
        (Op::CallPrefix, Op::CallSuffix) => Some(format!("bl {target:x}")),
        (Op::CallPrefix, Op::CallSuffixExchange) => Some(format!("blx {:x}", target & !3)),
        _ => None,
    }
}

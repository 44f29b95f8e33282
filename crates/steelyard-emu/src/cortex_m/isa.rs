//! The instructions of Thumb on ARMv6-M, ARMv7-M and ARMv8-M mainline, with the DSP extension.
//!
//! Sections are those of the ARMv7-M Architecture Reference Manual, ARM DDI 0403, whose chapter A5 holds the tables of
//! encodings (ARMv6-M: DDI 0419, A5; its instructions have the feature [`Feature::Base`]). A section with an 8 in front
//! is one of the ARMv8-M Architecture Reference Manual, DDI 0553.
//!
//! An UNPREDICTABLE encoding is refused if no meaning is
//! sensible; otherwise its fields are taken literally.

use super::decode::{
    alu, conditions_of, dsp, parallel, Decoded, Op, Place, ALWAYS, BEFORE, BYTE, BY_REGISTER, CARRY, DOWN, FLAGS, HALF,
    IMMEDIATE, LR, NONE, PC, SETS_CARRY, SHIFT_BY_REGISTER, SIGNED, SP, TOP, TOP_SECOND, UNSIGNED, WRITEBACK,
};
use super::decode::{ASR, LSL, ROR, RRX};
use crate::isa::{bits, gathered, sign_extended, Pattern};
use crate::profile::Class;

/// What a core must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// ARMv6-M.
    Base,
    /// ARMv7-M.
    Thumb2,
    Dsp,
    /// ARMv8-M mainline.
    Ordered,
}

/// An operand of the assembly language, or something else that bits of an instruction say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    // Of instructions of two bytes: registers by their place, from the lowest bits up.
    RdFirst,
    /// Destination and first source.
    RdnFirst,
    RnFirst,
    RnSecond,
    RmSecond,
    RmThird,
    RdTop,
    RdnTop,
    RnTop,
    /// Factor of a product that is its destination too.
    RmIsRd,
    /// Register that holds the amount of a shift of the destination.
    AmountSecond,
    RdHigh,
    RdnHigh,
    RnHigh,
    RmHigh,
    /// The same, or the program counter.
    RmAny,
    ShortAmount,
    Imm3,
    Imm8,
    /// The constant 0.
    Zero,
    /// Sets flags outside an `it` block.
    FlagsOutside,
    /// The stack pointer, and what is added to it or subtracted.
    StackStep,
    /// The stack pointer as source, and a constant.
    FromStack,
    /// The program counter as source, and a constant.
    FromPc,
    ShortLiteral,
    ShortIndex,
    ShortOffset,
    StackOffset,
    /// Registers stored below the stack pointer, or loaded from above.
    PushList,
    PopList,
    /// Base register that moves on.
    BaseStep,
    ShortList,
    ShortCondition,
    ShortBranch,
    ShortJump,
    /// Target of a branch that only goes forward.
    Forward,
    /// Registers that mask interrupts.
    Masks,
    /// Conditions of an `it`.
    Conditions,
    ShortHint,

    // Of instructions of four bytes.
    Rd,
    Rn,
    Rm,
    /// The first source, or the program counter.
    RnOrPc,
    /// The only source, in the place of the first one.
    Source,
    /// The only source, in both places.
    SourceTwice,
    Ra,
    /// Stands for an accumulator that is 0.
    NoAccumulator,
    RdHi,
    RdLo,
    /// Register that holds the amount of a shift.
    AmountRegister,
    Amount,
    ShiftedRm,
    RotatedRm,
    PackedRm,
    Flags,
    ModifiedImm,
    Imm12,
    Imm16,
    FieldBegin,
    FieldWidth,
    /// Mask of a field that is replaced; its lowest bit and width.
    Replaced,
    /// Number of bits that a saturation keeps.
    Limit,
    SaturatedSource,
    Rt,
    RtOrPc,
    /// Neither stack pointer nor program counter.
    RtGeneral,
    /// Register stored after another, or loaded.
    Rt2,
    RtStored,
    /// Register that says whether an exclusive store was done.
    Status,
    StatusLast,
    Literal,
    Offset12,
    /// Offset, before or after which the base register moves.
    Offset8,
    OffsetUser,
    Index,
    Address,
    Preload,
    PairOffset,
    ExclusiveOffset,
    TableIndex,
    /// Base register of a list, which may move.
    Base,
    List,
    Condition,
    Branch,
    Jump,
    SpecialRegister,
    SpecialMask,
    Barrier,
    Hint,
}

/// An operation and what its field `detail` holds before the operands are read.
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

/// Data processing by its number.
const fn data(operation: u8) -> Operation {
    (Op::Alu, operation)
}

const fn test(operation: u8) -> Operation {
    (Op::Alu, operation | FLAGS)
}

const fn load(width: u8) -> Operation {
    (Op::Load, width)
}

const fn store(width: u8) -> Operation {
    (Op::Store, width)
}

const fn plain(op: Op) -> Operation {
    (op, 0)
}

/// A multiplication of the DSP extension.
const fn product(kind: u8) -> Operation {
    (Op::Dsp, kind)
}

/// A parallel sum or difference.
const fn lanes(operation: u8, kind: u8) -> Operation {
    (Op::Parallel, operation | kind << parallel::KIND_SHIFT)
}

use alu::{ADC, ADD, AND, BIC, CMN, CMP, EOR, MOV, MVN, ORN, ORR, RSB, SBC, SUB, TEQ, TST};
use parallel::{ADD16, ADD8, ASX, HALVING, OF_UNSIGNED, SATURATING, SAX, SUB16, SUB8};
use Class::{Alu, Bit, Call, Load, Multiply, Other, Shift, Stack, Store};
use Feature::{Base as V6, Dsp, Ordered, Thumb2};
use Operand::*;

const WORD: u8 = 0;
const SIGNED_BYTE: u8 = SIGNED | BYTE;
const SIGNED_HALF: u8 = SIGNED | HALF;

/// Every instruction; the first row that an instruction fits is its row.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row(data(MOV), "mov", "00000 00000 ... ...",  &[RdFirst, RmSecond, FlagsOutside],              "A5.2.1", V6, Alu),
    row(data(MOV), "lsl", "000 00 ..... ... ...", &[RdFirst, RmSecond, ShortAmount, FlagsOutside], "A5.2.1", V6, Shift),
    row(data(MOV), "lsr", "000 01 ..... ... ...", &[RdFirst, RmSecond, ShortAmount, FlagsOutside], "A5.2.1", V6, Shift),
    row(data(MOV), "asr", "000 10 ..... ... ...", &[RdFirst, RmSecond, ShortAmount, FlagsOutside], "A5.2.1", V6, Shift),
    row(data(ADD), "add", "0001100 ... ... ...",  &[RdFirst, RnSecond, RmThird, FlagsOutside],     "A5.2.1", V6, Alu),
    row(data(SUB), "sub", "0001101 ... ... ...",  &[RdFirst, RnSecond, RmThird, FlagsOutside],     "A5.2.1", V6, Alu),
    row(data(ADD), "add", "0001110 ... ... ...",  &[RdFirst, RnSecond, Imm3, FlagsOutside],        "A5.2.1", V6, Alu),
    row(data(SUB), "sub", "0001111 ... ... ...",  &[RdFirst, RnSecond, Imm3, FlagsOutside],        "A5.2.1", V6, Alu),
    row(data(MOV), "mov", "00100 ... ........",   &[RdTop, Imm8, FlagsOutside],                    "A5.2.1", V6, Alu),
    row(test(CMP), "cmp", "00101 ... ........",   &[RnTop, Imm8],                                  "A5.2.1", V6, Alu),
    row(data(ADD), "add", "00110 ... ........",   &[RdnTop, Imm8, FlagsOutside],                   "A5.2.1", V6, Alu),
    row(data(SUB), "sub", "00111 ... ........",   &[RdnTop, Imm8, FlagsOutside],                   "A5.2.1", V6, Alu),

    row(data(AND),           "and", "010000 0000 ... ...", &[RdnFirst, RmSecond, FlagsOutside],                       "A5.2.2", V6, Alu),
    row(data(EOR),           "eor", "010000 0001 ... ...", &[RdnFirst, RmSecond, FlagsOutside],                       "A5.2.2", V6, Alu),
    row(data(MOV),           "lsl", "010000 0010 ... ...", &[RdFirst, AmountSecond, FlagsOutside],                    "A5.2.2", V6, Shift),
    row(data(MOV),           "lsr", "010000 0011 ... ...", &[RdFirst, AmountSecond, FlagsOutside],                    "A5.2.2", V6, Shift),
    row(data(MOV),           "asr", "010000 0100 ... ...", &[RdFirst, AmountSecond, FlagsOutside],                    "A5.2.2", V6, Shift),
    row(data(ADC),           "adc", "010000 0101 ... ...", &[RdnFirst, RmSecond, FlagsOutside],                       "A5.2.2", V6, Alu),
    row(data(SBC),           "sbc", "010000 0110 ... ...", &[RdnFirst, RmSecond, FlagsOutside],                       "A5.2.2", V6, Alu),
    row(data(MOV),           "ror", "010000 0111 ... ...", &[RdFirst, AmountSecond, FlagsOutside],                    "A5.2.2", V6, Shift),
    row(test(TST),           "tst", "010000 1000 ... ...", &[RnFirst, RmSecond],                                      "A5.2.2", V6, Alu),
    row(data(RSB),           "neg", "010000 1001 ... ...", &[RdFirst, RnSecond, Zero, FlagsOutside],                  "A5.2.2", V6, Alu),
    row(test(CMP),           "cmp", "010000 1010 ... ...", &[RnFirst, RmSecond],                                      "A5.2.2", V6, Alu),
    row(test(CMN),           "cmn", "010000 1011 ... ...", &[RnFirst, RmSecond],                                      "A5.2.2", V6, Alu),
    row(data(ORR),           "orr", "010000 1100 ... ...", &[RdnFirst, RmSecond, FlagsOutside],                       "A5.2.2", V6, Alu),
    row(plain(Op::Multiply), "mul", "010000 1101 ... ...", &[RdFirst, RnSecond, RmIsRd, NoAccumulator, FlagsOutside], "A5.2.2", V6, Multiply),
    row(data(BIC),           "bic", "010000 1110 ... ...", &[RdnFirst, RmSecond, FlagsOutside],                       "A5.2.2", V6, Alu),
    row(data(MVN),           "mvn", "010000 1111 ... ...", &[RdFirst, RmSecond, FlagsOutside],                        "A5.2.2", V6, Alu),

    row(data(ADD),                     "add", "01000100 . .... ...", &[RdnHigh, RmAny], "A5.2.3", V6, Alu),
    row(test(CMP),                     "cmp", "01000101 . .... ...", &[RnHigh, RmHigh], "A5.2.3", V6, Alu),
    row(data(MOV),                     "mov", "01000110 . .... ...", &[RdHigh, RmAny],  "A5.2.3", V6, Alu),
    row(plain(Op::BranchExchange),     "bx",  "01000111 0 .... 000", &[RmHigh],         "A5.2.3", V6, Class::Jump),
    row(plain(Op::BranchLinkExchange), "blx", "01000111 1 .... 000", &[RmHigh],         "A5.2.3", V6, Call),

    row(load(WORD),        "ldr",   "01001 ... ........",   &[RdTop, ShortLiteral],  "A5.2",   V6, Load),
    row(store(WORD),       "str",   "0101 000 ... ... ...", &[RdFirst, ShortIndex],  "A5.2.4", V6, Store),
    row(store(HALF),       "strh",  "0101 001 ... ... ...", &[RdFirst, ShortIndex],  "A5.2.4", V6, Store),
    row(store(BYTE),       "strb",  "0101 010 ... ... ...", &[RdFirst, ShortIndex],  "A5.2.4", V6, Store),
    row(load(SIGNED_BYTE), "ldrsb", "0101 011 ... ... ...", &[RdFirst, ShortIndex],  "A5.2.4", V6, Load),
    row(load(WORD),        "ldr",   "0101 100 ... ... ...", &[RdFirst, ShortIndex],  "A5.2.4", V6, Load),
    row(load(HALF),        "ldrh",  "0101 101 ... ... ...", &[RdFirst, ShortIndex],  "A5.2.4", V6, Load),
    row(load(BYTE),        "ldrb",  "0101 110 ... ... ...", &[RdFirst, ShortIndex],  "A5.2.4", V6, Load),
    row(load(SIGNED_HALF), "ldrsh", "0101 111 ... ... ...", &[RdFirst, ShortIndex],  "A5.2.4", V6, Load),
    row(store(WORD),       "str",   "01100 ..... ... ...",  &[RdFirst, ShortOffset], "A5.2.4", V6, Store),
    row(load(WORD),        "ldr",   "01101 ..... ... ...",  &[RdFirst, ShortOffset], "A5.2.4", V6, Load),
    row(store(BYTE),       "strb",  "01110 ..... ... ...",  &[RdFirst, ShortOffset], "A5.2.4", V6, Store),
    row(load(BYTE),        "ldrb",  "01111 ..... ... ...",  &[RdFirst, ShortOffset], "A5.2.4", V6, Load),
    row(store(HALF),       "strh",  "10000 ..... ... ...",  &[RdFirst, ShortOffset], "A5.2.4", V6, Store),
    row(load(HALF),        "ldrh",  "10001 ..... ... ...",  &[RdFirst, ShortOffset], "A5.2.4", V6, Load),
    row(store(WORD),       "str",   "10010 ... ........",   &[RdTop, StackOffset],   "A5.2.4", V6, Store),
    row(load(WORD),        "ldr",   "10011 ... ........",   &[RdTop, StackOffset],   "A5.2.4", V6, Load),
    row(data(ADD),         "add",   "10100 ... ........",   &[RdTop, FromPc],        "A5.2",   V6, Alu),
    row(data(ADD),         "add",   "10101 ... ........",   &[RdTop, FromStack],     "A5.2",   V6, Alu),

    row(data(ADD),                             "add",   "10110000 0 .......",    &[StackStep],                   "A5.2.5", V6,     Alu),
    row(data(SUB),                             "sub",   "10110000 1 .......",    &[StackStep],                   "A5.2.5", V6,     Alu),
    row((Op::BranchZero, 0),                   "cbz",   "1011 00 . 1 ..... ...", &[RnFirst, Forward],            "A5.2.5", Thumb2, Class::Branch),
    row((Op::BranchZero, 1),                   "cbnz",  "1011 10 . 1 ..... ...", &[RnFirst, Forward],            "A5.2.5", Thumb2, Class::Branch),
    row(plain(Op::ExtendHalfSigned),           "sxth",  "10110010 00 ... ...",   &[RdFirst, RmSecond],           "A5.2.5", V6,     Alu),
    row(plain(Op::ExtendByteSigned),           "sxtb",  "10110010 01 ... ...",   &[RdFirst, RmSecond],           "A5.2.5", V6,     Alu),
    row(plain(Op::ExtendHalf),                 "uxth",  "10110010 10 ... ...",   &[RdFirst, RmSecond],           "A5.2.5", V6,     Alu),
    row(plain(Op::ExtendByte),                 "uxtb",  "10110010 11 ... ...",   &[RdFirst, RmSecond],           "A5.2.5", V6,     Alu),
    row((Op::StoreMultiple, DOWN | WRITEBACK), "push",  "1011010 . ........",    &[PushList],                    "A5.2.5", V6,     Stack),
    row((Op::LoadMultiple, WRITEBACK),         "pop",   "1011110 . ........",    &[PopList],                     "A5.2.5", V6,     Stack),
    row((Op::ChangeState, 0),                  "cpsie", "10110110 0110 0(0)..",  &[Masks],                       "A5.2.5", V6,     Other),
    row((Op::ChangeState, 1),                  "cpsid", "10110110 0111 0(0)..",  &[Masks],                       "A5.2.5", V6,     Other),
    row(plain(Op::Reverse),                    "rev",   "10111010 00 ... ...",   &[RdFirst, RmSecond],           "A5.2.5", V6,     Alu),
    row(plain(Op::ReverseHalves),              "rev16", "10111010 01 ... ...",   &[RdFirst, RmSecond],           "A5.2.5", V6,     Alu),
    row(plain(Op::ReverseSigned),              "revsh", "10111010 11 ... ...",   &[RdFirst, RmSecond],           "A5.2.5", V6,     Alu),
    row(plain(Op::Nop),                        "nop",   "10111111 0000 0000",    &[],                            "A5.2.5", V6,     Other),
    row(plain(Op::Nop),                        "yield", "10111111 0001 0000",    &[],                            "A5.2.5", V6,     Other),
    row(plain(Op::WaitEvent),                  "wfe",   "10111111 0010 0000",    &[],                            "A5.2.5", V6,     Other),
    row(plain(Op::WaitInterrupt),              "wfi",   "10111111 0011 0000",    &[],                            "A5.2.5", V6,     Other),
    row(plain(Op::SendEvent),                  "sev",   "10111111 0100 0000",    &[],                            "A5.2.5", V6,     Other),
    row(plain(Op::Nop),                        "nop",   "10111111 .... 0000",    &[ShortHint],                   "A5.2.5", V6,     Other),
    row(plain(Op::IfThen),                     "it",    "10111111 .... ....",    &[Conditions],                  "A5.2.5", Thumb2, Other),
    row(plain(Op::StoreMultiple),              "stmia", "11000 ... ........",    &[BaseStep, ShortList],         "A5.2",   V6,     Store),
    row(plain(Op::LoadMultiple),               "ldmia", "11001 ... ........",    &[BaseStep, ShortList],         "A5.2",   V6,     Load),
    row(plain(Op::Branch),                     "b.n",   "1101 .... ........",    &[ShortBranch, ShortCondition], "A5.2.6", V6,     Class::Branch),
    row(plain(Op::Branch),                     "b.n",   "11100 ...........",     &[ShortJump],                   "A5.2",   V6,     Class::Jump),

    row((Op::StoreMultiple, 0),    "stmia.w", "1110100 01 0 . 0 .... ................", &[Base, List], "A5.3.5", Thumb2, Store),
    row((Op::LoadMultiple, 0),     "ldmia.w", "1110100 01 0 . 1 .... ................", &[Base, List], "A5.3.5", Thumb2, Load),
    row((Op::StoreMultiple, DOWN), "stmdb",   "1110100 10 0 . 0 .... ................", &[Base, List], "A5.3.5", Thumb2, Store),
    row((Op::LoadMultiple, DOWN),  "ldmdb",   "1110100 10 0 . 1 .... ................", &[Base, List], "A5.3.5", Thumb2, Load),

    row(plain(Op::Nop),          "sg",     "1110 1001 0111 1111 1110 1001 0111 1111",   &[],                                  "8C2",    Ordered, Other),
    row(plain(Op::StorePair),    "strd",   "1110100 1 . 1 . 0 .... .... .... ........", &[RtGeneral, Rt2, PairOffset],        "A5.3.6", Thumb2,  Store),
    row(plain(Op::StorePair),    "strd",   "1110100 0 . 1 1 0 .... .... .... ........", &[RtGeneral, Rt2, PairOffset],        "A5.3.6", Thumb2,  Store),
    row(plain(Op::LoadPair),     "ldrd",   "1110100 1 . 1 . 1 .... .... .... ........", &[RtGeneral, Rt2, PairOffset],        "A5.3.6", Thumb2,  Load),
    row(plain(Op::LoadPair),     "ldrd",   "1110100 0 . 1 1 1 .... .... .... ........", &[RtGeneral, Rt2, PairOffset],        "A5.3.6", Thumb2,  Load),
    row(plain(Op::TestTarget),   "tt",     "111010000100 .... 1111 .... ..000000",      &[Rd, Rn],                            "8C2",    Ordered, Other),
    row((Op::StoreExclusive, 4), "strex",  "111010000100 .... .... .... ........",      &[Status, RtStored, ExclusiveOffset], "A5.3.6", Thumb2,  Store),
    row((Op::LoadExclusive, 4),  "ldrex",  "111010000101 .... .... (1111) ........",    &[RtGeneral, ExclusiveOffset],        "A5.3.6", Thumb2,  Load),
    row((Op::StoreExclusive, 1), "strexb", "111010001100 .... .... (1111) 0100 ....",   &[StatusLast, RtStored, Address],     "A5.3.6", Thumb2,  Store),
    row((Op::StoreExclusive, 2), "strexh", "111010001100 .... .... (1111) 0101 ....",   &[StatusLast, RtStored, Address],     "A5.3.6", Thumb2,  Store),
    row((Op::LoadExclusive, 1),  "ldrexb", "111010001101 .... .... (1111) 0100 (1111)", &[RtGeneral, Address],                "A5.3.6", Thumb2,  Load),
    row((Op::LoadExclusive, 2),  "ldrexh", "111010001101 .... .... (1111) 0101 (1111)", &[RtGeneral, Address],                "A5.3.6", Thumb2,  Load),
    row((Op::TableBranch, 1),    "tbb",    "111010001101 .... (1111) (0000) 0000 ....", &[TableIndex],                        "A5.3.6", Thumb2,  Class::Jump),
    row((Op::TableBranch, 2),    "tbh",    "111010001101 .... (1111) (0000) 0001 ....", &[TableIndex],                        "A5.3.6", Thumb2,  Class::Jump),
    row(store(BYTE | BEFORE),    "stlb",   "111010001100 .... .... (1111) 1000 (1111)", &[RtGeneral, Address],                "8C2",    Ordered, Store),
    row(store(HALF | BEFORE),    "stlh",   "111010001100 .... .... (1111) 1001 (1111)", &[RtGeneral, Address],                "8C2",    Ordered, Store),
    row(store(WORD | BEFORE),    "stl",    "111010001100 .... .... (1111) 1010 (1111)", &[RtGeneral, Address],                "8C2",    Ordered, Store),
    row(load(BYTE | BEFORE),     "ldab",   "111010001101 .... .... (1111) 1000 (1111)", &[RtGeneral, Address],                "8C2",    Ordered, Load),
    row(load(HALF | BEFORE),     "ldah",   "111010001101 .... .... (1111) 1001 (1111)", &[RtGeneral, Address],                "8C2",    Ordered, Load),
    row(load(WORD | BEFORE),     "lda",    "111010001101 .... .... (1111) 1010 (1111)", &[RtGeneral, Address],                "8C2",    Ordered, Load),
    row((Op::StoreExclusive, 1), "stlexb", "111010001100 .... .... (1111) 1100 ....",   &[StatusLast, RtStored, Address],     "8C2",    Ordered, Store),
    row((Op::StoreExclusive, 2), "stlexh", "111010001100 .... .... (1111) 1101 ....",   &[StatusLast, RtStored, Address],     "8C2",    Ordered, Store),
    row((Op::StoreExclusive, 4), "stlex",  "111010001100 .... .... (1111) 1110 ....",   &[StatusLast, RtStored, Address],     "8C2",    Ordered, Store),
    row((Op::LoadExclusive, 1),  "ldaexb", "111010001101 .... .... (1111) 1100 (1111)", &[RtGeneral, Address],                "8C2",    Ordered, Load),
    row((Op::LoadExclusive, 2),  "ldaexh", "111010001101 .... .... (1111) 1101 (1111)", &[RtGeneral, Address],                "8C2",    Ordered, Load),
    row((Op::LoadExclusive, 4),  "ldaex",  "111010001101 .... .... (1111) 1110 (1111)", &[RtGeneral, Address],                "8C2",    Ordered, Load),

    row(test(TST),       "tst.w", "1110101 0000 1 .... (0) ... 1111 ........",  &[Rn, ShiftedRm],            "A5.3.11", Thumb2, Alu),
    row(data(AND),       "and.w", "1110101 0000 . .... (0) ... .... ........",  &[Rd, Rn, ShiftedRm, Flags], "A5.3.11", Thumb2, Alu),
    row(data(BIC),       "bic.w", "1110101 0001 . .... (0) ... .... ........",  &[Rd, Rn, ShiftedRm, Flags], "A5.3.11", Thumb2, Alu),
    row(data(MOV),       "mov.w", "1110101 0010 . 1111 (0) 000 .... 0000 ....", &[Rd, Rm, Flags],            "A5.3.11", Thumb2, Alu),
    row(data(MOV),       "lsl.w", "1110101 0010 . 1111 (0) ... .... ..00 ....", &[Rd, Rm, Amount, Flags],    "A5.3.11", Thumb2, Shift),
    row(data(MOV),       "lsr.w", "1110101 0010 . 1111 (0) ... .... ..01 ....", &[Rd, Rm, Amount, Flags],    "A5.3.11", Thumb2, Shift),
    row(data(MOV),       "asr.w", "1110101 0010 . 1111 (0) ... .... ..10 ....", &[Rd, Rm, Amount, Flags],    "A5.3.11", Thumb2, Shift),
    row(data(MOV),       "rrx",   "1110101 0010 . 1111 (0) 000 .... 0011 ....", &[Rd, Rm, Amount, Flags],    "A5.3.11", Thumb2, Shift),
    row(data(MOV),       "ror.w", "1110101 0010 . 1111 (0) ... .... ..11 ....", &[Rd, Rm, Amount, Flags],    "A5.3.11", Thumb2, Shift),
    row(data(ORR),       "orr.w", "1110101 0010 . .... (0) ... .... ........",  &[Rd, Rn, ShiftedRm, Flags], "A5.3.11", Thumb2, Alu),
    row(data(MVN),       "mvn.w", "1110101 0011 . 1111 (0) ... .... ........",  &[Rd, ShiftedRm, Flags],     "A5.3.11", Thumb2, Alu),
    row(data(ORN),       "orn",   "1110101 0011 . .... (0) ... .... ........",  &[Rd, Rn, ShiftedRm, Flags], "A5.3.11", Thumb2, Alu),
    row(test(TEQ),       "teq",   "1110101 0100 1 .... (0) ... 1111 ........",  &[Rn, ShiftedRm],            "A5.3.11", Thumb2, Alu),
    row(data(EOR),       "eor.w", "1110101 0100 . .... (0) ... .... ........",  &[Rd, Rn, ShiftedRm, Flags], "A5.3.11", Thumb2, Alu),
    row(test(CMN),       "cmn.w", "1110101 1000 1 .... (0) ... 1111 ........",  &[Rn, ShiftedRm],            "A5.3.11", Thumb2, Alu),
    row(data(ADD),       "add.w", "1110101 1000 . .... (0) ... .... ........",  &[Rd, Rn, ShiftedRm, Flags], "A5.3.11", Thumb2, Alu),
    row(data(ADC),       "adc.w", "1110101 1010 . .... (0) ... .... ........",  &[Rd, Rn, ShiftedRm, Flags], "A5.3.11", Thumb2, Alu),
    row(data(SBC),       "sbc.w", "1110101 1011 . .... (0) ... .... ........",  &[Rd, Rn, ShiftedRm, Flags], "A5.3.11", Thumb2, Alu),
    row(test(CMP),       "cmp.w", "1110101 1101 1 .... (0) ... 1111 ........",  &[Rn, ShiftedRm],            "A5.3.11", Thumb2, Alu),
    row(data(SUB),       "sub.w", "1110101 1101 . .... (0) ... .... ........",  &[Rd, Rn, ShiftedRm, Flags], "A5.3.11", Thumb2, Alu),
    row(data(RSB),       "rsb",   "1110101 1110 . .... (0) ... .... ........",  &[Rd, Rn, ShiftedRm, Flags], "A5.3.11", Thumb2, Alu),
    row((Op::Pack, 0),   "pkhbt", "1110101 0110 0 .... (0) ... .... ..00 ....", &[Rd, Rn, PackedRm],         "A5.3.11", Dsp,    Alu),
    row((Op::Pack, TOP), "pkhtb", "1110101 0110 0 .... (0) ... .... ..10 ....", &[Rd, Rn, PackedRm],         "A5.3.11", Dsp,    Alu),

    row(test(TST), "tst.w", "11110 . 0 0000 1 .... 0 ... 1111 ........", &[Rn, ModifiedImm],            "A5.3.1", Thumb2, Alu),
    row(data(AND), "and.w", "11110 . 0 0000 . .... 0 ... .... ........", &[Rd, Rn, ModifiedImm, Flags], "A5.3.1", Thumb2, Alu),
    row(data(BIC), "bic.w", "11110 . 0 0001 . .... 0 ... .... ........", &[Rd, Rn, ModifiedImm, Flags], "A5.3.1", Thumb2, Alu),
    row(data(MOV), "mov.w", "11110 . 0 0010 . 1111 0 ... .... ........", &[Rd, ModifiedImm, Flags],     "A5.3.1", Thumb2, Alu),
    row(data(ORR), "orr.w", "11110 . 0 0010 . .... 0 ... .... ........", &[Rd, Rn, ModifiedImm, Flags], "A5.3.1", Thumb2, Alu),
    row(data(MVN), "mvn.w", "11110 . 0 0011 . 1111 0 ... .... ........", &[Rd, ModifiedImm, Flags],     "A5.3.1", Thumb2, Alu),
    row(data(ORN), "orn",   "11110 . 0 0011 . .... 0 ... .... ........", &[Rd, Rn, ModifiedImm, Flags], "A5.3.1", Thumb2, Alu),
    row(test(TEQ), "teq",   "11110 . 0 0100 1 .... 0 ... 1111 ........", &[Rn, ModifiedImm],            "A5.3.1", Thumb2, Alu),
    row(data(EOR), "eor.w", "11110 . 0 0100 . .... 0 ... .... ........", &[Rd, Rn, ModifiedImm, Flags], "A5.3.1", Thumb2, Alu),
    row(test(CMN), "cmn.w", "11110 . 0 1000 1 .... 0 ... 1111 ........", &[Rn, ModifiedImm],            "A5.3.1", Thumb2, Alu),
    row(data(ADD), "add.w", "11110 . 0 1000 . .... 0 ... .... ........", &[Rd, Rn, ModifiedImm, Flags], "A5.3.1", Thumb2, Alu),
    row(data(ADC), "adc.w", "11110 . 0 1010 . .... 0 ... .... ........", &[Rd, Rn, ModifiedImm, Flags], "A5.3.1", Thumb2, Alu),
    row(data(SBC), "sbc.w", "11110 . 0 1011 . .... 0 ... .... ........", &[Rd, Rn, ModifiedImm, Flags], "A5.3.1", Thumb2, Alu),
    row(test(CMP), "cmp.w", "11110 . 0 1101 1 .... 0 ... 1111 ........", &[Rn, ModifiedImm],            "A5.3.1", Thumb2, Alu),
    row(data(SUB), "sub.w", "11110 . 0 1101 . .... 0 ... .... ........", &[Rd, Rn, ModifiedImm, Flags], "A5.3.1", Thumb2, Alu),
    row(data(RSB), "rsb",   "11110 . 0 1110 . .... 0 ... .... ........", &[Rd, Rn, ModifiedImm, Flags], "A5.3.1", Thumb2, Alu),

    row(data(ADD),                  "addw",   "11110 . 1 00000 .... 0 ... .... ........",       &[Rd, RnOrPc, Imm12],                  "A5.3.3", Thumb2, Alu),
    row(data(SUB),                  "subw",   "11110 . 1 01010 .... 0 ... .... ........",       &[Rd, RnOrPc, Imm12],                  "A5.3.3", Thumb2, Alu),
    row(data(MOV),                  "movw",   "11110 . 1 00100 .... 0 ... .... ........",       &[Rd, Imm16],                          "A5.3.3", Thumb2, Alu),
    row(plain(Op::MovTop),          "movt",   "11110 . 1 01100 .... 0 ... .... ........",       &[Rd, Imm16],                          "A5.3.3", Thumb2, Alu),
    row(plain(Op::ExtractSigned),   "sbfx",   "11110 (0) 1 10100 .... 0 ... .... .. (0) .....", &[Rd, Source, FieldBegin, FieldWidth], "A5.3.3", Thumb2, Bit),
    row(plain(Op::ExtractUnsigned), "ubfx",   "11110 (0) 1 11100 .... 0 ... .... .. (0) .....", &[Rd, Source, FieldBegin, FieldWidth], "A5.3.3", Thumb2, Bit),
    row(plain(Op::Insert),          "bfc",    "11110 (0) 1 10110 1111 0 ... .... .. (0) .....", &[Rd, Replaced],                       "A5.3.3", Thumb2, Bit),
    row(plain(Op::Insert),          "bfi",    "11110 (0) 1 10110 .... 0 ... .... .. (0) .....", &[Rd, Source, Replaced],               "A5.3.3", Thumb2, Bit),
    row((Op::Saturate16, 0),        "ssat16", "11110 (0) 1 10010 .... 0 000 .... 00 (0)0 ....", &[Rd, Limit, Source],                  "A5.3.3", Dsp,    Alu),
    row((Op::Saturate16, UNSIGNED), "usat16", "11110 (0) 1 11010 .... 0 000 .... 00 (0)0 ....", &[Rd, Limit, Source],                  "A5.3.3", Dsp,    Alu),
    row((Op::Saturate, 0),          "ssat",   "11110 (0) 1 100.0 .... 0 ... .... .. (0) .....", &[Rd, Limit, SaturatedSource],         "A5.3.3", Thumb2, Alu),
    row((Op::Saturate, UNSIGNED),   "usat",   "11110 (0) 1 110.0 .... 0 ... .... .. (0) .....", &[Rd, Limit, SaturatedSource],         "A5.3.3", Thumb2, Alu),

    row(plain(Op::Msr),            "msr",     "11110 0111000 .... 10 (0) 0 .. (00) ........",     &[SpecialMask, Source], "A5.3.4", V6,     Other),
    row(plain(Op::Nop),            "dbg",     "11110 0111010 (1111) 10 (0) 0 (0) 000 1111 ....",  &[Hint],                "A5.3.4", Thumb2, Other),
    row(plain(Op::Nop),            "nop.w",   "11110 0111010 (1111) 10 (0) 0 (0) 000 00000000",   &[],                    "A5.3.4", Thumb2, Other),
    row(plain(Op::Nop),            "yield.w", "11110 0111010 (1111) 10 (0) 0 (0) 000 00000001",   &[],                    "A5.3.4", Thumb2, Other),
    row(plain(Op::WaitEvent),      "wfe.w",   "11110 0111010 (1111) 10 (0) 0 (0) 000 00000010",   &[],                    "A5.3.4", Thumb2, Other),
    row(plain(Op::WaitInterrupt),  "wfi.w",   "11110 0111010 (1111) 10 (0) 0 (0) 000 00000011",   &[],                    "A5.3.4", Thumb2, Other),
    row(plain(Op::SendEvent),      "sev.w",   "11110 0111010 (1111) 10 (0) 0 (0) 000 00000100",   &[],                    "A5.3.4", Thumb2, Other),
    row(plain(Op::Nop),            "nop.w",   "11110 0111010 (1111) 10 (0) 0 (0) 000 ........",   &[Hint],                "A5.3.4", Thumb2, Other),
    row(plain(Op::ClearExclusive), "clrex",   "11110 0111011 (1111) 10 (0) 0 (1111) 0010 (1111)", &[],                    "A5.3.4", Thumb2, Other),
    row(plain(Op::Barrier),        "dsb",     "11110 0111011 (1111) 10 (0) 0 (1111) 0100 ....",   &[Barrier],             "A5.3.4", V6,     Other),
    row(plain(Op::Barrier),        "dmb",     "11110 0111011 (1111) 10 (0) 0 (1111) 0101 ....",   &[Barrier],             "A5.3.4", V6,     Other),
    row(plain(Op::Barrier),        "isb",     "11110 0111011 (1111) 10 (0) 0 (1111) 0110 ....",   &[Barrier],             "A5.3.4", V6,     Other),
    row(plain(Op::Mrs),            "mrs",     "11110 0111110 (1111) 10 (0) 0 .... ........",      &[Rd, SpecialRegister], "A5.3.4", V6,     Other),
    row(plain(Op::Branch),         "b.w",     "11110 . .... ...... 10 . 0 . ...........",         &[Branch, Condition],   "A5.3.4", Thumb2, Class::Branch),
    row(plain(Op::Branch),         "b.w",     "11110 . .......... 10 . 1 . ...........",          &[Jump],                "A5.3.4", Thumb2, Class::Jump),
    row(plain(Op::BranchLink),     "bl",      "11110 . .......... 11 . 1 . ...........",          &[Jump],                "A5.3.4", V6,     Call),

    row(plain(Op::Nop), "pld",  "1111100 0 . 00 1 .... 1111 ............", &[Preload], "A5.3.9", Thumb2, Other),
    row(plain(Op::Nop), "pli",  "1111100 1 . 00 1 .... 1111 ............", &[Preload], "A5.3.9", Thumb2, Other),
    row(plain(Op::Nop), "pldw", "1111100 0 . 01 1 .... 1111 ............", &[Preload], "A5.3.8", Thumb2, Other),
    row(plain(Op::Nop), "pliw", "1111100 1 . 01 1 .... 1111 ............", &[Preload], "A5.3.8", Thumb2, Other),

    row(store(BYTE),       "strb.w",  "1111100 0 1 00 0 .... .... ............",   &[Rt, Offset12],       "A5.3.10", Thumb2, Store),
    row(store(BYTE),       "strbt",   "1111100 0 0 00 0 .... .... 1110 ........",  &[Rt, OffsetUser],     "A5.3.10", Thumb2, Store),
    row(store(BYTE),       "strb.w",  "1111100 0 0 00 0 .... .... 1... ........",  &[Rt, Offset8],        "A5.3.10", Thumb2, Store),
    row(store(BYTE),       "strb.w",  "1111100 0 0 00 0 .... .... 000000 .. ....", &[Rt, Index],          "A5.3.10", Thumb2, Store),
    row(store(HALF),       "strh.w",  "1111100 0 1 01 0 .... .... ............",   &[Rt, Offset12],       "A5.3.10", Thumb2, Store),
    row(store(HALF),       "strht",   "1111100 0 0 01 0 .... .... 1110 ........",  &[Rt, OffsetUser],     "A5.3.10", Thumb2, Store),
    row(store(HALF),       "strh.w",  "1111100 0 0 01 0 .... .... 1... ........",  &[Rt, Offset8],        "A5.3.10", Thumb2, Store),
    row(store(HALF),       "strh.w",  "1111100 0 0 01 0 .... .... 000000 .. ....", &[Rt, Index],          "A5.3.10", Thumb2, Store),
    row(store(WORD),       "str.w",   "1111100 0 1 10 0 .... .... ............",   &[Rt, Offset12],       "A5.3.10", Thumb2, Store),
    row(store(WORD),       "strt",    "1111100 0 0 10 0 .... .... 1110 ........",  &[Rt, OffsetUser],     "A5.3.10", Thumb2, Store),
    row(store(WORD),       "str.w",   "1111100 0 0 10 0 .... .... 1... ........",  &[Rt, Offset8],        "A5.3.10", Thumb2, Store),
    row(store(WORD),       "str.w",   "1111100 0 0 10 0 .... .... 000000 .. ....", &[Rt, Index],          "A5.3.10", Thumb2, Store),
    row(load(BYTE),        "ldrb.w",  "1111100 0 . 00 1 1111 .... ............",   &[Rt, Literal],        "A5.3.9",  Thumb2, Load),
    row(load(BYTE),        "ldrb.w",  "1111100 0 1 00 1 .... .... ............",   &[Rt, Offset12],       "A5.3.9",  Thumb2, Load),
    row(load(BYTE),        "ldrbt",   "1111100 0 0 00 1 .... .... 1110 ........",  &[Rt, OffsetUser],     "A5.3.9",  Thumb2, Load),
    row(load(BYTE),        "ldrb.w",  "1111100 0 0 00 1 .... .... 1... ........",  &[Rt, Offset8],        "A5.3.9",  Thumb2, Load),
    row(load(BYTE),        "ldrb.w",  "1111100 0 0 00 1 .... .... 000000 .. ....", &[Rt, Index],          "A5.3.9",  Thumb2, Load),
    row(load(HALF),        "ldrh.w",  "1111100 0 . 01 1 1111 .... ............",   &[Rt, Literal],        "A5.3.8",  Thumb2, Load),
    row(load(HALF),        "ldrh.w",  "1111100 0 1 01 1 .... .... ............",   &[Rt, Offset12],       "A5.3.8",  Thumb2, Load),
    row(load(HALF),        "ldrht",   "1111100 0 0 01 1 .... .... 1110 ........",  &[Rt, OffsetUser],     "A5.3.8",  Thumb2, Load),
    row(load(HALF),        "ldrh.w",  "1111100 0 0 01 1 .... .... 1... ........",  &[Rt, Offset8],        "A5.3.8",  Thumb2, Load),
    row(load(HALF),        "ldrh.w",  "1111100 0 0 01 1 .... .... 000000 .. ....", &[Rt, Index],          "A5.3.8",  Thumb2, Load),
    row(load(WORD),        "ldr.w",   "1111100 0 . 10 1 1111 .... ............",   &[RtOrPc, Literal],    "A5.3.7",  Thumb2, Load),
    row(load(WORD),        "ldr.w",   "1111100 0 1 10 1 .... .... ............",   &[RtOrPc, Offset12],   "A5.3.7",  Thumb2, Load),
    row(load(WORD),        "ldrt",    "1111100 0 0 10 1 .... .... 1110 ........",  &[RtOrPc, OffsetUser], "A5.3.7",  Thumb2, Load),
    row(load(WORD),        "ldr.w",   "1111100 0 0 10 1 .... .... 1... ........",  &[RtOrPc, Offset8],    "A5.3.7",  Thumb2, Load),
    row(load(WORD),        "ldr.w",   "1111100 0 0 10 1 .... .... 000000 .. ....", &[RtOrPc, Index],      "A5.3.7",  Thumb2, Load),
    row(load(SIGNED_BYTE), "ldrsb.w", "1111100 1 . 00 1 1111 .... ............",   &[Rt, Literal],        "A5.3.9",  Thumb2, Load),
    row(load(SIGNED_BYTE), "ldrsb.w", "1111100 1 1 00 1 .... .... ............",   &[Rt, Offset12],       "A5.3.9",  Thumb2, Load),
    row(load(SIGNED_BYTE), "ldrsbt",  "1111100 1 0 00 1 .... .... 1110 ........",  &[Rt, OffsetUser],     "A5.3.9",  Thumb2, Load),
    row(load(SIGNED_BYTE), "ldrsb.w", "1111100 1 0 00 1 .... .... 1... ........",  &[Rt, Offset8],        "A5.3.9",  Thumb2, Load),
    row(load(SIGNED_BYTE), "ldrsb.w", "1111100 1 0 00 1 .... .... 000000 .. ....", &[Rt, Index],          "A5.3.9",  Thumb2, Load),
    row(load(SIGNED_HALF), "ldrsh.w", "1111100 1 . 01 1 1111 .... ............",   &[Rt, Literal],        "A5.3.8",  Thumb2, Load),
    row(load(SIGNED_HALF), "ldrsh.w", "1111100 1 1 01 1 .... .... ............",   &[Rt, Offset12],       "A5.3.8",  Thumb2, Load),
    row(load(SIGNED_HALF), "ldrsht",  "1111100 1 0 01 1 .... .... 1110 ........",  &[Rt, OffsetUser],     "A5.3.8",  Thumb2, Load),
    row(load(SIGNED_HALF), "ldrsh.w", "1111100 1 0 01 1 .... .... 1... ........",  &[Rt, Offset8],        "A5.3.8",  Thumb2, Load),
    row(load(SIGNED_HALF), "ldrsh.w", "1111100 1 0 01 1 .... .... 000000 .. ....", &[Rt, Index],          "A5.3.8",  Thumb2, Load),

    row(data(MOV),                   "lsl.w",   "111110100 00 . .... 1111 .... 0000 ....", &[Rd, Source, AmountRegister, Flags], "A5.3.12", Thumb2, Shift),
    row(data(MOV),                   "lsr.w",   "111110100 01 . .... 1111 .... 0000 ....", &[Rd, Source, AmountRegister, Flags], "A5.3.12", Thumb2, Shift),
    row(data(MOV),                   "asr.w",   "111110100 10 . .... 1111 .... 0000 ....", &[Rd, Source, AmountRegister, Flags], "A5.3.12", Thumb2, Shift),
    row(data(MOV),                   "ror.w",   "111110100 11 . .... 1111 .... 0000 ....", &[Rd, Source, AmountRegister, Flags], "A5.3.12", Thumb2, Shift),
    row(plain(Op::ExtendHalfSigned), "sxth.w",  "111110100 000 1111 1111 .... 10.. ....",  &[Rd, RotatedRm],                     "A5.3.12", Thumb2, Alu),
    row(plain(Op::ExtendHalfSigned), "sxtah",   "111110100 000 .... 1111 .... 10.. ....",  &[Rd, Rn, RotatedRm],                 "A5.3.12", Dsp,    Alu),
    row(plain(Op::ExtendHalf),       "uxth.w",  "111110100 001 1111 1111 .... 10.. ....",  &[Rd, RotatedRm],                     "A5.3.12", Thumb2, Alu),
    row(plain(Op::ExtendHalf),       "uxtah",   "111110100 001 .... 1111 .... 10.. ....",  &[Rd, Rn, RotatedRm],                 "A5.3.12", Dsp,    Alu),
    row(plain(Op::ExtendBytes),      "sxtb16",  "111110100 010 1111 1111 .... 10.. ....",  &[Rd, RotatedRm],                     "A5.3.12", Dsp,    Alu),
    row(plain(Op::ExtendBytes),      "sxtab16", "111110100 010 .... 1111 .... 10.. ....",  &[Rd, Rn, RotatedRm],                 "A5.3.12", Dsp,    Alu),
    row((Op::ExtendBytes, UNSIGNED), "uxtb16",  "111110100 011 1111 1111 .... 10.. ....",  &[Rd, RotatedRm],                     "A5.3.12", Dsp,    Alu),
    row((Op::ExtendBytes, UNSIGNED), "uxtab16", "111110100 011 .... 1111 .... 10.. ....",  &[Rd, Rn, RotatedRm],                 "A5.3.12", Dsp,    Alu),
    row(plain(Op::ExtendByteSigned), "sxtb.w",  "111110100 100 1111 1111 .... 10.. ....",  &[Rd, RotatedRm],                     "A5.3.12", Thumb2, Alu),
    row(plain(Op::ExtendByteSigned), "sxtab",   "111110100 100 .... 1111 .... 10.. ....",  &[Rd, Rn, RotatedRm],                 "A5.3.12", Dsp,    Alu),
    row(plain(Op::ExtendByte),       "uxtb.w",  "111110100 101 1111 1111 .... 10.. ....",  &[Rd, RotatedRm],                     "A5.3.12", Thumb2, Alu),
    row(plain(Op::ExtendByte),       "uxtab",   "111110100 101 .... 1111 .... 10.. ....",  &[Rd, Rn, RotatedRm],                 "A5.3.12", Dsp,    Alu),

    row(lanes(ADD8, 0),                         "sadd8",   "111110101 000 .... 1111 .... 0000 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(ADD16, 0),                        "sadd16",  "111110101 001 .... 1111 .... 0000 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(ASX, 0),                          "sasx",    "111110101 010 .... 1111 .... 0000 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(SUB8, 0),                         "ssub8",   "111110101 100 .... 1111 .... 0000 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(SUB16, 0),                        "ssub16",  "111110101 101 .... 1111 .... 0000 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(SAX, 0),                          "ssax",    "111110101 110 .... 1111 .... 0000 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(ADD8, SATURATING),                "qadd8",   "111110101 000 .... 1111 .... 0001 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(ADD16, SATURATING),               "qadd16",  "111110101 001 .... 1111 .... 0001 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(ASX, SATURATING),                 "qasx",    "111110101 010 .... 1111 .... 0001 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(SUB8, SATURATING),                "qsub8",   "111110101 100 .... 1111 .... 0001 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(SUB16, SATURATING),               "qsub16",  "111110101 101 .... 1111 .... 0001 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(SAX, SATURATING),                 "qsax",    "111110101 110 .... 1111 .... 0001 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(ADD8, HALVING),                   "shadd8",  "111110101 000 .... 1111 .... 0010 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(ADD16, HALVING),                  "shadd16", "111110101 001 .... 1111 .... 0010 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(ASX, HALVING),                    "shasx",   "111110101 010 .... 1111 .... 0010 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(SUB8, HALVING),                   "shsub8",  "111110101 100 .... 1111 .... 0010 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(SUB16, HALVING),                  "shsub16", "111110101 101 .... 1111 .... 0010 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(SAX, HALVING),                    "shsax",   "111110101 110 .... 1111 .... 0010 ....", &[Rd, Rn, Rm], "A5.3.13", Dsp, Alu),
    row(lanes(ADD8, OF_UNSIGNED),               "uadd8",   "111110101 000 .... 1111 .... 0100 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(ADD16, OF_UNSIGNED),              "uadd16",  "111110101 001 .... 1111 .... 0100 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(ASX, OF_UNSIGNED),                "uasx",    "111110101 010 .... 1111 .... 0100 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(SUB8, OF_UNSIGNED),               "usub8",   "111110101 100 .... 1111 .... 0100 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(SUB16, OF_UNSIGNED),              "usub16",  "111110101 101 .... 1111 .... 0100 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(SAX, OF_UNSIGNED),                "usax",    "111110101 110 .... 1111 .... 0100 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(ADD8, OF_UNSIGNED | SATURATING),  "uqadd8",  "111110101 000 .... 1111 .... 0101 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(ADD16, OF_UNSIGNED | SATURATING), "uqadd16", "111110101 001 .... 1111 .... 0101 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(ASX, OF_UNSIGNED | SATURATING),   "uqasx",   "111110101 010 .... 1111 .... 0101 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(SUB8, OF_UNSIGNED | SATURATING),  "uqsub8",  "111110101 100 .... 1111 .... 0101 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(SUB16, OF_UNSIGNED | SATURATING), "uqsub16", "111110101 101 .... 1111 .... 0101 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(SAX, OF_UNSIGNED | SATURATING),   "uqsax",   "111110101 110 .... 1111 .... 0101 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(ADD8, OF_UNSIGNED | HALVING),     "uhadd8",  "111110101 000 .... 1111 .... 0110 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(ADD16, OF_UNSIGNED | HALVING),    "uhadd16", "111110101 001 .... 1111 .... 0110 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(ASX, OF_UNSIGNED | HALVING),      "uhasx",   "111110101 010 .... 1111 .... 0110 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(SUB8, OF_UNSIGNED | HALVING),     "uhsub8",  "111110101 100 .... 1111 .... 0110 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(SUB16, OF_UNSIGNED | HALVING),    "uhsub16", "111110101 101 .... 1111 .... 0110 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),
    row(lanes(SAX, OF_UNSIGNED | HALVING),      "uhsax",   "111110101 110 .... 1111 .... 0110 ....", &[Rd, Rn, Rm], "A5.3.14", Dsp, Alu),

    row((Op::Saturating, 0),      "qadd",    "111110101 000 .... 1111 .... 1000 ....", &[Rd, Rm, Rn],      "A5.3.15", Dsp,    Alu),
    row((Op::Saturating, 1),      "qdadd",   "111110101 000 .... 1111 .... 1001 ....", &[Rd, Rm, Rn],      "A5.3.15", Dsp,    Alu),
    row((Op::Saturating, 2),      "qsub",    "111110101 000 .... 1111 .... 1010 ....", &[Rd, Rm, Rn],      "A5.3.15", Dsp,    Alu),
    row((Op::Saturating, 3),      "qdsub",   "111110101 000 .... 1111 .... 1011 ....", &[Rd, Rm, Rn],      "A5.3.15", Dsp,    Alu),
    row(plain(Op::Reverse),       "rev.w",   "111110101 001 .... 1111 .... 1000 ....", &[Rd, SourceTwice], "A5.3.15", Thumb2, Alu),
    row(plain(Op::ReverseHalves), "rev16.w", "111110101 001 .... 1111 .... 1001 ....", &[Rd, SourceTwice], "A5.3.15", Thumb2, Alu),
    row(plain(Op::ReverseBits),   "rbit",    "111110101 001 .... 1111 .... 1010 ....", &[Rd, SourceTwice], "A5.3.15", Thumb2, Alu),
    row(plain(Op::ReverseSigned), "revsh.w", "111110101 001 .... 1111 .... 1011 ....", &[Rd, SourceTwice], "A5.3.15", Thumb2, Alu),
    row(plain(Op::Select),        "sel",     "111110101 010 .... 1111 .... 1000 ....", &[Rd, Rn, Rm],      "A5.3.15", Dsp,    Alu),
    row(plain(Op::Clz),           "clz",     "111110101 011 .... 1111 .... 1000 ....", &[Rd, SourceTwice], "A5.3.15", Thumb2, Alu),

    row(plain(Op::Multiply),                          "mul.w",  "111110110 000 .... 1111 .... 0000 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Thumb2, Multiply),
    row(plain(Op::MultiplyAdd),                       "mla",    "111110110 000 .... .... .... 0000 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Thumb2, Multiply),
    row(plain(Op::MultiplySubtract),                  "mls",    "111110110 000 .... .... .... 0001 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Thumb2, Multiply),
    row(product(dsp::HALVES),                         "smulbb", "111110110 001 .... 1111 .... 0000 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::HALVES | TOP_SECOND),            "smulbt", "111110110 001 .... 1111 .... 0001 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::HALVES | TOP),                   "smultb", "111110110 001 .... 1111 .... 0010 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::HALVES | TOP | TOP_SECOND),      "smultt", "111110110 001 .... 1111 .... 0011 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::HALVES),                         "smlabb", "111110110 001 .... .... .... 0000 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::HALVES | TOP_SECOND),            "smlabt", "111110110 001 .... .... .... 0001 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::HALVES | TOP),                   "smlatb", "111110110 001 .... .... .... 0010 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::HALVES | TOP | TOP_SECOND),      "smlatt", "111110110 001 .... .... .... 0011 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::DUAL_ADD),                       "smuad",  "111110110 010 .... 1111 .... 0000 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::DUAL_ADD | TOP_SECOND),          "smuadx", "111110110 010 .... 1111 .... 0001 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::DUAL_ADD),                       "smlad",  "111110110 010 .... .... .... 0000 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::DUAL_ADD | TOP_SECOND),          "smladx", "111110110 010 .... .... .... 0001 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::WORD_HALF),                      "smulwb", "111110110 011 .... 1111 .... 0000 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::WORD_HALF | TOP_SECOND),         "smulwt", "111110110 011 .... 1111 .... 0001 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::WORD_HALF),                      "smlawb", "111110110 011 .... .... .... 0000 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::WORD_HALF | TOP_SECOND),         "smlawt", "111110110 011 .... .... .... 0001 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::DUAL_SUBTRACT),                  "smusd",  "111110110 100 .... 1111 .... 0000 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::DUAL_SUBTRACT | TOP_SECOND),     "smusdx", "111110110 100 .... 1111 .... 0001 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::DUAL_SUBTRACT),                  "smlsd",  "111110110 100 .... .... .... 0000 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::DUAL_SUBTRACT | TOP_SECOND),     "smlsdx", "111110110 100 .... .... .... 0001 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::TOP_WORD),                       "smmul",  "111110110 101 .... 1111 .... 0000 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::TOP_WORD | TOP_SECOND),          "smmulr", "111110110 101 .... 1111 .... 0001 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::TOP_WORD),                       "smmla",  "111110110 101 .... .... .... 0000 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::TOP_WORD | TOP_SECOND),          "smmlar", "111110110 101 .... .... .... 0001 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::TOP_WORD_SUBTRACT),              "smmls",  "111110110 110 .... .... .... 0000 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::TOP_WORD_SUBTRACT | TOP_SECOND), "smmlsr", "111110110 110 .... .... .... 0001 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),
    row(product(dsp::ABSOLUTE_DIFFERENCES),           "usad8",  "111110110 111 .... 1111 .... 0000 ....", &[Rd, Rn, Rm, NoAccumulator], "A5.3.16", Dsp,    Multiply),
    row(product(dsp::ABSOLUTE_DIFFERENCES),           "usada8", "111110110 111 .... .... .... 0000 ....", &[Rd, Rn, Rm, Ra],            "A5.3.16", Dsp,    Multiply),

    row(plain(Op::LongSigned),                         "smull",   "111110111 000 .... .... .... 0000 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Thumb2, Multiply),
    row(plain(Op::DivideSigned),                       "sdiv",    "111110111 001 .... 1111 .... 1111 ....", &[Rd, Rn, Rm],         "A5.3.17", Thumb2, Multiply),
    row(plain(Op::LongUnsigned),                       "umull",   "111110111 010 .... .... .... 0000 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Thumb2, Multiply),
    row(plain(Op::DivideUnsigned),                     "udiv",    "111110111 011 .... 1111 .... 1111 ....", &[Rd, Rn, Rm],         "A5.3.17", Thumb2, Multiply),
    row(plain(Op::LongAddSigned),                      "smlal",   "111110111 100 .... .... .... 0000 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Thumb2, Multiply),
    row(product(dsp::LONG_HALVES),                     "smlalbb", "111110111 100 .... .... .... 1000 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Dsp,    Multiply),
    row(product(dsp::LONG_HALVES | TOP_SECOND),        "smlalbt", "111110111 100 .... .... .... 1001 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Dsp,    Multiply),
    row(product(dsp::LONG_HALVES | TOP),               "smlaltb", "111110111 100 .... .... .... 1010 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Dsp,    Multiply),
    row(product(dsp::LONG_HALVES | TOP | TOP_SECOND),  "smlaltt", "111110111 100 .... .... .... 1011 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Dsp,    Multiply),
    row(product(dsp::LONG_DUAL_ADD),                   "smlald",  "111110111 100 .... .... .... 1100 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Dsp,    Multiply),
    row(product(dsp::LONG_DUAL_ADD | TOP_SECOND),      "smlaldx", "111110111 100 .... .... .... 1101 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Dsp,    Multiply),
    row(product(dsp::LONG_DUAL_SUBTRACT),              "smlsld",  "111110111 101 .... .... .... 1100 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Dsp,    Multiply),
    row(product(dsp::LONG_DUAL_SUBTRACT | TOP_SECOND), "smlsldx", "111110111 101 .... .... .... 1101 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Dsp,    Multiply),
    row(plain(Op::LongAddUnsigned),                    "umlal",   "111110111 110 .... .... .... 0000 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Thumb2, Multiply),
    row(plain(Op::LongAddTwice),                       "umaal",   "111110111 110 .... .... .... 0110 ....", &[RdLo, RdHi, Rn, Rm], "A5.3.17", Dsp,    Multiply),
];

/// Bits of an instruction and their places in a number, see [`gathered`].
pub type Moves = &'static [(u32, u32, u32)];

/// Moves of the scattered constants of instructions of four bytes: (lowest bit, number of bits, its place).
pub const TWELVE: Moves = &[(26, 1, 11), (12, 3, 8), (0, 8, 0)];
pub const SIXTEEN: Moves = &[(16, 4, 12), (26, 1, 11), (12, 3, 8), (0, 8, 0)];
pub const FIVE: Moves = &[(12, 3, 2), (6, 2, 0)];
pub const BRANCH: Moves = &[(26, 1, 20), (11, 1, 19), (13, 1, 18), (16, 6, 12), (0, 11, 1)];
pub const JUMP: Moves = &[(26, 1, 24), (13, 1, 23), (11, 1, 22), (16, 10, 12), (0, 11, 1)];
pub const SHORT_BRANCH: Moves = &[(0, 8, 1)];
pub const SHORT_JUMP: Moves = &[(0, 11, 1)];
pub const FORWARD: Moves = &[(9, 1, 6), (3, 5, 1)];

/// Returns the distance of a far jump for the bits of the instruction, or the bits for the distance: the two below the
/// sign are turned over where it is 0.
pub const fn turned(distance: u32) -> u32 {
    if distance >> 24 & 1 == 0 {
        distance ^ 3 << 22
    } else {
        distance
    }
}

/// Whether a register is neither stack pointer nor program counter.
fn general(register: u8) -> bool {
    register != SP && register != PC
}

/// Returns the value of a modified immediate of twelve bits (A5.3.2) and, if it is rotated, its carry.
fn expanded(twelve: u32) -> (u32, Option<bool>) {
    let byte = bits(twelve, 0, 8);
    if twelve >> 10 == 0 {
        let value = match bits(twelve, 8, 2) {
            0 => byte,
            1 => byte << 16 | byte,
            2 => byte << 24 | byte << 8,
            _ => byte << 24 | byte << 16 | byte << 8 | byte,
        };
        return (value, None);
    }
    let value = (0x80 | bits(twelve, 0, 7)).rotate_right(bits(twelve, 7, 5));
    (value, Some(value >> 31 == 1))
}

/// Sets the shift of register `rm` by a constant; an encoded amount of 0 has a meaning of its own for each kind.
fn shift(decoded: &mut Decoded, kind: u32, amount: u32) {
    (decoded.imm, decoded.extra) = match (kind, amount) {
        (LSL, amount) => (LSL, amount as u8),
        (ROR, 0) => (RRX, 1),
        (kind, 0) => (kind, 32),
        (kind, amount) => (kind, amount as u8),
    };
}

impl Operand {
    /// Fills in what the operand says; returns false for an encoding that is reserved or makes no sense.
    pub fn read(self, word: u32, place: Place, decoded: &mut Decoded) -> bool {
        let low = |from| bits(word, from, 3) as u8;
        let register = |from| bits(word, from, 4) as u8;
        let bit = |number| bits(word, number, 1);
        let high = low(0) | (bit(7) << 3) as u8;
        let is_pc = |number: u8| number == PC;
        let constant = |decoded: &mut Decoded, value| (decoded.imm, decoded.extra) = (value, IMMEDIATE);
        let backward = |up: u32, offset: u32| if up == 1 { offset } else { offset.wrapping_neg() };
        let aligned_pc = place.pc() & !3;
        match self {
            RdFirst => decoded.rd = low(0),
            RdnFirst => (decoded.rd, decoded.rn) = (low(0), low(0)),
            RnFirst => decoded.rn = low(0),
            RnSecond => decoded.rn = low(3),
            RmSecond => decoded.rm = low(3),
            RmThird => decoded.rm = low(6),
            RdTop => decoded.rd = low(8),
            RdnTop => (decoded.rd, decoded.rn) = (low(8), low(8)),
            RnTop => decoded.rn = low(8),
            RmIsRd => decoded.rm = decoded.rd,
            AmountSecond => {
                (decoded.rm, decoded.extra) = (decoded.rd, low(3));
                decoded.imm = bit(8) << 1 | bit(6);
                decoded.detail |= SHIFT_BY_REGISTER;
            }
            RdHigh => decoded.rd = high,
            RdnHigh => (decoded.rd, decoded.rn) = (high, high),
            RnHigh => {
                decoded.rn = high;
                return !is_pc(high);
            }
            RmHigh => {
                decoded.rm = register(3);
                return !is_pc(decoded.rm);
            }
            RmAny => decoded.rm = register(3),
            ShortAmount => shift(decoded, bits(word, 11, 2), bits(word, 6, 5)),
            Imm3 => constant(decoded, bits(word, 6, 3)),
            Imm8 => constant(decoded, bits(word, 0, 8)),
            Zero => constant(decoded, 0),
            FlagsOutside if place.in_block => {}
            FlagsOutside => decoded.detail |= FLAGS,
            StackStep => {
                (decoded.rd, decoded.rn) = (SP, SP);
                constant(decoded, 4 * bits(word, 0, 7));
            }
            FromStack => {
                decoded.rn = SP;
                constant(decoded, 4 * bits(word, 0, 8));
            }
            FromPc => {
                decoded.rn = PC;
                constant(decoded, 4 * bits(word, 0, 8));
            }
            ShortLiteral => {
                decoded.imm = aligned_pc.wrapping_add(4 * bits(word, 0, 8));
                decoded.detail |= BEFORE;
            }
            ShortIndex => {
                (decoded.rn, decoded.rm) = (low(3), low(6));
                decoded.detail |= BEFORE | BY_REGISTER;
            }
            ShortOffset => {
                let width = match decoded.detail {
                    BYTE => 1,
                    HALF => 2,
                    _ => 4,
                };
                (decoded.rn, decoded.imm) = (low(3), width * bits(word, 6, 5));
                decoded.detail |= BEFORE;
            }
            StackOffset => {
                (decoded.rn, decoded.imm) = (SP, 4 * bits(word, 0, 8));
                decoded.detail |= BEFORE;
            }
            PushList => (decoded.rn, decoded.imm) = (SP, bits(word, 0, 8) | bit(8) << LR),
            PopList => (decoded.rn, decoded.imm) = (SP, bits(word, 0, 8) | bit(8) << PC),
            BaseStep => {
                decoded.rn = low(8);
                // A base that is loaded is not written back.
                let loaded = decoded.op == Op::LoadMultiple && bit(decoded.rn.into()) == 1;
                decoded.detail |= if loaded { 0 } else { WRITEBACK };
            }
            ShortList => decoded.imm = bits(word, 0, 8),
            ShortCondition => decoded.condition = register(8),
            ShortBranch => decoded.imm = place.pc().wrapping_add(sign_extended(gathered(word, SHORT_BRANCH), 9)),
            ShortJump => decoded.imm = place.pc().wrapping_add(sign_extended(gathered(word, SHORT_JUMP), 12)),
            Forward => decoded.imm = place.pc().wrapping_add(gathered(word, FORWARD)),
            Masks => decoded.imm = bits(word, 0, 2),
            Conditions => return !place.in_block && conditions_of(word).is_some(),
            ShortHint | Hint | Preload | Barrier => {}

            Rd | RdHi => decoded.rd = register(8),
            Rn | RnOrPc => decoded.rn = register(16),
            Rm => decoded.rm = register(0),
            Source => decoded.rm = register(16),
            SourceTwice => {
                decoded.rm = register(16);
                return !is_pc(decoded.rm) && decoded.rm == register(0);
            }
            Ra => decoded.extra = register(12),
            NoAccumulator => decoded.extra = NONE,
            RdLo => decoded.extra = register(12),
            AmountRegister => {
                (decoded.imm, decoded.extra) = (bits(word, 21, 2), register(0));
                decoded.detail |= SHIFT_BY_REGISTER;
            }
            Amount => shift(decoded, bits(word, 4, 2), gathered(word, FIVE)),
            ShiftedRm => {
                decoded.rm = register(0);
                shift(decoded, bits(word, 4, 2), gathered(word, FIVE));
            }
            RotatedRm => (decoded.rm, decoded.extra) = (register(0), 8 * bits(word, 4, 2) as u8),
            PackedRm => {
                let amount = gathered(word, FIVE) as u8;
                let full = decoded.detail == TOP && amount == 0;
                (decoded.rm, decoded.extra) = (register(0), if full { 32 } else { amount });
            }
            Flags => decoded.detail |= if bit(20) == 1 { FLAGS } else { 0 },
            ModifiedImm => {
                let (value, carry) = expanded(gathered(word, TWELVE));
                constant(decoded, value);
                let operation = decoded.detail & 0x0f;
                if alu::logical(operation) || operation == ORN {
                    decoded.detail |= carry.map_or(0, |carry| SETS_CARRY | if carry { CARRY } else { 0 });
                }
            }
            Imm12 => constant(decoded, gathered(word, TWELVE)),
            Imm16 => constant(decoded, gathered(word, SIXTEEN)),
            FieldBegin => decoded.imm = gathered(word, FIVE),
            FieldWidth => {
                decoded.extra = bits(word, 0, 5) as u8 + 1;
                return decoded.imm + u32::from(decoded.extra) <= 32;
            }
            Replaced => {
                let (lowest, highest) = (gathered(word, FIVE), bits(word, 0, 5));
                if highest < lowest {
                    return false;
                }
                let mask = ((1_u64 << (highest - lowest + 1)) - 1) as u32;
                (decoded.imm, decoded.extra) = (mask << lowest, lowest as u8);
            }
            Limit => decoded.imm = bits(word, 0, 5) + u32::from(decoded.detail != UNSIGNED),
            SaturatedSource => {
                (decoded.rm, decoded.extra) = (register(16), gathered(word, FIVE) as u8);
                decoded.detail |= if bit(21) == 1 { TOP } else { 0 };
            }
            Rt | RtOrPc | RtGeneral => decoded.rd = register(12),
            Rt2 => decoded.extra = register(8),
            RtStored => decoded.extra = register(12),
            Status => decoded.rd = register(8),
            StatusLast => decoded.rd = register(0),
            Literal => {
                decoded.imm = aligned_pc.wrapping_add(backward(bit(23), bits(word, 0, 12)));
                decoded.detail |= BEFORE;
            }
            Offset12 => {
                (decoded.rn, decoded.imm) = (register(16), bits(word, 0, 12));
                decoded.detail |= BEFORE;
            }
            OffsetUser => {
                (decoded.rn, decoded.imm) = (register(16), bits(word, 0, 8));
                decoded.detail |= BEFORE;
            }
            Offset8 => {
                (decoded.rn, decoded.imm) = (register(16), backward(bit(9), bits(word, 0, 8)));
                decoded.detail |= moves(bit(10), bit(8));
            }
            Index => {
                (decoded.rn, decoded.rm, decoded.extra) = (register(16), register(0), bits(word, 4, 2) as u8);
                decoded.detail |= BEFORE | BY_REGISTER;
            }
            Address => decoded.rn = register(16),
            PairOffset => {
                let offset = backward(bit(23), 4 * bits(word, 0, 8));
                (decoded.rn, decoded.imm) = (register(16), offset);
                decoded.detail |= moves(bit(24), bit(21));
                if decoded.rn == PC {
                    (decoded.rn, decoded.imm) = (NONE, aligned_pc.wrapping_add(offset));
                    return decoded.op == Op::LoadPair && bit(21) == 0;
                }
            }
            ExclusiveOffset => (decoded.rn, decoded.imm) = (register(16), 4 * bits(word, 0, 8)),
            TableIndex => {
                (decoded.rn, decoded.rm) = (register(16), register(0));
                if decoded.rn == PC {
                    (decoded.rn, decoded.imm) = (NONE, place.pc());
                }
            }
            Base => {
                decoded.rn = register(16);
                decoded.detail |= if bit(21) == 1 { WRITEBACK } else { 0 };
            }
            List => decoded.imm = bits(word, 0, 16),
            Condition => decoded.condition = bits(word, 22, 4) as u8,
            Branch => decoded.imm = place.pc().wrapping_add(sign_extended(gathered(word, BRANCH), 21)),
            Jump => decoded.imm = place.pc().wrapping_add(sign_extended(turned(gathered(word, JUMP)), 25)),
            SpecialRegister => decoded.imm = bits(word, 0, 8),
            SpecialMask => (decoded.imm, decoded.detail) = (bits(word, 0, 8), bits(word, 10, 2) as u8),
        }
        self.makes_sense(decoded)
    }

    /// Whether registers and constants that were read may stand together.
    fn makes_sense(self, decoded: &Decoded) -> bool {
        let Decoded { op, rd, rn, rm, extra, detail, imm, .. } = *decoded;
        let writes_back = detail & WRITEBACK != 0;
        match self {
            Rd | Rt => rd != PC,
            Rn => rn != PC,
            Rm | ShiftedRm | RotatedRm | PackedRm | Source => rm != PC,
            Ra => extra != PC,
            AmountRegister => extra != PC,
            // The lower word of a product is read first.
            RdLo => extra != PC,
            RdHi => rd != PC && rd != extra,
            SaturatedSource => rm != PC && (detail & TOP == 0 || extra != 0),
            RtGeneral | Status | StatusLast => general(rd),
            Rt2 => general(extra) && (op == Op::StorePair || rd != extra),
            RtStored => general(extra) && rd != extra,
            Address | ExclusiveOffset => rn != PC && (op != Op::StoreExclusive || rn != rd),
            Offset12 | OffsetUser | Index if rn == PC => false,
            Index => general(rm),
            Offset8 => rn != PC && detail & (BEFORE | WRITEBACK) != 0 && !(writes_back && rn == rd),
            PairOffset => !(writes_back && (rn == rd || rn == extra)),
            TableIndex => rn != SP && general(rm),
            Base => rn != PC,
            PushList | PopList | ShortList => imm != 0,
            List => {
                let has = |register: u8| imm >> register & 1 == 1;
                let returns = if op == Op::LoadMultiple { has(LR) && has(PC) } else { has(PC) };
                imm != 0 && !has(SP) && !returns && !(writes_back && has(rn))
            }
            ShortCondition | Condition => decoded.condition < ALWAYS,
            _ => true,
        }
    }

    /// Returns the operand as the assembly language writes it; `None` if it does not, or the mnemonic ends in it.
    pub fn text(self, word: u32, decoded: &Decoded) -> Option<String> {
        let Decoded { rd, rn, rm, extra, detail, imm, .. } = *decoded;
        let bit = |number| bits(word, number, 1);
        let memory = |offset: String| match (detail & BEFORE != 0, detail & WRITEBACK != 0) {
            _ if offset.is_empty() => format!("[{}]", name(rn)),
            (true, false) => format!("[{}, {offset}]", name(rn)),
            (true, true) => format!("[{}, {offset}]!", name(rn)),
            _ => format!("[{}], {offset}", name(rn)),
        };
        // An offset of 0 that is added is not written, unless the base register moves by it.
        let signed = |up: u32, magnitude: u32| match (up, magnitude) {
            (1, 0) if detail & WRITEBACK == 0 => String::new(),
            (1, magnitude) => format!("#{magnitude}"),
            (_, magnitude) => format!("#-{magnitude}"),
        };
        let shifted = |text: String, kind: u32, amount: u8| match (kind, amount) {
            (LSL, 0) => text,
            (RRX, _) => format!("{text}, rrx"),
            (kind, amount) => format!("{text}, {} #{amount}", SHIFTS[(kind & 3) as usize]),
        };
        Some(match self {
            RdFirst | RdnFirst | RdTop | RdnTop | RdHigh | RdnHigh | Rd | RdHi | Rt | RtOrPc | RtGeneral | Status
            | StatusLast => name(rd).into(),
            RnFirst | RnSecond | RnTop | RnHigh | Rn | RnOrPc => name(rn).into(),
            RmSecond | RmThird | RmHigh | RmAny | Rm | Source | SourceTwice => name(rm).into(),
            AmountSecond | AmountRegister | Ra | RdLo | Rt2 | RtStored => name(extra).into(),
            ShortAmount | Amount if imm == RRX => return None,
            ShortAmount | Amount => format!("#{extra}"),
            Imm3 | Imm8 | ModifiedImm | Imm12 | Imm16 | FieldBegin | Limit => format!("#{imm}"),
            FieldWidth => format!("#{extra}"),
            Replaced => format!("#{extra}, #{}", imm.count_ones()),
            StackStep | FromStack => format!("sp, #{imm}"),
            FromPc => format!("pc, #{imm}"),
            ShortLiteral => format!("[pc, #{}]", 4 * bits(word, 0, 8)),
            Literal if bit(23) == 1 => format!("[pc, #{}]", bits(word, 0, 12)),
            Literal => format!("[pc, #-{}]", bits(word, 0, 12)),
            ShortIndex => memory(name(rm).into()),
            ShortOffset | StackOffset => memory(format!("#{imm}")),
            Offset12 | OffsetUser | ExclusiveOffset if imm == 0 => memory(String::new()),
            Offset12 | OffsetUser => memory(format!("#{imm}")),
            ExclusiveOffset => format!("[{}, #{imm}]", name(rn)),
            Offset8 => memory(signed(bit(9), bits(word, 0, 8))),
            Index => memory(shifted(name(rm).into(), LSL, extra)),
            Address => format!("[{}]", name(rn)),
            Preload => preload(word),
            PairOffset if rn == NONE => format!("[pc, {}]", signed(bit(23), 4 * bits(word, 0, 8))),
            PairOffset => memory(signed(bit(23), 4 * bits(word, 0, 8))),
            TableIndex => {
                let doubled = if detail == 2 { ", lsl #1" } else { "" };
                format!("[{}, {}{doubled}]", name(if rn == NONE { PC } else { rn }), name(rm))
            }
            PushList | PopList | ShortList | List => list(imm),
            BaseStep | Base => format!("{}{}", name(rn), if detail & WRITEBACK != 0 { "!" } else { "" }),
            ShortBranch | ShortJump | Forward | Branch | Jump => format!("{imm:x}"),
            Masks => ["none", "f", "i", "if"][imm as usize].into(),
            Conditions => CONDITIONS[bits(word, 4, 4) as usize].into(),
            ShortHint => format!("{{{}}}", bits(word, 4, 4)),
            Hint if bits(word, 4, 4) == 15 => format!("#{}", bits(word, 0, 4)),
            Hint => format!("{{{}}}", bits(word, 0, 8)),
            ShiftedRm => shifted(name(rm).into(), imm, extra),
            RotatedRm if extra == 0 => name(rm).into(),
            RotatedRm => format!("{}, ror #{extra}", name(rm)),
            PackedRm => shifted(name(rm).into(), if detail & TOP != 0 { ASR } else { LSL }, extra),
            SaturatedSource => shifted(name(rm).into(), if detail & TOP != 0 { ASR } else { LSL }, extra),
            SpecialRegister => special(imm),
            SpecialMask => format!("{}{}", special(imm), if imm < 4 { MASKS[usize::from(detail)] } else { "" }),
            Barrier => match bits(word, 0, 4) {
                15 => "sy".into(),
                option => format!("#{option}"),
            },
            RmIsRd | Zero | FlagsOutside | ShortCondition | NoAccumulator | Flags | Condition => return None,
        })
    }
}

/// Returns the bits of `detail` for an offset that counts before the access, and for a base that moves.
fn moves(before: u32, base: u32) -> u8 {
    (if before == 1 { BEFORE } else { 0 }) | if base == 1 { WRITEBACK } else { 0 }
}

const REGISTERS: [&str; 16] =
    ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"];
/// Names of conditions; the last but one is the one that always holds.
const CONDITIONS: [&str; 16] =
    ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"];
const SHIFTS: [&str; 4] = ["lsl", "lsr", "asr", "ror"];
const MASKS: [&str; 4] = ["", "_g", "_nzcvq", "_nzcvqg"];

fn name(register: u8) -> &'static str {
    REGISTERS[usize::from(register & 15)]
}

fn list(registers: u32) -> String {
    let names: Vec<&str> = (0..16).filter(|number| registers >> number & 1 == 1).map(name).collect();
    format!("{{{}}}", names.join(", "))
}

/// Returns the name of a special register.
fn special(number: u32) -> String {
    let known = match number {
        0 => "APSR",
        1 => "IAPSR",
        2 => "EAPSR",
        3 => "XPSR",
        5 => "IPSR",
        6 => "EPSR",
        7 => "IEPSR",
        8 => "MSP",
        9 => "PSP",
        10 => "MSPLIM",
        11 => "PSPLIM",
        16 => "PRIMASK",
        17 => "BASEPRI",
        18 => "BASEPRI_MAX",
        19 => "FAULTMASK",
        20 => "CONTROL",
        _ => return number.to_string(),
    };
    known.into()
}

/// Returns the address of a hint of what will be loaded soon.
fn preload(word: u32) -> String {
    let base = name(bits(word, 16, 4) as u8);
    let sign = |up: u32| if up == 1 { "" } else { "-" };
    if base == "pc" {
        return format!("[pc, #{}{}]", sign(bits(word, 23, 1)), bits(word, 0, 12));
    }
    match (bits(word, 23, 1), bits(word, 11, 1)) {
        (1, _) if bits(word, 0, 12) == 0 => format!("[{base}]"),
        (1, _) => format!("[{base}, #{}]", bits(word, 0, 12)),
        (_, 1) => format!("[{base}, #{}{}]", sign(bits(word, 9, 1)), bits(word, 0, 8)),
        _ => match (name(bits(word, 0, 4) as u8), bits(word, 4, 2)) {
            (index, 0) => format!("[{base}, {index}]"),
            (index, amount) => format!("[{base}, {index}, lsl #{amount}]"),
        },
    }
}

/// Returns the row of an instruction of 16 or 32 bits, whatever core it needs; the first halfword is the upper one.
pub fn row_of(word: u32, length_bits: u32) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.pattern.bits == length_bits && row.pattern.matches(word))
}

/// Reads the fields of an instruction by its row; `None` for an encoding that is reserved.
pub fn fields(row: &Row, word: u32, place: Place) -> Option<Decoded> {
    let (op, detail) = row.op;
    let mut decoded = Decoded { class: row.class, detail, halves: (row.pattern.bits / 16) as u8, ..Decoded::bare(op) };
    row.operands.iter().all(|operand| operand.read(word, place, &mut decoded)).then_some(decoded)
}

/// Returns the text of an instruction, `None` for what is no instruction; `condition` is what an `it` before it gives.
pub fn text(word: u32, length_bits: u32, place: Place, condition: Option<u8>) -> Option<String> {
    let row = row_of(word, length_bits)?;
    let decoded = fields(row, word, place)?;
    let operands: Vec<String> = row.operands.iter().filter_map(|operand| operand.text(word, &decoded)).collect();
    let sets_flags = row.operands.iter().any(|operand| matches!(operand, Flags | FlagsOutside));
    let flags = if sets_flags && decoded.detail & FLAGS != 0 { "s" } else { "" };
    let condition = match condition.unwrap_or(decoded.condition) {
        ALWAYS => "",
        number => CONDITIONS[usize::from(number)],
    };
    let then = if row.op.0 == Op::IfThen { then_else(word) } else { String::new() };
    // What says how long the instruction is comes last.
    let (verb, length) = row.mnemonic.split_at(row.mnemonic.find('.').unwrap_or(row.mnemonic.len()));
    Some(format!("{verb}{flags}{then}{condition}{length} {}", operands.join(", ")).trim_end().to_string())
}

/// Returns the letters of an `it` for the instructions after the first one.
fn then_else(it: u32) -> String {
    let conditions = conditions_of(it).unwrap_or_default();
    conditions.iter().skip(1).map(|&condition| if condition == conditions[0] { 't' } else { 'e' }).collect()
}

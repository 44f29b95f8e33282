//! The instructions of Thumb on ARMv6-M, ARMv7-M and ARMv8-M mainline, with the DSP extension.
//!
//! Sections are those of the ARMv7-M Architecture Reference Manual, ARM DDI 0403, whose chapter A5 holds the tables of
//! encodings (ARMv6-M: DDI 0419, A5; its instructions have the feature [`Feature::Base`]). A section with an 8 in front
//! is one of the ARMv8-M Architecture Reference Manual, DDI 0553.
//!
//! An UNPREDICTABLE encoding is refused if no meaning is
//! sensible; otherwise its fields are taken literally.

use super::decode::{
    alu, conditions_of, dsp, parallel, Decoded, Op, Place, ALWAYS, BEFORE, BYTE, DOWN, FLAGS, HALF, SIGNED, TOP,
    TOP_SECOND, UNSIGNED, WRITEBACK,
};
use super::float_isa;
pub use super::operand::*;
use crate::isa::Pattern;
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
    /// Floating point of single precision (FPv4-SP).
    FloatSingle,
    /// What FPv5 adds: directed roundings, selection, maximum and minimum.
    FloatDirected,
}

/// An operation and what its field `detail` holds before the operands are read.
pub type Operation = (Op, u8);
pub type Row = crate::isa::Row<Operation, Operand, Feature>;

pub(super) const fn row(
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
pub const ROWS: &[Row] = &all();

/// Returns the rows of the core and those of the floating-point unit behind them.
const fn all() -> [Row; CORE.len() + float_isa::ROWS.len()] {
    let mut rows = [CORE[0]; CORE.len() + float_isa::ROWS.len()];
    let mut number = 0;
    while number < rows.len() {
        rows[number] = if number < CORE.len() { CORE[number] } else { float_isa::ROWS[number - CORE.len()] };
        number += 1;
    }
    rows
}

#[rustfmt::skip]
const CORE: &[Row] = &[
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
    row(plain(Op::InstructionBarrier), "isb",     "11110 0111011 (1111) 10 (0) 0 (1111) 0110 ....",   &[Barrier],             "A5.3.4", V6,     Other),
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

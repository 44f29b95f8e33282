//! The instructions of the floating-point unit: FPv4-SP, and what FPv5 adds.
//!
//! Sections are those of the ARMv7-M Architecture Reference Manual, ARM DDI 0403, whose A6.4 to A6.7 hold the tables of
//! encodings; one with an 8 in front is of the ARMv8-M Architecture Reference Manual, DDI 0553.

use super::decode::{float as kinds, Decoded, Op, DOWN, NOWHERE, PC, SP, WRITEBACK};
use super::isa::{row, Feature, Operation, Row};
use super::operand::{general, name, Moves, Operand};
use crate::isa::{bits, gathered};
use crate::profile::Class;
use kinds::*;
use Class::{Alu, Load, Multiply, Other, Stack, Store};
use Feature::{FloatDirected as Directed, FloatSingle as Single};
use Operand::*;

/// Data processing of a kind.
const fn plain(detail: u8) -> Operation {
    (Op::Float, detail)
}

/// Data processing of a kind that varies.
const fn varied(kind: u8, variant: u8) -> Operation {
    (Op::Float, kind | variant << VARIANT_SHIFT)
}

/// Every instruction of the unit; the first row that an instruction fits is its row.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row(plain(MULTIPLY_ADD),              "vmla.f32",  "11101110 0.00 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),
    row(plain(MULTIPLY_SUBTRACT),         "vmls.f32",  "11101110 0.00 .... .... 1010 . 1 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),
    row(plain(MULTIPLY_NEGATED_SUBTRACT), "vnmls.f32", "11101110 0.01 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),
    row(plain(MULTIPLY_NEGATED_ADD),      "vnmla.f32", "11101110 0.01 .... .... 1010 . 1 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),
    row(plain(MULTIPLY),                  "vmul.f32",  "11101110 0.10 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),
    row(plain(MULTIPLY_NEGATED),          "vnmul.f32", "11101110 0.10 .... .... 1010 . 1 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),
    row(plain(ADD),                       "vadd.f32",  "11101110 0.11 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Alu),
    row(plain(SUBTRACT),                  "vsub.f32",  "11101110 0.11 .... .... 1010 . 1 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Alu),
    row(plain(DIVIDE),                    "vdiv.f32",  "11101110 1.00 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),
    row(plain(FUSED_NEGATED_SUBTRACT),    "vfnms.f32", "11101110 1.01 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),
    row(plain(FUSED_NEGATED_ADD),         "vfnma.f32", "11101110 1.01 .... .... 1010 . 1 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),
    row(plain(FUSED_ADD),                 "vfma.f32",  "11101110 1.10 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),
    row(plain(FUSED_SUBTRACT),            "vfms.f32",  "11101110 1.10 .... .... 1010 . 1 . 0 ....", &[Sd, Sn, Sm], "A6.4", Single, Multiply),

    row(plain(CONSTANT),                          "vmov.f32",      "11101110 1.11 .... .... 1010 (0)0 (0)0 ....", &[Sd, FloatConstant],       "A6.4", Single,   Alu),
    row(plain(COPY),                              "vmov.f32",      "11101110 1.11 0000 .... 1010 01 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(ABSOLUTE),                          "vabs.f32",      "11101110 1.11 0000 .... 1010 11 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(NEGATE),                            "vneg.f32",      "11101110 1.11 0001 .... 1010 01 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(ROOT),                              "vsqrt.f32",     "11101110 1.11 0001 .... 1010 11 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Multiply),
    row(plain(WIDEN),                             "vcvtb.f32.f16", "11101110 1.11 0010 .... 1010 01 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(WIDEN | TOP),                       "vcvtt.f32.f16", "11101110 1.11 0010 .... 1010 11 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(NARROW),                            "vcvtb.f16.f32", "11101110 1.11 0011 .... 1010 01 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(NARROW | TOP),                      "vcvtt.f16.f32", "11101110 1.11 0011 .... 1010 11 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(COMPARE),                           "vcmp.f32",      "11101110 1.11 0100 .... 1010 01 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(COMPARE | EXCEPTIONAL),             "vcmpe.f32",     "11101110 1.11 0100 .... 1010 11 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(COMPARE | WITH_ZERO),               "vcmp.f32",      "11101110 1.11 0101 .... 1010 01 (0)0 (0000)", &[Sd, FloatZero],           "A6.4", Single,   Alu),
    row(plain(COMPARE | WITH_ZERO | EXCEPTIONAL), "vcmpe.f32",     "11101110 1.11 0101 .... 1010 11 (0)0 (0000)", &[Sd, FloatZero],           "A6.4", Single,   Alu),
    row(varied(ROUND, CURRENT),                   "vrintr.f32",    "11101110 1.11 0110 .... 1010 01 . 0 ....",    &[Sd, Sm],                  "A6.4", Directed, Alu),
    row(varied(ROUND, TO_ZERO),                   "vrintz.f32",    "11101110 1.11 0110 .... 1010 11 . 0 ....",    &[Sd, Sm],                  "A6.4", Directed, Alu),
    row(varied(ROUND, EXACT),                     "vrintx.f32",    "11101110 1.11 0111 .... 1010 01 . 0 ....",    &[Sd, Sm],                  "A6.4", Directed, Alu),
    row(plain(FROM_INTEGER | UNSIGNED),           "vcvt.f32.u32",  "11101110 1.11 1000 .... 1010 01 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(FROM_INTEGER),                      "vcvt.f32.s32",  "11101110 1.11 1000 .... 1010 11 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(plain(FROM_FIXED),                        "vcvt.f32.s16",  "11101110 1.11 1010 .... 1010 01 . 0 ....",    &[Sd, SdAgain, Fraction16], "A6.4", Single,   Alu),
    row(plain(FROM_FIXED),                        "vcvt.f32.s32",  "11101110 1.11 1010 .... 1010 11 . 0 ....",    &[Sd, SdAgain, Fraction32], "A6.4", Single,   Alu),
    row(plain(FROM_FIXED | UNSIGNED),             "vcvt.f32.u16",  "11101110 1.11 1011 .... 1010 01 . 0 ....",    &[Sd, SdAgain, Fraction16], "A6.4", Single,   Alu),
    row(plain(FROM_FIXED | UNSIGNED),             "vcvt.f32.u32",  "11101110 1.11 1011 .... 1010 11 . 0 ....",    &[Sd, SdAgain, Fraction32], "A6.4", Single,   Alu),
    row(plain(TO_FIXED),                          "vcvt.s16.f32",  "11101110 1.11 1110 .... 1010 01 . 0 ....",    &[Sd, SdAgain, Fraction16], "A6.4", Single,   Alu),
    row(plain(TO_FIXED),                          "vcvt.s32.f32",  "11101110 1.11 1110 .... 1010 11 . 0 ....",    &[Sd, SdAgain, Fraction32], "A6.4", Single,   Alu),
    row(plain(TO_FIXED | UNSIGNED),               "vcvt.u16.f32",  "11101110 1.11 1111 .... 1010 01 . 0 ....",    &[Sd, SdAgain, Fraction16], "A6.4", Single,   Alu),
    row(plain(TO_FIXED | UNSIGNED),               "vcvt.u32.f32",  "11101110 1.11 1111 .... 1010 11 . 0 ....",    &[Sd, SdAgain, Fraction32], "A6.4", Single,   Alu),
    row(varied(TO_UNSIGNED, CURRENT),             "vcvtr.u32.f32", "11101110 1.11 1100 .... 1010 01 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(varied(TO_UNSIGNED, TO_ZERO),             "vcvt.u32.f32",  "11101110 1.11 1100 .... 1010 11 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(varied(TO_SIGNED, CURRENT),               "vcvtr.s32.f32", "11101110 1.11 1101 .... 1010 01 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),
    row(varied(TO_SIGNED, TO_ZERO),               "vcvt.s32.f32",  "11101110 1.11 1101 .... 1010 11 . 0 ....",    &[Sd, Sm],                  "A6.4", Single,   Alu),

    row(varied(SELECT, 0),              "vseleq.f32",    "11111110 0.00 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "8C2", Directed, Alu),
    row(varied(SELECT, 1),              "vselvs.f32",    "11111110 0.01 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "8C2", Directed, Alu),
    row(varied(SELECT, 2),              "vselge.f32",    "11111110 0.10 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "8C2", Directed, Alu),
    row(varied(SELECT, 3),              "vselgt.f32",    "11111110 0.11 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "8C2", Directed, Alu),
    row(plain(MAXIMUM),                 "vmaxnm.f32",    "11111110 1.00 .... .... 1010 . 0 . 0 ....", &[Sd, Sn, Sm], "8C2", Directed, Alu),
    row(plain(MINIMUM),                 "vminnm.f32",    "11111110 1.00 .... .... 1010 . 1 . 0 ....", &[Sd, Sn, Sm], "8C2", Directed, Alu),
    row(varied(ROUND, TIES_AWAY),       "vrinta.f32",    "11111110 1.11 1000 .... 1010 01 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(ROUND, NEAREST),         "vrintn.f32",    "11111110 1.11 1001 .... 1010 01 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(ROUND, CEILING),         "vrintp.f32",    "11111110 1.11 1010 .... 1010 01 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(ROUND, FLOOR),           "vrintm.f32",    "11111110 1.11 1011 .... 1010 01 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(TO_UNSIGNED, TIES_AWAY), "vcvta.u32.f32", "11111110 1.11 1100 .... 1010 01 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(TO_SIGNED, TIES_AWAY),   "vcvta.s32.f32", "11111110 1.11 1100 .... 1010 11 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(TO_UNSIGNED, NEAREST),   "vcvtn.u32.f32", "11111110 1.11 1101 .... 1010 01 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(TO_SIGNED, NEAREST),     "vcvtn.s32.f32", "11111110 1.11 1101 .... 1010 11 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(TO_UNSIGNED, CEILING),   "vcvtp.u32.f32", "11111110 1.11 1110 .... 1010 01 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(TO_SIGNED, CEILING),     "vcvtp.s32.f32", "11111110 1.11 1110 .... 1010 11 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(TO_UNSIGNED, FLOOR),     "vcvtm.u32.f32", "11111110 1.11 1111 .... 1010 01 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),
    row(varied(TO_SIGNED, FLOOR),       "vcvtm.s32.f32", "11111110 1.11 1111 .... 1010 11 . 0 ....",  &[Sd, Sm],     "8C2", Directed, Alu),

    row((Op::FloatStoreMultiple, DOWN), "vpush",  "1110110 1 0 . 1 0 1101 .... 1010 ........", &[PushedBelow, SingleList], "A6.5", Single, Stack),
    row((Op::FloatLoadMultiple, 0),     "vpop",   "1110110 0 1 . 1 1 1101 .... 1010 ........", &[PushedBelow, SingleList], "A6.5", Single, Stack),
    row((Op::FloatStoreMultiple, 0),    "vstmia", "1110110 0 1 . . 0 .... .... 1010 ........", &[Base, SingleList],        "A6.5", Single, Store),
    row((Op::FloatStoreMultiple, DOWN), "vstmdb", "1110110 1 0 . 1 0 .... .... 1010 ........", &[Base, SingleList],        "A6.5", Single, Store),
    row((Op::FloatLoadMultiple, 0),     "vldmia", "1110110 0 1 . . 1 .... .... 1010 ........", &[Base, SingleList],        "A6.5", Single, Load),
    row((Op::FloatLoadMultiple, DOWN),  "vldmdb", "1110110 1 0 . 1 1 .... .... 1010 ........", &[Base, SingleList],        "A6.5", Single, Load),
    row((Op::FloatStore, 0),            "vstr",   "1110110 1 . . 0 0 .... .... 1010 ........", &[Sd, PairOffset],          "A6.5", Single, Store),
    row((Op::FloatLoad, 0),             "vldr",   "1110110 1 . . 0 1 .... .... 1010 ........", &[Sd, PairOffset],          "A6.5", Single, Load),
    row((Op::FloatStoreMultiple, DOWN), "vpush",  "1110110 1 0 0 1 0 1101 .... 1011 ........", &[PushedBelow, DoubleList], "A6.5", Single, Stack),
    row((Op::FloatLoadMultiple, 0),     "vpop",   "1110110 0 1 0 1 1 1101 .... 1011 ........", &[PushedBelow, DoubleList], "A6.5", Single, Stack),
    row((Op::FloatStoreMultiple, 0),    "vstmia", "1110110 0 1 0 . 0 .... .... 1011 ........", &[Base, DoubleList],        "A6.5", Single, Store),
    row((Op::FloatStoreMultiple, DOWN), "vstmdb", "1110110 1 0 0 1 0 .... .... 1011 ........", &[Base, DoubleList],        "A6.5", Single, Store),
    row((Op::FloatLoadMultiple, 0),     "vldmia", "1110110 0 1 0 . 1 .... .... 1011 ........", &[Base, DoubleList],        "A6.5", Single, Load),
    row((Op::FloatLoadMultiple, DOWN),  "vldmdb", "1110110 1 0 0 1 1 .... .... 1011 ........", &[Base, DoubleList],        "A6.5", Single, Load),
    row((Op::FloatStore, 0),            "vstr",   "1110110 1 . 0 0 0 .... .... 1011 ........", &[Dd, PairOffset],          "A6.5", Single, Store),
    row((Op::FloatLoad, 0),             "vldr",   "1110110 1 . 0 0 1 .... .... 1011 ........", &[Dd, PairOffset],          "A6.5", Single, Load),

    row((Op::FloatFrom, 0),      "vmov",    "11101110 0000 .... .... 1010 . (00)1(0000)", &[MovedSn, FromRt],             "A6.6", Single, Alu),
    row((Op::FloatTo, 0),        "vmov",    "11101110 0001 .... .... 1010 . (00)1(0000)", &[ToRt, MovedSn],               "A6.6", Single, Alu),
    row((Op::SetFloatStatus, 0), "vmsr",    "11101110 1110 0001 .... 1010 (000)1(0000)",  &[Fpscr, FromRt],               "A6.6", Single, Other),
    row((Op::FloatStatus, 0),    "vmrs",    "11101110 1111 0001 .... 1010 (000)1(0000)",  &[ToRtOrFlags, Fpscr],          "A6.6", Single, Other),
    row((Op::FloatFrom, 0),      "vmov.32", "11101110 00.0 .... .... 1011 0 001(0000)",   &[HalfOfDouble, FromRt],        "A6.6", Single, Alu),
    row((Op::FloatTo, 0),        "vmov.32", "11101110 00.1 .... .... 1011 0 001(0000)",   &[ToRt, HalfOfDouble],          "A6.6", Single, Alu),
    row((Op::FloatFrom, 0),      "vmov",    "11101100 0100 .... .... 1010 00.1 ....",     &[TwoSingles, FromRt, FromRt2], "A6.7", Single, Alu),
    row((Op::FloatTo, 0),        "vmov",    "11101100 0101 .... .... 1010 00.1 ....",     &[ToRt, ToRt2, TwoSingles],     "A6.7", Single, Alu),
    row((Op::FloatFrom, 0),      "vmov",    "11101100 0100 .... .... 1011 0001 ....",     &[MovedDm, FromRt, FromRt2],    "A6.7", Single, Alu),
    row((Op::FloatTo, 0),        "vmov",    "11101100 0101 .... .... 1011 0001 ....",     &[ToRt, ToRt2, MovedDm],        "A6.7", Single, Alu),
];

/// Places of the numbers of single registers.
const SD: Moves = &[(22, 1, 0), (12, 4, 1)];
const SN: Moves = &[(7, 1, 0), (16, 4, 1)];
const SM: Moves = &[(5, 1, 0), (0, 4, 1)];
/// Places of the numbers of the first singles of double registers.
const DD: Moves = &[(12, 4, 1)];
const DM: Moves = &[(0, 4, 1)];
const HALF_OF_DOUBLE: Moves = &[(21, 1, 0), (16, 4, 1)];
/// Places of constants.
const CONSTANT_BITS: Moves = &[(0, 4, 0), (16, 4, 4)];
const FRACTION: Moves = &[(5, 1, 0), (0, 4, 1)];

/// Returns the number that eight bits of an instruction stand for (A6.4.1).
fn expanded(eight: u32) -> u32 {
    let exponent = if bits(eight, 6, 1) == 1 { 0x3e00_0000 } else { 0x4000_0000 };
    bits(eight, 7, 1) << 31 | exponent | bits(eight, 0, 6) << 19
}

impl Operand {
    /// Fills in an operand of the floating-point unit.
    pub(super) fn read_float(self, word: u32, decoded: &mut Decoded) {
        let register = |from| bits(word, from, 4) as u8;
        let single = |moves| gathered(word, moves) as u8;
        let fraction = |width: u32| width.wrapping_sub(gathered(word, FRACTION));
        match self {
            Sd => (decoded.rd, decoded.extra) = (single(SD), 1),
            Dd => (decoded.rd, decoded.extra) = (single(DD), 2),
            SdAgain => decoded.rm = decoded.rd,
            Sn => decoded.rn = single(SN),
            Sm => decoded.rm = single(SM),
            FloatConstant => decoded.imm = expanded(gathered(word, CONSTANT_BITS)),
            Fraction16 => (decoded.imm, decoded.extra) = (fraction(16), 16),
            Fraction32 => (decoded.imm, decoded.extra) = (fraction(32), 32),
            PushedBelow => {
                decoded.rn = SP;
                decoded.detail |= WRITEBACK;
            }
            SingleList => (decoded.rd, decoded.extra) = (single(SD), bits(word, 0, 8) as u8),
            DoubleList => (decoded.rd, decoded.extra) = (single(DD), bits(word, 0, 8) as u8),
            MovedSn => decoded.imm = gathered(word, SN),
            TwoSingles => decoded.imm = gathered(word, SM),
            HalfOfDouble => decoded.imm = gathered(word, HALF_OF_DOUBLE),
            MovedDm => decoded.imm = gathered(word, DM),
            FromRt => decoded.rn = register(12),
            FromRt2 => decoded.rm = register(16),
            ToRt | ToRtOrFlags => (decoded.rd, decoded.extra) = (register(12), NOWHERE),
            ToRt2 => decoded.extra = register(16),
            _ => {}
        }
    }

    /// Whether registers and constants of the unit may stand together; true for any other operand.
    pub(super) fn float_makes_sense(self, decoded: &Decoded) -> bool {
        let Decoded { rd, rn, rm, extra, imm, .. } = *decoded;
        match self {
            Fraction16 | Fraction32 => imm <= u32::from(extra),
            SingleList => extra > 0 && u32::from(rd) + u32::from(extra) <= 32,
            DoubleList => extra > 0 && extra % 2 == 0 && u32::from(rd) + u32::from(extra) <= 32,
            TwoSingles => imm < 31,
            FromRt => general(rn),
            FromRt2 => general(rm),
            ToRt => general(rd),
            ToRtOrFlags => rd != SP,
            ToRt2 => general(extra) && extra != rd,
            _ => true,
        }
    }

    /// Returns an operand of the unit as the assembly language writes it; `None` if it does not.
    pub(super) fn float_text(self, decoded: &Decoded) -> Option<String> {
        let Decoded { rd, rn, rm, extra, imm, .. } = *decoded;
        let range = |letter: char, first: u8, count: u8| match count {
            1 => format!("{{{letter}{first}}}"),
            _ => format!("{{{letter}{first}-{letter}{}}}", first + count - 1),
        };
        Some(match self {
            Sd | SdAgain => format!("s{rd}"),
            Sn => format!("s{rn}"),
            Sm => format!("s{rm}"),
            Dd => format!("d{}", rd / 2),
            FloatConstant => format!("#{}", imm >> 24 & 0x80 | (imm >> 19 & 0x3f) | (imm >> 23 & 0x40)),
            FloatZero => "#0.0".into(),
            Fraction16 | Fraction32 => format!("#{imm}"),
            SingleList => range('s', rd, extra),
            DoubleList => range('d', rd / 2, extra / 2),
            MovedSn => format!("s{imm}"),
            TwoSingles => format!("s{imm}, s{}", imm + 1),
            HalfOfDouble => format!("d{}[{}]", imm / 2, imm % 2),
            MovedDm => format!("d{}", imm / 2),
            FromRt => name(rn).into(),
            FromRt2 => name(rm).into(),
            ToRtOrFlags if rd == PC => "APSR_nzcv".into(),
            ToRt | ToRtOrFlags => name(rd).into(),
            ToRt2 => name(extra).into(),
            Fpscr => "fpscr".into(),
            _ => return None,
        })
    }
}

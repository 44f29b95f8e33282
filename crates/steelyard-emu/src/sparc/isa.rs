//! The integer instructions of SPARC V7 and V8 that a program in user mode executes.
//!
//! Sections are those of The SPARC Architecture Manual, Version 8, revision SAV080SI9308. What V8 adds to V7 is marked.
//! Bits that a form of an instruction does not use are ignored: the manual wants zeros there.

use super::decode::{Decoded, NOWHERE};
use super::timing::Architecture;
use crate::isa::{bits, sign_extended, Pattern};
use crate::profile::Class;

/// Operations of the processor. With two operands they compute `rd = rs1 . (rs2 + imm)`, where `rs2` is `%g0` or `imm`
/// is 0; those that have a form with an immediate compute `rd = rs1 . rs2`.
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
    /// `rd = imm`.
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
    /// Operations with an immediate, or with `%g0`: `rd = rs1 . imm`.
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
    /// Loads and stores at `rs1 + rs2 + imm`; `rd` is loaded or stored.
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
    /// Branch to `imm` if the condition holds; may annul the delay slot.
    Branch,
    /// Branch to `imm`, always taken; the delay slot is executed.
    BranchAlways,
    /// Branch to `imm`, always taken; the delay slot is annulled.
    BranchAlwaysAnnul,
    /// Call of the address `imm`.
    Call,
    Jmpl,
    /// Trap if the condition holds.
    Ticc,
    /// `flush` and `stbar`, which have no effect: the model keeps nothing stale or out of order.
    Nothing,
}

impl Op {
    /// Returns the form with an immediate; only frequent operations have one.
    pub fn with_immediate(self) -> Self {
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

/// An operand of the assembly language, or a field that the mnemonic already says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    Rd,
    Rs1,
    /// Register or signed immediate of 13 bits.
    RegOrImm,
    /// Register or signed immediate that is not zero.
    Divisor,
    /// Number of bits by which to shift, in a register or as an immediate.
    ShiftCount,
    /// Upper 22 bits of a constant.
    High,
    /// The register Y.
    Y,
    /// Sum of a register and a register or immediate, by what is there: data of one, two, four or eight bytes, code, or
    /// a line of the instruction cache.
    ByteAddress,
    HalfAddress,
    WordAddress,
    PairAddress,
    JumpAddress,
    FlushAddress,
    /// Register to be stored.
    Stored,
    /// Even register of two that are loaded or stored.
    Pair,
    /// Register that is stored and then loaded.
    Swapped,
    Target,
    CallTarget,
    TrapNumber,
    /// Whether an untaken branch, or one that is always taken, annuls its delay slot; the mnemonic ends in it.
    Annul,
    /// Condition of a branch or trap.
    Condition,
}

pub type Row = crate::isa::Row<Op, Operand, Architecture>;

const fn row(
    op: Op,
    mnemonic: &'static str,
    pattern: &str,
    operands: &'static [Operand],
    section: &'static str,
    feature: Architecture,
    class: Class,
) -> Row {
    Row { op, mnemonic, pattern: Pattern::new(pattern), operands, section, feature, class }
}

use Architecture::{V7, V8};
use Class::{Alu, Load, Multiply, Other, Shift as Shifts, Stack, Store};
use Operand::*;

/// Every instruction; no two rows fit the same one.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row(Op::Ldsb,         "ldsb",     "11 ..... 001001 ..... . .............",  &[ByteAddress, Rd],          "B.1",  V7, Load),
    row(Op::Ldsh,         "ldsh",     "11 ..... 001010 ..... . .............",  &[HalfAddress, Rd],          "B.1",  V7, Load),
    row(Op::Ldub,         "ldub",     "11 ..... 000001 ..... . .............",  &[ByteAddress, Rd],          "B.1",  V7, Load),
    row(Op::Lduh,         "lduh",     "11 ..... 000010 ..... . .............",  &[HalfAddress, Rd],          "B.1",  V7, Load),
    row(Op::Ld,           "ld",       "11 ..... 000000 ..... . .............",  &[WordAddress, Rd],          "B.1",  V7, Load),
    row(Op::Ldd,          "ldd",      "11 ....0 000011 ..... . .............",  &[PairAddress, Pair],        "B.1",  V7, Load),
    row(Op::Stb,          "stb",      "11 ..... 000101 ..... . .............",  &[Stored, ByteAddress],      "B.4",  V7, Store),
    row(Op::Sth,          "sth",      "11 ..... 000110 ..... . .............",  &[Stored, HalfAddress],      "B.4",  V7, Store),
    row(Op::St,           "st",       "11 ..... 000100 ..... . .............",  &[Stored, WordAddress],      "B.4",  V7, Store),
    row(Op::Std,          "std",      "11 ....0 000111 ..... . .............",  &[Pair, PairAddress],        "B.4",  V7, Store),
    row(Op::Ldstub,       "ldstub",   "11 ..... 001101 ..... . .............",  &[ByteAddress, Rd],          "B.7",  V7, Load),
    row(Op::Swap,         "swap",     "11 ..... 001111 ..... . .............",  &[WordAddress, Swapped],     "B.8",  V7, Load),
    row(Op::Sethi,        "sethi",    "00 ..... 100 ......................",    &[High, Rd],                 "B.9",  V7, Alu),
    row(Op::And,          "and",      "10 ..... 000001 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::AndCc,        "andcc",    "10 ..... 010001 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::Andn,         "andn",     "10 ..... 000101 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::AndnCc,       "andncc",   "10 ..... 010101 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::Or,           "or",       "10 ..... 000010 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::OrCc,         "orcc",     "10 ..... 010010 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::Orn,          "orn",      "10 ..... 000110 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::OrnCc,        "orncc",    "10 ..... 010110 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::Xor,          "xor",      "10 ..... 000011 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::XorCc,        "xorcc",    "10 ..... 010011 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::Xnor,         "xnor",     "10 ..... 000111 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::XnorCc,       "xnorcc",   "10 ..... 010111 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.11", V7, Alu),
    row(Op::Sll,          "sll",      "10 ..... 100101 ..... . .............",  &[Rs1, ShiftCount, Rd],      "B.12", V7, Shifts),
    row(Op::Srl,          "srl",      "10 ..... 100110 ..... . .............",  &[Rs1, ShiftCount, Rd],      "B.12", V7, Shifts),
    row(Op::Sra,          "sra",      "10 ..... 100111 ..... . .............",  &[Rs1, ShiftCount, Rd],      "B.12", V7, Shifts),
    row(Op::Add,          "add",      "10 ..... 000000 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.13", V7, Alu),
    row(Op::AddCc,        "addcc",    "10 ..... 010000 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.13", V7, Alu),
    row(Op::Addx,         "addx",     "10 ..... 001000 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.13", V7, Alu),
    row(Op::AddxCc,       "addxcc",   "10 ..... 011000 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.13", V7, Alu),
    row(Op::TaddCc,       "taddcc",   "10 ..... 100000 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.14", V7, Alu),
    row(Op::TaddCcTv,     "taddcctv", "10 ..... 100010 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.14", V7, Alu),
    row(Op::Sub,          "sub",      "10 ..... 000100 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.15", V7, Alu),
    row(Op::SubCc,        "subcc",    "10 ..... 010100 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.15", V7, Alu),
    row(Op::Subx,         "subx",     "10 ..... 001100 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.15", V7, Alu),
    row(Op::SubxCc,       "subxcc",   "10 ..... 011100 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.15", V7, Alu),
    row(Op::TsubCc,       "tsubcc",   "10 ..... 100001 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.16", V7, Alu),
    row(Op::TsubCcTv,     "tsubcctv", "10 ..... 100011 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.16", V7, Alu),
    row(Op::Mulscc,       "mulscc",   "10 ..... 100100 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.17", V7, Multiply),
    row(Op::Umul,         "umul",     "10 ..... 001010 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.18", V8, Multiply),
    row(Op::UmulCc,       "umulcc",   "10 ..... 011010 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.18", V8, Multiply),
    row(Op::Smul,         "smul",     "10 ..... 001011 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.18", V8, Multiply),
    row(Op::SmulCc,       "smulcc",   "10 ..... 011011 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.18", V8, Multiply),
    row(Op::Udiv,         "udiv",     "10 ..... 001110 ..... . .............",  &[Rs1, Divisor, Rd],         "B.19", V8, Multiply),
    row(Op::UdivCc,       "udivcc",   "10 ..... 011110 ..... . .............",  &[Rs1, Divisor, Rd],         "B.19", V8, Multiply),
    row(Op::Sdiv,         "sdiv",     "10 ..... 001111 ..... . .............",  &[Rs1, Divisor, Rd],         "B.19", V8, Multiply),
    row(Op::SdivCc,       "sdivcc",   "10 ..... 011111 ..... . .............",  &[Rs1, Divisor, Rd],         "B.19", V8, Multiply),
    row(Op::Save,         "save",     "10 ..... 111100 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.20", V7, Stack),
    row(Op::Restore,      "restore",  "10 ..... 111101 ..... . .............",  &[Rs1, RegOrImm, Rd],        "B.20", V7, Stack),
    row(Op::Branch,       "bn",       "00 . 0000 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::BranchAlways, "ba",       "00 . 1000 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Jump),
    row(Op::Branch,       "be",       "00 . 0001 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bne",      "00 . 1001 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "ble",      "00 . 0010 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bg",       "00 . 1010 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bl",       "00 . 0011 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bge",      "00 . 1011 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bleu",     "00 . 0100 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bgu",      "00 . 1100 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bcs",      "00 . 0101 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bcc",      "00 . 1101 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bneg",     "00 . 0110 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bpos",     "00 . 1110 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bvs",      "00 . 0111 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Branch,       "bvc",      "00 . 1111 010 ......................",   &[Target, Annul, Condition], "B.21", V7, Class::Branch),
    row(Op::Call,         "call",     "01 ..............................",      &[CallTarget],               "B.24", V7, Class::Call),
    row(Op::Jmpl,         "jmpl",     "10 ..... 111000 ..... . .............",  &[JumpAddress, Rd],          "B.25", V7, Class::Jump),
    row(Op::Ticc,         "tn",       "10 . 0000 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "ta",       "10 . 1000 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "te",       "10 . 0001 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tne",      "10 . 1001 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tle",      "10 . 0010 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tg",       "10 . 1010 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tl",       "10 . 0011 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tge",      "10 . 1011 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tleu",     "10 . 0100 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tgu",      "10 . 1100 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tcs",      "10 . 0101 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tcc",      "10 . 1101 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tneg",     "10 . 0110 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tpos",     "10 . 1110 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tvs",      "10 . 0111 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::Ticc,         "tvc",      "10 . 1111 111010 ..... . .............", &[TrapNumber, Condition],    "B.27", V7, Class::Branch),
    row(Op::ReadY,        "rd",       "10 ..... 101000 00000 ..............",   &[Y, Rd],                    "B.28", V7, Other),
    row(Op::WriteY,       "wr",       "10 00000 110000 ..... . .............",  &[Rs1, RegOrImm, Y],         "B.29", V7, Other),
    row(Op::Nothing,      "stbar",    "10 00000 101000 01111 ..............",   &[],                         "B.30", V7, Other),
    row(Op::Nothing,      "flush",    "10 ..... 111011 ..... . .............",  &[FlushAddress],             "B.32", V7, Other),
];

/// Names of the registers; the stack and frame pointers have names of their own.
const REGISTERS: [&str; 32] = [
    "g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "o0", "o1", "o2", "o3", "o4", "o5", "sp", "o7", "l0", "l1", "l2",
    "l3", "l4", "l5", "l6", "l7", "i0", "i1", "i2", "i3", "i4", "i5", "fp", "i7",
];

const fn rd(word: u32) -> u8 {
    bits(word, 25, 5) as u8
}

const fn rs1(word: u32) -> u8 {
    bits(word, 14, 5) as u8
}

/// Returns the second operand: a register and zero, or `%g0` and an immediate.
const fn second(word: u32) -> (u8, u32) {
    if has_immediate(word) {
        (0, sign_extended(bits(word, 0, 13), 13))
    } else {
        (bits(word, 0, 5) as u8, 0)
    }
}

const fn has_immediate(word: u32) -> bool {
    bits(word, 13, 1) == 1
}

impl Operand {
    /// Fills in what the operand says.
    pub fn read(self, word: u32, address: u32, decoded: &mut Decoded) {
        let from_here = |words: u32| address.wrapping_add(words << 2);
        match self {
            Rd => decoded.rd = if rd(word) == 0 { NOWHERE } else { rd(word) },
            Stored | Pair | Swapped => decoded.rd = rd(word),
            Rs1 => decoded.rs1 = rs1(word),
            RegOrImm | Divisor | ShiftCount => (decoded.rs2, decoded.imm) = second(word),
            High => decoded.imm = word << 10,
            ByteAddress | HalfAddress | WordAddress | PairAddress | JumpAddress => {
                (decoded.rs1, (decoded.rs2, decoded.imm)) = (rs1(word), second(word));
            }
            Target => decoded.imm = from_here(sign_extended(bits(word, 0, 22), 22)),
            CallTarget => decoded.imm = from_here(word),
            Annul => decoded.annul = bits(word, 29, 1) == 1,
            Condition => decoded.condition = bits(word, 25, 4) as u8,
            Y | FlushAddress | TrapNumber => {}
        }
    }

    /// Returns the operand as the assembly language writes it; `None` if it does not.
    pub fn text(self, word: u32, decoded: &Decoded) -> Option<String> {
        Some(match self {
            Rd | Stored | Pair | Swapped => register(rd(word)),
            Rs1 => register(rs1(word)),
            RegOrImm | Divisor => reg_or_imm(word),
            ShiftCount if has_immediate(word) => bits(word, 0, 5).to_string(),
            ShiftCount => reg_or_imm(word),
            High => format!("%hi(0x{:x})", decoded.imm),
            Y => "%y".into(),
            ByteAddress | HalfAddress | WordAddress | PairAddress => format!("[ {} ]", sum(word)),
            JumpAddress | FlushAddress => sum(word),
            TrapNumber if has_immediate(word) && rs1(word) == 0 => reg_or_imm(word),
            TrapNumber if has_immediate(word) => format!("{} + {}", register(rs1(word)), reg_or_imm(word)),
            TrapNumber => sum(word),
            Target | CallTarget => format!("{:x}", decoded.imm),
            Annul | Condition => return None,
        })
    }
}

pub(super) fn register(number: u8) -> String {
    format!("%{}", REGISTERS[usize::from(number)])
}

fn reg_or_imm(word: u32) -> String {
    let (number, imm) = second(word);
    if has_immediate(word) {
        (imm as i32).to_string()
    } else {
        register(number)
    }
}

/// Returns the text of a sum, without a second operand that is zero or a first one that is `%g0`.
fn sum(word: u32) -> String {
    match (rs1(word), second(word)) {
        (first, (0, 0)) => register(first),
        (0, (0, _)) => reg_or_imm(word),
        (first, _) => format!("{} + {}", register(first), reg_or_imm(word)),
    }
}

/// Returns the row of an instruction, of whatever architecture it is.
pub fn row_of(word: u32) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.pattern.matches(word))
}

/// Returns the text of an instruction at an address, `None` for what is no instruction.
pub fn text(word: u32, address: u32) -> Option<String> {
    let row = row_of(word)?;
    let decoded = super::decode::of_row(row, word, address);
    let operands: Vec<String> = row.operands.iter().filter_map(|operand| operand.text(word, &decoded)).collect();
    let annul = if decoded.annul { ",a" } else { "" };
    Some(format!("{}{annul} {}", row.mnemonic, operands.join(", ")).trim_end().to_string())
}

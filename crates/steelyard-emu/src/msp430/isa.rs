//! The instructions of the MSP430 and of the MSP430X.
//!
//! Sections are those of the MSP430FR2xx/FR4xx family guide, SLAU445I, whose chapter "CPUX" equals that of SLAU208: the
//! section of the instruction's format. The MSP430 has the subset that SLAU049F describes in 3.4.1 to 3.4.3.

use super::decode::{
    of_row, Decoded, Reading, COUNT_IN_REGISTER, NONE, REPEATED, SOURCE_IN_MEMORY, WIDE_SOURCE, ZERO_CARRY,
};
use super::place::{Mode, Place, Words, CG, PC};
use crate::isa::{bits, sign_extended, Pattern};
use crate::profile::Class;

/// What a core must have for an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// Every core has it.
    Base,
    /// The MSP430X has it.
    Extended,
}

/// Width of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    Byte,
    Word,
    /// 20 bits.
    Address,
}

/// Operations of the processor. Instructions of two operands exist in three widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    /// Place that has not been decoded yet.
    Undecoded,
    /// Planted end of the run, or the return address of a call from outside.
    Stop,
    Illegal,
    Mov,
    Add,
    Addc,
    Subc,
    Sub,
    Cmp,
    Dadd,
    Bit,
    Bic,
    Bis,
    Xor,
    And,
    MovByte,
    AddByte,
    AddcByte,
    SubcByte,
    SubByte,
    CmpByte,
    DaddByte,
    BitByte,
    BicByte,
    BisByte,
    XorByte,
    AndByte,
    MovAddress,
    AddAddress,
    AddcAddress,
    SubcAddress,
    SubAddress,
    CmpAddress,
    DaddAddress,
    BitAddress,
    BicAddress,
    BisAddress,
    XorAddress,
    AndAddress,
    /// `mova`: a 20-bit move that sets no flags and has no extension.
    Mova,
    // One operand, in the destination's fields; `size` says how wide.
    Rrc,
    Rra,
    Swpb,
    Sxt,
    /// Rotation right without carry in.
    Rru,
    Push,
    Call,
    /// Call that pushes 20 bits.
    Calla,
    Reti,
    // `source_value` is the target.
    Jne,
    Jeq,
    Jnc,
    Jc,
    Jn,
    Jge,
    Jl,
    Jmp,
    // `source_value` is the number of places or registers, `destination` the register or the first of them.
    Rrcm,
    Rram,
    Rlam,
    Rrum,
    Pushm,
    Popm,
}

impl Op {
    /// Whether the instruction computes something and does not write it.
    pub fn only_compares(self) -> bool {
        matches!(self, Op::Cmp | Op::CmpByte | Op::CmpAddress | Op::Bit | Op::BitByte | Op::BitAddress)
    }

    pub fn only_moves(self) -> bool {
        matches!(self, Op::Mov | Op::MovByte | Op::MovAddress | Op::Mova)
    }

    pub fn adds(self) -> bool {
        matches!(self, Op::Add | Op::AddByte | Op::AddAddress)
    }

    pub fn subtracts(self) -> bool {
        matches!(self, Op::Sub | Op::SubByte | Op::SubAddress)
    }

    /// Whether the instruction has two operands.
    pub fn is_double(self) -> bool {
        (Op::Mov as u8..=Op::Mova as u8).contains(&(self as u8))
    }
}

impl Size {
    /// Returns the width in bits.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        match self {
            Size::Byte => 8,
            Size::Word => 16,
            Size::Address => 20,
        }
    }

    /// Returns the mask of the width's bits.
    #[inline(always)]
    pub const fn mask(self) -> u32 {
        (1 << self.bits()) - 1
    }
}

/// What an instruction does, and how wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    pub op: Op,
    pub size: Size,
}

/// An operand of the assembly language, or what an instruction says besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// Source of two operands, in all seven modes.
    Source,
    /// Destination of two operands, a register or in memory.
    Destination,
    /// The one operand, which is changed.
    Single,
    /// The one operand, which is read only.
    SingleSource,
    JumpTarget,
    /// How often an instruction between registers is repeated, and whether without carry: from the extension word. The
    /// assembly language has it as a prefix.
    Repetition,

    /// Targets of `calla`, each with an opcode of its own.
    CallRegister,
    CallIndexed,
    CallIndirect,
    CallAutoincrement,
    CallAbsolute,
    CallSymbolic,
    CallImmediate,

    /// Number of registers, and the first of them in the order in which they are moved: pushed from the last number
    /// down, popped from the first number up.
    RegisterCount,
    LastRegister,
    FirstRegister,
    /// Number of places.
    ShiftCount,

    /// Operands of the address instructions, each with an opcode of its own; they have 20 bits.
    IndirectSource,
    AutoincrementSource,
    AbsoluteSource,
    IndexedSource,
    ImmediateSource,
    RegisterSource,
    AbsoluteDestination,
    IndexedDestination,
    Register,
}

pub type Row = crate::isa::Row<Operation, Operand, Feature>;

const fn row(
    (op, size): (Op, Size),
    mnemonic: &'static str,
    pattern: &str,
    operands: &'static [Operand],
    section: &'static str,
    feature: Feature,
    class: Class,
) -> Row {
    Row { op: Operation { op, size }, mnemonic, pattern: Pattern::new(pattern), operands, section, feature, class }
}

use Class::{Alu, Branch, Load, Shift as Shifts, Stack, Store};
use Feature::{Base, Extended};
use Operand::*;
use Size::{Address, Byte, Word};

/// Every instruction, of those with an extension word this word and the one behind it; the first row that an instruction
/// fits is its row. Modes and registers may change the class: a move with an operand in memory loads or stores, and what
/// goes to the program counter jumps.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row((Op::Mov, Word),           "mov",     "0100 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::MovByte, Byte),       "mov.b",   "0100 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::Add, Word),           "add",     "0101 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::AddByte, Byte),       "add.b",   "0101 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::Addc, Word),          "addc",    "0110 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::AddcByte, Byte),      "addc.b",  "0110 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::Subc, Word),          "subc",    "0111 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::SubcByte, Byte),      "subc.b",  "0111 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::Sub, Word),           "sub",     "1000 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::SubByte, Byte),       "sub.b",   "1000 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::Cmp, Word),           "cmp",     "1001 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::CmpByte, Byte),       "cmp.b",   "1001 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::Dadd, Word),          "dadd",    "1010 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::DaddByte, Byte),      "dadd.b",  "1010 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::Bit, Word),           "bit",     "1011 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::BitByte, Byte),       "bit.b",   "1011 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::Bic, Word),           "bic",     "1100 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::BicByte, Byte),       "bic.b",   "1100 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::Bis, Word),           "bis",     "1101 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::BisByte, Byte),       "bis.b",   "1101 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::Xor, Word),           "xor",     "1110 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::XorByte, Byte),       "xor.b",   "1110 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::And, Word),           "and",     "1111 .... . 0 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),
    row((Op::AndByte, Byte),       "and.b",   "1111 .... . 1 .. ....",                         &[Source, Destination],                 "4.5.1.1", Base,     Alu),

    row((Op::Rrc, Word),           "rrc",     "000100 000 0 .. ....",                          &[Single],                              "4.5.1.2", Base,     Shifts),
    row((Op::Rrc, Byte),           "rrc.b",   "000100 000 1 .. ....",                          &[Single],                              "4.5.1.2", Base,     Shifts),
    row((Op::Swpb, Word),          "swpb",    "000100 001 0 .. ....",                          &[Single],                              "4.5.1.2", Base,     Shifts),
    row((Op::Rra, Word),           "rra",     "000100 010 0 .. ....",                          &[Single],                              "4.5.1.2", Base,     Shifts),
    row((Op::Rra, Byte),           "rra.b",   "000100 010 1 .. ....",                          &[Single],                              "4.5.1.2", Base,     Shifts),
    row((Op::Sxt, Word),           "sxt",     "000100 011 0 .. ....",                          &[Single],                              "4.5.1.2", Base,     Shifts),
    row((Op::Push, Word),          "push",    "000100 100 0 .. ....",                          &[SingleSource],                        "4.5.1.2", Base,     Stack),
    row((Op::Push, Byte),          "push.b",  "000100 100 1 .. ....",                          &[SingleSource],                        "4.5.1.2", Base,     Stack),
    row((Op::Call, Word),          "call",    "000100 101 0 .. ....",                          &[SingleSource],                        "4.5.1.2", Base,     Class::Call),
    row((Op::Reti, Word),          "reti",    "0001001100000000",                              &[],                                    "4.5.1.2", Base,     Class::Return),

    row((Op::Jne, Word),           "jnz",     "001 000 ..........",                            &[JumpTarget],                          "4.5.1.3", Base,     Branch),
    row((Op::Jeq, Word),           "jz",      "001 001 ..........",                            &[JumpTarget],                          "4.5.1.3", Base,     Branch),
    row((Op::Jnc, Word),           "jnc",     "001 010 ..........",                            &[JumpTarget],                          "4.5.1.3", Base,     Branch),
    row((Op::Jc, Word),            "jc",      "001 011 ..........",                            &[JumpTarget],                          "4.5.1.3", Base,     Branch),
    row((Op::Jn, Word),            "jn",      "001 100 ..........",                            &[JumpTarget],                          "4.5.1.3", Base,     Branch),
    row((Op::Jge, Word),           "jge",     "001 101 ..........",                            &[JumpTarget],                          "4.5.1.3", Base,     Branch),
    row((Op::Jl, Word),            "jl",      "001 110 ..........",                            &[JumpTarget],                          "4.5.1.3", Base,     Branch),
    row((Op::Jmp, Word),           "jmp",     "001 111 ..........",                            &[JumpTarget],                          "4.5.1.3", Base,     Class::Jump),

    row((Op::Mov, Word),           "movx.w",  "00011 .... 1 .. .... 0100 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::MovByte, Byte),       "movx.b",  "00011 .... 1 .. .... 0100 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::MovAddress, Address), "movx.a",  "00011 .... 0 .. .... 0100 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::Add, Word),           "addx.w",  "00011 .... 1 .. .... 0101 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::AddByte, Byte),       "addx.b",  "00011 .... 1 .. .... 0101 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::AddAddress, Address), "addx.a",  "00011 .... 0 .. .... 0101 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::Addc, Word),          "addcx.w", "00011 .... 1 .. .... 0110 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::AddcByte, Byte),      "addcx.b", "00011 .... 1 .. .... 0110 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::AddcAddress, Address),"addcx.a", "00011 .... 0 .. .... 0110 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::Subc, Word),          "subcx.w", "00011 .... 1 .. .... 0111 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::SubcByte, Byte),      "subcx.b", "00011 .... 1 .. .... 0111 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::SubcAddress, Address),"subcx.a", "00011 .... 0 .. .... 0111 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::Sub, Word),           "subx.w",  "00011 .... 1 .. .... 1000 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::SubByte, Byte),       "subx.b",  "00011 .... 1 .. .... 1000 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::SubAddress, Address), "subx.a",  "00011 .... 0 .. .... 1000 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::Cmp, Word),           "cmpx.w",  "00011 .... 1 .. .... 1001 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::CmpByte, Byte),       "cmpx.b",  "00011 .... 1 .. .... 1001 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::CmpAddress, Address), "cmpx.a",  "00011 .... 0 .. .... 1001 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::Dadd, Word),          "daddx.w", "00011 .... 1 .. .... 1010 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::DaddByte, Byte),      "daddx.b", "00011 .... 1 .. .... 1010 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::DaddAddress, Address),"daddx.a", "00011 .... 0 .. .... 1010 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::Bit, Word),           "bitx.w",  "00011 .... 1 .. .... 1011 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::BitByte, Byte),       "bitx.b",  "00011 .... 1 .. .... 1011 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::BitAddress, Address), "bitx.a",  "00011 .... 0 .. .... 1011 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::Bic, Word),           "bicx.w",  "00011 .... 1 .. .... 1100 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::BicByte, Byte),       "bicx.b",  "00011 .... 1 .. .... 1100 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::BicAddress, Address), "bicx.a",  "00011 .... 0 .. .... 1100 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::Bis, Word),           "bisx.w",  "00011 .... 1 .. .... 1101 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::BisByte, Byte),       "bisx.b",  "00011 .... 1 .. .... 1101 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::BisAddress, Address), "bisx.a",  "00011 .... 0 .. .... 1101 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::Xor, Word),           "xorx.w",  "00011 .... 1 .. .... 1110 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::XorByte, Byte),       "xorx.b",  "00011 .... 1 .. .... 1110 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::XorAddress, Address), "xorx.a",  "00011 .... 0 .. .... 1110 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::And, Word),           "andx.w",  "00011 .... 1 .. .... 1111 .... . 0 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::AndByte, Byte),       "andx.b",  "00011 .... 1 .. .... 1111 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),
    row((Op::AndAddress, Address), "andx.a",  "00011 .... 0 .. .... 1111 .... . 1 .. ....",    &[Source, Destination, Repetition],     "4.5.2.3", Extended, Alu),

    row((Op::Rru, Word),           "rrux.w",  "00011 .. 1 . 1 .. .... 000100 000 0 00 ....",   &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Rru, Byte),           "rrux.b",  "00011 .. 1 . 1 .. .... 000100 000 1 00 ....",   &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Rru, Address),        "rrux.a",  "00011 .. 1 . 0 .. .... 000100 000 1 00 ....",   &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Rrc, Word),           "rrcx.w",  "00011 .... 1 .. .... 000100 000 0 .. ....",     &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Rrc, Byte),           "rrcx.b",  "00011 .... 1 .. .... 000100 000 1 .. ....",     &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Rrc, Address),        "rrcx.a",  "00011 .... 0 .. .... 000100 000 1 .. ....",     &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Rra, Word),           "rrax.w",  "00011 .... 1 .. .... 000100 010 0 .. ....",     &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Rra, Byte),           "rrax.b",  "00011 .... 1 .. .... 000100 010 1 .. ....",     &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Rra, Address),        "rrax.a",  "00011 .... 0 .. .... 000100 010 1 .. ....",     &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Swpb, Word),          "swpbx.w", "00011 .... 1 .. .... 000100 001 0 .. ....",     &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Swpb, Address),       "swpbx.a", "00011 .... 0 .. .... 000100 001 0 .. ....",     &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Sxt, Word),           "sxtx.w",  "00011 .... 1 .. .... 000100 011 0 .. ....",     &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Sxt, Address),        "sxtx.a",  "00011 .... 0 .. .... 000100 011 0 .. ....",     &[Single, Repetition],                  "4.5.2.4", Extended, Shifts),
    row((Op::Push, Word),          "pushx.w", "00011 .... 1 .. .... 000100 100 0 .. ....",     &[SingleSource],                        "4.5.2.4", Extended, Stack),
    row((Op::Push, Byte),          "pushx.b", "00011 .... 1 .. .... 000100 100 1 .. ....",     &[SingleSource],                        "4.5.2.4", Extended, Stack),
    row((Op::Push, Address),       "pushx.a", "00011 .... 0 .. .... 000100 100 1 .. ....",     &[SingleSource],                        "4.5.2.4", Extended, Stack),
    row((Op::Calla, Address),      "calla",   "00010011 0100 ....",                            &[CallRegister],                        "4.5.2.4", Extended, Class::Call),
    row((Op::Calla, Address),      "calla",   "00010011 0101 ....",                            &[CallIndexed],                         "4.5.2.4", Extended, Class::Call),
    row((Op::Calla, Address),      "calla",   "00010011 0110 ....",                            &[CallIndirect],                        "4.5.2.4", Extended, Class::Call),
    row((Op::Calla, Address),      "calla",   "00010011 0111 ....",                            &[CallAutoincrement],                   "4.5.2.4", Extended, Class::Call),
    row((Op::Calla, Address),      "calla",   "00010011 1000 ....",                            &[CallAbsolute],                        "4.5.2.4", Extended, Class::Call),
    row((Op::Calla, Address),      "calla",   "00010011 1001 ....",                            &[CallSymbolic],                        "4.5.2.4", Extended, Class::Call),
    row((Op::Calla, Address),      "calla",   "00010011 1011 ....",                            &[CallImmediate],                       "4.5.2.4", Extended, Class::Call),
    row((Op::Pushm, Address),      "pushm.a", "000101 0 0 .... ....",                          &[RegisterCount, LastRegister],         "4.5.2.4", Extended, Stack),
    row((Op::Pushm, Word),         "pushm",   "000101 0 1 .... ....",                          &[RegisterCount, LastRegister],         "4.5.2.4", Extended, Stack),
    row((Op::Popm, Address),       "popm.a",  "000101 1 0 .... ....",                          &[RegisterCount, FirstRegister],        "4.5.2.4", Extended, Stack),
    row((Op::Popm, Word),          "popm",    "000101 1 1 .... ....",                          &[RegisterCount, FirstRegister],        "4.5.2.4", Extended, Stack),
    row((Op::Rrcm, Address),       "rrcm.a",  "0000 .. 00 0100 ....",                          &[ShiftCount, Register],                "4.5.2.4", Extended, Shifts),
    row((Op::Rrcm, Word),          "rrcm",    "0000 .. 00 0101 ....",                          &[ShiftCount, Register],                "4.5.2.4", Extended, Shifts),
    row((Op::Rram, Address),       "rram.a",  "0000 .. 01 0100 ....",                          &[ShiftCount, Register],                "4.5.2.4", Extended, Shifts),
    row((Op::Rram, Word),          "rram",    "0000 .. 01 0101 ....",                          &[ShiftCount, Register],                "4.5.2.4", Extended, Shifts),
    row((Op::Rlam, Address),       "rlam.a",  "0000 .. 10 0100 ....",                          &[ShiftCount, Register],                "4.5.2.4", Extended, Shifts),
    row((Op::Rlam, Word),          "rlam",    "0000 .. 10 0101 ....",                          &[ShiftCount, Register],                "4.5.2.4", Extended, Shifts),
    row((Op::Rrum, Address),       "rrum.a",  "0000 .. 11 0100 ....",                          &[ShiftCount, Register],                "4.5.2.4", Extended, Shifts),
    row((Op::Rrum, Word),          "rrum",    "0000 .. 11 0101 ....",                          &[ShiftCount, Register],                "4.5.2.4", Extended, Shifts),

    row((Op::Mova, Address),       "mova",    "0000 .... 0000 ....",                           &[IndirectSource, Register],            "4.5.2.6", Extended, Load),
    row((Op::Mova, Address),       "mova",    "0000 .... 0001 ....",                           &[AutoincrementSource, Register],       "4.5.2.6", Extended, Load),
    row((Op::Mova, Address),       "mova",    "0000 .... 0010 ....",                           &[AbsoluteSource, Register],            "4.5.2.6", Extended, Load),
    row((Op::Mova, Address),       "mova",    "0000 .... 0011 ....",                           &[IndexedSource, Register],             "4.5.2.6", Extended, Load),
    row((Op::Mova, Address),       "mova",    "0000 .... 0110 ....",                           &[RegisterSource, AbsoluteDestination], "4.5.2.6", Extended, Store),
    row((Op::Mova, Address),       "mova",    "0000 .... 0111 ....",                           &[RegisterSource, IndexedDestination],  "4.5.2.6", Extended, Store),
    row((Op::Mova, Address),       "mova",    "0000 .... 1000 ....",                           &[ImmediateSource, Register],           "4.5.2.6", Extended, Alu),
    row((Op::Mova, Address),       "mova",    "0000 .... 1100 ....",                           &[RegisterSource, Register],            "4.5.2.6", Extended, Alu),
    row((Op::CmpAddress, Address), "cmpa",    "0000 .... 1001 ....",                           &[ImmediateSource, Register],           "4.5.2.6", Extended, Alu),
    row((Op::CmpAddress, Address), "cmpa",    "0000 .... 1101 ....",                           &[RegisterSource, Register],            "4.5.2.6", Extended, Alu),
    row((Op::AddAddress, Address), "adda",    "0000 .... 1010 ....",                           &[ImmediateSource, Register],           "4.5.2.6", Extended, Alu),
    row((Op::AddAddress, Address), "adda",    "0000 .... 1110 ....",                           &[RegisterSource, Register],            "4.5.2.6", Extended, Alu),
    row((Op::SubAddress, Address), "suba",    "0000 .... 1011 ....",                           &[ImmediateSource, Register],           "4.5.2.6", Extended, Alu),
    row((Op::SubAddress, Address), "suba",    "0000 .... 1111 ....",                           &[RegisterSource, Register],            "4.5.2.6", Extended, Alu),
];

impl Operand {
    /// Returns where the operand lies and reads its own word if it has one; `None` for an encoding that is reserved,
    /// where memory ends, and for what lies nowhere.
    fn place(self, word: u32, words: &mut Words) -> Option<Place> {
        let register = |low| bits(word, low, 4) as u8;
        let (is_extended, short) = (word >> 16 != 0, bits(word, 0, 16));
        let high = |low| is_extended.then(|| bits(word, low, 4) << 16);
        // The address instructions have the upper bits in the place of a register.
        let (high_source, high_destination) = (bits(short, 8, 4) << 16, bits(short, 0, 4) << 16);
        Some(match self {
            Source => words.place(bits(word, 4, 2), register(8), high(23))?,
            Destination if bits(word, 7, 1) == 0 => Place::register(register(0)),
            Destination if register(0) == CG => return None,
            Destination => words.place(1, register(0), high(16))?,
            Single | SingleSource => words.place(bits(word, 4, 2), register(0), high(16))?,

            CallRegister => words.place(0, register(0), None)?,
            CallIndexed => Place { is_wide: true, ..words.place(1, register(0), None)? },
            CallIndirect => words.indirect(Mode::Indirect, register(0)),
            CallAutoincrement => Place::at(Mode::Autoincrement, register(0)),
            CallAbsolute => Place::of(Mode::Absolute, words.own_word(Some(high_destination))?),
            CallSymbolic => words.symbolic(Some(high_destination))?,
            CallImmediate => Place::of(Mode::Immediate, words.own_word(Some(high_destination))?),

            IndirectSource => words.place(2, register(8), Some(0))?,
            AutoincrementSource => words.place(3, register(8), Some(0))?,
            AbsoluteSource => Place::of(Mode::Absolute, words.own_word(Some(high_source))?),
            IndexedSource => Place { is_wide: true, ..words.place(1, register(8), None)? },
            ImmediateSource => Place::of(Mode::Immediate, words.own_word(Some(high_source))?),
            RegisterSource => words.place(0, register(8), Some(0))?,
            AbsoluteDestination => Place::of(Mode::Absolute, words.own_word(Some(high_destination))?),
            IndexedDestination => Place { is_wide: true, ..words.place(1, register(0), None)? },
            Register | FirstRegister => Place::register(register(0)),
            JumpTarget | Repetition | RegisterCount | LastRegister | ShiftCount => return None,
        })
    }

    /// Fills in what the operand says and reads its own word if it has one; `None` for an encoding that is reserved, and
    /// where memory ends.
    pub fn read(self, word: u32, size: Size, words: &mut Words, reading: &mut Reading) -> Option<()> {
        let decoded = &mut reading.decoded;
        match self {
            JumpTarget => decoded.source_value = jump_target(word, words),
            RegisterCount => decoded.source_value = bits(word, 4, 4) + 1,
            ShiftCount => decoded.source_value = bits(word, 10, 2) + 1,
            LastRegister | FirstRegister => decoded.destination = bits(word, 0, 4) as u8,
            Repetition if reading.between_registers => {
                let flag = |low: u32, flag: u8| if bits(word, 16 + low, 1) == 1 { flag } else { 0 };
                decoded.repeats = bits(word, 16, 4) as u8;
                decoded.flags |= flag(8, ZERO_CARRY) | flag(7, REPEATED | COUNT_IN_REGISTER);
                decoded.flags |= if decoded.repeats > 0 { REPEATED } else { 0 };
            }
            Repetition => {}
            Single => {
                let place = self.place(word, words)?;
                // What is constant cannot be written.
                if matches!(place.mode, Mode::Constant | Mode::Immediate) || !place.in_memory() && place.register == PC
                {
                    return None;
                }
                reading.between_registers = place.mode == Mode::Register;
                reading.source = place.mode;
                reading.put_destination(&place);
                let decoded = &mut reading.decoded;
                decoded.increment = place.increment(size);
                // The register that is increased stands where that of a source would.
                decoded.source = if decoded.increment > 0 { place.register } else { NONE };
            }
            Destination | AbsoluteDestination | IndexedDestination | Register => {
                let place = self.place(word, words)?;
                reading.between_registers &= place.mode == Mode::Register;
                reading.put_destination(&place);
            }
            _ => {
                let place = self.place(word, words)?;
                reading.between_registers = bits(word, 4, 2) == 0;
                reading.source = place.mode;
                let decoded = &mut reading.decoded;
                decoded.source = place.base();
                decoded.source_value = place.value_of(size);
                decoded.increment = place.increment(size);
                decoded.flags |= if place.in_memory() { SOURCE_IN_MEMORY } else { 0 };
                decoded.flags |= if place.is_wide { WIDE_SOURCE } else { 0 };
            }
        }
        Some(())
    }

    /// Returns the operand as the assembly language writes it, with registers by number; `None` if it does not.
    fn text(self, word: u32, words: &mut Words) -> Option<String> {
        let register = bits(word, 0, 4);
        Some(match self {
            JumpTarget => {
                let distance = jump_target(word, words).wrapping_sub(words.address);
                format!("${:+}", sign_extended(distance, 16) as i32)
            }
            RegisterCount => format!("#{}", bits(word, 4, 4) + 1),
            ShiftCount => format!("#{}", bits(word, 10, 2) + 1),
            LastRegister => format!("r{register}"),
            // The highest one is written.
            FirstRegister => format!("r{}", register + bits(word, 4, 4)),
            Repetition => return None,
            _ => self.place(word, words)?.text(),
        })
    }
}

/// Returns the target of a jump, relative to the next instruction.
fn jump_target(word: u32, words: &Words) -> u32 {
    words.relative(sign_extended(bits(word, 0, 10), 10).wrapping_mul(2))
}

/// Returns the row of an instruction, of whatever core it is.
pub fn row_of(word: u32, length_bits: u32) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.pattern.bits == length_bits && row.pattern.matches(word))
}

/// Returns the text of the instruction whose words these are and its length in bytes, `None` for what is no instruction.
pub fn text(words: &mut Words) -> Option<(String, u32)> {
    let (row, word) = words.instruction(true)?;
    let Decoded { flags, repeats, .. } = of_row(row, word, &mut words.clone())?.decoded;
    let repetition = match (flags & REPEATED != 0, flags & COUNT_IN_REGISTER != 0) {
        (false, _) => String::new(),
        (true, true) => format!("rpt r{repeats} {{ "),
        (true, false) => format!("rpt #{} {{ ", u32::from(repeats) + 1),
    };
    let operands: Vec<String> = row.operands.iter().filter_map(|operand| operand.text(word, words)).collect();
    let text = format!("{repetition}{} {}", row.mnemonic, operands.join(","));
    Some((text.trim_end().to_string(), 2 * words.count))
}

//! The instructions of the RL78 cores S1, S2 and S3.
//!
//! Sections are the groups of the operation list in the RL78 Family User's Manual: Software, R01US0015, in whose order its
//! explanations of the instructions stand too. The prefix of addresses outside the last 64 KB is no part of a pattern.

use super::operand::Mode::*;
use super::operand::Operand;
use super::operand::Operand::*;
use super::operand::Place::*;
use super::timing::Clocks;
use crate::isa::Pattern;
use crate::profile::Class;
use std::sync::LazyLock;

/// Operations of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    /// Address that has not been decoded yet.
    Undecoded,
    /// End of a chunk of addresses.
    ChunkEnd,
    /// Planted end of the run.
    Stop,
    Illegal,
    Nop,
    MovImm,
    MovReg,
    Load,
    StoreA,
    StoreImm,
    LoadEs,
    SetEs,
    Xch,
    XchMem,
    Movs,
    MovwImm,
    MovwReg,
    Loadw,
    StorewAx,
    StorewImm,
    Xchw,
    Push,
    Pop,
    PushPsw,
    PopPsw,
    AluImm,
    AluReg,
    AluMem,
    AluMemImm,
    Cmps,
    AluwImm,
    AluwReg,
    AluwMem,
    AddSp,
    Inc,
    IncMem,
    Incw,
    IncwMem,
    Mulu,
    Mulhu,
    Mulh,
    Divhu,
    Divwu,
    Machu,
    Mach,
    Shl,
    Shr,
    Sar,
    Shlw,
    Shrw,
    Sarw,
    Ror,
    Rol,
    Rorc,
    Rolc,
    Rolwc,
    BitReg,
    BitMem,
    CarryReg,
    CarryMem,
    SetCarry,
    NotCarry,
    Br,
    BrAx,
    Bcc,
    BbitReg,
    BbitMem,
    Call,
    CallReg,
    Callt,
    Ret,
    Reti,
    Brk,
    Skip,
    Sel,
    Sleep,
}

/// Operations on one or two numbers, numbered as in the opcode maps.
pub const ADD: u8 = 0;
pub const ADDC: u8 = 1;
pub const SUB: u8 = 2;
pub const SUBC: u8 = 3;
pub const CMP: u8 = 4;
pub const AND: u8 = 5;
pub const OR: u8 = 6;
pub const XOR: u8 = 7;

/// Conditions of branches and skips.
pub const IF_C: u8 = 0;
pub const IF_NC: u8 = 1;
pub const IF_Z: u8 = 2;
pub const IF_NZ: u8 = 3;
pub const IF_H: u8 = 4;
pub const IF_NH: u8 = 5;

/// Changes of a bit.
pub const SET: u8 = 0;
pub const CLEAR: u8 = 1;
pub const FROM_CARRY: u8 = 2;

/// Operations on the carry with a bit.
pub const TAKE: u8 = 0;
pub const AND_BIT: u8 = 1;
pub const OR_BIT: u8 = 2;
pub const XOR_BIT: u8 = 3;

/// Branches on a bit.
pub const IF_SET: u8 = 0;
pub const IF_CLEAR: u8 = 1;
pub const IF_SET_CLEAR_IT: u8 = 2;

/// What a core must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Base,
    /// Register banks: the cores S2 and S3.
    Banks,
    /// Multiplication and division of words: the core S3.
    Multiply,
}

/// Clocks of an instruction without the prefix; and of one that branches, if it does.
pub type Time = [fn(&Clocks) -> u8; 2];

const fn steady(clocks: fn(&Clocks) -> u8) -> Time {
    [clocks, clocks]
}

const CONDITIONAL: Time = [|c| c.branch_conditional, |c| c.branch_conditional_taken];
const ON_BIT: Time = [|c| c.branch_bit, |c| c.branch_bit_taken];

/// The operation and its detail, as `Decoded` has them, and its time.
pub type Row = crate::isa::Row<(Op, u8, Time), Operand, Feature>;

const fn row(
    op: (Op, u8, Time),
    mnemonic: &'static str,
    pattern: &str,
    operands: &'static [Operand],
    section: &'static str,
    feature: Feature,
    class: Class,
) -> Row {
    Row { op, mnemonic, pattern: Pattern::new(pattern), operands, section, feature, class }
}

use Class::{Alu, Branch, Io, Jump, Load, Other, Return, Shift as Shifts, Stack, Store};
use Feature::{Banks, Base};

const TRANSFER_8: &str = "8-bit data transfer";
const TRANSFER_16: &str = "16-bit data transfer";
const OPERATION_8: &str = "8-bit operation";
const OPERATION_16: &str = "16-bit operation";
const MULTIPLICATION: &str = "Multiply, divide, multiply and accumulate";
const INCREMENT: &str = "Increment, decrement";
const SHIFT: &str = "Shift";
const ROTATION: &str = "Rotate";
const BITS: &str = "Bit manipulation";
const CALL: &str = "Call, return";
const STACK: &str = "Stack manipulation";
const BRANCH: &str = "Unconditional branch";
const CONDITIONAL_BRANCH: &str = "Conditional branch";
const SKIP: &str = "Conditional skip";
const CONTROL: &str = "CPU control";

/// Every instruction; the first row that an instruction fits, with operands that are not reserved, is its row.
#[rustfmt::skip]
pub static ROWS: &[Row] = &[
    row((Op::MovImm, 0, steady(|c| c.move_byte)),           "mov",   "01010... ........",                   &[To(Register), Byte],             TRANSFER_8,         Base, Alu),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "mov",   "11001101 ........ ........",          &[At(Saddr), Byte],                TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.move_psw)),          "mov",   "11001110 11111010 ........",          &[At(Psw), Byte],                  TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "mov",   "11001110 ........ ........",          &[At(Sfr), Byte],                  TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "mov",   "11001111 ........ ........ ........", &[At(Absolute), Byte],             TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "mov",   "11001000 ........ ........",          &[At(SpByte), Byte],               TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "mov",   "11001010 ........ ........",          &[At(DeByte), Byte],               TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "mov",   "11001100 ........ ........",          &[At(HlByte), Byte],               TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "mov",   "00011001 ........ ........ ........", &[At(WordB), Byte],                TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "mov",   "00111000 ........ ........ ........", &[At(WordC), Byte],                TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "mov",   "00111001 ........ ........ ........", &[At(WordBc), Byte],               TRANSFER_8,         Base, Store),
    row((Op::SetEs, 0, steady(|c| c.move_byte)),            "mov",   "01000001 ........",                   &[Es, Byte],                       TRANSFER_8,         Base, Io),
    row((Op::MovReg, 0, steady(|c| c.move_byte)),           "mov",   "01100...",                            &[To(A), Source(NotA)],            TRANSFER_8,         Base, Alu),
    row((Op::MovReg, 0, steady(|c| c.move_byte)),           "mov",   "01110...",                            &[To(NotA), Source(A)],            TRANSFER_8,         Base, Alu),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "10001101 ........",                   &[To(A), At(Saddr)],               TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "10001110 ........",                   &[To(A), At(Sfr)],                 TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "10001111 ........ ........",          &[To(A), At(Absolute)],            TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "10001000 ........",                   &[To(A), At(SpByte)],              TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "10001001",                            &[To(A), At(De)],                  TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "10001010 ........",                   &[To(A), At(DeByte)],              TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "10001011",                            &[To(A), At(Hl)],                  TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "10001100 ........",                   &[To(A), At(HlByte)],              TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "00001001 ........ ........",          &[To(A), At(WordB)],               TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "00101001 ........ ........",          &[To(A), At(WordC)],               TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "01001001 ........ ........",          &[To(A), At(WordBc)],              TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "01100001 11001001",                   &[To(A), At(HlB)],                 TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "01100001 11101001",                   &[To(A), At(HlC)],                 TRANSFER_8,         Base, Load),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "10011101 ........",                   &[At(Saddr), Source(A)],           TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.move_psw)),            "mov",   "10011110 11111010",                   &[At(Psw), Source(A)],             TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "10011110 ........",                   &[At(Sfr), Source(A)],             TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "10011111 ........ ........",          &[At(Absolute), Source(A)],        TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "10011000 ........",                   &[At(SpByte), Source(A)],          TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "10011001",                            &[At(De), Source(A)],              TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "10011010 ........",                   &[At(DeByte), Source(A)],          TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "10011011",                            &[At(Hl), Source(A)],              TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "10011100 ........",                   &[At(HlByte), Source(A)],          TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "00011000 ........ ........",          &[At(WordB), Source(A)],           TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "00101000 ........ ........",          &[At(WordC), Source(A)],           TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "01001000 ........ ........",          &[At(WordBc), Source(A)],          TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "01100001 11011001",                   &[At(HlB), Source(A)],             TRANSFER_8,         Base, Store),
    row((Op::StoreA, 0, steady(|c| c.store)),               "mov",   "01100001 11111001",                   &[At(HlC), Source(A)],             TRANSFER_8,         Base, Store),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "11011000 ........",                   &[To(X), At(Saddr)],               TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "11011001 ........ ........",          &[To(X), At(Absolute)],            TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "11101000 ........",                   &[To(B), At(Saddr)],               TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "11101001 ........ ........",          &[To(B), At(Absolute)],            TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "11111000 ........",                   &[To(C), At(Saddr)],               TRANSFER_8,         Base, Load),
    row((Op::Load, 0, steady(|c| c.load)),                  "mov",   "11111001 ........ ........",          &[To(C), At(Absolute)],            TRANSFER_8,         Base, Load),
    row((Op::LoadEs, 0, steady(|c| c.load)),                "mov",   "01100001 10111000 ........",          &[Es, At(Saddr)],                  TRANSFER_8,         Base, Load),
    row((Op::Xch, 0, steady(|c| c.exchange)),               "xch",   "00001000",                            &[To(A), Source(X)],               TRANSFER_8,         Base, Alu),
    row((Op::Xch, 0, steady(|c| c.exchange)),               "xch",   "01100001 1000101.",                   &[To(A), Source(Register)],        TRANSFER_8,         Base, Alu),
    row((Op::Xch, 0, steady(|c| c.exchange)),               "xch",   "01100001 100011..",                   &[To(A), Source(Register)],        TRANSFER_8,         Base, Alu),
    row((Op::XchMem, 0, steady(|c| c.exchange_memory)),     "xch",   "01100001 10101000 ........",          &[To(A), At(Saddr)],               TRANSFER_8,         Base, Alu),
    row((Op::XchMem, 0, steady(|c| c.exchange_memory)),     "xch",   "01100001 10101011 ........",          &[To(A), At(Sfr)],                 TRANSFER_8,         Base, Alu),
    row((Op::XchMem, 0, steady(|c| c.exchange_memory)),     "xch",   "01100001 10101010 ........ ........", &[To(A), At(Absolute)],            TRANSFER_8,         Base, Alu),
    row((Op::XchMem, 0, steady(|c| c.exchange_memory)),     "xch",   "01100001 10101110",                   &[To(A), At(De)],                  TRANSFER_8,         Base, Alu),
    row((Op::XchMem, 0, steady(|c| c.exchange_memory)),     "xch",   "01100001 10101111 ........",          &[To(A), At(DeByte)],              TRANSFER_8,         Base, Alu),
    row((Op::XchMem, 0, steady(|c| c.exchange_memory)),     "xch",   "01100001 10101100",                   &[To(A), At(Hl)],                  TRANSFER_8,         Base, Alu),
    row((Op::XchMem, 0, steady(|c| c.exchange_memory)),     "xch",   "01100001 10101101 ........",          &[To(A), At(HlByte)],              TRANSFER_8,         Base, Alu),
    row((Op::XchMem, 0, steady(|c| c.exchange_memory)),     "xch",   "01100001 10111001",                   &[To(A), At(HlB)],                 TRANSFER_8,         Base, Alu),
    row((Op::XchMem, 0, steady(|c| c.exchange_memory)),     "xch",   "01100001 10101001",                   &[To(A), At(HlC)],                 TRANSFER_8,         Base, Alu),
    row((Op::MovImm, 0, steady(|c| c.move_byte)),           "oneb",  "111000..",                            &[To(Register), Implied(1)],       TRANSFER_8,         Base, Alu),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "oneb",  "11100100 ........",                   &[At(Saddr), Implied(1)],          TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "oneb",  "11100101 ........ ........",          &[At(Absolute), Implied(1)],       TRANSFER_8,         Base, Store),
    row((Op::MovImm, 0, steady(|c| c.move_byte)),           "clrb",  "111100..",                            &[To(Register), Implied(0)],       TRANSFER_8,         Base, Alu),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "clrb",  "11110100 ........",                   &[At(Saddr), Implied(0)],          TRANSFER_8,         Base, Store),
    row((Op::StoreImm, 0, steady(|c| c.store)),             "clrb",  "11110101 ........ ........",          &[At(Absolute), Implied(0)],       TRANSFER_8,         Base, Store),
    row((Op::Movs, 0, steady(|c| c.store)),                 "movs",  "01100001 11001110 ........",          &[At(HlByte), Source(X)],          TRANSFER_8,         Base, Store),

    row((Op::MovwImm, 0, steady(|c| c.move_word)),          "movw",  "00110..0 ........ ........",          &[To(Pair), Word],                 TRANSFER_16,        Base, Alu),
    row((Op::StorewImm, 0, steady(|c| c.store_word)),       "movw",  "11001001 ........ ........ ........", &[At(Saddr), Word],                TRANSFER_16,        Base, Store),
    row((Op::StorewImm, 0, steady(|c| c.store_word)),       "movw",  "11001011 11111000 ........ ........", &[At(StackPointer), Word],         STACK,              Base, Store),
    row((Op::StorewImm, 0, steady(|c| c.store_word)),       "movw",  "11001011 ........ ........ ........", &[At(Sfr), Word],                  TRANSFER_16,        Base, Store),
    row((Op::MovwReg, 0, steady(|c| c.move_word)),          "movw",  "00010..1",                            &[To(Ax), Source(NotAx)],          TRANSFER_16,        Base, Alu),
    row((Op::MovwReg, 0, steady(|c| c.move_word)),          "movw",  "00010..0",                            &[To(NotAx), Source(Ax)],          TRANSFER_16,        Base, Alu),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "10101000 ........",                   &[To(Ax), At(SpByte)],             TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "10101001",                            &[To(Ax), At(De)],                 TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "10101010 ........",                   &[To(Ax), At(DeByte)],             TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "10101011",                            &[To(Ax), At(Hl)],                 TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "10101100 ........",                   &[To(Ax), At(HlByte)],             TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "10101101 ........",                   &[To(Ax), At(Saddr)],              TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "10101110 11111000",                   &[To(Ax), At(StackPointer)],       STACK,              Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "10101110 ........",                   &[To(Ax), At(Sfr)],                TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "10101111 ........ ........",          &[To(Ax), At(Absolute)],           TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "01011001 ........ ........",          &[To(Ax), At(WordB)],              TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "01101001 ........ ........",          &[To(Ax), At(WordC)],              TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "01111001 ........ ........",          &[To(Ax), At(WordBc)],             TRANSFER_16,        Base, Load),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "10111000 ........",                   &[At(SpByte), Source(Ax)],         TRANSFER_16,        Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "10111001",                            &[At(De), Source(Ax)],             TRANSFER_16,        Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "10111010 ........",                   &[At(DeByte), Source(Ax)],         TRANSFER_16,        Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "10111011",                            &[At(Hl), Source(Ax)],             TRANSFER_16,        Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "10111100 ........",                   &[At(HlByte), Source(Ax)],         TRANSFER_16,        Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "10111101 ........",                   &[At(Saddr), Source(Ax)],          TRANSFER_16,        Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "10111110 11111000",                   &[At(StackPointer), Source(Ax)],   STACK,              Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "10111110 ........",                   &[At(Sfr), Source(Ax)],            TRANSFER_16,        Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "10111111 ........ ........",          &[At(Absolute), Source(Ax)],       TRANSFER_16,        Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "01011000 ........ ........",          &[At(WordB), Source(Ax)],          TRANSFER_16,        Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "01101000 ........ ........",          &[At(WordC), Source(Ax)],          TRANSFER_16,        Base, Store),
    row((Op::StorewAx, 0, steady(|c| c.store_word)),        "movw",  "01111000 ........ ........",          &[At(WordBc), Source(Ax)],         TRANSFER_16,        Base, Store),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "11..1010 ........",                   &[To(HighNotAx), At(Saddr)],       TRANSFER_16,        Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "11..1011 11111000 11111111",          &[To(HighNotAx), At(StackPointer)],STACK,              Base, Load),
    row((Op::Loadw, 0, steady(|c| c.load_word)),            "movw",  "11..1011 ........ ........",          &[To(HighNotAx), At(Absolute)],    TRANSFER_16,        Base, Load),
    row((Op::Xchw, 0, steady(|c| c.exchange_word)),         "xchw",  "00110..1",                            &[To(Ax), Source(NotAx)],          TRANSFER_16,        Base, Alu),
    row((Op::MovwImm, 0, steady(|c| c.move_word)),          "onew",  "11100110",                            &[To(Ax), Implied(1)],             TRANSFER_16,        Base, Alu),
    row((Op::MovwImm, 0, steady(|c| c.move_word)),          "onew",  "11100111",                            &[To(Bc), Implied(1)],             TRANSFER_16,        Base, Alu),
    row((Op::MovwImm, 0, steady(|c| c.move_word)),          "clrw",  "11110110",                            &[To(Ax), Implied(0)],             TRANSFER_16,        Base, Alu),
    row((Op::MovwImm, 0, steady(|c| c.move_word)),          "clrw",  "11110111",                            &[To(Bc), Implied(0)],             TRANSFER_16,        Base, Alu),

    row((Op::AluImm, ADD, steady(|c| c.alu)),               "add",   "00001100 ........",                   &[To(A), Byte],                    OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, ADD, steady(|c| c.alu_memory)),     "add",   "00001010 ........ ........",          &[At(Saddr), Byte],                OPERATION_8,        Base, Alu),
    row((Op::AluReg, ADD, steady(|c| c.alu)),               "add",   "01100001 00001...",                   &[To(A), Source(NotA)],            OPERATION_8,        Base, Alu),
    row((Op::AluReg, ADD, steady(|c| c.alu)),               "add",   "01100001 00000...",                   &[To(Register), Source(A)],        OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADD, steady(|c| c.alu_load)),          "add",   "00001011 ........",                   &[To(A), At(Saddr)],               OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADD, steady(|c| c.alu_load)),          "add",   "00001111 ........ ........",          &[To(A), At(Absolute)],            OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADD, steady(|c| c.alu_load)),          "add",   "00001101",                            &[To(A), At(Hl)],                  OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADD, steady(|c| c.alu_load)),          "add",   "00001110 ........",                   &[To(A), At(HlByte)],              OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADD, steady(|c| c.alu_load)),          "add",   "01100001 10000000",                   &[To(A), At(HlB)],                 OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADD, steady(|c| c.alu_load)),          "add",   "01100001 10000010",                   &[To(A), At(HlC)],                 OPERATION_8,        Base, Alu),
    row((Op::AluImm, ADDC, steady(|c| c.alu)),              "addc",  "00011100 ........",                   &[To(A), Byte],                    OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, ADDC, steady(|c| c.alu_memory)),    "addc",  "00011010 ........ ........",          &[At(Saddr), Byte],                OPERATION_8,        Base, Alu),
    row((Op::AluReg, ADDC, steady(|c| c.alu)),              "addc",  "01100001 00011...",                   &[To(A), Source(NotA)],            OPERATION_8,        Base, Alu),
    row((Op::AluReg, ADDC, steady(|c| c.alu)),              "addc",  "01100001 00010...",                   &[To(Register), Source(A)],        OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADDC, steady(|c| c.alu_load)),         "addc",  "00011011 ........",                   &[To(A), At(Saddr)],               OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADDC, steady(|c| c.alu_load)),         "addc",  "00011111 ........ ........",          &[To(A), At(Absolute)],            OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADDC, steady(|c| c.alu_load)),         "addc",  "00011101",                            &[To(A), At(Hl)],                  OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADDC, steady(|c| c.alu_load)),         "addc",  "00011110 ........",                   &[To(A), At(HlByte)],              OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADDC, steady(|c| c.alu_load)),         "addc",  "01100001 10010000",                   &[To(A), At(HlB)],                 OPERATION_8,        Base, Alu),
    row((Op::AluMem, ADDC, steady(|c| c.alu_load)),         "addc",  "01100001 10010010",                   &[To(A), At(HlC)],                 OPERATION_8,        Base, Alu),
    row((Op::AluImm, SUB, steady(|c| c.alu)),               "sub",   "00101100 ........",                   &[To(A), Byte],                    OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, SUB, steady(|c| c.alu_memory)),     "sub",   "00101010 ........ ........",          &[At(Saddr), Byte],                OPERATION_8,        Base, Alu),
    row((Op::AluReg, SUB, steady(|c| c.alu)),               "sub",   "01100001 00101...",                   &[To(A), Source(NotA)],            OPERATION_8,        Base, Alu),
    row((Op::AluReg, SUB, steady(|c| c.alu)),               "sub",   "01100001 00100...",                   &[To(Register), Source(A)],        OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUB, steady(|c| c.alu_load)),          "sub",   "00101011 ........",                   &[To(A), At(Saddr)],               OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUB, steady(|c| c.alu_load)),          "sub",   "00101111 ........ ........",          &[To(A), At(Absolute)],            OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUB, steady(|c| c.alu_load)),          "sub",   "00101101",                            &[To(A), At(Hl)],                  OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUB, steady(|c| c.alu_load)),          "sub",   "00101110 ........",                   &[To(A), At(HlByte)],              OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUB, steady(|c| c.alu_load)),          "sub",   "01100001 10100000",                   &[To(A), At(HlB)],                 OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUB, steady(|c| c.alu_load)),          "sub",   "01100001 10100010",                   &[To(A), At(HlC)],                 OPERATION_8,        Base, Alu),
    row((Op::AluImm, SUBC, steady(|c| c.alu)),              "subc",  "00111100 ........",                   &[To(A), Byte],                    OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, SUBC, steady(|c| c.alu_memory)),    "subc",  "00111010 ........ ........",          &[At(Saddr), Byte],                OPERATION_8,        Base, Alu),
    row((Op::AluReg, SUBC, steady(|c| c.alu)),              "subc",  "01100001 00111...",                   &[To(A), Source(NotA)],            OPERATION_8,        Base, Alu),
    row((Op::AluReg, SUBC, steady(|c| c.alu)),              "subc",  "01100001 00110...",                   &[To(Register), Source(A)],        OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUBC, steady(|c| c.alu_load)),         "subc",  "00111011 ........",                   &[To(A), At(Saddr)],               OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUBC, steady(|c| c.alu_load)),         "subc",  "00111111 ........ ........",          &[To(A), At(Absolute)],            OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUBC, steady(|c| c.alu_load)),         "subc",  "00111101",                            &[To(A), At(Hl)],                  OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUBC, steady(|c| c.alu_load)),         "subc",  "00111110 ........",                   &[To(A), At(HlByte)],              OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUBC, steady(|c| c.alu_load)),         "subc",  "01100001 10110000",                   &[To(A), At(HlB)],                 OPERATION_8,        Base, Alu),
    row((Op::AluMem, SUBC, steady(|c| c.alu_load)),         "subc",  "01100001 10110010",                   &[To(A), At(HlC)],                 OPERATION_8,        Base, Alu),
    row((Op::AluImm, CMP, steady(|c| c.alu)),               "cmp",   "01001100 ........",                   &[To(A), Byte],                    OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, CMP, steady(|c| c.alu_load)),       "cmp",   "01001010 ........ ........",          &[At(Saddr), Byte],                OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, CMP, steady(|c| c.alu_load)),       "cmp",   "01000000 ........ ........ ........", &[At(Absolute), Byte],             OPERATION_8,        Base, Alu),
    row((Op::AluReg, CMP, steady(|c| c.alu)),               "cmp",   "01100001 01001...",                   &[To(A), Source(NotA)],            OPERATION_8,        Base, Alu),
    row((Op::AluReg, CMP, steady(|c| c.alu)),               "cmp",   "01100001 01000...",                   &[To(Register), Source(A)],        OPERATION_8,        Base, Alu),
    row((Op::AluMem, CMP, steady(|c| c.alu_load)),          "cmp",   "01001011 ........",                   &[To(A), At(Saddr)],               OPERATION_8,        Base, Alu),
    row((Op::AluMem, CMP, steady(|c| c.alu_load)),          "cmp",   "01001111 ........ ........",          &[To(A), At(Absolute)],            OPERATION_8,        Base, Alu),
    row((Op::AluMem, CMP, steady(|c| c.alu_load)),          "cmp",   "01001101",                            &[To(A), At(Hl)],                  OPERATION_8,        Base, Alu),
    row((Op::AluMem, CMP, steady(|c| c.alu_load)),          "cmp",   "01001110 ........",                   &[To(A), At(HlByte)],              OPERATION_8,        Base, Alu),
    row((Op::AluMem, CMP, steady(|c| c.alu_load)),          "cmp",   "01100001 11000000",                   &[To(A), At(HlB)],                 OPERATION_8,        Base, Alu),
    row((Op::AluMem, CMP, steady(|c| c.alu_load)),          "cmp",   "01100001 11000010",                   &[To(A), At(HlC)],                 OPERATION_8,        Base, Alu),
    row((Op::AluImm, AND, steady(|c| c.alu)),               "and",   "01011100 ........",                   &[To(A), Byte],                    OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, AND, steady(|c| c.alu_memory)),     "and",   "01011010 ........ ........",          &[At(Saddr), Byte],                OPERATION_8,        Base, Alu),
    row((Op::AluReg, AND, steady(|c| c.alu)),               "and",   "01100001 01011...",                   &[To(A), Source(NotA)],            OPERATION_8,        Base, Alu),
    row((Op::AluReg, AND, steady(|c| c.alu)),               "and",   "01100001 01010...",                   &[To(Register), Source(A)],        OPERATION_8,        Base, Alu),
    row((Op::AluMem, AND, steady(|c| c.alu_load)),          "and",   "01011011 ........",                   &[To(A), At(Saddr)],               OPERATION_8,        Base, Alu),
    row((Op::AluMem, AND, steady(|c| c.alu_load)),          "and",   "01011111 ........ ........",          &[To(A), At(Absolute)],            OPERATION_8,        Base, Alu),
    row((Op::AluMem, AND, steady(|c| c.alu_load)),          "and",   "01011101",                            &[To(A), At(Hl)],                  OPERATION_8,        Base, Alu),
    row((Op::AluMem, AND, steady(|c| c.alu_load)),          "and",   "01011110 ........",                   &[To(A), At(HlByte)],              OPERATION_8,        Base, Alu),
    row((Op::AluMem, AND, steady(|c| c.alu_load)),          "and",   "01100001 11010000",                   &[To(A), At(HlB)],                 OPERATION_8,        Base, Alu),
    row((Op::AluMem, AND, steady(|c| c.alu_load)),          "and",   "01100001 11010010",                   &[To(A), At(HlC)],                 OPERATION_8,        Base, Alu),
    row((Op::AluImm, OR, steady(|c| c.alu)),                "or",    "01101100 ........",                   &[To(A), Byte],                    OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, OR, steady(|c| c.alu_memory)),      "or",    "01101010 ........ ........",          &[At(Saddr), Byte],                OPERATION_8,        Base, Alu),
    row((Op::AluReg, OR, steady(|c| c.alu)),                "or",    "01100001 01101...",                   &[To(A), Source(NotA)],            OPERATION_8,        Base, Alu),
    row((Op::AluReg, OR, steady(|c| c.alu)),                "or",    "01100001 01100...",                   &[To(Register), Source(A)],        OPERATION_8,        Base, Alu),
    row((Op::AluMem, OR, steady(|c| c.alu_load)),           "or",    "01101011 ........",                   &[To(A), At(Saddr)],               OPERATION_8,        Base, Alu),
    row((Op::AluMem, OR, steady(|c| c.alu_load)),           "or",    "01101111 ........ ........",          &[To(A), At(Absolute)],            OPERATION_8,        Base, Alu),
    row((Op::AluMem, OR, steady(|c| c.alu_load)),           "or",    "01101101",                            &[To(A), At(Hl)],                  OPERATION_8,        Base, Alu),
    row((Op::AluMem, OR, steady(|c| c.alu_load)),           "or",    "01101110 ........",                   &[To(A), At(HlByte)],              OPERATION_8,        Base, Alu),
    row((Op::AluMem, OR, steady(|c| c.alu_load)),           "or",    "01100001 11100000",                   &[To(A), At(HlB)],                 OPERATION_8,        Base, Alu),
    row((Op::AluMem, OR, steady(|c| c.alu_load)),           "or",    "01100001 11100010",                   &[To(A), At(HlC)],                 OPERATION_8,        Base, Alu),
    row((Op::AluImm, XOR, steady(|c| c.alu)),               "xor",   "01111100 ........",                   &[To(A), Byte],                    OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, XOR, steady(|c| c.alu_memory)),     "xor",   "01111010 ........ ........",          &[At(Saddr), Byte],                OPERATION_8,        Base, Alu),
    row((Op::AluReg, XOR, steady(|c| c.alu)),               "xor",   "01100001 01111...",                   &[To(A), Source(NotA)],            OPERATION_8,        Base, Alu),
    row((Op::AluReg, XOR, steady(|c| c.alu)),               "xor",   "01100001 01110...",                   &[To(Register), Source(A)],        OPERATION_8,        Base, Alu),
    row((Op::AluMem, XOR, steady(|c| c.alu_load)),          "xor",   "01111011 ........",                   &[To(A), At(Saddr)],               OPERATION_8,        Base, Alu),
    row((Op::AluMem, XOR, steady(|c| c.alu_load)),          "xor",   "01111111 ........ ........",          &[To(A), At(Absolute)],            OPERATION_8,        Base, Alu),
    row((Op::AluMem, XOR, steady(|c| c.alu_load)),          "xor",   "01111101",                            &[To(A), At(Hl)],                  OPERATION_8,        Base, Alu),
    row((Op::AluMem, XOR, steady(|c| c.alu_load)),          "xor",   "01111110 ........",                   &[To(A), At(HlByte)],              OPERATION_8,        Base, Alu),
    row((Op::AluMem, XOR, steady(|c| c.alu_load)),          "xor",   "01100001 11110000",                   &[To(A), At(HlB)],                 OPERATION_8,        Base, Alu),
    row((Op::AluMem, XOR, steady(|c| c.alu_load)),          "xor",   "01100001 11110010",                   &[To(A), At(HlC)],                 OPERATION_8,        Base, Alu),
    row((Op::AluImm, CMP, steady(|c| c.alu)),               "cmp0",  "110100..",                            &[To(Register), Implied(0)],       OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, CMP, steady(|c| c.alu_load)),       "cmp0",  "11010100 ........",                   &[At(Saddr), Implied(0)],          OPERATION_8,        Base, Alu),
    row((Op::AluMemImm, CMP, steady(|c| c.alu_load)),       "cmp0",  "11010101 ........ ........",          &[At(Absolute), Implied(0)],       OPERATION_8,        Base, Alu),
    row((Op::Cmps, CMP, steady(|c| c.alu_load)),            "cmps",  "01100001 11011110 ........",          &[To(X), At(HlByte)],              OPERATION_8,        Base, Alu),

    row((Op::AluwImm, ADD, steady(|c| c.alu_word)),         "addw",  "00000100 ........ ........",          &[To(Ax), Word],                   OPERATION_16,       Base, Alu),
    row((Op::AluwReg, ADD, steady(|c| c.alu_word)),         "addw",  "00000..1",                            &[To(Ax), Source(Pair)],           OPERATION_16,       Base, Alu),
    row((Op::AluwMem, ADD, steady(|c| c.alu_word_load)),    "addw",  "00000110 ........",                   &[To(Ax), At(Saddr)],              OPERATION_16,       Base, Alu),
    row((Op::AluwMem, ADD, steady(|c| c.alu_word_load)),    "addw",  "00000010 ........ ........",          &[To(Ax), At(Absolute)],           OPERATION_16,       Base, Alu),
    row((Op::AluwMem, ADD, steady(|c| c.alu_word_load)),    "addw",  "01100001 00001001 ........",          &[To(Ax), At(HlByte)],             OPERATION_16,       Base, Alu),
    row((Op::AluwImm, SUB, steady(|c| c.alu_word)),         "subw",  "00100100 ........ ........",          &[To(Ax), Word],                   OPERATION_16,       Base, Alu),
    row((Op::AluwReg, SUB, steady(|c| c.alu_word)),         "subw",  "00100..1",                            &[To(Ax), Source(NotAx)],          OPERATION_16,       Base, Alu),
    row((Op::AluwMem, SUB, steady(|c| c.alu_word_load)),    "subw",  "00100110 ........",                   &[To(Ax), At(Saddr)],              OPERATION_16,       Base, Alu),
    row((Op::AluwMem, SUB, steady(|c| c.alu_word_load)),    "subw",  "00100010 ........ ........",          &[To(Ax), At(Absolute)],           OPERATION_16,       Base, Alu),
    row((Op::AluwMem, SUB, steady(|c| c.alu_word_load)),    "subw",  "01100001 00101001 ........",          &[To(Ax), At(HlByte)],             OPERATION_16,       Base, Alu),
    row((Op::AluwImm, CMP, steady(|c| c.alu_word)),         "cmpw",  "01000100 ........ ........",          &[To(Ax), Word],                   OPERATION_16,       Base, Alu),
    row((Op::AluwReg, CMP, steady(|c| c.alu_word)),         "cmpw",  "01000..1",                            &[To(Ax), Source(NotAx)],          OPERATION_16,       Base, Alu),
    row((Op::AluwMem, CMP, steady(|c| c.alu_word_load)),    "cmpw",  "01000110 ........",                   &[To(Ax), At(Saddr)],              OPERATION_16,       Base, Alu),
    row((Op::AluwMem, CMP, steady(|c| c.alu_word_load)),    "cmpw",  "01000010 ........ ........",          &[To(Ax), At(Absolute)],           OPERATION_16,       Base, Alu),
    row((Op::AluwMem, CMP, steady(|c| c.alu_word_load)),    "cmpw",  "01100001 01001001 ........",          &[To(Ax), At(HlByte)],             OPERATION_16,       Base, Alu),

    row((Op::Mulu, 0, steady(|c| c.multiply)),              "mulu",  "11010110",                            &[Source(X)],                      MULTIPLICATION,     Base, Class::Multiply),
    row((Op::Mulhu, 0, steady(|c| c.multiply_word)),        "mulhu", "11001110 11111011 00000001",          &[],                               MULTIPLICATION,     Feature::Multiply, Class::Multiply),
    row((Op::Mulh, 0, steady(|c| c.multiply_word)),         "mulh",  "11001110 11111011 00000010",          &[],                               MULTIPLICATION,     Feature::Multiply, Class::Multiply),
    row((Op::Divhu, 0, steady(|c| c.divide_word)),          "divhu", "11001110 11111011 00000011",          &[],                               MULTIPLICATION,     Feature::Multiply, Class::Multiply),
    row((Op::Divwu, 0, steady(|c| c.divide_long)),          "divwu", "11001110 11111011 00001011",          &[],                               MULTIPLICATION,     Feature::Multiply, Class::Multiply),
    row((Op::Machu, 0, steady(|c| c.multiply_accumulate)),  "machu", "11001110 11111011 00000101",          &[],                               MULTIPLICATION,     Feature::Multiply, Class::Multiply),
    row((Op::Mach, 0, steady(|c| c.multiply_accumulate)),   "mach",  "11001110 11111011 00000110",          &[],                               MULTIPLICATION,     Feature::Multiply, Class::Multiply),

    row((Op::Inc, 0, steady(|c| c.alu)),                    "inc",   "10000...",                            &[To(Register), Implied(1)],       INCREMENT,          Base, Alu),
    row((Op::IncMem, 0, steady(|c| c.alu_memory)),          "inc",   "10100100 ........",                   &[At(Saddr), Implied(1)],          INCREMENT,          Base, Alu),
    row((Op::IncMem, 0, steady(|c| c.alu_memory)),          "inc",   "10100000 ........ ........",          &[At(Absolute), Implied(1)],       INCREMENT,          Base, Alu),
    row((Op::IncMem, 0, steady(|c| c.alu_memory)),          "inc",   "01100001 01011001 ........",          &[At(HlByte), Implied(1)],         INCREMENT,          Base, Alu),
    row((Op::Inc, 0, steady(|c| c.alu)),                    "dec",   "10010...",                            &[To(Register), Implied(0xff)],    INCREMENT,          Base, Alu),
    row((Op::IncMem, 0, steady(|c| c.alu_memory)),          "dec",   "10110100 ........",                   &[At(Saddr), Implied(0xff)],       INCREMENT,          Base, Alu),
    row((Op::IncMem, 0, steady(|c| c.alu_memory)),          "dec",   "10110000 ........ ........",          &[At(Absolute), Implied(0xff)],    INCREMENT,          Base, Alu),
    row((Op::IncMem, 0, steady(|c| c.alu_memory)),          "dec",   "01100001 01101001 ........",          &[At(HlByte), Implied(0xff)],      INCREMENT,          Base, Alu),
    row((Op::Incw, 0, steady(|c| c.alu_word)),              "incw",  "10100..1",                            &[To(Pair), Implied(1)],           INCREMENT,          Base, Alu),
    row((Op::IncwMem, 0, steady(|c| c.alu_word_memory)),    "incw",  "10100110 ........",                   &[At(Saddr), Implied(1)],          INCREMENT,          Base, Alu),
    row((Op::IncwMem, 0, steady(|c| c.alu_word_memory)),    "incw",  "10100010 ........ ........",          &[At(Absolute), Implied(1)],       INCREMENT,          Base, Alu),
    row((Op::IncwMem, 0, steady(|c| c.alu_word_memory)),    "incw",  "01100001 01111001 ........",          &[At(HlByte), Implied(1)],         INCREMENT,          Base, Alu),
    row((Op::Incw, 0, steady(|c| c.alu_word)),              "decw",  "10110..1",                            &[To(Pair), Implied(0xffff)],      INCREMENT,          Base, Alu),
    row((Op::IncwMem, 0, steady(|c| c.alu_word_memory)),    "decw",  "10110110 ........",                   &[At(Saddr), Implied(0xffff)],     INCREMENT,          Base, Alu),
    row((Op::IncwMem, 0, steady(|c| c.alu_word_memory)),    "decw",  "10110010 ........ ........",          &[At(Absolute), Implied(0xffff)],  INCREMENT,          Base, Alu),
    row((Op::IncwMem, 0, steady(|c| c.alu_word_memory)),    "decw",  "01100001 10001001 ........",          &[At(HlByte), Implied(0xffff)],    INCREMENT,          Base, Alu),

    row((Op::Shr, 0, steady(|c| c.shift)),                  "shr",   "00110001 0...1010",                   &[To(A), Count],                   SHIFT,              Base, Shifts),
    row((Op::Shrw, 0, steady(|c| c.shift_word)),            "shrw",  "00110001 ....1110",                   &[To(Ax), Count],                  SHIFT,              Base, Shifts),
    row((Op::Shl, 0, steady(|c| c.shift)),                  "shl",   "00110001 0...1001",                   &[To(A), Count],                   SHIFT,              Base, Shifts),
    row((Op::Shl, 0, steady(|c| c.shift)),                  "shl",   "00110001 0...1000",                   &[To(B), Count],                   SHIFT,              Base, Shifts),
    row((Op::Shl, 0, steady(|c| c.shift)),                  "shl",   "00110001 0...0111",                   &[To(C), Count],                   SHIFT,              Base, Shifts),
    row((Op::Shlw, 0, steady(|c| c.shift_word)),            "shlw",  "00110001 ....1101",                   &[To(Ax), Count],                  SHIFT,              Base, Shifts),
    row((Op::Shlw, 0, steady(|c| c.shift_word)),            "shlw",  "00110001 ....1100",                   &[To(Bc), Count],                  SHIFT,              Base, Shifts),
    row((Op::Sar, 0, steady(|c| c.shift)),                  "sar",   "00110001 0...1011",                   &[To(A), Count],                   SHIFT,              Base, Shifts),
    row((Op::Sarw, 0, steady(|c| c.shift_word)),            "sarw",  "00110001 ....1111",                   &[To(Ax), Count],                  SHIFT,              Base, Shifts),

    row((Op::Ror, 0, steady(|c| c.shift)),                  "ror",   "01100001 11011011",                   &[To(A), One],                     ROTATION,           Base, Shifts),
    row((Op::Rol, 0, steady(|c| c.shift)),                  "rol",   "01100001 11101011",                   &[To(A), One],                     ROTATION,           Base, Shifts),
    row((Op::Rorc, 0, steady(|c| c.shift)),                 "rorc",  "01100001 11111011",                   &[To(A), One],                     ROTATION,           Base, Shifts),
    row((Op::Rolc, 0, steady(|c| c.shift)),                 "rolc",  "01100001 11011100",                   &[To(A), One],                     ROTATION,           Base, Shifts),
    row((Op::Rolwc, 0, steady(|c| c.shift_word)),           "rolwc", "01100001 11101110",                   &[To(Ax), One],                    ROTATION,           Base, Shifts),
    row((Op::Rolwc, 0, steady(|c| c.shift_word)),           "rolwc", "01100001 11111110",                   &[To(Bc), One],                    ROTATION,           Base, Shifts),

    row((Op::CarryMem, TAKE, steady(|c| c.bit_load)),       "mov1",  "01110001 0...0100 ........",          &[Carry, Bit(Saddr)],              BITS,               Base, Class::Bit),
    row((Op::CarryMem, TAKE, steady(|c| c.bit_load)),       "mov1",  "01110001 0...1100 ........",          &[Carry, Bit(Sfr)],                BITS,               Base, Class::Bit),
    row((Op::CarryReg, TAKE, steady(|c| c.bit)),            "mov1",  "01110001 1...1100",                   &[Carry, BitOfA],                  BITS,               Base, Class::Bit),
    row((Op::CarryMem, TAKE, steady(|c| c.bit_load)),       "mov1",  "01110001 1...0100",                   &[Carry, Bit(Hl)],                 BITS,               Base, Class::Bit),
    row((Op::BitMem, FROM_CARRY, steady(|c| c.bit_memory)), "mov1",  "01110001 0...0001 ........",          &[Bit(Saddr), Carry],              BITS,               Base, Class::Bit),
    row((Op::BitMem, FROM_CARRY, steady(|c| c.bit_psw)),    "mov1",  "01110001 0...1001 11111010",          &[Bit(Psw), Carry],                BITS,               Base, Class::Bit),
    row((Op::BitMem, FROM_CARRY, steady(|c| c.bit_memory)), "mov1",  "01110001 0...1001 ........",          &[Bit(Sfr), Carry],                BITS,               Base, Class::Bit),
    row((Op::BitReg, FROM_CARRY, steady(|c| c.bit)),        "mov1",  "01110001 1...1001",                   &[BitOfA, Carry],                  BITS,               Base, Class::Bit),
    row((Op::BitMem, FROM_CARRY, steady(|c| c.bit_memory)), "mov1",  "01110001 1...0001",                   &[Bit(Hl), Carry],                 BITS,               Base, Class::Bit),
    row((Op::CarryMem, AND_BIT, steady(|c| c.bit_load)),    "and1",  "01110001 0...0101 ........",          &[Carry, Bit(Saddr)],              BITS,               Base, Class::Bit),
    row((Op::CarryMem, AND_BIT, steady(|c| c.bit_load)),    "and1",  "01110001 0...1101 ........",          &[Carry, Bit(Sfr)],                BITS,               Base, Class::Bit),
    row((Op::CarryReg, AND_BIT, steady(|c| c.bit)),         "and1",  "01110001 1...1101",                   &[Carry, BitOfA],                  BITS,               Base, Class::Bit),
    row((Op::CarryMem, AND_BIT, steady(|c| c.bit_load)),    "and1",  "01110001 1...0101",                   &[Carry, Bit(Hl)],                 BITS,               Base, Class::Bit),
    row((Op::CarryMem, OR_BIT, steady(|c| c.bit_load)),     "or1",   "01110001 0...0110 ........",          &[Carry, Bit(Saddr)],              BITS,               Base, Class::Bit),
    row((Op::CarryMem, OR_BIT, steady(|c| c.bit_load)),     "or1",   "01110001 0...1110 ........",          &[Carry, Bit(Sfr)],                BITS,               Base, Class::Bit),
    row((Op::CarryReg, OR_BIT, steady(|c| c.bit)),          "or1",   "01110001 1...1110",                   &[Carry, BitOfA],                  BITS,               Base, Class::Bit),
    row((Op::CarryMem, OR_BIT, steady(|c| c.bit_load)),     "or1",   "01110001 1...0110",                   &[Carry, Bit(Hl)],                 BITS,               Base, Class::Bit),
    row((Op::CarryMem, XOR_BIT, steady(|c| c.bit_load)),    "xor1",  "01110001 0...0111 ........",          &[Carry, Bit(Saddr)],              BITS,               Base, Class::Bit),
    row((Op::CarryMem, XOR_BIT, steady(|c| c.bit_load)),    "xor1",  "01110001 0...1111 ........",          &[Carry, Bit(Sfr)],                BITS,               Base, Class::Bit),
    row((Op::CarryReg, XOR_BIT, steady(|c| c.bit)),         "xor1",  "01110001 1...1111",                   &[Carry, BitOfA],                  BITS,               Base, Class::Bit),
    row((Op::CarryMem, XOR_BIT, steady(|c| c.bit_load)),    "xor1",  "01110001 1...0111",                   &[Carry, Bit(Hl)],                 BITS,               Base, Class::Bit),
    row((Op::BitMem, SET, steady(|c| c.bit_psw)),           "ei",    "01110001 01111010 11111010",          &[InterruptEnable],                CONTROL,            Base, Class::Bit),
    row((Op::BitMem, SET, steady(|c| c.bit_memory)),        "set1",  "01110001 0...0010 ........",          &[Bit(Saddr)],                     BITS,               Base, Class::Bit),
    row((Op::BitMem, SET, steady(|c| c.bit_psw)),           "set1",  "01110001 0...1010 11111010",          &[Bit(Psw)],                       BITS,               Base, Class::Bit),
    row((Op::BitMem, SET, steady(|c| c.bit_memory)),        "set1",  "01110001 0...1010 ........",          &[Bit(Sfr)],                       BITS,               Base, Class::Bit),
    row((Op::BitReg, SET, steady(|c| c.bit)),               "set1",  "01110001 1...1010",                   &[BitOfA],                         BITS,               Base, Class::Bit),
    row((Op::BitMem, SET, steady(|c| c.bit_memory)),        "set1",  "01110001 1...0010",                   &[Bit(Hl)],                        BITS,               Base, Class::Bit),
    row((Op::BitMem, SET, steady(|c| c.bit_memory)),        "set1",  "01110001 0...0000 ........ ........", &[Bit(Absolute)],                  BITS,               Base, Class::Bit),
    row((Op::SetCarry, 0, steady(|c| c.bit)),               "set1",  "01110001 10000000",                   &[Carry, Implied(1)],              BITS,               Base, Class::Bit),
    row((Op::BitMem, CLEAR, steady(|c| c.bit_psw)),         "di",    "01110001 01111011 11111010",          &[InterruptEnable],                CONTROL,            Base, Class::Bit),
    row((Op::BitMem, CLEAR, steady(|c| c.bit_memory)),      "clr1",  "01110001 0...0011 ........",          &[Bit(Saddr)],                     BITS,               Base, Class::Bit),
    row((Op::BitMem, CLEAR, steady(|c| c.bit_psw)),         "clr1",  "01110001 0...1011 11111010",          &[Bit(Psw)],                       BITS,               Base, Class::Bit),
    row((Op::BitMem, CLEAR, steady(|c| c.bit_memory)),      "clr1",  "01110001 0...1011 ........",          &[Bit(Sfr)],                       BITS,               Base, Class::Bit),
    row((Op::BitReg, CLEAR, steady(|c| c.bit)),             "clr1",  "01110001 1...1011",                   &[BitOfA],                         BITS,               Base, Class::Bit),
    row((Op::BitMem, CLEAR, steady(|c| c.bit_memory)),      "clr1",  "01110001 1...0011",                   &[Bit(Hl)],                        BITS,               Base, Class::Bit),
    row((Op::BitMem, CLEAR, steady(|c| c.bit_memory)),      "clr1",  "01110001 0...1000 ........ ........", &[Bit(Absolute)],                  BITS,               Base, Class::Bit),
    row((Op::SetCarry, 0, steady(|c| c.bit)),               "clr1",  "01110001 10001000",                   &[Carry, Implied(0)],              BITS,               Base, Class::Bit),
    row((Op::NotCarry, 0, steady(|c| c.bit)),               "not1",  "01110001 11000000",                   &[Carry],                          BITS,               Base, Class::Bit),

    row((Op::CallReg, 0, steady(|c| c.call)),               "call",  "01100001 11..1010",                   &[Source(HighPair)],               CALL,               Base, Class::Call),
    row((Op::Call, 0, steady(|c| c.call)),                  "call",  "11111110 ........ ........",          &[Relative],                       CALL,               Base, Class::Call),
    row((Op::Call, 0, steady(|c| c.call)),                  "call",  "11111101 ........ ........",          &[Target16],                       CALL,               Base, Class::Call),
    row((Op::Call, 0, steady(|c| c.call)),                  "call",  "11111100 ........ ........ ........", &[Target20],                       CALL,               Base, Class::Call),
    row((Op::Callt, 0, steady(|c| c.call_table)),           "callt", "01100001 1...01..",                   &[Table],                          CALL,               Base, Class::Call),
    row((Op::Brk, 0, steady(|c| c.software_break)),         "brk",   "01100001 11001100",                   &[],                               CALL,               Base, Class::Call),
    row((Op::Ret, 0, steady(|c| c.return_)),                "ret",   "11010111",                            &[],                               CALL,               Base, Return),
    row((Op::Reti, 0, steady(|c| c.return_interrupt)),      "reti",  "01100001 11111100",                   &[],                               CALL,               Base, Return),
    row((Op::Reti, 0, steady(|c| c.return_interrupt)),      "retb",  "01100001 11101100",                   &[],                               CALL,               Base, Return),

    row((Op::PushPsw, 0, steady(|c| c.push_psw)),           "push",  "01100001 11011101",                   &[At(Psw)],                        STACK,              Base, Stack),
    row((Op::Push, 0, steady(|c| c.push)),                  "push",  "11000..1",                            &[Source(Pair)],                   STACK,              Base, Stack),
    row((Op::PopPsw, 0, steady(|c| c.pop_psw)),             "pop",   "01100001 11001101",                   &[At(Psw)],                        STACK,              Base, Stack),
    row((Op::Pop, 0, steady(|c| c.pop)),                    "pop",   "11000..0",                            &[To(Pair)],                       STACK,              Base, Stack),
    row((Op::AddSp, 0, steady(|c| c.alu_stack_pointer)),    "addw",  "00010000 ........",                   &[Sp, Byte],                       STACK,              Base, Stack),
    row((Op::AddSp, 0, steady(|c| c.alu_stack_pointer)),    "subw",  "00100000 ........",                   &[Sp, MinusByte],                  STACK,              Base, Stack),

    row((Op::BrAx, 0, steady(|c| c.branch)),                "br",    "01100001 11001011",                   &[Source(Ax)],                     BRANCH,             Base, Jump),
    row((Op::Br, 0, steady(|c| c.branch)),                  "br",    "11101111 ........",                   &[Near],                           BRANCH,             Base, Jump),
    row((Op::Br, 0, steady(|c| c.branch)),                  "br",    "11101110 ........ ........",          &[Relative],                       BRANCH,             Base, Jump),
    row((Op::Br, 0, steady(|c| c.branch)),                  "br",    "11101101 ........ ........",          &[Target16],                       BRANCH,             Base, Jump),
    row((Op::Br, 0, steady(|c| c.branch)),                  "br",    "11101100 ........ ........ ........", &[Target20],                       BRANCH,             Base, Jump),

    row((Op::Bcc, IF_C, CONDITIONAL),                       "bc",    "11011100 ........",                   &[Near],                           CONDITIONAL_BRANCH, Base, Branch),
    row((Op::Bcc, IF_NC, CONDITIONAL),                      "bnc",   "11011110 ........",                   &[Near],                           CONDITIONAL_BRANCH, Base, Branch),
    row((Op::Bcc, IF_Z, CONDITIONAL),                       "bz",    "11011101 ........",                   &[Near],                           CONDITIONAL_BRANCH, Base, Branch),
    row((Op::Bcc, IF_NZ, CONDITIONAL),                      "bnz",   "11011111 ........",                   &[Near],                           CONDITIONAL_BRANCH, Base, Branch),
    row((Op::Bcc, IF_H, CONDITIONAL),                       "bh",    "01100001 11000011 ........",          &[Near],                           CONDITIONAL_BRANCH, Base, Branch),
    row((Op::Bcc, IF_NH, CONDITIONAL),                      "bnh",   "01100001 11010011 ........",          &[Near],                           CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitMem, IF_SET, ON_BIT),                      "bt",    "00110001 0...0010 ........ ........", &[Bit(Saddr), Near],               CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitMem, IF_SET, ON_BIT),                      "bt",    "00110001 1...0010 ........ ........", &[Bit(Sfr), Near],                 CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitReg, IF_SET, ON_BIT),                      "bt",    "00110001 0...0011 ........",          &[BitOfA, Near],                   CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitMem, IF_SET, ON_BIT),                      "bt",    "00110001 1...0011 ........",          &[Bit(Hl), Near],                  CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitMem, IF_CLEAR, ON_BIT),                    "bf",    "00110001 0...0100 ........ ........", &[Bit(Saddr), Near],               CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitMem, IF_CLEAR, ON_BIT),                    "bf",    "00110001 1...0100 ........ ........", &[Bit(Sfr), Near],                 CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitReg, IF_CLEAR, ON_BIT),                    "bf",    "00110001 0...0101 ........",          &[BitOfA, Near],                   CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitMem, IF_CLEAR, ON_BIT),                    "bf",    "00110001 1...0101 ........",          &[Bit(Hl), Near],                  CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitMem, IF_SET_CLEAR_IT, ON_BIT),             "btclr", "00110001 0...0000 ........ ........", &[Bit(Saddr), Near],               CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitMem, IF_SET_CLEAR_IT, ON_BIT),             "btclr", "00110001 1...0000 ........ ........", &[Bit(Sfr), Near],                 CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitReg, IF_SET_CLEAR_IT, ON_BIT),             "btclr", "00110001 0...0001 ........",          &[BitOfA, Near],                   CONDITIONAL_BRANCH, Base, Branch),
    row((Op::BbitMem, IF_SET_CLEAR_IT, ON_BIT),             "btclr", "00110001 1...0001 ........",          &[Bit(Hl), Near],                  CONDITIONAL_BRANCH, Base, Branch),

    row((Op::Skip, IF_C, steady(|c| c.skip)),               "skc",   "01100001 11001000",                   &[],                               SKIP,               Base, Branch),
    row((Op::Skip, IF_NC, steady(|c| c.skip)),              "sknc",  "01100001 11011000",                   &[],                               SKIP,               Base, Branch),
    row((Op::Skip, IF_Z, steady(|c| c.skip)),               "skz",   "01100001 11101000",                   &[],                               SKIP,               Base, Branch),
    row((Op::Skip, IF_NZ, steady(|c| c.skip)),              "sknz",  "01100001 11111000",                   &[],                               SKIP,               Base, Branch),
    row((Op::Skip, IF_H, steady(|c| c.skip)),               "skh",   "01100001 11100011",                   &[],                               SKIP,               Base, Branch),
    row((Op::Skip, IF_NH, steady(|c| c.skip)),              "sknh",  "01100001 11110011",                   &[],                               SKIP,               Base, Branch),

    row((Op::Sel, 0, steady(|c| c.select_bank)),            "sel",   "01100001 11..1111",                   &[Bank],                           CONTROL,            Banks, Other),
    row((Op::Nop, 0, steady(|c| c.nop)),                    "nop",   "00000000",                            &[],                               CONTROL,            Base, Other),
    row((Op::Sleep, 0, steady(|_| 0)),                      "halt",  "01100001 11101101",                   &[],                               CONTROL,            Base, Other),
    row((Op::Sleep, 0, steady(|_| 0)),                      "stop",  "01100001 11111101",                   &[],                               CONTROL,            Base, Other),
];

/// The rows by the first byte of an instruction.
static BY_FIRST_BYTE: LazyLock<Vec<Vec<&Row>>> = LazyLock::new(|| {
    let begins_with = |row: &Row, first: u32| {
        let behind = row.pattern.bits - 8;
        (first ^ row.pattern.value >> behind) & row.pattern.mask >> behind == 0
    };
    (0..=0xff).map(|first| ROWS.iter().filter(|row| begins_with(row, first)).collect()).collect()
});

/// Returns the rows whose fixed bits are those of an instruction, given by its first four bytes behind the prefix.
pub fn fitting(word: u32) -> impl Iterator<Item = &'static Row> {
    let candidates = &BY_FIRST_BYTE[(word >> 24) as usize];
    candidates.iter().copied().filter(move |row| row.pattern.matches(word >> (32 - row.pattern.bits)))
}

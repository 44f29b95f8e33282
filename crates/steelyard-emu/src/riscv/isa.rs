//! The instructions of RV32I with M, A, C, Zicsr, Zifencei and of machine mode.
//!
//! Sections are those of the RISC-V Instruction Set Manual: Volume I, version 20191213, and with a P in front of them
//! Volume II, version 20190608.

use super::decode::{Decoded, RA, SINK, SP};
use crate::isa::{bits, gathered, sign_extended, Pattern};
use crate::profile::Class;

/// Extension that an instruction belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Base,
    Multiply,
    Atomic,
    Compressed,
    Csr,
    FetchFence,
    Machine,
}

/// Operations of the processor; several rows may have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    Undecoded,
    ChunkEnd,
    Stop,
    Illegal,

    // Computing with an immediate, then with two registers.
    AddImm,
    SetLessImm,
    SetLessUnsignedImm,
    XorImm,
    OrImm,
    AndImm,
    ShiftLeftImm,
    ShiftRightImm,
    ShiftRightSignedImm,
    /// `lui` and `auipc`: `imm` is the result.
    Constant,
    Add,
    Sub,
    ShiftLeft,
    SetLess,
    SetLessUnsigned,
    Xor,
    ShiftRight,
    ShiftRightSigned,
    Or,
    And,
    /// Any computing operation above that writes the stack pointer.
    ToStack,

    Mul,
    MulHigh,
    MulHighSignedUnsigned,
    MulHighUnsigned,
    Div,
    DivUnsigned,
    Rem,
    RemUnsigned,

    LoadByte,
    LoadHalf,
    LoadWord,
    LoadByteUnsigned,
    LoadHalfUnsigned,
    /// `lw` to the stack pointer.
    LoadStack,
    StoreByte,
    StoreHalf,
    StoreWord,

    /// Jumps and branches: `imm` is the target.
    Jump,
    JumpRegister,
    BranchEqual,
    BranchNotEqual,
    BranchLess,
    BranchGreaterEqual,
    BranchLessUnsigned,
    BranchGreaterEqualUnsigned,

    Fence,
    FenceInstruction,
    Call,
    Break,
    MachineReturn,
    Wait,
    /// Access to the control and status register `imm`; `detail` is funct3, whose bit 2 marks an immediate in `rs1`.
    Csr,
    LoadReserved,
    StoreConditional,
    /// Atomic operation on memory; `detail` is funct5.
    Atomic,
}

/// An operand of the assembly language, or a register that an instruction names by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    Rd,
    Rs1,
    Rs2,
    /// Immediate of the format I.
    Imm,
    /// Number of bits by which to shift.
    Shift,
    /// Upper twenty bits.
    Upper,
    /// Upper twenty bits, added to the address of the instruction.
    UpperFromPc,
    /// Distance and base register of a load.
    LoadAddress,
    /// Distance and base register of a store.
    StoreAddress,
    /// Base register alone.
    Address,
    Branch,
    Jump,
    /// Target of a jump through a register.
    JumpAddress,
    /// What a fence orders before, and after.
    Sets,
    Csr,
    /// Immediate in the place of the first source register.
    CsrImm,
    /// Operation of an atomic instruction, and how it is ordered; the mnemonic ends in the latter.
    Order,

    /// Operands of compressed instructions: a register of five bits that is read and written.
    Both,
    /// Source register of five bits that is not x0.
    Source,
    /// Registers of three bits.
    RdLow,
    Rs2Low,
    Rs1High,
    BothHigh,
    ShortImm,
    ShortShift,
    ShortUpper,
    ShortAddress,
    StackLoad,
    StackStore,
    /// The stack pointer and what is added to it.
    StackStep,
    /// The stack pointer as source, and what is added to it.
    FromStack,
    ShortJump,
    ShortBranch,
    /// Register of a jump, which is not x0.
    ShortJumpAddress,
    /// The return address's register as destination.
    Link,
}

pub type Row = crate::isa::Row<Op, Operand, Feature>;

const fn row(
    op: Op,
    mnemonic: &'static str,
    pattern: &str,
    operands: &'static [Operand],
    section: &'static str,
    feature: Feature,
    class: Class,
) -> Row {
    Row { op, mnemonic, pattern: Pattern::new(pattern), operands, section, feature, class }
}

use Class::{Alu, Load, Other, Shift as Shifts, Store};
use Feature::{Atomic, Base, Compressed, FetchFence, Machine, Multiply};
use Operand::*;

/// Every instruction; the first row that an instruction fits is its row.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row(Op::Constant,           "lui",    ".................... ..... 0110111",          &[Rd, Upper],             "2.4",    Base,       Alu),
    row(Op::Constant,           "auipc",  ".................... ..... 0010111",          &[Rd, UpperFromPc],       "2.4",    Base,       Alu),
    row(Op::Jump,               "jal",    ".................... ..... 1101111",          &[Rd, Jump],              "2.5",    Base,       Class::Jump),
    row(Op::JumpRegister,       "jalr",   "............ ..... 000 ..... 1100111",        &[Rd, JumpAddress],       "2.5",    Base,       Class::Jump),
    row(Op::BranchEqual,        "beq",    "....... ..... ..... 000 ..... 1100011",       &[Rs1, Rs2, Branch],      "2.5",    Base,       Class::Branch),
    row(Op::BranchNotEqual,     "bne",    "....... ..... ..... 001 ..... 1100011",       &[Rs1, Rs2, Branch],      "2.5",    Base,       Class::Branch),
    row(Op::BranchLess,         "blt",    "....... ..... ..... 100 ..... 1100011",       &[Rs1, Rs2, Branch],      "2.5",    Base,       Class::Branch),
    row(Op::BranchGreaterEqual, "bge",    "....... ..... ..... 101 ..... 1100011",       &[Rs1, Rs2, Branch],      "2.5",    Base,       Class::Branch),
    row(Op::BranchLessUnsigned, "bltu",   "....... ..... ..... 110 ..... 1100011",       &[Rs1, Rs2, Branch],      "2.5",    Base,       Class::Branch),
    row(Op::BranchGreaterEqualUnsigned, "bgeu", "....... ..... ..... 111 ..... 1100011", &[Rs1, Rs2, Branch],      "2.5",    Base,       Class::Branch),
    row(Op::LoadByte,           "lb",     "............ ..... 000 ..... 0000011",        &[Rd, LoadAddress],       "2.6",    Base,       Load),
    row(Op::LoadHalf,           "lh",     "............ ..... 001 ..... 0000011",        &[Rd, LoadAddress],       "2.6",    Base,       Load),
    row(Op::LoadWord,           "lw",     "............ ..... 010 ..... 0000011",        &[Rd, LoadAddress],       "2.6",    Base,       Load),
    row(Op::LoadByteUnsigned,   "lbu",    "............ ..... 100 ..... 0000011",        &[Rd, LoadAddress],       "2.6",    Base,       Load),
    row(Op::LoadHalfUnsigned,   "lhu",    "............ ..... 101 ..... 0000011",        &[Rd, LoadAddress],       "2.6",    Base,       Load),
    row(Op::StoreByte,          "sb",     "....... ..... ..... 000 ..... 0100011",       &[Rs2, StoreAddress],     "2.6",    Base,       Store),
    row(Op::StoreHalf,          "sh",     "....... ..... ..... 001 ..... 0100011",       &[Rs2, StoreAddress],     "2.6",    Base,       Store),
    row(Op::StoreWord,          "sw",     "....... ..... ..... 010 ..... 0100011",       &[Rs2, StoreAddress],     "2.6",    Base,       Store),
    row(Op::AddImm,             "addi",   "............ ..... 000 ..... 0010011",        &[Rd, Rs1, Imm],          "2.4",    Base,       Alu),
    row(Op::SetLessImm,         "slti",   "............ ..... 010 ..... 0010011",        &[Rd, Rs1, Imm],          "2.4",    Base,       Alu),
    row(Op::SetLessUnsignedImm, "sltiu",  "............ ..... 011 ..... 0010011",        &[Rd, Rs1, Imm],          "2.4",    Base,       Alu),
    row(Op::XorImm,             "xori",   "............ ..... 100 ..... 0010011",        &[Rd, Rs1, Imm],          "2.4",    Base,       Alu),
    row(Op::OrImm,              "ori",    "............ ..... 110 ..... 0010011",        &[Rd, Rs1, Imm],          "2.4",    Base,       Alu),
    row(Op::AndImm,             "andi",   "............ ..... 111 ..... 0010011",        &[Rd, Rs1, Imm],          "2.4",    Base,       Alu),
    row(Op::ShiftLeftImm,       "slli",   "0000000 ..... ..... 001 ..... 0010011",       &[Rd, Rs1, Shift],        "2.4",    Base,       Shifts),
    row(Op::ShiftRightImm,      "srli",   "0000000 ..... ..... 101 ..... 0010011",       &[Rd, Rs1, Shift],        "2.4",    Base,       Shifts),
    row(Op::ShiftRightSignedImm, "srai",  "0100000 ..... ..... 101 ..... 0010011",       &[Rd, Rs1, Shift],        "2.4",    Base,       Shifts),
    row(Op::Add,                "add",    "0000000 ..... ..... 000 ..... 0110011",       &[Rd, Rs1, Rs2],          "2.4",    Base,       Alu),
    row(Op::Sub,                "sub",    "0100000 ..... ..... 000 ..... 0110011",       &[Rd, Rs1, Rs2],          "2.4",    Base,       Alu),
    row(Op::ShiftLeft,          "sll",    "0000000 ..... ..... 001 ..... 0110011",       &[Rd, Rs1, Rs2],          "2.4",    Base,       Shifts),
    row(Op::SetLess,            "slt",    "0000000 ..... ..... 010 ..... 0110011",       &[Rd, Rs1, Rs2],          "2.4",    Base,       Alu),
    row(Op::SetLessUnsigned,    "sltu",   "0000000 ..... ..... 011 ..... 0110011",       &[Rd, Rs1, Rs2],          "2.4",    Base,       Alu),
    row(Op::Xor,                "xor",    "0000000 ..... ..... 100 ..... 0110011",       &[Rd, Rs1, Rs2],          "2.4",    Base,       Alu),
    row(Op::ShiftRight,         "srl",    "0000000 ..... ..... 101 ..... 0110011",       &[Rd, Rs1, Rs2],          "2.4",    Base,       Shifts),
    row(Op::ShiftRightSigned,   "sra",    "0100000 ..... ..... 101 ..... 0110011",       &[Rd, Rs1, Rs2],          "2.4",    Base,       Shifts),
    row(Op::Or,                 "or",     "0000000 ..... ..... 110 ..... 0110011",       &[Rd, Rs1, Rs2],          "2.4",    Base,       Alu),
    row(Op::And,                "and",    "0000000 ..... ..... 111 ..... 0110011",       &[Rd, Rs1, Rs2],          "2.4",    Base,       Alu),
    row(Op::Fence,              "fence",  "................. 000 ..... 0001111",         &[Sets],                  "2.7",    Base,       Other),
    row(Op::FenceInstruction,   "fence.i", "................. 001 ..... 0001111",        &[],                      "3",      FetchFence, Other),
    row(Op::Call,               "ecall",  "000000000000 00000 000 00000 1110011",        &[],                      "2.8",    Base,       Other),
    row(Op::Break,              "ebreak", "000000000001 00000 000 00000 1110011",        &[],                      "2.8",    Base,       Other),
    row(Op::MachineReturn,      "mret",   "001100000010 00000 000 00000 1110011",        &[],                      "P3.2.2", Machine,    Other),
    row(Op::Wait,               "wfi",    "000100000101 00000 000 00000 1110011",        &[],                      "P3.2.3", Machine,    Other),

    row(Op::Csr,                "csrrw",  "............ ..... 001 ..... 1110011",        &[Rd, Csr, Rs1],          "9.1",    Feature::Csr, Other),
    row(Op::Csr,                "csrrs",  "............ ..... 010 ..... 1110011",        &[Rd, Csr, Rs1],          "9.1",    Feature::Csr, Other),
    row(Op::Csr,                "csrrc",  "............ ..... 011 ..... 1110011",        &[Rd, Csr, Rs1],          "9.1",    Feature::Csr, Other),
    row(Op::Csr,                "csrrwi", "............ ..... 101 ..... 1110011",        &[Rd, Csr, CsrImm],       "9.1",    Feature::Csr, Other),
    row(Op::Csr,                "csrrsi", "............ ..... 110 ..... 1110011",        &[Rd, Csr, CsrImm],       "9.1",    Feature::Csr, Other),
    row(Op::Csr,                "csrrci", "............ ..... 111 ..... 1110011",        &[Rd, Csr, CsrImm],       "9.1",    Feature::Csr, Other),

    row(Op::Mul,                "mul",    "0000001 ..... ..... 000 ..... 0110011",       &[Rd, Rs1, Rs2],          "7.1",    Multiply,   Class::Multiply),
    row(Op::MulHigh,            "mulh",   "0000001 ..... ..... 001 ..... 0110011",       &[Rd, Rs1, Rs2],          "7.1",    Multiply,   Class::Multiply),
    row(Op::MulHighSignedUnsigned, "mulhsu", "0000001 ..... ..... 010 ..... 0110011",    &[Rd, Rs1, Rs2],          "7.1",    Multiply,   Class::Multiply),
    row(Op::MulHighUnsigned,    "mulhu",  "0000001 ..... ..... 011 ..... 0110011",       &[Rd, Rs1, Rs2],          "7.1",    Multiply,   Class::Multiply),
    row(Op::Div,                "div",    "0000001 ..... ..... 100 ..... 0110011",       &[Rd, Rs1, Rs2],          "7.2",    Multiply,   Class::Multiply),
    row(Op::DivUnsigned,        "divu",   "0000001 ..... ..... 101 ..... 0110011",       &[Rd, Rs1, Rs2],          "7.2",    Multiply,   Class::Multiply),
    row(Op::Rem,                "rem",    "0000001 ..... ..... 110 ..... 0110011",       &[Rd, Rs1, Rs2],          "7.2",    Multiply,   Class::Multiply),
    row(Op::RemUnsigned,        "remu",   "0000001 ..... ..... 111 ..... 0110011",       &[Rd, Rs1, Rs2],          "7.2",    Multiply,   Class::Multiply),

    row(Op::LoadReserved,       "lr.w",   "00010 .. 00000 ..... 010 ..... 0101111",      &[Rd, Address, Order],    "8.2",    Atomic,     Load),
    row(Op::StoreConditional,   "sc.w",   "00011 .. ..... ..... 010 ..... 0101111",      &[Rd, Rs2, Address, Order], "8.2",  Atomic,     Store),
    row(Op::Atomic,             "amoadd.w", "00000 .. ..... ..... 010 ..... 0101111",    &[Rd, Rs2, Address, Order], "8.4",  Atomic,     Store),
    row(Op::Atomic,             "amoswap.w", "00001 .. ..... ..... 010 ..... 0101111",   &[Rd, Rs2, Address, Order], "8.4",  Atomic,     Store),
    row(Op::Atomic,             "amoxor.w", "00100 .. ..... ..... 010 ..... 0101111",    &[Rd, Rs2, Address, Order], "8.4",  Atomic,     Store),
    row(Op::Atomic,             "amoor.w", "01000 .. ..... ..... 010 ..... 0101111",     &[Rd, Rs2, Address, Order], "8.4",  Atomic,     Store),
    row(Op::Atomic,             "amoand.w", "01100 .. ..... ..... 010 ..... 0101111",    &[Rd, Rs2, Address, Order], "8.4",  Atomic,     Store),
    row(Op::Atomic,             "amomin.w", "10000 .. ..... ..... 010 ..... 0101111",    &[Rd, Rs2, Address, Order], "8.4",  Atomic,     Store),
    row(Op::Atomic,             "amomax.w", "10100 .. ..... ..... 010 ..... 0101111",    &[Rd, Rs2, Address, Order], "8.4",  Atomic,     Store),
    row(Op::Atomic,             "amominu.w", "11000 .. ..... ..... 010 ..... 0101111",   &[Rd, Rs2, Address, Order], "8.4",  Atomic,     Store),
    row(Op::Atomic,             "amomaxu.w", "11100 .. ..... ..... 010 ..... 0101111",   &[Rd, Rs2, Address, Order], "8.4",  Atomic,     Store),

    row(Op::AddImm,             "c.addi4spn", "000 ........ ... 00",                     &[RdLow, FromStack],      "16.5",   Compressed, Alu),
    row(Op::LoadWord,           "c.lw",   "010 ... ... .. ... 00",                       &[RdLow, ShortAddress],   "16.3",   Compressed, Load),
    row(Op::StoreWord,          "c.sw",   "110 ... ... .. ... 00",                       &[Rs2Low, ShortAddress],  "16.3",   Compressed, Store),
    row(Op::AddImm,             "c.nop",  "000 0 00000 00000 01",                        &[],                      "16.5",   Compressed, Alu),
    row(Op::AddImm,             "c.addi", "000 . ..... ..... 01",                        &[Both, ShortImm],        "16.5",   Compressed, Alu),
    row(Op::Jump,               "c.jal",  "001 ........... 01",                          &[ShortJump, Link],       "16.4",   Compressed, Class::Jump),
    row(Op::AddImm,             "c.li",   "010 . ..... ..... 01",                        &[Rd, ShortImm],          "16.5",   Compressed, Alu),
    row(Op::AddImm,             "c.addi16sp", "011 . 00010 ..... 01",                    &[StackStep],             "16.5",   Compressed, Alu),
    row(Op::Constant,           "c.lui",  "011 . ..... ..... 01",                        &[Rd, ShortUpper],        "16.5",   Compressed, Alu),
    row(Op::ShiftRightImm,      "c.srli", "100 0 00 ... ..... 01",                       &[BothHigh, ShortShift],  "16.5",   Compressed, Shifts),
    row(Op::ShiftRightSignedImm, "c.srai", "100 0 01 ... ..... 01",                      &[BothHigh, ShortShift],  "16.5",   Compressed, Shifts),
    row(Op::AndImm,             "c.andi", "100 . 10 ... ..... 01",                       &[BothHigh, ShortImm],    "16.5",   Compressed, Alu),
    row(Op::Sub,                "c.sub",  "100 0 11 ... 00 ... 01",                      &[BothHigh, Rs2Low],      "16.5",   Compressed, Alu),
    row(Op::Xor,                "c.xor",  "100 0 11 ... 01 ... 01",                      &[BothHigh, Rs2Low],      "16.5",   Compressed, Alu),
    row(Op::Or,                 "c.or",   "100 0 11 ... 10 ... 01",                      &[BothHigh, Rs2Low],      "16.5",   Compressed, Alu),
    row(Op::And,                "c.and",  "100 0 11 ... 11 ... 01",                      &[BothHigh, Rs2Low],      "16.5",   Compressed, Alu),
    row(Op::Jump,               "c.j",    "101 ........... 01",                          &[ShortJump],             "16.4",   Compressed, Class::Jump),
    row(Op::BranchEqual,        "c.beqz", "110 ... ... ..... 01",                        &[Rs1High, ShortBranch],  "16.4",   Compressed, Class::Branch),
    row(Op::BranchNotEqual,     "c.bnez", "111 ... ... ..... 01",                        &[Rs1High, ShortBranch],  "16.4",   Compressed, Class::Branch),
    row(Op::ShiftLeftImm,       "c.slli", "000 0 ..... ..... 10",                        &[Both, ShortShift],      "16.5",   Compressed, Shifts),
    row(Op::LoadWord,           "c.lwsp", "010 . ..... ..... 10",                        &[Rd, StackLoad],         "16.3",   Compressed, Load),
    row(Op::JumpRegister,       "c.jr",   "100 0 ..... 00000 10",                        &[ShortJumpAddress],      "16.4",   Compressed, Class::Jump),
    row(Op::Add,                "c.mv",   "100 0 ..... ..... 10",                        &[Rd, Source],            "16.5",   Compressed, Alu),
    row(Op::Break,              "c.ebreak", "100 1 00000 00000 10",                      &[],                      "16.5",   Compressed, Other),
    row(Op::JumpRegister,       "c.jalr", "100 1 ..... 00000 10",                        &[ShortJumpAddress, Link], "16.4",  Compressed, Class::Jump),
    row(Op::Add,                "c.add",  "100 1 ..... ..... 10",                        &[Both, Source],          "16.5",   Compressed, Alu),
    row(Op::StoreWord,          "c.swsp", "110 ...... ..... 10",                         &[Source, StackStore],    "16.3",   Compressed, Store),
];

/// Where the bits of a number lie in an instruction: (lowest bit, number of bits, lowest bit in the number).
pub type Moves = &'static [(u32, u32, u32)];

/// Scattered immediates, of compressed instructions first.
pub const SHORT_IMM: Moves = &[(12, 1, 5), (2, 5, 0)];
pub const SHORT_OFFSET: Moves = &[(10, 3, 3), (6, 1, 2), (5, 1, 6)];
pub const SHORT_JUMP: Moves =
    &[(12, 1, 11), (11, 1, 4), (9, 2, 8), (8, 1, 10), (7, 1, 6), (6, 1, 7), (3, 3, 1), (2, 1, 5)];
pub const SHORT_BRANCH: Moves = &[(12, 1, 8), (10, 2, 3), (5, 2, 6), (3, 2, 1), (2, 1, 5)];
pub const STACK_LOAD: Moves = &[(4, 3, 2), (12, 1, 5), (2, 2, 6)];
pub const STACK_STORE: Moves = &[(9, 4, 2), (7, 2, 6)];
pub const STACK_STEP: Moves = &[(12, 1, 9), (6, 1, 4), (5, 1, 6), (3, 2, 7), (2, 1, 5)];
pub const FROM_STACK: Moves = &[(7, 4, 6), (11, 2, 4), (5, 1, 3), (6, 1, 2)];
pub const STORE_OFFSET: Moves = &[(25, 7, 5), (7, 5, 0)];
pub const BRANCH: Moves = &[(31, 1, 12), (7, 1, 11), (25, 6, 5), (8, 4, 1)];
pub const JUMP: Moves = &[(31, 1, 20), (12, 8, 12), (20, 1, 11), (21, 10, 1)];

/// Returns the register of a field of three bits.
const fn low_register(word: u32, low: u32) -> u8 {
    8 + bits(word, low, 3) as u8
}

const fn register(word: u32, low: u32) -> u8 {
    bits(word, low, 5) as u8
}

impl Operand {
    /// Fills in what the operand says; returns false for an encoding that is reserved.
    pub fn read(self, word: u32, address: u32, decoded: &mut Decoded) -> bool {
        let signed = |moves, width| sign_extended(gathered(word, moves), width);
        let destination = |number| if number == 0 { SINK } else { number };
        match self {
            Rd => decoded.rd = destination(register(word, 7)),
            Rs1 | CsrImm | Address => decoded.rs1 = register(word, 15),
            Rs2 => decoded.rs2 = register(word, 20),
            Imm => decoded.imm = sign_extended(bits(word, 20, 12), 12),
            Operand::Shift => decoded.imm = bits(word, 20, 5),
            Upper => decoded.imm = word & 0xffff_f000,
            UpperFromPc => decoded.imm = address.wrapping_add(word & 0xffff_f000),
            LoadAddress | JumpAddress => {
                (decoded.rs1, decoded.imm) = (register(word, 15), sign_extended(bits(word, 20, 12), 12));
            }
            StoreAddress => (decoded.rs1, decoded.imm) = (register(word, 15), signed(STORE_OFFSET, 12)),
            Branch => decoded.imm = address.wrapping_add(signed(BRANCH, 13)),
            Jump => decoded.imm = address.wrapping_add(signed(JUMP, 21)),
            Sets => {}
            Csr => (decoded.imm, decoded.detail) = (bits(word, 20, 12), bits(word, 12, 3) as u8),
            Order => decoded.detail = bits(word, 27, 5) as u8,

            Both => (decoded.rd, decoded.rs1) = (destination(register(word, 7)), register(word, 7)),
            Source => decoded.rs2 = register(word, 2),
            RdLow => decoded.rd = low_register(word, 2),
            Rs2Low => decoded.rs2 = low_register(word, 2),
            Rs1High => decoded.rs1 = low_register(word, 7),
            BothHigh => (decoded.rd, decoded.rs1) = (low_register(word, 7), low_register(word, 7)),
            ShortImm => decoded.imm = signed(SHORT_IMM, 6),
            ShortShift => decoded.imm = bits(word, 2, 5),
            ShortUpper => decoded.imm = signed(SHORT_IMM, 6) << 12,
            ShortAddress => (decoded.rs1, decoded.imm) = (low_register(word, 7), gathered(word, SHORT_OFFSET)),
            StackLoad => (decoded.rs1, decoded.imm) = (SP, gathered(word, STACK_LOAD)),
            StackStore => (decoded.rs1, decoded.imm) = (SP, gathered(word, STACK_STORE)),
            StackStep => (decoded.rd, decoded.rs1, decoded.imm) = (SP, SP, signed(STACK_STEP, 10)),
            FromStack => (decoded.rs1, decoded.imm) = (SP, gathered(word, FROM_STACK)),
            ShortJump => decoded.imm = address.wrapping_add(signed(SHORT_JUMP, 12)),
            ShortBranch => decoded.imm = address.wrapping_add(signed(SHORT_BRANCH, 9)),
            ShortJumpAddress => decoded.rs1 = register(word, 7),
            Link => decoded.rd = RA,
        }
        match self {
            ShortUpper | StackStep | FromStack => decoded.imm != 0,
            ShortJumpAddress => decoded.rs1 != 0,
            StackLoad => decoded.rd != SINK,
            _ => true,
        }
    }

    /// Returns the operand as the assembly language writes it, with registers by number; `None` if it does not.
    pub fn text(self, word: u32, decoded: &Decoded) -> Option<String> {
        let Decoded { rd, rs1, rs2, imm, .. } = *decoded;
        let rd = if rd == SINK { 0 } else { rd };
        let signed = imm as i32;
        Some(match self {
            Rd | RdLow | Both | BothHigh => format!("x{rd}"),
            Rs1 | Rs1High => format!("x{rs1}"),
            Rs2 | Source | Rs2Low => format!("x{rs2}"),
            ShortJumpAddress => format!("x{rs1}"),
            Imm | ShortImm => signed.to_string(),
            Operand::Shift | ShortShift => format!("0x{imm:x}"),
            Upper | ShortUpper => format!("0x{:x}", imm >> 12),
            UpperFromPc => format!("0x{:x}", word >> 12),
            LoadAddress | StoreAddress | ShortAddress | StackLoad | StackStore | JumpAddress => {
                format!("{signed}(x{rs1})")
            }
            Address => format!("(x{rs1})"),
            Branch | Jump | ShortJump | ShortBranch => format!("{imm:x}"),
            Sets => format!("{},{}", set(bits(word, 24, 4)), set(bits(word, 20, 4))),
            Csr => format!("0x{imm:x}"),
            CsrImm => rs1.to_string(),
            StackStep | FromStack => format!("x2,{signed}"),
            Order | Link => return None,
        })
    }
}

/// Returns what a fence orders, in letters.
fn set(bits: u32) -> String {
    let letters = "iorw".chars().enumerate();
    let named: String = letters.filter(|(number, _)| bits >> (3 - number) & 1 == 1).map(|(_, letter)| letter).collect();
    if named.is_empty() {
        "0".into()
    } else {
        named
    }
}

/// Returns the row of an instruction, of whatever extension it is.
pub fn row_of(word: u32, length_bits: u32) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.pattern.bits == length_bits && row.pattern.matches(word))
}

/// Returns the text of an instruction at an address, `None` for what is no instruction.
pub fn text(word: u32, length_bits: u32, address: u32) -> Option<String> {
    let row = row_of(word, length_bits)?;
    let decoded = super::decode::of_row(row, word, address)?;
    let operands: Vec<String> = row.operands.iter().filter_map(|operand| operand.text(word, &decoded)).collect();
    let order = match bits(word, 25, 2) {
        _ if row.feature != Atomic => "",
        0 => "",
        1 => ".rl",
        2 => ".aq",
        _ => ".aqrl",
    };
    Some(format!("{}{order} {}", row.mnemonic, operands.join(",")).trim_end().to_string())
}

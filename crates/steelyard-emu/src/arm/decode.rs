//! Decodes A32 words and Thumb halfwords by the rows of [`super::isa`] into what the processor executes.
//!
//! A row says what an instruction does; frequent forms of it become operations of their own.

pub use super::isa::{
    alu, Op, BEFORE, BYTE, BY_REGISTER, CARRY, FLAGS, HALF, SETS_CARRY, SHIFT_BY_REGISTER, SIGNED, SIGNED_HALF, TOP_M,
    TOP_S, UP, WORD, WRITEBACK,
};
use super::isa::{row_of, Feature, Row};
use super::timing::Multiply;
use crate::processor::Ports;
use crate::profile::Class;
use crate::program::Marked;

/// Register number for a missing source; it reads as zero and is never waited for.
pub const NONE: u8 = 16;
/// Register number for a result that is discarded.
pub const NOWHERE: u8 = 17;
pub const SP: u8 = 13;
pub const LR: u8 = 14;
pub const PC: u8 = 15;

/// The condition that always holds (AL).
pub const ALWAYS: u8 = 14;

/// Value of `rs` of `Alu` if the second operand is `imm`.
pub const IMMEDIATE: u8 = 0xff;

/// Kinds of shift, numbered as in the instruction; `RRX` is the rotation by one through the carry.
pub const LSL: u32 = 0;
pub const LSR: u32 = 1;
pub const ASR: u32 = 2;
pub const ROR: u32 = 3;
pub const RRX: u32 = 4;

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
    /// Amount of a shift, or the register that holds it; a multiplication's second factor; [`IMMEDIATE`] of `Alu`.
    pub rs: u8,
    pub detail: u8,
    pub class: Class,
    pub imm: u32,
}

impl Marked for Decoded {
    const UNDECODED: Self = Decoded::bare(Op::Undecoded);
    const CHUNK_END: Self = Decoded::bare(Op::ChunkEnd);
    const STOP: Self = Decoded::bare(Op::Stop);
    const REACH_BYTES: u32 = 0;

    fn is_undecoded(&self) -> bool {
        self.op == Op::Undecoded
    }

    fn entry(address: u32) -> (u32, bool) {
        (address & !1, address & 1 == 1)
    }
}

impl Decoded {
    /// Returns an instruction without operands that always runs.
    pub const fn bare(op: Op) -> Self {
        Decoded { op, condition: ALWAYS, rd: NONE, rn: NONE, rm: NONE, rs: 0, detail: 0, class: Class::Other, imm: 0 }
    }

    /// Returns the number of registers or words loaded and stored.
    pub fn transfers(&self) -> (u32, u32) {
        match self.op {
            Op::LdrImm | Op::LdrLiteral | Op::LdrReg | Op::LdrbImm | Op::LdrbReg | Op::LdrhImm => (1, 0),
            Op::Load | Op::LoadPc => (1, 0),
            Op::StrImm | Op::StrReg | Op::StrbImm | Op::StrbReg | Op::StrhImm | Op::Store => (0, 1),
            Op::LoadMultiple => (self.imm.count_ones(), 0),
            Op::StoreMultiple => (0, self.imm.count_ones()),
            Op::LoadPair => (2, 0),
            Op::StorePair => (0, 2),
            Op::Swap => (1, 1),
            _ => (0, 0),
        }
    }

    /// Whether the instruction, where it is executed, leaves the straight line.
    pub fn jumps(&self) -> bool {
        use Op::*;
        matches!(
            self.op,
            AluPc
                | LoadPc
                | Branch
                | BranchLink
                | BranchLinkExchange
                | BranchExchange
                | BranchLinkExchangeRegister
                | CallSuffix
                | CallSuffixExchange
        )
    }

    /// Whether it computes with registers and constants, other than by the multiplier or for the program counter.
    pub fn is_processing(&self) -> bool {
        let others = [Op::Multiply, Op::Preload, Op::Swap, Op::CallPrefix, Op::Illegal];
        self.transfers() == (0, 0) && !self.jumps() && !others.contains(&self.op)
    }

    /// Whether it sets flags.
    pub fn sets_flags(&self) -> bool {
        match self.op {
            Op::Msr => true,
            Op::Multiply => self.detail & FLAGS != 0,
            _ => self.is_processing() && self.detail & FLAGS != 0,
        }
    }

    /// Returns the registers that it writes, one bit each, the program counter apart.
    pub fn written(&self) -> u32 {
        let bit = |number: u8| 1 << (number & 31);
        let (loads, stores) = self.transfers();
        let indexed = matches!(self.op, Op::Load | Op::LoadPc | Op::Store);
        let several = matches!(self.op, Op::LoadMultiple | Op::StoreMultiple | Op::LoadPair | Op::StorePair);
        let base = if (indexed || several) && self.detail & WRITEBACK != 0 { bit(self.rn) } else { 0 };
        let written = match self.op {
            Op::LoadMultiple => self.imm,
            Op::LoadPair => bit(self.rd) | bit(self.rd + 1),
            Op::Multiply if long_result(self.detail) => bit(self.rd) | bit(self.rn),
            Op::BranchLink | Op::BranchLinkExchange | Op::BranchLinkExchangeRegister => bit(LR),
            _ if stores > 0 && loads == 0 => 0,
            _ => bit(self.rd),
        };
        (written | base) & 0x7fff
    }

    /// Returns the registers that it reads, one bit each, the program counter apart.
    pub fn read(&self) -> u32 {
        let bit = |number: u8| 1 << (number & 31);
        let amount = self.op == Op::Multiply || self.op == Op::Alu && self.detail & SHIFT_BY_REGISTER != 0;
        let (_, stores) = self.transfers();
        let stored = match self.op {
            Op::StoreMultiple => self.imm,
            Op::StorePair => bit(self.rd) | bit(self.rd + 1),
            _ if stores > 0 => bit(self.rd),
            _ => 0,
        };
        (bit(self.rn) | bit(self.rm) | stored | if amount { bit(self.rs) } else { 0 }) & 0x7fff
    }

    /// Returns the registers whose loaded data nothing has waited for once it has been executed, from those before.
    pub fn awaited(&self, before: u32) -> u32 {
        let (loads, _) = self.transfers();
        let loaded = if loads > 0 { self.written() } else { 0 };
        before & !self.read() & !self.written() | loaded
    }

    /// Returns the ports of the register file that the instruction uses.
    pub fn ports(&self) -> Ports {
        let held = |register: u8| u32::from(register < PC);
        let address = held(self.rn) + held(self.rm);
        let (loads, stores) = self.transfers();
        let base = match self.op {
            Op::Load | Op::Store | Op::LoadPc | Op::LoadMultiple | Op::StoreMultiple | Op::LoadPair | Op::StorePair => {
                u32::from(self.detail & WRITEBACK != 0)
            }
            _ => 0,
        };
        match self.op {
            Op::LoadMultiple => Ports { reads: held(self.rn), writes: (self.imm & 0x7fff).count_ones() + base },
            Op::StoreMultiple => Ports { reads: held(self.rn) + (self.imm & 0x7fff).count_ones(), writes: base },
            Op::LoadPair | Op::StorePair => Ports { reads: address + stores, writes: loads + base },
            Op::Swap => Ports { reads: address, writes: held(self.rd) },
            _ if loads > 0 => Ports { reads: address, writes: held(self.rd) + base },
            _ if stores > 0 => Ports { reads: address + held(self.rd), writes: base },
            Op::Multiply => self.multiply_ports(),
            Op::BranchLink | Op::BranchLinkExchange | Op::CallPrefix => Ports { reads: 0, writes: 1 },
            Op::BranchLinkExchangeRegister => Ports { reads: held(self.rm), writes: 1 },
            Op::CallSuffix | Op::CallSuffixExchange => Ports { reads: 1, writes: 1 },
            _ => {
                let by_register = matches!(self.op, Op::Alu | Op::AluPc) && self.rs != IMMEDIATE;
                let amount = if by_register && self.detail & SHIFT_BY_REGISTER != 0 { held(self.rs) } else { 0 };
                Ports { reads: address + amount, writes: held(self.rd) }
            }
        }
    }

    /// A long product that accumulates reads both halves of its result.
    fn multiply_ports(&self) -> Ports {
        let held = |register: u8| u32::from(register < PC);
        let kind = self.detail & 0x0f;
        let long = long_result(self.detail);
        let accumulates = [Multiply::Umlal, Multiply::Smlal, Multiply::Smlalxy].iter().any(|one| *one as u8 == kind);
        let more = match (long, accumulates) {
            (true, true) => 2,
            (true, false) => 0,
            (false, _) => held(self.rn),
        };
        Ports { reads: held(self.rm) + held(self.rs) + more, writes: if long { 2 } else { 1 } }
    }

    /// Whether the instruction is a branch that may or may not be taken.
    pub fn conditional_branch(&self) -> bool {
        self.condition != ALWAYS && matches!(self.class, Class::Branch | Class::Jump | Class::Call | Class::Return)
    }
}

const ILLEGAL: Decoded = Decoded::bare(Op::Illegal);

/// Decodes an instruction of 16 bits (Thumb) or 32 bits (A32) at an address, on a core that has these features.
pub fn decode(word: u32, length_bits: u32, address: u32, has: impl Fn(Feature) -> bool) -> Decoded {
    let row = row_of(word, length_bits).filter(|row| has(row.feature));
    row.and_then(|row| of_row(row, word, address)).unwrap_or(Decoded {
        // An instruction that is not executed is no fault.
        condition: if length_bits == 32 { ALWAYS.min((word >> 28) as u8) } else { ALWAYS },
        ..ILLEGAL
    })
}

/// Decodes an instruction by its row; `None` for an encoding that is refused.
pub fn of_row(row: &Row, word: u32, address: u32) -> Option<Decoded> {
    refined(fields(row, word, address)?, pc(row, address))
}

/// Returns what reading the program counter gives.
fn pc(row: &Row, address: u32) -> u32 {
    address.wrapping_add(row.pattern.bits / 4)
}

/// Returns the fields of an instruction as its operands say; `None` if one of them is refused.
pub fn fields(row: &Row, word: u32, address: u32) -> Option<Decoded> {
    let (op, detail) = row.op;
    let mut decoded = Decoded { class: row.class, detail, ..Decoded::bare(op) };
    let mut operands = row.operands.iter();
    operands.all(|operand| operand.read(row, word, pc(row, address), &mut decoded)).then_some(decoded)
}

/// Tells apart what registers decide: frequent forms, what moves the stack pointer, and what jumps; `None` where
/// registers are refused.
fn refined(decoded: Decoded, pc: u32) -> Option<Decoded> {
    let Decoded { op, condition, rd, rn, rm, detail, imm, .. } = decoded;
    let writeback = detail & WRITEBACK != 0;
    match op {
        Op::Alu => processing(decoded, pc),
        Op::Load | Op::Store => transfer(decoded),
        Op::LoadPair | Op::StorePair => {
            let load = op == Op::LoadPair;
            let pair = [rd, rd + 1];
            // A pair begins at an even register; r12 and r13 would move the stack pointer.
            let refused = rd % 2 != 0 || rd == LR || load && rd + 1 == SP;
            let base_is_moved = writeback && pair.contains(&rn);
            let offset_is_loaded = load && pair.contains(&rm);
            (!refused && !base_is_moved && !offset_is_loaded).then_some(decoded)
        }
        Op::LoadMultiple | Op::StoreMultiple => {
            let stack = rn == SP && writeback;
            let class = match (op == Op::LoadMultiple, stack, imm >> PC & 1 == 1) {
                (true, true, true) => Class::Return,
                (true, false, true) => Class::Jump,
                (_, true, _) => Class::Stack,
                _ => decoded.class,
            };
            Some(Decoded { class, ..decoded })
        }
        Op::Branch if condition == ALWAYS => Some(Decoded { class: Class::Jump, ..decoded }),
        Op::BranchExchange if rm == LR => Some(Decoded { class: Class::Return, ..decoded }),
        _ => Some(decoded),
    }
}

/// Operations of data processing by its number: of an immediate, a register, a register shifted by a constant; then,
/// with flags, of an immediate and a register.
#[rustfmt::skip]
const QUICK: [[Op; 5]; 16] = [
    [Op::AndImm, Op::AndReg, Op::AndShift, Op::AndsImm, Op::AndsReg],
    [Op::EorImm, Op::EorReg, Op::EorShift, Op::EorsImm, Op::EorsReg],
    [Op::SubImm, Op::SubReg, Op::SubShift, Op::SubsImm, Op::SubsReg],
    [Op::RsbImm, Op::RsbReg, Op::RsbShift, Op::RsbsImm, Op::RsbsReg],
    [Op::AddImm, Op::AddReg, Op::AddShift, Op::AddsImm, Op::AddsReg],
    [Op::AdcImm, Op::AdcReg, Op::AdcShift, Op::AdcsImm, Op::AdcsReg],
    [Op::SbcImm, Op::SbcReg, Op::SbcShift, Op::SbcsImm, Op::SbcsReg],
    [Op::RscImm, Op::RscReg, Op::RscShift, Op::RscsImm, Op::RscsReg],
    [Op::Alu,    Op::Alu,    Op::Alu,      Op::TstImm,  Op::TstReg],
    [Op::Alu,    Op::Alu,    Op::Alu,      Op::TeqImm,  Op::TeqReg],
    [Op::Alu,    Op::Alu,    Op::Alu,      Op::CmpImm,  Op::CmpReg],
    [Op::Alu,    Op::Alu,    Op::Alu,      Op::CmnImm,  Op::CmnReg],
    [Op::OrrImm, Op::OrrReg, Op::OrrShift, Op::OrrsImm, Op::OrrsReg],
    [Op::MovImm, Op::MovReg, Op::MovShift, Op::MovsImm, Op::MovsReg],
    [Op::BicImm, Op::BicReg, Op::BicShift, Op::BicsImm, Op::BicsReg],
    [Op::MvnImm, Op::MvnReg, Op::MvnShift, Op::MvnsImm, Op::MvnsReg],
];

/// Returns the form of data processing that its registers and its second operand allow.
fn processing(decoded: Decoded, pc: u32) -> Option<Decoded> {
    let Decoded { rn, rm, rs, detail, imm, .. } = decoded;
    let operation = detail & 0x0f;
    let flags = detail & FLAGS != 0;
    let rd = if alu::tests(operation) { NOWHERE } else { decoded.rd };
    let decoded = Decoded { rd, ..decoded };
    let immediate = rs == IMMEDIATE;
    let by_register = detail & SHIFT_BY_REGISTER != 0;
    let shifted = !immediate && (by_register || imm != LSL || rs != 0);
    // The address of something: known here.
    if rn == PC && immediate && !flags && matches!(operation, alu::ADD | alu::SUB) && rd != PC && rd != SP {
        let value = if operation == alu::ADD { pc.wrapping_add(imm) } else { pc.wrapping_sub(imm) };
        return Some(Decoded { op: Op::MovImm, rn: NONE, rs: 0, detail: 0, imm: value, ..decoded });
    }
    if rd == PC {
        let returns = operation == alu::MOV && rm == LR && !shifted;
        let class = if returns { Class::Return } else { Class::Jump };
        // With flags it would copy SPSR, which a user does not have.
        return (!flags).then_some(Decoded { op: Op::AluPc, class, ..decoded });
    }
    // The long way also minds the stack pointer, reads the program counter and gives the shifter's carry.
    let rotated = !immediate && imm == RRX;
    if rd == SP || rn == PC || rm == PC || by_register || rotated || shifted && flags {
        return Some(decoded);
    }
    let quick = QUICK[usize::from(operation)];
    let detail = detail & !0x0f;
    Some(match (immediate, shifted) {
        (true, _) => Decoded { op: quick[if flags { 3 } else { 0 }], rs: 0, detail, ..decoded },
        (_, false) => Decoded { op: quick[if flags { 4 } else { 1 }], detail, ..decoded },
        _ => Decoded { op: quick[2], rs: quick_amount(imm, rs), detail, ..decoded },
    })
}

/// Returns the amount of a shift as the quick forms shift: from the upper half of a double word to the right.
fn quick_amount(kind: u32, amount: u8) -> u8 {
    if kind == LSL {
        32 - amount
    } else {
        amount
    }
}

/// Returns the form of a load or store of one register that its registers allow; refuses a base that is written and
/// transferred, and the program counter unless it is a word.
fn transfer(decoded: Decoded) -> Option<Decoded> {
    let Decoded { rd, rn, rs, detail, imm, .. } = decoded;
    let load = decoded.op == Op::Load;
    let width = detail & (SIGNED | SIGNED_HALF);
    let writeback = detail & WRITEBACK != 0;
    if rd == PC && width != WORD || writeback && rn == rd {
        return None;
    }
    if rd == PC && load {
        let returns = rn == SP && writeback;
        return Some(Decoded { op: Op::LoadPc, class: if returns { Class::Return } else { Class::Jump }, ..decoded });
    }
    // The long way minds the stack pointer and reads the program counter.
    if writeback || rn == PC || rd == PC || rd == SP && load {
        return Some(decoded);
    }
    let up = detail & UP != 0;
    if detail & BY_REGISTER == 0 {
        let op = match (load, width) {
            (true, WORD) if rn == NONE && imm & 3 == 0 => Op::LdrLiteral,
            (true, WORD) => Op::LdrImm,
            (true, BYTE) => Op::LdrbImm,
            (true, HALF) => Op::LdrhImm,
            (false, WORD) => Op::StrImm,
            (false, BYTE) => Op::StrbImm,
            (false, HALF) => Op::StrhImm,
            _ => return Some(decoded),
        };
        return Some(Decoded { op, imm: if up { imm } else { imm.wrapping_neg() }, ..decoded });
    }
    let op = match (load, width) {
        _ if !up || imm == RRX => return Some(decoded),
        (true, WORD) => Op::LdrReg,
        (true, BYTE) => Op::LdrbReg,
        (false, WORD) => Op::StrReg,
        (false, BYTE) => Op::StrbReg,
        _ => return Some(decoded),
    };
    Some(Decoded { op, rs: quick_amount(imm, rs), ..decoded })
}

/// Whether `rn` is the low half of a multiplication's result.
pub fn long_result(detail: u8) -> bool {
    let kind = detail & 0x0f;
    let long = [Multiply::Umull, Multiply::Umlal, Multiply::Smull, Multiply::Smlal, Multiply::Smlalxy];
    long.iter().any(|long| *long as u8 == kind)
}

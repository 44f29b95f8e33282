//! Operands of A32 and Thumb instructions: where their bits are, and how the assembly language writes them.

use super::decode::{
    Decoded, ALWAYS, ASR, BEFORE, BY_REGISTER, CARRY, FLAGS, IMMEDIATE, LR, LSL, LSR, NONE, PC, ROR, RRX, SETS_CARRY,
    SHIFT_BY_REGISTER, SP, UP, WRITEBACK,
};
use super::decode::{BYTE, HALF, SIGNED};
use super::isa::Row;
use crate::isa::{bits, sign_extended};

/// An operand of the assembly language, or something else that bits of an instruction say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    // Of A32.
    /// When the instruction is executed; the mnemonic ends in it.
    Condition,
    /// Whether flags are set: the mnemonic gets an `s`.
    Flags,
    Rd,
    Rn,
    Rm,
    /// A byte, rotated to the right by an even number of bits.
    Imm,
    /// A register, shifted by a constant amount.
    ShiftedRm,
    /// A register, shifted by another one.
    RmShiftedByRs,
    /// Constant amount of the shift that is the instruction.
    Amount,
    AmountRegister,
    /// Destination that is neither stack pointer nor program counter.
    Result,
    /// Source that is not the program counter.
    Factor,
    Addend,
    /// Destination of a multiplication, neither stack pointer nor program counter.
    Product,
    RdLo,
    RdHi,
    Multiplier,
    Accumulator,
    Status,
    /// Parts of the status register that are written.
    StatusFields,
    StatusImm,
    Target,
    /// Target at a multiple of two.
    TargetOfHalves,
    /// Base register and constant distance of a word or byte, and which of them is the address.
    Offset12,
    /// Base register and shifted index register of a word or byte.
    Index,
    Offset8,
    HalfIndex,
    /// Base register alone, not the program counter.
    Address,
    /// Base register of a list, which may move.
    Base,
    List,
    /// Registers stored below the stack pointer, or loaded from above.
    PushList,

    // Of Thumb: registers by their place, from the lowest bits up.
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
    RdHigh,
    RdnHigh,
    RnHigh,
    RmHigh,
    /// Register of a call, which is not the program counter.
    RmCalled,
    ShortAmount,
    /// Register that holds the amount of a shift of the destination.
    AmountSecond,
    Imm3,
    Imm8,
    /// The constant 0.
    Zero,
    /// The second factor of a multiplication is its destination.
    MultiplierIsRd,
    ShortLiteral,
    ShortIndex,
    ShortOffset,
    StackOffset,
    /// The program counter as source, and a constant.
    FromPc,
    /// The stack pointer as source, and a constant.
    FromStack,
    /// The stack pointer, and what is added to it or subtracted.
    StackStep,
    ShortPushList,
    ShortPopList,
    /// Base register that moves on.
    ShortBase,
    /// Base register that moves on unless it is loaded.
    ShortBaseUnlessLoaded,
    ShortList,
    ShortCondition,
    ShortTarget,
    ShortJumpTarget,
    /// Upper part of the distance of a long call.
    UpperDistance,
    LowerDistance,
}

use Operand::*;

pub(super) const REGISTERS: [&str; 16] =
    ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"];
const CONDITIONS: [&str; 16] =
    ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "", ""];
const SHIFTS: [&str; 4] = ["lsl", "lsr", "asr", "ror"];

fn register(word: u32, low: u32) -> u8 {
    bits(word, low, 4) as u8
}

fn low_register(word: u32, low: u32) -> u8 {
    bits(word, low, 3) as u8
}

/// Returns a register of Thumb whose highest bit lies elsewhere.
fn high_register(half: u32) -> u8 {
    (bits(half, 7, 1) << 3 | bits(half, 0, 3)) as u8
}

/// Returns the byte that is rotated, and by how much.
fn rotated(word: u32) -> (u32, u32) {
    (bits(word, 0, 8), 2 * bits(word, 8, 4))
}

/// Returns kind and amount of a shift by a constant, of which 0 has a meaning of its own for each kind.
fn shift(kind: u32, amount: u32) -> (u32, u8) {
    match (kind, amount) {
        (ROR, 0) => (RRX, 1),
        (LSR | ASR, 0) => (kind, 32),
        _ => (kind, amount as u8),
    }
}

/// Whether a load or store asks for a user's access, behind which the base moves.
fn as_user(word: u32) -> bool {
    bits(word, 24, 1) == 0 && bits(word, 21, 1) == 1
}

/// Returns the bits of `detail` that a load or store of one register has, `None` if the base cannot be written.
fn indexing(word: u32, by_register: bool) -> Option<u8> {
    let (before, up, writes) = (bits(word, 24, 1) == 1, bits(word, 23, 1) == 1, bits(word, 21, 1) == 1);
    // An access behind which the base moves always writes it. As a user's, it is like all others here.
    let writeback = writes || !before;
    if writeback && register(word, 16) == PC {
        return None;
    }
    let chosen = [(before, BEFORE), (up, UP), (writeback, WRITEBACK), (by_register, BY_REGISTER)];
    Some(chosen.iter().filter(|(holds, _)| *holds).fold(0, |detail, (_, flag)| detail | flag))
}

/// Reads a base register and a constant distance; the address of a literal is known here.
fn read_offset(word: u32, pc: u32, distance: u32, decoded: &mut Decoded) -> bool {
    let Some(detail) = indexing(word, false) else { return false };
    (decoded.rn, decoded.imm) = (register(word, 16), distance);
    decoded.detail |= detail;
    if decoded.rn == PC {
        decoded.rn = NONE;
        decoded.imm = if detail & UP != 0 { pc.wrapping_add(distance) } else { pc.wrapping_sub(distance) };
        decoded.detail |= UP;
    }
    true
}

fn read_index(word: u32, (kind, amount): (u32, u8), decoded: &mut Decoded) -> bool {
    let Some(detail) = indexing(word, true) else { return false };
    (decoded.rn, decoded.rm) = (register(word, 16), register(word, 0));
    (decoded.imm, decoded.rs) = (kind, amount);
    decoded.detail |= detail;
    decoded.rm != PC
}

/// Returns the size in bytes of what a load or store of one register moves.
fn size_bytes(detail: u8) -> u32 {
    match detail & SIGNED {
        BYTE => 1,
        HALF => 2,
        _ => 4,
    }
}

/// Reads a list of registers, which is not empty.
fn read_list(list: u32, decoded: &mut Decoded) -> bool {
    decoded.imm = list;
    list != 0
}

/// Makes a constant the second operand of data processing.
fn constant(value: u32, decoded: &mut Decoded) {
    (decoded.imm, decoded.rs) = (value, IMMEDIATE);
}

impl Operand {
    /// Reads the operand's bits into the fields that it names; `pc` is what reading the program counter gives. False for
    /// an encoding that is refused.
    pub fn read(self, row: &Row, word: u32, pc: u32, decoded: &mut Decoded) -> bool {
        if row.pattern.bits == 16 {
            return self.read_thumb(row, word, pc, decoded);
        }
        match self {
            Condition => decoded.condition = bits(word, 28, 4) as u8,
            Flags if bits(word, 20, 1) == 1 => decoded.detail |= FLAGS,
            Rd | Result => decoded.rd = register(word, 12),
            Product | RdHi => decoded.rd = register(word, 16),
            Rn | Addend | Address => decoded.rn = register(word, 16),
            Accumulator | RdLo => decoded.rn = register(word, 12),
            Rm | Factor => decoded.rm = register(word, 0),
            Multiplier => decoded.rs = register(word, 8),
            Imm => {
                let (byte, by) = rotated(word);
                constant(byte.rotate_right(by), decoded);
                if by != 0 {
                    decoded.detail |= SETS_CARRY | if decoded.imm >> 31 == 1 { CARRY } else { 0 };
                }
            }
            ShiftedRm | Amount => {
                decoded.rm = register(word, 0);
                (decoded.imm, decoded.rs) = shift(bits(word, 5, 2), bits(word, 7, 5));
            }
            RmShiftedByRs | AmountRegister => {
                decoded.rm = register(word, 0);
                (decoded.imm, decoded.rs) = (bits(word, 5, 2), register(word, 8));
                decoded.detail |= SHIFT_BY_REGISTER;
            }
            StatusFields => decoded.detail = bits(word, 19, 1) as u8,
            StatusImm => {
                let (byte, by) = rotated(word);
                decoded.imm = byte.rotate_right(by);
            }
            Target => decoded.imm = pc.wrapping_add(sign_extended(bits(word, 0, 24), 24) << 2),
            TargetOfHalves => {
                let distance = sign_extended(bits(word, 0, 24), 24) << 2 | bits(word, 24, 1) << 1;
                decoded.imm = pc.wrapping_add(distance);
            }
            Offset12 => return read_offset(word, pc, bits(word, 0, 12), decoded),
            Offset8 => {
                let distance = bits(word, 8, 4) << 4 | bits(word, 0, 4);
                return !as_user(word) && read_offset(word, pc, distance, decoded);
            }
            Index => return read_index(word, shift(bits(word, 5, 2), bits(word, 7, 5)), decoded),
            HalfIndex => return !as_user(word) && read_index(word, (LSL, 0), decoded) && decoded.rn != PC,
            Base => {
                decoded.rn = register(word, 16);
                decoded.detail |= if bits(word, 21, 1) == 1 { WRITEBACK } else { 0 };
            }
            List => return read_list(bits(word, 0, 16), decoded),
            PushList => {
                decoded.rn = SP;
                decoded.detail |= WRITEBACK;
                return read_list(bits(word, 0, 16), decoded);
            }
            _ => {}
        }
        match self {
            Condition => decoded.condition <= ALWAYS,
            Result | Product | RdHi => decoded.rd != SP && decoded.rd != PC,
            RdLo => decoded.rn != SP && decoded.rn != PC,
            Accumulator | Addend | Address | Base => decoded.rn != PC,
            Factor => decoded.rm != PC,
            Multiplier | RmShiftedByRs | AmountRegister => decoded.rs != PC,
            _ => true,
        }
    }

    fn read_thumb(self, row: &Row, half: u32, pc: u32, decoded: &mut Decoded) -> bool {
        let aligned_pc = pc & !3;
        match self {
            RdFirst => decoded.rd = low_register(half, 0),
            RdnFirst => (decoded.rd, decoded.rn) = (low_register(half, 0), low_register(half, 0)),
            RnFirst => decoded.rn = low_register(half, 0),
            RnSecond => decoded.rn = low_register(half, 3),
            RmSecond => decoded.rm = low_register(half, 3),
            RmThird => decoded.rm = low_register(half, 6),
            RdTop => decoded.rd = low_register(half, 8),
            RdnTop => (decoded.rd, decoded.rn) = (low_register(half, 8), low_register(half, 8)),
            RnTop => decoded.rn = low_register(half, 8),
            RdHigh => decoded.rd = high_register(half),
            RdnHigh => (decoded.rd, decoded.rn) = (high_register(half), high_register(half)),
            RnHigh => decoded.rn = high_register(half),
            RmHigh | RmCalled => decoded.rm = register(half, 3),
            ShortAmount => (decoded.imm, decoded.rs) = shift(bits(half, 11, 2), bits(half, 6, 5)),
            AmountSecond => {
                (decoded.rm, decoded.rs) = (low_register(half, 0), low_register(half, 3));
                // The instructions with the numbers 2, 3, 4 and 7.
                decoded.imm = [LSL, LSR, ASR, ROR][(bits(half, 6, 3).min(5) - 2) as usize];
                decoded.detail |= SHIFT_BY_REGISTER;
            }
            Imm3 => constant(bits(half, 6, 3), decoded),
            Imm8 => constant(bits(half, 0, 8), decoded),
            Zero => constant(0, decoded),
            MultiplierIsRd => decoded.rs = decoded.rd,
            ShortLiteral => {
                decoded.imm = aligned_pc.wrapping_add(bits(half, 0, 8) * 4);
                decoded.detail |= BEFORE | UP;
            }
            ShortIndex => {
                (decoded.rn, decoded.rm) = (low_register(half, 3), low_register(half, 6));
                decoded.detail |= BEFORE | UP | BY_REGISTER;
            }
            ShortOffset => {
                (decoded.rn, decoded.imm) = (low_register(half, 3), bits(half, 6, 5) * size_bytes(row.op.1));
                decoded.detail |= BEFORE | UP;
            }
            StackOffset => {
                (decoded.rn, decoded.imm) = (SP, bits(half, 0, 8) * 4);
                decoded.detail |= BEFORE | UP;
            }
            FromPc => constant(aligned_pc.wrapping_add(bits(half, 0, 8) * 4), decoded),
            FromStack => {
                decoded.rn = SP;
                constant(bits(half, 0, 8) * 4, decoded);
            }
            StackStep => {
                (decoded.rd, decoded.rn) = (SP, SP);
                constant(bits(half, 0, 7) * 4, decoded);
            }
            ShortPushList | ShortPopList => {
                let last = if self == ShortPushList { LR } else { PC };
                decoded.rn = SP;
                return read_list(bits(half, 0, 8) | bits(half, 8, 1) << last, decoded);
            }
            ShortBase => decoded.rn = low_register(half, 8),
            ShortBaseUnlessLoaded => {
                decoded.rn = low_register(half, 8);
                decoded.detail |= if half >> decoded.rn & 1 == 1 { 0 } else { WRITEBACK };
            }
            ShortList => return read_list(bits(half, 0, 8), decoded),
            ShortCondition => decoded.condition = bits(half, 8, 4) as u8,
            ShortTarget => decoded.imm = pc.wrapping_add(sign_extended(bits(half, 0, 8), 8) << 1),
            ShortJumpTarget => decoded.imm = pc.wrapping_add(sign_extended(bits(half, 0, 11), 11) << 1),
            UpperDistance => decoded.imm = pc.wrapping_add(sign_extended(bits(half, 0, 11), 11) << 12),
            LowerDistance => decoded.imm = bits(half, 0, 11) * 2,
            _ => {}
        }
        match self {
            ShortCondition => decoded.condition < ALWAYS,
            RmCalled => decoded.rm != PC,
            _ => true,
        }
    }

    /// Returns what the operand adds to the mnemonic.
    pub fn suffix(self, word: u32) -> &'static str {
        match self {
            Flags if bits(word, 20, 1) == 1 => "s",
            Condition => CONDITIONS[bits(word, 28, 4) as usize],
            ShortCondition => CONDITIONS[bits(word, 8, 4) as usize],
            _ => "",
        }
    }

    /// Returns the operand as the assembly language writes it; `None` if it does not. `decoded` are the fields that the
    /// instruction's operands have read.
    pub fn text(self, word: u32, decoded: &Decoded) -> Option<String> {
        let of = |number: u8| REGISTERS[usize::from(number & 15)].to_string();
        let constant = format!("#{}", decoded.imm as i32);
        Some(match self {
            Rd | Result | Product | RdHi | RdFirst | RdnFirst | RdTop | RdnTop | RdHigh | RdnHigh => of(decoded.rd),
            Rn | Addend | RdLo | Accumulator | RnFirst | RnSecond | RnTop | RnHigh => of(decoded.rn),
            Rm | Factor | RmSecond | RmThird | RmHigh | RmCalled => of(decoded.rm),
            Multiplier | AmountRegister | AmountSecond => of(decoded.rs),
            Imm | StatusImm => rotated_text(word),
            Imm3 | Imm8 => constant,
            ShiftedRm => format!("{}{}", of(decoded.rm), shift_text(word)),
            RmShiftedByRs => {
                format!("{}, {} {}", of(decoded.rm), SHIFTS[bits(word, 5, 2) as usize], of(decoded.rs))
            }
            Amount | ShortAmount if decoded.imm == RRX => return None,
            Amount | ShortAmount => format!("#{}", decoded.rs),
            Status => "CPSR".into(),
            StatusFields => format!("CPSR_{}", chosen(bits(word, 16, 4), "cxsf")),
            Target | TargetOfHalves | ShortTarget | ShortJumpTarget | UpperDistance => format!("{:x}", decoded.imm),
            LowerDistance => format!("lr, {constant}"),
            Offset12 => addressed(word, offset_text(word, bits(word, 0, 12))),
            Offset8 => addressed(word, offset_text(word, bits(word, 8, 4) << 4 | bits(word, 0, 4))),
            Index | HalfIndex => {
                let sign = if decoded.detail & UP != 0 { "" } else { "-" };
                let shift = if self == Index { shift_text(word) } else { String::new() };
                addressed(word, format!(", {sign}{}{shift}", of(decoded.rm)))
            }
            Address => format!("[{}]", of(decoded.rn)),
            Base | ShortBase | ShortBaseUnlessLoaded => {
                format!("{}{}", of(decoded.rn), if decoded.detail & WRITEBACK != 0 { "!" } else { "" })
            }
            List | PushList | ShortPushList | ShortPopList | ShortList => {
                let listed = (0..16).filter(|number| decoded.imm >> number & 1 == 1).map(of);
                format!("{{{}}}", listed.collect::<Vec<_>>().join(", "))
            }
            ShortLiteral => format!("[pc, #{}]", bits(word, 0, 8) * 4),
            ShortIndex => format!("[{}, {}]", of(decoded.rn), of(decoded.rm)),
            ShortOffset | StackOffset => format!("[{}, {constant}]", of(decoded.rn)),
            FromPc => format!("pc, #{}", bits(word, 0, 8) * 4),
            FromStack | StackStep => format!("sp, {constant}"),
            Condition | Flags | Zero | MultiplierIsRd | ShortCondition => return None,
        })
    }
}

/// Returns the letters of the bits that are set, the highest first.
fn chosen(bits: u32, letters: &str) -> String {
    letters.char_indices().rev().filter(|(number, _)| bits >> number & 1 == 1).map(|(_, letter)| letter).collect()
}

/// Returns the text of a rotated byte: its value, or byte and rotation where a smaller one would do.
fn rotated_text(word: u32) -> String {
    let (byte, by) = rotated(word);
    let value = byte.rotate_right(by);
    let smallest = (0..32).step_by(2).find(|by| value.rotate_left(*by) <= 0xff);
    if smallest == Some(by) {
        format!("#{}", value as i32)
    } else {
        format!("#{byte}, {by}")
    }
}

/// Returns the text of a shift by a constant, empty where nothing is shifted.
fn shift_text(word: u32) -> String {
    match shift(bits(word, 5, 2), bits(word, 7, 5)) {
        (LSL, 0) => String::new(),
        (RRX, _) => ", rrx".into(),
        (kind, amount) => format!(", {} #{amount}", SHIFTS[kind as usize]),
    }
}

/// Returns the text of a constant distance; the base alone says that it is 0.
fn offset_text(word: u32, distance: u32) -> String {
    let (before, up, writes) = (bits(word, 24, 1) == 1, bits(word, 23, 1) == 1, bits(word, 21, 1) == 1);
    if distance == 0 && before && up && !writes {
        return String::new();
    }
    format!(", #{}{distance}", if up { "" } else { "-" })
}

/// Returns the text of an address: base register, what is added to it, and when.
fn addressed(word: u32, added: String) -> String {
    let base = REGISTERS[bits(word, 16, 4) as usize];
    match (bits(word, 24, 1), bits(word, 21, 1)) {
        (0, _) => format!("[{base}]{added}"),
        (_, 0) => format!("[{base}{added}]"),
        _ => format!("[{base}{added}]!"),
    }
}

//! Operands of Thumb: what the bits of an instruction say, and how the assembly language writes it.

use super::decode::{
    alu, conditions_of, Decoded, Op, Place, ALWAYS, ASR, BEFORE, BYTE, BY_REGISTER, CARRY, FLAGS, HALF, IMMEDIATE, LR,
    LSL, NONE, PC, ROR, RRX, SETS_CARRY, SHIFT_BY_REGISTER, SP, TOP, UNSIGNED, WRITEBACK,
};
use crate::isa::{bits, gathered, sign_extended};
use Operand::*;

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
    /// Any register, the program counter too.
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

    // Of the floating-point unit, see [`super::float_isa`]. An S is a single register, a D a pair of them.
    Sd,
    Sn,
    Sm,
    /// The destination as the source.
    SdAgain,
    Dd,
    FloatConstant,
    /// The constant 0.0.
    FloatZero,
    /// Number of bits of a fraction, in 16 or 32 bits.
    Fraction16,
    Fraction32,
    /// The stack pointer, which moves.
    PushedBelow,
    SingleList,
    DoubleList,
    /// Register of the unit that is moved from or to the core's.
    MovedSn,
    TwoSingles,
    HalfOfDouble,
    MovedDm,
    FromRt,
    FromRt2,
    ToRt,
    ToRt2,
    /// A register, or the flags.
    ToRtOrFlags,
    Fpscr,
}

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
pub(super) fn general(register: u8) -> bool {
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

/// Makes the second operand of data processing a constant.
fn constant(decoded: &mut Decoded, value: u32) {
    (decoded.imm, decoded.extra) = (value, IMMEDIATE);
}

impl Operand {
    /// Fills in what the operand says; returns false for an encoding that is reserved or makes no sense.
    pub fn read(self, word: u32, place: Place, decoded: &mut Decoded) -> bool {
        self.read_short(word, place, decoded);
        self.read_wide(word, place, decoded);
        self.read_float(word, decoded);
        self.makes_sense(word, place, decoded) && self.float_makes_sense(decoded)
    }

    /// Fills in an operand of an instruction of two bytes.
    fn read_short(self, word: u32, place: Place, decoded: &mut Decoded) {
        let low = |from| bits(word, from, 3) as u8;
        let bit = |number| bits(word, number, 1);
        let high = low(0) | (bit(7) << 3) as u8;
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
            RnHigh => decoded.rn = high,
            RmHigh | RmAny => decoded.rm = bits(word, 3, 4) as u8,
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
            ShortCondition => decoded.condition = bits(word, 8, 4) as u8,
            ShortBranch => decoded.imm = place.pc().wrapping_add(sign_extended(gathered(word, SHORT_BRANCH), 9)),
            ShortJump => decoded.imm = place.pc().wrapping_add(sign_extended(gathered(word, SHORT_JUMP), 12)),
            Forward => decoded.imm = place.pc().wrapping_add(gathered(word, FORWARD)),
            Masks => decoded.imm = bits(word, 0, 2),
            _ => {}
        }
    }

    /// Fills in an operand of an instruction of four bytes.
    fn read_wide(self, word: u32, place: Place, decoded: &mut Decoded) {
        let register = |from| bits(word, from, 4) as u8;
        let bit = |number| bits(word, number, 1);
        let backward = |up: u32, offset: u32| if up == 1 { offset } else { offset.wrapping_neg() };
        let aligned_pc = place.pc() & !3;
        match self {
            Rd | RdHi => decoded.rd = register(8),
            Rn | RnOrPc => decoded.rn = register(16),
            Rm => decoded.rm = register(0),
            Source | SourceTwice => decoded.rm = register(16),
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
                if alu::logical(operation) || operation == alu::ORN {
                    decoded.detail |= carry.map_or(0, |carry| SETS_CARRY | if carry { CARRY } else { 0 });
                }
            }
            Imm12 => constant(decoded, gathered(word, TWELVE)),
            Imm16 => constant(decoded, gathered(word, SIXTEEN)),
            FieldBegin => decoded.imm = gathered(word, FIVE),
            FieldWidth => {
                decoded.extra = bits(word, 0, 5) as u8 + 1;
            }
            Replaced => {
                let (lowest, highest) = (gathered(word, FIVE), bits(word, 0, 5));
                let mask = ((1_u64 << (highest + 1)) - 1) as u32;
                (decoded.imm, decoded.extra) = (mask >> lowest << lowest, lowest as u8);
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
            _ => {}
        }
    }

    /// Whether registers and constants that were read may stand together.
    fn makes_sense(self, word: u32, place: Place, decoded: &Decoded) -> bool {
        let Decoded { op, rd, rn, rm, extra, detail, imm, .. } = *decoded;
        let writes_back = detail & WRITEBACK != 0;
        match self {
            Conditions => !place.in_block && conditions_of(word).is_some(),
            Rd | Rt => rd != PC,
            Rn | RnHigh => rn != PC,
            Rm | RmHigh | ShiftedRm | RotatedRm | PackedRm | Source => rm != PC,
            SourceTwice => rm != PC && u32::from(rm) == bits(word, 0, 4),
            FieldWidth => imm + u32::from(extra) <= 32,
            Replaced => imm != 0,
            // The lower word of a product is read before the upper one.
            Ra | AmountRegister | RdLo => extra != PC,
            RdHi => rd != PC && rd != extra,
            SaturatedSource => rm != PC && (detail & TOP == 0 || extra != 0),
            RtGeneral | Status | StatusLast => general(rd),
            Rt2 => general(extra) && (op == Op::StorePair || rd != extra),
            RtStored => general(extra) && rd != extra,
            Address | ExclusiveOffset => rn != PC && (op != Op::StoreExclusive || rn != rd),
            Offset12 | OffsetUser | Index if rn == PC => false,
            Index => general(rm),
            Offset8 => rn != PC && detail & (BEFORE | WRITEBACK) != 0 && !(writes_back && rn == rd),
            PairOffset if rn == NONE => matches!(op, Op::LoadPair | Op::FloatLoad) && !writes_back,
            PairOffset => !(writes_back && (rn == rd || rn == extra)),
            TableIndex => rn != SP && general(rm),
            Base => rn != PC,
            PushList | PopList | ShortList => imm != 0,
            List => {
                let has = |register: u8| imm >> register & 1 == 1;
                let returns = has(PC) && (op != Op::LoadMultiple || has(LR));
                let overwritten = writes_back && has(rn);
                imm != 0 && !has(SP) && !returns && !overwritten
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
            PairOffset if rn == NONE => match signed(bit(23), 4 * bits(word, 0, 8)) {
                offset if offset.is_empty() => "[pc]".into(),
                offset => format!("[pc, {offset}]"),
            },
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
            _ => return self.float_text(decoded),
        })
    }
}

/// Returns the bits of `detail` for an offset that counts before the access, and for a base that moves.
fn moves(before: u32, base: u32) -> u8 {
    (if before == 1 { BEFORE } else { 0 }) | if base == 1 { WRITEBACK } else { 0 }
}

pub(super) const REGISTERS: [&str; 16] =
    ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"];
/// Names of conditions; the last but one is the one that always holds.
pub(super) const CONDITIONS: [&str; 16] =
    ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"];
const SHIFTS: [&str; 4] = ["lsl", "lsr", "asr", "ror"];
const MASKS: [&str; 4] = ["", "_g", "_nzcvq", "_nzcvqg"];

pub(super) fn name(register: u8) -> &'static str {
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

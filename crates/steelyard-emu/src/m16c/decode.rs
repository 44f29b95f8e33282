//! Decodes the bytes of an instruction into its operation, operands and cycles.

use super::timing::{BitCost, ByOperand, ByOperands, Cycles, Decimal, Product, Quotient};
use crate::profile::Class;

/// Length in bytes of the longest instruction: two of operation code, two displacements of a word, and an immediate
/// word.
pub const LONGEST: usize = 8;

// Numbers of registers in the file; a pair goes by its lower half.
pub const R0: u8 = 0;
pub const R1: u8 = 1;
pub const R2: u8 = 2;
pub const R3: u8 = 3;
pub const A0: u8 = 4;
pub const A1: u8 = 5;
pub const FB: u8 = 6;
pub const SB: u8 = 7;
/// Register number whose value is always 0: the base of an absolute address.
pub const ZERO: u8 = 8;
pub const SP: u8 = 9;
/// Mark of a byte register: the upper half of its word.
pub const HIGH: u8 = 0x80;

// What the operands of an instruction are; a source or destination without a mark is a register.
pub const FROM_MEMORY: u8 = 1;
pub const FROM_IMMEDIATE: u8 = 2;
/// Mark of an instruction whose source is a word.
pub const FROM_WORD: u8 = 4;
pub const TO_MEMORY: u8 = 8;
/// Mark of an instruction whose operation and destination are words.
pub const WORD: u8 = 16;

/// Operations of the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    Undecoded,
    Illegal,
    ChunkEnd,
    Stop,
    Move,
    Add,
    Adc,
    Sub,
    Sbb,
    And,
    Or,
    Xor,
    Compare,
    Test,
    Abs,
    /// Adds the carry alone.
    Adcf,
    Negate,
    Not,
    RotateLeftCarry,
    RotateRightCarry,
    Increment,
    Decrement,
    Rotate,
    ShiftLogical,
    ShiftArithmetic,
    /// Rotations and shifts by the count in R1H.
    RotateBy,
    ShiftLogicalBy,
    ShiftArithmeticBy,
    /// Shifts of a register pair; `imm` holds the count.
    LongLogical,
    LongArithmetic,
    LongLogicalBy,
    LongArithmeticBy,
    Multiply,
    MultiplyUnsigned,
    Divide,
    DivideUnsigned,
    DivideFloor,
    ExtendByte,
    ExtendWord,
    DecimalAdd,
    DecimalAdc,
    DecimalSub,
    DecimalSbb,
    Exchange,
    /// Nibble moves; `detail` tells which nibbles.
    NibbleLoad,
    NibbleStore,
    Address,
    PushAddress,
    /// Far accesses: the address is the base `src` plus 20 bits.
    FarLoad,
    FarStore,
    FarLoadIndirect,
    FarStoreIndirect,
    StoreIfZero,
    StoreIfNotZero,
    StoreEither,
    Push,
    Pop,
    PushMultiple,
    PopMultiple,
    PushControl,
    PopControl,
    Enter,
    ExitReturn,
    AddSp,
    BitClear,
    BitSet,
    BitNot,
    BitTest,
    BitTestNot,
    BitTestClear,
    BitTestSet,
    BitAnd,
    BitAndNot,
    BitOr,
    BitOrNot,
    BitXor,
    BitXorNot,
    BitMove,
    CarryMove,
    Branch,
    CountDown,
    Jump,
    JumpIndirect,
    JumpIndirectAbsolute,
    JumpSpecial,
    Call,
    CallIndirect,
    CallIndirectAbsolute,
    CallSpecial,
    Return,
    ReturnInterrupt,
    Interrupt,
    InterruptOverflow,
    Undefined,
    Break,
    StringMove,
    StringMoveDown,
    StringStore,
    ProductSum,
    LoadControl,
    StoreControl,
    StorePc,
    FlagSet,
    FlagClear,
    LoadLevel,
    LoadContext,
    StoreContext,
    Nop,
    Wait,
}

/// A decoded instruction.
#[derive(Debug, Clone, Copy)]
pub struct Decoded {
    pub op: Op,
    pub form: u8,
    /// Cycles without those that odd words, the queue, repetitions and a taken branch add.
    pub cycles: u8,
    pub length: u8,
    /// Number of the source register, or of the base of its address.
    pub src: u8,
    pub dst: u8,
    /// Cycles that each shifted place, each item or a taken branch adds, depending on the operation.
    pub more: u8,
    /// Condition, control register, nibbles or bit, depending on the operation.
    pub detail: u8,
    /// Displacement of the source; for a counted branch, the number added to the counter.
    pub src_disp: u16,
    pub dst_disp: u16,
    /// Immediate, target or far displacement.
    pub imm: u32,
}

impl Decoded {
    /// Returns an instruction without operands.
    pub const fn bare(op: Op) -> Self {
        Decoded {
            op,
            form: 0,
            cycles: 0,
            length: 0,
            src: 0,
            dst: 0,
            more: 0,
            detail: 0,
            src_disp: 0,
            dst_disp: 0,
            imm: 0,
        }
    }
}

/// Mark in [`Decoded::detail`] of a bit whose position is in an address register.
pub const BIT_INDEXED: u8 = 0x80;

/// Mask of the four-bit condition codes that `Jcnd` and `BMcnd C` define.
const CONDITIONS: u16 = 0b0111_0111_1111_1111;

/// Returns the condition of the condition byte of `BMcnd dest`, `None` if it is undefined.
fn condition_byte(byte: u8) -> Option<u8> {
    match byte {
        0x00..=0x03 => Some(byte),
        0x04..=0x06 => Some(byte + 4),
        0xf8..=0xfb => Some(byte - 0xf4),
        0xfc..=0xfe => Some(byte - 0xf0),
        _ => None,
    }
}

/// Bytes of an instruction, read in order.
struct Reader<'a> {
    bytes: &'a [u8],
    used: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.used).copied();
        self.used += 1;
        byte
    }

    fn word(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }

    fn address(&mut self) -> Option<u32> {
        Some(u32::from(self.word()?) | u32::from(self.byte()?) << 16)
    }

    fn immediate(&mut self, word: bool) -> Option<u32> {
        if word {
            self.word().map(u32::from)
        } else {
            self.byte().map(u32::from)
        }
    }
}

/// A source or destination operand.
#[derive(Clone, Copy)]
struct Operand {
    memory: bool,
    /// Number of the register, or of the base of the address.
    register: u8,
    disp: u16,
}

impl Operand {
    fn register(register: u8) -> Self {
        Operand { memory: false, register, disp: 0 }
    }

    fn memory(register: u8, disp: u16) -> Self {
        Operand { memory: true, register, disp }
    }

    fn is_address_register(self) -> bool {
        !self.memory && matches!(self.register, A0 | A1)
    }
}

impl ByOperand {
    fn of(self, operand: Operand) -> u8 {
        if operand.memory {
            self.memory
        } else {
            self.register
        }
    }
}

impl ByOperands {
    fn of(self, src: Operand, dst: Operand) -> u8 {
        match (src.memory, dst.memory) {
            (false, false) => self.register_register,
            (false, true) => self.register_memory,
            (true, false) => self.memory_register,
            (true, true) => self.memory_memory,
        }
    }
}

fn sign_extended(byte: u8) -> u16 {
    i16::from(byte as i8) as u16
}

/// Returns the immediate from -8 to +7 that four bits encode.
fn quick(code: u8) -> u32 {
    u32::from(sign_extended(if code & 8 != 0 { code | 0xf0 } else { code & 7 }))
}

/// Returns the count from -8 to -1 and +1 to +8 that four bits encode.
fn places(code: u8) -> i8 {
    if code & 8 != 0 {
        -((code & 7) as i8) - 1
    } else {
        (code & 7) as i8 + 1
    }
}

impl Reader<'_> {
    /// Reads an operand encoded in four bits.
    fn operand(&mut self, code: u8, word: bool) -> Option<Operand> {
        Some(match code & 15 {
            // R0L, R0H, R1L, R1H
            number @ 0..=3 if !word => Operand::register(number >> 1 | if number & 1 != 0 { HIGH } else { 0 }),
            number @ 0..=5 => Operand::register(number),
            6 => Operand::memory(A0, 0),
            7 => Operand::memory(A1, 0),
            8 => Operand::memory(A0, u16::from(self.byte()?)),
            9 => Operand::memory(A1, u16::from(self.byte()?)),
            10 => Operand::memory(SB, u16::from(self.byte()?)),
            11 => Operand::memory(FB, sign_extended(self.byte()?)),
            12 => Operand::memory(A0, self.word()?),
            13 => Operand::memory(A1, self.word()?),
            14 => Operand::memory(SB, self.word()?),
            _ => Operand::memory(ZERO, self.word()?),
        })
    }

    /// Reads a destination of the short formats, encoded in three bits.
    fn short(&mut self, code: u8) -> Option<Operand> {
        let number = match code & 7 {
            3 => 1,
            4 => 0,
            5 => 10,
            6 => 11,
            7 => 15,
            _ => return None,
        };
        self.operand(number, false)
    }

    /// Reads a source of the short formats, encoded in two bits; `other` is the register among them.
    fn short_source(&mut self, code: u8, other: u8) -> Option<Operand> {
        match code & 3 {
            0 => Some(Operand::register(other)),
            1 => self.operand(10, false),
            2 => self.operand(11, false),
            _ => self.operand(15, false),
        }
    }

    /// Reads the operand of an indirect jump.
    fn jump_operand(&mut self, code: u8) -> Option<(Operand, u32)> {
        match code & 15 {
            number @ (12 | 13) => {
                let disp = self.address()?;
                Some((Operand::memory(if number == 12 { A0 } else { A1 }, disp as u16), disp >> 16))
            }
            _ => Some((self.operand(code, true)?, 0)),
        }
    }
}

const R0L: u8 = R0;
const R0H: u8 = R0 | HIGH;

/// An instruction under construction.
struct Builder<'a, 'b> {
    reader: Reader<'a>,
    cycles: &'b Cycles,
    address: u32,
    made: Decoded,
}

/// Decodes the instruction at an address from at least [`LONGEST`] bytes, or from those before memory ends.
pub fn decode(bytes: &[u8], address: u32, cycles: &Cycles) -> Decoded {
    let mut builder = Builder { reader: Reader { bytes, used: 0 }, cycles, address, made: Decoded::bare(Op::Illegal) };
    match builder.instruction() {
        Some(()) => Decoded { length: builder.reader.used as u8, ..builder.made },
        None => Decoded::bare(Op::Illegal),
    }
}

impl Builder<'_, '_> {
    fn simple(&mut self, op: Op, cycles: u8) -> Option<()> {
        self.made.op = op;
        self.made.cycles = cycles;
        Some(())
    }

    fn source(&mut self, operand: Operand, word: bool) {
        self.made.src = operand.register;
        self.made.src_disp = operand.disp;
        self.made.form |= if operand.memory { FROM_MEMORY } else { 0 } | if word { FROM_WORD } else { 0 };
    }

    fn destination(&mut self, operand: Operand, word: bool) {
        self.made.dst = operand.register;
        self.made.dst_disp = operand.disp;
        self.made.form |= if operand.memory { TO_MEMORY } else { 0 } | if word { WORD } else { 0 };
    }

    fn immediate(&mut self, value: u32) {
        self.made.imm = value;
        self.made.form |= FROM_IMMEDIATE;
    }

    fn target(&mut self, target: u32) {
        self.made.imm = target & super::memory::ADDRESS_MASK;
    }

    /// Whether an operation works on words: a byte for an address register is extended to a word with zeros.
    fn widened(word: bool, dst: Operand) -> bool {
        word || dst.is_address_register()
    }

    fn two(&mut self, op: Op, codes: u8, word: bool, cost: ByOperands) -> Option<()> {
        let src = self.reader.operand(codes >> 4, word)?;
        let dst = self.reader.operand(codes, word)?;
        self.source(src, word);
        self.destination(dst, Self::widened(word, dst));
        self.simple(op, cost.of(src, dst))
    }

    fn with_immediate(&mut self, op: Op, code: u8, word: bool, cost: ByOperand) -> Option<()> {
        let dst = self.reader.operand(code, word)?;
        let value = self.reader.immediate(word)?;
        self.immediate(value);
        self.destination(dst, Self::widened(word, dst));
        self.simple(op, cost.of(dst))
    }

    fn with_quick(&mut self, op: Op, codes: u8, word: bool, cost: ByOperand) -> Option<()> {
        let dst = self.reader.operand(codes, word)?;
        self.immediate(quick(codes >> 4) & if word { 0xffff } else { 0xff });
        self.destination(dst, Self::widened(word, dst));
        self.simple(op, cost.of(dst))
    }

    fn short_immediate(&mut self, op: Op, code: u8, cost: ByOperand) -> Option<()> {
        let value = self.reader.immediate(false)?;
        let dst = self.reader.short(code)?;
        self.immediate(value);
        self.destination(dst, false);
        self.simple(op, cost.of(dst))
    }

    fn short_source(&mut self, op: Op, opcode: u8, cost: ByOperand) -> Option<()> {
        let (dst, other) = if opcode & 4 == 0 { (R0L, R0H) } else { (R0H, R0L) };
        let src = self.reader.short_source(opcode, other)?;
        self.source(src, false);
        self.destination(Operand::register(dst), false);
        self.simple(op, cost.of(src))
    }

    fn one(&mut self, op: Op, code: u8, word: bool, cost: ByOperand) -> Option<()> {
        let dst = self.reader.operand(code, word)?;
        self.destination(dst, word);
        self.simple(op, cost.of(dst))
    }

    fn one_short(&mut self, op: Op, code: u8, cost: ByOperand) -> Option<()> {
        let dst = self.reader.short(code)?;
        self.destination(dst, false);
        self.simple(op, cost.of(dst))
    }

    fn product(&mut self, op: Op, src: Option<u8>, dst: u8, word: bool, cost: Product) -> Option<()> {
        let src = match src {
            Some(code) => Some(self.reader.operand(code, word)?),
            None => None,
        };
        // The result is twice as wide: R1, R0 and the pairs that begin with them, A0 and A1A0, or memory.
        let widened = match (dst & 15, word) {
            (0 | 2, false) | (0 | 1, true) | (4 | 6..=15, _) => self.reader.operand(dst, word)?,
            _ => return None,
        };
        let cycles = match src {
            Some(src) => {
                self.source(src, word);
                cost.operands.of(src, widened)
            }
            None => {
                let value = self.reader.immediate(word)?;
                self.immediate(value);
                cost.immediate.of(widened)
            }
        };
        self.destination(widened, word);
        self.simple(op, cycles + if word { cost.word } else { 0 })
    }

    fn quotient(&mut self, op: Op, src: Option<u8>, word: bool, cost: Quotient) -> Option<()> {
        let cycles = match src {
            Some(code) => {
                let src = self.reader.operand(code, word)?;
                self.source(src, word);
                cost.source.of(src)
            }
            None => {
                let value = self.reader.immediate(word)?;
                self.immediate(value);
                cost.immediate
            }
        };
        self.made.form |= if word { WORD } else { 0 };
        self.simple(op, cycles + if word { cost.word } else { 0 })
    }

    fn decimal(&mut self, op: Op, immediate: bool, word: bool, cost: Decimal) -> Option<()> {
        if immediate {
            let value = self.reader.immediate(word)?;
            self.immediate(value);
        } else {
            self.source(Operand::register(if word { R1 } else { R0H }), word);
        }
        self.destination(Operand::register(R0), word);
        self.simple(op, if immediate { cost.immediate } else { cost.register })
    }

    fn shift(&mut self, op: Op, codes: u8, word: bool) -> Option<()> {
        let cost = self.cycles.shift;
        let dst = self.reader.operand(codes, word)?;
        self.made.imm = places(codes >> 4) as u32;
        self.destination(dst, word);
        self.made.more = cost.per_place;
        self.simple(op, cost.immediate.of(dst))
    }

    fn shift_by(&mut self, op: Op, code: u8, word: bool) -> Option<()> {
        let cost = self.cycles.shift;
        let dst = self.reader.operand(code, word)?;
        self.destination(dst, word);
        self.made.more = cost.per_place;
        self.simple(op, cost.by_register.of(dst))
    }

    fn long_shift(&mut self, op: Op, pair: u8, count: Option<u8>) -> Option<()> {
        let cost = self.cycles.shift_long;
        self.made.dst = if pair & 0x10 != 0 { R1 } else { R0 };
        self.made.imm = count.map_or(0, |code| places(code) as u32);
        self.made.more = cost.per_place;
        self.simple(op, if count.is_some() { cost.immediate } else { cost.by_register })
    }

    fn nibbles(&mut self, op: Op, kind: u8, code: u8, straight: ByOperand, crossed: ByOperand) -> Option<()> {
        if matches!(code & 15, 0 | 4 | 5) {
            return None;
        }
        let operand = self.reader.operand(code, false)?;
        if op == Op::NibbleLoad {
            self.source(operand, false);
        } else {
            self.destination(operand, false);
        }
        self.made.detail = kind & 3;
        self.simple(op, if matches!(kind & 3, 0 | 3) { straight } else { crossed }.of(operand))
    }

    /// Reads a bit operand: a bit of a register, or a bit at a position counted from the byte at a base.
    fn bit(&mut self, op: Op, code: u8, cost: BitCost) -> Option<()> {
        let made = &mut self.made;
        let cycles = match code & 15 {
            number @ 0..=5 => {
                made.dst = number;
                made.detail = self.reader.byte()? & 15;
                cost.register
            }
            number @ (6..=9 | 12 | 13) => {
                made.dst = if number & 1 == 0 { A0 } else { A1 };
                made.dst_disp = match number {
                    6 | 7 => 0,
                    8 | 9 => u16::from(self.reader.byte()?),
                    _ => self.reader.word()?,
                };
                made.detail = BIT_INDEXED;
                made.form = TO_MEMORY;
                cost.indexed
            }
            number => {
                // The place is a byte's, and a bit's in its lowest three bits.
                let (base, place) = match number {
                    10 => (SB, u16::from(self.reader.byte()?)),
                    11 => (FB, sign_extended(self.reader.byte()?)),
                    14 => (SB, self.reader.word()?),
                    _ => (ZERO, self.reader.word()?),
                };
                made.dst = base;
                made.dst_disp = if number == 11 { ((place as i16) >> 3) as u16 } else { place >> 3 };
                made.detail = place as u8 & 7;
                made.form = TO_MEMORY;
                cost.memory
            }
        };
        self.simple(op, cycles)
    }

    fn short_bit(&mut self, op: Op, opcode: u8) -> Option<()> {
        let byte = self.reader.byte()?;
        self.destination(Operand::memory(SB, u16::from(byte)), false);
        self.made.detail = opcode & 7;
        self.simple(op, self.cycles.bit_short)
    }

    fn relative(&mut self, offset: u32) -> Option<()> {
        let byte = self.reader.byte()?;
        self.target(self.address.wrapping_add(offset).wrapping_add(i32::from(byte as i8) as u32));
        Some(())
    }

    fn relative_word(&mut self) -> Option<()> {
        let word = self.reader.word()?;
        self.target(self.address.wrapping_add(1).wrapping_add(i32::from(word as i16) as u32));
        Some(())
    }

    fn branch(&mut self, condition: u8, offset: u32, signed: bool) -> Option<()> {
        self.relative(offset)?;
        let cost = if signed { self.cycles.branch_signed } else { self.cycles.branch };
        self.made.detail = condition;
        self.made.more = cost.taken.checked_sub(cost.not_taken)?;
        self.simple(Op::Branch, cost.not_taken)
    }

    fn indirect(&mut self, op: Op, code: u8, cost: ByOperand) -> Option<()> {
        let (src, upper) = self.reader.jump_operand(code)?;
        self.source(src, true);
        self.made.imm = upper;
        if matches!(op, Op::JumpIndirectAbsolute | Op::CallIndirectAbsolute) && !src.memory {
            // R2R0, R3R1 and A1A0.
            if !matches!(src.register, R0 | R1 | A0) {
                return None;
            }
        }
        self.simple(op, cost.of(src))
    }

    fn far(&mut self, op: Op, code: u8, word: bool, base: Option<u8>, cost: ByOperand) -> Option<()> {
        let operand = self.reader.operand(code, word)?;
        if matches!(op, Op::FarStore | Op::FarStoreIndirect) {
            self.source(operand, word);
            self.made.form |= if word { WORD } else { 0 };
        } else {
            self.destination(operand, word);
            self.made.form |= if word { FROM_WORD } else { 0 };
        }
        if let Some(base) = base {
            self.made.imm = self.reader.address()?;
            // The base of the far address takes the place of the operand that is not there.
            self.made.detail = base;
        }
        self.simple(op, cost.of(operand))
    }

    fn instruction(&mut self) -> Option<()> {
        let cycles = self.cycles;
        let opcode = self.reader.byte()?;
        let word = opcode & 1 != 0;
        match opcode {
            0x00 => self.simple(Op::Break, cycles.r#break),
            0x04 => self.simple(Op::Nop, cycles.nop),
            0x01..=0x07 => {
                let dst = self.reader.short_source(opcode, 0)?;
                self.source(Operand::register(if opcode & 4 == 0 { R0L } else { R0H }), false);
                self.destination(dst, false);
                self.simple(Op::Move, cycles.move_short_store)
            }
            0x08..=0x0f => self.short_source(Op::Move, opcode, cycles.move_short),
            0x10..=0x17 => self.short_source(Op::And, opcode, cycles.short),
            0x18..=0x1f => self.short_source(Op::Or, opcode, cycles.short),
            0x20..=0x27 => self.short_source(Op::Add, opcode, cycles.short),
            0x28..=0x2f => self.short_source(Op::Sub, opcode, cycles.short),
            0x30..=0x37 => {
                let src = self.reader.short_source(opcode, if opcode & 4 == 0 { R0H } else { R0L })?;
                self.source(src, false);
                self.destination(Operand::register(if opcode & 4 == 0 { A0 } else { A1 }), true);
                self.simple(Op::Move, cycles.move_short.of(src))
            }
            0x38..=0x3f => self.short_source(Op::Compare, opcode, cycles.short),
            0x40..=0x47 => self.short_bit(Op::BitClear, opcode),
            0x48..=0x4f => self.short_bit(Op::BitSet, opcode),
            0x50..=0x57 => self.short_bit(Op::BitNot, opcode),
            0x58..=0x5f => self.short_bit(Op::BitTest, opcode),
            0x60..=0x67 => {
                self.target(self.address.wrapping_add(2 + u32::from(opcode & 7)));
                self.simple(Op::Jump, cycles.jump_short)
            }
            0x68..=0x6f => self.branch(opcode & 7, 1, false),
            0x70 | 0x71 | 0x78 | 0x79 => {
                let codes = self.reader.byte()?;
                let op = if opcode & 8 == 0 { Op::MultiplyUnsigned } else { Op::Multiply };
                self.product(op, Some(codes >> 4), codes, word, cycles.multiply)
            }
            0x72 | 0x73 => {
                let codes = self.reader.byte()?;
                self.two(Op::Move, codes, word, cycles.r#move)
            }
            0x74 | 0x75 => self.group_74(word),
            0x76 | 0x77 => self.group_76(word),
            0x7a | 0x7b => self.group_7a(word),
            0x7c | 0x7d => self.group_7c(word),
            0x7e => self.group_7e(),
            0x82 | 0x8a | 0xc2 | 0xca => {
                let word = opcode & 0x40 != 0;
                let high = opcode & 8 != 0;
                let register = match (word, high) {
                    (false, false) => R0L,
                    (false, true) => R0H,
                    (true, false) => A0,
                    (true, true) => A1,
                };
                self.source(Operand::register(register), word);
                self.simple(Op::Push, cycles.push_short)
            }
            0x92 | 0x9a | 0xd2 | 0xda => {
                let word = opcode & 0x40 != 0;
                let high = opcode & 8 != 0;
                let register = match (word, high) {
                    (false, false) => R0L,
                    (false, true) => R0H,
                    (true, false) => A0,
                    (true, true) => A1,
                };
                self.destination(Operand::register(register), word);
                self.simple(Op::Pop, cycles.pop_short)
            }
            0xa2 | 0xaa | 0xe2 | 0xea => {
                let value = self.reader.immediate(opcode & 0x40 == 0)?;
                self.immediate(value);
                self.destination(Operand::register(if opcode & 8 == 0 { A0 } else { A1 }), true);
                self.simple(Op::Move, cycles.move_address_immediate)
            }
            0xb2 | 0xba | 0xf2 | 0xfa => {
                self.destination(Operand::register(if opcode & 8 == 0 { A0 } else { A1 }), true);
                self.simple(if opcode & 0x40 == 0 { Op::Increment } else { Op::Decrement }, cycles.step.register)
            }
            0x80
            | 0x81
            | 0x88..=0x89
            | 0x90..=0x91
            | 0x98..=0x99
            | 0xa0
            | 0xa1
            | 0xa8
            | 0xa9
            | 0xb0
            | 0xb1
            | 0xb8
            | 0xb9
            | 0xc0
            | 0xc1 => {
                let codes = self.reader.byte()?;
                let (op, cost) = match opcode & 0xfe {
                    0x80 => (Op::Test, cycles.compare),
                    0x88 => (Op::Xor, cycles.arithmetic),
                    0x90 => (Op::And, cycles.arithmetic),
                    0x98 => (Op::Or, cycles.arithmetic),
                    0xa0 => (Op::Add, cycles.arithmetic),
                    0xa8 => (Op::Sub, cycles.arithmetic),
                    0xb0 => (Op::Adc, cycles.arithmetic),
                    0xb8 => (Op::Sbb, cycles.arithmetic),
                    _ => (Op::Compare, cycles.compare),
                };
                self.two(op, codes, word, cost)
            }
            0x83..=0x87 => self.short_immediate(Op::Add, opcode, cycles.short_immediate),
            0x8b..=0x8f => self.short_immediate(Op::Sub, opcode, cycles.short_immediate),
            0x93..=0x97 => self.short_immediate(Op::And, opcode, cycles.short_immediate),
            0x9b..=0x9f => self.short_immediate(Op::Or, opcode, cycles.short_immediate),
            0xe3..=0xe7 => self.short_immediate(Op::Compare, opcode, cycles.short_immediate),
            0xc3..=0xc7 => self.short_immediate(Op::Move, opcode, cycles.move_short_immediate),
            0xa3..=0xa7 => self.one_short(Op::Increment, opcode, cycles.step),
            0xab..=0xaf => self.one_short(Op::Decrement, opcode, cycles.step),
            0xbb..=0xbf => self.one_short(Op::Not, opcode, cycles.step),
            0xb3..=0xb7 => {
                self.immediate(0);
                self.one_short(Op::Move, opcode, cycles.move_zero)
            }
            0xcb..=0xcf => self.short_immediate(Op::StoreIfZero, opcode, cycles.store_if),
            0xd3..=0xd7 => self.short_immediate(Op::StoreIfNotZero, opcode, cycles.store_if),
            0xdb..=0xdf => {
                let if_zero = self.reader.byte()?;
                let dst = self.reader.short(opcode)?;
                let otherwise = self.reader.byte()?;
                self.immediate(u32::from(if_zero) | u32::from(otherwise) << 8);
                self.destination(dst, false);
                self.simple(Op::StoreEither, cycles.store_either.of(dst))
            }
            0xc8 | 0xc9 => {
                let codes = self.reader.byte()?;
                self.with_quick(Op::Add, codes, word, cycles.add_quick)
            }
            0xd0 | 0xd1 => {
                let codes = self.reader.byte()?;
                self.with_quick(Op::Compare, codes, word, cycles.compare_quick)
            }
            0xd8 | 0xd9 => {
                let codes = self.reader.byte()?;
                self.with_quick(Op::Move, codes, word, cycles.move_quick)
            }
            0xe0 | 0xe1 | 0xe8 | 0xe9 | 0xf0 | 0xf1 => {
                let codes = self.reader.byte()?;
                let op = match opcode & 0xfe {
                    0xe0 => Op::Rotate,
                    0xe8 => Op::ShiftLogical,
                    _ => Op::ShiftArithmetic,
                };
                self.shift(op, codes, word)
            }
            0xeb => self.group_eb(),
            0xec | 0xed => {
                self.made.imm = u32::from(self.reader.byte()?);
                let (op, cost) = if opcode == 0xec {
                    (Op::PushMultiple, cycles.push_multiple)
                } else {
                    (Op::PopMultiple, cycles.pop_multiple)
                };
                self.made.more = cost.per_item;
                self.simple(op, cost.base)
            }
            0xee | 0xef => {
                let number = self.reader.byte()?;
                self.target(0xf_fffe - 2 * u32::from(number));
                if opcode == 0xee {
                    self.simple(Op::JumpSpecial, cycles.jump_special)
                } else {
                    self.simple(Op::CallSpecial, cycles.call_special)
                }
            }
            0xf3 => self.simple(Op::Return, cycles.r#return),
            0xf4 => {
                self.relative_word()?;
                self.simple(Op::Jump, cycles.jump_word)
            }
            0xf5 => {
                self.relative_word()?;
                self.simple(Op::Call, cycles.call_word)
            }
            0xf6 => {
                self.made.more = cycles.interrupt;
                self.simple(Op::InterruptOverflow, cycles.interrupt_overflow)
            }
            0xf8 | 0xf9 => {
                let codes = self.reader.byte()?;
                let dst = self.reader.operand(codes, word)?;
                self.destination(dst, word);
                self.relative(2)?;
                self.made.src_disp = quick(codes >> 4) as u16;
                self.made.more = cycles.count_down_taken;
                self.simple(Op::CountDown, cycles.count_down.of(dst))
            }
            0xfb => self.simple(Op::ReturnInterrupt, cycles.return_interrupt),
            0xfc | 0xfd => {
                let target = self.reader.address()?;
                self.target(target);
                if opcode == 0xfc {
                    self.simple(Op::Jump, cycles.jump_absolute)
                } else {
                    self.simple(Op::Call, cycles.call_absolute)
                }
            }
            0xfe => {
                self.relative(1)?;
                self.simple(Op::Jump, cycles.jump_byte)
            }
            0xff => self.simple(Op::Undefined, cycles.undefined),
            _ => None,
        }
    }

    fn group_74(&mut self, word: bool) -> Option<()> {
        let cycles = self.cycles;
        let code = self.reader.byte()?;
        match code >> 4 {
            0x0 => self.far(Op::FarStore, code, word, Some(ZERO), cycles.far_store),
            0x1 => self.far(Op::FarStore, code, word, Some(A0), cycles.far_store),
            0x2 => self.far(Op::FarStoreIndirect, code, word, None, cycles.far_store_indirect),
            0x3 => {
                let src = self.reader.operand(code, word)?;
                let disp = sign_extended(self.reader.byte()?);
                self.source(src, word);
                self.destination(Operand::memory(SP, disp), word);
                self.simple(Op::Move, cycles.move_to_stack.of(src))
            }
            0x4 => {
                let src = self.reader.operand(code, word)?;
                self.source(src, word);
                self.simple(Op::Push, cycles.push.of(src))
            }
            0x5 => self.one(Op::Negate, code, word, cycles.unary),
            0x6 => self.shift_by(Op::RotateBy, code, word),
            0x7 => self.one(Op::Not, code, word, cycles.unary),
            0x8 => self.far(Op::FarLoad, code, word, Some(ZERO), cycles.far_load),
            0x9 => self.far(Op::FarLoad, code, word, Some(A0), cycles.far_load),
            0xa => self.far(Op::FarLoadIndirect, code, word, None, cycles.far_load_indirect),
            0xb => {
                let dst = self.reader.operand(code, word)?;
                let disp = sign_extended(self.reader.byte()?);
                self.source(Operand::memory(SP, disp), word);
                self.destination(dst, Self::widened(word, dst));
                self.simple(Op::Move, cycles.move_from_stack.of(dst))
            }
            0xc => self.with_immediate(Op::Move, code, word, cycles.move_immediate),
            0xd => self.one(Op::Pop, code, word, cycles.pop),
            0xe => self.shift_by(Op::ShiftLogicalBy, code, word),
            _ => self.shift_by(Op::ShiftArithmeticBy, code, word),
        }
    }

    fn group_76(&mut self, word: bool) -> Option<()> {
        let cycles = self.cycles;
        let code = self.reader.byte()?;
        let (op, cost) = match code >> 4 {
            0x0 => (Op::Test, cycles.compare_immediate),
            0x1 => (Op::Xor, cycles.arithmetic_immediate),
            0x2 => (Op::And, cycles.arithmetic_immediate),
            0x3 => (Op::Or, cycles.arithmetic_immediate),
            0x4 => (Op::Add, cycles.arithmetic_immediate),
            0x5 => (Op::Sub, cycles.arithmetic_immediate),
            0x6 => (Op::Adc, cycles.arithmetic_immediate),
            0x7 => (Op::Sbb, cycles.arithmetic_immediate),
            0x8 => (Op::Compare, cycles.compare_immediate),
            0x9 => return self.quotient(Op::DivideFloor, Some(code), word, cycles.divide_floor),
            0xa => return self.one(Op::RotateLeftCarry, code, word, cycles.unary),
            0xb => return self.one(Op::RotateRightCarry, code, word, cycles.unary),
            0xc => return self.quotient(Op::DivideUnsigned, Some(code), word, cycles.divide_unsigned),
            0xd => return self.quotient(Op::Divide, Some(code), word, cycles.divide),
            0xe => return self.one(Op::Adcf, code, word, cycles.unary),
            _ => return self.one(Op::Abs, code, word, cycles.abs),
        };
        self.with_immediate(op, code, word, cost)
    }

    fn group_7a(&mut self, word: bool) -> Option<()> {
        let cycles = self.cycles;
        let code = self.reader.byte()?;
        if code & 0x80 == 0 {
            if code & 0x40 != 0 {
                return None;
            }
            let src = self.reader.operand(code >> 4, word)?;
            let dst = self.reader.operand(code, word)?;
            self.source(src, word);
            self.destination(dst, word);
            return self.simple(Op::Exchange, cycles.exchange.of(dst));
        }
        let control = code >> 4 & 7;
        if control == 0 {
            return None;
        }
        self.made.detail = control;
        let operand = self.reader.operand(code, true)?;
        if word {
            self.destination(operand, true);
            return self.simple(Op::StoreControl, cycles.store_control.of(operand));
        }
        self.source(operand, true);
        self.simple(Op::LoadControl, cycles.load_control.of(operand))
    }

    fn group_7c(&mut self, word: bool) -> Option<()> {
        let cycles = self.cycles;
        let code = self.reader.byte()?;
        match (code >> 4, word) {
            (kind @ 0..=3, false) => {
                self.nibbles(Op::NibbleLoad, kind, code, cycles.nibble_load, cycles.nibble_load_crossed)
            }
            (0, true) => self.indirect(Op::JumpIndirectAbsolute, code, cycles.jump_indirect_absolute),
            (1, true) => self.indirect(Op::CallIndirectAbsolute, code, cycles.call_indirect_absolute),
            (2, true) => self.indirect(Op::JumpIndirect, code, cycles.jump_indirect),
            (3, true) => self.indirect(Op::CallIndirect, code, cycles.call_indirect),
            (4, _) => self.product(Op::MultiplyUnsigned, None, code, word, cycles.multiply),
            (5, _) => self.product(Op::Multiply, None, code, word, cycles.multiply),
            (6, false) => {
                if matches!(code & 15, 1 | 3 | 4 | 5) {
                    return None;
                }
                self.one(Op::ExtendByte, code, false, cycles.extend_byte)
            }
            (kind @ 8..=11, false) => {
                self.nibbles(Op::NibbleStore, kind, code, cycles.nibble_store, cycles.nibble_store_crossed)
            }
            (9, true) => {
                let src = self.reader.operand(code, true).filter(|src| src.memory && code & 15 >= 8)?;
                self.source(src, true);
                self.simple(Op::PushAddress, cycles.push_address)
            }
            (10, true) => {
                if code & 8 != 0 {
                    return None;
                }
                self.made.detail = code & 7;
                self.simple(Op::LoadLevel, cycles.load_level)
            }
            (11, true) => {
                self.immediate(quick(code));
                self.destination(Operand::register(SP), true);
                self.simple(Op::AddSp, cycles.add_sp_quick)
            }
            (12, true) => {
                let condition = code & 15;
                if CONDITIONS >> condition & 1 == 0 || condition < 8 {
                    return None;
                }
                self.branch(condition, 2, true)
            }
            (12, false) => {
                let dst = self.reader.operand(code, true)?;
                if !dst.memory && !matches!(dst.register, R0 | R1 | A0) {
                    return None;
                }
                self.destination(dst, true);
                self.simple(Op::StorePc, cycles.store_pc.of(dst))
            }
            (13, true) => {
                let condition = code & 15;
                if CONDITIONS >> condition & 1 == 0 {
                    return None;
                }
                self.made.detail = condition;
                self.simple(Op::CarryMove, cycles.bit_move_carry)
            }
            (14, _) => self.group_7c_e(code, word),
            (15, _) => self.group_7c_f(code, word),
            _ => None,
        }
    }

    fn group_7c_e(&mut self, code: u8, word: bool) -> Option<()> {
        let cycles = self.cycles;
        match code & 15 {
            0x0 => self.quotient(Op::DivideUnsigned, None, word, cycles.divide_unsigned),
            0x1 => self.quotient(Op::Divide, None, word, cycles.divide),
            0x2 => {
                let value = self.reader.immediate(word)?;
                self.immediate(value);
                self.made.form |= if word { FROM_WORD } else { 0 };
                self.simple(Op::Push, cycles.push_immediate)
            }
            0x3 => self.quotient(Op::DivideFloor, None, word, cycles.divide_floor),
            0x8 | 0x9 => {
                self.made.form = if word { WORD } else { 0 };
                self.made.more = cycles.string_move.per_item;
                let op = if code & 1 == 0 { Op::StringMove } else { Op::StringMoveDown };
                self.simple(op, cycles.string_move.base)
            }
            0xa => {
                self.made.form = if word { WORD } else { 0 };
                self.made.more = cycles.string_store.per_item;
                self.simple(Op::StringStore, cycles.string_store.base)
            }
            0xb => {
                let value = self.reader.immediate(word)?;
                self.immediate(if word { value } else { u32::from(sign_extended(value as u8)) });
                self.destination(Operand::register(SP), true);
                self.simple(Op::AddSp, cycles.add_sp)
            }
            kind => {
                let (op, cost) = match kind & 3 {
                    0 => (Op::DecimalAdd, cycles.decimal_add),
                    1 => (Op::DecimalSub, cycles.decimal_subtract),
                    2 => (Op::DecimalAdc, cycles.decimal_add),
                    _ => (Op::DecimalSbb, cycles.decimal_subtract),
                };
                self.decimal(op, kind & 8 != 0, word, cost)
            }
        }
    }

    fn group_7c_f(&mut self, code: u8, word: bool) -> Option<()> {
        let cycles = self.cycles;
        match (code & 15, word) {
            (0, _) => {
                self.made.src_disp = self.reader.word()?;
                self.made.imm = self.reader.address()?;
                let (op, cost) = if word {
                    (Op::StoreContext, cycles.store_context)
                } else {
                    (Op::LoadContext, cycles.load_context)
                };
                self.made.more = cost.per_item;
                self.simple(op, cost.base)
            }
            (1, _) => {
                self.made.form = if word { WORD } else { 0 };
                let cost = if word { cycles.product_sum_word } else { cycles.product_sum_byte };
                self.made.more = cost.per_item;
                self.simple(Op::ProductSum, cost.base)
            }
            (2, false) => {
                self.made.imm = u32::from(self.reader.byte()?);
                self.simple(Op::Enter, cycles.enter)
            }
            (2, true) => self.simple(Op::ExitReturn, cycles.exit),
            (3, false) => self.simple(Op::ExtendWord, cycles.extend_word),
            (3, true) => self.simple(Op::Wait, 0),
            _ => None,
        }
    }

    fn group_7e(&mut self) -> Option<()> {
        let cycles = self.cycles;
        let code = self.reader.byte()?;
        match code >> 4 {
            0x0 => self.bit(Op::BitTestClear, code, cycles.bit_other),
            0x1 => self.bit(Op::BitTestSet, code, cycles.bit_other),
            0x2 => {
                self.bit(Op::BitMove, code, cycles.bit_move)?;
                self.made.more = condition_byte(self.reader.byte()?)?;
                Some(())
            }
            0x3 => self.bit(Op::BitTestNot, code, cycles.bit_other),
            0x4 => self.bit(Op::BitAnd, code, cycles.bit_other),
            0x5 => self.bit(Op::BitAndNot, code, cycles.bit_other),
            0x6 => self.bit(Op::BitOr, code, cycles.bit_other),
            0x7 => self.bit(Op::BitOrNot, code, cycles.bit_other),
            0x8 => self.bit(Op::BitClear, code, cycles.bit_change),
            0x9 => self.bit(Op::BitSet, code, cycles.bit_change),
            0xa => self.bit(Op::BitNot, code, cycles.bit_change),
            0xb => self.bit(Op::BitTest, code, cycles.bit_test),
            0xc => self.bit(Op::BitXor, code, cycles.bit_other),
            0xd => self.bit(Op::BitXorNot, code, cycles.bit_other),
            _ => None,
        }
    }

    fn group_eb(&mut self) -> Option<()> {
        let cycles = self.cycles;
        let code = self.reader.byte()?;
        if code & 0xc0 == 0xc0 {
            self.made.detail = code & 0x3f;
            return self.simple(Op::Interrupt, cycles.interrupt);
        }
        let control = code >> 4 & 7;
        match (code & 0x80 != 0, code & 15) {
            (false, 0x0) if control != 0 => {
                let value = u32::from(self.reader.word()?);
                self.immediate(value);
                self.made.detail = control;
                self.simple(Op::LoadControl, cycles.load_control_immediate)
            }
            (false, 0x1) => match code {
                0x01 | 0x11 => self.long_shift(Op::LongLogicalBy, code, None),
                0x21 | 0x31 => self.long_shift(Op::LongArithmeticBy, code, None),
                _ => None,
            },
            (false, 0x2) if control != 0 => {
                self.made.detail = control;
                self.simple(Op::PushControl, cycles.push_control)
            }
            (false, 0x3) if control != 0 => {
                self.made.detail = control;
                self.simple(Op::PopControl, cycles.pop_control)
            }
            (false, 0x4) => {
                self.made.detail = control;
                self.simple(Op::FlagSet, cycles.flag)
            }
            (false, 0x5) => {
                self.made.detail = control;
                self.simple(Op::FlagClear, cycles.flag)
            }
            (false, 0x8..=0xf) if control < 6 => {
                let src = self.reader.operand(code & 15, true)?;
                self.source(src, true);
                self.made.dst = control;
                self.simple(Op::Address, cycles.address)
            }
            (true, count) if code & 0x40 == 0 => {
                let op = if code & 0x20 == 0 { Op::LongLogical } else { Op::LongArithmetic };
                self.long_shift(op, code, Some(count))
            }
            _ => None,
        }
    }
}

impl Decoded {
    /// Returns the instruction's class in the mix.
    pub fn class(&self) -> Class {
        use Op::*;
        match self.op {
            Move if self.form & FROM_MEMORY != 0 => Class::Load,
            Move if self.form & TO_MEMORY != 0 => Class::Store,
            FarLoad | FarLoadIndirect | NibbleLoad => Class::Load,
            FarStore | FarStoreIndirect | NibbleStore | StringMove | StringMoveDown | StringStore => Class::Store,
            StoreIfZero | StoreIfNotZero | StoreEither if self.form & TO_MEMORY != 0 => Class::Store,
            Rotate | ShiftLogical | ShiftArithmetic | RotateBy | ShiftLogicalBy | ShiftArithmeticBy | LongLogical
            | LongArithmetic | LongLogicalBy | LongArithmeticBy | RotateLeftCarry | RotateRightCarry => Class::Shift,
            Multiply | MultiplyUnsigned | Divide | DivideUnsigned | DivideFloor | ProductSum => Class::Multiply,
            Push | Pop | PushMultiple | PopMultiple | PushControl | PopControl | PushAddress | Enter | AddSp
            | LoadContext | StoreContext => Class::Stack,
            BitClear | BitSet | BitNot | BitTest | BitTestNot | BitTestClear | BitTestSet | BitAnd | BitAndNot
            | BitOr | BitOrNot | BitXor | BitXorNot | BitMove | CarryMove => Class::Bit,
            Branch | CountDown => Class::Branch,
            Jump | JumpIndirect | JumpIndirectAbsolute | JumpSpecial => Class::Jump,
            Call | CallIndirect | CallIndirectAbsolute | CallSpecial | Interrupt | InterruptOverflow | Undefined
            | Break => Class::Call,
            Return | ExitReturn | ReturnInterrupt => Class::Return,
            LoadControl | StoreControl | StorePc | FlagSet | FlagClear | LoadLevel | Nop | Wait | Illegal
            | ChunkEnd | Stop | Undecoded => Class::Other,
            _ => Class::Alu,
        }
    }

    /// Returns the number of bytes or words loaded and stored. Those of a repeated instruction depend on registers and
    /// are not included.
    pub fn transfers(&self) -> (u32, u32) {
        use Op::*;
        let from = u32::from(self.form & FROM_MEMORY != 0);
        let to = u32::from(self.form & TO_MEMORY != 0);
        match self.op {
            Move | StoreControl | StorePc | StoreIfZero | StoreIfNotZero | StoreEither => (from, to),
            Compare | Test | BitTest | BitTestNot | BitAnd | BitAndNot | BitOr | BitOrNot | BitXor | BitXorNot => {
                (from + to, 0)
            }
            Multiply | MultiplyUnsigned => (from + to, if self.form & WORD != 0 { 2 * to } else { to }),
            Exchange => (to, to),
            Push => (from, 1),
            Pop => (1, to),
            PushControl | Enter | PushAddress => (0, 1),
            PopControl | ExitReturn => (1, 0),
            PushMultiple => (0, self.imm.count_ones()),
            PopMultiple => (self.imm.count_ones(), 0),
            FarLoad | FarLoadIndirect => (1, to),
            FarStore | FarStoreIndirect => (from, 1),
            Address | AddSp => (0, 0),
            _ => (from + to, to),
        }
    }

    pub fn conditional_branch(&self) -> bool {
        matches!(self.op, Op::Branch | Op::CountDown)
    }
}

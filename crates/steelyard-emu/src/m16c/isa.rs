//! The instructions of the M16C/60 series, which the M16C/20, M16C/10 and R8C/Tiny series have too.
//!
//! A section is a heading of chapter 4.2, "Instruction Code/Number of Cycles", of the software manual REJ09B0001 of the
//! R8C/Tiny series; the M16C's own, REJ09B0137, could not be opened. A pattern has the one or two bytes of the operation
//! code. Displacements and immediates follow in the order of the operands, but for those of [`Operand::is_behind`].

use super::operand::Operand::{self, *};
use super::timing::{by_bit, by_both, by_destination, by_source, fixed, product, quotient, repeated, Cost, Cycles};
use crate::isa::Pattern;
use crate::profile::Class::{self, Alu, Branch, Call, Jump, Load, Multiply, Other, Return, Shift, Stack, Store};
use std::sync::LazyLock;

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

/// What a core must have: nothing, there is one core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Base,
}

/// What an instruction does, and how its cycles are found among the core's.
#[derive(Debug, Clone, Copy)]
pub struct Meaning {
    pub op: Op,
    pub cost: fn(&Cycles) -> Cost,
}

/// A row. `.size` in a mnemonic is `.b` or `.w` by the lowest bit of the first byte, `cnd` the condition.
pub type Row = crate::isa::Row<Meaning, Operand, Feature>;

const fn row(
    op: Op,
    cost: fn(&Cycles) -> Cost,
    mnemonic: &'static str,
    pattern: &str,
    operands: &'static [Operand],
    section: &'static str,
    class: Class,
) -> Row {
    let op = Meaning { op, cost };
    Row { op, mnemonic, pattern: Pattern::new(pattern), operands, section, feature: Feature::Base, class }
}

/// Every instruction; the first row that an instruction fits, with operands that are not reserved, is its row. The class
/// of a move is that of one between registers.
#[rustfmt::skip]
pub static ROWS: &[Row] = &[
    row(Op::Add,                  |core| by_both(core.arithmetic),                   "add.size:g",  "1010000. .... ....", &[Source, DestinationWidened],                 "ADD",    Alu),
    row(Op::Add,                  |core| by_destination(core.arithmetic_immediate),  "add.size:g",  "0111011. 0100 ....", &[Immediate, DestinationWidened],              "ADD",    Alu),
    row(Op::Sub,                  |core| by_both(core.arithmetic),                   "sub.size:g",  "1010100. .... ....", &[Source, DestinationWidened],                 "SUB",    Alu),
    row(Op::Sub,                  |core| by_destination(core.arithmetic_immediate),  "sub.size:g",  "0111011. 0101 ....", &[Immediate, DestinationWidened],              "SUB",    Alu),
    row(Op::Adc,                  |core| by_both(core.arithmetic),                   "adc.size",    "1011000. .... ....", &[Source, DestinationWidened],                 "ADC",    Alu),
    row(Op::Adc,                  |core| by_destination(core.arithmetic_immediate),  "adc.size",    "0111011. 0110 ....", &[Immediate, DestinationWidened],              "ADC",    Alu),
    row(Op::Sbb,                  |core| by_both(core.arithmetic),                   "sbb.size",    "1011100. .... ....", &[Source, DestinationWidened],                 "SBB",    Alu),
    row(Op::Sbb,                  |core| by_destination(core.arithmetic_immediate),  "sbb.size",    "0111011. 0111 ....", &[Immediate, DestinationWidened],              "SBB",    Alu),
    row(Op::And,                  |core| by_both(core.arithmetic),                   "and.size:g",  "1001000. .... ....", &[Source, DestinationWidened],                 "AND",    Alu),
    row(Op::And,                  |core| by_destination(core.arithmetic_immediate),  "and.size:g",  "0111011. 0010 ....", &[Immediate, DestinationWidened],              "AND",    Alu),
    row(Op::Or,                   |core| by_both(core.arithmetic),                   "or.size:g",   "1001100. .... ....", &[Source, DestinationWidened],                 "OR",     Alu),
    row(Op::Or,                   |core| by_destination(core.arithmetic_immediate),  "or.size:g",   "0111011. 0011 ....", &[Immediate, DestinationWidened],              "OR",     Alu),
    row(Op::Xor,                  |core| by_both(core.arithmetic),                   "xor.size:g",  "1000100. .... ....", &[Source, DestinationWidened],                 "XOR",    Alu),
    row(Op::Xor,                  |core| by_destination(core.arithmetic_immediate),  "xor.size:g",  "0111011. 0001 ....", &[Immediate, DestinationWidened],              "XOR",    Alu),
    row(Op::Compare,              |core| by_both(core.compare),                      "cmp.size:g",  "1100000. .... ....", &[Source, DestinationWidened],                 "CMP",    Alu),
    row(Op::Compare,              |core| by_destination(core.compare_immediate),     "cmp.size:g",  "0111011. 1000 ....", &[Immediate, DestinationWidened],              "CMP",    Alu),
    row(Op::Test,                 |core| by_both(core.compare),                      "tst.size",    "1000000. .... ....", &[Source, DestinationWidened],                 "TST",    Alu),
    row(Op::Test,                 |core| by_destination(core.compare_immediate),     "tst.size:g",  "0111011. 0000 ....", &[Immediate, DestinationWidened],              "TST",    Alu),

    row(Op::Add,                  |core| by_destination(core.add_quick),             "add.size:q",  "1100100. .... ....", &[Quick, DestinationWidened],                  "ADD",    Alu),
    row(Op::Compare,              |core| by_destination(core.compare_quick),         "cmp.size:q",  "1101000. .... ....", &[Quick, DestinationWidened],                  "CMP",    Alu),
    row(Op::AddSp,                |core| fixed(core.add_sp_quick),                   "add.b:q",     "01111101 1011 ....", &[QuickLow, StackPointer],                     "ADD",    Stack),
    row(Op::AddSp,                |core| fixed(core.add_sp),                         "add.size:g",  "0111110. 11101011",  &[SignedImmediate, StackPointer],              "ADD",    Stack),

    row(Op::Push,                 |core| fixed(core.push_short),                     "push.b:s",    "1000.010",           &[HalfSource],                                 "PUSH",   Stack),
    row(Op::Push,                 |core| fixed(core.push_short),                     "push.w:s",    "1100.010",           &[AddressSource],                              "PUSH",   Stack),
    row(Op::Pop,                  |core| fixed(core.pop_short),                      "pop.b:s",     "1001.010",           &[HalfDestination],                            "POP",    Stack),
    row(Op::Pop,                  |core| fixed(core.pop_short),                      "pop.w:s",     "1101.010",           &[AddressDestination],                         "POP",    Stack),
    row(Op::Move,                 |core| fixed(core.move_address_immediate),         "mov.w:s",     "1010.010",           &[Word, AddressDestination],                   "MOV",    Alu),
    row(Op::Move,                 |core| fixed(core.move_address_immediate),         "mov.b:s",     "1110.010",           &[Byte, AddressDestination],                   "MOV",    Alu),
    row(Op::Increment,            |core| fixed(core.step.register),                  "inc.w",       "1011.010",           &[AddressDestination],                         "INC",    Alu),
    row(Op::Decrement,            |core| fixed(core.step.register),                  "dec.w",       "1111.010",           &[AddressDestination],                         "DEC",    Alu),

    row(Op::Add,                  |core| by_source(core.short),                      "add.b:s",     "00100...",           &[ShortSource, ShortRegister],                 "ADD",    Alu),
    row(Op::Add,                  |core| by_destination(core.short_immediate),       "add.b:s",     "10000...",           &[Byte, ShortDestination],                     "ADD",    Alu),
    row(Op::Sub,                  |core| by_source(core.short),                      "sub.b:s",     "00101...",           &[ShortSource, ShortRegister],                 "SUB",    Alu),
    row(Op::Sub,                  |core| by_destination(core.short_immediate),       "sub.b:s",     "10001...",           &[Byte, ShortDestination],                     "SUB",    Alu),
    row(Op::And,                  |core| by_source(core.short),                      "and.b:s",     "00010...",           &[ShortSource, ShortRegister],                 "AND",    Alu),
    row(Op::And,                  |core| by_destination(core.short_immediate),       "and.b:s",     "10010...",           &[Byte, ShortDestination],                     "AND",    Alu),
    row(Op::Or,                   |core| by_source(core.short),                      "or.b:s",      "00011...",           &[ShortSource, ShortRegister],                 "OR",     Alu),
    row(Op::Or,                   |core| by_destination(core.short_immediate),       "or.b:s",      "10011...",           &[Byte, ShortDestination],                     "OR",     Alu),
    row(Op::Compare,              |core| by_source(core.short),                      "cmp.b:s",     "00111...",           &[ShortSource, ShortRegister],                 "CMP",    Alu),
    row(Op::Compare,              |core| by_destination(core.short_immediate),       "cmp.b:s",     "11100...",           &[Byte, ShortDestination],                     "CMP",    Alu),
    row(Op::Increment,            |core| by_destination(core.step),                  "inc.b",       "10100...",           &[ShortDestination],                           "INC",    Alu),
    row(Op::Decrement,            |core| by_destination(core.step),                  "dec.b",       "10101...",           &[ShortDestination],                           "DEC",    Alu),
    row(Op::Not,                  |core| by_destination(core.step),                  "not.b:s",     "10111...",           &[ShortDestination],                           "NOT",    Alu),

    row(Op::Negate,               |core| by_destination(core.unary),                 "neg.size",    "0111010. 0101 ....", &[Destination],                                "NEG",    Alu),
    row(Op::Adcf,                 |core| by_destination(core.unary),                 "adcf.size",   "0111011. 1110 ....", &[Destination],                                "ADCF",   Alu),
    row(Op::Not,                  |core| by_destination(core.unary),                 "not.size:g",  "0111010. 0111 ....", &[Destination],                                "NOT",    Alu),
    row(Op::Abs,                  |core| by_destination(core.abs),                   "abs.size",    "0111011. 1111 ....", &[Destination],                                "ABS",    Alu),
    row(Op::ExtendByte,           |core| by_destination(core.extend_byte),           "exts.b",      "01111100 0110 ....", &[ExtendedDestination],                        "EXTS",   Alu),
    row(Op::ExtendWord,           |core| fixed(core.extend_word),                    "exts.w",      "01111100 11110011",  &[ExtendedAccumulator],                        "EXTS",   Alu),
    row(Op::DecimalAdd,           |core| fixed(core.decimal_add.register),           "dadd.size",   "0111110. 11100100",  &[DecimalSource, Accumulator],                 "DADD",   Alu),
    row(Op::DecimalAdd,           |core| fixed(core.decimal_add.immediate),          "dadd.size",   "0111110. 11101100",  &[Immediate, Accumulator],                     "DADD",   Alu),
    row(Op::DecimalSub,           |core| fixed(core.decimal_subtract.register),      "dsub.size",   "0111110. 11100101",  &[DecimalSource, Accumulator],                 "DSUB",   Alu),
    row(Op::DecimalSub,           |core| fixed(core.decimal_subtract.immediate),     "dsub.size",   "0111110. 11101101",  &[Immediate, Accumulator],                     "DSUB",   Alu),
    row(Op::DecimalAdc,           |core| fixed(core.decimal_add.register),           "dadc.size",   "0111110. 11100110",  &[DecimalSource, Accumulator],                 "DADC",   Alu),
    row(Op::DecimalAdc,           |core| fixed(core.decimal_add.immediate),          "dadc.size",   "0111110. 11101110",  &[Immediate, Accumulator],                     "DADC",   Alu),
    row(Op::DecimalSbb,           |core| fixed(core.decimal_subtract.register),      "dsbb.size",   "0111110. 11100111",  &[DecimalSource, Accumulator],                 "DSBB",   Alu),
    row(Op::DecimalSbb,           |core| fixed(core.decimal_subtract.immediate),     "dsbb.size",   "0111110. 11101111",  &[Immediate, Accumulator],                     "DSBB",   Alu),

    row(Op::MultiplyUnsigned,     |core| product(core.multiply),                     "mulu.size:g", "0111000. .... ....", &[Source, ProductDestination],                 "MULU",   Multiply),
    row(Op::MultiplyUnsigned,     |core| product(core.multiply),                     "mulu.size:g", "0111110. 0100 ....", &[Immediate, ProductDestination],              "MULU",   Multiply),
    row(Op::Multiply,             |core| product(core.multiply),                     "mul.size:g",  "0111100. .... ....", &[Source, ProductDestination],                 "MUL",    Multiply),
    row(Op::Multiply,             |core| product(core.multiply),                     "mul.size:g",  "0111110. 0101 ....", &[Immediate, ProductDestination],              "MUL",    Multiply),
    row(Op::Divide,               |core| quotient(core.divide),                      "div.size",    "0111011. 1101 ....", &[LowSource, Size],                            "DIV",    Multiply),
    row(Op::Divide,               |core| quotient(core.divide),                      "div.size",    "0111110. 11100001",  &[Immediate, Size],                            "DIV",    Multiply),
    row(Op::DivideUnsigned,       |core| quotient(core.divide_unsigned),             "divu.size",   "0111011. 1100 ....", &[LowSource, Size],                            "DIVU",   Multiply),
    row(Op::DivideUnsigned,       |core| quotient(core.divide_unsigned),             "divu.size",   "0111110. 11100000",  &[Immediate, Size],                            "DIVU",   Multiply),
    row(Op::DivideFloor,          |core| quotient(core.divide_floor),                "divx.size",   "0111011. 1001 ....", &[LowSource, Size],                            "DIVX",   Multiply),
    row(Op::DivideFloor,          |core| quotient(core.divide_floor),                "divx.size",   "0111110. 11100011",  &[Immediate, Size],                            "DIVX",   Multiply),
    row(Op::ProductSum,           |core| repeated(core.product_sum_byte),            "rmpa.b",      "01111100 11110001",  &[Size],                                       "RMPA",   Multiply),
    row(Op::ProductSum,           |core| repeated(core.product_sum_word),            "rmpa.w",      "01111101 11110001",  &[Size],                                       "RMPA",   Multiply),

    row(Op::RotateLeftCarry,      |core| by_destination(core.unary),                 "rolc.size",   "0111011. 1010 ....", &[Destination],                                "ROLC",   Shift),
    row(Op::RotateRightCarry,     |core| by_destination(core.unary),                 "rorc.size",   "0111011. 1011 ....", &[Destination],                                "RORC",   Shift),
    row(Op::Rotate,               |core| by_destination(core.shift.immediate).and(core.shift.per_place),"rot.size:q",  "1110000. .... ....", &[Places, Destination],                        "ROT",    Shift),
    row(Op::RotateBy,             |core| by_destination(core.shift.by_register).and(core.shift.per_place),"rot.size",    "0111010. 0110 ....", &[CountRegister, Destination],                 "ROT",    Shift),
    row(Op::ShiftLogical,         |core| by_destination(core.shift.immediate).and(core.shift.per_place),"shl.size:q",  "1110100. .... ....", &[Places, Destination],                        "SHL",    Shift),
    row(Op::ShiftLogicalBy,       |core| by_destination(core.shift.by_register).and(core.shift.per_place),"shl.size",    "0111010. 1110 ....", &[CountRegister, Destination],                 "SHL",    Shift),
    row(Op::ShiftArithmetic,      |core| by_destination(core.shift.immediate).and(core.shift.per_place),"sha.size:q",  "1111000. .... ....", &[Places, Destination],                        "SHA",    Shift),
    row(Op::ShiftArithmeticBy,    |core| by_destination(core.shift.by_register).and(core.shift.per_place),"sha.size",    "0111010. 1111 ....", &[CountRegister, Destination],                 "SHA",    Shift),
    row(Op::LongLogical,          |core| fixed(core.shift_long.immediate).and(core.shift_long.per_place),"shl.l",       "11101011 100. ....", &[PlacesLow, Pair],                            "SHL",    Shift),
    row(Op::LongLogicalBy,        |core| fixed(core.shift_long.by_register).and(core.shift_long.per_place),"shl.l",       "11101011 000. 0001", &[CountRegister, Pair],                        "SHL",    Shift),
    row(Op::LongArithmetic,       |core| fixed(core.shift_long.immediate).and(core.shift_long.per_place),"sha.l",       "11101011 101. ....", &[PlacesLow, Pair],                            "SHA",    Shift),
    row(Op::LongArithmeticBy,     |core| fixed(core.shift_long.by_register).and(core.shift_long.per_place),"sha.l",       "11101011 001. 0001", &[CountRegister, Pair],                        "SHA",    Shift),

    row(Op::Move,                 |core| by_both(core.r#move),                       "mov.size:g",  "0111001. .... ....", &[Source, DestinationWidened],                 "MOV",    Alu),
    row(Op::Move,                 |core| by_destination(core.move_immediate),        "mov.size:g",  "0111010. 1100 ....", &[Immediate, DestinationWidened],              "MOV",    Alu),
    row(Op::Move,                 |core| by_destination(core.move_quick),            "mov.size:q",  "1101100. .... ....", &[Quick, DestinationWidened],                  "MOV",    Alu),
    row(Op::Move,                 |core| by_source(core.move_to_stack),              "mov.size:g",  "0111010. 0011 ....", &[LowSource, OnStackDestination],              "MOV",    Alu),
    row(Op::Move,                 |core| by_destination(core.move_from_stack),       "mov.size:g",  "0111010. 1011 ....", &[OnStackSource, DestinationWidened],          "MOV",    Alu),
    row(Op::Move,                 |core| by_source(core.move_short),                 "mov.b:s",     "00001...",           &[ShortSource, ShortRegister],                 "MOV",    Alu),
    row(Op::Move,                 |core| by_source(core.move_short),                 "mov.b:s",     "00110...",           &[ShortSource, ShortAddress],                  "MOV",    Alu),
    row(Op::Break,                |core| fixed(core.r#break),                        "brk",         "00000000",           &[],                                           "BRK",    Call),
    row(Op::Nop,                  |core| fixed(core.nop),                            "nop",         "00000100",           &[],                                           "NOP",    Other),
    row(Op::Move,                 |core| fixed(core.move_short_store),               "mov.b:s",     "00000...",           &[ShortRegisterSource, ShortMemory],           "MOV",    Alu),
    row(Op::Move,                 |core| by_destination(core.move_short_immediate),  "mov.b:s",     "11000...",           &[Byte, ShortDestination],                     "MOV",    Alu),
    row(Op::Move,                 |core| by_destination(core.move_zero),             "mov.b:z",     "10110...",           &[Zero, ShortDestination],                     "MOV",    Alu),
    row(Op::StoreIfZero,          |core| by_destination(core.store_if),              "stz:s",       "11001...",           &[Byte, ShortDestination],                     "STZ",    Alu),
    row(Op::StoreIfNotZero,       |core| by_destination(core.store_if),              "stnz:s",      "11010...",           &[Byte, ShortDestination],                     "STNZ",   Alu),
    row(Op::StoreEither,          |core| by_destination(core.store_either),          "stzx",        "11011...",           &[Byte, SecondByte, ShortDestination],         "STZX",   Alu),
    row(Op::Exchange,             |core| by_destination(core.exchange),              "xchg.size",   "0111101. 00.. ....", &[Source, Destination],                        "XCHG",   Alu),
    row(Op::NibbleLoad,           |core| by_source(core.nibble_load),                "movll",       "01111100 0000 ....", &[NibbleSource, LowAccumulator, Nibbles],      "MOVdir", Load),
    row(Op::NibbleStore,          |core| by_destination(core.nibble_store),          "movll",       "01111100 1000 ....", &[LowAccumulator, NibbleDestination, Nibbles], "MOVdir", Store),
    row(Op::NibbleLoad,           |core| by_source(core.nibble_load_crossed),        "movhl",       "01111100 0001 ....", &[NibbleSource, LowAccumulator, Nibbles],      "MOVdir", Load),
    row(Op::NibbleStore,          |core| by_destination(core.nibble_store_crossed),  "movhl",       "01111100 1001 ....", &[LowAccumulator, NibbleDestination, Nibbles], "MOVdir", Store),
    row(Op::NibbleLoad,           |core| by_source(core.nibble_load_crossed),        "movlh",       "01111100 0010 ....", &[NibbleSource, LowAccumulator, Nibbles],      "MOVdir", Load),
    row(Op::NibbleStore,          |core| by_destination(core.nibble_store_crossed),  "movlh",       "01111100 1010 ....", &[LowAccumulator, NibbleDestination, Nibbles], "MOVdir", Store),
    row(Op::NibbleLoad,           |core| by_source(core.nibble_load),                "movhh",       "01111100 0011 ....", &[NibbleSource, LowAccumulator, Nibbles],      "MOVdir", Load),
    row(Op::NibbleStore,          |core| by_destination(core.nibble_store),          "movhh",       "01111100 1011 ....", &[LowAccumulator, NibbleDestination, Nibbles], "MOVdir", Store),
    row(Op::Address,              |core| fixed(core.address),                        "mova",        "11101011 0... 1...", &[AddressedWord, RegisterDestination],         "MOVA",   Alu),
    row(Op::PushAddress,          |core| fixed(core.push_address),                   "pusha",       "01111101 1001 1...", &[AddressedWord],                              "PUSHA",  Stack),

    row(Op::FarStore,             |core| by_source(core.far_store),                  "ste.size",    "0111010. 0000 ....", &[LowSource, FarAbsolute, Size],               "STE",    Store),
    row(Op::FarLoad,              |core| by_destination(core.far_load),              "lde.size",    "0111010. 1000 ....", &[BehindFarAbsolute, Destination, SourceSize], "LDE",    Load),
    row(Op::FarStore,             |core| by_source(core.far_store),                  "ste.size",    "0111010. 0001 ....", &[LowSource, FarFromA0, Size],                 "STE",    Store),
    row(Op::FarLoad,              |core| by_destination(core.far_load),              "lde.size",    "0111010. 1001 ....", &[BehindFarFromA0, Destination, SourceSize],   "LDE",    Load),
    row(Op::FarStoreIndirect,     |core| by_source(core.far_store_indirect),         "ste.size",    "0111010. 0010 ....", &[LowSource, FarIndirect, Size],               "STE",    Store),
    row(Op::FarLoadIndirect,      |core| by_destination(core.far_load_indirect),     "lde.size",    "0111010. 1010 ....", &[BehindFarIndirect, Destination, SourceSize], "LDE",    Load),

    row(Op::Push,                 |core| by_source(core.push),                       "push.size:g", "0111010. 0100 ....", &[LowSource],                                  "PUSH",   Stack),
    row(Op::Push,                 |core| fixed(core.push_immediate),                 "push.size:g", "0111110. 11100010",  &[Immediate],                                  "PUSH",   Stack),
    row(Op::Pop,                  |core| by_destination(core.pop),                   "pop.size:g",  "0111010. 1101 ....", &[Destination],                                "POP",    Stack),
    row(Op::PushMultiple,         |core| repeated(core.push_multiple),               "pushm",       "11101100",           &[PushedRegisters],                            "PUSHM",  Stack),
    row(Op::PopMultiple,          |core| repeated(core.pop_multiple),                "popm",        "11101101",           &[PoppedRegisters],                            "POPM",   Stack),
    row(Op::PushControl,          |core| fixed(core.push_control),                   "pushc",       "11101011 0... 0010", &[Control],                                    "PUSHC",  Stack),
    row(Op::PopControl,           |core| fixed(core.pop_control),                    "popc",        "11101011 0... 0011", &[Control],                                    "POPC",   Stack),
    row(Op::Enter,                |core| fixed(core.enter),                          "enter",       "01111100 11110010",  &[FrameBytes],                                 "ENTER",  Stack),
    row(Op::ExitReturn,           |core| fixed(core.exit),                           "exitd",       "01111101 11110010",  &[],                                           "EXITD",  Return),

    row(Op::BitClear,             |core| by_bit(core.bit_change),                    "bclr:g",      "01111110 1000 ....", &[Bit],                                        "BCLR",   Class::Bit),
    row(Op::BitSet,               |core| by_bit(core.bit_change),                    "bset:g",      "01111110 1001 ....", &[Bit],                                        "BSET",   Class::Bit),
    row(Op::BitNot,               |core| by_bit(core.bit_change),                    "bnot:g",      "01111110 1010 ....", &[Bit],                                        "BNOT",   Class::Bit),
    row(Op::BitTest,              |core| by_bit(core.bit_test),                      "btst:g",      "01111110 1011 ....", &[Bit],                                        "BTST",   Class::Bit),
    row(Op::BitClear,             |core| fixed(core.bit_short),                      "bclr:s",      "01000...",           &[ShortBit],                                   "BCLR",   Class::Bit),
    row(Op::BitSet,               |core| fixed(core.bit_short),                      "bset:s",      "01001...",           &[ShortBit],                                   "BSET",   Class::Bit),
    row(Op::BitNot,               |core| fixed(core.bit_short),                      "bnot:s",      "01010...",           &[ShortBit],                                   "BNOT",   Class::Bit),
    row(Op::BitTest,              |core| fixed(core.bit_short),                      "btst:s",      "01011...",           &[ShortBit],                                   "BTST",   Class::Bit),
    row(Op::BitTestClear,         |core| by_bit(core.bit_other),                     "btstc",       "01111110 0000 ....", &[Bit],                                        "BTSTC",  Class::Bit),
    row(Op::BitTestSet,           |core| by_bit(core.bit_other),                     "btsts",       "01111110 0001 ....", &[Bit],                                        "BTSTS",  Class::Bit),
    row(Op::BitTestNot,           |core| by_bit(core.bit_other),                     "bntst",       "01111110 0011 ....", &[Bit],                                        "BNTST",  Class::Bit),
    row(Op::BitAnd,               |core| by_bit(core.bit_other),                     "band",        "01111110 0100 ....", &[Bit],                                        "BAND",   Class::Bit),
    row(Op::BitAndNot,            |core| by_bit(core.bit_other),                     "bnand",       "01111110 0101 ....", &[Bit],                                        "BNAND",  Class::Bit),
    row(Op::BitOr,                |core| by_bit(core.bit_other),                     "bor",         "01111110 0110 ....", &[Bit],                                        "BOR",    Class::Bit),
    row(Op::BitOrNot,             |core| by_bit(core.bit_other),                     "bnor",        "01111110 0111 ....", &[Bit],                                        "BNOR",   Class::Bit),
    row(Op::BitXor,               |core| by_bit(core.bit_other),                     "bxor",        "01111110 1100 ....", &[Bit],                                        "BXOR",   Class::Bit),
    row(Op::BitXorNot,            |core| by_bit(core.bit_other),                     "bnxor",       "01111110 1101 ....", &[Bit],                                        "BNXOR",  Class::Bit),
    row(Op::BitMove,              |core| by_bit(core.bit_move),                      "bmcnd",       "01111110 0010 ....", &[Bit, ConditionByte],                         "BMcnd",  Class::Bit),
    row(Op::CarryMove,            |core| fixed(core.bit_move_carry),                 "bmcnd",       "01111101 1101 ....", &[Carry, Condition],                           "BMcnd",  Class::Bit),

    row(Op::Branch,               |core| fixed(core.branch.not_taken).and(core.branch.taken - core.branch.not_taken),"jcnd",        "01101...",           &[NearLabel, ShortCondition],                  "Jcnd",   Branch),
    row(Op::Branch,               |core| fixed(core.branch_signed.not_taken).and(core.branch_signed.taken - core.branch_signed.not_taken),"jcnd",        "01111101 1100 1...", &[NearLabel, Condition],                       "Jcnd",   Branch),
    row(Op::CountDown,            |core| by_destination(core.count_down).and(core.count_down_taken),"adjnz.size",  "1111100. 0... ....", &[Step, Destination, NearLabel],               "ADJNZ",  Branch),
    row(Op::CountDown,            |core| by_destination(core.count_down).and(core.count_down_taken),"sbjnz.size",  "1111100. 1... ....", &[MinusStep, Destination, NearLabel],          "SBJNZ",  Branch),
    row(Op::Jump,                 |core| fixed(core.jump_short),                     "jmp.s",       "01100...",           &[ShortLabel],                                 "JMP",    Jump),
    row(Op::Jump,                 |core| fixed(core.jump_byte),                      "jmp.b",       "11111110",           &[NearLabel],                                  "JMP",    Jump),
    row(Op::Jump,                 |core| fixed(core.jump_word),                      "jmp.w",       "11110100",           &[WordLabel],                                  "JMP",    Jump),
    row(Op::Jump,                 |core| fixed(core.jump_absolute),                  "jmp.a",       "11111100",           &[Label],                                      "JMP",    Jump),
    row(Op::JumpIndirect,         |core| by_source(core.jump_indirect),              "jmpi.w",      "01111101 0010 ....", &[JumpSource],                                 "JMPI",   Jump),
    row(Op::JumpIndirectAbsolute, |core| by_source(core.jump_indirect_absolute),     "jmpi.a",      "01111101 0000 ....", &[JumpPairSource],                             "JMPI",   Jump),
    row(Op::JumpSpecial,          |core| fixed(core.jump_special),                   "jmps",        "11101110",           &[SpecialPage],                                "JMPS",   Jump),
    row(Op::Call,                 |core| fixed(core.call_word),                      "jsr.w",       "11110101",           &[WordLabel],                                  "JSR",    Call),
    row(Op::Call,                 |core| fixed(core.call_absolute),                  "jsr.a",       "11111101",           &[Label],                                      "JSR",    Call),
    row(Op::CallIndirect,         |core| by_source(core.call_indirect),              "jsri.w",      "01111101 0011 ....", &[JumpSource],                                 "JSRI",   Call),
    row(Op::CallIndirectAbsolute, |core| by_source(core.call_indirect_absolute),     "jsri.a",      "01111101 0001 ....", &[JumpPairSource],                             "JSRI",   Call),
    row(Op::CallSpecial,          |core| fixed(core.call_special),                   "jsrs",        "11101111",           &[SpecialPage],                                "JSRS",   Call),
    row(Op::Return,               |core| fixed(core.r#return),                       "rts",         "11110011",           &[],                                           "RTS",    Return),
    row(Op::ReturnInterrupt,      |core| fixed(core.return_interrupt),               "reit",        "11111011",           &[],                                           "REIT",   Return),
    row(Op::Interrupt,            |core| fixed(core.interrupt),                      "int",         "11101011 11......",  &[InterruptNumber],                            "INT",    Call),
    row(Op::InterruptOverflow,    |core| fixed(core.interrupt_overflow).and(core.interrupt),"into",        "11110110",           &[],                                           "INTO",   Call),
    row(Op::Undefined,            |core| fixed(core.undefined),                      "und",         "11111111",           &[],                                           "UND",    Call),

    row(Op::StringMove,           |core| repeated(core.string_move),                 "smovf.size",  "0111110. 11101000",  &[Size],                                       "SMOVF",  Store),
    row(Op::StringMoveDown,       |core| repeated(core.string_move),                 "smovb.size",  "0111110. 11101001",  &[Size],                                       "SMOVB",  Store),
    row(Op::StringStore,          |core| repeated(core.string_store),                "sstr.size",   "0111110. 11101010",  &[Size],                                       "SSTR",   Store),

    row(Op::LoadControl,          |core| fixed(core.load_control_immediate),         "ldc",         "11101011 0... 0000", &[Word, Control],                              "LDC",    Other),
    row(Op::LoadControl,          |core| by_source(core.load_control),               "ldc",         "01111010 1... ....", &[WordSource, Control],                        "LDC",    Other),
    row(Op::StoreControl,         |core| by_destination(core.store_control),         "stc",         "01111011 1... ....", &[Control, Destination],                       "STC",    Other),
    row(Op::StorePc,              |core| by_destination(core.store_pc),              "stc",         "01111100 1100 ....", &[ProgramCounter, PairDestination],            "STC",    Other),
    row(Op::FlagSet,              |core| fixed(core.flag),                           "fset",        "11101011 0... 0100", &[Flag],                                       "FSET",   Other),
    row(Op::FlagClear,            |core| fixed(core.flag),                           "fclr",        "11101011 0... 0101", &[Flag],                                       "FCLR",   Other),
    row(Op::LoadLevel,            |core| fixed(core.load_level),                     "ldipl",       "01111101 10100...",  &[Level],                                      "LDIPL",  Other),
    row(Op::LoadContext,          |core| repeated(core.load_context),                "ldctx",       "01111100 11110000",  &[ContextNumber, ContextTable],                "LDCTX",  Stack),
    row(Op::StoreContext,         |core| repeated(core.store_context),               "stctx",       "01111101 11110000",  &[ContextNumber, ContextTable],                "STCTX",  Stack),
    row(Op::Wait,                 |_| fixed(0),                                      "wait",        "01111101 11110011",  &[],                                           "WAIT",   Other),
];

/// The rows by the first byte of an instruction.
static BY_FIRST_BYTE: LazyLock<Vec<Vec<&Row>>> = LazyLock::new(|| {
    let begins_with = |row: &Row, first: u32| {
        let behind = row.pattern.bits - 8;
        (first ^ row.pattern.value >> behind) & row.pattern.mask >> behind == 0
    };
    (0..=0xff).map(|first| ROWS.iter().filter(|row| begins_with(row, first)).collect()).collect()
});

/// Returns the rows whose fixed bits are those of an instruction, given by its first two bytes.
pub fn fitting(bytes: [u8; 2]) -> impl Iterator<Item = &'static Row> {
    let opcode = u32::from(u16::from_be_bytes(bytes));
    let candidates = &BY_FIRST_BYTE[usize::from(bytes[0])];
    candidates.iter().copied().filter(move |row| row.pattern.matches(opcode >> (16 - row.pattern.bits)))
}

#[cfg(test)]
mod tests {
    use super::super::decode::{row_of, LONGEST};
    use super::*;

    #[test]
    fn every_row_is_an_instruction_and_has_its_operation_s_class() {
        let mut found = vec![false; ROWS.len()];
        for opcode in (0..=u16::MAX).map(u16::to_be_bytes) {
            let mut bytes = [0; LONGEST];
            bytes[..2].copy_from_slice(&opcode);
            if let Some((row, _)) = row_of(&bytes, 0) {
                found[ROWS.iter().position(|one| std::ptr::eq(one, row)).unwrap()] = true;
            }
        }
        for (row, found) in ROWS.iter().zip(found) {
            assert!(found, "{row:?}");
            let first = ROWS.iter().find(|one| one.op.op == row.op.op).unwrap();
            assert_eq!(row.class, first.class, "{row:?}");
        }
    }
}

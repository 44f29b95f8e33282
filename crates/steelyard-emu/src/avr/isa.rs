//! The instructions of the classic, enhanced, tiny and AVRxt cores.
//!
//! Sections are those of the AVR Instruction Set Manual, Microchip DS40002198. What the manual gives as other spellings of
//! one encoding (`LSL` is `ADD Rd,Rd`, `BREQ` is `BRBS 1,k`, `LD Rd,Y` is `LDD Rd,Y+0`) has no row of its own.

use super::decode::{Operands, Place};
use super::runs::operations;
use crate::isa::{gathered, sign_extended, Pattern};
use crate::profile::Class;
use std::sync::OnceLock;

operations! {
    Add Adc Adiw Sub Subi Sbc Sbci Sbiw And Andi Or Ori Eor Com Neg Inc Dec Cp Cpc Cpi Mov Movw Ldi Swap
    Lsr Ror Asr Mul Muls Mulsu Fmul Fmuls Fmulsu Rjmp Ijmp Eijmp Jmp Rcall Icall Eicall Call Ret Reti Cpse Sbrc Sbrs
    Sbic Sbis Brbs Brbc Lds LdX LdXInc LdXDec LddY LdYInc LdYDec LddZ LdZInc LdZDec Sts StX StXInc
    StXDec StdY StYInc StYDec StdZ StZInc StZDec Lpm LpmZ LpmZInc Elpm ElpmZ ElpmZInc Spm In Out Push
    Pop Sbi Cbi Bset Bclr Bst Bld Nop Sleep Wdr Break
}

/// Parts of the instruction set that only some cores have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Base,
    JmpCall,
    Mul,
    Movw,
    Lpmx,
    Elpm,
    Elpmx,
    Spm,
    Break,
    ExtendedJump,
}

impl Feature {
    /// Features that a core's data may list; every core has `base`.
    pub const NAMED: [(&'static str, Feature); 9] = [
        ("jmp-call", Feature::JmpCall),
        ("mul", Feature::Mul),
        ("movw", Feature::Movw),
        ("lpmx", Feature::Lpmx),
        ("elpm", Feature::Elpm),
        ("elpmx", Feature::Elpmx),
        ("spm", Feature::Spm),
        ("break", Feature::Break),
        ("eijmp-eicall", Feature::ExtendedJump),
    ];
}

/// An operand of the assembly language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// The manual's Rd: any register, r16 to r31, r16 to r23, an even one with its odd neighbour, or one of r24, r26, r28
    /// and r30 with its neighbour.
    Rd,
    RdHigh,
    RdMiddle,
    RdPair,
    RdWord,
    /// The manual's Rr: any register, and those from which it may be chosen as for `Rd`.
    Rr,
    RrHigh,
    RrMiddle,
    RrPair,
    /// Register whose value goes to memory, in the place of `Rd`.
    Stored,
    Immediate,
    /// Immediate of six bits.
    ShortImmediate,
    /// Number of a bit of a byte.
    Bit,
    /// Number of a bit of the status register.
    Flag,
    /// Number of the bit of the status register that a branch asks.
    BranchFlag,
    /// Number of an I/O register.
    Io,
    /// Number of one of the lower 32 I/O registers.
    IoLow,
    /// Distance in words from the next instruction.
    Branch,
    RelativeJump,
    /// Word address of six bits and the second word.
    Jump,
    /// Data address in the second word.
    DataAddress,
    /// Pointer registers: as they are, incremented behind the access, decremented before it, or with a distance.
    X,
    XInc,
    XDec,
    YDisplaced,
    YInc,
    YDec,
    Z,
    ZDisplaced,
    ZInc,
    ZDec,
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

use Class::{Alu, Call, Load, LoadProgram, Multiply, Other, Return, Shift, Stack, Store};
use Feature::*;
use Operand::*;

/// Every instruction, in the order of [`Op`]; no two overlap.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row(Op::Add,       "add",    "0000 11.. .... ....",                  &[Rd, Rr],                 "6.2",   Base,    Alu),
    row(Op::Adc,       "adc",    "0001 11.. .... ....",                  &[Rd, Rr],                 "6.1",   Base,    Alu),
    row(Op::Adiw,      "adiw",   "1001 0110 .... ....",                  &[RdWord, ShortImmediate], "6.3",   Base,    Alu),
    row(Op::Sub,       "sub",    "0001 10.. .... ....",                  &[Rd, Rr],                 "6.119", Base,    Alu),
    row(Op::Subi,      "subi",   "0101 .... .... ....",                  &[RdHigh, Immediate],      "6.120", Base,    Alu),
    row(Op::Sbc,       "sbc",    "0000 10.. .... ....",                  &[Rd, Rr],                 "6.93",  Base,    Alu),
    row(Op::Sbci,      "sbci",   "0100 .... .... ....",                  &[RdHigh, Immediate],      "6.94",  Base,    Alu),
    row(Op::Sbiw,      "sbiw",   "1001 0111 .... ....",                  &[RdWord, ShortImmediate], "6.98",  Base,    Alu),
    row(Op::And,       "and",    "0010 00.. .... ....",                  &[Rd, Rr],                 "6.4",   Base,    Alu),
    row(Op::Andi,      "andi",   "0111 .... .... ....",                  &[RdHigh, Immediate],      "6.5",   Base,    Alu),
    row(Op::Or,        "or",     "0010 10.. .... ....",                  &[Rd, Rr],                 "6.82",  Base,    Alu),
    row(Op::Ori,       "ori",    "0110 .... .... ....",                  &[RdHigh, Immediate],      "6.83",  Base,    Alu),
    row(Op::Eor,       "eor",    "0010 01.. .... ....",                  &[Rd, Rr],                 "6.54",  Base,    Alu),
    row(Op::Com,       "com",    "1001 010. .... 0000",                  &[Rd],                     "6.44",  Base,    Alu),
    row(Op::Neg,       "neg",    "1001 010. .... 0001",                  &[Rd],                     "6.80",  Base,    Alu),
    row(Op::Inc,       "inc",    "1001 010. .... 0011",                  &[Rd],                     "6.61",  Base,    Alu),
    row(Op::Dec,       "dec",    "1001 010. .... 1010",                  &[Rd],                     "6.49",  Base,    Alu),
    row(Op::Cp,        "cp",     "0001 01.. .... ....",                  &[Rd, Rr],                 "6.45",  Base,    Alu),
    row(Op::Cpc,       "cpc",    "0000 01.. .... ....",                  &[Rd, Rr],                 "6.46",  Base,    Alu),
    row(Op::Cpi,       "cpi",    "0011 .... .... ....",                  &[RdHigh, Immediate],      "6.47",  Base,    Alu),
    row(Op::Mov,       "mov",    "0010 11.. .... ....",                  &[Rd, Rr],                 "6.75",  Base,    Alu),
    row(Op::Movw,      "movw",   "0000 0001 .... ....",                  &[RdPair, RrPair],         "6.76",  Movw,    Alu),
    row(Op::Ldi,       "ldi",    "1110 .... .... ....",                  &[RdHigh, Immediate],      "6.69",  Base,    Alu),
    row(Op::Swap,      "swap",   "1001 010. .... 0010",                  &[Rd],                     "6.121", Base,    Shift),
    row(Op::Lsr,       "lsr",    "1001 010. .... 0110",                  &[Rd],                     "6.74",  Base,    Shift),
    row(Op::Ror,       "ror",    "1001 010. .... 0111",                  &[Rd],                     "6.92",  Base,    Shift),
    row(Op::Asr,       "asr",    "1001 010. .... 0101",                  &[Rd],                     "6.6",   Base,    Shift),
    row(Op::Mul,       "mul",    "1001 11.. .... ....",                  &[Rd, Rr],                 "6.77",  Mul,     Multiply),
    row(Op::Muls,      "muls",   "0000 0010 .... ....",                  &[RdHigh, RrHigh],         "6.78",  Mul,     Multiply),
    row(Op::Mulsu,     "mulsu",  "0000 0011 0... 0...",                  &[RdMiddle, RrMiddle],     "6.79",  Mul,     Multiply),
    row(Op::Fmul,      "fmul",   "0000 0011 0... 1...",                  &[RdMiddle, RrMiddle],     "6.55",  Mul,     Multiply),
    row(Op::Fmuls,     "fmuls",  "0000 0011 1... 0...",                  &[RdMiddle, RrMiddle],     "6.56",  Mul,     Multiply),
    row(Op::Fmulsu,    "fmulsu", "0000 0011 1... 1...",                  &[RdMiddle, RrMiddle],     "6.57",  Mul,     Multiply),
    row(Op::Rjmp,      "rjmp",   "1100 .... .... ....",                  &[RelativeJump],           "6.90",  Base,    Class::Jump),
    row(Op::Ijmp,      "ijmp",   "1001 0100 0000 1001",                  &[],                       "6.59",  Base,    Class::Jump),
    row(Op::Eijmp,     "eijmp",  "1001 0100 0001 1001",                  &[],                       "6.52",  ExtendedJump, Class::Jump),
    row(Op::Jmp,       "jmp",    "1001 010. .... 110. ................", &[Jump],                   "6.62",  JmpCall, Class::Jump),
    row(Op::Rcall,     "rcall",  "1101 .... .... ....",                  &[RelativeJump],           "6.87",  Base,    Call),
    row(Op::Icall,     "icall",  "1001 0101 0000 1001",                  &[],                       "6.58",  Base,    Call),
    row(Op::Eicall,    "eicall", "1001 0101 0001 1001",                  &[],                       "6.51",  ExtendedJump, Call),
    row(Op::Call,      "call",   "1001 010. .... 111. ................", &[Jump],                   "6.32",  JmpCall, Call),
    row(Op::Ret,       "ret",    "1001 0101 0000 1000",                  &[],                       "6.88",  Base,    Return),
    row(Op::Reti,      "reti",   "1001 0101 0001 1000",                  &[],                       "6.89",  Base,    Return),
    row(Op::Cpse,      "cpse",   "0001 00.. .... ....",                  &[Rd, Rr],                 "6.48",  Base,    Class::Branch),
    row(Op::Sbrc,      "sbrc",   "1111 110. .... 0...",                  &[Rd, Bit],                "6.100", Base,    Class::Branch),
    row(Op::Sbrs,      "sbrs",   "1111 111. .... 0...",                  &[Rd, Bit],                "6.101", Base,    Class::Branch),
    row(Op::Sbic,      "sbic",   "1001 1001 .... ....",                  &[IoLow, Bit],             "6.96",  Base,    Class::Branch),
    row(Op::Sbis,      "sbis",   "1001 1011 .... ....",                  &[IoLow, Bit],             "6.97",  Base,    Class::Branch),
    row(Op::Brbs,      "brbs",   "1111 00.. .... ....",                  &[BranchFlag, Branch],     "6.10",  Base,    Class::Branch),
    row(Op::Brbc,      "brbc",   "1111 01.. .... ....",                  &[BranchFlag, Branch],     "6.9",   Base,    Class::Branch),
    row(Op::Lds,       "lds",    "1001 000. .... 0000 ................", &[Rd, DataAddress],        "6.70",  Base,    Load),
    row(Op::LdX,       "ld",     "1001 000. .... 1100",                  &[Rd, X],                  "6.66",  Base,    Load),
    row(Op::LdXInc,    "ld",     "1001 000. .... 1101",                  &[Rd, XInc],               "6.66",  Base,    Load),
    row(Op::LdXDec,    "ld",     "1001 000. .... 1110",                  &[Rd, XDec],               "6.66",  Base,    Load),
    row(Op::LddY,      "ldd",    "10.0 ..0. .... 1...",                  &[Rd, YDisplaced],         "6.67",  Base,    Load),
    row(Op::LdYInc,    "ld",     "1001 000. .... 1001",                  &[Rd, YInc],               "6.67",  Base,    Load),
    row(Op::LdYDec,    "ld",     "1001 000. .... 1010",                  &[Rd, YDec],               "6.67",  Base,    Load),
    row(Op::LddZ,      "ldd",    "10.0 ..0. .... 0...",                  &[Rd, ZDisplaced],         "6.68",  Base,    Load),
    row(Op::LdZInc,    "ld",     "1001 000. .... 0001",                  &[Rd, ZInc],               "6.68",  Base,    Load),
    row(Op::LdZDec,    "ld",     "1001 000. .... 0010",                  &[Rd, ZDec],               "6.68",  Base,    Load),
    row(Op::Sts,       "sts",    "1001 001. .... 0000 ................", &[DataAddress, Stored],    "6.117", Base,    Store),
    row(Op::StX,       "st",     "1001 001. .... 1100",                  &[X, Stored],              "6.114", Base,    Store),
    row(Op::StXInc,    "st",     "1001 001. .... 1101",                  &[XInc, Stored],           "6.114", Base,    Store),
    row(Op::StXDec,    "st",     "1001 001. .... 1110",                  &[XDec, Stored],           "6.114", Base,    Store),
    row(Op::StdY,      "std",    "10.0 ..1. .... 1...",                  &[YDisplaced, Stored],     "6.115", Base,    Store),
    row(Op::StYInc,    "st",     "1001 001. .... 1001",                  &[YInc, Stored],           "6.115", Base,    Store),
    row(Op::StYDec,    "st",     "1001 001. .... 1010",                  &[YDec, Stored],           "6.115", Base,    Store),
    row(Op::StdZ,      "std",    "10.0 ..1. .... 0...",                  &[ZDisplaced, Stored],     "6.116", Base,    Store),
    row(Op::StZInc,    "st",     "1001 001. .... 0001",                  &[ZInc, Stored],           "6.116", Base,    Store),
    row(Op::StZDec,    "st",     "1001 001. .... 0010",                  &[ZDec, Stored],           "6.116", Base,    Store),
    row(Op::Lpm,       "lpm",    "1001 0101 1100 1000",                  &[],                       "6.72",  Base,    LoadProgram),
    row(Op::LpmZ,      "lpm",    "1001 000. .... 0100",                  &[Rd, Z],                  "6.72",  Lpmx,    LoadProgram),
    row(Op::LpmZInc,   "lpm",    "1001 000. .... 0101",                  &[Rd, ZInc],               "6.72",  Lpmx,    LoadProgram),
    row(Op::Elpm,      "elpm",   "1001 0101 1101 1000",                  &[],                       "6.53",  Elpm,    LoadProgram),
    row(Op::ElpmZ,     "elpm",   "1001 000. .... 0110",                  &[Rd, Z],                  "6.53",  Elpmx,   LoadProgram),
    row(Op::ElpmZInc,  "elpm",   "1001 000. .... 0111",                  &[Rd, ZInc],               "6.53",  Elpmx,   LoadProgram),
    row(Op::Spm,       "spm",    "1001 0101 1110 1000",                  &[],                       "6.112", Spm,     Other),
    row(Op::In,        "in",     "1011 0... .... ....",                  &[Rd, Io],                 "6.60",  Base,    Class::Io),
    row(Op::Out,       "out",    "1011 1... .... ....",                  &[Io, Stored],             "6.84",  Base,    Class::Io),
    row(Op::Push,      "push",   "1001 001. .... 1111",                  &[Stored],                 "6.86",  Base,    Stack),
    row(Op::Pop,       "pop",    "1001 000. .... 1111",                  &[Rd],                     "6.85",  Base,    Stack),
    row(Op::Sbi,       "sbi",    "1001 1010 .... ....",                  &[IoLow, Bit],             "6.95",  Base,    Class::Io),
    row(Op::Cbi,       "cbi",    "1001 1000 .... ....",                  &[IoLow, Bit],             "6.33",  Base,    Class::Io),
    row(Op::Bset,      "bset",   "1001 0100 0... 1000",                  &[Flag],                   "6.30",  Base,    Class::Bit),
    row(Op::Bclr,      "bclr",   "1001 0100 1... 1000",                  &[Flag],                   "6.7",   Base,    Class::Bit),
    row(Op::Bst,       "bst",    "1111 101. .... 0...",                  &[Rd, Bit],                "6.31",  Base,    Class::Bit),
    row(Op::Bld,       "bld",    "1111 100. .... 0...",                  &[Rd, Bit],                "6.8",   Base,    Class::Bit),
    row(Op::Nop,       "nop",    "0000 0000 0000 0000",                  &[],                       "6.81",  Base,    Other),
    row(Op::Sleep,     "sleep",  "1001 0101 1000 1000",                  &[],                       "6.111", Base,    Other),
    row(Op::Wdr,       "wdr",    "1001 0101 1010 1000",                  &[],                       "6.123", Base,    Other),
    row(Op::Break,     "break",  "1001 0101 1001 1000",                  &[],                       "6.13",  Break,   Other),
];

/// The words of an instruction; one of one word does not look at the second.
#[derive(Debug, Clone, Copy)]
pub struct Code {
    pub first: u16,
    pub second: u16,
}

/// Names of the branches by the flag that they test, from bit 0 of the status register on.
const BRANCHES_IF_SET: [&str; 8] = ["brcs", "breq", "brmi", "brvs", "brlt", "brhs", "brts", "brie"];
const BRANCHES_IF_CLEAR: [&str; 8] = ["brcc", "brne", "brpl", "brvc", "brge", "brhc", "brtc", "brid"];
/// Names of the instructions that set or clear a flag.
const SETS: [&str; 8] = ["sec", "sez", "sen", "sev", "ses", "seh", "set", "sei"];
const CLEARS: [&str; 8] = ["clc", "clz", "cln", "clv", "cls", "clh", "clt", "cli"];

impl Row {
    /// Returns the row of an operation, `None` for one that is no instruction.
    pub fn of(op: Op) -> Option<&'static Row> {
        ROWS.get(op as usize)
    }

    /// Returns the length of the instruction in words.
    pub const fn words(&self) -> u8 {
        (self.pattern.bits / 16) as u8
    }

    /// Returns mask and value of the fixed bits of the first word.
    pub const fn fixed_bits(&self) -> (u16, u16) {
        let behind = self.pattern.bits - 16;
        ((self.pattern.mask >> behind) as u16, (self.pattern.value >> behind) as u16)
    }

    /// Returns the name of the instruction's time in a core's data: its mnemonic, and the pointer if it has one, as in
    /// `ld_x_inc`.
    pub fn time(&self) -> String {
        match self.operands.iter().find_map(|operand| operand.pointer()) {
            Some(pointer) => format!("{}_{pointer}", self.mnemonic),
            None => self.mnemonic.to_owned(),
        }
    }

    /// Returns the mnemonic that assemblers prefer, and whether it says the flag that the operands say.
    fn spelling(&self, code: Code) -> &'static str {
        let number = |index: usize| self.operands[index].number(code) as usize;
        match self.op {
            Op::Brbs => BRANCHES_IF_SET[number(0)],
            Op::Brbc => BRANCHES_IF_CLEAR[number(0)],
            Op::Bset => SETS[number(0)],
            Op::Bclr => CLEARS[number(0)],
            Op::LddY | Op::LddZ if number(1) == 0 => "ld",
            Op::StdY | Op::StdZ if number(0) == 0 => "st",
            _ => self.mnemonic,
        }
    }
}

impl Operand {
    /// Returns where the operand's bits lie in the first word: (lowest bit, number of bits, its place in the number).
    pub const fn field(self) -> &'static [(u32, u32, u32)] {
        match self {
            Rd | Stored => &[(4, 5, 0)],
            RdHigh | RdPair => &[(4, 4, 0)],
            RdMiddle => &[(4, 3, 0)],
            RdWord => &[(4, 2, 0)],
            Rr => &[(0, 4, 0), (9, 1, 4)],
            RrHigh | RrPair => &[(0, 4, 0)],
            RrMiddle => &[(0, 3, 0)],
            Immediate => &[(0, 4, 0), (8, 4, 4)],
            ShortImmediate => &[(0, 4, 0), (6, 2, 4)],
            Bit | BranchFlag => &[(0, 3, 0)],
            Flag => &[(4, 3, 0)],
            Io => &[(0, 4, 0), (9, 2, 4)],
            IoLow => &[(3, 5, 0)],
            Branch => &[(3, 7, 0)],
            RelativeJump => &[(0, 12, 0)],
            Jump => &[(0, 1, 16), (4, 5, 17)],
            YDisplaced | ZDisplaced => &[(0, 3, 0), (10, 2, 3), (13, 1, 5)],
            DataAddress | X | XInc | XDec | YInc | YDec | Z | ZInc | ZDec => &[],
        }
    }

    /// Returns the number that the operand says: of a register, a bit or a flag, an immediate, an address, a distance.
    pub fn number(self, code: Code) -> u32 {
        let bits = gathered(u32::from(code.first), self.field());
        match self {
            RdHigh | RdMiddle | RrHigh | RrMiddle => 16 + bits,
            RdPair | RrPair => 2 * bits,
            RdWord => 24 + 2 * bits,
            Branch => sign_extended(bits, 7),
            RelativeJump => sign_extended(bits, 12),
            Jump | DataAddress => bits | u32::from(code.second),
            _ => bits,
        }
    }

    /// Fills in what the operand says; returns false for a jump beyond the first 128 KB, where no code is executed.
    pub fn read(self, code: Code, place: Place, operands: &mut Operands) -> bool {
        let number = self.number(code);
        match self {
            Rd | RdHigh | RdMiddle | RdPair | RdWord | Stored => operands.set_rd(number as u8),
            Rr | RrHigh | RrMiddle | RrPair => operands.set_rr(number as u8),
            Immediate | ShortImmediate => operands.set_immediate(number as u8),
            YDisplaced | ZDisplaced => operands.set_displacement(number as u8),
            Bit => operands.set_bit(1 << number),
            Flag | BranchFlag => operands.set_flag(1 << number),
            Io | IoLow => operands.set_address(place.io.wrapping_add(number as u16)),
            Branch | RelativeJump => operands.set_target(place.next.wrapping_add(number as u16) & place.pc_mask),
            Jump => operands.set_target(number as u16),
            DataAddress => operands.set_address(number as u16),
            X | XInc | XDec | YInc | YDec | Z | ZInc | ZDec => {}
        }
        self != Jump || number <= 0xffff
    }

    /// Returns the operand as the GNU assembler writes it; `None` if the mnemonic says it.
    fn text(self, code: Code) -> Option<String> {
        let number = self.number(code);
        Some(match self {
            Rd | RdHigh | RdMiddle | RdPair | RdWord | Rr | RrHigh | RrMiddle | RrPair | Stored => format!("r{number}"),
            Immediate | ShortImmediate | Io | IoLow => format!("0x{number:02x}"),
            Bit => number.to_string(),
            Flag | BranchFlag => return None,
            Branch | RelativeJump => format!(".{:+}", 2 * number as i32),
            Jump => format!("0x{:x}", 2 * number),
            DataAddress => format!("0x{number:04x}"),
            YDisplaced if number > 0 => format!("Y+{number}"),
            ZDisplaced if number > 0 => format!("Z+{number}"),
            X => "X".into(),
            XInc => "X+".into(),
            XDec => "-X".into(),
            YDisplaced => "Y".into(),
            YInc => "Y+".into(),
            YDec => "-Y".into(),
            Z | ZDisplaced => "Z".into(),
            ZInc => "Z+".into(),
            ZDec => "-Z".into(),
        })
    }

    /// Returns how the name of a time calls a pointer, `None` for any other operand.
    const fn pointer(self) -> Option<&'static str> {
        Some(match self {
            X => "x",
            XInc => "x_inc",
            XDec => "x_dec",
            YDisplaced => "y",
            YInc => "y_inc",
            YDec => "y_dec",
            Z | ZDisplaced => "z",
            ZInc => "z_inc",
            ZDec => "z_dec",
            _ => return None,
        })
    }
}

/// Returns the row whose pattern the first word matches, on any core.
pub fn row_of(first: u16) -> Option<&'static Row> {
    static ROW_BY_WORD: OnceLock<Vec<Option<&'static Row>>> = OnceLock::new();
    ROW_BY_WORD.get_or_init(row_by_word)[usize::from(first)]
}

fn row_by_word() -> Vec<Option<&'static Row>> {
    let mut table = vec![None; 0x1_0000];
    for row in ROWS {
        let (mask, value) = row.fixed_bits();
        // Every choice of the free bits, counted down through the subsets of a mask.
        let free = !mask;
        let mut choice = free;
        loop {
            table[usize::from(value | choice)] = Some(row);
            if choice == 0 {
                break;
            }
            choice = (choice - 1) & free;
        }
    }
    table
}

/// Returns the text of an instruction and its length in words, `None` for what is no instruction of any core.
pub fn text(code: Code) -> Option<(String, u8)> {
    let row = row_of(code.first)?;
    let operands: Vec<String> = row.operands.iter().filter_map(|operand| operand.text(code)).collect();
    let text = format!("{} {}", row.spelling(code), operands.join(", "));
    Some((text.trim_end().to_owned(), row.words()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_never_overlap() {
        let fixed: Vec<_> = ROWS.iter().map(Row::fixed_bits).collect();
        for word in 0..=u16::MAX {
            let matching = fixed.iter().filter(|(mask, value)| word & mask == *value);
            assert!(matching.count() <= 1, "word {word:04x} matches two rows");
        }
    }

    #[test]
    fn a_row_is_found_by_any_of_its_words_and_by_its_operation() {
        for (index, row) in ROWS.iter().enumerate() {
            let (mask, value) = row.fixed_bits();
            assert_eq!(row_of(value).map(|found| found.op), Some(row.op));
            assert_eq!(row_of(value | !mask).map(|found| found.op), Some(row.op));
            assert_eq!(row.op as usize, index);
        }
        assert!(row_of(0xffff).is_none(), "an erased flash word is no instruction");
        assert!(Row::of(Op::Illegal).is_none());
    }

    #[test]
    fn operands_take_the_free_bits_and_no_others() {
        for row in ROWS {
            let field = |operand: &Operand| {
                operand.field().iter().map(|&(low, count, _)| ((1u32 << count) - 1) << low).sum::<u32>() as u16
            };
            let taken: u32 = row.operands.iter().map(|operand| u32::from(field(operand))).sum();
            assert_eq!(taken, u32::from(!row.fixed_bits().0), "{}", row.time());
        }
    }

    #[test]
    fn names_of_times_are_unique() {
        let mut names: Vec<_> = ROWS.iter().map(Row::time).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len());
    }
}

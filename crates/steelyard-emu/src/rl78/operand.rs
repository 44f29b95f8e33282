//! Operands of the assembly language: where their bits stand in an instruction, and how they are written.

use super::decode::{self, Decoded, AX, BC, DE, HL, SFR_PSW, SFR_SP, SP, ZERO};
use super::memory::{ADDRESS_MASK, NEAR};
use crate::isa::Pattern;

/// A register that an instruction names by itself or in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    A,
    X,
    B,
    C,
    Ax,
    Bc,
    /// Byte register in the lowest three bits.
    Register,
    /// Byte register in the lowest three bits, any but A.
    NotA,
    /// Pair in the bits 1 and 2.
    Pair,
    /// Pair in the bits 1 and 2, any but AX.
    NotAx,
    /// Pair in the bits 4 and 5.
    HighPair,
    /// Pair in the bits 4 and 5, any but AX.
    HighNotAx,
}

/// Addressing mode of an operand in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// From 0xFFE20 to 0xFFF1F.
    Saddr,
    /// The last 256 bytes.
    Sfr,
    /// The program status word, which the instruction names by itself.
    Psw,
    /// The stack pointer, likewise.
    StackPointer,
    Absolute,
    De,
    DeByte,
    Hl,
    HlByte,
    HlB,
    HlC,
    SpByte,
    WordB,
    WordC,
    WordBc,
}

impl Mode {
    /// Whether the prefix may put ES above the address.
    pub fn takes_prefix(self) -> bool {
        !matches!(self, Mode::Saddr | Mode::Sfr | Mode::Psw | Mode::StackPointer | Mode::SpByte)
    }

    /// Returns the base of the address, and whether C (a shift by 0) or B (a shift by 8) of BC is added to it.
    fn base(self) -> (u8, Option<u8>) {
        match self {
            Mode::De | Mode::DeByte => (DE, None),
            Mode::Hl | Mode::HlByte => (HL, None),
            Mode::HlB => (HL, Some(8)),
            Mode::HlC => (HL, Some(0)),
            Mode::SpByte => (SP, None),
            Mode::WordB => (ZERO, Some(8)),
            Mode::WordC => (ZERO, Some(0)),
            Mode::WordBc => (BC, None),
            Mode::Saddr | Mode::Sfr | Mode::Psw | Mode::StackPointer | Mode::Absolute => (ZERO, None),
        }
    }

    fn read(self, code: &mut Code, decoded: &mut Decoded) {
        let (base, index) = self.base();
        decoded.base = base;
        (decoded.index_shift, decoded.index_mask) = index.map_or((0, 0), |shift| (shift, 0xff));
        decoded.offset = match self {
            Mode::Saddr => match code.byte() {
                low @ 0..0x20 => 0xff00 | low,
                high => 0xfe00 | high,
            },
            Mode::Sfr => 0xff00 | code.byte(),
            Mode::Psw => 0xff00 | u16::from(SFR_PSW),
            Mode::StackPointer => 0xff00 | u16::from(SFR_SP),
            Mode::DeByte | Mode::HlByte | Mode::SpByte => code.byte(),
            Mode::Absolute | Mode::WordB | Mode::WordC | Mode::WordBc => code.word(),
            Mode::De | Mode::Hl | Mode::HlB | Mode::HlC => 0,
        };
        decoded.far = code.prefixed;
    }

    fn text(self, decoded: &Decoded) -> String {
        let offset = decoded.offset;
        let far = if decoded.far { "es:" } else { "" };
        match self {
            Mode::Saddr => format!("{:#x}", NEAR | u32::from(offset)),
            Mode::Sfr => match REGISTERS.iter().find(|(low, _)| 0xff00 | u16::from(*low) == offset) {
                Some((_, name)) if !decoded.is_word() => name.to_string(),
                _ => format!("{:#x}", NEAR | u32::from(offset)),
            },
            Mode::Psw => "psw".into(),
            Mode::StackPointer => "sp".into(),
            Mode::Absolute if decoded.far => format!("es:!{offset:#x}"),
            Mode::Absolute => format!("!{:#x}", NEAR | u32::from(offset)),
            Mode::De => format!("{far}[de]"),
            Mode::DeByte => format!("{far}[de+{offset}]"),
            Mode::Hl => format!("{far}[hl]"),
            Mode::HlByte => format!("{far}[hl+{offset}]"),
            Mode::HlB => format!("{far}[hl+b]"),
            Mode::HlC => format!("{far}[hl+c]"),
            Mode::SpByte => format!("[sp+{offset}]"),
            Mode::WordB => format!("{far}{offset}[b]"),
            Mode::WordC => format!("{far}{offset}[c]"),
            Mode::WordBc => format!("{far}{offset}[bc]"),
        }
    }
}

/// Names of registers within the last 256 bytes that are written for their addresses.
const REGISTERS: [(u8, &str); 6] =
    [(0xf8, "spl"), (0xf9, "sph"), (0xfc, "cs"), (0xfd, "es"), (0xfe, "pmc"), (0xff, "mem")];

/// Bit of the program status word.
const INTERRUPT_ENABLE: u16 = 0x80;

/// An operand of the assembly language, or what an instruction holds without writing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// The register that is written, or compared with something.
    To(Place),
    /// The register that is read.
    Source(Place),
    At(Mode),
    /// A bit of a byte in memory, and of A.
    Bit(Mode),
    BitOfA,
    Byte,
    /// What is subtracted, as the negative number to add.
    MinusByte,
    Word,
    /// Number of bits by which to shift.
    Count,
    /// The count of a rotation.
    One,
    /// A number that is not written.
    Implied(u16),
    /// Number of a register bank.
    Bank,
    Carry,
    Es,
    Sp,
    /// The bit of the program status word that enables interrupts; it is not written.
    InterruptEnable,
    /// Distances of one and two bytes, and addresses of two and three.
    Near,
    Relative,
    Target16,
    Target20,
    /// Address of an entry of the table of calls.
    Table,
}

/// An instruction whose operands are being read.
pub struct Code {
    bytes: [u8; 4],
    /// The byte of the opcode that has fields.
    opcode: u8,
    /// Number of the byte to read next.
    next: usize,
    /// Address behind the instruction.
    end: u32,
    prefixed: bool,
}

impl Code {
    /// Begins to read an instruction of a pattern, given by its first four bytes behind the prefix.
    pub fn new(word: u32, pattern: &Pattern, end: u32, prefixed: bool) -> Self {
        let bytes = word.to_be_bytes();
        let fixed = (pattern.mask << (32 - pattern.bits)).leading_ones() as usize / 8;
        let operand_bytes = pattern.mask.trailing_zeros() / 8;
        let next = (pattern.bits / 8 - operand_bytes) as usize;
        Code { bytes, opcode: bytes[fixed % 4], next, end, prefixed }
    }

    fn byte(&mut self) -> u16 {
        self.next += 1;
        u16::from(self.bytes[self.next - 1])
    }

    fn word(&mut self) -> u16 {
        self.byte() | self.byte() << 8
    }

    fn behind(&self, distance: i16) -> u32 {
        self.end.wrapping_add_signed(i32::from(distance)) & ADDRESS_MASK
    }
}

pub(super) const BYTE_REGISTERS: &[&str] = &["x", "a", "c", "b", "e", "d", "l", "h"];
pub(super) const PAIRS: &[&str] = &["ax", "bc", "de", "hl"];

impl Place {
    /// Returns the number of the register; `None` if it is one that the field cannot name.
    fn number(self, opcode: u8) -> Option<u8> {
        let (byte, pair, high_pair) = (opcode & 7, opcode >> 1 & 3, opcode >> 4 & 3);
        match self {
            Place::A => Some(decode::A),
            Place::X => Some(decode::X),
            Place::B => Some(decode::B),
            Place::C => Some(decode::C),
            Place::Ax => Some(AX),
            Place::Bc => Some(BC),
            Place::Register => Some(byte),
            Place::NotA => (byte != decode::A).then_some(byte),
            Place::Pair => Some(pair),
            Place::NotAx => (pair != AX).then_some(pair),
            Place::HighPair => Some(high_pair),
            Place::HighNotAx => (high_pair != AX).then_some(high_pair),
        }
    }

    fn text(self, number: u8) -> String {
        let names = match self {
            Place::A | Place::X | Place::B | Place::C | Place::Register | Place::NotA => BYTE_REGISTERS,
            _ => PAIRS,
        };
        names[usize::from(number)].into()
    }
}

impl Operand {
    /// Whether an operand in memory may have the prefix.
    pub fn takes_prefix(self) -> bool {
        matches!(self, Operand::At(mode) | Operand::Bit(mode) if mode.takes_prefix())
    }

    /// Whether the operand is the program status word or a bit of it.
    fn is_status(self) -> bool {
        matches!(self, Operand::At(Mode::Psw) | Operand::Bit(Mode::Psw) | Operand::InterruptEnable)
    }

    /// Whether the operand stands among the last 256 bytes whatever its value.
    pub fn is_special(self) -> bool {
        self.is_status() || matches!(self, Operand::At(Mode::Sfr | Mode::StackPointer) | Operand::Bit(Mode::Sfr))
    }

    /// Fills in what the operand says; returns false for an encoding that is reserved.
    pub fn read(self, code: &mut Code, decoded: &mut Decoded) -> bool {
        let opcode = code.opcode;
        let bit = 1 << (opcode >> 4 & 7);
        match self {
            Operand::To(place) => match place.number(opcode) {
                Some(number) => decoded.destination = number,
                None => return false,
            },
            Operand::Source(place) => match place.number(opcode) {
                Some(number) => decoded.source = number,
                None => return false,
            },
            Operand::At(mode) => mode.read(code, decoded),
            Operand::Bit(mode) => {
                decoded.imm = bit;
                mode.read(code, decoded);
            }
            Operand::BitOfA => decoded.imm = bit,
            Operand::InterruptEnable => {
                decoded.imm = INTERRUPT_ENABLE;
                Mode::Psw.read(code, decoded);
            }
            Operand::Byte => decoded.imm = code.byte(),
            Operand::MinusByte => decoded.imm = code.byte().wrapping_neg(),
            Operand::Word => decoded.imm = code.word(),
            Operand::Count => {
                decoded.imm = u16::from(opcode >> 4);
                return decoded.imm != 0;
            }
            Operand::Implied(number) => decoded.imm = number,
            Operand::Bank => decoded.imm = u16::from(opcode >> 4 & 3),
            Operand::Near => {
                let distance = code.byte() as i8;
                decoded.target = code.behind(distance.into());
            }
            Operand::Relative => {
                let distance = code.word() as i16;
                decoded.target = code.behind(distance);
            }
            Operand::Target16 => decoded.target = code.word().into(),
            Operand::Target20 => {
                decoded.target = (u32::from(code.word()) | u32::from(code.byte()) << 16) & ADDRESS_MASK;
            }
            Operand::Table => decoded.target = 0x80 + u32::from(opcode & 3) * 16 + u32::from(opcode >> 4 & 7) * 2,
            Operand::One | Operand::Carry | Operand::Es | Operand::Sp => {}
        }
        true
    }

    /// Returns the operand as the assembly language writes it; `None` if it does not.
    pub fn text(self, decoded: &Decoded) -> Option<String> {
        let Decoded { imm, target, .. } = *decoded;
        let bit = imm.trailing_zeros();
        Some(match self {
            Operand::To(place) => place.text(decoded.destination),
            Operand::Source(place) => place.text(decoded.source),
            Operand::At(mode) => mode.text(decoded),
            Operand::Bit(mode) => format!("{}.{bit}", mode.text(decoded)),
            Operand::BitOfA => format!("a.{bit}"),
            Operand::Byte => format!("#{imm}"),
            Operand::MinusByte => format!("#{}", imm.wrapping_neg()),
            Operand::Word if imm < 1000 => format!("#{imm}"),
            Operand::Word => format!("#{imm:#x}"),
            Operand::Count => imm.to_string(),
            Operand::One => "1".into(),
            Operand::Bank => format!("rb{imm}"),
            Operand::Carry => "cy".into(),
            Operand::Es => "es".into(),
            Operand::Sp => "sp".into(),
            Operand::Near => format!("${target:#x}"),
            Operand::Relative => format!("$!{target:#x}"),
            Operand::Target16 => format!("!{target:#x}"),
            Operand::Target20 => format!("!!{target:#x}"),
            Operand::Table => format!("[{target:#x}]"),
            Operand::Implied(_) | Operand::InterruptEnable => return None,
        })
    }
}

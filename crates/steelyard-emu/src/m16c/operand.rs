//! The operands of instructions: where they are read, and how the assembly language writes them.

use super::decode::{Decoded, A0, A1, BIT_INDEXED, FB, FROM_IMMEDIATE, FROM_MEMORY, FROM_WORD, HIGH};
use super::decode::{R0, R1, SB, SP, TO_MEMORY, WORD, ZERO};
use super::memory::ADDRESS_MASK;
use crate::isa::{bits, sign_extended};

/// An operand of the assembly language, or what an instruction says besides.
///
/// A *place* is a register or memory, encoded in four bits. *Sized* operands are words if the lowest bit of the first byte
/// is set. The lower four bits of the second byte have the place, if nothing else is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// Sized place in the upper four bits.
    Source,
    LowSource,
    WordSource,
    /// Memory whose address is taken.
    AddressedWord,
    /// Byte whose nibble moves to R0L.
    NibbleSource,
    /// Source of the short formats: the other half of R0, or memory.
    ShortSource,
    /// A half of R0.
    ShortRegisterSource,
    HalfSource,
    AddressSource,
    /// Memory relative to the stack pointer.
    OnStackSource,
    /// R0H or R1.
    DecimalSource,
    /// Place of an offset or address of 20 bits.
    JumpSource,
    JumpPairSource,

    Destination,
    /// Sized place; bytes for an address register are extended to words.
    DestinationWidened,
    /// Byte that is extended to a word.
    ExtendedDestination,
    /// Place of a product, which is twice as wide.
    ProductDestination,
    /// Place of an address: a register pair or memory.
    PairDestination,
    /// Byte into which a nibble of R0L moves.
    NibbleDestination,
    /// Register in the upper bits of the second byte.
    RegisterDestination,
    ShortDestination,
    ShortRegister,
    ShortMemory,
    ShortAddress,
    HalfDestination,
    AddressDestination,
    OnStackDestination,
    /// R0L or R0.
    Accumulator,
    /// R0, whose sign goes to R2.
    ExtendedAccumulator,
    /// R0L beside a nibble.
    LowAccumulator,
    StackPointer,
    /// A register pair by one bit.
    Pair,

    /// Sized immediate.
    Immediate,
    /// Sized immediate with a sign.
    SignedImmediate,
    Byte,
    SecondByte,
    Word,
    /// Four bits with a sign, the upper ones of the second byte or the lower ones.
    Quick,
    QuickLow,
    Zero,
    FrameBytes,
    /// What a counted branch adds, and what it subtracts.
    Step,
    MinusStep,
    /// Places to shift by.
    Places,
    PlacesLow,
    /// R1H.
    CountRegister,

    /// Addresses of 20 bits: absolute, from A0, and in A1A0. Those of a load come behind the destination.
    FarAbsolute,
    FarFromA0,
    FarIndirect,
    BehindFarAbsolute,
    BehindFarFromA0,
    BehindFarIndirect,

    Bit,
    ShortBit,
    Carry,

    ShortLabel,
    /// Target at a distance of a byte from the byte behind the operation code.
    NearLabel,
    WordLabel,
    Label,
    /// Number of a vector at the end of memory.
    SpecialPage,
    InterruptNumber,

    Control,
    ProgramCounter,
    Flag,
    Level,
    PushedRegisters,
    PoppedRegisters,
    ContextNumber,
    ContextTable,

    /// Conditions, which the mnemonic shows: in three bits, four, and in a byte behind the bit.
    ShortCondition,
    Condition,
    ConditionByte,
    /// Which nibbles move, as the mnemonic shows.
    Nibbles,
    /// The size as that of the destination, and of the source.
    Size,
    SourceSize,
}

use Operand::*;

/// Bytes of an instruction, read in order.
pub struct Reader<'a> {
    bytes: &'a [u8],
    used: usize,
    /// The operation code, of one byte or two.
    pub opcode: u32,
    opcode_bytes: u32,
    /// Address of the instruction.
    address: u32,
}

impl<'a> Reader<'a> {
    /// Reads the operation code; `None` if there are fewer bytes.
    pub fn new(bytes: &'a [u8], opcode_bytes: u32, address: u32) -> Option<Self> {
        let mut reader = Reader { bytes, used: 0, opcode: 0, opcode_bytes, address };
        for _ in 0..opcode_bytes {
            reader.opcode = reader.opcode << 8 | u32::from(reader.byte()?);
        }
        Some(reader)
    }

    /// Returns the number of bytes read.
    pub fn used(&self) -> usize {
        self.used
    }

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

    /// Returns a distance with its sign, and where it is counted from.
    fn near(&mut self) -> Option<u32> {
        Some(self.behind_opcode().wrapping_add(signed_byte(self.byte()?)))
    }

    fn behind_opcode(&self) -> u32 {
        self.address.wrapping_add(self.opcode_bytes)
    }

    /// Reads a place encoded in four bits.
    fn place(&mut self, code: u8, word: bool) -> Option<Place> {
        let (register, disp) = match code {
            // R0L, R0H, R1L, R1H
            0..=3 if !word => return Some(Place::register(code >> 1 | if code & 1 != 0 { HIGH } else { 0 })),
            0..=5 => return Some(Place::register(code)),
            6 => (A0, 0),
            7 => (A1, 0),
            8 => (A0, u16::from(self.byte()?)),
            9 => (A1, u16::from(self.byte()?)),
            10 => (SB, u16::from(self.byte()?)),
            11 => (FB, signed_byte(self.byte()?) as u16),
            12 => (A0, self.word()?),
            13 => (A1, self.word()?),
            14 => (SB, self.word()?),
            _ => (ZERO, self.word()?),
        };
        Some(Place::memory(register, disp))
    }
}

/// A register or memory.
#[derive(Clone, Copy)]
struct Place {
    memory: bool,
    /// Number of the register, or of the base of the address.
    register: u8,
    disp: u16,
}

impl Place {
    fn register(register: u8) -> Self {
        Place { memory: false, register, disp: 0 }
    }

    fn memory(register: u8, disp: u16) -> Self {
        Place { memory: true, register, disp }
    }

    fn is_address_register(self) -> bool {
        !self.memory && matches!(self.register, A0 | A1)
    }
}

impl Decoded {
    fn source(&mut self, place: Place, word: bool) {
        self.src = place.register;
        self.src_disp = place.disp;
        self.form |= if place.memory { FROM_MEMORY } else { 0 } | if word { FROM_WORD } else { 0 };
    }

    fn destination(&mut self, place: Place, word: bool) {
        self.dst = place.register;
        self.dst_disp = place.disp;
        self.form |= if place.memory { TO_MEMORY } else { 0 } | if word { WORD } else { 0 };
    }

    fn immediate(&mut self, value: u32, word: bool) {
        self.imm = value;
        self.form |= FROM_IMMEDIATE | if word { FROM_WORD } else { 0 };
    }

    fn target(&mut self, target: u32) {
        self.imm = target & ADDRESS_MASK;
    }
}

fn signed_byte(byte: u8) -> u32 {
    sign_extended(u32::from(byte), 8)
}

/// Returns the count from -8 to -1 and +1 to +8 that four bits encode.
fn places(code: u32) -> u32 {
    if code & 8 != 0 {
        !(code & 7)
    } else {
        (code & 7) + 1
    }
}

/// Mask of the four-bit condition codes that are defined.
const CONDITIONS: u32 = 0b0111_0111_1111_1111;

/// Names of the conditions.
const CONDITION_NAMES: [&str; 16] =
    ["geu", "gtu", "eq", "n", "ltu", "leu", "ne", "pz", "le", "o", "ge", "", "gt", "no", "lt", ""];

/// Returns the condition of the byte behind a bit, `None` if it is undefined.
fn condition_byte(byte: u8) -> Option<u8> {
    match byte {
        0x00..=0x03 => Some(byte),
        0x04..=0x06 => Some(byte + 4),
        0xf8..=0xfb => Some(byte - 0xf4),
        0xfc..=0xfe => Some(byte - 0xf0),
        _ => None,
    }
}

/// Whether the code of a place is that of a pair's lower half, or memory.
fn is_pair(code: u8) -> bool {
    !matches!(code, 2 | 3 | 5)
}

impl Operand {
    /// Whether its bytes come behind those of the others, wherever the assembly language writes it.
    pub fn is_behind(self) -> bool {
        matches!(self, Immediate | SecondByte | OnStackSource | BehindFarAbsolute | BehindFarFromA0 | BehindFarIndirect)
    }

    /// Returns the code of its place and whether that is a word, `None` if it is something else.
    fn place(self, opcode: u32) -> Option<(u8, bool)> {
        let field = |low, count| bits(opcode, low, count) as u8;
        let sized = bits(opcode, 8, 1) != 0;
        let short_memory = |code: u8| [15, 10, 11, 15][usize::from(code)];
        Some(match self {
            Source => (field(4, 4), sized),
            LowSource | Destination | DestinationWidened | ExtendedDestination | ProductDestination => {
                (field(0, 4), sized)
            }
            WordSource | AddressedWord | PairDestination => (field(0, 4), true),
            NibbleSource | NibbleDestination => (field(0, 4), false),
            RegisterDestination => (field(4, 3), true),
            ShortSource if field(0, 2) == 0 => (1 - field(2, 1), false),
            ShortSource | ShortMemory => (short_memory(field(0, 2)), false),
            ShortDestination if field(0, 3) > 4 => (short_memory(field(0, 2)), false),
            ShortDestination => (4 - field(0, 3).min(4), false),
            ShortRegister | ShortRegisterSource => (field(2, 1), false),
            ShortAddress => (4 + field(2, 1), true),
            HalfSource | HalfDestination => (field(3, 1), false),
            AddressSource | AddressDestination => (4 + field(3, 1), true),
            _ => return None,
        })
    }

    /// Whether the operand can have this place.
    fn allows(self, code: u8, word: bool) -> bool {
        match self {
            AddressedWord => code >= 8,
            NibbleSource | NibbleDestination => !matches!(code, 0 | 4 | 5),
            ExtendedDestination => !matches!(code, 1 | 3 | 4 | 5),
            ProductDestination if word => is_pair(code),
            ProductDestination => !matches!(code, 1 | 3 | 5),
            PairDestination | JumpPairSource => is_pair(code),
            RegisterDestination => code < 6,
            // Other codes are other instructions.
            ShortDestination => !matches!(code, 2..=4),
            _ => true,
        }
    }

    fn is_source(self) -> bool {
        matches!(
            self,
            Source
                | LowSource
                | WordSource
                | AddressedWord
                | NibbleSource
                | ShortSource
                | ShortRegisterSource
                | HalfSource
                | AddressSource
        )
    }

    /// Fills in what the operand says; `None` for an encoding that is reserved, or if bytes are missing.
    pub fn read(self, reader: &mut Reader, decoded: &mut Decoded) -> Option<()> {
        if let Some((code, word)) = self.place(reader.opcode) {
            if !self.allows(code, word) {
                return None;
            }
            let place = reader.place(code, word)?;
            if self.is_source() {
                decoded.source(place, word);
            } else {
                decoded.destination(place, word || self == DestinationWidened && place.is_address_register());
            }
            return Some(());
        }
        let field = |low, count| bits(reader.opcode, low, count);
        let sized = field(8, 1) != 0;
        match self {
            OnStackSource => decoded.source(Place::memory(SP, signed_byte(reader.byte()?) as u16), sized),
            OnStackDestination => decoded.destination(Place::memory(SP, signed_byte(reader.byte()?) as u16), sized),
            DecimalSource => decoded.source(Place::register(if sized { R1 } else { R0 | HIGH }), sized),
            JumpSource | JumpPairSource => return self.read_jump(reader, decoded),
            Accumulator => decoded.destination(Place::register(R0), sized),
            StackPointer => decoded.destination(Place::register(SP), true),
            Pair => decoded.dst = if field(4, 1) != 0 { R1 } else { R0 },

            Immediate => decoded.immediate(reader.immediate(sized)?, sized),
            SignedImmediate if sized => decoded.immediate(u32::from(reader.word()?), true),
            SignedImmediate => decoded.immediate(signed_byte(reader.byte()?) & 0xffff, true),
            Byte => decoded.immediate(reader.immediate(false)?, false),
            SecondByte => decoded.imm |= u32::from(reader.byte()?) << 8,
            Word => decoded.immediate(u32::from(reader.word()?), true),
            Quick => decoded.immediate(sign_extended(field(4, 4), 4) & if sized { 0xffff } else { 0xff }, sized),
            QuickLow => decoded.immediate(sign_extended(field(0, 4), 4) & 0xffff, true),
            Zero => decoded.immediate(0, false),
            FrameBytes => decoded.imm = u32::from(reader.byte()?),
            Step | MinusStep => decoded.src_disp = sign_extended(field(4, 4), 4) as u16,
            Places => decoded.imm = places(field(4, 4)),
            PlacesLow => decoded.imm = places(field(0, 4)),

            FarAbsolute | BehindFarAbsolute => (decoded.imm, decoded.detail) = (reader.address()?, ZERO),
            FarFromA0 | BehindFarFromA0 => (decoded.imm, decoded.detail) = (reader.address()?, A0),

            Bit => return Self::read_bit(reader, decoded),
            ShortBit => {
                decoded.detail = field(0, 3) as u8;
                decoded.destination(Place::memory(SB, u16::from(reader.byte()?)), false);
            }

            ShortLabel => decoded.target(reader.behind_opcode().wrapping_add(1 + field(0, 3))),
            NearLabel => decoded.target(reader.near()?),
            WordLabel => {
                let distance = sign_extended(u32::from(reader.word()?), 16);
                decoded.target(reader.behind_opcode().wrapping_add(distance));
            }
            Label => decoded.target(reader.address()?),
            SpecialPage => decoded.target(SPECIAL_PAGES - 2 * u32::from(reader.byte()?)),
            InterruptNumber => decoded.detail = field(0, 6) as u8,

            Control => decoded.detail = Some(field(4, 3) as u8).filter(|&control| control != 0)?,
            Flag => decoded.detail = field(4, 3) as u8,
            Level => decoded.detail = field(0, 3) as u8,
            PushedRegisters | PoppedRegisters => decoded.imm = u32::from(reader.byte()?),
            ContextNumber => decoded.src_disp = reader.word()?,
            ContextTable => decoded.imm = reader.address()?,

            ShortCondition => decoded.detail = field(0, 3) as u8,
            Condition => decoded.detail = Some(field(0, 4)).filter(|code| CONDITIONS >> code & 1 != 0)? as u8,
            ConditionByte => decoded.src = condition_byte(reader.byte()?)?,
            Nibbles => decoded.detail = field(4, 2) as u8,
            Size => decoded.form |= if sized { WORD } else { 0 },
            SourceSize => decoded.form |= if sized { FROM_WORD } else { 0 },
            _ => {}
        }
        Some(())
    }

    /// Reads where a jump finds its offset or address; a displacement from an address register has 20 bits.
    fn read_jump(self, reader: &mut Reader, decoded: &mut Decoded) -> Option<()> {
        let code = bits(reader.opcode, 0, 4) as u8;
        if !self.allows(code, true) {
            return None;
        }
        let place = if let 12 | 13 = code {
            let disp = reader.address()?;
            decoded.imm = disp >> 16;
            Place::memory(if code == 12 { A0 } else { A1 }, disp as u16)
        } else {
            reader.place(code, true)?
        };
        decoded.source(place, true);
        Some(())
    }

    /// Reads a bit of a register, or a bit at a position counted from the byte at a base.
    fn read_bit(reader: &mut Reader, decoded: &mut Decoded) -> Option<()> {
        let code = bits(reader.opcode, 0, 4) as u8;
        if code <= 5 {
            decoded.dst = code;
            decoded.detail = reader.byte()? & 15;
            return Some(());
        }
        let mut place = reader.place(code, true)?;
        decoded.detail = BIT_INDEXED;
        if let 10 | 11 | 14 | 15 = code {
            // The place is a byte's, and a bit's in its lowest three bits.
            decoded.detail = place.disp as u8 & 7;
            place.disp = if code == 11 { ((place.disp as i16) >> 3) as u16 } else { place.disp >> 3 };
        }
        decoded.destination(place, false);
        Some(())
    }

    /// Returns the operand as the assembly language writes it; `None` if it does not.
    pub fn text(self, opcode: u32, decoded: &Decoded) -> Option<String> {
        let Decoded { form, src, dst, detail, imm, src_disp, dst_disp, .. } = *decoded;
        let sized = bits(opcode, 8, 1) != 0;
        let pair = |low: u8| ["r2r0", "r3r1", "a1a0"][usize::from(low.min(2))].to_string();
        if let PairDestination | JumpPairSource | JumpSource = self {
            let from_memory = form & (FROM_MEMORY | TO_MEMORY) != 0;
            let code = bits(opcode, 0, 4) as u8;
            return Some(match self {
                PairDestination if from_memory => memory(code, u32::from(dst_disp)),
                _ if from_memory => memory(code, u32::from(src_disp) | imm << 16),
                JumpSource => REGISTERS[usize::from(src & 15)].into(),
                PairDestination => pair(dst),
                _ => pair(src),
            });
        }
        if let Some((code, word)) = self.place(opcode) {
            let disp = if self.is_source() { src_disp } else { dst_disp };
            return Some(place(code, word, disp));
        }
        let signed = |value: u32, word: bool| sign_extended(value, if word { 16 } else { 8 }) as i32;
        Some(match self {
            OnStackSource => format!("{}[sp]", src_disp as i16),
            OnStackDestination => format!("{}[sp]", dst_disp as i16),
            DecimalSource => if sized { "r1" } else { "r0h" }.into(),
            Accumulator => if sized { "r0" } else { "r0l" }.into(),
            ExtendedAccumulator => "r0".into(),
            LowAccumulator => "r0l".into(),
            StackPointer => "sp".into(),
            Pair => pair(dst),
            Immediate | SignedImmediate | Byte | Word | Quick | QuickLow | Zero => {
                format!("#{}", signed(imm, form & FROM_WORD != 0))
            }
            SecondByte => format!("#{}", signed(imm >> 8, false)),
            FrameBytes => format!("#{imm}"),
            Step => format!("#{}", src_disp as i16),
            MinusStep => format!("#{}", -(src_disp as i16)),
            Places | PlacesLow => format!("#{}", imm as i32),
            CountRegister => "r1h".into(),
            FarAbsolute | BehindFarAbsolute => format!("0x{imm:x}"),
            FarFromA0 | BehindFarFromA0 => format!("0x{imm:x}[a0]"),
            FarIndirect | BehindFarIndirect => "[a1a0]".into(),
            Bit => {
                let code = bits(opcode, 0, 4) as u8;
                let place = place(code, true, dst_disp);
                if form & TO_MEMORY != 0 && detail & BIT_INDEXED != 0 {
                    place
                } else {
                    format!("{detail},{place}")
                }
            }
            ShortBit => format!("{detail},0x{dst_disp:x}[sb]"),
            Carry => "c".into(),
            ShortLabel | NearLabel | WordLabel | Label => format!("0x{imm:x}"),
            SpecialPage => format!("#{}", signed((SPECIAL_PAGES - imm) / 2, false)),
            InterruptNumber | Level => format!("#{detail}"),
            Control => CONTROLS[usize::from(detail & 7)].into(),
            ProgramCounter => "pc".into(),
            Flag => FLAGS[usize::from(detail & 7)].into(),
            PushedRegisters => list(|number| imm >> (7 - number) & 1 != 0),
            PoppedRegisters => list(|number| imm >> number & 1 != 0),
            ContextNumber => format!("0x{src_disp:x}"),
            ContextTable => format!("0x{imm:x}"),
            _ => return None,
        })
    }

    /// Returns the condition that stands in the mnemonic.
    pub fn condition(self, decoded: &Decoded) -> Option<&'static str> {
        match self {
            ShortCondition | Condition => Some(CONDITION_NAMES[usize::from(decoded.detail & 15)]),
            ConditionByte => Some(CONDITION_NAMES[usize::from(decoded.src & 15)]),
            _ => None,
        }
    }
}

/// Address of the vector of the special page 0; the others lie below it.
const SPECIAL_PAGES: u32 = 0xf_fffe;

const REGISTERS: [&str; 6] = ["r0", "r1", "r2", "r3", "a0", "a1"];
const HALVES: [&str; 4] = ["r0l", "r0h", "r1l", "r1h"];
const CONTROLS: [&str; 8] = ["", "intbl", "intbh", "flg", "isp", "sp", "sb", "fb"];
const FLAGS: [&str; 8] = ["c", "d", "z", "s", "b", "o", "i", "u"];
/// Registers in the order of the bits of a `POPM` list.
const LISTED: [&str; 8] = ["r0", "r1", "r2", "r3", "a0", "a1", "sb", "fb"];

/// Writes a place by its code.
fn place(code: u8, word: bool, disp: u16) -> String {
    match code {
        0..=3 if !word => HALVES[usize::from(code)].into(),
        0..=5 => REGISTERS[usize::from(code)].into(),
        _ => memory(code, u32::from(disp)),
    }
}

fn memory(code: u8, disp: u32) -> String {
    match code {
        6 => "[a0]".into(),
        7 => "[a1]".into(),
        8 | 12 => format!("0x{disp:x}[a0]"),
        9 | 13 => format!("0x{disp:x}[a1]"),
        10 | 14 => format!("0x{disp:x}[sb]"),
        11 => format!("{}[fb]", disp as i16),
        _ => format!("0x{disp:x}"),
    }
}

/// Writes the registers of a list by their numbers among those of a `POPM`.
fn list(is_listed: impl Fn(usize) -> bool) -> String {
    let names: Vec<&str> = (0..8).filter(|&number| is_listed(number)).map(|number| LISTED[number]).collect();
    names.join(",")
}

//! Decodes instruction words into what the processor executes, with their cycles.
//!
//! Section numbers are those of the MSP430FR2xx/FR4xx family guide, SLAU445I, whose chapter "CPUX" equals that of
//! SLAU208. The MSP430 has the subset that SLAU049F, chapter 3, describes.

use super::timing::{Address, Core, Double, Extended, Single, To};
use crate::profile::Class;

pub const PC: u8 = 0;
pub const SP: u8 = 1;
pub const SR: u8 = 2;
/// Second register of the constant generator; a value written to it is lost.
pub const CG: u8 = 3;
/// Register number for a missing source; it reads as zero.
pub const NONE: u8 = 16;

/// Width of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    Byte,
    Word,
    /// 20 bits.
    Address,
}

/// Operations of the processor. Instructions of two operands exist in three widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    /// Place that has not been decoded yet.
    Undecoded,
    /// Planted end of the run, or the return address of a call from outside.
    Stop,
    Illegal,
    Mov,
    Add,
    Addc,
    Subc,
    Sub,
    Cmp,
    Dadd,
    Bit,
    Bic,
    Bis,
    Xor,
    And,
    MovByte,
    AddByte,
    AddcByte,
    SubcByte,
    SubByte,
    CmpByte,
    DaddByte,
    BitByte,
    BicByte,
    BisByte,
    XorByte,
    AndByte,
    MovAddress,
    AddAddress,
    AddcAddress,
    SubcAddress,
    SubAddress,
    CmpAddress,
    DaddAddress,
    BitAddress,
    BicAddress,
    BisAddress,
    XorAddress,
    AndAddress,
    /// `mova`: a 20-bit move that sets no flags and has no extension.
    Mova,
    // One operand, in the destination's fields; `size` says how wide.
    Rrc,
    Rra,
    Swpb,
    Sxt,
    /// Rotation right without carry in.
    Rru,
    Push,
    Call,
    /// Call that pushes 20 bits.
    Calla,
    Reti,
    // `x` is the target.
    Jne,
    Jeq,
    Jnc,
    Jc,
    Jn,
    Jge,
    Jl,
    Jmp,
    // `x` is the number of places or registers, `b` the register or the first of them.
    Rrcm,
    Rram,
    Rlam,
    Rrum,
    Pushm,
    Popm,
}

const WORDS: [Op; 12] =
    [Op::Mov, Op::Add, Op::Addc, Op::Subc, Op::Sub, Op::Cmp, Op::Dadd, Op::Bit, Op::Bic, Op::Bis, Op::Xor, Op::And];
const BYTES: [Op; 12] = [
    Op::MovByte,
    Op::AddByte,
    Op::AddcByte,
    Op::SubcByte,
    Op::SubByte,
    Op::CmpByte,
    Op::DaddByte,
    Op::BitByte,
    Op::BicByte,
    Op::BisByte,
    Op::XorByte,
    Op::AndByte,
];
const ADDRESSES: [Op; 12] = [
    Op::MovAddress,
    Op::AddAddress,
    Op::AddcAddress,
    Op::SubcAddress,
    Op::SubAddress,
    Op::CmpAddress,
    Op::DaddAddress,
    Op::BitAddress,
    Op::BicAddress,
    Op::BisAddress,
    Op::XorAddress,
    Op::AndAddress,
];
const JUMPS: [Op; 8] = [Op::Jne, Op::Jeq, Op::Jnc, Op::Jc, Op::Jn, Op::Jge, Op::Jl, Op::Jmp];

// Numbers among the instructions of two operands.
const MOV: u16 = 0;
const ADD: u16 = 1;
const SUB: u16 = 4;
const CMP: u16 = 5;
const BIT: u16 = 7;

// Bits of `flags`.
/// The source is in memory at register `a` plus `x`; without the flag it is the value of register `a` plus `x`.
pub const SOURCE_IN_MEMORY: u8 = 1;
/// The destination is in memory at register `b` plus `y`; without the flag it is register `b`.
pub const DESTINATION_IN_MEMORY: u8 = 2;
/// `x` has 20 bits; without the flag the sum of an index and a register below 64 KB stays below 64 KB.
pub const WIDE_X: u8 = 4;
pub const WIDE_Y: u8 = 8;
/// The destination is PC, SP, SR or the constant generator.
pub const SPECIAL: u8 = 16;
/// The carry counts as zero for this instruction.
pub const ZERO_CARRY: u8 = 32;
/// An instruction between registers is repeated `increment` further times, or as often as the lowest four bits of
/// register `increment` say ([`COUNT_IN_REGISTER`]); each repetition then takes `y` cycles.
pub const REPEATED: u8 = 64;
pub const COUNT_IN_REGISTER: u8 = 128;

/// A decoded instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded {
    pub op: Op,
    pub size: Size,
    pub flags: u8,
    pub class: Class,
    pub a: u8,
    pub b: u8,
    /// Amount by which register `a` increases after its use.
    pub increment: u8,
    pub words: u8,
    pub cycles: u8,
    pub x: u32,
    pub y: u32,
}

impl Decoded {
    /// Returns an instruction without operands.
    pub const fn bare(op: Op) -> Self {
        Decoded {
            op,
            size: Size::Word,
            flags: 0,
            class: Class::Other,
            a: NONE,
            b: NONE,
            increment: 0,
            words: 1,
            cycles: 0,
            x: 0,
            y: 0,
        }
    }

    /// Whether the instruction writes what it computes.
    fn only_compares(&self) -> bool {
        matches!(self.op, Op::Cmp | Op::CmpByte | Op::CmpAddress | Op::Bit | Op::BitByte | Op::BitAddress)
    }

    fn only_moves(&self) -> bool {
        matches!(self.op, Op::Mov | Op::MovByte | Op::MovAddress | Op::Mova)
    }

    /// Returns the number of data loaded from and stored to memory.
    pub fn transfers(&self) -> (u32, u32) {
        let source = u32::from(self.flags & SOURCE_IN_MEMORY != 0);
        let destination = u32::from(self.flags & DESTINATION_IN_MEMORY != 0);
        match self.op {
            Op::Push => (source, 1),
            Op::Call | Op::Calla => (source, 0),
            Op::Reti => (0, 0),
            Op::Pushm => (0, self.x),
            Op::Popm => (self.x, 0),
            _ if self.class == Class::Return => (0, 0),
            _ if self.only_moves() => (source, destination),
            _ if self.only_compares() => (source + destination, 0),
            _ => (source + destination, destination),
        }
    }
}

/// Addressing mode of a source, as the tables of cycles distinguish them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Register,
    Indirect,
    Autoincrement,
    Immediate,
    Indexed,
    IndexedBySp,
    Symbolic,
    Absolute,
}

/// A decoded operand.
#[derive(Clone, Copy)]
struct Operand {
    mode: Mode,
    register: u8,
    /// Offset that is added to the register, or the value of an immediate.
    value: u32,
    increment: u8,
    wide: bool,
}

impl Operand {
    fn in_memory(&self) -> bool {
        !matches!(self.mode, Mode::Register | Mode::Immediate)
    }
}

impl Double {
    fn cycles(&self, number: u16, source: Mode, to_pc: bool, to_memory: bool) -> u8 {
        let row: &To = match source {
            Mode::Register => &self.register,
            Mode::Indirect => &self.indirect,
            Mode::Autoincrement => &self.autoincrement,
            Mode::Immediate => &self.immediate,
            _ => &self.memory,
        };
        if to_memory {
            let saved = if matches!(number, MOV | BIT | CMP) { self.saved_mov_bit_cmp } else { 0 };
            return row.memory.saturating_sub(saved);
        }
        if !to_pc {
            return row.register;
        }
        let has_own_word = !matches!(source, Mode::Register | Mode::Indirect | Mode::Autoincrement);
        let saves = has_own_word && matches!(number, MOV | ADD | SUB);
        row.pc.saturating_sub(if saves { self.saved_mov_add_sub_to_pc } else { 0 })
    }
}

impl Single {
    fn cycles(&self, mode: Mode) -> u8 {
        match mode {
            Mode::Register => self.register,
            Mode::Indirect => self.indirect,
            Mode::Autoincrement => self.autoincrement,
            Mode::Immediate => self.immediate,
            Mode::Indexed => self.indexed,
            Mode::IndexedBySp => self.indexed + self.indexed_by_sp_extra,
            Mode::Symbolic => self.symbolic,
            Mode::Absolute => self.absolute,
        }
    }
}

/// Words of an instruction, read in order.
struct Words<'a, F: FnMut(u32) -> Option<u16>> {
    core: &'a Core,
    read: F,
    /// Address of the instruction.
    address: u32,
    count: u32,
    address_mask: u32,
}

/// The extension word of an extended instruction.
#[derive(Clone, Copy, Default)]
struct Extension {
    word: u16,
}

impl Extension {
    fn bits(&self, high: u32, low: u32) -> u32 {
        u32::from(self.word) >> low & ((1 << (high - low + 1)) - 1)
    }

    /// Returns bits 16 to 19 for a source's own word.
    fn source_high(&self) -> u32 {
        self.bits(10, 7) << 16
    }

    fn destination_high(&self) -> u32 {
        self.bits(3, 0) << 16
    }
}

/// Decodes the instruction at an address; `read` returns the words of memory, `None` where nothing is mapped.
pub fn decode(core: &Core, address: u32, read: impl FnMut(u32) -> Option<u16>) -> Decoded {
    let address_mask = if core.extended.is_some() { 0xf_ffff } else { 0xffff };
    let mut words = Words { core, read, address, count: 0, address_mask };
    let mut decoded = words.decode().unwrap_or(Decoded::bare(Op::Illegal));
    decoded.words = words.count as u8;
    decoded
}

impl<F: FnMut(u32) -> Option<u16>> Words<'_, F> {
    /// Returns the address of the next word.
    fn here(&self) -> u32 {
        (self.address + 2 * self.count) & self.address_mask
    }

    fn next(&mut self) -> Option<u16> {
        let here = self.here();
        let word = (self.read)(here)?;
        self.count += 1;
        Some(word)
    }

    fn decode(&mut self) -> Option<Decoded> {
        let word = self.next()?;
        match (word >> 12, self.core.extended) {
            (0, Some(extended)) => self.address_instruction(word, &extended),
            (1, _) if word < 0x1400 => self.single(word, None),
            (1, Some(extended)) if word < 0x1800 => Some(stack_multiple(word, &extended)),
            (1, Some(extended)) => {
                let extension = Extension { word };
                let word = self.next()?;
                match word >> 12 {
                    1 if word < 0x1400 => self.single(word, Some((extension, extended))),
                    4.. => self.double(word, Some((extension, extended))),
                    _ => None,
                }
            }
            (2 | 3, _) => {
                let offset = i32::from((word << 6) as i16 >> 6) * 2;
                let x = self.here().wrapping_add_signed(offset) & self.address_mask;
                let op = JUMPS[usize::from(word >> 10 & 7)];
                let class = if op == Op::Jmp { Class::Jump } else { Class::Branch };
                Some(Decoded { class, x, cycles: self.core.cycles.jump, ..Decoded::bare(op) })
            }
            (4.., _) => self.double(word, None),
            _ => None,
        }
    }

    /// Returns the operand of a mode and a register and reads its own word if it has one. `high` holds the upper bits
    /// of an extended operand.
    fn operand(&mut self, mode: u16, register: u8, size: Size, high: Option<u32>) -> Option<Operand> {
        let plain = |mode, value| Operand { mode, register: NONE, value, increment: 0, wide: high.is_some() };
        let constant = match (register, mode) {
            (SR, 2) => Some(4),
            (SR, 3) => Some(8),
            (CG, 0..=2) => Some(u32::from(mode)),
            (CG, _) => Some(0xf_ffff),
            _ => None,
        };
        if let Some(value) = constant {
            let mask = size.mask();
            return Some(plain(Mode::Register, value & mask));
        }
        let increment = match size {
            _ if mode != 3 => 0,
            Size::Byte if register == SP => 2,
            Size::Byte => 1,
            Size::Word => 2,
            Size::Address => 4,
        };
        Some(match (mode, register) {
            // The program counter is already at the next word.
            (0, PC) => plain(Mode::Register, self.here()),
            (0, _) => Operand { register, ..plain(Mode::Register, 0) },
            (1, PC) => {
                let base = self.here();
                let index = self.own_word(high)?;
                let wraps = high.is_none() && base < 0x1_0000;
                let mask = if wraps { 0xffff } else { self.address_mask };
                Operand { wide: true, ..plain(Mode::Symbolic, base.wrapping_add(index) & mask) }
            }
            (1, SR) => {
                let address = self.own_word(high)?;
                let address = if high.is_none() { address & 0xffff } else { address };
                Operand { wide: true, ..plain(Mode::Absolute, address) }
            }
            (1, _) => {
                let mode = if register == SP { Mode::IndexedBySp } else { Mode::Indexed };
                let value = self.own_word(high)?;
                Operand { register, ..plain(mode, value) }
            }
            (2, PC) => Operand { wide: true, ..plain(Mode::Indirect, self.here()) },
            (2, _) => Operand { register, wide: true, ..plain(Mode::Indirect, 0) },
            (_, PC) => {
                let value = self.own_word(high)?;
                plain(Mode::Immediate, value & size.mask())
            }
            _ => Operand { register, increment, wide: true, ..plain(Mode::Autoincrement, 0) },
        })
    }

    /// Reads an operand's own word, with the upper bits of an extended instruction or with its sign extended.
    fn own_word(&mut self, high: Option<u32>) -> Option<u32> {
        let word = self.next()?;
        Some(match high {
            Some(high) => high | u32::from(word),
            None => i32::from(word as i16) as u32 & 0xf_ffff,
        })
    }

    fn double(&mut self, word: u16, extension: Option<(Extension, Extended)>) -> Option<Decoded> {
        let number = (word >> 12) - 4;
        let size = size(word, extension.map(|(extension, _)| extension))?;
        let (source, destination) = ((word >> 8 & 15) as u8, (word & 15) as u8);
        let to_memory = word & 0x80 != 0;
        let source_mode = word >> 4 & 3;
        let high = extension.map(|(extension, _)| extension);
        let is_repeatable = source_mode == 0 && !to_memory;
        let source_high = high.map(|extension| if is_repeatable { 0 } else { extension.source_high() });
        let from = self.operand(source_mode, source, size, source_high)?;
        let to = if to_memory {
            if destination == CG {
                return None;
            }
            self.operand(1, destination, size, high.map(|extension| extension.destination_high()))?
        } else {
            let wide = high.is_some();
            Operand { mode: Mode::Register, register: destination, value: 0, increment: 0, wide }
        };
        let op = match size {
            Size::Byte => BYTES,
            Size::Word => WORDS,
            Size::Address => ADDRESSES,
        }[usize::from(number)];
        let times = match (&extension, size) {
            (None, _) => &self.core.cycles.double,
            (Some((_, extended)), Size::Address) => &extended.double_address,
            (Some((_, extended)), _) => &extended.double,
        };
        let to_pc = !to_memory && destination == PC;
        let mut decoded = Decoded {
            size,
            flags: flags(&from, &to),
            a: from.register,
            b: to.register,
            increment: from.increment,
            cycles: times.cycles(number, from.mode, to_pc, to_memory),
            x: from.value,
            y: to.value,
            ..Decoded::bare(op)
        };
        let pops = source == SP && from.mode == Mode::Autoincrement;
        decoded.class = match (number, to_pc) {
            (MOV, true) if pops => Class::Return,
            (CMP | BIT, true) => Class::Alu,
            (_, true) => Class::Jump,
            (MOV, _) if pops => Class::Stack,
            (MOV, _) if to_memory => Class::Store,
            (MOV, _) if from.in_memory() => Class::Load,
            _ => Class::Alu,
        };
        if let Some((extension, extended)) = extension {
            if is_repeatable {
                return Some(repeated(decoded, extension, extended.repetition));
            }
        }
        Some(decoded)
    }

    fn single(&mut self, word: u16, extension: Option<(Extension, Extended)>) -> Option<Decoded> {
        let number = word >> 7 & 7;
        let register = (word & 15) as u8;
        let mode = word >> 4 & 3;
        let extended = self.core.extended;
        if number >= 6 {
            return match (extended, extension) {
                _ if word == 0x1300 && extension.is_none() => {
                    Some(Decoded { class: Class::Return, cycles: self.core.cycles.reti, ..Decoded::bare(Op::Reti) })
                }
                (Some(extended), None) => self.calla(word, &extended),
                _ => None,
            };
        }
        let is_byte_form = word & 0x40 != 0;
        // The 20-bit forms of `swpb` and `sxt` have no bit for bytes.
        let size = match (number, extension) {
            (1 | 3, Some((extension, _))) if !is_byte_form => {
                if extension.bits(6, 6) == 0 {
                    Size::Address
                } else {
                    Size::Word
                }
            }
            (1 | 3 | 5, _) if is_byte_form => return None,
            (5, Some(_)) => return None,
            _ => size(word, extension.map(|(extension, _)| extension))?,
        };
        let high = extension.map(|(extension, _)| if mode == 0 { 0 } else { extension.destination_high() });
        let operand = self.operand(mode, register, size, high)?;
        let reads_only = matches!(number, 4 | 5);
        // What is constant cannot be written.
        if !reads_only && !operand.in_memory() && operand.register == NONE {
            return None;
        }
        let cycles = &self.core.cycles;
        let (op, class, times) = match (number, &extension) {
            (4, None) => (Op::Push, Class::Stack, &cycles.push),
            (4, Some((_, extended))) if size == Size::Address => (Op::Push, Class::Stack, &extended.pushx_address),
            (4, Some((_, extended))) => (Op::Push, Class::Stack, &extended.pushx),
            (5, _) => (Op::Call, Class::Call, &cycles.call),
            _ => {
                let op = match number {
                    0 if extension.is_some_and(|(extension, _)| mode == 0 && extension.bits(8, 8) == 1) => Op::Rru,
                    0 => Op::Rrc,
                    1 => Op::Swpb,
                    2 => Op::Rra,
                    _ => Op::Sxt,
                };
                let times = match &extension {
                    None => &cycles.single,
                    Some((_, extended)) if size == Size::Address => &extended.single_address,
                    Some((_, extended)) => &extended.single,
                };
                (op, Class::Shift, times)
            }
        };
        let mut decoded = Decoded { size, class, cycles: times.cycles(operand.mode), ..Decoded::bare(op) };
        if reads_only {
            let nowhere = Operand { mode: Mode::Register, register: NONE, ..operand };
            decoded.flags = flags(&operand, &nowhere);
            (decoded.a, decoded.x, decoded.increment) = (operand.register, operand.value, operand.increment);
        } else {
            let nowhere = Operand { mode: Mode::Register, register: NONE, value: 0, increment: 0, wide: false };
            decoded.flags = flags(&nowhere, &operand);
            (decoded.b, decoded.y, decoded.increment) = (operand.register, operand.value, operand.increment);
            // The register that is increased stands where that of a source would.
            decoded.a = if operand.increment > 0 { operand.register } else { NONE };
        }
        if let Some((extension, extended)) = extension {
            if mode == 0 && !reads_only {
                return Some(repeated(decoded, extension, extended.repetition));
            }
        }
        Some(decoded)
    }

    /// Decodes `calla` in its modes (4.6.1).
    fn calla(&mut self, word: u16, extended: &Extended) -> Option<Decoded> {
        let register = (word & 15) as u8;
        let high = u32::from(word & 15) << 16;
        let indirect = |increment, mode| Operand { mode, register, value: 0, increment, wide: true };
        let own = |value, mode| Operand { mode, register: NONE, value, increment: 0, wide: true };
        let operand = match word >> 4 & 15 {
            4 => self.operand(0, register, Size::Address, None)?,
            5 => Operand { wide: true, ..self.operand(1, register, Size::Address, None)? },
            6 => indirect(0, Mode::Indirect),
            7 => indirect(4, Mode::Autoincrement),
            8 => own(self.own_word(Some(high))?, Mode::Absolute),
            9 => {
                let base = self.here();
                let index = self.own_word(Some(high))?;
                own(base.wrapping_add(index) & 0xf_ffff, Mode::Symbolic)
            }
            11 => own(self.own_word(Some(high))?, Mode::Immediate),
            _ => return None,
        };
        let nowhere = Operand { mode: Mode::Register, register: NONE, ..operand };
        Some(Decoded {
            size: Size::Address,
            class: Class::Call,
            flags: flags(&operand, &nowhere),
            a: operand.register,
            x: operand.value,
            increment: operand.increment,
            cycles: extended.calla.cycles(operand.mode),
            ..Decoded::bare(Op::Calla)
        })
    }

    /// Decodes the instructions that begin with a zero digit (4.6.1).
    fn address_instruction(&mut self, word: u16, extended: &Extended) -> Option<Decoded> {
        let times: &Address = &extended.address;
        let (source, destination) = ((word >> 8 & 15) as u8, (word & 15) as u8);
        let source_high = u32::from(word >> 8 & 15) << 16;
        let number = word >> 4 & 15;
        if matches!(number, 4 | 5) {
            let op = [Op::Rrcm, Op::Rram, Op::Rlam, Op::Rrum][usize::from(word >> 8 & 3)];
            let count = u32::from(word >> 10 & 3) + 1;
            return Some(Decoded {
                size: if number == 4 { Size::Address } else { Size::Word },
                class: Class::Shift,
                b: destination,
                x: count,
                cycles: extended.shift_multiple.cycles(count) as u8,
                flags: special(destination),
                ..Decoded::bare(op)
            });
        }
        let mut decoded = Decoded {
            size: Size::Address,
            b: destination,
            flags: special(destination),
            class: Class::Load,
            ..Decoded::bare(Op::Mova)
        };
        let (from, cycles) = match number {
            0 => (self.operand(2, source, Size::Address, Some(0))?, times.mova_indirect),
            1 => (self.operand(3, source, Size::Address, Some(0))?, times.mova_autoincrement),
            2 => {
                let value = self.own_word(Some(source_high))?;
                let from = Operand { mode: Mode::Absolute, register: NONE, value, increment: 0, wide: true };
                (from, times.mova_absolute)
            }
            3 => (Operand { wide: true, ..self.operand(1, source, Size::Address, None)? }, times.mova_indexed),
            6 | 7 => {
                let from = self.operand(0, source, Size::Address, Some(0))?;
                let to = if number == 6 {
                    let value = self.own_word(Some(u32::from(word & 15) << 16))?;
                    Operand { mode: Mode::Absolute, register: NONE, value, increment: 0, wide: true }
                } else {
                    Operand { wide: true, ..self.operand(1, destination, Size::Address, None)? }
                };
                decoded.b = to.register;
                decoded.y = to.value;
                decoded.flags = flags(&from, &to);
                (decoded.a, decoded.x) = (from.register, from.value);
                decoded.cycles = times.mova_to_memory;
                decoded.class = Class::Store;
                return Some(decoded);
            }
            8..=11 => {
                let value = self.own_word(Some(source_high))?;
                let from = Operand { mode: Mode::Immediate, register: NONE, value, increment: 0, wide: true };
                (from, if number == 8 { times.mova_immediate } else { times.arithmetic_immediate })
            }
            _ => {
                let from = self.operand(0, source, Size::Address, Some(0))?;
                (from, if number == 12 { times.mova_register } else { times.arithmetic_register })
            }
        };
        decoded.op = match number {
            9 | 13 => Op::CmpAddress,
            10 | 14 => Op::AddAddress,
            11 | 15 => Op::SubAddress,
            _ => Op::Mova,
        };
        if !from.in_memory() {
            decoded.class = Class::Alu;
        }
        decoded.cycles = cycles;
        if destination == PC && decoded.op != Op::CmpAddress {
            decoded.cycles += match number {
                8 => times.mova_immediate_to_pc_extra,
                9..=11 => times.arithmetic_immediate_to_pc_extra,
                _ => times.to_pc_extra,
            };
            let returns = from.mode == Mode::Autoincrement && source == SP;
            decoded.class = if returns { Class::Return } else { Class::Jump };
        } else if from.mode == Mode::Autoincrement && source == SP {
            decoded.class = Class::Stack;
        }
        let nowhere = Operand { mode: Mode::Register, register: destination, ..from };
        decoded.flags = flags(&from, &nowhere);
        (decoded.a, decoded.x, decoded.increment) = (from.register, from.value, from.increment);
        Some(decoded)
    }
}

impl Size {
    /// Returns the mask of the width's bits.
    pub fn mask(self) -> u32 {
        match self {
            Size::Byte => 0xff,
            Size::Word => 0xffff,
            Size::Address => 0xf_ffff,
        }
    }
}

/// Returns the width from the bit of an instruction and the bit of its extension word, `None` if undefined.
fn size(word: u16, extension: Option<Extension>) -> Option<Size> {
    let is_byte = word & 0x40 != 0;
    match (extension.map(|extension| extension.bits(6, 6)), is_byte) {
        (None | Some(1), true) => Some(Size::Byte),
        (None | Some(1), false) => Some(Size::Word),
        (Some(_), true) => Some(Size::Address),
        (Some(_), false) => None,
    }
}

fn special(register: u8) -> u8 {
    if register <= CG {
        SPECIAL
    } else {
        0
    }
}

fn flags(from: &Operand, to: &Operand) -> u8 {
    let bit = |holds: bool, flag: u8| if holds { flag } else { 0 };
    bit(from.in_memory(), SOURCE_IN_MEMORY)
        | bit(to.in_memory(), DESTINATION_IN_MEMORY)
        | bit(from.wide, WIDE_X)
        | bit(to.wide, WIDE_Y)
        | bit(!to.in_memory() && to.register <= CG, SPECIAL)
}

/// Adds to an instruction between registers the repetition that its extension word asks for.
fn repeated(decoded: Decoded, extension: Extension, each_cycles: u8) -> Decoded {
    let zero_carry = if extension.bits(8, 8) == 1 { ZERO_CARRY } else { 0 };
    let low = extension.bits(3, 0) as u8;
    let once = Decoded { flags: decoded.flags | zero_carry, increment: low, ..decoded };
    if extension.bits(7, 7) == 1 {
        return Decoded { flags: once.flags | REPEATED | COUNT_IN_REGISTER, y: u32::from(each_cycles), ..once };
    }
    let flags = once.flags | if low > 0 { REPEATED } else { 0 };
    Decoded { flags, cycles: once.cycles + low * each_cycles, ..once }
}

/// Decodes `pushm` and `popm`, whose register field is the lowest register (4.6.1).
fn stack_multiple(word: u16, extended: &Extended) -> Decoded {
    let count = u32::from(word >> 4 & 15) + 1;
    let is_address = word & 0x100 == 0;
    let times = if is_address { &extended.stack_multiple_address } else { &extended.stack_multiple };
    Decoded {
        size: if is_address { Size::Address } else { Size::Word },
        class: Class::Stack,
        b: (word & 15) as u8,
        x: count,
        cycles: times.cycles(count) as u8,
        ..Decoded::bare(if word & 0x200 == 0 { Op::Pushm } else { Op::Popm })
    }
}

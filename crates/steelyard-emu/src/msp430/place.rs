//! Addressing modes: where the operands of an instruction lie.

use super::decode::NONE;
use super::isa::{row_of, Row, Size};
use crate::isa::sign_extended;

pub const PC: u8 = 0;
pub const SP: u8 = 1;
pub const SR: u8 = 2;
/// Second register of the constant generator; a value written to it is lost.
pub const CG: u8 = 3;

const ADDRESS_MASK: u32 = 0xf_ffff;

/// Addressing mode, as the tables of cycles distinguish them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Register,
    /// A number that the constant generator makes; it costs what a register costs.
    Constant,
    Indirect,
    Autoincrement,
    Immediate,
    Indexed,
    IndexedBySp,
    Symbolic,
    Absolute,
}

/// Where an operand lies.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub mode: Mode,
    pub register: u8,
    /// Index that is added to the register, or the value of what is constant, or the address where that is known; of the
    /// program counter its value.
    pub value: u32,
    /// Whether the sum of an index and a register below 64 KB may exceed 64 KB.
    pub is_wide: bool,
}

impl Place {
    /// Returns a place that a register alone decides.
    pub fn at(mode: Mode, register: u8) -> Self {
        Place { mode, register, value: 0, is_wide: true }
    }

    pub fn register(register: u8) -> Self {
        Place::at(Mode::Register, register)
    }

    /// Returns a place that a number alone decides.
    pub fn of(mode: Mode, value: u32) -> Self {
        Place { mode, register: NONE, value, is_wide: true }
    }

    pub fn in_memory(&self) -> bool {
        !matches!(self.mode, Mode::Register | Mode::Constant | Mode::Immediate)
    }

    /// Returns the register to which the value is added, [`NONE`] if the value is all.
    pub fn base(&self) -> u8 {
        match self.mode {
            // It is known where the instruction lies.
            Mode::Register | Mode::Indirect if self.register == PC => NONE,
            Mode::Constant | Mode::Immediate | Mode::Symbolic | Mode::Absolute => NONE,
            _ => self.register,
        }
    }

    /// Returns what is added to the base, as an operation of the given width takes it.
    pub fn value_of(&self, size: Size) -> u32 {
        match self.mode {
            Mode::Constant | Mode::Immediate => self.value & size.mask(),
            _ => self.value,
        }
    }

    /// Returns the amount by which the register increases after its use.
    pub fn increment(&self, size: Size) -> u8 {
        match size {
            _ if self.mode != Mode::Autoincrement => 0,
            Size::Byte if self.register == SP => 2,
            Size::Byte => 1,
            Size::Word => 2,
            Size::Address => 4,
        }
    }

    /// Returns the operand as the assembly language writes it, with registers by number.
    pub fn text(&self) -> String {
        let Place { register, value, .. } = *self;
        let signed = sign_extended(value, 20) as i32;
        match self.mode {
            Mode::Register => format!("r{register}"),
            Mode::Constant | Mode::Immediate => format!("#{signed}"),
            Mode::Indirect => format!("@r{register}"),
            Mode::Autoincrement => format!("@r{register}+"),
            Mode::Indexed | Mode::IndexedBySp => format!("{signed}(r{register})"),
            Mode::Symbolic => format!("0x{value:04x}"),
            Mode::Absolute => format!("&0x{value:04x}"),
        }
    }
}

/// Words of an instruction, read in order.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// Returns a word of memory, `None` where nothing is mapped.
    read: &'a dyn Fn(u32) -> Option<u16>,
    /// Address of the instruction.
    pub address: u32,
    /// Words read so far.
    pub count: u32,
    address_mask: u32,
}

impl<'a> Words<'a> {
    /// Begins at an instruction's address.
    pub fn new(address: u32, address_mask: u32, read: &'a dyn Fn(u32) -> Option<u16>) -> Self {
        Words { read, address, count: 0, address_mask }
    }

    /// Returns the address of the next word: the program counter's value.
    pub fn here(&self) -> u32 {
        (self.address + 2 * self.count) & self.address_mask
    }

    /// Returns the address at a distance from the next word.
    pub fn relative(&self, distance: u32) -> u32 {
        self.here().wrapping_add(distance) & self.address_mask
    }

    fn next(&mut self) -> Option<u16> {
        let word = (self.read)(self.here())?;
        self.count += 1;
        Some(word)
    }

    /// Reads the instruction's own word, with the extension word in front of it if there is one, and returns it with its
    /// row. `extended` says whether the core knows extension words.
    pub fn instruction(&mut self, extended: bool) -> Option<(&'static Row, u32)> {
        let first = u32::from(self.next()?);
        if first >> 11 == 3 && extended {
            let word = first << 16 | u32::from(self.next()?);
            return Some((row_of(word, 32)?, word));
        }
        Some((row_of(first, 16)?, first))
    }

    /// Reads an operand's own word, with the upper bits of an extended instruction or with its sign extended.
    pub fn own_word(&mut self, high: Option<u32>) -> Option<u32> {
        let word = u32::from(self.next()?);
        Some(match high {
            Some(high) => high | word,
            None => sign_extended(word, 16) & ADDRESS_MASK,
        })
    }

    /// Returns the place at a distance from the program counter, which lies in the operand's own word.
    pub fn symbolic(&mut self, high: Option<u32>) -> Option<Place> {
        let base = self.here();
        let index = self.own_word(high)?;
        // Of an instruction without extension word below 64 KB, the address stays there.
        let mask = if high.is_none() && base < 0x1_0000 { 0xffff } else { self.address_mask };
        Some(Place { register: PC, ..Place::of(Mode::Symbolic, base.wrapping_add(index) & mask) })
    }

    /// Returns the place of a register, without reading a word of its own.
    pub fn indirect(&self, mode: Mode, register: u8) -> Place {
        let value = if register == PC { self.here() } else { 0 };
        Place { value, ..Place::at(mode, register) }
    }

    /// Returns the place that the two bits of a mode and a register say and reads its own word if it has one. `high`
    /// holds the upper bits of an extended operand.
    pub fn place(&mut self, mode: u32, register: u8, high: Option<u32>) -> Option<Place> {
        Some(match (mode, register) {
            (2, SR) => Place::of(Mode::Constant, 4),
            (3, SR) => Place::of(Mode::Constant, 8),
            (0..=2, CG) => Place::of(Mode::Constant, mode),
            (_, CG) => Place::of(Mode::Constant, ADDRESS_MASK),
            (0, _) => self.indirect(Mode::Register, register),
            (1, PC) => self.symbolic(high)?,
            (1, SR) => {
                let address = self.own_word(high)?;
                Place::of(Mode::Absolute, if high.is_none() { address & 0xffff } else { address })
            }
            (1, _) => {
                let mode = if register == SP { Mode::IndexedBySp } else { Mode::Indexed };
                Place { mode, register, value: self.own_word(high)?, is_wide: high.is_some() }
            }
            (2, _) => self.indirect(Mode::Indirect, register),
            (_, PC) => Place::of(Mode::Immediate, self.own_word(high)?),
            _ => Place::at(Mode::Autoincrement, register),
        })
    }
}

//! The hardware multiplier, a peripheral: the 16-bit one (SLAU049F, chapter 7) and the MPY32 (SLAU208, chapter "32-Bit
//! Hardware Multiplier"). A result is ready when the next instruction reads it.

use crate::value::{Value, Word};

/// Operation that writing the first operand selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mode {
    signed: bool,
    accumulates: bool,
}

/// Offsets of the registers from the first one; those from 0x10 up belong to the MPY32.
mod register {
    pub const FIRST_OPERAND_END: u32 = 0x08;
    pub const OP2: u32 = 0x08;
    pub const RESLO: u32 = 0x0a;
    pub const RESHI: u32 = 0x0c;
    pub const SUMEXT: u32 = 0x0e;
    pub const WIDE_FIRST_OPERAND_END: u32 = 0x20;
    pub const OP2L: u32 = 0x20;
    pub const OP2H: u32 = 0x22;
    pub const RES0: u32 = 0x24;
    pub const RES3_END: u32 = 0x2c;
    pub const CONTROL: u32 = 0x2c;
}

/// Sizes in bytes of the registers of the two kinds.
pub const BYTES_16: u32 = 0x10;
pub const BYTES_32: u32 = 0x30;

/// State of the multiplier; its operands and results may hold secrets.
#[derive(Debug, Clone, Copy)]
pub struct Multiplier<W: Word> {
    first: W,
    first_is_wide: bool,
    second: W,
    mode: Mode,
    result: W::Wide,
    sum_extension: W,
    control: W,
    has_32_bits: bool,
}

/// Returns the word of a number that begins at a bit.
fn word<W: Word>(value: W, first_bit: u32) -> W {
    value.shr(W::of(first_bit)).and(W::of(0xffff))
}

/// Returns a number with the word that begins at a bit changed.
fn with_word<V: Value<Plain = u64>>(value: V, first_bit: u32, word: V) -> V {
    value.and(V::of(!(0xffff << first_bit))).or(word.shl(V::of(first_bit.into())))
}

impl<W: Word> Multiplier<W> {
    /// Creates a multiplier at reset, with or without the registers of the MPY32.
    pub fn new(has_32_bits: bool) -> Self {
        Multiplier {
            first: W::of(0),
            first_is_wide: false,
            second: W::of(0),
            mode: Mode { signed: false, accumulates: false },
            result: W::Wide::of(0),
            sum_extension: W::of(0),
            control: W::of(0),
            has_32_bits,
        }
    }

    /// Whether the multiplier is an MPY32.
    pub fn has_32_bits(&self) -> bool {
        self.has_32_bits
    }

    /// Returns the word of a register.
    pub fn read(&self, offset: u32) -> W {
        let result = |first_bit: u32| word(W::low_half(self.result.shr(W::Wide::of(first_bit.into()))), 0);
        match offset {
            0..register::FIRST_OPERAND_END => word(self.first, 0),
            register::OP2 | register::OP2L => word(self.second, 0),
            register::RESLO => result(0),
            register::RESHI => result(16),
            register::SUMEXT => self.sum_extension,
            register::OP2H => word(self.second, 16),
            register::RES0..register::RES3_END => result(8 * (offset - register::RES0)),
            register::CONTROL => self.control,
            0x10..register::WIDE_FIRST_OPERAND_END => word(self.first, 8 * (offset & 2)),
            _ => W::of(0),
        }
    }

    /// Writes a register; `is_byte` if a byte instruction does, whose value has no bits above.
    pub fn write(&mut self, offset: u32, value: W, is_byte: bool) {
        match offset {
            0..register::FIRST_OPERAND_END => {
                self.choose(offset >> 1);
                self.first = if self.has_32_bits { self.extended(value, is_byte) } else { value };
                self.first_is_wide = false;
            }
            register::OP2 => {
                self.second = if self.has_32_bits { self.extended(value, is_byte) } else { value };
                self.multiply(false);
            }
            register::RESLO => self.result = with_word(self.result, 0, value.wide()),
            register::RESHI => self.result = with_word(self.result, 16, value.wide()),
            0x10..register::WIDE_FIRST_OPERAND_END if offset & 2 == 0 => {
                self.choose((offset - 0x10) >> 2);
                self.first = self.extended(value, is_byte);
                self.first_is_wide = true;
            }
            0x10..register::WIDE_FIRST_OPERAND_END => self.first = self.above(self.first, value, is_byte),
            register::OP2L => self.second = self.extended(value, is_byte),
            register::OP2H => {
                self.second = self.above(self.second, value, is_byte);
                self.multiply(true);
            }
            register::RES0..register::RES3_END => {
                self.result = with_word(self.result, 8 * (offset - register::RES0), value.wide());
            }
            register::CONTROL => self.control = value,
            _ => {}
        }
    }

    fn choose(&mut self, number: u32) {
        self.mode = Mode { signed: number & 1 != 0, accumulates: number & 2 != 0 };
    }

    /// Returns an operand; the MPY32 itself extends the sign of a byte in a signed operation.
    fn extended(&self, value: W, is_byte: bool) -> W {
        if is_byte && self.mode.signed {
            word(value.sign_extended(8), 0)
        } else {
            value
        }
    }

    /// Returns an operand with another upper word.
    fn above(&self, operand: W, value: W, is_byte: bool) -> W {
        word(operand, 0).or(self.extended(value, is_byte).shl(W::of(16)))
    }

    fn multiply(&mut self, second_is_wide: bool) {
        let Mode { signed, accumulates } = self.mode;
        let operand = |value: W, is_wide: bool| match (signed, is_wide) {
            (false, true) => value.wide(),
            (false, false) => word(value, 0).wide(),
            (true, true) => value.wide_signed(),
            (true, false) => value.sign_extended(16).wide_signed(),
        };
        // Two words make a result of two words, anything longer one of four.
        let bits = if self.first_is_wide || second_is_wide { 64 } else { 32 };
        let mask = W::Wide::of(u64::MAX >> (64 - bits));
        let product = operand(self.first, self.first_is_wide).mul(operand(self.second, second_is_wide)).and(mask);
        let before = if accumulates { self.result.and(mask) } else { W::Wide::of(0) };
        self.result = before.add(product).and(mask);
        self.sum_extension = match (signed, accumulates) {
            (true, _) => {
                let sign = W::low_half(self.result.shr(W::Wide::of(bits - 1)));
                word(W::of(0).sub(sign), 0)
            }
            (false, true) => W::from_truth(self.result.below(before)),
            (false, false) => W::of(0),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MPY: u32 = 0;
    const MPYS: u32 = 2;
    const MAC: u32 = 4;
    const MACS: u32 = 6;

    fn words(multiplier: &Multiplier<u32>) -> [u32; 3] {
        [register::RESLO, register::RESHI, register::SUMEXT].map(|offset| multiplier.read(offset))
    }

    /// Operations on 16-bit operands (SLAU049F, tables 7-2 and 7-3).
    #[test]
    fn sixteen_bits_by_sixteen() {
        let mut multiplier = Multiplier::<u32>::new(false);
        multiplier.write(MPY, 0xffff, false);
        multiplier.write(register::OP2, 0xfffe, false);
        assert_eq!(words(&multiplier), [2, 0xfffd, 0]);
        multiplier.write(MPYS, 0xffff, false);
        multiplier.write(register::OP2, 3, false);
        assert_eq!(words(&multiplier), [0xfffd, 0xffff, 0xffff]);
        multiplier.write(MAC, 0xffff, false);
        multiplier.write(register::OP2, 2, false);
        assert_eq!(words(&multiplier), [0xfffb, 1, 1]);
        multiplier.write(register::OP2, 1, false);
        assert_eq!(words(&multiplier), [0xfffa, 2, 0], "the first operand stays");
        multiplier.write(MACS, 0x8000, false);
        multiplier.write(register::OP2, 0x7fff, false);
        assert_eq!(words(&multiplier), [0x7ffa, 0xc003, 0xffff]);
        assert_eq!(multiplier.read(MPY), 0x8000);
    }

    /// A signed sum that overflows keeps the sign of the wrapped sum (SLAU049F, 7.2.2).
    #[test]
    fn a_signed_sum_may_overflow() {
        let mut multiplier = Multiplier::<u32>::new(false);
        multiplier.write(register::RESLO, 0xffff, false);
        multiplier.write(register::RESHI, 0x7fff, false);
        multiplier.write(MACS, 1, false);
        multiplier.write(register::OP2, 1, false);
        assert_eq!(words(&multiplier), [0, 0x8000, 0xffff]);
    }

    #[test]
    fn thirty_two_bits_by_thirty_two() {
        let mut multiplier = Multiplier::<u32>::new(true);
        for (offset, value) in [(0x10, 0x5678), (0x12, 0x1234), (0x20, 0xdef0), (0x22, 0x9abc)] {
            multiplier.write(offset, value, false);
        }
        let result = [0x24, 0x26, 0x28, 0x2a].map(|offset| multiplier.read(offset));
        let product = 0x1234_5678_u64 * 0x9abc_def0;
        assert_eq!(result, [0, 16, 32, 48].map(|shift| (product >> shift) as u32 & 0xffff));
        for (offset, value) in [(0x14, 0xffff), (0x16, 0xffff), (0x20, 5), (0x22, 0)] {
            multiplier.write(offset, value, false);
        }
        assert_eq!([0x24, 0x2a, 0x0e].map(|offset| multiplier.read(offset)), [0xfffb, 0xffff, 0xffff]);
        multiplier.write(MPYS, 0x80, true);
        multiplier.write(register::OP2, 2, true);
        assert_eq!(words(&multiplier), [0xff00, 0xffff, 0xffff], "bytes get their sign");
    }
}

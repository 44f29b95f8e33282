//! The hardware multiplier, a peripheral: the 16-bit one (SLAU049F, chapter 7) and the MPY32 (SLAU208, chapter "32-Bit
//! Hardware Multiplier"). A result is ready when the next instruction reads it.

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

/// State of the multiplier.
#[derive(Debug, Clone, Copy)]
pub struct Multiplier {
    first: u32,
    first_is_wide: bool,
    second: u32,
    mode: Mode,
    result: u64,
    sum_extension: u16,
    control: u16,
    has_32_bits: bool,
}

impl Multiplier {
    /// Creates a multiplier at reset, with or without the registers of the MPY32.
    pub fn new(has_32_bits: bool) -> Self {
        Multiplier {
            first: 0,
            first_is_wide: false,
            second: 0,
            mode: Mode { signed: false, accumulates: false },
            result: 0,
            sum_extension: 0,
            control: 0,
            has_32_bits,
        }
    }

    /// Whether the multiplier is an MPY32.
    pub fn has_32_bits(&self) -> bool {
        self.has_32_bits
    }

    /// Returns the word of a register.
    pub fn read(&self, offset: u32) -> u16 {
        let half = |value: u32, offset: u32| (value >> (8 * (offset & 2))) as u16;
        match offset {
            0..register::FIRST_OPERAND_END => self.first as u16,
            register::OP2 | register::OP2L => self.second as u16,
            register::RESLO => self.result as u16,
            register::RESHI => (self.result >> 16) as u16,
            register::SUMEXT => self.sum_extension,
            register::OP2H => (self.second >> 16) as u16,
            register::RES0..register::RES3_END => (self.result >> (8 * (offset - register::RES0))) as u16,
            register::CONTROL => self.control,
            0x10..register::WIDE_FIRST_OPERAND_END => half(self.first, offset),
            _ => 0,
        }
    }

    /// Writes a register; `is_byte` if a byte instruction does.
    pub fn write(&mut self, offset: u32, value: u16, is_byte: bool) {
        let value = u32::from(value);
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
            register::RESLO => self.result = self.result & !0xffff | u64::from(value),
            register::RESHI => self.result = self.result & !0xffff_0000 | u64::from(value) << 16,
            0x10..register::WIDE_FIRST_OPERAND_END if offset & 2 == 0 => {
                self.choose((offset - 0x10) >> 2);
                self.first = self.extended(value, is_byte);
                self.first_is_wide = true;
            }
            0x10..register::WIDE_FIRST_OPERAND_END => {
                self.first = self.first & 0xffff | self.extended(value, is_byte) << 16;
            }
            register::OP2L => self.second = self.extended(value, is_byte),
            register::OP2H => {
                self.second = self.second & 0xffff | self.extended(value, is_byte) << 16;
                self.multiply(true);
            }
            register::RES0..register::RES3_END => {
                let shift = 8 * (offset - register::RES0);
                self.result = self.result & !(0xffff << shift) | u64::from(value) << shift;
            }
            register::CONTROL => self.control = value as u16,
            _ => {}
        }
    }

    fn choose(&mut self, number: u32) {
        self.mode = Mode { signed: number & 1 != 0, accumulates: number & 2 != 0 };
    }

    /// Returns an operand; the MPY32 itself extends the sign of a byte in a signed operation.
    fn extended(&self, value: u32, is_byte: bool) -> u32 {
        if is_byte && self.mode.signed {
            u32::from(value as u8 as i8 as u16)
        } else {
            value
        }
    }

    fn multiply(&mut self, second_is_wide: bool) {
        let Mode { signed, accumulates } = self.mode;
        let operand = |value: u32, is_wide: bool| match (signed, is_wide) {
            (false, true) => i128::from(value),
            (false, false) => i128::from(value as u16),
            (true, true) => i128::from(value as i32),
            (true, false) => i128::from(value as u16 as i16),
        };
        let product = operand(self.first, self.first_is_wide) * operand(self.second, second_is_wide);
        // Two words make a result of two words, anything longer one of four.
        let bits = if self.first_is_wide || second_is_wide { 64 } else { 32 };
        let mask = (1_i128 << bits) - 1;
        let before = if accumulates { i128::from(self.result) & mask } else { 0 };
        let sum = before + (product & mask);
        let result = (sum & mask) as u64;
        let sign = result >> (bits - 1) & 1;
        self.sum_extension =
            if signed { 0_u16.wrapping_sub(sign as u16) } else { u16::from(accumulates && sum > mask) };
        self.result = result;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MPY: u32 = 0;
    const MPYS: u32 = 2;
    const MAC: u32 = 4;
    const MACS: u32 = 6;

    fn words(multiplier: &Multiplier) -> [u16; 3] {
        [register::RESLO, register::RESHI, register::SUMEXT].map(|offset| multiplier.read(offset))
    }

    /// Operations on 16-bit operands (SLAU049F, tables 7-2 and 7-3).
    #[test]
    fn sixteen_bits_by_sixteen() {
        let mut multiplier = Multiplier::new(false);
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
        let mut multiplier = Multiplier::new(false);
        multiplier.write(register::RESLO, 0xffff, false);
        multiplier.write(register::RESHI, 0x7fff, false);
        multiplier.write(MACS, 1, false);
        multiplier.write(register::OP2, 1, false);
        assert_eq!(words(&multiplier), [0, 0x8000, 0xffff]);
    }

    #[test]
    fn thirty_two_bits_by_thirty_two() {
        let mut multiplier = Multiplier::new(true);
        for (offset, value) in [(0x10, 0x5678), (0x12, 0x1234), (0x20, 0xdef0), (0x22, 0x9abc)] {
            multiplier.write(offset, value, false);
        }
        let result: Vec<u16> = [0x24, 0x26, 0x28, 0x2a].map(|offset| multiplier.read(offset)).into();
        let product = 0x1234_5678_u64 * 0x9abc_def0;
        assert_eq!(result, [0, 16, 32, 48].map(|shift| (product >> shift) as u16));
        for (offset, value) in [(0x14, 0xffff), (0x16, 0xffff), (0x20, 5), (0x22, 0)] {
            multiplier.write(offset, value, false);
        }
        assert_eq!([0x24, 0x2a, 0x0e].map(|offset| multiplier.read(offset)), [0xfffb, 0xffff, 0xffff]);
        multiplier.write(MPYS, 0x80, true);
        multiplier.write(register::OP2, 2, true);
        assert_eq!(words(&multiplier), [0xff00, 0xffff, 0xffff], "bytes get their sign");
    }
}

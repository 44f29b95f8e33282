//! The multiplier and divider of RL78/G13, a peripheral accessed through registers.

use super::timing::UnitClocks;

/// First address of the remainder and accumulator; the control register follows.
pub const ACCUMULATOR: u32 = 0xf_00e0;
pub const CONTROL: u32 = 0xf_00e8;
/// First address of the operands.
pub const OPERANDS: u32 = 0xf_fff0;

const DIVIDE: u8 = 0x80;
const ACCUMULATE: u8 = 0x40;
const SIGNED: u8 = 0x08;
/// Control bit: the accumulation overflowed.
const OVERFLOW: u8 = 0x04;
const NEGATIVE: u8 = 0x02;
/// Control bit: set to start a division; clears when it has finished.
const RUNNING: u8 = 0x01;
/// Bits of the control register that a program can write.
const WRITABLE: u8 = DIVIDE | ACCUMULATE | SIGNED | RUNNING;

/// Operation in progress, with its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Product(u32),
    Sum(u32, u32, u8),
    Quotient(u32, u32),
}

/// Registers, and the result that is not ready yet.
#[derive(Debug, Clone, Default)]
pub struct Unit {
    /// MDAL and MDAH.
    a: u32,
    /// MDBL and MDBH.
    b: u32,
    /// MDCL and MDCH.
    c: u32,
    control: u8,
    /// Mask of the operand bytes written since the last multiplication.
    written: u8,
    pending: Option<(u64, Work)>,
}

impl Unit {
    /// Advances the registers to a time.
    fn settle(&mut self, now: u64) {
        let Some((ready, work)) = self.pending.filter(|&(ready, _)| ready <= now) else { return };
        let _ = ready;
        self.pending = None;
        match work {
            Work::Product(product) => self.b = product,
            Work::Sum(product, sum, flags) => {
                self.b = product;
                self.c = sum;
                self.control = self.control & !(OVERFLOW | NEGATIVE) | flags;
            }
            Work::Quotient(quotient, remainder) => {
                self.a = quotient;
                self.c = remainder;
                self.control &= !RUNNING;
            }
        }
    }

    /// Returns the byte at an address of the unit.
    pub fn read(&mut self, address: u32, now: u64) -> u8 {
        self.settle(now);
        self.peek(address)
    }

    /// Returns the byte at an address of the unit without advancing time.
    pub fn peek(&self, address: u32) -> u8 {
        let byte = |value: u32, number: u32| (value >> (8 * number)) as u8;
        match address {
            CONTROL => self.control,
            ACCUMULATOR..CONTROL => byte(self.c, address & 3),
            _ if address & 4 == 0 => byte(self.a, address & 3),
            // The upper half lies first.
            _ => byte(self.b, address & 3 ^ 2),
        }
    }

    /// Writes the byte at an address of the unit.
    pub fn write(&mut self, address: u32, value: u8, now: u64, clocks: &UnitClocks) {
        self.settle(now);
        let put = |register: &mut u32, number: u32| {
            *register = *register & !(0xff << (8 * number)) | u32::from(value) << (8 * number);
        };
        match address {
            CONTROL => {
                self.control = value & WRITABLE | self.control & !WRITABLE;
                self.written = 0;
                if value & DIVIDE != 0 && value & RUNNING != 0 {
                    let (quotient, remainder) =
                        self.a.checked_div(self.b).map_or((u32::MAX, self.a), |quotient| (quotient, self.a % self.b));
                    self.pending = Some((now + u64::from(clocks.divide), Work::Quotient(quotient, remainder)));
                }
            }
            ACCUMULATOR..CONTROL => put(&mut self.c, address & 3),
            _ if address & 4 != 0 => put(&mut self.b, address & 3 ^ 2),
            _ => {
                put(&mut self.a, address & 3);
                self.written |= 1 << (address & 3);
                if self.written == 0x0f && self.control & DIVIDE == 0 {
                    self.written = 0;
                    self.multiply(now, clocks);
                }
            }
        }
    }

    fn multiply(&mut self, now: u64, clocks: &UnitClocks) {
        let (low, high) = (self.a as u16, (self.a >> 16) as u16);
        let signed = self.control & SIGNED != 0;
        let product = if signed {
            (i32::from(low as i16) * i32::from(high as i16)) as u32
        } else {
            u32::from(low) * u32::from(high)
        };
        if self.control & ACCUMULATE == 0 {
            self.pending = Some((now + u64::from(clocks.multiply), Work::Product(product)));
            return;
        }
        let (sum, carry) = self.c.overflowing_add(product);
        let signed_overflow = (self.c as i32).overflowing_add(product as i32).1;
        let overflow = if signed { signed_overflow } else { carry };
        let negative = signed && sum >> 31 == 1;
        let flags = if overflow { OVERFLOW } else { 0 } | if negative { NEGATIVE } else { 0 };
        self.pending = Some((now + u64::from(clocks.accumulate), Work::Sum(product, sum, flags)));
    }
}

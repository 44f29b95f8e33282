//! The multiplier and divider of RL78/G13, a peripheral accessed through registers.

use super::exec::{self, HeldByte, Long, Pair};
use super::timing::UnitClocks;
use crate::value::{Half, Value};

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
#[derive(Debug, Clone, Copy)]
enum Work<B: HeldByte> {
    Product(Long<B>),
    Sum(Long<B>, Long<B>, B),
    Quotient(Long<B>, Long<B>),
}

/// Registers, and the result that is not ready yet.
#[derive(Debug, Clone)]
pub struct Unit<B: HeldByte> {
    /// MDAL and MDAH.
    a: Long<B>,
    /// MDBL and MDBH.
    b: Long<B>,
    /// MDCL and MDCH.
    c: Long<B>,
    control: B,
    /// Mask of the operand bytes written since the last multiplication.
    written: u8,
    pending: Option<(u64, Work<B>)>,
}

impl<B: HeldByte> Default for Unit<B> {
    fn default() -> Self {
        let zero = Long::<B>::of(0);
        Unit { a: zero, b: zero, c: zero, control: B::of(0), written: 0, pending: None }
    }
}

/// Returns a byte of four, the lowest of which is 0.
fn byte<B: HeldByte>(value: Long<B>, number: u32) -> B {
    B::low_half(Pair::<B>::low_half(value.shr(Long::<B>::of(8 * number))))
}

/// Returns four bytes with one of them changed.
fn with_byte<B: HeldByte>(value: Long<B>, number: u32, byte: B) -> Long<B> {
    let others = value.and(Long::<B>::of(!(0xff << (8 * number))));
    others.or(byte.wide().wide().shl(Long::<B>::of(8 * number)))
}

impl<B: HeldByte> Unit<B> {
    /// Advances the registers to a time.
    fn settle(&mut self, now: u64) {
        let Some((_, work)) = self.pending.filter(|&(ready, _)| ready <= now) else { return };
        self.pending = None;
        match work {
            Work::Product(product) => self.b = product,
            Work::Sum(product, sum, flags) => {
                self.b = product;
                self.c = sum;
                self.control = self.control.and(B::of(!(OVERFLOW | NEGATIVE))).or(flags);
            }
            Work::Quotient(quotient, remainder) => {
                self.a = quotient;
                self.c = remainder;
                self.control = self.control.and(B::of(!RUNNING));
            }
        }
    }

    /// Returns the byte at an address of the unit.
    pub fn read(&mut self, address: u32, now: u64) -> B {
        self.settle(now);
        self.peek(address)
    }

    /// Returns the byte at an address of the unit without advancing time.
    pub fn peek(&self, address: u32) -> B {
        match address {
            CONTROL => self.control,
            ACCUMULATOR..CONTROL => byte(self.c, address & 3),
            _ if address & 4 == 0 => byte(self.a, address & 3),
            // The upper half lies first.
            _ => byte(self.b, address & 3 ^ 2),
        }
    }

    /// Writes the byte at an address of the unit.
    pub fn write(&mut self, address: u32, value: B, now: u64, clocks: &UnitClocks) {
        self.settle(now);
        match address {
            CONTROL => {
                self.control = value.and(B::of(WRITABLE)).or(self.control.and(B::of(!WRITABLE)));
                self.written = 0;
                if value.plain() & DIVIDE != 0 && value.plain() & RUNNING != 0 {
                    let work = Work::Quotient(self.a.quotient(self.b), self.a.remainder(self.b));
                    self.pending = Some((now + u64::from(clocks.divide), work));
                }
            }
            ACCUMULATOR..CONTROL => self.c = with_byte(self.c, address & 3, value),
            _ if address & 4 != 0 => self.b = with_byte(self.b, address & 3 ^ 2, value),
            _ => {
                self.a = with_byte(self.a, address & 3, value);
                self.written |= 1 << (address & 3);
                if self.written == 0x0f && self.control.plain() & DIVIDE == 0 {
                    self.written = 0;
                    self.multiply(now, clocks);
                }
            }
        }
    }

    fn multiply(&mut self, now: u64, clocks: &UnitClocks) {
        let (low, high) = (Pair::<B>::low_half(self.a), Pair::<B>::high_half(self.a));
        let signed = self.control.plain() & SIGNED != 0;
        let product = if signed { exec::product_signed(low, high) } else { exec::product(low, high) };
        if self.control.plain() & ACCUMULATE == 0 {
            self.pending = Some((now + u64::from(clocks.multiply), Work::Product(product)));
            return;
        }
        let (sum, overflow, negative) = exec::accumulated(self.c, product, signed);
        let flag = |truth, bit| B::chosen(truth, B::of(bit), B::of(0));
        let flags = flag(overflow, OVERFLOW).or(flag(negative, NEGATIVE));
        self.pending = Some((now + u64::from(clocks.accumulate), Work::Sum(product, sum, flags)));
    }
}

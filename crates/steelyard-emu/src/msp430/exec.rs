//! What instructions do: the values they compute, whatever stands for a value.
//!
//! Registers hold 20 bits of a value's 32; an operation works on the lowest 8, 16 or 20 of them, as its [`Size`] says.

use super::isa::{Op, Size};
use crate::value::{Truth, Word};

// Flags of the status register.
pub const C: u32 = 1;
pub const Z: u32 = 2;
pub const N: u32 = 4;
pub const CPU_OFF: u32 = 0x10;
pub const V: u32 = 0x100;
const FLAGS: u32 = V | N | Z | C;

/// Returns a value without the bits beyond a width.
#[inline(always)]
pub fn cut<W: Word>(value: W, size: Size) -> W {
    value.and(W::of(size.mask()))
}

/// Returns a single bit of a value in the lowest place.
#[inline(always)]
fn bit<W: Word>(value: W, place: u32) -> W {
    value.shr(W::of(place)).and(W::of(1))
}

#[inline(always)]
fn inverse<W: Word>(value: W, size: Size) -> W {
    cut(value.not(), size)
}

/// Returns the status register with other flags: negative and zero of a result without bits beyond its width, the given
/// carry and overflow.
#[inline(always)]
fn flagged<W: Word>(status: W, result: W, carry: W, overflow: W, size: Size) -> W {
    let negative = result.shr(W::of(size.bits() - 1)).shl(W::of(2));
    let zero = W::from_truth(result.equals(W::of(0))).shl(W::of(1));
    status.and(W::of(!FLAGS)).or(negative).or(zero).or(carry).or(overflow.shl(W::of(8)))
}

/// Returns the sum with carry and the status register after it.
#[inline(always)]
fn sum<W: Word>(source: W, destination: W, carry: W, status: W, size: Size) -> (W, W) {
    let wide = source.add(destination).add(carry);
    let sum = cut(wide, size);
    let overflow = bit(source.xor(sum).and(destination.xor(sum)), size.bits() - 1);
    (sum, flagged(status, sum, bit(wide, size.bits()), overflow, size))
}

/// Returns the decimal sum with carry and the status register after it; the overflow flag, which the manual leaves
/// undefined, is unchanged.
fn decimal_sum<W: Word>(source: W, destination: W, status: W, size: Size) -> (W, W) {
    let (mut sum, mut carry) = (W::of(0), status.and(W::of(C)));
    for place in (0..size.bits()).step_by(4) {
        let digit_of = |value: W| value.shr(W::of(place)).and(W::of(15));
        let digit = digit_of(source).add(digit_of(destination)).add(carry);
        carry = W::from_truth(W::of(9).below(digit));
        let digit = digit.add(carry.mul(W::of(6))).and(W::of(15));
        sum = sum.or(digit.shl(W::of(place)));
    }
    (sum, flagged(status, sum, carry, bit(status, 8), size))
}

/// Returns the status register after `and`, `bit` and `sxt`.
#[inline(always)]
fn logic<W: Word>(result: W, status: W, size: Size) -> W {
    let carry = W::from_truth(result.equals(W::of(0)).not());
    flagged(status, result, carry, W::of(0), size)
}

/// Returns the result and the status register of an instruction of two operands; `op` is that of words.
#[inline(always)]
pub fn combined<W: Word>(op: Op, size: Size, source: W, destination: W, status: W) -> (W, W) {
    let carry = status.and(W::of(C));
    match op {
        Op::Add => sum(source, destination, W::of(0), status, size),
        Op::Addc => sum(source, destination, carry, status, size),
        Op::Subc => sum(inverse(source, size), destination, carry, status, size),
        Op::Sub | Op::Cmp => sum(inverse(source, size), destination, W::of(1), status, size),
        Op::Dadd => decimal_sum(source, destination, status, size),
        Op::Bic => (destination.and(source.not()), status),
        Op::Bis => (destination.or(source), status),
        Op::Xor => {
            let result = source.xor(destination);
            let overflow = bit(source.and(destination), size.bits() - 1);
            (result, logic(result, status, size).or(overflow.shl(W::of(8))))
        }
        // `and` and `bit`.
        _ => {
            let result = source.and(destination);
            (result, logic(result, status, size))
        }
    }
}

/// Returns the result and the status register of an instruction that changes its one operand.
#[inline(always)]
pub fn modified<W: Word>(op: Op, size: Size, value: W, status: W) -> (W, W) {
    let top = size.bits() - 1;
    let shifted = value.shr(W::of(1));
    let result = match op {
        Op::Rrc | Op::Rrcm => shifted.or(status.and(W::of(C)).shl(W::of(top))),
        Op::Rra | Op::Rram => shifted.or(value.and(W::of(1 << top))),
        Op::Rru | Op::Rrum => shifted,
        Op::Rlam => cut(value.shl(W::of(1)), size),
        Op::Swpb => {
            let high = value.shl(W::of(8)).and(W::of(0xff00));
            return (value.and(W::of(0xf_0000)).or(value.shr(W::of(8)).and(W::of(0xff))).or(high), status);
        }
        _ => {
            let result = cut(value.sign_extended(8), size);
            return (result, logic(result, status, size));
        }
    };
    let carry = if op == Op::Rlam { bit(value, top) } else { value.and(W::of(1)) };
    (result, flagged(status, result, carry, W::of(0), size))
}

/// Returns what `sxt` puts into a register, which it fills to its end, and the status register: that of the word.
#[inline(always)]
pub fn filled<W: Word>(value: W, register_mask: u32, status: W) -> (W, W) {
    let result = value.sign_extended(8).and(W::of(register_mask));
    (result, logic(cut(result, Size::Word), status, Size::Word))
}

/// Whether the condition of a jump holds.
#[inline(always)]
pub fn condition<W: Word>(op: Op, status: W) -> W::Truth {
    let clear = |flag: u32| status.and(W::of(flag)).equals(W::of(0));
    match op {
        Op::Jne => clear(Z),
        Op::Jeq => clear(Z).not(),
        Op::Jnc => clear(C),
        Op::Jc => clear(C).not(),
        Op::Jn => clear(N).not(),
        Op::Jge => clear(N).xor(clear(V)).not(),
        _ => clear(N).xor(clear(V)),
    }
}

/// Returns the value of 20 bits of two words in memory.
#[inline(always)]
pub fn joined<W: Word>(low: W, high: W) -> W {
    low.or(high.and(W::of(15)).shl(W::of(16)))
}

/// Returns where `reti` goes on: the status word of an MSP430X brings the upper bits of the address.
#[inline(always)]
pub fn interrupted<W: Word>(status: W, target: W) -> W {
    target.or(status.and(W::of(0xf000)).shl(W::of(4)))
}

//! What instructions do: the values they compute, whatever stands for a value.
//!
//! Condition codes are a value too: N, Z, V and C, from bit 3 to bit 0, as the PSR has them.

use super::decode::Op;
use crate::value::{Truth, Value, Word};

/// Condition codes.
pub const N: u32 = 8;
pub const Z: u32 = 4;
pub const V: u32 = 2;
pub const C: u32 = 1;

/// Bit `nzvc` of entry `condition` is set if the condition holds under these codes.
const CONDITIONS: [u32; 16] = conditions();

const fn conditions() -> [u32; 16] {
    let mut table = [0; 16];
    let mut flags = 0;
    while flags < 16 {
        let (n, z, v, c) = (flags & N != 0, flags & Z != 0, flags & V != 0, flags & C != 0);
        // Never, equal, less or equal, less, less or equal unsigned, carry, negative, overflow; then the opposites.
        let holds = [false, z, z || n != v, n != v, c || z, c, n, v];
        let mut number = 0;
        while number < 8 {
            if holds[number] {
                table[number] |= 1 << flags;
            } else {
                table[number + 8] |= 1 << flags;
            }
            number += 1;
        }
        flags += 1;
    }
    table
}

/// Whether a condition holds under these codes.
#[inline(always)]
pub fn condition<W: Word>(condition: u8, codes: W) -> W::Truth {
    let holds = W::of(CONDITIONS[usize::from(condition & 15)]).shr(codes);
    holds.and(W::of(1)).equals(W::of(1))
}

/// Returns the codes on which a condition depends.
pub const fn asked(condition: u8) -> u32 {
    match condition & 7 {
        0 => 0,
        1 => Z,
        2 => Z | N | V,
        3 => N | V,
        4 => C | Z,
        5 => C,
        6 => N,
        _ => V,
    }
}

/// Returns the result of a sum, a logic operation or a shift, without carry and codes.
#[inline(always)]
pub fn computed<W: Word>(op: Op, x: W, y: W) -> W {
    let amount = y.and(W::of(31));
    match op {
        Op::Add | Op::AddImm => x.add(y),
        Op::Sub | Op::SubImm => x.sub(y),
        Op::And | Op::AndImm | Op::AndCc | Op::AndCcImm => x.and(y),
        Op::Or | Op::OrImm | Op::OrCc | Op::OrCcImm => x.or(y),
        Op::Xor | Op::XorImm | Op::XorCc | Op::XorCcImm => x.xor(y),
        Op::Andn | Op::AndnImm | Op::AndnCc | Op::AndnCcImm => x.and(y.not()),
        Op::Orn | Op::OrnImm | Op::OrnCc | Op::OrnCcImm => x.or(y.not()),
        Op::Xnor | Op::XnorImm | Op::XnorCc | Op::XnorCcImm => x.xor(y).not(),
        Op::Sll | Op::SllImm => x.shl(amount),
        Op::Srl | Op::SrlImm => x.shr(amount),
        Op::Sra | Op::SraImm => x.sar(amount),
        // Of constants, the only ones left.
        _ => y,
    }
}

/// Returns the codes N and Z of a result.
#[inline(always)]
pub fn sign_and_zero<W: Word>(value: W) -> W {
    value.shr(W::of(31)).shl(W::of(3)).or(W::from_truth(value.equals(W::of(0))).shl(W::of(2)))
}

/// Returns the codes of a sum or difference; `overflow` has them in its highest bit, `carry` in its lowest.
#[inline(always)]
fn codes<W: Word>(value: W, overflow: W, carry: W) -> W {
    let overflow = overflow.shr(W::of(31)).shl(W::of(1));
    sign_and_zero(value).or(overflow).or(carry.and(W::of(C)))
}

/// Returns the sum with a carry of 0 or 1, and its codes.
#[inline(always)]
pub fn sum<W: Word>(x: W, y: W, carry: W) -> (W, W) {
    let wide = x.wide().add(y.wide()).add(carry.wide());
    let sum = W::low_half(wide);
    (sum, codes(sum, x.xor(sum).and(y.xor(sum)), W::high_half(wide)))
}

/// Returns the difference with a borrow of 0 or 1, and its codes.
#[inline(always)]
pub fn difference<W: Word>(x: W, y: W, borrow: W) -> (W, W) {
    let wide = x.wide().sub(y.wide()).sub(borrow.wide());
    let difference = W::low_half(wide);
    (difference, codes(difference, x.xor(y).and(x.xor(difference)), W::high_half(wide)))
}

/// Returns the result and the codes of a sum or difference, `before` being the codes that it finds.
#[inline(always)]
pub fn summed<W: Word>(op: Op, x: W, y: W, before: W) -> (W, W) {
    let (none, carry) = (W::of(0), before.and(W::of(C)));
    match op {
        Op::AddCc | Op::AddCcImm => sum(x, y, none),
        Op::SubCc | Op::SubCcImm => difference(x, y, none),
        Op::Addx | Op::AddxCc | Op::AddxCcImm => sum(x, y, carry),
        Op::Subx | Op::SubxCc | Op::SubxCcImm => difference(x, y, carry),
        // Tagged: an operand with a tag overflows.
        _ => {
            let (value, codes) =
                if matches!(op, Op::TaddCc | Op::TaddCcTv) { sum(x, y, none) } else { difference(x, y, none) };
            let untagged = x.or(y).and(W::of(3)).equals(W::of(0));
            (value, W::chosen(untagged, codes, codes.or(W::of(V))))
        }
    }
}

/// Whether the codes say that there was an overflow.
#[inline(always)]
pub fn overflowed<W: Word>(codes: W) -> W::Truth {
    codes.and(W::of(V)).equals(W::of(0)).not()
}

/// Returns the upper and the lower half of a product.
#[inline(always)]
pub fn product<W: Word>(signed: bool, x: W, y: W) -> (W, W) {
    let wide = if signed { x.wide_signed().mul(y.wide_signed()) } else { x.wide().mul(y.wide()) };
    (W::high_half(wide), W::low_half(wide))
}

/// Returns the quotient, or the nearest number to one that does not fit, and the codes. The divisor is not zero.
#[inline(always)]
pub fn divided<W: Word>(signed: bool, upper: W, lower: W, divisor: W) -> (W, W) {
    let dividend = W::joined(upper, lower);
    let (quotient, fits, limit) = if signed {
        let wide = dividend.quotient_signed(divisor.wide_signed());
        let quotient = W::low_half(wide);
        let is_negative = upper.xor(divisor).sar(W::of(31));
        (quotient, quotient.wide_signed().equals(wide), W::of(i32::MAX as u32).xor(is_negative))
    } else {
        let wide = dividend.quotient(divisor.wide());
        (W::low_half(wide), W::high_half(wide).equals(W::of(0)), W::of(u32::MAX))
    };
    let value = W::chosen(fits, quotient, limit);
    (value, sign_and_zero(value).or(W::from_truth(fits.not()).shl(W::of(1))))
}

/// Returns what a step of a multiplication makes of its operands and of Y: the sum, its codes and the new Y.
#[inline(always)]
pub fn multiply_step<W: Word>(x: W, y: W, codes: W, multiplier: W) -> (W, W, W) {
    let sign = codes.shr(W::of(3)).xor(codes.shr(W::of(1)));
    let shifted = x.shr(W::of(1)).or(sign.shl(W::of(31)));
    let is_odd = multiplier.and(W::of(1)).equals(W::of(1));
    let (value, codes) = sum(shifted, W::chosen(is_odd, y, W::of(0)), W::of(0));
    (value, codes, multiplier.shr(W::of(1)).or(x.shl(W::of(31))))
}

/// Returns the size in bytes of what an instruction loads or stores, and of what its address is a multiple.
#[inline(always)]
pub fn size_bytes(op: Op) -> u32 {
    match op {
        Op::Ldub | Op::Ldsb | Op::Stb | Op::Ldstub => 1,
        Op::Lduh | Op::Ldsh | Op::Sth => 2,
        Op::Ldd | Op::Std => 8,
        _ => 4,
    }
}

/// Returns what a load puts into its register; memory gives the first byte as the lowest.
#[inline(always)]
pub fn extended<W: Word>(op: Op, loaded: W) -> W {
    match op {
        Op::Ldub | Op::Ldstub => loaded.and(W::of(0xff)),
        Op::Ldsb => loaded.sign_extended(8),
        Op::Lduh => loaded.swapped().shr(W::of(16)),
        Op::Ldsh => loaded.swapped().sar(W::of(16)),
        _ => loaded.swapped(),
    }
}

/// Returns what goes into memory, which takes the lowest byte first.
#[inline(always)]
pub fn stored<W: Word>(op: Op, value: W) -> W {
    match op {
        Op::Stb => value,
        Op::Sth => value.swapped().shr(W::of(16)),
        Op::Ldstub => W::of(0xff),
        _ => value.swapped(),
    }
}

#[cfg(test)]
mod tests {
    use super::{difference, divided, multiply_step, sum, C, N, V, Z};

    #[test]
    fn codes_say_sign_zero_overflow_and_carry() {
        assert_eq!(sum(0x7fff_ffff_u32, 1, 0), (0x8000_0000, N | V));
        assert_eq!(sum(0xffff_ffff_u32, 0, 1), (0, Z | C));
        assert_eq!(difference(0_u32, 1, 0), (0xffff_ffff, N | C));
        assert_eq!(difference(0x8000_0000_u32, 1, 0), (0x7fff_ffff, V));
        assert_eq!(difference(5_u32, 4, 1), (0, Z));
    }

    #[test]
    fn a_quotient_that_does_not_fit_is_the_nearest_that_does() {
        assert_eq!(divided(false, 1_u32, 0, 1), (0xffff_ffff, N | V));
        assert_eq!(divided(false, 0_u32, 7, 2), (3, 0));
        assert_eq!(divided(true, 0xffff_ffff_u32, 0xffff_fff9, 2), (0xffff_fffd, N));
        assert_eq!(divided(true, 1_u32, 0, 1), (0x7fff_ffff, V));
        assert_eq!(divided(true, 1_u32, 0, 0xffff_ffff), (0x8000_0000, N | V));
        // The only one that does not fit into 64 bits.
        assert_eq!(divided(true, 0x8000_0000_u32, 0, 0xffff_ffff), (0x7fff_ffff, V));
    }

    #[test]
    fn thirty_two_steps_multiply() {
        let (mut value, mut codes, mut multiplier) = (0_u32, 0, 0x1234_5678);
        for _ in 0..32 {
            (value, codes, multiplier) = multiply_step(value, 0x0765_4321, codes, multiplier);
        }
        let (value, _, multiplier) = multiply_step(value, 0, codes, multiplier);
        assert_eq!(u64::from(value) << 32 | u64::from(multiplier), 0x1234_5678 * 0x0765_4321);
    }
}

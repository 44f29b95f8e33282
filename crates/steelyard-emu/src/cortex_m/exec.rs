//! What instructions do: the values they compute, whatever stands for a value.
//!
//! Conditions, sums with flags and shifts with carry are those of A32; [`super::dsp`] has the DSP extension.

use super::decode::{Op, BEFORE, BYTE, DOWN, HALF, LSL, LSR, SIGNED, TOP, UNSIGNED};
pub use crate::arm::exec::{
    asked, carry, condition, kept_carry, processed, processed_with_flags, saturating, shift_with_carry, shifted,
    sign_and_zero, summed, with_carry, V,
};
use crate::value::{Truth, Value, Word};

/// What `tt` says of every address: readable and writable, of no region of a protection unit.
pub const TARGET: u32 = 0x000c_0000;

/// Returns a value rotated to the right by less than its bits.
#[inline(always)]
pub fn rotated<W: Word>(value: W, amount: u32) -> W {
    W::low_half(W::joined(value, value).shr(W::Wide::of(u64::from(amount))))
}

/// Returns a move shifted by a constant from 1 to 31, and the flags.
#[inline(always)]
pub fn shifted_with_flags<W: Word>(kind: u32, value: W, amount: u8, nzcv: W) -> (W, W) {
    let (amount, one) = (W::of(u32::from(amount & 31)), W::of(1));
    let (result, last) = match kind {
        LSL => (value.shl(amount), value.shr(W::of(32).sub(amount))),
        LSR => (value.shr(amount), value.shr(amount.sub(one))),
        _ => (value.sar(amount), value.shr(amount.sub(one))),
    };
    (result, nzcv.and(W::of(V)).or(sign_and_zero(result)).or(last.and(one).shl(one)))
}

/// Returns a byte or halfword with its sign or zeros above it.
#[inline(always)]
pub fn extended<W: Word>(op: Op, value: W) -> W {
    match op {
        Op::ExtendByteSigned => value.sign_extended(8),
        Op::ExtendByte => value.and(W::of(0xff)),
        Op::ExtendHalfSigned => value.sign_extended(16),
        _ => value.and(W::of(0xffff)),
    }
}

/// Returns a number of bits from the lowest one up.
#[inline(always)]
pub fn extracted<W: Word>(op: Op, value: W, lowest: u32, width: u32) -> W {
    let top = value.shl(W::of(32 - lowest - width));
    if op == Op::ExtractSigned {
        top.sar(W::of(32 - width))
    } else {
        top.shr(W::of(32 - width))
    }
}

/// Returns a value whose bits of a mask are those of another value from its lowest bit up.
#[inline(always)]
pub fn inserted<W: Word>(value: W, field: W, lowest: u8, mask: u32) -> W {
    value.and(W::of(!mask)).or(field.shl(W::of(u32::from(lowest & 31))).and(W::of(mask)))
}

/// Returns a value with `imm` in its upper half.
#[inline(always)]
pub fn topped<W: Word>(value: W, imm: u32) -> W {
    value.and(W::of(0xffff)).or(W::of(imm << 16))
}

/// Returns a signed number of 32 bits clamped to fewer bits, and 1 if it was clamped.
pub fn saturated<W: Word>(value: W, bits: u32, unsigned: bool) -> (W, W) {
    let wide = value.wide_signed();
    let (low, high) =
        if unsigned { (0, (1_i64 << bits) - 1) } else { (-(1_i64 << (bits - 1)), (1_i64 << (bits - 1)) - 1) };
    let (low, high) = (W::Wide::of(low as u64), W::Wide::of(high as u64));
    let (under, over) = (wide.less(low), high.less(wide));
    let kept = W::Wide::chosen(under, low, W::Wide::chosen(over, high, wide));
    (W::low_half(kept), W::from_truth(under.or(over)))
}

/// Returns the value that a saturation shifts before.
pub fn saturation_source<W: Word>(value: W, detail: u8, amount: u8) -> W {
    let amount = W::of(u32::from(amount & 31));
    if detail & TOP != 0 {
        value.sar(amount)
    } else {
        value.shl(amount)
    }
}

/// Returns both halves clamped to fewer bits, and 1 if one was.
pub fn saturated_halves<W: Word>(value: W, bits: u32, detail: u8) -> (W, W) {
    let unsigned = detail & UNSIGNED != 0;
    let (low, low_over) = saturated(value.sign_extended(16), bits, unsigned);
    let (high, high_over) = saturated(value.sar(W::of(16)), bits, unsigned);
    (high.shl(W::of(16)).or(low.and(W::of(0xffff))), low_over.or(high_over))
}

/// Returns bytes or bits in another order.
#[inline(always)]
pub fn reversed<W: Word>(op: Op, value: W) -> W {
    let exchanged = |value: W, distance: u32, mask: u32| {
        let (distance, mask) = (W::of(distance), W::of(mask));
        value.shr(distance).and(mask).or(value.and(mask).shl(distance))
    };
    let bytes = exchanged(value, 8, 0x00ff_00ff);
    let whole = rotated(bytes, 16);
    match op {
        Op::Reverse => whole,
        Op::ReverseHalves => bytes,
        Op::ReverseSigned => bytes.sign_extended(16),
        _ => {
            let nibbles = exchanged(whole, 4, 0x0f0f_0f0f);
            exchanged(exchanged(nibbles, 2, 0x3333_3333), 1, 0x5555_5555)
        }
    }
}

/// Returns the accumulator plus or minus a product.
#[inline(always)]
pub fn accumulated<W: Word>(op: Op, accumulator: W, product: W) -> W {
    if op == Op::MultiplyAdd {
        accumulator.add(product)
    } else {
        accumulator.sub(product)
    }
}

/// Returns the product of two words, of two words of result.
#[inline(always)]
pub fn long_product<W: Word>(op: Op, x: W, y: W, accumulator: W::Wide) -> W::Wide {
    let unsigned = || x.wide().mul(y.wide());
    let signed = || x.wide_signed().mul(y.wide_signed());
    match op {
        Op::LongUnsigned => unsigned(),
        Op::LongSigned => signed(),
        Op::LongAddUnsigned => unsigned().add(accumulator),
        Op::LongAddSigned => signed().add(accumulator),
        // Both words of the accumulator are added.
        _ => unsigned().add(W::low_half(accumulator).wide()).add(W::high_half(accumulator).wide()),
    }
}

/// Returns the quotient, 0 of a division by 0.
#[inline(always)]
pub fn divided<W: Word>(op: Op, dividend: W, divisor: W) -> W {
    let quotient = if op == Op::DivideSigned { dividend.quotient_signed(divisor) } else { dividend.quotient(divisor) };
    W::chosen(divisor.equals(W::of(0)), W::of(0), quotient)
}

/// Returns the size in bytes of what a load or store of one register moves; `detail` says its form.
#[inline(always)]
pub fn size_bytes(detail: u8) -> u32 {
    match detail & (BYTE | HALF) {
        BYTE => 1,
        HALF => 2,
        _ => 4,
    }
}

/// Returns what a load puts into its register.
#[inline(always)]
pub fn loaded<W: Word>(detail: u8, value: W) -> W {
    if detail & SIGNED == 0 {
        value
    } else {
        value.sign_extended(8 * size_bytes(detail))
    }
}

/// Returns the address of a load or store whose base moves by an offset, before or after.
#[inline(always)]
pub fn address<W: Word>(detail: u8, base: W, moved: W) -> W {
    if detail & BEFORE != 0 {
        moved
    } else {
        base
    }
}

/// Returns the lowest address of a transfer of several registers, and the base register's value after it.
#[inline(always)]
pub fn span<W: Word>(base: W, count: u32, detail: u8) -> (W, W) {
    let bytes = W::of(4 * count);
    if detail & DOWN != 0 {
        (base.sub(bytes), base.sub(bytes))
    } else {
        (base, base.add(bytes))
    }
}

//! What instructions do: the values they compute, whatever stands for a value.
//!
//! Bytes and words are computed in 32 bits; what is beyond their width is zero.

use super::decode::Op;
use crate::value::{Half, Held, HeldWord, Truth, Value, Word};

/// A register of 16 bits, which computes in 32.
pub trait Register: Half<Plain = u16, Wide: HeldWord> + Held {}
impl<W: Half<Plain = u16, Wide: HeldWord> + Held> Register for W {}

/// What a register computes in.
pub type Wide<W> = <W as Half>::Wide;

// Flags by their place in FLG.
pub const C: u32 = 1;
pub const Z: u32 = 1 << 2;
pub const S: u32 = 1 << 3;
/// Flag that selects the second bank of registers.
pub const B: u32 = 1 << 4;
pub const O: u32 = 1 << 5;
/// Flag that enables interrupts.
pub const I: u32 = 1 << 6;
/// Flag that selects the user's stack pointer.
pub const U: u32 = 1 << 7;
/// Debug flag.
pub const D: u32 = 1 << 1;
/// Bits of the processor's interrupt priority level.
pub const IPL: u32 = 7 << 12;
pub const FLAGS: u32 = 0xff | IPL;

/// Width of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    pub bits: u32,
    pub mask: u32,
    sign: u32,
}

pub const BYTE: Width = Width { bits: 8, mask: 0xff, sign: 0x80 };
pub const WORD: Width = Width { bits: 16, mask: 0xffff, sign: 0x8000 };
pub const LONG: Width = Width { bits: 32, mask: u32::MAX, sign: 1 << 31 };

#[inline(always)]
pub fn width(word: bool) -> Width {
    if word {
        WORD
    } else {
        BYTE
    }
}

/// A result, and flags by their places.
#[derive(Debug, Clone, Copy)]
pub struct Computed<V> {
    pub value: V,
    pub flags: V,
}

/// Returns a flag where something holds.
#[inline(always)]
pub fn flag<V: Word>(flag: u32, truth: V::Truth) -> V {
    V::chosen(truth, V::of(flag), V::of(0))
}

#[inline(always)]
fn is_zero<V: Word>(value: V) -> V::Truth {
    value.equals(V::of(0))
}

/// Returns Z and S of a value, whatever lies beyond its width.
#[inline(always)]
pub fn sign_zero<V: Word>(value: V, width: Width) -> V {
    let sign = is_zero(value.and(V::of(width.sign))).not();
    flag::<V>(Z, is_zero(value.and(V::of(width.mask)))).or(flag(S, sign))
}

/// Returns the flags with those of a mask replaced.
#[inline(always)]
pub fn replaced<V: Word>(flags: V, mask: u32, by: V) -> V {
    flags.and(V::of(!mask)).or(by)
}

/// Returns the sum with carry.
#[inline(always)]
pub fn sum<V: Word>(x: V, y: V, carry: V, width: Width) -> Computed<V> {
    let sum = x.add(y).add(carry);
    let overflow = is_zero(x.xor(sum).and(y.xor(sum)).and(V::of(width.sign))).not();
    let carried = V::of(width.mask).below(sum);
    let value = sum.and(V::of(width.mask));
    Computed { value, flags: sign_zero(sum, width).or(flag(O, overflow)).or(flag(C, carried)) }
}

/// Returns the difference with borrow; C is set if nothing was borrowed.
#[inline(always)]
pub fn difference<V: Word>(x: V, y: V, borrow: V, width: Width) -> Computed<V> {
    let difference = x.sub(y).sub(borrow);
    let overflow = is_zero(x.xor(y).and(x.xor(difference)).and(V::of(width.sign))).not();
    let enough = x.below(y.add(borrow)).not();
    let value = difference.and(V::of(width.mask));
    Computed { value, flags: sign_zero(difference, width).or(flag(O, overflow)).or(flag(C, enough)) }
}

/// Returns the result of two operands that sets C, Z, S and O; `flags` are those before.
#[inline(always)]
pub fn arithmetic<V: Word>(op: Op, old: V, value: V, flags: V, width: Width) -> Computed<V> {
    let carry = flags.and(V::of(C));
    match op {
        Op::Add => sum(old, value, V::of(0), width),
        Op::Adc => sum(old, value, carry, width),
        Op::Sub | Op::Compare => difference(old, value, V::of(0), width),
        _ => difference(old, value, carry.xor(V::of(C)), width),
    }
}

/// Returns the result of two operands that sets Z and S.
#[inline(always)]
pub fn logic<V: Word>(op: Op, old: V, value: V, width: Width) -> Computed<V> {
    let value = match op {
        Op::And | Op::Test => old.and(value),
        Op::Or => old.or(value),
        _ => old.xor(value),
    };
    Computed { value, flags: sign_zero(value, width) }
}

/// Returns which flags an operation of one operand sets.
#[inline(always)]
pub fn sets(op: Op) -> u32 {
    match op {
        Op::Abs => Z | S | O,
        Op::Not | Op::Increment | Op::Decrement => Z | S,
        Op::RotateLeftCarry | Op::RotateRightCarry => C | Z | S,
        _ => C | Z | S | O,
    }
}

/// Returns the result of one operand; `flags` are those before.
#[inline(always)]
pub fn one<V: Word>(op: Op, old: V, flags: V, width: Width) -> Computed<V> {
    let carry = flags.and(V::of(C));
    let (sign, mask) = (V::of(width.sign), V::of(width.mask));
    let is_negative = is_zero(old.and(sign)).not();
    let with = |value: V, more: V| Computed { value: value.and(mask), flags: sign_zero(value, width).or(more) };
    match op {
        Op::Abs => with(V::chosen(is_negative, V::of(0).sub(old), old), flag(O, old.equals(sign))),
        Op::Adcf => sum(old, V::of(0), carry, width),
        Op::Negate => difference(V::of(0), old, V::of(0), width),
        Op::Not => with(old.not(), V::of(0)),
        Op::RotateLeftCarry => with(old.shl(V::of(1)).or(carry), flag(C, is_negative)),
        Op::RotateRightCarry => {
            let above = V::chosen(is_zero(carry), V::of(0), sign);
            with(old.shr(V::of(1)).or(above), old.and(V::of(C)))
        }
        Op::Increment => with(old.add(V::of(1)), V::of(0)),
        _ => with(old.sub(V::of(1)), V::of(0)),
    }
}

/// By how many places to shift or rotate, not none: to the left or to the right.
#[derive(Debug, Clone, Copy)]
pub struct Places<V> {
    pub left: bool,
    pub count: V,
}

/// Returns a rotated value; the last bit that went around is C.
#[inline(always)]
pub fn rotated<V: Word>(value: V, places: Places<V>, width: Width) -> Computed<V> {
    let bits = V::of(width.bits);
    let count = if places.left { places.count } else { V::of(0).sub(places.count) }.and(V::of(width.bits - 1));
    let result = value.shl(count).or(value.shr(bits.sub(count))).and(V::of(width.mask));
    let around = if places.left { result } else { result.shr(V::of(width.bits - 1)) };
    Computed { value: result, flags: sign_zero(result, width).or(around.and(V::of(C))) }
}

/// Returns a value of up to 32 bits shifted, the last bit shifted out as C, and as O whether the sign changed.
#[inline]
pub fn shifted<V: Word>(value: V, places: Places<V>, bits: u32, arithmetic: bool) -> Computed<V> {
    let wide = <V::Wide as Value>::of;
    let mask = V::of(u32::MAX >> (32 - bits));
    let extended = value.sign_extended(bits).wide_signed();
    if !places.left {
        let from = if arithmetic { extended } else { value.wide() };
        // Behind 63 places there are copies of the sign alone.
        let moved = |count: V| V::low_half(from.sar(V::chosen(count.below(V::of(64)), count, V::of(63)).wide()));
        let carry = moved(places.count.sub(V::of(1))).and(V::of(C));
        return Computed { value: moved(places.count).and(mask), flags: carry };
    }
    // Beyond the width nothing is left, whatever the count.
    let within = places.count.below(V::of(64 - bits));
    let moved = extended.shl(places.count.and(V::of(63)).wide());
    let moved = <V::Wide as Value>::chosen(within, moved, wide(0));
    let result = V::low_half(moved).and(mask);
    let carry = V::low_half(moved.shr(wide(bits.into()))).and(V::of(C));
    let same = moved.equals(result.sign_extended(bits).wide_signed());
    let overflow = same.not().or(within.not().and(is_zero(value).not()));
    Computed { value: result, flags: carry.or(flag(O, overflow)) }
}

/// Returns a product in twice the width.
#[inline(always)]
pub fn product<V: Word>(op: Op, old: V, value: V, width: Width) -> V {
    if op == Op::Multiply {
        old.sign_extended(width.bits).mul(value.sign_extended(width.bits))
    } else {
        old.mul(value)
    }
}

/// A quotient and what is left.
#[derive(Debug, Clone, Copy)]
pub struct Divided<V: Value> {
    pub quotient: V,
    pub rest: V,
    /// Whether the quotient does not fit, or there is none.
    pub overflow: V::Truth,
    pub by_zero: V::Truth,
}

/// Divides a number of twice the width; numbers with a sign are extended by it.
pub fn divided<V: Word>(op: Op, dividend: V, divisor: V, width: Width) -> Divided<V> {
    let wide = <V::Wide as Value>::of;
    let by_zero = is_zero(divisor);
    if op == Op::DivideUnsigned {
        let quotient = dividend.quotient(divisor);
        let fits = is_zero(quotient.shr(V::of(width.bits)));
        return Divided { quotient, rest: dividend.remainder(divisor), overflow: by_zero.or(fits.not()), by_zero };
    }
    let dividend = dividend.sign_extended(2 * width.bits).wide_signed();
    let divisor = divisor.sign_extended(width.bits).wide_signed();
    let (mut quotient, mut rest) = (dividend.quotient_signed(divisor), dividend.remainder_signed(divisor));
    if op == Op::DivideFloor {
        let lower = rest.less(wide(0)).xor(divisor.less(wide(0))).and(rest.equals(wide(0)).not());
        quotient = <V::Wide as Value>::chosen(lower, quotient.sub(wide(1)), quotient);
        rest = <V::Wide as Value>::chosen(lower, rest.add(divisor), rest);
    }
    let fits = quotient.equals(quotient.sign_extended(width.bits));
    let overflow = by_zero.or(fits.not());
    Divided { quotient: V::low_half(quotient), rest: V::low_half(rest), overflow, by_zero }
}

/// Returns the value of so many decimal digits.
fn from_decimal<V: Word>(digits: V, count: u32) -> V {
    (0..count)
        .rev()
        .fold(V::of(0), |value, place| value.mul(V::of(10)).add(digits.shr(V::of(4 * place)).and(V::of(15))))
}

fn to_decimal<V: Word>(value: V, count: u32) -> V {
    let ten = V::of(10);
    let digit = |(digits, rest): (V, V), place: u32| {
        (digits.or(rest.remainder_signed(ten).shl(V::of(4 * place))), rest.quotient_signed(ten))
    };
    (0..count).fold((V::of(0), value), digit).0
}

/// Returns the sum or difference of decimal numbers, with C, Z and S.
pub fn decimal<V: Word>(op: Op, old: V, value: V, flags: V, width: Width) -> Computed<V> {
    let digits = width.bits / 4;
    let modulus = V::of(if digits == 4 { 10_000 } else { 100 });
    let (old, value) = (from_decimal(old, digits), from_decimal(value, digits));
    let carry = flags.and(V::of(C));
    let (result, carried) = match op {
        Op::DecimalAdd | Op::DecimalAdc => {
            let result = old.add(value).add(if op == Op::DecimalAdc { carry } else { V::of(0) });
            (result, result.below(modulus).not())
        }
        _ => {
            let borrow = if op == Op::DecimalSbb { V::of(1).sub(carry) } else { V::of(0) };
            let result = old.sub(value).sub(borrow);
            let is_negative = result.less(V::of(0));
            (V::chosen(is_negative, result.add(modulus), result), is_negative.not())
        }
    };
    let value = to_decimal(result, digits);
    Computed { value, flags: sign_zero(value, width).or(flag(C, carried)) }
}

/// Returns a byte with one nibble replaced, by kind: low to low, high to low, low to high, high to high.
#[inline(always)]
pub fn nibble<V: Word>(old: V, value: V, kind: u8) -> V {
    let taken = if kind & 1 != 0 { value.shr(V::of(4)) } else { value }.and(V::of(15));
    if kind & 2 != 0 {
        old.and(V::of(0x0f)).or(taken.shl(V::of(4)))
    } else {
        old.and(V::of(0xf0)).or(taken)
    }
}

/// Whether a bit of a unit is set.
#[inline(always)]
pub fn is_set<V: Word>(unit: V, bit: V) -> V::Truth {
    is_zero(unit.and(bit)).not()
}

/// Returns a unit with one bit changed.
#[inline(always)]
pub fn changed<V: Word>(op: Op, unit: V, bit: V) -> V {
    match op {
        Op::BitClear | Op::BitTestClear => unit.and(bit.not()),
        Op::BitSet | Op::BitTestSet => unit.or(bit),
        _ => unit.xor(bit),
    }
}

/// Returns C and Z as a test of a bit sets them.
#[inline(always)]
pub fn tested<V: Word>(op: Op, unit: V, bit: V) -> V {
    let is_set = is_set(unit, bit);
    if op == Op::BitTestNot {
        V::chosen(is_set, V::of(0), V::of(C | Z))
    } else {
        V::chosen(is_set, V::of(C), V::of(Z))
    }
}

/// Returns C combined with a bit.
#[inline(always)]
pub fn combined<V: Word>(op: Op, flags: V, unit: V, bit: V) -> V {
    let (carry, is_set) = (is_zero(flags.and(V::of(C))).not(), is_set(unit, bit));
    let result = match op {
        Op::BitAnd => carry.and(is_set),
        Op::BitAndNot => carry.and(is_set.not()),
        Op::BitOr => carry.or(is_set),
        Op::BitOrNot => carry.or(is_set.not()),
        Op::BitXor => carry.xor(is_set),
        _ => carry.xor(is_set.not()),
    };
    flag(C, result)
}

/// Whether a condition holds under these flags.
#[inline(always)]
pub fn condition<V: Word>(condition: u8, flags: V) -> V::Truth {
    let Condition { among, holds } = CONDITIONS[usize::from(condition & 15)];
    let place = flags.and(V::of(among)).wide();
    let one = <V::Wide as Value>::of(1);
    <V::Wide as Value>::of(holds).shr(place).and(one).equals(one)
}

/// A condition: the flags that it asks, and whether it holds, as the bit of a number whose place these flags are.
#[derive(Clone, Copy)]
struct Condition {
    among: u32,
    holds: u64,
}

const CONDITIONS: [Condition; 16] = conditions();

const fn conditions() -> [Condition; 16] {
    const AMONG: [u32; 16] = [C, C | Z, Z, S, C, C | Z, Z, S, S | O | Z, O, S | O, 0, S | O | Z, O, S | O, 0];
    let mut table = [Condition { among: 0, holds: 0 }; 16];
    let mut flags: u32 = 0;
    while flags < 64 {
        let (c, z, s, o) = (flags & C != 0, flags & Z != 0, flags & S != 0, flags & O != 0);
        let less = s != o;
        let holds = [c, c && !z, z, s, !c, !c || z, !z, !s, less || z, o, !less, false, !(less || z), !o, less, false];
        let mut number = 0;
        while number < 16 {
            table[number].among = AMONG[number];
            if holds[number] {
                table[number].holds |= 1 << flags;
            }
            number += 1;
        }
        flags += 1;
    }
    table
}

/// Returns a sum of products with one more, and whether it does not fit in twice the width.
pub fn product_sum<V: Word>(sum: V, x: V, y: V, width: Width) -> (V, V::Truth) {
    let bits = 2 * width.bits;
    let product = x.sign_extended(width.bits).mul(y.sign_extended(width.bits));
    let wide = sum.sign_extended(bits).wide_signed().add(product.wide_signed());
    let sum = V::low_half(wide);
    (sum, wide.equals(sum.sign_extended(bits).wide_signed()).not())
}

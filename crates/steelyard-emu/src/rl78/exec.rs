//! What instructions do: the values they compute, whatever stands for a value.

use super::isa::{
    ADD, ADDC, AND, AND_BIT, CLEAR, CMP, FROM_CARRY, IF_C, IF_H, IF_NC, IF_NZ, IF_Z, OR, OR_BIT, SET, SUB, SUBC, TAKE,
};
use crate::value::{Half, Held, Truth, Value};

/// A byte; two of them are a register pair, and two pairs the longest number.
pub trait Byte: Half<Plain = u8, Wide: Half<Plain = u16, Wide: Value<Plain = u32>>> {}
impl<V: Half<Plain = u8, Wide: Half<Plain = u16, Wide: Value<Plain = u32>>>> Byte for V {}

/// A byte that an interpreter holds, with all that is made of it.
pub trait HeldByte:
    Byte<Truth: Send + Sync, Wide: Held<Beside = <Self as Held>::Beside> + Half<Wide: Send + Sync>> + Held
{
}
impl<V> HeldByte for V where
    V: Byte<Truth: Send + Sync, Wide: Held<Beside = <V as Held>::Beside> + Half<Wide: Send + Sync>> + Held
{
}

/// Two bytes.
pub type Pair<B> = <B as Half>::Wide;
/// Four bytes.
pub type Long<B> = <Pair<B> as Half>::Wide;

/// Bits of PSW.
const PSW_Z: u8 = 0x40;
const PSW_RBS1: u8 = 0x20;
const PSW_AC: u8 = 0x10;
const PSW_RBS0: u8 = 0x08;
const PSW_CY: u8 = 0x01;
/// Bits of PSW for the interrupt enable and the priority in service.
pub const PSW_REST: u8 = 0x86;
pub const PSW_IE: u8 = 0x80;

/// The flags that instructions compute.
#[derive(Debug, Clone, Copy)]
pub struct Flags<T> {
    pub zero: T,
    pub carry: T,
    pub auxiliary_carry: T,
}

/// Whether the value has one of these bits.
#[inline(always)]
pub fn has<V: Value>(value: V, bits: V) -> V::Truth {
    value.and(bits).equals(bits.xor(bits)).not()
}

/// Computes with two bytes; the result of a comparison is the difference.
#[inline(always)]
pub fn computed<B: Byte>(operation: u8, left: B, right: B, flags: &mut Flags<B::Truth>) -> B {
    let (a, b) = (left.wide(), right.wide());
    let carry = Pair::<B>::from_truth(flags.carry);
    let wide = match operation {
        ADD => a.add(b),
        ADDC => a.add(b).add(carry),
        SUB | CMP => a.sub(b),
        SUBC => a.sub(b).sub(carry),
        AND => a.and(b),
        OR => a.or(b),
        _ => a.xor(b),
    };
    let result = B::low_half(wide);
    flags.zero = result.equals(B::of(0));
    if operation < AND {
        flags.carry = has(wide, Pair::<B>::of(0x100));
        flags.auxiliary_carry = has(a.xor(b).xor(wide), Pair::<B>::of(0x10));
    }
    result
}

/// Adds or subtracts two pairs.
#[inline(always)]
pub fn computed_pair<B: Byte>(operation: u8, left: Pair<B>, right: Pair<B>, flags: &mut Flags<B::Truth>) -> Pair<B> {
    let (a, b) = (left.wide(), right.wide());
    let wide = if operation == ADD { a.add(b) } else { a.sub(b) };
    let result = Pair::<B>::low_half(wide);
    flags.zero = result.equals(Pair::<B>::of(0));
    flags.carry = has(wide, Long::<B>::of(0x1_0000));
    flags.auxiliary_carry = has(a.xor(b).xor(wide), Long::<B>::of(0x100));
    result
}

/// Adds 1 or -1.
#[inline(always)]
pub fn stepped<B: Byte>(value: B, step: u8, flags: &mut Flags<B::Truth>) -> B {
    let result = value.add(B::of(step));
    flags.zero = result.equals(B::of(0));
    // A carry from, or a borrow for, the lower half.
    let turned = if step == 1 { 0 } else { 0x0f };
    flags.auxiliary_carry = result.and(B::of(0x0f)).equals(B::of(turned));
    result
}

/// The flags of `movs`, which moves X.
pub fn moved_flags<B: Byte>(moved: B, a: B, flags: &mut Flags<B::Truth>) {
    flags.zero = moved.equals(B::of(0));
    flags.carry = flags.zero.or(a.equals(B::of(0)));
}

/// The flags of `cmps`, which compares X with a byte in memory.
pub fn compared_flags<B: Byte>(x: B, memory: B, a: B, flags: &mut Flags<B::Truth>) {
    computed(CMP, x, memory, flags);
    flags.carry = flags.zero.not().or(memory.equals(B::of(0))).or(a.equals(B::of(0)));
}

/// Returns the product of two unsigned numbers.
#[inline(always)]
pub fn product<V: Half>(left: V, right: V) -> V::Wide {
    left.wide().mul(right.wide())
}

/// Returns the product of two signed numbers.
#[inline(always)]
pub fn product_signed<V: Half>(left: V, right: V) -> V::Wide {
    left.wide_signed().mul(right.wide_signed())
}

/// Adds a product to the accumulator: the sum, whether it overflowed, and whether it is negative.
#[inline(always)]
pub fn accumulated<V: Value<Plain = u32>>(sum: V, product: V, signed: bool) -> (V, V::Truth, V::Truth) {
    let result = sum.add(product);
    let zero = V::of(0);
    if signed {
        let overflow = sum.xor(result).and(product.xor(result)).less(zero);
        return (result, overflow, result.less(zero));
    }
    (result, result.below(sum), zero.less(zero))
}

/// Shifts to the left by a count, the carry is the last bit out.
#[inline(always)]
pub fn shifted_left<V: Half>(value: V, count: V::Wide, carry: &mut V::Truth) -> V {
    let wide = value.wide().shl(count);
    *carry = has(V::high_half(wide), V::from_truth(count.equals(count)));
    V::low_half(wide)
}

/// Shifts to the right by one more than a count, with zeros or copies of the sign; the carry is the last bit out.
#[inline(always)]
pub fn shifted_right<V: Value>(value: V, count_before: V, signed: bool, carry: &mut V::Truth) -> V {
    let one = V::from_truth(count_before.equals(count_before));
    let shift = if signed { V::sar } else { V::shr };
    let before = shift(value, count_before);
    *carry = has(before, one);
    shift(before, one)
}

/// Rotates a byte to the right, through the carry or not.
#[inline(always)]
pub fn rotated_right<B: Byte>(value: B, through_carry: bool, carry: &mut B::Truth) -> B {
    let last = has(value, B::of(1));
    let first = if through_carry { *carry } else { last };
    *carry = last;
    value.shr(B::of(1)).or(B::from_truth(first).shl(B::of(7)))
}

/// Rotates to the left, through the carry or not; `highest` is the highest bit.
#[inline(always)]
pub fn rotated_left<V: Value>(value: V, highest: V, through_carry: bool, carry: &mut V::Truth) -> V {
    let last = has(value, highest);
    let first = if through_carry { *carry } else { last };
    *carry = last;
    value.add(value).or(V::from_truth(first))
}

/// Returns a byte with a bit changed.
#[inline(always)]
pub fn changed<B: Byte>(value: B, bit: u8, what: u8, carry: B::Truth) -> B {
    let (set, cleared) = (value.or(B::of(bit)), value.and(B::of(!bit)));
    match what {
        SET => set,
        CLEAR => cleared,
        FROM_CARRY => B::chosen(carry, set, cleared),
        _ => cleared,
    }
}

/// Returns the carry behind an operation with a bit.
#[inline(always)]
pub fn joined<T: Truth>(carry: T, bit: T, what: u8) -> T {
    match what {
        TAKE => bit,
        AND_BIT => carry.and(bit),
        OR_BIT => carry.or(bit),
        _ => carry.xor(bit),
    }
}

/// Whether the condition of a branch or skip holds.
#[inline(always)]
pub fn condition<T: Truth>(condition: u8, flags: &Flags<T>) -> T {
    match condition {
        IF_C => flags.carry,
        IF_NC => flags.carry.not(),
        IF_Z => flags.zero,
        IF_NZ => flags.zero.not(),
        IF_H => flags.zero.or(flags.carry).not(),
        _ => flags.zero.or(flags.carry),
    }
}

/// Returns the program status word of the flags, the bank and the bits without a name.
pub fn status<B: Byte>(flags: &Flags<B::Truth>, bank: u8, rest: u8) -> B {
    let bank = if bank & 2 == 0 { 0 } else { PSW_RBS1 } | if bank & 1 == 0 { 0 } else { PSW_RBS0 };
    let flag = |truth, bit| B::chosen(truth, B::of(bit), B::of(0));
    let named = flag(flags.zero, PSW_Z).or(flag(flags.auxiliary_carry, PSW_AC)).or(flag(flags.carry, PSW_CY));
    B::of(bank | rest).or(named)
}

/// Returns the flags of a program status word.
pub fn flags_of<B: Byte>(status: B) -> Flags<B::Truth> {
    let bit = |bit| has(status, B::of(bit));
    Flags { zero: bit(PSW_Z), carry: bit(PSW_CY), auxiliary_carry: bit(PSW_AC) }
}

/// Returns the number of the bank that a program status word selects.
pub fn bank_of(status: u8) -> u8 {
    status >> 4 & 2 | status >> 3 & 1
}

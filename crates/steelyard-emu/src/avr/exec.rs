//! What instructions do: the results and flags they compute, by the Boolean formulas in section 6 of the manual, whatever
//! stands for a value.

use crate::value::{Byte, Truth, Value};

pub const C: u8 = 0x01;
pub const Z: u8 = 0x02;
pub const N: u8 = 0x04;
pub const V: u8 = 0x08;
pub const S: u8 = 0x10;
pub const H: u8 = 0x20;
pub const T: u8 = 0x40;
pub const I: u8 = 0x80;

/// Flags that additions, subtractions and comparisons write.
pub const ARITHMETIC: u8 = H | S | V | N | Z | C;
/// Flags that shifts, word arithmetic and `COM` write.
pub const WORD: u8 = S | V | N | Z | C;
/// Flags that logic, `INC` and `DEC` write.
pub const LOGIC: u8 = S | V | N | Z;
/// Flags that multiplications write.
pub const PRODUCT: u8 = Z | C;

/// Flags Z, N and S of each result without overflow.
static SIGN: [u8; 256] = {
    let mut table = [0; 256];
    table[0] = Z;
    let mut negative = 0x80;
    while negative < 256 {
        table[negative] = N | S;
        negative += 1;
    }
    table
};

/// Flags H and C, and the effect of an overflow on S and V, by the carries into bits 4 to 8.
static CARRIES: [u8; 32] = {
    let mut table = [0; 32];
    let mut carries = 0;
    while carries < 32 {
        let half = carries & 1 != 0;
        let into_sign = carries & 8 != 0;
        let out = carries & 16 != 0;
        table[carries] = if half { H } else { 0 } | if out { C } else { 0 } | if into_sign != out { V | S } else { 0 };
        carries += 1;
    }
    table
};

/// What [`SIGN`] has for a result.
fn sign<B: Byte>(result: B) -> B {
    let zero = B::from_truth(result.equals(B::of(0)));
    let negative = result.shr(B::of(7));
    zero.shl(B::of(1)).or(negative.shl(B::of(2))).or(negative.shl(B::of(4)))
}

/// What [`CARRIES`] has for carries.
fn carried<B: Byte>(carries: B) -> B {
    let bit = |place: u8| carries.shr(B::of(place)).and(B::of(1));
    let overflow = bit(3).xor(bit(4));
    bit(0).shl(B::of(5)).or(bit(4)).or(overflow.shl(B::of(3))).or(overflow.shl(B::of(4)))
}

/// Returns the status register with new flags, which are among those of the mask.
#[inline(always)]
pub fn with_flags<B: Byte>(sreg: B, mask: u8, flags: B) -> B {
    sreg.and(B::of(!mask)).or(flags)
}

/// Whether any bit of a mask is set.
#[inline(always)]
pub fn any_set<B: Byte>(x: B, mask: u8) -> B::Truth {
    x.and(B::of(mask)).equals(B::of(0)).not()
}

/// Returns the flag C as a number.
#[inline(always)]
pub fn carry<B: Byte>(sreg: B) -> B {
    sreg.and(B::of(C))
}

/// Returns the flag C as the highest bit.
#[inline(always)]
pub fn carry_on_top<B: Byte>(sreg: B) -> B {
    sreg.shl(B::of(7))
}

/// Returns the sign flags of a result; bit 7 of `overflow` sets V and inverts S.
#[inline(always)]
fn sign_flags<B: Byte>(result: B, overflow: B) -> B {
    result.entry(&SIGN, sign).xor(overflow.sar(B::of(7)).and(B::of(V | S)))
}

/// Returns the result and the flags of a sum or difference that is wider than its operands. A carry reached each bit that
/// differs from the exclusive or of the operands.
#[inline(always)]
fn narrowed<B: Byte>(x: B, y: B, wide: B::Wide) -> (B, B) {
    let carries = x.xor(y).wide().xor(wide);
    let result = B::low_half(wide);
    let carries = B::low_half(carries.shr(B::Wide::of(4)));
    (result, result.entry(&SIGN, sign).xor(carries.entry(&CARRIES, carried)))
}

#[inline(always)]
pub fn sum<B: Byte>(x: B, y: B, carry: B) -> (B, B) {
    narrowed(x, y, x.wide().add(y.wide()).add(carry.wide()))
}

#[inline(always)]
pub fn difference<B: Byte>(x: B, y: B, borrow: B) -> (B, B) {
    narrowed(x, y, x.wide().sub(y.wide()).sub(borrow.wide()))
}

/// Subtracts with borrow like [`difference`], but can only clear Z, so that Z tells whether a chain of bytes is zero.
#[inline(always)]
pub fn chained_difference<B: Byte>(x: B, y: B, sreg: B) -> (B, B) {
    let (result, flags) = difference(x, y, carry(sreg));
    (result, flags.and(sreg.or(B::of(!Z))))
}

/// Returns a result and its flags.
#[inline(always)]
pub fn logic<B: Byte>(result: B) -> (B, B) {
    (result, sign_flags(result, B::of(0)))
}

#[inline(always)]
pub fn complement<B: Byte>(x: B) -> (B, B) {
    let (result, flags) = logic(x.not());
    (result, flags.or(B::of(C)))
}

#[inline(always)]
pub fn increment<B: Byte>(x: B) -> (B, B) {
    let result = x.add(B::of(1));
    (result, sign_flags(result, result.and(x.not())))
}

#[inline(always)]
pub fn decrement<B: Byte>(x: B) -> (B, B) {
    let result = x.sub(B::of(1));
    (result, sign_flags(result, x.and(result.not())))
}

/// Shifts right and puts the highest bit of `top` into bit 7.
#[inline(always)]
pub fn shifted_right<B: Byte>(x: B, top: B) -> (B, B) {
    let result = x.shr(B::of(1)).or(top.and(B::of(0x80)));
    let carry = carry(x);
    (result, carry.or(sign_flags(result, result.xor(carry.shl(B::of(7))))))
}

#[inline(always)]
pub fn swapped<B: Byte>(x: B) -> B {
    x.shl(B::of(4)).or(x.shr(B::of(4)))
}

#[inline(always)]
fn word_flags<B: Byte>(result: B::Wide, overflow: B::Truth, carry: B::Truth) -> B {
    let negative = negative::<B>(result);
    let flag = |truth: B::Truth, bit: u8| B::from_truth(truth).shl(B::of(bit));
    flag(carry, 0)
        .or(flag(result.equals(B::Wide::of(0)), 1))
        .or(flag(negative, 2))
        .or(flag(overflow, 3))
        .or(flag(negative.xor(overflow), 4))
}

#[inline(always)]
fn negative<B: Byte>(x: B::Wide) -> B::Truth {
    x.and(B::Wide::of(0x8000)).equals(B::Wide::of(0)).not()
}

#[inline(always)]
pub fn word_sum<B: Byte>(x: B::Wide, y: B::Wide) -> (B::Wide, B) {
    let result = x.add(y);
    let (rose, fell) = (negative::<B>(result.and(x.not())), negative::<B>(x.and(result.not())));
    (result, word_flags(result, rose, fell))
}

#[inline(always)]
pub fn word_difference<B: Byte>(x: B::Wide, y: B::Wide) -> (B::Wide, B) {
    let result = x.sub(y);
    let (rose, fell) = (negative::<B>(result.and(x.not())), negative::<B>(x.and(result.not())));
    (result, word_flags(result, fell, rose))
}

/// Returns a product and its flags.
#[inline(always)]
pub fn product<B: Byte>(x: B::Wide, y: B::Wide) -> (B::Wide, B) {
    let result = x.mul(y);
    (result, product_flags(result, result))
}

/// Returns a product shifted left by one (fractional multiplication); the bit shifted out goes to C.
#[inline(always)]
pub fn fractional<B: Byte>(x: B::Wide, y: B::Wide) -> (B::Wide, B) {
    let product = x.mul(y);
    let result = product.shl(B::Wide::of(1));
    (result, product_flags(product, result))
}

/// C is the highest bit of the product, Z says whether the result is 0.
#[inline(always)]
fn product_flags<B: Byte>(product: B::Wide, result: B::Wide) -> B {
    let zero = B::from_truth(result.equals(B::Wide::of(0)));
    B::low_half(product.shr(B::Wide::of(15))).or(zero.shl(B::of(1)))
}

/// Returns the byte with bits of a mask set or cleared.
#[inline(always)]
pub fn with_bits<B: Byte>(x: B, mask: u8, set: bool) -> B {
    if set {
        x.or(B::of(mask))
    } else {
        x.and(B::of(!mask))
    }
}

/// Returns the byte with the bit of a mask as a truth says.
#[inline(always)]
pub fn with_bit<B: Byte>(x: B, mask: u8, truth: B::Truth) -> B {
    B::chosen(truth, with_bits(x, mask, true), with_bits(x, mask, false))
}

#[cfg(test)]
mod tests {
    use super::{carried, sign, CARRIES, SIGN};
    use crate::value::Shadowed;

    type Formula = fn(Shadowed<u8>) -> Shadowed<u8>;

    /// The formulas of values with secret bits say what the tables say, and what a secret bit changes is secret.
    #[test]
    fn formulas_are_the_tables() {
        for (table, formula) in [(&SIGN[..], sign as Formula), (&CARRIES[..], carried as Formula)] {
            for (index, &entry) in table.iter().enumerate() {
                for secret in 0..=u8::MAX {
                    let found = formula(Shadowed { plain: index as u8, secret });
                    assert_eq!(found.plain, entry);
                    let open = secret & (table.len() - 1) as u8;
                    let (mut changes, mut changed) = (0, open);
                    while changed != 0 {
                        changes |= table[index ^ usize::from(changed)] ^ entry;
                        changed = (changed - 1) & open;
                    }
                    assert_eq!(found.secret, changes, "index {index:#x}, secret {secret:#x}");
                }
            }
        }
    }
}

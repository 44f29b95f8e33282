//! Results and flags of the arithmetic unit, by the Boolean formulas in section 6 of the manual.

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

/// Returns the sign flags of a result; bit 7 of `overflow` sets V and inverts S.
#[inline(always)]
fn sign_flags(result: u8, overflow: u8) -> u8 {
    SIGN[usize::from(result)] ^ ((overflow as i8) >> 7) as u8 & (V | S)
}

/// Returns the flags of a sum or difference that is wider than its operands. A carry reached each bit that differs from
/// the exclusive or of the operands.
#[inline(always)]
fn wide_flags(a: u8, b: u8, wide: u32) -> u8 {
    let carries = u32::from(a) ^ u32::from(b) ^ wide;
    SIGN[(wide & 0xff) as usize] ^ CARRIES[(carries >> 4 & 31) as usize]
}

#[inline(always)]
pub fn add(a: u8, b: u8, carry: u8) -> (u8, u8) {
    let wide = u32::from(a) + u32::from(b) + u32::from(carry);
    (wide as u8, wide_flags(a, b, wide))
}

#[inline(always)]
pub fn subtract(a: u8, b: u8, borrow: u8) -> (u8, u8) {
    let wide = u32::from(a).wrapping_sub(u32::from(b)).wrapping_sub(u32::from(borrow));
    (wide as u8, wide_flags(a, b, wide))
}

/// Subtracts like [`subtract`], but can only clear Z, so that Z tells whether a chain of bytes is zero.
#[inline(always)]
pub fn subtract_chained(a: u8, b: u8, sreg: u8) -> (u8, u8) {
    let (result, flags) = subtract(a, b, sreg & C);
    (result, flags & (sreg | !Z))
}

#[inline(always)]
pub fn logic(result: u8) -> u8 {
    sign_flags(result, 0)
}

#[inline(always)]
pub fn complement(a: u8) -> (u8, u8) {
    (!a, sign_flags(!a, 0) | C)
}

#[inline(always)]
pub fn increment(a: u8) -> (u8, u8) {
    let result = a.wrapping_add(1);
    (result, sign_flags(result, result & !a))
}

#[inline(always)]
pub fn decrement(a: u8) -> (u8, u8) {
    let result = a.wrapping_sub(1);
    (result, sign_flags(result, a & !result))
}

/// Shifts right and puts `top` (0 or 0x80) into bit 7.
#[inline(always)]
pub fn shift_right(a: u8, top: u8) -> (u8, u8) {
    let result = a >> 1 | top;
    let carry = a & 1;
    (result, carry | sign_flags(result, result ^ carry << 7))
}

#[inline(always)]
fn word_flags(result: u16, overflow: bool, carry: bool) -> u8 {
    let negative = result & 0x8000 != 0;
    u8::from(carry)
        | u8::from(result == 0) << 1
        | u8::from(negative) << 2
        | u8::from(overflow) << 3
        | u8::from(negative != overflow) << 4
}

#[inline(always)]
pub fn add_word(a: u16, k: u16) -> (u16, u8) {
    let result = a.wrapping_add(k);
    (result, word_flags(result, !a & result & 0x8000 != 0, a & !result & 0x8000 != 0))
}

#[inline(always)]
pub fn subtract_word(a: u16, k: u16) -> (u16, u8) {
    let result = a.wrapping_sub(k);
    (result, word_flags(result, a & !result & 0x8000 != 0, !a & result & 0x8000 != 0))
}

#[inline(always)]
pub fn product(result: u16) -> (u16, u8) {
    (result, (result >> 15) as u8 | u8::from(result == 0) << 1)
}

/// Shifts a product left by one (fractional multiplication); the bit shifted out goes to C.
#[inline(always)]
pub fn fractional(result: u16) -> (u16, u8) {
    let shifted = result << 1;
    (shifted, (result >> 15) as u8 | u8::from(shifted == 0) << 1)
}

//! What instructions do: the values they compute, whatever stands for a value.
//!
//! Flags N, Z, C and V lie in the lowest four bits of a value, from bit 3 to bit 0; a carry is 0 or 1.

use super::decode::{alu, ASR, BEFORE, LSL, LSR, RRX, SIGNED, SIGNED_HALF, TOP_M, TOP_S, UP};
use super::timing::Multiply;
use crate::value::{Truth, Value, Word};

/// Condition flags at their positions in the upper four bits of CPSR.
pub const N: u32 = 8;
pub const Z: u32 = 4;
pub const C: u32 = 2;
pub const V: u32 = 1;

/// Bit `nzcv` of entry `condition` is set if the condition holds under these flags.
pub const CONDITIONS: [u16; 16] = conditions();

const fn conditions() -> [u16; 16] {
    let mut table = [0; 16];
    let mut flags = 0;
    while flags < 16 {
        let (n, z, c, v) = (flags & N != 0, flags & Z != 0, flags & C != 0, flags & V != 0);
        let holds = [z, c, n, v, c && !z, n == v, !z && n == v, true];
        let mut pair = 0;
        while pair < 8 {
            if holds[pair] {
                table[2 * pair] |= 1 << flags;
            } else {
                table[2 * pair + 1] |= 1 << flags;
            }
            pair += 1;
        }
        flags += 1;
    }
    // The opposite of "always" belongs to instructions without a condition.
    table[15] = u16::MAX;
    table
}

/// Whether a condition holds under these flags.
#[inline(always)]
pub fn condition<W: Word>(condition: u8, nzcv: W) -> W::Truth {
    let holds = W::of(u32::from(CONDITIONS[usize::from(condition & 15)])).shr(nzcv);
    holds.and(W::of(1)).equals(W::of(1))
}

/// Returns the flags on which a condition depends.
pub const fn asked(condition: u8) -> u32 {
    match condition >> 1 & 7 {
        0 => Z,
        1 => C,
        2 => N,
        3 => V,
        4 => C | Z,
        5 => N | V,
        6 => N | Z | V,
        _ => 0,
    }
}

/// Returns the carry of these flags.
#[inline(always)]
pub fn carry<W: Word>(nzcv: W) -> W {
    nzcv.shr(W::of(1)).and(W::of(1))
}

/// Returns the flags with another carry.
#[inline(always)]
pub fn with_carry<W: Word>(nzcv: W, carry: W) -> W {
    nzcv.and(W::of(!C)).or(carry.shl(W::of(1)))
}

#[inline(always)]
pub fn sign_and_zero<W: Word>(value: W) -> W {
    let zero = W::from_truth(value.equals(W::of(0)));
    value.shr(W::of(31)).shl(W::of(3)).or(zero.shl(W::of(2)))
}

/// Returns the flags behind a result that leaves the carry and the overflow.
#[inline(always)]
pub fn kept_carry<W: Word>(nzcv: W, result: W) -> W {
    nzcv.and(W::of(C | V)).or(sign_and_zero(result))
}

/// Masks for shifts by an immediate, one row per shift kind: the register bits that form the lower half of a double
/// word, those that form its upper half, and those that its sign fills. Shifting the double word right gives the
/// result.
const HALVES: [(u32, u32, u32); 4] = [(0, !0, 0), (!0, 0, 0), (!0, 0, !0), (!0, !0, 0)];

/// Returns a value shifted by an immediate, which for [`LSL`] is the distance from 32.
#[inline(always)]
pub fn shifted<W: Word>(value: W, kind: u32, amount: u8) -> W {
    let (lower, upper, sign) = HALVES[(kind & 3) as usize];
    let upper = value.and(W::of(upper)).or(value.sar(W::of(31)).and(W::of(sign)));
    let double = W::joined(upper, value.and(W::of(lower)));
    W::low_half(double.shr(W::Wide::of(u64::from(amount & 63))))
}

/// Returns value and carry of a shift by any amount up to 255; `kind` may be the rotation through the carry.
#[inline(always)]
pub fn shift_with_carry<W: Word>(value: W, kind: u32, amount: W, carry: W) -> (W, W) {
    if kind == RRX {
        return (value.shr(W::of(1)).or(carry.shl(W::of(31))), value.and(W::of(1)));
    }
    let unmoved = amount.equals(W::of(0));
    // Beyond 33 places nothing changes any more; one place more holds the carry.
    let most = W::of(if kind == ASR { 32 } else { 33 });
    let places = W::chosen(amount.below(most), amount, most).wide();
    let one = W::Wide::of(1);
    let (result, last) = match kind {
        LSL => {
            let moved = value.wide().shl(places);
            (W::low_half(moved), W::high_half(moved))
        }
        LSR => {
            let moved = value.wide().shl(one).shr(places);
            (W::low_half(moved.shr(one)), W::low_half(moved))
        }
        ASR => {
            let moved = value.wide_signed().shl(one).sar(places);
            (W::low_half(moved.shr(one)), W::low_half(moved))
        }
        _ => {
            let result = W::low_half(W::joined(value, value).shr(amount.and(W::of(31)).wide()));
            (result, result.shr(W::of(31)))
        }
    };
    (result, W::chosen(unmoved, carry, last.and(W::of(1))))
}

/// Returns the result of a data processing operation that leaves the flags.
#[inline(always)]
pub fn processed<W: Word>(operation: u8, x: W, y: W, carry: W) -> W {
    match operation {
        alu::AND | alu::TST => x.and(y),
        alu::EOR | alu::TEQ => x.xor(y),
        alu::SUB | alu::CMP => x.sub(y),
        alu::RSB => y.sub(x),
        alu::ADD | alu::CMN => x.add(y),
        alu::ADC => x.add(y).add(carry),
        alu::SBC => x.add(y.not()).add(carry),
        alu::RSC => y.add(x.not()).add(carry),
        alu::ORR => x.or(y),
        alu::MOV => y,
        alu::BIC => x.and(y.not()),
        _ => y.not(),
    }
}

/// Returns the sum with carry and its flags.
#[inline(always)]
pub fn add<W: Word>(x: W, y: W, carry: W) -> (W, W) {
    let wide = x.wide().add(y.wide()).add(carry.wide());
    let sum = W::low_half(wide);
    let overflow = x.xor(sum).and(y.xor(sum)).shr(W::of(31));
    (sum, sign_and_zero(sum).or(W::high_half(wide).shl(W::of(1))).or(overflow))
}

/// Returns the result of an operation that adds or subtracts, and its flags.
#[inline(always)]
pub fn summed<W: Word>(operation: u8, x: W, y: W, carry: W) -> (W, W) {
    match operation {
        alu::SUB | alu::CMP => add(x, y.not(), W::of(1)),
        alu::RSB => add(y, x.not(), W::of(1)),
        alu::ADD | alu::CMN => add(x, y, W::of(0)),
        alu::ADC => add(x, y, carry),
        alu::SBC => add(x, y.not(), carry),
        _ => add(y, x.not(), carry),
    }
}

/// Returns result and flags of any data processing operation; `carry` is the shifter's carry.
pub fn processed_with_flags<W: Word>(operation: u8, x: W, y: W, nzcv: W, shifted_out: W) -> (W, W) {
    let carry = carry(nzcv);
    if !alu::logical(operation) {
        return summed(operation, x, y, carry);
    }
    let result = processed(operation, x, y, carry);
    (result, with_carry(kept_carry(nzcv, result), shifted_out))
}

/// Returns the signed number of twice the bits, or the nearest that fits, and 1 if it did not fit.
fn saturate<W: Word>(value: W::Wide) -> (W, W) {
    let low = W::low_half(value);
    let fits = low.wide_signed().equals(value);
    let nearest = W::chosen(value.less(W::Wide::of(0)), W::of(1 << 31), W::of(!(1 << 31)));
    (W::chosen(fits, low, nearest), W::from_truth(fits.not()))
}

/// Returns the result of `qadd`, `qsub`, `qdadd` or `qdsub` (`kind` 0 to 3), which is Rm plus or minus Rn or twice Rn,
/// and 1 if it saturated.
pub fn saturating<W: Word>(kind: u8, rm: W, rn: W) -> (W, W) {
    let (second, doubled) = if kind & 2 != 0 { saturate(rn.wide_signed().shl(W::Wide::of(1))) } else { (rn, W::of(0)) };
    let (first, second) = (rm.wide_signed(), second.wide_signed());
    let (value, saturated) = saturate::<W>(if kind & 1 != 0 { first.sub(second) } else { first.add(second) });
    (value, saturated.or(doubled))
}

/// Returns any product of 64 bits, and 1 if an accumulation overflowed. The upper half is undefined if the result is
/// one word.
#[inline(always)]
pub fn product<W: Word>(kind: Multiply, detail: u8, rm: W, rs: W, accumulator: W::Wide) -> (W::Wide, W) {
    let half = |value: W, top: bool| {
        let half = if top { value.sar(W::of(16)) } else { value.sign_extended(16) };
        half.wide_signed()
    };
    let (x, y) = (half(rm, detail & TOP_M != 0), half(rs, detail & TOP_S != 0));
    let word_by_half = || rm.wide_signed().mul(y).sar(W::Wide::of(16));
    let signed = || rm.wide_signed().mul(rs.wide_signed());
    let with_flag = |product: W::Wide| {
        let sum = product.add(W::low_half(accumulator).wide_signed());
        let fits = W::low_half(sum).wide_signed().equals(sum);
        (sum, W::from_truth(fits.not()))
    };
    let value = match kind {
        Multiply::Mul => rm.mul(rs).wide(),
        Multiply::Mla => rm.mul(rs).add(W::low_half(accumulator)).wide(),
        Multiply::Umull => rm.wide().mul(rs.wide()),
        Multiply::Umlal => rm.wide().mul(rs.wide()).add(accumulator),
        Multiply::Smull => signed(),
        Multiply::Smlal => signed().add(accumulator),
        Multiply::Smulxy => x.mul(y),
        Multiply::Smlaxy => return with_flag(x.mul(y)),
        Multiply::Smulwy => word_by_half(),
        Multiply::Smlawy => return with_flag(word_by_half()),
        Multiply::Smlalxy => accumulator.add(x.mul(y)),
    };
    (value, W::of(0))
}

/// Returns the flags behind a product of 64 bits.
pub fn long_flags<W: Word>(nzcv: W, product: W::Wide) -> W {
    let zero = W::from_truth(product.equals(W::Wide::of(0)));
    let sign = W::high_half(product).shr(W::of(31));
    nzcv.and(W::of(C | V)).or(sign.shl(W::of(3))).or(zero.shl(W::of(2)))
}

/// Returns what any load of one register puts into it; `detail` says what it loads.
pub fn extended<W: Word>(detail: u8, loaded: W) -> W {
    match (detail & SIGNED == SIGNED, detail & SIGNED_HALF) {
        (false, _) => loaded,
        (true, 0) => loaded.sign_extended(8),
        (true, _) => loaded.sign_extended(16),
    }
}

/// Returns the base register moved by an offset, up or down.
#[inline(always)]
pub fn moved<W: Word>(detail: u8, base: W, offset: W) -> W {
    if detail & UP != 0 {
        base.add(offset)
    } else {
        base.sub(offset)
    }
}

/// Returns the lowest address of a transfer of several registers, and the base register's value after it.
pub fn span<W: Word>(base: W, count: u32, detail: u8) -> (W, W) {
    let (bytes, four) = (W::of(4 * count), W::of(4));
    match (detail & UP != 0, detail & BEFORE != 0) {
        (true, false) => (base, base.add(bytes)),
        (true, true) => (base.add(four), base.add(bytes)),
        (false, false) => (base.sub(bytes).add(four), base.sub(bytes)),
        (false, true) => (base.sub(bytes), base.sub(bytes)),
    }
}

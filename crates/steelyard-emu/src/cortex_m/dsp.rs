//! Arithmetic of the DSP extension: parallel sums, and products of halfwords.

use super::decode::{dsp, parallel, TOP, TOP_SECOND};

/// Returns a parallel sum or difference and the four greater-or-equal flags after it; `ge` are those before it.
pub fn parallel(detail: u8, a: u32, b: u32, ge: u32) -> (u32, u32) {
    let kind = detail >> parallel::KIND_SHIFT;
    let (unsigned, way) = (kind & parallel::OF_UNSIGNED != 0, kind & 3);
    let operation = detail & 7;
    let bytes = matches!(operation, parallel::ADD8 | parallel::SUB8);
    let width = if bytes { 8 } else { 16 };
    let lanes = 32 / width;
    let lane = |value: u32, number: u32| {
        let raw = value >> (width * number) & ((1 << width) - 1);
        if unsigned {
            raw as i32
        } else {
            ((raw << (32 - width)) as i32) >> (32 - width)
        }
    };
    let (mut value, mut flags) = (0, 0);
    for number in 0..lanes {
        let (other, subtracts) = match operation {
            parallel::ADD8 | parallel::ADD16 => (number, false),
            parallel::SUB8 | parallel::SUB16 => (number, true),
            // The exchanged halves: the upper one is a sum for ASX, the lower one for SAX.
            parallel::ASX => (1 - number, number == 0),
            _ => (1 - number, number == 1),
        };
        let (x, y) = (lane(a, number), lane(b, other));
        let result = if subtracts { x - y } else { x + y };
        let (low, high) = if unsigned { (0, (1 << width) - 1) } else { (-(1 << (width - 1)), (1 << (width - 1)) - 1) };
        let kept = match way {
            parallel::SATURATING => result.clamp(low, high),
            parallel::HALVING => result >> 1,
            _ => result,
        };
        value |= (kept as u32 & ((1 << width) - 1)) << (width * number);
        let at_least = if unsigned && !subtracts { result > high } else { result >= 0 };
        let bits = if bytes { 1 } else { 3 };
        flags |= if at_least { bits << (number * width / 8) } else { 0 };
    }
    (value, if way == 0 { flags } else { ge })
}

/// Returns bytes of `a` where the flag is set and bytes of `b` elsewhere.
pub fn select(a: u32, b: u32, ge: u32) -> u32 {
    let mask = (0..4).filter(|byte| ge >> byte & 1 == 1).fold(0, |mask, byte| mask | 0xff_u32 << (8 * byte));
    a & mask | b & !mask
}

fn half(value: u32, top: bool) -> i64 {
    i64::from(if top { (value >> 16) as i16 } else { value as i16 })
}

/// Returns a product, or a sum or difference of two products, plus the accumulator, and whether it overflowed. Only the
/// lower half counts if the result is one word.
pub fn multiplied(detail: u8, rn: u32, rm: u32, accumulator: u64) -> (u64, bool) {
    let kind = detail & 0x0f;
    let exchanged = if detail & TOP_SECOND != 0 { rm.rotate_right(16) } else { rm };
    let (low, high) = (half(rn, false) * half(exchanged, false), half(rn, true) * half(exchanged, true));
    let word = i64::from(accumulator as i32);
    let with_flag = |sum: i64| (u64::from(sum as u32), i64::from(sum as i32) != sum);
    let product = i64::from(rn as i32) * i64::from(rm as i32);
    let rounding = if detail & TOP_SECOND != 0 { 0x8000_0000 } else { 0 };
    match kind {
        dsp::HALVES => with_flag(half(rn, detail & TOP != 0) * half(rm, detail & TOP_SECOND != 0) + word),
        dsp::WORD_HALF => with_flag(((i64::from(rn as i32) * half(rm, detail & TOP_SECOND != 0)) >> 16) + word),
        dsp::DUAL_ADD => with_flag(low + high + word),
        dsp::DUAL_SUBTRACT => with_flag(low - high + word),
        dsp::TOP_WORD => ((((word << 32).wrapping_add(product).wrapping_add(rounding)) >> 32) as u64, false),
        dsp::TOP_WORD_SUBTRACT => ((((word << 32).wrapping_sub(product).wrapping_add(rounding)) >> 32) as u64, false),
        dsp::ABSOLUTE_DIFFERENCES => {
            let sum: u32 =
                (0..4).map(|byte| u32::from(((rn >> (8 * byte)) as u8).abs_diff((rm >> (8 * byte)) as u8))).sum();
            (u64::from((accumulator as u32).wrapping_add(sum)), false)
        }
        dsp::LONG_HALVES => {
            let product = half(rn, detail & TOP != 0) * half(rm, detail & TOP_SECOND != 0);
            (accumulator.wrapping_add(product as u64), false)
        }
        dsp::LONG_DUAL_ADD => (accumulator.wrapping_add((low + high) as u64), false),
        _ => (accumulator.wrapping_add((low - high) as u64), false),
    }
}

/// Returns a signed value clamped to `bits` bits, and whether it was clamped.
pub fn saturated(value: i64, bits: u32, unsigned: bool) -> (u32, bool) {
    let (low, high) =
        if unsigned { (0, (1_i64 << bits) - 1) } else { (-(1_i64 << (bits - 1)), (1_i64 << (bits - 1)) - 1) };
    let kept = value.clamp(low, high);
    (kept as u32, kept != value)
}

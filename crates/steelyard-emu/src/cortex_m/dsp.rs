//! Arithmetic of the DSP extension: parallel sums, packed halves, and products of halfwords.

use super::decode::{dsp, parallel, TOP, TOP_SECOND, UNSIGNED};
use super::exec::rotated;
use crate::value::{Truth, Value, Word};

/// Returns a parallel sum or difference and the four greater-or-equal flags after it; `flags` are those before it.
pub fn parallel<W: Word>(detail: u8, x: W, y: W, flags: W) -> (W, W) {
    let kind = detail >> parallel::KIND_SHIFT;
    let (unsigned, way) = (kind & parallel::OF_UNSIGNED != 0, kind & 3);
    let operation = detail & 7;
    let bytes = matches!(operation, parallel::ADD8 | parallel::SUB8);
    let width = if bytes { 8 } else { 16 };
    let mask = W::of((1 << width) - 1);
    let lane = |value: W, number: u32| {
        let lane = value.shr(W::of(width * number)).and(mask);
        if unsigned {
            lane
        } else {
            lane.sign_extended(width)
        }
    };
    let (low, high) = if unsigned { (0, (1 << width) - 1) } else { (-(1 << (width - 1)), (1 << (width - 1)) - 1) };
    let (low, high): (W, W) = (W::of(low as u32), W::of(high as u32));
    let (mut value, mut new_flags) = (W::of(0), W::of(0));
    for number in 0..32 / width {
        let (other, subtracts) = match operation {
            parallel::ADD8 | parallel::ADD16 => (number, false),
            parallel::SUB8 | parallel::SUB16 => (number, true),
            // The exchanged halves: the upper one is a sum for ASX, the lower one for SAX.
            parallel::ASX => (1 - number, number == 0),
            _ => (1 - number, number == 1),
        };
        let (first, second) = (lane(x, number), lane(y, other));
        let result = if subtracts { first.sub(second) } else { first.add(second) };
        let over = high.less(result);
        let kept = match way {
            parallel::SATURATING => W::chosen(result.less(low), low, W::chosen(over, high, result)),
            parallel::HALVING => result.sar(W::of(1)),
            _ => result,
        };
        value = value.or(kept.and(mask).shl(W::of(width * number)));
        let at_least = if unsigned && !subtracts { over } else { result.less(W::of(0)).not() };
        let bits = if bytes { 1 } else { 3 } << (number * width / 8);
        new_flags = new_flags.or(W::chosen(at_least, W::of(bits), W::of(0)));
    }
    (value, if way == 0 { new_flags } else { flags })
}

/// Returns bytes of `x` where the flag is set and bytes of `y` elsewhere.
pub fn select<W: Word>(x: W, y: W, flags: W) -> W {
    let mask = (0..4).fold(W::of(0), |mask, byte| {
        let flag = flags.shr(W::of(byte)).and(W::of(1));
        mask.or(W::of(0).sub(flag).and(W::of(0xff << (8 * byte))))
    });
    x.and(mask).or(y.and(mask.not()))
}

/// Returns halves that are the sums of a word's halves and two extended bytes of another word, which is rotated before.
pub fn extended_bytes<W: Word>(detail: u8, sum: W, bytes: W, rotation: u32) -> W {
    let turned = rotated(bytes, rotation);
    let extended = |byte: W| if detail & UNSIGNED != 0 { byte.and(W::of(0xff)) } else { byte.sign_extended(8) };
    let low = sum.add(extended(turned)).and(W::of(0xffff));
    let high = sum.shr(W::of(16)).add(extended(turned.shr(W::of(16))));
    high.shl(W::of(16)).or(low)
}

/// Returns a half of `value`, which is shifted before, and the other half of `other`.
pub fn packed<W: Word>(detail: u8, value: W, other: W, amount: u8) -> W {
    let (low, high) = (W::of(0xffff), W::of(0xffff_0000));
    if detail & TOP != 0 {
        // The amount may be 32.
        let shifted = W::low_half(value.wide_signed().sar(W::Wide::of(u64::from(amount & 63))));
        other.and(high).or(shifted.and(low))
    } else {
        value.shl(W::of(u32::from(amount & 31))).and(high).or(other.and(low))
    }
}

/// Returns the sum of the four differences of bytes, without their signs.
fn differences<W: Word>(x: W, y: W) -> W {
    (0..4).fold(W::of(0), |sum, byte| {
        let of = |value: W| value.shr(W::of(8 * byte)).and(W::of(0xff));
        let (first, second) = (of(x), of(y));
        sum.add(W::chosen(first.below(second), second.sub(first), first.sub(second)))
    })
}

/// Returns a product, or a sum or difference of two products, plus the accumulator, and 1 if it overflowed. Only the
/// lower half counts if the result is one word.
pub fn multiplied<W: Word>(detail: u8, rn: W, rm: W, accumulator: W::Wide) -> (W::Wide, W) {
    let half = |value: W, top: bool| {
        let half = if top { value.sar(W::of(16)) } else { value.sign_extended(16) };
        half.wide_signed()
    };
    let (top, top_second) = (detail & TOP != 0, detail & TOP_SECOND != 0);
    let exchanged = if top_second { rotated(rm, 16) } else { rm };
    let low = || half(rn, false).mul(half(exchanged, false));
    let high = || half(rn, true).mul(half(exchanged, true));
    let halves = || half(rn, top).mul(half(rm, top_second));
    let word = W::low_half(accumulator).wide_signed();
    let with_flag = |product: W::Wide| {
        let sum = product.add(word);
        let fits = W::low_half(sum).wide_signed().equals(sum);
        (sum, W::from_truth(fits.not()))
    };
    let wide = |value: u64| W::Wide::of(value);
    let product = || rn.wide_signed().mul(rm.wide_signed());
    let rounding = wide(if top_second { 0x8000_0000 } else { 0 });
    let value = match detail & 0x0f {
        dsp::HALVES => return with_flag(halves()),
        dsp::WORD_HALF => return with_flag(rn.wide_signed().mul(half(rm, top_second)).sar(wide(16))),
        dsp::DUAL_ADD => return with_flag(low().add(high())),
        dsp::DUAL_SUBTRACT => return with_flag(low().sub(high())),
        dsp::TOP_WORD => W::high_half(word.shl(wide(32)).add(product()).add(rounding)).wide(),
        dsp::TOP_WORD_SUBTRACT => W::high_half(word.shl(wide(32)).sub(product()).add(rounding)).wide(),
        dsp::ABSOLUTE_DIFFERENCES => W::low_half(accumulator).add(differences(rn, rm)).wide(),
        dsp::LONG_HALVES => accumulator.add(halves()),
        dsp::LONG_DUAL_ADD => accumulator.add(low().add(high())),
        _ => accumulator.add(low().sub(high())),
    };
    (value, W::of(0))
}

//! What instructions of the floating-point unit compute: numbers of single precision, FPSCR and its flags.
//!
//! The manual is ARM DDI 0403, A2.5 and its pseudocode (DDI 0553 for what ARMv8-M adds). An operation is done in the wide
//! format, exactly or rounded to odd, which rounds again to single precision as the exact result does. So what is lost,
//! and whether the exact result is tiny, is seen before it is rounded, as on ARM.

use super::decode::{float as kinds, Op, Packed, NONE};
use super::exec;
use super::pipeline::FloatHistory;
use super::timing::{FloatCosts, FloatOperation};
use crate::value::HeldWord;
use rustc_apfloat::ieee::{Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};

/// FPSCR: cumulative flags.
pub const INVALID: u32 = 1;
pub const DIVIDED_BY_ZERO: u32 = 1 << 1;
pub const OVERFLOW: u32 = 1 << 2;
pub const UNDERFLOW: u32 = 1 << 3;
pub const INEXACT: u32 = 1 << 4;
pub const INPUT_DENORMAL: u32 = 1 << 7;
const CUMULATIVE: u32 = INVALID | DIVIDED_BY_ZERO | OVERFLOW | UNDERFLOW | INEXACT | INPUT_DENORMAL;
/// FPSCR: modes.
pub const ALTERNATIVE_HALF: u32 = 1 << 26;
pub const DEFAULT_NAN: u32 = 1 << 25;
pub const FLUSH_TO_ZERO: u32 = 1 << 24;
pub const ROUNDING_SHIFT: u32 = 22;
const MODES: u32 = ALTERNATIVE_HALF | DEFAULT_NAN | FLUSH_TO_ZERO | 3 << ROUNDING_SHIFT;
/// FPSCR: the bits that are there.
const WRITABLE: u32 = NZCV | MODES | CUMULATIVE;

/// FPSCR: the flags of a comparison.
const NZCV_SHIFT: u32 = 28;
const NZCV: u32 = 0xf << NZCV_SHIFT;

const SIGN: u32 = 1 << 31;
const NAN: u32 = 0x7fc0_0000;
const INFINITY: u32 = 0x7f80_0000;
/// The bit of a NaN that says it is quiet.
const QUIET: u32 = 1 << 22;
/// Below these magnitudes a result is tiny.
const LEAST_NORMAL_EXPONENT: i32 = -126;
const LEAST_NORMAL_HALF_EXPONENT: i32 = -14;

const LARGEST_EXPONENT: i32 = 127;
const LARGEST_HALF_EXPONENT: i32 = 15;

/// Flags N, Z, C and V of a comparison.
mod compared {
    pub const LESS: u32 = 0b1000;
    pub const EQUAL: u32 = 0b0110;
    pub const GREATER: u32 = 0b0010;
    pub const UNORDERED: u32 = 0b0011;
}

/// The registers of the unit.
#[derive(Debug, Clone, Copy)]
pub struct Unit<W> {
    /// s0 to s31.
    pub singles: [W; 32],
    /// FPSCR.
    pub status: W,
    /// What it is still busy with.
    pub history: FloatHistory,
}

/// Whether an instruction would compute in double precision.
pub fn is_double(word: u32) -> bool {
    // Data processing of coprocessor 11, where bit 28 tells what FPv5 adds, and the conversion from single precision.
    word & 0xef00_0f10 == 0xee00_0b00 || word & 0xffbf_0fd0 == 0xeeb7_0ac0
}

/// Registers of the unit that an instruction uses, one bit each.
pub struct Uses {
    pub sources: u32,
    /// What a product is added to.
    pub addend: u32,
}

/// Returns the registers of the unit that an instruction of it uses.
pub fn uses(op: Packed) -> Uses {
    let one = |number: u32| 1_u32 << (number & 31);
    let (rd, rn, rm) = (one(op.rd().into()), one(op.rn().into()), one(op.rm().into()));
    let of = |sources: u32| Uses { sources, addend: 0 };
    match (op.code, op.detail() & kinds::KIND) {
        (Op::Float, kinds::MULTIPLY_ADD..=kinds::FUSED_NEGATED_SUBTRACT) => Uses { sources: rn | rm, addend: rd },
        (Op::Float, kinds::MULTIPLY..=kinds::SELECT) => of(rn | rm),
        (Op::Float, kinds::COMPARE) if op.detail() & kinds::WITH_ZERO != 0 => of(rd),
        (Op::Float, kinds::COMPARE | kinds::NARROW) => of(rd | rm),
        (Op::Float, kinds::CONSTANT) => of(0),
        (Op::Float, _) => of(rm),
        (Op::FloatTo, _) => of(one(op.imm) | if op.extra() < NONE { one(op.imm + 1) } else { 0 }),
        (Op::FloatStore | Op::FloatStoreMultiple, _) => {
            of((0..u32::from(op.extra())).fold(0, |mask, number| mask | one(u32::from(op.rd()) + number)))
        }
        _ => of(0),
    }
}

/// Returns the time of data processing of the unit.
pub fn operation(costs: &FloatCosts, detail: u8) -> FloatOperation {
    match detail & kinds::KIND {
        kinds::MULTIPLY_ADD..=kinds::FUSED_NEGATED_SUBTRACT => costs.accumulate,
        kinds::DIVIDE | kinds::ROOT => costs.divide,
        kinds::SELECT | kinds::COPY | kinds::CONSTANT | kinds::ABSOLUTE | kinds::NEGATE | kinds::COMPARE => {
            FloatOperation { cycles: costs.simple, busy: 0, result: 0 }
        }
        _ => costs.arithmetic,
    }
}

impl<W: HeldWord> Unit<W> {
    /// Returns the registers at reset.
    pub fn at_reset() -> Self {
        Unit { singles: [W::of(0); 32], status: W::of(0), history: FloatHistory::IDLE }
    }

    /// Returns the register of a number.
    pub fn single(&mut self, number: u8) -> &mut W {
        &mut self.singles[usize::from(number & 31)]
    }

    /// Returns FPSCR with a value written.
    pub fn written(value: W) -> W {
        value.and(W::of(WRITABLE))
    }

    /// Executes data processing; `nzcv` are the flags of the core, which a selection reads.
    pub fn process(&mut self, op: Packed, nzcv: W) {
        let single = |number: u8| self.singles[usize::from(number & 31)];
        let (old, first, second) = (single(op.rd()), single(op.rn()), single(op.rm()));
        let detail = op.detail();
        self.singles[usize::from(op.rd() & 31)] = match detail & kinds::KIND {
            kinds::COPY => second,
            kinds::CONSTANT => W::of(op.imm),
            kinds::ABSOLUTE => second.and(W::of(!SIGN)),
            kinds::NEGATE => second.xor(W::of(SIGN)),
            kinds::SELECT => W::chosen(exec::condition(selecting(detail), nzcv), first, second),
            kinds::COMPARE => {
                self.compare(old, if detail & kinds::WITH_ZERO != 0 { W::of(0) } else { second }, detail);
                old
            }
            _ => self.compute(op, [old, first, second]),
        };
    }

    /// Compares two numbers and puts the outcome into FPSCR.
    fn compare(&mut self, first: W, second: W, detail: u8) {
        let mut arithmetic = Arithmetic { modes: self.modes().plain(), flags: 0 };
        let exceptional = detail & kinds::EXCEPTIONAL != 0;
        let nzcv = arithmetic.compare(first.plain(), second.plain(), exceptional);
        let sources = [self.modes(), first, second];
        let kept = self.status.and(W::of(!NZCV));
        self.status = kept.or(W::computed(nzcv, &sources).shl(W::of(NZCV_SHIFT)));
        self.raise(arithmetic.flags, &sources);
    }

    /// Returns the result of arithmetic on the destination's old number and two sources.
    fn compute(&mut self, op: Packed, [old, first, second]: [W; 3]) -> W {
        let unread = W::of(0);
        let sources = match op.detail() & kinds::KIND {
            kinds::MULTIPLY_ADD..=kinds::FUSED_NEGATED_SUBTRACT => [self.modes(), old, first, second],
            kinds::MULTIPLY..=kinds::DIVIDE | kinds::MAXIMUM | kinds::MINIMUM => [self.modes(), unread, first, second],
            kinds::NARROW => [self.modes(), old, unread, second],
            _ => [self.modes(), unread, unread, second],
        };
        let mut arithmetic = Arithmetic { modes: self.modes().plain(), flags: 0 };
        let plain = arithmetic.result(op, old.plain(), first.plain(), second.plain());
        self.raise(arithmetic.flags, &sources);
        W::computed(plain, &sources)
    }

    fn modes(&self) -> W {
        self.status.and(W::of(MODES))
    }

    /// Sets cumulative flags that depend on these sources.
    fn raise(&mut self, flags: u32, sources: &[W]) {
        self.status = self.status.or(W::computed(flags, sources).and(W::of(CUMULATIVE)));
    }
}

/// Returns the condition of a selection, as a branch has it.
fn selecting(detail: u8) -> u8 {
    // EQ, VS, GE, GT.
    [0, 6, 10, 12][usize::from(detail >> kinds::VARIANT_SHIFT & 3)]
}

fn is_nan(bits: u32) -> bool {
    bits & !SIGN > INFINITY
}

fn is_signaling(bits: u32) -> bool {
    is_nan(bits) && bits & QUIET == 0
}

fn is_infinite(bits: u32) -> bool {
    bits & !SIGN == INFINITY
}

fn is_zero(bits: u32) -> bool {
    bits & !SIGN == 0
}

/// Returns the root of an integer without its fraction.
fn integer_root(square: u64) -> u64 {
    // The host's root may be too large by one, where the square has more bits than the host's number.
    let near = (square as f64).sqrt() as u128;
    (near - u128::from(near * near > u128::from(square))) as u64
}

/// Returns a number in the wide format.
fn wide(bits: u32) -> Quad {
    Single::from_bits(u128::from(bits)).convert(&mut false).value
}

/// Returns a wide number rounded to odd, given the one rounded toward 0.
fn odd(truncated: StatusAnd<Quad>) -> Quad {
    let lost = truncated.status.contains(Status::INEXACT);
    Quad::from_bits(truncated.value.to_bits() | u128::from(lost))
}

/// Whether a number overflows that was rounded with this status to a format with this largest exponent. The library calls
/// it no overflow where the largest number stands for what is larger.
fn overflows(number: Quad, status: Status, largest_exponent: i32) -> bool {
    status.contains(Status::OVERFLOW) || number.is_finite_non_zero() && number.ilogb() > largest_exponent
}

/// Arithmetic by the modes of FPSCR, which collects the cumulative flags.
struct Arithmetic {
    modes: u32,
    flags: u32,
}

impl Arithmetic {
    /// Returns the result of arithmetic of any kind.
    fn result(&mut self, op: Packed, old: u32, first: u32, second: u32) -> u32 {
        let (detail, width, fraction) = (op.detail(), u32::from(op.extra()), op.imm);
        let negated = |bits: u32| bits ^ SIGN;
        match detail & kinds::KIND {
            kinds::MULTIPLY_ADD => self.chained(old, first, second, 0),
            kinds::MULTIPLY_SUBTRACT => self.chained(old, first, second, SIGN),
            kinds::MULTIPLY_NEGATED_ADD => self.chained(negated(old), first, second, SIGN),
            kinds::MULTIPLY_NEGATED_SUBTRACT => self.chained(negated(old), first, second, 0),
            kinds::FUSED_ADD => self.fused(old, first, second),
            kinds::FUSED_SUBTRACT => self.fused(old, negated(first), second),
            kinds::FUSED_NEGATED_ADD => self.fused(negated(old), negated(first), second),
            kinds::FUSED_NEGATED_SUBTRACT => self.fused(negated(old), first, second),
            kinds::MULTIPLY => self.product(first, second),
            kinds::MULTIPLY_NEGATED => negated(self.product(first, second)),
            kinds::ADD => self.sum(first, second),
            kinds::SUBTRACT => self.difference(first, second),
            kinds::DIVIDE => self.quotient(first, second),
            kinds::ROOT => self.root(second),
            kinds::WIDEN => self.number_of_half(if detail & kinds::TOP != 0 { second >> 16 } else { second & 0xffff }),
            kinds::NARROW => {
                let half = self.half_of(second);
                if detail & kinds::TOP != 0 {
                    old & 0xffff | half << 16
                } else {
                    old & 0xffff_0000 | half
                }
            }
            kinds::FROM_INTEGER => self.number(second, detail, 32, 0, self.rounding()),
            kinds::FROM_FIXED => self.number(second, detail, width, fraction, Round::NearestTiesToEven),
            kinds::TO_SIGNED => self.integer(second, false, 32, 0, self.rounding_of(detail)),
            kinds::TO_UNSIGNED => self.integer(second, true, 32, 0, self.rounding_of(detail)),
            kinds::TO_FIXED => self.integer(second, detail & kinds::UNSIGNED != 0, width, fraction, Round::TowardZero),
            kinds::ROUND => self.integral(second, detail),
            kinds::MAXIMUM => self.extreme(first, second, false),
            _ => self.extreme(first, second, true),
        }
    }

    fn has(&self, mode: u32) -> bool {
        self.modes & mode != 0
    }

    /// Returns the rounding that FPSCR says.
    fn rounding(&self) -> Round {
        match self.modes >> ROUNDING_SHIFT & 3 {
            0 => Round::NearestTiesToEven,
            1 => Round::TowardPositive,
            2 => Round::TowardNegative,
            _ => Round::TowardZero,
        }
    }

    /// Returns the rounding that an instruction says.
    fn rounding_of(&self, detail: u8) -> Round {
        match detail >> kinds::VARIANT_SHIFT {
            kinds::TIES_AWAY => Round::NearestTiesToAway,
            kinds::NEAREST => Round::NearestTiesToEven,
            kinds::CEILING => Round::TowardPositive,
            kinds::FLOOR => Round::TowardNegative,
            kinds::TO_ZERO => Round::TowardZero,
            _ => self.rounding(),
        }
    }

    /// Returns an operand, a denormal one as 0 if FPSCR says so.
    fn operand(&mut self, bits: u32) -> u32 {
        let denormal = !is_zero(bits) && bits & INFINITY == 0;
        if denormal && self.has(FLUSH_TO_ZERO) {
            self.flags |= INPUT_DENORMAL;
            return bits & SIGN;
        }
        bits
    }

    /// Returns what stands for no number.
    fn invalid(&mut self) -> u32 {
        self.flags |= INVALID;
        NAN
    }

    /// Returns the NaN that comes of operands, `None` if none of them is one: a signaling one goes before quiet ones.
    fn nan(&mut self, operands: &[u32]) -> Option<u32> {
        let signaling = operands.iter().find(|bits| is_signaling(**bits));
        let bits = *signaling.or_else(|| operands.iter().find(|bits| is_nan(**bits)))?;
        if signaling.is_some() {
            self.flags |= INVALID;
        }
        Some(if self.has(DEFAULT_NAN) { NAN } else { bits | QUIET })
    }

    /// Returns a wide number in single precision.
    fn narrow(&mut self, number: Quad, rounding: Round) -> u32 {
        let tiny = number.is_finite_non_zero() && number.ilogb() < LEAST_NORMAL_EXPONENT;
        if tiny && self.has(FLUSH_TO_ZERO) {
            self.flags |= UNDERFLOW;
            return if number.is_negative() { SIGN } else { 0 };
        }
        let single: StatusAnd<Single> = number.convert_r(rounding, &mut false);
        self.flags |= if overflows(number, single.status, LARGEST_EXPONENT) { OVERFLOW } else { 0 };
        self.lost(single.status, tiny);
        single.value.to_bits() as u32
    }

    /// Notes what rounding a result lost.
    fn lost(&mut self, status: Status, tiny: bool) {
        if status.contains(Status::INEXACT) {
            self.flags |= INEXACT | if tiny { UNDERFLOW } else { 0 };
        }
    }

    /// Returns the sum of wide numbers in single precision.
    fn narrow_sum(&mut self, x: Quad, y: Quad) -> u32 {
        // The sign of a sum that is 0 depends on the rounding.
        let rounded = x.add_r(y, self.rounding());
        let exact = rounded.status == Status::OK;
        let sum = if exact { rounded.value } else { odd(x.add_r(y, Round::TowardZero)) };
        self.narrow(sum, self.rounding())
    }

    fn sum(&mut self, x: u32, y: u32) -> u32 {
        let (x, y) = (self.operand(x), self.operand(y));
        if let Some(nan) = self.nan(&[x, y]) {
            return nan;
        }
        if is_infinite(x) && is_infinite(y) && x != y {
            return self.invalid();
        }
        self.narrow_sum(wide(x), wide(y))
    }

    fn difference(&mut self, x: u32, y: u32) -> u32 {
        // Of a NaN the sign stays.
        self.sum(x, if is_nan(y) { y } else { y ^ SIGN })
    }

    fn product(&mut self, x: u32, y: u32) -> u32 {
        let (x, y) = (self.operand(x), self.operand(y));
        if let Some(nan) = self.nan(&[x, y]) {
            return nan;
        }
        if is_infinite(x) && is_zero(y) || is_zero(x) && is_infinite(y) {
            return self.invalid();
        }
        // The wide format holds every product.
        let product = wide(x).mul_r(wide(y), Round::TowardZero).value;
        self.narrow(product, self.rounding())
    }

    /// Returns a product, with another sign, added to a number: both are rounded.
    fn chained(&mut self, addend: u32, x: u32, y: u32, sign: u32) -> u32 {
        let product = self.product(x, y) ^ sign;
        self.sum(addend, product)
    }

    /// Returns a product added to a number, rounded once.
    fn fused(&mut self, addend: u32, x: u32, y: u32) -> u32 {
        let (addend, x, y) = (self.operand(addend), self.operand(x), self.operand(y));
        let no_product = is_infinite(x) && is_zero(y) || is_zero(x) && is_infinite(y);
        if no_product && is_nan(addend) && !is_signaling(addend) {
            return self.invalid();
        }
        if let Some(nan) = self.nan(&[addend, x, y]) {
            return nan;
        }
        let product = wide(x).mul_r(wide(y), Round::TowardZero).value;
        let opposite = is_infinite(addend) && product.is_infinite() && (addend >> 31 == 1) != product.is_negative();
        if no_product || opposite {
            return self.invalid();
        }
        self.narrow_sum(wide(addend), product)
    }

    fn quotient(&mut self, x: u32, y: u32) -> u32 {
        let (x, y) = (self.operand(x), self.operand(y));
        if let Some(nan) = self.nan(&[x, y]) {
            return nan;
        }
        if is_infinite(x) && is_infinite(y) || is_zero(x) && is_zero(y) {
            return self.invalid();
        }
        if is_zero(y) {
            self.flags |= if is_infinite(x) { 0 } else { DIVIDED_BY_ZERO };
            return (x ^ y) & SIGN | INFINITY;
        }
        let quotient = odd(wide(x).div_r(wide(y), Round::TowardZero));
        self.narrow(quotient, self.rounding())
    }

    fn root(&mut self, x: u32) -> u32 {
        let x = self.operand(x);
        if let Some(nan) = self.nan(&[x]) {
            return nan;
        }
        if is_zero(x) || x == INFINITY {
            return x;
        }
        if x & SIGN != 0 {
            return self.invalid();
        }
        let exponent = (x >> 23).max(1) as i32 - 150;
        let significand = u64::from(x & 0x007f_ffff | u32::from(x >> 23 != 0) << 23);
        // The exponent becomes even, and the root has more bits than single precision keeps.
        let zeros = significand.leading_zeros() as i32;
        let shift = zeros - ((exponent - zeros) & 1);
        let scaled = significand << shift;
        let root = integer_root(scaled);
        let lost = u64::from(root * root != scaled);
        let number = Quad::from_u128(u128::from(root << 1 | lost)).value.scalbn((exponent - shift) / 2 - 1);
        self.narrow(number, self.rounding())
    }

    /// Returns the flags N, Z, C and V of a comparison; of any NaN an exceptional one says that it is invalid.
    fn compare(&mut self, x: u32, y: u32, exceptional: bool) -> u32 {
        let (x, y) = (self.operand(x), self.operand(y));
        if is_nan(x) || is_nan(y) {
            if exceptional || is_signaling(x) || is_signaling(y) {
                self.flags |= INVALID;
            }
            return compared::UNORDERED;
        }
        let (x, y) = (wide(x), wide(y));
        if x < y {
            compared::LESS
        } else if x == y {
            compared::EQUAL
        } else {
            compared::GREATER
        }
    }

    /// Returns the number of an integer of some bits, the lowest of which are a fraction.
    fn number(&mut self, bits: u32, detail: u8, width: u32, fraction: u32, rounding: Round) -> u32 {
        let above = 64 - width;
        let integer = if detail & kinds::UNSIGNED != 0 {
            i128::from(u64::from(bits) << above >> above)
        } else {
            i128::from((u64::from(bits) << above) as i64 >> above)
        };
        let number = Quad::from_i128(integer).value.scalbn(-(fraction as i32));
        self.narrow(number, rounding)
    }

    /// Returns the integer of some bits, the lowest of which are a fraction, that is nearest in the sense of a rounding.
    fn integer(&mut self, bits: u32, unsigned: bool, width: u32, fraction: u32, rounding: Round) -> u32 {
        let bits = self.operand(bits);
        if is_nan(bits) {
            self.flags |= INVALID;
            return 0;
        }
        let rounded = wide(bits).scalbn(fraction as i32).to_i128_r(128, rounding, &mut false);
        let (low, high) =
            if unsigned { (0, (1_i128 << width) - 1) } else { (-(1 << (width - 1)), (1 << (width - 1)) - 1) };
        let kept = rounded.value.clamp(low, high);
        if kept != rounded.value {
            self.flags |= INVALID;
        } else {
            self.lost(rounded.status, false);
        }
        kept as u32
    }

    /// Returns the number without its fraction.
    fn integral(&mut self, bits: u32, detail: u8) -> u32 {
        let bits = self.operand(bits);
        if let Some(nan) = self.nan(&[bits]) {
            return nan;
        }
        let whole = Single::from_bits(u128::from(bits)).round_to_integral(self.rounding_of(detail)).value;
        let whole = whole.to_bits() as u32;
        if detail >> kinds::VARIANT_SHIFT == kinds::EXACT && whole != bits {
            self.flags |= INEXACT;
        }
        whole
    }

    /// Returns the greater of two numbers, or the less; a quiet NaN counts as no number.
    fn extreme(&mut self, x: u32, y: u32, least: bool) -> u32 {
        let (x, y) = (self.operand(x), self.operand(y));
        let quiet = |bits| is_nan(bits) && !is_signaling(bits);
        if quiet(x) && !is_nan(y) {
            return y;
        }
        if quiet(y) && !is_nan(x) {
            return x;
        }
        if let Some(nan) = self.nan(&[x, y]) {
            return nan;
        }
        // As integers of sign and magnitude, where 0 with a sign is the less.
        let rank = |bits: u32| if bits & SIGN != 0 { -i64::from(bits & !SIGN) - 1 } else { i64::from(bits) };
        if (rank(x) < rank(y)) == least {
            x
        } else {
            y
        }
    }

    /// Returns the number of a half.
    fn number_of_half(&mut self, half: u32) -> u32 {
        let (sign, exponent, fraction) = (half >> 15 << 31, half >> 10 & 31, half & 0x3ff);
        if exponent == 31 && !self.has(ALTERNATIVE_HALF) {
            let bits = sign | INFINITY | fraction << 13;
            return self.nan(&[bits]).unwrap_or(bits);
        }
        let significand = fraction | u32::from(exponent != 0) << 10;
        let magnitude = Quad::from_u128(u128::from(significand)).value.scalbn(exponent.max(1) as i32 - 25);
        // Single precision holds every half.
        sign | self.narrow(magnitude, Round::TowardZero)
    }

    /// Returns the half of a number.
    fn half_of(&mut self, bits: u32) -> u32 {
        let bits = self.operand(bits);
        let (sign, alternative) = (bits >> 16 & 0x8000, self.has(ALTERNATIVE_HALF));
        if is_nan(bits) {
            let nan = self.nan(&[bits]).unwrap_or(NAN);
            if alternative {
                self.flags |= INVALID;
                return sign;
            }
            return nan >> 16 & 0x8000 | 0x7c00 | nan >> 13 & 0x3ff;
        }
        if is_infinite(bits) && alternative {
            self.flags |= INVALID;
            return sign | 0x7fff;
        }
        let number = wide(bits);
        // The alternative format has numbers in place of infinities, twice as large as the others.
        let large = alternative && number.is_finite_non_zero() && number.ilogb() >= 15;
        let scaled = if large { number.scalbn(-1) } else { number };
        let half: StatusAnd<Half> = scaled.convert_r(self.rounding(), &mut false);
        let overflows = overflows(scaled, half.status, LARGEST_HALF_EXPONENT);
        if overflows && large {
            self.flags |= INVALID;
            return sign | 0x7fff;
        }
        self.flags |= if overflows { OVERFLOW } else { 0 };
        self.lost(half.status, number.is_finite_non_zero() && number.ilogb() < LEAST_NORMAL_HALF_EXPONENT);
        half.value.to_bits() as u32 + if large { 0x400 } else { 0 }
    }
}

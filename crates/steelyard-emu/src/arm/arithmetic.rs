//! Condition checks, shifts, sums and flags that A32 and Thumb share.

use super::decode::{alu, ASR, LSL, LSR, RRX};

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

/// Masks for shifts by an immediate, one row per shift kind: the register bits that form the lower half of a double
/// word, those that form its upper half, and those that its sign fills. Shifting the double word right gives the
/// result.
const HALVES: [(u32, u32, u32); 4] = [(0, !0, 0), (!0, 0, 0), (!0, 0, !0), (!0, !0, 0)];

#[inline(always)]
pub fn shifted(value: u32, kind: u32, amount: u8) -> u32 {
    let (lower, upper, sign) = HALVES[(kind & 3) as usize];
    let upper = value & upper | (value as i32 >> 31) as u32 & sign;
    let double = u64::from(value & lower) | u64::from(upper) << 32;
    (double >> (amount & 63)) as u32
}

/// Returns value and carry of a shift by any amount; `kind` may be the rotation through the carry.
pub fn shift_with_carry(value: u32, kind: u32, amount: u32, carry: bool) -> (u32, bool) {
    if kind == RRX {
        return (value >> 1 | u32::from(carry) << 31, value & 1 == 1);
    }
    let bit = |number: u32| value >> number & 1 == 1;
    match (kind, amount) {
        (_, 0) => (value, carry),
        (LSL, 1..=31) => (value << amount, bit(32 - amount)),
        (LSL, 32) => (0, bit(0)),
        (LSR, 1..=31) => (value >> amount, bit(amount - 1)),
        (LSR, 32) => (0, bit(31)),
        (LSL | LSR, _) => (0, false),
        (ASR, 1..=31) => (((value as i32) >> amount) as u32, bit(amount - 1)),
        (ASR, _) => (((value as i32) >> 31) as u32, bit(31)),
        (_, amount) => {
            let value = value.rotate_right(amount & 31);
            (value, value >> 31 == 1)
        }
    }
}

/// Returns the sum with carry and its flags.
#[inline(always)]
pub fn add(a: u32, b: u32, carry: u32) -> (u32, u32) {
    let wide = u64::from(a) + u64::from(b) + u64::from(carry);
    let sum = wide as u32;
    let overflow = ((a ^ sum) & (b ^ sum)) >> 31;
    (sum, sign_and_zero(sum) | ((wide >> 32) as u32) << 1 | overflow)
}

#[inline(always)]
pub fn sign_and_zero(value: u32) -> u32 {
    (value >> 31) << 3 | u32::from(value == 0) << 2
}

pub fn saturate(value: i64) -> (u32, bool) {
    let fits = value.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    (fits as u32, fits != value)
}

/// Returns result and flags of any data processing operation; `carry` is the shifter's carry.
pub fn processed(operation: u8, a: u32, b: u32, nzcv: u32, carry: bool) -> (u32, u32) {
    let carry_in = nzcv >> 1 & 1;
    match operation {
        alu::SUB | alu::CMP => return add(a, !b, 1),
        alu::RSB => return add(b, !a, 1),
        alu::ADD | alu::CMN => return add(a, b, 0),
        alu::ADC => return add(a, b, carry_in),
        alu::SBC => return add(a, !b, carry_in),
        alu::RSC => return add(b, !a, carry_in),
        _ => {}
    }
    let result = match operation {
        alu::AND | alu::TST => a & b,
        alu::EOR | alu::TEQ => a ^ b,
        alu::ORR => a | b,
        alu::MOV => b,
        alu::BIC => a & !b,
        _ => !b,
    };
    (result, nzcv & V | sign_and_zero(result) | u32::from(carry) << 1)
}

/// Returns the result of `qadd`, `qsub`, `qdadd` or `qdsub` (`kind` 0 to 3), which is Rm plus or minus Rn or twice Rn,
/// and whether it saturated.
pub fn saturating(kind: u8, rm: u32, rn: u32) -> (u32, bool) {
    let (second, doubled) = if kind & 2 != 0 { saturate(2 * i64::from(rn as i32)) } else { (rn, false) };
    let (first, second) = (i64::from(rm as i32), i64::from(second as i32));
    let (value, saturated) = saturate(if kind & 1 != 0 { first - second } else { first + second });
    (value, saturated || doubled)
}

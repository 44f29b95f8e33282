//! What registers and memory hold, as far as instructions can tell.
//!
//! What instructions do is written once, over these traits. A plain number computes the number and nothing else, and
//! costs what the number costs. [`Shadowed`] carries beside the number which of its bits depend on secrets. A third
//! kind may stand for code that computes the number later: [`Value`] asks for operations only, never for the number.

use std::fmt::Debug;
use std::ops::Range;

/// A number of 8, 16, 32 or 64 bits, and whether something holds of it.
///
/// Sums, differences and products wrap around. Amounts of shifts are below the number of bits.
pub trait Value: Copy + Debug {
    type Plain: Copy;
    /// Whether something holds.
    type Truth: Truth;

    fn of(plain: Self::Plain) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
    /// Shifts to the left, zeros come in.
    fn shl(self, amount: Self) -> Self;
    /// Shifts to the right, zeros come in.
    fn shr(self, amount: Self) -> Self;
    /// Shifts to the right, copies of the sign come in.
    fn sar(self, amount: Self) -> Self;
    /// Returns the quotient of unsigned numbers, all ones if the divisor is 0.
    fn quotient(self, divisor: Self) -> Self;
    /// Returns the remainder of unsigned numbers, the dividend if the divisor is 0.
    fn remainder(self, divisor: Self) -> Self;
    /// Returns the quotient of signed numbers towards 0, all ones if the divisor is 0; one that does not fit wraps.
    fn quotient_signed(self, divisor: Self) -> Self;
    /// Returns the remainder of signed numbers with the dividend's sign, the dividend if the divisor is 0.
    fn remainder_signed(self, divisor: Self) -> Self;
    /// Returns the number of zeros above the highest one.
    fn leading_zeros(self) -> Self;
    /// Returns the number with its bytes in the opposite order.
    fn swapped(self) -> Self;
    /// Returns the number whose lowest bits these are, with its sign.
    fn sign_extended(self, bits: u32) -> Self;
    fn equals(self, other: Self) -> Self::Truth;
    /// Whether it is less as an unsigned number.
    fn below(self, other: Self) -> Self::Truth;
    /// Whether it is less as a signed number.
    fn less(self, other: Self) -> Self::Truth;
    /// Returns one of two.
    fn chosen(truth: Self::Truth, if_true: Self, if_false: Self) -> Self;
    /// Returns 1 if it holds, else 0.
    fn from_truth(truth: Self::Truth) -> Self;
}

/// Whether something holds.
pub trait Truth: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
}

/// A value that is half of a wider one.
pub trait Half: Value {
    type Wide: Value<Truth = Self::Truth>;

    /// Returns the unsigned number in twice the bits.
    fn wide(self) -> Self::Wide;
    /// Returns the signed number in twice the bits.
    fn wide_signed(self) -> Self::Wide;
    fn low_half(wide: Self::Wide) -> Self;
    fn high_half(wide: Self::Wide) -> Self;
    /// Returns the wide value of two halves.
    fn joined(high: Self, low: Self) -> Self::Wide;
}

/// A value that an interpreter holds: the number is there.
pub trait Held: Value + Send + Sync + 'static {
    /// What is kept of memory beside its bytes.
    type Beside: Beside;
    /// Whether the number is all there is.
    const PLAIN: bool;

    /// Whether some bit depends on a secret.
    fn is_secret(self) -> bool;
    /// Whether a truth depends on a secret.
    fn is_secret_truth(truth: Self::Truth) -> bool;

    fn plain(self) -> Self::Plain;
    /// Returns the number and its secret bits.
    fn both(self) -> (Self::Plain, Self::Plain);
    /// Whether a truth holds.
    fn holds(truth: Self::Truth) -> bool;
    /// Returns the number with further bits that depend on a secret.
    fn hidden(self, secret: Self::Plain) -> Self;
    /// Returns a number computed from others in a way that no operation of [`Value`] is.
    fn computed(plain: Self::Plain, from: &[Self]) -> Self;
    /// Returns what was loaded from an address, the lowest byte first.
    fn loaded(plain: Self::Plain, beside: &Self::Beside, address: u32, size_bytes: u32) -> Self;
    /// Notes what is stored at an address.
    fn stored(self, beside: &mut Self::Beside, address: u32, size_bytes: u32);
}

/// A value of 32 bits.
pub trait Word: Half<Plain = u32, Wide: Value<Plain = u64>> {}
impl<V: Half<Plain = u32, Wide: Value<Plain = u64>>> Word for V {}

/// A value of 32 bits that an interpreter holds.
pub trait HeldWord: Word<Wide: Send + Sync> + Held {}
impl<V: Word<Wide: Send + Sync> + Held> HeldWord for V {}

/// A value of 8 bits.
pub trait Byte: Half<Plain = u8, Wide: Value<Plain = u16>> {
    /// Returns the entry of a table at this index, which wraps around behind the last one; there are a power of two.
    /// `formula` computes the same from the index, for values of which a table tells too little.
    fn entry<const ENTRIES: usize>(self, table: &'static [u8; ENTRIES], formula: fn(Self) -> Self) -> Self;
}

/// A value of 8 bits that an interpreter holds.
pub trait HeldByte: Byte + Held {}
impl<V: Byte + Held> HeldByte for V {}

impl Truth for bool {
    #[inline(always)]
    fn and(self, other: bool) -> bool {
        self & other
    }
    #[inline(always)]
    fn or(self, other: bool) -> bool {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: bool) -> bool {
        self ^ other
    }
    #[inline(always)]
    fn not(self) -> bool {
        !self
    }
}

/// The plain numbers.
macro_rules! plain {
    ($($unsigned:ident $signed:ident),*) => {$(
        impl Value for $unsigned {
            type Plain = $unsigned;
            type Truth = bool;

            #[inline(always)]
            fn of(plain: $unsigned) -> Self {
                plain
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn not(self) -> Self {
                !self
            }
            #[inline(always)]
            fn shl(self, amount: Self) -> Self {
                self.wrapping_shl(amount as u32)
            }
            #[inline(always)]
            fn shr(self, amount: Self) -> Self {
                self.wrapping_shr(amount as u32)
            }
            #[inline(always)]
            fn sar(self, amount: Self) -> Self {
                (self as $signed).wrapping_shr(amount as u32) as $unsigned
            }
            #[inline(always)]
            fn quotient(self, divisor: Self) -> Self {
                self.checked_div(divisor).unwrap_or($unsigned::MAX)
            }
            #[inline(always)]
            fn remainder(self, divisor: Self) -> Self {
                self.checked_rem(divisor).unwrap_or(self)
            }
            #[inline(always)]
            fn quotient_signed(self, divisor: Self) -> Self {
                if divisor == 0 {
                    return $unsigned::MAX;
                }
                (self as $signed).wrapping_div(divisor as $signed) as $unsigned
            }
            #[inline(always)]
            fn remainder_signed(self, divisor: Self) -> Self {
                if divisor == 0 {
                    return self;
                }
                (self as $signed).wrapping_rem(divisor as $signed) as $unsigned
            }
            #[inline(always)]
            fn leading_zeros(self) -> Self {
                $unsigned::leading_zeros(self) as $unsigned
            }
            #[inline(always)]
            fn swapped(self) -> Self {
                self.swap_bytes()
            }
            #[inline(always)]
            fn sign_extended(self, bits: u32) -> Self {
                let above = $unsigned::BITS - bits;
                ((self << above) as $signed >> above) as $unsigned
            }
            #[inline(always)]
            fn equals(self, other: Self) -> bool {
                self == other
            }
            #[inline(always)]
            fn below(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                (self as $signed) < other as $signed
            }
            #[inline(always)]
            fn chosen(truth: bool, if_true: Self, if_false: Self) -> Self {
                if truth {
                    if_true
                } else {
                    if_false
                }
            }
            #[inline(always)]
            fn from_truth(truth: bool) -> Self {
                $unsigned::from(truth)
            }
        }

        impl Held for $unsigned {
            type Beside = ();
            const PLAIN: bool = true;

            #[inline(always)]
            fn is_secret(self) -> bool {
                false
            }
            #[inline(always)]
            fn is_secret_truth(_truth: bool) -> bool {
                false
            }
            #[inline(always)]
            fn plain(self) -> $unsigned {
                self
            }
            #[inline(always)]
            fn both(self) -> ($unsigned, $unsigned) {
                (self, 0)
            }
            #[inline(always)]
            fn holds(truth: bool) -> bool {
                truth
            }
            #[inline(always)]
            fn hidden(self, _secret: $unsigned) -> Self {
                self
            }
            #[inline(always)]
            fn computed(plain: $unsigned, _from: &[Self]) -> Self {
                plain
            }
            #[inline(always)]
            fn loaded(plain: $unsigned, _beside: &(), _address: u32, _size_bytes: u32) -> Self {
                plain
            }
            #[inline(always)]
            fn stored(self, _beside: &mut (), _address: u32, _size_bytes: u32) {}
        }
    )*};
}

plain!(u8 i8, u16 i16, u32 i32, u64 i64);

/// A number beside which its secret bits are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shadowed<T> {
    pub plain: T,
    /// Bits that depend on secrets.
    pub secret: T,
}

/// A truth, and whether it depends on secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShadowedTruth {
    pub holds: bool,
    pub secret: bool,
}

impl Truth for ShadowedTruth {
    #[inline]
    fn and(self, other: Self) -> Self {
        let open = (self.secret || self.holds) && (other.secret || other.holds);
        ShadowedTruth { holds: self.holds & other.holds, secret: (self.secret || other.secret) && open }
    }
    #[inline]
    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }
    #[inline]
    fn xor(self, other: Self) -> Self {
        ShadowedTruth { holds: self.holds ^ other.holds, secret: self.secret || other.secret }
    }
    #[inline]
    fn not(self) -> Self {
        ShadowedTruth { holds: !self.holds, secret: self.secret }
    }
}

/// What is kept of memory beside its bytes.
pub trait Beside: Clone + Default + Send + Sync + 'static {
    /// Sets the secret bits of a byte; without effect where nothing is kept.
    fn set_bits(&mut self, address: u32, secret: u8);
    /// Returns the secret bits of a byte.
    fn bits(&self, address: u32) -> u8;
    /// Sets the secret bits of each byte alike.
    fn fill(&mut self, addresses: Range<u32>, secret: u8) {
        addresses.for_each(|address| self.set_bits(address, secret));
    }
}

impl Beside for () {
    #[inline(always)]
    fn set_bits(&mut self, _address: u32, _secret: u8) {}
    #[inline(always)]
    fn bits(&self, _address: u32) -> u8 {
        0
    }
}

const CHUNK_BITS: u32 = 16;
const CHUNK_BYTES: usize = 1 << CHUNK_BITS;

/// The secret bits of each byte of memory, in chunks of the address space that have had some.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    /// By the upper bits of their addresses, in no order.
    chunks: Vec<(u32, Box<[u8; CHUNK_BYTES]>)>,
}

impl Secrets {
    /// Returns the secret bits of up to eight bytes, the lowest byte first.
    #[inline(always)]
    fn read(&self, address: u32, size_bytes: u32) -> u64 {
        let (key, place) = (address >> CHUNK_BITS, address as usize % CHUNK_BYTES);
        if place + size_bytes as usize > CHUNK_BYTES {
            return self.read_apart(address, size_bytes);
        }
        for (there, chunk) in &self.chunks {
            if *there == key {
                let mut bytes = [0; 8];
                let bits = &chunk[place..place + size_bytes as usize];
                bytes[..bits.len()].copy_from_slice(bits);
                return u64::from_le_bytes(bytes);
            }
        }
        0
    }

    /// Sets the secret bits of up to eight bytes.
    #[inline(always)]
    fn write(&mut self, address: u32, size_bytes: u32, secret: u64) {
        let (key, place) = (address >> CHUNK_BITS, address as usize % CHUNK_BYTES);
        if place + size_bytes as usize <= CHUNK_BYTES {
            for (there, chunk) in &mut self.chunks {
                if *there == key {
                    let bits = &mut chunk[place..place + size_bytes as usize];
                    bits.copy_from_slice(&secret.to_le_bytes()[..bits.len()]);
                    return;
                }
            }
        }
        if secret != 0 || place + size_bytes as usize > CHUNK_BYTES {
            self.write_apart(address, size_bytes, secret);
        }
    }

    /// Reads bytes that lie in two chunks.
    #[cold]
    #[inline(never)]
    fn read_apart(&self, address: u32, size_bytes: u32) -> u64 {
        let mut bytes = [0; 8];
        for (offset, byte) in (0..size_bytes).zip(&mut bytes) {
            *byte = self.bits(address.wrapping_add(offset));
        }
        u64::from_le_bytes(bytes)
    }

    /// Sets bytes that lie in two chunks, or in one that has had no secrets.
    #[cold]
    #[inline(never)]
    fn write_apart(&mut self, address: u32, size_bytes: u32, secret: u64) {
        for (offset, byte) in (0..size_bytes).zip(secret.to_le_bytes()) {
            self.set_bits(address.wrapping_add(offset), byte);
        }
    }
}

impl Beside for Secrets {
    #[inline]
    fn set_bits(&mut self, address: u32, secret: u8) {
        let (key, place) = (address >> CHUNK_BITS, address as usize % CHUNK_BYTES);
        if let Some((_, chunk)) = self.chunks.iter_mut().find(|(there, _)| *there == key) {
            chunk[place] = secret;
        } else if secret != 0 {
            let mut chunk = Box::new([0; CHUNK_BYTES]);
            chunk[place] = secret;
            self.chunks.push((key, chunk));
        }
    }

    #[inline]
    fn bits(&self, address: u32) -> u8 {
        let key = address >> CHUNK_BITS;
        let chunk = self.chunks.iter().find(|(there, _)| *there == key);
        chunk.map_or(0, |(_, chunk)| chunk[address as usize % CHUNK_BYTES])
    }
}

macro_rules! shadowed {
    ($($unsigned:ident),*) => {$(
        impl Shadowed<$unsigned> {
            /// Returns a result of both, where a secret bit may change every bit.
            #[inline]
            fn mixed(self, other: Self, plain: $unsigned) -> Self {
                let secret = if self.secret | other.secret == 0 { 0 } else { $unsigned::MAX };
                Shadowed { plain, secret }
            }

            /// Returns a result of both, where a secret bit may change itself and those above it.
            #[inline]
            fn carried(self, other: Self, plain: $unsigned) -> Self {
                let secret = self.secret | other.secret;
                Shadowed { plain, secret: secret | secret.wrapping_neg() }
            }

            /// Shifted by an amount, with the shadow shifted alike.
            #[inline]
            fn moved(self, amount: Self, shift: fn($unsigned, $unsigned) -> $unsigned) -> Self {
                let plain = shift(self.plain, amount.plain);
                if amount.secret == 0 {
                    return Shadowed { plain, secret: shift(self.secret, amount.plain) };
                }
                self.mixed(amount, plain)
            }

            #[inline]

            fn truth(self, other: Self, holds: bool) -> ShadowedTruth {
                ShadowedTruth { holds, secret: self.secret | other.secret != 0 }
            }
        }

        impl Value for Shadowed<$unsigned> {
            type Plain = $unsigned;
            type Truth = ShadowedTruth;

            #[inline]

            fn of(plain: $unsigned) -> Self {
                Shadowed { plain, secret: 0 }
            }
            #[inline]
            fn add(self, other: Self) -> Self {
                self.carried(other, self.plain.add(other.plain))
            }
            #[inline]
            fn sub(self, other: Self) -> Self {
                self.carried(other, self.plain.sub(other.plain))
            }
            #[inline]
            fn mul(self, other: Self) -> Self {
                self.carried(other, self.plain.mul(other.plain))
            }
            #[inline]
            fn and(self, other: Self) -> Self {
                let secret = (self.secret | self.plain) & (other.secret | other.plain) & (self.secret | other.secret);
                Shadowed { plain: self.plain & other.plain, secret }
            }
            #[inline]
            fn or(self, other: Self) -> Self {
                self.not().and(other.not()).not()
            }
            #[inline]
            fn xor(self, other: Self) -> Self {
                Shadowed { plain: self.plain ^ other.plain, secret: self.secret | other.secret }
            }
            #[inline]
            fn not(self) -> Self {
                Shadowed { plain: !self.plain, secret: self.secret }
            }
            #[inline]
            fn shl(self, amount: Self) -> Self {
                self.moved(amount, Value::shl)
            }
            #[inline]
            fn shr(self, amount: Self) -> Self {
                self.moved(amount, Value::shr)
            }
            #[inline]
            fn sar(self, amount: Self) -> Self {
                self.moved(amount, Value::sar)
            }
            #[inline]
            fn quotient(self, divisor: Self) -> Self {
                self.mixed(divisor, self.plain.quotient(divisor.plain))
            }
            #[inline]
            fn remainder(self, divisor: Self) -> Self {
                self.mixed(divisor, self.plain.remainder(divisor.plain))
            }
            #[inline]
            fn quotient_signed(self, divisor: Self) -> Self {
                self.mixed(divisor, self.plain.quotient_signed(divisor.plain))
            }
            #[inline]
            fn remainder_signed(self, divisor: Self) -> Self {
                self.mixed(divisor, self.plain.remainder_signed(divisor.plain))
            }
            #[inline]
            fn leading_zeros(self) -> Self {
                self.mixed(self, Value::leading_zeros(self.plain))
            }
            #[inline]
            fn swapped(self) -> Self {
                Shadowed { plain: self.plain.swapped(), secret: self.secret.swapped() }
            }
            #[inline]
            fn sign_extended(self, bits: u32) -> Self {
                Shadowed { plain: self.plain.sign_extended(bits), secret: self.secret.sign_extended(bits) }
            }
            /// Not secret where public bits differ.
            #[inline]
            fn equals(self, other: Self) -> ShadowedTruth {
                let secret = self.secret | other.secret;
                let differs = (self.plain ^ other.plain) & !secret != 0;
                ShadowedTruth { holds: self.plain == other.plain, secret: secret != 0 && !differs }
            }
            #[inline]
            fn below(self, other: Self) -> ShadowedTruth {
                self.truth(other, self.plain < other.plain)
            }
            #[inline]
            fn less(self, other: Self) -> ShadowedTruth {
                self.truth(other, self.plain.less(other.plain))
            }
            #[inline]
            fn chosen(truth: ShadowedTruth, if_true: Self, if_false: Self) -> Self {
                let chosen = if truth.holds { if_true } else { if_false };
                if !truth.secret {
                    return chosen;
                }
                let differ = if_true.plain ^ if_false.plain;
                Shadowed { plain: chosen.plain, secret: if_true.secret | if_false.secret | differ }
            }
            #[inline]
            fn from_truth(truth: ShadowedTruth) -> Self {
                Shadowed { plain: $unsigned::from(truth.holds), secret: $unsigned::from(truth.secret) }
            }
        }

        impl Held for Shadowed<$unsigned> {
            type Beside = Secrets;
            const PLAIN: bool = false;

            #[inline(always)]
            fn is_secret(self) -> bool {
                self.secret != 0
            }
            #[inline(always)]
            fn is_secret_truth(truth: ShadowedTruth) -> bool {
                truth.secret
            }
            #[inline(always)]
            fn plain(self) -> $unsigned {
                self.plain
            }
            #[inline(always)]
            fn both(self) -> ($unsigned, $unsigned) {
                (self.plain, self.secret)
            }
            #[inline(always)]
            fn holds(truth: ShadowedTruth) -> bool {
                truth.holds
            }
            #[inline(always)]
            fn hidden(self, secret: $unsigned) -> Self {
                Shadowed { plain: self.plain, secret: self.secret | secret }
            }
            /// A secret bit may change every bit.
            fn computed(plain: $unsigned, from: &[Self]) -> Self {
                let secret = if from.iter().all(|one| one.secret == 0) { 0 } else { $unsigned::MAX };
                Shadowed { plain, secret }
            }
            #[inline(always)]
            fn loaded(plain: $unsigned, beside: &Secrets, address: u32, size_bytes: u32) -> Self {
                Shadowed { plain, secret: beside.read(address, size_bytes) as $unsigned }
            }
            #[inline(always)]
            fn stored(self, beside: &mut Secrets, address: u32, size_bytes: u32) {
                beside.write(address, size_bytes, u64::from(self.secret));
            }
        }
    )*};
}

shadowed!(u8, u16, u32, u64);

macro_rules! halves {
    ($($half:ident $signed_half:ident $wide:ident $signed_wide:ident),*) => {$(
        impl Half for $half {
            type Wide = $wide;

            #[inline(always)]
            fn wide(self) -> $wide {
                $wide::from(self)
            }
            #[inline(always)]
            fn wide_signed(self) -> $wide {
                $signed_wide::from(self as $signed_half) as $wide
            }
            #[inline(always)]
            fn low_half(wide: $wide) -> Self {
                wide as $half
            }
            #[inline(always)]
            fn high_half(wide: $wide) -> Self {
                (wide >> $half::BITS) as $half
            }
            #[inline(always)]
            fn joined(high: Self, low: Self) -> $wide {
                $wide::from(high) << $half::BITS | $wide::from(low)
            }
        }

        impl Half for Shadowed<$half> {
            type Wide = Shadowed<$wide>;

            #[inline]

            fn wide(self) -> Self::Wide {
                Shadowed { plain: self.plain.wide(), secret: self.secret.wide() }
            }
            #[inline]
            fn wide_signed(self) -> Self::Wide {
                Shadowed { plain: self.plain.wide_signed(), secret: self.secret.wide_signed() }
            }
            #[inline]
            fn low_half(wide: Self::Wide) -> Self {
                Shadowed { plain: $half::low_half(wide.plain), secret: $half::low_half(wide.secret) }
            }
            #[inline]
            fn high_half(wide: Self::Wide) -> Self {
                Shadowed { plain: $half::high_half(wide.plain), secret: $half::high_half(wide.secret) }
            }
            #[inline]
            fn joined(high: Self, low: Self) -> Self::Wide {
                Shadowed { plain: $half::joined(high.plain, low.plain), secret: $half::joined(high.secret, low.secret) }
            }
        }
    )*};
}

halves!(u8 i8 u16 i16, u16 i16 u32 i32, u32 i32 u64 i64);

impl Byte for u8 {
    #[inline(always)]
    fn entry<const ENTRIES: usize>(self, table: &'static [u8; ENTRIES], _formula: fn(u8) -> u8) -> u8 {
        table[usize::from(self) % ENTRIES]
    }
}

impl Byte for Shadowed<u8> {
    #[inline(always)]
    fn entry<const ENTRIES: usize>(self, _table: &'static [u8; ENTRIES], formula: fn(Self) -> Self) -> Self {
        formula(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{Beside, Half, Held, Secrets, Shadowed, ShadowedTruth, Truth, Value};

    type Both = fn(Shadowed<u8>, Shadowed<u8>) -> Shadowed<u8>;

    const OPERATIONS: [(&str, Both); 20] = [
        ("add", Value::add),
        ("sub", Value::sub),
        ("mul", Value::mul),
        ("and", Value::and),
        ("or", Value::or),
        ("xor", Value::xor),
        ("not", |x, _| x.not()),
        ("shl", |x, y| x.shl(y.and(Shadowed::of(7)))),
        ("shr", |x, y| x.shr(y.and(Shadowed::of(7)))),
        ("sar", |x, y| x.sar(y.and(Shadowed::of(7)))),
        ("quotient", Value::quotient),
        ("remainder", Value::remainder),
        ("quotient_signed", Value::quotient_signed),
        ("remainder_signed", Value::remainder_signed),
        ("leading_zeros", |x, _| x.leading_zeros()),
        ("sign_extended", |x, _| x.sign_extended(3)),
        ("swapped", |x, y| Half::high_half(Shadowed::<u8>::joined(x, y).swapped())),
        ("below", |x, y| Value::from_truth(x.below(y).or(x.equals(y)))),
        ("chosen", |x, y| Value::chosen(x.less(y), x, y)),
        ("high_half", |x, y| Half::high_half(x.wide_signed().mul(y.wide()))),
    ];

    /// A bit that changes with a secret bit is secret: every operation, with secrets in some bits of either operand.
    #[test]
    fn no_secret_is_lost() {
        for (name, operation) in OPERATIONS {
            for (x, y) in (0..=255_u8).step_by(5).flat_map(|x| (0..=255_u8).step_by(3).map(move |y| (x, y))) {
                for secret in [0x01_u8, 0x80, 0x24, 0xff] {
                    for (in_x, in_y) in [(secret, 0), (0, secret), (secret, secret)] {
                        let shadowed = |plain, secret| Shadowed { plain, secret };
                        let base = operation(shadowed(x, in_x), shadowed(y, in_y));
                        for change in [secret, 0x01 & secret, 0x80 & secret, 0x20 & secret] {
                            let other = operation(shadowed(x ^ change & in_x, in_x), shadowed(y ^ change & in_y, in_y));
                            let lost = (base.plain ^ other.plain) & !base.secret;
                            assert_eq!(lost, 0, "{name} of {x:#x} and {y:#x}, secret {in_x:#x} and {in_y:#x}");
                        }
                    }
                }
            }
        }
    }

    /// Whole words read and write the same bits as their bytes, across the end of a chunk too.
    #[test]
    fn secrets_of_words_are_those_of_their_bytes() {
        for address in [0x1_0000_u32, 0x1_fffd, 0x1_ffff, 0x7_0002, u32::MAX - 1] {
            for size_bytes in [1, 2, 4, 8] {
                let mut secrets = Secrets::default();
                let word = Shadowed { plain: 5_u64, secret: 0x8877_6655_4433_2211 };
                word.stored(&mut secrets, address, size_bytes);
                for offset in 0..8 {
                    let wanted = if offset < size_bytes { 0x11 * (offset as u8 + 1) } else { 0 };
                    assert_eq!(secrets.bits(address.wrapping_add(offset)), wanted, "{address:#x}+{offset}");
                }
                let kept = u64::MAX >> (64 - 8 * size_bytes);
                assert_eq!(Shadowed::<u64>::loaded(5, &secrets, address, size_bytes).secret, word.secret & kept);
                Shadowed::<u64>::of(7).stored(&mut secrets, address, size_bytes);
                assert_eq!(Shadowed::<u64>::loaded(7, &secrets, address, size_bytes), Shadowed::<u64>::of(7));
            }
        }
    }

    #[test]
    fn what_is_public_stays_public() {
        let secret = Shadowed { plain: 0xa5_u8, secret: 0xff };
        assert_eq!(secret.and(Shadowed::of(0x0f)).secret, 0x0f);
        assert_eq!(secret.or(Shadowed::of(0x0f)).secret, 0xf0);
        assert_eq!(secret.shl(Shadowed::of(4)).secret, 0xf0);
        assert_eq!(secret.wide().secret, 0x00ff);
        let open = Shadowed { plain: 1_u8, secret: 0xf0 };
        assert_eq!(open.add(Shadowed::of(1)).secret, 0xf0);
        let no = ShadowedTruth { holds: false, secret: false };
        assert_eq!(no.and(ShadowedTruth { holds: true, secret: true }), no);
    }
}

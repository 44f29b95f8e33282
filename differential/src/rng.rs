//! Seeded random numbers, the same on every machine.

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.word() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A multiple of `step` below `bound`.
    pub fn multiple(&mut self, step: u32, bound: u32) -> u32 {
        self.below(bound.div_ceil(step)) * step
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    pub fn bit(&mut self) -> u32 {
        self.below(2)
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }

    /// A byte that is often one where carries, signs and half carries turn over.
    pub fn byte(&mut self) -> u8 {
        const TURNING: [u8; 12] = [0x00, 0x01, 0x02, 0x0F, 0x10, 0x7E, 0x7F, 0x80, 0x81, 0xF0, 0xFE, 0xFF];
        if self.once_in(2) {
            *self.pick(&TURNING)
        } else {
            self.word() as u8
        }
    }

    /// A word that is often one where carries and signs turn over.
    pub fn value(&mut self) -> u32 {
        const TURNING: [u32; 9] = [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff, 0x8000, 0x1_0000];
        match self.below(4) {
            0 => *self.pick(&TURNING),
            1 => (self.word() as u32) >> self.below(32),
            2 => !((self.word() as u32) >> self.below(32)),
            _ => self.word() as u32,
        }
    }
}

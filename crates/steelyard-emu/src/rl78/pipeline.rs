//! How long instructions take: one function per rule between neighbours.
//!
//! The numbers are the core's, from its data file, which names their sources; [`super::timing`] says what each means.
//! The clocks of an instruction by itself stand in its row, and are noted when it is decoded.

use super::decode::Decoded;
use super::memory::Attribute;
use super::timing::Clocks;

/// The clock, as far as the instruction under way has come.
pub struct Pipeline {
    /// Clock in which the instruction starts.
    pub now: u64,
    /// Clocks of the instruction so far.
    spent: u32,
    /// Registers that the instruction before wrote, of those that may form an address.
    written: u8,
    hazard: u64,
    skipped: u32,
    skipped_prefix: u32,
}

impl Pipeline {
    /// Begins with nothing under way.
    pub fn new(clocks: &Clocks, now: u64) -> Self {
        Pipeline {
            now,
            spent: 0,
            written: 0,
            hazard: clocks.hazard.into(),
            skipped: clocks.skipped.into(),
            skipped_prefix: clocks.skipped_prefix.into(),
        }
    }

    /// An instruction waits if its address is formed by a register that the one before wrote.
    #[inline(always)]
    pub fn starts(&mut self, decoded: &Decoded) {
        if decoded.uses & self.written != 0 {
            self.now += self.hazard;
        }
        self.written = decoded.writes;
        self.spent = decoded.clocks.into();
    }

    /// A read that memory answers later than RAM does.
    #[inline(always)]
    pub fn reads(&mut self, added: u32) {
        self.spent += added;
    }

    /// A branch is taken.
    #[inline(always)]
    pub fn taken(&mut self, decoded: &Decoded) {
        self.spent = self.spent + u32::from(decoded.taken_clocks) - u32::from(decoded.clocks);
    }

    /// The clock in which a store reaches its place.
    #[inline(always)]
    pub fn stores(&self) -> u64 {
        self.now + u64::from(self.spent)
    }

    #[inline(always)]
    pub fn ends(&mut self) {
        self.now += u64::from(self.spent);
    }

    /// An instruction is skipped; returns its clocks.
    pub fn skips(&mut self, skipped: &Decoded) -> u32 {
        let spent = self.skipping(skipped);
        self.now += u64::from(spent);
        spent
    }

    /// Returns the clocks of an instruction that is skipped.
    pub fn skipping(&self, skipped: &Decoded) -> u32 {
        self.skipped + if skipped.far { self.skipped_prefix } else { 0 }
    }
}

/// Returns the clocks that a read of data adds where they lie.
pub fn reading(clocks: &Clocks, attribute: Attribute) -> u32 {
    match attribute {
        Attribute::Mirror => clocks.mirror_read.into(),
        Attribute::Flash => clocks.flash_read.into(),
        _ => 0,
    }
}

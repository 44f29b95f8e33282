//! A branch target buffer with two-bit counters.

use serde::Deserialize;

/// Far above what any core has.
const MAX_ENTRIES: u32 = 1 << 16;

/// Branch prediction: a direct-mapped buffer of taken branches, each with a two-bit counter.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// Number of entries, a power of two, at most 65536.
    pub entries: u32,
    /// Counter of a branch that gets an entry when it is first taken, from 0 (strongly not taken) to 3 (strongly
    /// taken).
    pub first_counter: u8,
}

impl Prediction {
    /// Whether a buffer with these numbers can be built.
    pub fn is_sound(&self) -> bool {
        self.entries.is_power_of_two() && self.entries <= MAX_ENTRIES && self.first_counter <= 3
    }
}

#[derive(Clone, Copy)]
struct Entry {
    address: u32,
    /// Two-bit counter; 0 and 1 predict that the branch is not taken.
    counter: u8,
}

/// An unused entry; addresses of instructions are even.
const FREE: Entry = Entry { address: u32::MAX, counter: 0 };

/// State of branch prediction; empty on a core without it.
#[derive(Clone)]
pub struct Branches {
    entries: Vec<Entry>,
    first_counter: u8,
}

impl Branches {
    /// Creates an empty buffer.
    pub fn new(prediction: Option<&Prediction>) -> Self {
        let entries = prediction.map_or(0, |prediction| prediction.entries as usize);
        Branches {
            entries: vec![FREE; entries],
            first_counter: prediction.map_or(0, |prediction| prediction.first_counter),
        }
    }

    /// Forgets all branches.
    pub fn flush(&mut self) {
        self.entries.fill(FREE);
    }

    /// Records the outcome of a branch; returns whether the pipeline had fetched the right way.
    #[inline]
    pub fn decided(&mut self, address: u32, taken: bool) -> bool {
        let count = self.entries.len();
        let Some(entry) = self.entries.get_mut((address >> 2) as usize & count.wrapping_sub(1)) else {
            return !taken;
        };
        if entry.address != address {
            if taken {
                *entry = Entry { address, counter: self.first_counter };
            }
            return !taken;
        }
        let right = (entry.counter >= 2) == taken;
        entry.counter = if taken { (entry.counter + 1).min(3) } else { entry.counter.saturating_sub(1) };
        right
    }
}

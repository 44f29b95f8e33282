//! Peripherals that are not there: loads and stores beyond all memories that read zeros and change nothing.

use std::ops::Range;

/// Addresses where accesses beyond all memories are ignored, and how many there were.
#[derive(Debug, Clone, Default)]
pub struct Ignored {
    places: Vec<Range<u64>>,
    /// Addresses that are the core's own.
    except: Vec<Range<u64>>,
    pub accesses: u64,
}

fn range(base: u32, size_bytes: u64) -> Range<u64> {
    u64::from(base)..u64::from(base) + size_bytes
}

impl Ignored {
    /// Ignores accesses to these places, each a first address and a number of bytes.
    pub fn new(places: &[(u32, u64)]) -> Self {
        Ignored { places: places.iter().map(|&(base, size)| range(base, size)).collect(), ..Ignored::default() }
    }

    /// Leaves these places, each a first address and a number of bytes, to others.
    pub fn without(mut self, places: &[(u32, u64)]) -> Self {
        self.except.extend(places.iter().map(|&(base, size)| range(base, size)));
        self
    }

    /// Whether an access is ignored, which counts it.
    pub fn takes(&mut self, address: u32) -> bool {
        let holds = |ranges: &[Range<u64>]| ranges.iter().any(|range| range.contains(&address.into()));
        let taken = holds(&self.places) && !holds(&self.except);
        self.accesses += u64::from(taken);
        taken
    }
}

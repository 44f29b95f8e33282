//! What a program may touch: while a fence is set, a load or store of data outside its permits is a trap.
//!
//! A fence guards RAM, the caller's buffers included. Flash, EEPROM, I/O and registers that lie in the data space are
//! not guarded, and neither are fetches of instructions.

use crate::error::{refuse, Error};
use crate::fault::{FaultKind, Trap};
use std::ops::Range;

/// Bytes of the data space that a program may read, and write if the permit says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permit {
    pub base: u32,
    pub size_bytes: u32,
    pub write: bool,
}

/// Permits, as addresses that may be touched.
#[derive(Debug, Clone)]
pub struct Fence {
    /// Ranges in ascending order; none touches the next.
    readable: Vec<Range<u64>>,
    writable: Vec<Range<u64>>,
}

impl Fence {
    /// Joins permits, which may overlap; refuses one that reaches beyond the address space.
    pub fn new(permits: &[Permit]) -> Result<Self, Error> {
        for Permit { base, size_bytes, .. } in permits {
            if u64::from(*base) + u64::from(*size_bytes) > 1 << 32 {
                return refuse(format!(
                    "a permit of {size_bytes} bytes at 0x{base:x} reaches beyond the address space"
                ));
            }
        }
        let writable = permits.iter().filter(|permit| permit.write);
        Ok(Fence { readable: joined(permits.iter()), writable: joined(writable) })
    }

    /// Returns the ranges that may be read, or written, in ascending order.
    pub fn permitted(&self, write: bool) -> &[Range<u64>] {
        if write {
            &self.writable
        } else {
            &self.readable
        }
    }

    /// Returns the numbers of the granules, of two to the power of `bits` bytes, that may be written to their last byte:
    /// nothing in them needs a check.
    pub fn open_granules(&self, bits: u32) -> impl Iterator<Item = usize> + '_ {
        let granule = 1 << bits;
        let whole = move |range: &Range<u64>| range.start.div_ceil(granule) as usize..(range.end / granule) as usize;
        self.writable.iter().flat_map(whole)
    }

    /// Traps at the first byte of an access that no permit holds.
    pub fn check(&self, address: u32, size_bytes: u32, write: bool) -> Result<(), Trap> {
        let ranges = self.permitted(write);
        let kind = if write { FaultKind::StrayWrite } else { FaultKind::StrayRead };
        let (start, end) = (u64::from(address), u64::from(address) + u64::from(size_bytes));
        let after = ranges.partition_point(|range| range.start <= start);
        let held = after.checked_sub(1).map_or(start, |index| ranges[index].end.max(start));
        if held >= end {
            return Ok(());
        }
        Err(Trap::at(kind, held as u32))
    }
}

fn joined<'a>(permits: impl Iterator<Item = &'a Permit>) -> Vec<Range<u64>> {
    let range = |permit: &Permit| u64::from(permit.base)..u64::from(permit.base) + u64::from(permit.size_bytes);
    let mut ranges: Vec<Range<u64>> = permits.map(range).filter(|range| !range.is_empty()).collect();
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, range| {
        let touches = next.start <= range.end;
        if touches {
            range.end = range.end.max(next.end);
        }
        touches
    });
    ranges
}

/// Returns the sentence of a trap: `address` with the datum that lies there, `place` of the instruction.
pub fn sentence(kind: FaultKind, address: &str, place: &str) -> String {
    match kind {
        FaultKind::StrayWrite => format!("a write to {address}, which the call was not given to write, at {place}"),
        _ => format!("a read of {address}, which the call was not given, at {place}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permit(base: u32, size_bytes: u32, write: bool) -> Permit {
        Permit { base, size_bytes, write }
    }

    fn stray(fence: &Fence, address: u32, size_bytes: u32, write: bool) -> Option<u32> {
        fence.check(address, size_bytes, write).err().and_then(|trap| trap.address)
    }

    #[test]
    fn the_first_byte_outside_is_named() {
        let fence = Fence::new(&[permit(0x200, 4, true), permit(0x100, 4, false), permit(0x104, 3, true)]).unwrap();
        assert_eq!(stray(&fence, 0x100, 7, false), None);
        assert_eq!(stray(&fence, 0x0ff, 4, false), Some(0x0ff));
        assert_eq!(stray(&fence, 0x104, 4, false), Some(0x107));
        assert_eq!(stray(&fence, 0x102, 4, true), Some(0x102));
        assert_eq!(stray(&fence, 0x104, 2, true), None);
        assert_eq!(stray(&fence, 0x203, 2, true), Some(0x204));
    }

    #[test]
    fn overlapping_permits_are_one_and_empty_ones_none() {
        let fence = Fence::new(&[permit(8, 8, false), permit(0, 10, false), permit(2, 2, false), permit(64, 0, true)]);
        let fence = fence.unwrap();
        assert_eq!(stray(&fence, 0, 16, false), None);
        assert_eq!(stray(&fence, 64, 1, true), Some(64));
    }

    #[test]
    fn the_last_byte_of_the_address_space_can_be_permitted() {
        let fence = Fence::new(&[permit(0xffff_fffc, 4, true)]).unwrap();
        assert_eq!(stray(&fence, 0xffff_fffc, 4, true), None);
        assert!(Fence::new(&[permit(0xffff_fffc, 5, true)]).is_err());
    }
}

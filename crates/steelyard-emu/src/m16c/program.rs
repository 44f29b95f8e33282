//! Instructions, decoded when they are first reached.
//!
//! They lie in one array. Each chunk of it covers 64 K addresses and ends in marks that send the flow to the next
//! chunk; within a chunk, address and place differ by a constant.

use super::decode::{Decoded, Op, LONGEST};
use crate::processor::Instructions;

const CHUNK_BITS: u32 = 16;
const CHUNK_ADDRESSES: u32 = 1 << CHUNK_BITS;

/// The chunk in which the flow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Upper bits of the chunk's addresses.
    key: u32,
    /// Difference between the place of an address and the address.
    delta: u32,
}

impl Window {
    /// Returns the place of an address in this chunk.
    #[inline(always)]
    pub fn place(&self, address: u32) -> u32 {
        address.wrapping_add(self.delta)
    }

    /// Returns the address of a place in this chunk.
    #[inline(always)]
    pub fn address(&self, place: u32) -> u32 {
        place.wrapping_sub(self.delta)
    }

    /// Whether the chunk holds the address.
    #[inline(always)]
    pub fn holds(&self, address: u32) -> bool {
        address >> CHUNK_BITS == self.key
    }
}

/// The decoded instructions of an image.
#[derive(Clone, Default)]
pub struct Program {
    pub ops: Vec<Decoded>,
    windows: Vec<Window>,
    stops: Vec<usize>,
}

impl Program {
    /// Returns the chunk that holds an address.
    pub fn window(&mut self, address: u32) -> Window {
        if let Some(window) = self.windows.iter().find(|window| window.holds(address)) {
            return *window;
        }
        let key = address >> CHUNK_BITS;
        let first = self.ops.len() as u32;
        self.ops.resize(self.ops.len() + CHUNK_ADDRESSES as usize, Decoded::bare(Op::Undecoded));
        // An instruction at the end of the chunk has its successor up to its own length beyond.
        self.ops.resize(self.ops.len() + LONGEST, Decoded::bare(Op::ChunkEnd));
        let window = Window { key, delta: first.wrapping_sub(key << CHUNK_BITS) };
        self.windows.push(window);
        window
    }

    /// Returns the address of a place in the array.
    pub fn address(&self, place: usize) -> u32 {
        let chunk = place / (CHUNK_ADDRESSES as usize + LONGEST);
        self.windows.get(chunk).map_or(0, |window| window.address(place as u32))
    }
}

impl Instructions for Program {
    fn clear(&mut self) {
        self.ops.clear();
        self.windows.clear();
        self.stops.clear();
    }

    fn renumber(&mut self) {
        self.clear();
    }

    fn forget(&mut self, address: u32, length: usize) {
        let from = address.saturating_sub(LONGEST as u32 - 1);
        let to = address + length as u32;
        for window in &self.windows {
            let base = window.key << CHUNK_BITS;
            let (from, to) = (from.max(base), to.min(base + CHUNK_ADDRESSES));
            if from < to {
                self.ops[window.place(from) as usize..window.place(to) as usize].fill(Decoded::bare(Op::Undecoded));
            }
        }
        for &stop in &self.stops {
            self.ops[stop] = Decoded::bare(Op::Stop);
        }
    }

    fn plant_stop(&mut self, address: u32) {
        let place = self.window(address).place(address) as usize;
        self.ops[place] = Decoded::bare(Op::Stop);
        self.stops.push(place);
    }

    fn lift_stop(&mut self, address: u32) {
        let place = self.window(address).place(address) as usize;
        self.stops.retain(|&stop| stop != place);
        self.ops[place] = Decoded::bare(Op::Undecoded);
    }

    fn clear_stop(&mut self) {
        for place in std::mem::take(&mut self.stops) {
            self.ops[place] = Decoded::bare(Op::Undecoded);
        }
    }

    fn places(&self) -> usize {
        self.ops.len()
    }
}

//! Instructions, decoded when they are first reached.
//!
//! They lie in one array. Each chunk of it covers 64 KB of the address space and ends in marks that send the flow to
//! the next chunk; within a chunk, address and place differ by a constant.

use super::decode::Decoded;
use super::isa::Op;
use super::memory::SPACE_BYTES;
use crate::processor::Instructions;

const CHUNK_BITS: u32 = 16;
const CHUNK_BYTES: u32 = 1 << CHUNK_BITS;
const CHUNKS: usize = SPACE_BYTES >> CHUNK_BITS;
/// Number of marks at the end of a chunk: the length in bytes of the longest instruction.
const END_MARKS: u32 = 5;
const LONGEST: u32 = 5;

/// The chunk in which the flow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Upper bits of the chunk's addresses.
    pub key: u32,
    /// Place of the chunk's first address.
    pub first: u32,
}

impl Window {
    /// Returns the place of an address in this chunk.
    #[inline(always)]
    pub fn place(&self, address: u32) -> u32 {
        self.first + address % CHUNK_BYTES
    }

    /// Returns the address of a place in this chunk or in its end marks.
    #[inline(always)]
    pub fn address(&self, place: u32) -> u32 {
        (self.key << CHUNK_BITS) + (place - self.first)
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
    /// Chunks in the order of their creation.
    windows: Vec<Window>,
    stops: Vec<u32>,
}

impl Program {
    /// Returns the chunk that holds an address.
    pub fn window(&mut self, address: u32) -> Window {
        if let Some(window) = self.windows.iter().find(|window| window.holds(address)) {
            return *window;
        }
        let first = self.ops.len() as u32;
        let window = Window { key: address >> CHUNK_BITS, first };
        self.windows.reserve(CHUNKS);
        self.windows.push(window);
        self.ops.resize((first + CHUNK_BYTES) as usize, Decoded::bare(Op::Undecoded));
        self.ops.resize((first + CHUNK_BYTES + END_MARKS) as usize, Decoded::bare(Op::ChunkEnd));
        window
    }

    /// Returns the address of a place in the array.
    pub fn address(&self, place: usize) -> u32 {
        let after = self.windows.partition_point(|window| window.first as usize <= place);
        after.checked_sub(1).map_or(0, |index| self.windows[index].address(place as u32))
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
        let from = address.saturating_sub(LONGEST - 1);
        let end = address.saturating_add(length as u32);
        for window in &self.windows {
            let base = window.key << CHUNK_BITS;
            let (from, end) = (from.max(base), end.min(base + CHUNK_BYTES));
            if from < end {
                let first = window.place(from) as usize;
                self.ops[first..first + (end - from) as usize].fill(Decoded::bare(Op::Undecoded));
            }
        }
    }

    fn plant_stop(&mut self, address: u32) {
        let place = self.window(address).place(address);
        self.ops[place as usize] = Decoded::bare(Op::Stop);
        self.stops.push(place);
    }

    fn lift_stop(&mut self, address: u32) {
        let place = self.window(address).place(address);
        self.stops.retain(|&stop| stop != place);
        self.ops[place as usize] = Decoded::bare(Op::Undecoded);
    }

    fn clear_stop(&mut self) {
        for place in std::mem::take(&mut self.stops) {
            self.ops[place as usize] = Decoded::bare(Op::Undecoded);
        }
    }

    fn places(&self) -> usize {
        self.ops.len()
    }
}

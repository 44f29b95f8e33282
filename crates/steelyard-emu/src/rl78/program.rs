//! Decoded instructions, made the first time they are reached.
//!
//! They lie in one array. A chunk of it holds what the bytes of 64 KB of the address space begin, and behind it marks
//! that the flow runs into the next chunk; inside a chunk an address and its place differ by a constant.

use super::decode::{Decoded, Op};
use super::memory::SPACE_BYTES;

const CHUNK_BITS: u32 = 16;
const CHUNK_BYTES: u32 = 1 << CHUNK_BITS;
const CHUNKS: usize = SPACE_BYTES >> CHUNK_BITS;
/// The longest instruction has five bytes.
const END_MARKS: u32 = 5;
const LONGEST: u32 = 5;

/// Where the flow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Upper bits of the addresses in the chunk.
    pub key: u32,
    /// Place of the chunk's first address.
    pub first: u32,
}

impl Window {
    /// Place of an address of this chunk.
    #[inline(always)]
    pub fn place(&self, address: u32) -> u32 {
        self.first + address % CHUNK_BYTES
    }

    /// Address of a place in this chunk, or behind its end.
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
    /// In the order they were made.
    windows: Vec<Window>,
    stop: Option<u32>,
}

impl Program {
    /// The chunk that holds an address.
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

    /// The address of a place in the array.
    pub fn address(&self, place: usize) -> u32 {
        let after = self.windows.partition_point(|window| window.first as usize <= place);
        after.checked_sub(1).map_or(0, |index| self.windows[index].address(place as u32))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.ops.clear();
        self.windows.clear();
        self.stop = None;
    }

    /// Bytes at an address change: instructions that may hold them are decoded anew.
    pub fn forget(&mut self, address: u32, length: usize) {
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

    /// Ends runs before the instruction at an address.
    pub fn plant_stop(&mut self, address: u32) {
        let place = self.window(address).place(address);
        self.ops[place as usize] = Decoded::bare(Op::Stop);
        self.stop = Some(place);
    }

    /// Takes the stop away.
    pub fn clear_stop(&mut self) {
        if let Some(place) = self.stop.take() {
            self.ops[place as usize] = Decoded::bare(Op::Undecoded);
        }
    }
}

//! Decoded instructions, made the first time they are reached.
//!
//! They lie in one array. A chunk of it holds what begins at each of 64 K addresses, and behind it marks that the
//! flow runs into the next chunk; inside a chunk an address and its place in the array differ by a constant.

use super::decode::{Decoded, Op, LONGEST};

const CHUNK_BITS: u32 = 16;
const CHUNK_ADDRESSES: u32 = 1 << CHUNK_BITS;

/// A chunk the flow is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Upper bits of the addresses in the chunk.
    key: u32,
    /// Place of an address less the address.
    delta: u32,
}

impl Window {
    /// Place of an address of this chunk.
    #[inline(always)]
    pub fn place(&self, address: u32) -> u32 {
        address.wrapping_add(self.delta)
    }

    /// Address of a place in this chunk.
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
    stop: Option<usize>,
}

impl Program {
    /// The chunk that holds an address.
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

    /// The address of a place in the array.
    pub fn address(&self, place: usize) -> u32 {
        let chunk = place / (CHUNK_ADDRESSES as usize + LONGEST);
        self.windows.get(chunk).map_or(0, |window| window.address(place as u32))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.ops.clear();
        self.windows.clear();
        self.stop = None;
    }

    /// Bytes at an address change: what was decoded from them is decoded anew.
    pub fn forget(&mut self, address: u32, length: usize) {
        let from = address.saturating_sub(LONGEST as u32 - 1);
        let to = address + length as u32;
        for window in &self.windows {
            let base = window.key << CHUNK_BITS;
            let (from, to) = (from.max(base), to.min(base + CHUNK_ADDRESSES));
            if from < to {
                self.ops[window.place(from) as usize..window.place(to) as usize].fill(Decoded::bare(Op::Undecoded));
            }
        }
        if let Some(stop) = self.stop {
            self.ops[stop] = Decoded::bare(Op::Stop);
        }
    }

    /// Ends runs before the instruction at an address.
    pub fn plant_stop(&mut self, address: u32) {
        let place = self.window(address).place(address) as usize;
        self.ops[place] = Decoded::bare(Op::Stop);
        self.stop = Some(place);
    }

    /// Takes the stop away.
    pub fn clear_stop(&mut self) {
        if let Some(place) = self.stop.take() {
            self.ops[place] = Decoded::bare(Op::Undecoded);
        }
    }
}

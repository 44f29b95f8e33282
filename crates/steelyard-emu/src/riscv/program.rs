//! Decoded instructions, made the first time they are reached.
//!
//! They lie in one array. A chunk of it holds what 64 KB of the address space mean, an entry for each halfword, and
//! behind it two marks that the flow runs into the next chunk, since the last instruction may reach over its end;
//! while the flow stays inside a chunk, an address and its place in the array differ by a shift and a constant.

use super::decode::{Decoded, Op};

const CHUNK_BITS: u32 = 16;
const MARKS: usize = 2;

/// The chunk where the flow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Upper half of the addresses in the chunk.
    key: u32,
    /// Place of an address: its half, plus this.
    delta: u32,
}

impl Window {
    /// Place of an address of this chunk.
    #[inline(always)]
    pub fn place(&self, address: u32) -> u32 {
        (address >> 1).wrapping_add(self.delta)
    }

    /// Address of a place in this chunk.
    #[inline(always)]
    pub fn address(&self, place: u32) -> u32 {
        place.wrapping_sub(self.delta) << 1
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
        self.ops.resize(self.ops.len() + (1 << (CHUNK_BITS - 1)), Decoded::bare(Op::Undecoded));
        self.ops.resize(self.ops.len() + MARKS, Decoded::bare(Op::ChunkEnd));
        let window = Window { key, delta: first.wrapping_sub(key << CHUNK_BITS >> 1) };
        self.windows.push(window);
        window
    }

    /// The address of a place in the array.
    pub fn address(&self, place: usize) -> u32 {
        // Chunks follow each other in the order they were made.
        let first = |window: &Window| window.place(window.key << CHUNK_BITS) as usize;
        let after = self.windows.partition_point(|window| first(window) <= place);
        after.checked_sub(1).map_or(0, |index| self.windows[index].address(place as u32))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.ops.clear();
        self.windows.clear();
        self.stop = None;
    }

    /// Bytes at an address change: what was decoded from them is decoded anew.
    pub fn forget(&mut self, address: u32, length: usize) {
        // A long instruction may begin a halfword before them.
        let start = u64::from(address & !1).saturating_sub(2);
        let end = u64::from(address) + length as u64;
        for window in &self.windows {
            let base = u64::from(window.key) << CHUNK_BITS;
            let (from, to) = (start.max(base), end.min(base + (1 << CHUNK_BITS)));
            if from >= to {
                continue;
            }
            let first = window.place(from as u32) as usize;
            let last = window.place((to - 1) as u32) as usize;
            self.ops[first..=last].fill(Decoded::bare(Op::Undecoded));
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

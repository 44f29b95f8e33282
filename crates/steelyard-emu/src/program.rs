//! Instructions, decoded when they are first reached.
//!
//! They lie in one array. Each chunk of it covers 64 KB of the address space in one of the two instruction sets and
//! ends in a mark that sends the flow to the next chunk. Within a chunk, address and place differ by a shift and a
//! constant.

use crate::processor::Instructions;

/// A decoded instruction, or a mark in its place.
pub trait Marked: Copy {
    const UNDECODED: Self;
    const CHUNK_END: Self;
    const STOP: Self;
    /// Maximum distance in bytes from the start of an instruction to a byte on which its meaning depends.
    const REACH_BYTES: u32;

    /// Whether it is the mark of what was not decoded.
    fn is_undecoded(&self) -> bool;

    /// Returns an address of code without its mark, and whether units of two bytes lie there, not of four.
    fn entry(address: u32) -> (u32, bool) {
        (address & !1, true)
    }
}

const CHUNK_BITS: u32 = 16;

/// The instruction set and the chunk in which the flow is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub thumb: bool,
    /// Upper half of the chunk's addresses.
    pub key: u32,
    /// Difference between the place of an address and the shifted address.
    pub delta: u32,
    /// Shift from address to place: 2 for words, 1 for halfwords.
    pub shift: u32,
}

impl Window {
    /// Returns the place of an address in this chunk.
    #[inline(always)]
    pub fn place(&self, address: u32) -> u32 {
        (address >> self.shift).wrapping_add(self.delta)
    }

    /// Returns the address of a place in this chunk.
    #[inline(always)]
    pub fn address(&self, place: u32) -> u32 {
        place.wrapping_sub(self.delta) << self.shift
    }

    /// Returns the place of an address of Thumb code in this chunk.
    #[inline(always)]
    pub fn thumb_place(&self, address: u32) -> u32 {
        (address >> 1).wrapping_add(self.delta)
    }

    /// Returns the address of a place of Thumb code in this chunk.
    #[inline(always)]
    pub fn thumb_address(&self, place: u32) -> u32 {
        place.wrapping_sub(self.delta) << 1
    }

    /// Whether the chunk holds the address.
    #[inline(always)]
    pub fn holds(&self, address: u32) -> bool {
        address >> CHUNK_BITS == self.key
    }
}

/// The decoded instructions of an image.
#[derive(Clone)]
pub struct Program<D> {
    pub ops: Vec<D>,
    windows: Vec<Window>,
    stops: Vec<usize>,
    /// Number of places up to the highest one decoded.
    reached: usize,
    /// How often decoded instructions were forgotten or replaced.
    pub edits: u64,
}

impl<D> Default for Program<D> {
    fn default() -> Self {
        Program { ops: Vec::new(), windows: Vec::new(), stops: Vec::new(), reached: 0, edits: 0 }
    }
}

impl<D: Marked> Program<D> {
    /// Returns the chunk that holds an address.
    pub fn window(&mut self, address: u32, thumb: bool) -> Window {
        let known = self.windows.iter().find(|window| window.thumb == thumb && window.holds(address));
        if let Some(window) = known {
            return *window;
        }
        let shift = if thumb { 1 } else { 2 };
        let key = address >> CHUNK_BITS;
        let first = self.ops.len() as u32;
        self.ops.resize(self.ops.len() + (1 << (CHUNK_BITS - shift)), D::UNDECODED);
        // An instruction of two units may begin in the last one.
        self.ops.extend([D::CHUNK_END; 2]);
        let window = Window { thumb, key, delta: first.wrapping_sub(key << CHUNK_BITS >> shift), shift };
        self.windows.push(window);
        window
    }

    /// Returns the chunk that holds a place in the array.
    fn window_at(&self, place: usize) -> Option<&Window> {
        // Chunks follow each other in the order they were made.
        let first = |window: &Window| window.place(window.key << CHUNK_BITS) as usize;
        let after = self.windows.partition_point(|window| first(window) <= place);
        after.checked_sub(1).map(|index| &self.windows[index])
    }

    /// Returns the address of a place in the array.
    pub fn address(&self, place: usize) -> u32 {
        self.window_at(place).map_or(0, |window| window.address(place as u32))
    }

    /// Whether a place in the array is one of Thumb code.
    pub fn is_thumb(&self, place: usize) -> bool {
        self.window_at(place).is_some_and(|window| window.thumb)
    }

    /// Keeps a decoded instruction.
    pub fn keep(&mut self, place: u32, op: D) {
        self.ops[place as usize] = op;
        self.reached = self.reached.max(place as usize + 1);
    }
}

impl<D: Marked> Instructions for Program<D> {
    fn clear(&mut self) {
        self.ops.clear();
        self.windows.clear();
        self.stops.clear();
        self.reached = 0;
        self.edits += 1;
    }

    fn renumber(&mut self) {
        self.clear();
    }

    fn forget(&mut self, address: u32, length: usize) {
        let end = u64::from(address) + length as u64;
        for window in &self.windows {
            let base = u64::from(window.key) << CHUNK_BITS;
            let (from, to) =
                (u64::from(address.saturating_sub(D::REACH_BYTES) & !3).max(base), end.min(base + (1 << CHUNK_BITS)));
            if from >= to {
                continue;
            }
            let first = window.place(from as u32) as usize;
            let last = window.place((to - 1) as u32) as usize;
            let ops = &mut self.ops[first..=last];
            if ops.iter().any(|op| !op.is_undecoded()) {
                self.edits += 1;
            }
            ops.fill(D::UNDECODED);
        }
    }

    fn plant_stop(&mut self, address: u32) {
        let (address, thumb) = D::entry(address);
        let place = self.window(address, thumb).place(address) as usize;
        if !self.ops[place].is_undecoded() {
            self.edits += 1;
        }
        self.ops[place] = D::STOP;
        self.stops.push(place);
    }

    fn lift_stop(&mut self, address: u32) {
        let (address, thumb) = D::entry(address);
        let place = self.window(address, thumb).place(address) as usize;
        self.stops.retain(|&stop| stop != place);
        self.ops[place] = D::UNDECODED;
    }

    fn clear_stop(&mut self) {
        for place in std::mem::take(&mut self.stops) {
            self.ops[place] = D::UNDECODED;
        }
    }

    /// Up to the highest one kept: chunks are far larger than most programs.
    fn places(&self) -> usize {
        self.reached
    }
}

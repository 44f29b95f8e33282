//! Instructions, decoded when they are first reached: a place for each word of the address space.

use super::cpu::RETURN_ADDRESS;
use super::decode::Decoded;
use super::isa::Op;
use crate::processor::Instructions;

/// Number of words of the longest instruction.
const LONGEST: usize = 4;

/// The decoded instructions of an image.
#[derive(Clone)]
pub struct Program {
    /// By word address.
    pub ops: Vec<Decoded>,
    stops: Vec<u32>,
}

impl Program {
    /// Creates the places of addresses below an end.
    pub fn new(end: u32) -> Self {
        let mut program = Program { ops: vec![Decoded::bare(Op::Undecoded); end as usize / 2], stops: Vec::new() };
        program.plant(RETURN_ADDRESS);
        program
    }

    /// Returns the instruction at a place, `None` if none was decoded.
    pub fn decoded(&self, place: usize) -> Option<&Decoded> {
        self.ops.get(place).filter(|decoded| decoded.op as u8 > Op::Illegal as u8)
    }

    fn plant(&mut self, address: u32) {
        if let Some(decoded) = self.ops.get_mut(address as usize / 2) {
            *decoded = Decoded::bare(Op::Stop);
        }
    }
}

impl Instructions for Program {
    fn clear(&mut self) {
        self.stops.clear();
        self.ops.fill(Decoded::bare(Op::Undecoded));
        self.plant(RETURN_ADDRESS);
    }

    #[inline(never)]
    fn forget(&mut self, address: u32, length: usize) {
        let first = (address as usize / 2).saturating_sub(LONGEST - 1);
        let end = (address as usize + length).div_ceil(2).min(self.ops.len());
        if let Some(ops) = self.ops.get_mut(first..end) {
            ops.fill(Decoded::bare(Op::Undecoded));
        }
        self.plant(RETURN_ADDRESS);
        for index in 0..self.stops.len() {
            self.plant(self.stops[index]);
        }
    }

    fn plant_stop(&mut self, address: u32) {
        self.stops.push(address);
        self.plant(address);
    }

    fn lift_stop(&mut self, address: u32) {
        self.stops.retain(|&stop| stop != address);
        self.forget(address, 2);
    }

    fn clear_stop(&mut self) {
        for stop in std::mem::take(&mut self.stops) {
            self.forget(stop, 2);
        }
    }

    fn places(&self) -> usize {
        self.ops.len()
    }
}

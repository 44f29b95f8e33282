//! The state of an MSP430 processor, and what happens seldom: decoding, and forgetting what was decoded.

use super::decode::{decode, Decoded, SP};
use super::isa::Op;
use super::memory::{Memory, Touched};
use super::timing::Core;
use crate::fault::{FaultKind, Trap};
use crate::value::{Held, HeldWord};

/// Return address of a call from outside, among the peripheral registers, from which no instruction is fetched.
pub const RETURN_ADDRESS: u32 = 0x01fe;

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<W: Held = u32> {
    /// Registers r0 to r15; further entries stand for missing sources and discarded results.
    pub registers: [W; 32],
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    /// What is kept of memory beside its bytes.
    pub beside: W::Beside,
    pub core: Core,
    /// Decoded instructions, by word address.
    pub(super) ops: Vec<Decoded>,
    stop: Option<u32>,
}

impl<W: HeldWord> Cpu<W> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory) -> Self {
        let mut cpu = Cpu {
            registers: [W::of(0); 32],
            cycles: 0,
            stack_limit: 0,
            memory,
            beside: W::Beside::default(),
            core,
            ops: Vec::new(),
            stop: None,
        };
        cpu.forget_all();
        cpu
    }

    /// Returns the mask of a register's bits.
    pub fn register_mask(&self) -> u32 {
        self.core.address_mask()
    }

    /// Returns the instruction at a place, `None` if none was decoded.
    pub fn decoded(&self, place: usize) -> Option<&Decoded> {
        self.ops.get(place).filter(|decoded| decoded.op as u8 > Op::Illegal as u8)
    }

    /// Returns the number of places, one for each word of the address space.
    pub fn places(&self) -> usize {
        self.ops.len()
    }

    /// Forgets all decoded instructions.
    pub fn forget_all(&mut self) {
        self.ops.clear();
        self.ops.resize(self.memory.end() as usize / 2, Decoded::bare(Op::Undecoded));
        self.plant(RETURN_ADDRESS);
        self.memory.unmark_code();
    }

    /// Forgets the instructions that changed bytes may belong to.
    #[inline(never)]
    pub fn forget(&mut self, address: u32, length: usize) {
        // An instruction has at most four words.
        let first = (address as usize / 2).saturating_sub(3);
        let end = (address as usize + length).div_ceil(2).min(self.ops.len());
        if let Some(ops) = self.ops.get_mut(first..end) {
            ops.fill(Decoded::bare(Op::Undecoded));
        }
        self.plant(RETURN_ADDRESS);
        if let Some(stop) = self.stop {
            self.plant(stop);
        }
    }

    fn plant(&mut self, address: u32) {
        if let Some(decoded) = self.ops.get_mut(address as usize / 2) {
            *decoded = Decoded::bare(Op::Stop);
        }
    }

    /// Makes a run end before the instruction at an address.
    pub fn plant_stop(&mut self, address: u32) {
        self.stop = Some(address);
        self.plant(address);
    }

    /// Removes the planted stop.
    pub fn clear_stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            self.forget(stop, 2);
        }
    }

    /// Decodes and keeps the instruction at a place.
    #[inline(never)]
    pub(super) fn decode(&mut self, place: u32) -> Result<(), Trap> {
        let address = place * 2;
        if !self.memory.is_code(address) {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        let memory = &self.memory;
        let decoded = decode(&self.core, address, |address| memory.code(address));
        for word in 0..u32::from(decoded.words) {
            self.memory.mark_code(address + 2 * word);
        }
        self.ops[place as usize] = decoded;
        Ok(())
    }

    /// Pushes the return address of a call from outside.
    pub fn push_return(&mut self) -> Result<(), Trap> {
        let pointer = self.registers[SP as usize].plain().wrapping_sub(2) & self.register_mask();
        if pointer < self.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, pointer));
        }
        self.registers[SP as usize] = W::of(pointer);
        W::of(RETURN_ADDRESS).stored(&mut self.beside, pointer, 2);
        if self.memory.store_word(pointer, RETURN_ADDRESS)? == Touched::Code {
            self.forget(pointer, 2);
        }
        Ok(())
    }
}

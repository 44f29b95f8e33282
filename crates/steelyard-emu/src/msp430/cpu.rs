//! The state of an MSP430 processor, and what happens seldom.

use super::decode::{decode, SP};
use super::memory::{Memory, Touched};
use super::program::Program;
use super::timing::Core;
use crate::fault::{FaultKind, Trap};
use crate::memory_system::MemorySystem;
use crate::processor::Instructions;
use crate::value::HeldWord;

/// Return address of a call from outside, among the peripheral registers, from which no instruction is fetched.
pub const RETURN_ADDRESS: u32 = 0x01fe;

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<M, W: HeldWord = u32> {
    /// Registers r0 to r15; further entries stand for missing sources and discarded results.
    pub registers: [W; 32],
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory<W>,
    /// How long accesses to memory take.
    pub system: M,
    /// What is kept of memory beside its bytes.
    pub beside: W::Beside,
    pub core: Core,
    pub program: Program,
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory<W>, system: M) -> Self {
        Cpu {
            registers: [W::of(0); 32],
            cycles: 0,
            stack_limit: 0,
            program: Program::new(memory.end()),
            memory,
            system,
            beside: W::Beside::default(),
            core,
        }
    }

    /// Returns the mask of a register's bits.
    pub fn register_mask(&self) -> u32 {
        self.core.address_mask()
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
        self.program.ops[place as usize] = decoded;
        Ok(())
    }

    /// Pushes the return address of a call from outside.
    pub fn push_return(&mut self) -> Result<(), Trap> {
        let pointer = self.registers[SP as usize].plain().wrapping_sub(2) & self.register_mask();
        if pointer < self.stack_limit {
            return Err(Trap::at(FaultKind::StackOverflow, pointer));
        }
        self.registers[SP as usize] = W::of(pointer);
        if self.memory.store_word(pointer, W::of(RETURN_ADDRESS), &mut self.beside)? == Touched::Code {
            self.program.forget(pointer, 2);
        }
        Ok(())
    }
}

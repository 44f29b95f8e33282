//! The state of an M16C processor, and the ways that are seldom taken.

use super::decode::{decode, A0, A1, FB, LONGEST, SB, SP};
use super::exec::{Register, Wide, FLAGS};
use super::memory::{Memory, ADDRESS_MASK};
use super::program::{Program, Window};
use super::timing::Core;
use crate::fault::{FaultKind, Trap};
use crate::processor::OneSpace;
use crate::value::{Held, Value};

pub use super::exec::{B, C, I, O, S, U, Z};

/// Return address of a call from outside: the last byte of the reset vector, where no instruction can lie.
pub const RETURN_ADDRESS: u32 = ADDRESS_MASK;

/// All registers.
#[derive(Debug, Clone, Copy)]
pub struct Registers<W: Register = u16> {
    /// R0 to R3, A0, A1 and FB of the bank that is not in use.
    pub other_bank: [W; 7],
    /// Registers in use, by their numbers in `decode`.
    pub file: [W; 16],
    /// The stack pointer that is not in use.
    pub other_sp: W,
    pub intb: Wide<W>,
    pub flags: Wide<W>,
    /// Program counter, valid only between runs.
    pub pc: u32,
}

impl<W: Register> Registers<W> {
    /// Creates the registers after reset with this stack pointer.
    pub fn new(stack_pointer: u16) -> Self {
        let (zero, wide) = (W::of(0), <Wide<W> as Value>::of(0));
        let mut file = [zero; 16];
        file[SP as usize] = W::of(stack_pointer);
        Registers { other_bank: [zero; 7], file, other_sp: zero, intb: wide, flags: wide, pc: 0 }
    }

    /// Changes flags, and the register bank and stack pointer that they select.
    pub fn set_flags(&mut self, flags: Wide<W>) {
        let changed = self.flags.xor(flags).plain();
        if changed & B != 0 {
            self.file[..7].swap_with_slice(&mut self.other_bank);
        }
        if changed & U != 0 {
            std::mem::swap(&mut self.file[SP as usize], &mut self.other_sp);
        }
        self.flags = flags.and(<Wide<W> as Value>::of(FLAGS));
    }

    pub(super) fn control(&self, number: u8) -> W {
        let user = self.flags.plain() & U != 0;
        match number {
            1 => W::low_half(self.intb),
            2 => W::high_half(self.intb),
            3 => W::low_half(self.flags),
            4 if user => self.other_sp,
            4 | 5 => self.file[SP as usize],
            6 => self.file[SB as usize],
            _ => self.file[FB as usize],
        }
    }

    pub(super) fn set_control(&mut self, number: u8, value: W) {
        let user = self.flags.plain() & U != 0;
        match number {
            1 => self.intb = W::joined(W::high_half(self.intb), value),
            2 => self.intb = W::joined(value.and(W::of(15)), W::low_half(self.intb)),
            3 => self.set_flags(value.wide()),
            4 if user => self.other_sp = value,
            4 | 5 => self.file[SP as usize] = value,
            6 => self.file[SB as usize] = value,
            _ => self.file[FB as usize] = value,
        }
    }
}

/// Returns the numbers of the halves of a 32-bit register.
#[inline(always)]
pub(super) fn pair(low: u8) -> (u8, u8) {
    match low {
        A0 => (A0, A1),
        // R2R0 and R3R1.
        _ => (low, low + 2),
    }
}

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<W: Register = u16> {
    pub registers: Registers<W>,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    /// What is kept of memory beside its bytes.
    pub beside: <Wide<W> as Held>::Beside,
    pub program: Program,
    pub core: Core,
}

impl<W: Register> Cpu<W> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory) -> Self {
        Cpu {
            registers: Registers::new(0),
            cycles: 0,
            stack_limit: 0,
            memory,
            beside: Default::default(),
            program: Program::default(),
            core,
        }
    }

    /// Returns the cycles that a word at this address costs beyond one at an even address on a bus of two bytes.
    pub fn word_split(&self, address: u32) -> u32 {
        let bus = self.core.bus;
        if address & 1 != 0 || bus.bytes == 1 {
            u32::from(bus.split_word)
        } else {
            0
        }
    }

    /// Returns the code window of a jump target, or `None` if the target is the return address of the call.
    #[inline(never)]
    pub(super) fn enter(&mut self, address: u32) -> Result<Option<Window>, Trap> {
        if address == RETURN_ADDRESS {
            return Ok(None);
        }
        if !self.memory.is_mapped(address) {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        Ok(Some(self.program.window(address)))
    }

    /// Returns the bytes of the longest instruction that may lie at an address, `None` where no memory is mapped.
    pub fn bytes_at(&self, address: u32) -> Option<Vec<u8>> {
        (1..=LONGEST).rev().find_map(|length| self.memory.peek(address, length))
    }

    /// Decodes and keeps the instruction at a place.
    #[inline(never)]
    pub(super) fn decode(&mut self, address: u32, place: u32) -> Result<(), Trap> {
        let Some(bytes) = self.bytes_at(address) else { return Err(Trap::at(FaultKind::UnmappedAddress, address)) };
        let decoded = decode(&bytes, address, &self.core.cycles);
        self.memory.mark_code(address, u32::from(decoded.length).max(1));
        self.program.ops[place as usize] = decoded;
        Ok(())
    }

    /// Returns the vector of an interrupt; fails if the program has set none.
    pub(super) fn vector(&self, address: u32) -> Result<u32, Trap> {
        let low = self.memory.load_word(address)?;
        let target = u32::from(low) | u32::from(self.memory.load_byte(address + 2)? & 15) << 16;
        if matches!(target, 0 | ADDRESS_MASK) {
            return Err(Trap::of(FaultKind::IllegalOpcode));
        }
        Ok(target)
    }
}

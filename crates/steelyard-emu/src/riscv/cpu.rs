//! The state of a RISC-V processor, and the ways into its memory that are seldom taken.

use super::control::Control;
use super::decode::{self, Decoded, Op};
use super::predict::Branches;
use super::timer::Timer;
use super::timing::Core;
#[cfg(feature = "translate")]
use super::translate::Translator;
use crate::fault::{FaultKind, Trap};
use crate::memory::{Memory, Touched};
use crate::memory_system::MemorySystem;
use crate::processor::OneSpace;
use crate::program::{Program, Window};
use crate::value::{Held, HeldWord};

/// Return address of a call from outside; no memory lies there.
pub const RETURN_ADDRESS: u32 = 0xffff_fff0;

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<M, W: Held = u32> {
    pub registers: [W; 32],
    /// Program counter, valid only between runs.
    pub pc: u32,
    pub control: Control,
    /// Address of the word that `lr.w` reserved.
    pub reservation: Option<u32>,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    /// What is kept of memory beside its bytes.
    pub beside: W::Beside,
    pub timer: Option<Timer>,
    pub program: Program<Decoded>,
    pub core: Core,
    pub branches: Branches,
    pub system: M,
    #[cfg(feature = "translate")]
    pub(super) translator: Translator,
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory, timer: Option<Timer>, system: M) -> Self {
        Cpu {
            registers: [W::of(0); 32],
            pc: 0,
            control: Control::new(&core),
            reservation: None,
            cycles: 0,
            stack_limit: 0,
            memory,
            beside: W::Beside::default(),
            timer,
            program: Program::default(),
            branches: Branches::new(core.prediction.as_ref()),
            core,
            system,
            #[cfg(feature = "translate")]
            translator: Translator::default(),
        }
    }

    /// Translates targets of jumps from now on when they have been executed so often.
    #[cfg(feature = "translate")]
    pub fn translate_after(&mut self, executions: u32) {
        self.translator.warm = executions;
    }

    /// Returns the code window of a jump target, or `None` if the target is the return address of the call.
    #[inline(never)]
    pub(super) fn enter(&mut self, address: u32) -> Result<Option<Window>, Trap> {
        if address == RETURN_ADDRESS {
            return Ok(None);
        }
        if self.memory.region(address).is_none() {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        Ok(Some(self.program.window(address, true)))
    }

    /// Decodes and keeps the instruction at a place of a window.
    #[inline(never)]
    pub(super) fn decode(&mut self, window: &Window, place: u32) -> Result<Decoded, Trap> {
        let address = window.address(place);
        let first = self.memory.code(address, 2)?;
        let length_bytes = decode::length_bytes(first);
        let mut word = first;
        if length_bytes == 4 {
            word |= self.memory.code(address.wrapping_add(2), 2)? << 16;
            self.memory.mark_code(address.wrapping_add(2));
        }
        let decoded =
            decode::decode(word, 8 * length_bytes, address, self.core.registers(), |feature| self.core.has(feature));
        self.memory.mark_code(address);
        self.program.keep(place, decoded);
        Ok(decoded)
    }

    /// Whether the instruction at a place takes four bytes.
    pub(super) fn is_long(&mut self, window: &Window, place: u32) -> bool {
        let mut there = self.program.ops[place as usize];
        match there.op {
            // What cannot be decoded is refused when it is reached.
            Op::Undecoded => there = self.decode(window, place).unwrap_or(there),
            Op::Stop => {
                return self.instruction(window.address(place)).is_some_and(|(_, length_bytes)| length_bytes == 4)
            }
            _ => {}
        }
        there.halves == 2
    }

    /// Returns the cycles that an access at no multiple of its size costs more.
    pub(super) fn misaligned_extra(&self, address: u32, size: u32) -> u32 {
        let within = address % 4 + size <= 4;
        let costs = self.core.misaligned.filter(|misaligned| !(misaligned.across_words && within));
        costs.map_or(0, |misaligned| u32::from(misaligned.extra))
    }

    /// Returns the instruction at an address and its length in bytes, `None` where no memory is mapped.
    pub fn instruction(&self, address: u32) -> Option<(u32, u32)> {
        let half = |address: u32| {
            let bytes = self.memory.peek(address, 2)?;
            Some(u32::from(u16::from_le_bytes([bytes[0], bytes[1]])))
        };
        let first = half(address)?;
        if decode::length_bytes(first) == 2 {
            return Some((first, 2));
        }
        Some((first | half(address.wrapping_add(2))? << 16, 4))
    }

    /// Loads from the timer's registers where no memory is mapped; otherwise returns the trap.
    #[cold]
    #[inline(never)]
    pub(super) fn load_otherwise(&mut self, address: u32, size: u32, trap: Trap, cycle: u64) -> Result<u32, Trap> {
        match &self.timer {
            Some(timer) if trap.kind == FaultKind::UnmappedAddress => timer.load(address, size, cycle).ok_or(trap),
            _ => Err(trap),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn store_otherwise(
        &mut self,
        address: u32,
        size: u32,
        value: u32,
        trap: Trap,
        cycle: u64,
    ) -> Result<Touched, Trap> {
        let unmapped = trap.kind == FaultKind::UnmappedAddress;
        let stored = |timer: &mut Timer| unmapped && timer.store(address, size, value, cycle);
        if self.timer.as_mut().is_some_and(stored) {
            return Ok(Touched::Data);
        }
        Err(trap)
    }

    /// Loads from an address that is not a multiple of the size.
    #[cold]
    #[inline(never)]
    pub(super) fn load_misaligned(&mut self, address: u32, size: u32) -> Result<u32, Trap> {
        if self.core.misaligned.is_none() {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let mut value = 0;
        for byte in 0..size {
            value |= self.memory.load_byte(address.wrapping_add(byte))? << (8 * byte);
        }
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn store_misaligned(&mut self, address: u32, size: u32, value: u32) -> Result<Touched, Trap> {
        if self.core.misaligned.is_none() {
            return Err(Trap::at(FaultKind::UnalignedAddress, address));
        }
        let mut touched = Touched::Data;
        for byte in 0..size {
            if self.memory.store_byte(address.wrapping_add(byte), value >> (8 * byte))? == Touched::Code {
                touched = Touched::Code;
            }
        }
        Ok(touched)
    }
}

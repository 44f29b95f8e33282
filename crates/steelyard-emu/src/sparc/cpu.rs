//! The state of a SPARC processor, and the ways into its memory that are seldom taken.

use super::decode::{self, Decoded, FP};
use super::pipeline::UnderWay;
use super::timing::{Architecture, Core};
use super::windows::{Windows, WINDOW_WORDS};
use crate::fault::{FaultKind, Trap};
use crate::memory::{Memory, Touched};
use crate::memory_system::{Delay, MemorySystem};
use crate::predict::Branches;
use crate::processor::{Instructions, OneSpace};
use crate::program::{Program, Window};
use crate::value::{Held, HeldWord};

/// Return address of a call from outside; no memory lies there.
pub const RETURN_ADDRESS: u32 = 0xffff_fff0;

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<M, W: Held = u32> {
    /// Globals, outs, locals and ins; registers above 31 take discarded results.
    pub registers: [W; 64],
    pub windows: Windows<W>,
    /// Condition codes N, Z, V and C, from bit 3 to bit 0.
    pub nzvc: W,
    pub y: W,
    pub pc: u32,
    pub npc: u32,
    /// Whether the instruction at `pc` is annulled.
    pub annul: bool,
    /// Clock cycles since the machine was built.
    pub cycles: u64,
    /// Lowest address the stack may use.
    pub stack_limit: u32,
    pub memory: Memory,
    /// What is kept of memory beside its bytes.
    pub beside: W::Beside,
    pub program: Program<Decoded>,
    pub core: Core,
    pub branches: Branches,
    pub system: M,
    pub under_way: UnderWay,
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory, system: M) -> Self {
        Cpu {
            registers: [W::of(0); 64],
            windows: Windows::default(),
            nzvc: W::of(0),
            y: W::of(0),
            pc: 0,
            npc: 4,
            annul: false,
            cycles: 0,
            stack_limit: 0,
            memory,
            beside: W::Beside::default(),
            program: Program::default(),
            branches: Branches::new(core.prediction.as_ref()),
            core,
            system,
            under_way: UnderWay::default(),
        }
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
        Ok(Some(self.program.window(address, false)))
    }

    /// Returns the word at an address, `None` where no memory is mapped.
    pub fn word(&self, address: u32) -> Option<u32> {
        let bytes = self.memory.peek(address, 4)?;
        Some(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Decodes and keeps the instruction at a place.
    #[inline(never)]
    pub(super) fn decode(&mut self, address: u32, place: u32) -> Result<(), Trap> {
        let word = self.memory.code(address, 4)?.swap_bytes();
        self.memory.mark_code(address);
        self.program.keep(place, decode::decode(word, address, self.core.architecture));
        Ok(())
    }

    /// Spills the oldest window to the address in its stack pointer; returns that and the cycle in which it ends.
    #[inline(never)]
    pub(super) fn spill(&mut self, registers: &[W; 64], now: u64) -> Result<(W, u64), Trap> {
        let (first, words) = self.windows.spill(&registers[..32]);
        let pointer = aligned(first)?;
        let mut now = now + u64::from(self.core.cost.spill);
        for (pair, values) in (0_u32..).zip(words.chunks_exact(2)) {
            let address = pointer.wrapping_add(8 * pair);
            for (address, value) in [address, address.wrapping_add(4)].into_iter().zip(values) {
                if self.memory.store_word(address, value.swapped().plain())? == Touched::Code {
                    self.program.forget(address, 4);
                }
                value.swapped().stored(&mut self.beside, address, 4);
            }
            now += self.pair_store_stalls(address, now) + u64::from(self.core.cost.store_double.issue);
        }
        Ok((first, now))
    }

    /// Fills the window above from the address in its stack pointer; returns the cycle in which that ends.
    #[inline(never)]
    pub(super) fn fill(&mut self, registers: &[W; 64], now: u64) -> Result<u64, Trap> {
        let pointer = aligned(registers[FP as usize])?;
        let mut words = [W::of(0); WINDOW_WORDS];
        for (number, word) in (0_u32..).zip(&mut words) {
            let address = pointer.wrapping_add(4 * number);
            *word = W::loaded(self.memory.load_word(address)?, &self.beside, address, 4).swapped();
        }
        let mut now = now + u64::from(self.core.cost.fill);
        for pair in 0..WINDOW_WORDS as u32 / 2 {
            let Delay { stall, latency } = self.system.load(pointer.wrapping_add(8 * pair), 8, now);
            now += u64::from(stall + latency) + u64::from(self.core.cost.load_double.issue);
        }
        self.windows.fill(words);
        Ok(now)
    }

    /// Returns the cycles for which memory holds up a store of two words that begins at a cycle.
    #[inline(always)]
    pub(super) fn pair_store_stalls(&mut self, address: u32, now: u64) -> u64 {
        let first = u64::from(self.system.store(address, 4, now).stall);
        first + u64::from(self.system.store_on(address.wrapping_add(4), 4, now + first).stall)
    }

    /// Empties the pipeline: the next instruction finds it idle.
    pub fn drain(&mut self) {
        self.under_way = UnderWay::default();
    }

    /// Whether the core has the instructions of an architecture.
    pub fn has(&self, architecture: Architecture) -> bool {
        self.core.architecture >= architecture
    }
}

/// Returns the address in a stack pointer, which is a multiple of eight.
fn aligned<W: HeldWord>(pointer: W) -> Result<u32, Trap> {
    let address = pointer.plain();
    if address % 8 != 0 {
        return Err(Trap::at(FaultKind::UnalignedAddress, address));
    }
    Ok(address)
}

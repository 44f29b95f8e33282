//! The state of an ARM processor.

use super::decode::{self, Decoded};
use super::timing::Core;
use crate::fault::{FaultKind, Trap};
use crate::memory::Memory;
use crate::memory_system::MemorySystem;
use crate::predict::Branches;
use crate::program::{Program, Window};
use crate::value::{Held, HeldWord};

/// Return address of a call from outside; no memory lies there.
pub const RETURN_ADDRESS: u32 = 0xffff_fff0;

/// State of the processor and its memories.
#[derive(Clone)]
pub struct Cpu<M, W: Held = u32> {
    /// Registers r0 to r15; r15 is valid only between runs.
    pub registers: [W; 16],
    /// Flags N, Z, C and V, from bit 3 to bit 0.
    pub nzcv: W,
    /// The sticky overflow flag Q, 0 or 1.
    pub saturated: W,
    pub thumb: bool,
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
    /// Whether the chip's pipeline goes on while data that its cache lacks are on their way.
    pub goes_on_under_misses: bool,
}

impl<M: MemorySystem, W: HeldWord> Cpu<M, W> {
    /// Creates a processor at reset.
    pub fn new(core: Core, memory: Memory, system: M) -> Self {
        Cpu {
            registers: [W::of(0); 16],
            nzcv: W::of(0),
            saturated: W::of(0),
            thumb: false,
            cycles: 0,
            stack_limit: 0,
            memory,
            beside: W::Beside::default(),
            program: Program::default(),
            branches: Branches::new(core.prediction.as_ref()),
            core,
            system,
            goes_on_under_misses: false,
        }
    }

    /// Returns the code window of a jump target, or `None` if the target is the return address of the call.
    #[inline(never)]
    pub(super) fn enter(&mut self, address: u32, thumb: bool) -> Result<Option<Window>, Trap> {
        if address & !1 == RETURN_ADDRESS {
            return Ok(None);
        }
        if self.memory.region(address).is_none() {
            return Err(Trap::at(FaultKind::UnmappedAddress, address));
        }
        Ok(Some(self.program.window(address, thumb)))
    }

    /// Decodes and keeps the instruction at a place of a window.
    #[inline(never)]
    pub(super) fn decode(&mut self, window: &Window, place: u32) -> Result<Decoded, Trap> {
        let address = window.address(place);
        let size_bytes = if window.thumb { 2 } else { 4 };
        let code = self.memory.code(address, size_bytes)?;
        let decoded = decode::decode(code, 8 * size_bytes, address, |feature| self.core.architecture.has(feature));
        self.memory.mark_code(address);
        self.program.keep(place, decoded);
        Ok(decoded)
    }
}

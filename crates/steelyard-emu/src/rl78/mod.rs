//! The RL78 family: the cores S1, S2 and S3, with register banks in memory, the mirror of the flash in the data, and
//! the multiplier and divider of RL78/G13.

pub mod abi;
pub mod cpu;
pub mod decode;
pub mod isa;
pub mod memory;
pub mod operand;
pub mod program;
pub mod timing;
pub mod unit;

use crate::description::Description;
use crate::emulated::Emulated;
use crate::error::Error;
use crate::machine::Machine;
use cpu::Cpu;
use memory::Memory;
use timing::Core;

/// Builds the chip of a description.
pub fn machine(description: &Description) -> Result<Box<dyn Machine>, Error> {
    Ok(Box::new(chip(description)?))
}

/// Builds the chip of a description as its concrete type, for a tester that inspects its state.
pub fn chip(description: &Description) -> Result<Emulated<Cpu>, Error> {
    let core = Core::from_data(&description.core)?;
    let memory = Memory::new(&description.memory, core.mirror)?;
    Emulated::new(Cpu::new(core, memory), &description.memory)
}

//! Cycle-accurate emulation of small processors.
//!
//! A [`Machine`] is built from a [`Description`] (core timing and memories), loads an ELF image and calls its
//! functions. Everything that CPU families share is at this level: the description, the ELF loader, memory regions,
//! faults, observers and profiles, and [`emulated`], which builds a machine from any [`processor`]. Each family is one
//! module, chosen at run time by the `family` of the core's data.

pub mod arm;
pub mod avr;
pub mod bus;
pub mod cortex_m;
pub mod description;
pub mod detail;
pub mod divergence;
mod either;
pub mod elf;
pub mod emulated;
pub mod error;
pub mod fault;
pub mod fence;
pub mod ignored;
pub mod isa;
pub mod m16c;
pub mod machine;
pub mod memory;
pub mod memory_system;
pub mod msp430;
pub mod observe;
pub mod path;
pub mod predict;
pub mod processor;
pub mod profile;
pub mod program;
mod reach;
pub mod riscv;
pub mod rl78;
pub mod secrets;
pub mod sparc;
pub mod symbols;
mod tally;
#[cfg(feature = "translate")]
mod translate;
pub mod value;
mod waits;
mod windows;

pub use description::Description;
pub use divergence::{Aspect, Difference, Trace};
pub use error::Error;
pub use fault::{Fault, FaultKind};
pub use fence::Permit;
pub use machine::{
    instructions_from_json, machine_from_json, shadowed_from_json, Argument, CallResult, Machine, Observe, Series,
    Space, Start, Window,
};
pub use path::Passed;
pub use secrets::Leaked;

/// Release and source hash of this library, part of every measurement's provenance.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("STEELYARD_EMU_SOURCE"));

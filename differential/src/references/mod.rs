//! The independent simulators that the emulator is compared with.

pub mod gdb;
pub mod library;
pub mod recording;
#[cfg_attr(not(have_simavr), path = "no_simavr.rs")]
pub mod simavr;
pub mod unicorn;

//! Differential tester and speed benchmark of `steelyard-emu` against simavr, an independent AVR simulator.
//!
//! Without libsimavr (Debian: `libsimavr-dev`) the crate is empty and its program says what to install.

#![cfg(have_simavr)]

pub mod bench;
pub mod chip;
pub mod jobs;
pub mod lockstep;
pub mod random;
pub mod rng;
pub mod simavr;

//! Differential tester and speed benchmark of `steelyard-emu` beside independent simulators: simavr for AVR, gdb's own
//! for what is in [`stream::CPUS`].
//!
//! Without libsimavr (Debian: `libsimavr-dev`) the AVR part is left out and its commands say what to install. gdb's
//! simulators are programs of their own, built by `tools/simulators/build.sh`; see [`simulator`].

#[cfg(have_simavr)]
pub mod bench;
pub mod catalogue;
#[cfg(have_simavr)]
pub mod chip;
pub mod compiled;
#[cfg(have_simavr)]
pub mod jobs;
#[cfg(have_simavr)]
pub mod lockstep;
#[cfg(have_simavr)]
pub mod m16c;
pub mod msp430;
pub mod random;
pub mod recording;
pub mod rl78;
pub mod rng;
#[cfg(have_simavr)]
pub mod simavr;
pub mod simulator;
pub mod sparc;
pub mod stream;

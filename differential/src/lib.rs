//! Differential tester and speed benchmark of `steelyard-emu` beside independent simulators: simavr, Unicorn and gdb's.
//!
//! What a reference is and how it is driven is in [`protocol`] and [`references`], what is compared in [`stream`],
//! [`programs`] and [`images`], and what is particular to a CPU in [`families`].
//!
//! # One more family
//!
//! A file in `src/families`, its name in the list of `mod.rs`, with
//!
//! * a [`chip::Family`]: the registers that are compared, with the reference's numbers of them (gdb's sources have them
//!   in `include/gdb/sim-<cpu>.h`, Unicorn in `unicorn/<cpu>.h`),
//! * a [`stream::Generator`], which places one random instruction in sight of the state, or the [`programs::Units`] of
//!   whole programs,
//! * an [`images::Images`]: how compiled images are compared,
//! * a constant `FAMILY` that ties them together.
//!
//! simavr's part is left out where libsimavr was not found; Unicorn and gdb's simulators are looked for when they are
//! wanted. A reference that is missing is named with what brings it.

pub mod chip;
pub mod families;
pub mod images;
pub mod programs;
pub mod protocol;
pub mod references;
pub mod rng;
pub mod rows;
pub mod speed;
pub mod stream;
pub mod traced;

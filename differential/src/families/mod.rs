//! A file for each CPU family: its registers, its random streams, what they are compared with, and what the references
//! are known to do otherwise.

use crate::chip::Target;
use crate::images::{compare, Agreement, Compiled, Failure, Job};
use crate::speed::{speeds, Speeds};
use crate::stream::Stream;

/// A CPU family to the driver.
pub struct Entry {
    /// The family's name in the catalogue.
    pub name: &'static str,
    pub streams: &'static [Stream],
    pub compare: fn(&Target, &Job) -> Result<Agreement, Failure>,
    pub speeds: fn(&Target, &Job) -> Result<Speeds, String>,
}

impl Entry {
    /// A family whose chips are all compared alike.
    const fn new<C: Compiled>(name: &'static str, streams: &'static [Stream]) -> Self {
        Self { name, streams, compare: compare::<C>, speeds: speeds::<C> }
    }
}

macro_rules! families {
    ($($family:ident)*) => {
        $(pub mod $family;)*

        /// Every family. A static, so that the emulator's cores are compiled into this library alone.
        pub static FAMILIES: &[Entry] = &[$($family::FAMILY),*];
    };
}
mod msp430_rtl;
mod riscv_rtl;
families!(arm avr cortex_m m16c msp430 riscv rl78 sparc);

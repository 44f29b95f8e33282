//! What an instruction under a secret condition may change.
//!
//! A branch that a secret decides is told of, and what comes behind it is not followed. An instruction that a secret
//! decides about may take the time of one that is left out; then nothing is told, and what it may change is secret.

use crate::memory::Memory;
use crate::value::{Beside, HeldWord};

/// What an instruction changes if it is executed, so far as a secret decides whether it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reach {
    /// Registers that it writes, one bit each.
    pub registers: u32,
    /// Whether it sets flags.
    pub flags: bool,
    /// First address and number of the bytes that it stores.
    pub stored: Option<(u32, u32)>,
}

impl Reach {
    /// Makes everything of it secret, whether the instruction was executed or not.
    #[cold]
    #[inline(never)]
    pub fn hide<W: HeldWord>(&self, registers: &mut [W], flags: &mut W, memory: &Memory, beside: &mut W::Beside) {
        for (number, register) in registers.iter_mut().enumerate().take(32) {
            if self.registers >> number & 1 == 1 {
                *register = register.hidden(u32::MAX);
            }
        }
        if self.flags {
            *flags = flags.hidden(0xf);
        }
        if let Some((address, bytes)) = self.stored {
            // What is not executed may have an address at which nothing lies.
            for address in (0..bytes).map(|offset| address.wrapping_add(offset)) {
                if memory.region(address).is_some() {
                    beside.set_bits(address, 0xff);
                }
            }
        }
    }
}

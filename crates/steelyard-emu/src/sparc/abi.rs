//! The calling convention of 32-bit SPARC that GCC and clang use.

use crate::error::{refuse, Error};
use crate::machine::Argument;

const ARGUMENT_REGISTERS: usize = 6;
/// Bytes between a caller's stack pointer and the seventh argument: a window's locals and ins, the address of a
/// structure to return, and the six register arguments.
pub const FRAME_BYTES: usize = 64 + 4 + 4 * ARGUMENT_REGISTERS;

/// Registers and stack words that hold the arguments of a call.
#[derive(Debug, PartialEq, Eq)]
pub struct Placement {
    /// Values of `%o0` and the registers after it.
    pub registers: Vec<u32>,
    /// Words on the stack, ascending from [`FRAME_BYTES`] above the stack pointer at the call.
    pub stack: Vec<u32>,
}

/// Assigns arguments to registers and stack. An argument of eight bytes takes two words at any position, the upper one
/// first.
pub fn place(arguments: &[Argument]) -> Result<Placement, Error> {
    let mut words = Vec::new();
    for argument in arguments {
        let size = argument.size_bytes;
        if !(1..=8).contains(&size) {
            return refuse(format!("an argument of {size} bytes cannot be passed; 1 to 8 can"));
        }
        let value = if size == 8 { argument.value } else { argument.value & ((1 << (8 * size)) - 1) };
        if size > 4 {
            words.push((value >> 32) as u32);
        }
        words.push(value as u32);
    }
    let stack = words.split_off(words.len().min(ARGUMENT_REGISTERS));
    Ok(Placement { registers: words, stack })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_words_go_into_registers_and_the_rest_on_the_stack() {
        let arguments: Vec<Argument> = (1..=8).map(|value| Argument { value, size_bytes: 4 }).collect();
        let placement = place(&arguments).unwrap();
        assert_eq!(placement, Placement { registers: vec![1, 2, 3, 4, 5, 6], stack: vec![7, 8] });
    }

    #[test]
    fn eight_bytes_begin_anywhere_with_their_upper_half_and_may_straddle() {
        let long = Argument { value: 0x0102_0304_0506_0708, size_bytes: 8 };
        let byte = Argument { value: 0x1ff, size_bytes: 1 };
        let placement = place(&[byte, long]).unwrap();
        assert_eq!(placement.registers, [0xff, 0x0102_0304, 0x0506_0708]);
        let placement = place(&[byte, byte, byte, byte, byte, long]).unwrap();
        assert_eq!((placement.registers[5], placement.stack), (0x0102_0304, vec![0x0506_0708]));
    }

    #[test]
    fn what_is_too_wide_is_refused() {
        assert!(place(&[Argument { value: 0, size_bytes: 9 }]).is_err());
    }
}

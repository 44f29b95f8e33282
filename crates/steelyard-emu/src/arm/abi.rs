//! The procedure call standard of the ARM architecture (AAPCS, base standard).

use crate::error::{refuse, Error};
use crate::machine::Argument;

const ARGUMENT_REGISTERS: usize = 4;

/// Registers and stack words that hold the arguments of a call.
#[derive(Debug, PartialEq, Eq)]
pub struct Placement {
    /// Values of r0 and the registers after it.
    pub registers: Vec<u32>,
    /// Words on the stack, ascending from the stack pointer at the call.
    pub stack: Vec<u32>,
}

/// Assigns arguments to registers and stack. An argument of eight bytes begins at an even register or at a stack
/// address divisible by eight.
pub fn place(arguments: &[Argument]) -> Result<Placement, Error> {
    let mut placement = Placement { registers: Vec::new(), stack: Vec::new() };
    for argument in arguments {
        let size = argument.size_bytes;
        if !(1..=8).contains(&size) {
            return refuse(format!("an argument of {size} bytes cannot be passed; 1 to 8 can"));
        }
        let value = if size == 8 { argument.value } else { argument.value & ((1 << (8 * size)) - 1) };
        let words = [value as u32, (value >> 32) as u32];
        let words = if size > 4 { &words[..] } else { &words[..1] };
        let aligned = |used: usize| if words.len() == 2 { used.next_multiple_of(2) } else { used };
        let first = aligned(placement.registers.len());
        if placement.stack.is_empty() && first + words.len() <= ARGUMENT_REGISTERS {
            placement.registers.resize(first, 0);
            placement.registers.extend_from_slice(words);
        } else {
            // An argument on the stack ends the use of registers.
            placement.registers.resize(ARGUMENT_REGISTERS, 0);
            placement.stack.resize(aligned(placement.stack.len()), 0);
            placement.stack.extend_from_slice(words);
        }
    }
    Ok(placement)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argument(value: u64, size_bytes: u32) -> Argument {
        Argument { value, size_bytes }
    }

    #[test]
    fn four_words_go_into_registers_and_the_rest_on_the_stack() {
        let placement = place(&[1, 2, 3, 4, 5, 6].map(|value| argument(value, 4))).unwrap();
        assert_eq!(placement, Placement { registers: vec![1, 2, 3, 4], stack: vec![5, 6] });
    }

    #[test]
    fn eight_bytes_begin_at_an_even_place() {
        let long = argument(0x0807_0605_0403_0201, 8);
        let placement = place(&[argument(9, 1), long, argument(7, 4), long]).unwrap();
        assert_eq!(placement.registers, [9, 0, 0x0403_0201, 0x0807_0605]);
        assert_eq!(placement.stack, [7, 0, 0x0403_0201, 0x0807_0605]);
    }

    #[test]
    fn no_register_is_filled_behind_an_argument_on_the_stack() {
        let placement = place(&[1, 2, 3].map(|value| argument(value, 4))).unwrap();
        assert_eq!(placement.registers, [1, 2, 3]);
        let placement =
            place(&[argument(1, 4), argument(2, 4), argument(3, 4), argument(4, 8), argument(5, 4)]).unwrap();
        assert_eq!(placement.registers, [1, 2, 3, 0]);
        assert_eq!(placement.stack, [4, 0, 5]);
    }

    #[test]
    fn narrow_values_are_extended_with_zeros_and_odd_sizes_refused() {
        assert_eq!(place(&[argument(0xffff_ff81, 1)]).unwrap().registers, [0x81]);
        assert!(place(&[argument(0, 0)]).is_err());
        assert!(place(&[argument(0, 9)]).is_err());
    }
}

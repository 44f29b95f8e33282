//! The calling convention of the MSP430 EABI (SLAA534, 3.3), which GCC and LLVM follow.

use crate::error::{refuse, Error};
use crate::machine::Argument;

const ARGUMENT_REGISTERS: usize = 4;

/// Registers and stack words that hold the arguments of a call.
#[derive(Debug, PartialEq, Eq)]
pub struct Placement {
    /// Values of r12 and the registers after it.
    pub registers: Vec<u16>,
    /// Words on the stack, ascending from the stack pointer before the call pushes its return address.
    pub stack: Vec<u16>,
}

/// Assigns arguments word by word: to the remaining registers if all words fit, otherwise to the stack. The first of
/// two words may take the last register.
pub fn place(arguments: &[Argument]) -> Result<Placement, Error> {
    let mut placement = Placement { registers: Vec::new(), stack: Vec::new() };
    for argument in arguments {
        let size = argument.size_bytes;
        if !(1..=8).contains(&size) {
            return refuse(format!("an argument of {size} bytes cannot be passed; 1 to 8 can"));
        }
        let value = if size == 8 { argument.value } else { argument.value & ((1 << (8 * size)) - 1) };
        let count = (size as usize).div_ceil(2).next_power_of_two();
        let words: Vec<u16> = (0..count).map(|word| (value >> (16 * word)) as u16).collect();
        let left = ARGUMENT_REGISTERS - placement.registers.len();
        let is_split = count == 2 && left == 1 && placement.stack.is_empty();
        let in_registers = if count <= left || is_split { count.min(left) } else { 0 };
        placement.registers.extend_from_slice(&words[..in_registers]);
        placement.stack.extend_from_slice(&words[in_registers..]);
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
        let placement = place(&[1, 2, 3, 4, 5, 6].map(|value| argument(value, 2))).unwrap();
        assert_eq!(placement, Placement { registers: vec![1, 2, 3, 4], stack: vec![5, 6] });
    }

    #[test]
    fn two_words_may_lie_in_the_last_register_and_on_the_stack() {
        let long = argument(0x0403_0201, 4);
        let placement = place(&[argument(9, 1), argument(8, 2), argument(7, 2), long, long]).unwrap();
        assert_eq!(placement.registers, [9, 8, 7, 0x0201]);
        assert_eq!(placement.stack, [0x0403, 0x0201, 0x0403]);
    }

    #[test]
    fn four_words_are_not_split_and_a_later_word_still_finds_a_register() {
        let placement = place(&[argument(1, 2), argument(0x0807_0605_0403_0201, 8), argument(3, 2)]).unwrap();
        assert_eq!(placement.registers, [1, 3]);
        assert_eq!(placement.stack, [0x0201, 0x0403, 0x0605, 0x0807]);
    }

    #[test]
    fn narrow_values_are_extended_with_zeros_and_odd_sizes_refused() {
        assert_eq!(place(&[argument(0xffff_ff81, 1)]).unwrap().registers, [0x81]);
        assert!(place(&[argument(0, 0)]).is_err());
        assert!(place(&[argument(0, 9)]).is_err());
    }
}

//! The integer calling conventions of RISC-V: ILP32, and ILP32E of cores with sixteen registers.

use crate::error::{refuse, Error};
use crate::machine::Argument;

const ARGUMENT_REGISTERS: usize = 8;
const ARGUMENT_REGISTERS_EMBEDDED: usize = 6;

/// Registers and stack words that hold the arguments of a call.
#[derive(Debug, PartialEq, Eq)]
pub struct Placement {
    /// Values of a0 and the registers after it.
    pub registers: Vec<u32>,
    /// Words on the stack, ascending from the stack pointer at the call.
    pub stack: Vec<u32>,
}

/// Assigns arguments to registers and stack. An argument of eight bytes may lie half in the last register and half on the
/// stack; only on the stack is it aligned, and of `embedded` cores, whose stack has words alone, nowhere.
pub fn place(arguments: &[Argument], embedded: bool) -> Result<Placement, Error> {
    let available = if embedded { ARGUMENT_REGISTERS_EMBEDDED } else { ARGUMENT_REGISTERS };
    let mut placement = Placement { registers: Vec::new(), stack: Vec::new() };
    for argument in arguments {
        let size = argument.size_bytes;
        if !(1..=8).contains(&size) {
            return refuse(format!("an argument of {size} bytes cannot be passed; 1 to 8 can"));
        }
        let value = if size == 8 { argument.value } else { argument.value & ((1 << (8 * size)) - 1) };
        let words = [value as u32, (value >> 32) as u32];
        let words = if size > 4 { &words[..] } else { &words[..1] };
        if placement.registers.len() == available && words.len() == 2 && !embedded {
            placement.stack.resize(placement.stack.len().next_multiple_of(2), 0);
        }
        for &word in words {
            if placement.registers.len() < available {
                placement.registers.push(word);
            } else {
                placement.stack.push(word);
            }
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
    fn eight_words_go_into_registers_and_the_rest_on_the_stack() {
        let placement = place(&[1, 2, 3, 4, 5, 6, 7, 8, 9].map(|value| argument(value, 4)), false).unwrap();
        assert_eq!(placement, Placement { registers: vec![1, 2, 3, 4, 5, 6, 7, 8], stack: vec![9] });
    }

    #[test]
    fn eight_bytes_take_any_two_registers_but_an_aligned_place_on_the_stack() {
        let long = argument(0x0807_0605_0403_0201, 8);
        let first = place(&[argument(9, 1), long], false).unwrap();
        assert_eq!(first.registers, [9, 0x0403_0201, 0x0807_0605]);
        let split = place(
            &[1, 2, 3, 4, 5, 6, 7].map(|value| argument(value, 4)).iter().copied().chain([long]).collect::<Vec<_>>(),
            false,
        );
        let split = split.unwrap();
        assert_eq!((split.registers[7], &split.stack[..]), (0x0403_0201, &[0x0807_0605][..]));
        let behind = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(|value| argument(value, 4));
        let behind = place(&behind.iter().copied().chain([long]).collect::<Vec<_>>(), false).unwrap();
        assert_eq!(behind.stack, [9, 0, 0x0403_0201, 0x0807_0605]);
    }

    #[test]
    fn embedded_cores_take_six_words_in_registers_and_align_nothing() {
        let long = argument(0x0807_0605_0403_0201, 8);
        let six = [1, 2, 3, 4, 5, 6, 7].map(|value| argument(value, 4));
        let placement = place(&six.iter().copied().chain([long]).collect::<Vec<_>>(), true).unwrap();
        assert_eq!(placement.registers, [1, 2, 3, 4, 5, 6]);
        assert_eq!(placement.stack, [7, 0x0403_0201, 0x0807_0605]);
    }

    #[test]
    fn narrow_values_are_extended_with_zeros_and_odd_sizes_refused() {
        assert_eq!(place(&[argument(0xffff_ff81, 1)], false).unwrap().registers, [0x81]);
        assert!(place(&[argument(0, 0)], false).is_err());
        assert!(place(&[argument(0, 9)], false).is_err());
    }
}

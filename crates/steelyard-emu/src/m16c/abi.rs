//! The calling convention of GCC for the M16C (`-mcpu=m16c`), as implemented by its `m32c` port.
//!
//! A first argument of one or two bytes goes into R1L or R1, a second argument of two bytes into R2. All others lie on
//! the stack without gaps, the first lowest, wherever the first two went. A result of one or two bytes is returned in
//! R0L or R0.

use crate::error::{refuse, Error};
use crate::machine::Argument;

/// Registers and stack bytes that hold the arguments of a call.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Placement {
    pub r1: Option<u16>,
    pub r2: Option<u16>,
    /// Bytes on the stack, ascending from the stack pointer at the call.
    pub stack: Vec<u8>,
}

/// Assigns arguments to registers and stack; refuses widths that no argument has.
pub fn place(arguments: &[Argument]) -> Result<Placement, Error> {
    let mut placement = Placement::default();
    for (number, argument) in arguments.iter().enumerate() {
        let bytes = argument.value.to_le_bytes();
        match (number, argument.size_bytes) {
            (0, 1) => placement.r1 = Some(u16::from(bytes[0])),
            (0, 2) => placement.r1 = Some(argument.value as u16),
            (1, 2) => placement.r2 = Some(argument.value as u16),
            (_, size @ 1..=8) => placement.stack.extend_from_slice(&bytes[..size as usize]),
            (_, size) => return refuse(format!("an argument of {size} bytes cannot be passed; 1 to 8 can")),
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
    fn two_words_go_into_registers_and_the_rest_on_the_stack() {
        let placement = place(&[1, 2, 0x0304, 5].map(|value| argument(value, 2))).unwrap();
        assert_eq!(placement, Placement { r1: Some(1), r2: Some(2), stack: vec![4, 3, 5, 0] });
    }

    #[test]
    fn a_wide_first_argument_leaves_the_register_of_the_second() {
        let placement = place(&[argument(0x0a_bcde, 4), argument(7, 2)]).unwrap();
        assert_eq!(placement, Placement { r1: None, r2: Some(7), stack: vec![0xde, 0xbc, 0x0a, 0] });
    }

    #[test]
    fn a_byte_has_a_register_only_as_first_argument() {
        let placement = place(&[argument(0x1ff, 1), argument(0x1fe, 1), argument(9, 2)]).unwrap();
        assert_eq!(placement, Placement { r1: Some(0xff), r2: None, stack: vec![0xfe, 9, 0] });
    }

    #[test]
    fn odd_widths_are_refused() {
        assert!(place(&[argument(0, 0)]).is_err());
        assert!(place(&[argument(0, 9)]).is_err());
    }
}

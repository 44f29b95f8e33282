//! The calling convention of GCC for RL78.
//!
//! Every argument lies on the stack at an even address, the first one lowest; a call pushes four bytes of return
//! address below them. Results begin at r8: the first register of bank 1, or, on a core without banks, the memory that
//! the compiler uses as registers.

use crate::error::{refuse, Error};
use crate::machine::Argument;

/// Returns the address of a result's first byte.
pub fn result(banks: bool) -> u32 {
    if banks {
        0xf_fef0
    } else {
        0xf_fec8
    }
}

/// Returns the bytes of the arguments, ascending from the stack pointer at the call.
pub fn place(arguments: &[Argument]) -> Result<Vec<u8>, Error> {
    let mut stack = Vec::new();
    for argument in arguments {
        let size = argument.size_bytes;
        if !(1..=8).contains(&size) {
            return refuse(format!("an argument of {size} bytes cannot be passed; 1 to 8 can"));
        }
        stack.extend_from_slice(&argument.value.to_le_bytes()[..size as usize]);
        if size % 2 == 1 {
            stack.push(0);
        }
    }
    Ok(stack)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argument(value: u64, size_bytes: u32) -> Argument {
        Argument { value, size_bytes }
    }

    #[test]
    fn each_argument_begins_at_an_even_address() {
        let stack =
            place(&[argument(0x1234, 2), argument(0xff56, 1), argument(0x789a_bcde, 4), argument(9, 3)]).unwrap();
        assert_eq!(stack, [0x34, 0x12, 0x56, 0, 0xde, 0xbc, 0x9a, 0x78, 9, 0, 0, 0]);
    }

    #[test]
    fn odd_sizes_are_refused() {
        assert!(place(&[argument(0, 0)]).is_err());
        assert!(place(&[argument(0, 9)]).is_err());
    }
}
